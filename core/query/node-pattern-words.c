/* The words of patterns: ops, sets of them, dtypes. */
#include "node-pattern-private.h"

#include <string.h>

static const struct
{
  const char *name;
  FbOpSet ops;
} op_groups[] = {
  { "ALU", FB_OPS_ALU },
  { "UNARY", FB_OPS_UNARY },
  { "BINARY", FB_OPS_BINARY },
  { "TERNARY", FB_OPS_TERNARY },
  { "MOVEMENT", FB_OPS_MOVEMENT },
  { "COMMUTATIVE", FB_OPS_COMMUTATIVE },
  { "ASSOCIATIVE", FB_OPS_ASSOCIATIVE },
  { "IDEMPOTENT", FB_OPS_IDEMPOTENT },
  { "IRREDUCIBLE", FB_OPS_IRREDUCIBLE },
  { "UNSAFE_PAD", FB_OPS_UNSAFE_PAD },
  { "BUFFER OP", FB_OPS_BUFFER },
  { "ANY", FB_OPS_ALL },
};

static const struct
{
  const char *name;
  FbDTypeSet dtypes;
} dtype_groups[] = {
  { "ints", FB_DT_INTS },     { "sints", FB_DT_SINTS },  { "uints", FB_DT_UINTS },
  { "floats", FB_DT_FLOATS }, { "images", FB_DT_IMAGE }, { "pointers", FB_DT_POINTER },
};

FbOpSet
fb_op_set_of_word (const char *word)
{
  FbOp op = fb_op_from_name (word, -1);
  if (op != FB_OP_NONE)
    return (FbOpSet) 1 << op;
  for (guint i = 0; i < G_N_ELEMENTS (op_groups); i++)
    if (strcmp (op_groups[i].name, word) == 0)
      return op_groups[i].ops;
  return 0;
}

/* Edits that lead from one name to the other. */
static guint
distance (const char *a, const char *b)
{
  gsize n = strlen (b);
  g_autofree guint *row = g_new (guint, n + 1);
  for (gsize j = 0; j <= n; j++)
    row[j] = (guint) j;
  for (; *a; a++)
    {
      guint corner = row[0]++;
      for (gsize j = 1; j <= n; j++)
        {
          guint above = row[j];
          row[j] = MIN (MIN (above, row[j - 1]) + 1, corner + (*a != b[j - 1]));
          corner = above;
        }
    }
  return row[n];
}

const char *
fb_closest_op (const char *word)
{
  const char *best = NULL;
  guint least = 3;
  for (int op = 1; op < FB_N_OPS; op++)
    {
      guint d = distance (word, fb_op_name (op));
      if (d < least)
        {
          least = d;
          best = fb_op_name (op);
        }
    }
  return best;
}

FbDTypeSet
fb_dtype_set_of_word (const char *word)
{
  for (guint i = 0; i < G_N_ELEMENTS (dtype_groups); i++)
    if (strcmp (dtype_groups[i].name, word) == 0)
      return dtype_groups[i].dtypes;
  for (int t = 0; t < FB_N_SCALARS; t++)
    if (strcmp (fb_dtype_scalars[t].short_name, word) == 0)
      return 1u << t;
  return 0;
}
