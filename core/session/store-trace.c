/* The trace of a row: its nodes, each once in a file, and by their keys what the passes did with them. */
#include <string.h>

#include "core/ir/text.h"
#include "store-private.h"

/* Cancellation is looked at once in that many rows. */
#define SLICE 1024
/* Python's text of a node's arg; what is longer is cut, and only then ends in "…". */
#define MOST_ARGUMENT 65536

typedef struct
{
  FbStore *store;
  FbContext *context;
  GCancellable *cancellable;
  GError **error;
  guint8 *seen; /* by node id */
  guint32 n_seen;
  GPtrArray *stack, *nodes; /* of FbUop */
  GHashTable *arguments;    /* text → id */
} Writer;

guint64
fb_store_key_of (FbContext *context, FbUop *uop)
{
  guint64 key;
  memcpy (&key, fb_uop_key (context, uop), sizeof key);
  return GUINT64_FROM_BE (key);
}

static gboolean
go_on (Writer *w, guint i)
{
  return i % SLICE || !g_cancellable_set_error_if_cancelled (w->cancellable, w->error);
}

/* --- which nodes --- */

static void
meet (Writer *w, FbUop *uop)
{
  if (uop->id >= w->n_seen)
    {
      guint32 n = MAX (2 * w->n_seen, uop->id + 1024);
      w->seen = g_realloc (w->seen, n);
      memset (w->seen + w->n_seen, 0, n - w->n_seen);
      w->n_seen = n;
    }
  if (w->seen[uop->id])
    return;
  w->seen[uop->id] = 1;
  g_ptr_array_add (w->stack, uop);
}

/* @uop and all below it, kernels' ASTs included. */
static void
collect (Writer *w, FbUop *uop)
{
  if (!uop)
    return;
  meet (w, uop);
  while (w->stack->len)
    {
      FbUop *top = g_ptr_array_remove_index_fast (w->stack, w->stack->len - 1);
      g_ptr_array_add (w->nodes, top);
      for (guint i = 0; i < top->n_src; i++)
        meet (w, top->src[i]);
      if (top->arg.kind == FB_ARG_KERNEL)
        meet (w, top->arg.kernel->ast);
    }
}

static void
collect_schedule (Writer *w, const FbSchedule *schedule)
{
  for (guint p = 0; p < schedule->passes->len; p++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, p);
      collect (w, pass->sink);
      collect (w, pass->result);
      for (guint i = 0; i < pass->matches->len; i++)
        {
          collect (w, fb_pass_match (pass, i)->before);
          collect (w, fb_pass_match (pass, i)->after);
        }
    }
  for (guint i = 0; i < schedule->kernels->len; i++)
    {
      const FbKernelItem *kernel = fb_schedule_kernel (schedule, i);
      collect (w, kernel->ast);
      collect (w, kernel->assign);
    }
  for (guint i = 0; schedule->ledger && i < schedule->ledger->len; i++)
    {
      const FbDecision *decision = &schedule->ledger->at[i];
      collect (w, decision->node);
      collect (w, decision->because);
      collect (w, decision->other);
    }
}

/* --- nodes --- */

/* The id of a text, stored at its first use; 0 with the error set. */
static gint64
argument_id (Writer *w, GString *text)
{
  gint64 id = (gint64) (gsize) g_hash_table_lookup (w->arguments, text->str);
  if (id)
    return id;
  sqlite3_stmt *stmt = fb_store_prepare (w->store, "INSERT INTO argument (text) VALUES (?)", w->error);
  if (!stmt)
    return 0;
  sqlite3_bind_text (stmt, 1, text->str, (int) text->len, SQLITE_STATIC);
  gboolean ok = fb_store_done (w->store, stmt, "writing a trace", w->error);
  sqlite3_clear_bindings (stmt);
  if (!ok)
    return 0;
  id = sqlite3_last_insert_rowid (w->store->db);
  g_hash_table_insert (w->arguments, g_strdup (text->str), (gpointer) (gsize) id);
  return id;
}

static void
append_argument (Writer *w, const FbUop *uop, GString *text)
{
  if (uop->arg.kind == FB_ARG_KERNEL)
    {
      char key[17];
      g_string_append_printf (text, "<Kernel %s>", fb_uop_key_hex (w->context, uop->arg.kernel->ast, key));
    }
  else
    fb_uop_append_argstr (w->context, uop, text);
  if (text->len <= MOST_ARGUMENT)
    return;
  g_string_truncate (text, g_utf8_find_prev_char (text->str, text->str + MOST_ARGUMENT) - text->str);
  g_string_append (text, "…");
}

/* Texts stored with rows written before. */
static gboolean
read_arguments (Writer *w)
{
  GError *local = NULL;
  sqlite3_stmt *stmt = fb_store_prepare (w->store, "SELECT id, text FROM argument", w->error);
  if (!stmt)
    return FALSE;
  while (fb_store_row (w->store, stmt, "reading its traces", &local))
    g_hash_table_insert (w->arguments, g_strdup ((const char *) sqlite3_column_text (stmt, 1)),
                         (gpointer) (gsize) sqlite3_column_int64 (stmt, 0));
  if (local)
    g_propagate_error (w->error, local);
  return !local;
}

typedef struct
{
  gint64 id;
  FbUop *uop;
} KeyedNode;

static int
by_id (const void *a, const void *b)
{
  gint64 x = ((const KeyedNode *) a)->id, y = ((const KeyedNode *) b)->id;
  return x < y ? -1 : x > y;
}

/* In the order of the table, which then grows at its end only. */
static gboolean
put_nodes (Writer *w)
{
  guint n = w->nodes->len;
  g_autofree KeyedNode *keyed = g_new (KeyedNode, n);
  g_autoptr (GArray) src = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GString) text = g_string_new (NULL);
  sqlite3_stmt *there = fb_store_prepare (w->store, "SELECT 1 FROM node WHERE id = ?", w->error);
  sqlite3_stmt *stmt = there ? fb_store_prepare (w->store, "INSERT INTO node VALUES (?, ?, ?, ?, ?)", w->error) : NULL;
  if (!stmt)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      FbUop *uop = g_ptr_array_index (w->nodes, i);
      keyed[i] = (KeyedNode){ (gint64) fb_store_key_of (w->context, uop), uop };
    }
  qsort (keyed, n, sizeof *keyed, by_id);
  for (guint i = 0; i < n; i++)
    {
      FbUop *uop = keyed[i].uop;
      if (!go_on (w, i))
        return FALSE;
      /* nodes that differ only in what keys leave out share one */
      if (i && keyed[i].id == keyed[i - 1].id)
        continue;
      sqlite3_bind_int64 (there, 1, keyed[i].id);
      gboolean known = sqlite3_step (there) == SQLITE_ROW;
      sqlite3_reset (there);
      if (known)
        continue;
      g_string_truncate (text, 0);
      append_argument (w, uop, text);
      gint64 argument = argument_id (w, text);
      if (!argument)
        return FALSE;
      g_array_set_size (src, 0);
      for (guint s = 0; s < uop->n_src; s++)
        {
          guint64 key = GUINT64_TO_BE (fb_store_key_of (w->context, uop->src[s]));
          g_array_append_val (src, key);
        }
      sqlite3_bind_int64 (stmt, 1, keyed[i].id);
      sqlite3_bind_text (stmt, 2, fb_op_name (uop->op), -1, SQLITE_STATIC);
      sqlite3_bind_text (stmt, 3, uop->dtype->repr, -1, SQLITE_STATIC);
      sqlite3_bind_int64 (stmt, 4, argument);
      sqlite3_bind_blob64 (stmt, 5, src->len ? src->data : "", src->len * sizeof (guint64), SQLITE_STATIC);
      if (!fb_store_done (w->store, stmt, "writing a trace", w->error))
        return FALSE;
    }
  return TRUE;
}

/* --- passes and steps --- */

static gint64
put_rule (Writer *w, const FbRule *rule)
{
  sqlite3_stmt *find
      = fb_store_prepare (w->store, "SELECT id FROM rule WHERE name = ? AND law = ? AND location = ?", w->error);
  sqlite3_stmt *add
      = find ? fb_store_prepare (w->store, "INSERT INTO rule (name, law, location) VALUES (?, ?, ?)", w->error) : NULL;
  sqlite3_stmt *both[] = { find, add };
  GError *local = NULL;
  if (!add)
    return 0;
  for (guint i = 0; i < 2; i++)
    {
      sqlite3_bind_text (both[i], 1, rule->name, -1, SQLITE_STATIC);
      sqlite3_bind_text (both[i], 2, rule->law, -1, SQLITE_STATIC);
      sqlite3_bind_text (both[i], 3, rule->location, -1, SQLITE_STATIC);
    }
  if (fb_store_row (w->store, find, "writing a trace", &local))
    {
      gint64 id = sqlite3_column_int64 (find, 0);
      sqlite3_reset (find);
      return id;
    }
  if (local)
    {
      g_propagate_error (w->error, local);
      return 0;
    }
  return fb_store_done (w->store, add, "writing a trace", w->error) ? sqlite3_last_insert_rowid (w->store->db) : 0;
}

static gint64
next_step_id (Writer *w)
{
  sqlite3_stmt *stmt = fb_store_prepare (w->store, "SELECT coalesce (max (id), 0) + 1 FROM step", w->error);
  if (!stmt || !fb_store_row (w->store, stmt, "writing a trace", w->error))
    return 0;
  gint64 id = sqlite3_column_int64 (stmt, 0);
  sqlite3_reset (stmt);
  return id;
}

/* Which nodes of the trace the match's rule made. */
static gboolean
put_lineage (Writer *w, const FbMatch *match, gint64 step, FbUop *const *by_node_id)
{
  sqlite3_stmt *stmt = fb_store_prepare (w->store, "INSERT INTO lineage VALUES (?, ?)", w->error);
  if (!stmt)
    return FALSE;
  for (guint32 id = match->first_new; id < match->end_new && id < w->n_seen; id++)
    {
      if (!w->seen[id])
        continue;
      sqlite3_bind_int64 (stmt, 1, step);
      sqlite3_bind_int64 (stmt, 2, (gint64) fb_store_key_of (w->context, by_node_id[id]));
      if (!fb_store_done (w->store, stmt, "writing a trace", w->error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
put_steps (Writer *w, const FbPass *pass, gint64 first, FbUop *const *by_node_id)
{
  guint n_rules = fb_rule_set_n_rules (pass->rules);
  g_autofree gint64 *rules = g_new0 (gint64, n_rules);
  sqlite3_stmt *stmt = fb_store_prepare (w->store, "INSERT INTO step VALUES (?, ?, ?, ?)", w->error);
  if (!stmt)
    return FALSE;
  for (guint i = 0; i < pass->matches->len; i++)
    {
      const FbMatch *match = fb_pass_match (pass, i);
      if (!go_on (w, i))
        return FALSE;
      if (!rules[match->rule] && !(rules[match->rule] = put_rule (w, fb_rule_set_rule (pass->rules, match->rule))))
        return FALSE;
      sqlite3_bind_int64 (stmt, 1, first + i);
      sqlite3_bind_int64 (stmt, 2, rules[match->rule]);
      sqlite3_bind_int64 (stmt, 3, (gint64) fb_store_key_of (w->context, match->before));
      sqlite3_bind_int64 (stmt, 4, (gint64) fb_store_key_of (w->context, match->after));
      if (!fb_store_done (w->store, stmt, "writing a trace", w->error)
          || !put_lineage (w, match, first + i, by_node_id))
        return FALSE;
    }
  return TRUE;
}

static gboolean
put_pass (Writer *w, FbRowKind kind, guint row, guint number, const FbPass *pass, gint64 first)
{
  sqlite3_stmt *stmt = fb_store_prepare (
      w->store,
      "INSERT INTO pass (kind, row, number, title, location, kernel, bottom_up, sink, result, first_step, n_steps)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      w->error);
  if (!stmt)
    return FALSE;
  sqlite3_clear_bindings (stmt);
  sqlite3_bind_int (stmt, 1, kind);
  sqlite3_bind_int64 (stmt, 2, row);
  sqlite3_bind_int64 (stmt, 3, number);
  sqlite3_bind_text (stmt, 4, pass->title, -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 5, pass->location, -1, SQLITE_STATIC);
  if (pass->kernel)
    sqlite3_bind_int64 (stmt, 6, pass->kernel);
  sqlite3_bind_int (stmt, 7, pass->bottom_up);
  sqlite3_bind_int64 (stmt, 8, (gint64) fb_store_key_of (w->context, pass->sink));
  if (pass->result)
    sqlite3_bind_int64 (stmt, 9, (gint64) fb_store_key_of (w->context, pass->result));
  sqlite3_bind_int64 (stmt, 10, first);
  sqlite3_bind_int64 (stmt, 11, pass->matches->len);
  return fb_store_done (w->store, stmt, "writing a trace", w->error);
}

static gboolean
has_rows (FbStore *store, const char *sql, FbRowKind kind, guint row)
{
  sqlite3_stmt *stmt = fb_store_prepare (store, sql, NULL);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int (stmt, 1, kind);
  sqlite3_bind_int64 (stmt, 2, row);
  gboolean there = fb_store_row (store, stmt, "reading its traces", NULL);
  sqlite3_reset (stmt);
  return there;
}

static gboolean
has_passes (FbStore *store, FbRowKind kind, guint row)
{
  return has_rows (store, "SELECT 1 FROM pass WHERE kind = ? AND row = ?", kind, row);
}

gboolean
fb_store_has_trace (FbStore *store, FbRowKind kind, guint row)
{
  /* version 2 wrote kernels without what they cost, and no decisions */
  return has_passes (store, kind, row)
         && !has_rows (store, "SELECT 1 FROM kernel WHERE kind = ? AND row = ? AND flops IS NULL", kind, row);
}

static gboolean
put_passes (Writer *w, FbRowKind kind, guint row, const FbSchedule *schedule)
{
  gint64 step = next_step_id (w);
  if (!step)
    return FALSE;
  g_autofree FbUop **by_node_id = g_new0 (FbUop *, w->n_seen);
  for (guint i = 0; i < w->nodes->len; i++)
    by_node_id[((FbUop *) g_ptr_array_index (w->nodes, i))->id] = g_ptr_array_index (w->nodes, i);
  for (guint p = 0; p < schedule->passes->len; p++)
    {
      const FbPass *pass = fb_schedule_pass (schedule, p);
      if (!put_pass (w, kind, row, p, pass, step) || !put_steps (w, pass, step, by_node_id))
        return FALSE;
      step += pass->matches->len;
    }
  return TRUE;
}

static gboolean
put_trace (Writer *w, FbRowKind kind, guint row, const FbSchedule *schedule)
{
  collect_schedule (w, schedule);
  return read_arguments (w) && put_nodes (w)
         && (has_passes (w->store, kind, row) || put_passes (w, kind, row, schedule))
         && fb_store_put_decisions (w->store, kind, row, w->context, schedule, w->cancellable, w->error)
         && fb_store_put_kernels (w->store, kind, row, w->context, schedule, w->cancellable, w->error);
}

gboolean
fb_store_put_trace (FbStore *store, FbRowKind kind, guint row, FbContext *context, const FbSchedule *schedule,
                    GCancellable *cancellable, GError **error)
{
  if (fb_store_has_trace (store, kind, row))
    return TRUE;
  Writer w = { .store = store, .context = context, .cancellable = cancellable, .error = error };
  w.stack = g_ptr_array_new ();
  w.nodes = g_ptr_array_new ();
  w.arguments = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean ok = put_trace (&w, kind, row, schedule);
  g_ptr_array_unref (w.stack);
  g_ptr_array_unref (w.nodes);
  g_hash_table_unref (w.arguments);
  g_free (w.seen);
  return ok;
}
