/* A probed value as text and as JSON. */
#include <math.h>

#include "backends/run/fill.h"
#include "backends/values/slice.h"
#include "backends/values/values.h"

#include "json.h"
#include "run-probe.h"

/* As much of a value is printed. */
#define MAX_ROWS 8
#define MAX_COLUMNS 8

void
fb_cli_append_number (GString *json, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  if (isnan (value))
    g_string_append (json, "null");
  else if (isinf (value))
    g_string_append (json, value > 0 ? "1e999" : "-1e999");
  else
    g_string_append (json, g_ascii_formatd (text, sizeof text, "%.17g", value));
}

void
fb_cli_append_member (GString *json, const char *name, double value)
{
  g_string_append_printf (json, ",\"%s\":", name);
  fb_cli_append_number (json, value);
}

void
fb_cli_probe_begin_json (const FbCliProbe *probe, GString *json)
{
  g_string_append (json, "{\"file\":");
  fb_json_append_string (json, probe->path);
  g_string_append_printf (json, ",\"row\":%u,\"seed\":%" G_GUINT64_FORMAT ",\"backend\":\"%s\"", probe->row,
                          probe->seed, fb_backend_name (probe->run->backend));
}

void
fb_cli_probe_append_node (const FbCliProbe *probe, FbUop *node, GString *json)
{
  char key[17];
  g_string_append_printf (json, ",\"key\":\"%s\",\"op\":\"%s\",\"dtype\":",
                          fb_uop_key_hex (probe->schedule->context, node, key), fb_op_name (node->op));
  fb_json_append_string (json, node->dtype->repr);
}

char *
fb_cli_probe_node_text (const FbCliProbe *probe, FbUop *node)
{
  char key[17];
  return g_strdup_printf ("%s %s", fb_op_name (node->op), fb_uop_key_hex (probe->schedule->context, node, key));
}

static void
print_elements (const FbCliShown *shown)
{
  gint64 columns = shown->n_dims > 0 ? MAX (shown->shape[shown->n_dims - 1], 1) : 1;
  gint64 rows = shown->size / columns;
  for (gint64 r = 0; r < MIN (rows, MAX_ROWS); r++)
    {
      fb_cli_print ("  ");
      for (gint64 c = 0; c < MIN (columns, MAX_COLUMNS); c++)
        {
          char text[FB_VALUE_TEXT];
          fb_value_text (shown->type, shown->data + (r * columns + c) * fb_scalar_size (shown->type), FB_VALUE_DECIMAL,
                         text);
          fb_cli_print (" %12s", text);
        }
      fb_cli_print (columns > MAX_COLUMNS ? " …\n" : "\n");
    }
  if (rows > MAX_ROWS)
    fb_cli_print ("   …\n");
}

void
fb_cli_shown_print (const FbCliProbe *p, const FbCliShown *shown)
{
  g_autofree char *node = fb_cli_probe_node_text (p, shown->node), *shape = fb_shape_text (shown->n_dims, shown->shape);
  FbStats stats;
  fb_stats (shown->type, shown->size, shown->data, &stats);
  if (shown->kernel > 0)
    fb_cli_print (_ ("kernel %u: "), shown->kernel);
  fb_cli_print ("%s  %s %s\n", node, fb_dtype_scalars[shown->type].short_name, shape);
  if (stats.any_finite)
    fb_cli_print (_ ("  %.6g to %.6g, mean %.6g"), stats.min, stats.max,
                  stats.sum / (double) (stats.size - stats.nan - stats.inf));
  if (stats.nan > 0)
    fb_cli_print ("  %" G_GINT64_FORMAT " NaN", stats.nan);
  if (stats.inf > 0)
    fb_cli_print ("  %" G_GINT64_FORMAT " inf", stats.inf);
  fb_cli_print ("\n");
  print_elements (shown);
}

void
fb_cli_shown_append (const FbCliProbe *p, const FbCliShown *shown, GString *json)
{
  FbStats stats;
  fb_stats (shown->type, shown->size, shown->data, &stats);
  if (shown->kernel > 0)
    g_string_append_printf (json, ",\"kernel\":%u", shown->kernel);
  fb_cli_probe_append_node (p, shown->node, json);
  g_string_append (json, ",\"shape\":[");
  for (guint d = 0; d < shown->n_dims; d++)
    g_string_append_printf (json, "%s%" G_GINT64_FORMAT, d ? "," : "", shown->shape[d]);
  g_string_append_printf (json,
                          "],\"size\":%" G_GINT64_FORMAT ",\"nan\":%" G_GINT64_FORMAT ",\"inf\":%" G_GINT64_FORMAT,
                          stats.size, stats.nan, stats.inf);
  fb_cli_append_member (json, "sum", stats.sum);
  fb_cli_append_member (json, "abs", stats.abs);
  fb_cli_append_member (json, "min", stats.any_finite ? stats.min : NAN);
  fb_cli_append_member (json, "max", stats.any_finite ? stats.max : NAN);
  g_string_append (json, ",\"at\":[");
  for (guint i = 0; i < stats.n_samples; i++)
    g_string_append_printf (json, "%s%" G_GINT64_FORMAT, i ? "," : "", stats.at[i]);
  g_string_append (json, "],\"values\":[");
  for (guint i = 0; i < stats.n_samples; i++)
    {
      g_string_append (json, i ? "," : "");
      fb_cli_append_number (json, stats.values[i]);
    }
  g_string_append_c (json, ']');
}
