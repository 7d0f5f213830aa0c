#include "context-private.h"
#include "number.h"

#include <string.h>

FbArg
fb_arg_new_nan (FbContext *context)
{
  guint64 bits = G_GUINT64_CONSTANT (0x7ff8000000000000) | (++context->n_nans & G_GUINT64_CONSTANT (0x7ffffffffffff));
  FbArg arg = { .kind = FB_ARG_FLOAT };

  memcpy (&arg.f, &bits, sizeof bits);
  return arg;
}

typedef struct
{
  const char *bytes;
  gsize len;
} TextKey;

static gboolean
text_equal (gconstpointer item, gconstpointer key)
{
  const FbText *text = item;
  const TextKey *k = key;
  return text->len == k->len && memcmp (text->bytes, k->bytes, k->len) == 0;
}

FbArg
fb_arg_str (FbContext *context, const char *bytes, gssize len)
{
  TextKey key = { bytes, len < 0 ? strlen (bytes) : (gsize) len };
  guint32 hash = 5381;
  gpointer *slot;
  FbText *text;

  for (gsize i = 0; i < key.len; i++)
    hash = fb_hash_mix (hash, (guint8) bytes[i]);
  for (FbContext *c = context->parent; c; c = c->parent)
    if (*(slot = fb_intern_table_find (&c->text_table, hash, text_equal, &key)))
      return (FbArg){ .kind = FB_ARG_STR, .str = *slot };
  slot = fb_intern_table_find (&context->text_table, hash, text_equal, &key);
  text = *slot;
  if (!text)
    {
      *slot = text = fb_arena_alloc (&context->arena, sizeof *text + key.len + 1);
      text->hash = hash;
      text->len = (guint32) key.len;
      memcpy (text->bytes, bytes, key.len);
      text->bytes[key.len] = 0;
      fb_intern_table_added (&context->text_table);
    }
  return (FbArg){ .kind = FB_ARG_STR, .str = text };
}

gboolean
fb_arg_identical (FbArg a, FbArg b)
{
  if (a.kind != b.kind)
    return FALSE;
  switch (a.kind)
    {
    case FB_ARG_NONE:
      return TRUE;
    case FB_ARG_OP:
      return a.op == b.op;
    default: /* every other member is 8 bytes; a float is compared by bits on purpose */
      return a.i == b.i;
    }
}

gboolean
fb_arg_equal (FbArg a, FbArg b)
{
  if (fb_arg_is_number (a) && fb_arg_is_number (b))
    {
      if (a.kind <= FB_ARG_INT && b.kind <= FB_ARG_INT)
        return a.i == b.i;
      return fb_num_equal (a, b);
    }
  if (a.kind != b.kind)
    return FALSE;
  if (a.kind == FB_ARG_TUPLE)
    return a.tuple->canon == b.tuple->canon;
  return fb_arg_identical (a, b);
}

guint32
fb_arg_hash (FbArg arg)
{
  switch (arg.kind)
    {
    case FB_ARG_NONE:
      return 1;
    case FB_ARG_BOOL:
    case FB_ARG_INT:
    case FB_ARG_BIG:
    case FB_ARG_FLOAT:
      return fb_num_hash (arg);
    case FB_ARG_STR:
      return arg.str->hash;
    case FB_ARG_TUPLE:
      return arg.tuple->hash;
    case FB_ARG_OP:
      return fb_hash_word (arg.op);
    default:
      return fb_hash_pointer (arg.pointer);
    }
}

gboolean
fb_arg_truth (FbArg arg)
{
  switch (arg.kind)
    {
    case FB_ARG_NONE:
      return FALSE;
    case FB_ARG_BOOL:
    case FB_ARG_INT:
      return arg.i != 0;
    case FB_ARG_FLOAT:
      return arg.f != 0;
    case FB_ARG_STR:
      return arg.str->len != 0;
    case FB_ARG_TUPLE:
      return arg.tuple->n != 0;
    default:
      return TRUE;
    }
}

typedef struct
{
  guint n;
  const FbArg *items;
} TupleKey;

static gboolean
tuple_identical (gconstpointer item, gconstpointer key)
{
  const FbTuple *tuple = item;
  const TupleKey *k = key;

  if (tuple->n != k->n)
    return FALSE;
  for (guint i = 0; i < k->n; i++)
    if (!fb_arg_identical (tuple->items[i], k->items[i]))
      return FALSE;
  return TRUE;
}

static gboolean
tuple_equal (gconstpointer item, gconstpointer key)
{
  const FbTuple *tuple = item;
  const TupleKey *k = key;

  if (tuple->n != k->n)
    return FALSE;
  for (guint i = 0; i < k->n; i++)
    if (!fb_arg_equal (tuple->items[i], k->items[i]))
      return FALSE;
  return TRUE;
}

FbArg
fb_arg_new_tuple (FbContext *context, guint n, const FbArg *items)
{
  TupleKey key = { n, items };
  guint32 hash = n + 7;
  gpointer *slot;
  FbTuple *tuple;

  for (guint i = 0; i < n; i++)
    hash = fb_hash_mix (hash, fb_arg_hash (items[i]));
  for (FbContext *c = context->parent; c; c = c->parent)
    if (*(slot = fb_intern_table_find (&c->tuple_table, hash, tuple_identical, &key)))
      return fb_arg_tuple (*slot);
  slot = fb_intern_table_find (&context->tuple_table, hash, tuple_identical, &key);
  if (*slot)
    return fb_arg_tuple (*slot);
  *slot = tuple = fb_arena_alloc (&context->arena, sizeof *tuple + sizeof (FbArg) * n);
  *tuple = (FbTuple){ .hash = hash, .n = n };
  if (n)
    memcpy (tuple->items, items, sizeof (FbArg) * n);
  fb_intern_table_added (&context->tuple_table);
  for (FbContext *c = context->parent; c && !tuple->canon; c = c->parent)
    if (*(slot = fb_intern_table_find (&c->tuple_canon_table, hash, tuple_equal, &key)))
      tuple->canon = *slot;
  if (!tuple->canon)
    {
      slot = fb_intern_table_find (&context->tuple_canon_table, hash, tuple_equal, &key);
      if (*slot)
        tuple->canon = *slot;
      else
        {
          *slot = tuple;
          tuple->canon = tuple;
          fb_intern_table_added (&context->tuple_canon_table);
        }
    }
  return fb_arg_tuple (tuple);
}

typedef struct
{
  guint32 hash;
  FbOpaque opaque;
} OpaqueItem;

static gboolean
opaque_equal (gconstpointer item, gconstpointer key)
{
  const OpaqueItem *a = item, *b = key;
  return strcmp (a->opaque.class_name, b->opaque.class_name) == 0 && strcmp (a->opaque.repr, b->opaque.repr) == 0;
}

FbArg
fb_arg_new_opaque (FbContext *context, const char *class_name, const char *repr)
{
  OpaqueItem key = { fb_hash_mix (g_str_hash (class_name), g_str_hash (repr)), { class_name, repr } };
  gpointer *slot;
  OpaqueItem *made;

  for (FbContext *c = context->parent; c; c = c->parent)
    if (*(slot = fb_intern_table_find (&c->opaque_table, key.hash, opaque_equal, &key)))
      return (FbArg){ .kind = FB_ARG_OPAQUE, .opaque = &((OpaqueItem *) *slot)->opaque };
  slot = fb_intern_table_find (&context->opaque_table, key.hash, opaque_equal, &key);
  made = *slot;
  if (!made)
    {
      *slot = made = fb_arena_memdup (&context->arena, &key, sizeof key);
      made->opaque.class_name = fb_arena_strndup (&context->arena, class_name, strlen (class_name));
      made->opaque.repr = fb_arena_strndup (&context->arena, repr, strlen (repr));
      fb_intern_table_added (&context->opaque_table);
    }
  return (FbArg){ .kind = FB_ARG_OPAQUE, .opaque = &made->opaque };
}

static gboolean
kernel_equal (gconstpointer item, gconstpointer key)
{
  const FbKernel *a = item, *b = key;
  return a->ast == b->ast && fb_arg_equal (a->metadata, b->metadata);
}

FbArg
fb_arg_new_kernel (FbContext *context, FbUop *ast, FbArg metadata)
{
  FbKernel key = { fb_hash_mix (fb_hash_pointer (ast), fb_arg_hash (metadata)), ast, metadata };
  gpointer *slot;
  FbKernel *made;

  for (FbContext *c = context->parent; c; c = c->parent)
    if (*(slot = fb_intern_table_find (&c->kernel_table, key.hash, kernel_equal, &key)))
      return (FbArg){ .kind = FB_ARG_KERNEL, .kernel = *slot };
  slot = fb_intern_table_find (&context->kernel_table, key.hash, kernel_equal, &key);
  made = *slot;
  if (!made)
    {
      *slot = made = fb_arena_memdup (&context->arena, &key, sizeof key);
      fb_intern_table_added (&context->kernel_table);
    }
  return (FbArg){ .kind = FB_ARG_KERNEL, .kernel = made };
}
