#include "signature.h"

#include <math.h>
#include <string.h>

#include "core/ir/context-private.h"

enum
{
  /* Set apart from the hashes of values. */
  SALT_NOTHING = 0x51,
  SALT_TUPLE = 0x52,
};

guint64
fb_signature_text (const char *text)
{
  guint64 hash = G_GUINT64_CONSTANT (0xcbf29ce484222325);

  for (const guchar *p = (const guchar *) text; *p; p++)
    hash = (hash ^ *p) * G_GUINT64_CONSTANT (0x100000001b3);
  return fb_signature_mix (hash, SALT_NOTHING);
}

guint64
fb_signature_dtype (const FbDType *dtype, FbBlur blur)
{
  guint64 hash = fb_signature_mix (dtype->kind, dtype->type);

  hash = fb_signature_mix (hash, ((guint64) dtype->count << 32) | (guint32) dtype->v);
  hash = fb_signature_mix (hash, dtype->local * 2u + dtype->half);
  if (blur & FB_BLUR_SIZES)
    return hash;
  hash = fb_signature_mix (hash, (guint64) dtype->size);
  for (int i = 0; i < dtype->n_shape; i++)
    hash = fb_signature_mix (hash, (guint64) dtype->shape[i]);
  return hash;
}

/* Tuples nest no deeper than the capture reader lets them. */
static guint64
hash_arg (FbArg arg, FbBlur blur)
{
  static const double any_nan = NAN;
  guint64 hash = fb_signature_mix (SALT_NOTHING, arg.kind), bits;

  switch (arg.kind)
    {
    case FB_ARG_NONE:
      return hash;
    case FB_ARG_BOOL:
    case FB_ARG_INT:
      return fb_signature_mix (hash, (guint64) arg.i);
    case FB_ARG_FLOAT:
      /* each NaN is an object of its own, told apart by its payload, and all print the same */
      memcpy (&bits, isnan (arg.f) ? &any_nan : &arg.f, sizeof bits);
      return fb_signature_mix (hash, bits);
    case FB_ARG_STR:
      return fb_signature_mix (hash, fb_signature_text (arg.str->bytes));
    case FB_ARG_TUPLE:
      hash = fb_signature_mix (SALT_TUPLE, arg.tuple->n);
      for (guint i = 0; i < arg.tuple->n; i++)
        hash = fb_signature_mix (hash, hash_arg (arg.tuple->items[i], blur));
      return hash;
    case FB_ARG_OP:
      return fb_signature_mix (hash, arg.op);
    case FB_ARG_DTYPE:
      return fb_signature_mix (hash, fb_signature_dtype (arg.dtype, blur));
    case FB_ARG_UOP:
      return fb_signature_mix (hash, blur & FB_BLUR_VIEWS ? arg.uop->op : (guintptr) arg.uop);
    case FB_ARG_OPAQUE:
      return fb_signature_mix (hash, fb_signature_text (arg.opaque->repr));
    case FB_ARG_BIG:
    case FB_ARG_ST:
    case FB_ARG_KERNEL:
      /* interned: the same pointer within a context, which is all that is asked of a hash that sees views */
      return blur & FB_BLUR_VIEWS ? hash : fb_signature_mix (hash, (guintptr) arg.pointer);
    }
  g_return_val_if_reached (hash);
}

/* What the arg of @uop says, with @number in place of its own where it numbers a buffer. */
static guint64
hash_own_arg (const FbUop *uop, FbBlur blur, guint64 number)
{
  switch ((FbOp) uop->op)
    {
    case FB_OP_DEFINE_GLOBAL:
    case FB_OP_UNIQUE:
      return blur & FB_BLUR_NUMBERS ? SALT_NOTHING : fb_signature_mix (SALT_NOTHING, number);
    case FB_OP_VIEW:
      return blur & FB_BLUR_VIEWS ? SALT_NOTHING : hash_arg (uop->arg, blur);
    case FB_OP_REDUCE_AXIS:
      return blur & FB_BLUR_VIEWS ? hash_arg (fb_arg_op (fb_uop_reduce_op (uop)), blur) : hash_arg (uop->arg, blur);
    case FB_OP_BUFFER:
      return blur & FB_BLUR_SIZES ? SALT_NOTHING : hash_arg (uop->arg, blur);
    case FB_OP_CONST:
    case FB_OP_VCONST:
      return blur & FB_BLUR_CONSTANTS ? SALT_NOTHING : hash_arg (uop->arg, blur);
    default:
      return hash_arg (uop->arg, blur);
    }
}

void
fb_signature_nodes (FbContext *context, const GPtrArray *nodes, FbBlur blur, guint64 *hashes)
{
  FbNodeMap *places = fb_node_map_acquire (context);
  guint64 n_numbers = 0;

  for (guint i = 0; i < nodes->len; i++)
    {
      const FbUop *uop = g_ptr_array_index (nodes, i);
      gboolean moves = uop->op == FB_OP_VIEW || fb_op_in (uop->op, FB_OPS_MOVEMENT);
      guint64 hash, number = 0;

      fb_node_map_set (places, uop, i);
      if (moves && uop->n_src && (blur & FB_BLUR_VIEWS))
        {
          hashes[i] = hashes[fb_node_map_get (places, uop->src[0])];
          continue;
        }
      if (uop->op == FB_OP_DEFINE_GLOBAL || uop->op == FB_OP_UNIQUE)
        number = n_numbers++;
      hash = fb_signature_mix (uop->op, uop->n_src);
      hash = fb_signature_mix (hash, fb_signature_dtype (uop->dtype, blur));
      hash = fb_signature_mix (hash, hash_own_arg (uop, blur, number));
      for (guint s = 0; s < uop->n_src; s++)
        hash = fb_signature_mix (hash, hashes[fb_node_map_get (places, uop->src[s])]);
      hashes[i] = hash;
    }
  fb_node_map_release (context, places);
}

guint64
fb_signature_print (FbContext *context, const GPtrArray *nodes)
{
  FbNodeMap *places = fb_node_map_acquire (context);
  guint64 hash = nodes->len;

  /* a node's place stands for the node: it is the first visit, which is where it prints */
  for (guint i = 0; i < nodes->len; i++)
    {
      const FbUop *uop = g_ptr_array_index (nodes, i);
      fb_node_map_set (places, uop, i);
      hash = fb_signature_mix (fb_signature_mix (hash, uop->op), uop->n_src);
      hash = fb_signature_mix (hash, fb_signature_dtype (uop->dtype, FB_BLUR_NOTHING));
      hash = fb_signature_mix (hash, hash_arg (uop->arg, FB_BLUR_NOTHING));
      for (guint s = 0; s < uop->n_src; s++)
        hash = fb_signature_mix (hash, fb_node_map_get (places, uop->src[s]));
    }
  fb_node_map_release (context, places);
  return hash;
}
