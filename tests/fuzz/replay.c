/* Stands in for libFuzzer where it is missing: runs the target over the files in a folder. */
#include "fuzz.h"

#include <glib.h>

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = argc == 2 ? g_dir_open (argv[1], 0, &error) : NULL;
  const char *name;
  guint n = 0;

  if (!dir)
    {
      fprintf (stderr, "usage: %s FOLDER%s%s\n", argv[0], error ? ": " : "", error ? error->message : "");
      return 2;
    }
  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (argv[1], name, NULL), *bytes = NULL;
      gsize len;

      if (!g_file_get_contents (path, &bytes, &len, &error))
        {
          fprintf (stderr, "%s\n", error->message);
          return 2;
        }
      LLVMFuzzerTestOneInput ((const uint8_t *) bytes, len);
      n++;
    }
  printf ("replayed %u files\n", n);
  return n ? 0 : 1;
}
