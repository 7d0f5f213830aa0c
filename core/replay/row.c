#include "row.h"

#include <string.h>

#include "core/ir/text.h"

const char *
fb_replay_row_status_name (FbReplayRowStatus status)
{
  static const char *const names[FB_REPLAY_N_ROW_STATUSES] = { "identical", "changed", "failed", "uncompared" };

  g_return_val_if_fail ((guint) status < FB_REPLAY_N_ROW_STATUSES, "");
  return names[status];
}

const char *
fb_replay_error_kind (FbError error)
{
  switch (error)
    {
    case FB_ERROR_SHAPE:
      return "shape";
    case FB_ERROR_SHAPELESS:
      return "shapeless";
    case FB_ERROR_DEVICE:
      return "device";
    case FB_ERROR_DTYPE:
      return "dtype";
    case FB_ERROR_ARITHMETIC:
      return "arithmetic";
    case FB_ERROR_OVERFLOW:
      return "overflow";
    case FB_ERROR_DIVERGES:
      return "diverges";
    case FB_ERROR_UNSUPPORTED:
      return "unsupported";
    case FB_ERROR_CYCLE:
      return "cycle";
    case FB_ERROR_SELF_OPERAND:
      return "self operand";
    case FB_ERROR_VERIFY:
      return "verify";
    case FB_ERROR_CANCELLED:
      return "cancelled";
    }
  g_return_val_if_reached ("");
}

void
fb_replay_row_free (gpointer data)
{
  FbReplayRow *row = data;

  if (!row)
    return;
  g_ptr_array_unref (row->differences);
  fb_replay_passes_free (row->passes);
  g_free (row->key);
  g_free (row->error_kind);
  g_free (row->error_message);
  g_free (row->error_pass);
  g_free (row->error_node);
  g_free (row->error_op);
  g_free (row);
}

static void
set_failed (FbReplayRow *row, FbContext *context, const FbSchedule *schedule)
{
  const GError *error = schedule->error;
  const FbPass *last = schedule->passes->len ? fb_schedule_pass (schedule, schedule->passes->len - 1) : NULL;
  char key[17] = "";

  row->status = FB_REPLAY_ROW_FAILED;
  row->error_kind = g_strdup (error->domain == FB_ERROR ? fb_replay_error_kind ((FbError) error->code) : "other");
  row->error_message = g_strdup (error->message);
  row->error_pass = g_strdup (last ? last->title : "");
  row->error_op = g_strdup (schedule->error_uop ? fb_op_name (schedule->error_uop->op) : "");
  row->error_node = g_strdup (schedule->error_uop ? fb_uop_key_hex (context, (FbUop *) schedule->error_uop, key) : "");
}

static void
set_compared (FbReplayRow *row, FbContext *context, const FbCaptureRow *captured, const FbSchedule *schedule)
{
  g_autofree FbUop **asts = g_new (FbUop *, schedule->kernels->len + 1);
  g_autoptr (FbComparison) comparison = NULL;

  row->n_captured = captured->kernels->len;
  row->n_scheduled = schedule->kernels->len;
  /* a capture without kernels is that of a graph alone, or of one that the reference did not get through */
  if (!row->n_captured && row->n_scheduled)
    {
      row->status = FB_REPLAY_ROW_UNCOMPARED;
      return;
    }
  for (guint i = 0; i < schedule->kernels->len; i++)
    asts[i] = fb_schedule_kernel (schedule, i)->ast;
  comparison = fb_comparison_new (context, captured->kernels->len, (FbUop *const *) captured->kernels->pdata,
                                  schedule->kernels->len, asts);
  memcpy (row->counts, comparison->counts, sizeof row->counts);
  row->signature = comparison->signature;
  if (captured->recorded)
    row->passes = fb_replay_passes_new (captured->recorded, schedule);
  row->status = comparison->differences->len || (row->passes && !fb_replay_passes_alike (row->passes))
                    ? FB_REPLAY_ROW_CHANGED
                    : FB_REPLAY_ROW_IDENTICAL;
  g_ptr_array_unref (row->differences);
  row->differences = g_steal_pointer (&comparison->differences);
  comparison->differences = g_ptr_array_new ();
}

FbReplayRow *
fb_replay_row_new (FbContext *context, const FbCaptureRow *captured, const GError *error, const GArray *options,
                   GCancellable *cancellable)
{
  FbReplayRow *row = g_new0 (FbReplayRow, 1);
  g_autoptr (FbSchedule) schedule = NULL;

  row->differences = g_ptr_array_new_with_free_func (fb_replay_difference_free);
  row->key = g_strdup (captured ? captured->key : "");
  if (!captured)
    {
      row->status = FB_REPLAY_ROW_FAILED;
      row->error_kind = g_strdup ("unreadable");
      row->error_message = g_strdup (error->message);
      row->error_pass = g_strdup ("");
      row->error_node = g_strdup ("");
      row->error_op = g_strdup ("");
      return row;
    }
  row->row = captured->row;
  fb_replay_options_apply (options, context);
  schedule = fb_schedule_new (context, captured->sink, cancellable);
  row->n_captured = captured->kernels->len;
  if (g_error_matches (schedule->error, FB_ERROR, FB_ERROR_CANCELLED))
    {
      fb_replay_row_free (row);
      return NULL;
    }
  if (schedule->error)
    set_failed (row, context, schedule);
  else
    set_compared (row, context, captured, schedule);
  return row;
}

char *
fb_replay_counts_to_text (const guint *counts)
{
  GString *text = g_string_new (NULL);

  /* what changed first, what did not last */
  for (guint i = 1; i <= FB_REPLAY_N_CLASSES; i++)
    {
      guint class = i % FB_REPLAY_N_CLASSES;
      if (counts[class])
        g_string_append_printf (text, "%s%u %s", text->len ? ", " : "", counts[class], fb_replay_class_name (class));
    }
  if (!text->len)
    g_string_append (text, "no kernels");
  return g_string_free (text, FALSE);
}
