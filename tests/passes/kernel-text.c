#include "cases.h"

static void append_node (FbContext *c, FbUop *uop, GString *text);

static void
append_sint (FbContext *c, FbSint s, GString *text)
{
  g_autofree char *rendered = NULL;

  if (fb_sint_is_int (s))
    {
      g_string_append_printf (text, "%" G_GINT64_FORMAT, fb_sint_int (s));
      return;
    }
  rendered = fb_uop_render (c, fb_sint_get_uop (s));
  g_string_append (text, rendered);
}

static void
append_dims (FbContext *c, const FbDims *dims, GString *text)
{
  for (guint i = 0; i < dims->n; i++)
    {
      g_string_append (text, i ? "," : "");
      append_sint (c, dims->at[i], text);
    }
}

static void
append_st (FbContext *c, const FbShapeTracker *st, GString *text)
{
  for (guint i = 0; i < st->n; i++)
    {
      const FbView *view = st->views[i];

      g_string_append (text, i ? ">(" : "(");
      append_dims (c, view->shape, text);
      g_string_append_c (text, ')');
      if (view->contiguous)
        continue;
      g_string_append_c (text, ':');
      append_dims (c, view->strides, text);
      if (!fb_sint_is (view->offset, 0))
        {
          g_string_append_c (text, '+');
          append_sint (c, view->offset, text);
        }
      for (guint k = 0; view->mask && k < view->mask->n; k += 2)
        {
          g_string_append (text, k ? "," : "&");
          append_sint (c, view->mask->at[k], text);
          g_string_append_c (text, ':');
          append_sint (c, view->mask->at[k + 1], text);
        }
    }
}

static void
append_sources (FbContext *c, FbUop *uop, guint first, GString *text)
{
  g_string_append_c (text, '(');
  for (guint i = first; i < uop->n_src; i++)
    {
      g_string_append (text, i > first ? ", " : "");
      append_node (c, uop->src[i], text);
    }
  g_string_append_c (text, ')');
}

/* Kernels of tests are small: this recurses on them. */
static void
append_node (FbContext *c, FbUop *uop, GString *text)
{
  g_autofree char *name = g_ascii_strdown (fb_op_name (uop->op), -1);

  switch (uop->op)
    {
    case FB_OP_LOAD:
      fb_arg_append_repr (c, uop->src[0]->arg, text);
      append_st (c, fb_uop_st (c, uop), text);
      break;
    case FB_OP_STORE:
      fb_arg_append_repr (c, uop->src[0]->arg, text);
      append_st (c, fb_uop_st (c, uop), text);
      g_string_append (text, " = ");
      append_node (c, uop->src[2], text);
      break;
    case FB_OP_CONST:
      fb_arg_append_repr (c, uop->arg, text);
      break;
    case FB_OP_DEFINE_VAR:
      g_string_append (text, uop->arg.tuple->items[0].str->bytes);
      break;
    case FB_OP_VALID:
      g_string_append (text, "valid");
      append_st (c, fb_uop_st (c, uop), text);
      break;
    case FB_OP_VIEW:
      append_st (c, uop->arg.st, text);
      break;
    case FB_OP_REDUCE_AXIS:
      g_string_append (text, fb_uop_reduce_op (uop) == FB_OP_ADD   ? "sum["
                             : fb_uop_reduce_op (uop) == FB_OP_MAX ? "max["
                                                                   : "prod[");
      append_dims (c, fb_uop_axes (c, uop), text);
      g_string_append_c (text, ']');
      append_sources (c, uop, 0, text);
      break;
    case FB_OP_CAST:
    case FB_OP_BITCAST:
      g_string_append_printf (text, "%s[%s]", name, uop->dtype->short_name);
      append_sources (c, uop, 0, text);
      break;
    case FB_OP_COPY:
      g_string_append (text, name);
      append_sources (c, uop, 1, text);
      break;
    default:
      g_string_append (text, name);
      append_sources (c, uop, 0, text);
    }
}

void
append_kernel_text (FbContext *c, FbUop *ast, GString *text)
{
  if (ast->op != FB_OP_SINK)
    append_node (c, ast, text);
  for (guint i = 0; ast->op == FB_OP_SINK && i < ast->n_src; i++)
    {
      g_string_append (text, i ? "; " : "");
      append_node (c, ast->src[i], text);
    }
}

char *
kernels_text (FbSchedule *schedule)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < schedule->kernels->len; i++)
    {
      g_string_append (text, i ? "\n" : "");
      append_kernel_text (schedule->context, fb_schedule_kernel (schedule, i)->ast, text);
    }
  return g_string_free (text, FALSE);
}
