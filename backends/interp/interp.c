#include "interp-private.h"

static void
load (FbInterpState *state, guint number, FbLane *out)
{
  const FbInst *inst = fb_program_inst (state->program, number);
  const guint8 *data = state->args[inst->arg];
  fb_interp_index (state, number);
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

static void
run_inst_lanes (FbInterpState *state, guint number)
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
      fb_interp_count (state, inst, out);
      break;
    case FB_OP_VALID:
      fb_interp_index (state, number);
      for (guint l = 0; l < state->n; l++)
        out[l].i = state->valid[l];
      break;
    case FB_OP_LOAD:
      load (state, number, out);
      break;
    case FB_OP_STORE:
      fb_interp_index (state, number);
      fb_lanes_scatter (inst->type, state->n, state->args[inst->arg], state->at, state->valid, sources[0]);
      break;
    default:
      state->max_of_nan += fb_lanes_max_of_nan (inst->op, inst->type, state->n, sources[0], sources[1]);
      fb_lanes_alu (inst->op, inst->type, fb_program_inst (program, inst->src[0])->type, state->n, out, sources[0],
                    sources[1], sources[2]);
    }
}

/* One that depends on no variable of the root is the same at all points. */
static void
run_inst (FbInterpState *state, guint number)
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

static void run_scope (FbInterpState *state, guint number);

/* Once more with the next values of the loop's variables, the last one fastest; FALSE at the end. */
static gboolean
next_point (FbInterpState *state, guint64 vars)
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

/* Does the fold of @reduce begin anew at @place of it, for point @lane of the block? */
static gboolean
is_head (const FbInterpState *state, const FbInst *reduce, gint64 place, guint lane)
{
  const FbProgram *program = state->program;
  guint at = 0;
  if (reduce->n_heads == 0)
    return place == 0;
  for (guint i = 0; i < program->unrolled->len && reduce->n_heads > 1; i++)
    {
      const FbUnrolled *axis = &g_array_index (program->unrolled, FbUnrolled, i);
      guint v = (guint) axis->var;
      gint64 value = state->root_vars >> v & 1 ? state->lanes_of_var[v][lane] : state->current[v];
      at = at * (guint) axis->amount + (guint) (value % axis->amount);
    }
  return place < 32 && (g_array_index (program->heads, guint, reduce->heads + at) >> place & 1);
}

/* Folds the value at point @point of its loop into reduce @number: the second argument is the new one (reduce-order.h). */
static void
fold (FbInterpState *state, guint number, gint64 point)
{
  const FbInst *reduce = fb_program_inst (state->program, number);
  FbLane *result = state->values[number], *into = reduce->fold > 1 ? state->partial[number] : result;
  const FbLane *value = state->values[reduce->src[0]];
  gint64 place = reduce->fold == 0 ? point : point % reduce->fold;
  state->max_of_nan += fb_lanes_max_of_nan (reduce->reduce_op, reduce->type, state->n, value, NULL);
  fb_lanes_alu (reduce->reduce_op, reduce->type, reduce->type, state->n, into, into, value, NULL);
  for (guint l = 0; l < state->n && reduce->fold != 1 && (place == 0 || reduce->n_heads > 0); l++)
    if (is_head (state, reduce, place, l))
      into[l] = value[l];
  if (reduce->fold > 1 && place == reduce->fold - 1)
    fb_lanes_alu (reduce->reduce_op, reduce->type, reduce->type, state->n, result, result, into, NULL);
}

static void
run_loop (FbInterpState *state, const FbLoop *loop)
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
  gint64 point = 0;
  if (fb_program_points (program, loop->vars) == 0)
    return;
  do
    for (guint i = 0; i < loop->reduces->len; i++)
      {
        guint number = g_array_index (loop->reduces, guint, i);
        run_scope (state, fb_program_inst (program, number)->body);
        fold (state, number, point);
      }
  while (point++, next_point (state, loop->vars));
}

/* Scopes are nested no deeper than FB_PROGRAM_MAX_DEPTH. */
static void
run_scope (FbInterpState *state, guint number)
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
run_block (FbInterpState *state, guint root, gint64 first, guint n)
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
  fb_interp_prepare (state);
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
  gint64 max_of_nan; /* atomic */
  GCancellable *cancellable;
} Work;

static gpointer
worker (gpointer data)
{
  Work *work = data;
  FbInterpState *state = g_new0 (FbInterpState, 1);
  state->program = work->program;
  state->args = work->args;
  state->values = g_malloc_n (MAX (work->program->insts->len, 1), sizeof *state->values);
  state->lanes_of_var = g_malloc_n (FB_PROGRAM_MAX_VARS, sizeof *state->lanes_of_var);
  state->atoms = g_malloc_n (MAX (work->n_atoms, 1), sizeof *state->atoms);
  state->accesses = g_new0 (FbInterpAccess, work->program->insts->len);
  state->partial = g_new0 (FbLane *, work->program->insts->len);
  for (guint i = 0; i < work->program->insts->len; i++)
    if (fb_program_inst (work->program, i)->fold > 1)
      state->partial[i] = g_new0 (FbLane, FB_INTERP_LANES);
  fb_interp_classify (state, fb_program_scope (work->program, work->root)->vars);
  while (!g_cancellable_is_cancelled (work->cancellable))
    {
      gint64 first = __atomic_fetch_add (&work->next, 1, __ATOMIC_RELAXED) * work->block;
      if (first >= work->points)
        break;
      run_block (state, work->root, first, (guint) MIN (work->points - first, work->block));
    }
  __atomic_fetch_add (&work->max_of_nan, state->max_of_nan, __ATOMIC_RELAXED);
  for (guint i = 0; i < work->program->insts->len; i++)
    {
      g_free (state->accesses[i].base);
      g_free (state->partial[i]);
    }
  g_free (state->accesses);
  g_free (state->partial);
  g_free (state->values);
  g_free (state->lanes_of_var);
  g_free (state->atoms);
  g_free (state);
  return NULL;
}

gboolean
fb_interp_run (const FbProgram *program, guint8 *const *args, guint threads, GCancellable *cancellable, GError **error)
{
  gint64 ignored;
  return fb_interp_run_counting (program, args, threads, &ignored, cancellable, error);
}

gboolean
fb_interp_run_counting (const FbProgram *program, guint8 *const *args, guint threads, gint64 *max_of_nan,
                        GCancellable *cancellable, GError **error)
{
  *max_of_nan = 0;
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
      work.block = (guint) CLAMP (work.points / MAX (threads, 1) + 1, 1, FB_INTERP_LANES);
      guint n_helpers = program->points < 20000 ? 0 : MIN (MIN (MAX (threads, 1), 64) - 1, work.points / work.block);
      for (guint t = 0; t < n_helpers; t++)
        helpers[t] = g_thread_new ("interpreter", worker, &work);
      worker (&work);
      for (guint t = 0; t < n_helpers; t++)
        g_thread_join (helpers[t]);
      *max_of_nan = work.max_of_nan;
      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
    }
  return TRUE;
}
