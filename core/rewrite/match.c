/* Matching a pattern against a node (ops.py:797-825), and the rules of a set in order (ops.py:844).
 *
 * The reference lists every way to match, then calls back until one gives a node.
 * Here the ways are walked in the same order and the callback is called as each is found. */
#include "core/ir/context-private.h"
#include "dispatch.h"
#include "engine.h"
#include "rules-private.h"

#include <string.h>

typedef struct _Goal Goal;
struct _Goal
{
  const FbPattern *pattern;
  FbUop *uop;
  const Goal *next;
};

static inline void
undo (FbMatcher *m, guint mark)
{
  while (m->n_trail > mark)
    m->bound[m->trail[--m->n_trail]] = NULL;
}

/* Everything but the sources. */
static inline gboolean
match_node (FbMatcher *m, const FbPattern *pattern, FbUop *uop)
{
  if (pattern->ops && !fb_op_in (uop->op, pattern->ops))
    return FALSE;
  if (pattern->name)
    {
      FbUop *bound = m->bound[pattern->name];
      if (!bound)
        {
          m->bound[pattern->name] = uop;
          m->trail[m->n_trail++] = pattern->name;
        }
      else if (bound != uop)
        return FALSE;
    }
  if (pattern->dtypes && !fb_dtype_in (uop->dtype, pattern->dtypes))
    return FALSE;
  if (pattern->has_arg && !fb_arg_equal (fb_arg_int (pattern->arg), uop->arg))
    return FALSE;
  switch (pattern->src_mode)
    {
    case FB_SRC_ORDERED:
    case FB_SRC_PERMUTED:
      return uop->n_src == pattern->n_src;
    default:
      return TRUE;
    }
}

/* A pattern with one way to match. On failure the trail may have grown; the caller undoes it. */
static gboolean
match_one_way (FbMatcher *m, const FbPattern *pattern, FbUop *uop)
{
  if (!match_node (m, pattern, uop))
    return FALSE;
  if (pattern->src_mode == FB_SRC_REPEATED)
    {
      for (guint i = 0; i < uop->n_src; i++)
        if (!match_one_way (m, pattern->src[0], uop->src[i]))
          return FALSE;
    }
  else
    {
      guint n = MIN (pattern->n_src, uop->n_src);
      for (guint i = 0; i < n; i++)
        if (!match_one_way (m, pattern->src[i], uop->src[i]))
          return FALSE;
    }
  return TRUE;
}

static gboolean solve (FbMatcher *m, const Goal *goal);

/* Sources in the order given by @order, then the goals after. */
static gboolean
solve_sources (FbMatcher *m, const Goal *goal, const guint8 *order)
{
  const FbPattern *pattern = goal->pattern;
  guint n = MIN (pattern->n_src, goal->uop->n_src);
  Goal goals[G_N_ELEMENTS (pattern->src)];

  for (guint i = n; i-- > 0;)
    goals[i] = (Goal){ pattern->src[order[i]], goal->uop->src[i], i + 1 < n ? &goals[i + 1] : goal->next };
  return solve (m, n ? &goals[0] : goal->next);
}

/* itertools.permutations of two and three. */
static const guint8 orders_of_2[][3] = { { 0, 1 }, { 1, 0 } };
static const guint8 orders_of_3[][3] = { { 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };

/* Satisfies the goals in every way until a callback gives a node; TRUE then. Depth is bounded by the size of a pattern. */
static gboolean
solve (FbMatcher *m, const Goal *goal)
{
  const FbPattern *pattern;
  guint mark = m->n_trail;
  gboolean done = FALSE;

  if (!goal)
    {
      m->result = m->apply (m->rw, m->bound);
      return m->result != NULL || m->rw->context->error != NULL;
    }
  pattern = goal->pattern;
  if (pattern->src_mode == FB_SRC_EITHER)
    {
      for (guint i = 0; i < pattern->n_src && !done; i++)
        done = solve (m, &(Goal){ pattern->src[i], goal->uop, goal->next });
      undo (m, mark);
      return done;
    }
  if (match_node (m, pattern, goal->uop))
    switch (pattern->src_mode)
      {
      case FB_SRC_PERMUTED:
        {
          guint n_orders = pattern->n_src == 3 ? 6 : pattern->n_src;
          for (guint i = 0; i < n_orders && !done; i++)
            done = solve_sources (m, goal, pattern->n_src == 3 ? orders_of_3[i] : orders_of_2[i]);
          break;
        }
      case FB_SRC_REPEATED:
        {
          gboolean all = TRUE;
          for (guint i = 0; i < goal->uop->n_src && all; i++)
            all = match_one_way (m, pattern->src[0], goal->uop->src[i]);
          done = all && solve (m, goal->next);
          break;
        }
      default:
        done = solve_sources (m, goal, orders_of_3[0]);
      }
  undo (m, mark);
  return done;
}

static inline FbOpSet
ops_of_sources (const FbUop *uop)
{
  FbOpSet ops = 0;

  for (guint i = 0; i < uop->n_src; i++)
    ops |= (FbOpSet) 1 << uop->src[i]->op;
  return ops;
}

static inline gboolean
is_number (const FbUop *uop, gint64 number)
{
  if (uop->op != FB_OP_CONST)
    return FALSE;
  if (uop->arg.kind == FB_ARG_FLOAT)
    return uop->arg.f == (double) number;
  return uop->arg.kind <= FB_ARG_INT ? uop->arg.kind != FB_ARG_NONE && uop->arg.i == number
                                     : fb_arg_equal (fb_arg_int (number), uop->arg);
}

/* FB_SHAPE_WITH_NUMBER, with source @x in the place of the name and the other in that of the number. */
static inline void
apply_with_number (FbMatcher *m, const FbRuleEntry *entry, FbUop *uop, guint x)
{
  if (!is_number (uop->src[1 - x], entry->pattern->src[1]->arg))
    return;
  m->bound[entry->src_name[0]] = uop->src[x];
  m->result = entry->apply (m->rw, m->bound);
  m->bound[entry->src_name[0]] = NULL;
}

/* FB_SHAPE_CHAIN. The ops of the node and its source fit, and it has no other. */
static inline void
apply_to_chain (FbMatcher *m, const FbRuleEntry *entry, FbUop *uop)
{
  const FbPattern *last = entry->pattern->src[0]->src[0];
  FbUop *source = uop->src[0];

  if (source->n_src != 1 || (last->ops && !fb_op_in (source->src[0]->op, last->ops)))
    return;
  m->bound[entry->name] = uop;
  m->bound[entry->src_name[0]] = source;
  m->bound[entry->src_name[1]] = source->src[0];
  m->result = entry->apply (m->rw, m->bound);
  m->bound[entry->name] = m->bound[entry->src_name[0]] = m->bound[entry->src_name[1]] = NULL;
}

static inline gboolean
is_marked (const FbNodeMap *marks, const FbUop *uop)
{
  return !marks || fb_node_map_get (marks, uop);
}

static inline gboolean
any_source_is_marked (const FbNodeMap *marks, const FbUop *uop)
{
  if (marks && !marks->any) /* mostly */
    return FALSE;
  for (guint i = 0; i < uop->n_src; i++)
    if (is_marked (marks, uop->src[i]))
      return TRUE;
  return FALSE;
}

static inline gboolean
any_source_is_moved (const FbUop *uop)
{
  for (guint i = 0; i < uop->n_src; i++)
    if (uop->src[i]->base != uop->src[i])
      return TRUE;
  return FALSE;
}

/* FALSE when the rule's callback need not be asked. */
static inline gboolean
guard_passes (const FbMatcher *m, guint guard, FbUop *uop)
{
  if (G_LIKELY (guard <= FB_GUARD_SHAPE))
    {
      const FbShapeTracker *st = uop->st ? uop->st : fb_uop_st_slow (m->rw->context, uop);
      return st ? st->traits & guard : m->rw->context->error != NULL;
    }
  if (guard == FB_GUARD_SOURCE_MOVED)
    return any_source_is_moved (uop);
  return guard == FB_GUARD_MARKED ? is_marked (m->rw->marks, uop) : any_source_is_marked (m->rw->marks, uop);
}

/* What the rule of @entry, whose guard let pass, makes of @uop is in the matcher then, NULL for nothing. */
G_ALWAYS_INLINE static inline void
try_rule (FbMatcher *m, const FbRuleEntry *entry, FbUop *uop)
{
  /* what has no name is bound to FB_NAME_NONE, which nobody reads */
  if (G_LIKELY (entry->shape == FB_SHAPE_NODE))
    {
      m->bound[entry->name] = uop;
      m->result = entry->apply (m->rw, m->bound);
      m->bound[entry->name] = NULL;
      return;
    }
  m->result = NULL;
  switch (entry->shape)
    {
    case FB_SHAPE_FLAT:
      m->bound[entry->name] = uop;
      m->bound[entry->src_name[0]] = uop->src[0];
      m->bound[entry->src_name[1]] = uop->src[uop->n_src > 1];
      m->result = entry->apply (m->rw, m->bound);
      m->bound[entry->name] = m->bound[entry->src_name[0]] = m->bound[entry->src_name[1]] = NULL;
      break;
    case FB_SHAPE_CHAIN:
      apply_to_chain (m, entry, uop);
      break;
    case FB_SHAPE_WITH_NUMBER:
      m->bound[entry->name] = uop;
      apply_with_number (m, entry, uop, 0);
      if (!m->result)
        apply_with_number (m, entry, uop, 1);
      m->bound[entry->name] = NULL;
      break;
    case FB_SHAPE_DETERMINISTIC:
      if (match_one_way (m, entry->pattern, uop))
        m->result = entry->apply (m->rw, m->bound);
      undo (m, 0);
      break;
    default:
      m->apply = entry->apply;
      solve (m, &(Goal){ entry->pattern, uop, NULL });
    }
}

static inline guint64
look_at_clock (FbPassTicks *ticks)
{
  ticks->n_reads++;
  return fb_ticks ();
}

/* The try of rule @index since @began is over. Its end. */
static guint64
end_try (const FbMatcher *m, FbPassTicks *ticks, guint32 index, guint64 began)
{
  guint64 now = look_at_clock (ticks), took = now - began;

  if (m->result && !m->rw->context->error)
    g_array_append_val (ticks->matches, took);
  else
    ticks->missed[index] += took;
  return now;
}

/* Compiled twice: @ticks is constant NULL where nothing is measured. */
G_ALWAYS_INLINE static inline FbUop *
apply_first (FbMatcher *m, FbUop *uop, FbCandidates candidates, FbPassTicks *ticks)
{
  guint64 began = ticks ? look_at_clock (ticks) : 0;
  FbOpSet sources = 0; /* their ops, once they are asked for */

  for (; *candidates != FB_NO_RULE; candidates++)
    {
      const FbRuleEntry *entry = &m->set->entries[*candidates];

      if (entry->early && uop->n_src > 2)
        {
          if (!sources)
            sources = ops_of_sources (uop);
          if (m->set->early[entry->early] & ~sources)
            continue;
        }
      m->tries[entry->index]++;
      if (entry->guard && !guard_passes (m, entry->guard, uop))
        {
          if (ticks)
            began = end_try (m, ticks, entry->index, began);
          continue;
        }
      try_rule (m, entry, uop);
      if (ticks)
        began = end_try (m, ticks, entry->index, began);
      if (G_UNLIKELY (m->rw->context->error))
        return NULL;
      if (m->result)
        {
          m->rule = entry->index;
          return m->result;
        }
    }
  return NULL;
}

double
fb_ticks_cost (void)
{
  /* often enough to be told from a tick, and so often that some time nothing comes between */
  const guint n = 1000, n_rounds = 20;
  g_autofree FbPassTicks *ticks = g_malloc0 (sizeof *ticks + sizeof (guint64));
  const FbMatcher nothing = { NULL };
  double least = G_MAXDOUBLE;

  for (guint round = 0; round < n_rounds; round++)
    {
      guint64 began = look_at_clock (ticks), at = began;

      for (guint i = 0; i < n; i++)
        at = end_try (&nothing, ticks, 0, at);
      least = MIN (least, (double) (at - began) / n);
    }
  return least;
}

static FbUop *
apply_unmeasured (FbMatcher *m, FbUop *uop, FbCandidates candidates)
{
  return apply_first (m, uop, candidates, NULL);
}

static FbUop *
apply_measured (FbMatcher *m, FbUop *uop, FbCandidates candidates)
{
  m->result = NULL; /* a guard may end the first try */
  return apply_first (m, uop, candidates, m->ticks);
}

FbMatcher *
fb_matcher_acquire (FbRewriter *rw, const FbRuleSet *set, guint32 *tries)
{
  FbDispatch *dispatch = fb_dispatch_get (rw->context, set);
  FbMatcher *m = dispatch->idle;

  if (m)
    dispatch->idle = NULL;
  else
    m = g_new0 (FbMatcher, 1);
  m->rw = rw;
  m->set = set;
  m->dispatch = dispatch;
  m->apply_first = apply_unmeasured;
  m->tries = tries ? tries : dispatch->uncounted;
  return m;
}

void
fb_matcher_release (FbMatcher *m)
{
  FbDispatch *dispatch = m->dispatch;

  g_free (dispatch->idle); /* of a run within this one */
  dispatch->idle = m;
}

void
fb_matcher_measure (FbMatcher *m, FbPassTicks *ticks)
{
  m->ticks = ticks;
  m->apply_first = apply_measured;
}

FbUop *
fb_rewrite_once (FbRewriter *rw, const FbRuleSet *rules, FbUop *uop)
{
  FbMatcher *m = fb_matcher_acquire (rw, rules, NULL);
  FbUop *result = apply_unmeasured (m, uop, fb_dispatch_find (m->dispatch, uop));

  fb_matcher_release (m);
  return result;
}
