/* Lineage through all passes. */
#include "core/query/lineage.h"
#include "samples.h"
#include "tests/graph-util.h"

#define ALL G_MAXUINT

static gboolean
holds (const FbLineage *lineage, const FbHistory *history, guint32 life, int side)
{
  guint32 root = fb_lineage_root (history, life);
  for (guint i = 0; i < lineage->nodes->len; i++)
    {
      const FbLineageNode *node = fb_lineage_node (lineage, i);
      if (node->first == root && (side < 0 ? node->level < 0 : side > 0 ? node->level > 0 : TRUE))
        return TRUE;
    }
  return FALSE;
}

typedef struct
{
  guint n_kinds[FB_LINEAGE_READ + 1], n_back;
} Seen;

/* Links go upwards in level and in time; what has none before it is of the input. */
static void
check_sane (const FbLineage *lineage, const char *name, Seen *seen)
{
  const FbHistory *history = lineage->history;
  g_autofree gboolean *has_before = g_new0 (gboolean, lineage->nodes->len);
  for (guint i = 0; i < lineage->links->len; i++)
    {
      const FbLineageLink *link = fb_lineage_link (lineage, i);
      g_assert_cmpint (fb_lineage_node (lineage, link->from)->level, <, fb_lineage_node (lineage, link->to)->level);
      has_before[link->to] = TRUE;
      seen->n_kinds[link->kind]++;
      g_assert_true ((link->rule != NULL) == (link->kind <= FB_LINEAGE_MADE));
    }
  for (guint i = 0; i < lineage->nodes->len; i++)
    {
      const FbLineageNode *node = fb_lineage_node (lineage, i);
      const FbLife *life = fb_history_life (history, node->first);
      if (has_before[i] || node->level > 0)
        continue;
      /* of a kernel's graph, what stands for buffers came with it */
      gboolean of_buffer = node->kernel
                           && fb_op_in (life->uop->op, FB_OP_BIT (SINK) | FB_OP_BIT (BUFFER) | FB_OP_BIT (VIEW)
                                                           | FB_OP_BIT (UNIQUE) | FB_OP_BIT (DEVICE));
      if (life->first != 0 || (life->pass != 0 && !of_buffer))
        g_error ("%s: nothing before %s of pass %u step %u", name, fb_op_name (life->uop->op), life->pass, life->first);
    }
}

static void
check_row (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  g_autoptr (GPtrArray) tensors = fb_uop_toposort (context, schedule->big_sink);
  for (guint i = 0; i < tensors->len; i++)
    {
      FbUop *uop = g_ptr_array_index (tensors, i);
      g_autoptr (FbLineage) lineage = fb_lineage_new (history, fb_history_find (history, 0, uop), ALL);
      guint32 became = fb_history_find (history, 0, schedule->tensor_map[uop->id]);
      check_sane (lineage, name, data);
      /* what the scheduler says it became, when the graph still has it */
      if (fb_history_is_alive (history, became, fb_schedule_pass (schedule, 0)->matches->len)
          && fb_history_follow (history, fb_history_find (history, 0, uop), 0,
                                fb_schedule_pass (schedule, 0)->matches->len)
                 == became)
        g_assert_true (holds (lineage, history, became, 0));
    }
  for (guint k = 0; k < schedule->kernels->len; k++)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, k);
      guint last = item->first_pass + item->n_passes - 1;
      g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, item->ast);
      for (guint i = 0; i < nodes->len; i++)
        {
          FbUop *uop = g_ptr_array_index (nodes, i);
          guint32 life = fb_history_find (history, last, uop);
          g_autoptr (FbLineage) lineage = fb_lineage_new (history, life, ALL);
          check_sane (lineage, name, data);
          if (!fb_op_in (uop->op, FB_OPS_ALU | FB_OP_BIT (REDUCE_AXIS)))
            continue;
          /* a tensor operation is among what led to it, and led to it */
          guint n_tensors = 0;
          for (guint n = 0; n < lineage->nodes->len; n++)
            {
              const FbLineageNode *node = fb_lineage_node (lineage, n);
              const FbLife *first = fb_history_life (history, node->first);
              if (node->level >= 0 || first->pass || first->first)
                continue;
              n_tensors++;
              g_autoptr (FbLineage) forward = fb_lineage_new (history, node->first, ALL);
              if (!holds (forward, history, life, 1))
                g_error ("%s: kernel %u: %s led to %s, but not the other way", name, k + 1, fb_op_name (first->uop->op),
                         fb_op_name (uop->op));
            }
          g_assert_cmpuint (n_tensors, >, 0);
          ((Seen *) data)->n_back++;
        }
    }
}

static void
test_there_and_back (void)
{
  Seen seen = { 0 };
  for_each_sample (2, check_row, &seen);
  for (guint kind = 0; kind < G_N_ELEMENTS (seen.n_kinds); kind++)
    g_test_message ("kind %u: %u", kind, seen.n_kinds[kind]);
  g_assert_cmpuint (seen.n_kinds[FB_LINEAGE_REPLACED], >, 100);
  g_assert_cmpuint (seen.n_kinds[FB_LINEAGE_CUT], >, 100);
  g_assert_cmpuint (seen.n_kinds[FB_LINEAGE_READ], >, 10);
  g_assert_cmpuint (seen.n_back, >, 100);
}

/* In lerp.db the gate is computed in a kernel of its own, which the last one reads, and is expanded there. */
static void
check_lerp (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  FbUop *recip = NULL;
  g_autoptr (GPtrArray) tensors = fb_uop_toposort (context, schedule->big_sink);
  for (guint i = 0; i < tensors->len; i++)
    if (((FbUop *) g_ptr_array_index (tensors, i))->op == FB_OP_RECIP)
      recip = g_ptr_array_index (tensors, i);
  guint32 life = fb_history_find (history, 0, recip);
  g_autoptr (FbLineage) lineage = fb_lineage_new (history, life, ALL);
  guint cut = 0, reads = 0, stored = 0;
  for (guint i = 0; i < lineage->links->len; i++)
    {
      const FbLineageLink *link = fb_lineage_link (lineage, i);
      cut += link->kind == FB_LINEAGE_CUT && link->from == 0;
      reads += link->kind == FB_LINEAGE_READ && link->from == 0;
      stored += link->kind == FB_LINEAGE_REPLACED && link->from == 0
                && fb_history_life (history, link->is)->uop->op == FB_OP_ASSIGN;
    }
  g_assert_cmpuint (cut, ==, 1);
  g_assert_cmpuint (reads, ==, 2);
  g_assert_cmpuint (stored, ==, 1);
  /* few are asked for: it says that there are more */
  g_autoptr (FbLineage) few = fb_lineage_new (history, life, 1);
  g_assert_true (few->partly);
  g_assert_false (lineage->partly);
  g_assert_cmpuint (few->nodes->len, <=, 3);
}

static void
test_lerp (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "lerp.db", NULL);
  for_each_row (path, 1, check_lerp, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/lineage/lerp", test_lerp);
  g_test_add_func ("/query/lineage/there-and-back", test_there_and_back);
  return g_test_run ();
}
