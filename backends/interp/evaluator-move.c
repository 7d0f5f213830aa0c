/* Coordinates through movement ops and views. */
#include "backends/program/program-private.h"
#include "evaluator-private.h"

static guint *
new_coords (FbEvalBuilder *b, guint n)
{
  return fb_arena_alloc (&b->evaluator->arena, MAX (n, 1) * sizeof (guint));
}

static guint
scale (FbEvalBuilder *b, guint coord, gint64 by, gint64 offset)
{
  if (by == 1 && offset == 0)
    return coord;
  return fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_SCALE, .a = coord, .x = by, .y = offset });
}

static guint
zero (FbEvalBuilder *b)
{
  return fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_SCALE, .a = 0, .x = 0, .y = 0 });
}

static guint
add (FbEvalBuilder *b, guint x, guint y, gint64 by)
{
  return fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_ADD, .a = x, .b = y, .x = by });
}

/* The coordinates of number @flat in @n sizes, of which the product is at most @size. */
static void
unravel (FbEvalBuilder *b, guint flat, guint n, const gint64 *sizes, guint *out)
{
  gint64 below = 1, size = 1;
  guint first = 0;
  while (first < n && sizes[first] == 1)
    first++;
  for (guint d = 0; d < n; d++)
    size *= MAX (sizes[d], 1);
  gboolean narrow = size <= G_MAXINT32;
  for (guint d = n; d-- > 0;)
    {
      gint64 own = MAX (sizes[d], 1);
      out[d] = flat;
      if (own == 1)
        out[d] = zero (b);
      else
        {
          if (below > 1)
            out[d] = fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_DIVIDE, .a = flat, .x = below, .narrow = narrow });
          if (d != first)
            out[d] = fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_MODULO, .a = out[d], .x = own, .narrow = narrow });
        }
      below *= own;
    }
}

static guint
ravel (FbEvalBuilder *b, guint n, const guint *coords, const gint64 *sizes)
{
  gint64 below = 1;
  guint sum = G_MAXUINT;
  for (guint d = n; d-- > 0;)
    {
      if (sizes[d] != 1)
        sum = sum == G_MAXUINT ? scale (b, coords[d], below, 0) : add (b, sum, coords[d], below);
      below *= MAX (sizes[d], 1);
    }
  return sum == G_MAXUINT ? zero (b) : sum;
}

FbEvalPlace
fb_eval_coordinates (FbEvalBuilder *b, const FbEvalPlace *place, const FbEvalShape *shape)
{
  if (!place->flat)
    return *place;
  guint *coords = new_coords (b, shape->n);
  unravel (b, place->coords[0], shape->n, shape->shape, coords);
  return (FbEvalPlace){ .n = shape->n, .valid = place->valid, .coords = coords };
}

guint
fb_eval_number (FbEvalBuilder *b, const FbEvalPlace *place, const FbEvalShape *shape)
{
  return place->flat ? place->coords[0] : ravel (b, place->n, place->coords, shape->shape);
}

/* From coordinates in shape @from to those in @to, of as many elements: through the shortest runs of dimensions that have
 * as many elements on both sides. */
static void
reshape (FbEvalBuilder *b, const FbEvalShape *from, const guint *coords, const FbEvalShape *to, guint *out)
{
  guint i = 0, j = 0;
  while (i < from->n || j < to->n)
    {
      guint i0 = i, j0 = j;
      gint64 x = i < from->n ? from->shape[i++] : 1, y = j < to->n ? to->shape[j++] : 1;
      while (x != y && (i < from->n || j < to->n))
        if ((x < y && i < from->n) || j == to->n)
          x *= from->shape[i++];
        else
          y *= to->shape[j++];
      if (i - i0 == 1 && j - j0 == 1)
        out[j0] = coords[i0];
      else if (j > j0)
        unravel (b, ravel (b, i - i0, coords + i0, from->shape + i0), j - j0, to->shape + j0, out + j0);
    }
}

static guint
check (FbEvalBuilder *b, guint valid, guint coord, gint64 begin, gint64 end)
{
  return fb_eval_step (b, (FbEvalStep){ .kind = FB_EVAL_CHECK, .a = coord, .b = valid, .x = begin, .y = end });
}

gboolean
fb_eval_view (FbEvalBuilder *b, FbUop *uop, const FbEvalPlace *place, FbEvalPlace *source)
{
  FbEvaluator *e = b->evaluator;
  if (uop->op != FB_OP_VIEW || uop->arg.kind != FB_ARG_ST || uop->arg.st->n == 0)
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_UNSUPPORTED, b->error, "it is no view");
      return FALSE;
    }
  guint n = uop->arg.st->n;
  FbPlainView *views = fb_plain_views (e->context, &e->arena, uop->arg.st, e->var_vals, b->error);
  if (views == NULL)
    return FALSE;
  FbEvalPlace here = *place;
  for (guint i = n; i-- > 0;)
    {
      const FbPlainView *view = &views[i];
      FbEvalShape shape = { view->n, view->shape, 0 };
      here = fb_eval_coordinates (b, &here, &shape);
      if (here.n != view->n)
        {
          fb_refuse (e->context, uop, FB_BACKEND_ERROR_SHAPE, b->error, "a view of %u dimensions read with %u", view->n,
                     here.n);
          return FALSE;
        }
      guint at = G_MAXUINT, valid = here.valid;
      for (guint d = 0; d < view->n; d++)
        {
          if (view->mask != NULL && (view->mask[2 * d] > 0 || view->mask[2 * d + 1] < view->shape[d]))
            valid = check (b, valid, here.coords[d], view->mask[2 * d], view->mask[2 * d + 1]);
          if (view->strides[d] == 0)
            continue;
          at = at == G_MAXUINT ? scale (b, here.coords[d], view->strides[d], view->offset)
                               : add (b, at, here.coords[d], view->strides[d]);
        }
      guint *flat = new_coords (b, 1);
      flat[0] = at == G_MAXUINT ? scale (b, zero (b), 1, view->offset) : at;
      here = (FbEvalPlace){ .flat = TRUE, .n = 1, .valid = valid, .coords = flat };
    }
  *source = here;
  return TRUE;
}

/* Number @i of a movement op's argument. */
static gboolean
moved_by (FbEvalBuilder *b, const FbDims *arg, guint i, gint64 *value)
{
  return fb_eval_sint (b->evaluator->context, arg->at[i], b->evaluator->var_vals, value, b->error);
}

static gboolean
move_dimension (FbEvalBuilder *b, FbUop *uop, const FbDims *arg, const FbEvalShape *from, guint d, guint coord,
                guint *out, guint *valid)
{
  gint64 by = 0;
  if (uop->op == FB_OP_PAD)
    {
      if (!moved_by (b, arg, 2 * d, &by))
        return FALSE;
      out[d] = scale (b, coord, 1, -by);
      *valid = check (b, *valid, out[d], 0, from->shape[d]);
    }
  else if (uop->op == FB_OP_SHRINK)
    {
      if (!moved_by (b, arg, 2 * d, &by))
        return FALSE;
      out[d] = scale (b, coord, 1, by);
    }
  else if (uop->op == FB_OP_FLIP)
    {
      if (!moved_by (b, arg, d, &by))
        return FALSE;
      out[d] = by == 0 ? coord : scale (b, coord, -1, from->shape[d] - 1);
    }
  else
    out[d] = from->shape[d] == 1 ? zero (b) : coord;
  return TRUE;
}

gboolean
fb_eval_move (FbEvalBuilder *b, FbUop *uop, const FbEvalPlace *place, FbEvalPlace *source)
{
  FbEvaluator *e = b->evaluator;
  if (uop->op == FB_OP_VIEW)
    return fb_eval_view (b, uop, place, source);
  const FbEvalShape *to = fb_eval_shape (e, uop, b->error), *from;
  if (to == NULL || !(from = fb_eval_shape (e, uop->src[0], b->error)))
    return FALSE;
  if (uop->op == FB_OP_RESHAPE && place->flat)
    {
      *source = *place;
      return TRUE;
    }
  const FbDims *arg = uop->arg.kind == FB_ARG_TUPLE ? fb_tuple_to_dims (e->context, uop->arg.tuple) : NULL;
  FbEvalPlace here = fb_eval_coordinates (b, place, to);
  guint *coords = new_coords (b, from->n), valid = here.valid;
  gboolean paired = uop->op == FB_OP_PAD || uop->op == FB_OP_SHRINK;
  if (here.n != to->n || arg == NULL
      || (uop->op == FB_OP_RESHAPE ? to->size != from->size : from->n != to->n || arg->n != (paired ? 2 : 1) * from->n))
    {
      fb_refuse (e->context, uop, FB_BACKEND_ERROR_SHAPE, b->error, "its argument does not fit its source");
      return FALSE;
    }
  if (uop->op == FB_OP_RESHAPE)
    reshape (b, to, here.coords, from, coords);
  else if (uop->op == FB_OP_PERMUTE)
    for (guint d = 0; d < to->n; d++)
      {
        gint64 axis;
        if (!moved_by (b, arg, d, &axis))
          return FALSE;
        if (axis < 0 || axis >= from->n)
          {
            fb_refuse (e->context, uop, FB_BACKEND_ERROR_SHAPE, b->error, "there is no axis %" G_GINT64_FORMAT, axis);
            return FALSE;
          }
        coords[axis] = here.coords[d];
      }
  else
    for (guint d = 0; d < to->n; d++)
      if (!move_dimension (b, uop, arg, from, d, here.coords[d], coords, &valid))
        return FALSE;
  *source = (FbEvalPlace){ .n = from->n, .valid = valid, .coords = coords };
  return TRUE;
}
