/* The private session of a document: found or made when a file is opened, before there are widgets that show it.
 *
 * Every document has one, a file of the user's state folder that only it writes. What is saved is a copy of it elsewhere. A
 * private session that holds what was not saved outlives its document, and a program that was killed leaves its own behind: both are
 * taken up again when the same file is opened. */
#pragma once

#include "core/session/store.h"

typedef struct
{
  char *folder;
  gboolean temporary; /* the folder is for this session alone and goes with it */
  FbStore *store;     /* the private session */
  int lock;           /* held for as long as a document uses it; a killed program's is free */
  char *source;       /* what was opened: a capture or a session */
  char *release;      /* whose op numbers were asked for, or NULL */
  char *name;         /* of the capture or the session, for people */
  char *saved;        /* the session file that it is saved as; NULL: none yet */
  char *stamp;        /* which version of that file it was made from */
  gboolean unsaved, resumed;
  gboolean outdated;            /* resumed, but the capture has changed since */
  GPtrArray *bookmarks, *notes; /* of FbStoreMark */
  GPtrArray *scenarios;         /* of FbStoreScenario */
  GPtrArray *layouts;           /* of FbStoreLayout */
  GHashTable *states;
} FbSessionStart;

/* Where private sessions are kept; free with g_free. */
char *fb_session_folder_default (void);

/* Finds or makes the session of @path in @folder (made if missing; NULL: in a folder of its own that goes with it). Blocks; any
 * thread. @release: NULL when it is detected. */
FbSessionStart *fb_session_start_new (const char *folder, const char *path, const char *release, GError **error);
void fb_session_start_free (FbSessionStart *start);
/* The same for one that is not wanted after all: its file goes too, unless it holds what was not saved. */
void fb_session_start_discard (FbSessionStart *start);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbSessionStart, fb_session_start_free)
/* Where one was, among @states; FALSE: nowhere yet. */
gboolean fb_session_get_place (GHashTable *states, FbStorePlace *place);
/* The scenario that the row of @place was looked at under, among @scenarios; NULL: as captured. Borrowed. */
const FbScenario *fb_session_get_scenario (GHashTable *states, const GPtrArray *scenarios, const FbStorePlace *place);

/* "size:time:inode" of a file, NULL when there is none: tells whether it was replaced. */
char *fb_session_stamp (const char *path);
/* Ends the use of a private session that is closed, whose lock is @lock: with @keep FALSE its file goes. */
void fb_session_end (const char *path, int lock, gboolean keep, gboolean temporary);

/* A private session that no document has open and that holds what was not saved. */
typedef struct
{
  char *path;   /* to be opened */
  char *name;   /* of what it is about */
  gint64 marks; /* bookmarks, notes and scenarios */
  gint64 when;  /* last written, µs since 1970 */
} FbUnsavedSession;
/* Latest first. Opens each file: for menus, not for loops. */
GPtrArray *fb_session_folder_unsaved (const char *folder);
void fb_unsaved_session_free (FbUnsavedSession *session);
/* "3 bookmarks, notes and scenarios"; free with g_free. */
char *fb_unsaved_session_about (const FbUnsavedSession *session);
