/* `fusebox replay`: exit codes, shards, results joined and stopped, the errors of the reference. */
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>

#include "tests/cli/folder.h"
#include "tests/cli/run.h"

#define path_in(fixture, name) g_build_filename ((fixture)->folder, name, NULL)

static const char *
last_line (const FbRun *run)
{
  char *end;

  g_assert_true (g_str_has_suffix (run->out, "\n"));
  run->out[strlen (run->out) - 1] = '\0';
  end = strrchr (run->out, '\n');
  return end ? end + 1 : run->out;
}

static void
assert_refused (const FbRun *run, const char *names)
{
  g_assert_cmpint (run->status, ==, 2);
  g_assert_cmpstr (run->out, ==, "");
  g_assert_true (g_str_has_prefix (run->err, "fusebox: "));
  g_assert_true (strchr (run->err, '\n') == run->err + strlen (run->err) - 1);
  g_assert_nonnull (strstr (run->err, names));
}

static JsonObject *
parse (JsonParser *parser, const char *text)
{
  g_autoptr (GError) error = NULL;
  json_parser_load_from_data (parser, text, -1, &error);
  g_assert_no_error (error);
  return json_node_get_object (json_parser_get_root (parser));
}

static char *
read_file (const char *path)
{
  char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  return text;
}

static void
write_file (const char *path, const char *text)
{
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* --- exit codes --- */

#define ALL_SAMPLES "attention.db", "embedding.db", "lerp.db", "kv_cache.db", "mlp_train.db", "views.db"

static void
test_identical (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FbRun) run = fb_run_words ("replay", ALL_SAMPLES);
  g_assert_cmpint (run->status, ==, 0);
  g_assert_cmpstr (run->err, ==, "");
  g_assert_true (
      g_regex_match_simple ("^replayed (\\d+) captures: \\1 identical, 0 changed, 0 failed\n$", run->out, 0, 0));
}

static void
test_changed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FbRun) run = fb_run_words ("replay", "lerp.db", "--set", "DONT_REALIZE_EXPAND=1");
  g_assert_cmpint (run->status, ==, 1);
  g_assert_cmpstr (run->out, ==,
                   "lerp.db: row 1: changed: 3 → 1 kernels: 1 merged\n"
                   "replayed 1 captures: 0 identical, 1 changed, 0 failed\n");
}

static void
test_fail_on (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *class;
    int status;
  } cases[] = { { "merged", 1 }, { "new,merged", 1 }, { "split", 0 }, { "views-only", 0 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbRun) run
          = fb_run_words ("replay", "lerp.db", "--set", "DONT_REALIZE_EXPAND=1", "--fail-on", cases[i].class);
      g_assert_cmpint (run->status, ==, cases[i].status);
    }
  g_autoptr (FbRun) both = fb_run_words ("replay", "lerp.db", "--set", "DONT_REALIZE_EXPAND=1", "--fail-on", "gone",
                                         "--fail-on", "merged");
  g_assert_cmpint (both->status, ==, 1);
}

static void
test_arguments (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *words[4], *names;
  } cases[] = {
    { { NULL }, "FILE" },
    { { "lerp.db", "--shard", "0/2" }, "0/2" },
    { { "lerp.db", "--shard", "3/2" }, "3/2" },
    { { "lerp.db", "--shard", "1" }, "I/N" },
    { { "lerp.db", "--set", "FUSE=1" }, "FUSE_ARANGE" },
    { { "lerp.db", "--set", "FUSE_ARANGE=x" }, "from 0 to 1" },
    { { "lerp.db", "--fail-on", "worse" }, "constants only" },
    { { "lerp.db", "--fail-on", "identical" }, "identical" },
    { { "--merge", "--shard", "1/2", "x.json" }, "--merge" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbRun) run
          = fb_run_words ("replay", cases[i].words[0], cases[i].words[1], cases[i].words[2], cases[i].words[3]);
      assert_refused (run, cases[i].names);
    }
}

/* What can be done is done, and the rest is told. */
static void
test_missing_file (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FbRun) run = fb_run_words ("replay", "lerp.db", "missing.db");
  g_assert_cmpint (run->status, ==, 2);
  g_assert_nonnull (strstr (run->err, "missing.db"));
  g_assert_cmpstr (last_line (run), ==, "replayed 1 captures: 1 identical, 0 changed, 0 failed");
}

/* `--json a.db b.db` must not write over a capture. */
static void
test_json_over_capture (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = path_in (fixture, "precious.db");
  write_file (path, "not JSON");
  g_autoptr (FbRun) run = fb_run_words ("replay", "--json", path, "lerp.db");
  assert_refused (run, "precious.db");
  g_autofree char *text = read_file (path);
  g_assert_cmpstr (text, ==, "not JSON");
}

/* --- rows --- */

/* @n rows, each the first row of @sample, with keys of their own. */
static char *
repeat_row (Fixture *fixture, const char *sample, guint n)
{
  g_autofree char *from = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), sample, NULL);
  char *path = path_in (fixture, "many.db");
  g_autofree char *sql = g_strdup_printf (
      "ATTACH '%s' AS sample; CREATE TABLE schedule_process_replay_19 (key text primary key, val blob);"
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %u)"
      "INSERT INTO schedule_process_replay_19 SELECT key || i, val FROM n,"
      " (SELECT * FROM sample.schedule_process_replay_19 LIMIT 1);",
      from, n);
  sqlite3 *db = NULL;
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  return path;
}

static void
test_groups (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = repeat_row (fixture, "lerp.db", 214);
  g_autoptr (FbRun) run = fb_run_words ("replay", path, "--set", "DONT_REALIZE_EXPAND=1");
  g_autofree char *line = g_strdup_printf ("\nsame change in 214 captures: merged ");
  g_assert_cmpint (run->status, ==, 1);
  g_assert_nonnull (strstr (run->out, line));
  g_assert_cmpstr (last_line (run), ==, "replayed 214 captures: 0 identical, 214 changed, 0 failed");
}

static void
test_json (Fixture *fixture, gconstpointer data)
{
  g_autoptr (FbRun) run
      = fb_run_words ("replay", "embedding.db", "lerp.db", "--set", "DONT_REALIZE_EXPAND=1", "--json");
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root = parse (parser, run->out), *row, *difference;

  g_assert_cmpint (run->status, ==, 1);
  g_assert_cmpstr (json_object_get_string_member (root, "format"), ==, "fusebox replay 1");
  g_assert_false (json_object_get_boolean_member (root, "partial"));
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (root, "options"), "DONT_REALIZE_EXPAND"),
                   ==, 1);
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (root, "files")), ==, 2);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (root, "totals"), "changed"), ==, 1);
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (root, "rows")), ==, 1);
  row = json_array_get_object_element (json_object_get_array_member (root, "rows"), 0);
  g_assert_cmpint (json_object_get_int_member (row, "file"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (row, "row"), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (row, "status"), ==, "changed");
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (row, "classes"), "merged"), ==, 1);
  difference = json_array_get_object_element (json_object_get_array_member (row, "differences"), 0);
  g_assert_cmpint (json_array_get_int_element (json_object_get_array_member (difference, "captured"), 2), ==, 3);
}

/* `--json -` and `--json` are the same, and so is every number of threads. */
static void
test_same_bytes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = repeat_row (fixture, "lerp.db", 50);
  g_autoptr (FbRun) one
      = fb_run_words ("replay", path, ALL_SAMPLES, "--set", "FUSE_ARANGE=1", "--json", "-", "--jobs", "1");
  g_autoptr (FbRun) many
      = fb_run_words ("replay", path, ALL_SAMPLES, "--set", "FUSE_ARANGE=1", "--jobs", "7", "--json");
  g_assert_cmpint (one->status, ==, 1);
  g_assert_cmpstr (one->out, ==, many->out);
}

/* --- shards --- */

static void
test_merge (Fixture *fixture, gconstpointer data)
{
  g_autofree char *many = repeat_row (fixture, "lerp.db", 20), *whole = path_in (fixture, "whole.json");
  g_autofree char *joined = path_in (fixture, "joined.json"), *rejoined = path_in (fixture, "rejoined.json");
  g_autofree char *two = path_in (fixture, "two.json");
  char *parts[3];

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *name = g_strdup_printf ("%u.json", i), *shard = g_strdup_printf ("%u/3", i + 1);
      parts[i] = path_in (fixture, name);
      g_autoptr (FbRun) run = fb_run_words ("replay", many, ALL_SAMPLES, "--set", "DONT_REALIZE_EXPAND=1", "--shard",
                                            shard, "--json", parts[i]);
      g_assert_cmpint (run->status, ==, 1);
    }
  g_autoptr (FbRun) all = fb_run_words ("replay", many, ALL_SAMPLES, "--set", "DONT_REALIZE_EXPAND=1", "--json", whole);
  g_autoptr (FbRun) merged = fb_run_words ("replay", "--merge", parts[2], parts[0], parts[1], "--json", joined);
  g_assert_cmpint (merged->status, ==, 1);
  g_assert_cmpstr (merged->out, ==, all->out);
  g_autofree char *a = read_file (whole), *b = read_file (joined);
  g_assert_cmpstr (a, ==, b);

  /* two of three are partial, and can be joined with the third later */
  g_autoptr (FbRun) partly = fb_run_words ("replay", "--merge", parts[0], parts[2], "--json", two);
  g_assert_cmpint (partly->status, ==, 2);
  g_assert_nonnull (strstr (partly->err, "2 of 3 shards"));
  g_autoptr (FbRun) again = fb_run_words ("replay", "--merge", two, parts[1], "--json", rejoined);
  g_autofree char *c = read_file (rejoined);
  g_assert_cmpstr (a, !=, "");
  g_assert_cmpint (again->status, ==, 1);
  g_assert_cmpstr (c, ==, a);

  g_autoptr (FbRun) overlap = fb_run_words ("replay", "--merge", two, parts[2]);
  assert_refused (overlap, "shard 3/3 is in both");
  g_autoptr (FbRun) with_whole = fb_run_words ("replay", "--merge", whole, parts[2]);
  assert_refused (with_whole, "shards");
  for (guint i = 0; i < 3; i++)
    g_free (parts[i]);
}

static void
test_merge_mismatch (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *file, *set, *names;
  } cases[] = {
    { "views.db", "FUSE_ARANGE=0", "not the same capture" },
    { "lerp.db", "FUSE_ARANGE=1", "different options" },
  };
  g_autofree char *first = path_in (fixture, "first.json"), *second = path_in (fixture, "second.json");

  g_autoptr (FbRun) run
      = fb_run_words ("replay", "lerp.db", "--set", "FUSE_ARANGE=0", "--shard", "1/2", "--json", first);
  g_assert_cmpint (run->status, ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbRun) other
          = fb_run_words ("replay", cases[i].file, "--set", cases[i].set, "--shard", "2/2", "--json", second);
      g_assert_cmpint (other->status, ==, 0);
      g_autoptr (FbRun) merged = fb_run_words ("replay", "--merge", first, second);
      assert_refused (merged, cases[i].names);
    }
}

/* Whatever --merge is given is a result or one error. */
static void
test_merge_malformed (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = path_in (fixture, "bad.json"), *good = NULL;
  g_autofree char *deep = g_strnfill (200000, '[');
  g_autoptr (FbRun) run = fb_run_words ("replay", "lerp.db", "--set", "DONT_REALIZE_EXPAND=1", "--json");
  const char *const whole[] = { "", "{", "[]", "{}", "null", "{\"format\":\"fusebox replay 1\"}", deep };
  static const struct
  {
    const char *from, *to;
  } edits[] = {
    { "\"row\":1", "\"row\":-1" },
    { "\"file\":0", "\"file\":7" },
    { "\"merged\"", "\"mangled\"" },
    { "\"status\":\"changed\"", "\"status\":\"odd\"" },
    { "\"shards\":[1]", "\"shards\":[2]" },
    { "\"shards\":[1]", "\"shards\":[]" },
    { "\"partial\":false", "\"partial\":1" },
    { "\"captured\":[1,", "\"captured\":[0," },
    { "\"digest\":", "\"digests\":" },
    { "\"differences\":[", "\"differences\":[3," },
  };

  for (guint i = 0; i < G_N_ELEMENTS (whole); i++)
    {
      write_file (path, whole[i]);
      g_autoptr (FbRun) merged = fb_run_words ("replay", "--merge", path);
      assert_refused (merged, "bad.json");
    }
  for (guint i = 0; i < G_N_ELEMENTS (edits); i++)
    {
      g_auto (GStrv) pieces = g_strsplit (run->out, edits[i].from, -1);
      g_autofree char *bad = g_strjoinv (edits[i].to, pieces);
      g_assert_cmpstr (bad, !=, run->out);
      write_file (path, bad);
      g_autoptr (FbRun) merged = fb_run_words ("replay", "--merge", path);
      assert_refused (merged, "bad.json");
    }
  write_file (path, run->out);
  g_autoptr (FbRun) merged = fb_run_words ("replay", "--merge", path, "--json");
  g_assert_cmpstr (merged->out, ==, run->out);
}

/* --- stopped --- */

/* Changed rows print a line each, so the program cannot finish before its output is read: it is stopped in between. */
static void
test_stopped (Fixture *fixture, gconstpointer data)
{
  enum
  {
    N = 3000
  };
  g_autoptr (GError) error = NULL;
  g_autofree char *path = repeat_row (fixture, "lerp.db", N), *out = path_in (fixture, "out.json");
  g_autoptr (GSubprocess) process = g_subprocess_new (G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                                                      &error, g_getenv ("FUSEBOX_BIN"), "replay", path, "--set",
                                                      "DONT_REALIZE_EXPAND=1", "--json", out, NULL);
  g_assert_no_error (error);
  char first;
  g_assert_cmpint (g_input_stream_read (g_subprocess_get_stdout_pipe (process), &first, 1, NULL, NULL), ==, 1);
  g_subprocess_send_signal (process, SIGINT);
  g_autoptr (GBytes) text = NULL, err = NULL;
  g_subprocess_communicate (process, NULL, NULL, &text, &err, &error);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_get_if_exited (process));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 2);

  g_autofree char *json = read_file (out);
  g_autoptr (JsonParser) parser = json_parser_new ();
  JsonObject *root = parse (parser, json), *totals = json_object_get_object_member (root, "totals");
  gint64 replayed = json_object_get_int_member (totals, "replayed");
  g_assert_true (json_object_get_boolean_member (root, "partial"));
  g_assert_cmpint (json_object_get_int_member (totals, "rows"), ==, N);
  g_assert_cmpint (replayed, >, 0);
  g_assert_cmpint (replayed, <, N);
  g_assert_cmpint (json_array_get_length (json_object_get_array_member (root, "rows")), ==, replayed);
  g_autofree char *line = g_strdup_printf ("fusebox: stopped after %" G_GINT64_FORMAT " of %d\n", replayed, N);
  g_autofree char *said = g_strndup (g_bytes_get_data (err, NULL), g_bytes_get_size (err));
  g_assert_cmpstr (said, ==, line);
  /* a partial result is one that can be merged */
  g_autoptr (FbRun) merged = fb_run_words ("replay", "--merge", out, "--json");
  g_assert_cmpint (merged->status, ==, 2);
  g_assert_cmpstr (merged->out, ==, json);
}

/* --- the corpus --- */

static const char *
corpus_or_skip (void)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  if (corpus == NULL)
    g_test_skip ("no corpus");
  return corpus;
}

static void
test_errors (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *text, *kind;
  } kinds[] = {
    { "self operand of augmented assign must be contiguous", "self operand" },
    { "cycle detected in graph", "cycle" },
    { "can't merge reduceops with different alu", "unsupported" },
    { "can't merge more than two reduceops at a time", "unsupported" },
    { "UOp sources must have the same shape", "shape" },
    { "swizzle inputs must have the same size", "shape" },
    { "eval failed to be a single number", "shape" },
    { "UOp verification failed", "verify" },
    { "type: KeyError", "unsupported" },
  };
  const char *corpus = corpus_or_skip ();
  if (corpus == NULL)
    return;
  g_autofree char *folder = g_build_filename (corpus, "errors", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n = 0;
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;)
    {
      if (!g_str_has_suffix (name, ".err.txt"))
        continue;
      g_autofree char *text_path = g_build_filename (folder, name, NULL);
      g_autofree char *text = read_file (text_path);
      g_autofree char *stem = g_strndup (text_path, strlen (text_path) - strlen (".txt"));
      g_autofree char *db = g_strconcat (stem, ".db", NULL), *pickle = g_strconcat (stem, ".pkl", NULL);
      const char *kind = NULL;
      for (guint i = 0; i < G_N_ELEMENTS (kinds) && kind == NULL; i++)
        if (strstr (text, kinds[i].text) != NULL)
          kind = kinds[i].kind;
      g_assert_nonnull (kind);
      g_autoptr (FbRun) run = fb_run_words ("replay", db, "--json");
      g_autoptr (JsonParser) parser = json_parser_new ();
      JsonObject *root = parse (parser, run->out);
      JsonObject *row = json_array_get_object_element (json_object_get_array_member (root, "rows"), 0);
      JsonObject *error = json_object_get_object_member (row, "error");
      g_assert_cmpint (run->status, ==, 2);
      g_assert_cmpstr (json_object_get_string_member (error, "kind"), ==, kind);
      g_assert_cmpstr (json_object_get_string_member (error, "message"), !=, "");
      g_assert_cmpuint (strlen (json_object_get_string_member (error, "node")), ==, 16);
      g_assert_nonnull (strstr (run->err, kind));
      n++;
    }
  g_assert_cmpuint (n, >, 0);
}

/* The reference lost this graph to its recursion limit: there is nothing to compare with. */
static void
test_uncompared (Fixture *fixture, gconstpointer data)
{
  const char *corpus = corpus_or_skip ();
  if (corpus == NULL)
    return;
  g_autofree char *path = g_build_filename (corpus, "deep", "chain_5000.db", NULL);
  g_autoptr (FbRun) run = fb_run_words ("replay", path);
  g_assert_cmpint (run->status, ==, 0);
  g_assert_nonnull (strstr (run->out, "row 1: no kernels captured, 1 scheduled\n"));
  g_assert_cmpstr (last_line (run), ==,
                   "replayed 1 captures: 0 identical, 0 changed, 0 failed, 1 without captured kernels");
}

static void
test_corpus (Fixture *fixture, gconstpointer data)
{
  const char *corpus = corpus_or_skip (), *stride = g_getenv ("FUSEBOX_CORPUS_STRIDE");
  g_autofree char *shard = g_strdup_printf ("1/%s", stride != NULL ? stride : "1");
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  if (corpus == NULL)
    return;
  g_autoptr (GDir) dir = g_dir_open (corpus, 0, NULL);
  g_ptr_array_add (words, g_strdup ("replay"));
  g_ptr_array_add (words, g_strdup ("--shard"));
  g_ptr_array_add (words, g_strdup (shard));
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    if (g_str_has_suffix (name, ".db"))
      g_ptr_array_add (words, g_build_filename (corpus, name, NULL));
  g_ptr_array_add (words, NULL);
  g_autoptr (FbRun) run = fb_run (NULL, (const char *const *) words->pdata);
  g_assert_cmpint (run->status, ==, 0);
  g_assert_true (
      g_regex_match_simple ("^replayed (\\d+) captures: \\1 identical, 0 changed, 0 failed$", last_line (run), 0, 0));
}

#define ADD(name, function) g_test_add ("/replay/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("identical", test_identical);
  ADD ("changed", test_changed);
  ADD ("fail-on", test_fail_on);
  ADD ("arguments", test_arguments);
  ADD ("missing-file", test_missing_file);
  ADD ("json-over-capture", test_json_over_capture);
  ADD ("groups", test_groups);
  ADD ("json", test_json);
  ADD ("same-bytes", test_same_bytes);
  ADD ("merge", test_merge);
  ADD ("merge-mismatch", test_merge_mismatch);
  ADD ("merge-malformed", test_merge_malformed);
  ADD ("stopped", test_stopped);
  ADD ("errors", test_errors);
  ADD ("uncompared", test_uncompared);
  ADD ("corpus", test_corpus);
  return g_test_run ();
}
