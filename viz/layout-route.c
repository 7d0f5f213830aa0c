/* Tracks of across-lines, heights of layers, corners of edges. */
#include "layout-private.h"

#include <math.h>
#include <stdlib.h>

#define STRAIGHT 0.5      /* px: less is drawn straight */
#define TRACK_MARGIN 10.0 /* between two lines on one track */
#define TRACKS_MAX 200
#define TRACKS_HEIGHT 240.0 /* more tracks than fit at full distance move closer */
#define GAP_ABOVE 12.0      /* from the layer above to the first track */
#define TRACK_LEAST 3.0     /* as close as tracks come to keep the heights of a hint */
#define HEAD_ROOM 6.5       /* from the last track to the card, as small as an arrow head allows */
#define GAP_LINES_ONLY 16.0 /* gap with one track and no arrow heads under it */

/* The across-line of a vertex: one for all its users in the gap. */
typedef struct
{
  double low, high, exit;
  guint32 vertex;
  gboolean rightwards;
} Net;

typedef struct
{
  double low, high;
} Span;

typedef struct
{
  GArray *spans; /* of Span; those of rightward nets by falling low */
  guint n_rightward;
  double lowest_rightward, highest_leftward;
} Track;

static int
compare_nets (const void *a, const void *b)
{
  const Net *p = a, *q = b;
  if (p->rightwards != q->rightwards)
    return p->rightwards ? -1 : 1;
  /* rightward: the rightmost start on top; leftward: the leftmost start on top; neither crosses its like then */
  double d = p->rightwards ? q->low - p->low : p->high - q->high;
  if (d != 0)
    return d < 0 ? -1 : 1;
  return p->vertex < q->vertex ? -1 : p->vertex > q->vertex;
}

/* Exits are collected from left to right, so that turning the rightward ones round nearly sorts them all. */
static void
sort_nets (Net *nets, guint n)
{
  guint n_right = 0, moves = 0;

  for (guint i = 0; i < n; i++)
    n_right += nets[i].rightwards;
  g_autofree Net *copy = g_memdup2 (nets, n * sizeof *nets);
  for (guint i = 0, right = n_right, left = n_right; i < n; i++)
    nets[copy[i].rightwards ? --right : left++] = copy[i];
  for (guint i = 1; i < n; i++)
    {
      Net net = nets[i];
      guint j = i;
      if (moves > 16 * n)
        {
          qsort (nets, n, sizeof *nets, compare_nets);
          return;
        }
      for (; j > 0 && compare_nets (&nets[j - 1], &net) > 0; j--, moves++)
        nets[j] = nets[j - 1];
      nets[j] = net;
    }
}

/* Does a leftward net meet a rightward one of the track? They are disjoint and sorted, so one can be found by bisection. */
static gboolean
meets_rightward (const Track *track, const Net *net)
{
  guint low = 0, high = track->n_rightward;
  while (low < high)
    {
      guint middle = (low + high) / 2;
      const Span *span = &g_array_index (track->spans, Span, middle);
      if (span->low > net->high + TRACK_MARGIN)
        low = middle + 1;
      else if (span->high < net->low - TRACK_MARGIN)
        high = middle;
      else
        return TRUE;
    }
  return FALSE;
}

static gboolean
fits (const Track *track, const Net *net)
{
  if (net->rightwards)
    return net->high + TRACK_MARGIN < track->lowest_rightward;
  return net->low - TRACK_MARGIN > track->highest_leftward && !meets_rightward (track, net);
}

/* The track of each net into w->track_y as a number; returns how many there are. */
static guint
assign_tracks (FbWork *w, GArray *nets, GPtrArray *tracks)
{
  guint n_tracks = 0;

  if (nets->len > 1)
    sort_nets ((Net *) (void *) nets->data, nets->len);
  for (guint i = 0; i < nets->len; i++)
    {
      const Net *net = &g_array_index (nets, Net, i);
      guint t = 0;
      while (t < n_tracks && !fits (g_ptr_array_index (tracks, t), net))
        t++;
      if (t == TRACKS_MAX)
        {
          /* a gap that no one can read anyway */
          w->track_y[net->vertex] = i % TRACKS_MAX;
          continue;
        }
      if (t == n_tracks)
        {
          if (n_tracks == tracks->len)
            {
              Track *track = g_new0 (Track, 1);
              track->spans = g_array_new (FALSE, FALSE, sizeof (Span));
              g_ptr_array_add (tracks, track);
            }
          Track *track = g_ptr_array_index (tracks, n_tracks++);
          g_array_set_size (track->spans, 0);
          track->n_rightward = 0;
          track->lowest_rightward = G_MAXDOUBLE;
          track->highest_leftward = -G_MAXDOUBLE;
        }
      Track *track = g_ptr_array_index (tracks, t);
      if (net->rightwards)
        {
          Span span = { net->low, net->high };
          g_array_append_val (track->spans, span);
          track->n_rightward++;
          track->lowest_rightward = net->low;
        }
      else
        track->highest_leftward = net->high;
      w->track_y[net->vertex] = t;
    }
  return n_tracks;
}

static void
track_free (gpointer data)
{
  Track *track = data;
  g_array_unref (track->spans);
  g_free (track);
}

static double
lower_end (const FbWork *w, const FbLink *link)
{
  return w->x[link->down] + link->port;
}

/* The nets of the gap below layer @r; @heads: an arrow head stands below an across-line. */
static void
collect_nets (const FbWork *w, guint32 r, GArray *nets, gboolean *heads)
{
  g_array_set_size (nets, 0);
  *heads = FALSE;
  for (guint32 i = w->layer_first[r]; i < w->layer_first[r + 1]; i++)
    for (guint32 m = w->layer[i]; m != NONE; m = fb_layout_next_member (w, w->layer[i], m))
      {
        Net net = { w->x[m], w->x[m], w->x[m], m, FALSE };
        double sum = 0;
        for (guint32 k = w->down_first[m]; k < w->down_first[m + 1]; k++)
          {
            const FbLink *link = &w->links[w->down[k]];
            double x = lower_end (w, link);
            if (fabs (x - net.exit) < STRAIGHT)
              continue;
            net.low = MIN (net.low, x);
            net.high = MAX (net.high, x);
            sum += x - net.exit;
            *heads |= link->down < w->n;
          }
        if (net.low == net.high)
          continue;
        net.rightwards = sum >= 0;
        g_array_append_val (nets, net);
      }
}

/* The gap below a layer in the hint; more than any when it has none. */
static double
hinted_gap (const FbWork *w, guint32 r)
{
  const FbLayout *hint = w->in->hint;
  if (!hint || !hint->layer_y || r + 1 >= hint->n_layers)
    return G_MAXDOUBLE;
  return hint->layer_y[r + 1] - hint->layer_y[r] - FB_LAYOUT_CARD_HEIGHT;
}

/* Where the tracks of a gap are: the first one below the cards, and from one to the next. What @room there is (more than any: as
 * much as is good) is kept to, so that nothing below moves: tracks draw together, then towards the cards. Returns the gap. */
static double
set_tracks (guint n_tracks, gboolean heads, double room, double *above, double *apart)
{
  double rest, height;

  *above = heads || n_tracks > 1 ? GAP_ABOVE : GAP_LINES_ONLY / 2;
  rest = heads || n_tracks > 1 ? FB_LAYOUT_GAP_ACROSS : GAP_LINES_ONLY;
  *apart = n_tracks > 1 ? MIN (FB_LAYOUT_TRACK, TRACKS_HEIGHT / (n_tracks - 1)) : 0;
  height = *apart * (n_tracks - 1);
  if (rest + height <= room)
    return rest + height;
  if (n_tracks > 1 && rest + TRACK_LEAST * (n_tracks - 1) <= room)
    *apart = (room - rest) / (n_tracks - 1);
  else
    {
      /* half of what is left without arrow heads for the way down to the first track, half for the tracks */
      double left = MAX (room - (heads ? HEAD_ROOM : 0), 0);
      *above = MIN (*above, n_tracks > 1 ? left / 2 : left * 0.6);
      *apart = n_tracks > 1 ? MIN (*apart, (left - *above) / (n_tracks - 1)) : 0;
    }
  return room;
}

static void
set_heights (FbWork *w)
{
  g_autoptr (GArray) nets = g_array_new (FALSE, FALSE, sizeof (Net));
  g_autoptr (GPtrArray) tracks = g_ptr_array_new_with_free_func (track_free);
  double y = 0;

  w->layer_y = g_new0 (double, (gsize) w->n_layers + 1);
  w->track_y = g_new0 (double, MAX (w->n_vertices, 1));
  for (guint32 r = 0; r < w->n_layers; r++)
    {
      gboolean heads;
      double gap = FB_LAYOUT_GAP_CHAIN, bottom, above, apart;

      if (w->in->hint && w->in->hint->layer_y && r < w->in->hint->n_layers)
        y = MAX (y, w->in->hint->layer_y[r]);
      w->layer_y[r] = y;
      bottom = y + FB_LAYOUT_CARD_HEIGHT;
      collect_nets (w, r, nets, &heads);
      guint n_tracks = assign_tracks (w, nets, tracks);
      if (n_tracks > 0)
        {
          gap = set_tracks (n_tracks, heads, hinted_gap (w, r), &above, &apart);
          for (guint i = 0; i < nets->len; i++)
            {
              guint32 v = g_array_index (nets, Net, i).vertex;
              w->track_y[v] = bottom + above + apart * w->track_y[v];
            }
        }
      y = bottom + gap;
    }
}

typedef struct
{
  FbPoint *at;
  guint len, size;
} Points;

static inline void
add_point (Points *points, double x, double y)
{
  if (points->len == points->size)
    {
      points->size = 2 * points->size + 64;
      points->at = g_renew (FbPoint, points->at, points->size);
    }
  points->at[points->len++] = (FbPoint){ (float) x, (float) y };
}

/* Corners of the line from @source to the port of @link (the last one of its way). */
static void
append_route (const FbWork *w, guint32 source, const FbLink *last, Points *points)
{
  guint32 user = last->down, vertex = source;
  double x = w->x[source];

  add_point (points, x, w->layer_y[w->rank[source]] + FB_LAYOUT_CARD_HEIGHT);
  for (guint32 r = w->rank[source]; r < w->rank[user]; r++)
    {
      guint32 down = r + 1 == w->rank[user] ? user : w->n + w->trunk_first[source] + (r - w->rank[source]);
      double to = down == user ? lower_end (w, last) : w->x[down];
      if (fabs (to - x) >= STRAIGHT)
        {
          add_point (points, x, w->track_y[vertex]);
          add_point (points, to, w->track_y[vertex]);
          x = to;
        }
      vertex = down;
    }
  add_point (points, x, w->layer_y[w->rank[user]]);
}

static void
append_stub (const FbWork *w, const FbLayoutEdge *edge, Points *points)
{
  add_point (points, w->x[edge->source], w->layer_y[w->rank[edge->source]] + FB_LAYOUT_CARD_HEIGHT);
  add_point (points, w->x[edge->user], w->layer_y[w->rank[edge->user]]);
}

static void
shift_to_origin (FbWork *w, FbLayout *layout, double left)
{
  for (guint32 v = 0; v < w->n; v++)
    layout->x[v] -= (float) left;
  for (guint32 k = 0; k < layout->trunk_first[w->n]; k++)
    layout->trunk_x[k] -= (float) left;
  for (guint32 k = 0; k < layout->route_first[w->n_edges]; k++)
    layout->points[k].x -= (float) left;
}

void
fb_layout_route (FbWork *w, FbLayout *layout)
{
  g_autofree guint32 *link_of = g_new (guint32, MAX (w->n_edges, 1));
  guint size = 4 * w->n_edges + 1;
  Points points = { g_new (FbPoint, size), 0, size };
  double low = G_MAXDOUBLE, high = -G_MAXDOUBLE;

  set_heights (w);
  for (guint32 l = 0; l < w->n_links; l++)
    if (w->links[l].edge != NONE)
      link_of[w->links[l].edge] = l;
  layout->route_first = g_new (guint32, (gsize) w->n_edges + 1);
  for (guint32 e = 0; e < w->n_edges; e++)
    {
      layout->route_first[e] = points.len;
      if (w->stub[e])
        append_stub (w, &w->in->edges[e], &points);
      else
        append_route (w, w->in->edges[e].source, &w->links[link_of[e]], &points);
    }
  layout->route_first[w->n_edges] = points.len;
  layout->points = points.at;

  layout->x = g_new (float, MAX (w->n, 1));
  layout->y = g_new (float, MAX (w->n, 1));
  layout->trunk_first = g_memdup2 (w->trunk_first, ((gsize) w->n + 1) * sizeof (guint32));
  layout->trunk_x = g_new (float, MAX (w->trunk_first[w->n], 1));
  for (guint32 v = 0; v < w->n; v++)
    {
      double left = w->x[v] - w->in->width[v] / 2;
      layout->x[v] = (float) left;
      layout->y[v] = (float) w->layer_y[w->rank[v]];
      low = MIN (low, left);
      high = MAX (high, left + w->in->width[v]);
    }
  for (guint32 k = 0; k < w->trunk_first[w->n]; k++)
    {
      layout->trunk_x[k] = (float) w->x[w->n + k];
      low = MIN (low, w->x[w->n + k] - 1);
      high = MAX (high, w->x[w->n + k] + 1);
    }
  layout->layer_y = g_new (float, (gsize) w->n_layers + 1);
  for (guint32 r = 0; r < w->n_layers; r++)
    layout->layer_y[r] = (float) w->layer_y[r];
  if (w->n > 0)
    {
      /* with a hint the places of before are kept, to the left of 0 too */
      if (!w->in->hint)
        {
          shift_to_origin (w, layout, low);
          high -= low;
          low = 0;
        }
      layout->left = (float) low;
      layout->width = (float) (high - low);
      layout->height = (float) (w->layer_y[w->n_layers - 1] + FB_LAYOUT_CARD_HEIGHT);
    }
}
