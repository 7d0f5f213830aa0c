/* Steps done for all elements of a node, by blocks, on several threads. */
#include "backends/program/program-private.h"
#include "evaluator-private.h"

typedef struct
{
  const FbEvalUnit *unit;
  guint n; /* elements in this block */
  gint64 (*coords)[FB_EVAL_LANES];
  guint8 (*valids)[FB_EVAL_LANES];
  FbLane (*values)[FB_EVAL_LANES];
  FbLane sum[FB_EVAL_LANES];
  gint64 at[FB_EVAL_LANES];
  gint64 max_of_nan;
} State;

typedef struct
{
  FbEvaluator *evaluator;
  const FbEvalUnit *unit;
  guint8 *out;
  gint64 next, block; /* .next atomic: the next block */
  GCancellable *cancellable;
} Work;

#define EACH for (guint l = 0; l < n; l++)

static void
move (State *state, const FbEvalStep *s)
{
  const guint n = state->n;
  const gint64 *a = state->coords[s->a], *b = state->coords[s->b];
  gint64 *out = state->coords[s->out];
  const gint64 x = s->x, y = s->y;
  /* where it is not valid it may be anything, so it wraps */
  switch (s->kind)
    {
    case FB_EVAL_SCALE:
      EACH out[l] = (gint64) ((guint64) a[l] * (guint64) x + (guint64) y);
      break;
    case FB_EVAL_ADD:
      EACH out[l] = (gint64) ((guint64) a[l] + (guint64) b[l] * (guint64) x);
      break;
    case FB_EVAL_DIVIDE:
      if (s->narrow)
        EACH out[l] = (guint32) a[l] / (guint32) x;
      else
        EACH out[l] = a[l] / x;
      break;
    default:
      if (s->narrow)
        EACH out[l] = (guint32) a[l] % (guint32) x;
      else
        EACH out[l] = a[l] % x;
    }
}

static void
gather (State *state, const FbEvalStep *s, Work *work)
{
  const guint n = state->n;
  const guint8 *valid = state->valids[s->b];
  const gint64 *a = state->coords[s->a];
  FbLane *out = state->values[s->out];
  gboolean outside = FALSE, any = FALSE;
  EACH
  {
    gboolean in = (guint64) a[l] < (guint64) s->x;
    outside |= valid[l] && !in;
    any |= valid[l] && in;
    state->at[l] = valid[l] && in ? a[l] : 0;
  }
  if (outside)
    {
      __atomic_store_n (&work->evaluator->outside_uop, s->uop, __ATOMIC_RELAXED);
      __atomic_store_n (&work->evaluator->outside, TRUE, __ATOMIC_RELEASE);
    }
  if (!any)
    {
      memset (out, 0, n * sizeof *out);
      return;
    }
  fb_lanes_gather (s->type, n, s->data, state->at, out);
  if (s->b != 0)
    EACH if (!valid[l]) out[l].i = 0;
}

static void
step (State *state, const FbEvalStep *s, Work *work)
{
  const guint n = state->n;
  switch (s->kind)
    {
    case FB_EVAL_CHECK:
      EACH state->valids[s->out][l]
          = state->valids[s->b][l] & (state->coords[s->a][l] >= s->x && state->coords[s->a][l] < s->y);
      break;
    case FB_EVAL_GATHER:
      gather (state, s, work);
      break;
    case FB_EVAL_CONST:
      EACH state->values[s->out][l] = s->constant;
      break;
    case FB_EVAL_VALID:
      EACH state->values[s->out][l].i = state->valids[s->a][l];
      break;
    case FB_EVAL_MASK:
      EACH state->values[s->out][l] = state->valids[s->b][l] ? state->values[s->a][l] : (FbLane){ 0 };
      break;
    case FB_EVAL_ALU:
      state->max_of_nan += fb_lanes_max_of_nan (s->op, s->type, n, state->values[s->a], state->values[s->b]);
      fb_lanes_alu (s->op, s->type, s->from, n, state->values[s->out], state->values[s->a], state->values[s->b],
                    state->values[s->c]);
      break;
    default:
      move (state, s);
    }
}

static void
run_steps (State *state, Work *work, gboolean all)
{
  const FbEvalUnit *unit = state->unit;
  for (guint i = 0; i < unit->steps->len; i++)
    {
      const FbEvalStep *s = &g_array_index (unit->steps, FbEvalStep, i);
      if (all || s->varies)
        step (state, s, work);
    }
}

/* The next values of the coordinates that are reduced, the last one fastest; FALSE at the end. */
static gboolean
next_point (State *state)
{
  const FbEvalUnit *unit = state->unit;
  for (guint d = unit->n_dims; d-- > 0;)
    if (unit->reduced >> d & 1)
      {
        gint64 next = state->coords[d][0] + 1;
        gboolean over = next == unit->shape[d];
        for (guint l = 0; l < state->n; l++)
          state->coords[d][l] = over ? 0 : next;
        if (!over)
          return TRUE;
      }
  return FALSE;
}

static void
run_reduce (State *state, Work *work)
{
  const FbEvalUnit *unit = state->unit;
  FbLane identity = fb_lane_identity (unit->reduce_op, unit->type);
  gboolean first = TRUE;
  for (guint l = 0; l < state->n; l++)
    state->sum[l] = identity;
  if (unit->points == 0)
    return;
  do
    {
      run_steps (state, work, first);
      state->max_of_nan
          += fb_lanes_max_of_nan (unit->reduce_op, unit->type, state->n, state->values[unit->result], NULL);
      fb_lanes_alu (unit->reduce_op, unit->type, unit->type, state->n, state->sum, state->sum,
                    state->values[unit->result], NULL);
      first = FALSE;
    }
  while (next_point (state));
}

/* Coordinates of the @n elements from @first. */
static void
place (State *state, gint64 first)
{
  const FbEvalUnit *unit = state->unit;
  gint64 below = 1;
  for (guint d = unit->n_dims; d-- > 0;)
    {
      gint64 *out = state->coords[d], size = MAX (unit->shape[d], 1);
      if (unit->reduced >> d & 1)
        {
          memset (out, 0, state->n * sizeof *out);
          continue;
        }
      gint64 count = first / below % size, rest = below - first % below;
      for (guint l = 0; l < state->n; l++)
        {
          out[l] = count;
          if (--rest == 0)
            {
              rest = below;
              count = count + 1 == size ? 0 : count + 1;
            }
        }
      below *= size;
    }
}

static State *
state_new (const FbEvalUnit *unit)
{
  State *state = g_new0 (State, 1);
  state->unit = unit;
  state->coords = g_malloc0_n (unit->n_coords, sizeof *state->coords);
  state->valids = g_malloc0_n (unit->n_valids, sizeof *state->valids);
  state->values = g_malloc0_n (MAX (unit->n_values, 1), sizeof *state->values);
  memset (state->valids[0], 1, sizeof state->valids[0]);
  return state;
}

static void
state_free (State *state)
{
  g_free (state->coords);
  g_free (state->valids);
  g_free (state->values);
  g_free (state);
}

static gpointer
worker (gpointer data)
{
  Work *work = data;
  const FbEvalUnit *unit = work->unit;
  State *state = state_new (unit);
  guint8 always[FB_EVAL_LANES];
  memset (always, 1, sizeof always);
  while (!g_cancellable_is_cancelled (work->cancellable))
    {
      gint64 first = __atomic_fetch_add (&work->next, 1, __ATOMIC_RELAXED) * work->block;
      if (first >= unit->size)
        break;
      state->n = (guint) MIN (unit->size - first, work->block);
      place (state, first);
      if (unit->reduce_op != 0)
        run_reduce (state, work);
      else
        run_steps (state, work, TRUE);
      for (guint l = 0; l < state->n; l++)
        state->at[l] = first + l;
      fb_lanes_scatter (unit->type, state->n, work->out, state->at, always,
                        unit->reduce_op != 0 ? state->sum : state->values[unit->result]);
    }
  __atomic_fetch_add (&work->evaluator->max_of_nan, state->max_of_nan, __ATOMIC_RELAXED);
  state_free (state);
  return NULL;
}

void
fb_eval_unit_list (FbEvaluator *evaluator, const FbEvalUnit *unit, guint number, guint valid, gint64 *out)
{
  Work work = { .evaluator = evaluator, .unit = unit };
  State *state = state_new (unit);
  for (gint64 first = 0; first < unit->size; first += FB_EVAL_LANES)
    {
      state->n = (guint) MIN (unit->size - first, FB_EVAL_LANES);
      place (state, first);
      run_steps (state, &work, TRUE);
      for (guint l = 0; l < state->n; l++)
        out[first + l] = state->valids[valid][l] ? state->coords[number][l] : -1;
    }
  state_free (state);
}

gboolean
fb_eval_unit_run (FbEvaluator *evaluator, const FbEvalUnit *unit, guint8 *data, GCancellable *cancellable,
                  GError **error)
{
  Work work = { .evaluator = evaluator, .unit = unit, .out = data, .cancellable = cancellable };
  guint threads = MAX (evaluator->limits.threads, 1);
  GThread *helpers[64];
  double effort = (double) unit->size * (double) unit->points * (unit->steps->len + 1);
  work.block = CLAMP (unit->size / threads + 1, 1, FB_EVAL_LANES);
  guint n_helpers = effort < 200000 ? 0 : (guint) MIN (MIN (threads, 64) - 1, unit->size / work.block);
  for (guint t = 0; t < n_helpers; t++)
    helpers[t] = g_thread_new ("evaluator", worker, &work);
  worker (&work);
  for (guint t = 0; t < n_helpers; t++)
    g_thread_join (helpers[t]);
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return FALSE;
  if (!evaluator->outside)
    return TRUE;
  evaluator->outside = FALSE;
  fb_refuse (evaluator->context, (FbUop *) evaluator->outside_uop, FB_BACKEND_ERROR_BOUNDS, error,
             "read outside of its elements");
  return FALSE;
}
