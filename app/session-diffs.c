#include "app/session-diffs.h"

#include <string.h>

G_STATIC_ASSERT (sizeof (FbDiffSpan) == sizeof (guint32[2]));

struct _FbDiffJob
{
  guint64 before, after;
  FbStoreDiff *diff;
};

/* With copies of all, the texts one after the other. */
static FbStoreDiff *
copy_diff (const FbTextDiff *from)
{
  FbStoreDiff *diff = g_new0 (FbStoreDiff, 1);
  gsize size = 0, at = 0;
  guint n_spans = 0;
  for (guint32 i = 0; i < from->n_rows; i++)
    {
      size += from->rows[i].text ? from->rows[i].len : 0;
      n_spans = MAX (n_spans, from->rows[i].first_span + from->rows[i].n_spans);
    }
  char *texts = g_malloc (size + 1);
  *diff = (FbStoreDiff){ .n_removed = from->n_removed,
                         .n_added = from->n_added,
                         .n_same = from->n_same,
                         .exact = from->exact,
                         .n_lines = from->n_rows,
                         .n_spans = n_spans,
                         .lines = g_new (FbStoreDiffLine, from->n_rows + 1),
                         .spans = g_memdup2 (from->spans, n_spans * sizeof *from->spans) };
  for (guint32 i = 0; i < from->n_rows; i++)
    {
      const FbDiffRow *row = &from->rows[i];
      diff->lines[i] = (FbStoreDiffLine){ .kind = (guint8) row->kind,
                                          .old_line = row->old_line,
                                          .new_line = row->new_line,
                                          .pair = row->pair,
                                          .first_span = row->n_spans ? row->first_span : 0,
                                          .n_spans = row->n_spans,
                                          .text = row->text ? texts + at : NULL,
                                          .len = row->len };
      if (row->text)
        {
          memcpy (texts + at, row->text, row->len);
          at += row->len;
        }
    }
  diff->texts = g_bytes_new_take (texts, size);
  return diff;
}

FbDiffJob *
fb_diff_job_new (guint64 before, guint64 after, const FbTextDiff *diff)
{
  FbDiffJob *job = g_new (FbDiffJob, 1);
  *job = (FbDiffJob){ before, after, copy_diff (diff) };
  return job;
}

gboolean
fb_diff_job_run (FbStore *store, gpointer data, GCancellable *cancellable, GError **error)
{
  const FbDiffJob *job = data;
  return fb_store_put_diff (store, job->before, job->after, job->diff, error);
}

void
fb_diff_job_free (gpointer data)
{
  FbDiffJob *job = data;
  fb_store_diff_free (job->diff);
  g_free (job);
}

FbTextDiff *
fb_session_read_diff (FbStore *store, guint64 before, guint64 after)
{
  FbStoreDiff *from = fb_store_get_diff (store, before, after, NULL);
  if (!from)
    return NULL;
  gsize size;
  const char *texts = g_bytes_get_data (from->texts, &size);
  FbTextDiff *diff = g_new0 (FbTextDiff, 1);
  *diff = (FbTextDiff){ .rows = g_new (FbDiffRow, from->n_lines + 1),
                        .n_rows = from->n_lines,
                        .spans = g_memdup2 (from->spans, from->n_spans * sizeof *from->spans),
                        .n_removed = from->n_removed,
                        .n_added = from->n_added,
                        .n_same = from->n_same,
                        .exact = from->exact,
                        .before = g_memdup2 (texts, size) };
  gboolean ok = TRUE;
  for (guint i = 0; i < from->n_lines; i++)
    {
      const FbStoreDiffLine *line = &from->lines[i];
      diff->rows[i] = (FbDiffRow){ .kind = (FbDiffKind) line->kind,
                                   .old_line = line->old_line,
                                   .new_line = line->new_line,
                                   .text = !line->text ? NULL
                                           : size      ? diff->before + (line->text - texts)
                                                       : "",
                                   .len = line->len,
                                   .pair = line->pair,
                                   .first_span = line->first_span,
                                   .n_spans = line->n_spans };
      ok = ok && line->kind <= FB_DIFF_SKIPPED && (line->kind == FB_DIFF_SKIPPED) == !line->text
           && (!line->text || g_utf8_validate (line->text, line->len, NULL));
    }
  fb_store_diff_free (from);
  if (!ok)
    g_clear_pointer (&diff, fb_text_diff_free);
  return diff;
}
