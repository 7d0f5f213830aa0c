#include "graph-private.h"

#include <math.h>
#include <string.h>

#include "core/ir/number.h"
#include "core/ir/text.h"

/* Longer arguments are cut: a card is a label, the full text is in the inspector. */
#define ARGUMENT_MAX 40
#define CONSTANT_MAX 16

void
fb_graph_cut (GString *text, gsize start, guint max)
{
  gsize end = start;

  for (gsize i = start; i < text->len; i++)
    if ((guint8) text->str[i] < 0x20)
      text->str[i] = ' ';
  if (text->len - start <= max)
    return;
  /* bytes that continue a character belong to the one before */
  for (guint n = 0; end < text->len; end++)
    if ((text->str[end] & 0xc0) != 0x80 && ++n > max)
      break;
  if (end == text->len)
    return;
  g_string_truncate (text, end);
  g_string_append (text, "…");
}

static void
append_int (GString *text, gint64 value)
{
  char buffer[24], *p = buffer + sizeof buffer;
  guint64 rest = value < 0 ? -(guint64) value : (guint64) value;

  do
    *--p = (char) ('0' + rest % 10);
  while (rest /= 10);
  if (value < 0)
    *--p = '-';
  g_string_append_len (text, p, buffer + sizeof buffer - p);
}

static void
append_sint (FbContext *context, GString *text, FbSint value)
{
  if (fb_sint_is_int (value))
    append_int (text, fb_sint_int (value));
  else
    {
      g_autofree char *expression = fb_uop_render (context, fb_sint_get_uop (value));
      g_string_append (text, expression);
    }
}

static void
append_dims (FbContext *context, GString *text, const FbDims *dims, const char *separator)
{
  for (guint i = 0; i < dims->n && i <= ARGUMENT_MAX; i++)
    {
      if (i > 0)
        g_string_append (text, separator);
      append_sint (context, text, dims->at[i]);
    }
}

void
fb_graph_append_number (FbArg value, GString *text)
{
  gsize start = text->len;
  char buffer[64];

  switch (value.kind)
    {
    case FB_ARG_BOOL:
      g_string_append (text, value.i ? "True" : "False");
      return;
    case FB_ARG_INT:
      append_int (text, value.i);
      return;
    case FB_ARG_BIG:
      fb_num_append_int (text, value);
      return;
    case FB_ARG_FLOAT:
      break;
    case FB_ARG_TUPLE:
      g_string_append_c (text, '(');
      for (guint i = 0; i < value.tuple->n && i < 8; i++)
        {
          if (i > 0)
            g_string_append (text, ", ");
          /* lanes are numbers; anything else in a hostile file is not shown */
          if (fb_arg_is_number (value.tuple->items[i]))
            fb_graph_append_number (value.tuple->items[i], text);
          else
            g_string_append_c (text, '?');
        }
      g_string_append (text, value.tuple->n > 8 ? ", …)" : ")");
      return;
    case FB_ARG_OPAQUE: /* of another release */
      g_string_append (text, value.opaque->repr);
      fb_graph_cut (text, start, CONSTANT_MAX);
      return;
    default:
      g_string_append_c (text, '?');
      return;
    }

  double magnitude = fabs (value.f);
  if (!isfinite (value.f))
    {
      g_string_append (text, isnan (value.f) ? "nan" : value.f < 0 ? "-inf" : "inf");
      return;
    }
  if (value.f == 0)
    {
      g_string_append (text, signbit (value.f) ? "-0.0" : "0.0");
      return;
    }
  if (magnitude < 1e-3 || magnitude >= 1e9)
    {
      /* four decimals of the mantissa; trailing zeros say nothing */
      g_ascii_formatd (buffer, sizeof buffer, "%.4e", value.f);
      char *exponent = strchr (buffer, 'e'), *end = exponent;
      while (end[-1] == '0')
        end--;
      if (end[-1] == '.')
        end--;
      g_string_append_len (text, buffer, end - buffer);
      g_string_append (text, exponent);
      return;
    }
  g_ascii_formatd (buffer, sizeof buffer, "%.4f", value.f);
  gsize len = strlen (buffer);
  while (buffer[len - 1] == '0' && buffer[len - 2] != '.')
    len--;
  g_string_append_len (text, buffer, (gssize) len);
}

char *
fb_graph_number_text (FbArg value)
{
  GString *text = g_string_new (NULL);
  fb_graph_append_number (value, text);
  return g_string_free (text, FALSE);
}

void
fb_graph_append_type (FbContext *context, FbUop *uop, GString *text)
{
  g_string_append (text, uop->dtype->short_name);
  if (uop->dtype->type == FB_SCALAR_VOID && uop->dtype->kind == FB_DTYPE_PLAIN)
    return;

  gboolean had_failed = fb_context_failed (context);
  const FbShapeTracker *st = fb_uop_st (context, uop);
  /* a card without a shape is no failure of the context */
  if (!had_failed && fb_context_failed (context))
    fb_context_take_error (context, NULL);
  if (st && st->shape->n > 0)
    {
      g_string_append_c (text, ' ');
      append_dims (context, text, st->shape, "×");
    }
}

static void
append_view (FbContext *context, const FbShapeTracker *st, GString *text)
{
  if (st->n == 0 || st->contiguous)
    return;
  if (st->n > 1)
    {
      append_int (text, st->n);
      g_string_append (text, " views");
      return;
    }
  const FbView *view = st->views[0];
  g_string_append_c (text, '(');
  append_dims (context, text, view->strides, ",");
  g_string_append_c (text, ')');
  if (!fb_sint_is (view->offset, 0))
    {
      if (!fb_sint_is_int (view->offset) || fb_sint_int (view->offset) > 0)
        g_string_append_c (text, '+');
      append_sint (context, text, view->offset);
    }
  if (view->mask)
    g_string_append (text, " masked");
}

/* (a, b), (c, d) of PAD and SHRINK, and plain tuples of numbers */
static void
append_tuple (FbContext *context, const FbTuple *tuple, const char *pair_separator, GString *text)
{
  g_string_append_c (text, '(');
  for (guint i = 0; i < tuple->n && i <= ARGUMENT_MAX; i++)
    {
      FbArg item = tuple->items[i];
      if (i > 0)
        g_string_append_c (text, ',');
      if (item.kind == FB_ARG_TUPLE && item.tuple->n == 2)
        {
          fb_arg_append_repr (context, item.tuple->items[0], text);
          g_string_append (text, pair_separator);
          fb_arg_append_repr (context, item.tuple->items[1], text);
        }
      else
        fb_arg_append_repr (context, item, text);
    }
  g_string_append_c (text, ')');
}

static const FbUop *
unique_of (const FbUop *buffer)
{
  for (guint i = 0; i < buffer->n_src; i++)
    if (buffer->src[i]->op == FB_OP_UNIQUE)
      return buffer->src[i];
  return NULL;
}

void
fb_graph_append_argument (FbContext *context, const FbUop *uop, GString *text)
{
  gsize start = text->len;
  FbArg arg = uop->arg;

  if (uop->op >= FB_N_OPS && fb_op_like (uop->op) == FB_OP_CONST)
    return;
  switch (uop->op)
    {
    case FB_OP_CONST:
    case FB_OP_VCONST:
    case FB_OP_RESHAPE:
    case FB_OP_EXPAND:
    case FB_OP_SINK:
    case FB_OP_CAST:
    case FB_OP_BITCAST:
      return;
    case FB_OP_BUFFER:
      {
        const FbUop *unique = unique_of (uop);
        if (unique && unique->arg.kind == FB_ARG_INT)
          {
            g_string_append_c (text, '#');
            append_int (text, unique->arg.i);
          }
        return;
      }
    case FB_OP_COPY:
      for (guint i = 0; i < uop->n_src; i++)
        if (uop->src[i]->op == FB_OP_DEVICE)
          fb_arg_append_repr (context, uop->src[i]->arg, text);
      break;
    case FB_OP_REDUCE_AXIS:
      if (arg.kind == FB_ARG_TUPLE && arg.tuple->n == 2 && arg.tuple->items[0].kind == FB_ARG_OP)
        {
          const FbDims *axes = fb_uop_axes (context, uop);
          g_string_append (text, fb_op_name (arg.tuple->items[0].op));
          if (axes && axes->n > 0)
            {
              g_string_append_c (text, ' ');
              append_dims (context, text, axes, ",");
            }
          break;
        }
      goto repr;
    case FB_OP_DEFINE_VAR:
      if (arg.kind == FB_ARG_TUPLE && arg.tuple->n == 3 && arg.tuple->items[0].kind == FB_ARG_STR)
        {
          g_string_append (text, arg.tuple->items[0].str->bytes);
          g_string_append_c (text, ' ');
          fb_arg_append_repr (context, arg.tuple->items[1], text);
          g_string_append (text, "…");
          fb_arg_append_repr (context, arg.tuple->items[2], text);
          break;
        }
      goto repr;
    case FB_OP_LOAD:
    case FB_OP_STORE:
    case FB_OP_VALID:
      for (guint i = 0; i < uop->n_src; i++)
        {
          const FbUop *view = uop->src[i];
          if (view->op != FB_OP_VIEW || view->n_src > 0 || view->arg.kind != FB_ARG_ST)
            continue;
          /* a STORE has no shape of its own to be seen */
          if (uop->op == FB_OP_STORE)
            append_dims (context, text, view->arg.st->shape, "×");
          if (uop->op == FB_OP_STORE && view->arg.st->shape->n > 0 && !view->arg.st->contiguous)
            g_string_append_c (text, ' ');
          append_view (context, view->arg.st, text);
          break;
        }
      break;
    case FB_OP_KERNEL:
      /* named by what it stores */
      if (arg.kind == FB_ARG_KERNEL && arg.kernel->ast->n_src > 0)
        {
          const FbUop *store = arg.kernel->ast->src[0];
          if (store->op == FB_OP_STORE && store->n_src > 0)
            store = store->src[store->n_src - 1];
          g_string_append (text, fb_op_name (store->op));
        }
      return;
    default:
    repr:
      if (arg.kind == FB_ARG_NONE)
        return;
      if (arg.kind == FB_ARG_ST)
        append_view (context, arg.st, text);
      else if (arg.kind == FB_ARG_TUPLE)
        append_tuple (context, arg.tuple, uop->op == FB_OP_SHRINK ? ":" : "+", text);
      else if (arg.kind == FB_ARG_UOP || arg.kind == FB_ARG_KERNEL)
        return;
      else
        fb_arg_append_repr (context, arg, text);
    }

  fb_graph_cut (text, start, ARGUMENT_MAX);
}

const FbUop *
fb_graph_constant_of (const FbUop *uop)
{
  while (fb_op_like (uop->op) != FB_OP_CONST && uop->op != FB_OP_VCONST)
    {
      if (uop->n_src != 1 || !(fb_op_in (uop->op, FB_OPS_MOVEMENT) || uop->op == FB_OP_VIEW))
        return NULL;
      uop = uop->src[0];
    }
  return uop;
}

gboolean
fb_graph_order_counts (const FbUop *uop)
{
  return uop->n_src > 1 && uop->op != FB_OP_SINK && !fb_op_in (uop->op, FB_OPS_COMMUTATIVE);
}

static guint64
mix (guint64 hash, guint64 word)
{
  hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  return hash ^ (hash >> 29);
}

static guint64
mix_dims (guint64 hash, const FbDims *dims)
{
  hash = mix (hash, dims->n);
  for (guint i = 0; i < dims->n; i++)
    hash = mix (hash, fb_sint_is_int (dims->at[i]) ? (guint64) fb_sint_int (dims->at[i]) << 1
                                                   : (guint64) fb_sint_get_uop (dims->at[i])->op << 1 | 1);
  return hash;
}

guint64
fb_graph_own_key (const FbUop *uop)
{
  guint64 hash = mix (uop->op, (guint64) g_str_hash (uop->dtype->repr));

  hash = mix (hash, uop->arg.kind);
  switch (uop->arg.kind)
    {
    case FB_ARG_NONE:
      break;
    case FB_ARG_ST:
      for (guint i = 0; i < uop->arg.st->n; i++)
        {
          const FbView *view = uop->arg.st->views[i];
          hash = mix_dims (mix_dims (hash, view->shape), view->strides);
          hash = mix (hash, fb_sint_is_int (view->offset) ? (guint64) fb_sint_int (view->offset) : 1);
          if (view->mask)
            hash = mix_dims (hash, view->mask);
        }
      break;
    case FB_ARG_KERNEL:
      hash = mix (hash, uop->arg.kernel->ast->id);
      break;
    case FB_ARG_FLOAT:
      {
        /* by bits: -0.0 and 0.0 are drawn differently */
        guint64 bits;
        memcpy (&bits, &uop->arg.f, sizeof bits);
        hash = mix (hash, bits);
        break;
      }
    default:
      hash = mix (hash, fb_arg_hash (uop->arg));
    }
  return hash;
}
