/* Results written with --json, read back. Whatever the file holds, it is a result or an error. */
#include <json-glib/json-glib.h>
#include <string.h>

#include "replay-private.h"

enum
{
  MAX_DEPTH = 16, /* a result nests to 6 */
};

static gboolean
fail (GError **error, const char *what)
{
  if (error && !*error)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("%s is missing or malformed"), what);
  return FALSE;
}

/* The parser recurses: a file that nests without end must not reach it. */
static gboolean
nests_too_deep (const char *text, gsize len)
{
  gboolean in_string = FALSE;
  guint depth = 0;

  for (gsize i = 0; i < len; i++)
    if (in_string)
      {
        if (text[i] == '\\')
          i++;
        else if (text[i] == '"')
          in_string = FALSE;
      }
    else if (text[i] == '"')
      in_string = TRUE;
    else if (text[i] == '[' || text[i] == '{')
      {
        if (++depth > MAX_DEPTH)
          return TRUE;
      }
    else if ((text[i] == ']' || text[i] == '}') && depth > 0)
      depth--;
  return FALSE;
}

static JsonNode *
member (JsonObject *object, const char *name, JsonNodeType type)
{
  JsonNode *node = object ? json_object_get_member (object, name) : NULL;
  return node && JSON_NODE_TYPE (node) == type ? node : NULL;
}

static JsonArray *
get_array (JsonObject *object, const char *name, GError **error)
{
  JsonNode *node = member (object, name, JSON_NODE_ARRAY);
  if (!node)
    fail (error, name);
  return node ? json_node_get_array (node) : NULL;
}

static JsonObject *
get_object (JsonObject *object, const char *name, GError **error)
{
  JsonNode *node = member (object, name, JSON_NODE_OBJECT);
  if (!node)
    fail (error, name);
  return node ? json_node_get_object (node) : NULL;
}

static const char *
get_text (JsonObject *object, const char *name, GError **error)
{
  JsonNode *node = member (object, name, JSON_NODE_VALUE);
  if (node && json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_get_string (node);
  fail (error, name);
  return "";
}

static guint64
node_number (JsonNode *node, guint64 most, const char *what, GError **error)
{
  gint64 value = -1;
  if (node && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_INT64)
    value = json_node_get_int (node);
  if (value >= 0 && (guint64) value <= most)
    return (guint64) value;
  fail (error, what);
  return 0;
}

static guint
get_number (JsonObject *object, const char *name, GError **error)
{
  return (guint) node_number (member (object, name, JSON_NODE_VALUE), G_MAXINT, name, error);
}

static guint64
get_signature (JsonObject *object, GError **error)
{
  guint64 value = 0;
  if (!g_ascii_string_to_unsigned (get_text (object, "signature", error), 16, 0, G_MAXUINT64, &value, NULL))
    fail (error, "signature");
  return value;
}

static JsonObject *
item_object (JsonArray *array, guint i, const char *what, GError **error)
{
  JsonNode *node = json_array_get_element (array, i);
  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_node_get_object (node);
  fail (error, what);
  return NULL;
}

static void
read_statuses (JsonObject *object, guint *statuses, GError **error)
{
  for (guint i = 0; i < FB_REPLAY_N_ROW_STATUSES; i++)
    statuses[i] = get_number (object, fb_replay_row_status_name (i), error);
}

static void
read_file (FbReplayReport *report, JsonObject *object, GError **error)
{
  g_autoptr (GError) unopened = NULL;
  FbReplayFile *file;

  if (json_object_has_member (object, "error"))
    g_set_error_literal (&unopened, G_IO_ERROR, G_IO_ERROR_FAILED, get_text (object, "error", error));
  else
    g_set_error_literal (&unopened, G_IO_ERROR, G_IO_ERROR_FAILED, "");
  fb_replay_report_add_file (report, get_text (object, "path", error), NULL, unopened);
  file = g_ptr_array_index (report->files, report->files->len - 1);
  if (!json_object_has_member (object, "error"))
    g_clear_pointer (&file->error, g_free);
  g_free (file->digest);
  file->digest = g_strdup (get_text (object, "digest", error));
  file->n_rows = get_number (object, "rows", error);
  file->n_kernel_rows = get_number (object, "kernel_rows", error);
  file->n_replayed = get_number (object, "replayed", error);
  file->trace = json_object_has_member (object, "trace");
  read_statuses (object, file->statuses, error);
}

static guint *
read_places (JsonObject *object, const char *name, guint *n, GError **error)
{
  JsonArray *array = get_array (object, name, error);
  guint *places;

  *n = array ? json_array_get_length (array) : 0;
  places = g_new0 (guint, *n + 1);
  for (guint i = 0; i < *n; i++)
    {
      guint64 place = node_number (json_array_get_element (array, i), G_MAXINT, name, error);
      if (place == 0)
        fail (error, name);
      else
        places[i] = (guint) place - 1;
    }
  return places;
}

static void
read_difference (FbReplayRow *row, JsonObject *object, GError **error)
{
  FbReplayDifference *difference = g_new0 (FbReplayDifference, 1);

  if (!fb_replay_class_from_name (get_text (object, "class", error), &difference->class))
    fail (error, "class");
  difference->captured = read_places (object, "captured", &difference->n_captured, error);
  difference->scheduled = read_places (object, "scheduled", &difference->n_scheduled, error);
  difference->signature = get_signature (object, error);
  difference->detail = g_strdup (get_text (object, "detail", error));
  g_ptr_array_add (row->differences, difference);
}

static void
read_pass (FbReplayPasses *passes, JsonObject *object, GError **error)
{
  FbReplayPass *pass = g_new0 (FbReplayPass, 1);

  g_ptr_array_add (passes->different, pass);
  pass->title = g_strdup (get_text (object, "pass", error));
  pass->kernel = get_number (object, "kernel", error);
  pass->n_recorded = get_number (object, "recorded", error);
  pass->n_here = get_number (object, "scheduled", error);
  pass->first = get_number (object, "match", error);
  pass->rule_recorded = g_strdup (get_text (object, "rule_recorded", error));
  pass->rule_here = g_strdup (get_text (object, "rule_scheduled", error));
}

static FbReplayPasses *
read_passes (JsonObject *object, GError **error)
{
  FbReplayPasses *passes = fb_replay_passes_new_empty ();
  JsonArray *different = get_array (object, "different", error);

  passes->n_recorded = get_number (object, "recorded", error);
  passes->n_here = get_number (object, "scheduled", error);
  passes->n_alike = get_number (object, "alike", error);
  passes->n_matches = get_number (object, "matches", error);
  passes->n_matches_alike = get_number (object, "matches_alike", error);
  passes->n_others = get_number (object, "others", error);
  for (guint i = 0; different && i < json_array_get_length (different); i++)
    {
      JsonObject *item = item_object (different, i, "different", error);
      if (item)
        read_pass (passes, item, error);
    }
  return passes;
}

static void
read_changed (FbReplayRow *row, JsonObject *object, GError **error)
{
  JsonObject *classes = get_object (object, "classes", error);
  JsonArray *differences = get_array (object, "differences", error);

  row->signature = get_signature (object, error);
  for (guint i = 0; classes && i < FB_REPLAY_N_CLASSES; i++)
    if (json_object_has_member (classes, fb_replay_class_name (i)))
      row->counts[i] = get_number (classes, fb_replay_class_name (i), error);
  for (guint i = 0; differences && i < json_array_get_length (differences); i++)
    {
      JsonObject *item = item_object (differences, i, "differences", error);
      if (item)
        read_difference (row, item, error);
    }
  if (json_object_has_member (object, "passes"))
    row->passes = read_passes (get_object (object, "passes", error), error);
}

static void
read_row (FbReplayReport *report, JsonObject *object, GError **error)
{
  FbReplayRow *row = g_new0 (FbReplayRow, 1);
  const char *status = get_text (object, "status", error);
  JsonObject *failure;

  row->differences = g_ptr_array_new_with_free_func (fb_replay_difference_free);
  g_ptr_array_add (report->rows, row);
  row->file = get_number (object, "file", error);
  row->row = get_number (object, "row", error);
  if (json_object_has_member (object, "context"))
    row->context = get_number (object, "context", error);
  row->key = g_strdup (get_text (object, "key", error));
  row->n_captured = get_number (object, "captured", error);
  row->n_scheduled = get_number (object, "scheduled", error);
  if (row->file >= report->files->len)
    fail (error, "file");
  while (row->status < FB_REPLAY_N_ROW_STATUSES && strcmp (fb_replay_row_status_name (row->status), status) != 0)
    row->status++;
  if (row->status == FB_REPLAY_N_ROW_STATUSES)
    {
      row->status = FB_REPLAY_ROW_UNCOMPARED;
      fail (error, "status");
    }
  if (row->status == FB_REPLAY_ROW_CHANGED)
    read_changed (row, object, error);
  if (row->status != FB_REPLAY_ROW_FAILED)
    return;
  failure = get_object (object, "error", error);
  row->error_kind = g_strdup (get_text (failure, "kind", error));
  row->error_message = g_strdup (get_text (failure, "message", error));
  row->error_pass = g_strdup (get_text (failure, "pass", error));
  row->error_op = g_strdup (get_text (failure, "op", error));
  row->error_node = g_strdup (get_text (failure, "node", error));
}

static void
read_options (GArray *options, JsonObject *object, GError **error)
{
  g_autoptr (GList) names = object ? json_object_get_members (object) : NULL;

  for (GList *name = names; name; name = name->next)
    {
      guint64 value = node_number (json_object_get_member (object, name->data), G_MAXINT64, "options", error);
      g_autofree char *text = g_strdup_printf ("%s=%" G_GUINT64_FORMAT, (char *) name->data, value);
      if (!fb_replay_options_parse (options, text, NULL))
        fail (error, "options");
    }
}

static void
read_shards (FbReplayReport *report, JsonObject *root, GError **error)
{
  JsonArray *shards = get_array (root, "shards", error);
  guint last = 0;

  report->n_shards = get_number (root, "of", error);
  g_array_set_size (report->shards, 0);
  for (guint i = 0; shards && i < json_array_get_length (shards); i++)
    {
      guint shard = (guint) node_number (json_array_get_element (shards, i), report->n_shards, "shards", error);
      if (shard <= last)
        fail (error, "shards");
      last = shard;
      g_array_append_val (report->shards, shard);
    }
  if (!report->shards->len)
    fail (error, "shards");
}

static void
read_totals (FbReplayReport *report, JsonObject *root, GError **error)
{
  JsonObject *totals = get_object (root, "totals", error), *classes;

  read_statuses (totals, report->statuses, error);
  report->n_captured = node_number (member (totals, "captured", JSON_NODE_VALUE), G_MAXINT64, "captured", error);
  report->n_scheduled = node_number (member (totals, "scheduled", JSON_NODE_VALUE), G_MAXINT64, "scheduled", error);
  if (totals && json_object_has_member (totals, "passes"))
    {
      report->n_passes = node_number (member (totals, "passes", JSON_NODE_VALUE), G_MAXINT64, "passes", error);
      report->n_passes_alike
          = node_number (member (totals, "passes_alike", JSON_NODE_VALUE), G_MAXINT64, "passes_alike", error);
      report->n_matches = node_number (member (totals, "matches", JSON_NODE_VALUE), G_MAXINT64, "matches", error);
      report->n_matches_alike
          = node_number (member (totals, "matches_alike", JSON_NODE_VALUE), G_MAXINT64, "matches_alike", error);
    }
  classes = get_object (totals, "classes", error);
  for (guint i = 0; i < FB_REPLAY_N_CLASSES; i++)
    report->counts[i]
        = node_number (member (classes, fb_replay_class_name (i), JSON_NODE_VALUE), G_MAXINT64, "classes", error);
}

static FbReplayReport *
read_root (JsonObject *root, GError **error)
{
  g_autoptr (FbReplayReport) report = NULL;
  g_autoptr (GArray) options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  g_autoptr (GError) first = NULL;
  JsonNode *partial = member (root, "partial", JSON_NODE_VALUE);
  JsonArray *files, *rows;

  if (strcmp (get_text (root, "format", &first), "fusebox replay 1") != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("it is not a result of “fusebox replay”"));
      return NULL;
    }
  read_options (options, get_object (root, "options", &first), &first);
  report = fb_replay_report_new (options, 1, 1);
  g_free (report->version);
  report->version = g_strdup (get_text (root, "version", &first));
  read_shards (report, root, &first);
  read_totals (report, root, &first);
  if (!partial || json_node_get_value_type (partial) != G_TYPE_BOOLEAN)
    fail (&first, "partial");
  else
    report->partial = json_node_get_boolean (partial);
  files = get_array (root, "files", &first);
  for (guint i = 0; files && !first && i < json_array_get_length (files); i++)
    {
      JsonObject *file = item_object (files, i, "files", &first);
      if (file)
        read_file (report, file, &first);
    }
  rows = get_array (root, "rows", &first);
  for (guint i = 0; rows && !first && i < json_array_get_length (rows); i++)
    {
      JsonObject *row = item_object (rows, i, "rows", &first);
      if (row)
        read_row (report, row, &first);
    }
  if (first)
    {
      g_propagate_error (error, g_steal_pointer (&first));
      return NULL;
    }
  return g_steal_pointer (&report);
}

FbReplayReport *
fb_cli_replay_read (const char *path, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new_immutable ();
  g_autoptr (GError) reason = NULL;
  g_autofree char *text = NULL;
  FbReplayReport *report = NULL;
  gsize len;

  if (!g_file_get_contents (path, &text, &len, error))
    return NULL;
  if (nests_too_deep (text, len) || len > G_MAXINT)
    g_set_error_literal (&reason, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("it is not a result of “fusebox replay”"));
  else if (json_parser_load_from_data (parser, text, (gssize) len, &reason))
    {
      JsonNode *root = json_parser_get_root (parser);
      if (root && JSON_NODE_HOLDS_OBJECT (root))
        report = read_root (json_node_get_object (root), &reason);
      else
        g_set_error_literal (&reason, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                             _ ("it is not a result of “fusebox replay”"));
    }
  if (!report)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: %s", path, reason->message);
  return report;
}
