/* Laws of the text diff: it rebuilds both texts, and it is as short as a plain dynamic program finds. */
#include <string.h>

#include "viz/textdiff-private.h"

/* Rows kept in full: the old text from removed and same rows, the new one from added and same rows. */
static void
check_rebuilds (const char *before, const char *after)
{
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (before, after, G_MAXUINT);
  g_autoptr (GString) old_text = g_string_new (NULL);
  g_autoptr (GString) new_text = g_string_new (NULL);
  guint old_line = 0, new_line = 0;

  for (guint i = 0; i < diff->n_rows; i++)
    {
      const FbDiffRow *row = &diff->rows[i];
      if (row->kind != FB_DIFF_ADDED)
        {
          g_assert_cmpuint (row->old_line, ==, ++old_line);
          g_string_append_len (old_text, row->was ? row->was : row->text, row->was ? row->was_len : row->len);
          g_string_append_c (old_text, '\n');
        }
      if (row->kind != FB_DIFF_REMOVED)
        {
          g_assert_cmpuint (row->new_line, ==, ++new_line);
          g_string_append_len (new_text, row->text, row->len);
          g_string_append_c (new_text, '\n');
        }
      for (guint s = 0; s < row->n_spans; s++)
        {
          FbDiffSpan span = diff->spans[row->first_span + s];
          g_assert_cmpuint (span.len, >, 0);
          g_assert_cmpuint (span.start + span.len, <=, row->len);
        }
      if (row->pair != G_MAXUINT32)
        g_assert_cmpuint (diff->rows[row->pair].pair, ==, i);
    }
  g_assert_cmpstr (old_text->str, ==, before);
  g_assert_cmpstr (new_text->str, ==, after);
  g_assert_cmpuint (old_line, ==, diff->n_removed + diff->n_same);
  g_assert_cmpuint (new_line, ==, diff->n_added + diff->n_same);
}

static char *
random_text (GRand *rand, guint lines, guint words)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < lines; i++)
    g_string_append_printf (text, "f(%d, %d)\n", g_rand_int_range (rand, 0, (gint) words),
                            g_rand_int_range (rand, 0, 2));
  return g_string_free (text, FALSE);
}

static void
test_rebuilds (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  check_rebuilds ("", "");
  check_rebuilds ("", "a\n");
  check_rebuilds ("a\n", "");
  check_rebuilds ("\n\n", "\n");
  for (guint i = 0; i < 300; i++)
    {
      g_autofree char *a = random_text (rand, (guint) g_rand_int_range (rand, 0, 30), 1 + i % 7);
      g_autofree char *b = random_text (rand, (guint) g_rand_int_range (rand, 0, 30), 1 + i % 7);
      check_rebuilds (a, b);
    }
}

static guint
longest_common (const guint32 *a, guint n, const guint32 *b, guint m)
{
  g_autofree guint *row = g_new0 (guint, m + 1);
  for (guint i = 1; i <= n; i++)
    for (guint j = 1, diagonal = 0, up; j <= m; j++, diagonal = up)
      {
        up = row[j];
        row[j] = a[i - 1] == b[j - 1] ? diagonal + 1 : MAX (row[j], row[j - 1]);
      }
  return row[m];
}

static void
test_shortest (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (guint round = 0; round < 2000; round++)
    {
      guint32 a[40], b[40];
      guint8 changed_a[40] = { 0 }, changed_b[40] = { 0 };
      guint n = (guint) g_rand_int_range (rand, 0, 41), m = (guint) g_rand_int_range (rand, 0, 41), kept = 0, i = 0;
      guint letters = 1 + round % 6;
      for (guint k = 0; k < n; k++)
        a[k] = (guint32) g_rand_int_range (rand, 0, (gint) letters);
      for (guint k = 0; k < m; k++)
        b[k] = (guint32) g_rand_int_range (rand, 0, (gint) letters);
      g_assert_true (fb_diff_sequences (a, n, b, m, changed_a, changed_b, 1000));
      for (guint k = 0; k < n; k++)
        kept += !changed_a[k];
      g_assert_cmpuint (kept, ==, longest_common (a, n, b, m));
      /* what is kept is the same on both sides */
      for (guint j = 0; j < m; j++)
        if (!changed_b[j])
          {
            while (changed_a[i])
              i++;
            g_assert_cmpuint (a[i++], ==, b[j]);
          }

      /* beyond the limit it is still a difference, only a longer one */
      memset (changed_a, 0, sizeof changed_a);
      memset (changed_b, 0, sizeof changed_b);
      fb_diff_sequences (a, n, b, m, changed_a, changed_b, 2);
      i = 0;
      for (guint j = 0; j < m; j++)
        if (!changed_b[j])
          {
            while (i < n && changed_a[i])
              i++;
            g_assert_cmpuint (i, <, n);
            g_assert_cmpuint (a[i++], ==, b[j]);
          }
      for (; i < n; i++)
        g_assert_true (changed_a[i]);
    }
}

static char *
span_text (const FbTextDiff *diff, guint row, guint span)
{
  FbDiffSpan s = diff->spans[diff->rows[row].first_span + span];
  return g_strndup (diff->rows[row].text + s.start, s.len);
}

/* The step of the sample: op and argument are two changed parts, and the argument is one although its middle is the same. */
static void
test_words (void)
{
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (
      "UOp(Ops.EXPAND, dtypes.float, arg=(64, 64), src=(\n  x,))",
      "UOp(Ops.VIEW, dtypes.float, arg=ShapeTracker(views=(View(shape=(64, 64), strides=(1, 0), offset=0, mask=None, "
      "contiguous=False),)), src=(\n  x,))",
      3);

  g_assert_cmpuint (diff->n_rows, ==, 3);
  g_assert_cmpuint (diff->rows[0].pair, ==, 1);
  g_assert_cmpuint (diff->rows[0].n_spans, ==, 2);
  g_assert_cmpuint (diff->rows[1].n_spans, ==, 2);
  g_autofree char *expand = span_text (diff, 0, 0);
  g_autofree char *view = span_text (diff, 1, 0);
  g_autofree char *shape = span_text (diff, 0, 1);
  g_autofree char *tracker = span_text (diff, 1, 1);
  g_assert_cmpstr (expand, ==, "EXPAND");
  g_assert_cmpstr (view, ==, "VIEW");
  g_assert_cmpstr (shape, ==, "(64, 64)");
  g_assert_cmpstr (tracker, ==,
                   "ShapeTracker(views=(View(shape=(64, 64), strides=(1, 0), offset=0, mask=None, "
                   "contiguous=False),))");
}

static void
test_unlike_lines (void)
{
  g_autoptr (FbTextDiff) diff = fb_text_diff_new ("alpha beta gamma delta epsilon zeta\n", "one two three\n", 3);
  g_assert_cmpuint (diff->n_rows, ==, 2);
  g_assert_cmpuint (diff->rows[0].pair, ==, G_MAXUINT32);
  g_assert_cmpuint (diff->rows[0].n_spans, ==, 0);
}

static void
test_context (void)
{
  GString *a = g_string_new (NULL), *b = g_string_new (NULL);
  for (guint i = 0; i < 100; i++)
    {
      g_string_append_printf (a, "line %u\n", i);
      g_string_append_printf (b, i == 50 ? "other %u\n" : "line %u\n", i);
    }
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (a->str, b->str, 3);
  g_autofree char *text = fb_text_diff_to_text (diff);
  g_assert_cmpuint (diff->n_rows, ==, 10);
  g_assert_cmpint (diff->rows[0].kind, ==, FB_DIFF_SKIPPED);
  g_assert_cmpuint (diff->rows[0].len, ==, 47);
  g_assert_cmpuint (diff->n_same, ==, 99);
  g_assert_cmpstr (text, ==,
                   "@@ 47 lines the same @@\n line 47\n line 48\n line 49\n-line 50\n+other 50\n line 51\n line 52\n "
                   "line 53\n@@ 46 lines the same @@\n");
  /* a gap of one line is not worth a row that says so */
  g_autoptr (FbTextDiff) close = fb_text_diff_new ("a\n1\n2\n3\nb\n", "x\n1\n2\n3\ny\n", 1);
  for (guint i = 0; i < close->n_rows; i++)
    g_assert_cmpint (close->rows[i].kind, !=, FB_DIFF_SKIPPED);
  g_string_free (a, TRUE);
  g_string_free (b, TRUE);
}

static void
test_line_ends (void)
{
  g_autoptr (FbTextDiff) diff = fb_text_diff_new ("a\r\nb\r\nc", "a\nb\nc\n", 3);
  g_assert_cmpuint (diff->n_removed + diff->n_added, ==, 0);
  g_assert_cmpuint (diff->n_same, ==, 3);
}

#define DEVICE "UOp(Ops.DEVICE, dtypes.void, arg='CPU', src=()),)),"
#define VIEW "UOp(Ops.VIEW, dtypes.float, arg=None, src=("

static void
check_nodes (const char *before, const char *after, const char *wanted)
{
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (before, after, 3);
  g_autofree char *text = fb_text_diff_to_text (diff);
  g_assert_cmpstr (text, ==, wanted);
  check_rebuilds (before, after);
}

/* One node less: what is below it is as it was, though set in less, called otherwise and closed by fewer brackets. */
static void
test_nodes_shift (void)
{
  check_nodes ("UOp(Ops.RESHAPE, dtypes.float, arg=(4,), src=(\n  UOp(Ops.ADD, dtypes.float, arg=None, src=(\n"
               "    x2:=" VIEW "\n      UOp(Ops.DEVICE, dtypes.void, arg='CPU', src=()),)),\n     x2,)),))\n",
               "UOp(Ops.ADD, dtypes.float, arg=None, src=(\n  x1:=" VIEW
               "\n    UOp(Ops.DEVICE, dtypes.void, arg='CPU', src=()),)),\n   x1,))\n",
               "-UOp(Ops.RESHAPE, dtypes.float, arg=(4,), src=(\n UOp(Ops.ADD, dtypes.float, arg=None, src=(\n"
               "   x1:=" VIEW "\n     UOp(Ops.DEVICE, dtypes.void, arg='CPU', src=()),)),\n    x1,))\n");
}

/* A name that stands for another node is no longer the same, although its number may be. */
static void
test_nodes_names (void)
{
  const char *text = "UOp(Ops.ADD, dtypes.float, arg=None, src=(\n  x1:=" VIEW "\n    " DEVICE "\n  x3:=" VIEW
                     "\n    " DEVICE "\n  UOp(Ops.MUL, dtypes.float, arg=None, src=(\n     %s,\n     x3,)),))\n";
  g_autofree char *before = g_strdup_printf (text, "x1"), *after = g_strdup_printf (text, "x3");
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (before, after, 0);
  g_autofree char *lines = fb_text_diff_to_text (diff);
  g_assert_nonnull (strstr (lines, "-     x1,\n+     x3,\n"));
  g_assert_cmpuint (diff->n_removed, ==, 1);
  g_assert_cmpuint (diff->n_added, ==, 1);
}

/* A source that went from one node to another is told, though its line reads the same. */
static void
test_nodes_sources (void)
{
  const char *nodes = "UOp(Ops.SINK, dtypes.void, arg=None, src=(\n  UOp(Ops.KERNEL, dtypes.void, arg=None, src=(\n"
                      "    " VIEW "\n      " DEVICE "\n%s" VIEW "\n%s  " DEVICE "\n";
  g_autofree char *before = g_strdup_printf (nodes, "    ", "    "), *after = g_strdup_printf (nodes, "  ", "  ");
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (before, after, 3);
  g_assert_cmpuint (diff->n_removed, ==, 1);
  g_assert_cmpuint (diff->n_added, ==, 1);
  g_assert_cmpuint (diff->n_same, ==, 5);
}

/* What only looks like a text of nodes. */
static void
test_nodes_odd (void)
{
  check_nodes ("x1,\nx1:=\nx99999999999999999999:=UOp(\n", "x2,\nx1:=\nx99999999999999999998:=UOp(\n",
               "-x1,\n+x2,\n x1:=\n-x99999999999999999999:=UOp(\n+x99999999999999999998:=UOp(\n");
  check_nodes ("  \n)),\nUOp(\n", " \n),\nUOp(),\n", "-  \n-)),\n-UOp(\n+ \n+),\n+UOp(),\n");
}

/* 100,000 lines with nothing in common, twice over: bounded. */
static void
test_large (void)
{
  GString *a = g_string_new (NULL), *b = g_string_new (NULL);
  for (guint i = 0; i < 100000; i++)
    {
      g_string_append_printf (a, "%u\n", i * 7919 % 50000);
      g_string_append_printf (b, "%u\n", i * 104729 % 60000);
    }
  g_autoptr (FbTextDiff) diff = fb_text_diff_new (a->str, b->str, 3);
  g_assert_cmpuint (diff->n_removed + diff->n_same, ==, 100000);
  g_assert_cmpuint (diff->n_added + diff->n_same, ==, 100000);
  g_assert_false (diff->exact);
  g_string_free (a, TRUE);
  g_string_free (b, TRUE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viz/textdiff/rebuilds", test_rebuilds);
  g_test_add_func ("/viz/textdiff/shortest", test_shortest);
  g_test_add_func ("/viz/textdiff/words", test_words);
  g_test_add_func ("/viz/textdiff/unlike-lines", test_unlike_lines);
  g_test_add_func ("/viz/textdiff/context", test_context);
  g_test_add_func ("/viz/textdiff/line-ends", test_line_ends);
  g_test_add_func ("/viz/textdiff/nodes-shift", test_nodes_shift);
  g_test_add_func ("/viz/textdiff/nodes-names", test_nodes_names);
  g_test_add_func ("/viz/textdiff/nodes-sources", test_nodes_sources);
  g_test_add_func ("/viz/textdiff/nodes-odd", test_nodes_odd);
  g_test_add_func ("/viz/textdiff/large", test_large);
  return g_test_run ();
}
