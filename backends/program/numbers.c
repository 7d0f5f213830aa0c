/* Sizes and constants as plain numbers. */
#include <math.h>

#include "core/ir/number.h"
#include "core/ir/text.h"

#include "backends/interp/lane.h"

#include "program-private.h"

void
fb_refuse (FbContext *context, FbUop *uop, FbBackendError code, GError **error, const char *format, ...)
{
  va_list args;
  char key[17];
  va_start (args, format);
  g_autofree char *text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FB_BACKEND_ERROR, code, "%s %s: %s", fb_op_name (uop->op), fb_uop_key_hex (context, uop, key),
               text);
}

static gboolean
variable_value (FbContext *context, FbUop *var, const GArray *var_vals, FbArg *value, GError **error)
{
  const FbTuple *arg = var->arg.kind == FB_ARG_TUPLE ? var->arg.tuple : NULL;
  for (guint i = 0; i < var_vals->len; i++)
    {
      const FbVarVal *known = &g_array_index (var_vals, FbVarVal, i);
      if (known->var != var && !fb_arg_equal (known->var->arg, var->arg))
        continue;
      if (arg == NULL || arg->n != 3 || !fb_arg_is_integer (known->value) || fb_num_lt (known->value, arg->items[1])
          || fb_num_lt (arg->items[2], known->value))
        {
          fb_refuse (context, var, FB_BACKEND_ERROR_VARIABLE, error, "the variable's value is outside its range");
          return FALSE;
        }
      *value = known->value;
      return TRUE;
    }
  fb_refuse (context, var, FB_BACKEND_ERROR_VARIABLE, error, "the variable has no value");
  return FALSE;
}

gboolean
fb_eval_uop (FbContext *context, FbUop *uop, const GArray *var_vals, FbArg *value, GError **error)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, uop);
  g_autoptr (GHashTable) places = g_hash_table_new (NULL, NULL);
  g_autofree FbArg *values = g_new (FbArg, nodes->len);
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *node = g_ptr_array_index (nodes, i);
      FbArg operands[3];
      g_hash_table_insert (places, node, GUINT_TO_POINTER (i));
      if (node->op == FB_OP_VIEW || node->op == FB_OP_DEVICE)
        {
          values[i] = FB_ARG_NIL;
          continue;
        }
      if (node->op == FB_OP_CONST && fb_arg_is_number (node->arg))
        {
          values[i] = node->arg;
          continue;
        }
      if (node->op == FB_OP_DEFINE_VAR)
        {
          if (!variable_value (context, node, var_vals, &values[i], error))
            return FALSE;
          continue;
        }
      if (node->op == FB_OP_BIND && node->n_src == 2)
        {
          values[i] = values[GPOINTER_TO_UINT (g_hash_table_lookup (places, node->src[1]))];
          continue;
        }
      gboolean known = fb_op_in (node->op, FB_OPS_ALU) && node->n_src >= 1 && node->n_src <= 3;
      for (guint j = 0; known && j < node->n_src; j++)
        {
          operands[j] = values[GPOINTER_TO_UINT (g_hash_table_lookup (places, node->src[j]))];
          known = fb_arg_is_number (operands[j]);
        }
      if (!known)
        {
          fb_refuse (context, node, FB_BACKEND_ERROR_UNSUPPORTED, error, "a size or value cannot be made of it");
          return FALSE;
        }
      values[i] = fb_num_exec_alu (context, node->op, node->dtype, node->n_src, operands);
      if (fb_context_failed (context))
        {
          fb_context_take_error (context, error);
          return FALSE;
        }
    }
  *value = values[nodes->len - 1];
  return TRUE;
}

gboolean
fb_eval_sint (FbContext *context, FbSint size, const GArray *var_vals, gint64 *value, GError **error)
{
  FbArg number;
  if (fb_sint_is_int (size))
    {
      *value = fb_sint_int (size);
      return TRUE;
    }
  if (!fb_eval_uop (context, fb_sint_get_uop (size), var_vals, &number, error))
    return FALSE;
  if ((number.kind != FB_ARG_INT && number.kind != FB_ARG_BOOL) || ABS (number.i / 2) > G_MAXINT64 / 4)
    {
      fb_refuse (context, fb_sint_get_uop (size), FB_BACKEND_ERROR_SIZE, error, "no size of 62 bits");
      return FALSE;
    }
  *value = number.i;
  return TRUE;
}

static gint64 *
plain_dims (FbContext *context, FbArena *arena, const FbDims *dims, const GArray *var_vals, GError **error)
{
  gint64 *numbers = fb_arena_alloc (arena, MAX (dims->n, 1) * sizeof *numbers);
  for (guint i = 0; i < dims->n; i++)
    if (!fb_eval_sint (context, dims->at[i], var_vals, &numbers[i], error))
      return NULL;
  return numbers;
}

FbPlainView *
fb_plain_views (FbContext *context, FbArena *arena, const FbShapeTracker *st, const GArray *var_vals, GError **error)
{
  FbPlainView *views = fb_arena_alloc (arena, st->n * sizeof *views);
  for (guint i = 0; i < st->n; i++)
    {
      const FbView *view = st->views[i];
      views[i].n = view->shape->n;
      views[i].shape = plain_dims (context, arena, view->shape, var_vals, error);
      views[i].strides = views[i].shape ? plain_dims (context, arena, view->strides, var_vals, error) : NULL;
      if (views[i].strides == NULL || !fb_eval_sint (context, view->offset, var_vals, &views[i].offset, error))
        return NULL;
      views[i].mask = view->mask ? plain_dims (context, arena, view->mask, var_vals, error) : NULL;
      if (view->mask != NULL && views[i].mask == NULL)
        return NULL;
      if (view->strides->n != view->shape->n || (view->mask != NULL && view->mask->n != 2 * view->shape->n))
        {
          g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SHAPE, "a view's parts differ in length");
          return NULL;
        }
      for (guint d = 0; d < views[i].n; d++)
        if (views[i].shape[d] < 0)
          {
            g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SHAPE, "a view has a negative size");
            return NULL;
          }
    }
  return views;
}

gboolean
fb_lane_from_arg (FbContext *context, FbArg value, FbScalarType type, FbLane *lane)
{
  if (!fb_arg_is_number (value))
    return FALSE;
  if (fb_scalar_is_float (type))
    lane->f = fb_round (type, fb_num_to_double (value));
  else if (type == FB_SCALAR_BOOL)
    lane->i = fb_arg_truth (value);
  else if (value.kind == FB_ARG_INT || value.kind == FB_ARG_BOOL)
    lane->i = value.i;
  else if (value.kind == FB_ARG_FLOAT && fabs (value.f) < 9e18)
    lane->i = (gint64) value.f;
  else if (value.kind == FB_ARG_BIG)
    {
      /* its low 64 bits */
      FbArg range = fb_num_shl (context, fb_arg_int (1), fb_arg_int (64)), low = fb_num_mod (context, value, range);
      if (low.kind == FB_ARG_BIG)
        low = fb_num_sub (context, low, range);
      if (low.kind != FB_ARG_INT)
        return FALSE;
      lane->i = low.i;
    }
  else
    return FALSE;
  if (!fb_scalar_is_float (type))
    lane->i = fb_wrap (type, lane->i);
  return TRUE;
}

guint
fb_scalar_size (FbScalarType type)
{
  static const guint8 sizes[FB_N_SCALARS] = {
    [FB_SCALAR_BOOL] = 1,    [FB_SCALAR_INT8] = 1,    [FB_SCALAR_UINT8] = 1,    [FB_SCALAR_INT16] = 2,
    [FB_SCALAR_UINT16] = 2,  [FB_SCALAR_INT32] = 4,   [FB_SCALAR_UINT32] = 4,   [FB_SCALAR_INT64] = 8,
    [FB_SCALAR_UINT64] = 8,  [FB_SCALAR_FLOAT16] = 2, [FB_SCALAR_BFLOAT16] = 2, [FB_SCALAR_FLOAT32] = 4,
    [FB_SCALAR_FLOAT64] = 8,
  };
  return type < FB_N_SCALARS ? sizes[type] : 0;
}

const char *
fb_scalar_name (FbScalarType type)
{
  return fb_dtype_scalars[type].name;
}

gint64
fb_program_points (const FbProgram *program, guint64 vars)
{
  gint64 points = 1;
  for (guint v = 0; v < program->n_vars; v++)
    if (vars >> v & 1)
      points *= program->extents[v];
  return points;
}
