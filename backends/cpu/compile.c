/* The system's compiler, and what it made before. */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/run/executor.h"

#include "cpu.h"

/* Compiled programs kept; the oldest go first. */
#define KEPT 400

/* The source is compiled in parts by so many processes, each of so many bytes at least. */
#define MAX_PARTS 8
#define MIN_PART 12000

static const char *const flags[] = { "-march=native",        "-std=gnu11",        "-w",      "-fno-math-errno",
                                     "-fno-trapping-math",   "-ffp-contract=off", "-fwrapv", "-pthread",
                                     "-fno-strict-aliasing", "-Wl,-z,now",        NULL };
/* gcc: vectors, without the passes that take long and gain nothing here; what runs most is marked for more (prelude.c). */
static const char *const gcc_flags[] = { "-O1",
                                         "-ftree-vectorize",
                                         "-fvect-cost-model=dynamic",
                                         "-fno-tree-slp-vectorize",
                                         "-fira-region=one",
                                         "--param=vect-epilogues-nomask=0",
                                         NULL };
static const char *const clang_flags[] = { "-O2", NULL };

/* What @compiler alone is told: by where its links end, clang may be called cc. */
static const char *const *
flags_of (const char *compiler)
{
  g_autofree char *path = realpath (compiler, NULL);
  g_autofree char *name = g_path_get_basename (path == NULL ? compiler : path);
  return strstr (name, "clang") != NULL ? clang_flags : gcc_flags;
}

char *
fb_cpu_find_compiler (const char *wanted)
{
  static const char *const names[] = { "cc", "gcc", "clang" };
  if (wanted != NULL)
    return g_find_program_in_path (wanted);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      char *path = g_find_program_in_path (names[i]);
      if (path != NULL)
        return path;
    }
  return NULL;
}

/* What the result depends on besides the source: the compiler, its flags, and the processor -march=native means. */
static char *
cache_key (const char *source, const char *compiler)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *cpus = NULL;
  GStatBuf info;
  g_checksum_update (sum, (const guchar *) source, -1);
  g_checksum_update (sum, (const guchar *) compiler, -1);
  if (g_stat (compiler, &info) == 0)
    {
      g_autofree char *text
          = g_strdup_printf ("%" G_GINT64_FORMAT " %" G_GINT64_FORMAT, (gint64) info.st_size, (gint64) info.st_mtime);
      g_checksum_update (sum, (const guchar *) text, -1);
    }
  for (guint i = 0; flags[i] != NULL; i++)
    g_checksum_update (sum, (const guchar *) flags[i], -1);
  for (const char *const *own = flags_of (compiler); *own != NULL; own++)
    g_checksum_update (sum, (const guchar *) *own, -1);
  if (g_file_get_contents ("/proc/cpuinfo", &cpus, NULL, NULL))
    {
      char *line = strstr (cpus, "flags"), *end = line == NULL ? NULL : strchr (line, '\n');
      if (end != NULL)
        g_checksum_update (sum, (const guchar *) line, end - line);
    }
  return g_strdup (g_checksum_get_string (sum));
}

typedef struct
{
  char *path;
  gint64 used;
} Kept;

static void
kept_clear (gpointer data)
{
  g_free (((Kept *) data)->path);
}

static int
older_first (gconstpointer a, gconstpointer b)
{
  const Kept *x = a, *y = b;
  return x->used < y->used ? -1 : x->used > y->used;
}

static void
prune (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (Kept));
  const char *name;
  g_array_set_clear_func (all, kept_clear);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      GStatBuf info;
      Kept kept = { g_build_filename (folder, name, NULL), 0 };
      if (g_stat (kept.path, &info) == 0)
        kept.used = info.st_mtime;
      g_array_append_val (all, kept);
    }
  g_array_sort (all, older_first);
  for (guint i = 0; i + 2 * KEPT < all->len; i++)
    g_unlink (g_array_index (all, Kept, i).path);
}

/* Starts the compiler; @more: the words that differ from call to call, up to NULL. */
static FbTool *
start_compiler (const char *compiler, const char *const *more, guint seconds, GError **error)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_ptr_array_add (words, (gpointer) compiler);
  for (guint i = 0; flags[i] != NULL; i++)
    g_ptr_array_add (words, (gpointer) flags[i]);
  for (const char *const *own = flags_of (compiler); *own != NULL; own++)
    g_ptr_array_add (words, (gpointer) *own);
  for (; *more != NULL; more++)
    g_ptr_array_add (words, (gpointer) *more);
  g_ptr_array_add (words, NULL);
  return fb_tool_new ((const char *const *) words->pdata, FALSE, seconds, error);
}

/* Waits for a compiler and lets go of it. */
static gboolean
end_compiler (FbTool *tool, const char *compiler, GCancellable *cancellable, GError **error)
{
  g_autoptr (GError) failed = NULL;
  g_autofree char *said = NULL;
  if (tool == NULL)
    return FALSE;
  if (fb_tool_finish (tool, &said, cancellable, &failed))
    return TRUE;
  said[strcspn (said, "\n")] = '\0';
  if (*said != '\0' && g_error_matches (failed, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE))
    g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE, "%s: %s", compiler, said);
  else
    g_propagate_prefixed_error (error, g_steal_pointer (&failed), "the compiler: ");
  return FALSE;
}

/* Compiles @from in @n parts side by side, and makes the program @to of them. */
static gboolean
compile_parts (const char *compiler, guint n, const char *from, const char *to, guint seconds,
               GCancellable *cancellable, GError **error)
{
  FbTool *processes[MAX_PARTS] = { NULL };
  g_autoptr (GPtrArray) link = g_ptr_array_new_with_free_func (g_free); /* "-o", the program, the parts, "-lm" */
  g_autofree char *parts = g_strdup_printf ("-DPARTS=%u", n);
  gboolean done = TRUE;
  g_ptr_array_add (link, g_strdup ("-o"));
  g_ptr_array_add (link, g_strdup (to));
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *part = g_strdup_printf ("-DPART=%u", i);
      char *object = g_strdup_printf ("%s.%u.o", to, i);
      g_ptr_array_add (link, object);
      if (done)
        processes[i] = start_compiler (compiler, (const char *[]){ "-c", parts, part, "-o", object, from, NULL },
                                       seconds, error);
      done = done && processes[i] != NULL;
    }
  for (guint i = 0; i < n; i++)
    {
      if (done)
        done = end_compiler (processes[i], compiler, cancellable, error);
      else if (processes[i] != NULL)
        fb_tool_free (processes[i]);
    }
  g_ptr_array_add (link, g_strdup ("-lm"));
  g_ptr_array_add (link, NULL);
  done = done
         && end_compiler (start_compiler (compiler, (const char *const *) link->pdata, seconds, error), compiler,
                          cancellable, error);
  for (guint i = 0; i < n; i++)
    g_unlink (g_ptr_array_index (link, i + 2));
  return done;
}

static gboolean
call_compiler (const char *compiler, gsize size, const char *from, const char *to, guint seconds,
               GCancellable *cancellable, GError **error)
{
  guint n = (guint) CLAMP (size / MIN_PART, 1, MIN (g_get_num_processors (), MAX_PARTS));
  if (n > 1)
    return compile_parts (compiler, n, from, to, seconds, cancellable, error);
  return end_compiler (start_compiler (compiler, (const char *[]){ "-o", to, from, "-lm", NULL }, seconds, error),
                       compiler, cancellable, error);
}

char *
fb_cpu_compile (const char *source, const FbRunOptions *options, FbRunReport *report, GCancellable *cancellable,
                GError **error)
{
  g_autofree char *compiler = fb_cpu_find_compiler (options->compiler);
  if (compiler == NULL)
    {
      g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE,
                           "no C compiler: neither cc nor gcc nor clang is installed");
      return NULL;
    }
  g_autofree char *folder = options->cache != NULL
                                ? g_strdup (options->cache)
                                : g_build_filename (g_get_user_cache_dir (), "fusebox", "kernels", NULL);
  g_autofree char *key = cache_key (source, compiler), *program = g_build_filename (folder, key, NULL);
  gint64 start = g_get_monotonic_time ();
  if (g_file_test (program, G_FILE_TEST_IS_EXECUTABLE))
    {
      report->cached = TRUE;
      utimensat (AT_FDCWD, program, NULL, 0);
      return g_steal_pointer (&program);
    }
  if (g_mkdir_with_parents (folder, 0700) != 0)
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE, "%s: %s", folder, g_strerror (errno));
      return NULL;
    }
  prune (folder);
  g_autofree char *c_file = g_strconcat (program, ".c", NULL);
  g_autofree char *made = g_strdup_printf ("%s.%d.%p", program, (int) getpid (), (void *) report);
  gboolean done
      = g_file_set_contents (c_file, source, -1, error)
        && call_compiler (compiler, strlen (source), c_file, made, options->compile_seconds, cancellable, error);
  /* another process may have made the same one: either is right */
  if (done && g_rename (made, program) != 0)
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE, "%s: %s", program, g_strerror (errno));
      done = FALSE;
    }
  if (!done)
    {
      g_unlink (made);
      return NULL;
    }
  report->compile_seconds = (double) (g_get_monotonic_time () - start) / 1e6;
  return g_steal_pointer (&program);
}
