/* Room beside cards: a replaced card stands by its replacement, and what is beside those is not to move for it. */
#include "layout-private.h"

#include <math.h>

/* The next card of a layer from @i on, in steps of @step; NONE at the end. @i becomes its place, @lines counts what it passes. */
static guint32
next_card (const FbWork *w, guint32 r, guint32 *i, int step, guint32 *lines)
{
  *lines = 0;
  while (*i >= w->layer_first[r] && *i < w->layer_first[r + 1])
    {
      if (w->layer[*i] < w->n)
        return w->layer[*i];
      ++*lines;
      *i += (guint32) step;
    }
  return NONE;
}

/* The first and the last card of a layer have room outside; of the others each needs it on one side, and two share a gap. */
static void
keep_in_layer (FbWork *w, guint32 r)
{
  guint32 i = w->layer_first[r], lines, previous = next_card (w, r, &i, 1, &lines);
  gboolean served = TRUE;

  if (previous == NONE)
    return;
  for (;;)
    {
      i++;
      guint32 card = next_card (w, r, &i, 1, &lines);
      if (card == NONE)
        return;
      guint32 after = i + 1, next = next_card (w, r, &after, 1, &lines);
      float room = MAX (w->in->room[previous], w->in->room[card]);
      if (!served && w->in->room[previous] > 0)
        {
          w->room_before[card] = room;
          served = TRUE;
        }
      else
        served = next == NONE;
      previous = card;
    }
}

void
fb_layout_keep_room (FbWork *w)
{
  w->room_before = g_new0 (float, MAX (w->n_vertices, 1));
  for (guint32 r = 0; r < w->n_layers; r++)
    keep_in_layer (w, r);
}

/* px free beside the card at place @i of its layer, where the hint has its neighbours; lines can give way, but take some. */
static double
free_beside (const FbWork *w, guint32 r, guint32 i, int step)
{
  guint32 item = w->layer[i], lines;
  i += (guint32) step;
  guint32 card = next_card (w, r, &i, step, &lines);
  if (card == NONE || isnan (w->hint_x[card]))
    return card == NONE ? G_MAXDOUBLE : 0;
  return fabs (w->hint_x[card] - w->hint_x[item]) - (w->in->width[card] + w->in->width[item]) / 2 - lines * GAP_LINES
         - FB_LAYOUT_CARD_GAP;
}

void
fb_layout_choose_sides (FbWork *w)
{
  for (guint32 r = 0; r < w->n_layers; r++)
    for (guint32 i = w->layer_first[r]; i < w->layer_first[r + 1]; i++)
      {
        guint32 item = w->layer[i];
        if (item >= w->n || w->carries[item] == NONE || isnan (w->hint_x[item]))
          continue;
        double need = FB_LAYOUT_BECOMES + w->in->width[w->carries[item]];
        w->right_side[item] = free_beside (w, r, i, -1) < need && free_beside (w, r, i, 1) >= need;
      }
}
