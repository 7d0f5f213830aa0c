/* Which lines of two texts of nodes are the same: those of nodes that are, wherever these stand and whatever numbers names have. */
#include "textdiff-private.h"

#include <string.h>

#define NONE G_MAXUINT32

/* Kinds of lines; the number of a line is that of its body and this. */
enum
{
  KIND_OTHER,
  KIND_OPEN,       /* "UOp(Ops.ADD, dtypes.float, arg=None, src=(": its sources follow */
  KIND_LEAF,       /* "UOp(Ops.UNIQUE, dtypes.void, arg=281, src=()),)),": it has none */
  KIND_NAMED_OPEN, /* "x3:=UOp(" */
  KIND_NAMED_LEAF,
  KIND_NAME, /* "x3,": the node has been there before; the body is its */
  N_KINDS
};

typedef struct
{
  guint kind;
  guint32 depth;
  guint64 name; /* the number of a name, + 1; 0 for none */
  FbDiffLine body;
} Parsed;

static gboolean
is_closing (char c)
{
  return c == ')' || c == ',';
}

/* "x12" from @i on: its number + 1, and where it ends to @end. 0: there is none. */
static guint64
parse_name (const FbDiffLine *line, guint32 i, guint32 *end)
{
  guint64 number = 0;
  guint32 digits = 0;

  if (i >= line->len || line->text[i] != 'x')
    return 0;
  for (i++; i < line->len && g_ascii_isdigit (line->text[i]) && digits < 10; i++, digits++)
    number = number * 10 + (guint64) (line->text[i] - '0');
  *end = i;
  return digits ? number + 1 : 0;
}

static Parsed
parse (const FbDiffLine *line)
{
  guint32 at = 0, end = line->len, after_name = 0;
  Parsed p = { .kind = KIND_OTHER };

  while (at < line->len && line->text[at] == ' ')
    at++;
  p.depth = at / 2; /* a name on its own is set in by one more */
  p.body = *line;
  while (end > at && is_closing (line->text[end - 1]))
    end--;
  p.name = parse_name (line, at, &after_name);
  if (p.name && after_name == end)
    {
      p.kind = KIND_NAME;
      return p;
    }
  if (p.name && (end - after_name < 2 || memcmp (line->text + after_name, ":=", 2) != 0))
    p.name = 0;
  guint32 begin = p.name ? after_name + 2 : at;
  if (end - begin < 4 || memcmp (line->text + begin, "UOp(", 4) != 0)
    {
      p.name = 0;
      return p;
    }
  p.body = (FbDiffLine){ line->text + begin, end - begin };
  p.kind = end == line->len ? KIND_OPEN : KIND_LEAF;
  if (p.name)
    p.kind += KIND_NAMED_OPEN - KIND_OPEN;
  return p;
}

FbDiffNodeLine *
fb_diff_node_lines_new (GHashTable *numbers, const FbDiffLine *lines, guint32 n)
{
  FbDiffNodeLine *out = g_new (FbDiffNodeLine, MAX (n, 1));
  g_autoptr (GArray) open = g_array_new (FALSE, FALSE, sizeof (guint32)); /* lines around this one, outermost first */
  g_autoptr (GArray) depths = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autofree guint32 *defined = g_new (guint32, (gsize) n + 1); /* of each name, its line; n of them are the most */

  memset (defined, 0xff, ((gsize) n + 1) * sizeof *defined);
  for (guint32 i = 0; i < n; i++)
    {
      Parsed p = parse (&lines[i]);
      FbDiffNodeLine *line = &out[i];
      *line = (FbDiffNodeLine){ .body = p.body, .parent = NONE, .defined = NONE };
      while (depths->len && g_array_index (depths, guint32, depths->len - 1) >= p.depth)
        {
          g_array_set_size (depths, depths->len - 1);
          g_array_set_size (open, open->len - 1);
        }
      if (open->len)
        line->parent = g_array_index (open, guint32, open->len - 1);
      g_array_append_val (open, i);
      g_array_append_val (depths, p.depth);
      if (p.kind == KIND_NAME && (p.name > n || defined[p.name] == NONE))
        p.kind = KIND_OTHER;
      if (p.kind == KIND_NAME)
        {
          line->defined = defined[p.name];
          line->number = out[line->defined].number / N_KINDS * N_KINDS + KIND_NAME;
          continue;
        }
      if (p.name && p.name <= n)
        defined[p.name] = i;
      line->number = fb_diff_number (numbers, &line->body) * N_KINDS + p.kind;
    }
  return out;
}

void
fb_diff_check_node_lines (const FbDiffNodeLine *a, guint32 n_a, const FbDiffNodeLine *b, guint32 n_b, guint8 *changed_a,
                          guint8 *changed_b)
{
  g_autofree guint32 *with = g_new (guint32, MAX (n_a, 1)); /* of each line of a the same one of b */
  guint32 i = 0, j = 0;

  memset (with, 0xff, n_a * sizeof *with);
  /* what a line speaks of comes before it */
  while (i < n_a && j < n_b)
    {
      if (changed_a[i])
        i++;
      else if (changed_b[j])
        j++;
      else
        {
          guint32 up_a = a[i].parent, up_b = b[j].parent;
          gboolean same = a[i].defined == NONE ? b[j].defined == NONE
                                               : b[j].defined != NONE && with[a[i].defined] == b[j].defined;
          /* a node that came or went in between is told by its own line */
          if (up_a != NONE && up_b != NONE && !changed_a[up_a] && !changed_b[up_b] && with[up_a] != up_b)
            same = FALSE;
          if (same)
            with[i] = j;
          else
            changed_a[i] = changed_b[j] = TRUE;
          i++;
          j++;
        }
    }
}
