#include "app/session-diffs.h"

#include <string.h>

G_STATIC_ASSERT (sizeof (FbDiffSpan) == sizeof (guint32[2]));

struct _FbDiffJob
{
  guint64 before, after;
  FbStoreDiff *diff;
};

/* A line that only moved is stored as it reads now, and below that as it read before: no line has a line end in it. */
static void
append_line (GByteArray *texts, const FbDiffRow *row)
{
  g_byte_array_append (texts, (const guint8 *) row->text, row->len);
  if (!row->was)
    return;
  g_byte_array_append (texts, (const guint8 *) "\n", 1);
  g_byte_array_append (texts, (const guint8 *) row->was, row->was_len);
}

static void
split_line (FbDiffRow *row)
{
  const char *end = row->kind == FB_DIFF_SAME && row->len ? memchr (row->text, '\n', row->len) : NULL;
  if (!end)
    return;
  row->was = end + 1;
  row->was_len = (guint32) (row->text + row->len - row->was);
  row->len = (guint32) (end - row->text);
}

/* With copies of all, the texts one after the other. */
static FbStoreDiff *
copy_diff (const FbTextDiff *from)
{
  FbStoreDiff *diff = g_new0 (FbStoreDiff, 1);
  guint n_spans = 0;
  GByteArray *texts = g_byte_array_new ();
  for (guint32 i = 0; i < from->n_rows; i++)
    n_spans = MAX (n_spans, from->rows[i].first_span + from->rows[i].n_spans);
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
                                          .len = row->len };
      if (!row->text)
        continue;
      guint begin = texts->len;
      append_line (texts, row);
      diff->lines[i].len = texts->len - begin;
    }
  diff->texts = g_byte_array_free_to_bytes (texts);
  const char *text = g_bytes_get_data (diff->texts, NULL);
  for (guint32 i = 0; i < from->n_rows; i++)
    if (from->rows[i].text)
      {
        diff->lines[i].text = text ? text : "";
        text += diff->lines[i].len;
      }
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
      split_line (&diff->rows[i]);
    }
  fb_store_diff_free (from);
  if (!ok)
    g_clear_pointer (&diff, fb_text_diff_free);
  return diff;
}
