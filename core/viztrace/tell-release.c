/* Which release wrote a trace: by its form, the fields of its rewrites, and what its ops are used for. */
#include <string.h>

#include "viztrace-private.h"

const char *
fb_viz_op_name (const FbVizTrace *trace, const FbValue *op, FbArena *arena)
{
  const FbTupleCell *args
      = op->kind == FB_VALUE_OBJECT && op->object->args.kind == FB_VALUE_TUPLE ? op->object->args.tuple : NULL;
  const char *name;

  if (args && args->n == 2 && args->items[1].kind == FB_VALUE_TEXT)
    return fb_arena_strndup (arena, (const char *) args->items[1].bytes, MIN (args->items[1].n, 64));
  if (!args || args->n != 1 || args->items[0].kind != FB_VALUE_INT)
    return op->kind == FB_VALUE_TEXT ? fb_arena_strndup (arena, (const char *) op->bytes, MIN (op->n, 64)) : "?";
  name = fb_viz_release_op (trace->release, args->items[0].i);
  return name ? name : fb_arena_printf (arena, "OP_%" G_GINT64_FORMAT, args->items[0].i);
}

/* How often an op was met, and over how many sources. */
typedef struct
{
  const FbValue *op;
  guint n, n_src[4], n_arg; /* nodes over 0, 1, 2, more sources; nodes with an arg */
} OpCount;

static void
count_op (GHashTable *counts, const FbValue *op, const FbValue *src, const FbValue *arg)
{
  OpCount *count = g_hash_table_lookup (counts, op->pointer);

  if (op->kind != FB_VALUE_OBJECT)
    return;
  if (!count)
    {
      count = g_new0 (OpCount, 1);
      count->op = op;
      g_hash_table_insert (counts, (gpointer) op->pointer, count);
    }
  count->n++;
  count->n_src[src->kind == FB_VALUE_TUPLE ? MIN (src->tuple->n, 3) : 0]++;
  count->n_arg += arg->kind != FB_VALUE_NONE;
}

/* Counts the ops of the table; of a trace that holds the nodes themselves, those of the nodes that rewrites begin and end with. */
static GHashTable *
count_ops (const FbVizTrace *trace)
{
  GHashTable *counts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer entry;

  for (guint32 i = 0; i < trace->n_dense; i++)
    if (trace->dense[i])
      {
        const FbValue *fields = trace->dense[i]->tuple->items;
        count_op (counts, &fields[0], &fields[2], &fields[3]);
      }
  if (trace->table)
    {
      g_hash_table_iter_init (&iter, trace->table);
      while (g_hash_table_iter_next (&iter, NULL, &entry))
        {
          const FbValue *fields = ((const FbValue *) entry)->tuple->items;
          count_op (counts, &fields[0], &fields[2], &fields[3]);
        }
    }
  for (guint i = 0; i < trace->contexts->len && trace->form == FB_VIZ_OBJECTS; i++)
    {
      const FbVizContext *context = &g_array_index (trace->contexts, FbVizContext, i);

      for (guint k = 0; k < context->n_rewrites; k++)
        {
          const FbVizRaw *raw = context->rewrites[k].raw;
          guint32 n = raw->matches ? raw->matches->n : 0;

          for (guint32 m = 0; m <= 2 * n; m++)
            {
              const FbValue *match = m ? &raw->matches->items[(m - 1) / 2] : NULL;
              const FbValue *node = raw->sink;
              const FbTupleCell *args;

              if (match && (match->kind != FB_VALUE_TUPLE || match->tuple->n < 2))
                continue;
              if (match)
                node = &match->tuple->items[(m - 1) % 2];
              if (node->kind != FB_VALUE_OBJECT || node->object->args.kind != FB_VALUE_TUPLE)
                continue;
              args = node->object->args.tuple;
              if (args->n >= 4)
                count_op (counts, &args->items[0], &args->items[2], &args->items[3]);
            }
        }
    }
  return counts;
}

/* Nodes that are not what an op of this name always is. */
static guint
oddities (const char *name, const OpCount *count)
{
  static const char *const binary[] = { "ADD", "MUL", "MAX",  "CMPLT", "CMPNE", "XOR",  "OR", "AND",
                                        "SHL", "SHR", "IDIV", "MOD",   "CDIV",  "CMOD", NULL };
  static const char *const unary[] = { "EXP2", "LOG2", "SIN", "SQRT", "RECIP", "RECIPROCAL", "NEG", "CAST", NULL };
  static const char *const plain[] = { "ADD", "MUL", "MAX", "CMPLT", "CMPNE", "WHERE", "EXP2", "LOG2", "SIN", NULL };
  guint n = 0;

  if (g_strv_contains (binary, name))
    n += count->n - count->n_src[2];
  if (g_strv_contains (unary, name))
    n += count->n - count->n_src[1];
  if (g_strv_contains (plain, name))
    n += count->n_arg;
  if (strcmp (name, "CONST") == 0 || strcmp (name, "DEVICE") == 0 || strcmp (name, "UNIQUE") == 0)
    n += count->n - count->n_arg;
  if (strcmp (name, "WHERE") == 0)
    n += count->n - count->n_src[3];
  return n;
}

/* What speaks against @release having written the trace. */
static guint64
score (FbVizTrace *trace, int release, GHashTable *counts)
{
  guint64 against = 0;
  GHashTableIter iter;
  gpointer value;
  FbArena scratch;
  int saved = trace->release;

  fb_arena_init (&scratch);
  trace->release = release;
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const OpCount *count = value;
      const char *name = fb_viz_op_name (trace, count->op, &scratch);

      if (!fb_viz_release_has_op (release, name))
        against += count->n;
      else
        against += oddities (name, count);
    }
  trace->release = saved;
  fb_arena_clear (&scratch);
  return against;
}

/* By the fields of its rewrites: depth came with 0.10.3, a name with 0.10.2, walk after 0.13.0. */
static gboolean
has_fields_of (const FbVizTrace *trace, int release)
{
  const char *name = fb_viz_release_name (release);

  if (trace->form != fb_viz_release_form (release))
    return FALSE;
  if (!trace->first)
    return TRUE;
  if (trace->form == FB_VIZ_OBJECTS)
    return strcmp (name, fb_viz_field (trace->first, "depth")  ? "v0.10.3"
                         : fb_viz_field (trace->first, "name") ? "v0.10.2"
                                                               : "v0.10.1")
           == 0;
  return (fb_viz_field (trace->first, "walk") != NULL) == fb_viz_release_derives_dtype (release)
         || trace->form != FB_VIZ_TRACE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
note_unknown_ops (FbVizTrace *trace, GHashTable *counts)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer value;
  guint n;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const char *name = fb_viz_op_name (trace, ((const OpCount *) value)->op, &trace->arena);

      if (!fb_viz_release_has_op (trace->release, name)
          && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, (gpointer) name);
    }
  n = names->len;
  if (n == 0)
    return;
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < MIN (n, 8); i++)
    g_string_append_printf (text, "%s%s", i ? ", " : "", (const char *) g_ptr_array_index (names, i));
  fb_viz_note (trace, n == 1 ? "%u op is not of %s: %s%s" : "%u ops are not of %s: %s%s", n,
               fb_viz_release_name (trace->release), text->str, n > 8 ? ", …" : "");
}

gboolean
fb_viz_tell_release (FbVizTrace *trace, const char *asked, GError **error)
{
  g_autoptr (GHashTable) counts = count_ops (trace);
  guint64 best = G_MAXUINT64;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const FbValue *op = ((const OpCount *) value)->op;
      if (op->object->args.kind == FB_VALUE_TUPLE && op->object->args.tuple->n == 1)
        trace->ops_by_value = TRUE;
    }
  trace->release = asked ? fb_viz_release_from_name (asked) : -1;
  if (asked && trace->release < 0)
    return fb_viz_refuse (trace, error, "the release %s is not known", asked);
  trace->release_detected = !asked;
  /* the newest of those that fit */
  for (int pass = 0; pass < 2 && trace->release < 0; pass++)
    for (int i = 0; i < FB_VIZ_N_RELEASES; i++)
      if (pass ? trace->form == fb_viz_release_form (i) : has_fields_of (trace, i))
        {
          guint64 against = score (trace, i, counts);

          if (against <= best)
            {
              best = against;
              trace->release = i;
            }
        }
  note_unknown_ops (trace, counts);
  return TRUE;
}
