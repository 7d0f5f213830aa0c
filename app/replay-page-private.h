#pragma once

#include "app/replay-compare.h"
#include "app/replay-page.h"

struct _FbReplayPage
{
  GtkWidget parent_instance;

  /* template */
  GtkLabel *totals, *options_label, *state_title, *state_text;
  GtkWidget *cancel;
  GtkMenuButton *options_button;
  GtkGrid *options_grid;
  GtkProgressBar *bar;
  GtkStack *stack;
  GtkPaned *paned, *lists;
  GtkListView *choice_list;
  GtkColumnView *table;
  FbReplayCompare *compare;

  char *path, *release;
  GArray *options;          /* of FbReplayOption: for the next replay */
  gboolean stale;           /* the file was not replayed under them */
  FbReplayJob *job, *shown; /* the latest; the one whose rows are listed */
  GListStore *items;        /* of FbReplayItem */
  guint n_listed;           /* of the report's rows */
  GtkCustomFilter *filter;
  GtkSingleSelection *selection, *choice_selection;
  GSimpleActionGroup *actions;
  guint busy_source, split_source;
  int choices_height; /* px that all choices take */
  int split_at;       /* where the split below them was put, px */
  gboolean telling;   /* it takes long: progress is shown, rows as they come */
  gboolean trace;     /* the file is one: it holds no options */
  gboolean sized;     /* the panes have had their first sizes */
};

void fb_replay_page_run (FbReplayPage *self);
void fb_replay_page_open_row (FbReplayPage *self);
void fb_replay_page_close (FbReplayPage *self);

/* replay-actions.c */
void fb_replay_page_add_actions (FbReplayPage *self);
void fb_replay_page_update_actions (FbReplayPage *self);
/* Says which options the next replay is under. */
void fb_replay_page_show_options (FbReplayPage *self);
/* "FUSE_ARANGE=1 SPLIT_REDUCEOP=0", "" for none; free with g_free. */
char *fb_replay_page_options_text (const GArray *options);

/* replay-columns.c */
void fb_replay_page_add_columns (FbReplayPage *self);
