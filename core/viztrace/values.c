/* Values told apart as Python's == and hash() tell them. A value gets a number after what it is made of has one, so that
 * comparing is looking up a few numbers; containers are walked with a stack of our own, each cell once. */
#include "viztrace-private.h"

#include <string.h>

typedef struct
{
  guint32 hash, len;
  guint8 bytes[];
} Key;

typedef struct
{
  FbValue value;
  guint32 next;
} Frame;

struct _FbVizValues
{
  const FbVizTrace *trace;
  FbArena arena;
  GHashTable *ids;   /* Key to its number */
  GHashTable *cells; /* tuples, objects and frozen sets to their number; 0: on the stack */
  GArray *frames;
  GByteArray *key;
  GArray *numbers;
};

static guint
key_hash (gconstpointer key)
{
  return ((const Key *) key)->hash;
}

static gboolean
key_equal (gconstpointer a, gconstpointer b)
{
  const Key *x = a, *y = b;
  return x->len == y->len && memcmp (x->bytes, y->bytes, x->len) == 0;
}

FbVizValues *
fb_viz_values_new (const FbVizTrace *trace)
{
  FbVizValues *values = g_new0 (FbVizValues, 1);

  values->trace = trace;
  fb_arena_init (&values->arena);
  values->ids = g_hash_table_new (key_hash, key_equal);
  values->cells = g_hash_table_new (NULL, NULL);
  values->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  values->key = g_byte_array_new ();
  values->numbers = g_array_new (FALSE, FALSE, sizeof (guint64));
  return values;
}

void
fb_viz_values_free (FbVizValues *values)
{
  if (!values)
    return;
  g_hash_table_unref (values->ids);
  g_hash_table_unref (values->cells);
  g_array_unref (values->frames);
  g_byte_array_unref (values->key);
  g_array_unref (values->numbers);
  fb_arena_clear (&values->arena);
  g_free (values);
}

/* The number of what is in values->key, which begins with room for a Key. */
static guint32
intern (FbVizValues *values)
{
  Key *key = (Key *) (gpointer) values->key->data, *own;
  guint32 hash = 2166136261u, id;

  key->len = values->key->len - (guint) sizeof (Key);
  for (guint32 i = 0; i < key->len; i++)
    hash = (hash ^ key->bytes[i]) * 16777619u;
  key->hash = hash ^ hash >> 15;
  id = GPOINTER_TO_UINT (g_hash_table_lookup (values->ids, key));
  if (id)
    return id;
  own = fb_arena_memdup (&values->arena, key, values->key->len);
  id = g_hash_table_size (values->ids) + 1;
  g_hash_table_insert (values->ids, own, GUINT_TO_POINTER (id));
  return id;
}

static void
begin (FbVizValues *values, char tag)
{
  g_byte_array_set_size (values->key, sizeof (Key));
  g_byte_array_append (values->key, (const guint8 *) &tag, 1);
}

static void
add (FbVizValues *values, gconstpointer bytes, gsize len)
{
  g_byte_array_append (values->key, bytes, (guint) len);
}

guint32
fb_viz_values_id_of (FbVizValues *values, char tag, guint n, const guint64 *numbers)
{
  begin (values, tag);
  add (values, numbers, sizeof *numbers * n);
  return intern (values);
}

static guint32
id_of_bytes (FbVizValues *values, char tag, const void *bytes, gsize len)
{
  begin (values, tag);
  add (values, bytes, len);
  return intern (values);
}

static guint32
id_of_number (FbVizValues *values, const FbValue *value)
{
  double f = value->f;

  if (value->kind != FB_VALUE_FLOAT)
    return id_of_bytes (values, 'i', &value->i, sizeof value->i);
  if (f == f && f >= -0x1p62 && f <= 0x1p62 && f == (double) (gint64) f)
    {
      gint64 i = (gint64) f;
      return id_of_bytes (values, 'i', &i, sizeof i);
    }
  /* a NaN equals itself only, its payload says which it is */
  return id_of_bytes (values, f == f ? 'f' : 'n', &value->i, sizeof value->i);
}

/* A tuple, an object or a frozen set: what has a number only when its parts have. */
static gconstpointer
cell_of (const FbValue *value)
{
  switch ((FbValueKind) value->kind)
    {
    case FB_VALUE_TUPLE:
      return value->tuple;
    case FB_VALUE_OBJECT:
      return value->object;
    case FB_VALUE_FROZENSET:
      return value->list;
    default:
      return NULL;
    }
}

static guint32
id_of_leaf (FbVizValues *values, const FbValue *value)
{
  switch ((FbValueKind) value->kind)
    {
    case FB_VALUE_NONE:
      return id_of_bytes (values, 'N', NULL, 0);
    case FB_VALUE_BOOL:
    case FB_VALUE_INT:
    case FB_VALUE_FLOAT:
      return id_of_number (values, value);
    case FB_VALUE_TEXT:
      return id_of_bytes (values, 't', value->bytes, value->n);
    case FB_VALUE_BYTES:
      return id_of_bytes (values, 'b', value->bytes, value->n);
    case FB_VALUE_CLASS:
      begin (values, 'c');
      add (values, value->class->module, strlen (value->class->module));
      add (values, ".", 1);
      add (values, value->class->name, strlen (value->class->name));
      return intern (values);
    default: /* lists and the like are no keys; each is only itself */
      return id_of_bytes (values, 'p', &value->pointer, sizeof value->pointer);
    }
}

/* A dict's keys and values, a list's items. */
static const FbListCell *
list_of (const FbValue *value)
{
  return value->kind == FB_VALUE_DICT || value->kind == FB_VALUE_LIST ? value->list : NULL;
}

/* What of a UOp's arguments makes it the node it is: later ones are metadata. */
static guint32
n_args (const FbVizTrace *trace, const FbObjectCell *object)
{
  guint32 n = object->args.kind == FB_VALUE_TUPLE ? object->args.tuple->n : 0;

  if (strcmp (object->class->name, "UOp") == 0)
    n = MIN (n, trace->form == FB_VIZ_OBJECTS ? 4 : 5);
  return n;
}

/* The @i-th part of a cell; NULL behind the last. */
static const FbValue *
part_of (const FbVizTrace *trace, const FbValue *value, guint32 i)
{
  const FbObjectCell *object;
  const FbListCell *list;
  guint32 n;

  if (value->kind == FB_VALUE_TUPLE)
    return i < value->tuple->n ? &value->tuple->items[i] : NULL;
  if (value->kind == FB_VALUE_FROZENSET)
    return i < value->list->n ? &value->list->items[i] : NULL;
  object = value->object;
  n = n_args (trace, object);
  if (i < n)
    return &object->args.tuple->items[i];
  i -= n;
  if ((list = list_of (&object->state)))
    {
      if (i < list->n)
        return &list->items[i];
      i -= list->n;
    }
  else if (object->state.kind == FB_VALUE_TUPLE)
    for (guint32 k = 0; k < object->state.tuple->n; k++)
      {
        const FbValue *half = &object->state.tuple->items[k];
        if (!(list = list_of (half)))
          {
            if (i-- == 0)
              return half;
            continue;
          }
        if (i < list->n)
          return &list->items[i];
        i -= list->n;
      }
  else if (i-- == 0)
    return &object->state;
  return object->items && i < object->items->n ? &object->items->items[i] : NULL;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;
  return x < y ? -1 : x > y;
}

static guint32
known_id (FbVizValues *values, const FbValue *value)
{
  gconstpointer cell = cell_of (value);
  guint32 id = cell ? GPOINTER_TO_UINT (g_hash_table_lookup (values->cells, cell)) : 0;

  /* something that contains itself is only itself */
  return id     ? id
         : cell ? id_of_bytes (values, 'p', &value->pointer, sizeof value->pointer)
                : id_of_leaf (values, value);
}

static guint32
id_of_cell (FbVizValues *values, const FbValue *value)
{
  const FbValue *part;
  char tag = value->kind == FB_VALUE_TUPLE ? 'T' : value->kind == FB_VALUE_FROZENSET ? 'F' : 'O';

  g_array_set_size (values->numbers, 0);
  if (tag == 'O')
    {
      FbValue class = { .kind = FB_VALUE_CLASS, .class = value->object->class };
      guint64 number = id_of_leaf (values, &class);
      g_array_append_val (values->numbers, number);
    }
  for (guint32 i = 0; (part = part_of (values->trace, value, i)); i++)
    {
      guint64 number = known_id (values, part);
      g_array_append_val (values->numbers, number);
    }
  if (tag == 'F')
    g_array_sort (values->numbers, compare_numbers);
  return fb_viz_values_id_of (values, tag, values->numbers->len, (const guint64 *) (gpointer) values->numbers->data);
}

/* TRUE when the cell of @value has a number, or is on the stack. */
static gboolean
is_met (FbVizValues *values, const FbValue *value)
{
  gconstpointer cell = cell_of (value);
  return !cell || g_hash_table_contains (values->cells, cell);
}

static void
push (FbVizValues *values, const FbValue *value)
{
  Frame frame = { *value, 0 };

  g_hash_table_insert (values->cells, (gpointer) cell_of (value), NULL);
  g_array_append_val (values->frames, frame);
}

guint32
fb_viz_values_id (FbVizValues *values, const FbValue *value)
{
  if (!is_met (values, value))
    push (values, value);
  while (values->frames->len)
    {
      Frame *frame = &g_array_index (values->frames, Frame, values->frames->len - 1);
      const FbValue *part;
      FbValue done;

      while ((part = part_of (values->trace, &frame->value, frame->next)) && is_met (values, part))
        frame->next++;
      if (part)
        {
          push (values, part);
          continue;
        }
      done = frame->value;
      g_hash_table_insert (values->cells, (gpointer) cell_of (&done), GUINT_TO_POINTER (id_of_cell (values, &done)));
      g_array_set_size (values->frames, values->frames->len - 1);
    }
  return known_id (values, value);
}
