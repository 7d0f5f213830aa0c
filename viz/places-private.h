/* How the places of a pass are found: slots first (places-slots.c), of which those that are ever seen become places (places.c). */
#pragma once

#include "graph-private.h"
#include "places.h"

#define NONE FB_LAYOUT_NONE

struct _FbPlaces
{
  int ref_count;
  const FbHistory *history; /* borrowed */
  guint32 pass, first, n;   /* lives [first, first + n) */
  guint32 *place;           /* of each life of the pass, NONE: it never has a card */
  guint32 n_places;
  FbUopMap lives;   /* from the nodes of lives to their places */
  FbLayout *layout; /* of the places */
  FbMetrics metrics;
};

typedef struct
{
  FbPlaces *places;
  FbGraph *graph; /* a card for every life that has one */
  guint32 *card;  /* of each life, NONE: it is folded */
  guint32 *slot;  /* of each life */
  guint32 *jump;  /* of each life the next one in its line of another slot, NONE at the end */
  guint8 *rare;   /* of each life: it has a card only while a step is about it, or about what it stands on */
  guint8 *shared; /* of each life: it has its slot from one that a rule left */
  guint32 n_slots;
  GArray *edges; /* of FbLayoutEdge, between slots */
} FbPlacesMaker;

/* Of a pass, with nothing placed. */
FbPlaces *fb_places_begin (const FbHistory *history, guint32 pass, const FbMetrics *metrics);
/* Sets lives from place. */
void fb_places_index (FbPlaces *places);
/* Sets slot, n_slots and edges, of a maker that has its places, graph and card. */
void fb_places_make_slots (FbPlacesMaker *m);

static inline const FbLife *
fb_places_life (const FbPlaces *p, guint32 i)
{
  return fb_history_life (p->history, p->first + i);
}
