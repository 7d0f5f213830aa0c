/* What a session's writer does for the window: jobs for fb_session_push, made on the main thread, run and freed on the writer's. */
#pragma once

#include "app/bookmark.h"
#include "core/session/session.h"

/* --- states; value NULL: forgotten --- */
typedef struct _FbStatesJob FbStatesJob;
FbStatesJob *fb_states_job_new (void);
void fb_states_job_add (FbStatesJob *job, const char *name, const char *value);
gboolean fb_states_job_run (FbStore *store, gpointer job, GCancellable *cancellable, GError **error);
void fb_states_job_free (gpointer job);

/* --- a bookmark or a note, and that it is not saved --- */
typedef struct _FbMarkJob FbMarkJob;
FbMarkJob *fb_mark_job_new (FbStoreMarkKind kind, const FbStoreMark *mark, gboolean remove);
gboolean fb_mark_job_run (FbStore *store, gpointer job, GCancellable *cancellable, GError **error);
void fb_mark_job_free (gpointer job);

/* --- a scenario that is there now, or no more, and that this is not saved --- */
typedef struct _FbScenarioJob FbScenarioJob;
FbScenarioJob *fb_scenario_job_new (const FbStoreScenario *scenario, gboolean remove);
gboolean fb_scenario_job_run (FbStore *store, gpointer job, GCancellable *cancellable, GError **error);
void fb_scenario_job_free (gpointer job);

/* --- a layout; nothing placed: forgotten --- */
typedef struct _FbLayoutJob FbLayoutJob;
FbLayoutJob *fb_layout_job_new (const FbStoreLayout *layout);
gboolean fb_layout_job_run (FbStore *store, gpointer job, GCancellable *cancellable, GError **error);
void fb_layout_job_free (gpointer job);

/* --- places of cards by their digest --- */
typedef struct _FbPlacesJob FbPlacesJob;
FbPlacesJob *fb_places_job_new (guint64 digest, GBytes *places);
gboolean fb_places_job_run (FbStore *store, gpointer job, GCancellable *cancellable, GError **error);
void fb_places_job_free (gpointer job);

/* --- rows of the capture, unless they are many; then the trace of @row, unless it is 0 (FB_SESSION_PLAIN) --- */
typedef struct _FbRowsJob FbRowsJob;
FbRowsJob *fb_rows_job_new (const char *source, const char *release, FbRowKind kind, guint row);
gboolean fb_rows_job_run (FbStore *store, gpointer job, GCancellable *cancellable, GError **error);
void fb_rows_job_free (gpointer job);

/* --- saving as @path: the marks of the lists, scenarios, every row, all that was written before (FB_SESSION_PLAIN) --- */
typedef struct
{
  char *path, *source, *release;
  GPtrArray *marks[2];  /* of FbStoreMark, by FbStoreMarkKind */
  GPtrArray *scenarios; /* of FbStoreScenario */
  char *stamp;          /* of the file once it is saved */
} FbSaveJob;
FbSaveJob *fb_save_job_new (const char *path, const char *source, const char *release, GListModel *bookmarks,
                            GListModel *notes, const GPtrArray *scenarios);
gboolean fb_save_job_run (FbStore *store, gpointer job, GCancellable *cancellable, GError **error);
/* Are these what it saved? */
gboolean fb_save_job_has (const FbSaveJob *job, GListModel *bookmarks, GListModel *notes, const GPtrArray *scenarios);
void fb_save_job_free (gpointer job);
