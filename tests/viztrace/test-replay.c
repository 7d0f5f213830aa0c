/* Replacing nodes: small traces made here, numbered tables as 0.11 and later write them, and what their graphs become. */
#include <string.h>

#include "core/viztrace/viztrace.h"
#include "tests/capture/assemble.h"

typedef struct
{
  const char *op;
  int src[3]; /* numbers of nodes plus 1; 0 ends */
} Node;

typedef struct
{
  const Node *nodes;
  guint n_nodes;
  int sink;
  gboolean bottom_up, walk;
  const int (*matches)[2];
  guint n_matches;
} Recipe;

static void
put_node (GByteArray *a, const Node *node)
{
  RAW (a, "(");
  pk_global (a, "builtins", "getattr");
  pk_global (a, "tinygrad.uop", "Ops");
  pk_text (a, node->op);
  RAW (a, "\x86R");
  pk_float (a);
  RAW (a, "(");
  for (int i = 0; i < 3 && node->src[i]; i++)
    pk_int (a, node->src[i] - 1);
  RAW (a, "tNNt");
}

static void
put_place (GByteArray *a, const char *file, int line)
{
  pk_text (a, file);
  pk_int (a, line);
  RAW (a, "\x86");
}

static void
put_field (GByteArray *a, const char *name, int value)
{
  pk_text (a, name);
  if (value < 0)
    RAW (a, "N");
  else
    pk_int (a, value);
}

/* RewriteTrace(keys=["k"], rewrites=[[one rewrite]], uop_fields={0: ..., 1: ...}) */
static GBytes *
assemble (const Recipe *recipe)
{
  GByteArray *a = g_byte_array_new ();

  RAW (a, "\x80\x04");
  pk_global (a, "tinygrad.uop.ops", "RewriteTrace");
  RAW (a, ")\x81}(");
  pk_text (a, "keys");
  RAW (a, "]");
  pk_text (a, "k");
  RAW (a, "a");
  pk_text (a, "rewrites");
  RAW (a, "]]");
  pk_global (a, "tinygrad.uop.ops", "TrackedGraphRewrite");
  RAW (a, ")\x81}(");
  pk_text (a, "loc");
  put_place (a, "/x/a.py", 7);
  put_field (a, "sink", recipe->sink);
  pk_text (a, "matches");
  RAW (a, "](");
  for (guint i = 0; i < recipe->n_matches; i++)
    {
      RAW (a, "(");
      pk_int (a, recipe->matches[i][0]);
      pk_int (a, recipe->matches[i][1]);
      put_place (a, "/x/b.py", 9);
      RAW (a, "K\x00t");
    }
  RAW (a, "e");
  put_field (a, "name", -1);
  put_field (a, "depth", 0);
  put_field (a, "bottom_up", recipe->bottom_up);
  put_field (a, "walk", recipe->walk);
  put_field (a, "enter_calls", 0);
  RAW (a, "ub"
          "aa");
  pk_text (a, "uop_fields");
  RAW (a, "}(");
  for (guint i = 0; i < recipe->n_nodes; i++)
    {
      pk_int (a, (int) i);
      put_node (a, &recipe->nodes[i]);
    }
  RAW (a, "uub.");
  return g_byte_array_free_to_bytes (a);
}

static void
append_graph (GString *text, const FbUop *uop)
{
  g_string_append (text, fb_op_name (uop->op));
  for (guint i = 0; i < uop->n_src; i++)
    {
      g_string_append_c (text, i ? ',' : '(');
      append_graph (text, uop->src[i]);
    }
  if (uop->n_src)
    g_string_append_c (text, ')');
}

/* The graph after every match, separated by " > "; "!" where none can be shown. */
static char *
replay (const Recipe *recipe)
{
  g_autoptr (GBytes) bytes = assemble (recipe);
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
  append_graph (text, graph);
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
        append_graph (text, graph);
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
