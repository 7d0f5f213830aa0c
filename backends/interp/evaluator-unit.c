/* The steps that compute a node from nodes that are kept. */
#include "backends/program/program-private.h"
#include "evaluator-private.h"

static guint
step_hash (gconstpointer data)
{
  const FbEvalStep *s = data;
  guint hash = s->kind * 31u + s->op;
  hash = hash * 31 + s->type;
  hash = hash * 31 + s->a;
  hash = hash * 31 + s->b;
  hash = hash * 31 + s->c;
  hash = hash * 31 + (guint) s->x;
  hash = hash * 31 + (guint) s->y;
  return hash ^ g_int64_hash (&s->constant.i) ^ g_direct_hash (s->data);
}

static gboolean
step_equal (gconstpointer left, gconstpointer right)
{
  const FbEvalStep *s = left, *t = right;
  return s->kind == t->kind && s->op == t->op && s->type == t->type && s->from == t->from && s->a == t->a
         && s->b == t->b && s->c == t->c && s->x == t->x && s->y == t->y && s->constant.i == t->constant.i
         && s->data == t->data;
}

GHashTable *
fb_eval_known_new (void)
{
  return g_hash_table_new_full (step_hash, step_equal, g_free, NULL);
}

static gboolean
reads_varying (const FbEvalUnit *unit, const FbEvalStep *s)
{
  const guint8 *coords = unit->varies->data, *valids = unit->valid_varies->data, *values = unit->value_varies->data;
  switch (s->kind)
    {
    case FB_EVAL_SCALE:
      return s->x != 0 && coords[s->a];
    case FB_EVAL_ADD:
      return coords[s->a] || coords[s->b];
    case FB_EVAL_DIVIDE:
    case FB_EVAL_MODULO:
      return coords[s->a];
    case FB_EVAL_CHECK:
    case FB_EVAL_GATHER:
      return coords[s->a] || valids[s->b];
    case FB_EVAL_VALID:
      return valids[s->a];
    case FB_EVAL_MASK:
      return values[s->a] || valids[s->b];
    case FB_EVAL_ALU:
      return values[s->a] || values[s->b] || values[s->c];
    default:
      return FALSE;
    }
}

guint
fb_eval_step (FbEvalBuilder *b, FbEvalStep step)
{
  FbEvalUnit *unit = b->unit;
  const FbEvalStep *known = g_hash_table_lookup (b->known, &step);
  if (known != NULL)
    return known->out;
  step.varies = reads_varying (unit, &step);
  const guint8 varies = (guint8) step.varies;
  if (step.kind < FB_EVAL_CHECK)
    {
      step.out = unit->n_coords++;
      g_byte_array_append (unit->varies, &varies, 1);
    }
  else if (step.kind == FB_EVAL_CHECK)
    {
      step.out = unit->n_valids++;
      g_byte_array_append (unit->valid_varies, &varies, 1);
    }
  else
    {
      step.out = unit->n_values++;
      g_byte_array_append (unit->value_varies, &varies, 1);
    }
  g_array_append_val (unit->steps, step);
  FbEvalStep *copy = g_memdup2 (&step, sizeof step);
  g_hash_table_add (b->known, copy);
  return step.out;
}

static gboolean
emit_const (FbEvalBuilder *b, FbUop *uop, guint *out)
{
  FbEvaluator *e = b->evaluator;
  FbArg value = uop->arg;
  FbLane lane;
  if (uop->op != FB_OP_CONST && !fb_eval_uop (e->context, uop, e->var_vals, &value, b->error))
    return FALSE;
  if (!fb_lane_from_arg (e->context, value, uop->dtype->type, &lane))
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "no constant of its type");
      return FALSE;
    }
  *out = fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_CONST, .constant = lane });
  return TRUE;
}

static guint
emit_gather (FbEvalBuilder *b, FbUop *uop, const FbGraphValue *value, guint number, guint valid)
{
  return fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_GATHER,
                                        .type = value->type,
                                        .a = number,
                                        .b = valid,
                                        .x = value->size,
                                        .data = value->data,
                                        .uop = uop });
}

/* Element of an argument through the view of a LOAD. */
static gboolean
emit_load (FbEvalBuilder *b, FbUop *uop, const FbEvalPlace *place, guint *out)
{
  FbEvaluator *e = b->evaluator;
  FbUop *global = uop->n_src >= 2 ? uop->src[0] : NULL;
  FbEvalPlace at;
  if (global == NULL || global->op != FB_OP_DEFINE_GLOBAL || global->arg.kind != FB_ARG_INT || global->arg.i < 0
      || global->arg.i >= e->arguments->len || !g_array_index (e->arguments, FbEvalArgument, global->arg.i).used)
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "it is not of a known argument");
      return FALSE;
    }
  const FbGraphValue *value = &g_array_index (e->arguments, FbEvalArgument, global->arg.i).value;
  if (value->type != uop->dtype->type)
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "%s from a buffer of %s",
                 uop->dtype->short_name, fb_scalar_name (value->type));
      return FALSE;
    }
  if (!fb_eval_view (b, uop->src[1], place, &at))
    return FALSE;
  *out = emit_gather (b, uop, value, at.coords[0], at.valid);
  return TRUE;
}

static gboolean emit (FbEvalBuilder *b, FbUop *uop, const FbEvalPlace *place, guint *out);

static gboolean
emit_moved (FbEvalBuilder *b, FbUop *uop, const FbEvalPlace *place, guint *out)
{
  FbEvalPlace source;
  if (!fb_eval_move (b, uop, place, &source) || !emit (b, uop->src[0], &source, out))
    return FALSE;
  if (source.valid != place->valid)
    *out = fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_MASK, .a = *out, .b = source.valid });
  return TRUE;
}

static gboolean
emit_alu (FbEvalBuilder *b, FbUop *uop, const FbEvalPlace *place, guint *out)
{
  FbEvaluator *e = b->evaluator;
  guint args[3] = { 0 };
  gboolean image = uop->dtype->kind == FB_DTYPE_IMAGE;
  for (guint i = 0; i < uop->n_src; i++)
    image |= uop->src[i]->dtype->kind == FB_DTYPE_IMAGE;
  /* an image is a float here; what casts to and from it is checked by the scheduler */
  if (!(image && uop->op == FB_OP_CAST && uop->n_src == 1) && !fb_check_types (e->context, uop, b->error))
    return FALSE;
  for (guint i = 0; i < uop->n_src; i++)
    if (!emit (b, uop->src[i], place, &args[i]))
      return FALSE;
  *out = fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_ALU,
                                        .op = (guint8) uop->op,
                                        .type = (guint8) uop->dtype->type,
                                        .from = (guint8) uop->src[0]->dtype->type,
                                        .a = args[0],
                                        .b = uop->n_src > 1 ? args[1] : args[0],
                                        .c = uop->n_src > 2 ? args[2] : args[0] });
  return TRUE;
}

/* What a node passes on as it is. */
static FbUop *
passed_on (FbUop *uop)
{
  switch (uop->op)
    {
    case FB_OP_CONTIGUOUS:
    case FB_OP_CONTIGUOUS_BACKWARD:
    case FB_OP_DETACH:
      return uop->n_src > 0 ? uop->src[0] : NULL;
    case FB_OP_BUFFER_VIEW:
      return uop->n_src > 0 && uop->src[0]->dtype->itemsize == uop->dtype->itemsize ? uop->src[0] : NULL;
    case FB_OP_COPY:
    case FB_OP_ASSIGN:
      return uop->n_src > 1 ? uop->src[1] : NULL;
    default:
      return NULL;
    }
}

/* Recurses no deeper than FB_EVAL_MAX_WEIGHT: what is longer is kept in between. */
static gboolean
emit (FbEvalBuilder *b, FbUop *uop, const FbEvalPlace *place, guint *out)
{
  FbEvaluator *e = b->evaluator;
  const FbEvalKept *kept = uop == b->root ? NULL : g_hash_table_lookup (e->kept, uop);
  if (b->unit->steps->len > FB_EVAL_MAX_STEPS)
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_SIZE, b->error, "it takes more than %d steps", FB_EVAL_MAX_STEPS);
      return FALSE;
    }
  if (kept != NULL)
    {
      FbEvalShape shape = { kept->value.n_dims, kept->value.shape, kept->value.size };
      *out = emit_gather (b, uop, &kept->value, fb_eval_number (b, place, &shape), place->valid);
      return TRUE;
    }
  FbUop *same = passed_on (uop);
  if (same != NULL)
    return emit (b, same, place, out);
  if ((fb_op_in (uop->op, FB_OPS_MOVEMENT) || uop->op == FB_OP_VIEW) && uop->n_src == 1)
    return emit_moved (b, uop, place, out);
  if (uop->dtype->count != 1 || uop->dtype->type == FB_SCALAR_VOID)
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "%s is no type of a value",
                 uop->dtype->short_name);
      return FALSE;
    }
  if (uop->op == FB_OP_CONST || uop->op == FB_OP_DEFINE_VAR || uop->op == FB_OP_BIND)
    return emit_const (b, uop, out);
  if (uop->op == FB_OP_LOAD)
    return emit_load (b, uop, place, out);
  if (uop->op == FB_OP_VALID && uop->n_src == 1)
    {
      FbEvalPlace at;
      if (!fb_eval_view (b, uop->src[0], place, &at))
        return FALSE;
      *out = fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_VALID, .a = at.valid });
      return TRUE;
    }
  if ((fb_op_in (uop->op, FB_OPS_ALU | FB_OP_BIT (CAST) | FB_OP_BIT (BITCAST))) && uop->n_src >= 1 && uop->n_src <= 3)
    return emit_alu (b, uop, place, out);
  fb_refuse (e->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "no value can be made of it");
  return FALSE;
}

FbEvalUnit *
fb_eval_unit_empty (const FbEvalShape *shape)
{
  FbEvalUnit *unit = g_new0 (FbEvalUnit, 1);
  const guint8 no = 0;
  unit->steps = g_array_new (FALSE, FALSE, sizeof (FbEvalStep));
  unit->varies = g_byte_array_new ();
  unit->valid_varies = g_byte_array_new ();
  unit->value_varies = g_byte_array_new ();
  unit->n_dims = shape->n;
  unit->shape = shape->shape;
  unit->size = shape->size;
  unit->points = 1;
  /* one more, so that there is a coordinate 0 also of what has no dimensions */
  for (unit->n_coords = 0; unit->n_coords < shape->n + 1; unit->n_coords++)
    g_byte_array_append (unit->varies, &no, 1);
  unit->n_valids = 1;
  g_byte_array_append (unit->valid_varies, &no, 1);
  return unit;
}

/* Which coordinates of its source a reduce runs over. */
static gboolean
set_reduced (FbEvaluator *e, FbUop *uop, FbEvalUnit *unit, GError **error)
{
  const FbDims *axes = fb_uop_axes (e->context, uop);
  unit->reduce_op = (guint8) fb_uop_reduce_op (uop);
  if (axes == NULL || unit->n_dims > 64
      || (unit->reduce_op != FB_OP_ADD && unit->reduce_op != FB_OP_MUL && unit->reduce_op != FB_OP_MAX))
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, error, "no such reduce is known");
      return FALSE;
    }
  unit->size = 1;
  for (guint i = 0; i < axes->n; i++)
    unit->reduced |= (guint64) 1 << fb_sint_int (axes->at[i]);
  for (guint d = 0; d < unit->n_dims; d++)
    if (unit->reduced >> d & 1)
      {
        unit->varies->data[d] = TRUE;
        unit->points *= unit->shape[d];
      }
    else
      unit->size *= unit->shape[d];
  return TRUE;
}

FbEvalUnit *
fb_eval_unit_new (FbEvaluator *evaluator, FbUop *uop, GError **error)
{
  gboolean is_reduce = uop->op == FB_OP_REDUCE_AXIS && uop->n_src == 1;
  FbUop *body = is_reduce ? uop->src[0] : uop;
  const FbEvalShape *shape = fb_eval_shape (evaluator, body, error);
  if (shape == NULL)
    return NULL;
  FbEvalUnit *unit = fb_eval_unit_empty (shape);
  FbEvalBuilder b
      = { .evaluator = evaluator, .unit = unit, .known = fb_eval_known_new (), .root = uop, .error = error };
  guint *coords = fb_arena_alloc (&evaluator->arena, (shape->n + 1) * sizeof *coords);
  for (guint d = 0; d < shape->n; d++)
    coords[d] = d;
  const FbEvalPlace place = { .n = shape->n, .coords = coords };
  unit->type = (guint8) uop->dtype->type;
  gboolean done = (!is_reduce || set_reduced (evaluator, uop, unit, error)) && emit (&b, body, &place, &unit->result);
  g_hash_table_unref (b.known);
  if (!done)
    g_clear_pointer (&unit, fb_eval_unit_free);
  return unit;
}

void
fb_eval_unit_free (FbEvalUnit *unit)
{
  g_array_unref (unit->steps);
  g_byte_array_unref (unit->varies);
  g_byte_array_unref (unit->valid_varies);
  g_byte_array_unref (unit->value_varies);
  g_free (unit);
}
