#include "graph-private.h"

#include <string.h>

#include "core/ir/text.h"

/* More chips than this are told as a count. */
#define CHIPS_MAX 6
/* Characters on a card, and in the text that is shown on hover: what a file holds can be of any length. */
#define CHIP_MAX 24
#define TYPE_MAX 80
#define FULL_MAX 2000

/* A node of the core before it is known whether it gets a card. */
typedef struct
{
  FbUop *uop;
  FbUop *was;
  FbMark mark;
  gboolean folded;
  guint64 key, was_key;
} Item;

typedef struct
{
  FbContext *context;
  FbGraphFull *full;
  Item *items;
  guint32 n_items;
  guint32 *card; /* item -> node, FB_GRAPH_NONE when folded */
  FbUop *root;
  FbUop *before, *after; /* the match, or NULL */
  GArray *edges;
  GString *text;
  GHashTable *numbers; /* hash of a plain number -> NumberText: a graph has many constants, and few values */
} Builder;

typedef struct
{
  FbArg value;
  const char *text, *full; /* kept by the graph */
} NumberText;

static gboolean
is_left (FbMark mark)
{
  return mark == FB_MARK_REPLACED || mark == FB_MARK_GONE;
}

static gboolean
source_is_folded (Builder *b, const FbUop *uop)
{
  guint32 i = fb_uop_map_get (&b->full->map, uop);
  return i != FB_GRAPH_NONE && b->items[i].folded;
}

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
folds (Builder *b, const Item *item)
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
        if (!source_is_folded (b, uop->src[i]) || is_masked (uop->src[i]))
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
  return uop->n_src == 1 && source_is_folded (b, uop->src[0]) && fb_graph_constant_of (uop->src[0]);
}

/* @former: versions before the step that are no items themselves, to the item that replaced them. */
static guint64
key_of (Builder *b, const FbUopMap *former, const FbUop *uop)
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
set_items (Builder *b)
{
  FbUopMap former;
  guint32 n_former = 0;

  for (guint32 i = 0; i < b->n_items; i++)
    n_former += b->items[i].was != NULL;
  fb_uop_map_init (&former, n_former);
  fb_uop_map_init (&b->full->map, b->n_items);
  for (guint32 i = 0; i < b->n_items; i++)
    {
      Item *item = &b->items[i];

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

/* The text so far, kept for the life of the graph. Bytes of a file that are no UTF-8 become replacement characters. */
static const char *
keep (Builder *b)
{
  if (b->text->len == 0)
    return "";
  if (g_utf8_validate_len (b->text->str, b->text->len, NULL))
    return g_string_chunk_insert_len (b->full->texts, b->text->str, (gssize) b->text->len);
  g_autofree char *valid = g_utf8_make_valid (b->text->str, (gssize) b->text->len);
  return g_string_chunk_insert (b->full->texts, valid);
}

/* The texts of a number, made once for each value that fits a word. */
static NumberText
number_texts (Builder *b, FbArg value)
{
  gboolean plain = value.kind == FB_ARG_INT || value.kind == FB_ARG_FLOAT || value.kind == FB_ARG_BOOL;
  guint64 bits = 0;
  NumberText texts = { .value = value };

  if (plain)
    {
      /* the bits of a float, so that 0.0 and -0.0 are two */
      bits = (guint64) value.i ^ (guint64) value.kind * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
      const NumberText *known = g_hash_table_lookup (b->numbers, &bits);
      if (known && known->value.kind == value.kind && known->value.i == value.i)
        return *known;
    }
  g_string_truncate (b->text, 0);
  fb_graph_append_number (value, b->text);
  fb_graph_cut (b->text, 0, CHIP_MAX);
  texts.text = keep (b);
  g_string_truncate (b->text, 0);
  fb_arg_append_repr (b->context, value, b->text);
  fb_graph_cut (b->text, 0, FULL_MAX);
  texts.full = keep (b);
  if (plain)
    g_hash_table_insert (b->numbers, g_memdup2 (&bits, sizeof bits), g_memdup2 (&texts, sizeof texts));
  return texts;
}

static FbGraphChip
make_chip (Builder *b, FbUop *source, guint32 port, gboolean indexed)
{
  NumberText texts = number_texts (b, fb_graph_constant_of (source)->arg);
  FbGraphChip chip = { .uop = source, .port = port, .text = texts.text, .full = texts.full };

  if (indexed)
    {
      g_string_printf (b->text, "#%u %s", port, texts.text);
      fb_graph_cut (b->text, 0, CHIP_MAX);
      chip.text = keep (b);
    }
  return chip;
}

/* A source that shows as a chip: not devices and the like. */
static gboolean
is_chip (Builder *b, const FbUop *source)
{
  return source_is_folded (b, source) && fb_graph_constant_of (source);
}

static void
add_chips (Builder *b, FbGraphNode *node, GArray *chips)
{
  FbUop *uop = node->uop;
  gboolean indexed = fb_graph_order_counts (uop);
  guint32 n = 0;

  /* a constant that has a card shows its value the same way */
  if (fb_op_like (uop->op) == FB_OP_CONST || uop->op == FB_OP_VCONST)
    {
      FbGraphChip chip = make_chip (b, uop, FB_GRAPH_NONE, FALSE);
      g_array_append_val (chips, chip);
      node->n_chips++;
      return;
    }
  for (guint32 s = 0; s < uop->n_src; s++)
    n += is_chip (b, uop->src[s]);
  guint32 shown = n > CHIPS_MAX ? CHIPS_MAX - 1 : n;
  for (guint32 s = 0; s < uop->n_src && node->n_chips < shown; s++)
    if (is_chip (b, uop->src[s]))
      {
        FbGraphChip chip = make_chip (b, uop->src[s], s, indexed);
        g_array_append_val (chips, chip);
        node->n_chips++;
      }
  if (n > shown)
    {
      FbGraphChip chip = { .port = FB_GRAPH_NONE };
      g_string_printf (b->text, "+%u", n - shown);
      chip.text = keep (b);
      g_string_printf (b->text, "%u more constants", n - shown);
      chip.full = keep (b);
      g_array_append_val (chips, chip);
      node->n_chips++;
    }
}

static void
make_nodes (Builder *b)
{
  FbGraph *graph = &b->full->graph;
  g_autoptr (GArray) chips = g_array_new (FALSE, FALSE, sizeof (FbGraphChip));
  guint32 n = 0;

  b->card = g_new (guint32, MAX (b->n_items, 1));
  for (guint32 i = 0; i < b->n_items; i++)
    b->card[i] = b->items[i].folded ? FB_GRAPH_NONE : n++;
  graph->n_nodes = n;
  graph->n_folded = b->n_items - n;
  graph->nodes = g_new0 (FbGraphNode, MAX (n, 1));
  for (guint32 i = 0; i < b->n_items; i++)
    {
      const Item *item = &b->items[i];
      if (item->folded)
        continue;
      FbGraphNode *node = &graph->nodes[b->card[i]];
      node->uop = item->uop;
      node->op = item->uop->op;
      node->kind = fb_op_kind (node->op);
      node->mark = item->mark;
      node->key = item->key;
      node->was_key = item->was_key;
      node->becomes = FB_GRAPH_NONE;
      node->n_members = 1;
      node->title = fb_op_name (node->op);
      g_string_truncate (b->text, 0);
      fb_graph_append_argument (b->context, item->uop, b->text);
      node->argument = keep (b);
      g_string_truncate (b->text, 0);
      fb_graph_append_type (b->context, item->uop, b->text);
      fb_graph_cut (b->text, 0, TYPE_MAX);
      node->type = keep (b);
      add_chips (b, node, chips);
      graph->n_marks[item->mark]++;
      if (item->uop == b->root)
        graph->root = b->card[i];
    }

  /* the array has stopped moving: let the nodes point into it */
  b->full->chips = (FbGraphChip *) g_array_steal (chips, NULL);
  FbGraphChip *next = b->full->chips;
  for (guint32 i = 0; i < n; i++)
    {
      graph->nodes[i].chips = next;
      next += graph->nodes[i].n_chips;
    }
}

static guint32
card_of (Builder *b, const FbUop *uop)
{
  guint32 i = fb_uop_map_get (&b->full->map, uop);
  return i != FB_GRAPH_NONE ? b->card[i] : FB_GRAPH_NONE;
}

static FbEdgeState
state_of_edge (Builder *b, const Item *user, const FbGraphNode *source, guint32 port)
{
  if (is_left (user->mark) || is_left (source->mark))
    return FB_EDGE_REPLACED;
  if (user->mark == FB_MARK_NEW || source->mark == FB_MARK_NEW)
    return FB_EDGE_NEW;
  if (user->mark == FB_MARK_REBUILT && user->was && port < user->was->n_src && user->was->src[port] == b->before
      && source->uop == b->after)
    return FB_EDGE_NEW;
  return FB_EDGE_SAME;
}

static void
make_edges (Builder *b)
{
  FbGraph *graph = &b->full->graph;

  for (guint32 i = 0; i < b->n_items; i++)
    {
      const Item *item = &b->items[i];
      guint32 user = b->card[i];
      if (user == FB_GRAPH_NONE)
        continue;
      graph->nodes[user].first_in = b->edges->len;
      for (guint32 port = 0; port < item->uop->n_src; port++)
        {
          guint32 source = card_of (b, item->uop->src[port]);
          if (source != FB_GRAPH_NONE)
            {
              FbGraphEdge edge = { source, user, port, state_of_edge (b, item, &graph->nodes[source], port) };
              g_array_append_val (b->edges, edge);
            }
          /* what the port had before the step, so that the way into and out of the replaced node shows */
          if (graph->view == FB_GRAPH_OVERLAY && item->was && port < item->was->n_src
              && item->was->src[port] != item->uop->src[port])
            {
              guint32 old = card_of (b, item->was->src[port]);
              if (old != FB_GRAPH_NONE && old != user && is_left (graph->nodes[old].mark))
                {
                  FbGraphEdge edge = { old, user, port, FB_EDGE_REPLACED };
                  g_array_append_val (b->edges, edge);
                }
            }
        }
      graph->nodes[user].n_in = b->edges->len - graph->nodes[user].first_in;
    }
}

gboolean
fb_graph_index_edges (FbGraph *graph, const FbGraphEdge *edges, guint32 n_edges)
{
  guint32 first = 0, done = 0, head = 0;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    graph->nodes[i].n_users = graph->nodes[i].n_out = 0;
  for (guint32 e = 0; e < n_edges; e++)
    graph->nodes[edges[e].source].n_users++;
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      graph->nodes[i].first_out = first;
      first += graph->nodes[i].n_users;
    }
  g_free (graph->out);
  graph->out = g_new (guint32, MAX (n_edges, 1));
  for (guint32 e = 0; e < n_edges; e++)
    {
      FbGraphNode *node = &graph->nodes[edges[e].source];
      graph->out[node->first_out + node->n_out++] = e;
    }

  g_autofree guint32 *waiting = g_new (guint32, MAX (graph->n_nodes, 1));
  g_autofree guint32 *queue = g_new (guint32, MAX (graph->n_nodes, 1));
  for (guint32 i = 0; i < graph->n_nodes; i++)
    if ((waiting[i] = graph->nodes[i].n_in) == 0)
      queue[done++] = i;
  while (head < done)
    {
      const FbGraphNode *node = &graph->nodes[queue[head++]];
      for (guint32 k = 0; k < node->n_out; k++)
        {
          guint32 user = edges[graph->out[node->first_out + k]].user;
          if (--waiting[user] == 0)
            queue[done++] = user;
        }
    }
  return done == graph->n_nodes;
}

/* FALSE when a cycle is left: only the edges from a node to a rebuilt user that it no longer feeds can close one (the user,
 * rebuilt, may be an old node that the replaced one is made of). */
static gboolean
index_edges (Builder *b)
{
  return fb_graph_index_edges (&b->full->graph, (const FbGraphEdge *) (void *) b->edges->data, b->edges->len);
}

static gboolean
is_former (const FbGraph *graph, const FbGraphEdge *edge)
{
  const FbGraphNode *user = &graph->nodes[edge->user];
  return edge->state == FB_EDGE_REPLACED
         && (edge->port >= user->uop->n_src || user->uop->src[edge->port] != graph->nodes[edge->source].uop);
}

static void
drop_former_edges (Builder *b)
{
  FbGraph *graph = &b->full->graph;
  FbGraphEdge *edges = (FbGraphEdge *) (void *) b->edges->data;
  guint32 kept = 0;

  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      FbGraphNode *node = &graph->nodes[i];
      guint32 begin = node->first_in, end = begin + node->n_in;
      node->first_in = kept;
      for (guint32 e = begin; e < end; e++)
        if (!is_former (graph, &edges[e]))
          edges[kept++] = edges[e];
      node->n_in = kept - node->first_in;
    }
  g_array_set_size (b->edges, kept);
}

/* Folded nodes belong to the first user that has a card; nodes that are still there come before those that are gone. */
static void
find_hosts (Builder *b)
{
  guint32 *host = b->full->host = g_new (guint32, MAX (b->n_items, 1));

  memcpy (host, b->card, b->n_items * sizeof *host);
  for (int gone = 0; gone <= 1; gone++)
    for (guint32 i = b->n_items; i-- > 0;)
      {
        const Item *item = &b->items[i];
        if (host[i] == FB_GRAPH_NONE || (!gone && is_left (item->mark)))
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
build (Builder *b, FbGraphView view)
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
  make_nodes (b);
  make_edges (b);
  if (!index_edges (b))
    {
      drop_former_edges (b);
      index_edges (b);
    }
  for (guint32 i = 0; i < graph->n_nodes; i++)
    graph->nodes[i].hub = graph->nodes[i].n_users > FB_GRAPH_HUB_USERS;
  if (b->before && b->after)
    {
      guint32 from = card_of (b, b->before), to = card_of (b, b->after);
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
fb_graph_new_from_nodes (FbContext *context, FbUop *const *uops, guint32 n, FbUop *root)
{
  Builder b = { .context = context, .root = root, .n_items = n };

  b.items = g_new0 (Item, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    b.items[i].uop = uops[i];
  return build (&b, FB_GRAPH_AFTER);
}

FbGraph *
fb_graph_new_from_sink (FbContext *context, FbUop *sink)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (context, sink);
  return fb_graph_new_from_nodes (context, (FbUop *const *) order->pdata, order->len, sink);
}

/* The graph before the step, with the marks of what the step takes away. */
static void
set_items_before (Builder *b, const FbStep *step)
{
  g_autoptr (GPtrArray) order = fb_uop_toposort (b->context, step->before_sink);
  FbUopMap left = { 0 };

  fb_uop_map_init (&left, step->nodes->len);
  for (guint i = 0; i < step->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);
      if (is_left (node->mark))
        fb_uop_map_put (&left, node->node, node->mark);
    }
  b->n_items = order->len;
  b->items = g_new0 (Item, MAX (order->len, 1));
  for (guint i = 0; i < order->len; i++)
    {
      FbUop *uop = g_ptr_array_index (order, i);
      guint32 mark = fb_uop_map_get (&left, uop);
      b->items[i] = (Item){ .uop = uop, .mark = mark == FB_GRAPH_NONE ? FB_MARK_SAME : (FbMark) mark };
    }
  fb_uop_map_clear (&left);
}

FbGraph *
fb_graph_new_from_step (FbContext *context, const FbStep *step, FbGraphView view)
{
  Builder b = { .context = context, .before = step->before, .after = step->after };

  if (view == FB_GRAPH_BEFORE)
    {
      b.root = step->before_sink;
      set_items_before (&b, step);
      return build (&b, view);
    }
  b.root = step->after_sink;
  b.items = g_new0 (Item, MAX (step->nodes->len, 1));
  for (guint i = 0; i < step->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (step->nodes, FbStepNode, i);
      if (view == FB_GRAPH_AFTER && is_left (node->mark))
        continue;
      b.items[b.n_items++] = (Item){ .uop = node->node, .was = node->was, .mark = node->mark };
    }
  return build (&b, view);
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
