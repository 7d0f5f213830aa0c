/* Numbers as lanes: every integer as 64 bits, every float as a double that its type can hold. */
#pragma once

#include <string.h>

#include "backends/program/program.h"

/* IEEE half precision, rounding to nearest even. */
float fb_half_to_float (guint16 bits);
guint16 fb_float_to_half (float value);
/* The upper half of a float, rounding to nearest even. */
float fb_bfloat_to_float (guint16 bits);
guint16 fb_float_to_bfloat (float value);

/* @value as a float type holds it; half and bfloat16 by way of float, as C compilers convert. */
static inline double
fb_round (guint type, double value)
{
  switch (type)
    {
    case FB_SCALAR_FLOAT32:
      return (float) value;
    case FB_SCALAR_FLOAT16:
      return fb_half_to_float (fb_float_to_half ((float) value));
    case FB_SCALAR_BFLOAT16:
      return fb_bfloat_to_float (fb_float_to_bfloat ((float) value));
    default:
      return value;
    }
}

/* The element of a buffer as a lane and back. @data need not be aligned. */
FbLane fb_lane_read (guint type, const void *data);
void fb_lane_write (guint type, void *data, FbLane lane);
/* The same for @n elements at @at in units of elements. */
void fb_lanes_gather (guint type, guint n, const guint8 *data, const gint64 *at, FbLane *out);
void fb_lanes_scatter (guint type, guint n, guint8 *data, const gint64 *at, const guint8 *valid, const FbLane *in);

/* out[i] = op (a[i], b[i], c[i]), of an ALU op, CAST, BITCAST or CONTIGUOUS. @from is the type of a, @type that of the result.
 * @out may be one of the sources. */
void fb_lanes_alu (guint op, guint type, guint from, guint n, FbLane *out, const FbLane *a, const FbLane *b,
                   const FbLane *c);
/* How many of @n lanes of a MAX of type @type have a NaN in @a or, unless NULL, in @b; 0 for other ops and types. */
gint64 fb_lanes_max_of_nan (guint op, guint type, guint n, const FbLane *a, const FbLane *b);
/* What a reduce by @op starts with. */
FbLane fb_lane_identity (guint op, guint type);
