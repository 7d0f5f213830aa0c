/* What the files of the OpenCL backend share. */
#pragma once

#include "backends/cpu/cpu-private.h"

#include "cl.h"
#include "opencl.h"

/* Requests to the child, before their numbers. An answer follows each. */
enum
{
  FB_OPENCL_BUILD, /* nothing: the source in descriptor 4 is built; the answer is how long it took */
  FB_OPENCL_LAUNCH, /* really, kernel, sharing, points, rows, lanes, count, then FB_OPENCL_ARG_NUMBERS for each argument. Not
                     * really: it is only made ready, no point is computed */
  FB_OPENCL_COPY, /* two arguments and the number of bytes */
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

/* "const i64 iN = (u32)@from / below % extent;" for variable @v, of an index @from that has @total points, and .extents of
 * those behind it taken together in *@below, which becomes so many more. */
void fb_opencl_append_variable (FbSource *source, guint v, const char *from, gint64 total, gint64 *below, guint indent);
/* The bodies of @loop's reduces, each followed by its accumulation; @parts: into part `q` of it. */
void fb_opencl_append_bodies (FbSource *source, const FbLoop *loop, gboolean parts, guint indent);

/* Are the sums of the root long, and few enough or of such a kind that they are to be made of partial sums? A MAX of floats is not
 * shared: it keeps its order (agree.h). */
gboolean fb_opencl_is_grouped (const FbSource *source);
/* A loop of the root whose reduces have begun: all items end with the whole of them. */
void fb_opencl_append_grouped_loop (FbSource *source, const FbLoop *loop);

/* As fb_cpu_find_product(), of products that are large enough for tiles. */
gboolean fb_opencl_find_product (const FbSource *source, FbProduct *product);
/* The body of the kernel that computes tile `point` of the product. */
void fb_opencl_append_tiles (FbSource *source, const FbProduct *product);
