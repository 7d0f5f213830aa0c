#include "question.h"

#include "json.h"

gboolean
fb_question_init (FbQuestion *question, FbCapture *capture, const FbCliRows *rows)
{
  g_autoptr (GError) error = NULL;
  FbRowKind kind;
  guint number = (guint) rows->row;
  *question = (FbQuestion){ .path = fb_capture_path (capture) };
  if (!fb_cli_rows_resolve (rows, capture, &kind))
    return FALSE;
  if (number == 0)
    {
      if (fb_capture_n_rows (capture, kind) > 1)
        {
          fb_cli_error (_ ("%s has %u rows: say which one with --row"), question->path,
                        fb_capture_n_rows (capture, kind));
          return FALSE;
        }
      number = 1;
    }
  question->context = fb_context_new ();
  question->row = fb_capture_read_row (capture, kind, number, question->context, &error);
  if (question->row == NULL)
    {
      fb_cli_error ("%s", error->message);
      return FALSE;
    }
  if (kind == FB_ROW_KERNEL || question->row->sink->op != FB_OP_SINK)
    return TRUE;
  question->schedule = fb_schedule_new (question->context, question->row->sink, NULL);
  if (question->schedule->error != NULL)
    {
      /* the passes up to there can be asked about */
      g_autofree char *message = fb_cli_schedule_error (question->path, number, question->schedule);
      fb_cli_error ("%s", message);
    }
  question->history = fb_history_new (question->schedule, NULL);
  question->index = fb_query_index_new (question->history);
  return TRUE;
}

void
fb_question_clear (FbQuestion *question)
{
  fb_query_index_free (question->index);
  fb_history_free (question->history);
  fb_schedule_free (question->schedule);
  g_clear_pointer (&question->row, fb_capture_row_free);
  g_clear_pointer (&question->context, fb_context_free);
}

static const FbDims *
shape_of (const FbQuestion *question, FbUop *uop)
{
  const FbShapeTracker *st = fb_uop_st (question->context, uop);
  g_autoptr (GError) ignored = NULL;
  /* a node without a shape is no error here */
  fb_context_take_error (question->context, &ignored);
  return st == NULL ? NULL : st->shape;
}

char *
fb_question_describe (const FbQuestion *question, FbUop *uop)
{
  const FbDims *shape = shape_of (question, uop);
  if (shape == NULL || shape->n == 0)
    return g_strdup_printf ("%s %s", fb_op_name (uop->op), uop->dtype->short_name);
  g_autofree char *sizes = fb_dims_to_display (question->context, shape, "×");
  return g_strdup_printf ("%s %s %s", fb_op_name (uop->op), uop->dtype->short_name, sizes);
}

char *
fb_question_pass (const FbQuestion *question, guint pass)
{
  const FbPass *p = fb_schedule_pass (question->schedule, pass);
  if (p->kernel == 0)
    return g_strdup_printf (_ ("pass %u %s"), pass + 1, p->title);
  /* Translators: number and title of a pass, number of the kernel that it is over */
  return g_strdup_printf (_ ("pass %u %s of kernel %u"), pass + 1, p->title, p->kernel);
}

void
fb_question_append_node (const FbQuestion *question, FbUop *uop, GString *json)
{
  const FbDims *shape = shape_of (question, uop);
  char key[17];
  g_string_append_printf (json, "\"op\":\"%s\",\"dtype\":", fb_op_name (uop->op));
  fb_json_append_string (json, uop->dtype->short_name);
  g_string_append (json, ",\"shape\":");
  if (shape == NULL)
    g_string_append (json, "null");
  else
    {
      g_string_append_c (json, '[');
      for (guint i = 0; i < shape->n; i++)
        {
          if (i > 0)
            g_string_append_c (json, ',');
          if (fb_sint_is_int (shape->at[i]))
            g_string_append_printf (json, "%" G_GINT64_FORMAT, fb_sint_int (shape->at[i]));
          else
            {
              g_autofree char *size = fb_uop_render (question->context, fb_sint_get_uop (shape->at[i]));
              fb_json_append_string (json, size);
            }
        }
      g_string_append_c (json, ']');
    }
  g_string_append_printf (json, ",\"key\":\"%s\"", fb_uop_key_hex (question->context, uop, key));
}

void
fb_question_append_place (const FbQuestion *question, guint pass, guint step, GString *json)
{
  const FbPass *p = fb_schedule_pass (question->schedule, pass);
  g_string_append_printf (json, "\"pass\":%u,\"title\":", pass + 1);
  fb_json_append_string (json, p->title);
  g_string_append_printf (json, ",\"kernel\":%u,\"step\":%u", p->kernel, step);
}

void
fb_question_append_rule (const FbRule *rule, GString *json)
{
  if (rule == NULL)
    return;
  g_string_append (json, ",\"rule\":");
  fb_json_append_string (json, rule->name);
  g_string_append (json, ",\"location\":");
  fb_json_append_string (json, rule->location);
}
