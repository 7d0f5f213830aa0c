/* Printing: errors in one line, captured text made harmless, stdout checked. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli-private.h"

char *
fb_cli_clean_text (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *clean = g_string_sized_new (strlen (valid) + 1);
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      if (c == '\n')
        g_string_append (clean, "\\n");
      else if (c == '\t')
        g_string_append (clean, "\\t");
      else if (c < 0x20 || (c >= 0x7f && c < 0xa0))
        g_string_append_printf (clean, "\\x%02x", c);
      else if (g_unichar_type (c) == G_UNICODE_FORMAT || g_unichar_type (c) == G_UNICODE_LINE_SEPARATOR
               || g_unichar_type (c) == G_UNICODE_PARAGRAPH_SEPARATOR)
        g_string_append_printf (clean, "\\u%04x", c);
      else
        g_string_append_unichar (clean, c);
    }
  return g_string_free (clean, FALSE);
}

void
fb_cli_error (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *clean = fb_cli_clean_text (message);
  fflush (stdout);
  fb_cli_progress_hide ();
  fprintf (stderr, "fusebox: %s\n", clean);
}

void
fb_cli_write (const char *text, gsize len)
{
  fb_cli_progress_hide ();
  fwrite (text, 1, len, stdout);
}

void
fb_cli_print (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fb_cli_progress_hide ();
  vprintf (format, args);
  va_end (args);
}

int
fb_cli_finish (int status)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return status;
  fb_cli_error (_ ("standard output: %s"), g_strerror (errno));
  return FB_EXIT_FAILED;
}

/* Into a device or a pipe, which a new file in its place would take away. */
static gboolean
write_through (const char *path, const char *text, gsize len)
{
  FILE *file = fopen (path, "wb");
  gboolean ok = file != NULL && fwrite (text, 1, len, file) == len;
  int code = errno;

  if (file != NULL && fclose (file) != 0 && ok)
    {
      ok = FALSE;
      code = errno;
    }
  if (!ok)
    fb_cli_error (_ ("%s cannot be written: %s"), path, g_strerror (code));
  return ok;
}

gboolean
fb_cli_write_out (const char *path, const char *text, gsize len)
{
  if (path == NULL || strcmp (path, "-") == 0)
    {
      fb_cli_write (text, len);
      return TRUE;
    }
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return write_through (path, text, len);
  g_autoptr (GError) error = NULL;
  if (g_file_set_contents (path, text, (gssize) len, &error))
    return TRUE;
  fb_cli_error (_ ("%s cannot be written: %s"), path, error->message);
  return FALSE;
}
