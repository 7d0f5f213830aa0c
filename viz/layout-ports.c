/* Where lines enter the upper side of their users. */
#include "layout-private.h"

#include <math.h>

/* A port moves this far to meet its line straight on. */
#define PORT_SNAP 48.0
#define PORT_MARGIN 9.0

/* Ports of a node by the places of what enters them; evenly spread. */
static void
spread (FbWork *w, guint32 node)
{
  FbLink *links = w->links + w->up_first[node];
  guint32 n = w->up_first[node + 1] - w->up_first[node];

  if (n < 2)
    return;
  /* insertion keeps equal places in port order; a node with very many sources is sorted by halves instead */
  if (n <= 64)
    for (guint32 i = 1; i < n; i++)
      {
        FbLink link = links[i];
        guint32 j = i;
        for (; j > 0 && w->x[links[j - 1].up] > w->x[link.up]; j--)
          links[j] = links[j - 1];
        links[j] = link;
      }
  else
    {
      g_autofree FbLink *spare = g_new (FbLink, n);
      for (guint32 width = 1; width < n; width *= 2)
        for (guint32 begin = 0; begin < n; begin += 2 * width)
          {
            guint32 middle = MIN (begin + width, n), end = MIN (begin + 2 * width, n), i = begin, j = middle;
            for (guint32 k = begin; k < end; k++)
              spare[k] = j >= end || (i < middle && w->x[links[i].up] <= w->x[links[j].up]) ? links[i++] : links[j++];
            for (guint32 k = begin; k < end; k++)
              links[k] = spare[k];
          }
    }
  for (guint32 i = 0; i < n; i++)
    links[i].port = (float) (w->in->width[node] * ((double) (i + 1) / (n + 1) - 0.5));
}

/* Ports that have their line above the card go under it, so that it comes straight down. */
static void
snap (FbWork *w)
{
  for (guint32 v = 0; v < w->n; v++)
    for (guint32 l = w->up_first[v]; l < w->up_first[v + 1]; l++)
      {
        FbLink *link = &w->links[l];
        double want = w->x[link->up] - w->x[v], half = w->in->width[v] / 2 - PORT_MARGIN;
        if (fabs (want - link->port) > PORT_SNAP || fabs (want) > half
            || (l > w->up_first[v] && want < w->links[l - 1].port + PORT_MARGIN)
            || (l + 1 < w->up_first[v + 1] && want > w->links[l + 1].port - PORT_MARGIN))
          continue;
        link->port = (float) want;
      }
}

void
fb_layout_set_ports (FbWork *w)
{
  for (guint32 v = 0; v < w->n; v++)
    spread (w, v);
  snap (w);
  fb_layout_index_down (w);
}
