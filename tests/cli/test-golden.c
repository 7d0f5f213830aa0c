/* The command line on the shipped samples: NAME.in holds the arguments, NAME.ref all that is printed.
 *
 * `./dev golden` rewrites the .ref files. */
#include <string.h>

#include "run.h"

static char *
run_golden (const char *arguments)
{
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  g_shell_parse_argv (arguments, NULL, &words, &error);
  g_assert_no_error (error);
  g_autoptr (FbRun) run = fb_run (NULL, (const char *const *) words);
  return g_strdup_printf ("%s%s%sexit %d\n", run->out, *run->err != '\0' ? "--- stderr\n" : "--- ", run->err,
                          run->status);
}

/* Where two texts part, for a message. */
static void
report (const char *want, const char *got)
{
  g_auto (GStrv) a = g_strsplit (want, "\n", -1), b = g_strsplit (got, "\n", -1);
  guint line = 0;
  while (a[line] != NULL && b[line] != NULL && strcmp (a[line], b[line]) == 0)
    line++;
  g_test_message ("line %u\nwant: %s\ngot:  %s", line + 1, a[line] != NULL ? a[line] : "(end)",
                  b[line] != NULL ? b[line] : "(end)");
}

static void
test_golden (gconstpointer data)
{
  const char *in = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *arguments = NULL, *want = NULL;
  g_autofree char *ref = g_strdup_printf ("%.*s.ref", (int) (strlen (in) - strlen (".in")), in);
  g_file_get_contents (in, &arguments, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *got = run_golden (arguments);
  if (g_getenv ("FUSEBOX_UPDATE_GOLDEN") != NULL)
    {
      g_file_set_contents (ref, got, -1, &error);
      g_assert_no_error (error);
      return;
    }
  g_file_get_contents (ref, &want, NULL, &error);
  g_assert_no_error (error);
  if (strcmp (want, got) != 0)
    report (want, got);
  g_assert_true (strcmp (want, got) == 0);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_build_filename (g_getenv ("FUSEBOX_SOURCE"), "tests", "golden", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, ".in"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      g_autofree char *path = g_strdup_printf ("/cli/golden/%.*s", (int) (strlen (name) - strlen (".in")), name);
      g_test_add_data_func_full (path, g_build_filename (folder, name, NULL), test_golden, g_free);
    }
  return g_test_run ();
}
