/* Rows that changed or failed, as lists show them, and what they can be narrowed down to. */
#pragma once

#include "core/replay/report.h"

#define FB_TYPE_REPLAY_ITEM (fb_replay_item_get_type ())
G_DECLARE_FINAL_TYPE (FbReplayItem, fb_replay_item, FB, REPLAY_ITEM, GObject)

/* @row is borrowed from a report that outlives the item. */
FbReplayItem *fb_replay_item_new (const FbReplayRow *row);
const FbReplayRow *fb_replay_item_get_row (FbReplayItem *item);

/* "views only", "changed": in the person's language; static. */
const char *fb_replay_class_label (FbReplayClass class);
const char *fb_replay_status_label (FbReplayRowStatus status);

/* What columns say of a row; free with g_free. "5 → 4"; "1 merged, 2 views only", or the status when it was not compared; the
 * first difference in words, or why it failed. */
char *fb_replay_item_kernels_text (const FbReplayRow *row);
char *fb_replay_item_changes_text (const FbReplayRow *row);
char *fb_replay_item_message_text (const FbReplayRow *row);
/* "replayed 214 captures: 200 identical, 13 changed, 1 failed", as the command line has it; free with g_free. */
char *fb_replay_totals_text (const FbReplayReport *report);

/* What rows are shown. */
typedef enum
{
  FB_REPLAY_SHOW_ALL,
  FB_REPLAY_SHOW_STATUS, /* those of a status */
  FB_REPLAY_SHOW_CLASS,  /* those with a difference of a class */
  FB_REPLAY_SHOW_GROUP,  /* those that changed in the same way */
  FB_REPLAY_SHOW_TITLE,  /* no choice, a line above some */
} FbReplayShow;

#define FB_TYPE_REPLAY_CHOICE (fb_replay_choice_get_type ())
G_DECLARE_FINAL_TYPE (FbReplayChoice, fb_replay_choice, FB, REPLAY_CHOICE, GObject)

/* List of FbReplayChoice: everything, statuses and classes that occur, groups of at least two rows, largest first. */
GListModel *fb_replay_choices_new (const FbReplayReport *report);
FbReplayShow fb_replay_choice_get_show (FbReplayChoice *choice);
const char *fb_replay_choice_get_label (FbReplayChoice *choice);
/* Rows it leaves; 0 for a title. */
guint fb_replay_choice_get_count (FbReplayChoice *choice);
gboolean fb_replay_choice_matches (FbReplayChoice *choice, const FbReplayRow *row);
