#include "app/kernel-graphs.h"

#include <string.h>

#include "app/cli/why-text.h"
#include "core/ir/text.h"

typedef struct
{
  FbContext *context;  /* of the cards */
  GHashTable *dtypes;  /* text → FbDType */
  GArray *kernels;     /* of the side: FbKernelCard */
  GHashTable *written; /* of the side: buffer → card of the kernel that wrote it last */
  GHashTable *taken;   /* of the side: cards */
  GHashTable *read;    /* of the side: cards that are read */
} Builder;

static void
clear_card (gpointer data)
{
  g_free (((FbKernelCard *) data)->name);
}

/* A dtype that is a text and nothing else. */
static const FbDType *
dtype_of (Builder *b, const char *text)
{
  FbDType *dtype = g_hash_table_lookup (b->dtypes, text);
  if (dtype)
    return dtype;
  dtype = fb_arena_alloc (fb_context_arena (b->context), sizeof *dtype);
  *dtype = (FbDType){ .kind = FB_DTYPE_PLAIN, .type = FB_SCALAR_VOID, .count = 1, .v = 1, .size = -1 };
  dtype->scalar = dtype->base = dtype;
  dtype->name = dtype->short_name = dtype->repr = fb_arena_printf (fb_context_arena (b->context), "%s", text);
  g_hash_table_insert (b->dtypes, g_strdup (text), dtype);
  return dtype;
}

/* What was there before the first kernel. Told by its number, which keys leave out. */
static FbUop *
input_of (Builder *b, FbContext *context, const FbKernelBuffer *buffer)
{
  const FbUop *uop = buffer->buffer;
  char key[17], number[32] = "";
  for (guint i = 0; i < uop->n_src; i++)
    if (uop->src[i]->op == FB_OP_UNIQUE && uop->src[i]->arg.kind == FB_ARG_INT)
      g_snprintf (number, sizeof number, "#%" G_GINT64_FORMAT, uop->src[i]->arg.i);
  g_autofree char *identity = g_strdup_printf ("buffer %s", fb_uop_key_hex (context, buffer->buffer, key));
  g_autofree char *type = g_strdup_printf ("%s %" G_GINT64_FORMAT, buffer->dtype->short_name, buffer->size);
  return fb_uop_new (b->context, fb_op_foreign ("BUFFER"), dtype_of (b, type), 0, NULL,
                     fb_arg_new_opaque (b->context, identity, number));
}

static void
add_kernel (Builder *b, const FbScenarioRun *run, const FbWhy *why, guint at, const FbKernelCost *cost)
{
  const FbKernelItem *item = fb_schedule_kernel (run->schedule, at);
  FbUop *stored = fb_why_stored (why, at + 1);
  g_autoptr (GPtrArray) src = g_ptr_array_new ();
  g_autofree char *ops = fb_why_ops_text (cost);
  char key[17];
  FbKernelCard card = { .number = at + 1, .name = fb_why_node_text (run->context, stored), .cost = *cost };
  const char *space = strchr (card.name, ' ');
  for (guint i = 1; i < item->n_buffers; i++)
    {
      const FbKernelBuffer *buffer = &item->buffers[i];
      FbUop *from = g_hash_table_lookup (b->written, buffer->buffer);
      if (from)
        g_hash_table_add (b->read, from);
      g_ptr_array_add (src, from ? from : input_of (b, run->context, buffer));
    }
  fb_uop_key_hex (run->context, item->ast, key);
  /* two that compute the same from the same are two all the same */
  for (guint copy = 1; !card.node || g_hash_table_contains (b->taken, card.node); copy++)
    {
      g_autofree char *identity = g_strdup_printf ("kernel %s %u", key, copy);
      card.node = fb_uop_new (b->context, fb_op_foreign (fb_op_name (stored->op)), dtype_of (b, space ? space + 1 : ""),
                              src->len, (FbUop *const *) src->pdata, fb_arg_new_opaque (b->context, identity, ops));
    }
  g_hash_table_add (b->taken, card.node);
  g_array_append_val (b->kernels, card);
  if (item->n_buffers)
    g_hash_table_insert (b->written, item->buffers[0].buffer, card.node);
}

/* All kernels of a run under what is not read by any of them. */
static FbUop *
add_side (Builder *b, FbKernelGraphs *graphs, FbSide side, const FbScenarioRun *run)
{
  g_autoptr (FbWhy) why = fb_why_new (run->schedule);
  g_autofree FbKernelCost *costs = NULL;
  g_autoptr (GHashTable) written = g_hash_table_new (NULL, NULL), taken = g_hash_table_new (NULL, NULL),
                         read = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) ends = g_ptr_array_new ();
  fb_schedule_cost (run->schedule, &graphs->cost[side], &costs, NULL);
  b->kernels = graphs->kernels[side];
  b->written = written;
  b->taken = taken;
  b->read = read;
  for (guint i = 0; i < run->schedule->kernels->len; i++)
    add_kernel (b, run, why, i, &costs[i]);
  for (guint i = 0; i < b->kernels->len; i++)
    {
      FbUop *node = g_array_index (b->kernels, FbKernelCard, i).node;
      if (!g_hash_table_contains (read, node))
        g_ptr_array_add (ends, node);
    }
  return fb_uop_new (b->context, fb_op_foreign ("SINK"), dtype_of (b, "void"), ends->len, (FbUop *const *) ends->pdata,
                     FB_ARG_NIL);
}

static gboolean
draw (FbKernelGraphs *graphs, FbSide side, const FbMetrics *metrics, GCancellable *cancellable, GError **error)
{
  g_autoptr (FbGraph) graph
      = fb_graph_new_from_step (graphs->context, graphs->step, side == FB_SIDE_A ? FB_GRAPH_BEFORE : FB_GRAPH_AFTER);
  graphs->scenes[side]
      = fb_scene_new (graph, metrics, side == FB_SIDE_A ? NULL : graphs->scenes[FB_SIDE_A], cancellable, error);
  return graphs->scenes[side] != NULL;
}

FbKernelGraphs *
fb_kernel_graphs_new (const FbScenarioRow *row, const FbScenario *a, const FbScenario *b, FbMetrics metrics,
                      GCancellable *cancellable, GError **error)
{
  const FbScenario *scenarios[FB_N_SIDES] = { a, b };
  g_autoptr (FbKernelGraphs) graphs = g_new0 (FbKernelGraphs, 1);
  g_autoptr (GHashTable) dtypes = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  FbUop *sinks[FB_N_SIDES];
  graphs->context = fb_context_new ();
  Builder builder = { .context = graphs->context, .dtypes = dtypes };
  for (FbSide side = FB_SIDE_A; side < FB_N_SIDES; side++)
    {
      g_autoptr (FbScenarioRun) run = fb_scenario_run (row, scenarios[side], NULL, cancellable, error);
      if (!run || g_cancellable_set_error_if_cancelled (cancellable, error))
        return NULL;
      graphs->kernels[side] = g_array_new (FALSE, FALSE, sizeof (FbKernelCard));
      g_array_set_clear_func (graphs->kernels[side], clear_card);
      sinks[side] = add_side (&builder, graphs, side, run);
    }
  graphs->step = fb_step_new_compare (graphs->context, sinks[FB_SIDE_A], sinks[FB_SIDE_B]);
  if (!draw (graphs, FB_SIDE_A, &metrics, cancellable, error)
      || !draw (graphs, FB_SIDE_B, &metrics, cancellable, error))
    return NULL;
  return g_steal_pointer (&graphs);
}

void
fb_kernel_graphs_free (FbKernelGraphs *graphs)
{
  if (!graphs)
    return;
  for (FbSide side = FB_SIDE_A; side < FB_N_SIDES; side++)
    {
      g_clear_pointer (&graphs->scenes[side], fb_scene_unref);
      g_clear_pointer (&graphs->kernels[side], g_array_unref);
    }
  g_clear_pointer (&graphs->step, fb_step_free);
  fb_context_free (graphs->context);
  g_free (graphs);
}

FbUop *
fb_kernel_graphs_other (const FbKernelGraphs *graphs, FbUop *node)
{
  for (guint i = 0; node && i < graphs->step->nodes->len; i++)
    {
      const FbStepNode *one = &g_array_index (graphs->step->nodes, FbStepNode, i);
      if (one->was == node)
        return one->node;
      if (one->node == node)
        return one->mark == FB_MARK_SAME ? node : one->was;
    }
  return NULL;
}

static const FbKernelCard *
find (const FbKernelGraphs *graphs, FbSide side, const FbUop *node)
{
  const GArray *kernels = graphs->kernels[side];
  for (guint i = 0; node && i < kernels->len; i++)
    if (g_array_index (kernels, FbKernelCard, i).node == node)
      return &g_array_index (kernels, FbKernelCard, i);
  return NULL;
}

const FbKernelCard *
fb_kernel_graphs_find (const FbKernelGraphs *graphs, FbSide side, const FbUop *node)
{
  const FbKernelCard *here = find (graphs, side, node);
  return here ? here : find (graphs, side, fb_kernel_graphs_other (graphs, (FbUop *) node));
}
