/* fusebox check FILE...: is every row read exactly? Its recomputed key must equal the stored one. */
#include "cli-private.h"
#include "json.h"

typedef struct
{
  const char *path;
  gboolean json;
  GString *failures; /* JSON array items */
  guint n_ok, n_failed;
  int status;
} Checking;

/* What is wrong with a row; NULL result: nothing. */
typedef struct
{
  gboolean unreadable; /* else its key differs */
  char *message;
} Fault;

static void
fault_free (gpointer data)
{
  Fault *fault = data;
  if (fault == NULL)
    return;
  g_free (fault->message);
  g_free (fault);
}

static Fault *
fault_new (gboolean unreadable, char *message)
{
  Fault *fault = g_new (Fault, 1);
  fault->unreadable = unreadable;
  fault->message = message;
  return fault;
}

static gpointer
check_row (FbContext *context, FbCaptureRow *row, const GError *error, gpointer user)
{
  Checking *checking = user;
  if (row == NULL)
    return fault_new (TRUE, g_strdup (error->message));
  g_autofree char *got = NULL;
  if (!fb_capture_row_check_key (context, row, &got))
    return fault_new (FALSE, g_strdup_printf (_ ("%s: row %u: the key is %s, but its graph gives %s"), checking->path,
                                              row->row, row->key, got));
  /* a kernel has no key of its own; that it prints is what can be shown */
  if (row->kind == FB_ROW_KERNEL)
    {
      g_autofree char *text = fb_uop_to_text (context, row->sink);
      if (*text == '\0')
        return fault_new (TRUE,
                          g_strdup_printf (_ ("%s: row %u: the kernel does not print"), checking->path, row->row));
    }
  return NULL;
}

static void
append_failure (Checking *checking, guint row, const char *message)
{
  GString *json = checking->failures;
  g_string_append (json, json->len > 0 ? ",{\"file\":" : "{\"file\":");
  fb_json_append_string (json, checking->path);
  if (row > 0)
    g_string_append_printf (json, ",\"row\":%u", row);
  g_string_append (json, ",\"error\":");
  fb_json_append_string (json, message);
  g_string_append_c (json, '}');
}

static gboolean
count_row (guint row, gpointer result, gpointer user)
{
  Checking *checking = user;
  Fault *fault = result;
  if (fault == NULL)
    {
      checking->n_ok++;
      return TRUE;
    }
  checking->n_failed++;
  checking->status = MAX (checking->status, fault->unreadable ? FB_EXIT_FAILED : FB_EXIT_DIFFERENT);
  if (checking->json)
    append_failure (checking, row, fault->message);
  fb_cli_error ("%s", fault->message);
  fault_free (fault);
  return TRUE;
}

static void
check_file (Checking *checking, const char *release, guint jobs)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (checking->path, release, &error);
  if (capture == NULL)
    {
      checking->status = FB_EXIT_FAILED;
      if (checking->json)
        append_failure (checking, 0, error->message);
      fb_cli_error ("%s", error->message);
      return;
    }
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_KERNEL; kind++)
    if (fb_capture_n_rows (capture, kind) > 0)
      fb_cli_loop (&(FbCliLoop){
          .capture = capture,
          .release = release,
          .kind = kind,
          .first = 1,
          .last = fb_capture_n_rows (capture, kind),
          .jobs = jobs,
          .work = check_row,
          .deliver = count_row,
          .drop = fault_free,
          .user = checking,
      });
}

int
fb_cli_check (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  g_autofree char *release = NULL;
  gboolean json = FALSE;
  int jobs = 0;
  const GOptionEntry entries[] = {
    { "jobs", 'j', 0, G_OPTION_ARG_INT, &jobs, N_ ("Threads; one per processor if not given"), "N" },
    { "release", 0, 0, G_OPTION_ARG_STRING, &release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print the result as JSON"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  if (!fb_cli_parse (argc, argv, entries, "FILE…",
                     _ ("Reads every row and compares its recomputed key with the stored one.")))
    return FB_EXIT_FAILED;
  if (files == NULL)
    {
      fb_cli_error (_ ("check takes at least one FILE (see “fusebox check --help”)"));
      return FB_EXIT_FAILED;
    }

  Checking checking = { .json = json, .failures = g_string_new (NULL), .status = FB_EXIT_OK };
  for (char **file = files; *file != NULL; file++)
    {
      checking.path = *file;
      check_file (&checking, release, fb_cli_jobs (jobs));
    }
  guint n = checking.n_ok + checking.n_failed;
  if (json)
    fb_cli_print ("{\"rows\":%u,\"ok\":%u,\"failed\":%u,\"failures\":[%s]}\n", n, checking.n_ok, checking.n_failed,
                  checking.failures->str);
  else
    /* the words of a contract with scripts: not translated */
    fb_cli_print ("checked %u rows: %u ok, %u failed\n", n, checking.n_ok, checking.n_failed);
  g_string_free (checking.failures, TRUE);
  return checking.status;
}
