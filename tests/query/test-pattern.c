/* Patterns as they are typed: what they say, and what they refuse. */
#include "core/passes/passes.h"
#include "core/query/node-pattern.h"
#include "samples.h"
#include "tests/graph-util.h"

static gboolean
matches (FbContext *c, const char *text, FbUop *uop)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbNodePattern) pattern = fb_node_pattern_new (text, NULL, &error);
  g_assert_no_error (error);
  return fb_node_pattern_match (pattern, &(FbNodePlace){ .context = c }, (FbNodeAt){ uop, FB_LIFE_NONE });
}

static void
test_nodes (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 12), *other = buffer (c, 1, 12);
  FbUop *zero = fb_const_int (c, FB_DTYPE (FLOAT32), 0), *half = fb_const (c, FB_DTYPE (FLOAT32), fb_arg_float (0.5));
  FbUop *reshape = fb_movement (c, FB_OP_RESHAPE, b, DIMS (c, 3, 4));
  FbUop *sum = fb_alu2 (c, FB_OP_ADD, b, zero), *twice = fb_alu2 (c, FB_OP_ADD, b, b);
  FbUop *red = reduce (c, FB_OP_MAX, reshape, DIMS (c, 1));

  g_assert_true (matches (c, "ADD(x, CONST 0)", sum));
  g_assert_true (matches (c, "ADD(x, 0)", sum));
  g_assert_true (matches (c, "ADD(x, 0.0)", sum));
  g_assert_false (matches (c, "ADD(x, 1)", sum));
  g_assert_false (matches (c, "ADD(0, x)", sum));
  g_assert_true (matches (c, "ADD[0, x]", sum));
  g_assert_false (matches (c, "ADD(x)", sum));
  g_assert_true (matches (c, "ADD", sum));
  g_assert_true (matches (c, "ADD(x, x)", twice));
  g_assert_false (matches (c, "ADD(x, x)", sum));
  g_assert_false (matches (c, "ADD(x, x)", fb_alu2 (c, FB_OP_ADD, b, other)));
  g_assert_true (matches (c, "ADD(x, y)", twice));
  g_assert_true (matches (c, "MOVEMENT(x)", reshape));
  g_assert_true (matches (c, "MOVEMENT(BUFFER 12)", reshape));
  g_assert_false (matches (c, "MOVEMENT(BUFFER 13)", reshape));
  g_assert_true (matches (c, "REDUCE_AXIS(RESHAPE)", red));
  g_assert_true (matches (c, "REDUCE_AXIS \"Ops.MAX\"(*)", red));
  g_assert_false (matches (c, "REDUCE_AXIS \"Ops.ADD\"(_)", red));
  g_assert_true (matches (c, "MUL|ADD(BUFFER, _)", sum));
  g_assert_true (matches (c, "MUL(x, 1) or ADD(x, 0)", sum));
  g_assert_true (matches (c, "MUL(x, 1) | ADD(x, 0)", sum));
  g_assert_true (matches (c, "ADD(x, 1|0)", sum));
  g_assert_true (matches (c, "ADD: float", sum));
  g_assert_false (matches (c, "ADD: ints", sum));
  g_assert_true (matches (c, "ADD(BUFFER, ...): floats as z", sum));
  g_assert_true (matches (c, "ADD(BUFFER...)", twice));
  g_assert_false (matches (c, "ADD(BUFFER...)", sum));
  g_assert_true (matches (c, "ANY BUT MUL(x, y)", sum));
  g_assert_false (matches (c, "ANY BUT ADD|MUL(x, y)", sum));
  g_assert_true (matches (c, "ALU(x, y)", sum));
  g_assert_true (matches (c, "CONST 0.5", half));
  g_assert_true (matches (c, "0.5", half));
  g_assert_true (matches (c, "x", half));
  g_assert_true (matches (c, "CONST(...)", half));
}

/* Brackets that can be satisfied in another way than the first. */
static void
test_ways (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *b = buffer (c, 0, 12), *sine = fb_alu1 (c, FB_OP_SIN, b);
  FbUop *sum = fb_alu2 (c, FB_OP_ADD, sine, b);

  g_assert_true (matches (c, "ADD[x, SIN(x)]", sum));
  g_assert_true (matches (c, "ADD[SIN(x), x]", sum));
  g_assert_false (matches (c, "ADD(x, SIN(x))", sum));
  g_assert_true (matches (c, "ADD(SIN(x) or x, x)", sum));
  g_assert_true (matches (c, "ADD(x or SIN(x), x)", sum));
}

static void
test_refusals (void)
{
  static const struct
  {
    const char *text;
    gsize position;
    const char *says;
  } cases[] = {
    { "", 0, "ends too soon" },
    { "ADD(x, ", 7, "ends too soon" },
    { "ADD(x y)", 6, "“,” or “)”" },
    { "ADDD(x)", 0, "did you mean ADD" },
    { "VIEW(REDUCE)", 5, "no op or set of ops REDUCE" },
    { "ADD(x))", 6, "ends before this" },
    { "ADD: flaot", 5, "no dtype flaot" },
    { "add(x, y)", 0, "capitals: ADD" },
    { "ADD[x, ...]", 10, "round brackets" },
    { "ADD as", 6, "name was expected" },
    { "REDUCE_AXIS \"Ops", 13, "closing" },
    { "ANY BUT", 7, "op was expected" },
    { "ADD(x, 1z)", 7, "number" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gsize position = 99;
      FbNodePattern *pattern = fb_node_pattern_new (cases[i].text, &position, &error);
      g_assert_null (pattern);
      g_assert_error (error, FB_QUERY_ERROR, FB_QUERY_ERROR_SYNTAX);
      if (!strstr (error->message, cases[i].says) || position != cases[i].position)
        g_error ("%s: at %zu: %s", cases[i].text, position, error->message);
    }
  /* deep brackets end in an error, not in the stack */
  g_autoptr (GString) deep = g_string_new (NULL);
  for (guint i = 0; i < 100000; i++)
    g_string_append (deep, "SIN(");
  g_autoptr (GError) error = NULL;
  g_assert_null (fb_node_pattern_new (deep->str, NULL, &error));
  g_assert_error (error, FB_QUERY_ERROR, FB_QUERY_ERROR_SYNTAX);
}

/* Any bytes are read or refused. */
static void
test_garbage (void)
{
  static const char letters[] = "ADMULVIEW()[],|:. x_*01-\"as or ...";
  for (guint n = 0; n < 20000; n++)
    {
      char text[24];
      guint len = (guint) g_test_rand_int_range (0, sizeof text);
      for (guint i = 0; i < len; i++)
        text[i] = letters[g_test_rand_int_range (0, sizeof letters - 1)];
      text[len] = 0;
      g_autoptr (GError) error = NULL;
      gsize position = 0;
      g_autoptr (FbNodePattern) pattern = fb_node_pattern_new (text, &position, &error);
      g_assert_true ((pattern != NULL) == (error == NULL));
      g_assert_cmpuint (position, <=, len);
    }
}

/* What the window prints of a rule can be typed, and says the same. */
static void
check_rules (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  guint *n_matched = data;
  for (guint p = 0; p < schedule->passes->len; p++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, p);
      for (guint i = 0; i < pass->matches->len; i++)
        {
          const FbMatch *match = fb_pass_match (pass, i);
          const FbRule *rule = fb_rule_set_rule (pass->rules, match->rule);
          g_autofree char *text = fb_pattern_to_text (rule->pattern);
          if (!matches (context, text, match->before))
            g_error ("%s: %s: “%s” does not match", name, rule->name, text);
          ++*n_matched;
        }
    }
}

static void
test_rules (void)
{
  guint n_matched = 0;
  for_each_sample (10, check_rules, &n_matched);
  g_assert_cmpuint (n_matched, >, 100);
  const FbRuleSet *sets[]
      = { fb_simplify_pass_rules (),   fb_realize_pass_rules (),     fb_kernels_pass_rules (), fb_buffers_pass_rules (),
          fb_views_left_pass_rules (), fb_views_right_pass_rules (), fb_fix_ups_pass_rules () };
  for (guint s = 0; s < G_N_ELEMENTS (sets); s++)
    for (guint i = 0; i < fb_rule_set_n_rules (sets[s]); i++)
      {
        const FbRule *rule = fb_rule_set_rule (sets[s], i);
        g_autofree char *text = fb_pattern_to_text (rule->pattern);
        g_autoptr (GError) error = NULL;
        g_autoptr (FbNodePattern) pattern = fb_node_pattern_new (text, NULL, &error);
        if (!pattern)
          g_error ("%s: “%s”: %s", rule->name, text, error->message);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/pattern/nodes", test_nodes);
  g_test_add_func ("/query/pattern/other-ways-are-tried", test_ways);
  g_test_add_func ("/query/pattern/refusals-say-where", test_refusals);
  g_test_add_func ("/query/pattern/garbage", test_garbage);
  g_test_add_func ("/query/pattern/rules-as-printed", test_rules);
  return g_test_run ();
}
