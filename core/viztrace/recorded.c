#include "recorded.h"

#include <string.h>

#include "core/capture/release.h"
#include "core/ir/context-private.h"
#include "viztrace-private.h"

/* The release whose scheduler we have. */
#define RELEASE "v0.10.2"

/* Where the pipeline calls its passes (schedule.py:372). */
#define FIRST_PASS "schedule.py:374"
#define LAST_KERNEL_PASS "schedule.py:358"
static const char *const pass_locations[] = {
  FIRST_PASS, "schedule.py:139", "schedule.py:402", "schedule.py:354", "schedule.py:356", LAST_KERNEL_PASS, NULL,
};

/* A trace names a rule by its pattern, we by its callback; where these do not begin in the same line. */
static const struct
{
  const char *pattern, *callback;
} callbacks[] = {
  { "ops.py:990", "ops.py:991" },           { "ops.py:999", "ops.py:1000" },
  { "ops.py:1001", "ops.py:1002" },         { "schedule.py:47", "schedule.py:48" },
  { "schedule.py:50", "schedule.py:20" },   { "schedule.py:54", "schedule.py:55" },
  { "schedule.py:57", "schedule.py:58" },   { "schedule.py:63", "schedule.py:64" },
  { "schedule.py:68", "schedule.py:32" },   { "schedule.py:69", "schedule.py:34" },
  { "schedule.py:71", "schedule.py:72" },   { "schedule.py:79", "schedule.py:80" },
  { "schedule.py:225", "schedule.py:205" }, { "schedule.py:226", "schedule.py:214" },
  { "schedule.py:287", "schedule.py:288" }, { "schedule.py:294", "schedule.py:264" },
  { "schedule.py:296", "schedule.py:269" }, { "schedule.py:298", "schedule.py:279" },
  { "schedule.py:320", "schedule.py:301" }, { "schedule.py:328", "schedule.py:308" },
  { "schedule.py:337", "schedule.py:331" }, { "schedule.py:340", "schedule.py:341" },
  { "schedule.py:347", "schedule.py:344" }, { "symbolic.py:35", "symbolic.py:36" },
  { "symbolic.py:44", "symbolic.py:45" },   { "symbolic.py:52", "symbolic.py:53" },
  { "symbolic.py:61", "symbolic.py:19" },   { "symbolic.py:63", "symbolic.py:12" },
};

gboolean
fb_viz_trace_is_schedule (const FbVizTrace *trace, guint index)
{
  const FbVizContext *group = fb_viz_trace_context (trace, index);

  return trace->form == FB_VIZ_OBJECTS && strcmp (fb_viz_trace_release (trace), RELEASE) == 0 && group->n_rewrites
         && strcmp (group->rewrites[0].location, FIRST_PASS) == 0;
}

static gboolean
is_pass (const FbVizRewrite *rewrite)
{
  return g_strv_contains (pass_locations, rewrite->location);
}

static gboolean
refuse (const FbVizTrace *trace, const FbVizRewrite *rewrite, GError **error, const char *what)
{
  g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: context %u: rewrite %u (%s): %s.", trace->path,
               rewrite->context + 1, rewrite->index + 1, rewrite->location, what);
  return FALSE;
}

/* All graphs of the passes: for each its input, then before and after of each match. */
static gboolean
gather (const FbVizTrace *trace, const FbVizContext *group, GPtrArray *values, GError **error)
{
  for (guint i = 0; i < group->n_rewrites; i++)
    {
      const FbVizRewrite *rewrite = &group->rewrites[i];

      if (!is_pass (rewrite))
        continue;
      g_ptr_array_add (values, (gpointer) rewrite->raw->sink);
      for (guint k = 0; k < rewrite->n_matches; k++)
        {
          const FbValue *match = &rewrite->raw->matches->items[k];

          if (match->kind != FB_VALUE_TUPLE || match->tuple->n < 3)
            return refuse (trace, rewrite, error, "a match is not two nodes and a pattern");
          g_ptr_array_add (values, &match->tuple->items[0]);
          g_ptr_array_add (values, &match->tuple->items[1]);
        }
    }
  return TRUE;
}

/* The nodes of @values, in the same order; the list lives as long as @pickle reads nothing else. */
static const FbListCell *
make_nodes (FbVizTrace *trace, guint index, const GPtrArray *values, FbPickle *pickle, FbContext *context,
            GError **error)
{
  g_autofree char *what = g_strdup_printf ("%s: context %u, as a pickle", trace->path, index + 1);
  FbPickleOptions options = { .path = what, .release = fb_release_from_name (RELEASE) };
  g_autoptr (GBytes) bytes = fb_viz_encode (trace, values->len, (const FbValue *const *) values->pdata);
  FbValue root;
  gsize len;

  if (!bytes)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: a value holds itself.", what);
      return NULL;
    }
  if (!fb_pickle_load (pickle, g_bytes_get_data (bytes, &len), g_bytes_get_size (bytes), &options, context, &root,
                       error))
    return NULL;
  for (guint32 i = 0; i < root.list->n; i++)
    if (root.list->items[i].kind != FB_VALUE_UOP)
      {
        g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: a match is of something that is no node.",
                     what);
        return NULL;
      }
  return root.list;
}

static const char *
rule_of (FbArena *arena, const FbValue *pattern)
{
  const char *file, *place;
  gint64 line;

  if (!fb_viz_read_location (pattern, arena, &file, &line))
    return "?";
  place = fb_arena_printf (arena, "%s:%" G_GINT64_FORMAT, fb_viz_base_name (file), line);
  for (guint i = 0; i < G_N_ELEMENTS (callbacks); i++)
    if (strcmp (callbacks[i].pattern, place) == 0)
      return callbacks[i].callback;
  return place;
}

/* Puts the nodes, in the order of gather(), into passes. */
static void
make_passes (FbRecorded *recorded, const FbVizContext *group, const FbListCell *nodes)
{
  FbArena *arena = fb_context_arena (recorded->context);
  FbRecordedPass *passes = fb_arena_alloc (arena, sizeof *passes * group->n_rewrites);
  const FbValue *next = nodes->items;

  for (guint i = 0; i < group->n_rewrites; i++)
    {
      const FbVizRewrite *rewrite = &group->rewrites[i];
      FbRecordedMatch *matches;

      if (!is_pass (rewrite))
        {
          /* shown to people only, without rules: no part of the work */
          recorded->n_others += rewrite->name == NULL || rewrite->n_matches > 0;
          continue;
        }
      matches = fb_arena_alloc (arena, sizeof *matches * MAX (rewrite->n_matches, 1));
      passes[recorded->n_passes++]
          = (FbRecordedPass){ .location = fb_arena_strndup (arena, rewrite->location, strlen (rewrite->location)),
                              .bottom_up = rewrite->bottom_up,
                              .sink = (next++)->uop,
                              .n_matches = rewrite->n_matches,
                              .matches = matches };
      for (guint k = 0; k < rewrite->n_matches; k++, next += 2)
        matches[k] = (FbRecordedMatch){ next[0].uop, next[1].uop,
                                        rule_of (arena, &rewrite->raw->matches->items[k].tuple->items[2]) };
    }
  recorded->passes = passes;
}

/* A kernel's AST is what its last pass left. */
static gboolean
find_kernels (FbRecorded *recorded, FbVizTrace *trace, const FbVizContext *group, GError **error)
{
  g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, recorded->context);
  guint pass = 0;

  for (guint i = 0; i < group->n_rewrites; i++)
    {
      const FbVizRewrite *rewrite = &group->rewrites[i];
      const FbRecordedPass *made = &recorded->passes[pass];
      g_autofree FbVizMatch *matches = NULL;
      FbUop *ast;
      guint n_shown;

      pass += is_pass (rewrite);
      if (strcmp (rewrite->location, LAST_KERNEL_PASS))
        continue;
      matches = g_new0 (FbVizMatch, made->n_matches + 1);
      for (guint k = 0; k < made->n_matches; k++)
        matches[k] = (FbVizMatch){ .before = made->matches[k].before, .after = made->matches[k].after };
      ast = fb_viz_replay_all (nodes, rewrite, made->sink, made->n_matches, matches, &n_shown);
      if (!ast)
        return refuse (trace, rewrite, error, "what it made of its kernel has no end");
      g_ptr_array_add (recorded->kernels, ast);
    }
  return TRUE;
}

/* Buffers that the schedule made are numbered on from there. */
static void
find_first_unique (FbRecorded *recorded)
{
  FbContext *context = recorded->context;
  g_autoptr (GPtrArray) before = fb_uop_toposort (context, recorded->sink);
  gint64 largest = -1, first = -1;

  for (guint i = 0; i < before->len; i++)
    {
      const FbUop *uop = g_ptr_array_index (before, i);
      if (uop->op == FB_OP_UNIQUE && uop->arg.kind == FB_ARG_INT)
        largest = MAX (largest, uop->arg.i);
    }
  for (guint32 i = 0; i < fb_context_n_uops (context); i++)
    {
      const FbUop *uop = fb_context_uop (context, i);
      if (uop->op == FB_OP_UNIQUE && uop->arg.kind == FB_ARG_INT && uop->arg.i > largest
          && (first < 0 || uop->arg.i < first))
        first = uop->arg.i;
    }
  recorded->first_unique = first;
  if (first >= 0)
    context->next_unique = first;
}

FbRecorded *
fb_recorded_new (FbVizTrace *trace, guint index, FbContext *context, GError **error)
{
  const FbVizContext *group = fb_viz_trace_context (trace, index);
  g_autoptr (FbRecorded) recorded = g_new0 (FbRecorded, 1);
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  const FbListCell *made;

  recorded->context = context;
  recorded->kernels = g_ptr_array_new ();
  if (!fb_viz_trace_is_schedule (trace, index))
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT,
                   "%s: context %u holds no schedule of tinygrad %s.", trace->path, index + 1, RELEASE);
      return NULL;
    }
  if (!gather (trace, group, values, error) || !(made = make_nodes (trace, index, values, pickle, context, error)))
    return NULL;
  make_passes (recorded, group, made);
  recorded->sink = recorded->passes[0].sink;
  find_first_unique (recorded);
  return find_kernels (recorded, trace, group, error) ? g_steal_pointer (&recorded) : NULL;
}

void
fb_recorded_free (FbRecorded *recorded)
{
  if (!recorded)
    return;
  g_ptr_array_unref (recorded->kernels);
  g_free (recorded);
}
