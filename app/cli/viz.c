/* fusebox trace, fusebox info of VIZ traces. */
#include "viz.h"

#include "cli-private.h"
#include "core/viztrace/viztrace.h"
#include "json.h"
#include "profile.h"

static FbVizTrace *
open_trace (const char *path, const char *release)
{
  g_autoptr (GError) error = NULL;
  FbVizTrace *trace = fb_viz_trace_open (path, release, &error);

  if (trace == NULL)
    {
      fb_cli_error ("%s", error->message);
      return NULL;
    }
  for (guint i = 0; i < fb_viz_trace_n_notes (trace); i++)
    fb_cli_error (_ ("%s: note: %s"), path, fb_viz_trace_note (trace, i));
  return trace;
}

static void
append_match (GString *json, const FbVizMatch *match)
{
  g_autofree char *place = g_strdup_printf ("%s:%" G_GINT64_FORMAT, fb_viz_base_name (match->file), match->line);

  g_string_append_c (json, '[');
  fb_json_append_string (json, fb_op_name (match->before->op));
  g_string_append_c (json, ',');
  fb_json_append_string (json, fb_op_name (match->after->op));
  g_string_append_c (json, ',');
  fb_json_append_string (json, place);
  g_string_append_c (json, ']');
}

/* What goes into rewrites is much like what went into the one before, and so is what comes out of them. */
typedef struct
{
  FbVizReach *before, *after;
} Counts;

/* Matches up to the first that the viewer of the release could not show. FALSE with the error set. */
static gboolean
append_rewrite (GString *json, FbVizNodes *nodes, const Counts *counts, const FbVizRewrite *rewrite, GError **error)
{
  FbUop *sink = fb_viz_nodes_sink (nodes, rewrite, error), *graph;
  guint n_shown;

  if (sink == NULL)
    return FALSE;
  g_autofree FbVizMatch *made = g_new (FbVizMatch, MAX (rewrite->n_matches, 1));
  g_autoptr (GString) matches = g_string_new (NULL);
  for (guint i = 0; i < rewrite->n_matches; i++)
    if (!fb_viz_nodes_match (nodes, rewrite, i, &made[i], error))
      return FALSE;
  graph = fb_viz_replay_all (nodes, rewrite, sink, rewrite->n_matches, made, &n_shown);
  for (guint i = 0; i < n_shown; i++)
    {
      if (i > 0)
        g_string_append_c (matches, ',');
      append_match (matches, &made[i]);
    }
  g_string_append (json, "{\"name\":");
  if (rewrite->name != NULL)
    fb_json_append_string (json, rewrite->name);
  else
    g_string_append (json, "null");
  g_string_append (json, ",\"loc\":");
  fb_json_append_string (json, rewrite->location);
  g_string_append_printf (json, ",\"depth\":%u,\"bottom_up\":%s,\"nodes\":%u,\"nodes_after\":", rewrite->depth,
                          rewrite->bottom_up ? "true" : "false", fb_viz_reach_count (counts->before, sink));
  if (graph != NULL)
    g_string_append_printf (json, "%u", fb_viz_reach_count (counts->after, graph));
  else
    g_string_append (json, "null");
  g_string_append_printf (json, ",\"matches\":[%s]}", matches->str);
  return TRUE;
}

gboolean
fb_viz_append_context (GString *json, FbVizTrace *trace, guint index, const FbVizProfile *profile, GError **error)
{
  const FbVizContext *group = fb_viz_trace_context (trace, index);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, context);
  g_autoptr (FbVizReach) before = fb_viz_reach_new (), after = fb_viz_reach_new ();
  const Counts counts = { before, after };

  g_string_append (json, "{\"name\":");
  fb_json_append_string (json, group->name);
  fb_profile_append_json (json, profile, group->name);
  g_string_append (json, ",\"rewrites\":[");
  for (guint i = 0; i < group->n_rewrites; i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      if (!append_rewrite (json, nodes, &counts, &group->rewrites[i], error))
        return FALSE;
    }
  g_string_append (json, "]}");
  return TRUE;
}

int
fb_viz_print_trace (const char *path, const char *release, const char *profile_path, int only)
{
  g_autoptr (FbVizTrace) trace = open_trace (path, release);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) json = g_string_new (NULL);
  g_autoptr (FbVizProfile) profile = NULL;
  gboolean first = TRUE, failed = FALSE;

  if (trace == NULL)
    return FB_EXIT_FAILED;
  if (profile_path && !(profile = fb_profile_of_trace (profile_path, path, &failed)))
    return FB_EXIT_FAILED;
  if (only < 0 || only > (int) fb_viz_trace_n_contexts (trace))
    {
      fb_cli_error (_ ("%s: there is no context %d, the trace has %u"), path, only, fb_viz_trace_n_contexts (trace));
      return FB_EXIT_FAILED;
    }
  /* by name is how 3.11 began; 3.10, 3.12 and later write values */
  g_string_append_printf (json, "{\"python\":\"%s\",\"contexts\":[",
                          fb_viz_trace_ops_by_value (trace) ? "3.12" : "3.11");
  for (guint i = 0; i < fb_viz_trace_n_contexts (trace); i++)
    {
      if (only > 0 && (guint) only != i + 1)
        continue;
      if (!first)
        g_string_append_c (json, ',');
      first = FALSE;
      if (!fb_viz_append_context (json, trace, i, profile, &error))
        {
          fb_cli_error ("%s", error->message);
          return FB_EXIT_FAILED;
        }
      fb_cli_write (json->str, json->len);
      g_string_truncate (json, 0);
    }
  g_string_append (json, "]}\n");
  fb_cli_write (json->str, json->len);
  return FB_EXIT_OK;
}

static void
print_info_json (const FbVizTrace *trace, const FbVizProfile *profile)
{
  GString *json = g_string_new ("{\"file\":");

  fb_json_append_string (json, fb_viz_trace_path (trace));
  g_string_append (json, ",\"format\":");
  fb_json_append_string (json, fb_viz_trace_format (trace));
  g_string_append_printf (
      json,
      ",\"release\":\"%s\",\"release_detected\":%s,\"ops_by_value\":%s,\"nodes\":%u,\"matches\":%" G_GUINT64_FORMAT
      ",\"notes\":[",
      fb_viz_trace_release (trace), fb_viz_trace_release_detected (trace) ? "true" : "false",
      fb_viz_trace_ops_by_value (trace) ? "true" : "false", fb_viz_trace_n_nodes (trace),
      fb_viz_trace_n_matches (trace));
  for (guint i = 0; i < fb_viz_trace_n_notes (trace); i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      fb_json_append_string (json, fb_viz_trace_note (trace, i));
    }
  g_string_append (json, "],\"contexts\":[");
  for (guint i = 0; i < fb_viz_trace_n_contexts (trace); i++)
    {
      const FbVizContext *group = fb_viz_trace_context (trace, i);
      g_string_append (json, i > 0 ? ",{\"name\":" : "{\"name\":");
      fb_json_append_string (json, group->name);
      g_string_append_printf (json, ",\"rewrites\":%u,\"matches\":%u", group->n_rewrites, group->n_matches);
      fb_profile_append_json (json, profile, group->name);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]}\n");
  fb_cli_write (json->str, json->len);
  g_string_free (json, TRUE);
}

static void
print_info_text (const FbVizTrace *trace, const FbVizProfile *profile)
{
  guint rewrites = 0;

  for (guint i = 0; i < fb_viz_trace_n_contexts (trace); i++)
    rewrites += fb_viz_trace_context (trace, i)->n_rewrites;
  fb_cli_print ("%s\n", fb_viz_trace_path (trace));
  fb_cli_print (_ ("  format    %s\n"), fb_viz_trace_format (trace));
  fb_cli_print (_ ("  release   tinygrad %s (%s), ops by %s\n"), fb_viz_trace_release (trace),
                fb_viz_trace_release_detected (trace) ? _ ("told from the content") : _ ("asked for"),
                fb_viz_trace_ops_by_value (trace) ? _ ("value") : _ ("name"));
  fb_cli_print (_ ("  contents  %u contexts, %u rewrites, %lu matches\n"), fb_viz_trace_n_contexts (trace), rewrites,
                (gulong) fb_viz_trace_n_matches (trace));
  if (profile)
    fb_profile_print_line (profile, trace);
  fb_cli_print ("\n%8s %9s %9s  ", _ ("context"), _ ("rewrites"), _ ("matches"));
  if (profile)
    fb_cli_print ("%6s %10s  ", _ ("runs"), _ ("time"));
  fb_cli_print ("%s\n", _ ("name"));
  for (guint i = 0; i < fb_viz_trace_n_contexts (trace); i++)
    {
      const FbVizContext *group = fb_viz_trace_context (trace, i);
      g_autofree char *plain = fb_viz_plain_name (group->name);
      g_autofree char *name = fb_cli_clean_text (plain);
      const FbVizTimes *times = profile ? fb_viz_profile_find (profile, group->name) : NULL;
      g_autofree char *time = times ? fb_viz_time_text (times->total) : NULL;
      g_autofree char *runs = times ? g_strdup_printf ("%u", times->n_runs) : NULL;

      fb_cli_print ("%8u %9u %9u  ", i + 1, group->n_rewrites, group->n_matches);
      if (profile)
        /* what did not run has no time */
        fb_cli_print ("%6s %10s  ", runs ? runs : "-", time ? time : "-");
      fb_cli_print ("%s\n", name);
    }
}

int
fb_viz_print_info (const char *path, const char *release, const char *profile_path, gboolean json)
{
  g_autoptr (FbVizTrace) trace = open_trace (path, release);
  g_autoptr (FbVizProfile) profile = NULL;
  gboolean failed = FALSE;

  if (trace == NULL)
    return FB_EXIT_FAILED;
  profile = fb_profile_of_trace (profile_path, path, &failed);
  if (failed)
    return FB_EXIT_FAILED;
  if (json)
    print_info_json (trace, profile);
  else
    print_info_text (trace, profile);
  return FB_EXIT_OK;
}
