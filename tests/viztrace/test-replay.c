/* Replacing nodes: small traces made here, numbered tables as 0.11 and later write them, and what their graphs become. */
#include <string.h>

#include "core/viztrace/viztrace.h"
#include "recipe.h"

/* The graph after every match, separated by " > "; "!" where none can be shown. */
static char *
replay (const Recipe *recipe)
{
  g_autoptr (GBytes) bytes = recipe_assemble (recipe);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbVizTrace) trace = fb_viz_trace_new (bytes, "test", NULL, &error);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbVizNodes) nodes = NULL;
  g_autoptr (FbVizReplay) replaying = NULL;
  GString *text = g_string_new (NULL);
  const FbVizRewrite *rewrite;
  FbUop *graph;

  g_assert_no_error (error);
  nodes = fb_viz_nodes_new (trace, context);
  rewrite = &fb_viz_trace_context (trace, 0)->rewrites[0];
  graph = fb_viz_nodes_sink (nodes, rewrite, &error);
  if (!graph)
    {
      g_string_append (text, error->message);
      return g_string_free (text, FALSE);
    }
  replaying = fb_viz_replay_new (nodes, rewrite, graph);
  recipe_append_graph (text, graph);
  for (guint i = 0; i < rewrite->n_matches && graph; i++)
    {
      FbVizMatch match;

      g_string_append (text, " > ");
      if (!fb_viz_nodes_match (nodes, rewrite, i, &match, &error))
        {
          g_string_append (text, error->message);
          break;
        }
      graph = fb_viz_replay_apply (replaying, &match);
      if (graph)
        recipe_append_graph (text, graph);
      else
        g_string_append_c (text, '!');
    }
  return g_string_free (text, FALSE);
}

/* A sink over NEG(SIN), and other things that it becomes. */
static const Node nodes[] = {
  { "SINK", { 2 } },        /* 0 */
  { "NEG", { 3 } },         /* 1 */
  { "SIN", { 0 } },         /* 2 */
  { "SQRT", { 0 } },        /* 3 */
  { "NEG", { 4 } },         /* 4: NEG(SQRT), as 1 becomes when 2 becomes 3 */
  { "EXP2", { 4 } },        /* 5: EXP2(SQRT) */
  { "EXP2", { 3 } },        /* 6: EXP2(SIN) */
  { "SINK", { 2, 10 } },    /* 7: over 1 and a call of it */
  { "NOOP", { 0 } },        /* 8 */
  { "CALL", { 2, 3 } },     /* 9: of 1, with 2 */
  { "FUNCTION", { 2, 3 } }, /* 10 */
  { "SINK", { 11 } },       /* 11 */
  { "SINK", { 13 } },       /* 12: in a circle */
  { "SINK", { 99 } },       /* 13: over nothing */
};

#define CHECK_REPLAY(sink, bottom_up, walk, expected, ...)                                                             \
  do                                                                                                                   \
    {                                                                                                                  \
      static const int matches[][2] = { __VA_ARGS__ };                                                                 \
      g_autofree char *got                                                                                             \
          = replay (&(Recipe){ nodes, G_N_ELEMENTS (nodes), sink, bottom_up, walk, matches, G_N_ELEMENTS (matches) }); \
      g_assert_cmpstr (got, ==, expected);                                                                             \
    }                                                                                                                  \
  while (0)

static void
test_top_down (void)
{
  /* a source, then what its user became by it */
  CHECK_REPLAY (0, FALSE, FALSE, "SINK(NEG(SIN)) > SINK(NEG(SQRT)) > SINK(EXP2(SQRT))", { 2, 3 }, { 4, 5 });
  /* a node that is no longer there changes nothing, however often it was matched */
  CHECK_REPLAY (0, FALSE, FALSE, "SINK(NEG(SIN)) > SINK(NEG(SQRT)) > SINK(NEG(SQRT))", { 2, 3 }, { 2, 6 });
  CHECK_REPLAY (0, FALSE, FALSE, "SINK(NEG(SIN)) > SINK(NEG(SIN))", { 8, 3 });
}

static void
test_bottom_up (void)
{
  /* what a node becomes has its sources replaced too */
  CHECK_REPLAY (0, TRUE, FALSE, "SINK(NEG(SIN)) > SINK(EXP2(SIN)) > SINK(EXP2(SQRT))", { 1, 6 }, { 2, 3 });
  /* the last match of a node counts, from the input on */
  CHECK_REPLAY (0, TRUE, FALSE, "SINK(NEG(SIN)) > SINK(NEG(SQRT)) > SINK(NEG(NOOP))", { 2, 3 }, { 2, 8 });
  /* a node that became itself is as if it had not been matched */
  CHECK_REPLAY (0, TRUE, FALSE, "SINK(NEG(SIN)) > SINK(NEG(SQRT)) > SINK(NEG(SIN))", { 2, 3 }, { 2, 2 });
}

static void
test_circles (void)
{
  CHECK_REPLAY (0, TRUE, FALSE, "SINK(NEG(SIN)) > SINK(EXP2(SIN)) > !", { 1, 6 }, { 6, 1 });
  /* a node inside of its own replacement */
  CHECK_REPLAY (0, FALSE, FALSE, "SINK(NEG(SIN)) > !", { 2, 6 });
  /* which a walk does not look into, until the next one */
  CHECK_REPLAY (0, FALSE, TRUE, "SINK(NEG(SIN)) > SINK(NEG(EXP2(SIN))) > SINK(NEG(EXP2(EXP2(SIN))))", { 2, 6 },
                { 8, 3 });
  CHECK_REPLAY (0, TRUE, TRUE, "SINK(NEG(SIN)) > SINK(NEG(EXP2(SIN))) > SINK(NEG(EXP2(SIN)))", { 2, 6 }, { 8, 3 });
}

static void
test_calls (void)
{
  /* a function is not entered, what it is given is */
  CHECK_REPLAY (11, FALSE, FALSE, "SINK(FUNCTION(NEG(SIN),SIN)) > SINK(FUNCTION(NEG(SIN),SQRT))", { 2, 3 });
  CHECK_REPLAY (11, FALSE, TRUE, "SINK(FUNCTION(NEG(SIN),SIN)) > SINK(FUNCTION(NEG(SIN),SQRT))", { 2, 3 });
  /* a call of an address is a node like others */
  CHECK_REPLAY (7, FALSE, FALSE, "SINK(NEG(SIN),CALL(NEG(SIN),SIN)) > SINK(NEG(SQRT),CALL(NEG(SQRT),SQRT))", { 2, 3 });
}

static void
test_missing (void)
{
  CHECK_REPLAY (12, FALSE, FALSE, "test: node 12 is a source of itself.", { 2, 3 });
  CHECK_REPLAY (13, FALSE, FALSE, "test: node 98 is not in the trace.", { 2, 3 });
  CHECK_REPLAY (0, FALSE, FALSE, "SINK(NEG(SIN)) > test: node 77 is not in the trace.", { 2, 77 });
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viztrace/replay/top-down-replaces-in-the-step-before", test_top_down);
  g_test_add_func ("/viztrace/replay/bottom-up-replaces-in-the-input", test_bottom_up);
  g_test_add_func ("/viztrace/replay/what-stands-for-itself-cannot-be-shown", test_circles);
  g_test_add_func ("/viztrace/replay/functions-are-not-entered", test_calls);
  g_test_add_func ("/viztrace/replay/missing-nodes-and-circles-are-refused", test_missing);
  return g_test_run ();
}
