/* Which folder may include which (ARCHITECTURE.md). */
#include <glib.h>
#include <string.h>

#define C_HEADERS                                                                                                      \
  "ctype.h", "errno.h", "float.h", "inttypes.h", "limits.h", "locale.h", "math.h", "setjmp.h", "signal.h", "stdarg.h", \
      "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h", "string.h", "time.h", "unistd.h",     \
      "fcntl.h", "malloc.h", "poll.h", "sched.h", "sys/*", "immintrin.h"
#define GLIB_HEADERS "glib.h", "glib/*", "glib-object.h", "gio/*", "gobject/*"

/* The first row whose glob matches a file decides what it may include. Quoted includes are from the source root. */
static const struct
{
  const char *files;
  const char *quoted[12];
  const char *system[64];
} layers[] = {
  { "core/ir/big.h", { "core/ir/*" }, { C_HEADERS, GLIB_HEADERS, "gmp.h" } },
  { "core/ir/*.h", { "core/ir/*" }, { C_HEADERS, GLIB_HEADERS } },
  /* shapes may be symbolic: views simplify and substitute */
  { "core/ir/*.c",
    { "core/ir/*", "core/symbolic/symbolic.h", "core/rewrite/engine.h" },
    { C_HEADERS, GLIB_HEADERS, "gmp.h" } },
  { "core/rewrite/*", { "core/rewrite/*", "core/ir/*" }, { C_HEADERS, GLIB_HEADERS } },
  { "core/symbolic/*", { "core/symbolic/*", "core/rewrite/*", "core/ir/*" }, { C_HEADERS, GLIB_HEADERS } },
  { "core/passes/*",
    { "core/passes/*", "core/symbolic/*", "core/rewrite/*", "core/ir/*" },
    { C_HEADERS, GLIB_HEADERS } },
  /* a file with rows may be a trace */
  { "core/capture/capture*",
    { "core/capture/*", "core/viztrace/viztrace.h", "core/viztrace/profile.h", "core/viztrace/recorded.h",
      "core/ir/*" },
    { C_HEADERS, GLIB_HEADERS, "sqlite3.h" } },
  { "core/capture/row.c", { "core/capture/*", "core/viztrace/recorded.h", "core/ir/*" }, { C_HEADERS, GLIB_HEADERS } },
  { "core/capture/*", { "core/capture/*", "core/ir/*" }, { C_HEADERS, GLIB_HEADERS, "sqlite3.h", "gmp.h" } },
  { "core/schedule.*",
    { "core/schedule.h", "core/passes/*", "core/symbolic/*", "core/rewrite/*", "core/ir/*" },
    { C_HEADERS, GLIB_HEADERS } },
  { "core/replay/*",
    { "core/replay/*", "core/schedule.h", "core/passes/*", "core/rewrite/*", "core/capture/*", "core/ir/*",
      "core/viztrace/recorded.h" },
    { C_HEADERS, GLIB_HEADERS } },
  { "core/explain/*",
    { "core/explain/*", "core/replay/options.h", "core/schedule.h", "core/passes/*", "core/capture/*", "core/ir/*" },
    { C_HEADERS, GLIB_HEADERS } },
  { "core/viztrace/*",
    { "core/viztrace/*", "core/schedule.h", "core/rewrite/*", "core/capture/*", "core/ir/*" },
    { C_HEADERS, GLIB_HEADERS } },
  { "core/query/*",
    { "core/query/*", "core/schedule.h", "core/passes/*", "core/rewrite/*", "core/ir/*" },
    { C_HEADERS, GLIB_HEADERS } },
  { "core/session/*", { "core/*" }, { C_HEADERS, GLIB_HEADERS, "sqlite3.h" } },
  { "viz/*", { "viz/*", "core/*" }, { C_HEADERS, GLIB_HEADERS, "cairo*.h", "pango/*", "graphviz/*", "fontconfig/*" } },
  { "backends/*", { "backends/*", "core/*" }, { C_HEADERS, GLIB_HEADERS, "dlfcn.h", "CL/*" } },
  { "app/cli/*", { "app/cli/*", "viz/*", "backends/*", "core/*" }, { C_HEADERS, GLIB_HEADERS, "json-glib/*" } },
  { "app/*",
    { "app/*", "viz/*", "backends/*", "core/*" },
    { C_HEADERS, GLIB_HEADERS, "gtk/*", "gdk/*", "gsk/*", "adwaita.h", "cairo*.h", "pango/*" } },
};

static gboolean
any_matches (const char *const *globs, guint n, const char *name)
{
  for (guint i = 0; i < n && globs[i] != NULL; i++)
    if (g_pattern_match_simple (globs[i], name))
      return TRUE;
  return FALSE;
}

/* May @file (from the source root) include @name? */
static gboolean
may_include (const char *file, const char *name, gboolean quoted)
{
  for (guint i = 0; i < G_N_ELEMENTS (layers); i++)
    if (g_pattern_match_simple (layers[i].files, file))
      return quoted ? any_matches (layers[i].quoted, G_N_ELEMENTS (layers[i].quoted), name)
                    : any_matches (layers[i].system, G_N_ELEMENTS (layers[i].system), name);
  return FALSE;
}

static gboolean
parse_include (const char *line, char **name, gboolean *quoted)
{
  while (g_ascii_isspace (*line))
    line++;
  if (*line++ != '#')
    return FALSE;
  while (g_ascii_isspace (*line))
    line++;
  if (!g_str_has_prefix (line, "include"))
    return FALSE;
  line += strlen ("include");
  while (g_ascii_isspace (*line))
    line++;
  *quoted = *line == '"';
  const char *end = *quoted || *line == '<' ? strchr (line + 1, *quoted ? '"' : '>') : NULL;
  if (end == NULL)
    return FALSE;
  *name = g_strndup (line + 1, end - line - 1);
  return TRUE;
}

static guint
check_file (const char *root, const char *file)
{
  g_autofree char *path = g_build_filename (root, file, NULL), *folder = g_path_get_dirname (file);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  guint n = 0;
  for (char **line = lines; *line != NULL; line++)
    {
      g_autofree char *name = NULL;
      gboolean quoted;
      if (!parse_include (*line, &name, &quoted))
        continue;
      n++;
      if (quoted && strchr (name, '/') == NULL)
        {
          char *full = g_build_filename (folder, name, NULL);
          g_free (name);
          name = full;
        }
      /* headers that the build makes */
      if (quoted && g_str_has_suffix (name, "-resources.h"))
        continue;
      if (!may_include (file, name, quoted))
        {
          g_test_message ("%s must not include %s", file, name);
          g_test_fail ();
        }
    }
  return n;
}

static guint
check_folder (const char *root, const char *folder)
{
  g_autofree char *path = g_build_filename (root, folder, NULL);
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;
  guint n = 0;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *file = g_build_filename (folder, name, NULL), *full = g_build_filename (root, file, NULL);
      if (g_file_test (full, G_FILE_TEST_IS_DIR))
        n += check_folder (root, file);
      else if (g_str_has_suffix (name, ".c") || g_str_has_suffix (name, ".h"))
        n += check_file (root, file);
    }
  return n;
}

static void
test_tree (gconstpointer folder)
{
  const char *root = g_getenv ("FUSEBOX_SOURCE");
  g_assert_nonnull (root);
  guint n = check_folder (root, folder);
  g_test_message ("%u includes", n);
}

/* The table itself: a rule that lets everything through would pass on any tree. */
static void
test_rules (void)
{
  g_assert_true (may_include ("core/ir/uop.c", "core/symbolic/symbolic.h", TRUE));
  g_assert_false (may_include ("core/ir/uop.h", "core/symbolic/symbolic.h", TRUE));
  g_assert_false (may_include ("core/ir/uop.h", "core/rewrite/engine.h", TRUE));
  g_assert_false (may_include ("core/ir/uop.c", "core/rewrite/step.h", TRUE));
  g_assert_false (may_include ("core/rewrite/engine.c", "core/symbolic/symbolic.h", TRUE));
  g_assert_false (may_include ("core/symbolic/div.c", "core/passes/simplify.h", TRUE));
  g_assert_false (may_include ("core/passes/simplify.c", "core/capture/capture.h", TRUE));
  g_assert_false (may_include ("core/capture/pickle.c", "core/rewrite/engine.h", TRUE));
  g_assert_false (may_include ("core/ir/uop.c", "gtk/gtk.h", FALSE));
  g_assert_false (may_include ("core/ir/uop.c", "viz/graph.h", TRUE));
  g_assert_false (may_include ("viz/draw.c", "gtk/gtk.h", FALSE));
  g_assert_false (may_include ("viz/draw.c", "backends/program.h", TRUE));
  g_assert_false (may_include ("viz/draw.c", "app/canvas.h", TRUE));
  g_assert_false (may_include ("backends/cpu.c", "viz/graph.h", TRUE));
  g_assert_false (may_include ("app/cli/show.c", "gtk/gtk.h", FALSE));
  g_assert_true (may_include ("app/canvas.c", "gtk/gtk.h", FALSE));
  g_assert_true (may_include ("app/canvas.c", "viz/scene.h", TRUE));
  g_assert_false (may_include ("elsewhere/x.c", "glib.h", FALSE));
}

static void
test_parser (void)
{
  g_autofree char *a = NULL, *b = NULL, *c = NULL;
  gboolean quoted;
  g_assert_true (parse_include ("#include \"core/ir/uop.h\"", &a, &quoted) && quoted);
  g_assert_cmpstr (a, ==, "core/ir/uop.h");
  g_assert_true (parse_include ("  # include <gtk/gtk.h> /* x */", &b, &quoted) && !quoted);
  g_assert_cmpstr (b, ==, "gtk/gtk.h");
  g_assert_false (parse_include ("/* #include \"x.h\" */", &c, &quoted));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/layering/rules", test_rules);
  g_test_add_func ("/layering/parser", test_parser);
  g_test_add_data_func ("/layering/core", "core", test_tree);
  g_test_add_data_func ("/layering/viz", "viz", test_tree);
  g_test_add_data_func ("/layering/backends", "backends", test_tree);
  g_test_add_data_func ("/layering/app", "app", test_tree);
  return g_test_run ();
}
