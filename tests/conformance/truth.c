#include <string.h>

#include "truth.h"

GHashTable *
fb_truth_load (const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename (folder, "str-sha256.tsv", NULL), *text = NULL;
  if (!g_file_get_contents (path, &text, NULL, error))
    return NULL;
  GHashTable *truths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line != NULL; line++)
    {
      g_auto (GStrv) fields = g_strsplit (*line, "\t", -1);
      if (**line == '#' || g_strv_length (fields) != 6)
        continue;
      FbTruth *truth = g_new0 (FbTruth, 1);
      g_strlcpy (truth->key, fields[2], sizeof truth->key);
      g_strlcpy (truth->text, fields[3], sizeof truth->text);
      truth->n_kernels = (guint) g_ascii_strtoull (fields[4], NULL, 10);
      g_strlcpy (truth->kernels, fields[5], sizeof truth->kernels);
      g_hash_table_insert (truths, g_strdup_printf ("%s %s", fields[0], fields[1]), truth);
    }
  return truths;
}

const FbTruth *
fb_truth_find (GHashTable *truths, const char *database, guint row)
{
  g_autofree char *name = g_strdup_printf ("%s %u", database, row);
  return g_hash_table_lookup (truths, name);
}

GDataInputStream *
fb_truth_open_trace (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInputStream) raw = g_file_read (file, NULL, error);
  if (raw == NULL)
    return NULL;
  g_autoptr (GZlibDecompressor) gzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GInputStream) plain = g_converter_input_stream_new (G_INPUT_STREAM (raw), G_CONVERTER (gzip));
  GDataInputStream *lines = g_data_input_stream_new (plain);
  g_buffered_input_stream_set_buffer_size (G_BUFFERED_INPUT_STREAM (lines), 1 << 20);
  return lines;
}
