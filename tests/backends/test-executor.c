/* The child that runs kernels: whatever it does, it ends and we go on; and nothing is left of a hundred runs. */
#include <dirent.h>
#include <signal.h>

#include "backends/opencl/opencl.h"
#include "backends/run/executor.h"

#include "case.h"

static FbExecutor *
start_script (const char *script, FbMemory *memory)
{
  const char *argv[] = { "/bin/sh", "-c", script, NULL };
  g_autoptr (GError) error = NULL;
  g_assert_true (fb_memory_init (memory, 4096, &error));
  FbExecutor *executor = fb_executor_new (argv, memory, -1, &error);
  g_assert_no_error (error);
  return executor;
}

/* A child that answers with a number, and one that answers with words. */
static void
test_answers (void)
{
  static const struct
  {
    const char *script;
    gint64 answer;
    const char *message;
  } cases[] = {
    { "printf '\\005\\0\\0\\0\\0\\0\\0\\0' >&0; sleep 100", 5, NULL },
    { "printf '\\375\\377\\377\\377\\377\\377\\377\\377bad' >&0; sleep 100", -1, "bad" },
    { "printf '\\0\\0\\0\\0\\0\\0\\0\\200' >&0; exit", -1, "the process that runs kernels ended" },
    { "printf 'ab' >&0; exit", -1, "the process that runs kernels ended" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FbMemory memory;
      g_autoptr (GError) error = NULL;
      g_autoptr (FbExecutor) executor = start_script (cases[i].script, &memory);
      g_assert_cmpint (fb_executor_wait (executor, 100, 0, NULL, &error), ==, cases[i].answer);
      g_assert_true (cases[i].message == NULL ? error == NULL : strcmp (error->message, cases[i].message) == 0);
      fb_memory_clear (&memory);
    }
}

static void
test_deaths (void)
{
  static const struct
  {
    const char *script;
    guint seconds;
    gsize memory;
    FbBackendError code;
    const char *message;
  } cases[] = {
    { "kill -SEGV $$", 100, 0, FB_BACKEND_ERROR_CRASHED, "ended by signal 11" },
    { "kill -KILL $$", 100, 0, FB_BACKEND_ERROR_CRASHED, "was killed" },
    { "exit 3", 100, 0, FB_BACKEND_ERROR_CRASHED, "ended" },
    { "exec sleep 1000", 1, 0, FB_BACKEND_ERROR_TIME, "longer than 1 s" },
    { "exec awk 'BEGIN { s = \"xxxxxxxx\"; while (1) s = s s substr (s, 1, 1) }'", 100, 64 << 20, FB_BACKEND_ERROR_SIZE,
      "of memory beside the buffers" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      FbMemory memory;
      g_autoptr (GError) error = NULL;
      g_autoptr (FbExecutor) executor = start_script (cases[i].script, &memory);
      g_assert_cmpint (fb_executor_wait (executor, cases[i].seconds, cases[i].memory, NULL, &error), ==, -1);
      g_assert_error (error, FB_BACKEND_ERROR, (int) cases[i].code);
      g_assert_nonnull (strstr (error->message, cases[i].message));
      fb_memory_clear (&memory);
    }
}

static gboolean
is_there (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", (int) pid), *text = NULL;
  /* one that has ended and waits for whoever takes over orphans is gone too */
  return g_file_get_contents (path, &text, NULL, NULL) && strstr (text, ") Z ") == NULL;
}

/* What the child started ends with it. */
static void
test_grandchildren (void)
{
  FbMemory memory;
  g_autoptr (GError) error = NULL;
  FbExecutor *executor
      = start_script ("sleep 1000 & p=$!; printf \"\\\\$(printf %o $((p & 255)))\\\\$(printf %o $((p >> 8 & 255)))"
                      "\\\\$(printf %o $((p >> 16)))\\\\0\\\\0\\\\0\\\\0\\\\0\" >&0; wait",
                      &memory);
  gint64 pid = fb_executor_wait (executor, 100, 0, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (is_there ((pid_t) pid));
  fb_executor_free (executor);
  for (guint i = 0; i < 1000 && is_there ((pid_t) pid); i++)
    g_usleep (10000);
  g_assert_false (is_there ((pid_t) pid));
  fb_memory_clear (&memory);
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (200000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancel (void)
{
  FbMemory memory;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FbExecutor) executor = start_script ("exec sleep 1000", &memory);
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_cmpint (fb_executor_wait (executor, 0, 0, cancellable, &error), ==, -1);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  fb_memory_clear (&memory);
}

/* A compiler that hangs, with a process of its own that does. */
static void
test_tool (void)
{
  const char *hangs[] = { "/bin/sh", "-c", "sleep 1000", NULL },
             *fails[] = { "/bin/sh", "-c", "echo no >&2; exit 1", NULL },
             *quiet[] = { "/bin/sh", "-c", "exec 2>&-; sleep 1000", NULL }, *missing[] = { "/nonexistent", NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *said = NULL;
  g_assert_false (fb_tool_finish (fb_tool_new (hangs, FALSE, 1, &error), NULL, NULL, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_TIME);
  g_clear_error (&error);
  g_assert_false (fb_tool_finish (fb_tool_new (quiet, FALSE, 1, &error), NULL, NULL, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_TIME);
  g_clear_error (&error);
  g_assert_false (fb_tool_finish (fb_tool_new (fails, FALSE, 100, &error), &said, NULL, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE);
  g_assert_cmpstr (said, ==, "no\n");
  g_clear_error (&error);
  g_assert_null (fb_tool_new (missing, FALSE, 1, &error));
  g_assert_nonnull (error);
}

/* A compiler's time has a limit, and what hangs in it is gone. */
static void
test_compiler_hangs (void)
{
  g_autoptr (FbCapture) capture = open_sample ("lerp.db");
  g_autofree char *cache = cache_folder (), *compiler = g_build_filename (cache, "cc", NULL);
  g_autoptr (GError) error = NULL;
  FbMemory memory;
  Case k;
  const FbRunOptions options
      = { .backend = FB_BACKEND_CPU, .cache = cache, .compiler = compiler, .compile_seconds = 1 };
  g_assert_true (
      g_file_set_contents_full (compiler, "#!/bin/sh\nsleep 1000\n", -1, G_FILE_SET_CONTENTS_NONE, 0755, NULL));
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
  g_assert_true (fb_memory_init (&memory, k.plan->memory, &error));
  g_assert_false (fb_run (k.plan, &memory, &options, NULL, NULL, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_TIME);
  fb_memory_clear (&memory);
  case_clear (&k);
  remove_folder (cache);
}

static guint
count_entries (const char *folder)
{
  guint n = 0;
  DIR *dir = opendir (folder);
  while (dir != NULL && readdir (dir) != NULL)
    n++;
  if (dir != NULL)
    closedir (dir);
  return n;
}

/* Processes whose parent is this one. */
static guint
count_children (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", (int) getpid ()), *text = NULL;
  g_file_get_contents (path, &text, NULL, NULL);
  g_auto (GStrv) words = g_strsplit (text == NULL ? "" : g_strstrip (text), " ", -1);
  guint n = 0;
  for (guint i = 0; words[i] != NULL; i++)
    n += words[i][0] != '\0';
  return n;
}

/* Descriptors, children and files are after a hundred runs what they were after the first: those that go through and those that are
 * stopped after a kernel. */
static gboolean
stop_now (guint step, double seconds, gpointer user)
{
  return FALSE;
}

static void
leak (FbBackend backend, guint runs)
{
  g_autoptr (FbCapture) capture = open_sample ("lerp.db");
  g_autofree char *cache = cache_folder ();
  guint descriptors = 0, children = 0, files = 0;
  Case k;
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
  for (guint i = 0; i < runs; i++)
    {
      g_autoptr (GError) error = NULL;
      FbMemory memory;
      const FbRunOptions options
          = { .backend = backend, .cache = cache, .apart = TRUE, .threads = 2, .after = i % 3 == 1 ? stop_now : NULL };
      g_assert_true (fb_memory_init (&memory, k.plan->memory, &error));
      g_assert_true (fb_run (k.plan, &memory, &options, NULL, NULL, &error));
      fb_memory_clear (&memory);
      if (i > 2)
        {
          g_assert_cmpuint (count_entries ("/proc/self/fd"), ==, descriptors);
          g_assert_cmpuint (count_children (), ==, children);
          g_assert_cmpuint (count_entries (cache), ==, files);
        }
      descriptors = count_entries ("/proc/self/fd");
      children = count_children ();
      files = count_entries (cache);
    }
  case_clear (&k);
  remove_folder (cache);
}

static void
test_nothing_leaks (void)
{
  leak (FB_BACKEND_INTERP, 100);
  if (has_compiler ())
    leak (FB_BACKEND_CPU, 100);
}

static void
test_nothing_leaks_opencl (void)
{
  g_autoptr (GPtrArray) devices = fb_opencl_devices (NULL, NULL);
  if (devices == NULL)
    g_test_skip ("no OpenCL device");
  else
    leak (FB_BACKEND_OPENCL, 12);
}

/* The child is killed between two kernels: the run fails in words, and the memory holds what was written. */
static gboolean
kill_children (guint step, double seconds, gpointer user)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", (int) getpid ()), *text = NULL;
  g_file_get_contents (path, &text, NULL, NULL);
  g_auto (GStrv) words = g_strsplit (text == NULL ? "" : text, " ", -1);
  for (guint i = 0; words[i] != NULL; i++)
    if (g_ascii_strtoull (words[i], NULL, 10) > 1)
      kill ((pid_t) g_ascii_strtoull (words[i], NULL, 10), SIGKILL);
  return TRUE;
}

static void
test_killed_in_the_middle (void)
{
  g_autoptr (FbCapture) capture = open_sample ("lerp.db");
  g_autofree char *cache = cache_folder ();
  g_autoptr (GError) error = NULL;
  FbMemory memory;
  Case k;
  const FbRunOptions options = { .backend = FB_BACKEND_CPU, .cache = cache, .threads = 2, .after = kill_children };
  if (!has_compiler ())
    {
      g_test_skip ("no C compiler");
      return;
    }
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
  g_assert_true (fb_memory_init (&memory, k.plan->memory, &error));
  fb_plan_fill (k.plan, memory.data, 1);
  g_assert_false (fb_run (k.plan, &memory, &options, NULL, NULL, &error));
  g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_CRASHED);
  g_assert_cmpstr (error->message, ==,
                   "kernel 2: the process that runs kernels was killed, by someone or because memory ran out");
  FbStats stats;
  guint output = fb_plan_step (k.plan, 0)->buffers[0];
  fb_stats (FB_SCALAR_FLOAT32, fb_plan_buffer (k.plan, output)->size, fb_plan_data (k.plan, memory.data, output),
            &stats);
  g_assert_cmpfloat (stats.abs, >, 0);
  fb_memory_clear (&memory);
  case_clear (&k);
  remove_folder (cache);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/executor/answers", test_answers);
  g_test_add_func ("/backends/executor/deaths", test_deaths);
  g_test_add_func ("/backends/executor/grandchildren", test_grandchildren);
  g_test_add_func ("/backends/executor/cancel", test_cancel);
  g_test_add_func ("/backends/executor/tool", test_tool);
  g_test_add_func ("/backends/executor/compiler-hangs", test_compiler_hangs);
  g_test_add_func ("/backends/executor/killed-in-the-middle", test_killed_in_the_middle);
  g_test_add_func ("/backends/executor/nothing-leaks", test_nothing_leaks);
  g_test_add_func ("/backends/executor/nothing-leaks-opencl", test_nothing_leaks_opencl);
  return g_test_run ();
}
