/* What `fusebox run` prints. */
#include <math.h>

#include "backends/opencl/opencl.h"

#include "json.h"
#include "run-private.h"
#include "run-probe.h"

void
fb_run_append_step (FbRunning *running, guint number, const FbStats *stats, double seconds)
{
  const FbPlanStep *step = fb_plan_step (running->plan, number);
  const FbPlanBuffer *output = fb_plan_buffer (running->plan, step->buffers[0]);
  GString *json = running->json;
  g_string_append_printf (json, "%s{\"kernel\":%u,\"op\":\"%s\",\"out_ordinal\":%d,\"dtype\":", number ? "," : "",
                          number, fb_op_name (step->item->ast->op), output->ordinal);
  fb_json_append_string (json, fb_dtype_scalars[output->type].repr);
  g_string_append_printf (json, ",\"size\":%" G_GINT64_FORMAT ",\"nan\":%" G_GINT64_FORMAT ",\"inf\":%" G_GINT64_FORMAT,
                          stats->size, stats->nan, stats->inf);
  fb_cli_append_member (json, "sum", stats->sum);
  fb_cli_append_member (json, "abs", stats->abs);
  fb_cli_append_member (json, "min", stats->any_finite ? stats->min : NAN);
  fb_cli_append_member (json, "max", stats->any_finite ? stats->max : NAN);
  g_string_append (json, ",\"at\":[");
  for (guint i = 0; i < stats->n_samples; i++)
    g_string_append_printf (json, "%s%" G_GINT64_FORMAT, i ? "," : "", stats->at[i]);
  g_string_append (json, "],\"values\":[");
  for (guint i = 0; i < stats->n_samples; i++)
    {
      g_string_append (json, i ? "," : "");
      fb_cli_append_number (json, stats->values[i]);
    }
  g_string_append_c (json, ']');
  fb_cli_append_member (json, "run_ms", seconds * 1e3);
  g_string_append_c (json, '}');
}

void
fb_run_print_step (FbRunning *running, guint number, const FbStats *stats, double seconds)
{
  const FbPlanStep *step = fb_plan_step (running->plan, number);
  const FbPlanBuffer *output = fb_plan_buffer (running->plan, step->buffers[0]);
  const char *kind = step->kind == FB_STEP_PROGRAM ? "" : fb_op_name (step->item->ast->op);
  g_autofree char *type
      = g_strdup_printf ("%s × %" G_GINT64_FORMAT, fb_dtype_scalars[output->type].short_name, stats->size);
  fb_cli_print ("%6u  %-11s  b%-4d %-22s %10.3f ms", number + 1, kind, output->ordinal, type, seconds * 1e3);
  if (stats->any_finite)
    fb_cli_print (_ ("  %.6g to %.6g, mean %.6g"), stats->min, stats->max,
                  stats->sum / (double) (stats->size - stats->nan - stats->inf));
  if (stats->nan > 0)
    fb_cli_print ("  %" G_GINT64_FORMAT " NaN", stats->nan);
  if (stats->inf > 0)
    fb_cli_print ("  %" G_GINT64_FORMAT " inf", stats->inf);
  fb_cli_print ("\n");
}

void
fb_run_print_json (const FbRunning *running, guint row)
{
  g_autoptr (GString) json = g_string_new ("{\"file\":");
  fb_json_append_string (json, running->path);
  g_string_append_printf (json, ",\"row\":%u,\"seed\":%" G_GUINT64_FORMAT ",\"backend\":\"%s\"", row, running->seed,
                          fb_backend_name (running->backend));
  if (running->backend == FB_BACKEND_OPENCL)
    g_string_append_printf (json, ",\"device\":%u", running->device);
  fb_cli_append_member (json, "compile_ms", running->report.compile_seconds * 1e3);
  fb_cli_append_member (json, "run_ms", running->run_seconds * 1e3);
  g_string_append_printf (json, ",\"kernels\":[%s]}\n", running->json->str);
  fb_cli_write (json->str, json->len);
}

static void
append_device (GString *json, guint number, const FbOpenclDevice *device)
{
  g_string_append_printf (json, "%s{\"backend\":\"opencl:%u\",\"name\":", number > 0 ? "," : "", number);
  fb_json_append_string (json, device->name);
  g_string_append (json, ",\"version\":");
  fb_json_append_string (json, device->version);
  g_string_append (json, ",\"driver\":");
  fb_json_append_string (json, device->driver);
  g_string_append_printf (json, ",\"gpu\":%s,\"double\":%s,\"units\":%u,\"memory\":%" G_GUINT64_FORMAT "}",
                          device->is_gpu ? "true" : "false", device->has_double ? "true" : "false", device->units,
                          device->memory);
}

int
fb_run_print_devices (gboolean json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = fb_opencl_devices (NULL, &error);
  g_autoptr (GString) text = g_string_new ("[");
  if (devices == NULL)
    {
      fb_cli_error ("%s", error->message);
      return FB_EXIT_FAILED;
    }
  for (guint i = 0; i < devices->len; i++)
    {
      const FbOpenclDevice *device = g_ptr_array_index (devices, i);
      append_device (text, i, device);
      if (json)
        continue;
      g_autofree char *name = fb_cli_clean_text (device->name), *version = fb_cli_clean_text (device->version),
                      *memory = g_format_size_full (device->memory, G_FORMAT_SIZE_IEC_UNITS);
      fb_cli_print (_ ("opencl:%u  %s, %u units, %s, %s%s\n"), i, name, device->units, memory, version,
                    device->has_double ? "" : _ (", no 64-bit floats"));
    }
  g_string_append (text, "]\n");
  if (json)
    fb_cli_write (text->str, text->len);
  return FB_EXIT_OK;
}
