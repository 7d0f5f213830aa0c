/* Vertical runs made straight: a card, its main line, the card below it, and so on, on one line as far as their neighbours allow. */
#include "layout-private.h"

#include <math.h>

#define STRAIGHTEN_ROUNDS 3

/* The link a vertex continues by straight down, NONE when it has none: a trunk goes on as a trunk; a card by the main line into
 * the user with the least else above it, or along its trunk. */
static guint32
straight_link (const FbWork *w, guint32 vertex)
{
  guint32 choice = NONE, trunk = NONE, fewest = NONE;
  for (guint32 k = w->down_first[vertex]; k < w->down_first[vertex + 1]; k++)
    {
      const FbLink *link = &w->links[w->down[k]];
      if (link->down >= w->n)
        trunk = w->down[k];
      else if (link->main && w->carrier[link->down] == link->down)
        {
          guint32 n_up = w->up_first[link->down + 1] - w->up_first[link->down];
          if (n_up < fewest)
            {
              fewest = n_up;
              choice = w->down[k];
            }
        }
    }
  if (trunk != NONE && (vertex >= w->n || choice == NONE))
    return trunk;
  return choice;
}

typedef struct
{
  guint32 item;
  double offset; /* of the item's centre from the line of the run */
} Member;

/* How far an item can move between its neighbours. */
static void
slack (const FbWork *w, guint32 item, double *low, double *high)
{
  guint32 r = w->rank[item], i = w->layer_first[r] + w->pos[item];
  *low = i > w->layer_first[r] ? w->x[w->layer[i - 1]] + fb_layout_distance (w, w->layer[i - 1], item) : -G_MAXDOUBLE;
  *high = i + 1 < w->layer_first[r + 1] ? w->x[w->layer[i + 1]] - fb_layout_distance (w, item, w->layer[i + 1])
                                        : G_MAXDOUBLE;
}

static void
align (FbWork *w, const Member *members, guint32 n, double low, double high)
{
  double line = 0;
  if (n < 2)
    return;
  for (guint32 i = 0; i < n; i++)
    line += w->x[members[i].item] - members[i].offset;
  line = CLAMP (line / n, low, high);
  for (guint32 i = 0; i < n; i++)
    fb_layout_set_x (w, members[i].item, line + members[i].offset);
}

static void
straighten_run (FbWork *w, const Member *members, guint32 n)
{
  double low = -G_MAXDOUBLE, high = G_MAXDOUBLE;
  guint32 begin = 0;

  for (guint32 i = 0; i < n; i++)
    {
      double l, h;
      slack (w, members[i].item, &l, &h);
      l = l == -G_MAXDOUBLE ? l : l - members[i].offset;
      h = h == G_MAXDOUBLE ? h : h - members[i].offset;
      if (MAX (low, l) > MIN (high, h))
        {
          /* no common line: what went before is one run, a new one begins here */
          align (w, members + begin, i - begin, low, high);
          begin = i;
          low = l;
          high = h;
        }
      else
        {
          low = MAX (low, l);
          high = MIN (high, h);
        }
    }
  align (w, members + begin, n - begin, low, high);
}

/* Follows straight links from each vertex that none leads to. Runs go down through layers, so members are in different ones. */
static gboolean
straighten (FbWork *w, const guint32 *next, const guint8 *has_previous)
{
  g_autofree Member *members = g_new (Member, (gsize) w->n_layers + 1);

  for (guint32 v = 0; v < w->n_vertices; v++)
    {
      guint32 n = 0, vertex = v;
      if (has_previous[v] || next[v] == NONE)
        continue;
      for (;;)
        {
          guint32 item = fb_layout_item (w, vertex);
          members[n++] = (Member){ item, -fb_layout_member_offset (w, item, vertex) };
          if (next[vertex] == NONE)
            break;
          vertex = w->links[next[vertex]].down;
        }
      straighten_run (w, members, n);
      if ((v & 0xffff) == 0xffff && g_cancellable_is_cancelled (w->cancellable))
        return FALSE;
    }
  return TRUE;
}

gboolean
fb_layout_straighten (FbWork *w)
{
  guint32 n_free = 0;

  for (guint32 v = 0; w->hint_x && v < w->n_vertices && n_free == 0; v++)
    n_free += isnan (w->hint_x[v]) ? 1 : 0;
  if (w->hint_x && n_free == 0)
    return TRUE;
  g_autofree guint32 *next = g_new (guint32, MAX (w->n_vertices, 1));
  g_autofree guint8 *has_previous = g_new0 (guint8, MAX (w->n_vertices, 1));

  /* trunks claim their lower end before nodes do; hinted cards stay where they are */
  for (int nodes = 0; nodes <= 1; nodes++)
    for (guint32 v = 0; v < w->n_vertices; v++)
      {
        if ((v < w->n) != nodes)
          continue;
        next[v] = NONE;
        if (w->hint_x && !isnan (w->hint_x[fb_layout_item (w, v)]))
          continue;
        guint32 link = straight_link (w, v);
        if (link != NONE && has_previous[w->links[link].down])
          link = NONE;
        if (link != NONE && w->hint_x && !isnan (w->hint_x[fb_layout_item (w, w->links[link].down)]))
          link = NONE;
        next[v] = link;
        if (link != NONE)
          has_previous[w->links[link].down] = TRUE;
      }
  for (int round = 0; round < (w->hint_x ? 1 : STRAIGHTEN_ROUNDS); round++)
    if (!straighten (w, next, has_previous))
      return FALSE;
  return TRUE;
}
