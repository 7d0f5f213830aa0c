/* Tuples of symbolic integers: shapes, strides, masks. */
#include "sint-private.h"

#include <string.h>

typedef struct
{
  guint n;
  const FbSint *items;
} DimsKey;

static gboolean
dims_equal (gconstpointer item, gconstpointer key)
{
  const FbDims *dims = item;
  const DimsKey *wanted = key;

  if (dims->n != wanted->n)
    return FALSE;
  for (guint i = 0; i < wanted->n; i++)
    if (!fb_sint_same (dims->at[i], wanted->items[i]))
      return FALSE;
  return TRUE;
}

static guint32
dims_hash (guint n, const FbSint *items)
{
  guint64 hash = n + G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);

  for (guint i = 0; i < n; i++)
    {
      hash = (hash ^ (guint64) items[i].word) * G_GUINT64_CONSTANT (0xD6E8FEB86659FD93);
      hash ^= hash >> 32;
    }
  return (guint32) hash;
}

/* The product of sizes, -1 when it is none. */
static gint64
dims_prod (guint n, const FbSint *items, gboolean has_zero)
{
  gint64 prod = 1;
  gboolean overflow = FALSE;

  for (guint i = 0; i < n; i++)
    if (!fb_sint_is_int (items[i]) || fb_sint_int (items[i]) < 0)
      return -1;
    else if (__builtin_mul_overflow (prod, fb_sint_int (items[i]), &prod))
      overflow = TRUE;
  if (has_zero)
    return 0;
  return overflow || prod > FB_SINT_MAX ? -1 : prod;
}

static gboolean
dims_all_int (guint n, const FbSint *items)
{
  intptr_t words = 0;

  for (guint i = 0; i < n; i++)
    words |= items[i].word;
  return !(words & 1);
}

const FbDims *
fb_dims_new (FbContext *context, guint n, const FbSint *items)
{
  DimsKey key = { n, items };
  guint32 hash = dims_hash (n, items);
  gboolean all_int = dims_all_int (n, items);
  FbInternTable *table = all_int ? &context->kept.dims_table : &context->dims_table;
  FbDims *dims;

  if (G_UNLIKELY (n > G_MAXUINT16))
    {
      fb_context_fail (context, FB_ERROR_OVERFLOW, NULL, "a tuple of %u dimensions is too long", n);
      return NULL;
    }
  for (FbContext *parent = context->parent; parent; parent = parent->parent)
    {
      FbInternTable *known = all_int ? &parent->kept.dims_table : &parent->dims_table;

      if ((dims = fb_intern_table_get (known, hash, dims_equal, &key)))
        return dims;
    }
  dims = fb_intern_table_get (table, hash, dims_equal, &key);
  if (G_LIKELY (dims))
    return dims;

  dims = fb_arena_alloc (all_int ? &context->kept.arena : &context->arena, sizeof (FbDims) + sizeof (FbSint) * n);
  *dims = (FbDims){ .hash = hash, .n = (guint16) n, .all_int = all_int };
  for (guint i = 0; i < n; i++)
    {
      dims->at[i] = items[i];
      if (fb_sint_is (items[i], 0))
        dims->has_zero = TRUE;
    }
  dims->prod = dims_prod (n, items, dims->has_zero);
  fb_intern_table_add (table, dims);
  return dims;
}

const FbDims *
fb_tuple_to_dims (FbContext *context, const FbTuple *tuple)
{
  gboolean pairs = tuple->n > 0 && tuple->items[0].kind == FB_ARG_TUPLE;
  guint n = pairs ? tuple->n * 2 : tuple->n;
  const FbDims *dims;

  if (tuple->dims)
    return tuple->dims;
  if (tuple->n > FB_MAX_DIMS)
    return NULL;

  FB_SCRATCH (FbSint, items, n);
  for (guint i = 0; i < tuple->n; i++)
    if (!pairs)
      {
        if (!arg_to_sint (tuple->items[i], &items[i]))
          return NULL;
      }
    else
      {
        const FbTuple *pair = tuple->items[i].kind == FB_ARG_TUPLE ? tuple->items[i].tuple : NULL;

        if (!pair || pair->n != 2 || !arg_to_sint (pair->items[0], &items[2 * i])
            || !arg_to_sint (pair->items[1], &items[2 * i + 1]))
          return NULL;
      }
  dims = fb_dims_new (context, n, items);
  /* a tuple of the parent would outlive the dims of an overlay */
  if (!context->parent)
    ((FbTuple *) tuple)->dims = dims;
  return dims;
}

const FbTuple *
fb_dims_to_tuple (FbContext *context, const FbDims *dims)
{
  const FbTuple *tuple;

  if (dims->tuple)
    return dims->tuple;

  FB_SCRATCH (FbArg, items, dims->n);
  for (guint i = 0; i < dims->n; i++)
    items[i] = fb_sint_to_arg (dims->at[i]);
  tuple = fb_arg_new_tuple (context, dims->n, items).tuple;
  /* dims of the parent would outlive a tuple of an overlay */
  if (!context->parent)
    ((FbDims *) dims)->tuple = tuple;
  return tuple;
}

const FbTuple *
fb_dims_to_pairs (FbContext *context, const FbDims *dims)
{
  const FbTuple *tuple;

  if (dims->pairs)
    return dims->pairs;

  FB_SCRATCH (FbArg, items, dims->n / 2u);
  for (guint i = 0; i < dims->n / 2u; i++)
    {
      FbArg pair[2] = { fb_sint_to_arg (dims->at[2 * i]), fb_sint_to_arg (dims->at[2 * i + 1]) };
      items[i] = fb_arg_new_tuple (context, 2, pair);
    }
  tuple = fb_arg_new_tuple (context, dims->n / 2u, items).tuple;
  if (!context->parent)
    ((FbDims *) dims)->pairs = tuple;
  return tuple;
}
