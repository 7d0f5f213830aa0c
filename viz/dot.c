#include "dot.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MEMORY_MAX (512 * 1024 * 1024)
#define ANSWER_MAX (4 * 1024 * 1024)
#define PX_PER_INCH 72.0

G_DEFINE_QUARK (fb - dot - error - quark, fb_dot_error)

static void
append_size (GString *dot, double px)
{
  char text[32];
  g_string_append (dot, g_ascii_formatd (text, sizeof text, "%.3f", px / PX_PER_INCH));
}

/* Cards as boxes without text; lines that are not drawn are not there. */
static char *
graph_for_dot (const FbScene *scene)
{
  const FbGraph *graph = scene->graph;
  GString *dot = g_string_new ("digraph{splines=line nodesep=");

  append_size (dot, FB_LAYOUT_CARD_GAP);
  g_string_append (dot, " ranksep=");
  append_size (dot, FB_LAYOUT_GAP_ACROSS);
  if (graph->n_nodes > FB_DOT_EASY)
    g_string_append (dot, " nslimit=1");
  g_string_append (dot, " node[shape=box fixedsize=true label=\"\" height=");
  append_size (dot, FB_LAYOUT_CARD_HEIGHT);
  g_string_append (dot, "]\n");
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      g_string_append_printf (dot, "n%u[width=", i);
      append_size (dot, fb_scene_card (scene, i).width);
      g_string_append (dot, "]\n");
    }
  for (guint32 e = 0; e < graph->n_edges; e++)
    if (!fb_scene_edge_is_stub (scene, e))
      g_string_append_printf (dot, "n%u->n%u\n", graph->edges[e].source, graph->edges[e].user);
  g_string_append (dot, "}\n");
  return g_string_free (dot, FALSE);
}

static void
limit_child (gpointer data)
{
  struct rlimit memory = { MEMORY_MAX, MEMORY_MAX }, seconds = { FB_DOT_SECONDS, FB_DOT_SECONDS + 1 }, none = { 0, 0 };
  setrlimit (RLIMIT_AS, &memory);
  setrlimit (RLIMIT_CPU, &seconds);
  setrlimit (RLIMIT_CORE, &none);
}

/* Reads what the child says until it is done. FALSE: too late, too much, or cancelled. */
static gboolean
read_answer (int fd, GString *answer, GCancellable *cancellable, GError **error)
{
  gint64 end = g_get_monotonic_time () + FB_DOT_SECONDS * G_USEC_PER_SEC;
  GPollFD cancel = { -1, 0, 0 };
  gboolean can_cancel = cancellable && g_cancellable_make_pollfd (cancellable, &cancel), done = FALSE, ok = FALSE;
  while (!done)
    {
      struct pollfd fds[2] = { { fd, POLLIN, 0 }, { cancel.fd, POLLIN, 0 } };
      gint64 left = (end - g_get_monotonic_time ()) / 1000;
      char buffer[16384];
      if (left <= 0 || answer->len > ANSWER_MAX)
        {
          g_set_error (error, FB_DOT_ERROR, FB_DOT_ERROR_LIMIT, "dot was not done after %d s", FB_DOT_SECONDS);
          break;
        }
      if (poll (fds, can_cancel ? 2 : 1, (int) left + 1) < 0 && errno != EINTR)
        {
          g_set_error (error, FB_DOT_ERROR, FB_DOT_ERROR_FAILED, "dot cannot be waited for: %s", g_strerror (errno));
          break;
        }
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        break;
      if (!(fds[0].revents & (POLLIN | POLLHUP | POLLERR)))
        continue;
      gssize n = read (fd, buffer, sizeof buffer);
      if (n > 0)
        g_string_append_len (answer, buffer, n);
      else if (n == 0)
        done = ok = TRUE;
      else if (errno != EINTR)
        {
          g_set_error (error, FB_DOT_ERROR, FB_DOT_ERROR_FAILED, "dot cannot be read from: %s", g_strerror (errno));
          break;
        }
    }
  if (can_cancel)
    g_cancellable_release_fd (cancellable);
  return ok;
}

/* The child has said all it had to, or is killed. FALSE with the error set when it did not end well. */
static gboolean
end_child (GPid pid, gboolean ok, GError **error)
{
  int status = 0;
  if (!ok)
    kill (pid, SIGKILL);
  while (waitpid (pid, &status, 0) < 0 && errno == EINTR)
    ;
  g_spawn_close_pid (pid);
  if (!ok)
    return FALSE;
  if (WIFSIGNALED (status))
    {
      g_set_error (error, FB_DOT_ERROR, FB_DOT_ERROR_LIMIT, "dot ran out of time or memory (%s)",
                   g_strsignal (WTERMSIG (status)));
      return FALSE;
    }
  if (WEXITSTATUS (status) != 0)
    {
      g_set_error (error, FB_DOT_ERROR, FB_DOT_ERROR_FAILED, "dot failed with status %d", WEXITSTATUS (status));
      return FALSE;
    }
  return TRUE;
}

static char *
ask (const char *program, const char *graph, GCancellable *cancellable, GError **error)
{
  g_autofree char *name = NULL;
  int file = g_file_open_tmp ("fusebox-XXXXXX.dot", &name, error), out = -1;
  GPid pid;
  if (file < 0)
    return NULL;
  close (file);
  GString *answer = g_string_new (NULL);
  const char *argv[] = { program, "-Tplain", name, NULL };
  gboolean ok = g_file_set_contents (name, graph, -1, error);
  if (ok
      && g_spawn_async_with_pipes (NULL, (char **) argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL,
                                   limit_child, NULL, &pid, NULL, &out, NULL, error))
    {
      ok = end_child (pid, read_answer (out, answer, cancellable, error), error);
      close (out);
    }
  else
    ok = FALSE;
  g_unlink (name);
  return g_string_free (answer, !ok);
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;
  return x < y ? -1 : x > y;
}

/* From heights to layers: what stands within half a card of each other is one. */
static void
set_ranks (FbLayout *places)
{
  g_autofree float *ys = g_memdup2 (places->y, places->n_nodes * sizeof *ys);
  g_autofree float *tops = g_new (float, places->n_nodes);
  guint32 n = 0;

  qsort (ys, places->n_nodes, sizeof *ys, compare_floats);
  for (guint32 i = 0; i < places->n_nodes; i++)
    if (n == 0 || ys[i] - tops[n - 1] > FB_LAYOUT_CARD_HEIGHT / 2)
      tops[n++] = ys[i];
  places->n_layers = n;
  for (guint32 i = 0; i < places->n_nodes; i++)
    {
      guint32 low = 0, high = n;
      while (high - low > 1)
        {
          guint32 middle = (low + high) / 2;
          if (tops[middle] <= places->y[i])
            low = middle;
          else
            high = middle;
        }
      places->rank[i] = low;
    }
}

/* "node n12 1.5 2.25 ..." of every card, in inches from the lower left. NULL when one is missing. */
static FbLayout *
places_from (const FbScene *scene, const char *answer, GError **error)
{
  guint32 n = scene->graph->n_nodes, n_found = 0;
  FbLayout *places = g_new0 (FbLayout, 1);
  g_autofree guint8 *found = g_new0 (guint8, n);

  places->n_nodes = n;
  places->x = g_new0 (float, n);
  places->y = g_new0 (float, n);
  places->node_width = g_memdup2 (scene->layout->node_width, n * sizeof (float));
  places->rank = g_new0 (guint32, n);
  places->trunk_first = g_new0 (guint32, (gsize) n + 1);
  for (const char *line = answer; line && *line; line = strchr (line, '\n') ? strchr (line, '\n') + 1 : NULL)
    {
      char *end;
      if (!g_str_has_prefix (line, "node n"))
        continue;
      guint64 node = g_ascii_strtoull (line + 6, &end, 10);
      double x = g_ascii_strtod (end, &end), y = g_ascii_strtod (end, &end);
      if (node >= n || found[node] || !isfinite (x) || !isfinite (y) || fabs (x) > 1e6 || fabs (y) > 1e6)
        continue;
      found[node] = TRUE;
      n_found++;
      places->x[node] = (float) (x * PX_PER_INCH) - places->node_width[node] / 2;
      places->y[node] = (float) (-y * PX_PER_INCH);
    }
  if (n_found == n)
    {
      set_ranks (places);
      return places;
    }
  g_set_error (error, FB_DOT_ERROR, FB_DOT_ERROR_FAILED, "dot placed %u of %u cards", n_found, n);
  fb_layout_free (places);
  return NULL;
}

FbScene *
fb_dot_refine (const FbScene *scene, const char *program, GCancellable *cancellable, GError **error)
{
  g_autofree char *found = g_find_program_in_path (program ? program : "dot");
  guint32 n = scene->graph->n_nodes;
  if (n == 0 || n > FB_DOT_MAX)
    {
      g_set_error (error, FB_DOT_ERROR, FB_DOT_ERROR_SIZE, "dot is for 1 to %u cards, these are %u", FB_DOT_MAX, n);
      return NULL;
    }
  if (!found)
    {
      g_set_error_literal (error, FB_DOT_ERROR, FB_DOT_ERROR_MISSING, "there is no program dot: install Graphviz");
      return NULL;
    }
  g_autofree char *graph = graph_for_dot (scene), *answer = ask (found, graph, cancellable, error);
  g_autoptr (FbLayout) places = answer ? places_from (scene, answer, error) : NULL;
  return places ? fb_scene_new_placed (scene->graph, &scene->metrics, places, cancellable, error) : NULL;
}
