/* What the files of the OpenCL backend share. */
#pragma once

#include "backends/cpu/cpu-private.h"

#include "cl.h"
#include "opencl.h"

/* Requests to the child, before their numbers. An answer follows each. */
enum
{
  FB_OPENCL_BUILD, /* nothing: the source in descriptor 4 is built; the answer is how long it took */
  FB_OPENCL_LAUNCH, /* really, kernel, points, count, then FB_OPENCL_ARG_NUMBERS for each argument. Not really: it is only
                     * made ready, no point is computed */
  FB_OPENCL_COPY,   /* two arguments and the number of bytes */
};

/* An argument in numbers: the base buffer's place in memory and its bytes, the argument's bytes from there, the size of an
 * element, is it written */
#define FB_OPENCL_ARG_NUMBERS 5
#define FB_OPENCL_MAX_ARGS 1024

/* What every source begins with. */
extern const char fb_opencl_prelude[];
/* Appends the statement that computes instruction @number. */
void fb_opencl_append_inst (FbSource *source, guint number, guint indent);
/* Appends x = op (x, value) of a reduce. */
void fb_opencl_append_accumulate (FbSource *source, guint reduce, const char *value);
void fb_opencl_append_identity (GString *c, guint op, guint type);
void fb_opencl_append_value (FbSource *source, guint number);
