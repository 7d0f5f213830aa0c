/* What the command line answers to bad input, and that its JSON is JSON. */
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <sqlite3.h>
#include <string.h>

#include "folder.h"
#include "run.h"

static char *
write_file (Fixture *fixture, const char *name, const void *bytes, gsize len)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (fixture->folder, name, NULL);
  g_file_set_contents (path, bytes, (gssize) len, &error);
  g_assert_no_error (error);
  return path;
}

static char *
write_database (Fixture *fixture, const char *name, const char *sql)
{
  char *path = g_build_filename (fixture->folder, name, NULL);
  sqlite3 *db = NULL;
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, sql, NULL, NULL, NULL), ==, SQLITE_OK);
  sqlite3_close (db);
  return path;
}

static char *
read_sample (const char *name, gsize *len)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), name, NULL);
  char *bytes = NULL;
  g_assert_true (g_file_get_contents (path, &bytes, len, NULL));
  return bytes;
}

/* Cannot do it: exit 2, nothing on stdout unless @may_print, one line on stderr that names what it is about. */
static void
assert_refused (const FbRun *run, gboolean may_print, const char *names)
{
  g_assert_cmpint (run->status, ==, 2);
  if (!may_print)
    g_assert_cmpstr (run->out, ==, "");
  g_assert_true (g_str_has_prefix (run->err, "fusebox: "));
  g_assert_true (strchr (run->err, '\n') == run->err + strlen (run->err) - 1);
  g_assert_nonnull (strstr (run->err, names));
}

static const char *const readers[] = { "info", "check", "show", "trace", "open" };

/* Every subcommand refuses the file in the same way. */
static void
assert_all_refuse (const char *path, const char *names)
{
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      g_autoptr (FbRun) run = fb_run_words (readers[i], path);
      assert_refused (run, strcmp (readers[i], "check") == 0, names);
    }
}

static void
test_missing (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "missing.db", NULL);
  assert_all_refuse (path, "missing.db");
}

static void
test_directory (Fixture *fixture, gconstpointer data)
{
  assert_all_refuse (fixture->folder, "fusebox-cli-");
}

static void
test_empty_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (fixture, "empty.db", "", 0);
  assert_all_refuse (path, "empty.db");
}

static void
test_text_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (fixture, "letter.txt", "Dear reader,\n", 13);
  assert_all_refuse (path, "letter.txt");
}

static void
test_truncated (Fixture *fixture, gconstpointer data)
{
  gsize len;
  g_autofree char *bytes = read_sample ("mlp_train.db", &len);
  g_autofree char *header = write_file (fixture, "header.db", bytes, 60);
  g_autofree char *half = write_file (fixture, "half.db", bytes, len / 2);
  assert_all_refuse (header, "header.db");
  for (guint i = 0; i < G_N_ELEMENTS (readers); i++)
    {
      g_autoptr (FbRun) run = fb_run_words (readers[i], half);
      assert_refused (run, TRUE, "half.db");
    }
}

static void
test_no_captures (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_database (fixture, "other.db", "CREATE TABLE t (a); INSERT INTO t VALUES (1);");
  assert_all_refuse (path, "other.db");
}

static void
test_wrong_version (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_database (fixture, "old.db",
                                          "CREATE TABLE schedule_process_replay_3 (key text primary key, val blob);"
                                          "INSERT INTO schedule_process_replay_3 VALUES ('k', x'8004');");
  assert_all_refuse (path, "old.db");
}

static void
test_no_rows (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_database (fixture, "none.db",
                                          "CREATE TABLE schedule_process_replay_19 (key text primary key, val blob);");
  assert_all_refuse (path, "none.db");
}

/* The error of a value names the file, the row and the byte. */
static void
test_bad_pickle (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_database (fixture, "bad.db",
                                          "CREATE TABLE schedule_process_replay_19 (key text primary key, val blob);"
                                          "INSERT INTO schedule_process_replay_19 VALUES ('k', x'80042E');");
  for (guint i = 1; i < G_N_ELEMENTS (readers); i++)
    {
      g_autoptr (FbRun) run = fb_run_words (readers[i], path);
      assert_refused (run, TRUE, "bad.db");
      g_assert_nonnull (strstr (run->err, "row 1"));
      g_assert_nonnull (strstr (run->err, "byte 2"));
    }
}

/* A row whose stored key is not that of its graph is a difference, not a failure. */
static void
test_wrong_key (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sample = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "lerp.db", NULL);
  g_autofree char *sql
      = g_strdup_printf ("ATTACH '%s' AS s; CREATE TABLE schedule_process_replay_19 (key text primary key, val blob);"
                         "INSERT INTO schedule_process_replay_19 SELECT replace(key, 'b''e', 'b''f'), val FROM "
                         "s.schedule_process_replay_19;",
                         sample);
  g_autofree char *path = write_database (fixture, "key.db", sql);
  g_autoptr (FbRun) run = fb_run_words ("check", path);
  g_assert_cmpint (run->status, ==, 1);
  g_assert_cmpstr (run->out, ==, "checked 1 rows: 0 ok, 1 failed\n");
  g_assert_nonnull (strstr (run->err, "key.db: row 1"));
}

static void
test_control_characters (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = write_file (fixture, "a\nb\033[2J.db", "x", 1);
  g_autoptr (FbRun) run = fb_run_words ("info", path);
  assert_refused (run, FALSE, "a\\nb\\x1b[2J.db");
}

static void
test_arguments (void)
{
  static const struct
  {
    const char *words[8];
    const char *names;
  } cases[] = {
    { { "show", "lerp.db", "--row", "2" }, "lerp.db: row 2" },
    { { "show", "lerp.db", "--row", "-1" }, "lerp.db: row -1" },
    { { "show", "lerp.db", "--row", "99999999999" }, "99999999999" },
    { { "show", "pad_unsafe.db" }, "--row" },
    { { "show", "lerp.db", "--ast", "99" }, "lerp.db: row 1: no kernel 99" },
    { { "show", "lerp.db", "--ast", "-1" }, "from 1" },
    { { "show", "lerp.db", "--ast", "1", "--pass", "1" }, "--ast" },
    { { "show", "lerp.db", "--step", "1" }, "--step" },
    { { "show", "lerp.db", "--pass", "1", "--step", "9999" }, "no step 9999" },
    { { "show", "lerp.db", "--pass", "nonsense" }, "nonsense" },
    { { "show", "lerp.db", "--format", "gif" }, "gif" },
    { { "show", "lerp.db", "--kind", "kernel" }, "kernel" },
    { { "show", "lerp.db", "--kind", "thing" }, "thing" },
    { { "show", "lerp.db", "-o", "/nowhere/x" }, "/nowhere/x" },
    { { "show", "lerp.db", "views.db" }, "FILE" },
    { { "show" }, "FILE" },
    { { "info" }, "FILE" },
    { { "check" }, "FILE" },
    { { "trace" }, "FILE" },
    { { "trace", "lerp.db", "--row", "7" }, "lerp.db: row 7" },
    { { "trace", "lerp.db", "--pass", "99" }, "99" },
    { { "info", "--nonsense" }, "--nonsense" },
    { { "info", "lerp.db", "--release", "v9.9" }, "v9.9" },
    { { "frobnicate", "lerp.db" }, "frobnicate" },
    { { "open", "lerp.db", "--screenshot", "/tmp/x.png" }, "display" },
    { { "open", "lerp.db", "--page", "replay", "--dark" }, "--page needs a display" },
    { { "open" }, "FILE" },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (FbRun) run = fb_run (NULL, cases[i].words);
      g_test_message ("%s %s: %s", cases[i].words[0], cases[i].words[1], run->err);
      assert_refused (run, FALSE, cases[i].names);
    }
}

/* One bad file does not keep the others from being checked. */
static void
test_check_many (void)
{
  g_autoptr (FbRun) run = fb_run_words ("check", "lerp.db", "missing.db", "pad_unsafe.db");
  assert_refused (run, TRUE, "missing.db");
  g_assert_cmpstr (run->out, ==, "checked 3 rows: 3 ok, 0 failed\n");
}

static JsonNode *
parse_json (const char *text)
{
  g_autoptr (GError) error = NULL;
  JsonNode *node = json_from_string (text, &error);
  g_assert_no_error (error);
  g_assert_true (JSON_NODE_HOLDS_OBJECT (node));
  return node;
}

static void
test_info_json (void)
{
  g_autoptr (FbRun) run = fb_run_words ("info", "--json", "mlp_train.db");
  g_autoptr (JsonNode) node = parse_json (run->out);
  JsonObject *file = json_node_get_object (node);
  g_assert_cmpint (run->status, ==, 0);
  g_assert_cmpint (json_object_get_int_member (file, "schedules"), ==, 1);
  JsonObject *row = json_array_get_object_element (json_object_get_array_member (file, "rows"), 0);
  g_assert_cmpint (json_object_get_int_member (row, "row"), ==, 1);
  g_assert_cmpint (json_object_get_int_member (row, "nodes"), ==, json_object_get_int_member (file, "nodes"));
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (row, "options"), "PICKLE_BUFFERS"), ==,
                   0);
}

static void
test_check_json (void)
{
  g_autoptr (FbRun) run = fb_run_words ("check", "--json", "lerp.db", "missing.db");
  g_autoptr (JsonNode) node = parse_json (run->out);
  JsonObject *result = json_node_get_object (node);
  g_assert_cmpint (run->status, ==, 2);
  g_assert_cmpint (json_object_get_int_member (result, "ok"), ==, 1);
  JsonArray *failures = json_object_get_array_member (result, "failures");
  g_assert_cmpint (json_array_get_length (failures), ==, 1);
  g_assert_cmpstr (json_object_get_string_member (json_array_get_object_element (failures, 0), "file"), ==,
                   "missing.db");
}

static void
test_trace_lines (void)
{
  g_autoptr (FbRun) run = fb_run_words ("trace", "pad_unsafe.db"),
                    second = fb_run_words ("trace", "pad_unsafe.db", "--row", "2");
  g_auto (GStrv) lines = g_strsplit (run->out, "\n", -1);
  g_assert_cmpint (run->status, ==, 0);
  g_assert_cmpuint (g_strv_length (lines), ==, 3);
  g_autoptr (JsonNode) first = parse_json (lines[0]);
  g_assert_true (json_object_has_member (json_node_get_object (first), "passes"));
  g_assert_true (g_str_has_prefix (second->out, lines[1]));
}

/* What differs from run to run: the times. */
static void
test_rule_times (void)
{
  g_autoptr (FbRun) run = fb_run_words ("rules", "lerp.db", "--times", "--json"),
                    text = fb_run_words ("rules", "lerp.db", "--times");
  g_autoptr (JsonNode) node = parse_json (run->out);
  JsonObject *result = json_node_get_object (node);
  JsonArray *rules = json_object_get_array_member (result, "rules");
  double last = G_MAXDOUBLE, sum = 0;
  g_assert_cmpint (run->status, ==, 0);
  g_assert_cmpint (json_object_get_int_member (result, "runs"), >=, 5);
  for (guint i = 0; i < json_array_get_length (rules); i++)
    {
      JsonObject *rule = json_array_get_object_element (rules, i);
      double seconds = json_object_get_double_member (rule, "seconds");
      /* the slowest first */
      g_assert_cmpfloat (seconds, <=, last);
      last = seconds;
      sum += seconds;
    }
  g_assert_cmpfloat (sum, >, 0);
  g_assert_cmpint (text->status, ==, 0);
  g_assert_nonnull (strstr (text->out, "append-to-kernel"));
  g_assert_nonnull (strstr (text->out, "the shortest of "));
}

/* The order of rows does not depend on how many threads read them. */
static void
test_trace_jobs (void)
{
  g_autoptr (FbRun) one = fb_run_words ("trace", "kv_cache.db", "-j", "1"),
                    four = fb_run_words ("trace", "kv_cache.db", "-j", "4");
  g_assert_cmpuint (one->out_len, >, 0);
  g_assert_cmpstr (one->out, ==, four->out);
}

static void
test_output_file (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "graph.txt", NULL), *text = NULL;
  g_autoptr (FbRun) to_file = fb_run_words ("show", "lerp.db", "-o", path), plain = fb_run_words ("show", "lerp.db");
  g_assert_cmpint (to_file->status, ==, 0);
  g_assert_cmpstr (to_file->out, ==, "");
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, plain->out);
}

static void
test_formats (void)
{
  g_autoptr (FbRun) svg = fb_run_words ("show", "lerp.db", "--format", "svg"),
                    dot = fb_run_words ("show", "lerp.db", "-f", "dot", "-p", "1", "-s", "3"),
                    png = fb_run_words ("show", "lerp.db", "-f", "png", "--dark");
  g_assert_cmpint (svg->status, ==, 0);
  g_assert_nonnull (strstr (svg->out, "<svg"));
  g_assert_cmpint (dot->status, ==, 0);
  g_assert_nonnull (strstr (dot->out, "digraph"));
  g_assert_cmpint (png->status, ==, 0);
  g_assert_true (png->out_len > 1000 && memcmp (png->out, "\x89PNG", 4) == 0);
}

#define ADD(path, func) g_test_add ("/cli/" path, Fixture, NULL, set_up, func, tear_down)

/* A device is written to, not replaced by a file. */
static void
test_show_to_device (void)
{
  g_autoptr (FbRun) run = fb_run_words ("show", "lerp.db", "--row", "1", "-o", "/dev/null");

  g_assert_cmpint (run->status, ==, 0);
  g_assert_false (g_file_test ("/dev/null", G_FILE_TEST_IS_REGULAR));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("refuses/missing", test_missing);
  ADD ("refuses/directory", test_directory);
  ADD ("refuses/empty-file", test_empty_file);
  ADD ("refuses/text-file", test_text_file);
  ADD ("refuses/truncated", test_truncated);
  ADD ("refuses/no-captures", test_no_captures);
  ADD ("refuses/wrong-version", test_wrong_version);
  ADD ("refuses/no-rows", test_no_rows);
  ADD ("refuses/bad-pickle", test_bad_pickle);
  ADD ("refuses/control-characters", test_control_characters);
  g_test_add_func ("/cli/refuses/arguments", test_arguments);
  ADD ("check/wrong-key", test_wrong_key);
  g_test_add_func ("/cli/check/many", test_check_many);
  g_test_add_func ("/cli/check/json", test_check_json);
  g_test_add_func ("/cli/info/json", test_info_json);
  g_test_add_func ("/cli/trace/lines", test_trace_lines);
  g_test_add_func ("/cli/rules/times", test_rule_times);
  g_test_add_func ("/cli/trace/jobs", test_trace_jobs);
  ADD ("show/output-file", test_output_file);
  g_test_add_func ("/cli/show/formats", test_formats);
  g_test_add_func ("/cli/show-to-device", test_show_to_device);
  return g_test_run ();
}
