/* The open file recomputed: totals, what changed in which captures, and each change as two graphs side by side. */
#pragma once

#include <gtk/gtk.h>

#include "app/replay-job.h"

#define FB_TYPE_REPLAY_PAGE (fb_replay_page_get_type ())
G_DECLARE_FINAL_TYPE (FbReplayPage, fb_replay_page, FB, REPLAY_PAGE, GtkWidget)

/* Signals: `open-row` (guint row): the person wants to step through it; `close` (): back to the graph; `busy` (): it began or ended
 * running. */

/* @path NULL: there is no file. What is known of another file is forgotten. @release: as fb_capture_open takes it. */
void fb_replay_page_set_file (FbReplayPage *page, const char *path, const char *release);
/* "FUSE_ARANGE=1": rows are replayed under it instead of what they were captured under. FALSE with an error naming the options. */
gboolean fb_replay_page_set_option (FbReplayPage *page, const char *text, GError **error);
/* Replays the file, unless that was done since it or an option was set. */
void fb_replay_page_start (FbReplayPage *page);
void fb_replay_page_cancel (FbReplayPage *page);
gboolean fb_replay_page_is_running (FbReplayPage *page);
/* The replay is over and the difference chosen is drawn. */
gboolean fb_replay_page_is_settled (FbReplayPage *page);
/* The replay that is shown, NULL before the first. */
FbReplayJob *fb_replay_page_get_job (FbReplayPage *page);
/* Rows in the list, those that are narrowed away left out. */
guint fb_replay_page_get_n_rows (FbReplayPage *page);
/* Narrows the list down to the choice at @position of the list of choices. */
void fb_replay_page_choose (FbReplayPage *page, guint position);
/* The difference shown, as text. FALSE: there is none. */
gboolean fb_replay_page_copy (FbReplayPage *page);
