/* What the files of the search share: search-panel.c, of the list of hits search-list.c, of going to them search-walk.c. */
#pragma once

#include "app/document-query.h"
#include "app/index-model.h"
#include "app/search-panel.h"

struct _FbSearchPanel
{
  GtkWidget parent_instance;
  GtkWidget *box, *scrolled;
  GtkSearchEntry *entry;
  GtkLabel *count, *message;
  GtkListView *list;

  FbDocument *doc;
  FbIndexModel *hits; /* rows of the answer */
  GtkSingleSelection *selection;
  FbAnswer *answer; /* NULL: none yet */
  guint current;    /* hit gone to last, from 1 */
  int walk_later;   /* once there is an answer */
  gboolean all_steps;
  char *text;            /* asked about last; NULL: nothing */
  guint asked, answered; /* questions, counted */
  guint scroll_source;
  GCancellable *cancellable;
};

typedef enum
{
  FB_SEARCH_CLOSED,
  FB_SEARCH_PICKED,
  FB_SEARCH_MISSED,
  FB_SEARCH_N_SIGNALS
} FbSearchSignal;
extern guint fb_search_panel_signals[FB_SEARCH_N_SIGNALS];

/* The list of hits (search-list.c), and in it the one that was gone to, once its row is there. */
void fb_search_panel_init_list (FbSearchPanel *panel);
void fb_search_panel_show_current (FbSearchPanel *panel);
/* Keys and signals that go to hits (search-walk.c). */
void fb_search_panel_init_walking (FbSearchPanel *panel);
void fb_search_panel_show_count (FbSearchPanel *panel);
/* Asks what is typed now, unless that was asked last. */
void fb_search_panel_text_changed (FbSearchPanel *panel);
