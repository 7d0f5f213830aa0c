#include "save.h"

#include "backends/run/fill.h"

#include "values.h"

#define BLOCK 65536

/* A file that replaces the one at @path once it is closed. */
static GOutputStream *
create (const char *path, GCancellable *cancellable, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileOutputStream) stream = g_file_replace (file, NULL, FALSE, G_FILE_CREATE_NONE, cancellable, error);
  return stream ? g_buffered_output_stream_new_sized (G_OUTPUT_STREAM (stream), BLOCK) : NULL;
}

/* Ends it: what was written takes its place, or goes away. */
static gboolean
finish (GOutputStream *stream, gboolean done, GCancellable *cancellable, GError **error)
{
  if (done)
    return g_output_stream_close (stream, cancellable, error);
  /* a close that is cancelled leaves the old file alone */
  g_autoptr (GCancellable) leave = g_cancellable_new ();
  g_cancellable_cancel (leave);
  g_output_stream_close (stream, leave, NULL);
  return FALSE;
}

static gboolean
write_npy_data (GOutputStream *stream, guint type, gint64 n, const guint8 *data, GCancellable *cancellable,
                GError **error)
{
  gsize item = fb_scalar_size ((FbScalarType) type);
  g_autofree double *values = g_new (double, BLOCK);
  g_autofree float *floats = g_new (float, BLOCK);
  for (gint64 at = 0; at < n; at += BLOCK)
    {
      guint count = (guint) MIN (n - at, BLOCK);
      const void *from = data + (gsize) at * item;
      gsize size = count * item;
      if (type == FB_SCALAR_BFLOAT16)
        {
          fb_values_read (type, data, at, count, values);
          for (guint i = 0; i < count; i++)
            floats[i] = (float) values[i];
          from = floats;
          size = count * sizeof *floats;
        }
      if (!g_output_stream_write_all (stream, from, size, NULL, cancellable, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
fb_value_save_npy (const char *path, guint type, const FbSlice *slice, const guint8 *data, GCancellable *cancellable,
                   GError **error)
{
  g_autoptr (GString) head = g_string_new ("\x93NUMPY\x01");
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GOutputStream) stream = create (path, cancellable, error);
  if (!stream)
    return FALSE;
  g_string_append_printf (text, "{'descr': '%s', 'fortran_order': False, 'shape': (", fb_npy_descriptor (type));
  for (guint i = 0; i < slice->n_dims; i++)
    g_string_append_printf (text, "%" G_GINT64_FORMAT ",", slice->shape[i]);
  g_string_append (text, "), }");
  while ((10 + text->len + 1) % 64 != 0)
    g_string_append_c (text, ' ');
  g_string_append_c (text, '\n');
  g_string_append_c (head, '\0');
  g_string_append_c (head, (char) (text->len & 255));
  g_string_append_c (head, (char) (text->len >> 8));
  g_string_append_len (head, text->str, (gssize) text->len);
  gboolean done = g_output_stream_write_all (stream, head->str, head->len, NULL, cancellable, error)
                  && write_npy_data (stream, type, fb_slice_size (slice), data, cancellable, error);
  return finish (stream, done, cancellable, error);
}

gboolean
fb_value_save_csv (const char *path, guint type, const FbSlice *slice, const guint8 *data, GCancellable *cancellable,
                   GError **error)
{
  gint64 n_rows = fb_slice_n_rows (slice), n_columns = fb_slice_n_columns (slice);
  gsize item = fb_scalar_size ((FbScalarType) type);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GOutputStream) stream = create (path, cancellable, error);
  gboolean done = stream != NULL;
  for (gint64 row = 0; row < n_rows && done; row++)
    {
      for (gint64 column = 0; column < n_columns && done; column++)
        {
          gint64 element = fb_slice_element (slice, row, column);
          char value[FB_VALUE_TEXT];
          if (element < 0)
            break;
          fb_value_text (type, data + (gsize) element * item, FB_VALUE_EXACT, value);
          g_string_append_printf (text, "%s%s", column > 0 ? "," : "", value);
          if (text->len < BLOCK)
            continue;
          done = g_output_stream_write_all (stream, text->str, text->len, NULL, cancellable, error);
          g_string_truncate (text, 0);
        }
      g_string_append_c (text, '\n');
    }
  done = done && g_output_stream_write_all (stream, text->str, text->len, NULL, cancellable, error);
  return stream && finish (stream, done, cancellable, error);
}
