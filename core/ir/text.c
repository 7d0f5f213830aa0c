/* Python's text of values and nodes (ops.py:213-267). */
#include "text.h"

#include "context-private.h"
#include "number.h"

#include <string.h>

/* Arguments may hold nodes whose arguments hold nodes, and tuples nest: real ones a few levels, hostile ones without end. */
#define MAX_NESTING 100

static void append_repr (FbContext *context, FbArg arg, GString *text, int depth);
static void append_uop (FbContext *context, FbUop *root, GString *text, int depth);

static gboolean
is_printable (gunichar c)
{
  switch (g_unichar_type (c))
    {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_PRIVATE_USE:
    case G_UNICODE_UNASSIGNED:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
      return FALSE;
    case G_UNICODE_SPACE_SEPARATOR:
      return c == ' ';
    default:
      return TRUE;
    }
}

static char
quote_for (const char *bytes, gsize len)
{
  return memchr (bytes, '\'', len) && !memchr (bytes, '"', len) ? '"' : '\'';
}

/* Control characters, quotes and backslashes; FALSE for what needs no escape. */
static gboolean
append_escape (GString *text, gunichar c, char quote)
{
  if (c == (gunichar) quote || c == '\\')
    g_string_append_printf (text, "\\%c", (char) c);
  else if (c == '\n')
    g_string_append (text, "\\n");
  else if (c == '\r')
    g_string_append (text, "\\r");
  else if (c == '\t')
    g_string_append (text, "\\t");
  else if (c < 0x20 || c == 0x7f)
    g_string_append_printf (text, "\\x%02x", c);
  else
    return FALSE;
  return TRUE;
}

void
fb_append_str_repr (const char *bytes, gsize len, GString *text)
{
  char quote = quote_for (bytes, len);
  const char *p = bytes, *end = bytes + len;

  g_string_append_c (text, quote);
  while (p < end)
    {
      gunichar c = g_utf8_get_char_validated (p, end - p);
      if (c == (gunichar) -1 || c == (gunichar) -2)
        { /* bytes that are no UTF-8 stand for lone surrogates */
          g_string_append_printf (text, "\\x%02x", (guint8) *p++);
          continue;
        }
      if (append_escape (text, c, quote))
        ;
      else if (is_printable (c))
        g_string_append_unichar (text, c);
      else if (c < 0x100)
        g_string_append_printf (text, "\\x%02x", c);
      else if (c < 0x10000)
        g_string_append_printf (text, "\\u%04x", c);
      else
        g_string_append_printf (text, "\\U%08x", c);
      p = g_utf8_next_char (p);
    }
  g_string_append_c (text, quote);
}

char *
fb_bytes_repr (const guint8 *bytes, gsize len)
{
  GString *text = g_string_sized_new (len * 4 + 4);
  char quote = quote_for ((const char *) bytes, len);

  g_string_append_c (text, 'b');
  g_string_append_c (text, quote);
  for (gsize i = 0; i < len; i++)
    if (bytes[i] >= 0x80)
      g_string_append_printf (text, "\\x%02x", bytes[i]);
    else if (!append_escape (text, bytes[i], quote))
      g_string_append_c (text, (char) bytes[i]);
  g_string_append_c (text, quote);
  return g_string_free (text, FALSE);
}

static void
append_int (GString *text, gint64 value)
{
  char digits[24];
  char *p = digits + sizeof digits;
  guint64 rest = value < 0 ? -(guint64) value : (guint64) value;

  do
    *--p = (char) ('0' + rest % 10);
  while (rest /= 10);
  if (value < 0)
    *--p = '-';
  g_string_append_len (text, p, digits + sizeof digits - p);
}

static void
append_sint (FbContext *context, FbSint s, GString *text, int depth)
{
  if (fb_sint_is_int (s))
    append_int (text, fb_sint_int (s));
  else
    append_uop (context, fb_sint_get_uop (s), text, depth + 1);
}

/* A tuple of the dims, or of pairs of them. */
static void
append_dims (FbContext *context, const FbDims *dims, gboolean pairs, GString *text, int depth)
{
  guint step = pairs ? 2 : 1;

  g_string_append_c (text, '(');
  for (guint i = 0; i < dims->n; i += step)
    {
      if (i)
        g_string_append (text, ", ");
      if (pairs)
        {
          g_string_append_c (text, '(');
          append_sint (context, dims->at[i], text, depth);
          g_string_append (text, ", ");
          append_sint (context, dims->at[i + 1], text, depth);
          g_string_append_c (text, ')');
        }
      else
        append_sint (context, dims->at[i], text, depth);
    }
  g_string_append (text, dims->n == step ? ",)" : ")");
}

static void
append_st (FbContext *context, const FbShapeTracker *st, GString *text, int depth)
{
  g_string_append (text, "ShapeTracker(views=(");
  for (guint i = 0; i < st->n; i++)
    {
      const FbView *view = st->views[i];
      g_string_append (text, i ? ", View(shape=" : "View(shape=");
      append_dims (context, view->shape, FALSE, text, depth);
      g_string_append (text, ", strides=");
      append_dims (context, view->strides, FALSE, text, depth);
      g_string_append (text, ", offset=");
      append_sint (context, view->offset, text, depth);
      g_string_append (text, ", mask=");
      if (view->mask)
        append_dims (context, view->mask, TRUE, text, depth);
      else
        g_string_append (text, "None");
      g_string_append (text, view->contiguous ? ", contiguous=True)" : ", contiguous=False)");
    }
  g_string_append (text, st->n == 1 ? ",))" : "))");
}

const char *
fb_st_repr (FbContext *context, const FbShapeTracker *st)
{
  if (!st->repr)
    {
      g_autoptr (GString) text = g_string_new (NULL);
      append_st (context, st, text, 0);
      /* a tracker of the parent would outlive the text of an overlay */
      if (context->parent)
        return fb_arena_strndup (&context->arena, text->str, text->len);
      ((FbShapeTracker *) st)->repr
          = fb_arena_strndup (st->all_int ? &context->kept.arena : &context->arena, text->str, text->len);
    }
  return st->repr;
}

static void
append_op (GString *text, FbOp op)
{
  g_string_append (text, "Ops.");
  g_string_append (text, fb_op_name (op));
}

static void
append_kernel (FbContext *context, const FbKernel *kernel, GString *text, int depth)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, kernel->ast);

  g_string_append_printf (text, "<Kernel %u ", nodes->len);
  append_op (text, kernel->ast->op);
  g_string_append_c (text, ' ');
  append_repr (context, kernel->metadata, text, depth + 1);
  g_string_append_c (text, '>');
}

static void
append_repr (FbContext *context, FbArg arg, GString *text, int depth)
{
  if (depth > MAX_NESTING)
    {
      g_string_append (text, "...");
      return;
    }
  switch (arg.kind)
    {
    case FB_ARG_NONE:
      g_string_append (text, "None");
      break;
    case FB_ARG_BOOL:
      g_string_append (text, arg.i ? "True" : "False");
      break;
    case FB_ARG_INT:
      append_int (text, arg.i);
      break;
    case FB_ARG_BIG:
      fb_num_append_int (text, arg);
      break;
    case FB_ARG_FLOAT:
      fb_num_append_float (text, arg.f);
      break;
    case FB_ARG_STR:
      fb_append_str_repr (arg.str->bytes, arg.str->len, text);
      break;
    case FB_ARG_TUPLE:
      g_string_append_c (text, '(');
      for (guint i = 0; i < arg.tuple->n; i++)
        {
          if (i)
            g_string_append (text, ", ");
          append_repr (context, arg.tuple->items[i], text, depth + 1);
        }
      g_string_append (text, arg.tuple->n == 1 ? ",)" : ")");
      break;
    case FB_ARG_OP:
      g_string_append_c (text, '<');
      append_op (text, arg.op);
      g_string_append (text, ": ");
      append_int (text, arg.op);
      g_string_append_c (text, '>');
      break;
    case FB_ARG_UOP:
      append_uop (context, arg.uop, text, depth + 1);
      break;
    case FB_ARG_ST:
      if (depth == 0)
        g_string_append (text, fb_st_repr (context, arg.st));
      else
        append_st (context, arg.st, text, depth);
      break;
    case FB_ARG_DTYPE:
      g_string_append (text, arg.dtype->repr);
      break;
    case FB_ARG_KERNEL:
      append_kernel (context, arg.kernel, text, depth);
      break;
    case FB_ARG_OPAQUE:
      g_string_append (text, arg.opaque->repr);
      break;
    }
}

void
fb_arg_append_repr (FbContext *context, FbArg arg, GString *text)
{
  append_repr (context, arg, text, 0);
}

static void
append_argstr (FbContext *context, const FbUop *uop, GString *text, int depth)
{
  if (uop->op != FB_OP_REDUCE_AXIS || uop->arg.kind != FB_ARG_TUPLE)
    {
      append_repr (context, uop->arg, text, depth);
      return;
    }
  /* the members' str, not their repr (ops.py:267) */
  g_string_append_c (text, '(');
  for (guint i = 0; i < uop->arg.tuple->n; i++)
    {
      FbArg item = uop->arg.tuple->items[i];
      if (i)
        g_string_append (text, ", ");
      if (item.kind == FB_ARG_OP)
        append_op (text, item.op);
      else if (item.kind == FB_ARG_STR)
        g_string_append (text, item.str->bytes);
      else
        append_repr (context, item, text, depth + 1);
    }
  g_string_append_c (text, ')');
}

void
fb_uop_append_argstr (FbContext *context, const FbUop *uop, GString *text)
{
  append_argstr (context, uop, text, 0);
}

/* How often a node is used, and its number in order of first visit: packed into the word of a node map. */
#define SEEN 1u
#define SHARED 2u
#define PRINTED 4u
#define NUMBER_SHIFT 3

typedef struct
{
  FbUop *uop;
  guint32 next;
} Frame;

static void
number_nodes (FbUop *root, FbNodeMap *numbers, GArray *stack)
{
  guintptr n = 0;
  Frame frame = { root, 0 };

  g_array_append_val (stack, frame);
  while (stack->len)
    {
      Frame *top = &g_array_index (stack, Frame, stack->len - 1);
      FbUop *s;
      guintptr word;

      if (top->next >= top->uop->n_src)
        {
          g_array_set_size (stack, stack->len - 1);
          continue;
        }
      s = top->uop->src[top->next++];
      word = fb_node_map_get (numbers, s);
      if (word)
        {
          fb_node_map_set (numbers, s, word | SHARED);
          continue;
        }
      fb_node_map_set (numbers, s, n++ << NUMBER_SHIFT | SEEN);
      frame = (Frame){ s, 0 };
      g_array_append_val (stack, frame);
    }
}

static void
append_spaces (GString *text, gsize n)
{
  gsize at = text->len;
  g_string_set_size (text, at + n);
  memset (text->str + at, ' ', n);
}

static void
append_uop (FbContext *context, FbUop *root, GString *text, int depth)
{
  FbNodeMap *numbers;
  GArray *stack;
  Frame frame = { root, 0 };
  gboolean entering = TRUE;

  if (depth > MAX_NESTING)
    {
      g_string_append (text, "...");
      return;
    }
  numbers = fb_node_map_acquire (context);
  stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  number_nodes (root, numbers, stack);
  g_array_append_val (stack, frame);
  while (stack->len)
    {
      Frame *top = &g_array_index (stack, Frame, stack->len - 1);
      FbUop *uop = top->uop;

      if (entering)
        {
          guintptr word = fb_node_map_get (numbers, uop);

          append_spaces (text, 2 * (gsize) (stack->len - 1));
          if (word & PRINTED)
            {
              g_string_append (text, " x");
              append_int (text, (gint64) (word >> NUMBER_SHIFT));
              g_array_set_size (stack, stack->len - 1);
              g_string_append_c (text, ',');
              entering = FALSE;
              continue;
            }
          fb_node_map_set (numbers, uop, word | PRINTED | SEEN);
          if (word & SHARED)
            {
              g_string_append_c (text, 'x');
              append_int (text, (gint64) (word >> NUMBER_SHIFT));
              g_string_append (text, ":=");
            }
          g_string_append (text, "UOp(");
          append_op (text, uop->op);
          g_string_append (text, ", ");
          g_string_append (text, uop->dtype->repr);
          g_string_append (text, ", arg=");
          append_argstr (context, uop, text, depth);
          g_string_append (text, ", src=(");
          entering = FALSE;
        }
      if (top->next < uop->n_src)
        {
          g_string_append_c (text, '\n');
          frame = (Frame){ uop->src[top->next++], 0 };
          g_array_append_val (stack, frame);
          entering = TRUE;
          continue;
        }
      g_string_append (text, "))");
      g_array_set_size (stack, stack->len - 1);
      if (stack->len)
        g_string_append_c (text, ',');
    }
  g_array_free (stack, TRUE);
  fb_node_map_release (context, numbers);
}

void
fb_uop_append_text (FbContext *context, FbUop *uop, GString *text)
{
  append_uop (context, uop, text, 0);
}

char *
fb_uop_to_text (FbContext *context, FbUop *uop)
{
  GString *text = g_string_new (NULL);
  append_uop (context, uop, text, 0);
  return g_string_free (text, FALSE);
}
