#include "interp.h"

#include "lane.h"

/* Points of the root scope are taken in blocks, and every instruction is done for all points of a block before the next;
 * loops of reduces run once for the block. */
enum
{
  LANES = 256,
};

/* An access all of whose atoms are variables: the share of the root's variables in its expressions is found once a block. */
typedef struct
{
  gboolean linear, alike; /* .alike: no root variable in it, the same for all points */
  gint64 (*base)[LANES];  /* the element, then each condition's value */
} Access;

typedef struct
{
  const FbProgram *program;
  guint8 *const *args;
  Access *accesses; /* of each instruction */
  guint n;          /* points in this block */
  guint64 root_vars;
  gint64 (*lanes_of_var)[LANES];       /* value of a root variable at each point */
  gint64 current[FB_PROGRAM_MAX_VARS]; /* value of a loop's variable */
  FbLane (*values)[LANES];             /* of each instruction */
  gint64 (*atoms)[LANES];              /* of the index being evaluated */
  gint64 at[LANES];
  guint8 valid[LANES];
} State;

static void
eval_linear (State *state, const FbLinear *linear, gint64 *out)
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
eval_atom (State *state, const FbAtom *atom, gint64 *out)
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
base_of (State *state, const FbIndex *index, const FbLinear *linear, gint64 *out)
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
loop_share (State *state, const FbIndex *index, const FbLinear *linear)
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

/* Of every access, before a block runs. */
static void
prepare_accesses (State *state)
{
  for (guint i = 0; i < state->program->insts->len; i++)
    {
      const FbIndex *index = fb_program_inst (state->program, i)->index;
      Access *access = &state->accesses[i];
      if (!access->linear)
        continue;
      base_of (state, index, &index->at, access->base[0]);
      for (guint c = 0; c < index->conditions->len; c++)
        base_of (state, index, &g_array_index (index->conditions, FbCondition, c).value, access->base[c + 1]);
    }
}

static void
share_out (State *state, const FbIndex *index, const FbLinear *linear, const Access *access, guint number, gint64 *out)
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

/* Where the access goes, and where it is valid; elements that are not valid are 0. */
static void
eval_index (State *state, guint number)
{
  const FbIndex *index = fb_program_inst (state->program, number)->index;
  const Access *access = &state->accesses[number];
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

static void
load (State *state, guint number, FbLane *out)
{
  const FbInst *inst = fb_program_inst (state->program, number);
  const guint8 *data = state->args[inst->arg];
  eval_index (state, number);
  if (inst->index->never || fb_program_arg (state->program, inst->arg)->size == 0)
    {
      memset (out, 0, state->n * sizeof *out);
      return;
    }
  fb_lanes_gather (inst->type, state->n, data, state->at, out);
  /* all bits 0 is zero, of integers and of floats */
  if (inst->index->conditions->len > 0)
    for (guint l = 0; l < state->n; l++)
      if (!state->valid[l])
        out[l].i = 0;
}

/* Each condition bounds at most one counted variable: the points are those of a box. */
static gint64
count_points (State *state, const FbInst *inst, guint lane)
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

static void
count (State *state, const FbInst *inst, FbLane *out)
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

static void
run_inst_lanes (State *state, guint number)
{
  const FbProgram *program = state->program;
  const FbInst *inst = fb_program_inst (program, number);
  FbLane *out = state->values[number];
  const FbLane *sources[3] = { 0 };
  for (guint i = 0; i < inst->n_src; i++)
    sources[i] = state->values[inst->src[i]];
  switch (inst->op)
    {
    case FB_OP_CONST:
      for (guint l = 0; l < state->n; l++)
        out[l] = inst->constant;
      break;
    case FB_INST_COUNT:
      count (state, inst, out);
      break;
    case FB_OP_VALID:
      eval_index (state, number);
      for (guint l = 0; l < state->n; l++)
        out[l].i = state->valid[l];
      break;
    case FB_OP_LOAD:
      load (state, number, out);
      break;
    case FB_OP_STORE:
      eval_index (state, number);
      fb_lanes_scatter (inst->type, state->n, state->args[inst->arg], state->at, state->valid, sources[0]);
      break;
    default:
      fb_lanes_alu (inst->op, inst->type, fb_program_inst (program, inst->src[0])->type, state->n, out, sources[0],
                    sources[1], sources[2]);
    }
}

/* One that depends on no variable of the root is the same at all points. */
static void
run_inst (State *state, guint number)
{
  guint n = state->n;
  FbLane *out = state->values[number];
  if (state->accesses[number].alike)
    state->n = 1;
  run_inst_lanes (state, number);
  for (guint l = state->n; l < n; l++)
    out[l] = out[0];
  state->n = n;
}

static void run_scope (State *state, guint number);

/* Once more with the next values of the loop's variables, the last one fastest; FALSE at the end. */
static gboolean
next_point (State *state, guint64 vars)
{
  for (guint v = state->program->n_vars; v-- > 0;)
    if (vars >> v & 1)
      {
        if (++state->current[v] < state->program->extents[v])
          return TRUE;
        state->current[v] = 0;
      }
  return FALSE;
}

static void
run_loop (State *state, const FbLoop *loop)
{
  const FbProgram *program = state->program;
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      guint number = g_array_index (loop->reduces, guint, i);
      const FbInst *reduce = fb_program_inst (program, number);
      FbLane identity = fb_lane_identity (reduce->reduce_op, reduce->type);
      for (guint l = 0; l < state->n; l++)
        state->values[number][l] = identity;
    }
  for (guint v = 0; v < program->n_vars; v++)
    if (loop->vars >> v & 1)
      state->current[v] = 0;
  if (fb_program_points (program, loop->vars) == 0)
    return;
  do
    for (guint i = 0; i < loop->reduces->len; i++)
      {
        guint number = g_array_index (loop->reduces, guint, i);
        const FbInst *reduce = fb_program_inst (program, number);
        run_scope (state, reduce->body);
        fb_lanes_alu (reduce->reduce_op, reduce->type, reduce->type, state->n, state->values[number],
                      state->values[number], state->values[reduce->src[0]], NULL);
      }
  while (next_point (state, loop->vars));
}

/* Scopes are nested no deeper than FB_PROGRAM_MAX_DEPTH. */
static void
run_scope (State *state, guint number)
{
  const FbScope *scope = fb_program_scope (state->program, number);
  for (guint level = 0; level < MAX (scope->n_levels, 1); level++)
    {
      for (guint i = 0; i < scope->insts->len; i++)
        {
          guint inst = g_array_index (scope->insts, guint, i);
          if (fb_program_inst (state->program, inst)->level == level)
            run_inst (state, inst);
        }
      for (guint i = 0; i < scope->loops->len; i++)
        {
          const FbLoop *loop = &g_array_index (scope->loops, FbLoop, i);
          if (loop->level == level)
            run_loop (state, loop);
        }
    }
}

/* The block from @first of a root scope's points. */
static void
run_block (State *state, guint root, gint64 first, guint n)
{
  const FbProgram *program = state->program;
  const FbScope *scope = fb_program_scope (program, root);
  gint64 below = 1;
  state->n = n;
  state->root_vars = scope->vars;
  for (guint v = program->n_vars; v-- > 0;)
    if (scope->vars >> v & 1)
      {
        gint64 extent = program->extents[v], count = first / below % extent, rest = below - first % below;
        for (guint l = 0; l < n; l++)
          {
            state->lanes_of_var[v][l] = count;
            if (--rest == 0)
              {
                rest = below;
                count = count + 1 == extent ? 0 : count + 1;
              }
          }
        below *= extent;
      }
  prepare_accesses (state);
  run_scope (state, root);
}

typedef struct
{
  const FbProgram *program;
  guint8 *const *args;
  guint root, block;
  gint64 points;
  gint64 next; /* atomic: the next block */
  guint n_atoms;
  GCancellable *cancellable;
} Work;

/* Which accesses are linear, and which instructions are alike at all points of the root @vars. */
static void
classify (State *state, guint64 vars)
{
  const FbProgram *program = state->program;
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      Access *access = &state->accesses[i];
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

static gpointer
worker (gpointer data)
{
  Work *work = data;
  State *state = g_new0 (State, 1);
  state->program = work->program;
  state->args = work->args;
  state->values = g_malloc_n (MAX (work->program->insts->len, 1), sizeof *state->values);
  state->lanes_of_var = g_malloc_n (FB_PROGRAM_MAX_VARS, sizeof *state->lanes_of_var);
  state->atoms = g_malloc_n (MAX (work->n_atoms, 1), sizeof *state->atoms);
  state->accesses = g_new0 (Access, work->program->insts->len);
  classify (state, fb_program_scope (work->program, work->root)->vars);
  while (!g_cancellable_is_cancelled (work->cancellable))
    {
      gint64 first = __atomic_fetch_add (&work->next, 1, __ATOMIC_RELAXED) * work->block;
      if (first >= work->points)
        break;
      run_block (state, work->root, first, (guint) MIN (work->points - first, work->block));
    }
  for (guint i = 0; i < work->program->insts->len; i++)
    g_free (state->accesses[i].base);
  g_free (state->accesses);
  g_free (state->values);
  g_free (state->lanes_of_var);
  g_free (state->atoms);
  g_free (state);
  return NULL;
}

gboolean
fb_interp_run (const FbProgram *program, guint8 *const *args, guint threads, GCancellable *cancellable, GError **error)
{
  Work work = { .program = program, .args = args, .cancellable = cancellable };
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbIndex *index = fb_program_inst (program, i)->index;
      work.n_atoms = MAX (work.n_atoms, index == NULL ? 0 : index->atoms->len);
    }
  for (guint i = 0; i < program->scopes->len; i++)
    {
      const FbScope *scope = fb_program_scope (program, i);
      GThread *helpers[64];
      if (scope->parent >= 0)
        continue;
      work.root = i;
      work.points = fb_program_points (program, scope->vars);
      work.next = 0;
      /* small kernels are shared out too when each point is a long sum */
      work.block = (guint) CLAMP (work.points / MAX (threads, 1) + 1, 1, LANES);
      guint n_helpers = program->points < 20000 ? 0 : MIN (MIN (MAX (threads, 1), 64) - 1, work.points / work.block);
      for (guint t = 0; t < n_helpers; t++)
        helpers[t] = g_thread_new ("interpreter", worker, &work);
      worker (&work);
      for (guint t = 0; t < n_helpers; t++)
        g_thread_join (helpers[t]);
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}
