/* ShapeTrackers: interning, stacking, properties (shapetracker.py:60-129). */
#include "view-private.h"

#include <string.h>

#include "core/ir/number.h"

/* --- interning --- */

typedef struct
{
  guint n;
  const FbView *const *views;
} StKey;

static gboolean
st_equal (gconstpointer item, gconstpointer key)
{
  const FbShapeTracker *st = item;
  const StKey *wanted = key;

  return st->n == wanted->n && memcmp (st->views, wanted->views, sizeof (FbView *) * wanted->n) == 0;
}

static gboolean
all_views_int (guint n, const FbView *const *views)
{
  for (guint i = 0; i < n; i++)
    if (!views[i]->all_int)
      return FALSE;
  return TRUE;
}

static guint32
traits_of (guint n, const FbView *const *views, gboolean all_int)
{
  const FbView *last = views[n - 1];

  return (n == 1 && last->contiguous ? FB_ST_CONTIGUOUS : 0) | (last->mask ? FB_ST_MASKED : 0)
         | (!last->shape->all_int || last->shape->has_zero ? FB_ST_UNSIZED : 0)
         | (n > 1 || !all_int ? FB_ST_COMPOUND : 0);
}

static FbShapeTracker *
st_alloc (FbContext *context, guint32 hash, guint n, const FbView *const *views, gboolean all_int)
{
  FbShapeTracker *st = fb_arena_alloc (all_int ? &context->kept.arena : &context->arena,
                                       sizeof (FbShapeTracker) + sizeof (FbView *) * n);

  *st = (FbShapeTracker){
    .hash = hash,
    .n = n,
    .contiguous = n == 1 && views[0]->contiguous,
    .all_int = (guint8) all_int,
    .traits = (guint8) traits_of (n, views, all_int),
    .shape = views[n - 1]->shape,
    .size = -2,
  };
  memcpy (st->views, views, sizeof (FbView *) * n);
  return st;
}

const FbShapeTracker *
fb_context_intern_st (FbContext *context, guint n, const FbView *const *views)
{
  StKey key = { n, views };
  guint32 hash = n;
  gboolean all_int = all_views_int (n, views);
  FbInternTable *table;
  FbShapeTracker *st;

  if (n == 1 && (views[0]->st || !context->parent))
    return fb_st_from_view (context, views[0]);
  for (guint i = 0; i < n; i++)
    hash = fb_hash_mix (hash, views[i]->hash);
  for (FbContext *parent = context->parent; parent; parent = parent->parent)
    {
      FbInternTable *known = all_int ? &parent->kept.st_table : &parent->st_table;

      if ((st = fb_intern_table_get (known, hash, st_equal, &key)))
        return st;
    }
  table = all_int ? &context->kept.st_table : &context->st_table;
  st = fb_intern_table_get (table, hash, st_equal, &key);
  if (st)
    return st;
  st = st_alloc (context, hash, n, views, all_int);
  fb_intern_table_add (table, st);
  return st;
}

const FbShapeTracker *
fb_st_new (FbContext *context, guint n, const FbView *const *views)
{
  if (n == 0)
    {
      fb_context_fail (context, FB_ERROR_SHAPE, NULL, "a shape tracker has no view");
      return NULL;
    }
  return fb_context_intern_st (context, n, views);
}

const FbShapeTracker *
fb_st_from_view (FbContext *context, const FbView *view)
{
  /* it hangs on the view, unless that may belong to the parent */
  if (!view->st && context->parent)
    return fb_context_intern_st (context, 1, &view);
  if (!view->st)
    ((FbView *) view)->st = st_alloc (context, view->hash, 1, &view, view->all_int);
  return view->st;
}

const FbShapeTracker *
fb_st_from_shape (FbContext *context, const FbDims *shape)
{
  const FbView *view;
  const FbShapeTracker *st;

  if (!shape)
    return NULL;
  if (shape->st)
    return shape->st;
  view = fb_view_create (context, shape, NULL, fb_sint (0), NULL);
  if (!view)
    return NULL;
  st = fb_st_from_view (context, view);
  /* dims of the parent would outlive the tracker of an overlay */
  if (!context->parent)
    ((FbDims *) shape)->st = st;
  return st;
}

const FbShapeTracker *
fb_st_with_last_view (FbContext *context, const FbShapeTracker *st, guint n_replaced, const FbView *view)
{
  guint kept = st->n - n_replaced;

  if (!view)
    return NULL;
  if (kept == 0)
    return fb_st_from_view (context, view);

  FB_SCRATCH (const FbView *, views, kept + 1);
  memcpy (views, st->views, sizeof (FbView *) * kept);
  views[kept] = view;
  return fb_context_intern_st (context, kept + 1, views);
}

/* --- stacking --- */

/* The first @n views of @st and @last on them, merged to as few as can be. */
static const FbShapeTracker *
stack_view (FbContext *context, const FbShapeTracker *st, guint n, const FbView *last)
{
  const FbView *merged;

  for (; n && (merged = fb_view_merge (context, st->views[n - 1], last)); n--)
    last = merged;
  return context->error ? NULL : fb_st_with_last_view (context, st, st->n - n, last);
}

const FbShapeTracker *
fb_st_simplify (FbContext *context, const FbShapeTracker *st)
{
  return st->n == 1 ? st : stack_view (context, st, st->n - 1, st->views[st->n - 1]);
}

static void
keep_sum (const FbShapeTracker *inner, const FbShapeTracker *outer, const FbShapeTracker *sum)
{
  FbShapeTracker *st = (FbShapeTracker *) outer;

  st->inner = inner;
  st->sum = sum;
}

const FbShapeTracker *
fb_st_add (FbContext *context, const FbShapeTracker *inner, const FbShapeTracker *outer)
{
  const FbMemo memo = fb_memo_kind (context, FB_MEMO_ST_ADD, inner->all_int && outer->all_int);
  const gboolean at_hand = st_is_at_hand (context, inner->all_int && outer->all_int);
  const FbShapeTracker *sum = inner;
  const void *known;

  if (outer->n == 1 && inner->contiguous)
    return outer;
  if (outer->contiguous && inner->n == 1 && inner->shape == outer->shape)
    return inner;
  if (outer->inner == inner && at_hand)
    return outer->sum;
  if (fb_memo_get (context, memo, inner, outer, &known))
    {
      if (at_hand)
        keep_sum (inner, outer, known);
      return known;
    }
  for (guint i = 0; i < outer->n && sum; i++)
    sum = stack_view (context, sum, sum->n, outer->views[i]);
  if (context->error)
    return NULL;
  fb_memo_put (context, memo, inner, outer, sum);
  if (at_hand)
    keep_sum (inner, outer, sum);
  return sum;
}

const FbShapeTracker *
fb_st_invert (FbContext *context, const FbShapeTracker *st, const FbDims *out_shape)
{
  const FbMemo memo = fb_memo_kind (context, FB_MEMO_ST_INVERT, st->all_int && out_shape->all_int);
  const FbShapeTracker *inverted;
  const void *known;

  if (fb_memo_get (context, memo, st, out_shape, &known))
    return known;

  FB_SCRATCH (const FbView *, views, st->n);
  inverted = NULL;
  for (guint i = 0; i < st->n; i++)
    {
      guint from = st->n - 1 - i;
      const FbDims *shape = from > 0 ? st->views[from - 1]->shape : out_shape;

      views[i] = fb_view_invert (context, st->views[from], shape);
      if (!views[i])
        break;
      if (from == 0)
        inverted = fb_st_reshape (context, fb_context_intern_st (context, st->n, views), out_shape);
    }
  if (context->error)
    return NULL;
  fb_memo_put (context, memo, st, out_shape, inverted);
  return inverted;
}

/* --- properties --- */

gboolean
fb_st_consecutive (FbContext *context, const FbShapeTracker *st)
{
  const FbView *view = st->views[0];

  return st->n == 1 && !view->mask && view->strides == fb_strides_for_shape (context, view->shape);
}

gint64
fb_st_size (FbContext *context, const FbShapeTracker *st)
{
  if (st->size == -2)
    ((FbShapeTracker *) st)->size = fb_view_size (context, st->views[st->n - 1]);
  return st->size;
}

const FbDims *
fb_st_reduce (FbContext *context, const FbShapeTracker *st, guint n_axes, const gint64 *axes)
{
  const FbDims *shape = st->shape;

  FB_SCRATCH (FbSint, items, shape->n);
  memcpy (items, shape->at, sizeof (FbSint) * shape->n);
  for (guint i = 0; i < n_axes; i++)
    if (axes[i] >= 0 && axes[i] < shape->n)
      items[axes[i]] = fb_sint (1);
  return fb_dims_new (context, shape->n, items);
}

void
fb_st_vars (FbContext *context, const FbShapeTracker *st, GPtrArray *vars)
{
  for (guint i = 0; i < st->n; i++)
    fb_view_vars (context, st->views[i], vars);
}

/* Whether one of the first @n of @binds gives the variable of @bind another value. */
static gboolean
rebinds (GPtrArray *binds, guint n, const FbUop *bind)
{
  for (guint i = 0; i < n; i++)
    {
      const FbUop *other = binds->pdata[i];

      if (other->src[0] == bind->src[0] && !fb_arg_equal (other->src[1]->arg, bind->src[1]->arg))
        return TRUE;
    }
  return FALSE;
}

const FbShapeTracker *
fb_st_unbind (FbContext *context, const FbShapeTracker *st, GPtrArray *binds)
{
  g_autoptr (GPtrArray) own = g_ptr_array_new ();

  FB_SCRATCH (const FbView *, views, st->n);
  for (guint i = 0; i < st->n; i++)
    {
      guint known = own->len;

      if (!(views[i] = fb_view_unbind (context, st->views[i], own)))
        return NULL;
      for (guint j = known; j < own->len; j++)
        if (rebinds (own, known, own->pdata[j]))
          {
            fb_context_fail (context, FB_ERROR_SHAPE, own->pdata[j], "two views bind a variable to different values");
            return NULL;
          }
    }
  if (own->len == 0)
    return st;
  for (guint i = 0; i < own->len; i++)
    if (!g_ptr_array_find (binds, own->pdata[i], NULL))
      g_ptr_array_add (binds, own->pdata[i]);
  return fb_context_intern_st (context, st->n, views);
}
