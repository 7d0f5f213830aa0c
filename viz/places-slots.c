/* Which nodes of a pass share a place: a line of what one becomes, by rules or rebuilt, and what takes over from what goes. */
#include "places-private.h"

#include <stdlib.h>
#include <string.h>

/* The life that @i took the place of, when it came to be: a lower number than @i has what it becomes, so this is a higher one. */
static guint32
heir_of (const FbPlaces *p, guint32 i)
{
  const FbLife *life = fb_places_life (p, i);
  guint32 any = NONE;

  if (life->n_spans && life->first == 0)
    return NONE;
  for (guint32 at = life->prev; at != FB_LIFE_NONE; at = fb_history_life (p->history, at)->other)
    {
      const FbLife *prev = fb_history_life (p->history, at);
      if (at - p->first <= i)
        continue;
      if (prev->turn == life->first)
        return at - p->first;
      if (!life->n_spans)
        any = at - p->first;
    }
  return any;
}

/* A list of lives for each step, in the order of lives. */
typedef struct
{
  guint32 *first, *lives;
} ByStep;

static ByStep
by_step (const FbPlaces *p, guint32 n_steps, gboolean born, const guint32 *heir)
{
  ByStep list = { g_new0 (guint32, (gsize) n_steps + 2), g_new (guint32, MAX (p->n, 1)) };

  for (int fill = 0; fill <= 1; fill++)
    {
      for (guint32 k = 0; k < p->n; k++)
        {
          guint32 i = fill ? p->n - 1 - k : k, step;
          const FbLife *life = fb_places_life (p, i);
          if (!life->n_spans || (born && heir[i] != NONE))
            continue;
          /* what turns into another life hands its slot on, unless that one had a slot already */
          if (!born && life->next != FB_LIFE_NONE && life->stop == life->turn && heir[life->next - p->first] == i)
            continue;
          step = born ? life->first : life->stop;
          if (step == 0 || step > n_steps)
            continue;
          if (fill)
            list.lives[--list.first[step]] = i;
          else
            list.first[step]++;
        }
      if (!fill)
        for (guint32 s = 0, sum = 0; s <= n_steps + 1; s++)
          {
            sum += list.first[s];
            list.first[s] = sum;
          }
    }
  return list;
}

static FbOp
op_of (const FbPlaces *p, guint32 i)
{
  return fb_places_life (p, i)->uop->op;
}

/* Which life each life has its slot from: what it is rebuilt from or put in the stead of, else what the same step leaves unused,
 * of the same op first. NONE: its slot is its own. */
static guint32 *
find_heirs (FbPlacesMaker *m)
{
  FbPlaces *p = m->places;
  guint32 n_steps = fb_schedule_pass (p->history->schedule, p->pass)->matches->len;
  guint32 *heir = g_new (guint32, MAX (p->n, 1));

  for (guint32 i = 0; i < p->n; i++)
    heir[i] = heir_of (p, i);
  ByStep born = by_step (p, n_steps, TRUE, heir), dead = by_step (p, n_steps, FALSE, heir);
  for (guint32 s = 1; s <= n_steps; s++)
    for (int any_op = 0; any_op <= 1; any_op++)
      {
        guint32 d = dead.first[s];
        for (guint32 b = born.first[s]; b < born.first[s + 1]; b++)
          {
            guint32 i = born.lives[b], k;
            if (heir[i] != NONE || m->card[i] == NONE)
              continue;
            for (k = d; k < dead.first[s + 1]; k++)
              if (dead.lives[k] != NONE && m->card[dead.lives[k]] != NONE
                  && (any_op || op_of (p, dead.lives[k]) == op_of (p, i)))
                break;
            if (k == dead.first[s + 1])
              continue;
            heir[i] = dead.lives[k];
            m->shared[i] = TRUE;
            dead.lives[k] = NONE;
            d = k + 1;
          }
      }
  g_free (born.first);
  g_free (born.lives);
  g_free (dead.first);
  g_free (dead.lives);
  return heir;
}

/* Follows heirs to where a slot begins. Numbers slots in the order of lives. */
static void
set_slots (FbPlacesMaker *m, guint32 *heir)
{
  FbPlaces *p = m->places;
  g_autofree guint8 *busy = g_new0 (guint8, MAX (p->n, 1));

  m->n_slots = 0;
  for (guint32 i = 0; i < p->n; i++)
    m->slot[i] = NONE;
  for (guint32 i = 0; i < p->n; i++)
    {
      guint32 at = i, slot;
      /* a line that comes back to itself ends there */
      while (m->slot[at] == NONE && heir[at] != NONE && (m->slot[heir[at]] != NONE || !busy[heir[at]]))
        {
          busy[at] = TRUE;
          at = heir[at];
        }
      slot = m->slot[at] == NONE ? m->n_slots++ : m->slot[at];
      m->slot[at] = slot;
      for (guint32 k = i; k != at && m->slot[k] == NONE; k = heir[k])
        m->slot[k] = slot;
    }
}

static int
compare_edges (const void *a, const void *b)
{
  const FbLayoutEdge *p = a, *q = b;
  if (p->user != q->user)
    return p->user < q->user ? -1 : 1;
  if (p->source != q->source)
    return p->source < q->source ? -1 : 1;
  return p->port < q->port ? -1 : p->port > q->port;
}

/* What any graph of the pass has an edge for: a life's sources, and all that they become while it is there. */
static void
collect_edges (FbPlacesMaker *m)
{
  FbPlaces *p = m->places;
  guint32 kept = 0;

  g_array_set_size (m->edges, 0);
  for (guint32 i = 0; i < p->n; i++)
    {
      guint32 next = fb_places_life (p, i)->next;
      next = next == FB_LIFE_NONE ? NONE : next - p->first;
      /* what a node becomes comes before it */
      m->jump[i] = next == NONE || next >= i ? NONE : m->slot[next] == m->slot[i] ? m->jump[next] : next;
    }
  for (guint32 i = 0; i < p->n; i++)
    {
      const FbLife *life = fb_places_life (p, i);
      const guint32 *sources = fb_history_sources (p->history, life);
      if (m->card[i] == NONE)
        continue;
      for (guint s = 0; s < life->uop->n_src; s++)
        for (guint32 at = sources[s] - p->first; at != NONE; at = m->jump[at])
          {
            FbLayoutEdge edge = { m->slot[at], m->slot[i], s, FALSE };
            const FbLife *source = fb_places_life (p, at);
            if (edge.source != edge.user && m->card[at] != NONE)
              g_array_append_val (m->edges, edge);
            if (source->turn >= life->stop)
              break;
          }
    }
  FbLayoutEdge *edges = (FbLayoutEdge *) (void *) m->edges->data;
  if (m->edges->len > 1)
    qsort (edges, m->edges->len, sizeof *edges, compare_edges);
  for (guint e = 0; e < m->edges->len; e++)
    if (!kept || edges[kept - 1].user != edges[e].user || edges[kept - 1].source != edges[e].source)
      edges[kept++] = edges[e];
  g_array_set_size (m->edges, kept);
}

/* Takes away what has no source left, then what has no user left; the slots that remain are on cycles, or between them. Returns how
 * many there are. */
static guint32
find_cycles (const FbPlacesMaker *m, guint8 *on_cycle)
{
  const FbLayoutEdge *edges = (const FbLayoutEdge *) (const void *) m->edges->data;
  guint32 n = m->n_slots, n_edges = m->edges->len, left = n;
  g_autofree guint32 *first = g_new (guint32, (gsize) n + 2), *other = g_new (guint32, MAX (n_edges, 1));
  g_autofree guint32 *waiting = g_new (guint32, MAX (n, 1)), *queue = g_new (guint32, MAX (n, 1));

  memset (on_cycle, TRUE, n);
  for (int up = 0; up <= 1; up++)
    {
      guint32 head = 0, tail = 0;
      memset (first, 0, ((gsize) n + 2) * sizeof *first);
      memset (waiting, 0, n * sizeof *waiting);
      for (guint32 e = 0; e < n_edges; e++)
        {
          guint32 from = up ? edges[e].user : edges[e].source, to = up ? edges[e].source : edges[e].user;
          first[from + 1]++;
          waiting[to] += on_cycle[from] && on_cycle[to];
        }
      for (guint32 i = 0; i < n; i++)
        first[i + 1] += first[i];
      g_autofree guint32 *fill = g_memdup2 (first, ((gsize) n + 1) * sizeof *first);
      for (guint32 e = 0; e < n_edges; e++)
        other[fill[up ? edges[e].user : edges[e].source]++] = up ? edges[e].source : edges[e].user;
      for (guint32 i = 0; i < n; i++)
        if (on_cycle[i] && waiting[i] == 0)
          queue[tail++] = i;
      while (head < tail)
        {
          guint32 i = queue[head++];
          on_cycle[i] = FALSE;
          left--;
          for (guint32 k = first[i]; k < first[i + 1]; k++)
            if (on_cycle[other[k]] && --waiting[other[k]] == 0)
              queue[tail++] = other[k];
        }
    }
  return left;
}

/* Slots, and the edges between them without a cycle. Nodes that share a place at different times may stand in each other's way: then
 * those that took over what a rule had left get a place of their own, and if that is not enough all of the cycle, which nodes as
 * such cannot form. */
void
fb_places_make_slots (FbPlacesMaker *m)
{
  FbPlaces *p = m->places;
  g_autofree guint32 *heir = find_heirs (m);

  for (int strict = 0; strict <= 2; strict++)
    {
      set_slots (m, heir);
      collect_edges (m);
      g_autofree guint8 *on_cycle = g_new (guint8, MAX (m->n_slots, 1));
      if (find_cycles (m, on_cycle) == 0)
        break;
      for (guint32 i = 0; i < p->n; i++)
        if (on_cycle[m->slot[i]] && (strict || m->shared[i]))
          heir[i] = NONE;
    }
}
