/* Values become args and sizes. Each conversion measures what the text of the arg will cost, because text shares nothing:
 * an arg that holds a node that holds an arg ... can print exponentially longer than its pickle. */
#include "pickle-private.h"

#include <string.h>

/* The most that the text of one arg may weigh; a weight is about an item of a tuple or a node of an expression. */
#define MAX_WEIGHT (1u << 20)
#define MAX_DIMS 1024
#define MAX_EXPRESSION 4096

static gboolean
fail_weight (FbPickle *pickle)
{
  return fb_pickle_fail (pickle, "the text of an arg would be too long");
}

gboolean
fb_pickle_note_node_slow (FbPickle *pickle, const FbUop *uop, guint32 weight, guint32 level)
{
  guint32 id = uop->id;

  if (weight > pickle->weight_left)
    return fb_pickle_fail (pickle, "the text of all nodes would be too long");
  pickle->weight_left -= weight;
  pickle->deepest |= level;
  if (id < pickle->n_info)
    return TRUE; /* made before: the first one counts */
  if (id >= pickle->info_allocated)
    {
      guint32 want = MAX (MAX (id + 1, pickle->info_allocated * 2), 1024);

      if (!fb_pickle_may_allocate (pickle, sizeof (FbNodeInfo) * (gsize) want))
        return FALSE;
      pickle->info = g_renew (FbNodeInfo, pickle->info, want);
      pickle->info_allocated = want;
    }
  /* a context that was not empty has nodes that were not read here */
  while (pickle->n_info < id)
    pickle->info[pickle->n_info++] = (FbNodeInfo){ .arg_weight = 1 };
  pickle->info[pickle->n_info++] = (FbNodeInfo){ .arg_weight = weight, .level = level };
  return TRUE;
}

gboolean
fb_pickle_text_weight (FbPickle *pickle, FbUop *uop, guint32 max_nodes, guint32 *weight)
{
  GPtrArray *walk = pickle->walk;
  guint32 visited = 0, stamp = ++pickle->stamp;
  guint64 total = 0;

  if (uop->id >= pickle->n_info)
    {
      *weight = 1;
      return TRUE;
    }
  if (pickle->info[uop->id].text_weight)
    {
      *weight = pickle->info[uop->id].text_weight;
      return TRUE;
    }
  g_ptr_array_set_size (walk, 0);
  g_ptr_array_add (walk, uop);
  pickle->info[uop->id].stamp = stamp;
  while (walk->len)
    {
      FbUop *u = g_ptr_array_steal_index_fast (walk, walk->len - 1);

      total += 1 + pickle->info[u->id].arg_weight;
      if (++visited > max_nodes)
        return fb_pickle_fail (pickle, "a symbolic expression has more than %u nodes", max_nodes);
      if (pickle->walk_left-- == 0)
        {
          pickle->walk_left = 0;
          return fail_weight (pickle);
        }
      for (guint32 i = 0; i < u->n_src; i++)
        {
          FbNodeInfo *info = &pickle->info[u->src[i]->id];

          if (info->stamp == stamp)
            continue;
          info->stamp = stamp;
          g_ptr_array_add (walk, u->src[i]);
        }
    }
  *weight = (guint32) MIN (total, MAX_WEIGHT + 1);
  pickle->info[uop->id].text_weight = *weight;
  return TRUE;
}

/* A node inside an arg. */
static gboolean
measure_node (FbPickle *pickle, FbUop *uop, guint32 *weight, guint32 *level)
{
  *level = fb_pickle_level (pickle, uop) + 1;
  if (*level > pickle->limits.max_level)
    return fb_pickle_fail (pickle, "nodes within args within nodes go deeper than %u", pickle->limits.max_level);
  return fb_pickle_text_weight (pickle, uop, MAX_EXPRESSION, weight);
}

/* FbSint holds 62 bits. */
static inline gboolean
fits_sint (gint64 i)
{
  return i < G_GINT64_CONSTANT (1) << 61 && i >= -(G_GINT64_CONSTANT (1) << 61);
}

gboolean
fb_pickle_to_sint (FbPickle *pickle, const FbValue *value, FbSint *sint, guint32 *weight, guint32 *level)
{
  if (G_LIKELY (value->kind == FB_VALUE_INT))
    {
      if (!fits_sint (value->i))
        return fb_pickle_fail (pickle, "the size or stride %" G_GINT64_FORMAT " is beyond 62 bits", value->i);
      *sint = fb_sint (value->i);
      *weight = 1;
      *level = 0;
      return TRUE;
    }
  if (value->kind != FB_VALUE_UOP)
    return fb_pickle_fail (pickle, "a size or stride is neither an integer nor a UOp");
  *sint = fb_sint_uop (value->uop);
  return measure_node (pickle, value->uop, weight, level);
}

/* Of a cell that is known to hold integers, or pairs of them. */
static const FbDims *
known_to_dims (FbPickle *pickle, FbTupleCell *cell)
{
  FbSint items[2 * FB_TUPLE_SHORT];
  const gboolean pairs = cell->form == FB_TUPLE_PAIRS;
  guint32 n = 0;

  for (guint32 i = 0; i < cell->n; i++)
    {
      const FbValue *part = pairs ? cell->items[i].tuple->items : &cell->items[i];

      items[n++] = fb_sint (part[0].i);
      if (pairs)
        items[n++] = fb_sint (part[1].i);
    }
  cell->dims = fb_dims_new (pickle->context, n, items);
  cell->dims_pairs = (guint8) pairs;
  cell->weight = 1 + n;
  cell->level = 0;
  return cell->dims;
}

const FbDims *
fb_pickle_to_dims (FbPickle *pickle, const FbValue *value, gboolean pairs, const char *what)
{
  FbSint items[2 * MAX_DIMS];
  guint32 n = 0, weight = 1, level = 0, w = 0, l = 0;
  FbTupleCell *cell;

  if (value->kind != FB_VALUE_TUPLE || value->tuple->n > MAX_DIMS)
    {
      fb_pickle_fail (pickle, "the %s of a View is no tuple of at most %d items", what, MAX_DIMS);
      return NULL;
    }
  cell = value->tuple;
  if (cell->dims && (cell->dims_pairs == pairs || cell->n == 0))
    return cell->dims;
  if (cell->form == (pairs ? FB_TUPLE_PAIRS : FB_TUPLE_INTS)
      && fb_pickle_may_allocate (pickle, sizeof (FbDims) + sizeof (FbSint) * 2 * FB_TUPLE_SHORT))
    return known_to_dims (pickle, cell);
  for (guint32 i = 0; i < cell->n; i++)
    {
      const FbValue *item = &cell->items[i];
      const FbValue *parts = item;
      guint32 n_parts = 1;

      if (pairs)
        {
          if (item->kind != FB_VALUE_TUPLE || item->tuple->n != 2)
            {
              fb_pickle_fail (pickle, "the %s of a View is no tuple of pairs", what);
              return NULL;
            }
          parts = item->tuple->items;
          n_parts = 2;
        }
      for (guint32 j = 0; j < n_parts; j++)
        {
          if (G_LIKELY (parts[j].kind == FB_VALUE_INT && fits_sint (parts[j].i)))
            {
              items[n++] = fb_sint (parts[j].i);
              weight++;
              continue;
            }
          if (!fb_pickle_to_sint (pickle, &parts[j], &items[n++], &w, &l))
            return NULL;
          weight += w;
          level = MAX (level, l);
          if (weight > MAX_WEIGHT)
            {
              fail_weight (pickle);
              return NULL;
            }
        }
    }
  if (!fb_pickle_may_allocate (pickle, sizeof (FbDims) + sizeof (FbSint) * n))
    return NULL;
  cell->dims = fb_dims_new (pickle->context, n, items);
  cell->dims_pairs = (guint8) pairs;
  cell->weight = weight;
  cell->level = level;
  return cell->dims;
}

static gboolean
to_opaque (FbPickle *pickle, const FbValue *value, const char *class_name, FbArg *arg, guint32 *weight)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *clean = NULL;

  fb_pickle_append_repr (pickle, value, text);
  pickle->text_bytes += text->len;
  if (!fb_pickle_may_allocate (pickle, text->len + strlen (class_name) + sizeof (FbOpaque)))
    return FALSE;
  clean = g_utf8_make_valid (text->str, (gssize) text->len); /* a cut may have split a character */
  *arg = fb_arg_new_opaque (pickle->context, class_name, clean);
  *weight = 1 + (guint32) (text->len / 16);
  return TRUE;
}

static gboolean
object_to_arg (FbPickle *pickle, const FbValue *value, FbArg *arg, guint32 *weight, guint32 *level)
{
  FbObjectCell *object = value->object;
  g_autofree char *class_name = NULL;

  switch (object->class->id)
    {
    case FB_CLASS_VIEW:
      return fb_pickle_fail (pickle, "an arg is a View outside a ShapeTracker");
    case FB_CLASS_SHAPE_TRACKER:
    case FB_CLASS_KERNEL:
      if (!object->made)
        return fb_pickle_fail (pickle, "a %s is used before it is built", object->class->name);
      *arg = (FbArg){ .kind = object->class->id == FB_CLASS_KERNEL ? FB_ARG_KERNEL : FB_ARG_ST,
                      .pointer = object->made };
      *weight = object->weight;
      *level = object->level;
      return TRUE;
    default:
      break;
    }
  if (!object->made)
    {
      class_name = g_strconcat (object->class->module, ".", object->class->name, NULL);
      if (!to_opaque (pickle, value, class_name, arg, &object->weight))
        return FALSE;
      object->made = arg->opaque;
    }
  *arg = (FbArg){ .kind = FB_ARG_OPAQUE, .pointer = object->made };
  *weight = object->weight;
  return TRUE;
}

/* Of a cell that is known to hold integers. */
static gboolean
known_to_arg (FbPickle *pickle, FbTupleCell *cell, FbArg *arg, guint32 *weight, guint32 *level)
{
  FbArg items[FB_TUPLE_SHORT];

  for (guint32 i = 0; i < cell->n; i++)
    items[i] = fb_arg_int (cell->items[i].i);
  *arg = fb_arg_new_tuple (pickle->context, cell->n, items);
  cell->tuple = arg->tuple;
  cell->weight = *weight = 1 + cell->n;
  cell->level = *level = 0;
  return TRUE;
}

/* Recursion is bounded by the depth that the cell knows. */
static gboolean
tuple_to_arg (FbPickle *pickle, FbTupleCell *cell, FbArg *arg, guint32 *weight, guint32 *level)
{
  FbArg small[16], *items = small;
  gboolean ok = TRUE;
  guint32 w, l, total = 1, deepest = 0;

  if (cell->tuple)
    {
      *arg = fb_arg_tuple (cell->tuple);
      *weight = cell->weight;
      *level = cell->level;
      return TRUE;
    }
  if (cell->depth > pickle->limits.max_depth)
    return fb_pickle_fail (pickle, "tuples are nested deeper than %u", pickle->limits.max_depth);
  if (!fb_pickle_may_allocate (pickle, sizeof (FbTuple) + sizeof (FbArg) * (gsize) cell->n * 2))
    return FALSE;
  if (cell->form == FB_TUPLE_INTS)
    return known_to_arg (pickle, cell, arg, weight, level);
  if (cell->n > G_N_ELEMENTS (small))
    items = g_new (FbArg, cell->n);
  for (guint32 i = 0; i < cell->n && ok; i++)
    {
      if (G_LIKELY (cell->items[i].kind == FB_VALUE_INT))
        {
          items[i] = fb_arg_int (cell->items[i].i);
          total++;
          continue;
        }
      ok = fb_pickle_to_arg (pickle, &cell->items[i], &items[i], &w, &l);
      if (!ok)
        break;
      total += w;
      deepest = MAX (deepest, l);
      if (total > MAX_WEIGHT)
        ok = fail_weight (pickle);
    }
  if (ok && total > MAX_WEIGHT)
    ok = fail_weight (pickle);
  if (ok)
    {
      *arg = fb_arg_new_tuple (pickle->context, cell->n, items);
      cell->tuple = arg->tuple;
      cell->weight = *weight = total;
      cell->level = *level = deepest;
    }
  if (items != small)
    g_free (items);
  return ok;
}

gboolean
fb_pickle_to_arg (FbPickle *pickle, const FbValue *value, FbArg *arg, guint32 *weight, guint32 *level)
{
  *weight = 1;
  *level = 0;
  switch ((FbValueKind) value->kind)
    {
    case FB_VALUE_NONE:
      *arg = FB_ARG_NIL;
      return TRUE;
    case FB_VALUE_BIG:
      *weight = 256;
      *arg = (FbArg){ .kind = FB_ARG_BIG, .i = value->i };
      return TRUE;
    case FB_VALUE_BOOL:
    case FB_VALUE_INT:
    case FB_VALUE_FLOAT:
    case FB_VALUE_DTYPE:
    case FB_VALUE_OPAQUE:
      *arg = (FbArg){ .kind = (FbArgKind) value->kind, .i = value->i };
      return TRUE;
    case FB_VALUE_OP:
      *arg = fb_arg_op (value->op);
      return TRUE;
    case FB_VALUE_UOP:
      *arg = fb_arg_uop (value->uop);
      return measure_node (pickle, value->uop, weight, level);
    case FB_VALUE_TEXT:
      if (!fb_pickle_may_allocate (pickle, sizeof (FbText) + value->n))
        return FALSE;
      *weight = 1 + value->n / 16;
      *arg = fb_arg_str (pickle->context, (const char *) value->bytes, value->n);
      return TRUE;
    case FB_VALUE_TUPLE:
      return tuple_to_arg (pickle, value->tuple, arg, weight, level);
    case FB_VALUE_OBJECT:
      return object_to_arg (pickle, value, arg, weight, level);
    case FB_VALUE_BYTES:
      return to_opaque (pickle, value, "builtins.bytes", arg, weight);
    case FB_VALUE_BYTEARRAY:
      return to_opaque (pickle, value, "builtins.bytearray", arg, weight);
    case FB_VALUE_LIST:
      return to_opaque (pickle, value, "builtins.list", arg, weight);
    case FB_VALUE_SET:
      return to_opaque (pickle, value, "builtins.set", arg, weight);
    case FB_VALUE_FROZENSET:
      return to_opaque (pickle, value, "builtins.frozenset", arg, weight);
    case FB_VALUE_DICT:
      return to_opaque (pickle, value, "builtins.dict", arg, weight);
    case FB_VALUE_CLASS:
      return to_opaque (pickle, value, "builtins.type", arg, weight);
    case FB_VALUE_UNSET:
    case FB_VALUE_SPENT:
    case FB_VALUE_SOURCES:
    case FB_VALUE_OPTION:
      break;
    }
  return fb_pickle_fail (pickle, "a value cannot be the arg of a node");
}
