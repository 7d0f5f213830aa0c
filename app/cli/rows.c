/* Reading rows, one after the other or on several threads, delivered in order. */
#include "cli-private.h"

enum
{
  WINDOW = 128, /* rows a worker may be ahead of the delivery: bounds the results held */
};

FbCapture *
fb_cli_open (const char *path, const char *release)
{
  g_autoptr (GError) error = NULL;
  FbCapture *capture = fb_capture_open (path, release, &error);
  if (capture == NULL)
    fb_cli_error ("%s", error->message);
  return capture;
}

guint
fb_cli_count_nodes (FbContext *context, FbUop *root)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, root);
  return nodes->len;
}

char *
fb_cli_schedule_error (const char *path, guint row, const FbSchedule *schedule)
{
  const FbPass *last
      = schedule->passes->len > 0 ? g_ptr_array_index (schedule->passes, schedule->passes->len - 1) : NULL;
  char key[17] = "";
  g_autofree char *node
      = schedule->error_uop == NULL
            ? g_strdup ("")
            : g_strdup_printf (_ (", node %s %s"), fb_op_name (schedule->error_uop->op),
                               fb_uop_key_hex (schedule->context, (FbUop *) schedule->error_uop, key));
  if (last == NULL)
    return g_strdup_printf (_ ("%s: row %u: %s%s"), path, row, schedule->error->message, node);
  return g_strdup_printf (_ ("%s: row %u: pass %s: %s%s"), path, row, last->title, schedule->error->message, node);
}

typedef struct
{
  const FbCliLoop *loop;
  GMutex mutex;
  GCond done, room; /* a result arrived; a result was delivered */
  guint next;       /* row the next worker takes */
  guint delivered;  /* rows before this one are delivered */
  gboolean stop;
  struct
  {
    gpointer result;
    gboolean ready;
  } slots[WINDOW];
} Shared;

static gpointer
do_row (const FbCliLoop *loop, FbCapture *capture, FbContext *context, guint row)
{
  g_autoptr (GError) error = NULL;
  fb_context_reset (context);
  g_autoptr (FbCaptureRow) decoded
      = capture == NULL ? NULL : fb_capture_read_row (capture, loop->kind, row, context, &error);
  if (capture == NULL)
    g_set_error (&error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, _ ("%s: row %u: the file changed while it was read"),
                 fb_capture_path (loop->capture), row);
  return loop->work (context, decoded, error, loop->user);
}

static gpointer
worker (gpointer data)
{
  Shared *shared = data;
  const FbCliLoop *loop = shared->loop;
  /* a database connection per thread */
  g_autoptr (FbCapture) capture = fb_capture_open (fb_capture_path (loop->capture), loop->release, NULL);
  g_autoptr (FbContext) context = fb_context_new ();
  g_mutex_lock (&shared->mutex);
  while (!shared->stop && shared->next <= loop->last)
    {
      guint row = shared->next++;
      while (!shared->stop && row >= shared->delivered + WINDOW)
        g_cond_wait (&shared->room, &shared->mutex);
      if (shared->stop)
        break;
      g_mutex_unlock (&shared->mutex);
      gpointer result = do_row (loop, capture, context, row);
      g_mutex_lock (&shared->mutex);
      shared->slots[row % WINDOW].result = result;
      shared->slots[row % WINDOW].ready = TRUE;
      g_cond_signal (&shared->done);
    }
  g_mutex_unlock (&shared->mutex);
  return NULL;
}

static void
deliver_all (Shared *shared)
{
  const FbCliLoop *loop = shared->loop;
  g_mutex_lock (&shared->mutex);
  while (shared->delivered <= loop->last && !shared->stop)
    {
      guint row = shared->delivered, slot = row % WINDOW;
      while (!shared->slots[slot].ready)
        g_cond_wait (&shared->done, &shared->mutex);
      gpointer result = shared->slots[slot].result;
      shared->slots[slot].ready = FALSE;
      shared->delivered++;
      g_cond_broadcast (&shared->room);
      g_mutex_unlock (&shared->mutex);
      gboolean more = loop->deliver (row, result, loop->user);
      fb_cli_progress_set (row - loop->first + 1);
      g_mutex_lock (&shared->mutex);
      shared->stop = !more;
    }
  g_cond_broadcast (&shared->room);
  g_mutex_unlock (&shared->mutex);
}

static void
loop_threaded (const FbCliLoop *loop, guint jobs)
{
  Shared shared = { .loop = loop, .next = loop->first, .delivered = loop->first };
  g_autofree GThread **threads = g_new (GThread *, jobs);
  g_mutex_init (&shared.mutex);
  g_cond_init (&shared.done);
  g_cond_init (&shared.room);
  for (guint i = 0; i < jobs; i++)
    threads[i] = g_thread_new ("row", worker, &shared);
  deliver_all (&shared);
  for (guint i = 0; i < jobs; i++)
    g_thread_join (threads[i]);
  for (guint i = 0; i < WINDOW; i++)
    if (shared.slots[i].ready && loop->drop != NULL)
      loop->drop (shared.slots[i].result);
  g_mutex_clear (&shared.mutex);
  g_cond_clear (&shared.done);
  g_cond_clear (&shared.room);
}

static void
loop_alone (const FbCliLoop *loop)
{
  g_autoptr (FbContext) context = fb_context_new ();
  for (guint row = loop->first; row <= loop->last; row++)
    {
      if (!loop->deliver (row, do_row (loop, loop->capture, context, row), loop->user))
        break;
      fb_cli_progress_set (row - loop->first + 1);
    }
}

void
fb_cli_loop (const FbCliLoop *loop)
{
  /* a thread costs more than a few small rows */
  guint jobs = MIN (loop->jobs, (loop->last - loop->first) / 4 + 1);
  fb_cli_progress_begin (fb_capture_path (loop->capture), loop->last - loop->first + 1);
  if (jobs > 1)
    loop_threaded (loop, jobs);
  else
    loop_alone (loop);
  fb_cli_progress_end ();
}
