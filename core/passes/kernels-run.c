/* Kernel creation run: what the engine would do with the rules of kernels.c, without asking them where none can apply. The
 * record is the engine's, tries included, and a test holds it to that; where it might not be, the engine runs. */
#include "core/rewrite/engine.h"
#include "kernels.h"
#include "uop-dict.h"

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
  FbMatch *matches;
  guint n_matches, matches_allocated;
  guint32 tries[FB_KERNEL_APPEND + 1], fired[FB_KERNEL_APPEND + 1];
} Run;

/* Records that @rule made @after of @before, and nodes from @first_new on. */
static void
note_match (Run *run, FbUop *before, FbUop *after, FbKernelRule rule, guint32 first_new)
{
  if (run->n_matches == run->matches_allocated)
    run->matches = g_renew (FbMatch, run->matches, run->matches_allocated = MAX (64, 2 * run->matches_allocated));
  run->matches[run->n_matches++] = (FbMatch){ before, after, rule, first_new, run->context->n_uops };
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
  if (view->st->contiguous && fb_uop_shape (context, buffer) == view->st->shape)
    note_match (run, view, target = buffer, FB_KERNEL_IDENTITY_VIEW, context->n_uops);
  else
    run->tries[FB_KERNEL_CREATE]++;
  fb_node_map_set (run->map, view, (guintptr) target);
  return target;
}

/* Makes the kernel of @x take in what it can; its frame is the topmost then. FALSE when that is for the engine to do. */
static gboolean
begin (Run *run, FbUop *x)
{
  FbContext *context = run->context;
  guint32 first_new = context->n_uops;
  FbUop *assign, *kernel, *more;
  Frame *frame;

  if (x->op == FB_OP_VIEW || (context->cancellable && g_cancellable_is_cancelled (context->cancellable))
      || !(assign = fb_create_kernel (context, x)))
    return FALSE;
  note_match (run, x, assign, FB_KERNEL_CREATE, first_new);
  /* on the node, on the ASSIGN, and again when what that is over has changed or those who read it are rebuilt; on the number
   * of a new buffer */
  run->tries[FB_KERNEL_CREATE] += x->op == FB_OP_ASSIGN ? 3 : 4;
  if (run->n_frames == run->frames_allocated)
    run->frames = g_renew (Frame, run->frames, run->frames_allocated = MAX (16, 2 * run->frames_allocated));
  frame = &run->frames[run->n_frames++];
  *frame = (Frame){ .uop = x, .assign = assign, .target = finish_target (run, assign->src[0]) };
  for (kernel = assign->src[1];; kernel = more)
    {
      run->tries[FB_KERNEL_APPEND]++;
      first_new = context->n_uops;
      if (!(more = fb_append_to_kernel (context, kernel, run->realizes)))
        break;
      note_match (run, kernel, more, FB_KERNEL_APPEND, first_new);
    }
  frame->kernel = kernel;
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
      g_autofree FbUop **sources = g_new (FbUop *, frame->kernel->n_src);

      for (guint i = 0; i < frame->kernel->n_src; i++)
        {
          FbUop *s = frame->kernel->src[i];
          sources[i] = s->op == FB_OP_BUFFER ? s : (FbUop *) fb_node_map_get (run->map, s);
        }
      src[1] = fb_uop_with_src (context, frame->kernel, sources);
    }
  /* on what is new in the ASSIGN */
  run->tries[FB_KERNEL_APPEND] += src[1] != assign->src[1];
  if (src[0] != assign->src[0] || src[1] != assign->src[1])
    assign = fb_uop_with_src (context, assign, src);
  fb_node_map_set (run->map, frame->uop, (guintptr) assign);
  fb_node_map_set (run->map, assign, (guintptr) assign);
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

      if (s->op == FB_OP_VIEW && s->n_src == 1)
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
  guint8 *changed = g_new0 (guint8, context->n_uops);

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
  g_free (changed);
}

/* Creates all kernels. The map of what became of them, or NULL with nothing recorded. */
static FbNodeMap *
run_by_hand (FbContext *context, const FbNodeMap *realizes, const FbUop *sink, FbPass *pass)
{
  Run run = { .context = context, .realizes = realizes, .map = fb_node_map_acquire (context) };
  gint64 next_unique = context->next_unique;

  if (create_all (&run, sink))
    {
      fb_pass_add_matches (pass, &context->arena, run.n_matches, run.matches);
      for (guint i = 0; i < G_N_ELEMENTS (run.tries); i++)
        {
          pass->tries[i] += run.tries[i];
          pass->fired[i] += run.fired[i];
        }
    }
  else
    {
      g_clear_error (&context->error);
      context->error_uop = NULL;
      context->next_unique = next_unique;
      fb_node_map_release (context, run.map);
      run.map = NULL;
    }
  g_free (run.frames);
  g_free (run.matches);
  return run.map;
}

FbNodeMap *
fb_kernels_pass_run (FbContext *context, FbUopDict *realizes, FbUop *sink, FbPass *pass)
{
  const FbNodeMap *marks = fb_uop_dict_marks (realizes);
  FbNodeList *order = fb_uop_order (context, sink), *all;
  FbNodeMap *map = NULL;

  /* where tries are measured they are all made */
  if (!pass->ticks && only_sink_matters (order, marks))
    map = run_by_hand (context, marks, sink, pass);
  if (map)
    {
      map = fb_rewrite_nodes (context, 1, &sink, pass->rules, realizes, marks, map, pass);
      if (map)
        count_tries_inside (context, order, map, pass->tries);
    }
  else
    {
      all = fb_node_list_acquire (context);
      for (guint i = order->n; i > 0; i--)
        fb_node_list_add (all, order->at[i - 1]);
      map = fb_rewrite_nodes (context, all->n, all->at, pass->rules, realizes, marks, NULL, pass);
      fb_node_list_release (context, all);
    }
  fb_node_list_release (context, order);
  return map;
}
