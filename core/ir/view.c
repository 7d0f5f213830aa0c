/* Views: interning and the canonical form. */
#include "view-private.h"

#include "core/ir/text.h"

/* --- row-major --- */

/* Strides beyond 62 bits set the error, unless @quiet. */
static const FbDims *
row_major_strides (FbContext *context, const FbDims *shape, gboolean quiet)
{
  const FbDims *strides;
  FbSint stride = fb_sint (1);

  if (shape->strides)
    return shape->strides;

  FB_SCRATCH (FbSint, items, shape->n);
  for (guint i = shape->n; i-- > 0;)
    {
      FbSint product;

      items[i] = fb_sint_is (shape->at[i], 1) ? fb_sint (0) : stride;
      if (i == 0)
        break;
      if (quiet && fb_sint_both_int (stride, shape->at[i])
          && __builtin_mul_overflow (stride.word >> 1, shape->at[i].word, &product.word))
        return NULL;
      stride = sint_mul (context, stride, shape->at[i]);
    }
  if (fb_context_failed (context))
    return NULL;
  strides = fb_dims_new (context, shape->n, items);
  if (!context->parent)
    ((FbDims *) shape)->strides = strides;
  return strides;
}

/* Whether @strides, which are canonical, are those of a row-major @shape. These are not made for it. */
static gboolean
is_row_major (FbContext *context, const FbDims *shape, const FbDims *strides)
{
  gint64 stride = 1;

  if (shape->strides || !shape->all_int || !strides->all_int)
    return strides == row_major_strides (context, shape, TRUE);
  for (guint i = shape->n; i-- > 0;)
    {
      const gint64 size = fb_sint_int (shape->at[i]);

      if (fb_sint_int (strides->at[i]) != (size == 1 ? 0 : stride) || __builtin_mul_overflow (stride, size, &stride))
        return FALSE;
    }
  if (!context->parent)
    ((FbDims *) shape)->strides = strides;
  return TRUE;
}

/* --- interning --- */

static gboolean
view_equal (gconstpointer item, gconstpointer key)
{
  const FbView *a = item, *b = key;

  return a->shape == b->shape && a->strides == b->strides && a->mask == b->mask && fb_sint_same (a->offset, b->offset)
         && !a->contiguous == !b->contiguous;
}

/* The row-major view of @shape, which exists no longer than @context, is not in the table: it is found where its tracker hangs. That
 * of a shape without elements has other strides. */
static gboolean
hangs_on_shape (FbContext *context, const FbView *view)
{
  return view->contiguous && view->shape->all_int && !view->shape->has_zero && view->strides->all_int && !view->mask
         && fb_sint_is (view->offset, 0) && !context->parent && is_row_major (context, view->shape, view->strides);
}

const FbView *
fb_context_intern_view (FbContext *context, const FbView *proto)
{
  const FbShapeTracker *st = proto->shape->st;
  guint32 hash = fb_hash_mix (proto->shape->hash, proto->strides->hash);
  gboolean all_int = proto->shape->all_int && proto->strides->all_int && fb_sint_is_int (proto->offset)
                     && (!proto->mask || proto->mask->all_int);
  FbInternTable *table = all_int ? &context->kept.view_table : &context->view_table;
  const gboolean hangs = !st && hangs_on_shape (context, proto);
  FbView *view;

  if (proto->contiguous && st && view_equal (st->views[0], proto))
    return st->views[0];
  hash = fb_hash_mix (hash, proto->mask ? proto->mask->hash : 1);
  hash = fb_hash_mix (hash, fb_hash_word ((guint64) proto->offset.word) + !!proto->contiguous);
  for (FbContext *parent = context->parent; parent; parent = parent->parent)
    {
      FbInternTable *known = all_int ? &parent->kept.view_table : &parent->view_table;

      if ((view = fb_intern_table_get (known, hash, view_equal, proto)))
        return view;
    }
  view = hangs ? NULL : fb_intern_table_get (table, hash, view_equal, proto);
  if (view)
    return view;

  view = fb_arena_alloc (all_int ? &context->kept.arena : &context->arena, sizeof (FbView));
  *view = *proto;
  view->all_int = (guint8) all_int;
  view->hash = hash;
  view->st = NULL;
  if (hangs)
    ((FbDims *) view->shape)->st = fb_st_from_view (context, view);
  else
    fb_intern_table_add (table, view);
  return view;
}

static const FbView *
intern (FbContext *context, const FbDims *shape, const FbDims *strides, FbSint offset, const FbDims *mask,
        gboolean contiguous)
{
  return fb_context_intern_view (
      context,
      &(FbView){
          .shape = shape, .strides = strides, .offset = offset, .mask = mask, .contiguous = contiguous != FALSE });
}

/* TRUE, and the error set, when the parts do not have one item (the mask two) per dimension. */
static gboolean
is_uneven (FbContext *context, const FbDims *shape, const FbDims *strides, const FbDims *mask)
{
  if (G_UNLIKELY (shape->n > FB_MAX_DIMS))
    fb_context_fail (context, FB_ERROR_SHAPE, NULL, "a view of %u dimensions: at most %u are supported", shape->n,
                     FB_MAX_DIMS);
  else if (G_UNLIKELY (strides->n != shape->n))
    fb_context_fail (context, FB_ERROR_SHAPE, NULL, "a view of %u dimensions has %u strides", shape->n, strides->n);
  else if (G_UNLIKELY (mask && mask->n != 2 * shape->n))
    fb_context_fail (context, FB_ERROR_SHAPE, NULL, "a view of %u dimensions has a mask of %u bounds", shape->n,
                     mask->n);
  else
    return FALSE;
  return TRUE;
}

const FbView *
fb_view_intern (FbContext *context, const FbDims *shape, const FbDims *strides, FbSint offset, const FbDims *mask,
                gboolean contiguous)
{
  if (is_uneven (context, shape, strides, mask))
    return NULL;
  return intern (context, shape, strides, offset, mask, contiguous);
}

/* --- the canonical form --- */

char *
fb_dims_text (FbContext *context, const FbDims *dims)
{
  g_autofree char *items = fb_dims_to_display (context, dims, ", ");

  return g_strdup_printf ("(%s)", items);
}

static const FbDims *
repeated (FbContext *context, guint n, FbSint value)
{
  FB_SCRATCH (FbSint, items, n);
  for (guint i = 0; i < n; i++)
    items[i] = value;
  return fb_dims_new (context, n, items);
}

const FbDims *
fb_canonicalize_strides (FbContext *context, const FbDims *shape, const FbDims *strides)
{
  guint n = MIN (shape->n, strides->n), first = 0;

  while (first < n && !(fb_sint_is (shape->at[first], 1) && !fb_sint_is (strides->at[first], 0)))
    first++;
  if (first == n)
    return strides;

  FB_SCRATCH (FbSint, items, n);
  for (guint i = 0; i < n; i++)
    items[i] = fb_sint_is (shape->at[i], 1) ? fb_sint (0) : strides->at[i];
  return fb_dims_new (context, n, items);
}

const FbDims *
fb_strides_for_shape (FbContext *context, const FbDims *shape)
{
  return row_major_strides (context, shape, FALSE);
}

/* Whether no dimension is negative; the error set when one is, or may be. */
static gboolean
check_sizes (FbContext *context, const FbDims *shape)
{
  if (G_LIKELY (shape->prod >= 0))
    return TRUE;
  for (guint i = 0; i < shape->n; i++)
    if (!sint_truth_ge (context, shape->at[i], fb_sint (0)))
      {
        if (!context->error)
          {
            g_autofree char *text = fb_dims_text (context, shape);
            fb_context_fail (context, FB_ERROR_SHAPE, NULL, "the shape %s has a negative dimension", text);
          }
        return FALSE;
      }
  return TRUE;
}

static gboolean
hides_nothing (const FbDims *mask, const FbDims *shape)
{
  for (guint i = 0; i < shape->n; i++)
    if (!fb_sint_is (mask->at[2 * i], 0) || !fb_sint_same (mask->at[2 * i + 1], shape->at[i]))
      return FALSE;
  return TRUE;
}

/* Dimensions of which the mask leaves one index at most: their stride becomes 0 and moves into the offset; when it leaves
 * none at all, the whole view is masked (view.py:117-123). */
static void
eliminate_masked (FbContext *context, guint n, const FbDims **strides, FbSint *offset, const FbDims **mask)
{
  FB_SCRATCH (gboolean, eliminated, n);
  gboolean any = FALSE, empty = FALSE;
  FbSint moved = fb_sint (0);

  for (guint i = 0; i < n; i++)
    {
      const FbSint *bounds = &(*mask)->at[2 * i];
      eliminated[i] = !sint_lt (context, sint_add (context, bounds[0], fb_sint (1)), bounds[1], TRUE);
      any |= eliminated[i];
    }
  if (!any)
    return;
  for (guint i = 0; i < n && !empty; i++)
    empty = !sint_lt (context, (*mask)->at[2 * i], (*mask)->at[2 * i + 1], TRUE);
  if (empty)
    {
      *strides = repeated (context, n, fb_sint (0));
      *offset = fb_sint (0);
      *mask = repeated (context, 2 * n, fb_sint (0));
    }

  FB_SCRATCH (FbSint, kept, n);
  for (guint i = 0; i < n; i++)
    {
      FbSint stride = (*strides)->at[i];

      moved = sint_add (context, moved, eliminated[i] ? sint_mul (context, stride, (*mask)->at[2 * i]) : fb_sint (0));
      kept[i] = eliminated[i] ? fb_sint (0) : stride;
    }
  *offset = sint_add (context, *offset, moved);
  *strides = fb_dims_new (context, n, kept);
}

static const FbDims *
simplified (FbContext *context, const FbDims *shape)
{
  FB_SCRATCH (FbSint, items, shape->n);

  for (guint i = 0; i < shape->n; i++)
    items[i] = fb_sint_simplify (context, shape->at[i]);
  return context->error ? NULL : fb_dims_new (context, shape->n, items);
}

const FbView *
fb_view_create (FbContext *context, const FbDims *shape, const FbDims *strides, FbSint offset, const FbDims *mask)
{
  guint n = shape->n;
  gboolean contiguous;

  if (strides && !strides->n)
    strides = NULL;
  if (G_UNLIKELY (context->error) || is_uneven (context, shape, strides ? strides : shape, mask)
      || !check_sizes (context, shape))
    return NULL;
  if (shape->has_zero)
    return intern (context, shape, repeated (context, n, fb_sint (0)), fb_sint (0), NULL, TRUE);
  strides = strides ? fb_canonicalize_strides (context, shape, strides) : row_major_strides (context, shape, FALSE);
  if (!strides)
    return NULL;

  if (mask && hides_nothing (mask, shape))
    mask = NULL;
  if (mask)
    eliminate_masked (context, n, &strides, &offset, &mask);
  if (!fb_sint_is_int (offset))
    offset = fb_sint_simplify (context, offset);
  if (!shape->all_int)
    shape = simplified (context, shape);
  if (G_UNLIKELY (context->error))
    return NULL;
  contiguous = fb_sint_is (offset, 0) && !mask && is_row_major (context, shape, strides);
  return context->error ? NULL : intern (context, shape, strides, offset, mask, contiguous);
}

const FbView *
fb_view_create_strided (FbContext *context, const FbDims *shape, FbSint *strides, FbSint offset, const FbDims *mask)
{
  for (guint i = 0; i < shape->n; i++)
    if (fb_sint_is (shape->at[i], 1))
      strides[i] = fb_sint (0);
  return fb_view_create (context, shape, fb_dims_new (context, shape->n, strides), offset, mask);
}

const FbView *
fb_view_row_major (FbContext *context, const FbDims *shape)
{
  const FbShapeTracker *st = shape->st ? shape->st : fb_st_from_shape (context, shape);

  return st ? st->views[0] : NULL;
}

void
fb_unravel (FbContext *context, guint n, const FbSint *shape, FbSint offset, FbSint *out)
{
  gboolean ints = fb_sint_is_int (offset);

  for (guint i = 0; i < n && ints; i++)
    ints = fb_sint_is_int (shape[i]) && fb_sint_int (shape[i]) > 0;
  if (G_LIKELY (ints))
    {
      gint64 rest = fb_sint_int (offset);

      for (guint i = n; i-- > 0;)
        {
          gint64 size = fb_sint_int (shape[i]);

          out[i] = fb_sint (int_mod (rest, size));
          rest = int_floordiv (rest, size);
        }
      return;
    }

  FbSint inner = fb_sint (1);
  for (guint i = n; i-- > 0;)
    {
      out[i] = fb_sint_mod (context, fb_sint_floordiv (context, offset, inner), shape[i]);
      if (i > 0)
        inner = sint_mul (context, inner, shape[i]);
    }
}

gint64
fb_view_size (FbContext *context, const FbView *view)
{
  const FbDims *shape = view->shape;
  FbSint size = fb_sint (1);

  if (shape->prod >= 0)
    return shape->prod;
  for (guint i = 0; i < shape->n; i++)
    size = sint_mul (context, size, fb_sint_vmax (context, shape->at[i]));
  return context->error ? -1 : fb_sint_int (size);
}
