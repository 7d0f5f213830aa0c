/* A row of a replay: its differences, and of the one chosen both kernels side by side. */
#pragma once

#include <gtk/gtk.h>

#include "core/replay/report.h"

#define FB_TYPE_REPLAY_COMPARE (fb_replay_compare_get_type ())
G_DECLARE_FINAL_TYPE (FbReplayCompare, fb_replay_compare, FB, REPLAY_COMPARE, GtkWidget)

/* Which file rows are of, and how it is read and scheduled (@options: of FbReplayOption, copied). Shows nothing until a row is. */
void fb_replay_compare_set_file (FbReplayCompare *compare, const char *path, const char *release,
                                 const GArray *options);
/* @row: borrowed until another, or NULL, is shown. The row is scheduled again, on a thread of its own, for its graphs. */
void fb_replay_compare_show_row (FbReplayCompare *compare, const FbReplayRow *row);
/* What is shown is what was asked for. */
gboolean fb_replay_compare_is_settled (FbReplayCompare *compare);
void fb_replay_compare_set_side_by_side (FbReplayCompare *compare, gboolean side_by_side);
/* Copies the difference as text. FALSE: there is none. */
gboolean fb_replay_compare_copy (FbReplayCompare *compare);
/* Both graphs. @factor 0: fit. */
void fb_replay_compare_zoom (FbReplayCompare *compare, double factor);
/* The next (1) or last (-1) difference of the row; FALSE: there is none. */
gboolean fb_replay_compare_move (FbReplayCompare *compare, int direction);
