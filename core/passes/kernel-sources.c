#include "kernel-sources.h"

#include "kernels.h"

/* What kernels do to a source: in `met`, above it the number of the list. */
typedef enum
{
  TAKEN_IN = 1,
  KEPT,
} Fate;
#define FATE_BITS 2
#define FATE ((1 << FATE_BITS) - 1)

void
fb_kernel_sources_init (FbKernelSources *sources, FbContext *context, const FbNodeMap *realizes)
{
  *sources = (FbKernelSources){
    .context = context,
    .realizes = realizes,
    .met = fb_node_map_acquire (context),
    .list = fb_node_list_acquire (context),
    .earlier = fb_node_list_acquire (context),
    .buffers_fit = TRUE,
  };
}

void
fb_kernel_sources_clear (FbKernelSources *sources)
{
  fb_node_map_release (sources->context, sources->met);
  fb_node_list_release (sources->context, sources->list);
  fb_node_list_release (sources->context, sources->earlier);
}

/* A list being made: for the registers. */
typedef struct
{
  FbNodeMapEntry *met;
  guint64 stamp;
  guint64 number; /* shifted */
  FbUop **at;
  guint n, n_taken_in; /* of them those that the next list does not have */
} List;

/* Begins the next list, in place of the one before the latest, which is the earlier one then. */
static inline List
begin (FbKernelSources *sources)
{
  FbNodeList *list = sources->earlier;

  sources->earlier = sources->list;
  sources->list = list;
  return (List){ sources->met->entries, sources->met->stamp, ++sources->n_lists << FATE_BITS, list->at };
}

static inline void
end (FbKernelSources *sources, const List *list)
{
  sources->list->n = list->n;
  sources->changing = list->n_taken_in > 0;
}

/* Makes room for @more sources. */
static inline void
reserve (FbKernelSources *sources, List *list, guint more)
{
  if (G_LIKELY (list->n + (gsize) more <= sources->list->allocated))
    return;
  sources->list->n = list->n;
  while (list->n + (gsize) more > sources->list->allocated)
    fb_node_list_grow (sources->list);
  list->at = sources->list->at;
}

/* The fate of @s, which is met for the first time. */
static Fate
decide (FbKernelSources *sources, const FbUop *s)
{
  if (s->op == FB_OP_BUFFER)
    sources->buffers_fit = sources->buffers_fit && fb_kernel_graph_holds (s);
  return fb_kernel_keeps (s, sources->realizes) ? KEPT : TAKEN_IN;
}

static inline void
add (FbKernelSources *sources, List *list, FbUop *s)
{
  FbNodeMapEntry *met = &list->met[s->id];
  const guintptr known = fb_node_map_word (*met, list->stamp);
  Fate fate;

  if (known >= list->number)
    return;
  fate = known ? known & FATE : decide (sources, s);
  list->n_taken_in += fate == TAKEN_IN;
  *met = list->number | fate | list->stamp;
  list->at[list->n++] = s;
}

void
fb_kernel_sources_begin (FbKernelSources *sources, const FbUop *kernel)
{
  FbContext *context = sources->context;
  List list;

  fb_node_map_reserve (sources->met, context);
  list = begin (sources);
  reserve (sources, &list, kernel->n_src);
  for (guint i = 0; i < kernel->n_src; i++)
    add (sources, &list, kernel->src[i]);
  end (sources, &list);
  /* the kernel may have one twice, which is a change as well */
  sources->changing |= list.n != kernel->n_src;
}

void
fb_kernel_sources_take_in (FbKernelSources *sources)
{
  List list = begin (sources);
  const guint n = sources->earlier->n;

  /* there is always room for what is left, should it be kept */
  reserve (sources, &list, n);
  for (guint i = 0; i < n; i++)
    {
      FbUop *s = sources->earlier->at[i];
      FbNodeMapEntry *met = &list.met[s->id];
      const guint64 known = *met ^ list.stamp;

      if (known & TAKEN_IN)
        {
          reserve (sources, &list, s->n_src + n - i);
          for (guint k = 0; k < s->n_src; k++)
            add (sources, &list, s->src[k]);
        }
      else if (known < list.number)
        {
          *met = list.number | KEPT | list.stamp;
          list.at[list.n++] = s;
        }
    }
  end (sources, &list);
}
