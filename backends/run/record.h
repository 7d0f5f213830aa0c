/* A run that can be looked at: the memory of its buffers, and what a kernel wrote over before it did.
 *
 * The last contents of every buffer are the run's own memory, so nothing is copied but what is written a second time: it goes into
 * a file without a name before it is overwritten, up to a limit; beyond it the earlier contents are not kept, and reading them says
 * so. A buffer at an earlier moment is the later one with what was saved laid over it.
 *
 * A record holds no nodes: it may outlive the plan. While it runs only kernels that were
 * reported to the caller's `after` may be asked about; once it has ended any thread may read everything. */
#pragma once

#include "backends/values/values.h"

#include "run.h"

typedef struct _FbRecord FbRecord;

typedef enum
{
  FB_RECORD_WAITING,
  FB_RECORD_DONE,
  FB_RECORD_FAILED,
} FbRecordState;

/* A buffer of the plan, by the same number. */
typedef struct
{
  guint8 type;
  gint64 size;
  gsize bytes;
  guint base;
  gsize offset; /* bytes from its base's start */
  gsize place;  /* of a base: bytes from the start of the memory */
  int ordinal;
  gboolean starts_as_output;
  FbValueStats initial; /* once the run has begun: of a base that was filled; .size 0: of no other */
} FbRecordBuffer;

/* A kernel of the plan, by the same number. */
typedef struct
{
  FbPlanStepKind kind;
  FbRecordState state;
  double seconds;
  guint n_buffers;
  guint *buffers;
  gboolean *written;  /* of each */
  gboolean *read;     /* of each */
  FbValueStats stats; /* once done: of the first buffer it wrote */
} FbRecordKernel;

/* What may be kept of contents that are overwritten when nothing else is said, bytes: a quarter of what is free where temporary
 * files are, at most 4 GiB. */
gsize fb_record_default_limit (void);
/* Memory for @plan, zeroed. NULL: there is none. */
FbRecord *fb_record_new (const FbPlan *plan, gsize keep_limit, GError **error);
FbRecord *fb_record_ref (FbRecord *record);
void fb_record_unref (FbRecord *record);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbRecord, fb_record_unref)

guint fb_record_n_buffers (const FbRecord *record);
const FbRecordBuffer *fb_record_buffer (const FbRecord *record, guint buffer);
guint fb_record_n_kernels (const FbRecord *record);
/* Numbered from 0. */
const FbRecordKernel *fb_record_kernel (const FbRecord *record, guint kernel);
/* The memory of @buffer, to be filled before the run. */
guint8 *fb_record_data (FbRecord *record, guint buffer);
/* Bytes that were saved. */
gsize fb_record_kept (const FbRecord *record);

/* Runs @plan, the record's, as fb_run() does, with what is needed saved before each kernel and statistics after it. Once. */
gboolean fb_record_run (FbRecord *record, const FbPlan *plan, const FbRunOptions *options, FbRunReport *report,
                        GCancellable *cancellable, GError **error);

/* The contents of @buffer when @moment kernels had run: 0 is before the first. They keep the record alive; where they lie in memory or
 * in the file as a whole they are not copied. NULL: they were not kept, or there is no memory for a copy. */
GBytes *fb_record_read (FbRecord *record, guint buffer, guint moment, GError **error);
/* Statistics of those contents; NULL where none were made: it was written by way of another buffer, or is all zeros. */
const FbValueStats *fb_record_stats (const FbRecord *record, guint buffer, guint moment);
/* The kernel, from 1, before (-1: up to @moment - 1) or after (1) @moment that writes into @buffer; 0: none. Kernels that did not run
 * do not count. */
guint fb_record_find_write (const FbRecord *record, guint buffer, guint moment, int direction);
