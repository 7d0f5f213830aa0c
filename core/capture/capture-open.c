/* What kind of file it is, and how it is opened. */
#include "capture-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/viztrace/recorded.h"
#include "release.h"

#define SNIFF_BYTES 64

/* Opens @path for reading as a regular file and reads its first bytes; -1 with the error set. */
static int
open_regular (const char *path, guint8 *head, gsize *n_head, gsize *size, GError **error)
{
  int fd = g_open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  struct stat info;
  gssize got;

  if (fd < 0)
    {
      if (errno == ENOENT || errno == ENOTDIR)
        g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s does not exist.", path);
      else
        g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s cannot be opened: %s.", path,
                     g_strerror (errno));
      return -1;
    }
  if (fstat (fd, &info) == 0 && S_ISDIR (info.st_mode))
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s is a folder, not a file with captures.", path);
  else if (!S_ISREG (info.st_mode))
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s is not a regular file.", path);
  else if ((got = read (fd, head, SNIFF_BYTES)) < 0)
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s cannot be read: %s.", path, g_strerror (errno));
  else
    {
      *n_head = (gsize) got;
      *size = (gsize) info.st_size;
      return fd;
    }
  close (fd);
  return -1;
}

/* The whole file from its start. */
static GBytes *
read_all (int fd, const char *path, gsize size, GError **error)
{
  g_autofree guint8 *data = g_try_malloc (MAX (size, 1));
  gsize done = 0;

  if (!data)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s: no memory for its %" G_GSIZE_FORMAT " bytes.",
                   path, size);
      return NULL;
    }
  while (done < size)
    {
      gssize got = pread (fd, data + done, size - done, (off_t) done);

      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        {
          g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s cannot be read: %s.", path,
                       g_strerror (errno));
          return NULL;
        }
      if (got == 0)
        break;
      done += (gsize) got;
    }
  return g_bytes_new_take (g_steal_pointer (&data), done);
}

/* What the last opcodes of a pickle make: REDUCE a graph, a tuple a row. -1 when that is not plain to see. */
static int
sniff_kind (GBytes *bytes)
{
  gsize n;
  const guint8 *p = g_bytes_get_data (bytes, &n);
  guint8 op;

  if (n < 12 || p[n - 1] != '.')
    return -1;
  if (p[n - 2] == 0x94) /* MEMOIZE */
    op = p[n - 3];
  else if (p[n - 3] == 'q') /* BINPUT */
    op = p[n - 4];
  else if (p[n - 6] == 'r') /* LONG_BINPUT */
    op = p[n - 7];
  else
    op = p[n - 2];
  return op == 'R' ? FB_ROW_GRAPH : op == 0x87 ? FB_ROW_SCHEDULE : -1;
}

static gboolean
open_pickle (FbCapture *capture, int fd, const guint8 *head, gsize n_head, gsize size, GError **error)
{
  gboolean marked = n_head >= 2 && head[0] == 0x80 && head[1] <= 5;
  FbPickleLimits *limits = fb_pickle_limits (capture->pickle);
  g_autoptr (FbContext) context = NULL;
  g_autoptr (FbCaptureRow) row = NULL;
  g_autoptr (GError) local = NULL;
  int kind;

  if (size == 0)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_NOT_CAPTURE, "%s is empty.", capture->path);
      return FALSE;
    }
  if (size > limits->max_size)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_NOT_CAPTURE,
                   "%s is no database, and with %" G_GSIZE_FORMAT " bytes larger than any pickle this program reads.",
                   capture->path, size);
      return FALSE;
    }
  /* protocols 0 and 1 have no mark: MARK or GLOBAL comes first */
  if (!marked && head[0] != '(' && head[0] != 'c')
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_NOT_CAPTURE,
                   "%s is neither a database nor a pickle, so it holds no captures.", capture->path);
      return FALSE;
    }
  capture->bytes = read_all (fd, capture->path, size, error);
  if (!capture->bytes)
    return FALSE;
  if (fb_viz_trace_sniff (g_bytes_get_data (capture->bytes, NULL), g_bytes_get_size (capture->bytes)))
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_NOT_CAPTURE,
                   "%s is a VIZ trace, not a capture: info, trace and the window read it.", capture->path);
      return FALSE;
    }
  capture->bare.key = "";
  capture->bare.size = g_bytes_get_size (capture->bytes);
  capture->format = marked ? g_strdup_printf ("pickle, protocol %d", head[1]) : g_strdup ("pickle, protocol 0 or 1");
  kind = marked ? sniff_kind (capture->bytes) : -1;
  if (kind < 0)
    {
      FbRowSource source = { capture->path, 0, "", capture->release, -1 };

      context = fb_context_new ();
      row = fb_row_read (capture->pickle, capture->bytes, &source, context, &local);
      if (!row && !marked && g_error_matches (local, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_PICKLE))
        {
          g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_NOT_CAPTURE,
                       "%s is neither a database nor a pickle, so it holds no captures.", capture->path);
          return FALSE;
        }
      if (!row)
        {
          g_propagate_error (error, g_steal_pointer (&local));
          return FALSE;
        }
      kind = (int) row->kind;
    }
  capture->bare.kind = (FbRowKind) kind;
  return TRUE;
}

static gboolean
open_trace (FbCapture *capture, const char *release, GError **error)
{
  guint n;

  capture->trace = fb_viz_trace_open (capture->path, release, error);
  if (!capture->trace)
    return FALSE;
  g_autofree char *beside = fb_viz_profile_beside (capture->path);
  /* one that cannot be read takes nothing away from the trace */
  if (beside)
    capture->profile = fb_viz_profile_open (beside, NULL);
  n = fb_viz_trace_n_contexts (capture->trace);
  capture->format = g_strdup (fb_viz_trace_format (capture->trace));
  capture->contexts = g_new0 (FbRowInfo, n + 1);
  capture->schedules = g_new0 (FbRowInfo, n + 1);
  for (guint i = 0; i < n; i++)
    {
      capture->contexts[i] = (FbRowInfo){ .kind = FB_ROW_TRACE, .key = "", .rowid = i + 1 };
      if (fb_viz_trace_is_schedule (capture->trace, i))
        capture->schedules[capture->n_schedules++] = (FbRowInfo){ .kind = FB_ROW_SCHEDULE, .key = "", .rowid = i + 1 };
    }
  if (n == 0)
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_EMPTY, "%s: the trace holds no rewrites.", capture->path);
  return n > 0;
}

FbCapture *
fb_capture_open_any (const char *path, const char *release, GError **error)
{
  g_autoptr (FbCapture) capture = NULL;

  if (!fb_viz_trace_sniff_file (path))
    return fb_capture_open (path, release, error);
  capture = g_new0 (FbCapture, 1);
  capture->path = g_strdup (path);
  capture->pickle = fb_pickle_new ();
  return open_trace (capture, release, error) ? g_steal_pointer (&capture) : NULL;
}

FbCapture *
fb_capture_open (const char *path, const char *release, GError **error)
{
  g_autoptr (FbCapture) capture = g_new0 (FbCapture, 1);
  guint8 head[SNIFF_BYTES];
  gsize n_head, size;
  gboolean ok;
  int fd;

  capture->path = g_strdup (path);
  capture->release = release ? fb_release_from_name (release) : -1;
  capture->pickle = fb_pickle_new ();
  if (release && capture->release < 0)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_VERSION,
                   "%s is not a release whose op numbers are known; they are v0.10.0, v0.10.1, v0.10.2 and v0.10.3.",
                   release);
      return NULL;
    }
  fd = open_regular (path, head, &n_head, &size, error);
  if (fd < 0)
    return NULL;
  if (!fb_database_sniff (head, n_head))
    ok = open_pickle (capture, fd, head, n_head, size, error);
  else if ((ok = (capture->database = fb_database_open (path, error)) != NULL)
           && !fb_capture_n_rows (capture, fb_capture_main_kind (capture)))
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_NOT_CAPTURE,
                   "%s holds a VIZ trace; the window, info and trace read it.", path);
      ok = FALSE;
    }
  else if (ok)
    {
      const char *table = fb_database_table (capture->database, fb_capture_main_kind (capture));
      capture->format
          = g_strdup_printf ("%s, %s", fb_database_is_session (capture->database) ? "session" : "database", table);
    }
  close (fd);
  return ok ? g_steal_pointer (&capture) : NULL;
}
