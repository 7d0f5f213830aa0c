/* A run of a row's kernels as the window has it: which buffers there are, what of them is known, how it went.
 *
 * The document's worker makes it, since that touches the row's context; a thread of its own runs it; the main thread reads it. Once it has
 * ended it holds nothing of the row any more. */
#pragma once

#include "app/row-view.h"
#include "backends/run/record.h"
#include "backends/values/slice.h"

/* A buffer, by its number in the record. */
typedef struct
{
  char *name;        /* "#3" */
  guint64 key;       /* KEY of its BUFFER */
  gboolean captured; /* it is in the captured graph, and so the same in every scenario */
  guint32 place;     /* as scenarios have it, + 1, of the node that a kernel stores in it; 0: none is known */
  const char *type;  /* "float" */
  guint n_dims;      /* as kernels store it, or read it */
  gint64 shape[FB_SLICE_DIMS];
  char *text; /* "float 64×64" */
} FbRunBuffer;

typedef struct
{
  gatomicrefcount refs;
  FbRowView *row;  /* until it has ended; the worker's business */
  FbPlan *plan;    /* until it has ended */
  char *scenario;  /* as text; NULL: as captured */
  FbBackend asked; /* what was asked for */
  FbBackend backend;
  guint device; /* of OpenCL */
  guint64 seed;
  guint n_buffers;
  FbRunBuffer *buffers;
  FbRecord *record; /* NULL: it did not come so far */
  guint n_kernels;
  guint n_done; /* atomic: kernels that may be asked about */
  gboolean ended;
  GError *error;        /* why it did not go through; NULL: it did, or goes on */
  double total_seconds; /* of the kernels */
  FbRunReport report;
} FbRun;

/* Plans the row's kernels for @backend. Blocks; worker only. NULL: a kernel is refused. */
FbRun *fb_run_new (FbRowView *row, FbBackend backend, gsize memory_limit, GError **error);
FbRun *fb_run_ref (FbRun *run);
void fb_run_unref (FbRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbRun, fb_run_unref)

/* The buffer that is the same as @buffer of @other: of the captured graph, of the same schedule, or where the same node is stored. G_MAXUINT: none. */
guint fb_run_find_buffer (const FbRun *run, const FbRun *other, guint buffer);
/* "#3" by its number in the graph, as cards say; "b" and @ordinal for one without. Free with g_free. */
char *fb_run_buffer_name (const FbUop *buffer, int ordinal);
/* Microseconds as the tables write them: "1,386.0"; free with g_free. */
char *fb_run_time_text (double seconds);
