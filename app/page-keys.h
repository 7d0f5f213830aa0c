/* The keys of a page that shows two graphs side by side: n and N, Space, + and -, and what else the page takes. */
#pragma once

#include <gtk/gtk.h>

typedef struct
{
  /* To the next (1) or the last (-1) difference. FALSE: there is none. */
  gboolean (*move) (gpointer page, int direction);
  /* 0: the whole of both graphs. */
  void (*zoom) (gpointer page, double factor);
  /* Any other key, without Ctrl or Alt. FALSE: it is none of the page's. */
  gboolean (*press) (gpointer page, guint keyval);
} FbPageKeys;

/* Once. @keys lives as long as the page. The @lists of the page do not get the Space that is meant for the graphs; buttons do. */
void fb_page_keys_add (GtkWidget *page, const FbPageKeys *keys, guint n_lists, GtkWidget *const *lists);
