/* Opening a trace, and what is known of it. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <string.h>

#include "core/capture/database.h"
#include "viztrace-private.h"

/* Where the header of an SQLite file says which program it is of. */
#define SESSION_MARK 68
#define MAX_FILE ((goffset) 1024 * 1024 * 1024)

void
fb_viz_note (FbVizTrace *trace, const char *format, ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (!g_ptr_array_find_with_equal_func (trace->notes, text, g_str_equal, NULL) && trace->notes->len < 64)
    g_ptr_array_add (trace->notes, g_steal_pointer (&text));
}

gboolean
fb_viz_refuse (FbVizTrace *trace, GError **error, const char *format, ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: %s.", trace->path, text);
  return FALSE;
}

/* The three parts of a trace; FALSE when the root of the pickle is something else. */
static gboolean
find_parts (FbVizTrace *trace, const FbValue *root, const FbValue **keys, const FbValue **rewrites,
            const FbValue **fields)
{
  *keys = *rewrites = *fields = NULL;
  if (root->kind == FB_VALUE_OBJECT)
    {
      static const char *const known[] = { "keys", "rewrites", "uop_fields", NULL };

      *keys = fb_viz_field (root, "keys");
      *rewrites = fb_viz_field (root, "rewrites");
      *fields = fb_viz_field (root, "uop_fields");
      trace->form = FB_VIZ_TRACE;
      if (!*keys || !*rewrites || !*fields)
        return FALSE;
      if (strcmp (root->object->class->name, "RewriteTrace") != 0)
        fb_viz_note (trace, "The trace is of the class %s, which no known release has; it was read as RewriteTrace",
                     root->object->class->name);
      fb_viz_note_fields (trace, root, known);
      return TRUE;
    }
  if (root->kind != FB_VALUE_TUPLE || root->tuple->n < 2)
    return FALSE;
  *keys = &root->tuple->items[0];
  *rewrites = &root->tuple->items[1];
  trace->form = FB_VIZ_OBJECTS;
  if (root->tuple->n > 2)
    {
      *fields = &root->tuple->items[2];
      trace->form = FB_VIZ_NUMBERED;
    }
  if (root->tuple->n > 3)
    fb_viz_note (trace, "The trace has %u parts; those after the third are of no known release and were not read",
                 root->tuple->n);
  return (*keys)->kind == FB_VALUE_LIST && (*rewrites)->kind == FB_VALUE_LIST;
}

gboolean
fb_viz_trace_sniff (const guint8 *bytes, gsize len)
{
  static const char rewrite[] = "TrackedGraphRewrite", trace[] = "RewriteTrace";

  return bytes && len > 2 && bytes[0] == 0x80
         && (memmem (bytes, len, trace, strlen (trace)) || memmem (bytes, len, rewrite, strlen (rewrite)));
}

static gboolean
load (FbVizTrace *trace, const char *release, GError **error)
{
  FbPickleOptions options = { .path = trace->path, .plain = TRUE };
  const FbValue *keys, *rewrites, *fields;
  static const char *const forms[] = { "keys and rewrites", "keys, rewrites and a table of nodes", "RewriteTrace" };
  gsize len;
  const guint8 *bytes = g_bytes_get_data (trace->bytes, &len);
  FbValue root;

  if (!fb_pickle_load (trace->pickle, bytes, len, &options, trace->pickle_context, &root, error))
    return FALSE;
  fb_pickle_drop_tables (trace->pickle);
  if (!find_parts (trace, &root, &keys, &rewrites, &fields))
    return fb_viz_refuse (
        trace, error,
        "this pickle is no VIZ trace: expected (keys, rewrites), (keys, rewrites, nodes) or a RewriteTrace");
  if ((trace->form != FB_VIZ_OBJECTS && !fb_viz_read_table (trace, fields, error))
      || !fb_viz_read_contexts (trace, keys, rewrites, error) || !fb_viz_tell_release (trace, release, error))
    return FALSE;
  trace->format
      = g_strdup_printf ("VIZ trace, pickle protocol %d, %s", fb_pickle_protocol (trace->pickle), forms[trace->form]);
  return TRUE;
}

FbVizTrace *
fb_viz_trace_new (GBytes *bytes, const char *what, const char *release, GError **error)
{
  FbVizTrace *trace = g_new0 (FbVizTrace, 1);

  g_atomic_ref_count_init (&trace->refs);
  trace->path = g_strdup (what);
  trace->bytes = g_bytes_ref (bytes);
  trace->call = fb_op_foreign ("CALL");
  trace->function = fb_op_foreign ("FUNCTION");
  trace->pickle = fb_pickle_new ();
  trace->pickle_context = fb_context_new ();
  trace->contexts = g_array_new (FALSE, FALSE, sizeof (FbVizContext));
  trace->notes = g_ptr_array_new_with_free_func (g_free);
  fb_arena_init (&trace->arena);
  if (load (trace, release, error))
    return trace;
  fb_viz_trace_unref (trace);
  return NULL;
}

GBytes *
fb_viz_read_file (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GError) failure = NULL;
  g_autoptr (GFileInfo) info
      = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, &failure);
  GBytes *bytes = NULL;

  if (info && g_file_info_get_size (info) > MAX_FILE)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_PICKLE,
                   "%s: a pickle of %" G_GOFFSET_FORMAT " bytes is refused, the most is %" G_GOFFSET_FORMAT ".", path,
                   g_file_info_get_size (info), MAX_FILE);
      return NULL;
    }
  if (info)
    bytes = g_file_load_bytes (file, NULL, NULL, &failure);
  if (!bytes && g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s does not exist.", path);
  else if (!bytes)
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s: %s", path, failure->message);
  return bytes;
}

/* What the file begins with, as a trace does, or as a session does. */
static gboolean
begins_as (const char *path, gboolean *session)
{
  guint8 head[SESSION_MARK + 4] = { 0 };
  FILE *file = g_fopen (path, "rb");
  gsize n = file ? fread (head, 1, sizeof head, file) : 0;

  if (file)
    fclose (file);
  *session = n == sizeof head && fb_database_sniff (head, n) && memcmp (head + SESSION_MARK, "Fuse", 4) == 0;
  return *session || (n && head[0] == 0x80);
}

/* The trace that a session holds; NULL: it holds none. */
static GBytes *
read_session (const char *path, GError **error)
{
  g_autoptr (FbDatabase) database = fb_database_open (path, error);

  if (!database)
    return NULL;
  if (fb_database_rows (database, FB_ROW_TRACE)->len)
    return fb_database_read (database, FB_ROW_TRACE, 1, error);
  g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_NOT_CAPTURE, "%s holds no VIZ trace.", path);
  return NULL;
}

gboolean
fb_viz_trace_sniff_file (const char *path)
{
  g_autoptr (GBytes) bytes = NULL;
  gboolean session;
  gsize len;
  const guint8 *data;

  if (!begins_as (path, &session) || !(bytes = session ? read_session (path, NULL) : fb_viz_read_file (path, NULL)))
    return FALSE;
  data = g_bytes_get_data (bytes, &len);
  return fb_viz_trace_sniff (data, len);
}

FbVizTrace *
fb_viz_trace_open (const char *path, const char *release, GError **error)
{
  gboolean session;
  g_autoptr (GBytes) bytes
      = begins_as (path, &session) && session ? read_session (path, error) : fb_viz_read_file (path, error);

  return bytes ? fb_viz_trace_new (bytes, path, release, error) : NULL;
}

FbVizTrace *
fb_viz_trace_ref (FbVizTrace *trace)
{
  g_atomic_ref_count_inc (&trace->refs);
  return trace;
}

void
fb_viz_trace_unref (FbVizTrace *trace)
{
  if (!trace || !g_atomic_ref_count_dec (&trace->refs))
    return;
  fb_pickle_free (trace->pickle);
  fb_context_free (trace->pickle_context);
  g_bytes_unref (trace->bytes);
  g_array_unref (trace->contexts);
  g_ptr_array_unref (trace->notes);
  g_clear_pointer (&trace->table, g_hash_table_unref);
  g_free (trace->dense);
  fb_arena_clear (&trace->arena);
  g_free (trace->path);
  g_free (trace->format);
  g_free (trace);
}

GBytes *
fb_viz_trace_bytes (const FbVizTrace *trace)
{
  return trace->bytes;
}

const char *
fb_viz_trace_path (const FbVizTrace *trace)
{
  return trace->path;
}

FbVizForm
fb_viz_trace_form (const FbVizTrace *trace)
{
  return trace->form;
}

const char *
fb_viz_trace_format (const FbVizTrace *trace)
{
  return trace->format;
}

const char *
fb_viz_trace_release (const FbVizTrace *trace)
{
  return fb_viz_release_name (trace->release);
}

gboolean
fb_viz_trace_release_detected (const FbVizTrace *trace)
{
  return trace->release_detected;
}

gboolean
fb_viz_trace_ops_by_value (const FbVizTrace *trace)
{
  return trace->ops_by_value;
}

guint
fb_viz_trace_n_contexts (const FbVizTrace *trace)
{
  return trace->contexts->len;
}

const FbVizContext *
fb_viz_trace_context (const FbVizTrace *trace, guint index)
{
  return &g_array_index (trace->contexts, FbVizContext, index);
}

guint
fb_viz_trace_n_nodes (const FbVizTrace *trace)
{
  return trace->n_nodes;
}

guint64
fb_viz_trace_n_matches (const FbVizTrace *trace)
{
  return trace->n_matches;
}

guint
fb_viz_trace_n_notes (const FbVizTrace *trace)
{
  return trace->notes->len;
}

const char *
fb_viz_trace_note (const FbVizTrace *trace, guint index)
{
  return g_ptr_array_index (trace->notes, index);
}
