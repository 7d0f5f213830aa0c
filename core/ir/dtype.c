#include "context-private.h"

#include <string.h>

/* clang-format off */
#define SCALAR(TYPE, prio, bytes, cname, format, pyname) \
  [FB_SCALAR_##TYPE] = { .kind = FB_DTYPE_PLAIN, .type = FB_SCALAR_##TYPE, .position = FB_SCALAR_##TYPE, \
                         .priority = prio, .itemsize = bytes, \
                         .name = cname, .fmt = format, .count = 1, .v = 1, .size = -1, \
                         .scalar = &fb_dtype_scalars[FB_SCALAR_##TYPE], \
                         .base = &fb_dtype_scalars[FB_SCALAR_##TYPE], \
                         .repr = "dtypes." pyname, .short_name = pyname },

/* dtype.py:116-130; the repr takes the last alias defined (dtype.py:173) */
const FbDType fb_dtype_scalars[FB_N_SCALARS] = {
  SCALAR (VOID, -1, 0, "void", 0, "void")
  SCALAR (BOOL, 0, 1, "bool", '?', "bool")
  SCALAR (INT8, 1, 1, "signed char", 'b', "char")
  SCALAR (UINT8, 2, 1, "unsigned char", 'B', "uchar")
  SCALAR (INT16, 3, 2, "short", 'h', "short")
  SCALAR (UINT16, 4, 2, "unsigned short", 'H', "ushort")
  SCALAR (INT32, 5, 4, "int", 'i', "int")
  SCALAR (UINT32, 6, 4, "unsigned int", 'I', "uint")
  SCALAR (INT64, 7, 8, "long", 'q', "long")
  SCALAR (UINT64, 8, 8, "unsigned long", 'Q', "ulong")
  SCALAR (FLOAT16, 9, 2, "half", 'e', "half")
  SCALAR (BFLOAT16, 10, 2, "__bf16", 0, "bfloat16")
  SCALAR (FLOAT32, 11, 4, "float", 'f', "float")
  SCALAR (FLOAT64, 12, 8, "double", 'd', "double")
};
/* clang-format on */

/* How a derived type was made; equal recipes are one type. */
typedef struct
{
  guint32 hash;
  int recipe; /* 0 vec, 1 ptr, 2 image */
  const FbDType *from;
  gint64 size;   /* lanes or elements */
  gboolean flag; /* local or half */
  int n_shape;
  const gint64 *shape;
  FbDType dtype;
} FbDerived;

static gboolean
derived_equal (gconstpointer item, gconstpointer key)
{
  const FbDerived *a = item, *b = key;
  return a->recipe == b->recipe && a->from == b->from && a->size == b->size && a->flag == b->flag
         && a->n_shape == b->n_shape
         && (a->n_shape == 0 || memcmp (a->shape, b->shape, sizeof (gint64) * (gsize) a->n_shape) == 0);
}

static const FbDType *
derive (FbContext *context, FbDerived *key)
{
  guint32 hash = fb_hash_mix (fb_hash_pointer (key->from), (guint32) key->recipe);
  FbArena *arena = &context->kept.arena; /* a dtype means the same in every row */
  FbDerived *made;
  FbDType *t;

  hash = fb_hash_mix (hash, fb_hash_word ((guint64) key->size));
  for (int i = 0; i < key->n_shape; i++)
    hash = fb_hash_mix (hash, fb_hash_word ((guint64) key->shape[i]));
  key->hash = fb_hash_mix (hash, (guint32) key->flag);
  for (FbContext *c = context; c; c = c->parent)
    {
      made = fb_intern_table_get (&c->kept.dtype_table, key->hash, derived_equal, key);
      if (made)
        return &made->dtype;
    }
  made = fb_arena_memdup (arena, key, sizeof *key);
  t = &made->dtype;
  if (key->from)
    *t = *key->from;
  switch (key->recipe)
    {
    case 0:
      t->scalar = key->from;
      if (key->from->kind == FB_DTYPE_PLAIN)
        {
          t->itemsize = (int) (key->from->itemsize * key->size);
          t->name = fb_arena_printf (arena, "%s%d", key->from->short_name, (int) key->size);
          t->fmt = 0;
          t->count = (int) key->size;
          t->base = t;
        }
      else
        t->v = (int) key->size;
      t->repr = fb_arena_printf (arena, "%s.vec(%d)", key->from->repr, (int) key->size);
      t->short_name = fb_arena_printf (arena, "%s.vec(%d)", key->from->short_name, (int) key->size);
      break;
    case 1:
      t->kind = FB_DTYPE_PTR;
      t->position = FB_N_SCALARS;
      t->scalar = t;
      t->base = key->from;
      t->local = key->flag;
      t->size = key->size;
      t->v = 1;
      t->repr = fb_arena_printf (arena, "%s.ptr(%" G_GINT64_FORMAT "%s)", key->from->repr, key->size,
                                 key->flag ? ", local=True" : "");
      t->short_name = t->repr + strlen ("dtypes.");
      break;
    default:
      {
        g_autoptr (GString) text = g_string_new ("dtypes.");
        gint64 size = 1;
        g_string_append (text, key->flag ? "imageh" : "imagef");
        g_string_append (text, "((");
        for (int i = 0; i < key->n_shape; i++)
          {
            g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? ", " : "", key->shape[i]);
            if (__builtin_mul_overflow (size, key->shape[i], &size))
              size = -1;
          }
        g_string_append (text, key->n_shape == 1 ? ",))" : "))");
        made->shape = fb_arena_memdup (arena, key->shape, sizeof (gint64) * (gsize) key->n_shape);
        *t = (FbDType){ .kind = FB_DTYPE_IMAGE,
                        .type = FB_SCALAR_FLOAT32,
                        .position = FB_N_SCALARS + 1,
                        .priority = 100,
                        .itemsize = key->flag ? 2 : 4,
                        .name = key->flag ? "imageh" : "imagef",
                        .fmt = key->flag ? 'e' : 'f',
                        .count = 1,
                        .v = 1,
                        .size = size,
                        .scalar = t,
                        .base = FB_DTYPE (FLOAT32),
                        .n_shape = key->n_shape,
                        .shape = made->shape,
                        .half = key->flag };
        t->repr = fb_arena_strndup (arena, text->str, text->len);
        t->short_name = t->repr + strlen ("dtypes.");
      }
    }
  fb_intern_table_add (&context->kept.dtype_table, made);
  return t;
}

const FbDType *
fb_dtype_vec (FbContext *context, const FbDType *dtype, int lanes)
{
  if (lanes == 1 || dtype == FB_DTYPE (VOID))
    return dtype;
  return derive (context, &(FbDerived){ .recipe = 0, .from = dtype, .size = lanes });
}

const FbDType *
fb_dtype_ptr (FbContext *context, const FbDType *dtype, gint64 size, gboolean local)
{
  const FbDType **known;

  if (dtype->kind != FB_DTYPE_PLAIN)
    return dtype;
  /* there is one for every buffer of a kernel, and they are alike */
  known
      = &context->kept
             .pointers[fb_hash_word ((guintptr) dtype ^ (guint64) size << 10) % G_N_ELEMENTS (context->kept.pointers)];
  if (!*known || (*known)->base != dtype || (*known)->size != size || (*known)->local != !!local)
    *known = derive (context, &(FbDerived){ .recipe = 1, .from = dtype, .size = size, .flag = !!local });
  return *known;
}

const FbDType *
fb_dtype_image (FbContext *context, gboolean half, int n_shape, const gint64 *shape)
{
  return derive (context, &(FbDerived){ .recipe = 2, .flag = !!half, .n_shape = n_shape, .shape = shape });
}
