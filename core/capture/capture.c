/* The rows of a capture. */
#include "capture-private.h"

#include "core/viztrace/recorded.h"
#include "release.h"

GQuark
fb_capture_error_quark (void)
{
  return g_quark_from_static_string ("fb-capture-error-quark");
}

void
fb_capture_free (FbCapture *capture)
{
  if (!capture)
    return;
  fb_database_free (capture->database);
  fb_viz_trace_unref (capture->trace);
  fb_viz_profile_unref (capture->profile);
  g_free (capture->contexts);
  g_free (capture->schedules);
  fb_pickle_free (capture->pickle);
  g_clear_pointer (&capture->bytes, g_bytes_unref);
  g_free (capture->format);
  g_free (capture->path);
  g_free (capture);
}

const char *
fb_capture_path (FbCapture *capture)
{
  return capture->path;
}

const char *
fb_capture_format (FbCapture *capture)
{
  return capture->format;
}

guint
fb_capture_n_rows (FbCapture *capture, FbRowKind kind)
{
  if (capture->trace)
    return kind == FB_ROW_TRACE      ? fb_viz_trace_n_contexts (capture->trace)
           : kind == FB_ROW_SCHEDULE ? capture->n_schedules
                                     : 0;
  if (capture->database)
    return kind == FB_ROW_TRACE ? 0 : fb_database_rows (capture->database, kind)->len;
  return capture->bare.kind == kind;
}

const FbRowInfo *
fb_capture_row_info (FbCapture *capture, FbRowKind kind, guint row)
{
  if (row < 1 || row > fb_capture_n_rows (capture, kind))
    return NULL;
  if (capture->trace)
    return kind == FB_ROW_TRACE ? &capture->contexts[row - 1] : &capture->schedules[row - 1];
  if (!capture->database)
    return &capture->bare;
  return &g_array_index (fb_database_rows (capture->database, kind), FbDatabaseRow, row - 1).info;
}

FbRowKind
fb_capture_main_kind (FbCapture *capture)
{
  if (capture->trace)
    return FB_ROW_TRACE;
  if (!capture->database)
    return capture->bare.kind;
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind < FB_ROW_KERNEL; kind++)
    if (fb_capture_n_rows (capture, kind))
      return kind;
  return FB_ROW_KERNEL;
}

const char *
fb_capture_table (FbCapture *capture, FbRowKind kind)
{
  if (capture->trace)
    return kind == FB_ROW_TRACE ? fb_database_bare_table (kind) : NULL;
  if (capture->database)
    return fb_database_table (capture->database, kind);
  return capture->bare.kind == kind ? fb_database_bare_table (kind) : NULL;
}

static const FbRowInfo *
get_row (FbCapture *capture, FbRowKind kind, guint row, GError **error)
{
  static const char *const names[] = { "captured schedule", "graph", "captured kernel", "context" };
  const FbRowInfo *info = fb_capture_row_info (capture, kind, row);
  guint n = fb_capture_n_rows (capture, kind);

  if (!info)
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_ROW, "%s has no row %u: it holds %u %s%s.", capture->path,
                 row, n, names[kind], n == 1 ? "" : "s");
  return info;
}

GBytes *
fb_capture_read_blob (FbCapture *capture, FbRowKind kind, guint row, GError **error)
{
  if (!get_row (capture, kind, row, error))
    return NULL;
  if (capture->trace)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_ROW,
                   "%s is a trace, whose contexts have no bytes of their own.", capture->path);
      return NULL;
    }
  if (!capture->database)
    return g_bytes_ref (capture->bytes);
  return fb_database_read (capture->database, kind, row, error);
}

GBytes *
fb_capture_trace_bytes (FbCapture *capture)
{
  return capture->trace ? g_bytes_ref (fb_viz_trace_bytes (capture->trace)) : NULL;
}

const FbVizTrace *
fb_capture_trace (FbCapture *capture)
{
  return capture->trace;
}

/* Row @number of a trace, without a graph. */
static FbCaptureRow *
new_trace_row (FbCapture *capture, FbRowKind kind, guint number)
{
  FbRowSource source = { capture->path, number, "", -1, -1 };
  FbCaptureRow *row = fb_row_new (&source);

  row->kind = kind;
  row->release = fb_viz_trace_release (capture->trace);
  row->release_detected = fb_viz_trace_release_detected (capture->trace);
  row->ops_by_value = fb_viz_trace_ops_by_value (capture->trace);
  return row;
}

/* A schedule that was recorded: as if its big sink and its kernels had been captured. */
static FbCaptureRow *
read_recorded (FbCapture *capture, guint number, FbContext *context, GError **error)
{
  g_autoptr (FbCaptureRow) row = new_trace_row (capture, FB_ROW_SCHEDULE, number);
  guint index = (guint) capture->schedules[number - 1].rowid - 1;

  row->recorded = fb_recorded_new (capture->trace, index, context, error);
  if (!row->recorded)
    return NULL;
  row->sink = row->recorded->sink;
  g_ptr_array_unref (row->kernels);
  row->kernels = g_ptr_array_ref (row->recorded->kernels);
  return g_steal_pointer (&row);
}

/* The first graph of a context stands for it. */
static FbCaptureRow *
read_context (FbCapture *capture, guint number, FbContext *context, GError **error)
{
  const FbVizContext *group = fb_viz_trace_context (capture->trace, number - 1);
  const FbVizTimes *times;
  g_autoptr (FbCaptureRow) row = new_trace_row (capture, FB_ROW_TRACE, number);

  row->kernel_name = fb_viz_plain_name (group->name);
  row->colored_name = g_strdup (group->name);
  row->source = fb_viz_trace_source (capture->trace, number - 1);
  row->nodes = fb_viz_nodes_new (capture->trace, context);
  times = capture->profile ? fb_viz_profile_find (capture->profile, group->name) : NULL;
  if (times)
    {
      row->n_runs = times->n_runs;
      row->seconds = times->total;
    }
  if (group->n_rewrites == 0)
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_EMPTY, "%s: context %u holds no rewrites.", capture->path,
                 number);
  else
    row->sink = fb_viz_nodes_sink (row->nodes, &group->rewrites[0], error);
  return row->sink ? g_steal_pointer (&row) : NULL;
}

FbCaptureRow *
fb_capture_read_row (FbCapture *capture, FbRowKind kind, guint row, FbContext *context, GError **error)
{
  if (capture->trace)
    return !get_row (capture, kind, row, error) ? NULL
           : kind == FB_ROW_TRACE               ? read_context (capture, row, context, error)
                                                : read_recorded (capture, row, context, error);
  const FbRowInfo *info = get_row (capture, kind, row, error);
  g_autoptr (GBytes) bytes = info ? fb_capture_read_blob (capture, kind, row, error) : NULL;
  FbCaptureRow *read;
  FbRowSource source;

  if (!bytes)
    return NULL;
  source = (FbRowSource){ capture->path, capture->database ? row : 0, info->key, capture->release,
                          capture->database ? fb_database_version (capture->database, kind) : -1 };
  read = fb_row_read (capture->pickle, bytes, &source, context, error);
  if (read && read->kind != kind)
    {
      g_autofree char *what = fb_row_source_name (&source);
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: it does not hold what it was listed as.",
                   what);
      g_clear_pointer (&read, fb_capture_row_free);
    }
  return read;
}

/* A reader for each thread that reads loose bytes: it keeps its memory from one row to the next. */
static GPrivate thread_reader = G_PRIVATE_INIT ((GDestroyNotify) fb_pickle_free);

FbCaptureRow *
fb_capture_read_bytes (GBytes *bytes, const char *what, const char *release, FbContext *context, GError **error)
{
  FbPickle *pickle = g_private_get (&thread_reader);
  FbRowSource source = { what, 0, "", release ? fb_release_from_name (release) : -1, -1 };

  if (release && source.release < 0)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_VERSION, "%s is not a release whose op numbers are known.",
                   release);
      return NULL;
    }
  if (!pickle)
    g_private_set (&thread_reader, pickle = fb_pickle_new ());
  return fb_row_read (pickle, bytes, &source, context, error);
}
