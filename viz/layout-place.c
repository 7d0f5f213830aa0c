/* Places along a layer. Sweeps move every item towards the mean of its neighbours; within a layer that is an isotonic regression
 * (order and distances are kept), solved exactly by pooling adjacent violators. Then vertical runs are made straight. */
#include "layout-private.h"

#include <math.h>
#include <string.h>

#define SWEEPS 10
#define HINT_SWEEPS 4
#define MAIN_WEIGHT 16.0
#define CARRIED_SHARE 0.001
#define HINT_WEIGHT 1000.0
#define HINT_WEIGHT_LINE 40.0 /* lines go round a card rather than that it moves */
#define FEW_MAX 3000          /* items of a layer for which it is looked who has to move */

typedef struct
{
  double place, weight;
  guint32 n;
} Pool;

/* Where an item of a layer is to be, less what those before it take. */
typedef struct
{
  double place, weight;
} Wish;

typedef struct
{
  FbWork *w;
  Pool *pools;          /* room for the widest layer */
  Wish *wishes, *spare; /* likewise; only with a hint */
  double *wanted, *weight, *shift;
} Place;

static void
set_reach (FbWork *w)
{
  w->left = g_new0 (float, MAX (w->n_vertices, 1));
  w->right = g_new0 (float, MAX (w->n_vertices, 1));
  for (guint32 v = 0; v < w->n; v++)
    {
      w->left[v] = w->right[v] = w->in->width[v] / 2;
      if (w->carries[v] != NONE)
        *(w->right_side[v] ? &w->right[v] : &w->left[v]) += (float) FB_LAYOUT_BECOMES + w->in->width[w->carries[v]];
    }
}

static double
link_weight (const FbWork *w, const FbLink *link)
{
  if (link->down >= w->n)
    return link->up >= w->n ? 8 : 2;
  return link->main ? MAIN_WEIGHT : 1;
}

/* Where the neighbours above (@up) and below (@down, factors) want an item; FALSE when there are none. */
static gboolean
wanted_place (const FbWork *w, guint32 item, double up, double down, double *place, double *weight)
{
  double sum = 0, total = 0;
  for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
    {
      /* a carried card goes where its carrier goes; with no other link it decides */
      double share = m == item ? 1 : CARRIED_SHARE, offset = fb_layout_member_offset (w, item, m);
      if (up > 0)
        for (guint32 l = w->up_first[m]; l < w->up_first[m + 1]; l++)
          {
            const FbLink *link = &w->links[l];
            double lw = share * up * link_weight (w, link);
            sum += lw * (w->x[link->up] - offset);
            total += lw;
          }
      if (down > 0)
        for (guint32 k = w->down_first[m]; k < w->down_first[m + 1]; k++)
          {
            const FbLink *link = &w->links[w->down[k]];
            double lw = share * down * link_weight (w, link);
            sum += lw * (w->x[link->down] - offset);
            total += lw;
          }
    }
  if (total == 0)
    return FALSE;
  *place = sum / total;
  *weight = total;
  return TRUE;
}

/* Least squares of (x - wanted) under the order and the distances of the layer. */
static void
regress (Place *p, guint32 r)
{
  FbWork *w = p->w;
  const guint32 *layer = w->layer + w->layer_first[r];
  guint32 n = w->layer_first[r + 1] - w->layer_first[r], n_pools = 0;
  double shift = 0;

  for (guint32 i = 0; i < n; i++)
    {
      if (i > 0)
        shift += fb_layout_distance (w, layer[i - 1], layer[i]);
      p->shift[i] = shift;
      Pool pool = { p->wanted[i] - shift, p->weight[i], 1 };
      while (n_pools > 0 && p->pools[n_pools - 1].place >= pool.place)
        {
          Pool *last = &p->pools[--n_pools];
          pool.place = (pool.place * pool.weight + last->place * last->weight) / (pool.weight + last->weight);
          pool.weight += last->weight;
          pool.n += last->n;
        }
      p->pools[n_pools++] = pool;
    }
  for (guint32 k = 0, i = 0; k < n_pools; k++)
    for (guint32 j = 0; j < p->pools[k].n; j++, i++)
      fb_layout_set_x (w, layer[i], p->pools[k].place + p->shift[i]);
}

/* The wishes [first, middle) and [middle, end) are sorted each; sorts them all. */
static void
merge_wishes (Place *p, guint32 first, guint32 middle, guint32 end)
{
  guint32 i = first, j = middle, k = 0;
  while (i < middle || j < end)
    p->spare[k++]
        = j >= end || (i < middle && p->wishes[i].place <= p->wishes[j].place) ? p->wishes[i++] : p->wishes[j++];
  memcpy (p->wishes + first, p->spare, k * sizeof (Wish));
}

static double
median (const Wish *wishes, guint32 n, double total)
{
  double sum = 0;
  guint32 i = 0;
  for (; i + 1 < n && sum + wishes[i].weight < total / 2; i++)
    sum += wishes[i].weight;
  return wishes[i].place;
}

/* Least sum of |x - wanted| instead: where something new needs room the fewer of its neighbours move, and the others not at all. */
static void
regress_few (Place *p, guint32 r)
{
  FbWork *w = p->w;
  const guint32 *layer = w->layer + w->layer_first[r];
  guint32 n = w->layer_first[r + 1] - w->layer_first[r], n_pools = 0;
  double shift = 0;

  for (guint32 i = 0; i < n; i++)
    {
      if (i > 0)
        shift += fb_layout_distance (w, layer[i - 1], layer[i]);
      p->shift[i] = shift;
      p->wishes[i] = (Wish){ p->wanted[i] - shift, p->weight[i] };
      Pool pool = { p->wishes[i].place, p->weight[i], 1 };
      while (n_pools > 0 && p->pools[n_pools - 1].place >= pool.place)
        {
          Pool *last = &p->pools[--n_pools];
          guint32 end = i + 1, middle = end - pool.n, first = middle - last->n;
          merge_wishes (p, first, middle, end);
          pool.n += last->n;
          pool.weight += last->weight;
          pool.place = median (p->wishes + first, pool.n, pool.weight);
        }
      p->pools[n_pools++] = pool;
    }
  for (guint32 k = 0, i = 0; k < n_pools; k++)
    for (guint32 j = 0; j < p->pools[k].n; j++, i++)
      fb_layout_set_x (w, layer[i], p->pools[k].place + p->shift[i]);
}

static void
sweep_layer (Place *p, guint32 r, double up, double down)
{
  FbWork *w = p->w;
  const guint32 *layer = w->layer + w->layer_first[r];
  guint32 n = w->layer_first[r + 1] - w->layer_first[r];

  for (guint32 i = 0; i < n; i++)
    {
      guint32 item = layer[i];
      if (w->hint_x && !isnan (w->hint_x[item]))
        {
          p->wanted[i] = w->hint_x[item];
          p->weight[i] = item < w->n ? HINT_WEIGHT : HINT_WEIGHT_LINE;
        }
      else if (!wanted_place (w, item, up, down, &p->wanted[i], &p->weight[i])
               && !wanted_place (w, item, 0.1, 0.1, &p->wanted[i], &p->weight[i]))
        {
          p->wanted[i] = w->x[item];
          p->weight[i] = 0.01;
        }
    }
  if (p->wishes && n <= FEW_MAX)
    regress_few (p, r);
  else
    regress (p, r);
}

static void
pack (FbWork *w)
{
  for (guint32 r = 0; r < w->n_layers; r++)
    {
      double x = 0;
      for (guint32 i = w->layer_first[r]; i < w->layer_first[r + 1]; i++)
        {
          if (i > w->layer_first[r])
            x += fb_layout_distance (w, w->layer[i - 1], w->layer[i]);
          fb_layout_set_x (w, w->layer[i], x);
        }
      /* around 0, so that layers of different width start under each other */
      for (guint32 i = w->layer_first[r]; i < w->layer_first[r + 1]; i++)
        fb_layout_set_x (w, w->layer[i], w->x[w->layer[i]] - x / 2);
    }
}

/* Every item of a layer has its place from the hint: one sweep settles it. */
static gboolean
all_known (const Place *p, guint32 r)
{
  const FbWork *w = p->w;
  for (guint32 i = w->layer_first[r]; i < w->layer_first[r + 1]; i++)
    if (isnan (w->hint_x[w->layer[i]]))
      return FALSE;
  return TRUE;
}

/* The usual case of it: they all fit where they are. */
static gboolean
put_known (Place *p, guint32 r)
{
  FbWork *w = p->w;
  const guint32 *layer = w->layer + w->layer_first[r];
  guint32 n = w->layer_first[r + 1] - w->layer_first[r];

  for (guint32 i = 0; i < n; i++)
    if (isnan (w->hint_x[layer[i]])
        || (i > 0 && w->hint_x[layer[i]] - w->hint_x[layer[i - 1]] < fb_layout_distance (w, layer[i - 1], layer[i])))
      return FALSE;
  for (guint32 i = 0; i < n; i++)
    fb_layout_set_x (w, layer[i], w->hint_x[layer[i]]);
  return TRUE;
}

/* With a hint only the layers that hold something new are swept more than once. */
static gboolean
sweep_hinted (Place *p)
{
  FbWork *w = p->w;
  g_autofree guint32 *open = g_new (guint32, MAX (w->n_layers, 1));
  guint32 n_open = 0;

  for (guint32 r = w->n_layers; r-- > 0;)
    {
      if (put_known (p, r))
        continue;
      sweep_layer (p, r, 0, 1);
      if (!all_known (p, r))
        open[n_open++] = r;
    }
  for (int sweep = 1; sweep < HINT_SWEEPS; sweep++)
    {
      double far = sweep < 2 ? 0 : 1;
      if (g_cancellable_is_cancelled (w->cancellable))
        return FALSE;
      for (guint32 i = 0; i < n_open; i++)
        {
          guint32 down = sweep % 2;
          sweep_layer (p, open[down ? n_open - 1 - i : i], down ? 1 : far, down ? far : 1);
        }
    }
  return fb_layout_straighten (w);
}

static gboolean
sweep_all (Place *p)
{
  FbWork *w = p->w;

  for (int sweep = 0; sweep < SWEEPS; sweep++)
    {
      /* one side alone at first, then both: the far side pulls more and more */
      double far = sweep < 2 ? 0 : sweep < SWEEPS - 2 ? 0.5 : 1;
      if (g_cancellable_is_cancelled (w->cancellable))
        return FALSE;
      if (sweep % 2 == 0)
        for (guint32 r = w->n_layers; r-- > 0;)
          sweep_layer (p, r, far, 1);
      else
        for (guint32 r = 0; r < w->n_layers; r++)
          sweep_layer (p, r, 1, far);
    }
  return fb_layout_straighten (w);
}

gboolean
fb_layout_place (FbWork *w)
{
  guint32 widest = 1;
  Place p = { .w = w };
  gboolean done;

  for (guint32 r = 0; r < w->n_layers; r++)
    widest = MAX (widest, w->layer_first[r + 1] - w->layer_first[r]);
  p.pools = g_new (Pool, widest);
  p.wanted = g_new (double, 3 * (gsize) widest);
  p.weight = p.wanted + widest;
  p.shift = p.weight + widest;
  p.wishes = w->hint_x ? g_new (Wish, 2 * (gsize) widest) : NULL;
  p.spare = w->hint_x ? p.wishes + widest : NULL;
  if (w->in->room)
    fb_layout_keep_room (w);
  if (w->hint_x)
    fb_layout_choose_sides (w);
  set_reach (w);
  pack (w);
  done = w->hint_x ? sweep_hinted (&p) : sweep_all (&p);
  if (done)
    fb_layout_set_ports (w);
  g_free (p.pools);
  g_free (p.wanted);
  g_free (p.wishes);
  return done;
}
