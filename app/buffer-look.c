#include "app/buffer-look.h"

#include "viz/heatmap.h"

static FbBufferFacts *
facts_ref (FbBufferFacts *facts)
{
  g_atomic_ref_count_inc (&facts->refs);
  return facts;
}

void
fb_buffer_facts_unref (FbBufferFacts *facts)
{
  if (g_atomic_ref_count_dec (&facts->refs))
    g_free (facts);
}

void
fb_buffer_sight_free (FbBufferSight *sight)
{
  g_clear_pointer (&sight->facts, fb_buffer_facts_unref);
  g_clear_object (&sight->picture);
  g_free (sight);
}

static FbBufferLook *
look_copy (const FbBufferLook *look)
{
  FbBufferLook *copy = g_memdup2 (look, sizeof *look);
  g_bytes_ref (copy->data);
  if (copy->other)
    g_bytes_ref (copy->other);
  if (copy->facts)
    facts_ref (copy->facts);
  return copy;
}

static void
look_free (gpointer data)
{
  FbBufferLook *look = data;
  g_bytes_unref (look->data);
  g_clear_pointer (&look->other, g_bytes_unref);
  g_clear_pointer (&look->facts, fb_buffer_facts_unref);
  g_free (look);
}

static const guint8 *
data_of (GBytes *bytes)
{
  return bytes ? g_bytes_get_data (bytes, NULL) : NULL;
}

static FbBufferFacts *
find_facts (const FbBufferLook *look, GCancellable *cancellable)
{
  FbBufferFacts *facts = g_new0 (FbBufferFacts, 1);
  gint64 n = (gint64) (g_bytes_get_size (look->data) / fb_scalar_size (look->type));
  g_atomic_ref_count_init (&facts->refs);
  facts->compared = look->other != NULL;
  if (fb_value_stats (look->type, n, data_of (look->data), &facts->stats, cancellable)
      && fb_value_histogram (look->type, n, data_of (look->data), &facts->stats, &facts->histogram, cancellable)
      && (!look->other
          || fb_compare (look->type, n, data_of (look->data), data_of (look->other), &facts->comparison, cancellable)))
    return facts;
  fb_buffer_facts_unref (facts);
  return NULL;
}

/* One value a block of elements where they are more than pixels. */
static gboolean
paint (const FbBufferLook *look, FbBufferSight *sight, GCancellable *cancellable)
{
  guint width = (guint) MIN (fb_slice_n_columns (&look->slice), look->width);
  guint height = (guint) MIN (fb_slice_n_rows (&look->slice), look->height);
  if (width == 0 || height == 0)
    return TRUE;
  gsize n = (gsize) width * height, n_pixels = (gsize) look->width * look->height;
  g_autofree double *values = g_new (double, n);
  g_autofree guint8 *filled = g_malloc (n);
  gboolean difference = look->difference && look->other;
  if (!fb_slice_sample (&look->slice, look->type, data_of (look->data), difference ? data_of (look->other) : NULL,
                        width, height, values, filled, cancellable))
    return FALSE;
  const FbBufferFacts *facts = sight->facts;
  sight->most = difference ? facts->comparison.max_abs : MAX (ABS (facts->stats.min), ABS (facts->stats.max));
  guint32 *pixels = g_new (guint32, n_pixels);
  fb_heat_paint (values, filled, width, height, sight->most, look->dark, look->ink, pixels, look->width, look->height);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, n_pixels * sizeof *pixels);
  sight->picture = gdk_memory_texture_new ((int) look->width, (int) look->height, GDK_MEMORY_DEFAULT, bytes,
                                           look->width * sizeof *pixels);
  return TRUE;
}

FbBufferSight *
fb_buffer_look (const FbBufferLook *look, GCancellable *cancellable)
{
  FbBufferSight *sight = g_new0 (FbBufferSight, 1);
  sight->facts = look->facts ? facts_ref (look->facts) : find_facts (look, cancellable);
  if (sight->facts && paint (look, sight, cancellable))
    return sight;
  fb_buffer_sight_free (sight);
  return NULL;
}

static void
look_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  FbBufferSight *sight = fb_buffer_look (data, cancellable);
  if (sight)
    g_task_return_pointer (task, sight, (GDestroyNotify) fb_buffer_sight_free);
  else
    g_task_return_error_if_cancelled (task);
}

void
fb_buffer_look_async (const FbBufferLook *look, GCancellable *cancellable, GAsyncReadyCallback done, gpointer source)
{
  g_autoptr (GTask) task = g_task_new (source, cancellable, done, NULL);
  g_task_set_task_data (task, look_copy (look), look_free);
  g_task_run_in_thread (task, look_job);
}

FbBufferSight *
fb_buffer_look_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
