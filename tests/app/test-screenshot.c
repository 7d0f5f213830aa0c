/* `fusebox open FILE --screenshot OUT`: the program as scripts run it. */
#include <gdk/gdk.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "viz/palette.h"

static char *
sample (const char *name)
{
  return g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), name, NULL);
}

static gboolean
has_display (void)
{
  const char *display = g_getenv ("DISPLAY"), *wayland = g_getenv ("WAYLAND_DISPLAY");
  if ((display && *display) || (wayland && *wayland))
    return TRUE;
  g_test_skip ("no display");
  return FALSE;
}

/* Runs fusebox; the exit code; what it wrote to stderr in @errors. */
static int
run (char **errors, const char *first, ...)
{
  g_autoptr (GPtrArray) argv = g_ptr_array_new ();
  g_ptr_array_add (argv, (gpointer) g_getenv ("FUSEBOX_BIN"));
  va_list args;
  va_start (args, first);
  for (const char *arg = first; arg; arg = va_arg (args, const char *))
    g_ptr_array_add (argv, (gpointer) arg);
  va_end (args);
  g_ptr_array_add (argv, NULL);
  int status = 0;
  g_autoptr (GError) error = NULL;
  g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, errors, &status,
                &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  return WEXITSTATUS (status);
}

static guint
count_pixels (const guint32 *pixels, gsize n, guint32 rgb)
{
  guint count = 0;
  for (gsize i = 0; i < n; i++)
    count += (pixels[i] & 0xffffff) == rgb;
  return count;
}

/* Where a picture goes: two runs of the tests at once do not share it. */
static char *
picture_path (void)
{
  g_autofree char *name = g_strdup_printf ("fusebox-test-%d.png", (int) getpid ());
  return g_build_filename (g_get_tmp_dir (), name, NULL);
}

/* Draws @name and looks at the picture: size, not blank, and every one of the marks' colours. */
static void
check_picture (const char *name, const char *step, int width, int height, gboolean dark, const FbMark *marks,
               guint n_marks)
{
  g_autofree char *path = sample (name);
  g_autofree char *out = picture_path ();
  g_autofree char *w = g_strdup_printf ("%d", width), *h = g_strdup_printf ("%d", height);
  g_autofree char *errors = NULL;
  g_unlink (out);
  int status = run (&errors, "open", path, "--pass", "1", "--step", step, "--screenshot", out, "--width", w, "--height",
                    h, dark ? "--dark" : NULL, NULL);
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (status, ==, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (out, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, width);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, height);
  gsize n = (gsize) width * height;
  g_autofree guint32 *pixels = g_new (guint32, n);
  gdk_texture_download (texture, (guchar *) pixels, width * 4);
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);
  for (gsize i = 0; i < n; i++)
    g_hash_table_add (colours, GUINT_TO_POINTER (pixels[i]));
  g_assert_cmpuint (g_hash_table_size (colours), >, 200);
  for (guint i = 0; i < n_marks; i++)
    {
      g_assert_cmpuint (count_pixels (pixels, n, fb_color_rgb (fb_color_of_mark (marks[i]), dark)), >, 20);
      g_assert_cmpuint (count_pixels (pixels, n, fb_color_rgb (fb_color_tint_of_mark (marks[i]), dark)), >, 200);
    }
  /* The ground of the graph takes much of the window; another style's ground takes nothing. */
  g_assert_cmpuint (count_pixels (pixels, n, fb_color_rgb (FB_COLOR_CANVAS, dark)), >, n / 10);
  g_assert_cmpuint (count_pixels (pixels, n, fb_color_rgb (FB_COLOR_CANVAS, !dark)), <, n / 100);
  g_unlink (out);
}

static void
test_pictures (gconstpointer data)
{
  static const FbMark three[] = { FB_MARK_REPLACED, FB_MARK_NEW, FB_MARK_REBUILT };
  static const struct
  {
    const char *name, *step;
    guint n_marks;
  } samples[]
      = { { "lerp.db", "19", 3 }, { "mlp_train.db", "0", 0 }, { "attention.db", "7", 3 }, { "kv_cache.db", "1", 0 } };
  gboolean dark = GPOINTER_TO_INT (data) & 1, small = GPOINTER_TO_INT (data) & 2;
  if (!has_display ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    check_picture (samples[i].name, samples[i].step, small ? 1024 : 1440, small ? 640 : 900, dark, three,
                   samples[i].n_marks);
}

/* Pages beside the graph: of the size asked for, and not blank. */
static void
check_page (const char *path, const char *page, const char *option, gboolean dark, const FbColor *colors,
            guint n_colors)
{
  g_autofree char *out = g_build_filename (g_get_tmp_dir (), "fusebox-test-page.png", NULL);
  g_autofree char *errors = NULL;
  g_autofree char *set = option ? g_strdup_printf ("--set=%s", option) : g_strdup ("--width=1024");
  g_unlink (out);
  int status = run (&errors, "open", path, "--page", page, "--width", "1024", "--height", "640", "--screenshot", out,
                    set, dark ? "--dark" : NULL, NULL);
  g_assert_cmpstr (errors, ==, "");
  g_assert_cmpint (status, ==, 0);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture = gdk_texture_new_from_filename (out, &error);
  g_assert_no_error (error);
  g_assert_cmpint (gdk_texture_get_width (texture), ==, 1024);
  g_assert_cmpint (gdk_texture_get_height (texture), ==, 640);
  gsize n = 1024 * 640;
  g_autofree guint32 *pixels = g_new (guint32, n);
  gdk_texture_download (texture, (guchar *) pixels, 1024 * 4);
  for (guint i = 0; i < n_colors; i++)
    g_assert_cmpuint (count_pixels (pixels, n, fb_color_rgb (colors[i], dark)), >, 20);
  /* Grounds of the other style are nowhere, not even under what forgot to have one. */
  g_assert_cmpuint (count_pixels (pixels, n, fb_color_rgb (FB_COLOR_VIEW, !dark)), <, n / 100);
  g_unlink (out);
}

static void
test_replay_page (gconstpointer data)
{
  static const FbColor changed[] = { FB_COLOR_NEW,           FB_COLOR_NEW_TINT,     FB_COLOR_REBUILT_TINT,
                                     FB_COLOR_REPLACED_TINT, FB_COLOR_ROW_SELECTED, FB_COLOR_CANVAS };
  static const FbColor identical[] = { FB_COLOR_CANVAS, FB_COLOR_WINDOW };
  gboolean dark = GPOINTER_TO_INT (data);
  if (!has_display ())
    return;
  g_autofree char *embedding = sample ("embedding.db");
  check_page (embedding, "replay", "FUSE_ARANGE=1", dark, changed, G_N_ELEMENTS (changed));
  check_page (embedding, "replay", NULL, dark, identical, G_N_ELEMENTS (identical));
}

static void
test_source_page (gconstpointer data)
{
  static const FbColor colors[] = { FB_COLOR_VIEW, FB_COLOR_CANVAS, FB_COLOR_KIND_ALU, FB_COLOR_KIND_LOAD };
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  if (!has_display ())
    return;
  g_autofree char *kernels = corpus ? g_build_filename (corpus, "kernels.db", NULL) : NULL;
  if (!kernels || !g_file_test (kernels, G_FILE_TEST_EXISTS))
    g_test_skip ("no corpus");
  else
    check_page (kernels, "source", NULL, GPOINTER_TO_INT (data), colors, G_N_ELEMENTS (colors));
}

/* One clear line and exit code 2. */
static void
check_refused (const char *words, const char *first, const char *second, const char *third)
{
  g_autofree char *errors = NULL;
  g_autofree char *out = g_build_filename (g_get_tmp_dir (), "fusebox-test-refused.png", NULL);
  g_autofree char *option = g_strdup_printf ("--screenshot=%s", out);
  g_unlink (out);
  int status = run (&errors, "open", option, first, second, third, NULL);
  g_assert_cmpint (status, ==, 2);
  g_assert_nonnull (strstr (errors, words));
  g_assert_true (g_str_has_prefix (errors, "fusebox: "));
  char *end = strchr (errors, '\n');
  g_assert_nonnull (end);
  g_assert_cmpstr (end, ==, "\n");
  g_assert_false (g_file_test (out, G_FILE_TEST_EXISTS));
}

static void
test_refused (void)
{
  if (!has_display ())
    return;
  g_autofree char *lerp = sample ("lerp.db"), *text = sample ("README.md");
  check_refused ("missing.db", "missing.db", NULL, NULL);
  check_refused ("README.md", text, NULL, NULL);
  check_refused ("row", lerp, "--row", "9");
  check_refused ("pass", lerp, "--pass", "nowhere");
  check_refused ("step", lerp, "--step", "99");
  check_refused ("px", lerp, "--width", "100000");
  check_refused ("nowhere", lerp, "--page", "nowhere");
  check_refused ("source", lerp, "--page", "source");
  check_refused ("--set", lerp, "--set", "FUSE_ARANGE=1");
  check_refused ("one file", lerp, lerp, NULL);
}

static void
test_unwritable (void)
{
  if (!has_display ())
    return;
  g_autofree char *lerp = sample ("lerp.db");
  g_autofree char *errors = NULL;
  int status = run (&errors, "open", lerp, "--screenshot", "/no/such/folder/picture.png", NULL);
  g_assert_cmpint (status, ==, 2);
  g_assert_nonnull (strstr (errors, "/no/such/folder/picture.png"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/app/screenshot/light", GINT_TO_POINTER (0), test_pictures);
  g_test_add_data_func ("/app/screenshot/dark", GINT_TO_POINTER (1), test_pictures);
  g_test_add_data_func ("/app/screenshot/light-small", GINT_TO_POINTER (2), test_pictures);
  g_test_add_data_func ("/app/screenshot/dark-small", GINT_TO_POINTER (3), test_pictures);
  g_test_add_data_func ("/app/screenshot/replay-light", GINT_TO_POINTER (0), test_replay_page);
  g_test_add_data_func ("/app/screenshot/replay-dark", GINT_TO_POINTER (1), test_replay_page);
  g_test_add_data_func ("/app/screenshot/source-light", GINT_TO_POINTER (0), test_source_page);
  g_test_add_data_func ("/app/screenshot/source-dark", GINT_TO_POINTER (1), test_source_page);
  g_test_add_func ("/app/screenshot/refused", test_refused);
  g_test_add_func ("/app/screenshot/unwritable", test_unwritable);
  return g_test_run ();
}
