#include "kernel-row.h"

#include "backends/program/program.h"

#define ARGUMENTS_MAX 1024

/* The argument that @uop is. FALSE: it is none that can be given memory. */
static gboolean
describe_argument (FbUop *uop, FbKernelBuffer *buffer)
{
  *buffer = (FbKernelBuffer){ .buffer = uop, .device = "CPU", .size = uop->dtype->size, .dtype = uop->dtype->base };
  return uop->dtype->kind != FB_DTYPE_PLAIN && uop->dtype->size >= 0;
}

FbSchedule *
fb_kernel_schedule_new (FbContext *context, FbUop *ast, GError **error)
{
  g_autoptr (FbSchedule) schedule = fb_schedule_new_empty (context);
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, ast);
  FbUop *arguments[ARGUMENTS_MAX] = { NULL };
  guint n = 0;
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);
      if (uop->op == FB_OP_DEFINE_VAR && uop->arg.kind == FB_ARG_TUPLE && uop->arg.tuple->n == 3)
        {
          FbVarVal value = { uop, uop->arg.tuple->items[2] };
          g_array_append_val (schedule->var_vals, value);
        }
      if (uop->op != FB_OP_DEFINE_GLOBAL)
        continue;
      if (uop->arg.kind != FB_ARG_INT || uop->arg.i < 0 || uop->arg.i >= ARGUMENTS_MAX)
        {
          g_set_error_literal (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED,
                               "an argument of the kernel has no number");
          return NULL;
        }
      arguments[uop->arg.i] = uop;
      n = MAX (n, (guint) uop->arg.i + 1);
    }
  FbKernelItem *item = fb_schedule_add_kernel (schedule);
  item->ast = ast;
  item->n_buffers = n;
  item->buffers = fb_arena_alloc (&schedule->memory, sizeof *item->buffers * n);
  for (guint i = 0; i < n; i++)
    {
      if (arguments[i] == NULL || !describe_argument (arguments[i], &item->buffers[i]))
        {
          g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_UNSUPPORTED,
                       arguments[i] == NULL ? "the kernel has no argument %u" : "argument %u of the kernel has no size",
                       i);
          return NULL;
        }
    }
  return g_steal_pointer (&schedule);
}
