#pragma once

#include "app/index-model.h"
#include "app/node-list.h"

struct _FbNodeList
{
  GtkWidget parent_instance;

  GtkColumnView *table;
  GtkLabel *nothing;
  GtkStack *stack;
  struct _FbNodeListColumn *columns;
  FbIndexModel *rows; /* numbers of cards */
  GtkCustomFilter *filter;
  GtkFilterListModel *filtered; /* of the rows; borrowed from the one that follows, and that too */
  GtkSortListModel *sorted;
  GtkSingleSelection *selection;

  FbDocument *doc;
  FbScene *scene; /* whose cards the rows are; NULL: no rows */
  GArray *keys;   /* of guint64, by card; NULL: not known yet */
  GCancellable *cancellable;
  GPtrArray *key_cells; /* of GtkListItem, on the screen; borrowed */
  char *needle;         /* case-folded; NULL: all rows */
  guint sorted_by;      /* the column last asked for by keyboard */
  gboolean descending;
  guint settling, frames; /* the tick callback that brings the selected row into view, and how often it still tries */
  gboolean wants_focus;
  guint follow_source;
  gboolean following; /* the selection is being taken from the document */
};

void fb_node_list_add_columns (FbNodeList *self);
/* By that column, from 0; once more: the other way round. */
void fb_node_list_sort_by (FbNodeList *self, guint column);
/* The text of the key, once it is known; @out has room for 17 bytes. */
const char *fb_node_list_key_text (FbNodeList *self, guint card, char out[17]);
/* The card has @needle somewhere in what the table shows of it. */
gboolean fb_node_list_has_text (FbNodeList *self, guint card, const char *needle);
