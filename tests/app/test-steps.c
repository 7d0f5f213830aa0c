/* Places among all steps of a row, and marks at them. No display. */
#include "app/step-marks.h"

/* Passes with these numbers of steps. */
static FbRowView *
row_with (guint n, const guint *n_steps)
{
  FbRowView *row = g_new0 (FbRowView, 1);
  row->n_passes = n;
  row->passes = g_new0 (FbPassView, n);
  for (guint i = 0; i < n; i++)
    {
      FbPass *pass = g_new0 (FbPass, 1);
      pass->title = i == 1 ? "realize" : "fix-ups";
      row->passes[i].pass = pass;
      row->passes[i].kernel = i >= 3 ? i - 2 : 0;
      row->passes[i].n_steps = n_steps[i];
      row->passes[i].first = row->n_steps + 1;
      row->n_steps += n_steps[i];
    }
  return row;
}

static void
free_row (FbRowView *row)
{
  for (guint i = 0; i < row->n_passes; i++)
    g_free ((gpointer) row->passes[i].pass);
  g_free (row->passes);
  g_free (row);
}

static void
test_index (void)
{
  static const guint shapes[][6] = {
    { 3, 0, 2, 0, 1, 0 }, { 0, 0, 1, 0, 0, 4 }, { 0, 0, 0, 0, 0, 0 }, { 2, 2, 2, 2, 2, 2 }, { 5, 0, 0, 0, 0, 0 },
  };
  for (guint k = 0; k < G_N_ELEMENTS (shapes); k++)
    {
      FbRowView *row = row_with (6, shapes[k]);
      guint index = 0;
      for (guint pass = 0; pass < 6; pass++)
        for (guint step = 1; step <= shapes[k][pass]; step++)
          {
            FbStepPosition there = fb_step_position_from_index (row, ++index);
            g_assert_cmpuint (there.pass, ==, pass);
            g_assert_cmpuint (there.step, ==, step);
            g_assert_cmpuint (fb_step_position_to_index (row, there), ==, index);
            g_assert_true (fb_step_position_exists (row, there));
          }
      g_assert_cmpuint (index, ==, row->n_steps);
      FbStepPosition start = fb_step_position_from_index (row, 0);
      g_assert_cmpuint (start.pass, ==, 0);
      g_assert_cmpuint (start.step, ==, 0);
      /* Beyond the end is the end. */
      FbStepPosition end = fb_step_position_from_index (row, index + 7);
      g_assert_cmpuint (fb_step_position_to_index (row, end), ==, index);
      g_assert_cmpuint (fb_step_position_to_index (row, (FbStepPosition){ 99, 99 }), ==, index);
      g_assert_false (fb_step_position_exists (row, (FbStepPosition){ 6, 0 }));
      g_assert_false (fb_step_position_exists (row, (FbStepPosition){ 0, shapes[k][0] + 1 }));
      free_row (row);
    }
}

static void
check_parse (const FbRowView *row, const char *text, int pass, int step)
{
  FbStepPosition position = { 77, 77 };
  g_autoptr (GError) error = NULL;
  gboolean ok = fb_step_position_parse (row, text, &position, &error);
  if (pass < 0)
    {
      g_assert_false (ok);
      g_assert_nonnull (error);
      g_assert_cmpuint (position.pass, ==, 77);
      return;
    }
  g_assert_no_error (error);
  g_assert_true (ok);
  g_assert_cmpint (position.pass, ==, pass);
  g_assert_cmpint (position.step, ==, step);
}

static void
test_parse (void)
{
  FbRowView *row = row_with (6, (guint[]){ 3, 0, 2, 0, 1, 0 });
  check_parse (row, "0", 0, 0);
  check_parse (row, "3", 0, 3);
  check_parse (row, " 4 ", 2, 1);
  check_parse (row, "6", 4, 1);
  check_parse (row, "7", -1, 0);
  check_parse (row, "-1", -1, 0);
  check_parse (row, "3:2", 2, 2);
  check_parse (row, "3 : 0", 2, 0);
  check_parse (row, "3:3", -1, 0);
  check_parse (row, "0:0", -1, 0);
  check_parse (row, "7:0", -1, 0);
  check_parse (row, "realize", 1, 0);
  check_parse (row, "Fix-ups:3", 0, 3);
  check_parse (row, "kernel 2:1", 4, 1);
  check_parse (row, "kernel 3", 5, 0);
  check_parse (row, "kernel 4", -1, 0);
  check_parse (row, "", -1, 0);
  check_parse (row, ":", -1, 0);
  check_parse (row, "3:", -1, 0);
  check_parse (row, "99999999999999999999", -1, 0);
  g_autofree char *text = fb_step_position_to_text ((FbStepPosition){ 2, 12 });
  g_assert_cmpstr (text, ==, "3:12");
  free_row (row);
  row = row_with (0, NULL);
  check_parse (row, "0", -1, 0);
  free_row (row);
}

static void
count (FbStepMarks *marks, guint kind, guint *n)
{
  n[kind]++;
}

static void
test_marks (void)
{
  g_autoptr (FbStepMarks) marks = fb_step_marks_new ();
  guint n[FB_N_STEP_MARK_KINDS] = { 0 };
  const char *label;
  FbStepPosition found;
  g_signal_connect (marks, "changed", G_CALLBACK (count), n);
  fb_step_marks_add (marks, FB_STEP_BOOKMARK, (FbStepPosition){ 2, 5 }, "later");
  fb_step_marks_add (marks, FB_STEP_BOOKMARK, (FbStepPosition){ 0, 7 }, NULL);
  fb_step_marks_add (marks, FB_STEP_BOOKMARK, (FbStepPosition){ 2, 5 }, "renamed");
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_BOOKMARK), ==, 2);
  g_assert_cmpuint (fb_step_marks_get (marks, FB_STEP_BOOKMARK, 0, &label).step, ==, 7);
  g_assert_null (label);
  fb_step_marks_get (marks, FB_STEP_BOOKMARK, 1, &label);
  g_assert_cmpstr (label, ==, "renamed");
  g_assert_cmpuint (n[FB_STEP_BOOKMARK], ==, 3);

  const FbStepPosition hits[] = { { 3, 1 }, { 0, 9 }, { 1, 0 }, { 0, 9 }, { 0, 2 } };
  fb_step_marks_set (marks, FB_STEP_HIT, 3, hits);
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_HIT), ==, 3);
  fb_step_marks_append (marks, FB_STEP_HIT, 2, hits + 3);
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_HIT), ==, 4);
  g_assert_cmpuint (n[FB_STEP_HIT], ==, 2);
  static const FbStepPosition sorted[] = { { 0, 2 }, { 0, 9 }, { 1, 0 }, { 3, 1 } };
  for (guint i = 0; i < 4; i++)
    g_assert_true (fb_step_position_equal (fb_step_marks_get (marks, FB_STEP_HIT, i, NULL), sorted[i]));
  g_assert_cmpuint (fb_step_marks_find (marks, FB_STEP_HIT, (FbStepPosition){ 0, 3 }), ==, 1);
  g_assert_cmpuint (fb_step_marks_find (marks, FB_STEP_HIT, (FbStepPosition){ 9, 0 }), ==, 4);

  /* Walking goes from mark to mark and never stays. */
  FbStepPosition at = { 0, 0 };
  guint walked = 0;
  for (; fb_step_marks_walk (marks, FB_STEP_HIT, at, 1, &found); at = found)
    g_assert_true (fb_step_position_equal (found, sorted[walked++]));
  g_assert_cmpuint (walked, ==, 4);
  for (; fb_step_marks_walk (marks, FB_STEP_HIT, at, -1, &found); at = found)
    walked--;
  g_assert_cmpuint (walked, ==, 1);
  g_assert_false (fb_step_marks_walk (marks, FB_STEP_BREAK, at, 1, &found));

  g_assert_true (fb_step_marks_remove (marks, FB_STEP_BOOKMARK, (FbStepPosition){ 0, 7 }));
  g_assert_false (fb_step_marks_remove (marks, FB_STEP_BOOKMARK, (FbStepPosition){ 0, 7 }));
  g_assert_cmpuint (n[FB_STEP_BOOKMARK], ==, 4);
  fb_step_marks_set (marks, FB_STEP_HIT, 0, NULL);
  fb_step_marks_clear (marks, FB_STEP_BREAK);
  fb_step_marks_clear_all (marks);
  g_assert_cmpuint (fb_step_marks_get_n (marks, FB_STEP_BOOKMARK), ==, 0);
  g_assert_cmpuint (n[FB_STEP_BOOKMARK], ==, 5);
  g_assert_cmpuint (n[FB_STEP_HIT], ==, 3);
  g_assert_cmpuint (n[FB_STEP_BREAK], ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/steps/index", test_index);
  g_test_add_func ("/app/steps/parse", test_parse);
  g_test_add_func ("/app/steps/marks", test_marks);
  return g_test_run ();
}
