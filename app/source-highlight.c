#include "app/source-highlight.h"

#include <string.h>

/* Sorted: looked up by bisection. */
static const char *const keywords[] = {
  "__attribute__", "__constant", "__device__", "__global",   "__global__", "__kernel", "__launch_bounds__",
  "__local",       "__private",  "__restrict", "__shared__", "break",      "case",     "const",
  "constant",      "continue",   "default",    "device",     "do",         "else",     "enum",
  "extern",        "false",      "for",        "global",     "goto",       "if",       "inline",
  "kernel",        "local",      "namespace",  "private",    "register",   "restrict", "return",
  "sizeof",        "static",     "struct",     "switch",     "template",   "thread",   "threadgroup",
  "true",          "typedef",    "typename",   "union",      "using",      "volatile", "while",
};
static const char *const types[] = {
  "_Bool",    "__bf16",    "__fp16",       "__nv_bfloat16", "bfloat",   "bfloat16", "bool",    "char",    "double",
  "float",    "half",      "hip_bfloat16", "image2d_t",     "int",      "int16_t",  "int32_t", "int64_t", "int8_t",
  "long",     "ptrdiff_t", "sampler_t",    "short",         "signed",   "size_t",   "uchar",   "uint",    "uint16_t",
  "uint32_t", "uint64_t",  "uint8_t",      "ulong",         "unsigned", "ushort",   "void",
};

static gboolean
is_listed (const char *const *words, guint n, const char *text, gsize len)
{
  guint low = 0, high = n;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      int order = strncmp (words[middle], text, len);
      if (!order && words[middle][len])
        order = 1;
      if (!order)
        return TRUE;
      if (order < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return FALSE;
}

/* "float4", "half16": a type and how many lanes. */
static gboolean
is_type (const char *text, gsize len)
{
  while (!is_listed (types, G_N_ELEMENTS (types), text, len))
    {
      if (!len || !g_ascii_isdigit (text[len - 1]))
        return FALSE;
      len--;
    }
  return TRUE;
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (guchar) c >= 0x80;
}

/* The end of the line, or of the line that it goes on in after a backslash. */
static gsize
end_of_line (const char *text, gsize len, gsize at)
{
  while (at < len && (text[at] != '\n' || (at > 0 && text[at - 1] == '\\')))
    at++;
  return at;
}

static gsize
end_of_comment (const char *text, gsize len, gsize at)
{
  if (text[at + 1] == '/')
    return end_of_line (text, len, at);
  for (at += 2; at + 1 < len; at++)
    if (text[at] == '*' && text[at + 1] == '/')
      return at + 2;
  return len;
}

static gsize
end_of_string (const char *text, gsize len, gsize at)
{
  char quote = text[at++];
  while (at < len && text[at] != quote && text[at] != '\n')
    at += text[at] == '\\' && at + 1 < len ? 2 : 1;
  return at < len && text[at] == quote ? at + 1 : MIN (at, len);
}

/* 0x1p-3f, 1e+10, .5h, 42ull */
static gsize
end_of_number (const char *text, gsize len, gsize at)
{
  gboolean hex = at + 1 < len && text[at] == '0' && (text[at + 1] | 0x20) == 'x';
  while (at < len)
    {
      char c = text[at] | 0x20;
      if (c == (hex ? 'p' : 'e') && at + 1 < len && (text[at + 1] == '+' || text[at + 1] == '-'))
        at += 2;
      else if (is_word (text[at]) || text[at] == '.')
        at++;
      else
        break;
    }
  return at;
}

static gboolean
is_comment (const char *text, gsize len, gsize at)
{
  return text[at] == '/' && at + 1 < len && (text[at + 1] == '/' || text[at + 1] == '*');
}

static gsize
end_of_directive (const char *text, gsize len, gsize at)
{
  gsize end = end_of_line (text, len, at);
  for (gsize i = at; i < end; i++)
    if (is_comment (text, len, i))
      return i;
  return end;
}

static void
add (GArray *tokens, FbSourceKind kind, gsize start, gsize end)
{
  FbSourceToken token = { kind, start, end - start };
  g_array_append_val (tokens, token);
}

GArray *
fb_source_tokens_new (const char *text, gsize len)
{
  GArray *tokens = g_array_new (FALSE, FALSE, sizeof (FbSourceToken));
  gboolean at_line_start = TRUE;
  for (gsize at = 0, end; at < len; at = end)
    {
      char c = text[at];
      gboolean first = at_line_start;
      end = at + 1;
      if (c == '\n')
        at_line_start = TRUE;
      else if (!g_ascii_isspace (c))
        at_line_start = FALSE;
      if (is_comment (text, len, at))
        add (tokens, FB_SOURCE_COMMENT, at, end = end_of_comment (text, len, at));
      else if (c == '#' && first)
        add (tokens, FB_SOURCE_DIRECTIVE, at, end = end_of_directive (text, len, at));
      else if (c == '"' || c == '\'')
        add (tokens, FB_SOURCE_STRING, at, end = end_of_string (text, len, at));
      else if (g_ascii_isdigit (c) || (c == '.' && at + 1 < len && g_ascii_isdigit (text[at + 1])))
        add (tokens, FB_SOURCE_NUMBER, at, end = end_of_number (text, len, at));
      else if (is_word (c))
        {
          while (end < len && is_word (text[end]))
            end++;
          if (is_listed (keywords, G_N_ELEMENTS (keywords), text + at, end - at))
            add (tokens, FB_SOURCE_KEYWORD, at, end);
          else if (is_type (text + at, end - at))
            add (tokens, FB_SOURCE_TYPE, at, end);
        }
    }
  return tokens;
}
