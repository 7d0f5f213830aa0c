/* What the scheduler decided about a row, and what its kernels cost. */
#include "core/explain/cost.h"
#include "store-private.h"

/* Cancellation is looked at once in that many rows. */
#define SLICE 1024

static const char *const verdicts[]
    = { [FB_DECISION_REALIZE] = "realize", [FB_DECISION_KEEP] = "keep", [FB_DECISION_UNREALIZE] = "unrealize" };

static void
bind_node (sqlite3_stmt *stmt, int at, FbContext *context, FbUop *node)
{
  if (node)
    sqlite3_bind_int64 (stmt, at, (gint64) fb_store_key_of (context, node));
  else
    sqlite3_bind_null (stmt, at);
}

static gboolean
put_decision (FbStore *store, sqlite3_stmt *stmt, guint number, FbContext *context, const FbDecision *decision,
              GError **error)
{
  sqlite3_bind_int64 (stmt, 3, number);
  bind_node (stmt, 4, context, decision->node);
  bind_node (stmt, 5, context, decision->because);
  bind_node (stmt, 6, context, decision->other);
  sqlite3_bind_text (stmt, 7, verdicts[decision->kind], -1, SQLITE_STATIC);
  sqlite3_bind_int (stmt, 8, decision->changed);
  sqlite3_bind_text (stmt, 9, fb_reason_name ((FbReason) decision->reason), -1, SQLITE_STATIC);
  sqlite3_bind_text (stmt, 10, fb_reason_location ((FbReason) decision->reason), -1, SQLITE_STATIC);
  sqlite3_bind_int64 (stmt, 11, decision->a);
  sqlite3_bind_int64 (stmt, 12, decision->b);
  sqlite3_bind_int64 (stmt, 13, decision->c);
  sqlite3_bind_int (stmt, 14, decision->stop);
  return fb_store_done (store, stmt, "writing decisions", error);
}

gboolean
fb_store_put_decisions (FbStore *store, FbRowKind kind, guint row, FbContext *context, const FbSchedule *schedule,
                        GCancellable *cancellable, GError **error)
{
  const FbLedger *ledger = schedule->ledger;
  sqlite3_stmt *stmt = fb_store_prepare (
      store, "INSERT OR REPLACE INTO decision VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int (stmt, 1, kind);
  sqlite3_bind_int64 (stmt, 2, row);
  for (guint i = 0; ledger && i < ledger->len; i++)
    if ((i % SLICE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        || !put_decision (store, stmt, i + 1, context, &ledger->at[i], error))
      return FALSE;
  return TRUE;
}

static gboolean
forget_kernels (FbStore *store, FbRowKind kind, guint row, GError **error)
{
  sqlite3_stmt *stmt = fb_store_prepare (store, "DELETE FROM kernel WHERE kind = ? AND row = ?", error);
  if (!stmt)
    return FALSE;
  sqlite3_bind_int (stmt, 1, kind);
  sqlite3_bind_int64 (stmt, 2, row);
  return fb_store_done (store, stmt, "writing kernels", error);
}

/* "DEVICE SIZE DTYPE", a line a buffer. */
static char *
buffers_text (const FbKernelItem *kernel)
{
  GString *text = g_string_new (NULL);
  for (guint b = 0; b < kernel->n_buffers; b++)
    {
      const FbKernelBuffer *buffer = &kernel->buffers[b];
      g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT " %s", b ? "\n" : "", buffer->device, buffer->size,
                              buffer->dtype->repr);
    }
  return g_string_free (text, FALSE);
}

gboolean
fb_store_put_kernels (FbStore *store, FbRowKind kind, guint row, FbContext *context, const FbSchedule *schedule,
                      GCancellable *cancellable, GError **error)
{
  g_autofree FbKernelCost *costs = NULL;
  FbScheduleCost all;
  sqlite3_stmt *stmt = fb_store_prepare (store,
                                         "INSERT INTO kernel (kind, row, number, ast, assign, buffers, bytes_read,"
                                         " bytes_written, flops, recompute) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                                         error);
  if (!stmt || !forget_kernels (store, kind, row, error))
    return FALSE;
  /* of a schedule that stopped half way there is nothing to count */
  if (!schedule->error)
    fb_schedule_cost (schedule, &all, &costs, NULL);
  sqlite3_bind_int (stmt, 1, kind);
  sqlite3_bind_int64 (stmt, 2, row);
  for (guint i = 0; i < schedule->kernels->len; i++)
    {
      const FbKernelItem *kernel = fb_schedule_kernel (schedule, i);
      const FbKernelCost cost = costs ? costs[i] : (FbKernelCost){ 0 };
      g_autofree char *buffers = buffers_text (kernel);
      if (i % SLICE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      sqlite3_bind_int64 (stmt, 3, i + 1);
      bind_node (stmt, 4, context, kernel->ast);
      bind_node (stmt, 5, context, kernel->assign);
      sqlite3_bind_text (stmt, 6, buffers, -1, SQLITE_TRANSIENT);
      sqlite3_bind_int64 (stmt, 7, cost.bytes_read);
      sqlite3_bind_int64 (stmt, 8, cost.bytes_written);
      sqlite3_bind_int64 (stmt, 9, cost.flops);
      sqlite3_bind_double (stmt, 10, cost.recompute);
      if (!fb_store_done (store, stmt, "writing kernels", error))
        return FALSE;
    }
  return TRUE;
}
