/* The allow-list: the globals the reader understands, and the names of attributes it looks for. Everything else is kept
 * as an opaque value that prints. */
#include "pickle-private.h"

#include <string.h>

#define CLASS(id, module, name)                                         \
  {                                                                     \
    { FB_CLASS_##id, module, name }, sizeof module - 1, sizeof name - 1 \
  }

static const struct
{
  FbClass class;
  guint8 module_len, name_len;
} known_classes[] = {
  CLASS (UOP, "tinygrad.ops", "UOp"),
  CLASS (OPS, "tinygrad.ops", "Ops"),
  CLASS (DTYPE, "tinygrad.dtype", "DType"),
  CLASS (PTR_DTYPE, "tinygrad.dtype", "PtrDType"),
  CLASS (IMAGE_DTYPE, "tinygrad.dtype", "ImageDType"),
  CLASS (VIEW, "tinygrad.shape.view", "View"),
  CLASS (SHAPE_TRACKER, "tinygrad.shape.shapetracker", "ShapeTracker"),
  CLASS (CONTEXT_VAR, "tinygrad.helpers", "ContextVar"),
  CLASS (GETATTR, "builtins", "getattr"),
  CLASS (KERNEL, "tinygrad.engine.schedule", "Kernel"),
  CLASS (KERNEL, "tinygrad.engine.grouper", "Kernel"),
  CLASS (METADATA, "tinygrad.helpers", "Metadata"),
  CLASS (DATACLASS, "tinygrad.ops", "KernelInfo"),
  CLASS (DATACLASS, "tinygrad.renderer", "TensorCore"),
  CLASS (DATACLASS, "tinygrad.renderer", "Estimates"),
  CLASS (DATACLASS, "tinygrad.engine.schedule", "ScheduleItem"),
  CLASS (OPT, "tinygrad.renderer", "Opt"),
  CLASS (OPT_OPS, "tinygrad.renderer", "OptOps"),
  CLASS (OPT, "tinygrad.codegen.kernel", "Opt"),
  CLASS (OPT_OPS, "tinygrad.codegen.kernel", "OptOps"),
  CLASS (RECONSTRUCTOR, "copyreg", "_reconstructor"),
  CLASS (RECONSTRUCTOR, "copy_reg", "_reconstructor"),
  CLASS (NEWOBJ, "copyreg", "__newobj__"),
  CLASS (NEWOBJ, "copy_reg", "__newobj__"),
  CLASS (ENCODE, "_codecs", "encode"),
  CLASS (GETATTR, "__builtin__", "getattr"),
  CLASS (LIST, "builtins", "list"),
  CLASS (TUPLE, "builtins", "tuple"),
  CLASS (DICT, "builtins", "dict"),
  CLASS (SET, "builtins", "set"),
  CLASS (FROZENSET, "builtins", "frozenset"),
  CLASS (BYTEARRAY, "builtins", "bytearray"),
  CLASS (BYTES, "builtins", "bytes"),
  CLASS (OBJECT, "builtins", "object"),
  CLASS (LIST, "__builtin__", "list"),
  CLASS (TUPLE, "__builtin__", "tuple"),
  CLASS (DICT, "__builtin__", "dict"),
  CLASS (SET, "__builtin__", "set"),
  CLASS (FROZENSET, "__builtin__", "frozenset"),
  CLASS (BYTEARRAY, "__builtin__", "bytearray"),
  CLASS (BYTES, "__builtin__", "bytes"),
  CLASS (OBJECT, "__builtin__", "object"),
  CLASS (DICT, "collections", "OrderedDict"),
};

static inline gboolean
same (const char *text, const char *bytes, gsize len)
{
  for (gsize i = 0; i < len; i++)
    if (text[i] != bytes[i] || !text[i])
      return FALSE;
  return !text[len];
}

const FbClass *
fb_class_lookup (FbPickle *pickle, const char *module, gsize module_len, const char *name, gsize name_len)
{
  gboolean plain = pickle->options.plain && module_len >= 8 && memcmp (module, "tinygrad", 8) == 0;
  FbClass *class;

  for (gsize i = 0; i < G_N_ELEMENTS (known_classes) && !plain; i++)
    if (known_classes[i].name_len == name_len && known_classes[i].module_len == module_len
        && memcmp (known_classes[i].class.name, name, name_len) == 0
        && memcmp (known_classes[i].class.module, module, module_len) == 0)
      return &known_classes[i].class;
  if (!fb_pickle_may_allocate (pickle, sizeof *class + module_len + name_len + 2)
      || !(class = fb_pickle_alloc (pickle, sizeof *class)))
    return NULL;
  class->id = FB_CLASS_UNKNOWN;
  class->module = fb_arena_strndup (&pickle->scratch, module, module_len);
  class->name = fb_arena_strndup (&pickle->scratch, name, name_len);
  return class;
}

#define OP_SLOTS 256

/* Length, first, middle and last letter tell nearly all ops apart. */
static inline guint
op_slot (const char *name, gsize len)
{
  return ((guint) len * 37 + (guint8) name[0] * 5 + (guint8) name[len / 2] * 17 + (guint8) name[len - 1]) % OP_SLOTS;
}

FbOp
fb_op_lookup (const char *name, gsize len)
{
  static struct
  {
    guint8 op, len;
  } slots[OP_SLOTS];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (int op = 1; op < FB_N_OPS; op++)
        {
          gsize n = strlen (fb_op_name (op));
          guint i = op_slot (fb_op_name (op), n);
          while (slots[i].op)
            i = (i + 1) % OP_SLOTS;
          slots[i].op = (guint8) op;
          slots[i].len = (guint8) n;
        }
      g_once_init_leave (&ready, 1);
    }
  for (guint i = len ? op_slot (name, len) : 0; len && slots[i].op; i = (i + 1) % OP_SLOTS)
    if (slots[i].len == len && memcmp (fb_op_name (slots[i].op), name, len) == 0)
      return slots[i].op;
  return FB_OP_NONE;
}

FbAttr
fb_attr_lookup (const guint8 *text, gsize len)
{
#define IS(name, attr)                                         \
  if (len == sizeof name - 1 && memcmp (text, name, len) == 0) \
  return FB_ATTR_##attr
  if (len < 2 || len > 10)
    return FB_ATTR_OTHER;
  switch (text[0])
    {
    case 'a':
      IS ("arg", ARG);
      IS ("axis", AXIS);
      IS ("ast", AST);
      break;
    case 'b':
      IS ("backward", BACKWARD);
      break;
    case 'c':
      IS ("contiguous", CONTIGUOUS);
      IS ("caller", CALLER);
      break;
    case 'k':
      IS ("key", KEY);
      break;
    case 'm':
      IS ("mask", MASK);
      IS ("metadata", METADATA);
      break;
    case 'n':
      IS ("name", NAME);
      break;
    case 'o':
      IS ("offset", OFFSET);
      IS ("op", OP);
      break;
    case 's':
      IS ("shape", SHAPE);
      IS ("strides", STRIDES);
      break;
    case 'v':
      IS ("views", VIEWS);
      IS ("value", VALUE);
      break;
    default:
      break;
    }
#undef IS
  return FB_ATTR_OTHER;
}

static const FbValue *
get_from_dict (const FbValue *dict, FbAttr attr)
{
  const FbListCell *list = dict->list;

  fb_list_settle (dict->list);
  for (guint32 i = list->n; i >= 2; i -= 2)
    if (list->items[i - 2].kind == FB_VALUE_TEXT && list->items[i - 2].attr == attr)
      return &list->items[i - 1];
  return NULL;
}

const FbValue *
fb_value_get_attr (const FbValue *state, FbAttr attr)
{
  const FbValue *found = NULL;

  if (state->kind == FB_VALUE_DICT)
    return get_from_dict (state, attr);
  if (state->kind == FB_VALUE_TUPLE && state->tuple->n == 2)
    for (int i = 1; i >= 0 && !found; i--)
      if (state->tuple->items[i].kind == FB_VALUE_DICT)
        found = get_from_dict (&state->tuple->items[i], attr);
  return found;
}

gboolean
fb_value_is_text (const FbValue *value, const char *text)
{
  return value->kind == FB_VALUE_TEXT && same (text, (const char *) value->bytes, value->n);
}
