#include <string.h>

#include "json.h"
#include "trace-json.h"

/* Settings of a session, not of the schedule: they never change a trace. */
static const char *const ignored_options[] = { "DEBUG", "TRACK_MATCH_STATS", "VIZ", NULL };

static char *
put (char *out, const char *text, gsize len)
{
  memcpy (out, text, len);
  return out + len;
}

static char *
put_key (char *out, FbContext *context, FbUop *uop)
{
  static const char digits[] = "0123456789abcdef";
  const guint8 *key = fb_uop_key (context, uop);
  *out++ = '"';
  for (guint i = 0; i < 8; i++)
    {
      *out++ = digits[key[i] >> 4];
      *out++ = digits[key[i] & 15];
    }
  *out++ = '"';
  return out;
}

/* Passes have tens of thousands of matches: sized once, then filled without a check per field. */
static void
append_matches (GString *json, FbContext *context, const FbPass *pass)
{
  guint n_rules = fb_rule_set_n_rules (pass->rules);
  g_autofree guint *location_len = g_new (guint, n_rules);
  gsize longest = 0;
  for (guint i = 0; i < n_rules; i++)
    {
      location_len[i] = strlen (fb_rule_set_rule (pass->rules, i)->location);
      longest = MAX (longest, location_len[i]);
    }

  gsize begin = json->len;
  /* ["KEY","KEY","LOCATION"], */
  g_string_set_size (json, begin + pass->matches->len * (2 * 18 + longest + 7) + 1);
  char *out = json->str + begin;
  for (guint i = 0; i < pass->matches->len; i++)
    {
      const FbMatch *match = fb_pass_match (pass, i);
      if (i > 0)
        *out++ = ',';
      *out++ = '[';
      out = put_key (out, context, match->before);
      *out++ = ',';
      out = put_key (out, context, match->after);
      out = put (out, ",\"", 2);
      out = put (out, fb_rule_set_rule (pass->rules, match->rule)->location, location_len[match->rule]);
      out = put (out, "\"]", 2);
    }
  g_string_truncate (json, out - json->str);
}

void
fb_trace_append_pass (GString *json, FbContext *context, const FbPass *pass)
{
  char key[17];
  g_string_append (json, "{\"loc\":");
  fb_json_append_string (json, pass->location);
  g_string_append (json, ",\"name\":");
  if (pass->name != NULL)
    fb_json_append_string (json, pass->name);
  else
    g_string_append (json, "null");
  g_string_append_printf (json, ",\"bottom_up\":%s,\"sink\":\"%s\",\"matches\":[", pass->bottom_up ? "true" : "false",
                          fb_uop_key_hex (context, pass->sink, key));
  append_matches (json, context, pass);
  g_string_append (json, "]}");
}

void
fb_trace_append_options (GString *json, const FbCaptureRow *row)
{
  gboolean first = TRUE;
  g_string_append_c (json, '{');
  for (guint i = 0; i < row->vars->len; i++)
    {
      const FbContextVar *var = &g_array_index (row->vars, FbContextVar, i);
      if (!var->known || var->value == var->default_value || g_strv_contains (ignored_options, var->name))
        continue;
      if (!first)
        g_string_append_c (json, ',');
      first = FALSE;
      fb_json_append_string (json, var->name);
      g_string_append_printf (json, ":%" G_GINT64_FORMAT, var->value);
    }
  g_string_append_c (json, '}');
}

/* The set of realizes, the kernels with their buffers, the variables, and how many tensors became something. */
static void
append_outcome (GString *json, FbContext *context, const FbSchedule *schedule)
{
  char key[17];

  g_string_append (json, ",\"realizes\":[");
  for (guint i = 0; i < schedule->realizes->len; i++)
    g_string_append_printf (json, "%s\"%s\"", i ? "," : "",
                            fb_uop_key_hex (context, g_ptr_array_index (schedule->realizes, i), key));
  g_string_append (json, "],\"kernels\":[");
  for (guint i = 0; i < schedule->kernels->len; i++)
    {
      const FbKernelItem *kernel = fb_schedule_kernel (schedule, i);
      if (kernel->ast == NULL)
        continue;
      g_string_append_printf (json, "%s{\"ast\":\"%s\",\"bufs\":[", i ? "," : "",
                              fb_uop_key_hex (context, kernel->ast, key));
      for (guint b = 0; b < kernel->n_buffers; b++)
        {
          const FbKernelBuffer *buffer = &kernel->buffers[b];
          g_string_append (json, b ? ",[" : "[");
          fb_json_append_string (json, buffer->device);
          g_string_append_printf (json, ",%" G_GINT64_FORMAT ",", buffer->size);
          fb_json_append_string (json, buffer->dtype->repr);
          g_string_append_c (json, ']');
        }
      g_string_append (json, "]}");
    }
  g_string_append (json, "],\"var_vals\":{");
  for (guint i = 0; i < schedule->var_vals->len; i++)
    {
      const FbVarVal *entry = &g_array_index (schedule->var_vals, FbVarVal, i);
      const FbTuple *arg = entry->var->arg.kind == FB_ARG_TUPLE ? entry->var->arg.tuple : NULL;
      g_string_append (json, i ? "," : "");
      fb_json_append_string (json, arg && arg->n && arg->items[0].kind == FB_ARG_STR ? arg->items[0].str->bytes : "?");
      g_string_append_c (json, ':');
      fb_arg_append_repr (context, entry->value, json);
    }
  g_string_append_printf (json, "},\"becomes\":%u", schedule->n_becomes);
}

void
fb_trace_append_row (GString *json, FbContext *context, const FbCaptureRow *row, const FbSchedule *schedule,
                     guint only_pass)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, row->sink);
  g_string_append (json, "{\"key\":");
  fb_json_append_string (json, row->key);
  g_string_append_printf (json, ",\"nodes\":%u,\"context\":", nodes->len);
  fb_trace_append_options (json, row);
  g_string_append (json, ",\"passes\":[");
  for (guint i = 0, written = 0; i < schedule->passes->len; i++)
    {
      if (only_pass != 0 && only_pass != i + 1)
        continue;
      if (written++ > 0)
        g_string_append_c (json, ',');
      fb_trace_append_pass (json, context, g_ptr_array_index (schedule->passes, i));
    }
  g_string_append_c (json, ']');
  if (only_pass == 0)
    append_outcome (json, context, schedule);
  if (schedule->error != NULL)
    {
      g_string_append (json, ",\"error\":");
      fb_json_append_string (json, schedule->error->message);
    }
  g_string_append_c (json, '}');
}
