/* What has a card, what is folded into whose, and what cards say. */
#include "core/schedule.h"
#include "tests/graph-util.h"
#include "viz/graph.h"

static const FbGraphNode *
card (const FbGraph *graph, const FbUop *uop)
{
  guint32 node = fb_graph_find (graph, uop);
  g_assert_cmpuint (node, <, graph->n_nodes);
  return &graph->nodes[node];
}

/* A constant as tensors have it: EXPAND (RESHAPE (CONST (VIEW (DEVICE)))) of shape 3×4. */
static FbUop *
tensor_const (FbContext *c, double value)
{
  FbUop *dev = device (c, "CPU");
  FbUop *view = fb_uop_new (c, FB_OP_VIEW, FB_DTYPE (VOID), 1, &dev,
                            fb_arg_st (fb_st_from_shape (c, fb_dims_new (c, 0, NULL))));
  FbUop *constant = fb_uop_new (c, FB_OP_CONST, FB_DTYPE (FLOAT32), 1, &view, fb_arg_float (value));
  FbUop *reshape = fb_movement (c, FB_OP_RESHAPE, constant, DIMS (c, 1, 1));
  return fb_movement (c, FB_OP_EXPAND, reshape, DIMS (c, 3, 4));
}

static FbUop *
matrix (FbContext *c, gint64 number)
{
  return fb_movement (c, FB_OP_RESHAPE, buffer (c, number, 12), DIMS (c, 3, 4));
}

static void
test_buffer (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 7, 12);
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink_of (c, b));

  g_assert_cmpuint (graph->n_nodes, ==, 2);
  g_assert_cmpuint (graph->n_folded, ==, 2);
  g_assert_cmpuint (graph->n_edges, ==, 1);
  g_assert_cmpstr (card (graph, b)->title, ==, "BUFFER");
  g_assert_cmpstr (card (graph, b)->argument, ==, "#7");
  g_assert_cmpstr (card (graph, b)->type, ==, "float 12");
  g_assert_cmpint (card (graph, b)->kind, ==, FB_KIND_BUFFER);
  g_assert_true (card (graph, b->src[0]) == card (graph, b));
  g_assert_true (fb_graph_is_folded (graph, b->src[1]));
  g_assert_false (fb_graph_is_folded (graph, b));
  g_assert_cmpuint (fb_graph_find (graph, buffer (c, 8, 12)), ==, FB_GRAPH_NONE);
  g_assert_cmpstr (graph->nodes[graph->root].title, ==, "SINK");
  g_assert_cmpstr (graph->nodes[graph->root].type, ==, "void");
}

static void
test_constants (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = matrix (c, 0), *two = tensor_const (c, 2.0);
  FbUop *mul = fb_alu2 (c, FB_OP_MUL, x, two);
  FbUop *less = fb_alu2 (c, FB_OP_CMPLT, two, mul);
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink_of (c, less));
  const FbGraphNode *m = card (graph, mul), *l = card (graph, less);

  /* BUFFER RESHAPE MUL CMPLT SINK; DEVICE UNIQUE VIEW CONST RESHAPE EXPAND */
  g_assert_cmpuint (graph->n_nodes, ==, 5);
  g_assert_cmpuint (graph->n_folded, ==, 6);
  g_assert_cmpuint (m->n_chips, ==, 1);
  g_assert_cmpstr (m->chips[0].text, ==, "2.0");
  g_assert_true (m->chips[0].uop == two);
  g_assert_cmpuint (m->chips[0].port, ==, 1);
  /* where order counts the chip says its place */
  g_assert_cmpuint (l->n_chips, ==, 1);
  g_assert_cmpstr (l->chips[0].text, ==, "#0 2.0");
  g_assert_cmpuint (l->n_in, ==, 1);
  g_assert_true (fb_graph_is_folded (graph, two));
  g_assert_true (card (graph, two) == l || card (graph, two) == m);
  g_assert_cmpstr (m->type, ==, "float 3×4");
  g_assert_cmpstr (l->type, ==, "bool 3×4");
}

/* In a kernel a view without a source is the shape of a LOAD, a STORE or a CONST, and told there. */
static void
test_kernel (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbShapeTracker *flat = fb_st_from_shape (c, DIMS (c, 3, 4));
  FbUop *rows = fb_st_to_uop (c, flat), *columns = fb_st_to_uop (c, fb_st_permute (c, flat, DIMS (c, 1, 0)));
  FbUop *masked = fb_st_to_uop (c, fb_st_pad (c, flat, DIMS (c, 1, 0, 0, 0)));
  const FbDType *pointer = fb_dtype_ptr (c, FB_DTYPE (FLOAT32), 12, FALSE);
  FbUop *global = fb_uop_new (c, FB_OP_DEFINE_GLOBAL, pointer, 0, NULL, fb_arg_int (1));
  FbUop *load = fb_uop_new (c, FB_OP_LOAD, FB_DTYPE (FLOAT32), 2, (FbUop *[]){ global, columns }, FB_ARG_NIL);
  FbUop *two = fb_uop_new (c, FB_OP_CONST, FB_DTYPE (FLOAT32), 1, &columns, fb_arg_float (2));
  FbUop *hole = fb_uop_new (c, FB_OP_CONST, FB_DTYPE (FLOAT32), 1, &masked, fb_arg_float (3));
  FbUop *mul = fb_uop_new (c, FB_OP_MUL, FB_DTYPE (FLOAT32), 2, (FbUop *[]){ load, two }, FB_ARG_NIL);
  FbUop *add = fb_uop_new (c, FB_OP_ADD, FB_DTYPE (FLOAT32), 2, (FbUop *[]){ mul, hole }, FB_ARG_NIL);
  FbUop *store = fb_uop_new (c, FB_OP_STORE, FB_DTYPE (VOID), 3, (FbUop *[]){ global, rows, add }, FB_ARG_NIL);
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink_of (c, store));

  /* DEFINE_GLOBAL LOAD MUL CONST ADD STORE SINK; three views and a constant are folded */
  g_assert_cmpuint (graph->n_nodes, ==, 7);
  g_assert_cmpuint (graph->n_folded, ==, 4);
  g_assert_cmpstr (card (graph, load)->argument, ==, "(1,4)");
  g_assert_cmpstr (card (graph, load)->type, ==, "float 4×3");
  g_assert_cmpstr (card (graph, store)->argument, ==, "3×4");
  g_assert_cmpstr (card (graph, mul)->chips[0].text, ==, "2.0");
  g_assert_cmpuint (card (graph, add)->n_chips, ==, 0);
  g_assert_true (card (graph, hole)->uop == hole);
  g_assert_true (card (graph, rows)->uop == store);
}

/* A mask makes zeros: no constant any more. A constant that is the root keeps its card. */
static void
test_no_constants (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *one = tensor_const (c, 1.0);
  FbUop *pad = fb_movement (c, FB_OP_PAD, one, DIMS (c, 1, 1, 0, 0));
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink_of (c, pad));

  g_assert_cmpuint (graph->n_nodes, ==, 2);
  g_assert_cmpuint (card (graph, pad)->n_chips, ==, 1);
  g_autoptr (FbGraph) alone = fb_graph_new_from_sink (c, one);
  g_assert_false (fb_graph_is_folded (alone, one));
  g_autoptr (FbGraph) constant = fb_graph_new_from_sink (c, one->src[0]->src[0]);
  g_assert_cmpuint (constant->n_nodes, ==, 1);
  g_assert_cmpuint (constant->nodes[0].n_chips, ==, 1);
  g_assert_cmpstr (constant->nodes[0].chips[0].text, ==, "1.0");
}

static void
test_numbers (void)
{
  static const struct
  {
    double value;
    const char *text;
  } floats[] = {
    { 1, "1.0" },
    { -1.4426950408889634, "-1.4427" },
    { 0.25, "0.25" },
    { -0.0, "-0.0" },
    { 1e-05, "1e-05" },
    { 1.23456e-7, "1.2346e-07" },
    { 3e30, "3e+30" },
    { 100000, "100000.0" },
    { 0.00099, "9.9e-04" },
    { G_MAXDOUBLE * 2, "inf" },
    { -G_MAXDOUBLE * 2, "-inf" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (floats); i++)
    {
      g_autofree char *text = fb_graph_number_text (fb_arg_float (floats[i].value));
      g_assert_cmpstr (text, ==, floats[i].text);
    }
  g_autofree char *integer = fb_graph_number_text (fb_arg_int (G_MININT64));
  g_assert_cmpstr (integer, ==, "-9223372036854775808");
  g_autofree char *yes = fb_graph_number_text (fb_arg_bool (TRUE));
  g_assert_cmpstr (yes, ==, "True");
}

static void
test_arguments (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = matrix (c, 0);
  const FbShapeTracker *st = fb_st_from_shape (c, DIMS (c, 3, 4));
  struct
  {
    FbUop *uop;
    const char *argument;
  } cases[] = {
    { x, "" },
    { fb_movement (c, FB_OP_PERMUTE, x, DIMS (c, 1, 0)), "(1,0)" },
    { fb_movement (c, FB_OP_SHRINK, x, DIMS (c, 1, 3, 0, 4)), "(1:3,0:4)" },
    { fb_movement (c, FB_OP_PAD, x, DIMS (c, 1, 2, 0, 0)), "(1+2,0+0)" },
    { reduce (c, FB_OP_MAX, x, DIMS (c, 1)), "MAX 1" },
    { reduce (c, FB_OP_ADD, x, DIMS (c, 0, 1)), "ADD 0,1" },
    { fb_view (c, x, st), "" },
    { fb_view (c, x, fb_st_permute (c, st, DIMS (c, 1, 0))), "(1,4)" },
    { fb_view (c, x, fb_st_pad (c, st, DIMS (c, 1, 0, 0, 0))), "(4,1)-4 masked" },
    { fb_variable (c, "i", fb_arg_int (1), fb_arg_int (10), FB_DTYPE (INT32)), "i 1…10" },
    { fb_cast (c, x, FB_DTYPE (INT32)), "" },
    { op1 (c, FB_OP_EXP2, x), "" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink_of (c, cases[i].uop));
      g_test_message ("%s", card (graph, cases[i].uop)->title);
      g_assert_cmpstr (card (graph, cases[i].uop)->argument, ==, cases[i].argument);
    }
  /* a hostile name does not make an endless card */
  g_autofree char *name = g_strnfill (10000, 'x');
  name[5] = '\n';
  FbUop *var = fb_variable (c, name, fb_arg_int (1), fb_arg_int (10), FB_DTYPE (INT32));
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, var);
  g_assert_cmpuint (g_utf8_strlen (graph->nodes[0].argument, -1), <=, 41);
  g_assert_null (strchr (graph->nodes[0].argument, '\n'));
}

static void
test_edges (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = matrix (c, 0), *square = fb_alu2 (c, FB_OP_MUL, x, x);
  FbUop *src[20];

  for (guint i = 0; i < G_N_ELEMENTS (src); i++)
    src[i] = i == 0 ? square : fb_alu2 (c, FB_OP_ADD, square, matrix (c, i));
  FbUop *sink = fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), G_N_ELEMENTS (src), src, FB_ARG_NIL);
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink);
  const FbGraphNode *s = card (graph, square), *sx = card (graph, x);

  /* x*x has two edges from x */
  g_assert_cmpuint (s->n_in, ==, 2);
  g_assert_cmpuint (sx->n_out, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      const FbGraphEdge *edge = &graph->edges[s->first_in + i];
      g_assert_cmpuint (edge->port, ==, i);
      g_assert_true (&graph->nodes[edge->source] == sx && &graph->nodes[edge->user] == s);
      g_assert_cmpuint (graph->out[sx->first_out + i], ==, s->first_in + i);
    }
  g_assert_cmpuint (s->n_users, ==, 20);
  g_assert_true (s->hub);
  g_assert_false (sx->hub);
}

static void
test_many_constants (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *src[100];

  for (guint i = 0; i < G_N_ELEMENTS (src); i++)
    src[i] = tensor_const (c, i);
  FbUop *sink = fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), G_N_ELEMENTS (src), src, FB_ARG_NIL);
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink);
  const FbGraphNode *s = &graph->nodes[graph->root];

  g_assert_cmpuint (graph->n_nodes, ==, 1);
  g_assert_cmpuint (s->n_chips, ==, 6);
  g_assert_cmpstr (s->chips[0].text, ==, "0.0");
  g_assert_cmpstr (s->chips[5].text, ==, "+95");
  g_assert_null (s->chips[5].uop);
}

/* Whatever a file holds, a card is a label. */
static void
test_long_texts (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  guint8 bytes[500];
  FbUop *dev = device (c, "CPU");
  FbUop *view = fb_uop_new (c, FB_OP_VIEW, FB_DTYPE (VOID), 1, &dev,
                            fb_arg_st (fb_st_from_shape (c, fb_dims_new (c, 0, NULL))));
  memset (bytes, 0x7f, sizeof bytes);
  FbUop *constant
      = fb_uop_new (c, FB_OP_CONST, FB_DTYPE (INT64), 1, &view, fb_arg_int_from_bytes (c, bytes, sizeof bytes));
  FbSint shape[300];
  for (guint i = 0; i < G_N_ELEMENTS (shape); i++)
    shape[i] = fb_sint (1);
  FbUop *wide = fb_movement (c, FB_OP_RESHAPE, buffer (c, 0, 1), fb_dims_new (c, G_N_ELEMENTS (shape), shape));
  FbUop *src[] = { constant, wide };
  FbUop *sink = fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), 2, src, FB_ARG_NIL);
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink);
  const FbGraphNode *s = &graph->nodes[graph->root];

  g_assert_cmpuint (s->n_chips, ==, 1);
  g_assert_cmpuint (g_utf8_strlen (s->chips[0].text, -1), ==, 25);
  g_assert_true (g_str_has_suffix (s->chips[0].text, "…"));
  g_assert_cmpuint (strlen (s->chips[0].full), >, 1000);
  g_assert_cmpuint (g_utf8_strlen (card (graph, wide)->type, -1), ==, 81);
  g_assert_true (g_str_has_suffix (card (graph, wide)->type, "…"));
}

/* --- steps --- */

typedef struct
{
  FbContext *c;
  FbUop *b, *reshape, *sine, *sink;
  FbSchedule *schedule;
  const FbPass *pass;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  f->c = fb_context_new ();
  f->b = buffer (f->c, 0, 12);
  f->reshape = fb_movement (f->c, FB_OP_RESHAPE, f->b, DIMS (f->c, 3, 4));
  f->sine = fb_alu1 (f->c, FB_OP_SIN, f->reshape);
  f->sink = sink_of (f->c, op1 (f->c, FB_OP_DETACH, f->sine));
  f->schedule = fb_schedule_new (f->c, f->sink, NULL);
  f->pass = g_ptr_array_index (f->schedule->passes, 0);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  fb_schedule_free (f->schedule);
  fb_context_free (f->c);
}

static const FbGraphEdge *
edge_between (const FbGraph *graph, const FbGraphNode *source, const FbGraphNode *user)
{
  for (guint32 e = 0; e < graph->n_edges; e++)
    if (&graph->nodes[graph->edges[e].source] == source && &graph->nodes[graph->edges[e].user] == user)
      return &graph->edges[e];
  return NULL;
}

static void
test_overlay (Fixture *f, gconstpointer data)
{
  g_autoptr (FbStep) step = fb_step_new (f->c, f->pass, 1, NULL);
  g_autoptr (FbGraph) graph = fb_graph_new_from_step (step->context, step, FB_GRAPH_OVERLAY);
  const FbGraphNode *was = card (graph, f->reshape), *is = card (graph, step->after), *b = card (graph, f->b);
  const FbGraphNode *sine = NULL;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (graph->nodes[i].op == FB_OP_SIN)
      sine = &graph->nodes[i];
  g_assert_cmpint (was->mark, ==, FB_MARK_REPLACED);
  g_assert_cmpint (is->mark, ==, FB_MARK_NEW);
  g_assert_cmpint (sine->mark, ==, FB_MARK_REBUILT);
  g_assert_true (&graph->nodes[was->becomes] == is);
  g_assert_cmpuint (graph->n_marks[FB_MARK_REPLACED], ==, 1);
  g_assert_cmpuint (graph->n_marks[FB_MARK_NEW], ==, 1);
  g_assert_cmpuint (graph->n_marks[FB_MARK_REBUILT], ==, 3);
  g_assert_cmpuint (graph->n_marks[FB_MARK_SAME], ==, 1);
  /* both ways through the step, told apart */
  g_assert_cmpint (edge_between (graph, b, was)->state, ==, FB_EDGE_REPLACED);
  g_assert_cmpint (edge_between (graph, was, sine)->state, ==, FB_EDGE_REPLACED);
  g_assert_cmpint (edge_between (graph, b, is)->state, ==, FB_EDGE_NEW);
  g_assert_cmpint (edge_between (graph, is, sine)->state, ==, FB_EDGE_NEW);
  g_assert_cmpuint (sine->n_in, ==, 2);
}

static void
test_before_after (Fixture *f, gconstpointer data)
{
  g_autoptr (FbStep) step = fb_step_new (f->c, f->pass, 1, NULL);
  g_autoptr (FbGraph) before = fb_graph_new_from_step (step->context, step, FB_GRAPH_BEFORE);
  g_autoptr (FbGraph) after = fb_graph_new_from_step (step->context, step, FB_GRAPH_AFTER);

  g_assert_cmpuint (before->n_nodes, ==, 5);
  g_assert_cmpint (card (before, f->reshape)->mark, ==, FB_MARK_REPLACED);
  g_assert_cmpuint (fb_graph_find (before, step->after), ==, FB_GRAPH_NONE);
  g_assert_true (before->nodes[before->root].uop == f->sink);
  g_assert_cmpuint (after->n_nodes, ==, 5);
  g_assert_cmpuint (fb_graph_find (after, f->reshape), ==, FB_GRAPH_NONE);
  g_assert_cmpint (card (after, step->after)->mark, ==, FB_MARK_NEW);
}

static void
test_match (Fixture *f, gconstpointer data)
{
  g_autoptr (FbGraph) base = fb_graph_new_from_sink (f->c, f->pass->sink);
  guint n = f->pass->matches->len;

  for (guint s = 0; s <= n; s++)
    {
      g_autoptr (FbStep) step = fb_step_new (f->c, f->pass, s, NULL);
      g_autoptr (FbGraph) graph = fb_graph_new_from_step (step->context, step, FB_GRAPH_OVERLAY);
      g_autofree guint32 *match = fb_graph_match (graph, base);
      g_autofree guint32 *places = fb_graph_match_places (graph, base, NULL);
      g_autofree guint *taken = g_new0 (guint, base->n_nodes);

      for (guint32 i = 0; i < graph->n_nodes; i++)
        {
          if (match[i] == FB_GRAPH_NONE)
            continue;
          g_assert_cmpuint (taken[match[i]]++, ==, 0);
          g_assert_cmpuint (match[i], ==, places[i]);
          g_assert_cmpint (graph->nodes[i].op, ==, base->nodes[match[i]].op);
          if (graph->nodes[i].mark == FB_MARK_SAME && s <= 1)
            g_assert_true (graph->nodes[i].uop == base->nodes[match[i]].uop);
        }
      g_assert_cmpuint (match[graph->root], ==, base->root);
      g_assert_cmpuint (match[fb_graph_find (graph, f->b)], ==, fb_graph_find (base, f->b));
    }
}

/* The node a step is about has a card even where it would be folded. */
static void
test_constant_step (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *mul = fb_alu2 (c, FB_OP_MUL, matrix (c, 0), tensor_const (c, 2.0));
  g_autoptr (FbSchedule) schedule = fb_schedule_new (c, sink_of (c, op1 (c, FB_OP_CONTIGUOUS, mul)), NULL);
  const FbPass *pass = g_ptr_array_index (schedule->passes, 0);
  guint n_shown = 0;

  for (guint s = 1; s <= pass->matches->len; s++)
    {
      g_autoptr (FbStep) step = fb_step_new (c, pass, s, NULL);
      g_autoptr (FbGraph) graph = fb_graph_new_from_step (step->context, step, FB_GRAPH_OVERLAY);
      g_assert_cmpuint (graph->n_nodes + graph->n_folded, ==, step->nodes->len);
      g_assert_false (fb_graph_is_folded (graph, step->before));
      g_assert_true (card (graph, step->before)->uop == step->before);
      if (fb_graph_find (graph, step->after) != FB_GRAPH_NONE)
        {
          g_assert_true (card (graph, step->after)->uop == step->after);
          n_shown++;
        }
    }
  g_assert_cmpuint (pass->matches->len, >, 2);
  g_assert_cmpuint (n_shown, ==, pass->matches->len);
}

/* A constant with 100,000 users, and a chain of a million. */
static void
test_large (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = matrix (c, 0), *one = tensor_const (c, 1.0);

  for (guint i = 0; i < 1000000; i++)
    x = fb_uop_new (c, i % 2 ? FB_OP_SIN : FB_OP_EXP2, FB_DTYPE (FLOAT32), 1, &x, FB_ARG_NIL);
  for (guint i = 0; i < 100000; i++)
    {
      FbUop *src[] = { x, one };
      x = fb_uop_new (c, FB_OP_ADD, FB_DTYPE (FLOAT32), 2, src, FB_ARG_NIL);
    }
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink_of (c, x));
  g_assert_cmpuint (graph->n_nodes, ==, 1100003);
  g_assert_cmpuint (graph->n_edges, ==, 1100002);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viz/graph/buffer", test_buffer);
  g_test_add_func ("/viz/graph/constants", test_constants);
  g_test_add_func ("/viz/graph/kernel", test_kernel);
  g_test_add_func ("/viz/graph/no-constants", test_no_constants);
  g_test_add_func ("/viz/graph/numbers", test_numbers);
  g_test_add_func ("/viz/graph/arguments", test_arguments);
  g_test_add_func ("/viz/graph/edges", test_edges);
  g_test_add_func ("/viz/graph/many-constants", test_many_constants);
  g_test_add_func ("/viz/graph/long-texts", test_long_texts);
  g_test_add ("/viz/graph/overlay", Fixture, NULL, set_up, test_overlay, tear_down);
  g_test_add ("/viz/graph/before-after", Fixture, NULL, set_up, test_before_after, tear_down);
  g_test_add ("/viz/graph/match", Fixture, NULL, set_up, test_match, tear_down);
  g_test_add_func ("/viz/graph/constant-step", test_constant_step);
  g_test_add_func ("/viz/graph/large", test_large);
  return g_test_run ();
}
