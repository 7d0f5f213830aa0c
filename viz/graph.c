#include "graph-build.h"

#include <string.h>

/* A mask makes zeros of some elements: no longer one constant. */
static gboolean
is_masked (const FbUop *uop)
{
  if (uop->op != FB_OP_VIEW)
    return FALSE;
  if (uop->arg.kind != FB_ARG_ST)
    return TRUE;
  for (guint i = 0; i < uop->arg.st->n; i++)
    if (uop->arg.st->views[i]->mask)
      return TRUE;
  return FALSE;
}

/* Folds: devices, unique numbers, shapes without a source, constants with what only gives them a device and a shape. What the step itself is about always
 * has a card, and so has what hangs on it. */
static gboolean
folds (FbGraphBuilder *b, const FbGraphItem *item)
{
  const FbUop *uop = item->uop;

  if (uop == b->root || uop == b->before || uop == b->after || item->mark == FB_MARK_REPLACED)
    return FALSE;
  switch (fb_op_like (uop->op))
    {
    case FB_OP_DEVICE:
    case FB_OP_UNIQUE:
      return TRUE;
    case FB_OP_CONST:
    case FB_OP_VCONST:
      for (guint32 i = 0; i < uop->n_src; i++)
        if (!fb_graph_source_is_folded (b, uop->src[i]) || is_masked (uop->src[i]))
          return FALSE;
      return TRUE;
    case FB_OP_VIEW:
      /* only a shape: on a device, or in a kernel, where LOAD and STORE tell it */
      if (uop->n_src == 0 || (uop->n_src == 1 && uop->src[0]->op == FB_OP_DEVICE))
        return TRUE;
      if (is_masked (uop))
        return FALSE;
      break;
    case FB_OP_RESHAPE:
    case FB_OP_EXPAND:
      break;
    default:
      return FALSE;
    }
  return uop->n_src == 1 && fb_graph_source_is_folded (b, uop->src[0]) && fb_graph_constant_of (uop->src[0]);
}

/* @former: versions before the step that are no items themselves, to the item that replaced them. */
static guint64
key_of (FbGraphBuilder *b, const FbUopMap *former, const FbUop *uop)
{
  guint64 key = fb_graph_own_key (uop);

  for (guint32 s = 0; s < uop->n_src; s++)
    {
      guint32 j = fb_uop_map_get (&b->full->map, uop->src[s]), k;
      guint64 word = 1;
      if (j != FB_GRAPH_NONE)
        word = b->items[j].key;
      else if ((k = fb_uop_map_get (former, uop->src[s])) != FB_GRAPH_NONE)
        word = b->items[k].was_key;
      key = (key ^ word) * G_GUINT64_CONSTANT (0xD6E8FEB86659FD93);
      key ^= key >> 31;
    }
  return key;
}

static void
set_items (FbGraphBuilder *b)
{
  FbUopMap former;
  guint32 n_former = 0;

  for (guint32 i = 0; i < b->n_items; i++)
    n_former += b->items[i].was != NULL;
  fb_uop_map_init (&former, n_former);
  fb_uop_map_init (&b->full->map, b->n_items);
  for (guint32 i = 0; i < b->n_items; i++)
    {
      FbGraphItem *item = &b->items[i];

      fb_uop_map_put (&b->full->map, item->uop, i);
      item->key = key_of (b, &former, item->uop);
      item->folded = folds (b, item);
    }
  /* after all items: a former version may be made of what is gone, which is listed last */
  for (guint32 i = 0; i < b->n_items; i++)
    if (b->items[i].was)
      {
        b->items[i].was_key = key_of (b, &former, b->items[i].was);
        fb_uop_map_put (&former, b->items[i].was, i);
      }
  fb_uop_map_clear (&former);
}

/* Touched nodes that are folded, and what is folded over them, as a step that is about them shows it. */
static void
show_touched (FbGraphBuilder *b, guint8 *touched)
{
  for (guint32 i = 0; i < b->n_items; i++)
    {
      FbGraphItem *item = &b->items[i];
      item->shown = item->folded && touched[i];
      for (guint32 s = 0; s < item->uop->n_src && item->folded && !item->shown; s++)
        {
          guint32 j = fb_uop_map_get (&b->full->map, item->uop->src[s]);
          item->shown = j != FB_GRAPH_NONE && b->items[j].shown;
        }
      touched[i] = item->shown;
    }
}

/* Folded nodes belong to the first user that has a card; nodes that are still there come before those that are gone. */
static void
find_hosts (FbGraphBuilder *b)
{
  guint32 *host = b->full->host = g_new (guint32, MAX (b->n_items, 1));

  memcpy (host, b->card, b->n_items * sizeof *host);
  for (int gone = 0; gone <= 1; gone++)
    for (guint32 i = b->n_items; i-- > 0;)
      {
        const FbGraphItem *item = &b->items[i];
        if (host[i] == FB_GRAPH_NONE || (!gone && fb_graph_is_left (item->mark)))
          continue;
        for (guint32 s = 0; s < item->uop->n_src; s++)
          {
            guint32 j = fb_uop_map_get (&b->full->map, item->uop->src[s]);
            if (j != FB_GRAPH_NONE && host[j] == FB_GRAPH_NONE)
              host[j] = host[i];
          }
      }
}

/* Takes b->items. */
static FbGraph *
build (FbGraphBuilder *b, FbGraphView view, guint8 *touched)
{
  FbGraphFull *full = b->full = g_new0 (FbGraphFull, 1);
  FbGraph *graph = &full->graph;

  full->ref_count = 1;
  full->n_items = b->n_items;
  full->texts = g_string_chunk_new (4096);
  graph->view = view;
  b->text = g_string_new (NULL);
  b->numbers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  b->edges = g_array_new (FALSE, FALSE, sizeof (FbGraphEdge));

  set_items (b);
  if (touched)
    show_touched (b, touched);
  fb_graph_make_nodes (b);
  fb_graph_make_edges (b);
  for (guint32 i = 0; i < graph->n_nodes; i++)
    graph->nodes[i].hub = graph->nodes[i].n_users > FB_GRAPH_HUB_USERS;
  if (b->before && b->after)
    {
      guint32 from = fb_graph_card_of (b, b->before), to = fb_graph_card_of (b, b->after);
      if (from != FB_GRAPH_NONE && to != FB_GRAPH_NONE && from != to && graph->nodes[from].mark == FB_MARK_REPLACED)
        graph->nodes[from].becomes = to;
    }
  find_hosts (b);

  graph->n_edges = b->edges->len;
  graph->edges = (FbGraphEdge *) (void *) g_array_free (b->edges, FALSE);
  g_string_free (b->text, TRUE);
  g_hash_table_unref (b->numbers);
  g_free (b->card);
  g_free (b->items);
  return graph;
}

FbGraph *
fb_graph_new_from_nodes (FbContext *context, FbUop *const *uops, guint32 n, FbUop *root, guint8 *touched)
{
  FbGraphBuilder b = { .context = context, .root = root, .n_items = n };

  b.items = g_new0 (FbGraphItem, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    b.items[i].uop = uops[i];
  return build (&b, FB_GRAPH_AFTER, touched);
}

FbGraph *
fb_graph_new_from_sink (FbContext *context, FbUop *sink)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (context, sink);
  return fb_graph_new_from_nodes (context, (FbUop *const *) order->pdata, order->len, sink, NULL);
}

/* The graph before the step, with the marks of what the step takes away. */
static void
set_items_before (FbGraphBuilder *b, const FbStep *step)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (b->context, step->before_sink);
  FbUopMap left = { 0 };

  fb_uop_map_init (&left, step->nodes->len);
  for (guint i = 0; i < step->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);
      if (fb_graph_is_left (node->mark))
        fb_uop_map_put (&left, node->node, node->mark);
    }
  b->n_items = order->len;
  b->items = g_new0 (FbGraphItem, MAX (order->len, 1));
  for (guint i = 0; i < order->len; i++)
    {
      FbUop *uop = g_ptr_array_index (order, i);
      guint32 mark = fb_uop_map_get (&left, uop);
      b->items[i] = (FbGraphItem){ .uop = uop, .mark = mark == FB_GRAPH_NONE ? FB_MARK_SAME : (FbMark) mark };
    }
  fb_uop_map_clear (&left);
}

FbGraph *
fb_graph_new_from_step (FbContext *context, const FbStep *step, FbGraphView view)
{
  FbGraphBuilder b = { .context = context, .before = step->before, .after = step->after };

  if (view == FB_GRAPH_BEFORE)
    {
      b.root = step->before_sink;
      set_items_before (&b, step);
      return build (&b, view, NULL);
    }
  b.root = step->after_sink;
  b.items = g_new0 (FbGraphItem, MAX (step->nodes->len, 1));
  for (guint i = 0; i < step->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);
      if (view == FB_GRAPH_AFTER && fb_graph_is_left (node->mark))
        continue;
      b.items[b.n_items++] = (FbGraphItem){ .uop = node->node, .was = node->was, .mark = node->mark };
    }
  return build (&b, view, NULL);
}

FbGraph *
fb_graph_ref (FbGraph *graph)
{
  g_atomic_int_inc (&((FbGraphFull *) graph)->ref_count);
  return graph;
}

void
fb_graph_unref (FbGraph *graph)
{
  FbGraphFull *full = (FbGraphFull *) graph;

  if (!graph || !g_atomic_int_dec_and_test (&full->ref_count))
    return;
  g_free (graph->nodes);
  g_free (graph->edges);
  g_free (graph->out);
  g_clear_pointer (&full->whole, fb_graph_unref);
  g_free (full->shown_in);
  g_string_chunk_free (full->texts);
  g_free (full->chips);
  fb_uop_map_clear (&full->map);
  g_free (full->host);
  g_free (full);
}

guint32
fb_graph_find (const FbGraph *graph, const FbUop *uop)
{
  const FbGraphFull *full = (const FbGraphFull *) graph;
  if (full->whole)
    {
      guint32 node = fb_graph_find (full->whole, uop);
      return node != FB_GRAPH_NONE ? full->shown_in[node] : FB_GRAPH_NONE;
    }
  guint32 i = uop ? fb_uop_map_get (&full->map, uop) : FB_GRAPH_NONE;
  return i != FB_GRAPH_NONE ? full->host[i] : FB_GRAPH_NONE;
}

gboolean
fb_graph_is_folded (const FbGraph *graph, const FbUop *uop)
{
  const FbGraphFull *full = (const FbGraphFull *) graph;
  if (full->whole)
    return fb_graph_is_folded (full->whole, uop);
  guint32 node = fb_graph_find (graph, uop);
  if (node != FB_GRAPH_NONE)
    return graph->nodes[node].uop != uop;
  return uop && fb_uop_map_get (&full->map, uop) != FB_GRAPH_NONE;
}
