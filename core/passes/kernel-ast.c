/* What a kernel computes, cut out of the tensor graph, and its buffers made loads: the substitution of what other kernels
 * compute (schedule.py:352) and the pass after it (:354) in one walk, since a model has a thousand kernels of twenty nodes.
 *
 * Every node of the tensor graph that the kernel computes gets a place, sources first, with what it is once sources are
 * substituted (plain) and once buffers are loads as well (lowered). Where the walk is not sure to do what the engine would, the
 * engine does it. */
#include "buffers.h"
#include "core/rewrite/engine.h"

typedef struct
{
  FbUop *plain, *lowered;
} Place;

struct _FbLowering
{
  FbContext *context;
  FbLoads loads;
  FbNodeList *buffers;
  gboolean walked; /* the latest kernel */
  FbUop *tensor;   /* that it computes */
  /* of the latest kernel: of a node its position among the places + 1, shifted, or what it is substituted by, marked */
  FbNodeMap *known;
  Place *places;
  guint n_places, places_allocated;
  FbUop **src; /* of the node being finished, plain and lowered */
  guint src_allocated;
  FbMatch *matches; /* the sink's, then the loads */
  guint n_matches, matches_allocated;
};

#define SUBSTITUTED ((guintptr) 1)

/* What is known of a node that was there when the kernel was begun: there is room for these. */
static inline guintptr
get (const FbLowering *l, const FbUop *uop)
{
  return fb_node_map_word (l->known->entries[uop->id], l->known->stamp);
}

static inline void
set (FbLowering *l, const FbUop *uop, guintptr known)
{
  l->known->entries[uop->id] = known | l->known->stamp;
}

/* The same of what a node is substituted by, of which @uop becomes that. */
static inline guintptr
get_substituted (const FbLowering *l, FbUop **uop)
{
  const guintptr known = get (l, *uop);

  if (G_LIKELY (!(known & SUBSTITUTED)))
    return known;
  *uop = (FbUop *) (known & ~SUBSTITUTED);
  return get (l, *uop);
}

FbLowering *
fb_lowering_new (FbContext *context, guint n_kernels)
{
  FbLowering *lowering = fb_arena_alloc (&context->arena, sizeof *lowering);

  *lowering = (FbLowering){ .context = context, .buffers = fb_node_list_acquire (context) };
  fb_loads_init (&lowering->loads, &context->arena, n_kernels);
  return lowering;
}

void
fb_lowering_free (FbLowering *lowering)
{
  if (lowering)
    fb_node_list_release (lowering->context, lowering->buffers);
}

const FbNodeList *
fb_lowering_buffers (const FbLowering *lowering)
{
  return lowering->buffers;
}

static inline void
add_place (FbLowering *l, const FbUop *uop, FbUop *plain, FbUop *lowered)
{
  if (G_UNLIKELY (l->n_places == l->places_allocated))
    l->places = fb_arena_grow_array (&l->context->arena, l->places, sizeof (Place), &l->places_allocated, 32);
  l->places[l->n_places++] = (Place){ plain, lowered };
  set (l, uop, (guintptr) l->n_places << 1);
}

static inline void
add_match (FbLowering *l, const FbMatch *match)
{
  if (G_UNLIKELY (l->n_matches == l->matches_allocated))
    l->matches = fb_arena_grow_array (&l->context->arena, l->matches, sizeof (FbMatch), &l->matches_allocated, 8);
  l->matches[l->n_matches++] = *match;
}

/* A node without sources to look into. FALSE on error. */
static gboolean
add_leaf (FbLowering *l, FbUop *uop)
{
  guint32 first_new = l->context->n_uops;
  FbUop *lowered = uop;

  if (uop->op == FB_OP_BUFFER)
    {
      if (!(lowered = fb_buffer_to_load (l->context, uop, l->buffers, &l->loads)))
        return FALSE;
      add_match (l, &(FbMatch){ uop, lowered, FB_BUFFER_TO_LOAD, first_new, l->context->n_uops });
    }
  add_place (l, uop, uop, lowered);
  return TRUE;
}

/* All sources of @uop have a place: so does it. FALSE when that is for the engine to do. */
static gboolean
add_inner (FbLowering *l, FbUop *uop)
{
  const guint n = uop->n_src;
  gboolean changed = FALSE, loads = FALSE;
  FbUop *plain = uop, *lowered, **sources, **loaded;

  if (G_UNLIKELY (2 * n > l->src_allocated))
    {
      l->src_allocated = MAX (16, 4 * n);
      l->src = fb_arena_alloc (&l->context->arena, sizeof (FbUop *) * l->src_allocated);
    }
  sources = l->src;
  loaded = l->src + n;
  for (guint i = 0; i < n; i++)
    {
      FbUop *s = uop->src[i];
      const Place *place = &l->places[(get_substituted (l, &s) >> 1) - 1];

      sources[i] = place->plain;
      loaded[i] = place->lowered;
      changed |= place->plain != uop->src[i];
      loads |= place->lowered != place->plain;
    }
  if (changed)
    {
      plain = fb_uop_with_src (l->context, uop, sources);
      /* substituted in turn: possible where a buffer is read and assigned to */
      if (G_UNLIKELY (fb_node_map_get (l->known, plain) & SUBSTITUTED))
        return FALSE;
    }
  lowered = loads ? fb_uop_with_src (l->context, plain, loaded) : plain;
  add_place (l, uop, plain, lowered);
  return TRUE;
}

/* Gives a place to @root and all below it. FALSE when that is for the engine to do. */
static gboolean
walk (FbLowering *l, FbUop *root)
{
  FbContext *context = l->context;
  FbWalkFrame frame = { root, 0 };
  guint32 depth = 0;

  for (;;)
    {
      FbUop *uop = frame.uop, *source = NULL;

      if (G_UNLIKELY (uop->op == FB_OP_SINK))
        return FALSE;
      for (; frame.next < uop->n_src && !source; frame.next++)
        {
          FbUop *s = uop->src[frame.next];

          if (get_substituted (l, &s))
            continue;
          if (s->n_src && s->op != FB_OP_BUFFER)
            source = s;
          else if (!add_leaf (l, s))
            return FALSE;
        }
      if (source)
        {
          fb_walk_push (context, depth++, frame);
          frame = (FbWalkFrame){ source, 0 };
          continue;
        }
      if (!add_inner (l, uop))
        return FALSE;
      if (depth == 0)
        return TRUE;
      frame = context->walk[--depth];
    }
}

/* Notes what other kernels compute. FALSE when it is not simply stored in a buffer. */
static gboolean
note_substitutes (FbLowering *l, const FbUop *kernel)
{
  for (guint i = 0; i < kernel->n_src; i++)
    {
      FbUop *assign = kernel->src[i];

      if (assign->op != FB_OP_ASSIGN)
        continue;
      if (assign->src[0]->base->op != FB_OP_BUFFER)
        return FALSE;
      set (l, assign->src[1]->arg.kernel->ast, (guintptr) assign->src[0] | SUBSTITUTED);
    }
  return TRUE;
}

/* By the engine. */
static FbUop *
substitute (FbContext *context, const FbUop *kernel)
{
  g_autofree FbUop **from = g_new (FbUop *, kernel->n_src + 1), **to = g_new (FbUop *, kernel->n_src + 1);
  FbUop *ast = kernel->arg.kernel->ast;
  guint n = 0;

  for (guint i = 0; i < kernel->n_src; i++)
    if (kernel->src[i]->op == FB_OP_ASSIGN)
      {
        from[n] = kernel->src[i]->src[1]->arg.kernel->ast;
        to[n++] = kernel->src[i]->src[0];
      }
  return n ? fb_substitute (context, ast, n, from, to) : ast;
}

FbUop *
fb_kernel_ast (FbLowering *l, FbUop *assign)
{
  FbContext *context = l->context;
  FbUop *kernel = assign->src[1], *ast = kernel->arg.kernel->ast;

  l->buffers->n = 0;
  fb_node_list_add (l->buffers, fb_buf_uop (context, assign));
  if (context->error)
    return NULL;
  l->known = fb_node_map_acquire (context);
  fb_node_map_reserve (l->known, context);
  l->tensor = ast;
  l->n_places = 0;
  l->n_matches = 0;
  add_match (l, &(FbMatch){ NULL }); /* the sink's, once it is there */
  l->walked = ast->n_src && ast->op != FB_OP_BUFFER && note_substitutes (l, kernel) && walk (l, ast);
  fb_node_map_release (context, l->known);
  if (l->walked)
    ast = l->places[l->n_places - 1].plain;
  else
    {
      g_clear_error (&context->error);
      context->error_uop = NULL;
      ast = substitute (context, kernel);
    }
  return ast ? fb_uop_new (context, FB_OP_SINK, FB_DTYPE (VOID), 1, &ast, FB_ARG_NIL) : NULL;
}

/* The sink's match, and what it becomes with loads below it: the rest was done with the walk. FALSE on error. */
static gboolean
finish_sink (FbLowering *l, FbPass *pass, FbUop **result)
{
  FbContext *context = l->context;
  const Place *root = &l->places[l->n_places - 1];
  guint32 first_new = context->n_uops;
  FbBufferRule rule = FB_SINK_OF_COPY;
  FbUop *after = root->plain;
  /* substituting changes no shape, and that of the tensor is known */
  FbUop *tensor = l->tensor;

  if (!fb_op_in (after->op, FB_OP_BIT (COPY) | FB_OP_BIT (BUFFER_VIEW)))
    {
      rule = FB_SINK_TO_STORE;
      after = fb_sink_to_store (context, tensor, root->plain, &l->loads);
    }
  l->matches[0] = (FbMatch){ pass->sink, after, rule, first_new, context->n_uops };
  if (rule == FB_SINK_OF_COPY)
    *result = root->lowered;
  else
    *result = after ? fb_sink_to_store (context, tensor, root->lowered, &l->loads) : NULL;
  if (!*result)
    return FALSE;
  pass->tries[rule]++;
  pass->fired[rule]++;
  return TRUE;
}

FbUop *
fb_buffers_pass_run (FbLowering *l, FbPass *pass)
{
  FbContext *context = l->context;
  FbUop *result;

  /* where tries are measured they are all made */
  if (l->walked && !pass->ticks && l->places[l->n_places - 1].plain->op != FB_OP_STORE
      && finish_sink (l, pass, &result))
    {
      pass->tries[FB_BUFFER_TO_LOAD] += l->n_matches - 1;
      pass->fired[FB_BUFFER_TO_LOAD] += l->n_matches - 1;
      fb_pass_add_matches (pass, &context->arena, l->n_matches, l->matches);
      return pass->result = result;
    }
  if (l->walked)
    {
      g_clear_error (&context->error);
      context->error_uop = NULL;
    }
  l->buffers->n = 1;
  return fb_rewrite (context, pass->sink, pass->rules, l->buffers, TRUE, pass);
}
