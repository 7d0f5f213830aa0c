/* What the files of a document's session share. */
#pragma once

#include "app/session-file.h"
#include "app/session-jobs.h"

struct _FbSessionFile
{
  GObject parent_instance;

  FbSessionStart *start; /* without its store, which the session has */
  FbSession *session;    /* NULL: closed */
  guint n_users;         /* windows */
  char *path;            /* of the private session */
  GListStore *marks[2];  /* of FbBookmark, by FbStoreMarkKind */
  gint64 last_id[2];
  GHashTable *states;   /* name → value */
  GHashTable *to_write; /* names of states */
  guint write_source;
  GCancellable *background; /* traces, rows */
  gboolean failing;         /* it was said that nothing can be written */
  guint saving;
};

typedef enum
{
  FB_SESSION_CHANGED,
  FB_SESSION_MARKS_CHANGED,
  FB_SESSION_SCENARIOS_CHANGED,
  FB_SESSION_FAILED,
  FB_SESSION_N_SIGNALS
} FbSessionSignal;
extern guint fb_session_signals[FB_SESSION_N_SIGNALS];

/* Asks the writer; what fails is told by `failed`. */
void fb_session_file_push (FbSessionFile *file, FbSessionJobKind kind, FbSessionFunc func, gpointer data,
                           GDestroyNotify destroy, GCancellable *cancellable);
void fb_session_file_set_unsaved (FbSessionFile *file, gboolean unsaved);
/* For fb_session_file_join: from when it is made to its end. */
void fb_session_file_register (FbSessionFile *file);
void fb_session_file_unregister (FbSessionFile *file);
