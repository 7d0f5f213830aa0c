/* Every row of every capture beside its ground truth: the key, the text of the graph and of its kernels, the trace.
 *
 * Runs on the shipped samples, and on FUSEBOX_CORPUS when that is set; FUSEBOX_CORPUS_STRIDE looks at every N-th row only. */
#include <stdlib.h>
#include <string.h>

#include "app/cli/trace-json.h"
#include "core/explain/why.h"

#include "truth.h"

enum
{
  MAX_REPORTS = 5, /* faults described per file; the rest are counted */
};

typedef struct
{
  char *database, *trace; /* paths */
  const char *name;       /* of the database, within its path */
  GHashTable *truths;     /* shared by the files of a folder; NULL for none */
  guint stride;
} Case;

typedef struct
{
  const Case *c;
  guint rows, faults;
  guint foreign; /* rows whose ground truth is of another graph than the one stored */
} Walk;

static void G_GNUC_PRINTF (3, 4) fault (Walk *walk, guint row, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  if (walk->faults++ < MAX_REPORTS)
    g_test_message ("%s row %u: %s", walk->c->name, row, message);
}

static char *
sha256 (const GString *text)
{
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) text->str, text->len);
}

static void
check_text (Walk *walk, FbContext *context, const FbCaptureRow *row, const FbTruth *truth)
{
  GString *text = g_string_new (NULL);
  fb_uop_append_text (context, row->sink, text);
  g_autofree char *hash = sha256 (text);
  if (strcmp (hash, truth->text) != 0)
    fault (walk, row->row, "the graph's text differs");

  g_string_truncate (text, 0);
  for (guint i = 0; i < row->kernels->len; i++)
    {
      if (i > 0)
        g_string_append_c (text, '\n');
      fb_uop_append_text (context, g_ptr_array_index (row->kernels, i), text);
    }
  g_autofree char *kernels_hash = sha256 (text);
  if (row->kernels->len != truth->n_kernels || strcmp (kernels_hash, truth->kernels) != 0)
    fault (walk, row->row, "the kernels' text differs");
  g_string_free (text, TRUE);
}

static int
compare_strings (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The line with the entries of "var_vals" sorted: Python collects them in a set, whose order is not reproducible. */
static char *
with_sorted_variables (const char *line)
{
  const char *marker = "\"var_vals\":{", *start = strstr (line, marker);
  const char *end = start == NULL ? NULL : strchr (start, '}');
  if (end == NULL)
    return g_strdup (line);
  start += strlen (marker);
  g_autofree char *body = g_strndup (start, end - start);
  g_auto (GStrv) entries = g_strsplit (body, ",", -1);
  qsort (entries, g_strv_length (entries), sizeof *entries, compare_strings);
  g_autofree char *sorted = g_strjoinv (",", entries);
  return g_strdup_printf ("%.*s%s%s", (int) (start - line), line, sorted, end);
}

/* The whole line, byte for byte: options, every match of every pass, realizes, kernels with their buffers. Then the ledger, which
 * must give the same realizes. */
static void
check_trace (Walk *walk, FbContext *context, const FbCaptureRow *row, const char *truth)
{
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  GString *json = g_string_new (NULL);
  fb_trace_append_row (json, context, row, schedule, 0);
  g_autofree char *got = with_sorted_variables (json->str), *want = with_sorted_variables (truth);
  gsize same = 0;
  while (got[same] != '\0' && got[same] == want[same])
    same++;
  if (got[same] != want[same])
    {
      gsize from = same > 90 ? same - 90 : 0;
      fault (walk, row->row, "trace differs at byte %" G_GSIZE_FORMAT ": …%.130s, not …%.130s", same, got + from,
             want + from);
    }
  g_string_free (json, TRUE);
  if (schedule->error == NULL)
    {
      g_autoptr (FbWhy) why = fb_why_new (schedule);
      FbLedgerAudit audit = fb_why_audit (why);
      if (!audit.replays || audit.n_unknown)
        fault (walk, row->row, "the ledger %s the realizes, and %u of %u verdicts have no reason",
               audit.replays ? "gives" : "does not give", audit.n_unknown, audit.n_verdicts);
    }
}

static void
check_row (Walk *walk, FbCapture *capture, FbContext *context, FbRowKind kind, guint number, const char *want)
{
  g_autoptr (GError) error = NULL;
  fb_context_reset (context);
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, kind, number, context, &error);
  walk->rows++;
  if (row == NULL)
    {
      fault (walk, number, "%s", error->message);
      return;
    }
  const FbTruth *truth = walk->c->truths == NULL ? NULL : fb_truth_find (walk->c->truths, walk->c->name, number);
  char key[17];
  if (!fb_capture_row_check_key (context, row, NULL))
    fault (walk, number, "the key differs");
  if (kind == FB_ROW_KERNEL)
    {
      g_autofree char *text = fb_uop_to_text (context, row->sink);
      if (!g_str_has_prefix (text, "UOp("))
        fault (walk, number, "the kernel does not print");
      return;
    }
  /* The reference interned equal constants of two rows that were alive at once, so 0.0 may have become -0.0 in its truth. Then the
   * truth's key is not the stored one, which was checked above. */
  if (truth != NULL && strcmp (fb_uop_key_hex (context, row->sink, key), truth->key) != 0)
    {
      walk->foreign++;
      return;
    }
  if (truth != NULL)
    check_text (walk, context, row, truth);
  if (want != NULL)
    check_trace (walk, context, row, want);
}

static void
test_file (gconstpointer data)
{
  const Case *c = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (c->database, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (GDataInputStream) trace = fb_truth_open_trace (c->trace, NULL);
  g_autoptr (FbContext) context = fb_context_new ();
  Walk walk = { .c = c };
  for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_KERNEL; kind++)
    for (guint row = 1; row <= fb_capture_n_rows (capture, kind); row++)
      {
        g_autofree char *want = NULL;
        if (trace != NULL && kind == FB_ROW_SCHEDULE)
          {
            want = g_data_input_stream_read_line (trace, NULL, NULL, &error);
            g_assert_no_error (error);
            g_assert_nonnull (want);
          }
        if ((row - 1) % c->stride == 0)
          check_row (&walk, capture, context, kind, row, want);
      }
  g_test_message ("%s: %u rows, %u faults, %u without truth", c->name, walk.rows, walk.faults, walk.foreign);
  g_assert_cmpuint (walk.rows, >, 0);
  g_assert_cmpuint (walk.foreign * 1000, <=, walk.rows);
  if (walk.faults > 0)
    g_test_fail ();
}

static void
case_free (gpointer data)
{
  Case *c = data;
  g_free (c->database);
  g_free (c->trace);
  if (c->truths != NULL)
    g_hash_table_unref (c->truths);
  g_free (c);
}

/* A test for each database of @folder, with its ground truth in @truth_folder. */
static void
add_folder (const char *label, const char *folder, const char *truth_folder, guint stride)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &error);
  g_assert_no_error (error);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, ".db"))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_strings);
  g_autoptr (GHashTable) truths = fb_truth_load (truth_folder, NULL);
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);
      Case *c = g_new0 (Case, 1);
      g_autofree char *stem = g_strndup (name, strlen (name) - strlen (".db"));
      g_autofree char *trace = g_strconcat (stem, ".trace.jsonl.gz", NULL);
      g_autofree char *path = g_strdup_printf ("/conformance/%s/%s", label, stem);
      c->database = g_build_filename (folder, name, NULL);
      c->trace = g_build_filename (truth_folder, trace, NULL);
      c->name = c->database + strlen (c->database) - strlen (name);
      c->truths = truths == NULL ? NULL : g_hash_table_ref (truths);
      c->stride = stride;
      g_test_add_data_func_full (path, c, test_file, case_free);
    }
}

static char *
read_first_key (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (capture, fb_capture_main_kind (capture), 1, context, &error);
  g_assert_no_error (error);
  char key[17];
  return g_strdup (fb_uop_key_hex (context, row->sink, key));
}

/* NAME.pkl is the graph of NAME.db's first row, pickled alone. */
static void
test_bare_pickles (gconstpointer data)
{
  const char *folder = data;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, ".pkl"))
      {
        g_autofree char *pickle = g_build_filename (folder, name, NULL);
        g_autofree char *database = g_strdup_printf ("%.*s.db", (int) (strlen (pickle) - strlen (".pkl")), pickle);
        g_autofree char *a = read_first_key (pickle), *b = read_first_key (database);
        g_assert_cmpstr (a, ==, b);
        n++;
      }
  g_assert_cmpuint (n, >, 0);
}

static void
add_corpus (const char *corpus, guint stride)
{
  static const char *const special[] = { "errors", "deep" };
  add_folder ("corpus", corpus, corpus, stride);
  for (guint i = 0; i < G_N_ELEMENTS (special); i++)
    {
      g_autofree char *folder = g_build_filename (corpus, special[i], NULL);
      g_autofree char *path = g_strdup_printf ("/conformance/%s/bare-pickles", special[i]);
      if (!g_file_test (folder, G_FILE_TEST_IS_DIR))
        continue;
      add_folder (special[i], folder, folder, 1);
      g_test_add_data_func_full (path, g_strdup (folder), test_bare_pickles, g_free);
    }
}

static void
test_no_corpus (void)
{
  g_test_skip ("FUSEBOX_CORPUS is not set");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  const char *samples = g_getenv ("FUSEBOX_SAMPLES"), *corpus = g_getenv ("FUSEBOX_CORPUS");
  const char *stride = g_getenv ("FUSEBOX_CORPUS_STRIDE");
  g_autofree char *truth = g_build_filename (g_getenv ("FUSEBOX_SOURCE"), "tests", "conformance", "samples", NULL);
  add_folder ("samples", samples, truth, 1);
  if (corpus != NULL)
    add_corpus (corpus, stride == NULL ? 1 : MAX (1, (guint) g_ascii_strtoull (stride, NULL, 10)));
  else
    g_test_add_func ("/conformance/corpus", test_no_corpus);
  return g_test_run ();
}
