#include "reads.h"

#include <string.h>

/* Points that are tried one by one at most. */
#define MAX_TRIED ((gint64) 1 << 27)

/* Values of the loop variables; atoms of the index being evaluated. */
typedef struct
{
  const FbProgram *program;
  gint64 vars[FB_PROGRAM_MAX_VARS];
  gint64 *atoms;
} Point;

static gint64
linear_at (const Point *p, const FbLinear *linear)
{
  gint64 sum = linear->constant;
  /* where it is not valid it may be anything, so it wraps */
  for (guint t = 0; t < linear->n_terms; t++)
    sum = (gint64) ((guint64) sum + (guint64) linear->terms[t].coef * (guint64) p->atoms[linear->terms[t].atom]);
  return sum;
}

/* The element that @index reaches; -1: it is not valid there. */
static gint64
element_at (Point *p, const FbIndex *index)
{
  if (index->never)
    return -1;
  for (guint i = 0; i < index->atoms->len; i++)
    {
      const FbAtom *atom = fb_index_atom (index, i);
      if (atom->kind == FB_ATOM_VAR)
        {
          p->atoms[i] = p->vars[atom->divisor];
          continue;
        }
      gint64 x = linear_at (p, &atom->of);
      if (atom->kind == FB_ATOM_DIV)
        x = fb_floordiv (x, atom->divisor);
      else if (atom->kind == FB_ATOM_MOD)
        x -= fb_floordiv (x, atom->divisor) * atom->divisor;
      p->atoms[i] = x;
    }
  for (guint i = 0; i < index->conditions->len; i++)
    {
      const FbCondition *condition = &g_array_index (index->conditions, FbCondition, i);
      gint64 x = linear_at (p, &condition->value);
      if (x < condition->begin || x >= condition->end)
        return -1;
    }
  return linear_at (p, &index->at);
}

/* The next values of @vars, the last one fastest; FALSE at the end. */
static gboolean
next_point (Point *p, guint64 vars)
{
  for (guint v = p->program->n_vars; v-- > 0;)
    if (vars >> v & 1)
      {
        if (++p->vars[v] < p->program->extents[v])
          return TRUE;
        p->vars[v] = 0;
      }
  return FALSE;
}

/* The variables for which a linear index is @element, taking the largest strides first. FALSE: it is not so simple. */
static gboolean
solve (Point *p, const FbIndex *index, guint64 vars, gint64 element)
{
  gint64 rest = element - index->at.constant;
  guint64 done = 0;
  memset (p->vars, 0, sizeof p->vars);
  for (guint round = 0; round < index->at.n_terms; round++)
    {
      const FbTerm *best = NULL;
      for (guint t = 0; t < index->at.n_terms; t++)
        {
          const FbTerm *term = &index->at.terms[t];
          const FbAtom *atom = fb_index_atom (index, term->atom);
          if (atom->kind != FB_ATOM_VAR || term->coef <= 0 || !(vars >> atom->divisor & 1))
            return FALSE;
          if (!(done >> atom->divisor & 1) && (best == NULL || term->coef > best->coef))
            best = term;
        }
      guint var = (guint) fb_index_atom (index, best->atom)->divisor;
      done |= (guint64) 1 << var;
      p->vars[var] = CLAMP (rest / best->coef, 0, p->program->extents[var] - 1);
      rest -= p->vars[var] * best->coef;
    }
  return element_at (p, index) == element;
}

/* Sets the variables of the root scope for which @store writes @element. */
static gboolean
find_point (Point *p, const FbInst *store, gint64 element, GError **error)
{
  guint64 vars = fb_program_scope (p->program, store->scope)->vars;
  gint64 points = fb_program_points (p->program, vars);
  if (points > 0 && solve (p, store->index, vars, element))
    return TRUE;
  if (points > MAX_TRIED)
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE,
                   "too many points to look for element %" G_GINT64_FORMAT, element);
      return FALSE;
    }
  memset (p->vars, 0, sizeof p->vars);
  if (points > 0)
    do
      if (element_at (p, store->index) == element)
        return TRUE;
    while (next_point (p, vars));
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_BOUNDS, "element %" G_GINT64_FORMAT " is not written",
               element);
  return FALSE;
}

/* Variables an access depends on. */
static guint64
vars_of (const FbIndex *index)
{
  guint64 vars = 0;
  for (guint i = 0; i < index->atoms->len; i++)
    if (fb_index_atom (index, i)->kind == FB_ATOM_VAR)
      vars |= (guint64) 1 << fb_index_atom (index, i)->divisor;
  return vars;
}

static guint
read_hash (gconstpointer data)
{
  const FbRead *read = data;
  return g_int64_hash (&read->element) * 31 + read->arg;
}

static gboolean
read_equal (gconstpointer a, gconstpointer b)
{
  const FbRead *x = a, *y = b;
  return x->arg == y->arg && x->element == y->element;
}

static int
compare_reads (gconstpointer a, gconstpointer b)
{
  const FbRead *x = a, *y = b;
  if (x->arg != y->arg)
    return x->arg < y->arg ? -1 : 1;
  return x->element < y->element ? -1 : x->element > y->element;
}

/* What LOAD @number reads, with the root's variables set. FALSE: there is more. */
static gboolean
add_reads (Point *p, guint number, guint64 root, GHashTable *found, guint most)
{
  const FbInst *load = fb_program_inst (p->program, number);
  guint64 inner = vars_of (load->index) & ~root;
  guint64 others = fb_program_scope (p->program, load->scope)->all_vars & ~root & ~inner;
  gint64 again = fb_program_points (p->program, others), tried = 0;
  for (guint v = 0; v < p->program->n_vars; v++)
    if (inner >> v & 1)
      p->vars[v] = 0;
  if (fb_program_points (p->program, inner) == 0)
    return TRUE;
  do
    {
      FbRead read = { (guint) load->arg, element_at (p, load->index), again, number };
      if (++tried > MAX_TRIED)
        return FALSE;
      if (read.element < 0)
        continue;
      FbRead *known = g_hash_table_lookup (found, &read);
      if (known != NULL)
        known->times += again;
      else if (g_hash_table_size (found) == most)
        return FALSE;
      else
        g_hash_table_add (found, g_memdup2 (&read, sizeof read));
    }
  while (next_point (p, inner));
  return TRUE;
}

GArray *
fb_reads_new (const FbProgram *program, gint64 element, guint most, gboolean *more, GError **error)
{
  Point p = { .program = program };
  const FbInst *store = NULL;
  guint atoms = 1;
  GArray *reads = NULL;
  *more = FALSE;
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      if (inst->op == FB_OP_STORE && store == NULL)
        store = inst;
      if (inst->index != NULL)
        atoms = MAX (atoms, inst->index->atoms->len);
    }
  p.atoms = g_new0 (gint64, atoms);
  if (store != NULL && find_point (&p, store, element, error))
    {
      guint64 root = fb_program_scope (program, store->scope)->vars;
      g_autoptr (GHashTable) found = g_hash_table_new_full (read_hash, read_equal, g_free, NULL);
      GHashTableIter iter;
      gpointer read;
      for (guint i = 0; i < program->insts->len; i++)
        if (fb_program_inst (program, i)->op == FB_OP_LOAD && !add_reads (&p, i, root, found, most))
          *more = TRUE;
      reads = g_array_new (FALSE, FALSE, sizeof (FbRead));
      g_hash_table_iter_init (&iter, found);
      while (g_hash_table_iter_next (&iter, &read, NULL))
        g_array_append_vals (reads, read, 1);
      g_array_sort (reads, compare_reads);
    }
  g_free (p.atoms);
  return reads;
}
