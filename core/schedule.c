#include "schedule.h"

#include "core/ir/context-private.h"

static FbPass *
add_pass (FbSchedule *schedule, const char *location, const char *title, gboolean bottom_up, FbUop *sink,
          const FbRuleSet *rules)
{
  FbPass *pass = fb_pass_new_in (&schedule->memory, location, title, bottom_up, sink, rules);

  pass->kernel = schedule->kernels->len;
  if (schedule->measured)
    fb_pass_measure (pass);
  g_ptr_array_add (schedule->passes, pass);
  return pass;
}

/* A pass over one kernel; NULL for NULL, so that calls chain. */
static FbUop *
kernel_pass (FbSchedule *schedule, const char *location, const char *title, gboolean bottom_up, FbUop *ast,
             const FbRuleSet *rules, gpointer user)
{
  if (!ast)
    return NULL;
  return fb_rewrite (schedule->context, ast, rules, user, bottom_up,
                     add_pass (schedule, location, title, bottom_up, ast, rules));
}

static gboolean
simplify (FbSchedule *schedule)
{
  FbPass *pass;

  schedule->n_tensor_map = fb_context_n_uops (schedule->context);
  pass = add_pass (schedule, "schedule.py:374", "simplify", FALSE, schedule->big_sink, fb_simplify_pass_rules ());
  schedule->tensor_map = fb_simplify_pass_run (schedule->context, schedule->big_sink, pass);
  return schedule->tensor_map != NULL;
}

/* Which nodes get a buffer; NULL on error. */
static FbGrouper *
realize (FbSchedule *schedule, FbUop *sink, const FbForced *forced)
{
  g_autoptr (FbGrouper) grouper = fb_grouper_new (schedule->context);
  FbPass *pass = add_pass (schedule, "schedule.py:139", "realize", FALSE, sink, fb_realize_pass_rules ());
  guint at = 0;

  schedule->ledger = grouper->ledger;
  if (forced && forced->n_realize + forced->n_fuse)
    fb_grouper_force (grouper, sink, forced);
  if (!fb_realize_pass_run (grouper, sink, pass) || !fb_group_reduces (grouper, sink))
    return NULL;
  for (FbUop *uop; (uop = fb_uop_dict_next (grouper->realizes, &at));)
    g_ptr_array_add (schedule->realizes, uop);
  return g_steal_pointer (&grouper);
}

/* The kernel graph, verified, into the schedule, and the ASSIGNs in run order; NULL on error. */
static FbNodeList *
create_kernels (FbSchedule *schedule, FbGrouper *grouper, FbUop *sink, FbBecomes *becomes)
{
  FbContext *context = schedule->context;
  FbPass *pass = add_pass (schedule, "schedule.py:402", "kernels", TRUE, sink, fb_kernels_pass_rules ());
  FbNodeList *order = NULL;
  FbKernels kernels;

  if (!fb_kernels_pass_run (context, grouper->realizes, sink, pass, &kernels))
    return NULL;
  if ((kernels.fits || fb_verify_kernel_graph (context, kernels.graph)) && fb_becomes_add_kernels (becomes, &kernels)
      && fb_order_assigns (context, &kernels))
    {
      schedule->kernel_graph = kernels.graph;
      order = fb_order_kernels (context, &kernels);
    }
  fb_kernels_clear (context, &kernels);
  return order;
}

/* A BUFFER_VIEW makes its output a part of its input: what that part is (schedule.py:360). */
static gboolean
check_sub_buffer (FbContext *context, FbUop *ast, const FbNodeList *buffers)
{
  gboolean buffer_op = ast->n_src && fb_op_in (ast->src[0]->op, FB_OPS_BUFFER); /* st_arg, ops.py:345 */
  const FbShapeTracker *st = buffer_op ? fb_uop_st (context, ast->src[0]) : NULL;
  FbUop *whole = buffers->n > 1 ? buffers->at[1] : NULL;
  gint64 offset;

  if (st && whole && fb_sint_is_int (st->views[0]->offset))
    {
      offset = fb_sint_int (st->views[0]->offset) * ast->src[0]->dtype->itemsize;
      if (offset >= 0 && offset < fb_uop_size (context, whole) * whole->dtype->itemsize)
        return TRUE;
    }
  fb_context_fail (context, FB_ERROR_SHAPE, ast, "a BUFFER_VIEW must begin inside the buffer it is a part of");
  return FALSE;
}

static void
add_kernel_buffers (FbSchedule *schedule, FbKernelItem *item, const FbNodeList *buffers, FbNodeMap *sub_buffers)
{
  FbContext *context = schedule->context;

  item->n_buffers = buffers->n;
  item->buffers = fb_arena_alloc (&schedule->memory, sizeof *item->buffers * buffers->n);
  for (guint i = 0; i < buffers->n; i++)
    {
      FbUop *buffer = buffers->at[i];
      FbUop *view = (FbUop *) fb_node_map_get (sub_buffers, buffer), *typed = view ? view : buffer;
      const FbText *device = fb_uop_device_name (buffer);
      item->buffers[i] = (FbKernelBuffer){ buffer, device ? device->bytes : "", fb_uop_size (context, typed),
                                           typed->dtype->kind == FB_DTYPE_PTR ? typed->dtype->base : typed->dtype };
    }
}

/* What is known of the kernels before. */
typedef struct
{
  FbLowering *lowering;
  FbNodeMap *sub_buffers; /* buffers that are a part of another: the BUFFER_VIEW */
  FbNodeMap *lowered;     /* ASTs with buffer ops: the kernel they were lowered in, + 1 */
} Known;

/* Passes that see no buffer, and so do the same to the same AST: models repeat their layers. */
#define N_REPEATABLE 3

static FbUop *
lower_views (FbSchedule *schedule, FbUop *ast, FbNodeMap *lowered)
{
  guint known = ast ? (guint) fb_node_map_get (lowered, ast) : 0;
  FbUop *sink = ast;

  if (known)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, known - 1);
      for (guint i = item->n_passes - N_REPEATABLE; i < item->n_passes; i++)
        g_ptr_array_add (schedule->passes,
                         fb_pass_new_repeated (&schedule->memory, fb_schedule_pass (schedule, item->first_pass + i),
                                               schedule->kernels->len));
      return item->ast;
    }
  ast = kernel_pass (schedule, "schedule.py:356", "views left", FALSE, ast, fb_views_left_pass_rules (),
                     schedule->var_vals);
  ast = kernel_pass (schedule, "schedule.py:356", "views right", FALSE, ast, fb_views_right_pass_rules (), NULL);
  ast = kernel_pass (schedule, "schedule.py:358", "fix-ups", FALSE, ast, fb_fix_ups_pass_rules (), schedule->var_vals);
  if (ast)
    fb_node_map_set (lowered, sink, schedule->kernels->len);
  return ast;
}

/* One kernel from its ASSIGN: the four passes over its AST (schedule.py:349). */
static gboolean
lower_kernel (FbSchedule *schedule, FbUop *assign, const Known *known)
{
  FbContext *context = schedule->context;
  const FbNodeList *buffers = fb_lowering_buffers (known->lowering);
  FbKernelItem *item = fb_schedule_add_kernel (schedule);
  FbUop *ast;

  item->assign = assign;
  item->first_pass = schedule->passes->len;

  ast = fb_kernel_ast (known->lowering, assign);
  if (ast)
    ast = fb_buffers_pass_run (
        known->lowering, add_pass (schedule, "schedule.py:354", "buffer ops", TRUE, ast, fb_buffers_pass_rules ()));
  ast = lower_views (schedule, ast, known->lowered);

  item->ast = ast;
  item->n_passes = schedule->passes->len - item->first_pass;
  if (!ast)
    return FALSE;
  if (ast->op == FB_OP_BUFFER_VIEW)
    {
      if (!check_sub_buffer (context, ast, buffers))
        return FALSE;
      fb_node_map_set (known->sub_buffers, buffers->at[0], (guintptr) ast);
    }
  add_kernel_buffers (schedule, item, buffers, known->sub_buffers);
  return !fb_context_failed (context);
}

/* The pipeline: reads as the list of passes. Stops at the first that fails. */
static void
run (FbSchedule *schedule, const FbForced *forced)
{
  FbContext *context = schedule->context;
  g_autoptr (FbBecomes) becomes = NULL;
  g_autoptr (FbGrouper) grouper = NULL;
  g_autoptr (FbLowering) lowering = NULL;
  FbNodeList *order = NULL;
  Known known;
  FbUop *sink;

  if (!simplify (schedule))
    return;
  sink = schedule->tensor_map[schedule->big_sink->id];
  if (!(grouper = realize (schedule, sink, forced)))
    return;
  becomes = fb_becomes_new (context, schedule->big_sink, schedule->tensor_map, schedule->n_tensor_map,
                            fb_uop_dict_marks (grouper->realizes));
  if (schedule->realizes->len && !fb_context_failed (context))
    order = create_kernels (schedule, grouper, sink, becomes);
  schedule->n_becomes = fb_becomes_size (becomes);
  if (!order)
    return;
  lowering = fb_lowering_new (context, order->n);
  known = (Known){ lowering, fb_node_map_acquire (context), fb_node_map_acquire (context) };
  for (guint i = 0; i < order->n; i++)
    if (!lower_kernel (schedule, order->at[i], &known))
      break;
  fb_node_list_release (context, order);
  fb_node_map_release (context, known.sub_buffers);
  fb_node_map_release (context, known.lowered);
}

FbSchedule *
fb_schedule_new_empty (FbContext *context)
{
  FbSchedule *schedule = g_new (FbSchedule, 1);

  *schedule = (FbSchedule){ .context = context };
  /* room for the many small rows */
  schedule->passes = g_ptr_array_new_full (32, (GDestroyNotify) fb_pass_free);
  schedule->realizes = g_ptr_array_new_full (8, NULL);
  schedule->kernels = g_ptr_array_new_full (8, NULL);
  schedule->var_vals = g_array_new (FALSE, FALSE, sizeof (FbVarVal));
  return schedule;
}

FbKernelItem *
fb_schedule_add_kernel (FbSchedule *schedule)
{
  FbKernelItem *item = fb_arena_alloc (&schedule->memory, sizeof *item);

  *item = (FbKernelItem){ NULL };
  g_ptr_array_add (schedule->kernels, item);
  return item;
}

static FbSchedule *
make (FbSchedule *schedule, FbUop *big_sink, const FbForced *forced, GCancellable *cancellable)
{
  FbContext *context = schedule->context;

  schedule->big_sink = big_sink;
  context->cancellable = cancellable;
  run (schedule, forced);
  context->cancellable = NULL;
  if (fb_context_failed (context))
    {
      schedule->error_uop = fb_context_error_uop (context);
      fb_context_take_error (context, &schedule->error);
    }
  return schedule;
}

FbSchedule *
fb_schedule_new (FbContext *context, FbUop *big_sink, GCancellable *cancellable)
{
  return fb_schedule_new_forced (context, big_sink, NULL, cancellable);
}

FbSchedule *
fb_schedule_new_forced (FbContext *context, FbUop *big_sink, const FbForced *forced, GCancellable *cancellable)
{
  return make (fb_schedule_new_empty (context), big_sink, forced, cancellable);
}

FbSchedule *
fb_schedule_new_measured (FbContext *context, FbUop *big_sink, const FbForced *forced, GCancellable *cancellable)
{
  FbSchedule *schedule = fb_schedule_new_empty (context);

  schedule->measured = TRUE;
  return make (schedule, big_sink, forced, cancellable);
}

void
fb_schedule_free (FbSchedule *schedule)
{
  if (!schedule)
    return;
  g_ptr_array_unref (schedule->passes);
  g_ptr_array_unref (schedule->realizes);
  g_ptr_array_unref (schedule->kernels);
  g_array_free (schedule->var_vals, TRUE);
  g_clear_error (&schedule->error);
  g_free (schedule->tensor_map);
  fb_arena_clear (&schedule->memory);
  g_free (schedule);
}
