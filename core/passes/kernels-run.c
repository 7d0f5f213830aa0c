/* Kernel creation run: what the engine would do with the rules of kernels.c, without asking them where none can apply. The
 * record is the engine's, tries included, and a test holds it to that; where it might not be, the engine runs. */
#include "core/rewrite/engine.h"
#include "kernel-sources.h"
#include "kernels.h"
#include "uop-dict.h"

#include <string.h>

/* A realized node whose kernel waits for those it reads. */
typedef struct
{
  FbUop *uop, *assign; /* and what it became first */
  FbUop *target;       /* what the target of the ASSIGN became */
  FbUop *kernel;       /* of the ASSIGN, when there is no more to take in */
  guint32 next;        /* source to look at next */
  gboolean reads;      /* a source is computed by a kernel */
} Frame;

typedef struct
{
  FbContext *context;
  const FbNodeMap *realizes;
  FbNodeMap *map; /* what nodes became */
  Frame *frames;
  guint n_frames, frames_allocated;
  FbArg metadata;          /* of kernels: none */
  FbKernelSources sources; /* of the kernel under way */
  FbMatches matches;
  FbNodeList *realized, *stored; /* as in FbKernels */
  gboolean graph_fits, overwrites;
  guint32 tries[FB_KERNEL_APPEND + 1], fired[FB_KERNEL_APPEND + 1];
} Run;

/* Records that @rule made @after of @before, and nodes from @first_new on. */
static inline void
note_match (Run *run, FbUop *before, FbUop *after, FbKernelRule rule, guint32 first_new)
{
  FbMatches *all = &run->matches;

  if (G_UNLIKELY (all->len == all->allocated))
    all->at = fb_arena_grow_array (&run->context->arena, all->at, sizeof *all->at, &all->allocated, 16);
  all->at[all->len++] = (FbMatch){ before, after, rule, first_new, run->context->n_uops };
  run->fired[rule]++;
}

/* The target of an ASSIGN, a view of a buffer: that itself where it shows just the same. */
static FbUop *
finish_target (Run *run, FbUop *view)
{
  FbContext *context = run->context;
  FbUop *known = (FbUop *) fb_node_map_get (run->map, view), *buffer = view->base, *target = view;

  if (known)
    return known;
  run->tries[FB_KERNEL_IDENTITY_VIEW]++;
  /* the shape of a buffer has one dimension */
  if (view->st->contiguous && view->st->shape->n == 1 && buffer->arg.kind == FB_ARG_INT
      && fb_sint_is (view->st->shape->at[0], buffer->arg.i))
    note_match (run, view, target = buffer, FB_KERNEL_IDENTITY_VIEW, context->n_uops);
  else
    run->tries[FB_KERNEL_CREATE]++;
  fb_node_map_set (run->map, view, (guintptr) target);
  return target;
}

/* Has @kernel take in its sources, level by level, up to what is realized. @fresh: its buffer was made for it. */
static FbUop *
take_in (Run *run, FbUop *kernel, gboolean fresh)
{
  FbUop *const buffer = kernel->src[0];
  FbContext *context = run->context;
  FbKernelSources *sources = &run->sources;

  fb_kernel_sources_begin (sources, kernel);
  run->tries[FB_KERNEL_APPEND]++;
  while (sources->changing)
    {
      const guint32 first_new = context->n_uops;
      FbUop *more;

      fb_kernel_sources_take_in (sources);
      /* what is taken in is gone for good, so no list is like one before */
      if (fresh)
        more = fb_uop_new_over (context, buffer, FB_OP_KERNEL, kernel->dtype, sources->list->n, sources->list->at,
                                kernel->arg);
      else
        more = fb_uop_new (context, FB_OP_KERNEL, kernel->dtype, sources->list->n, sources->list->at, kernel->arg);
      note_match (run, kernel, more, FB_KERNEL_APPEND, first_new);
      run->tries[FB_KERNEL_APPEND]++;
      kernel = more;
    }
  return kernel;
}

/* Makes the kernel of @x take in what it can; its frame is the topmost then. FALSE when that is for the engine to do. */
static gboolean
begin (Run *run, FbUop *x)
{
  FbContext *context = run->context;
  const guint32 first_new = context->n_uops;
  FbUop *assign;
  Frame *frame;

  if (x->op == FB_OP_VIEW || (context->cancellable && g_cancellable_is_cancelled (context->cancellable))
      || !(assign = fb_create_kernel (context, x, run->metadata)))
    return FALSE;
  note_match (run, x, assign, FB_KERNEL_CREATE, first_new);
  /* on the node, on the ASSIGN, and again when what that is over has changed or those who read it are rebuilt; on the number
   * of a new buffer */
  run->tries[FB_KERNEL_CREATE] += x->op == FB_OP_ASSIGN ? 3 : 4;
  if (run->n_frames == run->frames_allocated)
    run->frames = fb_arena_grow_array (&context->arena, run->frames, sizeof *run->frames, &run->frames_allocated, 16);
  run->overwrites |= x->op == FB_OP_ASSIGN;
  frame = &run->frames[run->n_frames++];
  *frame = (Frame){ .uop = x, .assign = assign, .target = finish_target (run, assign->src[0]) };
  frame->kernel = take_in (run, assign->src[1], assign->src[1]->src[0]->id >= first_new);
  return TRUE;
}

/* All that the kernel of @frame reads is done. */
static void
finish (Run *run, const Frame *frame)
{
  FbContext *context = run->context;
  FbUop *src[2] = { frame->target, frame->kernel }, *assign = frame->assign;

  if (frame->reads)
    {
      FbNodeList *sources = run->sources.list;

      sources->n = 0;
      for (guint i = 0; i < frame->kernel->n_src; i++)
        {
          FbUop *s = frame->kernel->src[i];
          fb_node_list_add (sources, s->op == FB_OP_BUFFER ? s : (FbUop *) fb_node_map_get (run->map, s));
        }
      src[1] = fb_uop_with_src (context, frame->kernel, sources->at);
    }
  /* on what is new in the ASSIGN */
  run->tries[FB_KERNEL_APPEND] += src[1] != assign->src[1];
  if (src[0] != assign->src[0] || src[1] != assign->src[1])
    assign = fb_uop_with_src (context, assign, src);
  fb_node_map_set (run->map, frame->uop, (guintptr) assign);
  fb_node_list_add (run->realized, frame->uop);
  fb_node_list_add (run->stored, assign);
}

/* The kernel of @x, and before it ends those of all it reads. FALSE when that is for the engine to do. */
static gboolean
create (Run *run, FbUop *x)
{
  if (fb_node_map_get (run->map, x))
    return TRUE;
  if (!begin (run, x))
    return FALSE;
  while (run->n_frames)
    {
      Frame *top = &run->frames[run->n_frames - 1];
      FbUop *unmet = NULL;

      for (; top->next < top->kernel->n_src; top->next++)
        {
          FbUop *s = top->kernel->src[top->next];

          if (s->op == FB_OP_BUFFER)
            continue;
          top->reads = TRUE;
          if (!fb_node_map_get (run->map, s))
            {
              unmet = s;
              break;
            }
        }
      if (!unmet)
        {
          finish (run, top);
          run->n_frames--;
        }
      else if (!begin (run, unmet))
        return FALSE;
    }
  return TRUE;
}

/* Creates all kernels in the order in which the sink leads to them. FALSE when that is for the engine to do. */
static gboolean
create_all (Run *run, const FbUop *sink)
{
  for (guint i = 0; i < sink->n_src; i++)
    {
      FbUop *s = sink->src[i];

      if (s->op == FB_OP_VIEW && s->n_src == 1 && !fb_node_map_get (run->realizes, s))
        s = s->src[0];
      if (fb_node_map_get (run->realizes, s))
        {
          if (!create (run, s))
            return FALSE;
        }
      else if (s->n_src && !fb_op_in (s->op, FB_OP_BIT (BUFFER) | FB_OP_BIT (CONST)))
        return FALSE;
    }
  return TRUE;
}

/* The sink over what its sources became. */
static FbUop *
make_graph (Run *run, FbUop *sink)
{
  FbContext *context = run->context;
  FbNodeList *sources = run->sources.list;
  gboolean changed = FALSE;

  sources->n = 0;
  for (guint i = 0; i < sink->n_src; i++)
    {
      FbUop *s = sink->src[i], *became = (FbUop *) fb_node_map_get (run->map, s), *assign;

      if (!became && s->op == FB_OP_VIEW && s->n_src == 1 && (assign = (FbUop *) fb_node_map_get (run->map, s->src[0])))
        {
          became = fb_uop_with_src (context, s, &assign);
          run->graph_fits = run->graph_fits && s->dtype->base == assign->dtype->base;
        }
      else if (!became)
        run->graph_fits = FALSE; /* for all we know */
      changed |= became != NULL;
      fb_node_list_add (sources, became ? became : s);
    }
  return changed ? fb_uop_with_src (context, sink, sources->at) : sink;
}

/* Can a rule apply only to what the sink leads to once kernels have taken in their sources? All that is realized is reached
 * that way. The rest lies inside of kernels: there is no view left for a rule to merge, since the first pass ends where none
 * can be, and what a view shows keeps its shape when it becomes an ASSIGN. Unless, that is, the input has KERNELs of its own,
 * or ASSIGNs that are not realized. */
static gboolean
only_sink_matters (const FbNodeList *order, const FbNodeMap *realizes)
{
  for (guint i = 0; i < order->n; i++)
    {
      const FbUop *uop = order->at[i];
      if (G_UNLIKELY (uop->op == FB_OP_KERNEL || (uop->op == FB_OP_ASSIGN && !fb_node_map_get (realizes, uop))))
        return FALSE;
    }
  return TRUE;
}

/* Counts the rules that are tried on what lies inside of kernels: on every node, and once more when what is below it becomes a
 * kernel. */
static void
count_tries_inside (FbContext *context, const FbNodeList *order, const FbNodeMap *map, guint32 *tries)
{
  /* by id, the sink's being the last */
  const gsize n_ids = order->at[order->n - 1]->id + (gsize) 1;
  guint8 *changed = memset (fb_arena_alloc (&context->arena, n_ids), 0, n_ids);

  for (guint i = 0; i < order->n; i++)
    {
      const FbUop *uop = order->at[i], *became = (const FbUop *) fb_node_map_get (map, uop);
      guint n = 1;

      if (became)
        {
          changed[uop->id] = became != uop;
          continue;
        }
      for (guint k = 0; k < uop->n_src; k++)
        changed[uop->id] |= changed[uop->src[k]->id];
      if (uop->op == FB_OP_BUFFER)
        continue;
      n += changed[uop->id];
      tries[FB_KERNEL_CREATE] += n;
      if (uop->op != FB_OP_VIEW || uop->n_src != 1 || uop->src[0]->op == FB_OP_DEVICE)
        continue;
      tries[FB_KERNEL_IDENTITY_VIEW] += n;
      if (fb_op_in (uop->src[0]->op, FB_OP_BIT (CONST) | FB_OP_BIT (DEFINE_VAR)))
        tries[FB_KERNEL_VIEW_OF_CONST] += fb_node_map_get (map, uop->src[0]) ? 1 : n;
    }
}

/* Creates all kernels. FALSE with nothing recorded when that is for the engine to do. */
static gboolean
run_by_hand (FbContext *context, const FbNodeMap *realizes, FbUop *sink, const FbNodeList *order, FbPass *pass,
             FbKernels *kernels)
{
  Run run = {
    .context = context,
    .realizes = realizes,
    .map = fb_node_map_acquire (context),
    .metadata = fb_arg_new_tuple (context, 0, NULL),
    .realized = fb_node_list_acquire (context),
    .stored = fb_node_list_acquire (context),
    .graph_fits = TRUE,
  };
  const gint64 next_unique = context->next_unique;
  gboolean done;

  fb_kernel_sources_init (&run.sources, context, realizes);
  done = create_all (&run, sink);
  if (done)
    {
      pass->result = make_graph (&run, sink);
      *pass->matches = run.matches;
      count_tries_inside (context, order, run.map, pass->tries);
      for (guint i = 0; i < G_N_ELEMENTS (run.tries); i++)
        {
          pass->tries[i] += run.tries[i];
          pass->fired[i] += run.fired[i];
        }
      run.stored->refs++;
      *kernels
          = (FbKernels){ pass->result,  run.realized, run.stored, run.stored, run.graph_fits && run.sources.buffers_fit,
                         run.overwrites };
    }
  else
    {
      g_clear_error (&context->error);
      context->error_uop = NULL;
      context->next_unique = next_unique;
      fb_node_list_release (context, run.realized);
      fb_node_list_release (context, run.stored);
    }
  fb_node_map_release (context, run.map);
  fb_kernel_sources_clear (&run.sources);
  return done;
}

/* The same by the engine, every node of @order asked for, users first. FALSE on error. */
static gboolean
run_by_engine (FbContext *context, FbUopDict *realizes, const FbNodeList *order, FbPass *pass, FbKernels *kernels)
{
  FbNodeList *all = fb_node_list_acquire (context);
  FbNodeMap *map;

  for (guint i = order->n; i > 0; i--)
    fb_node_list_add (all, order->at[i - 1]);
  map = fb_rewrite_nodes (context, all->n, all->at, pass->rules, realizes, fb_uop_dict_marks (realizes), NULL, pass);
  fb_node_list_release (context, all);
  if (!map)
    return FALSE;
  *kernels = (FbKernels){
    .graph = pass->result,
    .realized = fb_node_list_acquire (context),
    .stored = fb_node_list_acquire (context),
    .assigns = fb_kernel_graph_assigns (context, pass->result),
    .overwrites = TRUE,
  };
  for (guint i = 0; i < order->n; i++)
    {
      FbUop *uop = order->at[i], *became = (FbUop *) fb_node_map_get (map, uop);

      if (!became || became == uop || became->op != FB_OP_ASSIGN)
        continue;
      fb_node_list_add (kernels->realized, uop);
      fb_node_list_add (kernels->stored, became);
    }
  fb_node_map_release (context, map);
  return TRUE;
}

gboolean
fb_kernels_pass_run (FbContext *context, FbUopDict *realizes, FbUop *sink, FbPass *pass, FbKernels *kernels)
{
  const FbNodeMap *marks = fb_uop_dict_marks (realizes);
  FbNodeList *order = fb_uop_order (context, sink);
  /* where tries are measured they are all made */
  gboolean done
      = !pass->ticks && only_sink_matters (order, marks) && run_by_hand (context, marks, sink, order, pass, kernels);

  if (!done)
    done = run_by_engine (context, realizes, order, pass, kernels);
  fb_node_list_release (context, order);
  return done;
}

void
fb_kernels_clear (FbContext *context, FbKernels *kernels)
{
  fb_node_list_release (context, kernels->realized);
  fb_node_list_release (context, kernels->stored);
  fb_node_list_release (context, kernels->assigns);
}
