/* A pass as one page of HTML that stands alone: every step with its rule, law, reference line, the difference as text and a picture of
 * the neighbourhood, and a list of all steps. No script, nothing from elsewhere, readable in both themes. */
#pragma once

#include "core/schedule.h"
#include "viz/scene.h"

typedef struct
{
  const char *file;    /* "lerp.db" */
  const char *row;     /* "row 1 of 1 · 37 nodes → 3 kernels" */
  const char *program; /* "Fusebox 0.1.0" */
  FbMetrics metrics;
} FbReportInfo;

typedef struct _FbReport FbReport;

/* Steps @first to @last of @pass (from 1; both within it, or @first > @last: none). Texts of @info are copied. The report borrows
 * @context, the pass's, and @pass. */
FbReport *fb_report_new (FbContext *context, const FbPass *pass, guint first, guint last, const FbReportInfo *info);
void fb_report_free (FbReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbReport, fb_report_free)
/* Adds the next step; *@done: how many there are now. FALSE: there was none left, or @error is set. On the context's thread. */
gboolean fb_report_add (FbReport *report, guint *done, GError **error);
/* What was written since the last call, which the report forgets; the end of the page with the last step. NULL for nothing. Free with
 * g_bytes_unref. */
GBytes *fb_report_take (FbReport *report);
