/* Profiles: the forms of releases, how names are joined, and what is refused. */
#include <glib/gstdio.h>
#include <string.h>

#include "core/capture/capture.h"
#include "core/viztrace/profile.h"

static GBytes *
data (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_TRUTHS"), name, NULL);
  g_autoptr (GError) error = NULL;
  char *text;
  gsize len;

  g_file_get_contents (path, &text, &len, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (text, len);
}

static FbVizProfile *
read_data (const char *name)
{
  g_autoptr (GBytes) bytes = data (name);
  g_autoptr (GError) error = NULL;
  FbVizProfile *profile = fb_viz_profile_new (bytes, name, &error);

  g_assert_no_error (error);
  g_assert_true (fb_viz_profile_sniff (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)));
  return profile;
}

static void
check_times (const FbVizProfile *profile, const char *name, guint runs, double total, double shortest, double longest)
{
  const FbVizTimes *times = fb_viz_profile_find (profile, name);

  g_assert_nonnull (times);
  g_assert_false (times->host);
  g_assert_cmpuint (times->n_runs, ==, runs);
  g_assert_cmpfloat_with_epsilon (times->total, total, 1e-11);
  g_assert_cmpfloat_with_epsilon (times->shortest, shortest, 1e-11);
  g_assert_cmpfloat_with_epsilon (times->longest, longest, 1e-11);
}

/* 0.10: ranges, and graphs whose entries point at signals; a signal that is not there is no run. */
static void
test_first_form (void)
{
  g_autoptr (FbVizProfile) profile = read_data ("profile.v0.10.2.pkl");

  check_times (profile, "r_8_4", 3, 5.75e-6, 1.25e-6, 2.5e-6);
  check_times (profile, "E_4", 1, 1, 1, 1);
  g_assert_null (fb_viz_profile_find (profile, "lost"));
  g_assert_cmpuint (fb_viz_profile_n_ranges (profile), ==, 5);
  /* two devices and the lost entry */
  g_assert_cmpuint (fb_viz_profile_n_others (profile), ==, 3);
}

/* A context is called in colours, with characters that no function has. */
static void
test_names (void)
{
  g_autoptr (FbVizProfile) profile = read_data ("profile.v0.10.2.pkl");
  const FbVizTimes *times = fb_viz_profile_find (profile, "\033[34mr\033[0m_\033[35m8\033[0m_4");

  g_assert_nonnull (times);
  g_assert_cmpstr (times->name, ==, "r_8_4");
  g_assert_cmpstr (times->device, ==, "GPU");
  g_assert_cmpstr (fb_viz_profile_find (profile, "COPY20102432_GPU") ? "found" : "none", ==, "none");
  g_assert_nonnull (fb_viz_profile_find (profile, "COPY201024\x2c GPU <- CPU"));
}

/* 0.11 wrote this one: tinygrad's own work is apart, behind what ran on devices. */
static void
test_host (void)
{
  g_autoptr (FbVizProfile) profile = read_data ("profile.v0.11.0.pkl");
  gboolean host = FALSE;

  check_times (profile, "E_4", 1, 37.135e-6, 37.135e-6, 37.135e-6);
  g_assert_null (fb_viz_profile_find (profile, "Schedule 1 Kernel n1"));
  for (guint i = 0; i < fb_viz_profile_n_times (profile); i++)
    {
      const FbVizTimes *times = fb_viz_profile_times (profile, i);

      g_assert_true (times->host || !host);
      host = times->host;
    }
  g_assert_true (host);
}

/* 2026: names are keys, a kernel's compilation has its name too, a range may have no end. */
static void
test_newest_form (void)
{
  g_autoptr (FbVizProfile) profile = read_data ("profile.2026-08.pkl");

  check_times (profile, "\033[34mE\033[0m_4", 3, 16.25e-6, 1e-6, 10e-6);
  g_assert_null (fb_viz_profile_find (profile, "r_3"));
  g_assert_null (fb_viz_profile_find (profile, "realize"));
  g_assert_cmpuint (fb_viz_profile_n_others (profile), ==, 2);
}

static void
test_refused (void)
{
  g_autoptr (GBytes) whole = data ("profile.v0.11.0.pkl");
  g_autoptr (GBytes) number = g_bytes_new_static ("\x80\x04K\x01.", 5);
  g_autoptr (GError) error = NULL;

  g_assert_null (fb_viz_profile_new (number, "number.pkl", &error));
  g_assert_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT);
  g_assert_cmpstr (error->message, ==, "number.pkl: this pickle is no profile: expected a list of events.");
  for (gsize len = 0; len < g_bytes_get_size (whole); len += 97)
    {
      g_autoptr (GBytes) part = g_bytes_new_from_bytes (whole, 0, len);
      g_autoptr (GError) failure = NULL;

      g_assert_null (fb_viz_profile_new (part, "part.pkl", &failure));
      g_assert_error (failure, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_PICKLE);
      g_assert_true (g_str_has_prefix (failure->message, "part.pkl"));
    }
}

/* Whatever a byte becomes, the profile is read or refused. */
static void
test_mutated (void)
{
  g_autoptr (GBytes) whole = data ("profile.2026-08.pkl");
  gsize len = g_bytes_get_size (whole);
  guint read = 0;

  for (gsize i = 0; i < len; i++)
    for (guint bit = 0; bit < 8; bit += 3)
      {
        guint8 *copy = g_memdup2 (g_bytes_get_data (whole, NULL), len);
        g_autoptr (GBytes) bytes = NULL;
        g_autoptr (GError) error = NULL;
        g_autoptr (FbVizProfile) profile = NULL;

        copy[i] ^= 1 << bit;
        bytes = g_bytes_new_take (copy, len);
        profile = fb_viz_profile_new (bytes, "mutated", &error);
        g_assert_true ((profile == NULL) == (error != NULL));
        read += profile != NULL;
      }
  g_assert_cmpuint (read, >, 0);
  g_assert_cmpuint (read, <, len * 3);
}

static void
test_beside (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fusebox-test-XXXXXX", NULL);
  static const char *const names[] = { "rewrites.pkl.me", "profile.pkl.me", "rewrites.pkl", "other.pkl" };
  g_autofree char *found = NULL, *lacking = NULL, *other = NULL, *expected = NULL;
  char *paths[G_N_ELEMENTS (names)];

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      paths[i] = g_build_filename (folder, names[i], NULL);
      g_file_set_contents (paths[i], "", 0, NULL);
    }
  found = fb_viz_profile_beside (paths[0]);
  lacking = fb_viz_profile_beside (paths[2]);
  other = fb_viz_profile_beside (paths[3]);
  g_assert_cmpstr (found, ==, paths[1]);
  g_assert_null (lacking);
  g_assert_null (other);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_unlink (paths[i]);
      g_free (paths[i]);
    }
  g_rmdir (folder);
}

static void
test_time_text (void)
{
  static const struct
  {
    double seconds;
    const char *text;
  } cases[] = { { 0, "0.00 ns" },      { 1.5e-9, "1.50 ns" },    { 37.069e-6, "37.1 µs" }, { 0.0123, "12.3 ms" },
                { 0.99949, "999 ms" }, { 0.99951, "1.00 s" },    { 1, "1.00 s" },          { 9.996, "10.0 s" },
                { 123.4, "123 s" },    { 0.0009997, "1.00 ms" }, { 99.96e-3, "100 ms" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = fb_viz_time_text (cases[i].seconds);
      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viztrace/profile/first-form", test_first_form);
  g_test_add_func ("/viztrace/profile/names", test_names);
  g_test_add_func ("/viztrace/profile/host", test_host);
  g_test_add_func ("/viztrace/profile/newest-form", test_newest_form);
  g_test_add_func ("/viztrace/profile/refused", test_refused);
  g_test_add_func ("/viztrace/profile/mutated", test_mutated);
  g_test_add_func ("/viztrace/profile/beside", test_beside);
  g_test_add_func ("/viztrace/profile/time-text", test_time_text);
  return g_test_run ();
}
