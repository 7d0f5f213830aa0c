/* Reading patterns. Recursion is on brackets, whose depth is limited. */
#include "node-pattern-private.h"

#include <string.h>

#define MAX_DEPTH 24
#define MAX_PARTS 200

G_DEFINE_QUARK (fb - query - error - quark, fb_query_error)

typedef struct
{
  const char *text, *at;
  guint depth, n_parts, n_names;
  char *names[MAX_NAMES];
  GError *error;
  gsize position;
} Reader;

static FbPart *read_either (Reader *r);

static void
part_free (FbPart *part)
{
  if (!part)
    return;
  for (guint i = 0; i < part->n; i++)
    part_free (part->parts[i]);
  g_free (part->text);
  g_free (part);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbPart, part_free)

/* Always NULL, so that readers can return it. */
static gpointer G_GNUC_PRINTF (2, 3) fail (Reader *r, const char *format, ...)
{
  if (!r->error)
    {
      va_list args;
      va_start (args, format);
      r->error = g_error_new_valist (FB_QUERY_ERROR, FB_QUERY_ERROR_SYNTAX, format, args);
      va_end (args);
      r->position = (gsize) (r->at - r->text);
    }
  return NULL;
}

static void
skip_space (Reader *r)
{
  while (g_ascii_isspace (*r->at))
    r->at++;
}

static gboolean
take (Reader *r, const char *token)
{
  skip_space (r);
  if (!g_str_has_prefix (r->at, token))
    return FALSE;
  r->at += strlen (token);
  return TRUE;
}

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

/* The word at the reader, "" when there is none; not taken. */
static char *
peek_word (Reader *r)
{
  skip_space (r);
  const char *end = r->at;
  if (g_ascii_isalpha (*end) || *end == '_')
    while (is_word (*end))
      end++;
  return g_strndup (r->at, (gsize) (end - r->at));
}

static gboolean
take_word (Reader *r, const char *word)
{
  g_autofree char *next = peek_word (r);
  if (strcmp (next, word) != 0)
    return FALSE;
  r->at += strlen (word);
  return TRUE;
}

static gboolean
add_foreign (FbOpChoice *choice, const char *word)
{
  FbOp op = fb_op_foreign_met (word);
  for (guint i = 0; op != FB_OP_NONE && i < G_N_ELEMENTS (choice->foreign); i++)
    if (!choice->foreign[i])
      {
        choice->foreign[i] = (guint16) op;
        return TRUE;
      }
  return FALSE;
}

/* One op or group, with what it is followed by when that is two words. FALSE when there is none. */
static gboolean
read_op (Reader *r, FbOpChoice *choice)
{
  const char *begin = r->at;
  g_autofree char *word = peek_word (r);
  FbOpSet ops = fb_op_set_of_word (word);
  gboolean found = ops != 0;
  r->at += strlen (word);
  if (strcmp (word, "BUFFER") == 0 && take_word (r, "OP"))
    ops = FB_OPS_BUFFER;
  else if (!found)
    found = add_foreign (choice, word);
  choice->known |= ops;
  if (!found)
    {
      const char *close = fb_closest_op (word);
      r->at = begin;
      if (close)
        fail (r, "there is no op or set of ops %s; did you mean %s?", word, close);
      else
        fail (r, "there is no op or set of ops %s", word);
    }
  return found;
}

static gboolean
starts_op (Reader *r)
{
  g_autofree char *word = peek_word (r);
  if (!g_ascii_isupper (*word))
    return FALSE;
  for (const char *p = word; *p; p++)
    if (g_ascii_islower (*p))
      return FALSE;
  return TRUE;
}

static gboolean
read_ops (Reader *r, FbOpChoice *choice)
{
  if (take_word (r, "ANY"))
    {
      choice->but = choice->some = TRUE;
      if (!take_word (r, "BUT"))
        return TRUE;
      if (!starts_op (r))
        {
          fail (r, "an op was expected after ANY BUT");
          return FALSE;
        }
    }
  for (;;)
    {
      if (!read_op (r, choice))
        return FALSE;
      /* only ops: ADD|MUL(x) is either of a source, ADD(x)|MUL(x) are two patterns */
      const char *before = r->at;
      if (take (r, "|") && starts_op (r))
        continue;
      r->at = before;
      choice->some = TRUE;
      return TRUE;
    }
}

static FbDTypeSet
read_dtypes (Reader *r)
{
  FbDTypeSet dtypes = 0;
  do
    {
      skip_space (r);
      /* "unsigned char" and the like are two words */
      const char *end = r->at;
      while (is_word (*end))
        end++;
      g_autofree char *word = g_strndup (r->at, (gsize) (end - r->at));
      FbDTypeSet one = fb_dtype_set_of_word (word);
      if (!one)
        {
          fail (r, *word ? "there is no dtype %s" : "a dtype was expected after “:”%s", word);
          return 0;
        }
      r->at = end;
      dtypes |= one;
    }
  while (take (r, "|"));
  return dtypes;
}

static gint8
read_name (Reader *r)
{
  g_autofree char *word = peek_word (r);
  if (!*word)
    {
      fail (r, "a name was expected after “as”");
      return -1;
    }
  for (guint i = 0; i < r->n_names; i++)
    if (strcmp (r->names[i], word) == 0)
      {
        r->at += strlen (word);
        return (gint8) i;
      }
  if (r->n_names == MAX_NAMES)
    {
      fail (r, "more than %d names", MAX_NAMES);
      return -1;
    }
  r->at += strlen (word);
  r->names[r->n_names] = g_steal_pointer (&word);
  return (gint8) r->n_names++;
}

static gboolean
starts_number (Reader *r)
{
  skip_space (r);
  const char *p = r->at + (*r->at == '-');
  return g_ascii_isdigit (*p) || (*p == '.' && g_ascii_isdigit (p[1]))
         || (g_str_has_prefix (p, "inf") && !is_word (p[3]));
}

static gboolean
read_number (Reader *r, FbArg *number)
{
  char *end_int, *end_float;
  gint64 i = g_ascii_strtoll (r->at, &end_int, 10);
  double f = g_ascii_strtod (r->at, &end_float);
  if (end_float == r->at || is_word (*end_float))
    {
      fail (r, "a number was expected");
      return FALSE;
    }
  *number = end_int == end_float ? fb_arg_int (i) : fb_arg_float (f);
  r->at = end_float;
  return TRUE;
}

/* What follows an op and is no source: the arg. */
static gboolean
read_arg (Reader *r, FbPart *part)
{
  if (starts_number (r))
    {
      part->want = FB_WANT_NUMBER;
      return read_number (r, &part->number);
    }
  if (!take (r, "\""))
    return TRUE;
  const char *end = strchr (r->at, '"');
  if (!end)
    {
      fail (r, "the closing “\"” is missing");
      return FALSE;
    }
  part->want = FB_WANT_TEXT;
  part->text = g_strndup (r->at, (gsize) (end - r->at));
  r->at = end + 1;
  return TRUE;
}

static gboolean
read_sources (Reader *r, FbPart *part, const char *close)
{
  gboolean permuted = *close == ']';
  part->mode = permuted ? FB_PART_PERMUTED : FB_PART_ORDERED;
  if (take (r, close))
    return TRUE;
  for (;;)
    {
      if (take (r, "..."))
        {
          part->mode = FB_PART_PREFIX;
          break;
        }
      if (part->n == MAX_SOURCES)
        {
          fail (r, "more than %d sources", MAX_SOURCES);
          return FALSE;
        }
      FbPart *source = read_either (r);
      if (!source)
        return FALSE;
      part->parts[part->n++] = source;
      if (take (r, "..."))
        {
          part->mode = FB_PART_REPEATED;
          break;
        }
      if (!take (r, ","))
        break;
    }
  if (permuted && part->mode != FB_PART_PERMUTED)
    fail (r, "“...” stands in round brackets only");
  else if (!take (r, close))
    fail (r, part->n ? "“,” or “%s” was expected" : "a source or “%s” was expected", close);
  return !r->error;
}

static FbPart *
read_node (Reader *r)
{
  g_autoptr (FbPart) part = g_new0 (FbPart, 1);
  part->name = -1;
  skip_space (r);
  if (++r->n_parts > MAX_PARTS)
    return fail (r, "the pattern is too large");
  if (starts_number (r))
    {
      part->ops = (FbOpChoice){ .known = FB_OP_BIT (CONST), .some = TRUE };
      part->want = FB_WANT_NUMBER;
      return read_number (r, &part->number) ? g_steal_pointer (&part) : NULL;
    }
  if (take (r, "*"))
    return g_steal_pointer (&part);
  if (take (r, "("))
    {
      FbPart *inner = read_either (r);
      if (inner && !take (r, ")"))
        {
          part_free (inner);
          return fail (r, "“)” was expected");
        }
      return inner;
    }
  if (starts_op (r))
    {
      if (!read_ops (r, &part->ops) || !read_arg (r, part))
        return NULL;
    }
  else
    {
      g_autofree char *word = peek_word (r);
      if (!*word)
        return fail (r, *r->at ? "an op, a name, a number or “_” was expected" : "the pattern ends too soon");
      if (strcmp (word, "_") == 0)
        r->at++;
      else
        {
          g_autofree char *upper = g_ascii_strup (word, -1);
          if (strchr ("([", r->at[strlen (word)]) && r->at[strlen (word)] && fb_op_set_of_word (upper))
            return fail (r, "ops are written in capitals: %s", upper);
          part->name = read_name (r);
          if (part->name < 0)
            return NULL;
        }
    }
  if ((take (r, "(") && !read_sources (r, part, ")")) || r->error)
    return NULL;
  if (part->mode == FB_PART_ANY && take (r, "[") && !read_sources (r, part, "]"))
    return NULL;
  return g_steal_pointer (&part);
}

/* A node with its dtype and its name. */
static FbPart *
read_whole_node (Reader *r)
{
  g_autoptr (FbPart) part = read_node (r);
  if (!part)
    return NULL;
  if (take (r, ":") && !(part->dtypes = read_dtypes (r)))
    return NULL;
  if (take_word (r, "as"))
    {
      gint8 name = read_name (r);
      if (name < 0)
        return NULL;
      if (part->name >= 0)
        return fail (r, "the node has a name already");
      part->name = name;
    }
  return g_steal_pointer (&part);
}

static FbPart *
read_either (Reader *r)
{
  if (++r->depth > MAX_DEPTH)
    return fail (r, "more than %d brackets inside each other", MAX_DEPTH);
  g_autoptr (FbPart) either = g_new0 (FbPart, 1);
  either->name = -1;
  either->mode = FB_PART_EITHER;
  do
    {
      if (either->n == MAX_SOURCES)
        return fail (r, "more than %d alternatives", MAX_SOURCES);
      FbPart *part = read_whole_node (r);
      if (!part)
        return NULL;
      either->parts[either->n++] = part;
    }
  while (take (r, "|") || take_word (r, "or"));
  r->depth--;
  if (either->n > 1)
    return g_steal_pointer (&either);
  either->n = 0;
  return either->parts[0];
}

FbNodePattern *
fb_node_pattern_new (const char *text, gsize *position, GError **error)
{
  Reader r = { .text = text, .at = text };
  FbPart *root = read_either (&r);
  skip_space (&r);
  if (root && *r.at)
    fail (&r, "the pattern ends before this");
  for (guint i = 0; i < r.n_names; i++)
    g_free (r.names[i]);
  if (position)
    *position = r.position;
  if (r.error)
    {
      part_free (root);
      g_propagate_error (error, r.error);
      return NULL;
    }
  FbNodePattern *pattern = g_new0 (FbNodePattern, 1);
  g_atomic_ref_count_init (&pattern->refs);
  pattern->root = root;
  pattern->n_names = r.n_names;
  return pattern;
}

FbNodePattern *
fb_node_pattern_ref (FbNodePattern *pattern)
{
  g_atomic_ref_count_inc (&pattern->refs);
  return pattern;
}

void
fb_node_pattern_unref (FbNodePattern *pattern)
{
  if (!pattern || !g_atomic_ref_count_dec (&pattern->refs))
    return;
  part_free (pattern->root);
  g_free (pattern);
}

static guint
part_depth (const FbPart *part)
{
  guint most = 0, below = part->mode != FB_PART_EITHER;
  for (guint i = 0; i < part->n; i++)
    most = MAX (most, part_depth (part->parts[i]) + below);
  return most;
}

guint
fb_node_pattern_depth (const FbNodePattern *pattern)
{
  return part_depth (pattern->root);
}

gboolean
fb_op_choice_has (const FbOpChoice *choice, guint op)
{
  gboolean has = fb_op_in (op, choice->known);
  if (op >= FB_N_OPS)
    {
      has = fb_op_in (fb_op_like ((FbOp) op), choice->known);
      for (guint i = 0; i < G_N_ELEMENTS (choice->foreign) && choice->foreign[i]; i++)
        has |= choice->foreign[i] == op;
    }
  return has != choice->but;
}

gboolean
fb_op_choice_from_text (const char *text, gboolean loose, FbOpChoice *choice)
{
  g_autofree char *upper = loose ? g_ascii_strup (text, -1) : NULL;
  const char *words = upper ? upper : text;
  Reader r = { .text = words, .at = words };
  FbOpChoice read = { 0 };
  gboolean ok = starts_op (&r) && read_ops (&r, &read);
  skip_space (&r);
  g_clear_error (&r.error);
  ok = ok && !*r.at;
  *choice = ok ? read : (FbOpChoice){ 0 };
  return ok;
}

FbDTypeSet
fb_dtype_set_from_text (const char *text)
{
  Reader r = { .text = text, .at = text };
  FbDTypeSet dtypes = read_dtypes (&r);
  skip_space (&r);
  g_clear_error (&r.error);
  return *r.at ? 0 : dtypes;
}
