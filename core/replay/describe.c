/* Differences in words. Not translated: they are compared and grouped across machines. */
#include "kernel.h"

#include "core/ir/text.h"

enum
{
  MAX_NAMED = 3, /* pairs named before "and N more" */
};

static void
append_count (GString *text, gsize start, guint n, const char *kind, FbOp op)
{
  if (!n)
    return;
  g_string_append (text, text->len > start ? ", " : "");
  if (n > 1)
    g_string_append_printf (text, "%u ", n);
  g_string_append_printf (text, "%s%s", kind, fb_op_name (op));
}

/* "REDUCE ADD, 2 MUL": the operations of a kernel. */
static void
append_ops (GString *text, const FbReplayKernel *kernel)
{
  gsize start = text->len;
  guint32 reduces[FB_N_OPS] = { 0 };

  for (guint i = 0; i < kernel->nodes->len; i++)
    reduces[fb_uop_reduce_op (g_ptr_array_index (kernel->nodes, i))]++;
  reduces[FB_OP_NONE] = 0;
  for (guint op = 0; op < FB_N_OPS; op++)
    append_count (text, start, reduces[op], "REDUCE ", op);
  for (guint op = 0; op < FB_N_OPS; op++)
    if (op != FB_OP_REDUCE_AXIS)
      append_count (text, start, kernel->ops[op] - reduces[op], "", op);
  if (text->len == start)
    g_string_append (text, kernel->computes ? "no operation" : fb_op_name (kernel->ast->op));
}

static void
append_kernels (GString *text, const GPtrArray *kernels)
{
  for (guint i = 0; i < kernels->len; i++)
    {
      if (i == MAX_NAMED && kernels->len > MAX_NAMED + 1)
        {
          g_string_append_printf (text, " + %u more", kernels->len - MAX_NAMED);
          return;
        }
      g_string_append (text, i ? " + [" : "[");
      append_ops (text, g_ptr_array_index (kernels, i));
      g_string_append_c (text, ']');
    }
}

/* Does the pair differ in what the class is about? */
static gboolean
differs (FbReplayClass class, const FbUop *a, const FbUop *b)
{
  switch (class)
    {
    case FB_REPLAY_RENUMBERED:
      return (a->op == FB_OP_DEFINE_GLOBAL || a->op == FB_OP_UNIQUE) && !fb_arg_identical (a->arg, b->arg);
    case FB_REPLAY_VIEWS:
      return (a->op == FB_OP_VIEW || a->op == FB_OP_REDUCE_AXIS) && !fb_arg_identical (a->arg, b->arg);
    case FB_REPLAY_CONSTANTS:
      return (a->op == FB_OP_CONST || a->op == FB_OP_VCONST) && !fb_arg_identical (a->arg, b->arg);
    default:
      return FALSE;
    }
}

static void
append_arg (FbContext *context, GString *text, const FbUop *uop)
{
  if (uop->arg.kind == FB_ARG_ST)
    {
      for (guint i = 0; i < uop->arg.st->n; i++)
        {
          const FbView *view = uop->arg.st->views[i];
          g_autofree char *shape = fb_dims_to_display (context, view->shape, ", ");
          g_autofree char *strides = fb_dims_to_display (context, view->strides, ", ");
          g_string_append_printf (text, "%s(%s) by (%s)%s", i ? " of " : "", shape, strides,
                                  view->mask ? " masked" : "");
        }
      return;
    }
  fb_uop_append_argstr (context, uop, text);
}

/* "1.0 → 2.0": the nodes in which two kernels of the same build differ. */
static void
append_changes (FbContext *context, GString *text, FbReplayClass class, const FbReplayKernel *a,
                const FbReplayKernel *b)
{
  guint n = 0;

  /* with other views between, the two do not run in parallel */
  if (a->nodes->len != b->nodes->len)
    return;
  for (guint i = 0; i < a->nodes->len; i++)
    {
      const FbUop *x = g_ptr_array_index (a->nodes, i), *y = g_ptr_array_index (b->nodes, i);
      if (x->op != y->op)
        break;
      if (!differs (class, x, y) || n++ >= MAX_NAMED)
        continue;
      g_string_append_printf (text, "%s%s ", n > 1 ? "; " : "", fb_op_name (x->op));
      append_arg (context, text, x);
      g_string_append (text, " → ");
      append_arg (context, text, y);
    }
  if (n > MAX_NAMED)
    g_string_append_printf (text, "; and %u more", n - MAX_NAMED);
}

char *
fb_replay_describe (FbContext *context, FbReplayClass class, const GPtrArray *captured, const GPtrArray *scheduled)
{
  GString *text = g_string_new (NULL);

  switch (class)
    {
    case FB_REPLAY_IDENTICAL:
    case FB_REPLAY_N_CLASSES:
      break;
    case FB_REPLAY_REORDERED:
    case FB_REPLAY_GONE:
      append_kernels (text, captured);
      break;
    case FB_REPLAY_NEW:
      append_kernels (text, scheduled);
      break;
    case FB_REPLAY_RENUMBERED:
    case FB_REPLAY_VIEWS:
    case FB_REPLAY_CONSTANTS:
      append_changes (context, text, class, g_ptr_array_index (captured, 0), g_ptr_array_index (scheduled, 0));
      if (!text->len)
        append_kernels (text, captured);
      break;
    case FB_REPLAY_REWRITTEN:
    case FB_REPLAY_SPLIT:
    case FB_REPLAY_MERGED:
      append_kernels (text, captured);
      g_string_append (text, " → ");
      append_kernels (text, scheduled);
      break;
    }
  return g_string_free (text, FALSE);
}
