/* What a record is: the file that writes it and the one that reads it share this. */
#pragma once

#include "record.h"

typedef enum
{
  FB_WAS_ZERO,
  FB_WAS_SAVED,
  FB_WAS_NOT_KEPT,
} FbWas;

/* What a range held before a kernel wrote it. */
typedef struct
{
  guint kernel; /* from 0 */
  guint base;
  gsize start, size; /* bytes in the base */
  FbWas was;
  gsize at; /* in the file */
} FbSaved;

struct _FbRecord
{
  gatomicrefcount refs;
  FbMemory memory;
  guint n_buffers, n_kernels;
  FbRecordBuffer *buffers;
  FbRecordKernel *kernels;
  gboolean *touched; /* of each base: something has been written, or filled in, so that it is not all zeros */
  GArray *saved;     /* of FbSaved, in the order of kernels */
  int file;          /* -1: none yet */
  gsize kept, limit;
};

/* The last contents of @buffer. */
static inline guint8 *
fb_record_live_data (const FbRecord *record, guint buffer)
{
  const FbRecordBuffer *b = &record->buffers[buffer];
  return record->memory.data + record->buffers[b->base].place + b->offset;
}
