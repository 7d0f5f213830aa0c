/* Which loops run innermost. */
#include "cpu-private.h"

int
fb_cpu_last_var (guint64 vars)
{
  return vars == 0 ? -1 : 63 - __builtin_clzll (vars);
}

gboolean
fb_cpu_loop_is_flat (const FbProgram *program, const FbLoop *loop)
{
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      const FbInst *reduce = fb_program_inst (program, g_array_index (loop->reduces, guint, i));
      if (fb_program_scope (program, reduce->body)->loops->len > 0)
        return FALSE;
    }
  return TRUE;
}

guint
fb_cpu_loop_insts (const FbProgram *program, const FbLoop *loop)
{
  guint n = 0;
  for (guint i = 0; i < loop->reduces->len; i++)
    {
      const FbInst *reduce = fb_program_inst (program, g_array_index (loop->reduces, guint, i));
      n += fb_program_scope (program, reduce->body)->insts->len + 1;
    }
  return n;
}

/* Variables each atom of @index depends on; free with g_free. */
static guint64 *
atom_vars (const FbIndex *index)
{
  guint64 *vars = g_new0 (guint64, MAX (index->atoms->len, 1));
  for (guint i = 0; i < index->atoms->len; i++)
    {
      const FbAtom *atom = fb_index_atom (index, i);
      if (atom->kind == FB_ATOM_VAR)
        vars[i] = (guint64) 1 << atom->divisor;
      for (guint t = 0; t < atom->of.n_terms; t++)
        vars[i] |= vars[atom->of.terms[t].atom];
    }
  return vars;
}

static guint64
linear_vars (const FbLinear *linear, const guint64 *of_atoms)
{
  guint64 vars = 0;
  for (guint t = 0; t < linear->n_terms; t++)
    vars |= of_atoms[linear->terms[t].atom];
  return vars;
}

guint64
fb_cpu_index_vars (const FbIndex *index)
{
  g_autofree guint64 *of_atoms = atom_vars (index);
  guint64 vars = linear_vars (&index->at, of_atoms);
  for (guint i = 0; i < index->conditions->len; i++)
    vars |= linear_vars (&g_array_index (index->conditions, FbCondition, i).value, of_atoms);
  return vars;
}

gint64
fb_cpu_linear_step (const FbIndex *index, const FbLinear *linear, guint v)
{
  g_autofree gint64 *steps = g_new (gint64, index->atoms->len + 1);
  /* the expression itself last, as one more sum of atoms */
  for (guint i = 0; i <= index->atoms->len; i++)
    {
      const FbAtom *atom = i < index->atoms->len ? fb_index_atom (index, i) : NULL;
      const FbLinear *of = atom == NULL ? linear : &atom->of;
      steps[i] = atom != NULL && atom->kind == FB_ATOM_VAR && atom->divisor == v;
      for (guint t = 0; t < of->n_terms; t++)
        {
          gint64 step = steps[of->terms[t].atom], more;
          if (step == 0)
            continue;
          gboolean straight = step != G_MININT64 && (atom == NULL || atom->kind == FB_ATOM_SUM)
                              && !__builtin_mul_overflow (step, of->terms[t].coef, &more)
                              && !__builtin_add_overflow (steps[i], more, &steps[i]);
          if (!straight)
            {
              steps[i] = G_MININT64;
              break;
            }
        }
    }
  return steps[index->atoms->len];
}

gint64
fb_cpu_step_of (const FbIndex *index, guint v)
{
  return fb_cpu_linear_step (index, &index->at, v);
}

/* How well the kernel's accesses become vectors over @v: those in loops of the root, or all when there is no loop. */
static int
score (const FbSource *source, guint root, guint v)
{
  const FbProgram *program = source->program;
  gboolean any_loop = fb_program_scope (program, root)->loops->len > 0;
  int sum = source->extents[v] < 4 ? -6 : source->extents[v] < 16 ? -1 : 0;
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      if ((inst->op != FB_OP_LOAD && inst->op != FB_OP_STORE) || inst->index->never)
        continue;
      if (any_loop && inst->scope == root)
        continue;
      gint64 step = fb_cpu_step_of (inst->index, v);
      int worth = step == 0 ? 1 : step == 1 ? 2 : step == G_MININT64 ? -3 : -2;
      sum += inst->op == FB_OP_STORE ? 2 * worth : worth;
    }
  return sum;
}

static int
best_var (const FbSource *source, guint root, guint64 vars, int *best_score)
{
  int best = -1;
  for (guint v = 0; v < source->program->n_vars; v++)
    if (vars >> v & 1)
      {
        int s = score (source, root, v);
        if (best < 0 || s >= *best_score)
          {
            best = (int) v;
            *best_score = s;
          }
      }
  return best;
}

/* A variable over which a load that steps with the lanes stays: unrolled, it is used again. */
static int
second_var (const FbSource *source, guint root, guint64 vars, int lane)
{
  const FbProgram *program = source->program;
  int best = -1;
  guint most = 0;
  for (guint v = 0; v < program->n_vars; v++)
    {
      guint reused = 0;
      if (!(vars >> v & 1) || (int) v == lane || source->extents[v] < 2)
        continue;
      for (guint i = 0; i < program->insts->len; i++)
        {
          const FbInst *inst = fb_program_inst (program, i);
          if (inst->op == FB_OP_LOAD && inst->scope != root && !inst->index->never
              && fb_cpu_step_of (inst->index, (guint) lane) != 0 && fb_cpu_step_of (inst->index, v) == 0)
            reused++;
        }
      if (reused > 0 && reused >= most)
        {
          most = reused;
          best = (int) v;
        }
    }
  return best;
}

FbTiling
fb_cpu_tiling (const FbSource *source, guint root)
{
  const FbProgram *program = source->program;
  const FbScope *scope = fb_program_scope (program, root);
  FbTiling tiling = { -1, -1, 1, 1, FALSE };
  int lane_score = -100, sum_score = -100;
  guint insts = 0;
  gboolean flat = TRUE;
  tiling.lane = best_var (source, root, scope->vars, &lane_score);
  if (scope->loops->len == 0)
    {
      if (tiling.lane >= 0)
        tiling.lanes = MIN (source->extents[tiling.lane], 4096);
      return tiling;
    }
  for (guint i = 0; i < scope->loops->len; i++)
    {
      const FbLoop *loop = &g_array_index (scope->loops, FbLoop, i);
      int last = fb_cpu_last_var (loop->vars);
      flat &= fb_cpu_loop_is_flat (program, loop);
      insts = MAX (insts, fb_cpu_loop_insts (program, loop));
      if (last >= 0 && source->extents[last] >= 16)
        sum_score = MAX (sum_score, score (source, root, (guint) last));
    }
  if (tiling.lane < 0 || !flat || lane_score < sum_score)
    {
      tiling.inner = TRUE;
      return tiling;
    }
  tiling.lanes = MIN (source->extents[tiling.lane], 256);
  tiling.second = insts > 40 ? -1 : second_var (source, root, scope->vars, tiling.lane);
  if (tiling.second >= 0)
    tiling.unroll = (guint) MIN (source->extents[tiling.second], 4);
  return tiling;
}
