/* A folder of its own for a test: `Fixture`, `set_up`, `tear_down`. */
#pragma once

#include <glib/gstdio.h>

typedef struct
{
  char *folder;
} Fixture;

static inline void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  fixture->folder = g_dir_make_tmp ("fusebox-cli-XXXXXX", &error);
  g_assert_no_error (error);
}

static inline void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
      g_remove (path);
    }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
}
