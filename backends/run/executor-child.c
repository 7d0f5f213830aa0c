#include "executor-child.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

G_NORETURN static void
leave (void)
{
  _exit (0);
}

static void
write_all (const void *data, gsize size)
{
  for (gsize done = 0; done < size;)
    {
      gssize n = write (STDIN_FILENO, (const char *) data + done, size - done);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        leave ();
      done += (gsize) n;
    }
}

void
fb_child_read (void *data, gsize size)
{
  for (gsize done = 0; done < size;)
    {
      gssize n = read (STDIN_FILENO, (char *) data + done, size - done);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        leave ();
      done += (gsize) n;
    }
}

gint64
fb_child_read_number (void)
{
  gint64 number;
  fb_child_read (&number, sizeof number);
  return number;
}

void
fb_child_answer (gint64 answer)
{
  write_all (&answer, sizeof answer);
}

void
fb_child_fail (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  fb_child_answer (-(gint64) strlen (text));
  write_all (text, strlen (text));
  leave ();
}

guint8 *
fb_child_map_memory (const char *size, gsize *bytes)
{
  *bytes = (gsize) g_ascii_strtoull (size, NULL, 10);
  guint8 *memory = mmap (NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
  if (memory == MAP_FAILED)
    fb_child_fail ("the buffers cannot be mapped: %s", g_strerror (errno));
  return memory;
}

const guint8 *
fb_child_map_given (gsize *size)
{
  struct stat info;
  if (fstat (4, &info) != 0)
    fb_child_fail ("nothing was given: %s", g_strerror (errno));
  *size = (gsize) info.st_size;
  const guint8 *data = mmap (NULL, MAX (*size, 1), PROT_READ, MAP_PRIVATE, 4, 0);
  if (data == MAP_FAILED)
    fb_child_fail ("what was given cannot be read: %s", g_strerror (errno));
  return data;
}
