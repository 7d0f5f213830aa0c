/* Any bytes as a capture file: an error, or rows of which each reads or is an error. */
#include "fuzz.h"

#include <glib/gstdio.h>
#include <unistd.h>

#include "core/capture/capture.h"

/* Rewritten for each input, removed at exit. */
static char *path;

static void
remove_file (void)
{
  g_unlink (path);
}

static void
read_rows (FbCapture *capture, FbRowKind kind)
{
  static FbContext *context;
  guint n = MIN (fb_capture_n_rows (capture, kind), 16);

  if (!context)
    context = fb_context_new ();
  for (guint row = 1; row <= n; row++)
    {
      g_autoptr (FbCaptureRow) read = NULL;
      g_autoptr (GError) error = NULL;

      g_assert (fb_capture_row_info (capture, kind, row)->key != NULL);
      fb_context_reset (context);
      read = fb_capture_read_row (capture, kind, row, context, &error);
      g_assert ((read == NULL) == (error != NULL));
      if (read)
        fb_capture_row_check_key (context, read, NULL);
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (FbCapture) capture = NULL;
  g_autoptr (GError) error = NULL;
  FILE *file;

  if (!path)
    {
      int fd = g_file_open_tmp ("fusebox-fuzz-XXXXXX", &path, NULL);

      g_assert (fd >= 0);
      close (fd);
      atexit (remove_file);
    }
  file = g_fopen (path, "wb");
  g_assert (file && fwrite (data, 1, size, file) == size);
  fclose (file);
  capture = fb_capture_open (path, NULL, &error);
  g_assert ((capture == NULL) == (error != NULL));
  for (int kind = 0; capture && kind <= FB_ROW_KERNEL; kind++)
    read_rows (capture, kind);
  return 0;
}
