/* Differences as text, on their way into a session and back. */
#pragma once

#include "core/session/session.h"
#include "viz/textdiff.h"

/* For fb_session_push; copies @diff. */
typedef struct _FbDiffJob FbDiffJob;
FbDiffJob *fb_diff_job_new (guint64 before, guint64 after, const FbTextDiff *diff);
gboolean fb_diff_job_run (FbStore *store, gpointer job, GCancellable *cancellable, GError **error);
void fb_diff_job_free (gpointer job);

/* NULL: it is not there, or cannot be read. */
FbTextDiff *fb_session_read_diff (FbStore *store, guint64 before, guint64 after);
