/* What passes do not do since it could change nothing: done, it gives the same record. */
#include "core/ir/context-private.h"
#include "random-graph.h"

#define N_GRAPHS 500

/* The same rules tried as often, and the same ones applied in the same order. */
static void
assert_same_record (const FbPass *a, const FbPass *b)
{
  g_assert_cmpuint (a->matches->len, ==, b->matches->len);
  for (guint i = 0; i < a->matches->len; i++)
    {
      const FbMatch *x = fb_pass_match (a, i), *y = fb_pass_match (b, i);

      g_assert_cmpuint (x->rule, ==, y->rule);
      g_assert_cmpint (x->before->op, ==, y->before->op);
      g_assert_cmpint (x->after->op, ==, y->after->op);
      g_assert_cmpuint (x->after->n_src, ==, y->after->n_src);
    }
  for (guint i = 0; i < fb_rule_set_n_rules (a->rules); i++)
    {
      g_assert_cmpuint (a->tries[i], ==, b->tries[i]);
      g_assert_cmpuint (a->fired[i], ==, b->fired[i]);
    }
}

/* What is realized, by the engine: a new grouper decides the same. */
static void
check_realizing (FbSchedule *schedule)
{
  FbContext *c = schedule->context;
  const FbPass *recorded = fb_schedule_pass (schedule, 1);
  g_autoptr (FbGrouper) grouper = fb_grouper_new (c);
  FbPass *pass = fb_pass_new ("", "realize", FALSE, recorded->sink, recorded->rules);

  g_assert_true (recorded->rules == fb_realize_pass_rules ());
  g_assert_true (fb_rewrite (c, recorded->sink, recorded->rules, grouper, FALSE, pass) == recorded->result);
  assert_same_record (pass, recorded);
  g_assert_cmpuint (grouper->ledger->len, <=, schedule->ledger->len);
  for (guint i = 0; i < grouper->ledger->len; i++)
    {
      const FbDecision *x = &grouper->ledger->at[i], *y = &schedule->ledger->at[i];

      g_assert_true (x->node == y->node && x->because == y->because && x->other == y->other);
      g_assert_true (x->kind == y->kind && x->reason == y->reason && x->changed == y->changed);
      g_assert_true (x->a == y->a && x->b == y->b);
    }
  fb_pass_free (pass);
}

static void
test_realizing (void)
{
  guint n = 0;

  for (guint32 seed = 0; seed < N_GRAPHS; seed++)
    {
      g_autoptr (FbContext) c = fb_context_new ();
      g_autoptr (FbSchedule) schedule = fb_schedule_new (c, random_graph (c, seed), NULL);

      if (schedule->error)
        continue;
      check_realizing (schedule);
      n += schedule->ledger->len;
    }
  g_assert_cmpuint (n, >, N_GRAPHS);
}

/* Every node of the input rewritten, inside of kernels too. */
static void
check_kernel_creation (FbSchedule *schedule)
{
  FbContext *c = schedule->context;
  const FbPass *recorded = fb_schedule_pass (schedule, 2);
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (c, recorded->sink);
  g_autoptr (FbUopDict) realizes = fb_uop_dict_new (c);
  FbPass *pass = fb_pass_new ("", "kernels", TRUE, recorded->sink, recorded->rules);
  FbNodeMap *map;

  g_assert_true (recorded->rules == fb_kernels_pass_rules ());
  for (guint i = 0; i < schedule->realizes->len; i++)
    fb_uop_dict_set (realizes, g_ptr_array_index (schedule->realizes, i), g_ptr_array_index (schedule->realizes, i));
  for (guint i = 0; i < nodes->len / 2; i++)
    {
      gpointer node = nodes->pdata[i];
      nodes->pdata[i] = nodes->pdata[nodes->len - 1 - i];
      nodes->pdata[nodes->len - 1 - i] = node;
    }
  map = fb_rewrite_nodes (c, nodes->len, (FbUop *const *) nodes->pdata, recorded->rules, realizes,
                          fb_uop_dict_marks (realizes), NULL, pass);
  g_assert_nonnull (map);
  fb_node_map_release (c, map);
  assert_same_record (pass, recorded);
  fb_pass_free (pass);
}

static void
test_inside_kernels (void)
{
  guint n = 0;

  for (guint32 seed = 0; seed < N_GRAPHS; seed++)
    {
      g_autoptr (FbContext) c = fb_context_new ();
      g_autoptr (FbSchedule) schedule = fb_schedule_new (c, random_graph (c, seed), NULL);

      if (schedule->error || schedule->kernels->len == 0)
        continue;
      check_kernel_creation (schedule);
      n += schedule->kernels->len;
    }
  g_assert_cmpuint (n, >, N_GRAPHS);
}

/* The kernel's AST and its buffer ops by the engine. */
static void
check_kernel (FbSchedule *schedule, const FbKernelItem *item)
{
  FbContext *c = schedule->context;
  const FbPass *recorded = fb_schedule_pass (schedule, item->first_pass);
  FbUop *kernel = item->assign->src[1], *ast = kernel->arg.kernel->ast, **from = g_newa (FbUop *, kernel->n_src),
        **to = g_newa (FbUop *, kernel->n_src);
  FbNodeList *buffers = fb_node_list_acquire (c);
  guint n = 0;
  FbPass *pass;

  for (guint i = 0; i < kernel->n_src; i++)
    if (kernel->src[i]->op == FB_OP_ASSIGN)
      {
        from[n] = kernel->src[i]->src[1]->arg.kernel->ast;
        to[n++] = kernel->src[i]->src[0];
      }
  ast = fb_substitute (c, ast, n, from, to);
  g_assert_true (recorded->sink == sink_of (c, ast));
  g_assert_true (recorded->rules == fb_buffers_pass_rules ());
  pass = fb_pass_new ("", "buffer ops", TRUE, recorded->sink, recorded->rules);
  fb_node_list_add (buffers, item->buffers[0].buffer);
  g_assert_true (fb_rewrite (c, recorded->sink, recorded->rules, buffers, TRUE, pass) == recorded->result);
  assert_same_record (pass, recorded);
  for (guint i = 0; i < pass->matches->len; i++)
    {
      g_assert_true (fb_pass_match (pass, i)->before == fb_pass_match (recorded, i)->before);
      g_assert_true (fb_pass_match (pass, i)->after == fb_pass_match (recorded, i)->after);
    }
  g_assert_cmpuint (buffers->n, ==, item->n_buffers);
  for (guint i = 0; i < buffers->n; i++)
    g_assert_true (buffers->at[i] == item->buffers[i].buffer);
  fb_node_list_release (c, buffers);
  fb_pass_free (pass);
}

static void
test_kernel_asts (void)
{
  guint n = 0;

  for (guint32 seed = 0; seed < N_GRAPHS; seed++)
    {
      g_autoptr (FbContext) c = fb_context_new ();
      g_autoptr (FbSchedule) schedule = fb_schedule_new (c, random_graph (c, seed), NULL);

      for (guint i = 0; i < schedule->kernels->len && !schedule->error; i++)
        check_kernel (schedule, fb_schedule_kernel (schedule, i));
      n += schedule->kernels->len;
    }
  g_assert_cmpuint (n, >, N_GRAPHS);
}

static void
assert_same_graph (FbContext *c, FbUop *x, FbContext *d, FbUop *y)
{
  g_autoptr (GPtrArray) a = fb_uop_toposort (c, x), b = fb_uop_toposort (d, y);

  g_assert_cmpuint (a->len, ==, b->len);
  for (guint i = 0; i < a->len; i++)
    {
      const FbUop *p = g_ptr_array_index (a, i), *q = g_ptr_array_index (b, i);

      g_assert_true (p->op == q->op && p->n_src == q->n_src);
    }
}

/* All of a schedule where tries are measured, which leaves every pass to the engine, users and the kernel graph to be walked. */
static void
check_measured (guint32 seed, guint *n_kernels, guint *n_becomes)
{
  g_autoptr (FbContext) c = fb_context_new (), d = fb_context_new ();
  g_autoptr (FbSchedule) a = fb_schedule_new (c, random_graph (c, seed), NULL),
                         b = fb_schedule_new_measured (d, random_graph (d, seed), NULL, NULL);

  g_assert_cmpint (a->error ? a->error->code : -1, ==, b->error ? b->error->code : -1);
  g_assert_cmpuint (a->n_becomes, ==, b->n_becomes);
  g_assert_cmpuint (a->kernels->len, ==, b->kernels->len);
  g_assert_cmpuint (a->realizes->len, ==, b->realizes->len);
  g_assert_true (!a->kernel_graph == !b->kernel_graph);
  if (a->kernel_graph)
    assert_same_graph (c, a->kernel_graph, d, b->kernel_graph);
  for (guint i = 0; i < a->kernels->len && !a->error; i++)
    assert_same_graph (c, fb_schedule_kernel (a, i)->ast, d, fb_schedule_kernel (b, i)->ast);
  if (a->ledger)
    g_assert_cmpuint (a->ledger->len, ==, b->ledger->len);
  for (guint i = 0; a->ledger && i < a->ledger->len; i++)
    {
      const FbDecision *x = &a->ledger->at[i], *y = &b->ledger->at[i];

      g_assert_true (x->node->op == y->node->op && x->kind == y->kind && x->reason == y->reason && x->stop == y->stop);
      g_assert_true (x->a == y->a && x->b == y->b && x->c == y->c && x->changed == y->changed);
    }
  *n_kernels += a->kernels->len;
  *n_becomes += a->n_becomes;
}

static void
test_measured (void)
{
  guint n_kernels = 0, n_becomes = 0;

  for (guint32 seed = 0; seed < N_GRAPHS; seed++)
    check_measured (seed, &n_kernels, &n_becomes);
  g_assert_cmpuint (n_kernels, >, N_GRAPHS);
  g_assert_cmpuint (n_becomes, >, N_GRAPHS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/passes/shortcuts/realizing", test_realizing);
  g_test_add_func ("/passes/shortcuts/inside-kernels", test_inside_kernels);
  g_test_add_func ("/passes/shortcuts/kernel-asts", test_kernel_asts);
  g_test_add_func ("/passes/shortcuts/measured", test_measured);
  return g_test_run ();
}
