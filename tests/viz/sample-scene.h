/* Scenes of shipped samples, for tests. */
#pragma once

#include "core/capture/capture.h"
#include "core/schedule.h"
#include "viz/scene.h"

typedef struct
{
  FbContext *context;
  FbCaptureRow *row;
  FbSchedule *schedule;
  const FbPass *pass;
} Sample;

static inline void
sample_open (Sample *sample, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), name, NULL);
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);

  g_assert_no_error (error);
  sample->context = fb_context_new ();
  sample->row = fb_capture_read_row (capture, FB_ROW_SCHEDULE, 1, sample->context, &error);
  g_assert_no_error (error);
  sample->schedule = fb_schedule_new (sample->context, sample->row->sink, NULL);
  g_assert_cmpuint (sample->schedule->passes->len, >, 0);
  sample->pass = g_ptr_array_index (sample->schedule->passes, 0);
}

static inline void
sample_close (Sample *sample)
{
  fb_schedule_free (sample->schedule);
  fb_capture_row_free (sample->row);
  fb_context_free (sample->context);
}

static inline FbScene *
sample_base (const Sample *sample)
{
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (sample->context, sample->pass->sink);
  FbScene *scene = fb_scene_new (graph, NULL, NULL, NULL, NULL);
  g_assert_nonnull (scene);
  return scene;
}

/* The overlay of a step, close to @hint unless that is NULL. The step's own nodes are gone when this returns: only places and text
 * of the scene may be looked at. */
static inline FbScene *
sample_step (const Sample *sample, guint number, const FbScene *hint)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbStep) step = fb_step_new (sample->context, sample->pass, number, &error);
  g_assert_no_error (error);
  g_autoptr (FbGraph) graph = fb_graph_new_from_step (step->context, step, FB_GRAPH_OVERLAY);
  FbScene *scene = fb_scene_new (graph, NULL, hint, NULL, NULL);
  g_assert_nonnull (scene);
  return scene;
}
