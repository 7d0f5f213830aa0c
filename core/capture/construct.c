/* What REDUCE, NEWOBJ and BUILD make: nodes, ops, views, shape trackers; everything else an object that keeps its class,
 * arguments and state. */
#include "pickle-private.h"

#include <string.h>

#define MAX_VIEWS 1024

static gboolean
make_op_from_name (FbPickle *pickle, const FbValue *name, FbValue *result)
{
  FbOp op = fb_op_lookup ((const char *) name->bytes, name->n);

  if (op == FB_OP_NONE)
    return fb_pickle_fail (pickle, "the op %.*s does not exist in tinygrad v0.10.2", (int) MIN (name->n, 64u),
                           (const char *) name->bytes);
  pickle->ops_by_name = TRUE;
  fb_value_set (result, FB_VALUE_OP, op);
  return TRUE;
}

static gboolean
make_op_from_number (FbPickle *pickle, guint32 n, const FbValue *a, FbValue *result)
{
  int release = pickle->options.release;
  const char *name;
  FbOp op;

  if (n != 1 || a[0].kind != FB_VALUE_INT)
    return fb_pickle_fail (pickle, "an op is made from something that is no number");
  name = fb_release_op_name (release, a[0].i);
  op = fb_release_op (release, a[0].i);
  /* the outermost node is pickled first, so the first op is the root's */
  if (!pickle->ops_by_value && !pickle->ops_by_name && pickle->options.sink_first && op != FB_OP_SINK)
    {
      if (pickle->options.wrong_first)
        *pickle->options.wrong_first = TRUE;
      return fb_pickle_fail (pickle,
                             "the root's op has number %" G_GINT64_FORMAT ", which is %s in tinygrad %s, not SINK",
                             a[0].i, name ? name : "no op", fb_release_name (release));
    }
  pickle->ops_by_value = TRUE;
  if (!name)
    return fb_pickle_fail (pickle, "tinygrad %s has no op with number %" G_GINT64_FORMAT, fb_release_name (release),
                           a[0].i);
  if (op == FB_OP_NONE)
    return fb_pickle_fail (pickle, "the op %s of tinygrad %s does not exist in v0.10.2", name,
                           fb_release_name (release));
  fb_value_set (result, FB_VALUE_OP, op);
  return TRUE;
}

static FbUop **
get_sources (FbPickle *pickle, guint32 n)
{
  if (pickle->sources_allocated < n)
    {
      pickle->sources_allocated = MAX (n, 64);
      g_free (pickle->sources);
      pickle->sources = g_new (FbUop *, pickle->sources_allocated);
    }
  return pickle->sources;
}

/* The arg of @value is known, with its weight and level. It comes by its words: see fb_value_copy(). */
G_ALWAYS_INLINE static inline gboolean
new_node (FbPickle *pickle, FbOp op, const FbDType *dtype, guint32 n, FbUop *const *sources, const FbValue *value,
          FbArgKind kind, gint64 payload, guint32 weight, guint32 level, FbValue *result)
{
  FbTupleForm form = value->kind == FB_VALUE_TUPLE ? value->tuple->form : FB_TUPLE_ANY;
  FbUop *uop;

  if (G_UNLIKELY (!fb_node_fits (op, n, kind, form)))
    {
      const char *complaint = fb_node_check (op, dtype, n, (FbArg){ .kind = kind, .i = payload });
      if (complaint)
        return fb_pickle_fail (pickle, "%s %s", fb_op_name (op), complaint);
    }
  for (guint32 i = 0; pickle->deepest && i < n; i++)
    level = MAX (level, fb_pickle_level (pickle, sources[i]));
  if (op == FB_OP_UNIQUE)
    pickle->max_unique = MAX (pickle->max_unique, payload);
  uop = fb_uop_new (pickle->context, op, dtype, n, sources, (FbArg){ .kind = kind, .i = payload });
  /* what moves a node is a shape for whoever reads it: made where it is met first */
  if (kind == FB_ARG_TUPLE && fb_op_in (op, FB_OPS_MOVEMENT) && !uop->arg.tuple->dims)
    fb_tuple_to_dims (pickle->context, uop->arg.tuple);
  fb_value_set_pointer (result, FB_VALUE_UOP, uop);
  return fb_pickle_note_node (pickle, uop, weight, level);
}

/* As with the scratch arena, the limit is looked at when the arena grows. */
static inline gboolean
may_allocate_node (FbPickle *pickle, guint32 n)
{
  const gsize size = sizeof (FbUop) + sizeof (FbUop *) * 2 * (gsize) n;

  return G_LIKELY ((gsize) (pickle->node_arena->end - pickle->node_arena->next) >= size)
         || fb_pickle_may_allocate (pickle, size);
}

gboolean
fb_pickle_new_node (FbPickle *pickle, const FbValue *head, guint32 n, FbUop *const *sources, const FbValue *value,
                    FbValue *result)
{
  guint32 weight = 1, level = 0;
  FbArgKind kind;
  gint64 payload;
  FbArg arg;

  if (!may_allocate_node (pickle, n))
    return FALSE;
  if (value->kind == FB_VALUE_NONE || value->kind == FB_VALUE_INT || value->kind == FB_VALUE_FLOAT)
    {
      kind = (FbArgKind) value->kind;
      payload = value->i;
    }
  else
    {
      if (!fb_pickle_to_arg (pickle, value, &arg, &weight, &level))
        return FALSE;
      kind = arg.kind;
      payload = arg.i;
      __asm__("" : "+r"(kind)); /* read as narrow as it was written */
    }
  return new_node (pickle, head[0].op, head[1].dtype, n, sources, value, kind, payload, weight, level, result);
}

/* UOp (op, dtype, src, arg) and, for a realized buffer, its Buffer, which is not kept (ops.py:254). */
static gboolean
make_uop (FbPickle *pickle, guint32 n, const FbValue *a, FbValue *result)
{
  const FbTupleCell *src;
  guint32 weight, level;
  FbUop **sources;
  FbArg arg;

  if (n < 4 || n > 5 || a[0].kind != FB_VALUE_OP || a[1].kind != FB_VALUE_DTYPE || a[2].kind != FB_VALUE_TUPLE)
    return fb_pickle_fail (pickle, "a UOp is not made of an op, a data type, a tuple of sources and an arg");
  src = a[2].tuple;
  if (!may_allocate_node (pickle, src->n) || !fb_pickle_to_arg (pickle, &a[3], &arg, &weight, &level))
    return FALSE;
  sources = get_sources (pickle, src->n);
  for (guint32 i = 0; i < src->n; i++)
    {
      if (src->items[i].kind != FB_VALUE_UOP)
        return fb_pickle_fail (pickle, "source %u of a %s is no UOp", i, fb_op_name (a[0].op));
      sources[i] = src->items[i].uop;
    }
  return new_node (pickle, a[0].op, a[1].dtype, src->n, sources, &a[3], arg.kind, arg.i, weight, level, result);
}

/* getattr (enum, name): how Python 3.11 pickles a member of an enum. */
static gboolean
make_member (FbPickle *pickle, guint32 n, const FbValue *a, FbValue *result)
{
  FbValue args;

  if (n != 2 || a[0].kind != FB_VALUE_CLASS || a[1].kind != FB_VALUE_TEXT)
    return fb_pickle_fail (pickle, "getattr is given something other than a class and a name");
  if (a[0].class->id == FB_CLASS_OPS)
    return make_op_from_name (pickle, &a[1], result);
  fb_value_set_pointer (&args, FB_VALUE_TUPLE, fb_pickle_new_tuple (pickle, n, a));
  return args.tuple && fb_pickle_new_object (pickle, &a[0], &args, result);
}

/* list (iterable), bytes and the like of built-in types. */
static gboolean
make_builtin (FbPickle *pickle, FbClassId class, const FbTupleCell *args, FbValue *result)
{
  const FbValue *from = args->n ? &args->items[0] : NULL, *items = NULL;
  guint32 n = 0;

  if (class == FB_CLASS_BYTES || class == FB_CLASS_BYTEARRAY)
    {
      if (from && from->kind != FB_VALUE_BYTES && from->kind != FB_VALUE_BYTEARRAY)
        return fb_pickle_fail (pickle, "bytes are made from something that is no bytes");
      *result = from ? *from : (FbValue){ .bytes = pickle->start };
      result->kind = class == FB_CLASS_BYTES ? FB_VALUE_BYTES : FB_VALUE_BYTEARRAY;
      return TRUE;
    }
  if (from && from->kind == FB_VALUE_TUPLE)
    n = from->tuple->n, items = from->tuple->items;
  else if (from && from->kind >= FB_VALUE_LIST && from->kind <= FB_VALUE_FROZENSET)
    n = from->list->n, items = from->list->items;
  else if (from)
    return fb_pickle_fail (pickle, "a built-in container is made from something that is no list");
  if (class == FB_CLASS_TUPLE)
    {
      fb_value_set_pointer (result, FB_VALUE_TUPLE, fb_pickle_new_tuple (pickle, n, items));
      return result->tuple != NULL;
    }
  if (class == FB_CLASS_DICT && n)
    return fb_pickle_fail (pickle, "a dict is made from a list");
  *result = (FbValue){ .kind = class == FB_CLASS_LIST   ? FB_VALUE_LIST
                               : class == FB_CLASS_SET  ? FB_VALUE_SET
                               : class == FB_CLASS_DICT ? FB_VALUE_DICT
                                                        : FB_VALUE_FROZENSET,
                       .list = fb_pickle_new_list (pickle) };
  return result->list && fb_pickle_list_extend (pickle, result->list, n, items);
}

/* _codecs.encode (text, "latin1"): how protocols before 3 write bytes. */
static gboolean
make_encoded (FbPickle *pickle, const FbTupleCell *args, FbValue *result)
{
  const FbValue *a = args->items;
  const char *p, *end;
  guint8 *bytes;
  guint32 n = 0;

  if (args->n != 2 || a[0].kind != FB_VALUE_TEXT || !fb_value_is_text (&a[1], "latin1"))
    return fb_pickle_fail (pickle, "_codecs.encode is given something other than a text and \"latin1\"");
  bytes = fb_pickle_alloc (pickle, a[0].n);
  if (!bytes)
    return FALSE;
  p = (const char *) a[0].bytes;
  for (end = p + a[0].n; p < end; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      if (c > 0xff)
        return fb_pickle_fail (pickle, "a text encoded as latin1 holds U+%04X", c);
      bytes[n++] = (guint8) c;
    }
  fb_value_set_bytes (result, FB_VALUE_BYTES, FB_ATTR_OTHER, n, bytes);
  return TRUE;
}

gboolean
fb_pickle_new_object (FbPickle *pickle, const FbValue *class, const FbValue *args, FbValue *result)
{
  FbObjectCell *object;

  if (class->kind != FB_VALUE_CLASS)
    return fb_pickle_fail (pickle, "an object is made of something that is no class");
  if (args->kind != FB_VALUE_TUPLE)
    return fb_pickle_fail (pickle, "the arguments of %s are no tuple", class->class->name);
  switch (class->class->id)
    {
    case FB_CLASS_LIST:
    case FB_CLASS_TUPLE:
    case FB_CLASS_DICT:
    case FB_CLASS_SET:
    case FB_CLASS_FROZENSET:
    case FB_CLASS_BYTES:
    case FB_CLASS_BYTEARRAY:
      return make_builtin (pickle, class->class->id, args->tuple, result);
    default:
      break;
    }
  object = fb_pickle_alloc (pickle, sizeof *object);
  if (!object)
    return FALSE;
  object->class = class->class;
  object->printing = 0;
  object->mapping = FALSE;
  object->weight = object->level = 0;
  object->items = NULL;
  object->made = NULL;
  fb_value_copy (&object->args, args);
  fb_value_set (&object->state, FB_VALUE_NONE, 0);
  fb_value_set_pointer (result, FB_VALUE_OBJECT, object);
  return TRUE;
}

gboolean
fb_pickle_call (FbPickle *pickle, FbClassId class, guint32 n, const FbValue *args, FbValue *result)
{
  switch (class)
    {
    case FB_CLASS_UOP:
      return make_uop (pickle, n, args, result);
    case FB_CLASS_OPS:
      return make_op_from_number (pickle, n, args, result);
    case FB_CLASS_GETATTR:
      return make_member (pickle, n, args, result);
    default:
      return fb_pickle_make_dtype (pickle, class, n, args, result);
    }
}

gboolean
fb_pickle_reduce (FbPickle *pickle, const FbValue *callable, const FbValue *args, FbValue *result)
{
  const FbTupleCell *tuple;

  if (G_UNLIKELY (callable->kind != FB_VALUE_CLASS || args->kind != FB_VALUE_TUPLE))
    return fb_pickle_fail (pickle, "a call is not of a global with a tuple of arguments");
  tuple = args->tuple;
  if (fb_class_consumes (callable->class->id))
    return fb_pickle_call (pickle, callable->class->id, tuple->n, tuple->items, result);
  switch (callable->class->id)
    {
    case FB_CLASS_ENCODE:
      return make_encoded (pickle, tuple, result);
    case FB_CLASS_RECONSTRUCTOR:
    case FB_CLASS_NEWOBJ:
      {
        /* only the class counts: the base of the old protocols is always object */
        FbValue none = { .kind = FB_VALUE_TUPLE };

        if (tuple->n < 1)
          return fb_pickle_fail (pickle, "a new object has no class");
        none.tuple = callable->class->id == FB_CLASS_NEWOBJ
                         ? fb_pickle_new_tuple (pickle, tuple->n - 1, tuple->items + 1)
                         : fb_pickle_new_tuple (pickle, 0, NULL);
        return none.tuple && fb_pickle_new_object (pickle, &tuple->items[0], &none, result);
      }
    default:
      return fb_pickle_new_object (pickle, callable, args, result);
    }
}

gboolean
fb_pickle_build_view (FbPickle *pickle, FbObjectCell *object, const FbValue *const fields[FB_ATTR_CONTIGUOUS + 1])
{
  const FbDims *shape, *strides, *mask = NULL;
  guint32 weight = 0, level = 0;
  FbSint offset;

  if (fields[FB_ATTR_CONTIGUOUS]->kind != FB_VALUE_BOOL)
    return fb_pickle_fail (pickle, "the contiguous of a View is no bool");
  if (!(shape = fb_pickle_to_dims (pickle, fields[FB_ATTR_SHAPE], FALSE, "shape"))
      || !(strides = fb_pickle_to_dims (pickle, fields[FB_ATTR_STRIDES], FALSE, "strides"))
      || !fb_pickle_to_sint (pickle, fields[FB_ATTR_OFFSET], &offset, &weight, &level))
    return FALSE;
  object->weight = 4 + weight + fields[FB_ATTR_SHAPE]->tuple->weight + fields[FB_ATTR_STRIDES]->tuple->weight;
  object->level = MAX (level, MAX (fields[FB_ATTR_SHAPE]->tuple->level, fields[FB_ATTR_STRIDES]->tuple->level));
  if (fields[FB_ATTR_MASK]->kind != FB_VALUE_NONE)
    {
      if (!(mask = fb_pickle_to_dims (pickle, fields[FB_ATTR_MASK], TRUE, "mask")))
        return FALSE;
      object->weight += fields[FB_ATTR_MASK]->tuple->weight;
      object->level = MAX (object->level, fields[FB_ATTR_MASK]->tuple->level);
    }
  if (strides->n != shape->n || (mask && mask->n != 2 * shape->n))
    return fb_pickle_fail (pickle, "the strides or the mask of a View do not match its %u dimensions", shape->n);
  for (guint i = 0; i < shape->n; i++)
    if (fb_sint_is_int (shape->at[i]) && fb_sint_int (shape->at[i]) < 0)
      return fb_pickle_fail (pickle, "a View has a negative size");
  object->made = fb_view_intern (pickle->context, shape, strides, offset, mask, fields[FB_ATTR_CONTIGUOUS]->i != 0);
  return TRUE;
}

/* View(shape, strides, offset, mask, contiguous), view.py:82 */
static gboolean
build_view (FbPickle *pickle, FbObjectCell *object)
{
  static const FbAttr wanted[] = { FB_ATTR_SHAPE, FB_ATTR_STRIDES, FB_ATTR_OFFSET, FB_ATTR_MASK, FB_ATTR_CONTIGUOUS };
  const FbValue *fields[FB_ATTR_CONTIGUOUS + 1] = { NULL };

  if (G_LIKELY (object->state.kind == FB_VALUE_DICT))
    {
      const FbListCell *dict = object->state.list;

      fb_list_settle (object->state.list);
      for (guint32 i = 0; i + 1 < dict->n; i += 2)
        if (dict->items[i].kind == FB_VALUE_TEXT && dict->items[i].attr <= FB_ATTR_CONTIGUOUS)
          fields[dict->items[i].attr] = &dict->items[i + 1];
    }
  for (gsize i = 0; i < G_N_ELEMENTS (wanted); i++)
    if (!fields[wanted[i]])
      return fb_pickle_fail (pickle, "a View lacks one of shape, strides, offset, mask and contiguous");
  return fb_pickle_build_view (pickle, object, fields);
}

gboolean
fb_pickle_build_tracker (FbPickle *pickle, FbObjectCell *object, const FbValue *views)
{
  const FbView *made[MAX_VIEWS];

  if (!views || views->kind != FB_VALUE_TUPLE || views->tuple->n < 1 || views->tuple->n > MAX_VIEWS)
    return fb_pickle_fail (pickle, "the views of a ShapeTracker are no tuple of 1 to %d views", MAX_VIEWS);
  object->weight = object->level = 0;
  for (guint32 i = 0; i < views->tuple->n; i++)
    {
      const FbValue *view = &views->tuple->items[i];

      if (view->kind != FB_VALUE_OBJECT || view->object->class->id != FB_CLASS_VIEW || !view->object->made)
        return fb_pickle_fail (pickle, "the views of a ShapeTracker are no views");
      made[i] = view->object->made;
      object->weight += view->object->weight;
      object->level = MAX (object->level, view->object->level);
    }
  object->made = fb_st_new (pickle->context, views->tuple->n, made);
  return TRUE;
}

/* Kernel (ast, metadata), schedule.py:195 */
static gboolean
build_kernel (FbPickle *pickle, FbObjectCell *object)
{
  const FbValue *ast = fb_value_get_attr (&object->state, FB_ATTR_AST);
  const FbValue *metadata = fb_value_get_attr (&object->state, FB_ATTR_METADATA);
  guint32 weight, level, nodes;
  FbArg arg;

  if (!ast || ast->kind != FB_VALUE_UOP || !metadata || metadata->kind != FB_VALUE_TUPLE)
    return fb_pickle_fail (pickle, "a Kernel lacks its ast or its metadata");
  if (!fb_pickle_to_arg (pickle, metadata, &arg, &weight, &level)
      || !fb_pickle_text_weight (pickle, ast->uop, G_MAXUINT32, &nodes))
    return FALSE;
  object->weight = weight + 4;
  object->level = MAX (level, fb_pickle_level (pickle, ast->uop) + 1);
  object->made = fb_arg_new_kernel (pickle->context, ast->uop, arg).kernel;
  return TRUE;
}

gboolean
fb_pickle_build (FbPickle *pickle, const FbValue *value, const FbValue *state)
{
  FbObjectCell *object = value->object;

  if (value->kind != FB_VALUE_OBJECT)
    return fb_pickle_fail (pickle, "state is given to something that is no object");
  fb_value_copy (&object->state, state);
  object->made = NULL;
  switch (object->class->id)
    {
    case FB_CLASS_VIEW:
      return build_view (pickle, object);
    case FB_CLASS_SHAPE_TRACKER:
      return fb_pickle_build_tracker (pickle, object, fb_value_get_attr (&object->state, FB_ATTR_VIEWS));
    case FB_CLASS_KERNEL:
      return build_kernel (pickle, object);
    default:
      return TRUE;
    }
}
