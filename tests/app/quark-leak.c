/* GLib leaves its table of quarks behind when it outgrows the first 2,048, which a window's types and names do. The table was made
 * before anything of ours ran, so no suppression knows its stack: it is looked up in GLib's data and told to the leak checker. */
#include <glib.h>

#ifdef __SANITIZE_ADDRESS__
#include <stdio.h>
#include <string.h>

/* Of the sanitizers; GCC has no header for two of them. */
int __sanitizer_get_ownership (const volatile void *p);
gsize __sanitizer_get_allocated_size (const volatile void *p);
void __lsan_ignore_object (const void *p);

#define TABLE_SIZE (2048 * sizeof (char *))

/* What it reads is not ours. */
static void __attribute__ ((no_sanitize_address, noinline)) ignore_table (void *const *from, void *const *to)
{
  for (; from < to; from++)
    if (__sanitizer_get_ownership (*from) && __sanitizer_get_allocated_size (*from) == TABLE_SIZE)
      __lsan_ignore_object (*from);
}

static void __attribute__ ((constructor)) ignore_quarks (void)
{
  g_autofree char *maps = NULL;
  g_auto (GStrv) lines = NULL;
  gboolean ours = FALSE;

  if (!g_file_get_contents ("/proc/self/maps", &maps, NULL, NULL))
    return;
  lines = g_strsplit (maps, "\n", -1);
  for (char **line = lines; *line; line++)
    {
      guint64 from, to, inode;
      char rights[5];

      if (sscanf (*line, "%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x %4s %*s %*s %" G_GINT64_MODIFIER "u", &from,
                  &to, rights, &inode)
          != 4)
        continue;
      /* its data, and right after it what begins as zeros, which has no name */
      ours = strstr (*line, "libglib-2.0.so") || (ours && inode == 0);
      if (ours && rights[1] == 'w')
        ignore_table ((void *const *) (gsize) from, (void *const *) (gsize) to);
    }
}
#endif
