/* Places as bytes: those of a large pass take a while to find, and are kept in the session. */
#include <math.h>
#include <string.h>

#include "places-private.h"

/* Another one for each change of what is written or of how places are found. */
#define VERSION 1
/* Written as a number: bytes of a machine that has them the other way round are not read. */
#define ORDER 0x46425031u
/* What a stranger's file says may be anything. */
#define FURTHEST 1e8f
#define WIDEST 1e6f

typedef struct
{
  guint32 order, version, n, n_places, n_layers, n_edges, longest, n_trunk;
  float left, width, height;
  guint32 unused; /* so that the digest lies well */
  guint64 digest;
} Head;
G_STATIC_ASSERT (sizeof (Head) == 56);

static guint64
mix (guint64 hash, guint64 value)
{
  hash ^= value + 0x9e3779b97f4a7c15u + (hash << 12) + (hash >> 4);
  hash *= 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 32);
}

static guint64
bits (float value)
{
  guint32 word;
  memcpy (&word, &value, sizeof word);
  return word;
}

/* A life's number in its pass; what is of none, or of another, as it is. */
static guint64
relative (guint32 life, guint32 first)
{
  return life == FB_LIFE_NONE ? G_MAXUINT64 : (guint64) (gint64) ((gint64) life - first);
}

guint64
fb_places_digest (const FbHistory *history, guint32 pass, const FbMetrics *metrics)
{
  const FbMetrics *used = metrics ? metrics : &fb_metrics_default;
  guint32 first = history->first_life[pass], end = history->first_life[pass + 1];
  guint64 hash = mix (mix (mix (VERSION, end - first), bits (used->title_advance)), bits (used->text_advance));

  for (guint32 i = first; i < end; i++)
    {
      const FbLife *life = fb_history_life (history, i);
      const guint32 *sources = fb_history_sources (history, life);
      hash = mix (hash, fb_graph_own_key (life->uop));
      hash = mix (hash, ((guint64) life->first << 32) | life->stop);
      hash = mix (hash, ((guint64) life->turn << 32) | life->made_by);
      hash = mix (hash, ((guint64) life->n_spans << 32) | (guint64) life->fate);
      hash = mix (hash, relative (life->next, first));
      hash = mix (hash, relative (life->prev, first));
      hash = mix (hash, relative (life->other, first));
      for (guint32 s = 0; s < life->uop->n_src; s++)
        hash = mix (hash, relative (sources[s], first));
    }
  return hash;
}

GBytes *
fb_places_to_bytes (const FbPlaces *p)
{
  const FbLayout *layout = p->layout;
  GByteArray *bytes = g_byte_array_new ();
  guint32 n = p->n_places;
  Head head = { .order = ORDER,
                .version = VERSION,
                .n = p->n,
                .n_places = n,
                .n_layers = layout->n_layers,
                .n_edges = layout->n_edges,
                .longest = layout->longest,
                .n_trunk = layout->trunk_first[n],
                .left = layout->left,
                .width = layout->width,
                .height = layout->height,
                .digest = fb_places_digest (p->history, p->pass, &p->metrics) };
  const struct
  {
    const void *data;
    gsize n;
  } parts[] = { { &head, sizeof head / 4 },
                { p->place, p->n },
                { layout->x, n },
                { layout->y, n },
                { layout->node_width, n },
                { layout->rank, n },
                { layout->layer_y, layout->n_layers },
                { layout->trunk_first, (gsize) n + 1 },
                { layout->trunk_x, head.n_trunk } };

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i].n)
      g_byte_array_append (bytes, parts[i].data, (guint) (parts[i].n * 4));
  return g_byte_array_free_to_bytes (bytes);
}

static gpointer
take (const guint8 **at, gsize n)
{
  gpointer copy = g_memdup2 (*at, MAX (n, 1) * 4);
  *at += n * 4;
  return copy;
}

static gboolean
are_near (const float *values, gsize n, float least, float most)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite (values[i]) || values[i] < least || values[i] > most)
      return FALSE;
  return TRUE;
}

static gboolean
are_below (const guint32 *values, gsize n, guint32 end, gboolean or_none)
{
  for (gsize i = 0; i < n; i++)
    if (values[i] >= end && !(or_none && values[i] == NONE))
      return FALSE;
  return TRUE;
}

static gboolean
is_sound (const FbPlaces *p, const Head *head)
{
  const FbLayout *layout = p->layout;

  for (guint32 i = 0; i < p->n_places; i++)
    if (layout->trunk_first[i] > layout->trunk_first[i + 1])
      return FALSE;
  for (guint32 i = 1; i < layout->n_layers; i++)
    if (layout->layer_y[i] < layout->layer_y[i - 1])
      return FALSE;
  return layout->n_layers <= MAX (p->n_places, 1) && layout->trunk_first[0] == 0
         && layout->trunk_first[p->n_places] == head->n_trunk && are_below (p->place, p->n, p->n_places, TRUE)
         && are_below (layout->rank, p->n_places, layout->n_layers, FALSE)
         && are_near (layout->x, p->n_places, -FURTHEST, FURTHEST)
         && are_near (layout->y, p->n_places, -FURTHEST, FURTHEST)
         && are_near (layout->node_width, p->n_places, 0, WIDEST)
         && are_near (layout->layer_y, layout->n_layers, -FURTHEST, FURTHEST)
         && are_near (layout->trunk_x, head->n_trunk, -FURTHEST, FURTHEST)
         && are_near (&layout->left, 1, -FURTHEST, FURTHEST) && are_near (&layout->width, 1, 0, FURTHEST)
         && are_near (&layout->height, 1, 0, FURTHEST);
}

FbPlaces *
fb_places_new_from_bytes (const FbHistory *history, guint32 pass, const FbMetrics *metrics, GBytes *bytes)
{
  g_autoptr (FbPlaces) p = fb_places_begin (history, pass, metrics);
  gsize size;
  const guint8 *at = g_bytes_get_data (bytes, &size);
  Head head;

  if (size < sizeof head)
    return NULL;
  memcpy (&head, at, sizeof head);
  if (head.order != ORDER || head.version != VERSION || head.n != p->n || head.n_places > head.n)
    return NULL;
  gsize n = head.n_places;
  guint64 words = sizeof head / 4 + (guint64) head.n + 4 * (guint64) n + head.n_layers + n + 1 + head.n_trunk;
  if (words * 4 != size || head.digest != fb_places_digest (history, pass, metrics))
    return NULL;
  at += sizeof head;
  p->n_places = head.n_places;
  g_free (p->place);
  p->place = take (&at, head.n);
  FbLayout *layout = p->layout = g_new0 (FbLayout, 1);
  layout->n_nodes = head.n_places;
  layout->n_edges = head.n_edges;
  layout->n_layers = head.n_layers;
  layout->longest = head.longest;
  layout->left = head.left;
  layout->width = head.width;
  layout->height = head.height;
  layout->x = take (&at, n);
  layout->y = take (&at, n);
  layout->node_width = take (&at, n);
  layout->rank = take (&at, n);
  layout->layer_y = take (&at, head.n_layers);
  layout->trunk_first = take (&at, n + 1);
  layout->trunk_x = take (&at, head.n_trunk);
  if (!is_sound (p, &head))
    return NULL;
  fb_places_index (p);
  return g_steal_pointer (&p);
}
