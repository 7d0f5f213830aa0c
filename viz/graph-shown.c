#include "graph-shown.h"

#include <string.h>

#include "graph-private.h"

/* What gets a card is a unit: a node (by its number), or a group (n_nodes and up). */
typedef struct
{
  FbGraph *whole;
  const FbShownInput *in;
  guint32 n, n_units;
  guint32 *unit;            /* of each node, or FB_GRAPH_NONE when it is hidden */
  guint32 *first, *members; /* nodes of each unit: members[first[u] .. first[u + 1]) */
  guint8 *apart;            /* of each group: shown member by member */
  guint32 *order;           /* units, sources first */
  guint32 n_order;
  guint32 *card; /* of each unit, its place in the order */
} Shower;

static gboolean
is_group (const Shower *s, guint32 unit)
{
  return unit >= s->n;
}

static void
set_units (Shower *s)
{
  guint32 n_groups = s->n_units - s->n;
  g_autofree guint32 *size = g_new0 (guint32, MAX (n_groups, 1));

  for (guint32 i = 0; i < s->n; i++)
    {
      guint32 group = s->in->group ? s->in->group[i] : FB_GRAPH_NONE;
      gboolean hidden = s->in->hidden && s->in->hidden[i];
      s->unit[i] = hidden ? FB_GRAPH_NONE : i;
      if (!hidden && group < n_groups && !s->apart[group])
        {
          s->unit[i] = s->n + group;
          size[group]++;
        }
    }
  for (guint32 i = 0; i < s->n; i++)
    if (s->unit[i] != FB_GRAPH_NONE && is_group (s, s->unit[i]) && size[s->unit[i] - s->n] == 1
        && s->in->groups[s->unit[i] - s->n].kind != FB_GROUP_KERNEL)
      s->unit[i] = i;
}

static void
list_members (Shower *s)
{
  memset (s->first, 0, ((gsize) s->n_units + 1) * sizeof *s->first);
  for (guint32 i = 0; i < s->n; i++)
    if (s->unit[i] != FB_GRAPH_NONE)
      s->first[s->unit[i]]++;
  for (guint32 u = 0, sum = 0; u <= s->n_units; u++)
    {
      sum += s->first[u];
      s->first[u] = sum;
    }
  for (guint32 i = s->n; i-- > 0;)
    if (s->unit[i] != FB_GRAPH_NONE)
      s->members[--s->first[s->unit[i]]] = i;
}

/* Units, sources first, into @order; fewer than there are when some lie on or behind a cycle. */
static guint32
sort_units (Shower *s)
{
  g_autofree guint32 *waiting = g_new0 (guint32, MAX (s->n_units, 1));
  guint32 n = 0;

  for (guint32 e = 0; e < s->whole->n_edges; e++)
    {
      guint32 from = s->unit[s->whole->edges[e].source], to = s->unit[s->whole->edges[e].user];
      if (from != to && from != FB_GRAPH_NONE && to != FB_GRAPH_NONE)
        waiting[to]++;
    }
  for (guint32 u = 0; u < s->n_units; u++)
    if (waiting[u] == 0 && s->first[u + 1] > s->first[u])
      s->order[n++] = u;
  for (guint32 head = 0; head < n; head++)
    for (guint32 k = s->first[s->order[head]]; k < s->first[s->order[head] + 1]; k++)
      {
        const FbGraphNode *node = &s->whole->nodes[s->members[k]];
        for (guint32 j = 0; j < node->n_out; j++)
          {
            guint32 user = s->unit[s->whole->edges[s->whole->out[node->first_out + j]].user];
            if (user != s->order[head] && user != FB_GRAPH_NONE && --waiting[user] == 0)
              s->order[n++] = user;
          }
      }
  return n;
}

/* The next user of a unit, from the place where the last one was; FB_GRAPH_NONE when there are no more. */
static guint32
next_user (const Shower *s, guint32 unit, guint32 *member, guint32 *edge)
{
  for (; *member < s->first[unit + 1]; (*member)++, *edge = 0)
    {
      const FbGraphNode *node = &s->whole->nodes[s->members[*member]];
      while (*edge < node->n_out)
        {
          guint32 user = s->unit[s->whole->edges[s->whole->out[node->first_out + (*edge)++]].user];
          if (user != unit && user != FB_GRAPH_NONE)
            return user;
        }
    }
  return FB_GRAPH_NONE;
}

/* Takes the groups apart that can be reached from themselves: those of every strongly connected component (Tarjan's, without
 * recursion). */
static void
split_components (Shower *s)
{
  typedef struct
  {
    guint32 unit, member, edge;
  } Frame;
  guint32 n = s->n_units, n_met = 0, n_stack = 0, n_frames = 0;
  g_autofree guint32 *met = g_new0 (guint32, n), *low = g_new (guint32, n), *stack = g_new (guint32, n);
  g_autofree guint8 *on_stack = g_new0 (guint8, n);
  g_autofree Frame *frames = g_new (Frame, n);

  for (guint32 start = 0; start < n; start++)
    {
      if (met[start] || s->first[start + 1] == s->first[start])
        continue;
      frames[n_frames++] = (Frame){ start, s->first[start], 0 };
      while (n_frames > 0)
        {
          Frame *frame = &frames[n_frames - 1];
          guint32 unit = frame->unit;
          if (!met[unit])
            {
              met[unit] = low[unit] = ++n_met;
              stack[n_stack++] = unit;
              on_stack[unit] = TRUE;
            }
          guint32 user = next_user (s, unit, &frame->member, &frame->edge);
          if (user != FB_GRAPH_NONE)
            {
              if (!met[user])
                frames[n_frames++] = (Frame){ user, s->first[user], 0 };
              else if (on_stack[user])
                low[unit] = MIN (low[unit], met[user]);
              continue;
            }
          if (--n_frames > 0)
            low[frames[n_frames - 1].unit] = MIN (low[frames[n_frames - 1].unit], low[unit]);
          if (low[unit] != met[unit])
            continue;
          gboolean several = stack[n_stack - 1] != unit;
          for (guint32 member = FB_GRAPH_NONE; member != unit;)
            {
              member = stack[--n_stack];
              on_stack[member] = FALSE;
              if (several && is_group (s, member))
                s->apart[member - s->n] = TRUE;
            }
        }
    }
}

/* FALSE when there is no cycle: the order is complete. Else groups were taken apart. */
static gboolean
break_cycles (Shower *s)
{
  guint32 n_used = 0;
  for (guint32 u = 0; u < s->n_units; u++)
    n_used += s->first[u + 1] > s->first[u];
  s->n_order = sort_units (s);
  if (s->n_order == n_used)
    return FALSE;
  split_components (s);
  return TRUE;
}

/* The mark that says most about the members: their own if they agree, else that something inside changed. */
static FbMark
mark_of (const Shower *s, guint32 unit)
{
  FbMark mark = s->whole->nodes[s->members[s->first[unit]]].mark;
  for (guint32 k = s->first[unit]; k < s->first[unit + 1]; k++)
    if (s->whole->nodes[s->members[k]].mark != mark)
      return FB_MARK_REBUILT;
  return mark;
}

/* What stands for the group: what its kernel stores, or the last of its nodes. */
static guint32
stands_for (const Shower *s, guint32 unit)
{
  for (guint32 k = s->first[unit]; k < s->first[unit + 1] && s->in->realized; k++)
    if (s->in->realized[s->members[k]])
      return s->members[k];
  return s->members[s->first[unit + 1] - 1];
}

static FbGraphNode
group_card (Shower *s, FbGraphFull *full, guint32 unit)
{
  const FbGroup *group = &s->in->groups[unit - s->n];
  guint32 best = stands_for (s, unit), n_members = s->first[unit + 1] - s->first[unit];
  FbGraphNode card = s->whole->nodes[best];
  gboolean alu = TRUE;
  char text[48];

  for (guint32 k = s->first[unit]; k < s->first[unit + 1]; k++)
    alu &= s->whole->nodes[s->members[k]].kind == FB_KIND_ALU;
  card.group = group->kind;
  card.n_members = n_members;
  card.mark = mark_of (s, unit);
  card.key = group->key;
  card.was_key = 0;
  card.argument = "";
  card.chips = NULL;
  card.n_chips = 0;
  card.becomes = FB_GRAPH_NONE;
  if (group->kind == FB_GROUP_KERNEL)
    {
      card.kind = FB_KIND_KERNEL;
      g_snprintf (text, sizeof text, "kernel %u", group->number);
      card.title = g_string_chunk_insert (full->texts, text);
    }
  else
    card.title = group->kind == FB_GROUP_CHAIN ? "chain" : "group";
  g_snprintf (text, sizeof text, alu ? "%u ALU" : n_members == 1 ? "%u node" : "%u nodes", n_members);
  card.type = g_string_chunk_insert (full->texts, text);
  return card;
}

static void
make_cards (Shower *s, FbGraphFull *full)
{
  FbGraph *graph = &full->graph;

  graph->n_nodes = s->n_order;
  graph->nodes = g_new0 (FbGraphNode, MAX (s->n_order, 1));
  full->shown_in = g_new (guint32, MAX (s->n, 1));
  for (guint32 c = 0; c < s->n_order; c++)
    s->card[s->order[c]] = c;
  for (guint32 i = 0; i < s->n; i++)
    full->shown_in[i] = s->unit[i] != FB_GRAPH_NONE ? s->card[s->unit[i]] : FB_GRAPH_NONE;
  graph->root = s->n_order - 1;
  if (s->n && full->shown_in[s->whole->root] != FB_GRAPH_NONE)
    graph->root = full->shown_in[s->whole->root];
  for (guint32 c = 0; c < s->n_order; c++)
    {
      FbGraphNode *card = &graph->nodes[c];
      guint32 unit = s->order[c];
      *card = is_group (s, unit) ? group_card (s, full, unit) : s->whole->nodes[unit];
      if (card->becomes != FB_GRAPH_NONE)
        card->becomes = full->shown_in[card->becomes] == c ? FB_GRAPH_NONE : full->shown_in[card->becomes];
      guint32 node = is_group (s, unit) ? stands_for (s, unit) : unit;
      card->kernel = s->in->kernel ? s->in->kernel[node] : 0;
      card->realized = s->in->realized && s->in->realized[node];
      graph->n_marks[card->mark]++;
    }
}

/* Of lines that became one. */
static FbEdgeState
merge (FbEdgeState a, FbEdgeState b)
{
  if (a == FB_EDGE_NEW || b == FB_EDGE_NEW)
    return FB_EDGE_NEW;
  return a == b ? a : FB_EDGE_SAME;
}

static void
make_edges (Shower *s, FbGraph *graph)
{
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (FbGraphEdge));
  g_autofree guint32 *last = g_new (guint32, MAX (s->n_order, 1)); /* edge from a card to the user at hand, + 1 */
  memset (last, 0, s->n_order * sizeof *last);

  for (guint32 c = 0; c < s->n_order; c++)
    {
      FbGraphNode *card = &graph->nodes[c];
      guint32 unit = s->order[c];
      card->first_in = edges->len;
      for (guint32 k = s->first[unit]; k < s->first[unit + 1]; k++)
        {
          const FbGraphNode *node = &s->whole->nodes[s->members[k]];
          for (guint32 j = 0; j < node->n_in; j++)
            {
              FbGraphEdge edge = s->whole->edges[node->first_in + j];
              guint32 source = s->unit[edge.source];
              if (source == unit)
                continue;
              if (source == FB_GRAPH_NONE)
                {
                  card->sources_hidden = TRUE;
                  continue;
                }
              edge.source = s->card[source];
              edge.user = c;
              if ((is_group (s, source) || is_group (s, unit)) && last[edge.source] > card->first_in)
                {
                  FbGraphEdge *same = &g_array_index (edges, FbGraphEdge, last[edge.source] - 1);
                  same->state = merge (same->state, edge.state);
                  continue;
                }
              if (is_group (s, unit))
                edge.port = edges->len - card->first_in;
              g_array_append_val (edges, edge);
              last[edge.source] = edges->len;
            }
          for (guint32 j = 0; j < node->n_out && !card->users_hidden; j++)
            card->users_hidden = s->unit[s->whole->edges[s->whole->out[node->first_out + j]].user] == FB_GRAPH_NONE;
        }
      card->n_in = edges->len - card->first_in;
    }
  graph->n_edges = edges->len;
  graph->edges = (FbGraphEdge *) (void *) g_array_free (g_steal_pointer (&edges), FALSE);
  if (!fb_graph_index_edges (graph, graph->edges, graph->n_edges))
    g_assert_not_reached (); /* cycles were broken before */
  for (guint32 c = 0; c < s->n_order; c++)
    graph->nodes[c].hub = graph->nodes[c].n_users > FB_GRAPH_HUB_USERS;
}

FbGraph *
fb_graph_new_shown (FbGraph *whole, const FbShownInput *input)
{
  Shower s = { .whole = whole, .in = input, .n = whole->n_nodes };
  guint32 n_groups = input->group ? input->n_groups : 0;
  FbGraph *graph = NULL;

  g_return_val_if_fail (!((FbGraphFull *) whole)->whole, NULL);
  s.n_units = s.n + n_groups;
  s.unit = g_new (guint32, MAX (s.n, 1));
  s.first = g_new (guint32, (gsize) s.n_units + 1);
  s.members = g_new (guint32, MAX (s.n, 1));
  s.apart = g_new0 (guint8, MAX (n_groups, 1));
  s.order = g_new (guint32, MAX (s.n_units, 1));
  s.card = g_new (guint32, MAX (s.n_units, 1));
  do
    {
      set_units (&s);
      list_members (&s);
    }
  while (break_cycles (&s));
  if (s.n_order > 0)
    {
      FbGraphFull *full = g_new0 (FbGraphFull, 1);
      full->ref_count = 1;
      full->texts = g_string_chunk_new (256);
      full->whole = fb_graph_ref (whole);
      graph = &full->graph;
      graph->view = whole->view;
      graph->n_folded = whole->n_folded;
      make_cards (&s, full);
      make_edges (&s, graph);
    }
  g_free (s.unit);
  g_free (s.first);
  g_free (s.members);
  g_free (s.apart);
  g_free (s.order);
  g_free (s.card);
  return graph;
}

FbGraph *
fb_graph_get_whole (FbGraph *graph)
{
  FbGraph *whole = ((FbGraphFull *) graph)->whole;
  return whole ? whole : graph;
}

guint32
fb_graph_card_of (const FbGraph *graph, guint32 node)
{
  const FbGraphFull *full = (const FbGraphFull *) graph;
  return full->whole ? full->shown_in[node] : node;
}

guint32
fb_graph_n_hidden (const FbGraph *graph)
{
  const FbGraphFull *full = (const FbGraphFull *) graph;
  guint32 n = 0;
  for (guint32 i = 0; full->whole && i < full->whole->n_nodes; i++)
    n += full->shown_in[i] == FB_GRAPH_NONE;
  return n;
}

void
fb_graph_members (const FbGraph *graph, guint32 card, GArray *nodes)
{
  const FbGraphFull *full = (const FbGraphFull *) graph;
  if (!full->whole)
    g_array_append_val (nodes, card);
  for (guint32 i = 0; full->whole && i < full->whole->n_nodes; i++)
    if (full->shown_in[i] == card)
      g_array_append_val (nodes, i);
}
