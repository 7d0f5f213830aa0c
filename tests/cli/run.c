#include "run.h"

static char *
to_text (GBytes *bytes)
{
  gsize len;
  const char *data = g_bytes_get_data (bytes, &len);
  return len == 0 ? g_strdup ("") : g_strndup (data, len);
}

FbRun *
fb_run (const char *cwd, const char *const *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_autoptr (GSubprocessLauncher) launcher
      = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_subprocess_launcher_set_cwd (launcher, cwd != NULL ? cwd : g_getenv ("FUSEBOX_SAMPLES"));
  g_subprocess_launcher_unsetenv (launcher, "DISPLAY");
  g_subprocess_launcher_unsetenv (launcher, "WAYLAND_DISPLAY");
  g_ptr_array_add (argv, (gpointer) g_getenv ("FUSEBOX_BIN"));
  for (; *words != NULL; words++)
    g_ptr_array_add (argv, (gpointer) *words);
  g_ptr_array_add (argv, NULL);
  g_autoptr (GSubprocess) process = g_subprocess_launcher_spawnv (launcher, (const char *const *) argv->pdata, &error);
  g_assert_no_error (error);
  g_autoptr (GBytes) out = NULL, err = NULL;
  g_subprocess_communicate (process, NULL, NULL, &out, &err, &error);
  g_assert_no_error (error);
  FbRun *run = g_new0 (FbRun, 1);
  run->status = g_subprocess_get_if_exited (process) ? g_subprocess_get_exit_status (process) : -1;
  run->out_len = g_bytes_get_size (out);
  run->out = to_text (out);
  run->err = to_text (err);
  return run;
}

void
fb_run_free (FbRun *run)
{
  g_free (run->out);
  g_free (run->err);
  g_free (run);
}
