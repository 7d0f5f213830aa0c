/* repr() of values. No recursion: containers being printed are on a stack of our own. Text is cut at max_text bytes, and
 * containers that contain themselves print as Python prints them. */
#include "pickle-private.h"

#include <string.h>

#include "core/ir/text.h"

#define MAX_NESTING 200

typedef struct
{
  const FbValue *items;
  guint32 n, next;
  gboolean named;   /* items are pairs of a field's name and its value: name=value */
  gboolean keyed;   /* items are pairs of a key and a value: key: value */
  gboolean comma;   /* a tuple of one item ends in a comma */
  guint8 *printing; /* flag of the cell */
  const char *closing;
} Frame;

typedef struct
{
  FbPickle *pickle;
  GString *text;
  gsize limit;
  GArray *frames;
} Printer;

static void
open_frame (Printer *printer, const char *opening, Frame frame)
{
  g_string_append (printer->text, opening);
  if (frame.printing)
    *frame.printing = 1;
  g_array_append_val (printer->frames, frame);
}

/* str (member) of an enum: OptOps.UPCAST */
static void
append_member (const FbObjectCell *member, GString *text)
{
  static const char *const opt_ops[]
      = { NULL, "TC", "UPCAST", "UNROLL", "LOCAL", "GROUP", "GROUPTOP", "NOLOCALS", "PADTO", "SWAP" };
  const FbTupleCell *args = member->args.tuple;

  g_string_append (text, "OptOps.");
  if (args->n == 2 && args->items[1].kind == FB_VALUE_TEXT)
    g_string_append_len (text, (const char *) args->items[1].bytes, MIN (args->items[1].n, 64));
  else if (args->n == 1 && args->items[0].kind == FB_VALUE_INT && args->items[0].i > 0
           && args->items[0].i < (gint64) G_N_ELEMENTS (opt_ops))
    g_string_append (text, opt_ops[args->items[0].i]);
  else
    g_string_append_c (text, '?');
}

static gboolean
is_member (const FbValue *value)
{
  return value && value->kind == FB_VALUE_OBJECT && value->object->class->id == FB_CLASS_OPT_OPS
         && value->object->args.kind == FB_VALUE_TUPLE;
}

/* Metadata prints as "name bw - caller" (helpers.py:123). */
static gboolean
append_metadata (const FbObjectCell *object, GString *text)
{
  const FbValue *name = fb_value_get_attr (&object->state, FB_ATTR_NAME);
  const FbValue *caller = fb_value_get_attr (&object->state, FB_ATTR_CALLER);
  const FbValue *backward = fb_value_get_attr (&object->state, FB_ATTR_BACKWARD);

  if (!name || name->kind != FB_VALUE_TEXT)
    return FALSE;
  g_string_append_len (text, (const char *) name->bytes, name->n);
  if (backward && backward->kind == FB_VALUE_BOOL && backward->i)
    g_string_append (text, " bw");
  if (caller && caller->kind == FB_VALUE_TEXT && caller->n)
    {
      g_string_append (text, " - ");
      g_string_append_len (text, (const char *) caller->bytes, caller->n);
    }
  return TRUE;
}

static void
append_object (Printer *printer, FbObjectCell *object)
{
  GString *text = printer->text;
  const FbValue *state = &object->state;

  if (object->printing)
    {
      g_string_append (text, "...");
      return;
    }
  if (object->class->id == FB_CLASS_SHAPE_TRACKER && object->made)
    {
      g_string_append (text, fb_st_repr (printer->pickle->context, object->made));
      return;
    }
  if (object->class->id == FB_CLASS_METADATA && append_metadata (object, text))
    return;
  if (state->kind == FB_VALUE_DICT)
    fb_list_settle (state->list);
  if (object->class->id == FB_CLASS_OPT && state->kind == FB_VALUE_DICT && !object->items)
    {
      const FbValue *op = fb_value_get_attr (state, FB_ATTR_OP);

      /* f"Opt(op={self.op}, ...": str of the member, renderer/__init__.py:20 */
      if (is_member (op) && state->list->n >= 2 && state->list->items[0].attr == FB_ATTR_OP)
        {
          g_string_append (text, "Opt(op=");
          append_member (op->object, text);
          open_frame (printer, state->list->n > 2 ? ", " : "",
                      (Frame){ state->list->items + 2, state->list->n - 2, 0, .named = TRUE,
                               .printing = &object->printing, .closing = ")" });
          return;
        }
    }
  if (object->class->id == FB_CLASS_DATACLASS && state->kind == FB_VALUE_DICT)
    {
      g_string_append (text, object->class->name);
      open_frame (printer, "(",
                  (Frame){ state->list->items, state->list->n, 0, .named = TRUE, .printing = &object->printing,
                           .closing = ")" });
      return;
    }
  g_string_append_printf (text, "<%s.%s", object->class->module, object->class->name);
  if (state->kind == FB_VALUE_DICT && state->list->n)
    open_frame (printer, "(",
                (Frame){ state->list->items, state->list->n, 0, .named = TRUE, .printing = &object->printing,
                         .closing = ")>" });
  else if (object->items && object->items->n)
    open_frame (printer, "(",
                (Frame){ object->items->items, object->items->n, 0, .keyed = object->mapping,
                         .printing = &object->printing, .closing = ")>" });
  else if (object->args.kind == FB_VALUE_TUPLE && object->args.tuple->n)
    open_frame (
        printer, "(",
        (Frame){ object->args.tuple->items, object->args.tuple->n, 0, .printing = &object->printing, .closing = ")>" });
  else
    g_string_append_c (text, '>');
}

static void
append_list (Printer *printer, const FbValue *value)
{
  FbListCell *list = value->list;
  gboolean dict = value->kind == FB_VALUE_DICT, is_list = value->kind == FB_VALUE_LIST;
  const char *opening = is_list ? "[" : value->kind == FB_VALUE_FROZENSET ? "frozenset({" : "{";
  const char *closing = is_list ? "]" : value->kind == FB_VALUE_FROZENSET ? "})" : "}";

  fb_list_settle (list);
  if (list->printing)
    g_string_append (printer->text, is_list ? "[...]" : dict ? "{...}" : "set(...)");
  else if (!list->n && !is_list && !dict)
    g_string_append (printer->text, value->kind == FB_VALUE_SET ? "set()" : "frozenset()");
  else
    open_frame (printer, opening,
                (Frame){ list->items, list->n, 0, .keyed = dict, .printing = &list->printing, .closing = closing });
}

static void
append_value (Printer *printer, const FbValue *value)
{
  FbContext *context = printer->pickle->context;
  GString *text = printer->text;
  gsize room = printer->limit - MIN (text->len, printer->limit);

  switch ((FbValueKind) value->kind)
    {
    case FB_VALUE_NONE:
    case FB_VALUE_BOOL:
    case FB_VALUE_INT:
    case FB_VALUE_BIG:
    case FB_VALUE_FLOAT:
    case FB_VALUE_DTYPE:
    case FB_VALUE_OPAQUE:
      fb_arg_append_repr (context, (FbArg){ .kind = (FbArgKind) value->kind, .i = value->i }, text);
      break;
    case FB_VALUE_OP:
      fb_arg_append_repr (context, fb_arg_op (value->op), text);
      break;
    case FB_VALUE_UOP:
      {
        /* a large graph says only what it is: its text costs more than anyone reads here */
        guint32 weight;
        if (value->uop->id >= printer->pickle->n_info || !printer->pickle->info[value->uop->id].text_weight)
          weight = G_MAXUINT32;
        else
          weight = printer->pickle->info[value->uop->id].text_weight;
        if (weight <= 256)
          fb_uop_append_text (context, value->uop, text);
        else
          g_string_append_printf (text, "<UOp %s>", fb_op_name (value->uop->op));
      }
      break;
    case FB_VALUE_TEXT:
      fb_append_str_repr ((const char *) value->bytes, MIN (value->n, room), text);
      break;
    case FB_VALUE_BYTES:
    case FB_VALUE_BYTEARRAY:
      {
        g_autofree char *bytes = fb_bytes_repr (value->bytes, MIN (value->n, room));
        gboolean array = value->kind == FB_VALUE_BYTEARRAY;
        g_string_append_printf (text, "%s%s%s", array ? "bytearray(" : "", bytes, array ? ")" : "");
      }
      break;
    case FB_VALUE_TUPLE:
      if (value->tuple->printing)
        g_string_append (text, "(...)");
      else
        open_frame (printer, "(",
                    (Frame){ value->tuple->items, value->tuple->n, 0, .comma = value->tuple->n == 1,
                             .printing = &value->tuple->printing, .closing = ")" });
      break;
    case FB_VALUE_LIST:
    case FB_VALUE_SET:
    case FB_VALUE_FROZENSET:
    case FB_VALUE_DICT:
      append_list (printer, value);
      break;
    case FB_VALUE_CLASS:
      if (strcmp (value->class->module, "builtins") == 0)
        g_string_append_printf (text, "<class '%s'>", value->class->name);
      else
        g_string_append_printf (text, "<class '%s.%s'>", value->class->module, value->class->name);
      break;
    case FB_VALUE_OBJECT:
      if (is_member (value))
        {
          append_member (value->object, text);
          break;
        }
      append_object (printer, value->object);
      break;
    case FB_VALUE_UNSET:
    case FB_VALUE_SPENT:
    case FB_VALUE_SOURCES:
    case FB_VALUE_OPTION:
      break;
    }
}

void
fb_pickle_append_repr (FbPickle *pickle, const FbValue *value, GString *text)
{
  gsize start = text->len;
  Printer printer = { pickle, text, start + pickle->limits.max_text, g_array_new (FALSE, FALSE, sizeof (Frame)) };

  append_value (&printer, value);
  while (printer.frames->len)
    {
      guint depth = printer.frames->len;
      Frame *frame = &g_array_index (printer.frames, Frame, depth - 1);
      const FbValue *item;
      gboolean paired = frame->named || frame->keyed, is_key = paired && frame->next % 2 == 0;

      if (frame->next == frame->n || text->len >= printer.limit)
        {
          g_string_append (text, frame->comma ? "," : "");
          g_string_append (text, frame->closing);
          if (frame->printing)
            *frame->printing = 0;
          g_array_set_size (printer.frames, depth - 1);
          continue;
        }
      item = &frame->items[frame->next++];
      if (frame->next > 1)
        g_string_append (text, paired && !is_key ? (frame->named ? "=" : ": ") : ", ");
      if (frame->named && is_key && item->kind == FB_VALUE_TEXT)
        g_string_append_len (text, (const char *) item->bytes, MIN (item->n, 256));
      else if (depth >= MAX_NESTING)
        g_string_append (text, "...");
      else
        append_value (&printer, item);
    }
  g_array_free (printer.frames, TRUE);
  if (text->len > printer.limit)
    {
      g_string_truncate (text, printer.limit);
      g_string_append (text, "...");
    }
}

char *
fb_pickle_repr (FbPickle *pickle, const FbValue *value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  fb_pickle_append_repr (pickle, value, text);
  return g_utf8_make_valid (text->str, (gssize) text->len);
}
