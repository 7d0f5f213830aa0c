/* Values as people read them: near to what Python prints, without knowing their classes. Nesting and length are bounded, so
 * that a small file cannot print large. */
#include "viztrace-private.h"

#include <string.h>

#include "core/ir/number.h"
#include "core/ir/text.h"

#define MAX_NESTING 24

typedef struct
{
  const FbVizTrace *trace;
  GString *text;
  gsize max;
} Printer;

static void append_value (Printer *printer, const FbValue *value, guint depth);

const char *
fb_viz_base_name (const char *file)
{
  const char *slash = strrchr (file, '/');
  return slash ? slash + 1 : file;
}

char *
fb_viz_plain_name (const char *name)
{
  GString *plain = g_string_new (NULL);

  while (*name)
    if (name[0] == '\x1b' && name[1] == '[')
      {
        name += 2 + strspn (name + 2, "0123456789;");
        name += *name != '\0';
      }
    else
      g_string_append_c (plain, *name++);
  return g_string_free (plain, FALSE);
}

static gboolean
is_full (const Printer *printer)
{
  return printer->text->len > printer->max;
}

static void
append_items (Printer *printer, guint32 n, const FbValue *items, guint depth)
{
  for (guint32 i = 0; i < n && !is_full (printer); i++)
    {
      if (i)
        g_string_append (printer->text, ", ");
      append_value (printer, &items[i], depth + 1);
    }
}

/* Pairs in turn: name=value, or key: value. */
static void
append_pairs (Printer *printer, const FbListCell *list, const char *between, guint depth)
{
  gboolean named = *between == '=';

  for (guint32 i = 0; i + 1 < list->n && !is_full (printer); i += 2)
    {
      const FbValue *key = &list->items[i];

      if (i)
        g_string_append (printer->text, ", ");
      if (named && key->kind == FB_VALUE_TEXT)
        g_string_append_len (printer->text, (const char *) key->bytes, MIN (key->n, 256));
      else
        append_value (printer, key, depth + 1);
      g_string_append (printer->text, between);
      append_value (printer, &list->items[i + 1], depth + 1);
    }
}

/* Name of a scalar as tinygrad says it, from that of the C type. */
static void
append_scalar (GString *text, const FbValue *name)
{
  static const char *const names[][2]
      = { { "signed char", "char" },  { "unsigned char", "uchar" }, { "unsigned short", "ushort" },
          { "unsigned int", "uint" }, { "unsigned long", "ulong" }, { "__bf16", "bfloat16" } };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (fb_value_is_text (name, names[i][0]))
      {
        g_string_append (text, names[i][1]);
        return;
      }
  g_string_append_len (text, (const char *) name->bytes, MIN (name->n, 64));
}

/* DType (priority, size, name, format, count, scalar), and behind these for a pointer its base, space, lanes, size (dtype.py).
 * Newer releases have fewer. */
static gboolean
append_dtype (Printer *printer, const FbObjectCell *object, guint depth)
{
  const char *class = object->class->name;
  const FbTupleCell *args = object->args.kind == FB_VALUE_TUPLE ? object->args.tuple : NULL;
  GString *text = printer->text;

  if (!args || args->n < 3 || args->items[2].kind != FB_VALUE_TEXT || depth > MAX_NESTING)
    return FALSE;
  if (strcmp (class, "DType") == 0)
    {
      if (args->n > 5 && args->items[5].kind == FB_VALUE_OBJECT
          && append_dtype (printer, args->items[5].object, depth + 1))
        g_string_append_printf (text, ".vec(%" G_GINT64_FORMAT ")",
                                args->items[4].kind == FB_VALUE_INT ? args->items[4].i : 0);
      else
        append_scalar (text, &args->items[2]);
      return TRUE;
    }
  if (strcmp (class, "PtrDType") != 0 && strcmp (class, "ImageDType") != 0)
    return FALSE;
  if (args->n < 7 || args->items[6].kind != FB_VALUE_OBJECT
      || !append_dtype (printer, args->items[6].object, depth + 1))
    return FALSE;
  if (class[0] == 'I')
    {
      g_string_append (text, ".image");
      append_value (printer, &args->items[args->n - 1], depth + 1);
      return TRUE;
    }
  g_string_append (text, ".ptr(");
  if (args->n > 9 && args->items[9].kind == FB_VALUE_INT && args->items[9].i >= 0)
    g_string_append_printf (text, "%" G_GINT64_FORMAT, args->items[9].i);
  g_string_append_c (text, ')');
  if (args->n > 8 && args->items[8].kind == FB_VALUE_INT && args->items[8].i > 1)
    g_string_append_printf (text, ".vec(%" G_GINT64_FORMAT ")", args->items[8].i);
  return TRUE;
}

/* A member of an enum: Name.MEMBER, or Name(3). */
static gboolean
append_member (Printer *printer, const FbObjectCell *object)
{
  const FbTupleCell *args = object->args.kind == FB_VALUE_TUPLE ? object->args.tuple : NULL;
  GString *text = printer->text;

  if (!args || object->state.kind != FB_VALUE_NONE || object->items)
    return FALSE;
  if (args->n == 2 && args->items[0].kind == FB_VALUE_CLASS && args->items[1].kind == FB_VALUE_TEXT)
    {
      g_string_append_printf (text, "%s.%.*s", args->items[0].class->name, (int) MIN (args->items[1].n, 64u),
                              (const char *) args->items[1].bytes);
      return TRUE;
    }
  if (strcmp (object->class->name, "Ops") == 0 && args->n == 1 && args->items[0].kind == FB_VALUE_INT)
    {
      const char *name = fb_viz_release_op (printer->trace->release, args->items[0].i);

      if (name)
        g_string_append_printf (text, "Ops.%s", name);
      else
        g_string_append_printf (text, "Ops(%" G_GINT64_FORMAT ")", args->items[0].i);
      return TRUE;
    }
  return FALSE;
}

/* ConstFloat, a float that tells zeros and NaNs apart (dtype.py). */
static gboolean
append_const_float (const FbValue *value, GString *text)
{
  const FbTupleCell *args = value->object->args.kind == FB_VALUE_TUPLE ? value->object->args.tuple : NULL;

  if (!fb_viz_is_object (value, "ConstFloat") || !args || args->n != 1 || args->items[0].kind != FB_VALUE_FLOAT)
    return FALSE;
  fb_num_append_float (text, args->items[0].f);
  return TRUE;
}

static void
append_object (Printer *printer, const FbValue *value, guint depth)
{
  const FbObjectCell *object = value->object;
  const FbValue *state = &object->state;
  GString *text = printer->text;

  if (append_member (printer, object) || append_dtype (printer, object, depth))
    return;
  if (strcmp (object->class->name, "UOp") == 0)
    {
      /* a graph says only what its root is */
      g_string_append (text, "<UOp ");
      if (object->args.kind == FB_VALUE_TUPLE && object->args.tuple->n)
        append_value (printer, &object->args.tuple->items[0], depth + 1);
      g_string_append_c (text, '>');
      return;
    }
  if (append_const_float (value, text))
    return;
  g_string_append (text, object->class->name);
  g_string_append_c (text, '(');
  if (object->args.kind == FB_VALUE_TUPLE && object->args.tuple->n)
    {
      append_items (printer, object->args.tuple->n, object->args.tuple->items, depth);
      if (state->kind == FB_VALUE_DICT && state->list->n)
        g_string_append (text, ", ");
    }
  if (state->kind == FB_VALUE_DICT)
    append_pairs (printer, state->list, "=", depth);
  else if (state->kind == FB_VALUE_LIST)
    append_items (printer, state->list->n, state->list->items, depth);
  else if (state->kind == FB_VALUE_TUPLE)
    for (guint32 i = 0; i < state->tuple->n; i++)
      if (state->tuple->items[i].kind == FB_VALUE_DICT)
        append_pairs (printer, state->tuple->items[i].list, "=", depth);
  if (object->items)
    append_items (printer, object->items->n, object->items->items, depth);
  g_string_append_c (text, ')');
}

static void
append_value (Printer *printer, const FbValue *value, guint depth)
{
  GString *text = printer->text;
  gsize room = printer->max + 1 - MIN (text->len, printer->max);

  if (depth > MAX_NESTING || is_full (printer))
    {
      g_string_append (text, "...");
      return;
    }
  switch ((FbValueKind) value->kind)
    {
    case FB_VALUE_NONE:
    case FB_VALUE_BOOL:
    case FB_VALUE_INT:
    case FB_VALUE_BIG:
    case FB_VALUE_FLOAT:
      fb_arg_append_repr (printer->trace->pickle_context, (FbArg){ .kind = (FbArgKind) value->kind, .i = value->i },
                          text);
      break;
    case FB_VALUE_TEXT:
      fb_append_str_repr ((const char *) value->bytes, MIN (value->n, room), text);
      break;
    case FB_VALUE_BYTES:
    case FB_VALUE_BYTEARRAY:
      {
        g_autofree char *bytes = fb_bytes_repr (value->bytes, MIN (value->n, room));
        g_string_append (text, bytes);
        break;
      }
    case FB_VALUE_TUPLE:
      g_string_append_c (text, '(');
      append_items (printer, value->tuple->n, value->tuple->items, depth);
      g_string_append (text, value->tuple->n == 1 ? ",)" : ")");
      break;
    case FB_VALUE_LIST:
      g_string_append_c (text, '[');
      append_items (printer, value->list->n, value->list->items, depth);
      g_string_append_c (text, ']');
      break;
    case FB_VALUE_SET:
    case FB_VALUE_FROZENSET:
      g_string_append (text, value->kind == FB_VALUE_SET ? "{" : "frozenset({");
      append_items (printer, value->list->n, value->list->items, depth);
      g_string_append (text, value->kind == FB_VALUE_SET ? "}" : "})");
      break;
    case FB_VALUE_DICT:
      g_string_append_c (text, '{');
      append_pairs (printer, value->list, ": ", depth);
      g_string_append_c (text, '}');
      break;
    case FB_VALUE_CLASS:
      g_string_append (text, value->class->name);
      break;
    case FB_VALUE_OBJECT:
      append_object (printer, value, depth);
      break;
    default:
      g_string_append_c (text, '?');
      break;
    }
}

static char *
finish (Printer *printer)
{
  GString *text = printer->text;
  g_autofree char *raw = NULL;

  if (text->len > printer->max)
    {
      g_string_truncate (text, printer->max);
      g_string_append (text, "...");
    }
  if (g_utf8_validate (text->str, (gssize) text->len, NULL))
    return g_string_free (text, FALSE);
  raw = g_string_free (text, FALSE);
  return g_utf8_make_valid (raw, -1);
}

char *
fb_viz_value_text (const FbVizTrace *trace, const FbValue *value, gsize max)
{
  Printer printer = { trace, g_string_new (NULL), max };

  append_value (&printer, value, 0);
  return finish (&printer);
}

char *
fb_viz_dtype_text (const FbVizTrace *trace, const FbValue *dtype)
{
  return fb_viz_value_text (trace, dtype, 256);
}
