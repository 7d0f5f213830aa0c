/* What the files of the buffer view share. */
#pragma once

#include "app/buffer-view.h"

/* Something to compare with. */
typedef struct
{
  char *label;
  FbRun *run; /* NULL: nothing, or a backend that was not run */
  FbBackend backend;
  guint moment;
  gboolean is_backend;
} FbAgainst;

struct _FbBufferView
{
  GObject parent_instance;
  FbRuns *runs;
  FbRun *run;
  guint kernel, buffer; /* kernel 0, buffer G_MAXUINT: none */
  gboolean after;
  FbProbed *probed; /* looked at in place of the buffer; NULL: the buffer is */
  GBytes *data, *other;
  char *data_error, *other_error;
  GArray *againsts; /* of FbAgainst; the first is nothing */
  guint against;
  int wanted_backend; /* to be compared with when it has run; -1: none */
  gboolean difference;
  FbSlice slice;
  GHashTable *slices; /* KEY of a buffer: FbSlice as it was left */
  gint64 element;
  guint width, height, ink;
  gboolean dark, watched;
  FbBufferFacts *facts; /* of data and other */
  FbBufferSight *sight;
  GCancellable *looking; /* NULL: nothing under way */
};

/* How many kernels have run. */
static inline guint
fb_buffer_view_get_moment (const FbBufferView *view)
{
  return view->after ? view->kernel : view->kernel - 1;
}

/* The first buffer that kernel @kernel writes, or whatever it has. */
guint fb_buffer_view_output_of (const FbRun *run, guint kernel);
/* Says that something changed, and looks again. */
void fb_buffer_view_look_again (FbBufferView *view);

/* Of FbAgainst; the array of a new view. */
GArray *fb_buffer_view_againsts_new (void);
/* What there is to compare with now. */
void fb_buffer_view_list_against (FbBufferView *view);
/* The same thing to compare with as before, by its @label, where there still is one. */
void fb_buffer_view_renew_against (FbBufferView *view, const char *label);
/* Reads what it is compared with. */
void fb_buffer_view_read_other (FbBufferView *view);
