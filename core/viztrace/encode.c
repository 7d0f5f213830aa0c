/* Values of a trace as a pickle of their own, which the reader of captures then makes known nodes of.
 *
 * A trace is read into plain values, since most releases and most contexts hold what this program knows nothing of. Where a part of
 * it is a graph of the release whose scheduler we have, it goes through the same door as a capture: the same checks, the same
 * limits. Each cell is written once, later uses refer to it, so the pickle is no longer than the trace. */
#include <string.h>

#include "viztrace-private.h"

#include "core/capture/opcodes.h"
#include "core/ir/text.h"

/* Shorter texts are written again: a reference would be as long. */
#define SHORT_TEXT 16
/* In the memo: being written. */
#define BEGUN G_MAXUINT32

typedef struct
{
  FbValue value;
  guint32 next; /* of its parts */
} Frame;

typedef struct
{
  const FbVizTrace *trace;
  GByteArray *out;
  GHashTable *memo; /* cells, classes and bytes of texts to their number + 1 */
  guint32 n_memo;
  GArray *frames;
} Encoder;

static const FbTupleCell no_items;
static const FbValue no_metadata = { .kind = FB_VALUE_TUPLE, .tuple = (FbTupleCell *) &no_items };

static void
put (Encoder *encoder, guint8 op)
{
  g_byte_array_append (encoder->out, &op, 1);
}

static void
put_number (Encoder *encoder, guint8 op, guint32 number)
{
  guint32 little = GUINT32_TO_LE (number);

  put (encoder, op);
  g_byte_array_append (encoder->out, (const guint8 *) &little, sizeof little);
}

static void
remember (Encoder *encoder, gconstpointer cell)
{
  put_number (encoder, OP_LONG_BINPUT, encoder->n_memo);
  g_hash_table_insert (encoder->memo, (gpointer) cell, GUINT_TO_POINTER (++encoder->n_memo));
}

/* Refers to @cell if it was written; FALSE: it was not. */
static gboolean
put_known (Encoder *encoder, gconstpointer cell)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (encoder->memo, cell));

  if (number && number != BEGUN)
    put_number (encoder, OP_LONG_BINGET, number - 1);
  return number && number != BEGUN;
}

static void
put_bytes (Encoder *encoder, guint8 op, const FbValue *value)
{
  if (value->n > SHORT_TEXT && put_known (encoder, value->bytes))
    return;
  put_number (encoder, op, value->n);
  g_byte_array_append (encoder->out, value->bytes, value->n);
  if (value->n > SHORT_TEXT)
    remember (encoder, value->bytes);
}

static void
put_global (Encoder *encoder, gconstpointer class, const char *module, const char *name)
{
  g_autofree char *line = NULL;

  if (put_known (encoder, class))
    return;
  line = g_strdup_printf ("%c%s\n%s\n", OP_GLOBAL, module, name);
  g_byte_array_append (encoder->out, (const guint8 *) line, (guint) strlen (line));
  remember (encoder, class);
}

static void
put_integer (Encoder *encoder, const FbValue *value)
{
  g_autoptr (GString) text = NULL;

  if (value->kind == FB_VALUE_INT && value->i == (gint32) value->i)
    {
      put_number (encoder, OP_BININT, (guint32) value->i);
      return;
    }
  text = g_string_new ("L");
  fb_arg_append_repr (encoder->trace->pickle_context, (FbArg){ .kind = (FbArgKind) value->kind, .i = value->i }, text);
  g_string_append (text, "L\n");
  g_byte_array_append (encoder->out, (const guint8 *) text->str, (guint) text->len);
}

static void
put_float (Encoder *encoder, const FbValue *value)
{
  guint64 big;

  put (encoder, OP_BINFLOAT);
  memcpy (&big, &value->f, sizeof big);
  big = GUINT64_TO_BE (big);
  g_byte_array_append (encoder->out, (const guint8 *) &big, sizeof big);
}

/* --- values with parts --- */

/* A member of an enum by its name: getattr (Ops, "ADD"). */
static gboolean
is_member (const FbObjectCell *object)
{
  const FbTupleCell *args = object->args.kind == FB_VALUE_TUPLE ? object->args.tuple : NULL;

  return args && args->n == 2 && args->items[0].kind == FB_VALUE_CLASS && args->items[0].class == object->class;
}

/* Arguments of a call; of a node the four that make it, without what the run hung on it. */
static guint32
n_args (const FbObjectCell *object)
{
  guint32 n = object->args.kind == FB_VALUE_TUPLE ? object->args.tuple->n : 0;
  return strcmp (object->class->name, "UOp") == 0 ? MIN (n, 4) : n;
}

static guint32
n_items (const FbListCell *list)
{
  return list ? list->n : 0;
}

/* The @i-th part of the state of a kernel: what the run said of its metadata is in no capture, so that kernels of both compare. */
static const FbValue *
part_of_state (const FbObjectCell *object, const FbListCell *dict, guint32 i)
{
  gboolean metadata
      = i % 2 == 1 && strcmp (object->class->name, "Kernel") == 0 && fb_value_is_text (&dict->items[i - 1], "metadata");
  return metadata ? &no_metadata : &dict->items[i];
}

/* The @i-th of arguments, state and items, one after the other; what comes between them is written. */
static const FbValue *
next_of_object (Encoder *encoder, const FbObjectCell *object, guint32 i)
{
  const FbListCell *dict = object->state.kind == FB_VALUE_DICT ? object->state.list : NULL;
  gboolean has_state = object->state.kind != FB_VALUE_NONE;
  guint32 n = n_args (object), n_state = dict ? dict->n & ~1u : (guint32) has_state;

  if (i < n)
    return &object->args.tuple->items[i];
  i -= n;
  if (i == 0)
    {
      put (encoder, OP_TUPLE);
      put (encoder, OP_REDUCE);
      remember (encoder, object);
      if (dict)
        {
          put (encoder, OP_EMPTY_DICT);
          put (encoder, OP_MARK);
        }
    }
  if (i < n_state)
    return dict ? part_of_state (object, dict, i) : &object->state;
  if (i == n_state)
    {
      if (dict)
        put (encoder, OP_SETITEMS);
      if (has_state)
        put (encoder, OP_BUILD);
      if (n_items (object->items))
        put (encoder, OP_MARK);
    }
  i -= n_state;
  return i < n_items (object->items) ? &object->items->items[i] : NULL;
}

/* The next part of @frame; NULL behind the last. */
static const FbValue *
next_part (Encoder *encoder, Frame *frame)
{
  const FbValue *value = &frame->value;
  guint32 i = frame->next++;

  switch ((FbValueKind) value->kind)
    {
    case FB_VALUE_TUPLE:
      return i < value->tuple->n ? &value->tuple->items[i] : NULL;
    case FB_VALUE_LIST:
    case FB_VALUE_SET:
    case FB_VALUE_FROZENSET:
    case FB_VALUE_DICT:
      return i < value->list->n ? &value->list->items[i] : NULL;
    default:
      break;
    }
  return next_of_object (encoder, value->object, i);
}

static void
begin (Encoder *encoder, const FbValue *value)
{
  switch ((FbValueKind) value->kind)
    {
    case FB_VALUE_TUPLE:
    case FB_VALUE_FROZENSET:
      break;
    case FB_VALUE_LIST:
      put (encoder, OP_EMPTY_LIST);
      remember (encoder, value->pointer);
      break;
    case FB_VALUE_SET:
      put (encoder, OP_EMPTY_SET);
      remember (encoder, value->pointer);
      break;
    case FB_VALUE_DICT:
      put (encoder, OP_EMPTY_DICT);
      remember (encoder, value->pointer);
      break;
    default:
      if (is_member (value->object))
        put_global (encoder, "getattr", "builtins", "getattr");
      else
        put_global (encoder, value->object->class, value->object->class->module, value->object->class->name);
    }
  put (encoder, OP_MARK);
}

static void
end (Encoder *encoder, const FbValue *value)
{
  switch ((FbValueKind) value->kind)
    {
    case FB_VALUE_TUPLE:
      put (encoder, OP_TUPLE);
      remember (encoder, value->pointer);
      break;
    case FB_VALUE_FROZENSET:
      put (encoder, OP_FROZENSET);
      remember (encoder, value->pointer);
      break;
    case FB_VALUE_LIST:
      put (encoder, OP_APPENDS);
      break;
    case FB_VALUE_SET:
      put (encoder, OP_ADDITEMS);
      break;
    case FB_VALUE_DICT:
      put (encoder, OP_SETITEMS);
      break;
    default:
      if (n_items (value->object->items))
        put (encoder, value->object->mapping ? OP_SETITEMS : OP_APPENDS);
    }
}

/* A value without parts, or one that was written before; FALSE: its parts come first. */
static gboolean
put_leaf (Encoder *encoder, const FbValue *value)
{
  switch ((FbValueKind) value->kind)
    {
    case FB_VALUE_BOOL:
      put (encoder, value->i ? OP_NEWTRUE : OP_NEWFALSE);
      return TRUE;
    case FB_VALUE_INT:
    case FB_VALUE_BIG:
      put_integer (encoder, value);
      return TRUE;
    case FB_VALUE_FLOAT:
      put_float (encoder, value);
      return TRUE;
    case FB_VALUE_TEXT:
      put_bytes (encoder, OP_BINUNICODE, value);
      return TRUE;
    case FB_VALUE_BYTES:
    case FB_VALUE_BYTEARRAY:
      put_bytes (encoder, OP_BINBYTES, value);
      return TRUE;
    case FB_VALUE_CLASS:
      put_global (encoder, value->class, value->class->module, value->class->name);
      return TRUE;
    case FB_VALUE_TUPLE:
    case FB_VALUE_LIST:
    case FB_VALUE_SET:
    case FB_VALUE_FROZENSET:
    case FB_VALUE_DICT:
    case FB_VALUE_OBJECT:
      return put_known (encoder, value->pointer);
    default:
      put (encoder, OP_NONE);
      return TRUE;
    }
}

/* FALSE when @value is a part of itself where nothing can be. */
static gboolean
push (Encoder *encoder, const FbValue *value)
{
  Frame frame = { *value, 0 };

  if (g_hash_table_contains (encoder->memo, value->pointer))
    return FALSE;
  g_hash_table_insert (encoder->memo, (gpointer) value->pointer, GUINT_TO_POINTER (BEGUN));
  begin (encoder, value);
  g_array_append_val (encoder->frames, frame);
  return TRUE;
}

static gboolean
put_value (Encoder *encoder, const FbValue *value)
{
  if (put_leaf (encoder, value))
    return TRUE;
  if (!push (encoder, value))
    return FALSE;
  while (encoder->frames->len)
    {
      Frame *frame = &g_array_index (encoder->frames, Frame, encoder->frames->len - 1);
      const FbValue *part = next_part (encoder, frame);
      FbValue done;

      if (part)
        {
          if (!put_leaf (encoder, part) && !push (encoder, part))
            return FALSE;
          continue;
        }
      done = frame->value;
      g_array_set_size (encoder->frames, encoder->frames->len - 1);
      end (encoder, &done);
    }
  return TRUE;
}

GBytes *
fb_viz_encode (const FbVizTrace *trace, guint n, const FbValue *const *values)
{
  Encoder encoder = {
    .trace = trace,
    .out = g_byte_array_new (),
    .memo = g_hash_table_new (NULL, NULL),
    .frames = g_array_new (FALSE, FALSE, sizeof (Frame)),
  };
  static const guint8 head[] = { OP_PROTO, 4, OP_EMPTY_LIST, OP_MARK };
  gboolean ok = TRUE;

  g_byte_array_append (encoder.out, head, sizeof head);
  for (guint i = 0; i < n && ok; i++)
    ok = put_value (&encoder, values[i]);
  put (&encoder, OP_APPENDS);
  put (&encoder, OP_STOP);
  g_hash_table_unref (encoder.memo);
  g_array_unref (encoder.frames);
  if (ok)
    return g_byte_array_free_to_bytes (encoder.out);
  g_byte_array_free (encoder.out, TRUE);
  return NULL;
}
