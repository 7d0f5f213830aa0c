#include "app/replay-pair.h"

#include <glib/gi18n.h>

#include "core/ir/text.h"

/* Lines the same around a change. */
#define CONTEXT_LINES 3

FbReplayKernels *
fb_replay_kernels_new (const char *path, const char *release, guint row, const GArray *options,
                       GCancellable *cancellable, GError **error)
{
  g_autoptr (FbCapture) capture = fb_capture_open (path, release, error);
  if (!capture)
    return NULL;
  g_autoptr (FbReplayKernels) kernels = g_new0 (FbReplayKernels, 1);
  g_atomic_ref_count_init (&kernels->refs);
  kernels->row = row;
  kernels->context = fb_context_new ();
  kernels->captured = fb_capture_read_row (capture, fb_replay_file_kind (capture), row, kernels->context, error);
  if (!kernels->captured || g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  fb_replay_options_apply (options, kernels->context);
  kernels->schedule = fb_schedule_new (kernels->context, kernels->captured->sink, cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  return g_steal_pointer (&kernels);
}

FbReplayKernels *
fb_replay_kernels_ref (FbReplayKernels *kernels)
{
  g_atomic_ref_count_inc (&kernels->refs);
  return kernels;
}

void
fb_replay_kernels_unref (FbReplayKernels *kernels)
{
  if (!kernels || !g_atomic_ref_count_dec (&kernels->refs))
    return;
  g_clear_pointer (&kernels->schedule, fb_schedule_free);
  g_clear_pointer (&kernels->captured, fb_capture_row_free);
  g_clear_pointer (&kernels->context, fb_context_free);
  g_free (kernels);
}

/* --- which nodes of two kernels stand for each other --- */

typedef struct
{
  FbUop *before, *after;
} Couple;

static gboolean
alike (const FbUop *a, const FbUop *b)
{
  return a->op == b->op && a->dtype == b->dtype && a->n_src == b->n_src && fb_arg_equal (a->arg, b->arg);
}

/* From the sinks down: nodes of the same op and argument at the same place, whose sources differ. By id of the later node the
 * earlier one; each of these is used once. */
static GHashTable *
couple (FbUop *before, FbUop *after, GHashTable *shared)
{
  GHashTable *was = g_hash_table_new (NULL, NULL);
  g_autoptr (GHashTable) taken = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (Couple));
  Couple sinks = { before, after };
  g_array_append_val (waiting, sinks);
  while (waiting->len)
    {
      Couple c = g_array_index (waiting, Couple, waiting->len - 1);
      g_array_set_size (waiting, waiting->len - 1);
      if (c.before == c.after || !alike (c.before, c.after) || g_hash_table_contains (shared, c.before)
          || g_hash_table_contains (shared, c.after) || g_hash_table_contains (was, c.after)
          || !g_hash_table_add (taken, c.before))
        continue;
      g_hash_table_insert (was, c.after, c.before);
      for (guint i = 0; i < c.before->n_src; i++)
        {
          Couple sources = { c.before->src[i], c.after->src[i] };
          g_array_append_val (waiting, sources);
        }
    }
  return was;
}

static gboolean
is_folded_where_it_can (const FbUop *uop)
{
  return uop->op == FB_OP_CONST || uop->op == FB_OP_VCONST || (uop->op == FB_OP_VIEW && uop->n_src == 0);
}

static void
add_node (FbStep *step, FbUop *node, FbMark mark, FbUop *was)
{
  FbStepNode entry = { node, mark, was };
  g_array_append_val (step->nodes, entry);
  step->n_marks[mark]++;
}

/* The change as if one step had made it. */
static void
compare_kernels (FbStep *step, FbContext *context, FbUop *before, FbUop *after)
{
  g_autoptr (GPtrArray) old = fb_uop_toposort (context, before), new = fb_uop_toposort (context, after);
  g_autoptr (GHashTable) shared = g_hash_table_new (NULL, NULL), in_new = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < new->len; i++)
    g_hash_table_add (in_new, g_ptr_array_index (new, i));
  for (guint i = 0; i < old->len; i++)
    if (g_hash_table_contains (in_new, g_ptr_array_index (old, i)))
      g_hash_table_add (shared, g_ptr_array_index (old, i));
  g_autoptr (GHashTable) was = couple (before, after, shared), kept = g_hash_table_new (NULL, NULL);
  *step = (FbStep){ .context = context,
                    .before_sink = before,
                    .after_sink = after,
                    .nodes = g_array_new (FALSE, FALSE, sizeof (FbStepNode)) };
  for (guint i = 0; i < new->len; i++)
    {
      FbUop *node = g_ptr_array_index (new, i), *former = g_hash_table_lookup (was, node);
      FbMark mark = former ? FB_MARK_REBUILT : g_hash_table_contains (shared, node) ? FB_MARK_SAME : FB_MARK_NEW;
      add_node (step, node, mark, former);
      if (former)
        g_hash_table_add (kept, former);
    }
  for (guint i = 0; i < old->len; i++)
    {
      FbUop *node = g_ptr_array_index (old, i);
      if (!g_hash_table_contains (shared, node) && !g_hash_table_contains (kept, node))
        /* What is replaced has a card of its own; constants and shapes fold into their users. */
        add_node (step, node, is_folded_where_it_can (node) ? FB_MARK_GONE : FB_MARK_REPLACED, NULL);
    }
}

/* --- the pair --- */

static FbScene *
draw (FbContext *context, const FbStep *step, FbUop *alone, FbGraphView view, FbMetrics metrics, const FbScene *hint,
      GCancellable *cancellable, GError **error)
{
  g_autoptr (FbGraph) graph
      = alone ? fb_graph_new_from_sink (context, alone) : fb_graph_new_from_step (context, step, view);
  return fb_scene_new (graph, &metrics, hint, cancellable, error);
}

FbReplayPair *
fb_replay_pair_new (FbReplayKernels *kernels, guint captured, guint scheduled, FbMetrics metrics,
                    GCancellable *cancellable, GError **error)
{
  FbContext *context = kernels->context;
  const GPtrArray *old = kernels->captured->kernels;
  FbUop *before = captured < old->len ? g_ptr_array_index (old, captured) : NULL;
  FbUop *after
      = scheduled < kernels->schedule->kernels->len ? fb_schedule_kernel (kernels->schedule, scheduled)->ast : NULL;
  if ((!before && captured != FB_NO_KERNEL) || (!after && scheduled != FB_NO_KERNEL) || (!before && !after))
    {
      /* The file is not the one that was replayed. */
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("Row %u has no such kernel any more; replay it again"),
                   kernels->row);
      return NULL;
    }
  g_autoptr (FbReplayPair) pair = g_new0 (FbReplayPair, 1);
  pair->kernels = fb_replay_kernels_ref (kernels);
  FbStep step = { .nodes = NULL };
  if (before && after)
    compare_kernels (&step, context, before, after);
  gboolean ok = TRUE;
  if (before)
    ok = (pair->captured
          = draw (context, &step, after ? NULL : before, FB_GRAPH_BEFORE, metrics, NULL, cancellable, error))
         != NULL;
  if (ok && after)
    ok = (pair->scheduled
          = draw (context, &step, before ? NULL : after, FB_GRAPH_AFTER, metrics, pair->captured, cancellable, error))
         != NULL;
  if (step.nodes)
    g_array_unref (step.nodes);
  if (!ok)
    return NULL;
  g_autofree char *old_text = before ? fb_uop_to_text (context, before) : g_strdup ("");
  g_autofree char *new_text = after ? fb_uop_to_text (context, after) : g_strdup ("");
  pair->diff = fb_text_diff_new (old_text, new_text, CONTEXT_LINES);
  return g_steal_pointer (&pair);
}

void
fb_replay_pair_free (FbReplayPair *pair)
{
  if (!pair)
    return;
  g_clear_pointer (&pair->captured, fb_scene_unref);
  g_clear_pointer (&pair->scheduled, fb_scene_unref);
  g_clear_pointer (&pair->diff, fb_text_diff_free);
  g_clear_pointer (&pair->kernels, fb_replay_kernels_unref);
  g_free (pair);
}
