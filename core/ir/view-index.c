/* Views as index expressions, and the variables in them (view.py:90-148). */
#include "view-private.h"

#include "core/rewrite/engine.h"

FbUop *
fb_view_to_indexed (FbContext *context, const FbView *view, FbUop *const *idxs, FbUop **valid)
{
  FbUop *index = fb_sint_to_uop (context, view->offset);
  FbUop *so_far = *valid ? *valid : fb_const (context, FB_DTYPE (BOOL), fb_arg_bool (TRUE));

  for (guint i = 0; i < view->shape->n && index && so_far; i++)
    {
      FbSint size = view->shape->at[i], stride = view->strides->at[i];
      FbUop *idx = idxs ? idxs[i] : fb_range (context, FB_DTYPE (INT32), fb_sint (0), size, i);
      FbSint at = fb_sint_uop (idx);

      if (sint_ne (context, size, fb_sint (1), TRUE) && sint_ne (context, stride, fb_sint (0), TRUE))
        index = fb_alu2 (context, FB_OP_ADD, index, fb_sint_get_uop (fb_sint_mul (context, at, stride)));
      if (view->mask)
        {
          FbSint begin = view->mask->at[2 * i], end = view->mask->at[2 * i + 1];

          if (sint_ne (context, begin, fb_sint (0), TRUE))
            so_far
                = fb_alu2 (context, FB_OP_MUL, so_far, fb_logical_not (context, fb_sint_lt_uop (context, at, begin)));
          if (sint_ne (context, end, size, TRUE))
            so_far = fb_alu2 (context, FB_OP_MUL, so_far, fb_sint_lt_uop (context, at, end));
        }
      if (context->error)
        return NULL;
    }
  *valid = so_far;
  return context->error ? NULL : index;
}

static void
append_new (GPtrArray *array, FbUop *uop)
{
  for (guint i = 0; i < array->len; i++)
    if (array->pdata[i] == uop)
      return;
  g_ptr_array_add (array, uop);
}

static gboolean
is_bind (const FbUop *uop)
{
  return uop->op == FB_OP_BIND && uop->n_src > 0 && uop->src[0]->op == FB_OP_DEFINE_VAR;
}

/* ops.py:583 */
static void
append_vars (FbContext *context, FbSint sint, GPtrArray *vars)
{
  g_autoptr (GPtrArray) nodes = NULL;

  if (fb_sint_is_int (sint))
    return;
  nodes = fb_uop_toposort (context, fb_sint_get_uop (sint));
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *uop = nodes->pdata[i];
      gboolean bound = FALSE;

      if (uop->op == FB_OP_DEFINE_VAR)
        {
          for (guint j = 0; j < nodes->len && !bound; j++)
            bound = is_bind (nodes->pdata[j]) && ((FbUop *) nodes->pdata[j])->src[0] == uop;
          if (!bound)
            append_new (vars, uop);
        }
      else if (is_bind (uop))
        append_new (vars, uop);
    }
}

static void
append_dims_vars (FbContext *context, const FbDims *dims, GPtrArray *vars)
{
  if (dims && !dims->all_int)
    for (guint i = 0; i < dims->n; i++)
      append_vars (context, dims->at[i], vars);
}

void
fb_view_vars (FbContext *context, const FbView *view, GPtrArray *vars)
{
  append_dims_vars (context, view->shape, vars);
  append_dims_vars (context, view->strides, vars);
  append_vars (context, view->offset, vars);
  append_dims_vars (context, view->mask, vars);
}

/* Each of @binds replaced by its variable. */
static FbSint
unbind (FbContext *context, FbSint sint, GPtrArray *binds, FbUop *const *variables)
{
  FbUop *uop;

  if (fb_sint_is_int (sint))
    return sint;
  uop = fb_substitute (context, fb_sint_get_uop (sint), binds->len, (FbUop *const *) binds->pdata, variables);
  return uop ? fb_sint_uop (uop) : fb_sint (0);
}

static const FbDims *
unbind_dims (FbContext *context, const FbDims *dims, GPtrArray *binds, FbUop *const *variables)
{
  if (!dims || dims->all_int)
    return dims;

  FB_SCRATCH (FbSint, items, dims->n);
  for (guint i = 0; i < dims->n; i++)
    items[i] = unbind (context, dims->at[i], binds, variables);
  return fb_dims_new (context, dims->n, items);
}

const FbView *
fb_view_unbind (FbContext *context, const FbView *view, GPtrArray *binds)
{
  g_autoptr (GPtrArray) own = g_ptr_array_new ();

  fb_view_vars (context, view, own);
  FB_SCRATCH (FbUop *, variables, own->len);
  for (guint i = 0; i < own->len; i++)
    {
      FbUop *bind = own->pdata[i];

      if (bind->op != FB_OP_BIND || bind->n_src != 2 || bind->src[1]->op != FB_OP_CONST)
        {
          fb_context_fail (context, FB_ERROR_SHAPE, bind, "a variable in a view is not bound to a value");
          return NULL;
        }
      variables[i] = bind->src[0];
    }
  for (guint i = 0; i < own->len; i++)
    append_new (binds, own->pdata[i]);
  return fb_view_create (
      context, unbind_dims (context, view->shape, own, variables), unbind_dims (context, view->strides, own, variables),
      unbind (context, view->offset, own, variables), unbind_dims (context, view->mask, own, variables));
}
