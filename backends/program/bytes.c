#include "bytes.h"

#include <string.h>

/* What is plain in an index; its atoms, conditions and terms follow. */
typedef struct
{
  guint n_atoms, n_conditions;
  gint64 min, max;
  gboolean never;
} IndexHead;

typedef struct
{
  guint n_vars, n_args, n_insts, n_scopes;
  gint64 points;
  gint64 extents[FB_PROGRAM_MAX_VARS];
} Head;

static void
put (GByteArray *into, const void *data, gsize size)
{
  g_byte_array_append (into, data, (guint) size);
}

static void
put_array (GByteArray *into, const GArray *array)
{
  put (into, &array->len, sizeof array->len);
  put (into, array->data, (gsize) array->len * g_array_get_element_size ((GArray *) array));
}

static void
put_linear (GByteArray *into, const FbLinear *linear)
{
  put (into, &linear->constant, sizeof linear->constant);
  put (into, &linear->n_terms, sizeof linear->n_terms);
  put (into, linear->terms, linear->n_terms * sizeof *linear->terms);
}

static void
put_index (GByteArray *into, const FbIndex *index)
{
  const IndexHead head = { index->atoms->len, index->conditions->len, index->min, index->max, index->never };
  put (into, &head, sizeof head);
  put_linear (into, &index->at);
  for (guint i = 0; i < index->atoms->len; i++)
    {
      const FbAtom *atom = fb_index_atom (index, i);
      put (into, atom, sizeof *atom);
      put_linear (into, &atom->of);
    }
  for (guint i = 0; i < index->conditions->len; i++)
    {
      const FbCondition *condition = &g_array_index (index->conditions, FbCondition, i);
      put (into, condition, sizeof *condition);
      put_linear (into, &condition->value);
    }
}

void
fb_program_write (const FbProgram *program, GByteArray *into)
{
  Head head = {
    program->n_vars, program->args->len, program->insts->len, program->scopes->len, program->points, { 0 },
  };
  memcpy (head.extents, program->extents, sizeof head.extents);
  put (into, &head, sizeof head);
  put (into, program->args->data, program->args->len * sizeof (FbProgramArg));
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      put (into, inst, sizeof *inst);
      if (inst->index != NULL)
        put_index (into, inst->index);
    }
  for (guint i = 0; i < program->scopes->len; i++)
    {
      const FbScope *scope = fb_program_scope (program, i);
      put (into, scope, sizeof *scope);
      put_array (into, scope->insts);
      put (into, &scope->loops->len, sizeof scope->loops->len);
      for (guint j = 0; j < scope->loops->len; j++)
        {
          const FbLoop *loop = &g_array_index (scope->loops, FbLoop, j);
          put (into, loop, sizeof *loop);
          put_array (into, loop->reduces);
        }
    }
  put_array (into, program->unrolled);
  put_array (into, program->heads);
}

/* --- reading --- */

typedef struct
{
  const guint8 *at, *end;
  FbProgram *program;
  gboolean failed;
} Reader;

static gboolean
take (Reader *r, void *data, gsize n, gsize size)
{
  if (r->failed || n > (gsize) (r->end - r->at) / size)
    {
      r->failed = TRUE;
      return FALSE;
    }
  if (n > 0)
    memcpy (data, r->at, n * size);
  r->at += n * size;
  return TRUE;
}

/* Numbers below @below. */
static GArray *
take_numbers (Reader *r, guint below)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (guint));
  guint n = 0;
  if (take (r, &n, 1, sizeof n) && n <= (gsize) (r->end - r->at) / sizeof (guint))
    {
      g_array_set_size (array, n);
      take (r, array->data, n, sizeof (guint));
    }
  else
    r->failed = TRUE;
  for (guint i = 0; i < array->len; i++)
    r->failed |= g_array_index (array, guint, i) >= below;
  return array;
}

/* Of atoms below @n_atoms. */
static FbLinear
take_linear (Reader *r, guint n_atoms)
{
  FbLinear linear = { 0 };
  if (!take (r, &linear.constant, 1, sizeof linear.constant) || !take (r, &linear.n_terms, 1, sizeof linear.n_terms)
      || linear.n_terms > (gsize) (r->end - r->at) / sizeof (FbTerm))
    {
      r->failed = TRUE;
      return (FbLinear){ 0 };
    }
  FbTerm *terms = fb_arena_alloc (&r->program->arena, (linear.n_terms + 1) * sizeof *terms);
  take (r, terms, linear.n_terms, sizeof *terms);
  for (guint i = 0; i < linear.n_terms; i++)
    r->failed |= terms[i].atom >= n_atoms;
  linear.terms = terms;
  return linear;
}

static FbIndex *
take_index (Reader *r)
{
  FbIndex *index = g_new0 (FbIndex, 1);
  IndexHead head = { 0 };
  index->arena = &r->program->arena;
  index->atoms = g_array_new (FALSE, FALSE, sizeof (FbAtom));
  index->conditions = g_array_new (FALSE, FALSE, sizeof (FbCondition));
  if (!take (r, &head, 1, sizeof head))
    return index;
  index->min = head.min;
  index->max = head.max;
  index->never = head.never;
  index->at = take_linear (r, head.n_atoms);
  for (guint i = 0; i < head.n_atoms && !r->failed; i++)
    {
      FbAtom atom = { 0 };
      take (r, &atom, 1, sizeof atom);
      /* what an atom is made of comes before it */
      atom.of = take_linear (r, i);
      r->failed |= atom.kind == FB_ATOM_VAR ? atom.divisor < 0 || atom.divisor >= FB_PROGRAM_MAX_VARS
                                            : atom.kind != FB_ATOM_SUM && atom.divisor <= 0;
      g_array_append_val (index->atoms, atom);
    }
  for (guint i = 0; i < head.n_conditions && !r->failed; i++)
    {
      FbCondition condition = { 0 };
      take (r, &condition, 1, sizeof condition);
      condition.value = take_linear (r, head.n_atoms);
      g_array_append_val (index->conditions, condition);
    }
  return index;
}

static void
take_insts (Reader *r, const Head *head)
{
  for (guint i = 0; i < head->n_insts && !r->failed; i++)
    {
      FbInst inst = { 0 };
      if (!take (r, &inst, 1, sizeof inst))
        return;
      gboolean has_index = inst.index != NULL;
      inst.index = has_index ? take_index (r) : NULL;
      inst.uop = NULL;
      r->failed |= inst.n_src > G_N_ELEMENTS (inst.src) || inst.scope >= head->n_scopes || inst.type >= FB_N_SCALARS
                   || (inst.arg >= 0 && (guint) inst.arg >= head->n_args)
                   || (inst.op == FB_OP_REDUCE_AXIS && (inst.body >= head->n_scopes || inst.fold < 0));
      for (guint s = 0; s < inst.n_src && !r->failed; s++)
        r->failed |= inst.src[s] >= i;
      g_array_append_val (r->program->insts, inst);
    }
}

static void
take_scopes (Reader *r, const Head *head)
{
  for (guint i = 0; i < head->n_scopes && !r->failed; i++)
    {
      FbScope scope = { 0 };
      guint n_loops = 0;
      if (!take (r, &scope, 1, sizeof scope))
        return;
      scope.insts = take_numbers (r, head->n_insts);
      scope.loops = g_array_new (FALSE, FALSE, sizeof (FbLoop));
      take (r, &n_loops, 1, sizeof n_loops);
      for (guint j = 0; j < n_loops && !r->failed; j++)
        {
          FbLoop loop = { 0 };
          if (!take (r, &loop, 1, sizeof loop))
            break;
          loop.reduces = take_numbers (r, head->n_insts);
          g_array_append_val (scope.loops, loop);
        }
      g_array_append_val (r->program->scopes, scope);
    }
}

/* What reduces have for each point of what is unrolled. */
static void
take_heads (Reader *r)
{
  FbProgram *program = r->program;
  guint n = 0;
  gint64 points = 1;
  if (!take (r, &n, 1, sizeof n) || n > FB_PROGRAM_MAX_VARS)
    {
      r->failed = TRUE;
      return;
    }
  g_array_set_size (program->unrolled, n);
  take (r, program->unrolled->data, n, sizeof (FbUnrolled));
  for (guint i = 0; i < n && !r->failed; i++)
    {
      const FbUnrolled *axis = &g_array_index (program->unrolled, FbUnrolled, i);
      r->failed |= axis->var < 0 || (guint) axis->var >= program->n_vars || axis->amount <= 0
                   || __builtin_mul_overflow (points, axis->amount, &points);
    }
  g_array_unref (program->heads);
  program->heads = take_numbers (r, G_MAXUINT);
  for (guint i = 0; i < program->insts->len && !r->failed; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      r->failed |= (inst->n_heads > 1 && inst->n_heads != points) || inst->n_heads > program->heads->len
                   || inst->heads > program->heads->len - inst->n_heads;
    }
}

FbProgram *
fb_program_read (const guint8 **at, const guint8 *end)
{
  FbProgram *program = g_new0 (FbProgram, 1);
  Reader r = { *at, end, program, FALSE };
  Head head = { 0 };
  fb_arena_init (&program->arena);
  program->args = g_array_new (FALSE, TRUE, sizeof (FbProgramArg));
  program->insts = g_array_new (FALSE, TRUE, sizeof (FbInst));
  program->scopes = g_array_new (FALSE, TRUE, sizeof (FbScope));
  program->unrolled = g_array_new (FALSE, TRUE, sizeof (FbUnrolled));
  program->heads = g_array_new (FALSE, TRUE, sizeof (guint));
  if (take (&r, &head, 1, sizeof head) && head.n_vars <= FB_PROGRAM_MAX_VARS
      && head.n_args <= (gsize) (r.end - r.at) / sizeof (FbProgramArg))
    {
      program->n_vars = head.n_vars;
      program->points = head.points;
      memcpy (program->extents, head.extents, sizeof head.extents);
      g_array_set_size (program->args, head.n_args);
      take (&r, program->args->data, head.n_args, sizeof (FbProgramArg));
      take_insts (&r, &head);
      take_scopes (&r, &head);
      take_heads (&r);
    }
  else
    r.failed = TRUE;
  *at = r.at;
  if (r.failed)
    g_clear_pointer (&program, fb_program_free);
  return program;
}
