/* Which kernel computes a node: from what each kernel stores up to what others store. */
#include "app/view-kernels.h"

#include <string.h>

#define REALIZED 1

struct _FbKernelMap
{
  gatomicrefcount refs;
  GMutex mutex;
  GHashTable *kernels; /* key of a node -> 2 × kernel + REALIZED */
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
fb_kernel_map_new (const FbSchedule *schedule, guint pass, const FbGraph *input)
{
  if (!schedule || pass >= schedule->passes->len || fb_schedule_pass (schedule, pass)->kernel
      || !schedule->kernels->len)
    return NULL;
  g_autoptr (GHashTable) kernels = kernels_of_nodes (schedule);
  gboolean first = fb_schedule_pass (schedule, pass)->sink == schedule->big_sink;
  FbKernelMap *map = g_new0 (FbKernelMap, 1);
  g_atomic_ref_count_init (&map->refs);
  g_mutex_init (&map->mutex);
  map->kernels = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint32 i = 0; i < input->n_nodes; i++)
    {
      FbUop *uop = input->nodes[i].uop;
      /* the first pass has not made the nodes of the kernels yet: a node is of the kernel of what becomes of it */
      gboolean mapped = first && schedule->tensor_map && uop->id < schedule->n_tensor_map;
      const FbUop *node = mapped ? schedule->tensor_map[uop->id] : uop;
      gpointer value = node ? g_hash_table_lookup (kernels, node) : NULL;
      if (value)
        g_hash_table_insert (map->kernels, g_memdup2 (&input->nodes[i].key, sizeof (guint64)), value);
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
  g_hash_table_unref (map->kernels);
  g_mutex_clear (&map->mutex);
  g_free (map);
}

void
fb_kernel_map_label (FbKernelMap *map, const FbGraph *whole, const FbGraph *before, const guint32 *match,
                     guint32 *kernel, guint8 *realized)
{
  g_mutex_lock (&map->mutex);
  for (guint32 i = 0; i < whole->n_nodes; i++)
    {
      const FbGraphNode *node = &whole->nodes[i];
      gpointer value = g_hash_table_lookup (map->kernels, &node->key);
      if (!value && node->was_key)
        value = g_hash_table_lookup (map->kernels, &node->was_key);
      if (!value && match && match[i] != FB_GRAPH_NONE)
        value = g_hash_table_lookup (map->kernels, &before->nodes[match[i]].key);
      kernel[i] = GPOINTER_TO_UINT (value) / 2;
      realized[i] = GPOINTER_TO_UINT (value) & REALIZED;
    }
  /* what a rule made is of the kernel of what it replaced */
  for (guint32 i = 0; i < whole->n_nodes; i++)
    {
      guint32 to = whole->nodes[i].becomes;
      if (to != FB_GRAPH_NONE && kernel[i] && !kernel[to] && whole->nodes[to].mark == FB_MARK_NEW)
        {
          kernel[to] = kernel[i];
          realized[to] = realized[i];
        }
    }
  for (guint32 i = 0; i < whole->n_nodes; i++)
    if (kernel[i] && !g_hash_table_contains (map->kernels, &whole->nodes[i].key))
      g_hash_table_insert (map->kernels, g_memdup2 (&whole->nodes[i].key, sizeof (guint64)),
                           GUINT_TO_POINTER (2 * kernel[i] + (realized[i] ? REALIZED : 0)));
  g_mutex_unlock (&map->mutex);
}
