/* Files: databases made here in every state, bare pickles, and what is neither. Nothing is ever written beside them. */
#include <glib/gstdio.h>
#include <sqlite3.h>

#include "assemble.h"

typedef struct
{
  char *folder, *path;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  f->folder = g_dir_make_tmp ("fusebox-test-XXXXXX", &error);
  g_assert_no_error (error);
  f->path = g_build_filename (f->folder, "cache.db", NULL);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* Names in the folder, sorted, joined by a blank. */
static char *
list_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  while ((name = g_dir_read_name (dir)))
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  g_autoptr (GDir) dir = NULL;
  const char *name;

  g_chmod (f->folder, 0700);
  dir = g_dir_open (f->folder, 0, NULL);
  while ((name = g_dir_read_name (dir)))
    {
      g_autofree char *path = g_build_filename (f->folder, name, NULL);
      if (g_unlink (path) != 0)
        g_rmdir (path);
    }
  g_rmdir (f->folder);
  g_free (f->folder);
  g_free (f->path);
}

static void
run_sql (sqlite3 *db, const char *sql)
{
  char *message = NULL;

  if (sqlite3_exec (db, sql, NULL, NULL, &message) != SQLITE_OK)
    g_error ("%s: %s", sql, message);
}

static sqlite3 *
open_db (const char *path)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  return db;
}

#define SCHEDULES "CREATE TABLE schedule_process_replay_19 (key text, val blob, PRIMARY KEY (key));"

static void
make_db (const char *path, const char *sql)
{
  sqlite3 *db = open_db (path);

  run_sql (db, sql);
  g_assert_cmpint (sqlite3_close (db), ==, SQLITE_OK);
}

/* Opening fails with @code, and the message is the path and @rest. */
static void
check_refused (const char *path, int code, const char *rest)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  g_autofree char *expected = g_strconcat (path, rest, NULL);

  g_assert_null (capture);
  g_assert_cmpstr (error->message, ==, expected);
  g_assert_error (error, FB_CAPTURE_ERROR, code);
}

static FbCapture *
open_ok (const char *path)
{
  g_autoptr (GError) error = NULL;
  FbCapture *capture = fb_capture_open (path, NULL, &error);

  g_assert_no_error (error);
  return capture;
}

/* 10,000 rows list in rowid order, with the sizes of values that are not read: together they would be 50 MB. */
static void
test_list (Fixture *f, gconstpointer data)
{
  g_autoptr (FbCapture) capture = NULL;
  const FbRowInfo *info;

  make_db (f->path, "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; CREATE TABLE other (x); " SCHEDULES
                    "CREATE TABLE kernel_process_replay_19 (key text, val blob);"
                    "WITH RECURSIVE n(i) AS (SELECT 10000 UNION ALL SELECT i - 1 FROM n WHERE i > 1)"
                    " INSERT INTO schedule_process_replay_19 (rowid, key, val) SELECT i, 'k' || i, zeroblob(i) FROM n;"
                    "INSERT INTO kernel_process_replay_19 VALUES (7, x'00');");
  capture = open_ok (f->path);
  g_assert_cmpstr (fb_capture_path (capture), ==, f->path);
  g_assert_cmpstr (fb_capture_format (capture), ==, "database, schedule_process_replay_19");
  g_assert_cmpint (fb_capture_main_kind (capture), ==, FB_ROW_SCHEDULE);
  g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_SCHEDULE), ==, 10000);
  g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_KERNEL), ==, 1);
  g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_GRAPH), ==, 0);
  for (guint row = 1; row <= 10000; row++)
    {
      g_autofree char *key = g_strdup_printf ("k%u", row);

      info = fb_capture_row_info (capture, FB_ROW_SCHEDULE, row);
      g_assert_cmpint (info->kind, ==, FB_ROW_SCHEDULE);
      g_assert_cmpint (info->rowid, ==, row);
      g_assert_cmpuint (info->size, ==, row);
      g_assert_cmpstr (info->key, ==, key);
    }
  g_assert_cmpstr (fb_capture_row_info (capture, FB_ROW_KERNEL, 1)->key, ==, "7");
  g_assert_null (fb_capture_row_info (capture, FB_ROW_SCHEDULE, 0));
  g_assert_null (fb_capture_row_info (capture, FB_ROW_SCHEDULE, 10001));
}

static GBytes *
sample_blob (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "lerp.db", NULL);
  g_autoptr (FbCapture) capture = open_ok (path);

  return fb_capture_read_blob (capture, FB_ROW_SCHEDULE, 1, NULL);
}

static void
insert_row (sqlite3 *db, const char *key, GBytes *val)
{
  sqlite3_stmt *stmt;
  gsize len;
  const void *bytes = g_bytes_get_data (val, &len);

  sqlite3_prepare_v2 (db, "INSERT INTO schedule_process_replay_19 VALUES (?, ?)", -1, &stmt, NULL);
  sqlite3_bind_text (stmt, 1, key, -1, SQLITE_STATIC);
  sqlite3_bind_blob (stmt, 2, bytes, (int) len, SQLITE_STATIC);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_DONE);
  sqlite3_finalize (stmt);
}

static void
check_reads (FbCapture *capture, guint row)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCaptureRow) read = fb_capture_read_row (capture, FB_ROW_SCHEDULE, row, context, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (read->row, ==, row);
  g_assert_cmpuint (read->kernels->len, >, 0);
}

/* Another connection has it open in WAL mode, with committed rows in the log and a transaction under way. */
static void
test_live (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) blob = sample_blob ();
  sqlite3 *db = open_db (f->path);

  run_sql (db, "PRAGMA journal_mode=WAL; " SCHEDULES);
  insert_row (db, "a", blob);
  run_sql (db, "BEGIN IMMEDIATE");
  insert_row (db, "b", blob);
  {
    g_autoptr (FbCapture) capture = open_ok (f->path);

    g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_SCHEDULE), ==, 1);
    check_reads (capture, 1);
    run_sql (db, "COMMIT"); /* the reader is not in the way */
    check_reads (capture, 1);
  }
  {
    g_autoptr (FbCapture) capture = open_ok (f->path);
    g_autofree char *names = list_folder (f->folder);

    g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_SCHEDULE), ==, 2);
    check_reads (capture, 2);
    g_assert_cmpstr (names, ==, "cache.db cache.db-shm cache.db-wal");
    run_sql (db, "DELETE FROM schedule_process_replay_19 WHERE key = 'a'");
    {
      g_autoptr (FbContext) context = fb_context_new ();
      g_autoptr (GError) error = NULL;

      g_assert_null (fb_capture_read_row (capture, FB_ROW_SCHEDULE, 1, context, &error));
      g_assert_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_ROW);
      g_assert_nonnull (strstr (error->message, "row 1 is no longer there"));
    }
  }
  sqlite3_close (db);
}

/* WAL mode in the header, no log: opening leaves nothing behind, also in a folder that cannot be written. */
static void
test_read_only_folder (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) blob = sample_blob ();
  sqlite3 *db = open_db (f->path);
  g_autofree char *names = NULL;

  run_sql (db, "PRAGMA journal_mode=WAL; " SCHEDULES);
  insert_row (db, "a", blob);
  sqlite3_close (db);
  g_chmod (f->path, 0400);
  g_chmod (f->folder, 0500);
  {
    g_autoptr (FbCapture) capture = open_ok (f->path);

    check_reads (capture, 1);
    names = list_folder (f->folder);
    g_assert_cmpstr (names, ==, "cache.db");
  }
  g_free (names);
  names = list_folder (f->folder);
  g_assert_cmpstr (names, ==, "cache.db");
}

static void
copy_file (const char *from, const char *to)
{
  g_autofree char *bytes = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (from, &bytes, &len, NULL));
  g_assert_true (g_file_set_contents (to, bytes, (gssize) len, NULL));
}

/* A log without an index: the program was killed, or only these two files were copied. */
static void
test_orphan_log (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) blob = sample_blob ();
  g_autofree char *wal = g_strconcat (f->path, "-wal", NULL);
  g_autofree char *copy = g_build_filename (f->folder, "copy.db", NULL), *copy_wal = g_strconcat (copy, "-wal", NULL);
  g_autofree char *before = NULL, *after = NULL;
  sqlite3 *db = open_db (f->path);

  run_sql (db, "PRAGMA journal_mode=WAL; " SCHEDULES);
  insert_row (db, "a", blob);
  copy_file (f->path, copy);
  copy_file (wal, copy_wal);
  sqlite3_close (db);
  before = list_folder (f->folder);
  {
    g_autoptr (FbCapture) capture = open_ok (copy);

    g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_SCHEDULE), ==, 1);
    check_reads (capture, 1);
    after = list_folder (f->folder);
    g_assert_cmpstr (after, ==, before);
  }
}

static void
test_not_captures (Fixture *f, gconstpointer data)
{
  g_autofree char *missing = g_build_filename (f->folder, "missing.db", NULL);
  g_autofree char *text = g_build_filename (f->folder, "text", NULL);

  check_refused (missing, FB_CAPTURE_ERROR_OPEN, " does not exist.");
  check_refused (f->folder, FB_CAPTURE_ERROR_OPEN, " is a folder, not a file with captures.");
  check_refused ("/dev/null", FB_CAPTURE_ERROR_OPEN, " is not a regular file.");
  g_file_set_contents (text, "", 0, NULL);
  check_refused (text, FB_CAPTURE_ERROR_NOT_CAPTURE, " is empty.");
  g_file_set_contents (text, "hello, world\n", -1, NULL);
  check_refused (text, FB_CAPTURE_ERROR_NOT_CAPTURE, " is neither a database nor a pickle, so it holds no captures.");
  g_file_set_contents (text, "(hello, world)\n", -1, NULL);
  check_refused (text, FB_CAPTURE_ERROR_NOT_CAPTURE, " is neither a database nor a pickle, so it holds no captures.");
  g_file_set_contents (text, "\x80\x04N", -1, NULL);
  check_refused (text, FB_CAPTURE_ERROR_PICKLE, ", byte 3: the pickle ends after 3 bytes, in the middle.");
  g_file_set_contents (text, "\x80\x04N.", -1, NULL);
  check_refused (text, FB_CAPTURE_ERROR_CONTENT, ": it holds neither a graph nor a captured schedule or kernel.");
  g_file_set_contents (text, "SQLite format 3\0and no more", 27, NULL);
  check_refused (text, FB_CAPTURE_ERROR_CORRUPT, " is cut short: it ends within the header of a database.");
  if (geteuid () != 0)
    {
      g_chmod (text, 0);
      check_refused (text, FB_CAPTURE_ERROR_OPEN, " cannot be opened: Permission denied.");
    }
}

static void
test_other_tables (Fixture *f, gconstpointer data)
{
  static const struct
  {
    const char *sql;
    int code;
    const char *message;
  } cases[] = {
    { "CREATE TABLE compile_clang_19 (key text, val blob);", FB_CAPTURE_ERROR_NOT_CAPTURE,
      " is a database without captures; run the tinygrad program with CAPTURE_PROCESS_REPLAY=1 to make some." },
    { "CREATE TABLE process_replay_22 (key text, val blob);", FB_CAPTURE_ERROR_VERSION,
      " holds captures of cache version 22; this program reads 19 (tinygrad 0.10.1 to 0.10.3) and 16 (0.10.0)." },
    { "CREATE TABLE schedule_process_replay_17 (key text, val blob);", FB_CAPTURE_ERROR_VERSION,
      " holds captures of cache version 17; this program reads 19 (tinygrad 0.10.1 to 0.10.3) and 16 (0.10.0)." },
    { SCHEDULES, FB_CAPTURE_ERROR_EMPTY, " holds no captures: its table schedule_process_replay_19 has no rows." },
    { "CREATE TABLE schedule_process_replay_19 (a, b);", FB_CAPTURE_ERROR_NOT_CAPTURE,
      " has a table schedule_process_replay_19, but not one of captures: no such column: key." },
    { "CREATE TABLE schedule_process_replay_19 (key text PRIMARY KEY, val blob) WITHOUT ROWID;",
      FB_CAPTURE_ERROR_NOT_CAPTURE,
      " has a table schedule_process_replay_19, but not one of captures: no such column: rowid." },
    { "CREATE VIEW schedule_process_replay_19 AS SELECT 1 AS key, 2 AS val;", FB_CAPTURE_ERROR_NOT_CAPTURE,
      " is a database without captures; run the tinygrad program with CAPTURE_PROCESS_REPLAY=1 to make some." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      make_db (f->path, cases[i].sql);
      check_refused (f->path, cases[i].code, cases[i].message);
      g_unlink (f->path);
    }
}

static void
test_values (Fixture *f, gconstpointer data)
{
  static const struct
  {
    int code;
    const char *message;
  } cases[] = {
    { FB_CAPTURE_ERROR_CONTENT, ": row 1: its val is not a blob." },
    { FB_CAPTURE_ERROR_CONTENT, ": row 2: its val is not a blob." },
    { FB_CAPTURE_ERROR_PICKLE, ": row 3, byte 0: the pickle ends after 0 bytes, in the middle." },
    { FB_CAPTURE_ERROR_PICKLE, ": row 4, byte 4: the pickle ends after 4 bytes, in the middle." },
    { FB_CAPTURE_ERROR_CONTENT, ": row 5: it holds neither a graph nor a captured schedule or kernel." },
    { FB_CAPTURE_ERROR_ROW, " has no row 6: it holds 5 captured schedules." },
  };
  g_autoptr (FbCapture) capture = NULL;
  g_autoptr (FbContext) context = fb_context_new ();

  make_db (f->path, SCHEDULES "INSERT INTO schedule_process_replay_19 VALUES ('a', 'text'), ('b', NULL), ('c', x''), "
                              "('d', x'80044b01'), ('e', x'80044b012e')");
  capture = open_ok (f->path);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *expected = g_strconcat (f->path, cases[i].message, NULL);

      g_assert_null (fb_capture_read_row (capture, FB_ROW_SCHEDULE, i + 1, context, &error));
      g_assert_cmpstr (error->message, ==, expected);
      g_assert_error (error, FB_CAPTURE_ERROR, cases[i].code);
    }
}

/* A real database cut at many lengths, and with pages overwritten: an error or fewer rows, never more. */
static void
test_damaged (Fixture *f, gconstpointer data)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "kv_cache.db", NULL);
  g_autofree char *bytes = NULL;
  gsize len;

  g_assert_true (g_file_get_contents (path, &bytes, &len, NULL));
  for (gsize cut = 16; cut < len; cut += 509)
    {
      g_autoptr (GError) error = NULL;

      g_file_set_contents (f->path, bytes, (gssize) cut, NULL);
      g_assert_null (fb_capture_open (f->path, NULL, &error));
      g_assert_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CORRUPT);
      g_assert_nonnull (strstr (error->message, " is cut short: it "));
    }
  for (gsize page = 1; page < len / 4096; page++)
    {
      g_autofree char *copy = g_memdup2 (bytes, len);
      g_autoptr (GError) error = NULL;
      g_autoptr (FbCapture) capture = NULL;

      memset (copy + page * 4096, 0xa5, 4096);
      g_file_set_contents (f->path, copy, (gssize) len, NULL);
      capture = fb_capture_open (f->path, NULL, &error);
      g_assert_true (capture || error);
      if (error)
        g_assert_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CORRUPT);
      for (guint row = 1; capture && row <= fb_capture_n_rows (capture, FB_ROW_SCHEDULE); row++)
        {
          g_autoptr (FbContext) context = fb_context_new ();
          g_autoptr (FbCaptureRow) read = fb_capture_read_row (capture, FB_ROW_SCHEDULE, row, context, NULL);
          g_assert_true (!read || read->sink);
        }
    }
}

/* The same rows as files of their own. */
static void
test_bare (Fixture *f, gconstpointer data)
{
  g_autoptr (GBytes) blob = sample_blob ();
  g_autoptr (GByteArray) graph = g_byte_array_new ();
  g_autoptr (FbCapture) row = NULL, bare = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) read = NULL;
  g_autoptr (GError) error = NULL;

  g_file_set_contents (f->path, g_bytes_get_data (blob, NULL), (gssize) g_bytes_get_size (blob), NULL);
  row = open_ok (f->path);
  g_assert_cmpstr (fb_capture_format (row), ==, "pickle, protocol 4");
  g_assert_cmpint (fb_capture_main_kind (row), ==, FB_ROW_SCHEDULE);
  g_assert_cmpuint (fb_capture_n_rows (row, FB_ROW_SCHEDULE), ==, 1);
  g_assert_cmpuint (fb_capture_n_rows (row, FB_ROW_GRAPH), ==, 0);
  g_assert_cmpstr (fb_capture_row_info (row, FB_ROW_SCHEDULE, 1)->key, ==, "");
  check_reads (row, 1);

  RAW (graph, "\x80\x04");
  pk_global (graph, "tinygrad.ops", "UOp");
  RAW (graph, "(");
  pk_op (graph, "CONST");
  pk_float (graph);
  RAW (graph, ")K\x01tR.");
  g_file_set_contents (f->path, (const char *) graph->data, graph->len, NULL);
  bare = open_ok (f->path);
  g_assert_cmpint (fb_capture_main_kind (bare), ==, FB_ROW_GRAPH);
  read = fb_capture_read_row (bare, FB_ROW_GRAPH, 1, context, &error);
  g_assert_no_error (error);
  g_assert_cmpint (read->sink->op, ==, FB_OP_CONST);
  g_assert_true (fb_capture_row_check_key (context, read, NULL));
}

/* Names that mean something in a URI. */
static void
test_names (Fixture *f, gconstpointer data)
{
  static const char *const names[] = { "a b.db", "100%25.db", "x#y?mode=rw.db", "é.db" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (f->folder, names[i], NULL);
      g_autoptr (FbCapture) capture = NULL;

      make_db (path, SCHEDULES "INSERT INTO schedule_process_replay_19 VALUES ('a', x'00')");
      capture = open_ok (path);
      g_assert_cmpuint (fb_capture_n_rows (capture, FB_ROW_SCHEDULE), ==, 1);
    }
}

static void
test_release (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (fb_capture_open (f->path, "v0.12.0", &error));
  g_assert_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_VERSION);
  g_assert_cmpstr (
      error->message, ==,
      "v0.12.0 is not a release whose op numbers are known; they are v0.10.0, v0.10.1, v0.10.2 and v0.10.3.");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function) g_test_add ("/core/capture/database/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("list", test_list);
  ADD ("live", test_live);
  ADD ("read-only-folder", test_read_only_folder);
  ADD ("orphan-log", test_orphan_log);
  ADD ("not-captures", test_not_captures);
  ADD ("other-tables", test_other_tables);
  ADD ("values", test_values);
  ADD ("damaged", test_damaged);
  ADD ("bare", test_bare);
  ADD ("names", test_names);
  ADD ("release", test_release);
  return g_test_run ();
}
