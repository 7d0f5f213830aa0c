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
  FbText *text;

  for (gsize i = 0; i < key.len; i++)
    hash = fb_hash_mix (hash, (guint8) bytes[i]);
  for (FbContext *c = context->parent; c; c = c->parent)
    if ((text = fb_intern_table_get (&c->kept.text_table, hash, text_equal, &key)))
      return (FbArg){ .kind = FB_ARG_STR, .str = text };
  text = fb_intern_table_get (&context->kept.text_table, hash, text_equal, &key);
  if (!text)
    {
      text = fb_arena_alloc (&context->kept.arena, sizeof *text + key.len + 1);
      text->hash = hash;
      text->len = (guint32) key.len;
      memcpy (text->bytes, bytes, key.len);
      text->bytes[key.len] = 0;
      fb_intern_table_add (&context->kept.text_table, text);
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
    if ((tuple->items[i].kind != k->items[i].kind || tuple->items[i].i != k->items[i].i)
        && !fb_arg_identical (tuple->items[i], k->items[i]))
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

/* A plain value means the same in every row. Of floats those that no integer beyond 64 bits equals: that one, and with it a
 * tuple that holds it, belongs to its row. */
static inline gboolean
is_plain (FbArg arg)
{
  switch (arg.kind)
    {
    case FB_ARG_NONE:
    case FB_ARG_BOOL:
    case FB_ARG_INT:
    case FB_ARG_STR:
    case FB_ARG_OP:
      return TRUE;
    case FB_ARG_FLOAT:
      return arg.f > -0x1p62 && arg.f < 0x1p62;
    case FB_ARG_TUPLE:
      return arg.tuple->kept;
    default:
      return FALSE;
    }
}

typedef struct
{
  FbInternTable *identical, *canonical;
  FbArena *arena;
} TuplePlace;

static TuplePlace
tuple_place (FbContext *context, gboolean plain)
{
  if (plain)
    return (TuplePlace){ &context->kept.tuple_table, &context->kept.tuple_canon_table, &context->kept.arena };
  return (TuplePlace){ &context->tuple_table, &context->tuple_canon_table, &context->arena };
}

/* The first tuple of @tuple's place that is == to it, or itself. */
static const FbTuple *
canonical (FbContext *context, FbTuple *tuple, const TupleKey *key)
{
  FbInternTable *table = tuple_place (context, tuple->kept).canonical;
  const FbTuple *known;

  for (FbContext *c = context->parent; c; c = c->parent)
    if ((known = fb_intern_table_get (tuple_place (c, tuple->kept).canonical, tuple->hash, tuple_equal, key)))
      return known;
  known = fb_intern_table_get (table, tuple->hash, tuple_equal, key);
  if (known)
    return known;
  fb_intern_table_add (table, tuple);
  return tuple;
}

FbArg
fb_arg_new_tuple (FbContext *context, guint n, const FbArg *items)
{
  TupleKey key = { n, items };
  guint32 hash = n + 7;
  gboolean plain = n < (1u << 31);
  TuplePlace place;
  FbTuple *tuple;

  for (guint i = 0; i < n; i++)
    if (items[i].kind == FB_ARG_INT)
      hash = fb_hash_mix (hash, fb_hash_word ((guint64) items[i].i));
    else
      {
        hash = fb_hash_mix (hash, fb_arg_hash (items[i]));
        plain &= is_plain (items[i]);
      }
  for (FbContext *c = context->parent; c; c = c->parent)
    if ((tuple = fb_intern_table_get (tuple_place (c, plain).identical, hash, tuple_identical, &key)))
      return fb_arg_tuple (tuple);
  place = tuple_place (context, plain);
  tuple = fb_intern_table_get (place.identical, hash, tuple_identical, &key);
  if (G_LIKELY (tuple))
    return fb_arg_tuple (tuple);
  tuple = fb_arena_alloc (place.arena, sizeof *tuple + sizeof (FbArg) * n);
  *tuple = (FbTuple){ .hash = hash, .n = n, .kept = plain };
  if (n)
    memcpy (tuple->items, items, sizeof (FbArg) * n);
  fb_intern_table_add (place.identical, tuple);
  tuple->canon = canonical (context, tuple, &key);
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
  OpaqueItem *made;

  for (FbContext *c = context->parent; c; c = c->parent)
    if ((made = fb_intern_table_get (&c->opaque_table, key.hash, opaque_equal, &key)))
      return (FbArg){ .kind = FB_ARG_OPAQUE, .opaque = &made->opaque };
  made = fb_intern_table_get (&context->opaque_table, key.hash, opaque_equal, &key);
  if (!made)
    {
      made = fb_arena_memdup (&context->arena, &key, sizeof key);
      made->opaque.class_name = fb_arena_strndup (&context->arena, class_name, strlen (class_name));
      made->opaque.repr = fb_arena_strndup (&context->arena, repr, strlen (repr));
      fb_intern_table_add (&context->opaque_table, made);
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
  FbKernel *made;

  for (FbContext *c = context->parent; c; c = c->parent)
    if ((made = fb_intern_table_get (&c->kernel_table, key.hash, kernel_equal, &key)))
      return (FbArg){ .kind = FB_ARG_KERNEL, .kernel = made };
  made = fb_intern_table_get (&context->kernel_table, key.hash, kernel_equal, &key);
  if (!made)
    {
      made = fb_arena_memdup (&context->arena, &key, sizeof key);
      fb_intern_table_add (&context->kernel_table, made);
    }
  return (FbArg){ .kind = FB_ARG_KERNEL, .kernel = made };
}
