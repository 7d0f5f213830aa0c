/* The rows of captures, scheduled, one after the other. */
#pragma once

#include "core/capture/capture.h"
#include "core/schedule.h"

#include <string.h>

typedef void (*RowFunc) (FbContext *context, const FbSchedule *schedule, const char *name, gpointer data);

static inline void
for_each_row (const char *path, guint most, RowFunc func, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  g_autofree char *name = g_path_get_basename (path);
  g_assert_no_error (error);
  guint n = fb_capture_n_rows (capture, FB_ROW_SCHEDULE), stride = MAX (1, n / most);
  for (guint row = 1; row <= n; row += stride)
    {
      g_autoptr (FbContext) context = fb_context_new ();
      g_autoptr (FbCaptureRow) read = fb_capture_read_row (capture, FB_ROW_SCHEDULE, row, context, &error);
      g_assert_no_error (error);
      g_autoptr (FbSchedule) schedule = fb_schedule_new (context, read->sink, NULL);
      g_assert_no_error (schedule->error);
      func (context, schedule, name, data);
    }
}

/* Every row of every sample; of a corpus, when there is one, up to @most rows a file. */
static inline void
for_each_sample (guint most, RowFunc func, gpointer data)
{
  const char *folders[] = { g_getenv ("FUSEBOX_SAMPLES"), most ? g_getenv ("FUSEBOX_CORPUS") : NULL };
  for (guint i = 0; i < G_N_ELEMENTS (folders); i++)
    {
      g_autoptr (GDir) dir = folders[i] ? g_dir_open (folders[i], 0, NULL) : NULL;
      for (const char *name; dir && (name = g_dir_read_name (dir));)
        {
          g_autofree char *path = g_build_filename (folders[i], name, NULL);
          /* whole models are for the bench */
          if (g_str_has_suffix (name, ".db") && !g_str_has_prefix (name, "model."))
            for_each_row (path, i ? most : G_MAXUINT, func, data);
        }
    }
}
