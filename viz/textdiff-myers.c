#include "textdiff-private.h"

typedef struct
{
  guint32 a0, a1, b0, b1;
} Box;

typedef struct
{
  const guint32 *a, *b;
  gint64 *forward, *backward; /* farthest a-position on each diagonal, from either corner */
  gint64 offset;              /* of diagonal 0 */
  guint32 limit;
  gboolean exact;
} Myers;

/* One more difference on diagonal @k: the farthest place reached from the neighbouring diagonals, then along equal elements. -1 when
 * it cannot be reached inside the box. @back reads both sequences from their ends. */
static gint64
advance (const gint64 *reached, gint64 d, gint64 k, const guint32 *a, gint64 n_a, const guint32 *b, gint64 n_b,
         gboolean back)
{
  gint64 x = d == 0 ? 0 : -1, y;

  if (k < -n_b || k > n_a)
    return -1;
  if (k < d && reached[k + 1] - k <= n_b)
    x = reached[k + 1];
  if (k > -d && reached[k - 1] >= 0 && reached[k - 1] < n_a)
    x = MAX (x, reached[k - 1] + 1);
  y = x - k;
  if (x < 0 || y < 0)
    return -1;
  if (back)
    while (x < n_a && y < n_b && a[n_a - 1 - x] == b[n_b - 1 - y])
      x++, y++;
  else
    while (x < n_a && y < n_b && a[x] == b[y])
      x++, y++;
  return x;
}

/* A point on a shortest way through the box (or a good one, beyond the limit). The box has no common first or last element and both
 * sides are not empty, so the point splits it into two smaller boxes. */
static void
middle_point (Myers *m, Box box, guint32 *at_a, guint32 *at_b)
{
  gint64 n_a = box.a1 - box.a0, n_b = box.b1 - box.b0, delta = n_a - n_b, best = -1;
  const guint32 *a = m->a + box.a0, *b = m->b + box.b0;
  gint64 *f = m->forward + m->offset, *g = m->backward + m->offset, d;
  gboolean odd = delta & 1;

  for (d = 0; d <= m->limit; d++)
    {
      for (gint64 k = -d; k <= d; k += 2)
        {
          gint64 other = delta - k;
          f[k] = advance (f, d, k, a, n_a, b, n_b, FALSE);
          if (odd && f[k] >= 0 && ABS (other) < d && g[other] >= 0 && f[k] + g[other] >= n_a)
            {
              *at_a = box.a0 + (guint32) f[k];
              *at_b = box.b0 + (guint32) (f[k] - k);
              return;
            }
        }
      for (gint64 k = -d; k <= d; k += 2)
        {
          gint64 other = delta - k;
          g[k] = advance (g, d, k, a, n_a, b, n_b, TRUE);
          if (!odd && g[k] >= 0 && ABS (other) <= d && f[other] >= 0 && f[other] + g[k] >= n_a)
            {
              *at_a = box.a0 + (guint32) (n_a - g[k]);
              *at_b = box.b0 + (guint32) (n_b - (g[k] - k));
              return;
            }
        }
    }
  /* give up on the shortest: go on from the farthest point that the forward search has reached */
  m->exact = FALSE;
  d--;
  for (gint64 k = -d; k <= d; k += 2)
    if (f[k] >= 0 && 2 * f[k] - k > best)
      {
        best = 2 * f[k] - k;
        *at_a = box.a0 + (guint32) f[k];
        *at_b = box.b0 + (guint32) (f[k] - k);
      }
}

gboolean
fb_diff_sequences (const guint32 *a, guint32 n_a, const guint32 *b, guint32 n_b, guint8 *changed_a, guint8 *changed_b,
                   guint32 limit)
{
  gsize span = 2 * ((gsize) MIN ((guint64) n_a + n_b, (guint64) limit + 1) + 2) + 1;
  Myers m = { a, b, g_new (gint64, span), g_new (gint64, span), (gint64) (span / 2), limit, TRUE };
  g_autoptr (GArray) boxes = g_array_new (FALSE, FALSE, sizeof (Box));
  Box all = { 0, n_a, 0, n_b };

  g_array_append_val (boxes, all);
  while (boxes->len > 0)
    {
      Box box = g_array_index (boxes, Box, boxes->len - 1);
      g_array_set_size (boxes, boxes->len - 1);
      while (box.a0 < box.a1 && box.b0 < box.b1 && a[box.a0] == b[box.b0])
        box.a0++, box.b0++;
      while (box.a0 < box.a1 && box.b0 < box.b1 && a[box.a1 - 1] == b[box.b1 - 1])
        box.a1--, box.b1--;
      if (box.a0 == box.a1 || box.b0 == box.b1)
        {
          for (guint32 i = box.a0; i < box.a1; i++)
            changed_a[i] = TRUE;
          for (guint32 i = box.b0; i < box.b1; i++)
            changed_b[i] = TRUE;
          continue;
        }
      guint32 at_a = box.a0, at_b = box.b0;
      middle_point (&m, box, &at_a, &at_b);
      Box first = { box.a0, at_a, box.b0, at_b }, second = { at_a, box.a1, at_b, box.b1 };
      /* no corner splits anything; it cannot be reached, but a loop would hang */
      if ((at_a == box.a0 && at_b == box.b0) || (at_a == box.a1 && at_b == box.b1))
        {
          for (guint32 i = box.a0; i < box.a1; i++)
            changed_a[i] = TRUE;
          for (guint32 i = box.b0; i < box.b1; i++)
            changed_b[i] = TRUE;
          continue;
        }
      g_array_append_val (boxes, second);
      g_array_append_val (boxes, first);
    }
  g_free (m.forward);
  g_free (m.backward);
  return m.exact;
}
