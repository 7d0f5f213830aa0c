/* The session of the document in a window: its bookmarks and notes, where one is, and whether that is saved.
 *
 * Whatever changes is written at once into the document's private session (session-start.h), by a thread of its own; saving writes
 * a copy as one closed file. Windows on the same file have one such object together. Main thread.
 *
 * Signals:
 *   changed             title, saved or unsaved
 *   marks-changed       a bookmark or a note came, went or changed
 *   scenarios-changed   another scenario is there
 *   failed (message)    something could not be written; what is on the screen stays */
#pragma once

#include "app/bookmark.h"
#include "app/session-diffs.h"
#include "app/session-start.h"

#define FB_TYPE_SESSION_FILE (fb_session_file_get_type ())
G_DECLARE_FINAL_TYPE (FbSessionFile, fb_session_file, FB, SESSION_FILE, GObject)

/* Takes @start. */
FbSessionFile *fb_session_file_new (FbSessionStart *start);
/* The one that a window has of @path, which may be what it opened or what it saved, kept in @folder (NULL: in one of its own). NULL:
 * nobody has it open. Borrowed. */
FbSessionFile *fb_session_file_find_open (const char *folder, const char *path);
/* One more window uses it; a new reference. */
FbSessionFile *fb_session_file_join (FbSessionFile *file);
/* Ends the use by one window. With the last it ends: a thread writes what was asked for; the private session goes unless it holds what
 * was not saved. */
void fb_session_file_close (FbSessionFile *file);
/* Waits for all that were closed: the program ends. */
void fb_session_files_finish (void);

/* Of the session or the capture, for titles. */
const char *fb_session_file_get_name (FbSessionFile *file);
/* The session file it is saved as; NULL: none yet. */
const char *fb_session_file_get_saved (FbSessionFile *file);
gboolean fb_session_file_is_unsaved (FbSessionFile *file);
/* What to say about how it was found: unsaved bookmarks are back, the capture has changed since. NULL: nothing. */
char *fb_session_file_describe_start (FbSessionFile *file);
/* Something is being written. */
gboolean fb_session_file_is_busy (FbSessionFile *file);

/* Of FbBookmark, in the order they were made. */
GListModel *fb_session_file_get_marks (FbSessionFile *file, FbStoreMarkKind kind);
/* NULL: none. @node 0: about the step. Of a note about a node its row and KEY count, not its step. Borrowed. */
FbBookmark *fb_session_file_find (FbSessionFile *file, FbStoreMarkKind kind, const FbStorePlace *place, guint64 node);
/* @text of a bookmark or note at @place; NULL removes it. */
void fb_session_file_put (FbSessionFile *file, FbStoreMarkKind kind, const FbStorePlace *place, guint64 node,
                          const char *text);
void fb_session_file_rename (FbSessionFile *file, FbBookmark *mark, const char *text);
void fb_session_file_remove (FbSessionFile *file, FbBookmark *mark);

/* Scenarios of all rows, in the order they were looked at; of FbStoreScenario, borrowed. */
const GPtrArray *fb_session_file_get_scenarios (FbSessionFile *file);
/* Adds one, unless its row has it. */
void fb_session_file_put_scenario (FbSessionFile *file, const FbStoreScenario *scenario);
/* The one of the same row and text is no more. */
void fb_session_file_remove_scenario (FbSessionFile *file, const FbStoreScenario *scenario);

/* Layouts that were asked for, as the session was opened; of FbStoreLayout, borrowed. */
const GPtrArray *fb_session_file_get_layouts (FbSessionFile *file);
/* In place of what its pass had; nothing placed: forgotten. */
void fb_session_file_put_layout (FbSessionFile *file, const FbStoreLayout *layout);

/* Where one was; FALSE: nowhere yet. @scenario, which may be NULL: what the row was looked at under, or NULL; borrowed. */
gboolean fb_session_file_get_place (FbSessionFile *file, FbStorePlace *place, const FbScenario **scenario);
/* Of the private session. Borrowed. */
const char *fb_session_file_get_path (FbSessionFile *file);
/* Texts by name; borrowed, NULL: none. Setting marks nothing as unsaved: it is where one is, not what one made. */
const char *fb_session_file_get_state (FbSessionFile *file, const char *name);
void fb_session_file_set_state (FbSessionFile *file, const char *name, const char *value);

/* Writes the trace of a row in the background, unless it is there. */
void fb_session_file_put_trace (FbSessionFile *file, FbRowKind kind, guint row);

/* Keeps places of cards by their digest: fb_store_put_places(). */
void fb_session_file_put_places (FbSessionFile *file, guint64 digest, GBytes *places);

/* Stores the difference of two nodes' texts, by their KEYs. */
void fb_session_file_put_diff (FbSessionFile *file, guint64 before, guint64 after, const FbTextDiff *diff);

/* Saves as @path, which becomes the file it is saved as; NULL: as before. @callback gets a result for
 * fb_session_file_save_finish. A file that was changed by somebody else since is not replaced unless @path names it. */
void fb_session_file_save (FbSessionFile *file, const char *path, GAsyncReadyCallback callback, gpointer data);
gboolean fb_session_file_save_finish (FbSessionFile *file, GAsyncResult *result, GError **error);
