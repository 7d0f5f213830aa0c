/* Graphs of two traces in one context. */
#include <string.h>

#include "compare-private.h"
#include "core/ir/context-private.h"

struct _FbVizUnion
{
  FbContext *context;
  FbArena arena;
  GHashTable *dtypes;  /* texts to FbDType */
  GHashTable *opaques; /* "class\nrepr" to FbOpaque */
  GArray *uniques;     /* of gint64: numbers of buffers of the first graph, in the order in which they came up */
  guint n_graphs;
};

FbVizUnion *
fb_viz_union_new (void)
{
  FbVizUnion *both = g_new0 (FbVizUnion, 1);

  both->context = fb_context_new ();
  fb_arena_init (&both->arena);
  both->dtypes = g_hash_table_new (g_str_hash, g_str_equal);
  both->opaques = g_hash_table_new (g_str_hash, g_str_equal);
  both->uniques = g_array_new (FALSE, FALSE, sizeof (gint64));
  return both;
}

void
fb_viz_union_free (FbVizUnion *both)
{
  if (!both)
    return;
  fb_context_free (both->context);
  g_hash_table_unref (both->dtypes);
  g_hash_table_unref (both->opaques);
  g_array_unref (both->uniques);
  fb_arena_clear (&both->arena);
  g_free (both);
}

FbContext *
fb_viz_union_context (FbVizUnion *both)
{
  return both->context;
}

static const FbDType *
dtype_of (FbVizUnion *both, const FbDType *dtype)
{
  FbDType *known = g_hash_table_lookup (both->dtypes, dtype->short_name);

  if (known)
    return known;
  known = fb_arena_memdup (&both->arena, dtype, sizeof *dtype);
  known->scalar = known->base = known;
  known->name = known->short_name = fb_arena_printf (&both->arena, "%s", dtype->short_name);
  known->repr = fb_arena_printf (&both->arena, "%s", dtype->repr);
  g_hash_table_insert (both->dtypes, (gpointer) known->short_name, known);
  return known;
}

static const FbOpaque *
opaque_of (FbVizUnion *both, const char *class_name, const char *repr)
{
  g_autofree char *key = g_strconcat (class_name, "\n", repr, NULL);
  FbOpaque *known = g_hash_table_lookup (both->opaques, key);

  if (known)
    return known;
  known = fb_arena_alloc (&both->arena, sizeof *known);
  known->class_name = fb_arena_printf (&both->arena, "%s", class_name);
  known->repr = fb_arena_printf (&both->arena, "%s", repr);
  g_hash_table_insert (both->opaques, fb_arena_strndup (&both->arena, key, strlen (key)), known);
  return known;
}

/* The number a buffer is shown with: in the first graph its own, then that of the one which came up at the same place there. */
static gint64
unique_of (FbVizUnion *both, GHashTable *seen, gint64 number)
{
  gpointer place = g_hash_table_lookup (seen, &number);
  guint at = place ? GPOINTER_TO_UINT (place) - 1 : g_hash_table_size (seen);

  if (!place)
    g_hash_table_insert (seen, fb_arena_memdup (&both->arena, &number, sizeof number), GUINT_TO_POINTER (at + 1));
  if (at >= both->uniques->len)
    {
      gint64 next = number;

      /* no number twice: further ones go on above the largest */
      for (guint i = 0; both->n_graphs && i < both->uniques->len; i++)
        next = MAX (next, g_array_index (both->uniques, gint64, i) + 1);
      g_array_append_val (both->uniques, next);
    }
  return g_array_index (both->uniques, gint64, at);
}

static FbArg
arg_of (FbVizUnion *both, GHashTable *seen, const FbUop *uop)
{
  gint64 number;
  gsize from, to;

  if (fb_viz_buffer_number (uop, &number, &from, &to))
    {
      gint64 shown = unique_of (both, seen, number);
      const char *text = to ? uop->arg.opaque->repr : NULL;
      g_autofree char *other = NULL;

      if (!text)
        return fb_arg_int (shown);
      other = g_strdup_printf ("%.*s%" G_GINT64_FORMAT "%s", (int) from, text, shown, text + to);
      return (FbArg){ .kind = FB_ARG_OPAQUE, .opaque = opaque_of (both, uop->arg.opaque->class_name, other) };
    }
  switch ((FbArgKind) uop->arg.kind)
    {
    case FB_ARG_STR:
      return fb_arg_str (both->context, uop->arg.str->bytes, uop->arg.str->len);
    case FB_ARG_OPAQUE:
      return (FbArg){ .kind = FB_ARG_OPAQUE,
                      .opaque = opaque_of (both, uop->arg.opaque->class_name, uop->arg.opaque->repr) };
    default:
      return uop->arg;
    }
}

/* The graph under @root, of another context, with all nodes made anew. */
static FbUop *
copy_graph (FbVizUnion *both, FbContext *context, FbUop *root)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (context, root);
  g_autoptr (GHashTable) copies = g_hash_table_new (NULL, NULL), seen = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autoptr (GPtrArray) src = g_ptr_array_new ();
  FbUop *copy = NULL;

  for (guint i = 0; i < order->len; i++)
    {
      const FbUop *uop = g_ptr_array_index (order, i);

      g_ptr_array_set_size (src, 0);
      for (guint k = 0; k < uop->n_src; k++)
        g_ptr_array_add (src, g_hash_table_lookup (copies, uop->src[k]));
      copy = fb_uop_new (both->context, (FbOp) uop->op, dtype_of (both, uop->dtype), uop->n_src,
                         (FbUop *const *) src->pdata, arg_of (both, seen, uop));
      g_hash_table_insert (copies, (gpointer) uop, copy);
    }
  both->n_graphs++;
  return copy;
}

FbUop *
fb_viz_union_add (FbVizUnion *both, FbVizTrace *trace, const FbVizRewrite *rewrite, gboolean after, GError **error)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, context);
  FbUop *sink = fb_viz_nodes_sink (nodes, rewrite, error), *graph = sink;

  if (!sink)
    return NULL;
  if (after)
    {
      g_autoptr (FbVizReplay) replay = fb_viz_replay_new (nodes, rewrite, sink);
      FbVizMatch match;

      for (guint i = 0; i < rewrite->n_matches; i++)
        {
          FbUop *next;

          if (!fb_viz_nodes_match (nodes, rewrite, i, &match, error))
            return NULL;
          if (!(next = fb_viz_replay_apply (replay, &match)))
            break;
          graph = next;
        }
    }
  return copy_graph (both, context, graph);
}
