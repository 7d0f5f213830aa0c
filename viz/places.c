#include "places-private.h"

#include <string.h>

#include "scene-private.h"

/* In a picture of more places it matters little that a replaced card shifts what is beside it, and much how wide it is. */
#define ROOM_PLACES 120
/* Places kept for what has a card at few steps only: so many, or one in so many of the others. More would draw the picture apart, and
 * where there are many others it matters less that some of them make way for a step. */
#define SPARE_PLACES 12
#define SPARE_SHARE 8

/* Slots in which nothing stands but what most steps fold into its users. FALSE: there are too many to keep them. */
static gboolean
can_spare (const FbPlacesMaker *m)
{
  const FbPlaces *p = m->places;
  g_autofree guint8 *use = g_new0 (guint8, MAX (m->n_slots, 1));
  guint32 spare = 0, others = 0;

  for (guint32 i = 0; i < p->n; i++)
    if (m->card[i] != NONE && fb_places_life (p, i)->n_spans)
      use[m->slot[i]] |= m->rare[i] ? 1 : 2;
  for (guint32 s = 0; s < m->n_slots; s++)
    {
      spare += use[s] == 1;
      others += use[s] > 1;
    }
  return spare <= MAX (SPARE_PLACES, others / SPARE_SHARE);
}

/* Slots, with some for what few steps show if there is room. */
static void
make_slots (FbPlacesMaker *m)
{
  fb_places_make_slots (m);
  if (can_spare (m))
    return;
  for (guint32 i = 0; i < m->places->n; i++)
    if (m->rare[i])
      m->card[i] = NONE;
  memset (m->shared, 0, m->places->n);
  fb_places_make_slots (m);
}

/* Only slots that a card stands in at some time become places. */
static void
number_places (FbPlacesMaker *m)
{
  FbPlaces *p = m->places;
  g_autofree guint32 *place_of = g_new (guint32, MAX (m->n_slots, 1));

  memset (place_of, 0xff, m->n_slots * sizeof *place_of);
  for (guint32 i = 0; i < p->n; i++)
    {
      guint32 *place = &place_of[m->slot[i]];
      if (m->card[i] != NONE && fb_places_life (p, i)->n_spans && *place == NONE)
        *place = p->n_places++;
    }
  for (guint32 i = 0; i < p->n; i++)
    p->place[i] = place_of[m->slot[i]];
  FbLayoutEdge *edges = (FbLayoutEdge *) (void *) m->edges->data;
  guint32 kept = 0;
  for (guint e = 0; e < m->edges->len; e++)
    {
      FbLayoutEdge edge = edges[e];
      edge.source = place_of[edge.source];
      edge.user = place_of[edge.user];
      if (edge.source != NONE && edge.user != NONE)
        edges[kept++] = edge;
    }
  g_array_set_size (m->edges, kept);
}

/* As in a graph: the lines of what has very many users or sources are not drawn. */
static void
cut_hubs (FbPlacesMaker *m)
{
  guint32 n = m->places->n_places;
  g_autofree guint32 *users = g_new0 (guint32, MAX (n, 1)), *sources = g_new0 (guint32, MAX (n, 1));
  FbLayoutEdge *edges = (FbLayoutEdge *) (void *) m->edges->data;

  for (guint e = 0; e < m->edges->len; e++)
    {
      users[edges[e].source]++;
      sources[edges[e].user]++;
    }
  for (guint e = 0; e < m->edges->len; e++)
    edges[e].stub = users[edges[e].source] > FB_GRAPH_HUB_USERS || sources[edges[e].user] > FB_GRAPH_HUB_SOURCES;
}

/* What a rule replaces stands beside its replacement once, in the same place. */
static float *
room_beside (const FbPlacesMaker *m)
{
  const FbPlaces *p = m->places;
  float *room = g_new0 (float, MAX (p->n_places, 1));

  for (guint32 i = 0; i < p->n; i++)
    {
      const FbLife *life = fb_places_life (p, i);
      guint32 place = p->place[i];
      if (m->card[i] == NONE || place == NONE || life->fate != FB_FATE_REPLACED || life->next == FB_LIFE_NONE
          || p->place[life->next - p->first] != place)
        continue;
      room[place] = MAX (room[place], fb_card_width (&m->graph->nodes[m->card[i]], &p->metrics) + FB_SCENE_MARK_WIDTH
                                          + (float) FB_LAYOUT_BECOMES);
    }
  return room;
}

static gboolean
lay_out (FbPlacesMaker *m, GCancellable *cancellable, GError **error)
{
  FbPlaces *p = m->places;

  number_places (m);
  cut_hubs (m);
  g_autofree float *width = g_new0 (float, MAX (p->n_places, 1));
  for (guint32 i = 0; i < p->n; i++)
    if (m->card[i] != NONE && p->place[i] != NONE)
      width[p->place[i]] = MAX (width[p->place[i]], fb_card_width (&m->graph->nodes[m->card[i]], &p->metrics));
  g_autofree float *room = p->n_places <= ROOM_PLACES ? room_beside (m) : NULL;
  FbLayoutInput input = { .n_nodes = p->n_places,
                          .room = room,
                          .n_edges = m->edges->len,
                          .width = width,
                          .edges = (const FbLayoutEdge *) (const void *) m->edges->data,
                          .spare = FB_SCENE_SPARE };
  p->layout = fb_layout_new (&input, cancellable, error);
  return p->layout != NULL;
}

/* What any step is about, which then has a card although other steps fold it into its users. */
static guint8 *
find_touched (const FbPlaces *p)
{
  const FbPass *pass = fb_schedule_pass (p->history->schedule, p->pass);
  guint8 *touched = g_new0 (guint8, MAX (p->n, 1));

  for (guint i = 0; i < pass->matches->len; i++)
    {
      const FbMatch *match = fb_pass_match (pass, i);
      FbUop *ends[] = { match->before, match->after };
      for (guint k = 0; k < G_N_ELEMENTS (ends); k++)
        {
          guint32 life = ends[k] ? fb_history_find (p->history, p->pass, ends[k]) : FB_LIFE_NONE;
          if (life != FB_LIFE_NONE)
            touched[life - p->first] = TRUE;
        }
    }
  return touched;
}

FbPlaces *
fb_places_begin (const FbHistory *history, guint32 pass, const FbMetrics *metrics)
{
  FbPlaces *p = g_new0 (FbPlaces, 1);

  p->ref_count = 1;
  p->history = history;
  p->pass = pass;
  p->first = history->first_life[pass];
  p->n = history->first_life[pass + 1] - p->first;
  p->metrics = metrics ? *metrics : fb_metrics_default;
  p->place = g_new (guint32, MAX (p->n, 1));
  return p;
}

void
fb_places_index (FbPlaces *p)
{
  fb_uop_map_init (&p->lives, p->n);
  for (guint32 i = 0; i < p->n; i++)
    fb_uop_map_put (&p->lives, fb_places_life (p, i)->uop, p->place[i] == NONE ? p->n_places : p->place[i]);
}

FbPlaces *
fb_places_new (const FbHistory *history, guint32 pass, const FbMetrics *metrics, GCancellable *cancellable,
               GError **error)
{
  g_autoptr (FbPlaces) p = fb_places_begin (history, pass, metrics);
  guint32 n = p->n;

  g_autofree FbUop **uops = g_new (FbUop *, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    uops[i] = fb_places_life (p, i)->uop;
  g_autofree guint8 *rare = find_touched (p);
  g_autoptr (FbGraph) graph = fb_graph_new_from_nodes (history->schedule->context, uops, n,
                                                       fb_schedule_pass (history->schedule, pass)->sink, rare);
  FbPlacesMaker m
      = { .places = p, .graph = graph, .rare = rare, .edges = g_array_new (FALSE, FALSE, sizeof (FbLayoutEdge)) };
  m.card = g_new (guint32, MAX (n, 1));
  m.slot = g_new (guint32, MAX (n, 1));
  m.jump = g_new (guint32, MAX (n, 1));
  m.shared = g_new0 (guint8, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    m.card[i] = fb_graph_is_folded (graph, uops[i]) ? NONE : fb_graph_find (graph, uops[i]);
  make_slots (&m);
  gboolean done = lay_out (&m, cancellable, error);
  if (done)
    fb_places_index (p);
  g_array_unref (m.edges);
  g_free (m.card);
  g_free (m.slot);
  g_free (m.jump);
  g_free (m.shared);
  return done ? g_steal_pointer (&p) : NULL;
}

FbPlaces *
fb_places_ref (FbPlaces *places)
{
  g_atomic_int_inc (&places->ref_count);
  return places;
}

void
fb_places_unref (FbPlaces *places)
{
  if (!places || !g_atomic_int_dec_and_test (&places->ref_count))
    return;
  fb_layout_free (places->layout);
  g_free (places->place);
  fb_uop_map_clear (&places->lives);
  g_free (places);
}

guint32
fb_places_count (const FbPlaces *places)
{
  return places->n_places;
}

/* The places of lives that stand over changed sources at a step, by the nodes they are then. */
static void
map_between (const FbPlaces *p, FbContext *context, guint32 step, FbUopMap *map)
{
  g_autofree FbUop **uops = fb_history_nodes_at (p->history, context, p->pass, step);
  guint32 n = 0;

  for (guint32 i = 0; i < p->n; i++)
    n += uops[i] && uops[i] != fb_places_life (p, i)->uop;
  fb_uop_map_init (map, n);
  for (guint32 i = 0; i < p->n; i++)
    if (uops[i] && uops[i] != fb_places_life (p, i)->uop)
      fb_uop_map_put (map, uops[i], p->place[i]);
}

/* The place of each card of a step. What is there after the step comes first; what it left, if its place is taken, stands left of
 * what is there now. */
static guint32 *
find_places (const FbPlaces *p, const FbGraph *graph, FbContext *context, guint32 step, guint32 former,
             guint32 *left_of)
{
  guint32 *place = g_new (guint32, MAX (graph->n_nodes, 1));
  g_autofree guint32 *holder = g_new (guint32, MAX (p->n_places, 1));
  g_autofree guint8 *beside = g_new0 (guint8, MAX (graph->n_nodes, 1));
  FbUopMap now = { 0 }, before = { 0 };

  memset (holder, 0xff, p->n_places * sizeof *holder);
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if (left_of[i] != NONE)
      beside[left_of[i]] = TRUE;
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      const FbGraphNode *node = &graph->nodes[i];
      guint32 at = fb_uop_map_get (&p->lives, node->uop);
      if (at == NONE)
        {
          if (!now.keys)
            map_between (p, context, step, &now);
          at = fb_uop_map_get (&now, node->uop);
        }
      if (at == NONE && step != former)
        {
          if (!before.keys)
            map_between (p, context, former, &before);
          at = fb_uop_map_get (&before, node->uop);
        }
      place[i] = NONE;
      if (at >= p->n_places)
        continue;
      if (holder[at] == NONE)
        {
          holder[at] = i;
          place[i] = at;
        }
      else if (node->mark == FB_MARK_GONE && !beside[holder[at]])
        {
          left_of[i] = holder[at];
          beside[holder[at]] = TRUE;
        }
    }
  fb_uop_map_clear (&now);
  fb_uop_map_clear (&before);
  return place;
}

FbScene *
fb_places_scene (const FbPlaces *places, FbGraph *graph, FbContext *context, guint32 step, guint32 former,
                 GCancellable *cancellable, GError **error)
{
  g_autofree guint32 *left_of = fb_scene_left_of (graph);
  if (!left_of)
    {
      left_of = g_new (guint32, MAX (graph->n_nodes, 1));
      memset (left_of, 0xff, graph->n_nodes * sizeof *left_of);
    }
  g_autofree guint32 *place = find_places (places, graph, context, step, former, left_of);
  return fb_scene_new_close (graph, &places->metrics, places->layout, place, left_of, cancellable, error);
}
