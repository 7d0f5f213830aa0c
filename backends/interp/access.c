/* Indices at the points of a block. */
#include "interp-private.h"

static void
eval_linear (FbInterpState *state, const FbLinear *linear, gint64 *out)
{
  for (guint l = 0; l < state->n; l++)
    out[l] = linear->constant;
  for (guint t = 0; t < linear->n_terms; t++)
    {
      gint64 coef = linear->terms[t].coef;
      const gint64 *atom = state->atoms[linear->terms[t].atom];
      /* at points that are not valid it may be anything, so it wraps */
      for (guint l = 0; l < state->n; l++)
        out[l] = (gint64) ((guint64) out[l] + (guint64) coef * (guint64) atom[l]);
    }
}

static void
eval_atom (FbInterpState *state, const FbAtom *atom, gint64 *out)
{
  if (atom->kind == FB_ATOM_VAR)
    {
      if (state->root_vars >> atom->divisor & 1)
        memcpy (out, state->lanes_of_var[atom->divisor], state->n * sizeof *out);
      else
        for (guint l = 0; l < state->n; l++)
          out[l] = state->current[atom->divisor];
      return;
    }
  eval_linear (state, &atom->of, out);
  if (atom->kind == FB_ATOM_DIV)
    for (guint l = 0; l < state->n; l++)
      out[l] = fb_floordiv (out[l], atom->divisor);
  else if (atom->kind == FB_ATOM_MOD)
    for (guint l = 0; l < state->n; l++)
      out[l] -= fb_floordiv (out[l], atom->divisor) * atom->divisor;
}

/* The root's share of @linear at each point. */
static void
base_of (FbInterpState *state, const FbIndex *index, const FbLinear *linear, gint64 *out)
{
  for (guint l = 0; l < state->n; l++)
    out[l] = linear->constant;
  for (guint t = 0; t < linear->n_terms; t++)
    {
      guint var = (guint) fb_index_atom (index, linear->terms[t].atom)->divisor;
      if (state->root_vars >> var & 1)
        for (guint l = 0; l < state->n; l++)
          out[l] += linear->terms[t].coef * state->lanes_of_var[var][l];
    }
}

/* What loops' variables add to it. */
static gint64
loop_share (FbInterpState *state, const FbIndex *index, const FbLinear *linear)
{
  gint64 sum = 0;
  for (guint t = 0; t < linear->n_terms; t++)
    {
      guint var = (guint) fb_index_atom (index, linear->terms[t].atom)->divisor;
      if (!(state->root_vars >> var & 1))
        sum += linear->terms[t].coef * state->current[var];
    }
  return sum;
}

void
fb_interp_prepare (FbInterpState *state)
{
  for (guint i = 0; i < state->program->insts->len; i++)
    {
      const FbIndex *index = fb_program_inst (state->program, i)->index;
      FbInterpAccess *access = &state->accesses[i];
      if (!access->linear)
        continue;
      base_of (state, index, &index->at, access->base[0]);
      for (guint c = 0; c < index->conditions->len; c++)
        base_of (state, index, &g_array_index (index->conditions, FbCondition, c).value, access->base[c + 1]);
    }
}

static void
share_out (FbInterpState *state, const FbIndex *index, const FbLinear *linear, const FbInterpAccess *access,
           guint number, gint64 *out)
{
  if (!access->linear)
    {
      eval_linear (state, linear, out);
      return;
    }
  gint64 share = loop_share (state, index, linear);
  const gint64 *base = access->base[number];
  for (guint l = 0; l < state->n; l++)
    out[l] = base[l] + share;
}

void
fb_interp_index (FbInterpState *state, guint number)
{
  const FbIndex *index = fb_program_inst (state->program, number)->index;
  const FbInterpAccess *access = &state->accesses[number];
  memset (state->valid, !index->never, state->n);
  if (index->never)
    {
      memset (state->at, 0, state->n * sizeof *state->at);
      return;
    }
  if (!access->linear)
    for (guint i = 0; i < index->atoms->len; i++)
      eval_atom (state, fb_index_atom (index, i), state->atoms[i]);
  for (guint i = 0; i < index->conditions->len; i++)
    {
      const FbCondition *condition = &g_array_index (index->conditions, FbCondition, i);
      gint64 begin = condition->begin, end = condition->end;
      share_out (state, index, &condition->value, access, i + 1, state->at);
      for (guint l = 0; l < state->n; l++)
        state->valid[l] &= state->at[l] >= begin && state->at[l] < end;
    }
  share_out (state, index, &index->at, access, 0, state->at);
  if (index->conditions->len > 0)
    for (guint l = 0; l < state->n; l++)
      state->at[l] = state->valid[l] ? state->at[l] : 0;
}

/* Each condition bounds at most one counted variable: the points are those of a box. */
static gint64
count_points (FbInterpState *state, const FbInst *inst, guint lane)
{
  const FbIndex *index = inst->index;
  gint64 low[FB_PROGRAM_MAX_VARS] = { 0 }, high[FB_PROGRAM_MAX_VARS], count = 1;
  memcpy (high, state->program->extents, sizeof high);
  for (guint i = 0; i < index->conditions->len; i++)
    {
      const FbCondition *condition = &g_array_index (index->conditions, FbCondition, i);
      gint64 rest = condition->value.constant, coef = 0;
      guint var = 0;
      for (guint t = 0; t < condition->value.n_terms; t++)
        {
          const FbTerm *term = &condition->value.terms[t];
          const FbAtom *atom = fb_index_atom (index, term->atom);
          if (atom->kind == FB_ATOM_VAR && (inst->count_vars >> atom->divisor & 1))
            {
              var = (guint) atom->divisor;
              coef = term->coef;
            }
          else
            rest += term->coef * state->atoms[term->atom][lane];
        }
      gint64 begin = condition->begin - rest, end = condition->end - rest;
      if (coef == 0)
        count = begin <= 0 && end > 0 ? count : 0;
      else if (coef > 0)
        {
          low[var] = MAX (low[var], -fb_floordiv (-begin, coef));
          high[var] = MIN (high[var], -fb_floordiv (-end, coef));
        }
      else
        {
          low[var] = MAX (low[var], fb_floordiv (-end, -coef) + 1);
          high[var] = MIN (high[var], fb_floordiv (-begin, -coef) + 1);
        }
    }
  for (guint v = 0; v < state->program->n_vars; v++)
    if (inst->count_vars >> v & 1)
      count *= MAX (high[v] - low[v], 0);
  return index->never ? 0 : count;
}

void
fb_interp_count (FbInterpState *state, const FbInst *inst, FbLane *out)
{
  for (guint i = 0; i < inst->index->atoms->len; i++)
    eval_atom (state, fb_index_atom (inst->index, i), state->atoms[i]);
  for (guint l = 0; l < state->n; l++)
    {
      gint64 points = count_points (state, inst, l);
      if (fb_scalar_is_float (inst->type))
        out[l].f = fb_round (inst->type, inst->constant.f * fb_round (inst->type, (double) points));
      else
        out[l].i = fb_wrap (inst->type, (gint64) ((guint64) inst->constant.i * (guint64) points));
    }
}

void
fb_interp_classify (FbInterpState *state, guint64 vars)
{
  const FbProgram *program = state->program;
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      FbInterpAccess *access = &state->accesses[i];
      access->alike = inst->op != FB_OP_STORE && inst->op != FB_OP_REDUCE_AXIS;
      for (guint j = 0; j < inst->n_src; j++)
        access->alike &= state->accesses[inst->src[j]].alike;
      if (inst->index == NULL)
        continue;
      access->linear = !inst->index->never && inst->op != FB_INST_COUNT;
      for (guint j = 0; j < inst->index->atoms->len; j++)
        {
          const FbAtom *atom = fb_index_atom (inst->index, j);
          if (atom->kind != FB_ATOM_VAR)
            access->linear = FALSE;
          else
            access->alike &= !(vars >> atom->divisor & 1);
        }
      if (access->linear)
        access->base = g_malloc_n (1 + inst->index->conditions->len, sizeof *access->base);
    }
}
