/* Variables that are one: a loop over two dimensions that lie behind each other in every access is a loop over one. */
#include "cpu-private.h"

static gint64
coefficient (const FbIndex *index, const FbLinear *linear, guint v)
{
  gint64 coef = 0;
  for (guint t = 0; t < linear->n_terms; t++)
    {
      const FbAtom *atom = fb_index_atom (index, linear->terms[t].atom);
      if (atom->kind == FB_ATOM_VAR && atom->divisor == v)
        coef += linear->terms[t].coef;
    }
  return coef;
}

/* Is @linear the same at (outer, inner) and at (0, outer * extent + inner)? */
static gboolean
takes_as_one (const FbIndex *index, const FbLinear *linear, guint outer, guint inner, gint64 extent)
{
  gint64 step;
  return !__builtin_mul_overflow (coefficient (index, linear, inner), extent, &step)
         && coefficient (index, linear, outer) == step;
}

static gboolean
access_takes_as_one (const FbIndex *index, guint outer, guint inner, gint64 extent)
{
  gboolean one = takes_as_one (index, &index->at, outer, inner, extent);
  for (guint i = 0; i < index->conditions->len && one; i++)
    one = takes_as_one (index, &g_array_index (index->conditions, FbCondition, i).value, outer, inner, extent);
  for (guint i = 0; i < index->atoms->len && one; i++)
    if (fb_index_atom (index, i)->kind != FB_ATOM_VAR)
      one = takes_as_one (index, &fb_index_atom (index, i)->of, outer, inner, extent);
  return one;
}

/* The same loops have both, and nothing of a sum lies between them, so that its order stays. */
static gboolean
are_neighbours (const FbSource *source, guint outer, guint inner)
{
  const FbProgram *program = source->program;
  for (guint i = 0; i < program->scopes->len; i++)
    {
      const FbScope *scope = fb_program_scope (program, i);
      if ((scope->vars >> outer & 1) != (scope->vars >> inner & 1))
        return FALSE;
      for (guint v = outer + 1; v < inner; v++)
        if (scope->parent >= 0 && (scope->vars >> outer & 1) && (scope->vars >> v & 1) && source->extents[v] != 1)
          return FALSE;
    }
  return TRUE;
}

void
fb_cpu_merge_vars (FbSource *source)
{
  const FbProgram *program = source->program;
  for (guint v = 0; v < program->n_vars; v++)
    source->extents[v] = program->extents[v];
  /* what reduces have for points of single variables is asked for by these */
  if (program->heads->len > 0)
    return;
  for (guint inner = program->n_vars; inner-- > 1;)
    for (guint outer = inner; outer-- > 0;)
      {
        if (source->extents[inner] < 2 || source->extents[outer] < 2 || !are_neighbours (source, outer, inner))
          continue;
        gboolean one = TRUE;
        for (guint i = 0; i < program->insts->len && one; i++)
          if (fb_program_inst (program, i)->index != NULL)
            one = access_takes_as_one (fb_program_inst (program, i)->index, outer, inner, source->extents[inner]);
        if (!one)
          continue;
        source->extents[inner] *= source->extents[outer];
        source->extents[outer] = 1;
      }
}
