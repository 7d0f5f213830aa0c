#include "lineage.h"

typedef struct
{
  FbLineage *lineage;
  const FbHistory *history;
  GHashTable *numbers; /* root life + 1: number of the node + 1 */
  GArray *queue;       /* of guint: nodes to go on from */
  guint most;
  gboolean back;
} Walk;

static const FbLife *
life_at (const FbHistory *history, guint32 life)
{
  return fb_history_life (history, life);
}

/* What was replaced as soon as it was there is passed over. */
static guint32
next_seen (const FbHistory *history, guint32 life)
{
  guint32 next = life_at (history, life)->next;
  while (next != FB_LIFE_NONE && !life_at (history, next)->n_spans)
    next = life_at (history, next)->next;
  return next;
}

/* It came up as @life came up: what turned into it at its first step. */
static gboolean
turned_into (const FbHistory *history, guint32 prev, guint32 life)
{
  const FbLife *p = life_at (history, prev), *l = life_at (history, life);
  return p->n_spans && p->turn == l->first && p->stop == p->turn;
}

/* The one node that @life is a rebuilt version of; FB_LIFE_NONE when it is none, or several are one in it. */
static guint32
rebuilt_from (const FbHistory *history, guint32 life)
{
  const FbLife *l = life_at (history, life);
  guint32 found = FB_LIFE_NONE;
  if (l->first == 0 || l->made_by)
    return FB_LIFE_NONE;
  for (guint32 prev = l->prev; prev != FB_LIFE_NONE; prev = life_at (history, prev)->other)
    {
      if (!turned_into (history, prev, life))
        continue;
      if (found != FB_LIFE_NONE || life_at (history, prev)->fate != FB_FATE_REBUILT)
        return FB_LIFE_NONE;
      found = prev;
    }
  return found;
}

static guint32
in_pass_before (const FbHistory *history, guint32 life)
{
  const FbLife *l = life_at (history, life);
  guint32 before = l->first == 0 ? fb_history_pass_before (history, l->pass) : G_MAXUINT32;
  return before == G_MAXUINT32 ? FB_LIFE_NONE : fb_history_find (history, before, l->uop);
}

guint32
fb_lineage_root (const FbHistory *history, guint32 life)
{
  for (;;)
    {
      guint32 before = in_pass_before (history, life);
      if (before == FB_LIFE_NONE)
        before = rebuilt_from (history, life);
      if (before == FB_LIFE_NONE)
        return life;
      life = before;
    }
}

/* The number of the node of @life, a new one at @level unless it is known; G_MAXUINT: there are enough. */
static guint
number_of (Walk *w, guint32 life, int level)
{
  guint32 root = fb_lineage_root (w->history, life);
  gpointer known = g_hash_table_lookup (w->numbers, GUINT_TO_POINTER (root + 1));
  if (known)
    {
      FbLineageNode *node = fb_lineage_node (w->lineage, GPOINTER_TO_UINT (known) - 1);
      if (node->level && (w->back ? level < node->level : level > node->level))
        node->level = level;
      return GPOINTER_TO_UINT (known) - 1;
    }
  if (w->most == 0)
    {
      w->lineage->partly = TRUE;
      return G_MAXUINT;
    }
  w->most--;
  guint pass = life_at (w->history, root)->pass, number = w->lineage->nodes->len;
  FbLineageNode node = { root, root, fb_schedule_pass (w->history->schedule, pass)->kernel, level };
  g_array_append_val (w->lineage->nodes, node);
  g_array_append_val (w->queue, number);
  g_hash_table_insert (w->numbers, GUINT_TO_POINTER (root + 1), GUINT_TO_POINTER (number + 1));
  return number;
}

static void
add_link (Walk *w, guint here, guint32 was, guint32 is, FbLineageKind kind, guint32 pass, guint32 step)
{
  int level = fb_lineage_node (w->lineage, here)->level + (w->back ? -1 : 1);
  guint other = number_of (w, w->back ? was : is, level);
  if (other == G_MAXUINT || other == here)
    return;
  FbLineageLink link = { w->back ? other : here, w->back ? here : other, was, is, kind, pass, step, NULL };
  const FbPass *p = fb_schedule_pass (w->history->schedule, pass);
  if (kind == FB_LINEAGE_REPLACED || kind == FB_LINEAGE_MADE)
    link.rule = fb_rule_set_rule (p->rules, fb_pass_match (p, step - 1)->rule);
  for (guint i = 0; i < w->lineage->links->len; i++)
    {
      const FbLineageLink *known = fb_lineage_link (w->lineage, i);
      if (known->from == link.from && known->to == link.to && known->kind == kind && known->pass == pass
          && known->step == step)
        return;
    }
  g_array_append_val (w->lineage->links, link);
}

/* --- forward --- */

/* Names of memory and the like say nothing about what a value became. */
static gboolean
is_value (const FbUop *uop)
{
  const FbUop *base = uop->op == FB_OP_VIEW ? uop->base : uop;
  return !fb_op_in (base->op, FB_OP_BIT (UNIQUE) | FB_OP_BIT (DEVICE) | FB_OP_BIT (BUFFER) | FB_OP_BIT (KERNEL)
                                  | FB_OP_BIT (DEFINE_GLOBAL) | FB_OP_BIT (VIEW));
}

static void
add_made (Walk *w, guint here, guint32 life)
{
  const FbHistory *history = w->history;
  const FbLife *l = life_at (history, life);
  guint32 after = next_seen (history, life);
  for (guint32 i = history->first_life[l->pass]; i < history->first_life[l->pass + 1]; i++)
    {
      const FbLife *made = life_at (history, i);
      if (i != after && made->made_by == l->turn && made->n_spans && is_value (made->uop))
        add_link (w, here, life, i, FB_LINEAGE_MADE, l->pass, l->turn);
    }
}

static void
add_kernels (Walk *w, guint here, guint32 life)
{
  guint n;
  const FbKernelLink *links = fb_history_links (w->history, life, FALSE, &n);
  for (guint i = 0; i < n; i++)
    add_link (w, here, life, links[i].to, links[i].reads ? FB_LINEAGE_READ : FB_LINEAGE_CUT,
              life_at (w->history, links[i].to)->pass, 0);
}

/* From version to version as long as it is the same node; what it turns into then. */
static void
go_forward (Walk *w, guint here)
{
  const FbHistory *history = w->history;
  guint32 life = fb_lineage_node (w->lineage, here)->first, root = life;
  for (;;)
    {
      const FbLife *l = life_at (history, life);
      guint32 next = FB_LIFE_NONE, after;
      fb_lineage_node (w->lineage, here)->last = life;
      if (l->pass == history->kernels_pass)
        add_kernels (w, here, life);
      if (l->stop == FB_STEP_NEVER && (after = fb_history_pass_after (history, l->pass)) != G_MAXUINT32)
        next = fb_history_find (history, after, l->uop);
      else if (l->stop == l->turn && l->turn != FB_STEP_NEVER)
        {
          next = next_seen (history, life);
          if (next == FB_LIFE_NONE)
            return;
          if (l->fate == FB_FATE_REPLACED)
            {
              add_link (w, here, life, next, FB_LINEAGE_REPLACED, l->pass, l->turn);
              add_made (w, here, life);
              return;
            }
          if (fb_lineage_root (history, next) != root)
            {
              add_link (w, here, life, next, FB_LINEAGE_MERGED, l->pass, l->turn);
              return;
            }
        }
      if (next == FB_LIFE_NONE)
        return;
      life = next;
    }
}

/* --- back --- */

static void
go_back (Walk *w, guint here)
{
  const FbHistory *history = w->history;
  guint32 life = fb_lineage_node (w->lineage, here)->first;
  const FbLife *l = life_at (history, life);
  if (l->first == 0)
    {
      guint n;
      const FbKernelLink *links = fb_history_links (history, life, TRUE, &n);
      for (guint i = 0; i < n; i++)
        add_link (w, here, links[i].from, life, links[i].reads ? FB_LINEAGE_READ : FB_LINEAGE_CUT, l->pass, 0);
      return;
    }
  gboolean found = FALSE;
  for (guint32 prev = l->prev; prev != FB_LIFE_NONE; prev = life_at (history, prev)->other)
    if (turned_into (history, prev, life))
      {
        gboolean replaced = life_at (history, prev)->fate == FB_FATE_REPLACED;
        add_link (w, here, prev, life, replaced ? FB_LINEAGE_REPLACED : FB_LINEAGE_MERGED, l->pass, l->first);
        found = TRUE;
      }
  if (found || !l->made_by)
    return;
  guint32 maker = fb_history_came_from (history, life);
  if (maker == FB_LIFE_NONE)
    return;
  /* over what was replaced at once, or beside it */
  gboolean stands_for = life_at (history, maker)->turn == l->made_by && next_seen (history, maker) == life;
  add_link (w, here, maker, life, stands_for ? FB_LINEAGE_REPLACED : FB_LINEAGE_MADE, l->pass, l->made_by);
}

static void
walk (Walk *w, guint most, gboolean back)
{
  w->most = most;
  w->back = back;
  g_array_set_size (w->queue, 0);
  guint first = 0;
  g_array_append_val (w->queue, first);
  for (guint i = 0; i < w->queue->len; i++)
    {
      guint here = g_array_index (w->queue, guint, i);
      if (back)
        go_back (w, here);
      else
        go_forward (w, here);
    }
}

static int
compare_links (gconstpointer a, gconstpointer b)
{
  const FbLineageLink *x = a, *y = b;
  if (x->pass != y->pass)
    return x->pass < y->pass ? -1 : 1;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

/* Links lead to higher levels, also where ways of different lengths meet. */
static void
settle_levels (FbLineage *lineage)
{
  gboolean moved = TRUE;
  for (guint round = 0; moved && round < lineage->nodes->len; round++)
    {
      moved = FALSE;
      for (guint i = 0; i < lineage->links->len; i++)
        {
          const FbLineageLink *link = fb_lineage_link (lineage, i);
          FbLineageNode *from = fb_lineage_node (lineage, link->from), *to = fb_lineage_node (lineage, link->to);
          if (from->level < to->level)
            continue;
          if (to->level > 0)
            to->level = from->level + 1;
          else
            from->level = to->level - 1;
          moved = TRUE;
        }
    }
}

FbLineage *
fb_lineage_new (const FbHistory *history, guint32 life, guint most)
{
  FbLineage *lineage = g_new0 (FbLineage, 1);
  lineage->history = history;
  lineage->nodes = g_array_new (FALSE, FALSE, sizeof (FbLineageNode));
  lineage->links = g_array_new (FALSE, FALSE, sizeof (FbLineageLink));
  Walk w = { .lineage = lineage,
             .history = history,
             .numbers = g_hash_table_new (NULL, NULL),
             .queue = g_array_new (FALSE, FALSE, sizeof (guint)),
             .most = 1 };
  number_of (&w, life, 0);
  walk (&w, most, FALSE);
  walk (&w, most, TRUE);
  settle_levels (lineage);
  g_array_sort (lineage->links, compare_links);
  g_hash_table_unref (w.numbers);
  g_array_free (w.queue, TRUE);
  return lineage;
}

void
fb_lineage_free (FbLineage *lineage)
{
  if (!lineage)
    return;
  g_array_free (lineage->nodes, TRUE);
  g_array_free (lineage->links, TRUE);
  g_free (lineage);
}
