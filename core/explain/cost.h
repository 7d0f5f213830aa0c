/* What a kernel costs, counted from its AST: nothing is measured here.
 *
 * Symbolic sizes count at their largest. Bytes are of distinct elements: a buffer read twice is read once, an element that many
 * positions read is read once, never more than the whole buffer. */
#pragma once

#include "core/schedule.h"

typedef struct
{
  gint64 bytes_read, bytes_written;
  gint64 flops;        /* an ALU op on an element is one; a reduce one for every element it takes in */
  double recompute;    /* the most often that any op does the same work again; 1: never */
  guint ops[FB_N_OPS]; /* nodes of ALU ops, casts and reduces, by op */
} FbKernelCost;

/* Of kernel @item of a schedule that went through. */
void fb_kernel_cost (FbContext *context, const FbKernelItem *item, FbKernelCost *cost);

/* A buffer while the kernels run one after the other. */
typedef struct
{
  FbUop *buffer;
  gint64 bytes;
  guint created;   /* the kernel that first writes it, from 1; 0: it was there before */
  guint last_used; /* the last kernel that reads or writes it */
  gboolean stays;  /* an input or an output: it is there from beginning to end */
} FbBufferLife;

typedef struct
{
  guint n_kernels;
  gint64 bytes_read, bytes_written, flops;
  gint64 peak_bytes; /* of buffers that are needed at the same time, inputs and outputs included */
} FbScheduleCost;

/* Of the whole schedule. @kernels: an FbKernelCost for each, to be freed with g_free; @lives: of FbBufferLife, in order of first use,
 * to be freed with g_array_unref; both may be NULL. */
void fb_schedule_cost (const FbSchedule *schedule, FbScheduleCost *cost, FbKernelCost **kernels, GArray **lives);
