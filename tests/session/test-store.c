/* What is put into a session is what is read from it. */
#include <glib/gstdio.h>
#include <math.h>
#include <sqlite3.h>
#include <string.h>

#include "util.h"

static FbStore *
create (const char *folder, char **path)
{
  g_autoptr (GError) error = NULL;
  *path = g_build_filename (folder, "a.fusebox", NULL);
  FbStore *store = fb_store_open (*path, FB_STORE_CREATE, &error);
  g_assert_no_error (error);
  return store;
}

static void
put_mark (FbStore *store, FbStoreMarkKind kind, gint64 id, guint64 node, const char *text)
{
  g_autoptr (GError) error = NULL;
  FbStoreMark mark = {
    .id = id, .place = { FB_ROW_KERNEL, 7, 3, (guint) id }, .node = node, .text = (char *) text, .changed = 1000 + id
  };
  g_assert_true (fb_store_put_mark (store, kind, &mark, &error));
  g_assert_no_error (error);
}

static void
test_marks (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = NULL;
  g_autoptr (FbStore) store = create (folder, &path);
  put_mark (store, FB_STORE_BOOKMARK, 1, 0, "one");
  put_mark (store, FB_STORE_BOOKMARK, 2, 0, "two");
  put_mark (store, FB_STORE_NOTE, 1, G_GUINT64_CONSTANT (0xfedcba9876543210), "line\nλ");
  put_mark (store, FB_STORE_BOOKMARK, 1, 0, "renamed");
  g_assert_true (fb_store_remove_mark (store, FB_STORE_BOOKMARK, 2, NULL));
  g_clear_pointer (&store, fb_store_free);

  store = fb_store_open (path, FB_STORE_READ, NULL);
  g_assert_nonnull (store);
  g_autoptr (GPtrArray) bookmarks = fb_store_get_marks (store, FB_STORE_BOOKMARK, NULL);
  g_autoptr (GPtrArray) notes = fb_store_get_marks (store, FB_STORE_NOTE, NULL);
  g_assert_cmpuint (bookmarks->len, ==, 1);
  g_assert_cmpuint (notes->len, ==, 1);
  const FbStoreMark *mark = g_ptr_array_index (bookmarks, 0), *note = g_ptr_array_index (notes, 0);
  g_assert_cmpstr (mark->text, ==, "renamed");
  g_assert_cmpuint (mark->node, ==, 0);
  g_assert_cmpstr (note->text, ==, "line\nλ");
  g_assert_cmphex (note->node, ==, G_GUINT64_CONSTANT (0xfedcba9876543210));
  g_assert_cmpint (note->place.kind, ==, FB_ROW_KERNEL);
  g_assert_cmpuint (note->place.row, ==, 7);
  g_assert_cmpuint (note->place.pass, ==, 3);
  g_assert_cmpuint (note->place.step, ==, 1);
  g_assert_cmpint (note->changed, ==, 1001);
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

static void
test_states (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = NULL;
  g_autoptr (FbStore) store = create (folder, &path);
  g_assert_null (fb_store_get_state (store, "zoom", NULL));
  g_assert_true (fb_store_set_state (store, "zoom", "1.5", NULL));
  g_assert_true (fb_store_set_state (store, "zoom", "0.75", NULL));
  g_assert_true (fb_store_set_state (store, "tab", "node", NULL));
  g_assert_true (fb_store_set_state (store, "tab", NULL, NULL));
  g_autoptr (GHashTable) states = fb_store_get_states (store, NULL);
  g_assert_cmpuint (g_hash_table_size (states), ==, 1);
  g_assert_cmpstr (g_hash_table_lookup (states, "zoom"), ==, "0.75");
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

static void
test_diffs (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = NULL;
  g_autoptr (FbStore) store = create (folder, &path);
  g_autoptr (GError) error = NULL;
  const guint64 before = 0xfedcba9876543210, after = 7;
  FbStoreDiffLine lines[] = {
    { .kind = 3, .old_line = 1, .new_line = 1, .pair = G_MAXUINT32, .len = 18 },
    { .kind = 1, .old_line = 19, .pair = 2, .n_spans = 1, .text = "removed", .len = 7 },
    { .kind = 2, .new_line = 19, .pair = 1, .first_span = 1, .n_spans = 1, .text = "added, and more", .len = 5 },
    { .kind = 0, .old_line = 20, .new_line = 20, .pair = G_MAXUINT32, .first_span = 2, .text = "", .len = 0 },
  };
  guint32 spans[][2] = { { 0, 7 }, { 1, 4 } };
  FbStoreDiff diff = { 1, 1, 20, TRUE, G_N_ELEMENTS (lines), G_N_ELEMENTS (spans), lines, spans, NULL };
  g_assert_null (fb_store_get_diff (store, before, after, &error));
  g_assert_no_error (error);
  g_assert_true (fb_store_put_diff (store, before, after, &diff, &error));
  /* what is there stays */
  diff.n_same = 99;
  g_assert_true (fb_store_put_diff (store, before, after, &diff, &error));
  FbStoreDiff *back = fb_store_get_diff (store, before, after, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (back->n_same, ==, 20);
  g_assert_true (back->exact);
  g_assert_cmpuint (back->n_lines, ==, 4);
  for (guint i = 0; i < back->n_lines; i++)
    {
      g_assert_cmpuint (back->lines[i].kind, ==, lines[i].kind);
      g_assert_cmpuint (back->lines[i].old_line, ==, lines[i].old_line);
      g_assert_cmpuint (back->lines[i].new_line, ==, lines[i].new_line);
      g_assert_cmpuint (back->lines[i].pair, ==, lines[i].pair);
      g_assert_cmpuint (back->lines[i].len, ==, lines[i].len);
      g_assert_cmpint (back->lines[i].text != NULL, ==, lines[i].text != NULL);
      if (lines[i].text)
        g_assert_cmpmem (back->lines[i].text, back->lines[i].len, lines[i].text, lines[i].len);
    }
  g_assert_cmpmem (back->spans, back->n_spans * sizeof *spans, spans, sizeof spans);
  fb_store_diff_free (back);
  /* the other way round is another difference */
  g_assert_null (fb_store_get_diff (store, after, before, &error));
  /* one whose spans are outside of its lines is refused, not shown */
  lines[1].n_spans = 3;
  g_assert_true (fb_store_put_diff (store, after, before, &diff, &error));
  g_assert_null (fb_store_get_diff (store, after, before, &error));
  g_assert_error (error, FB_SESSION_ERROR, FB_SESSION_ERROR_CORRUPT);
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

/* Every row of a capture is in its session, byte by byte, and any reader of captures reads it there. */
static void
test_rows (void)
{
  static const char *const samples[] = { "lerp.db", "mlp_train.db", "in_place.db", "kv_cache.db" };
  for (guint i = 0; i < G_N_ELEMENTS (samples); i++)
    {
      char *folder = test_folder_new ();
      g_autoptr (GError) error = NULL;
      g_autofree char *sample = test_sample (samples[i]);
      g_autofree char *path = test_session_new (folder, samples[i]);
      g_autoptr (FbCapture) before = fb_capture_open (sample, NULL, &error);
      g_autoptr (FbCapture) after = fb_capture_open (path, NULL, &error);
      g_assert_no_error (error);
      g_assert_true (g_str_has_prefix (fb_capture_format (after), "session, "));
      for (FbRowKind kind = FB_ROW_SCHEDULE; kind <= FB_ROW_KERNEL; kind++)
        {
          g_assert_cmpuint (fb_capture_n_rows (after, kind), ==, fb_capture_n_rows (before, kind));
          for (guint row = 1; row <= fb_capture_n_rows (before, kind); row++)
            {
              const FbRowInfo *x = fb_capture_row_info (before, kind, row), *y = fb_capture_row_info (after, kind, row);
              g_autoptr (GBytes) a = fb_capture_read_blob (before, kind, row, &error);
              g_autoptr (GBytes) b = fb_capture_read_blob (after, kind, row, &error);
              g_assert_no_error (error);
              g_assert_true (g_bytes_equal (a, b));
              g_assert_cmpstr (x->key, ==, y->key);
              g_assert_cmpint (x->rowid, ==, y->rowid);
            }
        }
      g_clear_pointer (&after, fb_capture_free);
      test_folder_free (folder);
    }
}

/* The row of a bare pickle keeps its kind. */
static void
test_bare_pickles (void)
{
  char *folder = test_folder_new ();
  g_autofree char *sample = test_sample ("lerp.db"), *pickle = g_build_filename (folder, "row.pkl", NULL), *path = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (sample, NULL, &error);
  g_autoptr (GBytes) bytes = fb_capture_read_blob (capture, FB_ROW_SCHEDULE, 1, &error);
  g_assert_true (g_file_set_contents (pickle, g_bytes_get_data (bytes, NULL), (gssize) g_bytes_get_size (bytes), NULL));
  g_autoptr (FbCapture) bare = fb_capture_open (pickle, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (FbStore) store = create (folder, &path);
  g_assert_true (fb_store_put_rows (store, bare, NULL, &error));
  g_clear_pointer (&store, fb_store_free);
  g_autoptr (FbCapture) session = fb_capture_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fb_capture_main_kind (session), ==, fb_capture_main_kind (bare));
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = fb_capture_read_row (session, FB_ROW_SCHEDULE, 1, context, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (row->release, ==, "v0.10.2");
  g_clear_pointer (&session, fb_capture_free);
  test_folder_free (folder);
}

static void
test_save_as (void)
{
  char *folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = test_session_new (folder, "lerp.db");
  g_autofree char *saved = g_build_filename (folder, "saved.fusebox", NULL);
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_WRITE, &error);
  g_assert_no_error (error);
  for (guint round = 1; round <= 3; round++)
    {
      put_mark (store, FB_STORE_BOOKMARK, round, 0, "b");
      /* each time in place of the one before */
      g_assert_true (fb_store_save_as (store, saved, &error));
      g_assert_no_error (error);
      g_assert_true (fb_store_is_session (saved));
      g_autoptr (FbStore) copy = fb_store_open (saved, FB_STORE_READ, &error);
      g_assert_no_error (error);
      g_assert_true (fb_store_check (copy, &error));
      FbStoreCounts counts;
      g_assert_true (fb_store_count (copy, &counts, &error));
      g_assert_cmpint (counts.bookmarks, ==, round);
      g_assert_cmpint (counts.traces, ==, 1);
    }
  g_clear_pointer (&store, fb_store_free);
  /* a single closed file each, nothing left behind */
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name (dir)))
    if (strcmp (name, "made.fusebox") && strcmp (name, "saved.fusebox"))
      g_error ("%s is left beside them", name);
  test_folder_free (folder);
}

static gint64
count (const char *path, const char *what)
{
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  g_autofree char *sql = g_strdup_printf ("SELECT count(*) FROM %s", what);
  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &stmt, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  gint64 n = sqlite3_column_int64 (stmt, 0);
  sqlite3_finalize (stmt);
  sqlite3_close (db);
  return n;
}

static void
put_scenario (FbStore *store, guint row, const char *text, const FbScenario *scenario, guint n_kernels)
{
  g_autoptr (GError) error = NULL;
  const FbStoreScenario all = { .kind = FB_ROW_SCHEDULE,
                                .row = row,
                                .text = (char *) text,
                                .scenario = (FbScenario *) scenario,
                                .cost = { n_kernels, 1, 2, G_MAXINT64, 4 } };
  g_assert_true (fb_store_put_scenario (store, &all, &error));
  g_assert_no_error (error);
}

static void
test_scenarios (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = NULL;
  g_autoptr (FbStore) store = create (folder, &path);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbScenario) scenario = fb_scenario_new ();
  const guint32 places[] = { 40, 3, G_MAXUINT32 };
  g_assert_true (fb_replay_options_parse (scenario->options, "FUSE_ARANGE=1", NULL));
  g_assert_true (fb_replay_options_parse (scenario->options, "SPLIT_REDUCEOP=0", NULL));
  g_array_append_vals (scenario->realize, places, 1);
  g_array_append_vals (scenario->fuse, places + 1, 2);
  put_scenario (store, 1, "", NULL, 3);
  put_scenario (store, 1, "FUSE_ARANGE=1, …", scenario, 2);
  put_scenario (store, 2, "FUSE_ARANGE=1, …", scenario, 9);
  /* once more, with other figures: it stays where it is */
  put_scenario (store, 1, "", NULL, 5);
  /* one that is removed is gone, and only that one */
  put_scenario (store, 2, "FUSE_CONV_BW=1", scenario, 1);
  const FbStoreScenario unwanted = { .kind = FB_ROW_SCHEDULE, .row = 2, .text = (char *) "FUSE_CONV_BW=1" };
  g_assert_true (fb_store_remove_scenario (store, &unwanted, &error));
  g_assert_true (fb_store_remove_scenario (store, &unwanted, &error));
  g_autoptr (GPtrArray) back = fb_store_get_scenarios (store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (back->len, ==, 3);
  const FbStoreScenario *first = g_ptr_array_index (back, 0), *second = g_ptr_array_index (back, 1);
  g_assert_null (first->scenario);
  g_assert_cmpuint (first->cost.n_kernels, ==, 5);
  g_assert_cmpstr (second->text, ==, "FUSE_ARANGE=1, …");
  g_assert_cmpuint (second->row, ==, 1);
  g_assert_cmpint (second->cost.flops, ==, G_MAXINT64);
  g_assert_true (fb_replay_options_equal (second->scenario->options, scenario->options));
  g_assert_cmpmem (second->scenario->realize->data, second->scenario->realize->len * 4, places, 4);
  g_assert_cmpmem (second->scenario->fuse->data, second->scenario->fuse->len * 4, places + 1, 8);
  FbStoreCounts counts;
  g_assert_true (fb_store_count (store, &counts, &error));
  /* rows as captured are none */
  g_assert_cmpint (counts.scenarios, ==, 2);
  g_clear_pointer (&store, fb_store_free);
  /* what a later version or a stranger wrote and nobody here understands is left out */
  sqlite3 *db = NULL;
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db,
                                 "UPDATE scenario SET options = 'FUSE_ALL=1' WHERE id = 2;"
                                 "UPDATE scenario SET realize = '1 two' WHERE id = 3",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  sqlite3_close (db);
  g_autoptr (FbStore) again = fb_store_open (path, FB_STORE_WRITE, &error);
  g_autoptr (GPtrArray) known = fb_store_get_scenarios (again, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (known->len, ==, 1);
  g_clear_pointer (&again, fb_store_free);
  test_folder_free (folder);
}

/* A name and a time are kept, changed and taken away. */
static void
test_named_scenarios (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = NULL;
  g_autoptr (FbStore) store = create (folder, &path);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbScenario) scenario = fb_scenario_new ();
  FbStoreScenario one = { .kind = FB_ROW_SCHEDULE, .row = 1, .text = (char *) "FUSE_ARANGE=1", .scenario = scenario };
  g_assert_true (fb_replay_options_parse (scenario->options, "FUSE_ARANGE=1", NULL));
  for (guint round = 0; round < 3; round++)
    {
      one.name = round ? (char *) "one kernel — käme hin" : NULL;
      one.backend = round == 1 ? (char *) "cpu" : NULL;
      one.seconds = round == 1 ? 1.25e-5 : 0;
      g_assert_true (fb_store_put_scenario (store, &one, &error));
      g_autoptr (GPtrArray) back = fb_store_get_scenarios (store, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (back->len, ==, 1);
      g_autoptr (GPtrArray) copies = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_store_scenario_free);
      g_ptr_array_add (copies, fb_store_scenario_copy (g_ptr_array_index (back, 0)));
      g_assert_true (fb_store_scenario_equal (g_ptr_array_index (copies, 0), &one));
      one.row = 2;
      g_assert_false (fb_store_scenario_equal (g_ptr_array_index (copies, 0), &one));
      one.row = 1;
    }
  g_clear_pointer (&store, fb_store_free);
  /* no time is negative, and none has no backend */
  sqlite3 *db = NULL;
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "UPDATE scenario SET seconds = -1, backend = 'cpu'", NULL, NULL, NULL), ==,
                   SQLITE_OK);
  sqlite3_close (db);
  g_autoptr (FbStore) again = fb_store_open (path, FB_STORE_READ, &error);
  g_autoptr (GPtrArray) known = fb_store_get_scenarios (again, &error);
  g_assert_no_error (error);
  g_assert_null (((const FbStoreScenario *) g_ptr_array_index (known, 0))->backend);
  g_clear_pointer (&again, fb_store_free);
  test_folder_free (folder);
}

static void
put_layout (FbStore *store, guint pass, guint n, const FbStorePlaced *placed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) cards = g_array_new (FALSE, FALSE, sizeof *placed);
  const FbStoreLayout layout = { { FB_ROW_SCHEDULE, 1, pass, 7 }, 2, cards };
  if (n)
    g_array_append_vals (cards, placed, n);
  g_assert_true (fb_store_put_layout (store, &layout, &error));
  g_assert_no_error (error);
}

static void
test_layouts (void)
{
  char *folder = test_folder_new ();
  g_autofree char *path = NULL;
  g_autoptr (FbStore) store = create (folder, &path);
  g_autoptr (GError) error = NULL;
  const FbStorePlaced placed[] = { { 5, 1.5f, -2, 0 }, { G_MAXUINT64, 3, 4, 1 } }, nowhere = { 6, INFINITY, 0, 0 };
  put_layout (store, 2, 2, placed);
  put_layout (store, 3, 1, &nowhere);
  put_layout (store, 4, 1, placed);
  g_autoptr (GPtrArray) back = fb_store_get_layouts (store, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (back->len, ==, 2);
  const FbStoreLayout *layout = g_ptr_array_index (back, 0);
  g_assert_cmpuint (layout->place.pass, ==, 2);
  g_assert_cmpuint (layout->place.step, ==, 7);
  g_assert_cmpuint (layout->side, ==, 2);
  g_assert_cmpuint (layout->placed->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    {
      /* by node, as signed numbers */
      const FbStorePlaced *read = &g_array_index (layout->placed, FbStorePlaced, i), *was = &placed[1 - i];
      g_assert_cmphex (read->node, ==, was->node);
      g_assert_cmpfloat (read->x, ==, was->x);
      g_assert_cmpfloat (read->y, ==, was->y);
      g_assert_cmpuint (read->layer, ==, was->layer);
    }
  put_layout (store, 2, 0, NULL);
  g_autoptr (GPtrArray) less = fb_store_get_layouts (store, &error);
  g_assert_cmpuint (less->len, ==, 1);
  g_assert_cmpuint (((FbStoreLayout *) g_ptr_array_index (less, 0))->place.pass, ==, 4);
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

/* Every entry of the ledger is there, in order, and what each kernel costs. */
static void
test_decisions (void)
{
  char *folder = test_folder_new ();
  g_autofree char *sample = test_sample ("mlp_train.db");
  g_autofree char *path = test_session_new (folder, "mlp_train.db");
  g_auto (TestRow) row;
  test_row_init (&row, sample);
  const FbLedger *ledger = row.schedule->ledger;
  sqlite3 *db = NULL;
  sqlite3_stmt *stmt = NULL;
  g_assert_cmpint (count (path, "decision"), ==, ledger->len);
  g_assert_cmpint (count (path, "decision JOIN node ON node.id = decision.node"), ==, ledger->len);
  g_assert_cmpint (count (path, "decision WHERE other IS NOT NULL AND other NOT IN (SELECT id FROM node)"), ==, 0);
  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READONLY, NULL), ==, SQLITE_OK);
  sqlite3_prepare_v2 (db, "SELECT reason, verdict, changed, a, b FROM decision ORDER BY number", -1, &stmt, NULL);
  for (guint i = 0; i < ledger->len; i++)
    {
      static const char *const verdicts[] = { "realize", "keep", "unrealize" };
      const FbDecision *d = &ledger->at[i];
      g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
      g_assert_cmpstr ((const char *) sqlite3_column_text (stmt, 0), ==, fb_reason_name (d->reason));
      g_assert_cmpstr ((const char *) sqlite3_column_text (stmt, 1), ==, verdicts[d->kind]);
      g_assert_cmpint (sqlite3_column_int (stmt, 2), ==, d->changed);
      g_assert_cmpint (sqlite3_column_int64 (stmt, 3), ==, d->a);
      g_assert_cmpint (sqlite3_column_int64 (stmt, 4), ==, d->b);
    }
  sqlite3_finalize (stmt);
  FbScheduleCost cost;
  fb_schedule_cost (row.schedule, &cost, NULL, NULL);
  sqlite3_prepare_v2 (db, "SELECT count(*), sum(bytes_read), sum(bytes_written), sum(flops) FROM kernel", -1, &stmt,
                      NULL);
  g_assert_cmpint (sqlite3_step (stmt), ==, SQLITE_ROW);
  g_assert_cmpint (sqlite3_column_int (stmt, 0), ==, cost.n_kernels);
  g_assert_cmpint (sqlite3_column_int64 (stmt, 1), ==, cost.bytes_read);
  g_assert_cmpint (sqlite3_column_int64 (stmt, 2), ==, cost.bytes_written);
  g_assert_cmpint (sqlite3_column_int64 (stmt, 3), ==, cost.flops);
  sqlite3_finalize (stmt);
  sqlite3_close (db);
  test_folder_free (folder);
}

/* What is kept is found by its number alone, and stays as it was put first. */
static void
test_places (void)
{
  char *folder = test_folder_new ();
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "places.fusebox", NULL);
  g_autoptr (GBytes) data = g_bytes_new_static ("places", 6);
  g_autoptr (GBytes) other = g_bytes_new_static ("others", 6);
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_CREATE, &error);
  g_assert_no_error (error);
  g_assert_null (fb_store_get_places (store, G_MAXUINT64, &error));
  g_assert_no_error (error);
  g_assert_true (fb_store_put_places (store, G_MAXUINT64, data, &error));
  g_assert_true (fb_store_put_places (store, G_MAXUINT64, other, &error));
  g_assert_no_error (error);
  g_assert_null (fb_store_get_places (store, 1, &error));
  g_autoptr (GBytes) back = fb_store_get_places (store, G_MAXUINT64, &error);
  g_assert_no_error (error);
  g_assert_true (back && g_bytes_equal (back, data));
  g_clear_pointer (&store, fb_store_free);
  test_folder_free (folder);
}

/* A file of every earlier version opens, and has all it had. */
static void
test_earlier_versions (void)
{
  g_assert_cmpuint (fb_store_current_version (), ==, 5);
  for (guint version = 1; version < fb_store_current_version (); version++)
    for (guint round = 0; round < 2; round++)
      {
        char *folder = test_folder_new ();
        g_autoptr (GError) error = NULL;
        g_autofree char *name = g_strdup_printf ("version-%u.fusebox", version);
        g_autofree char *fixture = g_test_build_filename (G_TEST_DIST, "session", name, NULL);
        g_autofree char *path = g_build_filename (folder, name, NULL), *contents = NULL;
        gsize size;
        g_assert_true (g_file_get_contents (fixture, &contents, &size, NULL));
        g_assert_true (g_file_set_contents (path, contents, (gssize) size, NULL));
        /* as it is, and brought to the current version */
        g_autoptr (FbStore) store = fb_store_open (path, round ? FB_STORE_WRITE : FB_STORE_READ, &error);
        g_assert_no_error (error);
        g_assert_cmpuint (fb_store_version (store), ==, round ? fb_store_current_version () : version);
        g_autoptr (GPtrArray) bookmarks = fb_store_get_marks (store, FB_STORE_BOOKMARK, &error);
        g_autoptr (GPtrArray) notes = fb_store_get_marks (store, FB_STORE_NOTE, &error);
        g_autofree char *step = fb_store_get_state (store, "step", &error);
        g_auto (FbStoreCapture) capture = { NULL };
        g_assert_true (fb_store_get_capture (store, &capture, &error));
        g_assert_no_error (error);
        g_assert_cmpuint (bookmarks->len, ==, 2);
        g_assert_cmpstr (((FbStoreMark *) g_ptr_array_index (bookmarks, 0))->text, ==, "the gate is folded");
        g_assert_cmpuint (notes->len, ==, 2);
        g_assert_cmphex (((FbStoreMark *) g_ptr_array_index (notes, 1))->node, ==, 0x123456789abcdef);
        g_assert_cmpstr (step, ==, "19");
        g_assert_cmpstr (capture.path, ==, "/captures/lerp.db");
        g_assert_true (capture.stored);
        FbStoreCounts counts;
        g_assert_true (fb_store_count (store, &counts, &error));
        /* version 2 brought traces and differences */
        g_assert_cmpint (counts.traces, ==, version >= 2);
        g_assert_cmpint (counts.steps, ==, version >= 2 ? 57 : 0);
        g_assert_cmpint (counts.diffs, ==, version >= 2);
        if (version >= 2)
          {
            FbStoreDiff *diff = fb_store_get_diff (store, 1, 2, &error);
            g_assert_cmpuint (diff->n_lines, ==, 2);
            fb_store_diff_free (diff);
          }
        /* version 3 brought decisions and scenarios */
        g_autoptr (GPtrArray) scenarios = fb_store_get_scenarios (store, &error);
        g_assert_no_error (error);
        g_assert_cmpuint (scenarios->len, ==, version >= 3 ? 2 : 0);
        if (version >= 3)
          {
            const FbStoreScenario *tried = g_ptr_array_index (scenarios, 1);
            g_assert_cmpstr (tried->text, ==, "DONT_REALIZE_EXPAND=1");
            g_assert_cmpuint (tried->cost.n_kernels, ==, 1);
            g_assert_null (tried->name);
            g_assert_null (tried->backend);
            g_assert_cmpint (counts.decisions, >, 0);
            g_assert_cmpint (counts.layouts, ==, 1);
          }
        if (round)
          {
            g_auto (TestRow) row;
            test_row_init (&row, path);
            g_assert_true (fb_store_put_trace (store, FB_ROW_SCHEDULE, 1, row.context, row.schedule, NULL, &error));
            g_assert_no_error (error);
            g_assert_true (fb_store_has_trace (store, FB_ROW_SCHEDULE, 1));
            /* what version 2 did not write is there now, what it did once */
            g_assert_true (fb_store_count (store, &counts, &error));
            g_assert_cmpint (counts.traces, ==, 1);
            g_assert_cmpint (counts.steps, ==, 57);
            g_assert_cmpint (counts.kernels, ==, row.schedule->kernels->len);
            g_assert_cmpint (counts.decisions, ==, row.schedule->ledger->len);
          }
        g_clear_pointer (&store, fb_store_free);
        test_folder_free (folder);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/store/marks", test_marks);
  g_test_add_func ("/session/store/states", test_states);
  g_test_add_func ("/session/store/diffs", test_diffs);
  g_test_add_func ("/session/store/rows", test_rows);
  g_test_add_func ("/session/store/bare-pickles", test_bare_pickles);
  g_test_add_func ("/session/store/save-as", test_save_as);
  g_test_add_func ("/session/store/scenarios", test_scenarios);
  g_test_add_func ("/session/store/named-scenarios", test_named_scenarios);
  g_test_add_func ("/session/store/layouts", test_layouts);
  g_test_add_func ("/session/store/places", test_places);
  g_test_add_func ("/session/store/decisions", test_decisions);
  g_test_add_func ("/session/store/earlier-versions", test_earlier_versions);
  return g_test_run ();
}
