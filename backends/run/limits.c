/* Which numbers labels and indices may be. Schedules look things up by comparing an index with 0, 1, 2, ... up to the number of
 * rows: with the sum over a triangular mask that an arange is, or with a buffer that an earlier kernel filled so. */
#include "limits.h"

typedef struct
{
  gboolean known;
  gint64 min, max;
} Interval;

static Interval
combine (guint op, Interval x, Interval y)
{
  Interval out = { x.known && y.known, 0, 0 };
  gint64 corners[4];
  gboolean overflow = FALSE;
  if (!out.known)
    return out;
  if (op == FB_OP_ADD)
    overflow = __builtin_add_overflow (x.min, y.min, &out.min) || __builtin_add_overflow (x.max, y.max, &out.max);
  else if (op == FB_OP_SUB)
    overflow = __builtin_sub_overflow (x.min, y.max, &out.min) || __builtin_sub_overflow (x.max, y.min, &out.max);
  else if (op == FB_OP_MUL)
    {
      overflow
          = __builtin_mul_overflow (x.min, y.min, &corners[0]) || __builtin_mul_overflow (x.min, y.max, &corners[1])
            || __builtin_mul_overflow (x.max, y.min, &corners[2]) || __builtin_mul_overflow (x.max, y.max, &corners[3]);
      for (guint i = 0; i < 4 && !overflow; i++)
        {
          out.min = i == 0 ? corners[0] : MIN (out.min, corners[i]);
          out.max = i == 0 ? corners[0] : MAX (out.max, corners[i]);
        }
    }
  else
    out.known = FALSE;
  out.known &= !overflow;
  return out;
}

/* Intervals of the integer instructions; @buffers are those of the step's arguments. */
static void
find_intervals (const FbProgram *program, const FbPlanStep *step, const Interval *buffers, Interval *values)
{
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      const Interval *a = inst->n_src > 0 ? &values[inst->src[0]] : NULL;
      values[i] = (Interval){ FALSE, 0, 0 };
      if (fb_scalar_is_float (inst->type))
        continue;
      if (inst->op == FB_OP_CONST)
        values[i] = (Interval){ TRUE, inst->constant.i, inst->constant.i };
      else if (inst->op == FB_INST_COUNT)
        values[i] = combine (FB_OP_MUL, (Interval){ TRUE, inst->constant.i, inst->constant.i },
                             (Interval){ TRUE, 0, fb_program_points (program, inst->count_vars) });
      else if (inst->op == FB_OP_LOAD)
        values[i] = buffers[step->buffers[inst->arg]];
      else if (inst->op == FB_OP_CAST || inst->op == FB_OP_CONTIGUOUS || inst->op == FB_OP_STORE)
        values[i] = *a;
      else if (inst->n_src == 2)
        values[i] = combine (inst->op, *a, values[inst->src[1]]);
    }
}

/* The buffer whose elements instruction @number is, with casts taken off; -1: none. */
static int
loaded (const FbProgram *program, const FbPlanStep *step, guint number)
{
  const FbInst *inst = fb_program_inst (program, number);
  while (inst->op == FB_OP_CAST || inst->op == FB_OP_CONTIGUOUS)
    inst = fb_program_inst (program, inst->src[0]);
  return inst->op == FB_OP_LOAD ? (int) step->buffers[inst->arg] : -1;
}

gint64 *
fb_plan_index_limits (const FbPlan *plan)
{
  gint64 *limits = g_new0 (gint64, MAX (plan->buffers->len, 1));
  g_autofree Interval *buffers = g_new0 (Interval, MAX (plan->buffers->len, 1));
  for (guint s = 0; s < plan->steps->len; s++)
    {
      const FbPlanStep *step = fb_plan_step (plan, s);
      const FbProgram *program = step->program;
      if (step->kind == FB_STEP_COPY)
        buffers[step->buffers[0]] = buffers[step->buffers[1]];
      if (step->kind != FB_STEP_PROGRAM)
        continue;
      g_autofree Interval *values = g_new (Interval, MAX (program->insts->len, 1));
      find_intervals (program, step, buffers, values);
      for (guint i = 0; i < program->insts->len; i++)
        {
          const FbInst *inst = fb_program_inst (program, i);
          if (inst->op == FB_OP_STORE)
            buffers[step->buffers[inst->arg]] = values[i];
          for (guint side = 0; inst->op == FB_OP_CMPNE && side < 2; side++)
            {
              int buffer = loaded (program, step, inst->src[side]);
              const Interval *other = &values[inst->src[1 - side]];
              const FbPlanBuffer *input = buffer < 0 ? NULL : fb_plan_buffer (plan, buffer);
              /* a comparison with one number is none with all of them */
              if (input != NULL && input->base == (guint) buffer && !input->starts_as_output
                  && !fb_scalar_is_float (input->type) && input->type != FB_SCALAR_BOOL && other->known
                  && other->min < other->max && other->max > 0 && other->max < G_MAXINT64)
                limits[buffer] = MAX (limits[buffer], other->max + 1);
            }
        }
    }
  return limits;
}
