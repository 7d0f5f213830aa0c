#include "executor.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* How often a child's memory is looked at, in milliseconds. */
#define LOOK_EVERY 50
#define MESSAGE_MAX 65536

struct FbExecutor
{
  GPid pid;
  int socket;
  int status; /* of waitpid */
  gboolean ended;
};

char *
fb_executor_program (void)
{
  const char *other = g_getenv ("FUSEBOX_EXECUTOR");
  return other != NULL ? g_strdup (other) : g_file_read_link ("/proc/self/exe", NULL);
}

int
fb_executor_share (const void *data, gsize size, GError **error)
{
  int fd = memfd_create ("fusebox-given", MFD_CLOEXEC);
  for (gsize done = 0; fd >= 0 && done < size;)
    {
      gssize n = write (fd, (const char *) data + done, size - done);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          close (fd);
          fd = -1;
        }
      else
        done += (gsize) n;
    }
  if (fd < 0)
    g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE, "no memory for what a child is given: %s",
                 g_strerror (errno));
  return fd;
}

/* In the child, before it becomes another program: only what is safe after a fork. A group of its own lets everything it starts be
 * ended with it. */
static void
prepare_child (gpointer data)
{
  const pid_t *parent = data;
  setpgid (0, 0);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != *parent)
    _exit (1);
  int fd = open ("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd >= 0)
    {
      /* if it cannot be set, the system chooses */
      if (write (fd, "1000", 4) < 0)
        errno = 0;
      close (fd);
    }
}

static gboolean
spawn (const char *const *argv, int in, int out, int said, gsize n_given, const int *given, const int *as, GPid *pid,
       GError **error)
{
  const pid_t parent = getpid ();
  return g_spawn_async_with_pipes_and_fds (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, prepare_child,
                                           (gpointer) &parent, in, out, said, given, as, n_given, pid, NULL, NULL, NULL,
                                           error);
}

static void
reap (GPid pid, int *status)
{
  while (waitpid (pid, status, 0) < 0 && errno == EINTR)
    ;
}

FbExecutor *
fb_executor_new (const char *const *argv, const FbMemory *memory, int extra, GError **error)
{
  int ends[2], nowhere = open ("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0 || socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE, "no socket: %s", g_strerror (errno));
      if (nowhere >= 0)
        close (nowhere);
      return NULL;
    }
  FbExecutor *executor = g_new0 (FbExecutor, 1);
  const int given[] = { memory->fd, extra }, as[] = { 3, 4 };
  executor->socket = ends[0];
  gboolean started = spawn (argv, ends[1], nowhere, nowhere, extra >= 0 ? 2 : 1, given, as, &executor->pid, error);
  close (ends[1]);
  close (nowhere);
  if (started)
    return executor;
  close (executor->socket);
  g_free (executor);
  return NULL;
}

void
fb_executor_free (FbExecutor *executor)
{
  close (executor->socket);
  if (!executor->ended)
    {
      kill (-executor->pid, SIGKILL);
      kill (executor->pid, SIGKILL);
      reap (executor->pid, &executor->status);
    }
  g_free (executor);
}

/* Has the process ended, within @milliseconds? */
static gboolean
wait_end (GPid pid, int milliseconds)
{
  struct pollfd fd = { pidfd_open (pid, 0), POLLIN, 0 };
  if (fd.fd < 0)
    return FALSE;
  int ready = poll (&fd, 1, milliseconds);
  close (fd.fd);
  return ready > 0;
}

/* Why a child that answers no more is gone. One that only closed its socket is ended. */
static void
set_death (FbExecutor *executor, GError **error)
{
  gboolean by_itself = executor->ended || wait_end (executor->pid, 2000);
  if (!executor->ended)
    {
      kill (-executor->pid, SIGKILL);
      reap (executor->pid, &executor->status);
      executor->ended = TRUE;
    }
  int signal = by_itself && WIFSIGNALED (executor->status) ? WTERMSIG (executor->status) : 0;
  if (signal == SIGKILL)
    g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_CRASHED,
                         "the process that runs kernels was killed, by someone or because memory ran out");
  else if (signal != 0)
    g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_CRASHED,
                 "the process that runs kernels ended by signal %d (%s)", signal, strsignal (signal));
  else
    g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_CRASHED, "the process that runs kernels ended");
}

gboolean
fb_executor_send (FbExecutor *executor, const gint64 *numbers, gsize n, GError **error)
{
  gsize size = n * sizeof *numbers, sent = 0;
  while (sent < size)
    {
      gssize wrote = send (executor->socket, (const char *) numbers + sent, size - sent, MSG_NOSIGNAL);
      if (wrote < 0 && errno == EINTR)
        continue;
      if (wrote <= 0)
        {
          set_death (executor, error);
          return FALSE;
        }
      sent += (gsize) wrote;
    }
  return TRUE;
}

/* Memory that the child has for itself, in bytes: what it shares, as the plan's memory, does not count. */
static gsize
own_memory (GPid pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/statm", (int) pid), *text = NULL;
  guint64 resident = 0, shared = 0;
  if (g_file_get_contents (path, &text, NULL, NULL))
    {
      char **words = g_strsplit (text, " ", 4);
      if (g_strv_length (words) == 4)
        {
          resident = g_ascii_strtoull (words[1], NULL, 10);
          shared = g_ascii_strtoull (words[2], NULL, 10);
        }
      g_strfreev (words);
    }
  return (gsize) (resident > shared ? resident - shared : 0) * (gsize) sysconf (_SC_PAGESIZE);
}

/* Until @fd can be read. @pid: whose memory is watched, if @memory is not 0. */
static gboolean
wait_readable (int fd, gint64 end, guint seconds, GPid pid, gsize memory, GCancellable *cancellable, GError **error)
{
  struct pollfd fds[2] = { { fd, POLLIN, 0 }, { -1, POLLIN, 0 } };
  gboolean watched = cancellable != NULL && (fds[1].fd = g_cancellable_get_fd (cancellable)) >= 0;
  int ready;
  gsize own = 0;
  do
    {
      gint64 left = end == G_MAXINT64 ? 1000000 : MAX ((end - g_get_monotonic_time () + 999) / 1000, 0);
      ready = poll (fds, 2, (int) MIN (left, memory > 0 ? LOOK_EVERY : 1000000));
      if (ready == 0 && memory > 0 && (own = own_memory (pid)) > memory)
        break;
    }
  while ((ready < 0 && errno == EINTR) || (ready == 0 && g_get_monotonic_time () < end));
  if (watched)
    g_cancellable_release_fd (cancellable);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (ready > 0)
    return TRUE;
  if (memory > 0 && own > memory)
    {
      g_autofree char *has = g_format_size_full (own, G_FORMAT_SIZE_IEC_UNITS),
                      *may = g_format_size_full (memory, G_FORMAT_SIZE_IEC_UNITS);
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE,
                   "it took %s of memory beside the buffers, and may take %s", has, may);
    }
  else
    g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_TIME, "it ran longer than %u s", seconds);
  return FALSE;
}

static gint64
end_of (guint seconds)
{
  return seconds > 0 ? g_get_monotonic_time () + (gint64) seconds * G_USEC_PER_SEC : G_MAXINT64;
}

gint64
fb_executor_wait (FbExecutor *executor, guint seconds, gsize memory, GCancellable *cancellable, GError **error)
{
  gint64 end = end_of (seconds), answer;
  gsize got = 0, wanted = sizeof answer;
  g_autofree char *message = NULL;
  char *into = (char *) &answer;
  while (got < wanted)
    {
      if (!wait_readable (executor->socket, end, seconds, executor->pid, memory, cancellable, error))
        return -1;
      gssize n = read (executor->socket, into + got, wanted - got);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          set_death (executor, error);
          return -1;
        }
      got += (gsize) n;
      if (got == wanted && message == NULL && answer < 0)
        {
          got = 0;
          wanted = (gsize) MIN (-(answer + 1) + 1, MESSAGE_MAX);
          into = message = g_malloc0 (wanted + 1);
        }
    }
  if (message == NULL)
    return answer;
  g_autofree char *text = g_utf8_make_valid (message, -1);
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_DEVICE, "%s", text);
  return -1;
}

/* What can be read from @fd now, kept up to a limit. FALSE at its end. */
static gboolean
take (int fd, GString *into, gsize limit)
{
  char buffer[4096];
  gssize n = read (fd, buffer, sizeof buffer);
  if (n < 0 && errno == EINTR)
    return TRUE;
  if (n > 0 && into->len < limit)
    g_string_append_len (into, buffer, n);
  return n > 0;
}

struct FbTool
{
  GPid pid;
  int pipe; /* what it prints */
  gint64 end;
  guint seconds;
  char *name;
};

FbTool *
fb_tool_new (const char *const *argv, gboolean output, guint seconds, GError **error)
{
  int ends[2], nowhere = open ("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0 || pipe2 (ends, O_CLOEXEC) != 0)
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE, "no pipe: %s", g_strerror (errno));
      if (nowhere >= 0)
        close (nowhere);
      return NULL;
    }
  FbTool *tool = g_new0 (FbTool, 1);
  tool->pipe = ends[0];
  tool->end = end_of (seconds);
  tool->seconds = seconds;
  tool->name = g_strdup (argv[0]);
  gboolean started
      = spawn (argv, nowhere, output ? ends[1] : nowhere, output ? nowhere : ends[1], 0, NULL, NULL, &tool->pid, error);
  close (nowhere);
  close (ends[1]);
  if (started)
    return tool;
  close (tool->pipe);
  g_free (tool->name);
  g_free (tool);
  return NULL;
}

/* Ends the process if it has not ended, and its children; gives its status. */
static int
tool_end (FbTool *tool, gboolean ended)
{
  int status = 0;
  close (tool->pipe);
  if (!ended)
    {
      kill (-tool->pid, SIGKILL);
      kill (tool->pid, SIGKILL);
    }
  reap (tool->pid, &status);
  g_free (tool->name);
  g_free (tool);
  return status;
}

void
fb_tool_free (FbTool *tool)
{
  tool_end (tool, FALSE);
}

gboolean
fb_tool_finish (FbTool *tool, char **text, GCancellable *cancellable, GError **error)
{
  g_autoptr (GString) printed = g_string_new (NULL);
  g_autofree char *name = g_strdup (tool->name);
  gboolean ended;
  do
    ended = wait_readable (tool->pipe, tool->end, tool->seconds, 0, 0, cancellable, error);
  while (ended && take (tool->pipe, printed, MESSAGE_MAX));
  int process = pidfd_open (tool->pid, 0);
  ended = ended && (process < 0 || wait_readable (process, tool->end, tool->seconds, 0, 0, cancellable, error));
  if (process >= 0)
    close (process);
  int status = tool_end (tool, ended);
  if (text != NULL)
    *text = g_strdup (printed->str);
  if (!ended)
    return FALSE;
  if (WIFEXITED (status) && WEXITSTATUS (status) == 0)
    return TRUE;
  if (WIFSIGNALED (status))
    g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE, "%s ended by signal %d (%s)", name,
                 WTERMSIG (status), strsignal (WTERMSIG (status)));
  else
    g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_COMPILE, "%s failed", name);
  return FALSE;
}
