/* The answers of `fusebox explain` for a program. Member names are stable. */
#include "explain-private.h"

void
fb_cli_append_cost_json (GString *json, const FbScheduleCost *cost)
{
  g_string_append_printf (json,
                          "\"kernels\":%u,\"bytes_read\":%" G_GINT64_FORMAT ",\"bytes_written\":%" G_GINT64_FORMAT
                          ",\"flops\":%" G_GINT64_FORMAT ",\"peak_bytes\":%" G_GINT64_FORMAT,
                          cost->n_kernels, cost->bytes_read, cost->bytes_written, cost->flops, cost->peak_bytes);
}

void
fb_cli_append_node_json (GString *json, FbContext *context, FbUop *node)
{
  const FbShapeTracker *st = fb_uop_st (context, node);
  char key[17];

  g_string_append_printf (json, "{\"key\":\"%s\",\"op\":\"%s\",\"dtype\":", fb_uop_key_hex (context, node, key),
                          fb_op_name (node->op));
  fb_json_append_string (json, node->dtype->short_name);
  g_string_append (json, ",\"shape\":");
  if (st)
    {
      g_string_append_c (json, '[');
      for (guint i = 0; i < st->shape->n; i++)
        {
          g_autofree char *size = fb_dims_to_display (context, fb_dims_new (context, 1, &st->shape->at[i]), "");
          if (i)
            g_string_append_c (json, ',');
          if (fb_sint_is_int (st->shape->at[i]))
            g_string_append (json, size);
          else
            fb_json_append_string (json, size);
        }
      g_string_append_c (json, ']');
    }
  else
    g_string_append (json, "null");
  g_string_append_c (json, '}');
}

static void
append_optional_node (GString *json, const char *name, FbContext *context, FbUop *node)
{
  if (!node)
    return;
  g_string_append_printf (json, ",\"%s\":", name);
  fb_cli_append_node_json (json, context, node);
}

static void
append_decision (GString *json, FbContext *context, const FbDecision *d)
{
  append_optional_node (json, "because", context, d->because);
  append_optional_node (json, "other", context, d->other);
  switch ((FbReason) d->reason)
    {
    case FB_REASON_EXPAND:
    case FB_REASON_UNSAFE_PAD:
    case FB_REASON_UNSAFE_MASK:
    case FB_REASON_VIEW_FITS:
    case FB_REASON_PAD_SAFE:
    case FB_REASON_REDUCE_SIZE:
      g_string_append_printf (json, ",\"elements\":%" G_GINT64_FORMAT ",\"of\":%" G_GINT64_FORMAT, d->a, d->b);
      break;
    case FB_REASON_REDUCE_OUTPUTS:
      g_string_append_printf (json, ",\"outputs\":%" G_GINT64_FORMAT, d->a);
      break;
    default:
      break;
    }
}

void
fb_cli_append_verdict_json (GString *json, const FbSchedule *schedule, const FbVerdict *verdict)
{
  g_autofree char *sentence = fb_why_sentence (schedule, verdict);

  g_string_append (json, "{\"node\":");
  fb_cli_append_node_json (json, schedule->context, verdict->node);
  g_string_append_printf (json, ",\"verdict\":\"%s\",\"reason\":\"%s\",\"location\":\"%s\",\"text\":",
                          fb_verdict_name (verdict->kind), fb_why_reason (verdict), fb_why_location (verdict));
  fb_json_append_string (json, sentence);
  if (verdict->decision)
    append_decision (json, schedule->context, verdict->decision);
  if (verdict->kernel)
    g_string_append_printf (json, ",\"stored_by\":%u", verdict->kernel);
  g_string_append (json, ",\"kernels\":[");
  for (guint i = 0; i < verdict->n_kernels; i++)
    g_string_append_printf (json, "%s%u", i ? "," : "", verdict->kernels[i]);
  g_string_append_c (json, ']');
}

/* A verdict with what would fuse the node, closed. */
static void
append_full_verdict (GString *json, const FbCliAnswer *answer, FbUop *node)
{
  FbVerdict verdict = fb_why_verdict (answer->why, node);

  fb_cli_append_verdict_json (json, answer->schedule, &verdict);
  if (verdict.kind == FB_VERDICT_REALIZED && !answer->asked->quick)
    {
      g_autoptr (GPtrArray) statements = fb_counterfactuals_of (answer->tries, node, NULL);
      g_string_append (json, ",\"fuses_with\":[");
      for (guint i = 0; i < statements->len; i++)
        {
          const FbCounterfactual *statement = g_ptr_array_index (statements, i);
          g_autofree char *change = fb_scenario_to_text (statement->change, answer->schedule);
          g_string_append (json, i ? ",{\"change\":" : "{\"change\":");
          fb_json_append_string (json, change);
          g_string_append_c (json, ',');
          fb_cli_append_cost_json (json, &statement->cost);
          g_string_append_c (json, '}');
        }
      g_string_append_c (json, ']');
    }
  g_string_append_c (json, '}');
}

static void
append_pair (GString *json, const FbCliAnswer *answer)
{
  g_autoptr (FbPair) pair = fb_why_pair (answer->why, answer->asked->node, answer->asked->other);

  g_string_append_printf (json, "\"pair\":\"%s\",\"up\":", fb_pair_name (pair->kind));
  fb_cli_append_node_json (json, answer->context, pair->up);
  g_string_append (json, ",\"down\":");
  fb_cli_append_node_json (json, answer->context, pair->down);
  g_string_append (json, ",\"both_in\":[");
  for (guint i = 0; i < pair->kernels->len; i++)
    g_string_append_printf (json, "%s%u", i ? "," : "", g_array_index (pair->kernels, guint, i));
  g_string_append (json, "],\"stored_between\":[");
  for (guint i = 0; i < pair->deciding->len; i++)
    {
      const FbDecision *d = g_ptr_array_index (pair->deciding, i);
      g_string_append (json, i ? "," : "");
      append_full_verdict (json, answer, d->node);
    }
  g_string_append_c (json, ']');
}

static void
append_kernel (GString *json, const FbCliAnswer *answer, guint kernel)
{
  const FbKernelCost *cost = &answer->kernels[kernel - 1];
  gboolean first = TRUE;

  g_string_append_printf (json,
                          "{\"kernel\":%u,\"bytes_read\":%" G_GINT64_FORMAT ",\"bytes_written\":%" G_GINT64_FORMAT
                          ",\"flops\":%" G_GINT64_FORMAT ",\"recompute\":%g,\"ops\":{",
                          kernel, cost->bytes_read, cost->bytes_written, cost->flops, cost->recompute);
  for (guint op = 0; op < FB_N_OPS; op++)
    if (cost->ops[op])
      {
        g_string_append_printf (json, "%s\"%s\":%u", first ? "" : ",", fb_op_name (op), cost->ops[op]);
        first = FALSE;
      }
  g_string_append (json, "},\"stores\":");
  append_full_verdict (json, answer, fb_why_stored (answer->why, kernel));
  g_string_append_c (json, '}');
}

static void
append_row (GString *json, const FbCliAnswer *answer)
{
  const GPtrArray *nodes = fb_why_nodes (answer->why);
  gboolean first = TRUE;

  g_string_append (json, "\"cost\":{");
  fb_cli_append_cost_json (json, &answer->cost);
  g_string_append (json, "},\"kernels\":[");
  for (guint kernel = 1; kernel <= answer->schedule->kernels->len; kernel++)
    {
      g_string_append (json, kernel > 1 ? "," : "");
      append_kernel (json, answer, kernel);
    }
  g_string_append (json, "],\"buffers\":[");
  for (guint i = 0; i < answer->lives->len; i++)
    {
      const FbBufferLife *life = &g_array_index (answer->lives, FbBufferLife, i);
      FbUop *unique = life->buffer->n_src > 1 ? life->buffer->src[1] : NULL;
      g_string_append_printf (json,
                              "%s{\"buffer\":%" G_GINT64_FORMAT ",\"bytes\":%" G_GINT64_FORMAT
                              ",\"created_by\":%u,\"last_used_by\":%u,\"stays\":%s}",
                              i ? "," : "", unique && unique->arg.kind == FB_ARG_INT ? unique->arg.i : -1, life->bytes,
                              life->created, life->last_used, life->stays ? "true" : "false");
    }
  g_string_append_c (json, ']');
  if (!answer->asked->all)
    return;
  g_string_append (json, ",\"verdicts\":[");
  for (guint i = 0; i < nodes->len; i++)
    {
      FbVerdict verdict = fb_why_verdict (answer->why, g_ptr_array_index (nodes, i));
      if (verdict.kind != FB_VERDICT_FUSED)
        continue;
      g_string_append (json, first ? "" : ",");
      fb_cli_append_verdict_json (json, answer->schedule, &verdict);
      g_string_append_c (json, '}');
      first = FALSE;
    }
  g_string_append_c (json, ']');
}

void
fb_cli_explain_json (const FbCliAnswer *answer)
{
  GString *json = g_string_new ("{\"file\":");

  fb_json_append_string (json, answer->asked->path);
  g_string_append_printf (json, ",\"row\":%u,", answer->asked->row);
  if (answer->asked->other)
    append_pair (json, answer);
  else if (answer->asked->node)
    {
      g_string_append (json, "\"verdict\":");
      append_full_verdict (json, answer, answer->asked->node);
    }
  else
    append_row (json, answer);
  g_string_append (json, "}\n");
  fb_cli_write (json->str, json->len);
  g_string_free (json, TRUE);
}
