/* Stepping through a trace, in any order, gives the graphs that its viewer goes through one after the other: random rewrites, most of
 * which no program would make. */
#include <string.h>

#include "core/rewrite/stepper.h"
#include "core/viztrace/viztrace-schedule.h"
#include "recipe.h"

#define MOST_NODES 14
#define MOST_MATCHES 7

typedef struct
{
  Node nodes[MOST_NODES];
  int matches[MOST_MATCHES][2];
  Recipe recipe;
} Case;

/* A graph over few ops, so that nodes come to be equal; any node may be said to have become any other. */
static void
make_case (Case *c, GRand *random)
{
  static const char *const ops[] = { "NEG", "SIN", "CALL", "FUNCTION", "ADD", "NEG", "EXP2" };
  static const char *const leaves[] = { "NOOP", "SQRT", "LOG2" };
  guint n = (guint) g_rand_int_range (random, 5, MOST_NODES + 1), n_leaves = (guint) g_rand_int_range (random, 1, 4);
  gboolean wild = g_rand_boolean (random);

  memset (c, 0, sizeof *c);
  for (guint i = 0; i < n; i++)
    {
      Node *node = &c->nodes[i];

      if (i < n_leaves)
        {
          node->op = leaves[i];
          continue;
        }
      node->op = i == n - 1 ? "SINK" : ops[g_rand_int_range (random, 0, wild ? G_N_ELEMENTS (ops) : 2)];
      node->src[0] = g_rand_int_range (random, 1, (gint32) i + 1);
      if (node->op[0] != 'N' && node->op[0] != 'E')
        node->src[1] = g_rand_int_range (random, 1, (gint32) i + 1);
    }
  c->recipe = (Recipe){ .nodes = c->nodes,
                        .n_nodes = n,
                        .sink = (int) n - 1,
                        .bottom_up = g_rand_boolean (random),
                        .walk = g_rand_int_range (random, 0, 4) == 0,
                        .matches = (const int (*)[2]) c->matches,
                        .n_matches = (guint) g_rand_int_range (random, 1, MOST_MATCHES + 1) };
  for (guint i = 0; i < c->recipe.n_matches; i++)
    {
      c->matches[i][0] = g_rand_int_range (random, 0, (gint32) n - 1);
      /* mostly to an older one: what becomes of it ends more often */
      c->matches[i][1] = g_rand_int_range (random, 0, wild ? (gint32) n - 1 : MAX (c->matches[i][0], 1));
    }
}

static char *
text_of (const FbUop *uop)
{
  GString *text = g_string_new (NULL);

  recipe_append_graph (text, uop);
  return g_string_free (text, FALSE);
}

/* The graphs one after the other; up to the first that cannot be shown. */
static GPtrArray *
go_in_turn (FbVizTrace *trace)
{
  GPtrArray *graphs = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, context);
  const FbVizRewrite *rewrite = &fb_viz_trace_context (trace, 0)->rewrites[0];
  FbUop *graph = fb_viz_nodes_sink (nodes, rewrite, NULL);
  g_autoptr (FbVizReplay) replay = fb_viz_replay_new (nodes, rewrite, graph);

  g_ptr_array_add (graphs, text_of (graph));
  for (guint i = 0; i < rewrite->n_matches; i++)
    {
      FbVizMatch match;

      g_assert_true (fb_viz_nodes_match (nodes, rewrite, i, &match, NULL));
      if (!(graph = fb_viz_replay_apply (replay, &match)))
        break;
      g_ptr_array_add (graphs, text_of (graph));
    }
  return graphs;
}

static void
check_marks (const FbStep *step)
{
  guint n[5] = { 0 };

  for (guint i = 0; i < step->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);

      n[node->mark]++;
      g_assert_true (node->mark != FB_MARK_REPLACED || node->node == step->before);
      g_assert_true ((node->was != NULL) == (node->mark == FB_MARK_REBUILT));
    }
  for (guint i = 0; i < G_N_ELEMENTS (n); i++)
    g_assert_cmpuint (n[i], ==, step->n_marks[i]);
  if (step->before_sink == step->after_sink)
    g_assert_cmpuint (n[FB_MARK_NEW] + n[FB_MARK_REBUILT] + n[FB_MARK_GONE], ==, 0);
}

static void
check_step (FbStepper *stepper, const GPtrArray *graphs, guint number)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStep) step = fb_stepper_step (stepper, number, &error);
  g_autofree char *before = NULL, *after = NULL;

  if (number == graphs->len)
    {
      g_assert_null (step);
      g_assert_nonnull (error);
      return;
    }
  g_assert_no_error (error);
  before = text_of (step->before_sink);
  after = text_of (step->after_sink);
  g_assert_cmpstr (after, ==, graphs->pdata[number]);
  g_assert_cmpstr (before, ==, graphs->pdata[number ? number - 1 : 0]);
  check_marks (step);
}

static void
check_all (FbVizTrace *trace, const GPtrArray *graphs)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, context);
  const FbVizRewrite *rewrite = &fb_viz_trace_context (trace, 0)->rewrites[0];
  FbUop *sink = fb_viz_nodes_sink (nodes, rewrite, NULL), *graph;
  FbVizMatch matches[MOST_MATCHES];
  guint n_shown;

  for (guint i = 0; i < rewrite->n_matches; i++)
    g_assert_true (fb_viz_nodes_match (nodes, rewrite, i, &matches[i], NULL));
  graph = fb_viz_replay_all (nodes, rewrite, sink, rewrite->n_matches, matches, &n_shown);
  g_assert_cmpuint (n_shown, ==, MIN (graphs->len, rewrite->n_matches));
  g_assert_true ((graph != NULL) == (graphs->len == rewrite->n_matches + 1));
  if (graph)
    {
      g_autofree char *text = text_of (graph);
      g_assert_cmpstr (text, ==, graphs->pdata[rewrite->n_matches]);
    }
}

/* Counting from graph to graph finds what counting each would. */
static void
check_reach (FbVizTrace *trace)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, context);
  g_autoptr (FbVizReach) reach = fb_viz_reach_new ();
  const FbVizRewrite *rewrite = &fb_viz_trace_context (trace, 0)->rewrites[0];

  for (guint i = 0; i < rewrite->n_matches; i++)
    {
      FbVizMatch match;

      g_assert_true (fb_viz_nodes_match (nodes, rewrite, i, &match, NULL));
      for (guint k = 0; k < 2; k++)
        {
          g_autoptr (GPtrArray) order = fb_uop_toposort (context, k ? match.after : match.before);
          g_assert_cmpuint (fb_viz_reach_count (reach, k ? match.after : match.before), ==, order->len);
        }
    }
}

static void
check (const Recipe *recipe, const char *release, GRand *random)
{
  g_autoptr (GBytes) bytes = recipe_assemble (recipe);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbVizTrace) trace = fb_viz_trace_new (bytes, "test", release, &error);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbVizNodes) nodes = NULL;
  g_autoptr (FbSchedule) schedule = NULL;
  g_autoptr (FbStepper) stepper = NULL;
  g_autoptr (GPtrArray) graphs = NULL;
  guint n_steps;

  g_assert_no_error (error);
  graphs = go_in_turn (trace);
  check_all (trace, graphs);
  check_reach (trace);
  nodes = fb_viz_nodes_new (trace, context);
  schedule = fb_viz_schedule_new (nodes, 0, NULL);
  g_assert_no_error (schedule->error);
  stepper = fb_stepper_new (context, fb_schedule_pass (schedule, 0));
  n_steps = MIN (graphs->len, recipe->n_matches);
  for (guint i = 0; i <= n_steps; i++)
    check_step (stepper, graphs, i);
  for (guint i = 0; i < 6; i++)
    check_step (stepper, graphs, (guint) g_rand_int_range (random, 0, (gint32) n_steps + 1));
}

/* What a check is about, with --verbose. */
static void
tell (const Recipe *recipe, const char *release)
{
  g_test_message ("%s%s%s sink %d", release, recipe->bottom_up ? " bottom-up" : "", recipe->walk ? " walk" : "",
                  recipe->sink);
  for (guint i = 0; i < recipe->n_nodes; i++)
    g_test_message ("%u: %s %d %d", i, recipe->nodes[i].op, recipe->nodes[i].src[0] - 1, recipe->nodes[i].src[1] - 1);
  for (guint i = 0; i < recipe->n_matches; i++)
    g_test_message ("%d > %d", recipe->matches[i][0], recipe->matches[i][1]);
}

static void
test_random (void)
{
  static const char *const releases[] = { "0.12.0", "0.13.0", "2026-08-22" };
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint i = 0; i < 6000; i++)
    {
      Case c;

      make_case (&c, random);
      if (g_test_verbose ())
        tell (&c.recipe, releases[i % 3]);
      check (&c.recipe, releases[i % 3], random);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viztrace/steps/any-order-is-in-turn", test_random);
  return g_test_run ();
}
