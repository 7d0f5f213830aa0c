/* Kernel creation run: what the engine would do with the rules of kernels.c, without asking them where none can apply. The
 * record is the engine's, tries included, and a test holds it to that; where it might not be, the engine runs. */
#include "core/rewrite/engine.h"
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

/* What kernels do to a source: in Run's `met`, where above it is the number of the list that the node was put into last. */
typedef enum
{
  NOT_MET,
  TAKEN_IN,
  KEPT,
} Source;
#define SOURCE_BITS 2

typedef struct
{
  FbContext *context;
  const FbNodeMap *realizes;
  FbNodeMap *map; /* what nodes became */
  Frame *frames;
  guint n_frames, frames_allocated;
  FbArg metadata; /* of kernels: none */
  FbNodeMap *met; /* of a source: see Source */
  guint64 n_lists;
  FbNodeList *sources, *earlier; /* of the kernel under way, and before its latest match */
  FbMatches matches;
  guint32 tries[FB_KERNEL_APPEND + 1], fired[FB_KERNEL_APPEND + 1];
} Run;

/* Memory for twice as many as @n of @size bytes, and some, with those that @old holds. */
G_GNUC_NO_INLINE static void *
grow (Run *run, const void *old, guint n, gsize size)
{
  void *larger = fb_arena_alloc (&run->context->arena, size * (2 * (gsize) n + 16));

  if (n)
    memcpy (larger, old, size * n);
  return larger;
}

/* Records that @rule made @after of @before, and nodes from @first_new on. */
static inline void
note_match (Run *run, FbUop *before, FbUop *after, FbKernelRule rule, guint32 first_new)
{
  FbMatches *all = &run->matches;

  if (G_UNLIKELY (all->len == all->allocated))
    {
      all->at = grow (run, all->at, all->len, sizeof *all->at);
      all->allocated = 2 * all->len + 16;
    }
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
  if (view->st->contiguous && fb_uop_shape (context, buffer) == view->st->shape)
    note_match (run, view, target = buffer, FB_KERNEL_IDENTITY_VIEW, context->n_uops);
  else
    run->tries[FB_KERNEL_CREATE]++;
  fb_node_map_set (run->map, view, (guintptr) target);
  return target;
}

/* A list of sources being made, each once: for the registers. */
typedef struct
{
  FbNodeMapEntry *met;
  guint32 stamp;
  guint64 list; /* its number, shifted */
  FbUop **at;
  guint n, n_taken_in;
} Sources;

/* Begins the next list, in place of the one before the latest, which is @run->earlier then. */
static inline Sources
begin_sources (Run *run)
{
  FbNodeList *list = run->earlier;

  run->earlier = run->sources;
  run->sources = list;
  return (Sources){ run->met->entries, run->met->stamp, ++run->n_lists << SOURCE_BITS, list->at };
}

static inline void
end_sources (Run *run, const Sources *sources)
{
  run->sources->n = sources->n;
}

/* Makes room for @more sources. */
static inline void
reserve (Run *run, Sources *sources, guint more)
{
  FbNodeList *list = run->sources;

  if (G_LIKELY (sources->n + (gsize) more <= list->allocated))
    return;
  list->n = sources->n;
  while (sources->n + (gsize) more > list->allocated)
    fb_node_list_grow (list);
  sources->at = list->at;
}

static inline void
add_source (const Run *run, Sources *sources, FbUop *s)
{
  FbNodeMapEntry *met = &sources->met[s->id];
  Source source;

  if (met->stamp != sources->stamp)
    {
      source = fb_kernel_keeps (s, run->realizes) ? KEPT : TAKEN_IN;
      met->stamp = sources->stamp;
    }
  else if (met->value >= sources->list)
    return;
  else
    source = met->value & ((1 << SOURCE_BITS) - 1);
  sources->n_taken_in += source == TAKEN_IN;
  met->value = sources->list | source;
  sources->at[sources->n++] = s;
}

/* The sources of @run->earlier as they are after another match. */
static Sources
next_sources (Run *run)
{
  Sources next = begin_sources (run);

  for (guint i = 0; i < run->earlier->n; i++)
    {
      FbUop *s = run->earlier->at[i];
      const gboolean taken_in = next.met[s->id].value & TAKEN_IN;

      reserve (run, &next, taken_in ? s->n_src : 1);
      if (!taken_in)
        add_source (run, &next, s);
      else
        for (guint k = 0; k < s->n_src; k++)
          add_source (run, &next, s->src[k]);
    }
  end_sources (run, &next);
  return next;
}

/* Has @kernel take in its sources, level by level, up to what is realized. */
static FbUop *
take_in (Run *run, FbUop *kernel)
{
  FbContext *context = run->context;
  Sources sources;
  gboolean repeats;

  if (context->n_uops > run->met->size)
    fb_node_map_grow (run->met, context->n_uops - 1);
  sources = begin_sources (run);
  reserve (run, &sources, kernel->n_src);
  for (guint i = 0; i < kernel->n_src; i++)
    add_source (run, &sources, kernel->src[i]);
  end_sources (run, &sources);
  repeats = sources.n != kernel->n_src;
  run->tries[FB_KERNEL_APPEND]++;
  while (sources.n_taken_in || repeats)
    {
      const guint32 first_new = context->n_uops;
      FbUop *more;

      sources = next_sources (run);
      more = fb_uop_new (context, FB_OP_KERNEL, kernel->dtype, sources.n, sources.at, kernel->arg);
      note_match (run, kernel, more, FB_KERNEL_APPEND, first_new);
      run->tries[FB_KERNEL_APPEND]++;
      kernel = more;
      repeats = FALSE;
    }
  return kernel;
}

/* Makes the kernel of @x take in what it can; its frame is the topmost then. FALSE when that is for the engine to do. */
static gboolean
begin (Run *run, FbUop *x)
{
  FbContext *context = run->context;
  guint32 first_new = context->n_uops;
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
    {
      run->frames = grow (run, run->frames, run->n_frames, sizeof *run->frames);
      run->frames_allocated = 2 * run->n_frames + 16;
    }
  frame = &run->frames[run->n_frames++];
  *frame = (Frame){ .uop = x, .assign = assign, .target = finish_target (run, assign->src[0]) };
  frame->kernel = take_in (run, assign->src[1]);
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
      run->sources->n = 0;
      for (guint i = 0; i < frame->kernel->n_src; i++)
        {
          FbUop *s = frame->kernel->src[i];
          fb_node_list_add (run->sources, s->op == FB_OP_BUFFER ? s : (FbUop *) fb_node_map_get (run->map, s));
        }
      src[1] = fb_uop_with_src (context, frame->kernel, run->sources->at);
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

/* Creates all kernels. The map of what became of them, or NULL with nothing recorded. */
static FbNodeMap *
run_by_hand (FbContext *context, const FbNodeMap *realizes, const FbUop *sink, FbPass *pass)
{
  Run run = {
    .context = context,
    .realizes = realizes,
    .map = fb_node_map_acquire (context),
    .metadata = fb_arg_new_tuple (context, 0, NULL),
    .met = fb_node_map_acquire (context),
    .sources = fb_node_list_acquire (context),
    .earlier = fb_node_list_acquire (context),
  };
  gint64 next_unique = context->next_unique;

  if (create_all (&run, sink))
    {
      *pass->matches = run.matches;
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
  fb_node_map_release (context, run.met);
  fb_node_list_release (context, run.sources);
  fb_node_list_release (context, run.earlier);
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
