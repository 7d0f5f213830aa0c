/* What each op computes; integers wrap, floats are rounded to their type after every op. */
#include <math.h>

#include "lane.h"

#define EACH(expression)               \
  for (guint l = 0; l < n; l++)        \
    {                                  \
      FbLane x = a[l];                 \
      out[l] = (FbLane){ expression }; \
    }

/* threefry 2x32 with 20 rounds; counter and key are packed, the low word first. */
static guint64
threefry (guint64 counter, guint64 key)
{
  static const guint8 rotations[2][4] = { { 13, 15, 26, 6 }, { 17, 29, 16, 24 } };
  guint32 low = (guint32) key, high = (guint32) (key >> 32);
  const guint32 keys[3] = { high, low ^ high ^ 0x1BD11BDA, low };
  guint32 x = (guint32) counter + keys[2], y = (guint32) (counter >> 32) + keys[0];
  for (guint i = 0; i < 5; i++)
    {
      for (guint r = 0; r < 4; r++)
        {
          guint8 by = rotations[i & 1][r];
          x += y;
          y = x ^ (y << by | y >> (32 - by));
        }
      x += keys[i % 3];
      y += keys[(i + 1) % 3] + i + 1;
    }
  return (guint64) y << 32 | x;
}

static gint64
divide (gint64 a, gint64 b, gboolean is_unsigned)
{
  if (b == 0)
    return 0;
  if (is_unsigned)
    return (gint64) ((guint64) a / (guint64) b);
  return b == -1 ? (gint64) - (guint64) a : a / b;
}

static gint64
remainder_of (gint64 a, gint64 b, gboolean is_unsigned)
{
  if (b == 0)
    return a;
  if (is_unsigned)
    return (gint64) ((guint64) a % (guint64) b);
  return b == -1 ? 0 : a % b;
}

static gint64
shift (gint64 a, gint64 by, gboolean left, guint type)
{
  gboolean beyond = by < 0 || by >= 8 * fb_scalar_size (type);
  if (left)
    return beyond ? 0 : (gint64) ((guint64) a << by);
  if (fb_scalar_is_unsigned (type))
    return beyond ? 0 : (gint64) ((guint64) a >> by);
  return a >> (beyond ? 63 : by);
}

/* Out of range and NaN give what x86-64 gives: the smallest integer of 32 or 64 bits, cut to the type. */
static gint64
float_to_int (double x, guint type)
{
  const double two_63 = 9223372036854775808.0, two_31 = 2147483648.0;
  if (type == FB_SCALAR_BOOL)
    return x != 0;
  if (type == FB_SCALAR_UINT64 && x >= two_63)
    return x < 2 * two_63 ? (gint64) ((guint64) (gint64) (x - two_63) ^ (guint64) G_MININT64) : 0;
  if (type == FB_SCALAR_INT64 || type == FB_SCALAR_UINT64 || type == FB_SCALAR_UINT32)
    return fb_wrap (type, x >= -two_63 && x < two_63 ? (gint64) x : G_MININT64);
  return fb_wrap (type, x > -two_31 - 1 && x < two_31 ? (gint64) x : G_MININT32);
}

static double
int_to_float (gint64 x, guint type, gboolean is_unsigned)
{
  if (type == FB_SCALAR_FLOAT64)
    return is_unsigned ? (double) (guint64) x : (double) x;
  return fb_round (type, is_unsigned ? (float) (guint64) x : (float) x);
}

static FbLane
bitcast (guint type, guint from, FbLane lane)
{
  guint8 bytes[8] = { 0 };
  fb_lane_write (from, bytes, lane);
  return fb_lane_read (type, bytes);
}

static void
cast (guint type, guint from, guint n, FbLane *out, const FbLane *a)
{
  gboolean is_unsigned = fb_scalar_is_unsigned (from);
  if (fb_scalar_is_float (type))
    {
      if (fb_scalar_is_float (from))
        EACH (.f = fb_round (type, x.f))
      else
        EACH (.f = int_to_float (x.i, type, is_unsigned))
    }
  else if (fb_scalar_is_float (from))
    EACH (.i = float_to_int (x.f, type))
  else
    EACH (.i = fb_wrap (type, x.i))
}

static void
alu_float (guint op, guint type, guint n, FbLane *out, const FbLane *a, const FbLane *b, const FbLane *c)
{
#define ROUNDED(value) EACH (.f = fb_round (type, value))
  switch (op)
    {
    case FB_OP_ADD:
      if (type == FB_SCALAR_FLOAT32) /* the common one without a call */
        EACH (.f = (float) (x.f + b[l].f))
      else
        ROUNDED (x.f + b[l].f)
      break;
    case FB_OP_MUL:
      if (type == FB_SCALAR_FLOAT32)
        EACH (.f = (float) (x.f * b[l].f))
      else
        ROUNDED (x.f * b[l].f)
      break;
    case FB_OP_SUB:
      ROUNDED (x.f - b[l].f)
      break;
    case FB_OP_FDIV:
      ROUNDED (x.f / b[l].f)
      break;
    case FB_OP_MAX:
      EACH (.f = x.f < b[l].f ? b[l].f : x.f)
      break;
    case FB_OP_POW:
      ROUNDED (pow (x.f, b[l].f))
      break;
    case FB_OP_MULACC:
      ROUNDED (fb_round (type, x.f * b[l].f) + c[l].f)
      break;
    case FB_OP_EXP2:
      ROUNDED (exp2 (x.f))
      break;
    case FB_OP_LOG2:
      ROUNDED (log2 (x.f))
      break;
    case FB_OP_SIN:
      ROUNDED (sin (x.f))
      break;
    case FB_OP_SQRT:
      ROUNDED (sqrt (x.f))
      break;
    case FB_OP_RECIP:
      ROUNDED (1.0 / x.f)
      break;
    case FB_OP_NEG:
      EACH (.f = -x.f)
      break;
    }
#undef ROUNDED
}

static void
alu_int (guint op, guint type, guint n, FbLane *out, const FbLane *a, const FbLane *b, const FbLane *c)
{
  gboolean is_unsigned = fb_scalar_is_unsigned (type);
#define WRAPPED(value) EACH (.i = fb_wrap (type, (gint64) (value)))
  switch (op)
    {
    case FB_OP_ADD:
      WRAPPED ((guint64) x.i + (guint64) b[l].i)
      break;
    case FB_OP_MUL:
      WRAPPED ((guint64) x.i * (guint64) b[l].i)
      break;
    case FB_OP_SUB:
      WRAPPED ((guint64) x.i - (guint64) b[l].i)
      break;
    case FB_OP_NEG:
      WRAPPED (-(guint64) x.i)
      break;
    case FB_OP_IDIV:
      WRAPPED (divide (x.i, b[l].i, is_unsigned))
      break;
    case FB_OP_MOD:
      WRAPPED (remainder_of (x.i, b[l].i, is_unsigned))
      break;
    case FB_OP_MAX:
      if (is_unsigned)
        EACH (.i = (guint64) x.i < (guint64) b[l].i ? b[l].i : x.i)
      else
        EACH (.i = MAX (x.i, b[l].i))
      break;
    case FB_OP_XOR:
      EACH (.i = x.i ^ b[l].i)
      break;
    case FB_OP_OR:
      EACH (.i = x.i | b[l].i)
      break;
    case FB_OP_AND:
      EACH (.i = x.i & b[l].i)
      break;
    case FB_OP_SHL:
      WRAPPED (shift (x.i, b[l].i, TRUE, type))
      break;
    case FB_OP_SHR:
      WRAPPED (shift (x.i, b[l].i, FALSE, type))
      break;
    case FB_OP_MULACC:
      WRAPPED ((guint64) x.i * (guint64) b[l].i + (guint64) c[l].i)
      break;
    case FB_OP_THREEFRY:
      EACH (.i = (gint64) threefry ((guint64) x.i, (guint64) b[l].i))
      break;
    }
#undef WRAPPED
}

static void
compare (guint op, guint from, guint n, FbLane *out, const FbLane *a, const FbLane *b)
{
  gboolean less = op == FB_OP_CMPLT;
  if (fb_scalar_is_float (from))
    EACH (.i = less ? x.f < b[l].f : x.f != b[l].f)
  else if (fb_scalar_is_unsigned (from))
    EACH (.i = less ? (guint64) x.i < (guint64) b[l].i : x.i != b[l].i)
  else
    EACH (.i = less ? x.i < b[l].i : x.i != b[l].i)
}

void
fb_lanes_alu (guint op, guint type, guint from, guint n, FbLane *out, const FbLane *a, const FbLane *b, const FbLane *c)
{
  if (op == FB_OP_CAST)
    cast (type, from, n, out, a);
  else if (op == FB_OP_BITCAST)
    for (guint l = 0; l < n; l++)
      out[l] = bitcast (type, from, a[l]);
  else if (op == FB_OP_CONTIGUOUS)
    memmove (out, a, n * sizeof *out);
  else if (op == FB_OP_CMPLT || op == FB_OP_CMPNE)
    compare (op, from, n, out, a, b);
  else if (op == FB_OP_WHERE)
    for (guint l = 0; l < n; l++)
      out[l] = a[l].i ? b[l] : c[l];
  else if (fb_scalar_is_float (type))
    alu_float (op, type, n, out, a, b, c);
  else
    alu_int (op, type, n, out, a, b, c);
}
