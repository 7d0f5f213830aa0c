/* A session is a capture to every subcommand. */
#include <string.h>

#include "util.h"

/* What fusebox prints; its exit status must be 0. */
static char *
run (const char *const *arguments)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  char *out = NULL, *err = NULL;
  int status;
  g_ptr_array_add (argv, (char *) g_getenv ("FUSEBOX_BIN"));
  for (guint i = 0; arguments[i]; i++)
    g_ptr_array_add (argv, (char *) arguments[i]);
  g_ptr_array_add (argv, NULL);
  g_assert_true (
      g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (err, ==, "");
  g_assert_cmpint (status, ==, 0);
  g_free (err);
  return out;
}

static void
test_same_output (void)
{
  static const char *const commands[][8] = { { "trace" },
                                             { "show", "--row", "1" },
                                             { "show", "--row", "1", "--pass", "simplify", "--step", "19" },
                                             { "show", "--row", "1", "--pass", "kernels", "--format", "svg" },
                                             { "check" },
                                             { "replay" } };
  char *folder = test_folder_new ();
  g_autofree char *session = test_session_new (folder, "lerp.db"), *capture = test_sample ("lerp.db");
  for (guint i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      const char *with_session[10] = { commands[i][0], session }, *with_capture[10] = { commands[i][0], capture };
      for (guint a = 1; commands[i][a]; a++)
        with_session[a + 1] = with_capture[a + 1] = commands[i][a];
      g_autofree char *one = run (with_session), *other = run (with_capture);
      g_assert_cmpstr (one, ==, other);
    }
  test_folder_free (folder);
}

static void
test_info (void)
{
  char *folder = test_folder_new ();
  g_autofree char *session = test_session_new (folder, "lerp.db");
  g_autofree char *fixture = g_test_build_filename (G_TEST_DIST, "session", "version-1.fusebox", NULL);
  g_autofree char *text = run ((const char *const[]){ "info", session, NULL });
  g_assert_nonnull (strstr (text, "format    session, schedule_process_replay_19\n"));
  g_assert_nonnull (strstr (text, "session   version 5, 0 bookmarks, 0 notes, 0 scenarios\n"));
  g_assert_nonnull (strstr (text, "traces    of 1 row: "));
  /* an earlier version, as it is */
  g_autofree char *earlier = run ((const char *const[]){ "info", fixture, NULL });
  g_assert_nonnull (strstr (earlier, "session   version 1, 2 bookmarks, 2 notes, 0 scenarios\n"));
  g_assert_nonnull (strstr (earlier, "capture   /captures/lerp.db\n"));
  g_assert_null (strstr (earlier, "traces"));
  g_autofree char *json = run ((const char *const[]){ "info", "--json", fixture, NULL });
  g_assert_nonnull (
      strstr (json, "\"session\":{\"version\":1,\"bookmarks\":2,\"notes\":2,\"scenarios\":0,\"traces\":0,"));
  test_folder_free (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/subcommands/same-output", test_same_output);
  g_test_add_func ("/session/subcommands/info", test_info);
  return g_test_run ();
}
