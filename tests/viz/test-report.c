/* The report of a pass: every step is there, tags are closed, nothing is fetched or run. */
#include <string.h>

#include "sample-scene.h"
#include "viz/report.h"

static char *
report_of (Sample *sample, guint first, guint last)
{
  FbReportInfo info = { "a <b> & \"c\".db", "row 1", "Fusebox", fb_metrics_default };
  g_autoptr (FbReport) report = fb_report_new (sample->context, sample->pass, first, last, &info);
  GString *page = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  guint done = 0, n = 0;
  do
    {
      g_autoptr (GBytes) bytes = fb_report_take (report);
      if (bytes)
        g_string_append_len (page, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes));
      g_assert_cmpuint (done, ==, n++);
    }
  while (fb_report_add (report, &done, &error));
  g_assert_no_error (error);
  g_assert_null (fb_report_take (report));
  return g_string_free (page, FALSE);
}

static guint
count (const char *text, const char *what)
{
  guint n = 0;
  for (const char *p = text; (p = strstr (p, what)); p += strlen (what))
    n++;
  return n;
}

/* Tags close in the order they opened; those of HTML that never close are left out. */
static void
check_tags (const char *page)
{
  static const char *const single[] = { "meta", "!DOCTYPE", NULL };
  g_autoptr (GPtrArray) open = g_ptr_array_new_with_free_func (g_free);
  for (const char *p = page; (p = strchr (p, '<'));)
    {
      const char *end = strchr (p, '>');
      g_assert_nonnull (end);
      gboolean closes = p[1] == '/';
      const char *name = p + 1 + closes;
      g_autofree char *tag = g_strndup (name, strcspn (name, " >/\n"));
      if (closes)
        {
          g_assert_cmpuint (open->len, >, 0);
          g_assert_cmpstr (g_ptr_array_index (open, open->len - 1), ==, tag);
          g_ptr_array_set_size (open, (gint) open->len - 1);
        }
      else if (end[-1] != '/' && !g_strv_contains (single, tag))
        g_ptr_array_add (open, g_steal_pointer (&tag));
      p = end;
    }
  g_assert_cmpuint (open->len, ==, 0);
}

static void
test_pass (void)
{
  Sample sample;
  sample_open (&sample, "lerp.db");
  guint n = sample.pass->matches->len;
  g_autofree char *page = report_of (&sample, 1, n);
  check_tags (page);
  g_assert_cmpuint (count (page, "<section id=\"s"), ==, n);
  g_assert_cmpuint (count (page, "<li><a href=\"#s"), ==, n);
  g_assert_cmpuint (count (page, "<svg "), ==, n);
  g_assert_cmpuint (count (page, "<pre class=\"diff\">"), ==, n);
  g_assert_nonnull (strstr (page, "mov(x) -&gt; view(x)"));
  g_assert_nonnull (strstr (page, "schedule.py:77"));
  g_assert_nonnull (strstr (page, "a &lt;b&gt; &amp; &quot;c&quot;.db"));
  g_assert_nonnull (strstr (page, "prefers-color-scheme:dark"));
  g_assert_cmpuint (count (page, "<script"), ==, 0);
  g_assert_cmpuint (count (page, "src=\""), ==, 0);
  /* the only addresses are names of SVG */
  g_assert_cmpuint (count (page, "http"), ==, n + count (page, "http-equiv"));
  sample_close (&sample);
}

static void
test_one_step (void)
{
  Sample sample;
  sample_open (&sample, "lerp.db");
  g_autofree char *page = report_of (&sample, 19, 19);
  check_tags (page);
  g_assert_cmpuint (count (page, "<section id=\"s19\""), ==, 1);
  g_assert_cmpuint (count (page, "<section"), ==, 1);
  /* what the step replaced, made and rebuilt, by the words of the picture */
  g_assert_nonnull (strstr (page, "class=\"replaced\" data-op=\"EXPAND\""));
  g_assert_nonnull (strstr (page, "class=\"new\" data-op=\"VIEW\""));
  g_assert_nonnull (strstr (page, "<span class=\"old\">- UOp(Ops.<b>EXPAND</b>"));
  g_assert_nonnull (strstr (page, "<span class=\"new\">+ UOp(Ops.<b>VIEW</b>"));
  sample_close (&sample);
}

static void
test_empty (void)
{
  Sample sample;
  sample_open (&sample, "lerp.db");
  g_autofree char *page = report_of (&sample, 1, 0);
  check_tags (page);
  g_assert_nonnull (strstr (page, "This pass changed nothing."));
  sample_close (&sample);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viz/report/pass", test_pass);
  g_test_add_func ("/viz/report/one-step", test_one_step);
  g_test_add_func ("/viz/report/empty", test_empty);
  return g_test_run ();
}
