/* From the simplified graph into a kernel, pass by pass. */
#include "verify-private.h"

#include <string.h>

#include "backends/program/program-private.h"

static const FbPlanBuffer *
output_of (const FbVerifyPlace *place)
{
  return fb_plan_buffer (place->plan, fb_plan_step (place->plan, place->kernel)->buffers[0]);
}

/* Writes @value's elements to those at @at of the output; all in order when NULL. */
static gboolean
scatter (const FbVerifyPlace *place, const FbGraphValue *value, const gint64 *at, gint64 n, guint8 *out)
{
  const FbPlanBuffer *buffer = output_of (place);
  guint item = fb_scalar_size (buffer->type);
  if (value->type != buffer->type || value->size != n)
    return FALSE;
  for (gint64 i = 0; i < n; i++)
    {
      gint64 to = at == NULL ? i : at[i];
      if (to >= buffer->size)
        return FALSE;
      if (to >= 0)
        memcpy (out + to * item, value->data + i * item, item);
    }
  return TRUE;
}

/* What @node, a SINK or STORE of the kernel as it stands in some pass, leaves in the output. FALSE: it cannot be told. */
static gboolean
write_output (const FbVerifyPlace *place, FbEvaluator *evaluator, FbUop *node, guint8 *out)
{
  const FbPlanBuffer *buffer = output_of (place);
  gint64 n = buffer->size;
  g_autofree gint64 *at = NULL;
  g_autoptr (GError) error = NULL;
  memcpy (out, place->before, buffer->bytes);
  while ((node->op == FB_OP_SINK || node->op == FB_OP_VIEW) && node->n_src == 1)
    node = node->src[0];
  FbUop *value = node->op == FB_OP_STORE && node->n_src == 3 ? node->src[2] : node;
  if (value->op == FB_OP_ASSIGN)
    at = fb_unfused_target (evaluator, value->src[0], &n, &error);
  else if (node->op == FB_OP_STORE)
    return fb_evaluator_store (evaluator, node, buffer->type, buffer->size, out, place->cancellable, NULL);
  const FbGraphValue *got = error == NULL ? fb_evaluator_get (evaluator, value, place->cancellable, NULL) : NULL;
  if (got == NULL)
    return FALSE;
  if (at == NULL && got->size < n)
    n = got->size;
  return scatter (place, got, at, n, out);
}

static FbEvaluator *
evaluator_for (const FbVerifyPlace *place)
{
  const FbPlanStep *step = fb_plan_step (place->plan, place->kernel);
  FbEvaluator *evaluator = fb_evaluator_new (place->schedule->context, place->schedule->var_vals, place->limits);
  for (guint i = 0; i < step->n_buffers; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (place->plan, step->buffers[i]);
      const guint8 *data = i == 0 ? place->before : fb_plan_data (place->plan, place->memory, step->buffers[i]);
      fb_evaluator_set_argument (evaluator, i, buffer->type, buffer->size, data);
      fb_evaluator_set_value (evaluator, buffer->buffer, buffer->type, buffer->size, data);
    }
  return evaluator;
}

static gboolean
differs (const FbVerifyPlace *place, guint type, gint64 n, const guint8 *a, const guint8 *b)
{
  FbAgreement g;
  fb_agree (type, n, a, b, NULL, place->rule, &g);
  return fb_outcome_of (&g) >= FB_OUTCOME_NAN_ORDER;
}

static gboolean
stores (const FbUop *node)
{
  while ((node->op == FB_OP_SINK || node->op == FB_OP_VIEW) && node->n_src == 1)
    node = node->src[0];
  return node->op == FB_OP_STORE;
}

/* TRUE: the match replaced a value by another one. */
static gboolean
match_differs (const FbMatch *match, FbEvaluator *evaluator, const FbVerifyPlace *place)
{
  if (match->before == match->after)
    return FALSE;
  if (place->before != NULL && stores (match->before) && stores (match->after))
    {
      const FbPlanBuffer *buffer = output_of (place);
      g_autofree guint8 *a = g_malloc (MAX (buffer->bytes, 1)), *b = g_malloc (MAX (buffer->bytes, 1));
      return write_output (place, evaluator, match->before, a) && write_output (place, evaluator, match->after, b)
             && differs (place, buffer->type, buffer->size, a, b);
    }
  const FbGraphValue *a = fb_evaluator_get (evaluator, match->before, place->cancellable, NULL);
  g_autoptr (GError) error = NULL;
  const FbGraphValue *b = a == NULL ? NULL : fb_evaluator_get (evaluator, match->after, place->cancellable, &error);
  if (b == NULL) /* reading outside of its elements, where what was before did not, is different enough */
    return g_error_matches (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_BOUNDS);
  return a->size != b->size || a->type != b->type || differs (place, a->type, a->size, a->data, b->data);
}

guint
fb_verify_find_step (const FbPass *pass, FbEvaluator *evaluator, const FbVerifyPlace *place)
{
  for (guint i = 0; i < pass->matches->len && !g_cancellable_is_cancelled (place->cancellable); i++)
    if (fb_pass_match (pass, i)->after != NULL && match_differs (fb_pass_match (pass, i), evaluator, place))
      return i + 1;
  return 0;
}

int
fb_verify_find_pass (const FbVerifyPlace *place, const guint8 *want, guint *step)
{
  const FbKernelItem *item = fb_schedule_kernel (place->schedule, place->kernel);
  const FbPlanBuffer *buffer = output_of (place);
  g_autofree guint8 *out = g_malloc (MAX (buffer->bytes, 1));
  g_autoptr (FbEvaluator) evaluator = evaluator_for (place);
  *step = 0;
  for (guint i = 0; i < item->n_passes; i++)
    {
      const FbPass *pass = fb_schedule_pass (place->schedule, item->first_pass + i);
      if (pass->result == NULL || !write_output (place, evaluator, pass->result, out)
          || !differs (place, buffer->type, buffer->size, want, out))
        continue;
      *step = fb_verify_find_step (pass, evaluator, place);
      return (int) (item->first_pass + i);
    }
  return -1;
}
