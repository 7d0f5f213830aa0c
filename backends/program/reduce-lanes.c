/* Where folds begin anew: the reference takes "-inf < b ? b : -inf" for b, also when b is a NaN, and "a < inf ? inf : a" for inf
 * (symbolic.py:196, by what it knows of constants). It knows them where loops are unrolled: what is beyond a padding, or
 * masked, is a constant there when the unrolled dimensions alone decide that. */
#include <math.h>

#include "backends/interp/lane.h"

#include "reduce-order.h"

/* Points of unrolled dimensions times instructions that are looked at. */
#define MAX_WORK (1 << 22)

typedef struct
{
  FbProgram *program;
  gint64 min[FB_PROGRAM_MAX_VARS], max[FB_PROGRAM_MAX_VARS]; /* of each variable, as far as it is decided */
  const gboolean *cone;                                      /* the instructions that matter */
  gboolean *known;
  FbLane *values;
} Lanes;

/* FALSE: it leaves 64 bits. */
static gboolean
linear_range (const FbLinear *linear, const gint64 *min, const gint64 *max, gint64 *low, gint64 *high)
{
  gboolean overflow = FALSE;
  *low = *high = linear->constant;
  for (guint t = 0; t < linear->n_terms; t++)
    {
      gint64 coef = linear->terms[t].coef, a, b;
      overflow |= __builtin_mul_overflow (coef, min[linear->terms[t].atom], &a);
      overflow |= __builtin_mul_overflow (coef, max[linear->terms[t].atom], &b);
      overflow |= __builtin_add_overflow (*low, MIN (a, b), low);
      overflow |= __builtin_add_overflow (*high, MAX (a, b), high);
    }
  return !overflow;
}

/* Is the access valid: 1 everywhere, 0 nowhere, -1 it depends. */
static int
find_valid (const Lanes *lanes, const FbIndex *index)
{
  int valid = 1;
  if (index->never)
    return 0;
  g_autofree gint64 *min = g_new (gint64, MAX (index->atoms->len, 1)),
                    *max = g_new (gint64, MAX (index->atoms->len, 1));
  for (guint i = 0; i < index->atoms->len; i++)
    {
      const FbAtom *atom = fb_index_atom (index, i);
      if (atom->kind == FB_ATOM_VAR)
        {
          min[i] = lanes->min[atom->divisor];
          max[i] = lanes->max[atom->divisor];
          continue;
        }
      if (!linear_range (&atom->of, min, max, &min[i], &max[i]))
        return -1;
      if (atom->kind == FB_ATOM_SUM)
        continue;
      gint64 low = fb_floordiv (min[i], atom->divisor), high = fb_floordiv (max[i], atom->divisor);
      gboolean one = low == high;
      min[i] = atom->kind == FB_ATOM_DIV ? low : one ? min[i] - low * atom->divisor : 0;
      max[i] = atom->kind == FB_ATOM_DIV ? high : one ? max[i] - low * atom->divisor : atom->divisor - 1;
    }
  for (guint i = 0; i < index->conditions->len; i++)
    {
      const FbCondition *condition = &g_array_index (index->conditions, FbCondition, i);
      gint64 low, high;
      if (!linear_range (&condition->value, min, max, &low, &high))
        return -1;
      if (high < condition->begin || low >= condition->end)
        return 0;
      if (low < condition->begin || high >= condition->end)
        valid = -1;
    }
  return valid;
}

/* Which instructions are constants here. */
static void
evaluate (Lanes *lanes, guint end)
{
  for (guint i = 0; i < end; i++)
    {
      const FbInst *inst = fb_program_inst (lanes->program, i);
      FbLane *value = &lanes->values[i];
      gboolean known = inst->op == FB_OP_CONST;
      if (!lanes->cone[i])
        continue;
      *value = inst->constant;
      if (inst->op == FB_OP_VALID || inst->op == FB_OP_LOAD)
        {
          int valid = find_valid (lanes, inst->index);
          known = inst->op == FB_OP_VALID ? valid >= 0 : valid == 0;
          *value = (FbLane){ .i = valid };
        }
      else if (inst->op == FB_OP_WHERE)
        {
          const gboolean *k = lanes->known;
          guint taken = inst->src[k[inst->src[0]] && lanes->values[inst->src[0]].i == 0 ? 2 : 1], other = inst->src[2];
          known = k[taken] && (k[inst->src[0]] || (k[other] && lanes->values[taken].i == lanes->values[other].i));
          *value = lanes->values[taken];
        }
      else if (inst->n_src > 0 && inst->op != FB_OP_REDUCE_AXIS && inst->op != FB_OP_STORE)
        {
          const FbLane *of[3] = { 0 };
          known = TRUE;
          for (guint s = 0; s < inst->n_src; s++)
            {
              known &= lanes->known[inst->src[s]];
              of[s] = &lanes->values[inst->src[s]];
            }
          if (known)
            fb_lanes_alu (inst->op, inst->type, fb_program_inst (lanes->program, inst->src[0])->type, 1, value, of[0],
                          of[1], of[2]);
        }
      lanes->known[i] = known;
    }
}

/* The variables of unrolled dimensions at point @point of all of them, the last one fastest. */
static void
set_point (Lanes *lanes, const GArray *unrolled, gboolean reduced, gint64 point)
{
  for (guint i = unrolled->len; i-- > 0;)
    {
      const FbUnrolled *axis = &g_array_index (unrolled, FbUnrolled, i);
      if (axis->reduced != reduced || (!reduced && axis->var < 0))
        continue;
      gint64 at = point % axis->amount;
      point /= axis->amount;
      if (axis->var < 0)
        continue;
      lanes->min[axis->var] = at;
      lanes->max[axis->var] = lanes->program->extents[axis->var] - axis->amount + at;
    }
}

/* Bits: the points of a fold of @n at which it begins. */
static guint
find_heads (Lanes *lanes, const GArray *unrolled, const FbInst *reduce, gint64 n)
{
  guint heads = 1, from = reduce->src[0];
  gboolean known = FALSE;
  FbLane result = { 0 };
  for (gint64 point = 0; point < n; point++)
    {
      set_point (lanes, unrolled, TRUE, point);
      evaluate (lanes, from + 1);
      const FbLane value = lanes->values[from];
      gboolean constant = lanes->known[from];
      if (point == 0 || (known && constant))
        {
          if (point == 0 || result.f < value.f)
            result = value;
          known = constant;
          continue;
        }
      /* an infinite constant decides at once */
      gboolean anew = (known && result.f == -HUGE_VAL) || (constant && value.f == HUGE_VAL);
      if (anew)
        heads |= 1u << point;
      if (!(known && result.f == HUGE_VAL))
        known = anew && constant;
      if (anew)
        result = value;
    }
  return heads;
}

/* Marks what @number is made of outside of other reduces; does any of it have a mask? */
static gboolean
mark_cone (const FbProgram *program, guint number, gboolean *cone)
{
  gboolean masked = FALSE;
  cone[number] = TRUE;
  for (guint i = number + 1; i-- > 0;)
    {
      const FbInst *inst = fb_program_inst (program, i);
      if (!cone[i])
        continue;
      masked |= inst->index != NULL && (inst->index->conditions->len > 0 || inst->index->never);
      for (guint s = 0; s < inst->n_src && inst->op != FB_OP_REDUCE_AXIS; s++)
        cone[inst->src[s]] = TRUE;
    }
  return masked;
}

static void
set_heads (FbProgram *program, const GArray *unrolled, guint number, gint64 places)
{
  FbInst *reduce = fb_program_inst (program, number);
  gint64 fold = 1;
  guint64 own = fb_program_scope (program, reduce->body)->vars;
  gboolean all = TRUE;
  for (guint i = 0; i < unrolled->len; i++)
    {
      const FbUnrolled *axis = &g_array_index (unrolled, FbUnrolled, i);
      fold *= axis->reduced ? axis->amount : 1;
      all &= !axis->reduced || axis->var < 0 || (own >> axis->var & 1);
    }
  g_autofree gboolean *cone = g_new0 (gboolean, number + 1), *known = g_new0 (gboolean, number + 1);
  g_autofree FbLane *values = g_new0 (FbLane, number + 1);
  gint64 points = fb_program_points (program, own), work;
  if (!all || fold > 32 || fold < 2 || points % fold != 0 || (reduce->fold > 1 && reduce->fold != fold)
      || !mark_cone (program, reduce->src[0], cone) || __builtin_mul_overflow (places * fold, (gint64) number, &work)
      || work > MAX_WORK)
    return;
  Lanes lanes = { .program = program, .cone = cone, .known = known, .values = values };
  for (guint v = 0; v < program->n_vars; v++)
    lanes.max[v] = program->extents[v] - 1;
  reduce->heads = program->heads->len;
  gboolean any = FALSE, alike = TRUE;
  for (gint64 place = 0; place < places; place++)
    {
      set_point (&lanes, unrolled, FALSE, place);
      guint heads = find_heads (&lanes, unrolled, reduce, fold);
      g_array_append_val (program->heads, heads);
      any |= heads != 1;
      alike &= heads == g_array_index (program->heads, guint, reduce->heads);
    }
  reduce->n_heads = !any ? 0 : alike ? 1 : (guint) places;
  g_array_set_size (program->heads, reduce->heads + reduce->n_heads);
}

void
fb_reduce_lanes_find (FbProgram *program, const GArray *unrolled)
{
  gint64 places = 1;
  for (guint i = 0; i < unrolled->len; i++)
    {
      const FbUnrolled *axis = &g_array_index (unrolled, FbUnrolled, i);
      if (axis->reduced || axis->var < 0)
        continue;
      places *= axis->amount;
      g_array_append_val (program->unrolled, *axis);
    }
  for (guint i = 0; i < program->insts->len && places <= 4096; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      if (inst->op == FB_OP_REDUCE_AXIS && inst->fold != 1)
        set_heads (program, unrolled, i, places);
    }
}
