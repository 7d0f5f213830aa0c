/* Scenarios that were looked at, each with what it cost. */
#include <math.h>
#include <string.h>

#include "store-private.h"

/* A stranger's file may ask for no more. */
#define MOST_SCENARIOS 1000
#define MOST_CHOICES 100000

FbStoreScenario *
fb_store_scenario_copy (const FbStoreScenario *scenario)
{
  FbStoreScenario *copy = g_memdup2 (scenario, sizeof *scenario);
  copy->text = g_strdup (scenario->text);
  copy->scenario = scenario->scenario ? fb_scenario_copy (scenario->scenario) : NULL;
  copy->name = g_strdup (scenario->name);
  copy->backend = g_strdup (scenario->backend);
  return copy;
}

void
fb_store_scenario_free (FbStoreScenario *scenario)
{
  if (!scenario)
    return;
  g_free (scenario->text);
  fb_scenario_free (scenario->scenario);
  g_free (scenario->name);
  g_free (scenario->backend);
  g_free (scenario);
}

gboolean
fb_store_scenario_matches (const FbStoreScenario *a, const FbStoreScenario *b)
{
  return a->kind == b->kind && a->row == b->row && !strcmp (a->text, b->text);
}

gboolean
fb_store_scenario_equal (const FbStoreScenario *a, const FbStoreScenario *b)
{
  return fb_store_scenario_matches (a, b) && !g_strcmp0 (a->name, b->name) && !g_strcmp0 (a->backend, b->backend)
         && !(a->seconds < b->seconds) && !(a->seconds > b->seconds);
}

/* --- writing --- */

/* "FUSE_ARANGE=1 FUSE_CONV_BW=1" */
static char *
options_text (const FbScenario *scenario)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; scenario && i < scenario->options->len; i++)
    {
      const FbReplayOption *option = &g_array_index (scenario->options, FbReplayOption, i);
      g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, i ? " " : "", option->name, option->value);
    }
  return g_string_free (text, FALSE);
}

/* "3 17" */
static char *
places_text (const GArray *places)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; places && i < places->len; i++)
    g_string_append_printf (text, "%s%u", i ? " " : "", g_array_index (places, guint32, i));
  return g_string_free (text, FALSE);
}

gboolean
fb_store_put_scenario (FbStore *store, const FbStoreScenario *scenario, GError **error)
{
  static const char sql[] = "INSERT INTO scenario (kind, row, text, options, realize, fuse, kernels, bytes_read,"
                            " bytes_written, flops, peak_bytes, name, seconds, backend)"
                            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
                            " ON CONFLICT (kind, row, text) DO UPDATE SET options = excluded.options,"
                            " realize = excluded.realize, fuse = excluded.fuse, kernels = excluded.kernels,"
                            " bytes_read = excluded.bytes_read, bytes_written = excluded.bytes_written,"
                            " flops = excluded.flops, peak_bytes = excluded.peak_bytes, name = excluded.name,"
                            " seconds = excluded.seconds, backend = excluded.backend";
  const FbScheduleCost *cost = &scenario->cost;
  g_autofree char *options = options_text (scenario->scenario);
  g_autofree char *realize = places_text (scenario->scenario ? scenario->scenario->realize : NULL);
  g_autofree char *fuse = places_text (scenario->scenario ? scenario->scenario->fuse : NULL);
  sqlite3_stmt *stmt = fb_store_prepare (store, sql, error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int (stmt, 1, scenario->kind);
  sqlite3_bind_int64 (stmt, 2, scenario->row);
  sqlite3_bind_text (stmt, 3, scenario->text, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (stmt, 4, options, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (stmt, 5, realize, -1, SQLITE_TRANSIENT);
  sqlite3_bind_text (stmt, 6, fuse, -1, SQLITE_TRANSIENT);
  sqlite3_bind_int64 (stmt, 7, cost->n_kernels);
  sqlite3_bind_int64 (stmt, 8, cost->bytes_read);
  sqlite3_bind_int64 (stmt, 9, cost->bytes_written);
  sqlite3_bind_int64 (stmt, 10, cost->flops);
  sqlite3_bind_int64 (stmt, 11, cost->peak_bytes);
  /* no text is NULL */
  sqlite3_bind_text (stmt, 12, scenario->name, -1, SQLITE_TRANSIENT);
  if (scenario->backend)
    sqlite3_bind_double (stmt, 13, scenario->seconds);
  else
    sqlite3_bind_null (stmt, 13);
  sqlite3_bind_text (stmt, 14, scenario->backend, -1, SQLITE_TRANSIENT);
  return fb_store_done (store, stmt, "storing a scenario", error);
}

gboolean
fb_store_remove_scenario (FbStore *store, const FbStoreScenario *scenario, GError **error)
{
  sqlite3_stmt *stmt = fb_store_prepare (store, "DELETE FROM scenario WHERE kind = ? AND row = ? AND text = ?", error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int (stmt, 1, scenario->kind);
  sqlite3_bind_int64 (stmt, 2, scenario->row);
  sqlite3_bind_text (stmt, 3, scenario->text, -1, SQLITE_TRANSIENT);
  return fb_store_done (store, stmt, "removing a scenario", error);
}

/* --- reading --- */

static gboolean
read_options (const char *text, GArray *options)
{
  g_auto (GStrv) words = g_strsplit (text, " ", 64);
  for (char **word = words; *word; word++)
    if (**word && !fb_replay_options_parse (options, *word, NULL))
      return FALSE;
  return TRUE;
}

static gboolean
read_places (const char *text, GArray *places)
{
  g_auto (GStrv) words = g_strsplit (text, " ", MOST_CHOICES);
  for (char **word = words; *word; word++)
    {
      guint64 number;
      if (!**word)
        continue;
      if (!g_ascii_string_to_unsigned (*word, 10, 0, G_MAXUINT32, &number, NULL))
        return FALSE;
      guint32 place = (guint32) number;
      g_array_append_val (places, place);
    }
  return TRUE;
}

static const char *
column_text (sqlite3_stmt *stmt, int column)
{
  const char *text = (const char *) sqlite3_column_text (stmt, column);
  return text ? text : "";
}

/* NULL: not one that can be had. */
static FbStoreScenario *
read_scenario (sqlite3_stmt *stmt)
{
  const char *text = column_text (stmt, 2);
  g_autoptr (FbScenario) scenario = *text ? fb_scenario_new () : NULL;
  if (!g_utf8_validate (text, -1, NULL)
      || (scenario
          && (!read_options (column_text (stmt, 3), scenario->options)
              || !read_places (column_text (stmt, 4), scenario->realize)
              || !read_places (column_text (stmt, 5), scenario->fuse))))
    return NULL;
  const char *name = column_text (stmt, 11), *backend = column_text (stmt, 13);
  double seconds = sqlite3_column_double (stmt, 12);
  gboolean timed = *backend && g_utf8_validate (backend, -1, NULL) && isfinite (seconds) && seconds >= 0;
  FbStoreScenario *read = g_new (FbStoreScenario, 1);
  *read = (FbStoreScenario){ .kind = (FbRowKind) CLAMP (sqlite3_column_int (stmt, 0), 0, FB_ROW_TRACE),
                             .row = fb_store_column_guint (stmt, 1),
                             .text = g_strdup (text),
                             .scenario = g_steal_pointer (&scenario),
                             .cost = { .n_kernels = fb_store_column_guint (stmt, 6),
                                       .bytes_read = sqlite3_column_int64 (stmt, 7),
                                       .bytes_written = sqlite3_column_int64 (stmt, 8),
                                       .flops = sqlite3_column_int64 (stmt, 9),
                                       .peak_bytes = sqlite3_column_int64 (stmt, 10) },
                             .name = *name ? g_utf8_make_valid (name, -1) : NULL,
                             .backend = timed ? g_strdup (backend) : NULL,
                             .seconds = timed ? seconds : 0 };
  return read;
}

GPtrArray *
fb_store_get_scenarios (FbStore *store, GError **error)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_store_scenario_free);
  GError *local = NULL;
  /* files of earlier versions, opened for reading, have none */
  if (!fb_store_has_table (store, "scenario"))
    return g_steal_pointer (&all);
  /* nor have those of version 3 names and times */
  sqlite3_stmt *stmt = fb_store_prepare (
      store,
      fb_store_version (store) < 4 ? "SELECT kind, row, text, options, realize, fuse, kernels, bytes_read,"
                                     " bytes_written, flops, peak_bytes, NULL, NULL, NULL FROM scenario ORDER BY id"
                                   : "SELECT kind, row, text, options, realize, fuse, kernels, bytes_read,"
                                     " bytes_written, flops, peak_bytes, name, seconds, backend"
                                     " FROM scenario ORDER BY id",
      error);
  if (!stmt)
    return NULL;
  while (all->len < MOST_SCENARIOS && fb_store_row (store, stmt, "reading its scenarios", &local))
    {
      FbStoreScenario *scenario = read_scenario (stmt);
      if (scenario)
        g_ptr_array_add (all, scenario);
    }
  sqlite3_reset (stmt);
  if (local)
    {
      g_propagate_error (error, local);
      return NULL;
    }
  return g_steal_pointer (&all);
}
