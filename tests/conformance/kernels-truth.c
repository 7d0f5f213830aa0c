/* What the interpreter writes beside what the reference wrote. */
#include "kernels.h"

#include <json-glib/json-glib.h>
#include <math.h>

#include "backends/run/fill.h"

typedef struct
{
  JsonArray *want;
  const FbPlan *plan;
  FbMemory memory;
  gint64 *max_of_nan;
  gboolean *tainted; /* of each base: what is in it depends on the order of NaNs */
  const char *what;
  gint64 length;
  guint n_same, n_tainted;
  double worst;
} Truth;

static double
number (JsonNode *node)
{
  return json_node_get_node_type (node) == JSON_NODE_NULL ? NAN : json_node_get_double (node);
}

static double
member (JsonObject *object, const char *name)
{
  return number (json_object_get_member (object, name));
}

/* Does the kernel read what depends on the order of NaNs, or make it? */
static gboolean
is_tainted (Truth *t, guint kernel)
{
  const FbPlanStep *step = fb_plan_step (t->plan, kernel);
  gboolean tainted = t->max_of_nan[kernel] > 0;
  for (guint i = 1; i < step->n_buffers; i++)
    tainted |= t->tainted[fb_plan_buffer (t->plan, step->buffers[i])->base];
  if (step->program != NULL && step->program->args->len > 0 && fb_program_arg (step->program, 0)->read)
    tainted |= t->tainted[fb_plan_buffer (t->plan, step->buffers[0])->base];
  t->tainted[fb_plan_buffer (t->plan, step->buffers[0])->base] = tainted;
  return tainted;
}

static gboolean
compare_truth (guint kernel, G_GNUC_UNUSED double seconds, gpointer user)
{
  Truth *t = user;
  const FbPlanStep *step = fb_plan_step (t->plan, kernel);
  const FbPlanBuffer *buffer = fb_plan_buffer (t->plan, step->buffers[0]);
  JsonObject *want = json_array_get_object_element (t->want, kernel);
  JsonArray *values = json_object_get_array_member (want, "values");
  FbStats got;
  fb_stats (buffer->type, buffer->size, fb_plan_data (t->plan, t->memory.data, step->buffers[0]), &got);
  g_assert_cmpint (json_object_get_int_member (want, "size"), ==, buffer->size);
  if (step->program != NULL)
    t->length += fb_agree_rule (step->program).length;
  if (is_tainted (t, kernel))
    {
      t->n_tainted++;
      return TRUE;
    }
  t->n_same++;
  /* kernels feed each other, so lengths add up; the reference's own exp2, log2 and sin are good for 2^-20 */
  double scale = MAX (MAX (fabs (got.min), fabs (got.max)), 1), allowed = 0;
  if (fb_scalar_is_float (buffer->type))
    {
      double u = buffer->type == FB_SCALAR_FLOAT16 ? 0x1p-11 : buffer->type == FB_SCALAR_BFLOAT16 ? 0x1p-8 : 0x1p-24;
      allowed = (2 * u * (8 + 4 * sqrt ((double) t->length)) + 0x1p-20) * scale;
    }
  if (got.nan != json_object_get_int_member (want, "nan") || got.inf != json_object_get_int_member (want, "inf"))
    g_error ("%s kernel %u: %" G_GINT64_FORMAT " NaN and %" G_GINT64_FORMAT " inf, not %g and %g", t->what, kernel + 1,
             got.nan, got.inf, member (want, "nan"), member (want, "inf"));
  for (guint i = 0; i < got.n_samples; i++)
    {
      double a = number (json_array_get_element (values, i)), b = got.values[i];
      if (a == b || (isnan (a) && isnan (b)))
        continue;
      t->worst = MAX (t->worst, allowed > 0 ? fabs (a - b) / allowed : INFINITY);
      if (!(fabs (a - b) <= allowed))
        g_error ("%s kernel %u: element %" G_GINT64_FORMAT " is %.9g, not %.9g; allowed is %.3g", t->what, kernel + 1,
                 got.at[i], b, a, allowed);
    }
  return TRUE;
}

static void
compare_row (Truth *t, FbCapture *capture, JsonObject *row)
{
  g_autoptr (GError) error = NULL;
  KernelsRow *read = kernels_row_new (capture, (guint) json_object_get_int_member (row, "row"));
  g_autoptr (FbPlan) plan = fb_plan_new (read->schedule, (gsize) 1 << 31, &error);
  g_assert_no_error (error);
  gint64 points = 0;
  for (guint i = 0; i < plan->steps->len; i++)
    points += fb_plan_step (plan, i)->program ? fb_plan_step (plan, i)->program->points : 0;
  t->want = json_object_get_array_member (row, "kernels");
  t->plan = plan;
  t->length = 0;
  t->max_of_nan = g_new0 (gint64, MAX (plan->steps->len, 1));
  t->tainted = g_new0 (gboolean, MAX (plan->buffers->len, 1));
  g_assert_cmpuint (json_array_get_length (t->want), ==, plan->steps->len);
  if (points < 10 * KERNELS_MOST_POINTS)
    {
      const FbRunOptions options
          = { .backend = FB_BACKEND_INTERP, .max_of_nan = t->max_of_nan, .after = compare_truth, .user = t };
      g_assert_true (fb_memory_init (&t->memory, plan->memory, &error));
      fb_plan_fill (plan, t->memory.data, (guint64) json_object_get_int_member (row, "seed"));
      fb_run (plan, &t->memory, &options, NULL, NULL, &error);
      g_assert_no_error (error);
      fb_memory_clear (&t->memory);
    }
  g_free (t->max_of_nan);
  g_free (t->tainted);
  kernels_row_free (read);
}

void
kernels_compare_truth (const char *folder, guint stride)
{
  g_autoptr (GPtrArray) names = kernels_files_in (folder, ".truth.json");
  Truth t = { 0 };
  guint rows = 0;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *json = g_build_filename (folder, name, NULL);
      g_autofree char *database
          = g_strdup_printf ("%s/%.*s.db", folder, (int) (strlen (name) - strlen (".truth.json")), name);
      g_autoptr (JsonParser) parser = json_parser_new ();
      g_autoptr (GError) error = NULL;
      g_autoptr (FbCapture) capture = fb_capture_open (database, NULL, &error);
      g_assert_no_error (error);
      /* Python writes NaN as it is */
      g_autofree char *text = NULL;
      g_file_get_contents (json, &text, NULL, &error);
      g_assert_no_error (error);
      g_autoptr (GString) clean = g_string_new (text);
      g_string_replace (clean, "-Infinity", "-1e999", 0);
      g_string_replace (clean, "Infinity", "1e999", 0);
      g_string_replace (clean, "NaN", "null", 0);
      json_parser_load_from_data (parser, clean->str, -1, &error);
      g_assert_no_error (error);
      JsonArray *array = json_node_get_array (json_parser_get_root (parser));
      for (guint r = 0; r < json_array_get_length (array); r++, rows++)
        if (rows % stride == 0)
          {
            JsonObject *row = json_array_get_object_element (array, r);
            g_autofree char *what
                = g_strdup_printf ("%s row %" G_GINT64_FORMAT, name, json_object_get_int_member (row, "row"));
            t.what = what;
            compare_row (&t, capture, row);
          }
    }
  g_test_message (
      "%u kernels agree with the reference, at most %.2g of what is allowed apart; %u depend on the order of "
      "NaNs",
      t.n_same, t.worst, t.n_tainted);
  g_assert_cmpuint (t.n_same, >, 0);
}
