/* Order by a hint: what it knows stands where it was, and the rest goes where there is room, so that nothing has to move for it. */
#include "layout-private.h"

#include <math.h>

/* px that something new may stand away from where its neighbours are, before what is known has to make room */
#define DETOUR_MAX 900.0

static void
set_known (FbWork *w)
{
  const FbLayout *hint = w->in->hint;

  w->hint_x = g_new (double, MAX (w->n_vertices, 1));
  for (guint32 v = 0; v < w->n_vertices; v++)
    w->hint_x[v] = NAN;
  for (guint32 v = 0; v < w->n; v++)
    {
      guint32 h = w->in->hint_node ? w->in->hint_node[v] : NONE;
      if (h >= hint->n_nodes)
        continue;
      w->hint_x[v] = hint->x[h] + hint->node_width[h] / 2;
      for (guint32 k = w->trunk_first[v]; k < w->trunk_first[v + 1]; k++)
        {
          /* the trunk passed this layer then too */
          guint32 below = w->rank[w->n + k] - hint->rank[h];
          if (w->rank[w->n + k] > hint->rank[h] && below <= hint->trunk_first[h + 1] - hint->trunk_first[h])
            w->hint_x[w->n + k] = hint->trunk_x[hint->trunk_first[h] + below - 1];
        }
    }
}

/* From below, then from above: what has a neighbour with a place gets the mean of those. */
static void
guess_unknown (FbWork *w)
{
  g_autofree guint8 *placed = g_new0 (guint8, MAX (w->n_vertices, 1));
  g_autoptr (GArray) unknown = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint32 v = 0; v < w->n_vertices; v++)
    if (isnan (w->hint_x[v]))
      g_array_append_val (unknown, v);
    else
      {
        w->x[v] = w->hint_x[v];
        placed[v] = TRUE;
      }
  for (int pass = 0; pass < 4; pass++)
    for (guint i = 0; i < unknown->len; i++)
      {
        guint32 v = g_array_index (unknown, guint32, pass % 2 == 0 ? unknown->len - 1 - i : i), n = 0;
        double sum = 0;
        if (placed[v])
          continue;
        for (guint32 l = w->up_first[v]; l < w->up_first[v + 1]; l++)
          if (placed[w->links[l].up])
            {
              sum += w->x[w->links[l].up];
              n++;
            }
        for (guint32 k = w->down_first[v]; k < w->down_first[v + 1]; k++)
          if (placed[w->links[w->down[k]].down])
            {
              sum += w->x[w->links[w->down[k]].down];
              n++;
            }
        if (n)
          {
            w->x[v] = sum / n;
            placed[v] = TRUE;
          }
      }
}

/* What lies between two cards of a layer that have their places, or outside the first or the last one. */
typedef struct
{
  double low, high; /* where something may stand, from edge to edge */
  double used;      /* px that lines and new cards take of it */
} Gap;

static double
reach (const FbWork *w, guint32 item, gboolean left)
{
  double reach = w->in->width[item] / 2;
  if (left && w->carries[item] != NONE)
    reach += FB_LAYOUT_BECOMES + w->in->width[w->carries[item]];
  return reach;
}

/* The gaps of a layer, its items sorted by place. */
static void
find_gaps (const FbWork *w, const FbRanked *ranked, guint32 n, GArray *gaps)
{
  Gap gap = { -G_MAXDOUBLE, G_MAXDOUBLE, 0 };

  g_array_set_size (gaps, 0);
  for (guint32 i = 0; i < n; i++)
    {
      guint32 v = ranked[i].item;
      if (isnan (w->hint_x[v]))
        continue;
      if (v >= w->n)
        {
          gap.used += GAP_LINES;
          continue;
        }
      gap.high = w->hint_x[v] - w->in->width[v] / 2 - FB_LAYOUT_CARD_GAP;
      g_array_append_val (gaps, gap);
      gap = (Gap){ w->hint_x[v] + w->in->width[v] / 2 + FB_LAYOUT_CARD_GAP, G_MAXDOUBLE, 0 };
    }
  g_array_append_val (gaps, gap);
}

/* Puts a card, or a line, into the nearest gap that takes it. */
static void
find_room (FbWork *w, guint32 item, GArray *gaps)
{
  gboolean card = item < w->n;
  double left = card ? reach (w, item, TRUE) : 0, right = card ? reach (w, item, FALSE) : 0;
  double best = DETOUR_MAX, at = w->x[item];
  Gap *choice = NULL;

  for (guint g = 0; g < gaps->len; g++)
    {
      Gap *gap = &g_array_index (gaps, Gap, g);
      double low = gap->low + left, high = gap->high - right, x;
      if (gap->high - gap->low - gap->used < left + right)
        continue;
      x = CLAMP (w->x[item], low, high);
      if (fabs (x - w->x[item]) < best)
        {
          best = fabs (x - w->x[item]);
          choice = gap;
          at = x;
        }
    }
  if (!choice)
    return;
  choice->used += card ? left + right + FB_LAYOUT_CARD_GAP : GAP_LINES;
  w->x[item] = at;
}

/* New lines where they are in the way: round the cards beside them instead. */
static gboolean
lead_round (FbWork *w, const FbRanked *ranked, guint32 n, GArray *gaps)
{
  gboolean moved = FALSE;
  guint g = 0;

  for (guint32 i = 0; i < n; i++)
    {
      guint32 item = ranked[i].item;
      Gap *gap = &g_array_index (gaps, Gap, g);
      if (!isnan (w->hint_x[item]))
        g += item < w->n;
      else if (item >= w->n && gap->high - gap->low >= gap->used)
        gap->used += GAP_LINES;
      else if (item >= w->n)
        {
          find_room (w, item, gaps);
          moved = TRUE;
        }
    }
  return moved;
}

/* New cards among the known ones of a layer, then new lines. */
static void
make_room (FbWork *w, FbRanked *ranked, FbRanked *spare, guint32 n, GArray *gaps)
{
  gboolean moved = FALSE, lines = FALSE;

  for (guint32 i = 0; i < n; i++)
    {
      guint32 item = ranked[i].item;
      if (!isnan (w->hint_x[item]))
        continue;
      if (!moved && !lines)
        find_gaps (w, ranked, n, gaps);
      if (item < w->n)
        find_room (w, item, gaps);
      moved |= item < w->n;
      lines |= item >= w->n;
    }
  if (lines && lead_round (w, ranked, n, gaps))
    moved = TRUE;
  if (!moved)
    return;
  for (guint32 i = 0; i < n; i++)
    ranked[i].key = (float) w->x[ranked[i].item];
  fb_layout_sort_ranked (ranked, spare, n);
}

void
fb_layout_order_by_hint (FbWork *w, FbRanked *ranked, FbRanked *spare)
{
  g_autoptr (GArray) gaps = g_array_new (FALSE, FALSE, sizeof (Gap));

  set_known (w);
  guess_unknown (w);
  for (guint32 r = 0; r < w->n_layers; r++)
    {
      guint32 *layer = w->layer + w->layer_first[r], n = w->layer_first[r + 1] - w->layer_first[r];
      for (guint32 i = 0; i < n; i++)
        ranked[i] = (FbRanked){ (float) w->x[layer[i]], layer[i] };
      fb_layout_sort_ranked (ranked, spare, n);
      make_room (w, ranked, spare, n, gaps);
      for (guint32 i = 0; i < n; i++)
        layer[i] = ranked[i].item;
      fb_layout_number_layer (w, r);
    }
}
