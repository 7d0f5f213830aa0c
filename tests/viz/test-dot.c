/* dot as a refinement: it places real graphs, and whatever goes wrong is said in time. */
#include <glib/gstdio.h>

#include "sample-scene.h"
#include "viz/dot.h"

/* A program that answers @answer after @seconds. */
static char *
fake_dot (const char *folder, const char *seconds, const char *answer, int status)
{
  char *path = g_build_filename (folder, "dot", NULL);
  g_autofree char *script = g_strdup_printf ("#!/bin/sh\nsleep %s\nprintf '%s'\nexit %d\n", seconds, answer, status);
  g_assert_true (g_file_set_contents (path, script, -1, NULL));
  g_assert_cmpint (g_chmod (path, 0700), ==, 0);
  return path;
}

static void
check_fails (const FbScene *scene, const char *seconds, const char *answer, int status, FbDotError code)
{
  g_autofree char *folder = g_dir_make_tmp ("fusebox-dot-XXXXXX", NULL);
  g_autofree char *path = fake_dot (folder, seconds, answer, status);
  g_autoptr (GError) error = NULL;
  g_assert_null (fb_dot_refine (scene, path, NULL, &error));
  g_assert_error (error, FB_DOT_ERROR, (gint) code);
  g_unlink (path);
  g_rmdir (folder);
}

static void
test_failures (void)
{
  Sample sample;
  sample_open (&sample, "lerp.db");
  g_autoptr (FbScene) scene = sample_base (&sample);
  g_autoptr (GError) error = NULL;
  g_assert_null (fb_dot_refine (scene, "/nowhere/dot", NULL, &error));
  g_assert_error (error, FB_DOT_ERROR, FB_DOT_ERROR_MISSING);
  check_fails (scene, "0", "", 3, FB_DOT_ERROR_FAILED);
  check_fails (scene, "0", "node n0 1 1 1 1\\n", 0, FB_DOT_ERROR_FAILED);
  check_fails (scene, "0", "node n99999999 x y\\nnode n0 1e999 nan\\n", 0, FB_DOT_ERROR_FAILED);
  check_fails (scene, "30", "", 0, FB_DOT_ERROR_LIMIT);
  sample_close (&sample);
}

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (50000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancel (void)
{
  Sample sample;
  sample_open (&sample, "lerp.db");
  g_autoptr (FbScene) scene = sample_base (&sample);
  g_autofree char *folder = g_dir_make_tmp ("fusebox-dot-XXXXXX", NULL);
  g_autofree char *path = fake_dot (folder, "30", "", 0);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
  g_assert_null (fb_dot_refine (scene, path, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_thread_join (thread);
  g_unlink (path);
  g_rmdir (folder);
  sample_close (&sample);
}

static void
test_places (void)
{
  g_autofree char *program = g_find_program_in_path ("dot");
  if (!program)
    {
      g_test_skip ("no Graphviz");
      return;
    }
  Sample sample;
  sample_open (&sample, "lerp.db");
  g_autoptr (FbScene) step = sample_step (&sample, 19, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbScene) refined = fb_dot_refine (step, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (refined->graph->n_nodes, ==, step->graph->n_nodes);
  /* sources above users, no card on another */
  for (guint32 e = 0; e < refined->graph->n_edges; e++)
    g_assert_cmpfloat (fb_scene_card (refined, refined->graph->edges[e].source).y, <,
                       fb_scene_card (refined, refined->graph->edges[e].user).y);
  for (guint32 i = 0; i < refined->graph->n_nodes; i++)
    for (guint32 j = 0; j < i; j++)
      {
        FbRect a = fb_scene_card (refined, i), b = fb_scene_card (refined, j);
        g_assert_true (a.y != b.y || a.x + a.width <= b.x || b.x + b.width <= a.x);
      }
  sample_close (&sample);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viz/dot/places", test_places);
  g_test_add_func ("/viz/dot/failures", test_failures);
  g_test_add_func ("/viz/dot/cancel", test_cancel);
  return g_test_run ();
}
