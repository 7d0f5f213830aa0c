/* Order within layers: depth first, then barycentre sweeps, then swaps of neighbours. */
#include "layout-private.h"

#include <string.h>

#define SWEEPS 8
#define SWAP_ROUNDS 3
/* Neighbours compared when two items may swap; more than this says nothing useful for its cost. */
#define SWAP_DEGREE 32

typedef struct
{
  FbWork *w;
  FbRanked *ranked, *spare; /* room for the widest layer */
  guint32 *best;            /* copy of w->layer */
  guint32 *tree;            /* Fenwick tree over places of a layer */
  guint32 *places;          /* of the lower ends of one vertex */
} Order;

void
fb_layout_number_layer (FbWork *w, guint32 r)
{
  for (guint32 i = w->layer_first[r]; i < w->layer_first[r + 1]; i++)
    {
      guint32 item = w->layer[i];
      w->pos[item] = i - w->layer_first[r];
      if (item < w->n && w->carries[item] != NONE)
        w->pos[w->carries[item]] = i - w->layer_first[r];
    }
}

/* Every item once, from sinks upwards; each layer is filled in the order of arrival, so that trees come out without crossings. */
static void
depth_first (FbWork *w)
{
  guint32 n_stack = 0;
  g_autofree guint32 *stack = g_new (guint32, (gsize) w->n_links + 1);
  g_autofree guint8 *seen = g_new0 (guint8, MAX (w->n_vertices, 1));
  g_autofree guint32 *fill = g_memdup2 (w->layer_first, (w->n_layers + 1) * sizeof (guint32));

  for (guint32 i = w->n_topo; i-- > 0;)
    {
      stack[n_stack++] = w->topo[i];
      while (n_stack > 0)
        {
          guint32 item = stack[--n_stack];
          if (seen[item])
            continue;
          seen[item] = TRUE;
          w->layer[fill[w->rank[item]]++] = item;
          for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
            for (guint32 l = w->up_first[m + 1]; l-- > w->up_first[m];)
              {
                guint32 up = fb_layout_item (w, w->links[l].up);
                if (!seen[up])
                  stack[n_stack++] = up;
              }
        }
    }
}

/* Each layer in the order of vertices. */
static void
fill_layers (FbWork *w)
{
  g_autofree guint32 *fill = g_memdup2 (w->layer_first, (w->n_layers + 1) * sizeof (guint32));
  for (guint32 v = 0; v < w->n_vertices; v++)
    if (fb_layout_item (w, v) == v)
      w->layer[fill[w->rank[v]]++] = v;
}

/* Mean place of the neighbours above or below; -1 when there are none. */
static float
barycentre (const FbWork *w, guint32 item, gboolean above)
{
  double sum = 0;
  guint32 n = 0;
  for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
    {
      if (above)
        for (guint32 l = w->up_first[m]; l < w->up_first[m + 1]; l++, n++)
          sum += w->pos[w->links[l].up];
      else
        for (guint32 k = w->down_first[m]; k < w->down_first[m + 1]; k++, n++)
          sum += w->pos[w->links[w->down[k]].down];
    }
  return n ? (float) (sum / n) : -1.0f;
}

void
fb_layout_sort_ranked (FbRanked *a, FbRanked *spare, guint32 n)
{
  for (guint32 begin = 0; begin < n; begin += 16)
    {
      guint32 end = MIN (begin + 16, n);
      for (guint32 i = begin + 1; i < end; i++)
        {
          FbRanked item = a[i];
          guint32 j = i;
          for (; j > begin && a[j - 1].key > item.key; j--)
            a[j] = a[j - 1];
          a[j] = item;
        }
    }
  for (guint32 width = 16; width < n; width *= 2)
    for (guint32 begin = 0; begin + width < n; begin += 2 * width)
      {
        guint32 middle = begin + width, end = MIN (begin + 2 * width, n), i = begin, j = middle, k = begin;
        if (a[middle - 1].key <= a[middle].key)
          continue;
        memcpy (spare + begin, a + begin, (end - begin) * sizeof *a);
        while (i < middle && j < end)
          a[k++] = spare[j].key < spare[i].key ? spare[j++] : spare[i++];
        while (i < middle)
          a[k++] = spare[i++];
        while (j < end)
          a[k++] = spare[j++];
      }
}

/* Items without neighbours on that side keep their places, the others are sorted into the rest. */
static void
sort_layer (Order *o, guint32 r, gboolean above)
{
  FbWork *w = o->w;
  guint32 *layer = w->layer + w->layer_first[r], n = w->layer_first[r + 1] - w->layer_first[r], m = 0;

  if (n < 2)
    return;
  for (guint32 i = 0; i < n; i++)
    {
      float key = barycentre (w, layer[i], above);
      if (key >= 0)
        {
          o->ranked[m++] = (FbRanked){ key, layer[i] };
          layer[i] = NONE;
        }
    }
  fb_layout_sort_ranked (o->ranked, o->spare, m);
  m = 0;
  for (guint32 i = 0; i < n; i++)
    if (layer[i] == NONE)
      layer[i] = o->ranked[m++].item;
  fb_layout_number_layer (w, r);
}

/* Crossings between a layer and the next: inversions of lower ends, read in the order of upper ends. */
static guint64
count_crossings (Order *o, guint32 r)
{
  FbWork *w = o->w;
  guint32 width = w->layer_first[r + 2] - w->layer_first[r + 1];
  guint64 crossings = 0;
  guint32 total = 0;

  memset (o->tree, 0, (width + 1) * sizeof (guint32));
  for (guint32 i = w->layer_first[r]; i < w->layer_first[r + 1]; i++)
    {
      guint32 item = w->layer[i], n = 0;
      for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
        for (guint32 k = w->down_first[m]; k < w->down_first[m + 1]; k++)
          o->places[n++] = w->pos[w->links[w->down[k]].down];
      for (guint32 a = 0; a < n; a++)
        {
          guint32 not_right = 0;
          for (guint32 t = o->places[a] + 1; t > 0; t &= t - 1)
            not_right += o->tree[t];
          crossings += total - not_right;
        }
      for (guint32 a = 0; a < n; a++)
        for (guint32 t = o->places[a] + 1; t <= width; t += t & -t)
          o->tree[t]++;
      total += n;
    }
  return crossings;
}

static guint64
count_all_crossings (Order *o)
{
  guint64 crossings = 0;
  for (guint32 r = 0; r + 1 < o->w->n_layers; r++)
    crossings += count_crossings (o, r);
  return crossings;
}

static guint32
neighbour_places (const FbWork *w, guint32 item, gboolean above, guint32 places[SWAP_DEGREE])
{
  guint32 n = 0;
  for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
    {
      if (above)
        for (guint32 l = w->up_first[m]; l < w->up_first[m + 1] && n < SWAP_DEGREE; l++)
          places[n++] = w->pos[w->links[l].up];
      else
        for (guint32 k = w->down_first[m]; k < w->down_first[m + 1] && n < SWAP_DEGREE; k++)
          places[n++] = w->pos[w->links[w->down[k]].down];
    }
  return n;
}

/* Crossings saved when @a, left of @b, and @b change places. */
static int
swap_gain (const FbWork *w, guint32 a, guint32 b)
{
  guint32 pa[SWAP_DEGREE], pb[SWAP_DEGREE];
  int gain = 0;

  for (int above = 0; above <= 1; above++)
    {
      guint32 na = neighbour_places (w, a, above, pa), nb = neighbour_places (w, b, above, pb);
      for (guint32 i = 0; i < na; i++)
        for (guint32 j = 0; j < nb; j++)
          gain += (pa[i] > pb[j]) - (pa[i] < pb[j]);
    }
  return gain;
}

static gboolean
swap_neighbours (FbWork *w)
{
  gboolean changed = FALSE;
  for (guint32 r = 0; r < w->n_layers; r++)
    for (guint32 i = w->layer_first[r]; i + 1 < w->layer_first[r + 1]; i++)
      {
        guint32 a = w->layer[i], b = w->layer[i + 1];
        if (swap_gain (w, a, b) <= 0)
          continue;
        w->layer[i] = b;
        w->layer[i + 1] = a;
        for (guint32 m = a; m != NONE; m = fb_layout_next_member (w, a, m))
          w->pos[m]++;
        for (guint32 m = b; m != NONE; m = fb_layout_next_member (w, b, m))
          w->pos[m]--;
        changed = TRUE;
      }
  return changed;
}

static gboolean
improve (Order *o)
{
  FbWork *w = o->w;
  gsize bytes = w->layer_first[w->n_layers] * sizeof (guint32);
  guint64 best = count_all_crossings (o);
  int idle = 0;

  memcpy (o->best, w->layer, bytes);
  for (int sweep = 0; sweep < SWEEPS && best > 0 && idle < 4; sweep++)
    {
      if (g_cancellable_is_cancelled (w->cancellable))
        return FALSE;
      if (sweep % 2 == 0)
        for (guint32 r = 1; r < w->n_layers; r++)
          sort_layer (o, r, TRUE);
      else
        for (guint32 r = w->n_layers - 1; r-- > 0;)
          sort_layer (o, r, FALSE);
      guint64 crossings = count_all_crossings (o);
      idle++;
      if (crossings < best)
        {
          idle = 0;
          best = crossings;
          memcpy (o->best, w->layer, bytes);
        }
    }
  memcpy (w->layer, o->best, bytes);
  for (guint32 r = 0; r < w->n_layers; r++)
    fb_layout_number_layer (w, r);
  for (int round = 0; round < SWAP_ROUNDS && best > 0; round++)
    {
      if (g_cancellable_is_cancelled (w->cancellable))
        return FALSE;
      if (!swap_neighbours (w))
        break;
    }
  return TRUE;
}

gboolean
fb_layout_order (FbWork *w)
{
  guint32 widest = 1, most_down = 1;
  Order o = { .w = w };
  gboolean done = TRUE;

  w->layer_first = g_new0 (guint32, w->n_layers + 2);
  w->layer = g_new (guint32, MAX (w->n_vertices, 1));
  w->pos = g_new0 (guint32, MAX (w->n_vertices, 1));
  w->x = g_new0 (double, MAX (w->n_vertices, 1));
  for (guint32 v = 0; v < w->n_vertices; v++)
    if (fb_layout_item (w, v) == v)
      w->layer_first[w->rank[v] + 1]++;
  for (guint32 r = 0; r < w->n_layers; r++)
    {
      widest = MAX (widest, w->layer_first[r + 1]);
      w->layer_first[r + 1] += w->layer_first[r];
    }
  for (guint32 v = 0; v < w->n_vertices; v++)
    {
      guint32 n = w->down_first[v + 1] - w->down_first[v];
      if (v < w->n && w->carries[v] != NONE)
        n += w->down_first[w->carries[v] + 1] - w->down_first[w->carries[v]];
      most_down = MAX (most_down, n);
    }
  /* with a hint it is places that decide */
  if (w->in->hint)
    fill_layers (w);
  else
    depth_first (w);
  for (guint32 r = 0; r < w->n_layers; r++)
    fb_layout_number_layer (w, r);

  o.ranked = g_new (FbRanked, widest);
  o.spare = g_new (FbRanked, widest);
  o.best = g_new (guint32, MAX (w->n_vertices, 1));
  o.tree = g_new (guint32, widest + 2);
  o.places = g_new (guint32, most_down);
  if (w->in->hint)
    fb_layout_order_by_hint (w, o.ranked, o.spare);
  else if (w->n_layers > 1)
    done = improve (&o);
  g_free (o.ranked);
  g_free (o.spare);
  g_free (o.best);
  g_free (o.tree);
  g_free (o.places);
  return done;
}
