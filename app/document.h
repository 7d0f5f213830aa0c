/* The file in the window: what is open, where we are in it, what is selected.
 *
 * All reading, scheduling, laying out and printing happens on one worker thread; results arrive in the main loop, and those that
 * came too late (another row or step was asked for meanwhile) are dropped. Everything here is for the main thread. */
#pragma once

#include "app/node-info.h"
#include "app/step-marks.h"
#include "app/session-file.h"
#include "app/step-view.h"

#define FB_TYPE_DOCUMENT (fb_document_get_type ())
G_DECLARE_FINAL_TYPE (FbDocument, fb_document, FB, DOCUMENT, GObject)

/* Signals, without arguments but where said:
 *   opened              another file, or none
 *   row-loaded          another row
 *   moved               the position asked for changed; the picture may still be of the one before
 *   step-shown          the picture changed
 *   step-told           what is said about the step beside the picture is due (fb_document_set_pace)
 *   selected            the selection changed; its description follows
 *   node-described      fb_document_get_node changed
 *   diffed              fb_document_get_diff changed
 *   no-change           no step changes the selected node in that direction
 *   summary (row)       a row of the list became known
 *   heat                fb_document_get_heat knows more
 *   busy                what the worker is at changed
 *   failed (message)    something went wrong; what was there before stays */

FbDocument *fb_document_new (FbMetrics metrics);

/* Where the private sessions of files opened from now on are kept; NULL, as at first: each in a folder of its own that goes with it. */
void fb_document_set_session_folder (FbDocument *doc, const char *folder);
/* NULL: nothing is open, or no session could be had; then @error (may be NULL) says why, NULL when that is not so. Borrowed. */
FbSessionFile *fb_document_get_session (FbDocument *doc, const char **error);
/* Ends it; what was asked for is still written down. */
void fb_document_close_session (FbDocument *doc);
/* Where we are, in words that hold in another run. FALSE: nowhere. */
gboolean fb_document_get_place (FbDocument *doc, FbStorePlace *place);
/* The same of what is on the screen, which may be the place before. */
gboolean fb_document_get_shown_place (FbDocument *doc, FbStorePlace *place);
/* The view that the row that was just loaded begins with, before a step of it is shown. */
void fb_document_begin_with_view_state (FbDocument *doc, FbViewState *state);
/* The difference on the screen goes into the session, to be read from there the next time. */
void fb_document_store_diff (FbDocument *doc);
/* "EXPAND → VIEW", "simplify": what the step where we are does, in a few words. Free with g_free. */
char *fb_document_name_position (FbDocument *doc);
/* KEY of the node that the person selected; 0: none, or the selection follows the steps. */
guint64 fb_document_get_picked_key (FbDocument *doc);
/* The row of @place, as rows are numbered here; 0: there is none. */
guint fb_document_find_row (FbDocument *doc, const FbStorePlace *place);
/* Goes there, and back leads back here. */
void fb_document_go_to_place (FbDocument *doc, const FbStorePlace *place);
/* Selects the card with that KEY, if the graph on the screen has it. */
gboolean fb_document_select_key (FbDocument *doc, guint64 key);

/* Opens @path, read as @release (NULL: detected), at @row (from 1; 0: the first), then goes to @pass (a number from 1 or a title;
 * NULL: the first) and @step. What was open stays until then. */
void fb_document_open (FbDocument *doc, const char *path, const char *release, guint row, const char *pass, guint step);
void fb_document_load (FbDocument *doc, guint row);
void fb_document_cancel (FbDocument *doc);

/* "lerp.db"; NULL: nothing is open. */
const char *fb_document_get_name (FbDocument *doc);
const char *fb_document_get_path (FbDocument *doc);
guint fb_document_get_n_rows (FbDocument *doc);
/* Rows of the file are numbered through: schedules (or a graph) first, then kernels. The kind of @row, and its number among its
 * like (@number may be NULL). */
FbRowKind fb_document_get_row_kind (FbDocument *doc, guint row, guint *number);
/* Rows of the same kind as @row. */
guint fb_document_get_n_rows_like (FbDocument *doc, guint row);
/* The file holds kernels beside schedules. */
gboolean fb_document_has_both_kinds (FbDocument *doc);
/* As stored: "b'M9\\x80...'"; "" for a bare pickle. */
const char *fb_document_get_row_key (FbDocument *doc, guint row);
/* NULL when not known yet; @ask: then find out. */
const FbRowSummary *fb_document_get_summary (FbDocument *doc, guint row, gboolean ask);
/* NULL before the first is loaded. */
FbRowView *fb_document_get_row (FbDocument *doc);
/* The row being loaded or shown, from 1; 0: none. */
guint fb_document_get_row_number (FbDocument *doc);

/* Schedules the row again under @scenario, which is copied; NULL: as captured. What cannot be had is refused by `failed`. */
void fb_document_load_scenario (FbDocument *doc, const FbScenario *scenario);

/* Pass from 0, step from 0 (the input of the pass); clamped. */
void fb_document_go (FbDocument *doc, guint pass, guint step);
/* FALSE: the pass or step that the row was opened at does not exist. */
gboolean fb_document_reached (FbDocument *doc);
void fb_document_get_position (FbDocument *doc, guint *pass, guint *step);
/* The same, and back leads back here. */
void fb_document_jump (FbDocument *doc, guint pass, guint step);
/* One step on or back, into the next pass that has steps. FALSE at the end. */
gboolean fb_document_step_by (FbDocument *doc, int direction);
gboolean fb_document_pass_by (FbDocument *doc, int direction);
/* The next (1) or the last (-1) step that changes the selected node. */
void fb_document_go_to_change (FbDocument *doc, int direction);
/* Back (-1) and forward (1) through the positions visited by jumps. */
gboolean fb_document_can_travel (FbDocument *doc, int direction);
void fb_document_travel (FbDocument *doc, int direction);

/* What of the graph is shown. @state is kept, and not to be changed any more. */
void fb_document_set_view_state (FbDocument *doc, FbViewState *state);
FbViewState *fb_document_get_view_state (FbDocument *doc);
void fb_document_set_side (FbDocument *doc, FbGraphView side);
/* The graphs before and after, each in a picture of its own, whatever side is set. */
void fb_document_set_both (FbDocument *doc, gboolean both);
/* From here on shows what is different since @from, of any pass of the row, wherever one goes; NULL: what the step changed. "moved"
 * is emitted. Ends with the row. */
void fb_document_set_compare (FbDocument *doc, const FbStepPosition *from);
/* FALSE: the step is shown as it is. @from may be NULL. */
gboolean fb_document_get_compare (FbDocument *doc, FbStepPosition *from);
void fb_document_set_diff_scope (FbDocument *doc, FbDiffScope scope);
/* Whether anybody looks at the difference; it is made only then. */
void fb_document_set_wants_diff (FbDocument *doc, gboolean wants);

/* Called when a file was opened or a step was shown, and again when a part of what there is to say about it was said: sees to it that
 * fb_document_go_on() is called once that is on the screen, so that no frame carries all of it. */
typedef void (*FbDocumentPace) (FbDocument *doc, gpointer data);
/* NULL, as at first: nothing waits; what waited for it does not come any more. */
void fb_document_set_pace (FbDocument *doc, FbDocumentPace pace, gpointer data);
/* What is shown is on the screen. If a row waits for that, it is loaded. Otherwise, if something is left to be told: emits step-told, and
 * the description of the node follows; the next time the difference follows. */
void fb_document_go_on (FbDocument *doc);

/* NULL before the first. */
FbStepView *fb_document_get_view (FbDocument *doc);
/* NULL: no changes here. */
const FbTextDiff *fb_document_get_diff (FbDocument *doc);
/* @uop: of the view's graph, or NULL. */
void fb_document_select (FbDocument *doc, FbUop *uop);
FbUop *fb_document_get_selected (FbDocument *doc);
/* @uop, of the view's graph or NULL: the description of the selected node says whether both are in one kernel. */
void fb_document_set_partner (FbDocument *doc, FbUop *uop);
/* NULL when nothing is selected or it is not described yet. */
const FbNodeInfo *fb_document_get_node (FbDocument *doc);

/* The first 8 bytes of the key of each card of the view, as a number, 0 for a card that stands for several nodes. Of guint64; free
 * with g_array_unref; NULL with an error when cancelled. Every call is to be finished. */
void fb_document_list_keys_async (FbDocument *doc, GCancellable *cancellable, GAsyncReadyCallback done, gpointer data);
GArray *fb_document_list_keys_finish (FbDocument *doc, GAsyncResult *result, GError **error);

/* Per step of the row (index: position - 1), nodes touched (FB_HEAT_UNKNOWN: not measured yet), and how the graph grew. Measured a
 * little here and there first, so that the strip has its shape soon. */
typedef struct
{
  guint n_known;
  guint32 *touched;
  gint32 *growth;
  guint32 most; /* largest touched so far */
} FbHeat;
#define FB_HEAT_UNKNOWN G_MAXUINT32
const FbHeat *fb_document_get_heat (FbDocument *doc);
/* Bookmarks, breakpoints and hits of the row; borrowed, the same object for as long as the document lives. */
FbStepMarks *fb_document_get_marks (FbDocument *doc);
/* What its rules take (rule-timing.h); likewise. */
typedef struct _FbRuleTiming FbRuleTiming;
FbRuleTiming *fb_document_get_timing (FbDocument *doc);

/* TRUE while the person waits for something; @words and @fraction may be NULL. @waited_ms: for how long. */
gboolean fb_document_is_busy (FbDocument *doc, const char **words, double *fraction, gint64 *since);
/* TRUE while another file is being opened: what is shown is about to go. */
gboolean fb_document_is_opening (FbDocument *doc);
/* TRUE when the heat of every step is known, or no more will be. */
gboolean fb_document_is_measured (FbDocument *doc);
/* TRUE when nothing is left to do, detail included (heat may still be measured). */
gboolean fb_document_is_settled (FbDocument *doc);
