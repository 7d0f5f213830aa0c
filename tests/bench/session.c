/* Sessions: `bench-session [FILE...]` schedules the first row of each file (gpt2_train of the corpus, else a sample), writes it
 * into a new session, reads steps back in random order and saves the session as a closed file. */
#include <glib/gstdio.h>

#include "core/session/store.h"

#define READS 2000

typedef struct
{
  gint64 start;
} Clock;

static double
lap (Clock *clock)
{
  gint64 now = g_get_monotonic_time (), start = clock->start;
  clock->start = now;
  return (double) (now - start) / 1000;
}

static double
kilobytes (const char *path)
{
  GStatBuf info;
  return g_stat (path, &info) == 0 ? (double) info.st_size / 1024 : 0;
}

/* µs for a step with both of its nodes. */
static double
read_steps (FbStore *store, const FbSchedule *schedule, FbRowKind kind, GError **error)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  GArray *places = g_array_new (FALSE, FALSE, sizeof (FbStorePlace));
  for (guint p = 0; p < schedule->passes->len; p++)
    for (guint s = 1; s <= fb_schedule_pass (schedule, p)->matches->len; s++)
      {
        FbStorePlace place = { kind, 1, p, s };
        g_array_append_val (places, place);
      }
  Clock clock = { g_get_monotonic_time () };
  for (guint i = 0; places->len && i < READS; i++)
    {
      g_auto (FbStoreStep) step = { NULL };
      g_auto (FbStoreNode) before = { 0 }, after = { 0 };
      guint at = (guint) g_rand_int_range (rand, 0, (gint32) places->len);
      if (!fb_store_get_step (store, &g_array_index (places, FbStorePlace, at), &step, error)
          || !fb_store_get_node (store, step.before, &before, error)
          || !fb_store_get_node (store, step.after, &after, error))
        break;
    }
  g_array_unref (places);
  return lap (&clock) * 1000 / READS;
}

static gboolean
measure (const char *path, const char *folder, GError **error)
{
  g_autofree char *live = g_build_filename (folder, "live.fusebox", NULL);
  g_autofree char *saved = g_build_filename (folder, "saved.fusebox", NULL);
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, error);
  g_autoptr (FbContext) context = fb_context_new ();
  FbRowKind kind = capture ? fb_capture_main_kind (capture) : FB_ROW_SCHEDULE;
  g_autoptr (FbCaptureRow) row = capture ? fb_capture_read_row (capture, kind, 1, context, error) : NULL;
  if (!row)
    return FALSE;
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  Clock clock = { g_get_monotonic_time () };
  g_autoptr (FbStore) store = fb_store_open (live, FB_STORE_CREATE, error);
  FbStoreCapture from = { .path = (char *) path };
  if (!store || !fb_store_set_capture (store, &from, error))
    return FALSE;
  double make = lap (&clock);
  if (!fb_store_begin (store, error) || !fb_store_put_rows (store, capture, NULL, error)
      || !fb_store_commit (store, error))
    return FALSE;
  double rows = lap (&clock);
  if (!fb_store_begin (store, error) || !fb_store_put_trace (store, kind, 1, context, schedule, NULL, error)
      || !fb_store_commit (store, error))
    return FALSE;
  double trace = lap (&clock);
  FbStoreCounts counts;
  if (!fb_store_count (store, &counts, error))
    return FALSE;
  double read = read_steps (store, schedule, kind, error);
  lap (&clock);
  if (!fb_store_save_as (store, saved, error))
    return FALSE;
  double save = lap (&clock);
  g_autofree char *name = g_path_get_basename (path);
  g_print ("%s: %" G_GINT64_FORMAT " nodes, %" G_GINT64_FORMAT " steps, %" G_GINT64_FORMAT " kernels\n", name,
           counts.nodes, counts.steps, counts.kernels);
  g_print ("  made %.1f ms, rows %.1f ms, trace %.1f ms, saved as %.1f ms: %.1f ms in all\n", make, rows, trace, save,
           make + rows + trace + save);
  g_print ("  size %.0f kB; a step with both nodes read in %.1f us\n", kilobytes (saved), read);
  g_clear_pointer (&store, fb_store_free);
  g_unlink (live);
  g_unlink (saved);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("fusebox-bench-XXXXXX", &error);
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  const char *samples = g_getenv ("FUSEBOX_SAMPLES");
  g_autofree char *usual = corpus ? g_build_filename (corpus, "model.gpt2_train.db", NULL)
                                  : g_build_filename (samples ? samples : "data/samples", "mlp_train.db", NULL);
  char *files[] = { usual, NULL };
  for (char **file = argc > 1 ? argv + 1 : files; folder && *file; file++)
    if (!measure (*file, folder, &error))
      break;
  if (folder)
    g_rmdir (folder);
  if (error)
    g_printerr ("%s\n", error->message);
  return error != NULL;
}
