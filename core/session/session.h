/* The session of a document: what it holds, kept in one SQLite file.
 *
 * A session file is a capture database with more tables: it holds the captured rows byte by byte under the names that captures have
 * (so every reader of captures reads it), the traces of the rows that were looked at, and what the person added: bookmarks, notes,
 * where they are. `README.md` beside this file describes the tables.
 *
 * A file is written by one thread, which an FbSession owns; every job is a transaction, so that a crash leaves the file as it was
 * after the last job. Errors name the file and say what was being done. */
#pragma once

#include <gio/gio.h>

#include "store.h"

typedef struct _FbSession FbSession;

/* A job on the writer's thread. FALSE with the error set undoes all it did. */
typedef gboolean (*FbSessionFunc) (FbStore *store, gpointer data, GCancellable *cancellable, GError **error);

typedef enum
{
  FB_SESSION_CHANGE, /* in a transaction of its own */
  FB_SESSION_PLAIN,  /* outside of any: makes its own, or none */
} FbSessionJobKind;

/* Starts the writer; takes @store. */
FbSession *fb_session_new (FbStore *store);
/* Ends the writer: jobs pushed before still run (those whose cancellable is cancelled return at once), then the file is closed.
 * Blocks for as long as that takes. */
void fb_session_free (FbSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbSession, fb_session_free)
/* The same when the file is of no more use; whoever asked removes it. */
void fb_session_abandon (FbSession *session);
/* Borrowed. */
const char *fb_session_path (const FbSession *session);

/* Queues @func; jobs run in the order they were pushed. @data is freed with @destroy on the writer's thread. @callback (may be
 * NULL) is called in the thread-default main context, with a result for fb_session_finish. */
void fb_session_push (FbSession *session, FbSessionJobKind kind, FbSessionFunc func, gpointer data,
                      GDestroyNotify destroy, GCancellable *cancellable, GAsyncReadyCallback callback,
                      gpointer user_data);
gboolean fb_session_finish (GAsyncResult *result, GError **error);
/* The same, waiting for it. */
gboolean fb_session_run (FbSession *session, FbSessionJobKind kind, FbSessionFunc func, gpointer data, GError **error);
/* Jobs not yet done. Any thread. */
guint fb_session_n_pending (FbSession *session);
