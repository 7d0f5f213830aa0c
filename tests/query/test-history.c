/* The history against what it stands for: the graph of every step, made by substitution. */
#include "core/ir/text.h"
#include "core/query/history.h"
#include "core/rewrite/step.h"
#include "samples.h"

typedef struct
{
  guint n_steps, n_rebuilt;
} Seen;

/* The nodes that the history has in a step's graph are those of the graph. */
static void
check_step (FbContext *context, const FbHistory *history, guint pass, guint step_number, const char *name)
{
  const FbPass *p = fb_schedule_pass (history->schedule, pass);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStep) step = fb_step_new (context, p, step_number, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) graph = fb_uop_toposort (step->context, step->after_sink);
  g_autofree FbUop **nodes = fb_history_nodes_at (history, step->context, pass, step_number);
  g_autoptr (GHashTable) have = g_hash_table_new (NULL, NULL);
  guint32 n = history->first_life[pass + 1] - history->first_life[pass];
  for (guint32 i = 0; i < n; i++)
    {
      gboolean alive = fb_history_is_alive (history, history->first_life[pass] + i, step_number);
      if (alive != (nodes[i] != NULL))
        g_error ("%s pass %u step %u: life %u is alive: %d, but has a node: %d", name, pass, step_number, i, alive,
                 nodes[i] != NULL);
      if (nodes[i])
        g_hash_table_add (have, nodes[i]);
    }
  for (guint i = 0; i < graph->len; i++)
    {
      FbUop *uop = g_ptr_array_index (graph, i);
      if (!g_hash_table_remove (have, uop))
        g_error ("%s pass %u step %u: the history has no %s %u", name, pass, step_number, fb_op_name (uop->op),
                 uop->id);
    }
  GHashTableIter iter;
  g_hash_table_iter_init (&iter, have);
  gpointer more;
  if (g_hash_table_iter_next (&iter, &more, NULL))
    g_error ("%s pass %u step %u: %u nodes that the graph has not, as %s %u", name, pass, step_number,
             g_hash_table_size (have), fb_op_name (((FbUop *) more)->op), ((FbUop *) more)->id);
}

static void
check_row (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  Seen *seen = data;
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  for (guint pass = 0; pass < schedule->passes->len; pass++)
    {
      guint n = fb_schedule_pass (schedule, pass)->matches->len;
      /* long passes: here and there, and the ends */
      guint stride = MAX (1, n / 40);
      for (guint step = 0; step <= n; step += stride)
        check_step (context, history, pass, step, name);
      check_step (context, history, pass, n, name);
      seen->n_steps += n;
    }
  for (guint i = 0; i < history->lives->len; i++)
    seen->n_rebuilt += fb_history_life (history, i)->fate == FB_FATE_REBUILT;
}

static void
test_graphs (void)
{
  Seen seen = { 0 };
  for_each_sample (4, check_row, &seen);
  g_assert_cmpuint (seen.n_steps, >, 100);
  g_assert_cmpuint (seen.n_rebuilt, >, 100);
}

/* What the scheduler itself noted of the first pass. */
static void
check_tensor_map (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  const FbPass *pass = fb_schedule_pass (schedule, 0);
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, schedule->big_sink);
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);
      guint32 life = fb_history_find (history, 0, uop);
      g_assert_cmpuint (life, !=, FB_LIFE_NONE);
      while (fb_history_life (history, life)->next != FB_LIFE_NONE)
        life = fb_history_life (history, life)->next;
      g_assert_true (fb_history_life (history, life)->uop == schedule->tensor_map[uop->id]);
    }
  g_assert_true (pass->sink == schedule->big_sink);
}

static void
test_tensor_map (void)
{
  for_each_sample (20, check_tensor_map, NULL);
}

/* Every node of a kernel's first graph comes from the graph it was cut from, but for the SINK that was put over it. */
static void
check_kernels (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  for (guint k = 0; k < schedule->kernels->len; k++)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, k);
      FbUop *sink = fb_schedule_pass (schedule, item->first_pass)->sink;
      g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, sink);
      guint n_linked = 0, n_read = 0;
      for (guint i = 0; i < nodes->len; i++)
        {
          guint32 life = fb_history_find (history, item->first_pass, g_ptr_array_index (nodes, i));
          guint n;
          g_assert_cmpuint (life, !=, FB_LIFE_NONE);
          const FbKernelLink *links = fb_history_links (history, life, TRUE, &n);
          n_linked += n > 0;
          for (guint l = 0; l < n; l++)
            {
              g_assert_cmpuint (links[l].kernel, ==, k + 1);
              n_read += links[l].reads;
              guint32 there = fb_history_follow (history, links[l].from, item->first_pass, 0);
              g_assert_cmpuint (there, ==, life);
            }
        }
      /* the parts of a buffer's view are in no graph before */
      g_assert_cmpuint (n_linked, >=, 1);
      g_assert_cmpuint (n_linked + 1 + 4 * n_read, >=, nodes->len);
    }
}

static void
test_kernels (void)
{
  for_each_sample (20, check_kernels, NULL);
}

/* Following a node there and back leads to what can be the same node. */
static void
check_following (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  guint *n_followed = data;
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  for (guint32 life = 0; life < history->first_life[1]; life++)
    {
      const FbLife *l = fb_history_life (history, life);
      for (guint pass = 0; pass < schedule->passes->len; pass++)
        {
          guint n = fb_schedule_pass (schedule, pass)->matches->len;
          guint32 there = fb_history_follow (history, life, pass, n);
          if (there == FB_LIFE_NONE)
            continue;
          g_assert_cmpuint (fb_history_life (history, there)->pass, ==, pass);
          g_assert_true (fb_history_is_alive (history, there, n));
          (*n_followed)++;
        }
      if (l->first < l->stop)
        g_assert_cmpuint (fb_history_follow (history, life, 0, l->first), ==, life);
    }
}

static void
test_following (void)
{
  guint n_followed = 0;
  for_each_sample (0, check_following, &n_followed);
  g_assert_cmpuint (n_followed, >, 1000);
}

/* --- changes of a node --- */

/* What every life of a pass is at every step, by the node's key; 0: it is not there. */
typedef struct
{
  const FbHistory *history;
  guint pass, n_steps, n_lives;
  guint64 *keys;
} Versions;

static void
versions_init (Versions *versions, const FbHistory *history, guint pass)
{
  const FbPass *p = fb_schedule_pass (history->schedule, pass);
  *versions = (Versions){ history, pass, p->matches->len, history->first_life[pass + 1] - history->first_life[pass] };
  versions->keys = g_new0 (guint64, (gsize) (versions->n_steps + 1) * (versions->n_lives + 1));
  for (guint s = 0; s <= versions->n_steps; s++)
    {
      g_autoptr (FbStep) step = fb_step_new (history->schedule->context, p, s, NULL);
      g_autofree FbUop **nodes = fb_history_nodes_at (history, step->context, pass, s);
      for (guint i = 0; i < versions->n_lives; i++)
        if (nodes[i])
          memcpy (&versions->keys[(gsize) s * versions->n_lives + i], fb_uop_key (step->context, nodes[i]), 8);
    }
}

static guint64
version (const Versions *v, guint32 life, guint step)
{
  guint32 at = fb_history_follow (v->history, life, v->pass, step);
  return at == FB_LIFE_NONE ? 0 : v->keys[(gsize) step * v->n_lives + at - v->history->first_life[v->pass]];
}

/* By looking at every step. */
static guint
slow_change (const Versions *v, guint32 life, guint step, int direction)
{
  if (direction > 0)
    {
      for (guint t = step + 1; t <= v->n_steps; t++)
        if (version (v, life, t) != version (v, life, step))
          return t;
      return 0;
    }
  for (guint t = step; t-- > 1;)
    if (version (v, life, t) != version (v, life, t - 1))
      return t;
  return 0;
}

static void
check_changes (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  guint *n_found = data;
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  for (guint pass = 0; pass < schedule->passes->len; pass++)
    {
      Versions v;
      /* quadratic in the steps */
      if (fb_schedule_pass (schedule, pass)->matches->len > 80)
        continue;
      versions_init (&v, history, pass);
      for (guint i = 0; i < v.n_lives; i++)
        for (guint step = 0; step <= v.n_steps; step += 1 + v.n_steps / 20)
          for (int direction = -1; direction <= 1; direction += 2)
            {
              guint32 life = history->first_life[pass] + i, to = pass, at = step;
              if (!fb_history_is_alive (history, life, step))
                continue;
              guint slow = slow_change (&v, life, step, direction);
              gboolean found = fb_history_find_change (history, life, &to, &at, direction);
              if (slow && !(found && to == pass && at == slow))
                g_error ("%s pass %u step %u: life %u changes in step %u, not %u of pass %u", name, pass, step, i, slow,
                         at, to);
              /* on to another pass, and there the node is another after that step than before it */
              if (!slow && found)
                {
                  g_assert_true (direction > 0 ? to > pass : to < pass);
                  g_assert_cmpuint (at, <=, fb_schedule_pass (schedule, to)->matches->len);
                  guint32 after = fb_history_follow (history, life, to, at);
                  guint32 before = fb_history_follow (history, life, to, at - 1);
                  if (after == before)
                    g_assert_cmpuint (at, >=, fb_history_life (history, after)->end);
                }
              n_found[slow ? 0 : 1] += found;
            }
      g_free (v.keys);
    }
}

static void
test_changes (void)
{
  guint n_found[2] = { 0 };
  for_each_sample (0, check_changes, n_found);
  g_assert_cmpuint (n_found[0], >, 1000);
  g_assert_cmpuint (n_found[1], >, 1000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/history/graphs-of-every-step", test_graphs);
  g_test_add_func ("/query/history/what-the-first-pass-made-of-tensors", test_tensor_map);
  g_test_add_func ("/query/history/kernels-are-cut-from-the-graph", test_kernels);
  g_test_add_func ("/query/history/following", test_following);
  g_test_add_func ("/query/history/changes", test_changes);
  return g_test_run ();
}
