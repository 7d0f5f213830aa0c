/* How the graph that kernels are cut from goes over into the kernels: the ASTs are parts of the pass's input, with what other kernels
 * store replaced by reads of their buffers (schedule.py:352). The ASSIGN that stands for a kernel becomes the SINK of its AST. */
#include "history-private.h"

typedef struct
{
  FbUop *uop, *became; /* became: NULL while its sources are looked at */
  guint32 next;
} Frame;

typedef struct
{
  FbHistory *history;
  FbContext *context;
  guint32 *scratch; /* by id of a node: its entry + 1 in @met */
  guint32 n_ids;
  GArray *met;   /* of Frame: nodes of the AST and what they became */
  GArray *stack; /* of guint32: entries in @met */
  GPtrArray *src;
  guint n_read; /* entries of @met that stand for what other kernels store */
} Crossing;

static void
meet (Crossing *c, FbUop *uop, FbUop *became)
{
  if (uop->id >= c->n_ids || c->scratch[uop->id])
    return;
  Frame frame = { uop, became, 0 };
  g_array_append_val (c->met, frame);
  c->scratch[uop->id] = c->met->len;
  if (!became)
    {
      guint32 at = c->met->len - 1;
      g_array_append_val (c->stack, at);
    }
}

static FbUop *
rebuilt (Crossing *c, FbUop *uop)
{
  gboolean changed = FALSE;
  g_ptr_array_set_size (c->src, 0);
  for (guint i = 0; i < uop->n_src; i++)
    {
      FbUop *source = g_array_index (c->met, Frame, c->scratch[uop->src[i]->id] - 1).became;
      changed |= source != uop->src[i];
      if (!source)
        return NULL;
      g_ptr_array_add (c->src, source);
    }
  return changed ? fb_uop_lookup (c->context, uop->op, uop->dtype, uop->n_src, (FbUop *const *) c->src->pdata, uop->arg)
                 : uop;
}

static void
walk (Crossing *c, FbUop *ast)
{
  meet (c, ast, NULL);
  while (c->stack->len)
    {
      guint32 at = g_array_index (c->stack, guint32, c->stack->len - 1);
      Frame *frame = &g_array_index (c->met, Frame, at);
      if (frame->next < frame->uop->n_src)
        {
          meet (c, frame->uop->src[frame->next++], NULL);
          continue;
        }
      frame->became = rebuilt (c, frame->uop);
      g_array_set_size (c->stack, c->stack->len - 1);
    }
}

static void
add_link (Crossing *c, const FbKernelItem *item, guint number, const FbUop *from, const FbUop *to, gboolean reads)
{
  FbKernelLink link = { .kernel = number, .reads = reads };
  link.from = fb_history_find (c->history, c->history->kernels_pass, from);
  link.to = fb_history_find (c->history, item->first_pass, to);
  /* the order of kernels may have changed an ASSIGN after the pass */
  if (link.from != FB_LIFE_NONE && link.to != FB_LIFE_NONE)
    g_array_append_val (c->history->from, link);
}

static void
link_kernel (Crossing *c, guint number, const FbKernelItem *item)
{
  FbUop *kernel = item->assign->src[1];
  FbHistory *history = c->history;
  g_array_set_size (c->met, 0);
  for (guint i = 0; i < kernel->n_src; i++)
    if (kernel->src[i]->op == FB_OP_ASSIGN && kernel->src[i]->src[1]->op == FB_OP_KERNEL)
      meet (c, kernel->src[i]->src[1]->arg.kernel->ast, kernel->src[i]->src[0]);
  c->n_read = c->met->len;
  /* what it stores itself may be the source of another kernel's order only */
  walk (c, kernel->arg.kernel->ast);
  add_link (c, item, number, item->assign, fb_schedule_pass (history->schedule, item->first_pass)->sink, FALSE);
  for (guint i = 0; i < c->met->len; i++)
    {
      const Frame *frame = &g_array_index (c->met, Frame, i);
      c->scratch[frame->uop->id] = 0;
      if (frame->became)
        add_link (c, item, number, frame->uop, frame->became, i < c->n_read);
    }
}

static int
compare_from (gconstpointer a, gconstpointer b)
{
  const FbKernelLink *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->kernel < y->kernel ? -1 : x->kernel > y->kernel;
}

static int
compare_to (gconstpointer a, gconstpointer b)
{
  const FbKernelLink *x = a, *y = b;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

void
fb_history_link_kernels (FbHistory *history, guint32 *scratch, guint32 n_ids)
{
  const FbSchedule *schedule = history->schedule;
  Crossing c = { .history = history,
                 .context = schedule->context,
                 .scratch = scratch,
                 .n_ids = n_ids,
                 .met = g_array_new (FALSE, FALSE, sizeof (Frame)),
                 .stack = g_array_new (FALSE, FALSE, sizeof (guint32)),
                 .src = g_ptr_array_new () };
  for (guint i = 0; i < schedule->kernels->len; i++)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, i);
      if (item->first_pass < schedule->passes->len)
        link_kernel (&c, i + 1, item);
    }
  g_array_append_vals (history->to, history->from->data, history->from->len);
  g_array_sort (history->from, compare_from);
  g_array_sort (history->to, compare_to);
  g_array_free (c.met, TRUE);
  g_array_free (c.stack, TRUE);
  g_ptr_array_free (c.src, TRUE);
}
