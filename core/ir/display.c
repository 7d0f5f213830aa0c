/* Short text for people. */
#include "context-private.h"
#include "text.h"

#define MAX_NESTING 40

static const char *
infix (FbOp op)
{
  switch (op)
    {
    case FB_OP_ADD:
      return "+";
    case FB_OP_SUB:
      return "-";
    case FB_OP_MUL:
      return "*";
    case FB_OP_IDIV:
      return "//";
    case FB_OP_MOD:
      return "%";
    case FB_OP_SHL:
      return "<<";
    case FB_OP_SHR:
      return ">>";
    case FB_OP_CMPLT:
      return "<";
    case FB_OP_CMPNE:
      return "!=";
    case FB_OP_AND:
      return "&";
    case FB_OP_OR:
      return "|";
    case FB_OP_XOR:
      return "^";
    default:
      return NULL;
    }
}

static void
append_render (FbContext *context, const FbUop *uop, GString *text, int depth)
{
  if (depth > MAX_NESTING)
    {
      g_string_append (text, "…");
      return;
    }
  if (infix (uop->op) && uop->n_src == 2)
    {
      g_string_append_c (text, '(');
      append_render (context, uop->src[0], text, depth + 1);
      g_string_append (text, infix (uop->op));
      append_render (context, uop->src[1], text, depth + 1);
      g_string_append_c (text, ')');
      return;
    }
  switch (uop->op)
    {
    case FB_OP_CONST:
      fb_arg_append_repr (context, uop->arg, text);
      return;
    case FB_OP_DEFINE_VAR:
    case FB_OP_SPECIAL:
      if (uop->arg.kind == FB_ARG_TUPLE && uop->arg.tuple->n && uop->arg.tuple->items[0].kind == FB_ARG_STR)
        {
          g_string_append (text, uop->arg.tuple->items[0].str->bytes);
          return;
        }
      break;
    case FB_OP_RANGE:
      g_string_append (text, "ridx");
      fb_arg_append_repr (context, uop->arg, text);
      return;
    case FB_OP_BIND:
      if (uop->n_src)
        {
          append_render (context, uop->src[0], text, depth + 1);
          return;
        }
      break;
    default:
      break;
    }
  g_string_append (text, fb_op_name (uop->op));
  g_string_append_c (text, '(');
  for (guint i = 0; i < uop->n_src; i++)
    {
      if (i)
        g_string_append (text, ", ");
      append_render (context, uop->src[i], text, depth + 1);
    }
  g_string_append_c (text, ')');
}

char *
fb_uop_render (FbContext *context, FbUop *uop)
{
  GString *text = g_string_new (NULL);
  append_render (context, uop, text, 0);
  return g_string_free (text, FALSE);
}

char *
fb_dims_to_display (FbContext *context, const FbDims *dims, const char *separator)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < dims->n; i++)
    {
      if (i)
        g_string_append (text, separator);
      if (fb_sint_is_int (dims->at[i]))
        g_string_append_printf (text, "%" G_GINT64_FORMAT, fb_sint_int (dims->at[i]));
      else
        append_render (context, fb_sint_get_uop (dims->at[i]), text, 0);
    }
  return g_string_free (text, FALSE);
}
