/* Which kernel computes a node: from what each kernel stores up to what others store. */
#include "app/view-kernels.h"

#include <string.h>

#define REALIZED 1

struct _FbKernelMap
{
  gatomicrefcount refs;
  FbGraph *input;   /* of the pass, whole */
  guint32 *kernel;  /* of each of its nodes */
  guint8 *realized; /* likewise */
  GHashTable *asts; /* what a KERNEL node was made of -> 2 × kernel + REALIZED */
};

/* Of nodes of the graph that kernels are cut from: 2 × kernel + REALIZED. */
static GHashTable *
kernels_of_nodes (const FbSchedule *schedule)
{
  GHashTable *kernels = g_hash_table_new (NULL, NULL);
  g_autoptr (GPtrArray) queue = g_ptr_array_new ();

  for (guint i = 0; i < schedule->kernels->len; i++)
    {
      const FbUop *kernel = fb_schedule_kernel (schedule, i)->assign->src[1];
      if (kernel->op == FB_OP_KERNEL && kernel->arg.kind == FB_ARG_KERNEL)
        g_hash_table_insert (kernels, kernel->arg.kernel->ast, GUINT_TO_POINTER (2 * (i + 1) + REALIZED));
    }
  /* A node that several kernels compute is counted to the first of them. */
  for (guint i = 0; i < schedule->kernels->len; i++)
    {
      const FbUop *kernel = fb_schedule_kernel (schedule, i)->assign->src[1];
      if (kernel->op != FB_OP_KERNEL || kernel->arg.kind != FB_ARG_KERNEL)
        continue;
      g_ptr_array_set_size (queue, 0);
      g_ptr_array_add (queue, kernel->arg.kernel->ast);
      for (guint head = 0; head < queue->len; head++)
        {
          const FbUop *uop = g_ptr_array_index (queue, head);
          for (guint s = 0; s < uop->n_src; s++)
            if (uop->src[s]->op != FB_OP_BUFFER && !g_hash_table_contains (kernels, uop->src[s]))
              {
                g_hash_table_insert (kernels, uop->src[s], GUINT_TO_POINTER (2 * (i + 1)));
                g_ptr_array_add (queue, uop->src[s]);
              }
        }
    }
  return kernels;
}

FbKernelMap *
fb_kernel_map_new (const FbSchedule *schedule, guint pass, FbGraph *input)
{
  if (!schedule || pass >= schedule->passes->len || fb_schedule_pass (schedule, pass)->kernel
      || !schedule->kernels->len)
    return NULL;
  gboolean first = fb_schedule_pass (schedule, pass)->sink == schedule->big_sink;
  FbKernelMap *map = g_new0 (FbKernelMap, 1);
  GHashTable *kernels = map->asts = kernels_of_nodes (schedule);
  g_atomic_ref_count_init (&map->refs);
  map->input = fb_graph_ref (input);
  map->kernel = g_new0 (guint32, MAX (input->n_nodes, 1));
  map->realized = g_new0 (guint8, MAX (input->n_nodes, 1));
  for (guint32 i = 0; i < input->n_nodes; i++)
    {
      FbUop *uop = input->nodes[i].uop;
      /* the first pass has not made the nodes of the kernels yet: a node is of the kernel of what becomes of it */
      gboolean mapped = first && schedule->tensor_map && uop->id < schedule->n_tensor_map;
      const FbUop *node = mapped ? schedule->tensor_map[uop->id] : uop;
      guint value = node ? GPOINTER_TO_UINT (g_hash_table_lookup (kernels, node)) : 0;
      map->kernel[i] = value / 2;
      map->realized[i] = value & REALIZED;
    }
  return map;
}

FbKernelMap *
fb_kernel_map_ref (FbKernelMap *map)
{
  g_atomic_ref_count_inc (&map->refs);
  return map;
}

void
fb_kernel_map_unref (FbKernelMap *map)
{
  if (!map || !g_atomic_ref_count_dec (&map->refs))
    return;
  fb_graph_unref (map->input);
  g_free (map->kernel);
  g_free (map->realized);
  g_hash_table_unref (map->asts);
  g_free (map);
}

/* A KERNEL, or the ASSIGN that stores what it computes, says which one it is: 2 × kernel + REALIZED, or 0. */
static guint
kernel_of_made (const FbKernelMap *map, const FbUop *uop)
{
  gboolean stores = uop->op == FB_OP_ASSIGN && uop->n_src > 1;
  const FbUop *kernel = stores ? uop->src[1] : uop;
  if (kernel->op != FB_OP_KERNEL || kernel->arg.kind != FB_ARG_KERNEL)
    return 0;
  guint value = GPOINTER_TO_UINT (g_hash_table_lookup (map->asts, kernel->arg.kernel->ast));
  return stores ? value : value & ~1u;
}

/* What all users of a node are of, if they agree. */
static guint32
kernel_of_users (const FbGraph *graph, const FbGraphNode *node, const guint32 *kernel)
{
  guint32 found = 0;
  for (guint32 i = 0; i < node->n_out; i++)
    {
      guint32 other = kernel[graph->edges[graph->out[node->first_out + i]].user];
      if (!other || (found && other != found))
        return 0;
      found = other;
    }
  return found;
}

void
fb_kernel_map_label (const FbKernelMap *map, const FbGraph *whole, guint32 *kernel, guint8 *realized)
{
  g_autofree guint32 *match = fb_graph_match_places (whole, map->input, NULL);

  for (guint32 i = 0; i < whole->n_nodes; i++)
    {
      guint value = kernel_of_made (map, whole->nodes[i].uop);
      kernel[i] = value / 2;
      realized[i] = value & REALIZED;
      if (value || match[i] == FB_GRAPH_NONE)
        continue;
      kernel[i] = map->kernel[match[i]];
      realized[i] = map->realized[match[i]];
    }
  for (guint32 i = whole->n_nodes; i-- > 0;)
    {
      const FbGraphNode *node = &whole->nodes[i];
      guint32 to = node->becomes;
      /* what a rule made is of the kernel of what it replaced; what is in between, of that of its users */
      if (to != FB_GRAPH_NONE && kernel[i] && !kernel[to] && whole->nodes[to].mark == FB_MARK_NEW)
        {
          kernel[to] = kernel[i];
          realized[to] = realized[i];
        }
      else if (!kernel[i] && match[i] == FB_GRAPH_NONE && node->kind != FB_KIND_BUFFER)
        kernel[i] = kernel_of_users (whole, node, kernel);
    }
}
