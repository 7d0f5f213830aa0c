/* How many nodes a graph has, told from the one before: what both hold is not gone through again. */
#include <string.h>

#include "viztrace-private.h"

struct _FbVizReach
{
  guint32 *
      users; /* by id: of the nodes that are reached, how many have it as a source, each time counted; the root has one more */
  guint32 n_users;
  guint n_nodes;
  FbUop *root;
  GPtrArray *stack;
};

FbVizReach *
fb_viz_reach_new (void)
{
  FbVizReach *reach = g_new0 (FbVizReach, 1);

  reach->stack = g_ptr_array_new ();
  return reach;
}

void
fb_viz_reach_free (FbVizReach *reach)
{
  if (!reach)
    return;
  g_free (reach->users);
  g_ptr_array_unref (reach->stack);
  g_free (reach);
}

static void
add (FbVizReach *reach, FbUop *root)
{
  if (root->id >= reach->n_users)
    {
      guint32 n = MAX (root->id + 1, 2 * reach->n_users);

      reach->users = g_renew (guint32, reach->users, n);
      memset (reach->users + reach->n_users, 0, sizeof *reach->users * (n - reach->n_users));
      reach->n_users = n;
    }
  g_ptr_array_add (reach->stack, root);
  while (reach->stack->len)
    {
      FbUop *uop = g_ptr_array_steal_index_fast (reach->stack, reach->stack->len - 1);

      /* sources have smaller ids */
      if (reach->users[uop->id]++)
        continue;
      reach->n_nodes++;
      for (guint i = 0; i < uop->n_src; i++)
        g_ptr_array_add (reach->stack, uop->src[i]);
    }
}

static void
drop (FbVizReach *reach, FbUop *root)
{
  g_ptr_array_add (reach->stack, root);
  while (reach->stack->len)
    {
      FbUop *uop = g_ptr_array_steal_index_fast (reach->stack, reach->stack->len - 1);

      if (--reach->users[uop->id])
        continue;
      reach->n_nodes--;
      for (guint i = 0; i < uop->n_src; i++)
        g_ptr_array_add (reach->stack, uop->src[i]);
    }
}

guint
fb_viz_reach_count (FbVizReach *reach, FbUop *root)
{
  add (reach, root);
  if (reach->root)
    drop (reach, reach->root);
  reach->root = root;
  return reach->n_nodes;
}
