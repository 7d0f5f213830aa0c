#include "lane.h"

#include <math.h>

float
fb_half_to_float (guint16 bits)
{
  guint32 sign = (guint32) (bits & 0x8000) << 16, exponent = bits >> 10 & 31, mantissa = bits & 0x3ff, word;
  float value;
  if (exponent == 0)
    {
      value = (float) mantissa * 0x1p-24f;
      return sign ? -value : value;
    }
  word = exponent == 31 ? 0x7f800000 | mantissa << 13 : (exponent + 112) << 23 | mantissa << 13;
  word |= sign;
  memcpy (&value, &word, sizeof value);
  return value;
}

guint16
fb_float_to_half (float value)
{
  guint32 word;
  memcpy (&word, &value, sizeof word);
  guint16 sign = (guint16) (word >> 16 & 0x8000);
  word &= 0x7fffffff;
  if (word > 0x7f800000)
    return sign | 0x7e00 | (word >> 13 & 0x3ff);
  if (word >= 0x477ff000) /* rounds to what is beyond the largest */
    return sign | 0x7c00;
  if (word < 0x38800000)
    {
      /* a denormal: the addition rounds */
      float magnitude, shifted;
      guint32 bits;
      memcpy (&magnitude, &word, sizeof magnitude);
      shifted = magnitude + 0.5f;
      memcpy (&bits, &shifted, sizeof bits);
      return sign | (guint16) (bits - 0x3f000000);
    }
  word += 0xfff + (word >> 13 & 1);
  return sign | (guint16) ((word - 0x38000000) >> 13);
}

float
fb_bfloat_to_float (guint16 bits)
{
  guint32 word = (guint32) bits << 16;
  float value;
  memcpy (&value, &word, sizeof value);
  return value;
}

guint16
fb_float_to_bfloat (float value)
{
  guint32 word;
  memcpy (&word, &value, sizeof word);
  if ((word & 0x7fffffff) > 0x7f800000)
    return (guint16) (word >> 16 | 0x40);
  return (guint16) ((word + 0x7fff + (word >> 16 & 1)) >> 16);
}

#define FOR_EACH_STORED(X)                                                                  \
  X (BOOL, guint8, i, value != 0, lane.i != 0)                                              \
  X (INT8, gint8, i, value, (gint8) lane.i)                                                 \
  X (UINT8, guint8, i, value, (guint8) lane.i)                                              \
  X (INT16, gint16, i, value, (gint16) lane.i)                                              \
  X (UINT16, guint16, i, value, (guint16) lane.i)                                           \
  X (INT32, gint32, i, value, (gint32) lane.i)                                              \
  X (UINT32, guint32, i, value, (guint32) lane.i)                                           \
  X (INT64, gint64, i, value, lane.i)                                                       \
  X (UINT64, guint64, i, (gint64) value, (guint64) lane.i)                                  \
  X (FLOAT16, guint16, f, fb_half_to_float (value), fb_float_to_half ((float) lane.f))      \
  X (BFLOAT16, guint16, f, fb_bfloat_to_float (value), fb_float_to_bfloat ((float) lane.f)) \
  X (FLOAT32, float, f, value, (float) lane.f)                                              \
  X (FLOAT64, double, f, value, lane.f)

FbLane
fb_lane_read (guint type, const void *data)
{
  FbLane out = { 0 };
  const gint64 at = 0;
  fb_lanes_gather (type, 1, data, &at, &out);
  return out;
}

void
fb_lane_write (guint type, void *data, FbLane lane)
{
  const gint64 at = 0;
  const guint8 valid = 1;
  fb_lanes_scatter (type, 1, data, &at, &valid, &lane);
}

void
fb_lanes_gather (guint type, guint n, const guint8 *data, const gint64 *at, FbLane *out)
{
  switch (type)
    {
#define X(TYPE, ctype, field, from, to)                                      \
  case FB_SCALAR_##TYPE:                                                     \
    for (guint l = 0; l < n; l++)                                            \
      {                                                                      \
        ctype value;                                                         \
        memcpy (&value, data + at[l] * (gint64) sizeof value, sizeof value); \
        out[l].field = from;                                                 \
      }                                                                      \
    break;
      FOR_EACH_STORED (X)
#undef X
    }
}

void
fb_lanes_scatter (guint type, guint n, guint8 *data, const gint64 *at, const guint8 *valid, const FbLane *in)
{
  switch (type)
    {
#define X(TYPE, ctype, field, from, to)                                        \
  case FB_SCALAR_##TYPE:                                                       \
    for (guint l = 0; l < n; l++)                                              \
      if (valid[l])                                                            \
        {                                                                      \
          FbLane lane = in[l];                                                 \
          ctype value = to;                                                    \
          memcpy (data + at[l] * (gint64) sizeof value, &value, sizeof value); \
        }                                                                      \
    break;
      FOR_EACH_STORED (X)
#undef X
    }
}

gint64
fb_lanes_max_of_nan (guint op, guint type, guint n, const FbLane *a, const FbLane *b)
{
  gint64 count = 0;
  if (op != FB_OP_MAX || !fb_scalar_is_float (type))
    return 0;
  for (guint l = 0; l < n; l++)
    count += a[l].f != a[l].f || (b != NULL && b[l].f != b[l].f);
  return count;
}

FbLane
fb_lane_identity (guint op, guint type)
{
  static const gint64 smallest[FB_N_SCALARS] = {
    [FB_SCALAR_INT8] = G_MININT8,
    [FB_SCALAR_INT16] = G_MININT16,
    [FB_SCALAR_INT32] = G_MININT32,
    [FB_SCALAR_INT64] = G_MININT64,
  };
  FbLane lane = { 0 };
  if (fb_scalar_is_float (type))
    lane.f = op == FB_OP_MAX ? -HUGE_VAL : op == FB_OP_MUL ? 1.0 : 0.0;
  else
    lane.i = op == FB_OP_MAX ? smallest[type] : op == FB_OP_MUL ? 1 : 0;
  return lane;
}
