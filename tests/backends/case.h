/* Rows of captures with their plans, folders for what is compiled, and runs, as the tests of backends use them. */
#pragma once

#include <string.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/run/fill.h"
#include "core/capture/capture.h"

typedef struct
{
  FbContext *context;
  FbCaptureRow *row;
  FbSchedule *schedule;
  FbPlan *plan;
} Case;

/* A row's plan; FALSE with its memory freed when the row is none to be run: @error says why. */
static inline gboolean
case_init (Case *k, FbCapture *capture, guint row, gsize limit, GError **error)
{
  *k = (Case){ .context = fb_context_new () };
  k->row = fb_capture_read_row (capture, fb_capture_main_kind (capture), row, k->context, error);
  g_assert_nonnull (k->row);
  k->schedule = fb_schedule_new (k->context, k->row->sink, NULL);
  g_assert_no_error (k->schedule->error);
  k->plan = fb_plan_new (k->schedule, limit, error);
  return k->plan != NULL;
}

static inline void
case_clear (Case *k)
{
  g_clear_pointer (&k->plan, fb_plan_free);
  g_clear_pointer (&k->schedule, fb_schedule_free);
  g_clear_pointer (&k->row, fb_capture_row_free);
  g_clear_pointer (&k->context, fb_context_free);
}

static inline char *
cache_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("fusebox-kernels-XXXXXX", &error);
  g_assert_no_error (error);
  return folder;
}

/* With what is in it, folders in folders too. */
static inline void
remove_folder (const char *folder)
{
  const char *words[] = { "rm", "-rf", folder, NULL };
  g_spawn_sync (NULL, (char **) words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

static inline gboolean
has_compiler (void)
{
  g_autofree char *compiler = fb_cpu_find_compiler (NULL);
  return compiler != NULL;
}

static inline FbCapture *
open_sample (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), name, NULL);
  g_autoptr (GError) error = NULL;
  FbCapture *capture = fb_capture_open (path, NULL, &error);
  g_assert_no_error (error);
  return capture;
}
