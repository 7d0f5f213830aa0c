/* Matching typed patterns: the ways to match are walked until one holds as a whole. Recursion is on the pattern. */
#include "node-pattern-private.h"
#include "query-private.h"

#include <string.h>

#include "core/ir/text.h"

/* Nodes compared until two are taken for different. */
#define MOST_COMPARED 4096

typedef struct _Goal Goal;
struct _Goal
{
  const FbPart *part;
  FbNodeAt node;
  const Goal *next;
  gboolean sources; /* the node itself holds: its sources from number @i on do not yet */
  guint i, used;    /* used: bits of the parts that stand for sources before @i, in any order */
};

typedef struct
{
  const FbNodePlace *place;
  guint n_trail;
  gint8 trail[MAX_NAMES];    /* names in the order they were bound */
  FbNodeAt bound[MAX_NAMES]; /* uop NULL: free */
} Match;

static gboolean solve (Match *m, const Goal *goal);

static gboolean
source (const FbNodePlace *place, FbNodeAt node, guint i, FbNodeAt *found)
{
  if (!place->history)
    {
      *found = (FbNodeAt){ node.uop->src[i], FB_LIFE_NONE };
      return TRUE;
    }
  const FbLife *life = fb_history_life (place->history, node.life);
  guint32 at = fb_history_at (place->history, fb_history_sources (place->history, life)[i], place->step);
  if (at == FB_LIFE_NONE)
    return FALSE;
  *found = (FbNodeAt){ fb_history_life (place->history, at)->uop, at };
  return TRUE;
}

static gboolean
is_itself (const FbNodePlace *place, FbNodeAt node)
{
  return !place->history || place->step < fb_history_life (place->history, node.life)->end;
}

/* The same node of the graph. In-between versions are compared by what they are made of. */
static gboolean
same (const FbNodePlace *place, FbNodeAt a, FbNodeAt b)
{
  g_autoptr (GArray) pairs = NULL;
  FbNodeAt pair[2] = { a, b };
  guint n = 0;
  for (guint next = 0;;)
    {
      gboolean itself = is_itself (place, pair[0]);
      if (pair[0].uop != pair[1].uop || !itself || !is_itself (place, pair[1]))
        {
          const FbUop *x = pair[0].uop, *y = pair[1].uop;
          if (itself && is_itself (place, pair[1]))
            return FALSE;
          if (x->op != y->op || x->dtype != y->dtype || x->n_src != y->n_src || !fb_arg_equal (x->arg, y->arg)
              || ++n > MOST_COMPARED)
            return FALSE;
          if (pair[0].life != pair[1].life)
            {
              if (!pairs)
                pairs = g_array_new (FALSE, FALSE, sizeof (FbNodeAt));
              for (guint i = 0; i < x->n_src; i++)
                {
                  FbNodeAt sources[2];
                  if (!source (place, pair[0], i, &sources[0]) || !source (place, pair[1], i, &sources[1]))
                    return FALSE;
                  g_array_append_vals (pairs, sources, 2);
                }
            }
        }
      if (!pairs || next == pairs->len)
        return TRUE;
      pair[0] = g_array_index (pairs, FbNodeAt, next++);
      pair[1] = g_array_index (pairs, FbNodeAt, next++);
    }
}

static gboolean
arg_fits (const FbNodePlace *place, const FbPart *part, const FbUop *uop)
{
  if (part->want == FB_WANT_NUMBER)
    return fb_arg_equal (part->number, uop->arg);
  if (part->want != FB_WANT_TEXT)
    return TRUE;
  g_autoptr (GString) text = g_string_new (NULL);
  fb_uop_append_argstr (place->context, uop, text);
  return strstr (text->str, part->text) != NULL;
}

/* Everything but the sources and the name. */
static gboolean
fits (const FbNodePlace *place, const FbPart *part, const FbUop *uop)
{
  if (part->ops.some && !fb_op_choice_has (&part->ops, uop->op))
    return FALSE;
  if (part->dtypes && !fb_dtype_in (uop->dtype, part->dtypes))
    return FALSE;
  switch (part->mode)
    {
    case FB_PART_ORDERED:
    case FB_PART_PERMUTED:
      if (uop->n_src != part->n)
        return FALSE;
      break;
    case FB_PART_PREFIX:
      if (uop->n_src < part->n)
        return FALSE;
      break;
    case FB_PART_REPEATED:
      if (uop->n_src + 1 < part->n)
        return FALSE;
      break;
    default:
      break;
    }
  return arg_fits (place, part, uop);
}

static void
undo (Match *m, guint mark)
{
  while (m->n_trail > mark)
    m->bound[m->trail[--m->n_trail]].uop = NULL;
}

static gboolean
bind (Match *m, gint8 name, FbNodeAt node)
{
  if (name < 0)
    return TRUE;
  if (m->bound[name].uop)
    return same (m->place, m->bound[name], node);
  m->bound[name] = node;
  m->trail[m->n_trail++] = name;
  return TRUE;
}

static gboolean
solve_sources (Match *m, const Goal *goal)
{
  const FbPart *part = goal->part;
  FbNodeAt node;
  if (goal->i == part->n)
    return solve (m, goal->next);
  if (!source (m->place, goal->node, goal->i, &node))
    return FALSE;
  for (guint k = 0; k < part->n; k++)
    {
      guint mark = m->n_trail;
      if (part->mode == FB_PART_PERMUTED ? goal->used & (1u << k) : k != goal->i)
        continue;
      Goal rest = *goal;
      rest.i++;
      rest.used |= 1u << k;
      if (solve (m, &(Goal){ .part = part->parts[k], .node = node, .next = &rest }))
        return TRUE;
      undo (m, mark);
    }
  return FALSE;
}

/* Each source by itself: there may be thousands. */
static gboolean
solve_repeated (Match *m, const Goal *goal)
{
  const FbPart *part = goal->part;
  for (guint i = 0; i < goal->node.uop->n_src; i++)
    {
      Goal one = { .part = part->parts[MIN (i, part->n - 1)] };
      if (!source (m->place, goal->node, i, &one.node) || !solve (m, &one))
        return FALSE;
    }
  return solve (m, goal->next);
}

/* Satisfies the goals; FALSE, with nothing bound, when there is no way. */
static gboolean
solve (Match *m, const Goal *goal)
{
  if (!goal)
    return TRUE;
  if (goal->sources)
    return solve_sources (m, goal);
  const FbPart *part = goal->part;
  guint mark = m->n_trail;
  gboolean done = FALSE;
  if (part->mode == FB_PART_EITHER)
    for (guint i = 0; i < part->n && !done; i++)
      done = solve (m, &(Goal){ .part = part->parts[i], .node = goal->node, .next = goal->next });
  else if (fits (m->place, part, goal->node.uop) && bind (m, part->name, goal->node))
    {
      if (part->mode == FB_PART_ANY)
        done = solve (m, goal->next);
      else if (part->mode == FB_PART_REPEATED)
        done = solve_repeated (m, goal);
      else
        done = solve (m, &(Goal){ .part = part, .node = goal->node, .next = goal->next, .sources = TRUE });
    }
  if (!done)
    undo (m, mark);
  return done;
}

gboolean
fb_node_pattern_match (const FbNodePattern *pattern, const FbNodePlace *place, FbNodeAt node)
{
  Match m = { .place = place };
  return solve (&m, &(Goal){ .part = pattern->root, .node = node });
}

static gboolean
may_fit (const FbNodePlace *place, const FbPart *part, const FbUop *uop)
{
  if (part->mode != FB_PART_EITHER)
    return fits (place, part, uop);
  for (guint i = 0; i < part->n; i++)
    if (may_fit (place, part->parts[i], uop))
      return TRUE;
  return FALSE;
}

gboolean
fb_node_pattern_may_match (const FbNodePattern *pattern, const FbNodePlace *place, const FbUop *uop)
{
  return may_fit (place, pattern->root, uop);
}
