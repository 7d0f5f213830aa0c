/* The child process that runs compiled kernels. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cpu.h"

typedef struct
{
  GSubprocess *process;
  int socket; /* our end of its standard input and output */
} Child;

static void
child_end (Child *child)
{
  close (child->socket);
  g_subprocess_force_exit (child->process);
  g_subprocess_wait (child->process, NULL, NULL);
  g_object_unref (child->process);
}

static gboolean
child_start (Child *child, const char *program, FbMemory *memory, guint threads, GError **error)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autofree char *size = g_strdup_printf ("%" G_GSIZE_FORMAT, memory->size), *count = g_strdup_printf ("%u", threads);
  int ends[2];
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE, "no socket: %s", g_strerror (errno));
      return FALSE;
    }
  g_subprocess_launcher_take_stdin_fd (launcher, ends[1]);
  g_subprocess_launcher_take_stdout_fd (launcher, fcntl (ends[1], F_DUPFD_CLOEXEC, 3));
  g_subprocess_launcher_take_fd (launcher, fcntl (memory->fd, F_DUPFD_CLOEXEC, 3), 3);
  child->process = g_subprocess_launcher_spawn (launcher, error, program, size, count, NULL);
  child->socket = ends[0];
  if (child->process == NULL)
    close (ends[0]);
  return child->process != NULL;
}

/* Why a child that answered no more is gone. */
static void
set_death (Child *child, GError **error)
{
  g_subprocess_wait (child->process, NULL, NULL);
  if (g_subprocess_get_if_signaled (child->process))
    g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_CRASHED, "the compiled kernel ended by signal %d (%s)",
                 g_subprocess_get_term_sig (child->process), strsignal (g_subprocess_get_term_sig (child->process)));
  else
    g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_CRASHED, "the process that runs kernels ended");
}

/* Waits for the answer to a request: nanoseconds, or -1 with the error set. */
static gint64
wait_answer (Child *child, guint seconds, GCancellable *cancellable, GError **error)
{
  gint64 end = seconds > 0 ? g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC : G_MAXINT64, taken;
  struct pollfd fds[2] = { { child->socket, POLLIN, 0 }, { -1, POLLIN, 0 } };
  gboolean watched = cancellable != NULL && (fds[1].fd = g_cancellable_get_fd (cancellable)) >= 0;
  int ready;
  do
    {
      gint64 left = end == G_MAXINT64 ? -1 : MAX ((end - g_get_monotonic_time ()) / 1000, 0);
      ready = poll (fds, 2, (int) MIN (left, 1000000));
    }
  while ((ready < 0 && errno == EINTR) || (ready == 0 && g_get_monotonic_time () < end));
  if (watched)
    g_cancellable_release_fd (cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return -1;
  if (ready <= 0)
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_TIME, "it ran longer than %u s", seconds);
      return -1;
    }
  if (read (child->socket, &taken, sizeof taken) == sizeof taken)
    return MAX (taken, 0);
  set_death (child, error);
  return -1;
}

static gboolean
send_step (Child *child, const FbPlan *plan, const FbPlanStep *step, FbMemory *memory)
{
  g_autoptr (GArray) request = g_array_new (FALSE, FALSE, sizeof (gint64));
  gboolean copy = step->kind == FB_STEP_COPY;
  gint64 number = copy ? -1 : (gint64) step->program_number, n = copy ? 3 : step->n_buffers;
  g_array_append_val (request, number);
  g_array_append_val (request, n);
  for (guint i = 0; i < (copy ? 2 : step->n_buffers); i++)
    {
      gint64 offset = fb_plan_data (plan, memory->data, step->buffers[i]) - memory->data;
      g_array_append_val (request, offset);
    }
  if (copy)
    {
      gint64 bytes = (gint64) fb_plan_buffer (plan, step->buffers[0])->bytes;
      g_array_append_val (request, bytes);
    }
  gsize size = request->len * sizeof (gint64), sent = 0;
  while (sent < size)
    {
      gssize wrote = send (child->socket, request->data + sent, size - sent, MSG_NOSIGNAL);
      if (wrote < 0 && errno == EINTR)
        continue;
      if (wrote <= 0)
        return FALSE;
      sent += (gsize) wrote;
    }
  return TRUE;
}

static gboolean
run_steps (Child *child, const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, GCancellable *cancellable,
           GError **error)
{
  for (guint i = 0; i < plan->steps->len; i++)
    {
      const FbPlanStep *step = fb_plan_step (plan, i);
      gint64 taken = 0;
      if (step->kind != FB_STEP_VIEW)
        {
          if (send_step (child, plan, step, memory))
            taken = wait_answer (child, options->seconds, cancellable, error);
          else
            {
              set_death (child, error);
              taken = -1;
            }
          if (taken < 0)
            {
              g_prefix_error (error, "kernel %u: ", i + 1);
              return FALSE;
            }
        }
      if (options->after != NULL && !options->after (i, (double) taken / 1e9, options->user))
        break;
    }
  return TRUE;
}

gboolean
fb_cpu_run (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, FbRunReport *report,
            GCancellable *cancellable, GError **error)
{
  Child child;
  g_autofree char *source = fb_cpu_source (plan);
  g_autofree char *program = fb_cpu_compile (source, options, report, cancellable, error);
  if (program == NULL || !child_start (&child, program, memory, options->threads, error))
    return FALSE;
  gboolean done = run_steps (&child, plan, memory, options, cancellable, error);
  child_end (&child);
  return done;
}
