#include "verify-private.h"

#include <string.h>

#include "backends/program/program-private.h"

static const char *const names[FB_N_OUTCOMES] = { "equal", "within", "nan-order", "different", "refused" };

const char *
fb_outcome_name (FbOutcome outcome)
{
  return names[outcome];
}

FbOutcome
fb_outcome_of (const FbAgreement *g)
{
  if (g->beyond > 0)
    return FB_OUTCOME_DIFFERENT;
  if (g->nan_order > 0)
    return FB_OUTCOME_NAN_ORDER;
  return g->equal == g->size ? FB_OUTCOME_EQUAL : FB_OUTCOME_WITHIN;
}

typedef struct
{
  const FbSchedule *schedule;
  const FbPlan *plan;
  FbMemory *memory;
  const FbVerifyOptions *options;
  FbVerification *out;
  FbUnfusedRun *unfused; /* against the graph */
  guint8 *before;        /* what the kernel that runs writes over */
  FbMemory other;        /* of the other backend: the same as .memory before that kernel */
  GCancellable *cancellable;
} Verify;

static void
clear_kernel (gpointer data)
{
  g_free (((FbVerifiedKernel *) data)->why);
}

static void
refuse (FbVerifiedKernel *verified, const GError *error)
{
  verified->outcome = FB_OUTCOME_REFUSED;
  verified->why = g_strdup (error->message);
}

static const FbPlanBuffer *
output_of (const Verify *v, guint kernel)
{
  return fb_plan_buffer (v->plan, fb_plan_step (v->plan, kernel)->buffers[0]);
}

static guint8 *
output_data (const Verify *v, guint8 *memory, guint kernel)
{
  return fb_plan_data (v->plan, memory, fb_plan_step (v->plan, kernel)->buffers[0]);
}

static FbAgreeRule
rule_of (const Verify *v, guint kernel)
{
  const FbPlanStep *step = fb_plan_step (v->plan, kernel);
  FbAgreeRule rule = { .length = 1 };
  if (step->program != NULL)
    rule = fb_agree_rule (step->program);
  for (guint i = 1; i < step->n_buffers; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (v->plan, step->buffers[i]);
      double largest
          = fb_largest (buffer->type, buffer->size, fb_plan_data (v->plan, v->memory->data, step->buffers[i]));
      rule.inputs = MAX (rule.inputs, largest);
    }
  return rule;
}

static void
save_before (Verify *v, guint kernel)
{
  g_clear_pointer (&v->before, g_free);
  if (kernel < v->plan->steps->len)
    v->before = g_memdup2 (output_data (v, v->memory->data, kernel), MAX (output_of (v, kernel)->bytes, 1));
}

/* Where between the graph and the kernel numbers began to differ. */
static void
find_pass (Verify *v, guint kernel, const FbAgreeRule *rule, const FbGraphValue *value, const gint64 *written)
{
  const FbPlanBuffer *buffer = output_of (v, kernel);
  const FbVerifyPlace place
      = { v->schedule, v->plan, kernel, v->memory->data, v->before, rule, &v->options->limits, v->cancellable };
  g_autofree guint8 *want = g_memdup2 (v->before, MAX (buffer->bytes, 1));
  guint item = fb_scalar_size (buffer->type);
  for (gint64 i = 0; i < value->size; i++)
    {
      gint64 to = written == NULL ? i : written[i];
      if (to >= 0 && to < buffer->size)
        memcpy (want + to * item, value->data + i * item, item);
    }
  v->out->pass = fb_verify_find_pass (&place, want, &v->out->step);
}

static void
compare_graph (Verify *v, guint kernel, FbVerifiedKernel *verified)
{
  g_autoptr (GError) error = NULL;
  const FbPlanBuffer *buffer = output_of (v, kernel);
  gint64 n;
  g_autofree gint64 *written = fb_unfused_written (v->unfused, kernel, &n, &error);
  const FbGraphValue *value = NULL;
  FbEvaluator *evaluator = fb_unfused_run_evaluator (v->unfused, kernel);
  if (error == NULL)
    value = fb_evaluator_get (evaluator, fb_unfused_stored (v->schedule, kernel), v->cancellable, &error);
  if (value == NULL)
    {
      refuse (verified, error);
      return;
    }
  if (value->size != n || value->type != buffer->type)
    {
      verified->outcome = FB_OUTCOME_DIFFERENT;
      verified->agreement = (FbAgreement){ .size = n, .beyond = n, .first = 0 };
      return;
    }
  FbAgreeRule rule = rule_of (v, kernel);
  rule.max_of_nan = fb_evaluator_max_of_nan (evaluator) > 0;
  const guint8 *data = output_data (v, v->memory->data, kernel);
  g_autofree guint8 *own = NULL;
  if (written != NULL)
    {
      /* the elements of the view it assigns to, in the order of the value */
      guint item = fb_scalar_size (buffer->type);
      own = g_malloc0 ((gsize) MAX (n, 1) * item);
      for (gint64 i = 0; i < n; i++)
        if (written[i] >= 0 && written[i] < buffer->size)
          memcpy (own + i * item, data + written[i] * item, item);
      data = own;
    }
  fb_agree (buffer->type, n, value->data, data, NULL, &rule, &verified->agreement);
  verified->outcome = fb_outcome_of (&verified->agreement);
  if (verified->outcome == FB_OUTCOME_DIFFERENT && v->out->kernel < 0 && v->out->pass < 0)
    find_pass (v, kernel, &rule, value, written);
}

/* The other backend runs this kernel alone. */
static void
compare_backend (Verify *v, guint kernel, FbVerifiedKernel *verified)
{
  g_autoptr (GError) error = NULL;
  const FbPlanBuffer *buffer = output_of (v, kernel);
  FbPlan single = *v->plan;
  FbRunOptions run = v->options->run;
  run.backend = v->options->other;
  run.after = NULL;
  single.steps = g_array_new (FALSE, FALSE, sizeof (FbPlanStep));
  g_array_append_vals (single.steps, fb_plan_step (v->plan, kernel), 1);
  gboolean done = fb_run (&single, &v->other, &run, NULL, v->cancellable, &error);
  g_array_unref (single.steps);
  guint8 *mine = output_data (v, v->memory->data, kernel), *others = output_data (v, v->other.data, kernel);
  if (done)
    {
      FbAgreeRule rule = rule_of (v, kernel);
      fb_agree (buffer->type, buffer->size, others, mine, NULL, &rule, &verified->agreement);
      verified->outcome = fb_outcome_of (&verified->agreement);
    }
  else
    refuse (verified, error);
  memcpy (others, mine, buffer->bytes);
}

static gboolean
after_kernel (guint kernel, G_GNUC_UNUSED double seconds, gpointer user)
{
  Verify *v = user;
  FbVerifiedKernel *verified = &g_array_index (v->out->kernels, FbVerifiedKernel, kernel);
  verified->buffer = fb_plan_step (v->plan, kernel)->buffers[0];
  if (v->options->against_graph)
    {
      compare_graph (v, kernel, verified);
      fb_unfused_run_after (v->unfused, kernel, v->memory->data);
      save_before (v, kernel + 1);
    }
  else
    compare_backend (v, kernel, verified);
  v->out->n_outcomes[verified->outcome]++;
  if (verified->outcome == FB_OUTCOME_DIFFERENT && v->out->kernel < 0)
    v->out->kernel = (int) kernel;
  return (v->options->after == NULL || v->options->after (kernel, verified, v->options->user))
         && !g_cancellable_is_cancelled (v->cancellable);
}

/* Every output of the captured graph and of the simplified one, from the inputs. */
static void
compare_simplified (Verify *v)
{
  const FbPass *pass = fb_schedule_pass (v->schedule, 0);
  FbVerifiedKernel *verified = &v->out->simplified;
  g_autoptr (FbEvaluator) evaluator
      = fb_evaluator_new (v->schedule->context, v->schedule->var_vals, &v->options->limits);
  FbAgreeRule rule = { .length = 1, .inputs = 1 };
  fb_unfused_set_inputs (v->schedule, v->plan, v->memory->data, evaluator);
  for (guint i = 0; i < v->plan->programs->len; i++)
    {
      FbAgreeRule one = fb_agree_rule (g_ptr_array_index (v->plan->programs, i));
      rule.length = MAX (rule.length, one.length);
    }
  for (guint i = 0; i < MIN (pass->sink->n_src, pass->result->n_src) && verified->outcome < FB_OUTCOME_DIFFERENT; i++)
    {
      g_autoptr (GError) error = NULL;
      const FbGraphValue *a = fb_evaluator_get (evaluator, pass->sink->src[i], v->cancellable, &error);
      const FbGraphValue *b
          = a == NULL ? NULL : fb_evaluator_get (evaluator, pass->result->src[i], v->cancellable, &error);
      FbAgreement g = { .size = 1, .beyond = 1 };
      if (b == NULL)
        {
          refuse (verified, error);
          return;
        }
      rule.max_of_nan = fb_evaluator_max_of_nan (evaluator) > 0;
      if (a->type == b->type && a->size == b->size)
        fb_agree (a->type, a->size, a->data, b->data, NULL, &rule, &g);
      if (fb_outcome_of (&g) < verified->outcome)
        continue;
      verified->agreement = g;
      verified->outcome = fb_outcome_of (&g);
    }
  if (verified->outcome != FB_OUTCOME_DIFFERENT)
    return;
  const FbVerifyPlace place = { .schedule = v->schedule,
                                .plan = v->plan,
                                .rule = &rule,
                                .limits = &v->options->limits,
                                .cancellable = v->cancellable };
  v->out->pass = 0;
  v->out->step = fb_verify_find_step (pass, evaluator, &place);
}

static gboolean
prepare (Verify *v, GError **error)
{
  if (v->options->against_graph)
    {
      compare_simplified (v);
      v->unfused = fb_unfused_run_new (v->schedule, v->plan, v->memory->data, &v->options->limits);
      save_before (v, 0);
      return !g_cancellable_set_error_if_cancelled (v->cancellable, error);
    }
  if (!fb_memory_init (&v->other, v->plan->memory, error))
    return FALSE;
  memcpy (v->other.data, v->memory->data, v->plan->memory);
  return TRUE;
}

FbVerification *
fb_verify (const FbSchedule *schedule, const FbPlan *plan, FbMemory *memory, const FbVerifyOptions *options,
           GCancellable *cancellable, GError **error)
{
  FbVerification *out = g_new0 (FbVerification, 1);
  Verify v = {
    .schedule = schedule, .plan = plan, .memory = memory, .options = options, .out = out, .cancellable = cancellable
  };
  FbRunOptions run = options->run;
  run.after = after_kernel;
  run.user = &v;
  out->kernel = out->pass = -1;
  out->kernels = g_array_new (FALSE, TRUE, sizeof (FbVerifiedKernel));
  g_array_set_clear_func (out->kernels, clear_kernel);
  g_array_set_size (out->kernels, plan->steps->len);
  gboolean done = prepare (&v, error) && fb_run (plan, memory, &run, NULL, cancellable, error)
                  && !g_cancellable_set_error_if_cancelled (cancellable, error);
  g_clear_pointer (&v.unfused, fb_unfused_run_free);
  g_free (v.before);
  fb_memory_clear (&v.other);
  if (!done)
    g_clear_pointer (&out, fb_verification_free);
  return out;
}

void
fb_verification_free (FbVerification *verification)
{
  g_array_unref (verification->kernels);
  g_free (verification->simplified.why);
  g_free (verification);
}
