/* fusebox info of profiles, and the times of kernels in what is printed of traces. */
#include "profile.h"

#include "cli-private.h"
#include "json.h"

FbVizProfile *
fb_profile_of_trace (const char *path, const char *trace_path, gboolean *failed)
{
  g_autofree char *beside = path ? NULL : fb_viz_profile_beside (trace_path);
  g_autoptr (GError) error = NULL;
  FbVizProfile *profile = NULL;

  if (path || beside)
    profile = fb_viz_profile_open (path ? path : beside, &error);
  if (error)
    {
      fb_cli_error ("%s", error->message);
      *failed = path != NULL;
    }
  return profile;
}

void
fb_profile_append_json (GString *json, const FbVizProfile *profile, const char *name)
{
  const FbVizTimes *times = profile ? fb_viz_profile_find (profile, name) : NULL;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  if (times)
    g_string_append_printf (json, ",\"runs\":%u,\"seconds\":%s", times->n_runs,
                            g_ascii_formatd (text, sizeof text, "%.9g", times->total));
}

void
fb_profile_print_line (const FbVizProfile *profile, const FbVizTrace *trace)
{
  double total = 0;
  guint kernels = 0, runs = 0;

  for (guint i = 0; i < fb_viz_trace_n_contexts (trace); i++)
    {
      const FbVizTimes *times = fb_viz_profile_find (profile, fb_viz_trace_context (trace, i)->name);

      if (!times)
        continue;
      kernels++;
      runs += times->n_runs;
      total += times->total;
    }
  g_autofree char *time = fb_viz_time_text (total), *name = g_path_get_basename (fb_viz_profile_path (profile));
  /* Translators: a file, how many kernels of the trace are in it, how often they ran, for how long */
  fb_cli_print (_ ("  profile   %s: %u kernels, %u runs, %s\n"), name, kernels, runs, time);
}

static void
append_times (GString *json, const FbVizTimes *times)
{
  const struct
  {
    const char *name;
    double seconds;
  } numbers[] = {
    { "seconds", times->total },
    { "shortest", times->shortest },
    { "longest", times->longest },
  };

  g_string_append (json, "{\"name\":");
  fb_json_append_string (json, times->name);
  g_string_append (json, ",\"device\":");
  fb_json_append_string (json, times->device);
  g_string_append_printf (json, ",\"host\":%s,\"runs\":%u", times->host ? "true" : "false", times->n_runs);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (json, ",\"%s\":%s", numbers[i].name,
                              g_ascii_formatd (text, sizeof text, "%.9g", numbers[i].seconds));
    }
  g_string_append_c (json, '}');
}

static void
print_json (const FbVizProfile *profile)
{
  g_autoptr (GString) json = g_string_new ("{\"file\":");

  fb_json_append_string (json, fb_viz_profile_path (profile));
  g_string_append_printf (json, ",\"format\":\"profile\",\"ranges\":%u,\"other_events\":%u,\"times\":[",
                          fb_viz_profile_n_ranges (profile), fb_viz_profile_n_others (profile));
  for (guint i = 0; i < fb_viz_profile_n_times (profile); i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      append_times (json, fb_viz_profile_times (profile, i));
    }
  g_string_append (json, "]}\n");
  fb_cli_write (json->str, json->len);
}

static void
print_text (const FbVizProfile *profile)
{
  fb_cli_print ("%s\n", fb_viz_profile_path (profile));
  fb_cli_print (_ ("  format    profile of a run\n"));
  fb_cli_print (_ ("  contents  %u timed runs, %u other events\n"), fb_viz_profile_n_ranges (profile),
                fb_viz_profile_n_others (profile));
  fb_cli_print ("\n%8s %10s %10s %10s  %-8s %s\n", _ ("runs"), _ ("total"), _ ("shortest"), _ ("longest"), _ ("device"),
                _ ("name"));
  for (guint i = 0; i < fb_viz_profile_n_times (profile); i++)
    {
      const FbVizTimes *times = fb_viz_profile_times (profile, i);
      g_autofree char *total = fb_viz_time_text (times->total), *shortest = fb_viz_time_text (times->shortest);
      g_autofree char *longest = fb_viz_time_text (times->longest);
      g_autofree char *name = fb_cli_clean_text (times->name), *device = fb_cli_clean_text (times->device);

      fb_cli_print ("%8u %10s %10s %10s  %-8s %s\n", times->n_runs, total, shortest, longest, device, name);
    }
}

int
fb_profile_print_info (const char *path, gboolean json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbVizProfile) profile = fb_viz_profile_open (path, &error);

  if (!profile)
    {
      fb_cli_error ("%s", error->message);
      return FB_EXIT_FAILED;
    }
  if (json)
    print_json (profile);
  else
    print_text (profile);
  return FB_EXIT_OK;
}
