/* What the buffer viewer looks at: a buffer of a run before or after a kernel, a slice of it, perhaps beside another; and what is seen.
 *
 * The parts of the page show it and change it. Statistics and pictures are made by threads; late ones are dropped. Main thread. */
#pragma once

#include "app/buffer-look.h"
#include "app/probe-job.h"
#include "app/runs.h"

#define FB_TYPE_BUFFER_VIEW (fb_buffer_view_get_type ())
G_DECLARE_FINAL_TYPE (FbBufferView, fb_buffer_view, FB, BUFFER_VIEW, GObject)

/* Signals:
 *   changed  another run, kernel, buffer or moment; what it is compared with
 *   sliced   another slice, another shape
 *   seen     statistics, comparison or picture came
 *   moved    another element is chosen */
FbBufferView *fb_buffer_view_new (FbRuns *runs);
FbRuns *fb_buffer_view_get_runs (FbBufferView *view);

/* The run looked at, which has ended or goes on; NULL: none. */
FbRun *fb_buffer_view_get_run (FbBufferView *view);
/* From 1; 0: none. */
guint fb_buffer_view_get_kernel (FbBufferView *view);
/* Looks at what @kernel stores. */
void fb_buffer_view_set_kernel (FbBufferView *view, guint kernel);
/* G_MAXUINT: none, or a probed value. */
guint fb_buffer_view_get_buffer (FbBufferView *view);
void fb_buffer_view_set_buffer (FbBufferView *view, guint buffer);
gboolean fb_buffer_view_get_after (FbBufferView *view);
/* Before the kernel, or after it. */
void fb_buffer_view_set_after (FbBufferView *view, gboolean after);
/* The kernel before (-1) or after (1) that writes the buffer; 0: none. */
guint fb_buffer_view_find_write (FbBufferView *view, int direction);
/* Goes there. FALSE: there is none. */
gboolean fb_buffer_view_travel (FbBufferView *view, int direction);
/* NULL: nothing is looked at, or @error (may be NULL) says why it cannot be. */
GBytes *fb_buffer_view_get_data (FbBufferView *view, const char **error);
/* FB_SCALAR_VOID: nothing. */
guint fb_buffer_view_get_scalar (FbBufferView *view);

/* The number in the inputs of what is looked at, where it is still as it was before the run; G_MAXUINT: it is none. */
guint fb_buffer_view_get_input (FbBufferView *view);

/* What the buffer may be compared with, 0: nothing. Good until "changed". */
guint fb_buffer_view_get_n_against (FbBufferView *view);
const char *fb_buffer_view_get_against_label (FbBufferView *view, guint at);
guint fb_buffer_view_get_against (FbBufferView *view);
/* A backend that was not run yet is run. */
void fb_buffer_view_set_against (FbBufferView *view, guint at);
/* NULL: nothing to compare with, or @error says why. */
GBytes *fb_buffer_view_get_other (FbBufferView *view, const char **error);
/* "interp"; of what it is compared with. */
const char *fb_buffer_view_get_name (FbBufferView *view);
/* The picture is of how far apart the two are. */
gboolean fb_buffer_view_get_difference (FbBufferView *view);
void fb_buffer_view_set_difference (FbBufferView *view, gboolean difference);

const FbSlice *fb_buffer_view_get_slice (FbBufferView *view);
void fb_buffer_view_set_slice (FbBufferView *view, const FbSlice *slice);
/* "64×64", kept for the buffer. FALSE: it is no shape of that many elements. */
gboolean fb_buffer_view_set_shape (FbBufferView *view, const char *text);
/* -1: none. */
gint64 fb_buffer_view_get_element (FbBufferView *view);
/* Chooses it, and moves the slice to where it is. */
void fb_buffer_view_set_element (FbBufferView *view, gint64 element);

/* Px of the picture, and of a line in it. */
void fb_buffer_view_set_size (FbBufferView *view, guint width, guint height, guint ink);
void fb_buffer_view_set_dark (FbBufferView *view, gboolean dark);
/* Whether anybody looks; nothing is made while nobody does. */
void fb_buffer_view_set_watched (FbBufferView *view, gboolean watched);
/* NULL: not known yet. */
const FbBufferFacts *fb_buffer_view_get_facts (FbBufferView *view);
const FbBufferSight *fb_buffer_view_get_sight (FbBufferView *view);
gboolean fb_buffer_view_is_settled (FbBufferView *view);

/* Looks at a probed value in place of a buffer, beside the unfused one where there is that; NULL: at the buffer again. Any other
 * kernel, buffer or moment ends it. */
void fb_buffer_view_set_probed (FbBufferView *view, FbProbed *probed);
/* NULL: a buffer is looked at. */
FbProbed *fb_buffer_view_get_probed (FbBufferView *view);

/* The first kernel (from 1) that wrote a NaN, and the buffer; FALSE: none did. */
gboolean fb_buffer_view_find_nan (FbBufferView *view, guint *kernel, guint *buffer);
