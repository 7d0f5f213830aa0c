/* From a state to a graph: which nodes it hides, which share a card. */
#include "app/view-kernels.h"

#include <string.h>

/* A chain of fewer nodes is not worth a card. */
#define CHAIN_LEAST 3

typedef struct
{
  const FbViewState *state;
  FbGraph *whole;
  const FbGraph *before;
  FbKernelMap *kernels;
  guint32 n;
  guint32 *match; /* of each node its number in @before; NULL: nothing to follow */
  guint8 *hidden, *opened, *realized;
  guint32 *group, *kernel;
  GArray *groups; /* of FbGroup */
} Apply;

/* Nodes of the set: those it knows, and what they became; it learns their keys. */
static gboolean
find_members (const Apply *a, FbNodeSet *set, guint8 *members)
{
  gboolean any = FALSE;

  for (guint32 i = 0; i < a->n; i++)
    {
      const FbGraphNode *node = &a->whole->nodes[i];
      members[i]
          = fb_node_set_has (set, node->key) || (node->was_key && fb_node_set_has (set, node->was_key))
            || (a->match && a->match[i] != FB_GRAPH_NONE && fb_node_set_has (set, a->before->nodes[a->match[i]].key));
    }
  for (guint32 i = 0; i < a->n; i++)
    {
      guint32 to = a->whole->nodes[i].becomes;
      if (members[i] && to != FB_GRAPH_NONE && a->whole->nodes[to].mark == FB_MARK_NEW)
        members[to] = TRUE;
    }
  for (guint32 i = 0; i < a->n; i++)
    if (members[i])
      {
        fb_node_set_add (set, a->whole->nodes[i].key);
        any = TRUE;
      }
  return any;
}

gboolean
fb_view_state_has_focus (const FbViewState *state, const FbGraph *whole)
{
  for (guint32 i = 0; state->focus && i < whole->n_nodes; i++)
    if (fb_node_set_has (state->focus, whole->nodes[i].key))
      return TRUE;
  return FALSE;
}

static void
hide (Apply *a)
{
  g_autofree guint8 *members = g_new0 (guint8, MAX (a->n, 1));

  for (guint k = 0; k < a->state->hidden->len; k++)
    {
      find_members (a, g_ptr_array_index (a->state->hidden, k), members);
      for (guint32 i = 0; i < a->n; i++)
        a->hidden[i] |= members[i];
    }
  if (!a->state->focus || !find_members (a, a->state->focus, members))
    return;
  fb_graph_grow (a->whole, members, a->state->radius);
  for (guint32 i = 0; i < a->n; i++)
    a->hidden[i] |= !members[i];
}

static void
add_sets (Apply *a)
{
  g_autofree guint8 *members = g_new0 (guint8, MAX (a->n, 1));

  for (guint k = 0; k < a->state->groups->len; k++)
    {
      FbNodeSet *set = g_ptr_array_index (a->state->groups, k);
      FbGroup group = fb_node_set_group (set);
      if (!find_members (a, set, members))
        continue;
      fb_graph_close (a->whole, members);
      for (guint32 i = 0; i < a->n; i++)
        if (members[i] && a->group[i] == FB_GRAPH_NONE)
          a->group[i] = a->groups->len;
      g_array_append_val (a->groups, group);
    }
  for (guint k = 0; k < a->state->opened->len; k++)
    {
      find_members (a, g_ptr_array_index (a->state->opened, k), members);
      for (guint32 i = 0; i < a->n; i++)
        a->opened[i] |= members[i];
    }
}

/* Gives each node with a number in @part, which counts from 0, the group of that number, unless one of them was opened. */
static void
add_parts (Apply *a, const guint32 *part, guint32 n_parts, FbGroupKind kind)
{
  g_autofree guint8 *open = g_new0 (guint8, MAX (n_parts, 1));
  g_autofree guint32 *number = g_new (guint32, MAX (n_parts, 1));
  g_autofree guint32 *last = g_new (guint32, MAX (n_parts, 1));

  memset (last, 0xff, n_parts * sizeof *last);
  for (guint32 i = 0; i < a->n; i++)
    if (part[i] < n_parts)
      {
        open[part[i]] |= a->opened[i];
        last[part[i]] = i;
      }
  for (guint32 k = 0; k < n_parts; k++)
    {
      if (open[k] || last[k] == FB_GRAPH_NONE)
        continue;
      number[k] = a->groups->len;
      guint64 key = kind == FB_GROUP_KERNEL ? k + 1 : a->whole->nodes[last[k]].key;
      FbGroup group
          = { kind, (key ^ kind) * G_GUINT64_CONSTANT (0xD6E8FEB86659FD93), kind == FB_GROUP_KERNEL ? k + 1 : 0 };
      g_array_append_val (a->groups, group);
    }
  for (guint32 i = 0; i < a->n; i++)
    if (part[i] < n_parts && !open[part[i]] && a->group[i] == FB_GRAPH_NONE)
      a->group[i] = number[part[i]];
}

static void
add_kernels (Apply *a)
{
  guint32 most = 0;

  if (!a->kernels || !(a->state->kernels || a->state->frames))
    return;
  a->kernel = g_new0 (guint32, MAX (a->n, 1));
  a->realized = g_new0 (guint8, MAX (a->n, 1));
  fb_kernel_map_label (a->kernels, a->whole, a->kernel, a->realized);
  if (!a->state->kernels)
    return;
  g_autofree guint32 *part = g_new (guint32, MAX (a->n, 1));
  for (guint32 i = 0; i < a->n; i++)
    {
      part[i] = a->kernel[i] ? a->kernel[i] - 1 : FB_GRAPH_NONE;
      most = MAX (most, a->kernel[i]);
    }
  add_parts (a, part, most, FB_GROUP_KERNEL);
}

static void
add_chains (Apply *a)
{
  if (!a->state->chains)
    return;
  g_autofree guint32 *chain = g_new (guint32, MAX (a->n, 1));
  guint32 n_chains = fb_graph_chains (a->whole, CHAIN_LEAST, chain);
  for (guint32 i = 0; i < a->n; i++)
    if (a->group[i] != FB_GRAPH_NONE)
      chain[i] = FB_GRAPH_NONE;
  add_parts (a, chain, n_chains, FB_GROUP_CHAIN);
}

FbGraph *
fb_view_state_apply (const FbViewState *state, FbGraph *whole, const FbGraph *before, FbKernelMap *kernels)
{
  Apply a = { .state = state, .whole = whole, .before = before, .kernels = kernels, .n = whole->n_nodes };
  guint32 n = MAX (a.n, 1);

  if (fb_view_state_is_plain (state))
    return fb_graph_ref (whole);
  if (before && before != whole)
    a.match = fb_graph_match (whole, before);
  a.hidden = g_new0 (guint8, n);
  a.opened = g_new0 (guint8, n);
  a.group = g_new (guint32, n);
  memset (a.group, 0xff, n * sizeof *a.group);
  a.groups = g_array_new (FALSE, FALSE, sizeof (FbGroup));
  hide (&a);
  add_sets (&a);
  add_kernels (&a);
  add_chains (&a);
  FbShownInput input
      = { a.hidden, a.group, (const FbGroup *) (const void *) a.groups->data, a.groups->len, a.kernel, a.realized };
  FbGraph *shown = fb_graph_new_shown (whole, &input);
  g_free (a.match);
  g_free (a.hidden);
  g_free (a.opened);
  g_free (a.group);
  g_free (a.kernel);
  g_free (a.realized);
  g_array_unref (a.groups);
  return shown ? shown : fb_graph_ref (whole);
}
