/* Questions against what they stand for: looking at every node of the graph of every step. */
#include "core/query/query.h"
#include "core/rewrite/step.h"
#include "samples.h"
#include "tests/graph-util.h"

static FbQuery *
ask (const char *text)
{
  g_autoptr (GError) error = NULL;
  FbQuery *query = fb_query_new (text, NULL, &error);
  g_assert_no_error (error);
  return query;
}

static const char *const questions[] = {
  "op:ADD",
  "op:movement",
  "exp2",
  "VIEW(CONST)",
  "ALU(x, CONST)",
  "MUL(x, RECIP)",
  "VIEW(VIEW)",
  "ADD(MUL, MUL)",
  "ALU(ALU(ALU))",
  "shape:64",
  "64x1",
  "dtype:ints",
  "arg=1.0",
  "STORE(DEFINE_GLOBAL, VIEW, ALU)",
  "ADD[x, MUL(x, _)]",
  "-op:BUFFER|DEVICE|UNIQUE (op:ALU or op:REDUCE_AXIS) -dtype:bool",
  "SINK(...) or ASSIGN(VIEW(BUFFER), ...)",
  "op:VIEW -VIEW(CONST)",
  "MUL(x, x) or ADD(x, x)",
  "WHERE(_, CONST, CONST) or ALU(CONST, CONST)",
};

/* Of the nodes of a step's graph, those that a question finds when it is put to the bare graph. */
static GHashTable *
found_in_graph (const FbStep *step, FbQuery *query)
{
  GHashTable *found = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) hits = fb_query_plain (step->context, step->after_sink, query);
  for (guint i = 0; i < hits->len; i++)
    g_hash_table_add (found, g_array_index (hits, FbHit, i).uop);
  return found;
}

typedef struct
{
  guint n_found, n_changed;
} Count;

static void
check_step (FbContext *context, const FbQueryIndex *index, FbQuery *query, const char *text, guint pass, guint number,
            const GArray *all, const char *name, Count *count)
{
  const FbHistory *history = fb_query_index_history (index);
  g_autoptr (FbStep) step = fb_step_new (context, fb_schedule_pass (history->schedule, pass), number, NULL);
  g_autofree FbUop **nodes = fb_history_nodes_at (history, step->context, pass, number);
  g_autoptr (GHashTable) want = found_in_graph (step, query), got = g_hash_table_new (NULL, NULL);
  g_autoptr (GArray) hits = fb_query_graph (index, query, pass, number);
  guint32 base = history->first_life[pass];
  for (guint i = 0; i < hits->len; i++)
    {
      const FbHit *hit = &g_array_index (hits, FbHit, i);
      FbUop *node = nodes[hit->life - base];
      g_hash_table_add (got, node);
      if (!g_hash_table_contains (want, node))
        g_error ("%s: %s: pass %u step %u: %s should not be found", name, text, pass, number, fb_op_name (node->op));
      /* it was announced when it came up */
      gboolean announced = FALSE;
      for (guint k = 0; k < all->len && !announced; k++)
        {
          const FbHit *other = &g_array_index (all, FbHit, k);
          announced = other->pass == pass && other->step <= number
                      && fb_history_at (history, other->life, number) == hit->life;
        }
      if (!announced)
        g_error ("%s: %s: pass %u step %u: %s was not found where it came up", name, text, pass, number,
                 fb_op_name (node->op));
    }
  GHashTableIter iter;
  g_hash_table_iter_init (&iter, want);
  for (gpointer uop; g_hash_table_iter_next (&iter, &uop, NULL);)
    if (!g_hash_table_contains (got, uop))
      g_error ("%s: %s: pass %u step %u: %s %u was not found", name, text, pass, number,
               fb_op_name (((FbUop *) uop)->op), ((FbUop *) uop)->id);
  /* what came up here is here */
  for (guint k = 0; k < all->len; k++)
    {
      const FbHit *hit = &g_array_index (all, FbHit, k);
      if (hit->pass != pass || hit->step != number)
        continue;
      g_assert_true (fb_history_is_alive (history, hit->life, number));
      g_assert_true (g_hash_table_contains (want, nodes[hit->life - base]));
      count->n_changed += !hit->made && number;
    }
  count->n_found += hits->len;
}

static void
check_row (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  g_autoptr (FbQueryIndex) index = fb_query_index_new (history);
  for (guint q = 0; q < G_N_ELEMENTS (questions); q++)
    {
      g_autoptr (FbQuery) query = ask (questions[q]);
      for (guint pass = 0; pass < MIN (schedule->passes->len, 11); pass++)
        {
          guint n = fb_schedule_pass (schedule, pass)->matches->len, stride = MAX (1, n / 12);
          /* with the pass named, what the pass before had counts too */
          g_autofree char *text = g_strdup_printf ("(%s) pass:%u", questions[q], pass + 1);
          g_autoptr (FbQuery) here = ask (text);
          g_autoptr (GArray) all = fb_query_all (index, here, NULL);
          for (guint step = 0; step <= n; step += stride)
            check_step (context, index, query, questions[q], pass, step, all, name, data);
        }
    }
}

static void
test_every_step (void)
{
  Count count = { 0 };
  for_each_sample (1, check_row, &count);
  g_assert_cmpuint (count.n_found, >, 1000);
  /* some came to match because sources changed */
  g_assert_cmpuint (count.n_changed, >, 5);
}

/* Steps of a rule are its firings; growth is what the graphs say. */
static void
check_steps (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  guint *n_again = data;
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  g_autoptr (FbQueryIndex) index = fb_query_index_new (history);
  g_autoptr (FbQuery) views = ask ("rule=movement-to-view"), growth = ask ("is:growth"), again = ask ("is:again");
  g_autoptr (GArray) fired = fb_query_stops (index, views, NULL), grown = fb_query_stops (index, growth, NULL);
  g_autoptr (GArray) reappeared = fb_query_all (index, again, NULL);
  guint f = 0, g = 0;
  for (guint p = 0; p < schedule->passes->len; p++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, p);
      guint before = 0;
      for (guint s = 0; s <= pass->matches->len; s++)
        {
          if (s
              && !strcmp (fb_rule_set_rule (pass->rules, fb_pass_match (pass, s - 1)->rule)->name, "movement-to-view"))
            {
              const FbHit *hit = &g_array_index (fired, FbHit, f++);
              g_assert_true (hit->pass == p && hit->step == s);
            }
          g_autoptr (FbStep) step = fb_step_new (context, pass, s, NULL);
          g_autoptr (GPtrArray) graph = fb_uop_toposort (step->context, step->after_sink);
          if (s && graph->len > before)
            {
              const FbHit *hit = &g_array_index (grown, FbHit, g++);
              g_assert_true (hit->pass == p && hit->step == s);
            }
          before = graph->len;
        }
    }
  g_assert_cmpuint (f, ==, fired->len);
  g_assert_cmpuint (g, ==, grown->len);
  for (guint i = 0; i < reappeared->len; i++)
    {
      const FbHit *hit = &g_array_index (reappeared, FbHit, i);
      g_assert_cmpuint (hit->step, >, 0);
      g_assert_true (fb_history_is_alive (history, hit->life, hit->step));
      g_assert_false (fb_history_is_alive (history, hit->life, hit->step - 1));
      ++*n_again;
    }
}

static void
test_steps (void)
{
  guint n_again = 0;
  for_each_sample (0, check_steps, &n_again);
  g_assert_cmpuint (n_again, >, 0);
}

static void
check_lerp (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data)
{
  static const struct
  {
    const char *text;
    guint n;
  } cases[] = {
    { "op:EXP2", 1 },
    { "RECIP", 1 },
    { "exp2 64x1", 1 },
    { "rule:movement", 13 },
    { "rule=movement", 0 },
    { "rule:schedule.py:77", 13 },
    { "key:00000000000000000000", 0 },
  };
  g_autoptr (FbHistory) history = fb_history_new (schedule, NULL);
  g_autoptr (FbQueryIndex) index = fb_query_index_new (history);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbQuery) query = ask (cases[i].text);
      g_autoptr (GArray) hits = fb_query_all (index, query, NULL);
      g_test_message ("%s: %u", cases[i].text, hits->len);
      g_assert_cmpuint (hits->len, ==, cases[i].n);
    }
  /* a key finds the node that it is of */
  char hex[17];
  FbUop *uop = fb_schedule_pass (schedule, 0)->result->src[0];
  g_autofree char *text = g_strdup_printf ("key:%s", fb_uop_key_hex (context, uop, hex));
  g_autoptr (FbQuery) query = ask (text);
  g_autoptr (GArray) hits = fb_query_all (index, query, NULL);
  g_assert_cmpuint (hits->len, ==, 1);
  g_assert_true (g_array_index (hits, FbHit, 0).uop == uop);
}

static void
test_lerp (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "lerp.db", NULL);
  for_each_row (path, 1, check_lerp, NULL);
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
    { "   ", 3, "ends too soon" },
    { "op:", 3, "value was expected" },
    { "op:FOO", 3, "no op" },
    { "colour:red", 0, "no field colour" },
    { "shape:6y", 6, "shape was expected" },
    { "dtype:flot", 6, "no dtype flot" },
    { "kernel:x", 7, "number" },
    { "key:12g4", 6, "hexadecimal" },
    { "is:nice", 3, "growth or again" },
    { "op:ADD (op:MUL", 7, "bracket" },
    { "op:ADD)", 6, "nothing was expected" },
    { "ADD(x, FOO(y))", 7, "no op or set of ops FOO" },
    { "op:ADD ADD(x,", 10, "closing bracket" },
    { "pattern:\"ADD(x\"", 14, "“,” or “)”" },
    { "op:ADD or ", 10, "ends too soon" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gsize position = 99;
      FbQuery *query = fb_query_new (cases[i].text, &position, &error);
      g_assert_null (query);
      g_assert_error (error, FB_QUERY_ERROR, FB_QUERY_ERROR_SYNTAX);
      if (!strstr (error->message, cases[i].says) || position != cases[i].position)
        g_error ("%s: at %zu: %s", cases[i].text, position, error->message);
    }
}

static void
test_garbage (void)
{
  static const char letters[] = "opargsheiyk:=ADD()[]|,x*\" -or not 0129.×";
  for (guint n = 0; n < 20000; n++)
    {
      char text[32];
      guint len = (guint) g_test_rand_int_range (0, sizeof text);
      for (guint i = 0; i < len; i++)
        text[i] = letters[g_test_rand_int_range (0, sizeof letters - 1)];
      text[len] = 0;
      g_autoptr (GError) error = NULL;
      gsize position = 0;
      g_autoptr (FbQuery) query = fb_query_new (text, &position, &error);
      g_assert_true ((query != NULL) == (error == NULL));
      g_assert_cmpuint (position, <=, len);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/query/query/every-step", test_every_step);
  g_test_add_func ("/query/query/steps", test_steps);
  g_test_add_func ("/query/query/lerp", test_lerp);
  g_test_add_func ("/query/query/refusals-say-where", test_refusals);
  g_test_add_func ("/query/query/garbage", test_garbage);
  return g_test_run ();
}
