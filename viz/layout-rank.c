/* Layers: as near to the users as possible, then drawn up where that shortens lines; and the dummies that follow. */
#include "layout-private.h"

#include <stdlib.h>
#include <string.h>

/* Dummies allowed: this many per node and this many besides. */
#define DUMMIES_PER_NODE 6
#define DUMMIES_FREE 2000
/* Users looked at to see how far a source reaches; more than this count as reaching everywhere. */
#define REACH_SCAN 32

static gboolean
sort_items (FbWork *w)
{
  guint32 head = 0;
  g_autofree guint32 *waiting = g_new0 (guint32, MAX (w->n, 1));

  for (guint32 e = 0; e < w->n_edges; e++)
    waiting[w->carrier[w->in->edges[e].user]]++;
  w->n_topo = 0;
  guint32 n_items = 0;
  for (guint32 v = 0; v < w->n; v++)
    if (w->carrier[v] == v)
      {
        n_items++;
        if (waiting[v] == 0)
          w->topo[w->n_topo++] = v;
      }
  while (head < w->n_topo)
    {
      guint32 item = w->topo[head++];
      for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
        for (guint32 k = w->out_first[m]; k < w->out_first[m + 1]; k++)
          {
            guint32 user = w->carrier[w->in->edges[w->out_edge[k]].user];
            if (--waiting[user] == 0)
              w->topo[w->n_topo++] = user;
          }
    }
  return w->n_topo == n_items;
}

static void
set_carried (FbWork *w)
{
  for (guint32 v = 0; v < w->n; v++)
    {
      w->carries[v] = NONE;
      w->carrier[v] = v;
    }
  if (!w->in->left_of)
    return;
  for (guint32 v = 0; v < w->n; v++)
    {
      guint32 p = w->in->left_of[v];
      /* no rows of three: a card carries one other and is then not carried itself */
      if (p < w->n && p != v && w->carries[p] == NONE && w->carrier[p] == p && w->carries[v] == NONE)
        {
          w->carries[p] = v;
          w->carrier[v] = p;
        }
    }
}

/* Two cards with a path between them cannot stand in one layer: takes apart those of the pairs that are on a cycle, which are among
 * what could not be sorted. FALSE when there are none. */
static gboolean
release_pairs (FbWork *w)
{
  g_autofree guint8 *left = g_new (guint8, MAX (w->n, 1));
  g_autofree guint32 *waiting = g_new0 (guint32, MAX (w->n, 1)), *queue = g_new (guint32, MAX (w->n, 1));
  guint32 head = 0, tail = 0;
  gboolean any = FALSE;

  memset (left, TRUE, w->n);
  for (guint32 i = 0; i < w->n_topo; i++)
    left[w->topo[i]] = FALSE;
  for (guint32 e = 0; e < w->n_edges; e++)
    if (left[w->carrier[w->in->edges[e].user]])
      waiting[w->carrier[w->in->edges[e].source]]++;
  for (guint32 v = 0; v < w->n; v++)
    if (w->carrier[v] == v && left[v] && waiting[v] == 0)
      queue[tail++] = v;
  /* what only hangs below a cycle is on none */
  while (head < tail)
    {
      guint32 item = queue[head++];
      left[item] = FALSE;
      for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
        for (guint32 k = w->in_first[m]; k < w->in_first[m + 1]; k++)
          {
            guint32 source = w->carrier[w->in->edges[w->in_edge[k]].source];
            if (left[source] && --waiting[source] == 0)
              queue[tail++] = source;
          }
    }
  for (guint32 v = 0; v < w->n; v++)
    if (w->carrier[v] == v && left[v] && w->carries[v] != NONE)
      {
        w->carrier[w->carries[v]] = w->carries[v];
        w->carries[v] = NONE;
        any = TRUE;
      }
  return any;
}

/* The lowest rank among the users of an item, NONE when it has none. */
static guint32
first_user (const FbWork *w, guint32 item)
{
  guint32 rank = NONE;
  for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
    for (guint32 k = w->out_first[m]; k < w->out_first[m + 1]; k++)
      rank = MIN (rank, w->rank[w->carrier[w->in->edges[w->out_edge[k]].user]]);
  return rank;
}

/* How far the line of @source reaches without @item. */
static guint32
reach (const FbWork *w, guint32 source, guint32 item)
{
  guint32 far = 0, begin = w->out_first[source], end = w->out_first[source + 1];
  if (end - begin > REACH_SCAN)
    return NONE;
  for (guint32 k = begin; k < end; k++)
    {
      guint32 e = w->out_edge[k], user = w->carrier[w->in->edges[e].user];
      if (user != item && !w->stub[e])
        far = MAX (far, w->rank[user]);
    }
  return far;
}

/* Moving an item up shortens the lines above it of which it is the farthest user, and makes the one below it longer. It pays while
 * two get shorter. */
static guint32
best_rank (const FbWork *w, guint32 item)
{
  guint32 lowest = 0, first = w->rank[item], second = first;

  for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
    for (guint32 k = w->in_first[m]; k < w->in_first[m + 1]; k++)
      {
        guint32 e = w->in_edge[k], source = w->in->edges[e].source, far;
        lowest = MAX (lowest, w->rank[w->carrier[source]] + 1);
        /* the same source twice is one line */
        if (w->stub[e] || (k > w->in_first[m] && w->in->edges[w->in_edge[k - 1]].source == source))
          continue;
        far = reach (w, source, item);
        if (far < first)
          {
            second = first;
            first = far;
          }
        else if (far < second)
          second = far;
      }
  return MAX (lowest, second);
}

/* The layer an item had in the hint, NONE when there is none. */
static guint32
hinted_rank (const FbWork *w, guint32 item)
{
  const FbLayout *hint = w->in->hint;
  guint32 h = hint && w->in->hint_node ? w->in->hint_node[item] : NONE;
  return hint && h < hint->n_nodes ? hint->rank[h] : NONE;
}

static gboolean
stays (const FbWork *w, guint32 item)
{
  return hinted_rank (w, item) != NONE && !(w->in->hint_loose && w->in->hint_loose[item]);
}

/* As near to the users as they allow; what has a wish, as near to that. */
static void
pull_down (FbWork *w)
{
  for (guint32 i = w->n_topo; i-- > 0;)
    {
      guint32 item = w->topo[i], user, wish = hinted_rank (w, item);
      if (stays (w, item))
        continue;
      user = first_user (w, item);
      if (user == NONE)
        user = wish != NONE ? wish + 1 : w->rank[item] + 1;
      w->rank[item] = MAX (w->rank[item], MIN (wish, user - 1));
    }
}

static void
pull_up (FbWork *w)
{
  for (guint32 i = 0; i < w->n_topo; i++)
    {
      guint32 item = w->topo[i];
      if (hinted_rank (w, item) == NONE)
        w->rank[item] = MIN (w->rank[item], best_rank (w, item));
    }
}

static void
assign_ranks (FbWork *w)
{
  for (guint32 v = 0; v < w->n; v++)
    w->rank[v] = stays (w, v) ? hinted_rank (w, v) : 0;
  for (guint32 i = 0; i < w->n_topo; i++)
    {
      guint32 item = w->topo[i];
      for (guint32 m = item; m != NONE; m = fb_layout_next_member (w, item, m))
        for (guint32 k = w->out_first[m]; k < w->out_first[m + 1]; k++)
          {
            guint32 user = w->carrier[w->in->edges[w->out_edge[k]].user];
            w->rank[user] = MAX (w->rank[user], w->rank[item] + 1);
          }
    }
  w->depth = g_memdup2 (w->rank, MAX (w->n, 1) * sizeof (guint32));
  pull_down (w);
  pull_up (w);
}

/* Closes layers that nothing is in; with a hint they are kept, so that the others stay where they were. */
static void
close_layers (FbWork *w)
{
  guint32 top = 0;
  for (guint32 i = 0; i < w->n_topo; i++)
    top = MAX (top, w->rank[w->topo[i]]);
  w->n_layers = w->n_topo ? top + 1 : 0;
  if (!w->in->hint)
    {
      g_autofree guint32 *new_rank = g_new0 (guint32, (gsize) top + 1);
      guint32 n = 0;
      for (guint32 i = 0; i < w->n_topo; i++)
        new_rank[w->rank[w->topo[i]]] = 1;
      for (guint32 r = 0; r <= top; r++)
        new_rank[r] = new_rank[r] ? n++ : NONE;
      for (guint32 i = 0; i < w->n_topo; i++)
        w->rank[w->topo[i]] = new_rank[w->rank[w->topo[i]]];
      w->n_layers = n;
    }
  for (guint32 v = 0; v < w->n; v++)
    w->rank[v] = w->rank[w->carrier[v]];
}

static int
compare_spans (const void *a, const void *b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  return x < y ? -1 : x > y;
}

/* How many dummies more it takes to draw edges of each span, when all shorter ones are drawn. */
static guint64 *
count_dummies (const FbWork *w)
{
  guint64 *more = g_new0 (guint64, (gsize) w->n_layers + 1);
  guint32 n_max = 1;

  for (guint32 v = 0; v < w->n; v++)
    n_max = MAX (n_max, w->out_first[v + 1] - w->out_first[v]);
  g_autofree guint32 *spans = g_new (guint32, n_max);
  for (guint32 v = 0; v < w->n; v++)
    {
      guint32 n = 0, longest = 1;
      for (guint32 k = w->out_first[v]; k < w->out_first[v + 1]; k++)
        {
          guint32 e = w->out_edge[k], span = w->rank[w->in->edges[e].user] - w->rank[v];
          if (!w->stub[e] && span > 1)
            spans[n++] = span;
        }
      if (n > 1)
        qsort (spans, n, sizeof *spans, compare_spans);
      for (guint32 i = 0; i < n; i++)
        {
          more[spans[i]] += spans[i] - longest;
          longest = spans[i];
        }
    }
  return more;
}

/* The largest span of edges that keeps to the budget; 1 always does. */
static guint32
longest_span (const FbWork *w)
{
  guint64 budget = (guint64) w->n * DUMMIES_PER_NODE + DUMMIES_FREE, total = 0;
  guint32 limit = 1;
  g_autofree guint64 *more = count_dummies (w);

  for (guint32 span = 2; span < w->n_layers; span++)
    {
      total += more[span];
      if (total > budget)
        break;
      limit = span;
    }
  return limit;
}

static void
cut_long_edges (FbWork *w)
{
  guint32 limit = longest_span (w);

  if (limit + 1 >= w->n_layers)
    limit = G_MAXUINT32;
  /* what was too long for the hint stays so: it has no way through its layers */
  if (w->in->hint && w->in->hint->n_edges)
    limit = MIN (limit, w->in->hint->longest);
  w->longest = limit;
  for (guint32 e = 0; e < w->n_edges && limit < w->n_layers; e++)
    if (w->rank[w->in->edges[e].user] - w->rank[w->in->edges[e].source] > limit)
      w->stub[e] = TRUE;
}

gboolean
fb_layout_rank (FbWork *w)
{
  set_carried (w);
  while (!sort_items (w))
    if (!release_pairs (w))
      return FALSE;
  assign_ranks (w);
  close_layers (w);
  cut_long_edges (w);
  return TRUE;
}

void
fb_layout_make_links (FbWork *w)
{
  guint32 n_dummies = 0;

  w->trunk_first = g_new (guint32, w->n + 1);
  for (guint32 v = 0; v < w->n; v++)
    {
      guint32 far = 0;
      w->trunk_first[v] = n_dummies;
      for (guint32 k = w->out_first[v]; k < w->out_first[v + 1]; k++)
        if (!w->stub[w->out_edge[k]])
          far = MAX (far, w->rank[w->in->edges[w->out_edge[k]].user] - w->rank[v]);
      n_dummies += far > 1 ? far - 1 : 0;
    }
  w->trunk_first[w->n] = n_dummies;
  w->n_vertices = w->n + n_dummies;

  w->rank = g_renew (guint32, w->rank, MAX (w->n_vertices, 1));
  w->up_first = g_new (guint32, w->n_vertices + 1);
  w->links = g_new (FbLink, MAX (w->n_edges + n_dummies, 1));
  w->n_links = 0;
  for (guint32 v = 0; v < w->n; v++)
    {
      guint32 main = NONE;
      w->up_first[v] = w->n_links;
      for (guint32 k = w->in_first[v]; k < w->in_first[v + 1]; k++)
        {
          guint32 e = w->in_edge[k], source = w->in->edges[e].source;
          if (w->stub[e])
            continue;
          guint32 span = w->rank[v] - w->rank[source];
          guint32 up = span == 1 ? source : w->n + w->trunk_first[source] + span - 2;
          if (main == NONE || w->depth[source] > w->depth[w->in->edges[w->links[main].edge].source])
            main = w->n_links;
          w->links[w->n_links++] = (FbLink){ .up = up, .down = v, .edge = e };
        }
      if (main != NONE)
        w->links[main].main = TRUE;
    }
  for (guint32 v = 0; v < w->n; v++)
    for (guint32 k = w->trunk_first[v]; k < w->trunk_first[v + 1]; k++)
      {
        guint32 dummy = w->n + k;
        w->rank[dummy] = w->rank[v] + 1 + (k - w->trunk_first[v]);
        w->up_first[dummy] = w->n_links;
        w->links[w->n_links++]
            = (FbLink){ .up = k == w->trunk_first[v] ? v : dummy - 1, .down = dummy, .edge = NONE, .main = TRUE };
      }
  w->up_first[w->n_vertices] = w->n_links;

  w->down = g_new (guint32, MAX (w->n_links, 1));
  w->down_first = g_new (guint32, (gsize) w->n_vertices + 1);
  fb_layout_index_down (w);
}

void
fb_layout_index_down (FbWork *w)
{
  memset (w->down_first, 0, ((gsize) w->n_vertices + 1) * sizeof (guint32));
  for (guint32 l = 0; l < w->n_links; l++)
    w->down_first[w->links[l].up]++;
  for (guint32 v = 0, sum = 0; v <= w->n_vertices; v++)
    {
      sum += w->down_first[v];
      w->down_first[v] = sum;
    }
  for (guint32 l = w->n_links; l-- > 0;)
    w->down[--w->down_first[w->links[l].up]] = l;
}
