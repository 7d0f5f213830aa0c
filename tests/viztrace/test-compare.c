/* Two traces beside each other: what is the same, what changed, and graphs of both in one context. */
#include <string.h>

#include "core/rewrite/step.h"
#include "core/viztrace/compare-private.h"

static GBytes *
sample (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "traces", name, NULL);
  g_autoptr (GError) error = NULL;
  char *text;
  gsize len;

  g_file_get_contents (path, &text, &len, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (text, len);
}

/* @from, as long as @to, made @to wherever it is. */
static GBytes *
edited (GBytes *bytes, const char *from, const char *to)
{
  gsize len, n = strlen (from), found = 0;
  const guint8 *data = g_bytes_get_data (bytes, &len);
  guint8 *copy = g_memdup2 (data, len);

  g_assert_cmpuint (n, ==, strlen (to));
  for (gsize i = 0; i + n <= len; i++)
    if (memcmp (copy + i, from, n) == 0)
      {
        memcpy (copy + i, to, n);
        found++;
      }
  g_assert_cmpuint (found, >, 0);
  return g_bytes_new_take (copy, len);
}

static FbVizTrace *
trace_of (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  FbVizTrace *trace = fb_viz_trace_new (bytes, "test", NULL, &error);

  g_assert_no_error (error);
  return trace;
}

static FbVizComparison *
compare (GBytes *a, GBytes *b)
{
  g_autoptr (FbVizTrace) first = trace_of (a), second = trace_of (b);
  g_autoptr (GError) error = NULL;
  FbVizComparison *comparison = fb_viz_comparison_new (first, second, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return comparison;
}

/* --- alignment --- */

static guint
score_letters (guint a, guint b, gpointer data)
{
  const char *const *words = data;

  return words[0][a] == words[1][b] ? 10 : 0;
}

static void
check_align (const char *a, const char *b, const char *expected)
{
  const char *words[] = { a, b };
  g_autofree int *partner = g_new (int, strlen (a) + 1);
  g_autoptr (GString) text = g_string_new (NULL);

  fb_viz_align ((guint) strlen (a), (guint) strlen (b), score_letters, words, partner);
  for (gsize i = 0; a[i]; i++)
    g_string_append_c (text, partner[i] < 0 ? '-' : b[partner[i]]);
  g_assert_cmpstr (text->str, ==, expected);
}

static void
test_align (void)
{
  check_align ("", "", "");
  check_align ("", "abc", "");
  check_align ("abc", "", "---");
  check_align ("abc", "abc", "abc");
  check_align ("abcd", "bd", "-b-d");
  check_align ("bd", "abcd", "bd");
  check_align ("abxcd", "abycd", "ab-cd");
  check_align ("aab", "ab", "-ab");
  check_align ("ab", "ba", "a-");
}

static guint
score_numbers (guint a, guint b, gpointer data)
{
  guint shift = GPOINTER_TO_UINT (data);

  return a + shift == b ? 10 : 0;
}

/* Far more than a table of all pairs could hold. */
static void
test_align_long (void)
{
  guint n = 20000, shift = 100, found = 0;
  g_autofree int *partner = g_new (int, n);

  fb_viz_align (n, n + shift, score_numbers, GUINT_TO_POINTER (shift), partner);
  for (guint i = 0; i < n; i++)
    found += partner[i] == (int) (i + shift);
  g_assert_cmpuint (found, ==, n);
  fb_viz_align (3, 5000000, score_numbers, GUINT_TO_POINTER (0), partner);
  g_assert_cmpint (partner[0], ==, 0);
}

/* --- comparisons --- */

static void
test_same (void)
{
  static const char *const names[] = { "relu.v0.10.2.pkl", "relu.v0.11.0.pkl", "relu.v0.13.0.pkl", "relu.2026-08.pkl" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GBytes) bytes = sample (names[i]);
      g_autoptr (FbVizComparison) comparison = compare (bytes, bytes);
      guint n = fb_viz_trace_n_contexts (fb_viz_comparison_trace (comparison, 0));

      g_assert_true (fb_viz_comparison_is_same (comparison));
      g_assert_cmpuint (fb_viz_comparison_n_pairs (comparison), ==, n);
      g_assert_cmpuint (fb_viz_comparison_count (comparison, FB_VIZ_SAME), ==, n);
      for (guint k = 0; k < n; k++)
        {
          const FbVizContextPair *pair = fb_viz_comparison_pair (comparison, k);

          g_assert_cmpint (pair->pair.a, ==, k);
          g_assert_cmpint (pair->pair.b, ==, k);
          g_assert_false (pair->moved || pair->renamed);
        }
    }
}

/* Another file and line of the rules, another machine: the same program. */
static void
test_places_do_not_count (void)
{
  g_autoptr (GBytes) bytes = sample ("relu.v0.13.0.pkl"), other = edited (bytes, "/src/tinygrad-", "/tmp/tinybrat-");
  g_autoptr (FbVizComparison) comparison = compare (bytes, other);

  g_assert_true (fb_viz_comparison_is_same (comparison));
}

/* One name of a rewrite is another: it is on both sides alone, and the rest of the context is the same. */
static void
test_rewrite_renamed (void)
{
  g_autoptr (GBytes) bytes = sample ("relu.v0.13.0.pkl"), other = edited (bytes, "get realize", "got realize");
  g_autoptr (FbVizComparison) comparison = compare (bytes, other);
  guint changed = 0;

  for (guint i = 0; i < fb_viz_comparison_n_pairs (comparison); i++)
    {
      const FbVizContextPair *pair = fb_viz_comparison_pair (comparison, i);

      if (pair->pair.relation == FB_VIZ_SAME)
        continue;
      changed++;
      g_assert_cmpint (pair->pair.relation, ==, FB_VIZ_CHANGED);
      g_assert_cmpuint (pair->n_rewrites[FB_VIZ_CHANGED], ==, 0);
      g_assert_cmpuint (pair->n_rewrites[FB_VIZ_ONLY_A], ==, 1);
      g_assert_cmpuint (pair->n_rewrites[FB_VIZ_ONLY_B], ==, 1);
      g_assert_cmpuint (pair->n_rewrites[FB_VIZ_SAME], ==, pair->n_pairs - 2);
      g_assert_cmpint (pair->rewrites[pair->first].relation, !=, FB_VIZ_SAME);
      for (guint k = 0; k < pair->first; k++)
        g_assert_cmpint (pair->rewrites[k].relation, ==, FB_VIZ_SAME);
    }
  g_assert_cmpuint (changed, ==, 1);
  g_assert_false (fb_viz_comparison_is_same (comparison));
}

/* An op is another everywhere: every context that has it changed, none is lost. */
static void
test_op_changed (void)
{
  g_autoptr (GBytes) bytes = sample ("relu.v0.13.0.pkl"), other = edited (bytes, "\x8c\x03MUL", "\x8c\x03ZAP");
  g_autoptr (FbVizComparison) comparison = compare (bytes, other);

  g_assert_cmpuint (fb_viz_comparison_count (comparison, FB_VIZ_CHANGED), >, 0);
  g_assert_cmpuint (fb_viz_comparison_count (comparison, FB_VIZ_ONLY_A), ==, 0);
  g_assert_cmpuint (fb_viz_comparison_count (comparison, FB_VIZ_ONLY_B), ==, 0);
}

/* Two releases: everything of both sides is in exactly one pair, and names find each other. */
static void
test_releases (void)
{
  g_autoptr (GBytes) a = sample ("relu.v0.13.0.pkl"), b = sample ("relu.2026-08.pkl");
  g_autoptr (FbVizComparison) comparison = compare (a, b);
  const FbVizTrace *first = fb_viz_comparison_trace (comparison, 0), *second = fb_viz_comparison_trace (comparison, 1);
  g_autofree guint *seen_a = g_new0 (guint, fb_viz_trace_n_contexts (first));
  g_autofree guint *seen_b = g_new0 (guint, fb_viz_trace_n_contexts (second));
  guint named = 0;

  for (guint i = 0; i < fb_viz_comparison_n_pairs (comparison); i++)
    {
      const FbVizContextPair *pair = fb_viz_comparison_pair (comparison, i);

      if (pair->pair.a >= 0)
        seen_a[pair->pair.a]++;
      if (pair->pair.b >= 0)
        seen_b[pair->pair.b]++;
      named += pair->pair.a >= 0 && pair->pair.b >= 0 && !pair->renamed;
    }
  for (guint i = 0; i < fb_viz_trace_n_contexts (first); i++)
    g_assert_cmpuint (seen_a[i], ==, 1);
  for (guint i = 0; i < fb_viz_trace_n_contexts (second); i++)
    g_assert_cmpuint (seen_b[i], ==, 1);
  g_assert_cmpuint (named, >, 0);
}

static void
test_cancelled (void)
{
  g_autoptr (GBytes) bytes = sample ("relu.v0.13.0.pkl");
  g_autoptr (FbVizTrace) trace = trace_of (bytes);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;

  g_cancellable_cancel (cancellable);
  g_assert_null (fb_viz_comparison_new (trace, trace, NULL, NULL, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* --- graphs of both --- */

/* The same graph of two files is the same node; another op makes another one, over the same sources. */
static void
test_union (void)
{
  g_autoptr (GBytes) bytes = sample ("relu.v0.13.0.pkl"), other = edited (bytes, "\x8c\x03MUL", "\x8c\x03ZAP");
  g_autoptr (FbVizTrace) a = trace_of (bytes), again = trace_of (bytes), b = trace_of (other);
  g_autoptr (FbVizUnion) both = fb_viz_union_new ();
  FbContext *context = fb_viz_union_context (both);
  guint differing = 0, shared = 0;

  for (guint i = 0; i < fb_viz_trace_n_contexts (a); i++)
    {
      const FbVizRewrite *rewrite = fb_viz_trace_context (a, i)->rewrites;
      FbUop *first = fb_viz_union_add (both, a, rewrite, FALSE, NULL);
      FbUop *second = fb_viz_union_add (both, again, fb_viz_trace_context (again, i)->rewrites, FALSE, NULL);
      FbUop *third = fb_viz_union_add (both, b, fb_viz_trace_context (b, i)->rewrites, FALSE, NULL);
      g_autoptr (FbStep) step = NULL;

      g_assert_true (first == second);
      if (first == third)
        continue;
      differing++;
      step = fb_step_new_compare (context, first, third);
      shared += step->n_marks[FB_MARK_SAME] > 0;
      g_assert_cmpuint (step->n_marks[FB_MARK_NEW] + step->n_marks[FB_MARK_REBUILT], >, 0);
    }
  g_assert_cmpuint (differing, >, 0);
  g_assert_cmpuint (shared, ==, differing);
}

/* Buffers are told by the order in which they come up: a graph with other numbers is the same one. */
static void
test_buffer_numbers (void)
{
  static const struct
  {
    const char *op, *repr, *number;
  } cases[] = {
    { "BUFFER", "ParamArg(slot=-1398, dtype=dtypes.float)", "-1398" },
    { "BUFFER", "(5, 10)", "5" },
    { "BUFFER", "Arg2(a1=7)", "7" },
    { "BUFFER", "Arg()", NULL },
    { "BUFFER", "text", NULL },
    { "PARAM", "(5, 10)", NULL },
  };
  g_autoptr (FbContext) context = fb_context_new ();

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const FbOpaque opaque = { .class_name = "", .repr = cases[i].repr };
      FbUop *uop = fb_uop_new (context, fb_op_foreign (cases[i].op), &fb_dtype_scalars[FB_SCALAR_VOID], 0, NULL,
                               (FbArg){ .kind = FB_ARG_OPAQUE, .opaque = &opaque });
      gint64 number = 0;
      gsize from, to;
      gboolean found = fb_viz_buffer_number (uop, &number, &from, &to);

      g_assert_cmpint (found, ==, cases[i].number != NULL);
      if (!found)
        continue;
      g_autofree char *text = g_strndup (cases[i].repr + from, to - from);
      g_assert_cmpstr (text, ==, cases[i].number);
      g_assert_cmpint (number, ==, g_ascii_strtoll (text, NULL, 10));
    }
}

/* As far as a rewrite's result can be shown, it is a graph of the union too. */
static void
test_union_after (void)
{
  g_autoptr (GBytes) bytes = sample ("relu.v0.13.0.pkl");
  g_autoptr (FbVizTrace) trace = trace_of (bytes);
  guint changed = 0;

  for (guint i = 0; i < fb_viz_trace_n_contexts (trace); i++)
    for (guint k = 0; k < fb_viz_trace_context (trace, i)->n_rewrites; k++)
      {
        const FbVizRewrite *rewrite = &fb_viz_trace_context (trace, i)->rewrites[k];
        g_autoptr (FbVizUnion) both = fb_viz_union_new ();
        FbUop *before = fb_viz_union_add (both, trace, rewrite, FALSE, NULL);
        FbUop *after = fb_viz_union_add (both, trace, rewrite, TRUE, NULL);

        g_assert_true (before && after);
        if (!rewrite->n_matches)
          g_assert_true (before == after);
        changed += before != after;
      }
  g_assert_cmpuint (changed, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viztrace/compare/align", test_align);
  g_test_add_func ("/viztrace/compare/align-long", test_align_long);
  g_test_add_func ("/viztrace/compare/same", test_same);
  g_test_add_func ("/viztrace/compare/places-do-not-count", test_places_do_not_count);
  g_test_add_func ("/viztrace/compare/rewrite-renamed", test_rewrite_renamed);
  g_test_add_func ("/viztrace/compare/op-changed", test_op_changed);
  g_test_add_func ("/viztrace/compare/releases", test_releases);
  g_test_add_func ("/viztrace/compare/cancelled", test_cancelled);
  g_test_add_func ("/viztrace/compare/union", test_union);
  g_test_add_func ("/viztrace/compare/buffer-numbers", test_buffer_numbers);
  g_test_add_func ("/viztrace/compare/union-after", test_union_after);
  return g_test_run ();
}
