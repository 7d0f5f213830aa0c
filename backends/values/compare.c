#include "compare.h"

#include <math.h>
#include <string.h>

#include "values.h"

#define BLOCK 4096

/* Bits of a float as a number that grows with it; both zeros are 0. */
static gint64
ordered (guint type, const guint8 *data)
{
  guint bytes = fb_scalar_size (type);
  guint64 bits = 0, sign = (guint64) 1 << (8 * bytes - 1);
  for (guint i = bytes; i-- > 0;)
    bits = bits << 8 | data[i];
  return bits & sign ? -(gint64) (bits & ~sign) : (gint64) bits;
}

static guint64
ulp_apart (guint type, const guint8 *a, const guint8 *b)
{
  if (fb_scalar_is_float (type))
    {
      gint64 x = ordered (type, a), y = ordered (type, b);
      return x > y ? (guint64) x - (guint64) y : (guint64) y - (guint64) x;
    }
  gint64 x = 0, y = 0;
  guint bytes = fb_scalar_size (type);
  memcpy (&x, a, bytes);
  memcpy (&y, b, bytes);
  if (fb_scalar_is_unsigned (type))
    return (guint64) x > (guint64) y ? (guint64) x - (guint64) y : (guint64) y - (guint64) x;
  x = fb_wrap (type, x);
  y = fb_wrap (type, y);
  return x > y ? (guint64) x - (guint64) y : (guint64) y - (guint64) x;
}

static void
note_worst (FbValueComparison *c, const FbValueDifference *difference)
{
  guint at = c->n_worst;
  while (at > 0 && c->worst[at - 1].ulp < difference->ulp)
    at--;
  if (at == FB_VALUE_WORST)
    return;
  c->n_worst = MIN (c->n_worst + 1, FB_VALUE_WORST);
  memmove (&c->worst[at + 1], &c->worst[at], (c->n_worst - at - 1) * sizeof *difference);
  c->worst[at] = *difference;
}

static void
note (FbValueComparison *c, guint type, gint64 element, double x, double y, const guint8 *a, const guint8 *b)
{
  FbValueDifference d = { .element = element, .a = x, .b = y };
  gboolean special = !isfinite (x) || !isfinite (y);
  c->n_differ++;
  c->n_special_differ += special;
  if (c->first < 0)
    c->first = element;
  d.ulp = special ? G_MAXUINT64 : ulp_apart (type, a, b);
  d.abs = special ? INFINITY : fabs (x - y);
  d.rel = special ? INFINITY : d.abs / MAX (fabs (x), fabs (y));
  note_worst (c, &d);
  if (special)
    return;
  if (c->at_abs < 0 || d.abs > c->max_abs)
    {
      c->max_abs = d.abs;
      c->at_abs = element;
    }
  if (c->at_rel < 0 || d.rel > c->max_rel)
    {
      c->max_rel = d.rel;
      c->at_rel = element;
    }
  if (c->at_ulp < 0 || d.ulp > c->max_ulp)
    {
      c->max_ulp = d.ulp;
      c->at_ulp = element;
    }
}

gboolean
fb_compare (guint type, gint64 n, const guint8 *a, const guint8 *b, FbValueComparison *comparison,
            GCancellable *cancellable)
{
  gsize item = fb_scalar_size (type);
  g_autofree double *values = g_new (double, 2 * BLOCK);
  double *x = values, *y = values + BLOCK;
  *comparison = (FbValueComparison){ .size = n, .first = -1, .at_abs = -1, .at_rel = -1, .at_ulp = -1 };
  for (gint64 at = 0; at < n; at += BLOCK)
    {
      guint count = (guint) MIN (n - at, BLOCK);
      const guint8 *from_a = a + (gsize) at * item, *from_b = b + (gsize) at * item;
      if (at / BLOCK % 64 == 0 && g_cancellable_is_cancelled (cancellable))
        return FALSE;
      fb_values_read (type, a, at, count, x);
      fb_values_read (type, b, at, count, y);
      for (guint i = 0; i < count; i++)
        {
          comparison->n_special += !isfinite (x[i]) || !isfinite (y[i]);
          /* doubles hold no more than 53 bits of an integer */
          if ((x[i] == y[i] && (fb_scalar_is_float (type) || !memcmp (from_a + i * item, from_b + i * item, item)))
              || (isnan (x[i]) && isnan (y[i])))
            continue;
          note (comparison, type, at + i, x[i], y[i], from_a + i * item, from_b + i * item);
        }
    }
  return TRUE;
}
