/* Asking: over all steps, over one graph. */
#include "query-private.h"

#define HAS(query, kind) (((query)->kinds >> (kind)) & 1)

typedef struct
{
  const FbQueryIndex *index;
  const FbHistory *history;
  const FbQuery *query;
  GArray *hits;
  GArray *times; /* scratch, of guint32 */
  gboolean with_inherited, with_rebuilt;
} Search;

static FbSubject
subject_at (const Search *s, guint32 life, guint32 step)
{
  const FbLife *l = fb_history_life (s->history, life);
  return (FbSubject){ .index = s->index,
                      .place = { s->history->schedule->context, s->history, step },
                      .node = { l->uop, life },
                      .pass = l->pass,
                      .since = step };
}

static void
add_hit (Search *s, guint32 pass, guint32 step, guint32 life, gboolean made)
{
  FbHit hit = { pass, step, life, fb_history_life (s->history, life)->uop, made };
  g_array_append_val (s->hits, hit);
}

/* --- nodes that come up --- */

/* Steps between @from and @to at which something changes up to @depth below @life. */
static void
add_changes (Search *s, guint32 life, guint32 from, guint32 to, guint depth)
{
  const FbLife *l = fb_history_life (s->history, life);
  for (guint i = 0; i < l->uop->n_src && depth; i++)
    {
      guint32 source = fb_history_sources (s->history, l)[i], since = from;
      for (;;)
        {
          const FbLife *version = fb_history_life (s->history, source);
          guint32 turn = version->next == FB_LIFE_NONE ? FB_STEP_NEVER : version->turn;
          if (turn > since)
            add_changes (s, source, since, MIN (to, turn), depth - 1);
          if (turn >= to)
            break;
          if (turn > since)
            {
              g_array_append_val (s->times, turn);
              since = turn;
            }
          source = version->next;
        }
    }
}

static int
compare_steps (gconstpointer a, gconstpointer b)
{
  guint32 x = *(const guint32 *) a, y = *(const guint32 *) b;
  return x < y ? -1 : x > y;
}

/* In one span of a life the question may come to hold as its sources change. */
static void
look_at_changes (Search *s, guint32 life, FbSpan span, gboolean held)
{
  g_array_set_size (s->times, 0);
  add_changes (s, life, span.from, span.to, s->query->depth);
  g_array_sort (s->times, compare_steps);
  for (guint i = 0; i < s->times->len; i++)
    {
      guint32 step = g_array_index (s->times, guint32, i);
      if (i && step == g_array_index (s->times, guint32, i - 1))
        continue;
      FbSubject subject = subject_at (s, life, step);
      gboolean holds = fb_term_holds (s->query->root, &subject);
      if (holds && !held)
        add_hit (s, subject.pass, step, life, FALSE);
      held = holds;
    }
}

/* The question held for what the node was before it was rebuilt, at a step or by being cut into a kernel. */
static gboolean
held_before (const Search *s, guint32 life, guint32 step)
{
  guint32 before = step ? fb_history_came_from (s->history, life) : fb_history_inherited_from (s->history, life);
  if (before == FB_LIFE_NONE || (step && !fb_history_is_alive (s->history, before, step - 1)))
    return FALSE;
  FbSubject subject = subject_at (s, before, step ? step - 1 : 0);
  return fb_term_holds (s->query->root, &subject);
}

/* The same node was there under another number before. */
static gboolean
goes_on (const Search *s, guint32 life, guint32 step, guint span)
{
  const FbLife *l = fb_history_life (s->history, life);
  if (step == 0)
    {
      guint32 before = s->with_inherited ? FB_LIFE_NONE : fb_history_inherited_from (s->history, life);
      /* a key is of one version */
      return before != FB_LIFE_NONE && !(s->with_rebuilt && fb_history_life (s->history, before)->uop != l->uop);
    }
  return span == 0 && !l->made_by && !s->with_rebuilt;
}

/* A pattern may hold now and not have held: there the sources tell versions apart. */
static gboolean
may_begin (const Search *s, guint32 life, guint32 step)
{
  guint32 before = step ? FB_LIFE_NONE : fb_history_inherited_from (s->history, life);
  /* the same node over the same sources */
  if (before != FB_LIFE_NONE && fb_history_life (s->history, before)->uop == fb_history_life (s->history, life)->uop)
    return FALSE;
  return s->query->depth && !held_before (s, life, step);
}

static void
look_at_life (Search *s, guint32 life)
{
  const FbLife *l = fb_history_life (s->history, life);
  for (guint i = 0; i < l->n_spans; i++)
    {
      FbSpan span = g_array_index (s->history->spans, FbSpan, l->spans + i);
      FbSubject subject = subject_at (s, life, span.from);
      if (s->query->depth && !HAS (s->query, FB_TERM_NOT))
        {
          subject.hopeful = TRUE;
          if (!fb_term_holds (s->query->root, &subject))
            continue;
          subject.hopeful = FALSE;
        }
      gboolean holds = fb_term_holds (s->query->root, &subject);
      if (holds && (!goes_on (s, life, span.from, i) || may_begin (s, life, span.from)))
        add_hit (s, l->pass, span.from, life, span.from > 0 && (l->made_by || i));
      if (s->query->depth)
        look_at_changes (s, life, span, holds);
    }
}

/* --- steps --- */

/* The node that the question holds for: what the rule made, what it replaced, or what else it made. */
static void
look_at_step (Search *s, guint32 pass, guint32 step, const guint32 *first_made, const guint32 *next_made)
{
  const FbPass *p = fb_schedule_pass (s->history->schedule, pass);
  const FbMatch *match = fb_pass_match (p, step - 1);
  guint32 base = s->history->first_life[pass];
  guint32 after = fb_history_find (s->history, pass, match->after);
  guint32 before = fb_history_find (s->history, pass, match->before);
  guint32 then = after == FB_LIFE_NONE ? FB_LIFE_NONE : fb_history_at (s->history, after, step);
  const struct
  {
    guint32 life, at;
    gboolean made;
  } nodes[] = { { then, step, TRUE }, { before, step - 1, FALSE } };
  gboolean only_by_rule = !HAS (s->query, FB_TERM_RULE) && !HAS (s->query, FB_TERM_GROWTH);
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      if (nodes[i].life == FB_LIFE_NONE)
        continue;
      FbSubject subject = subject_at (s, nodes[i].life, nodes[i].at);
      subject.since = step;
      /* what holds without the rule was found where the node came up */
      if (only_by_rule && fb_term_holds (s->query->root, &subject))
        return;
      subject.rule = fb_rule_set_rule (p->rules, match->rule);
      if (fb_term_holds (s->query->root, &subject))
        {
          add_hit (s, pass, step, nodes[i].life, nodes[i].made);
          return;
        }
    }
  for (guint32 life = first_made[step]; life != FB_LIFE_NONE && !only_by_rule; life = next_made[life - base])
    {
      FbSubject subject = subject_at (s, life, step);
      subject.rule = fb_rule_set_rule (p->rules, match->rule);
      if (fb_term_holds (s->query->root, &subject))
        {
          add_hit (s, pass, step, life, TRUE);
          return;
        }
    }
}

static void
look_at_steps (Search *s, guint32 pass)
{
  guint32 n = fb_schedule_pass (s->history->schedule, pass)->matches->len;
  guint32 base = s->history->first_life[pass], end = s->history->first_life[pass + 1];
  g_autofree guint32 *first_made = g_new (guint32, n + 1), *next_made = g_new (guint32, end - base + 1);
  for (guint32 i = 0; i <= n; i++)
    first_made[i] = FB_LIFE_NONE;
  for (guint32 life = end; life-- > base;)
    {
      guint32 made_by = fb_history_life (s->history, life)->made_by;
      if (!made_by)
        continue;
      next_made[life - base] = first_made[made_by];
      first_made[made_by] = life;
    }
  for (guint32 step = 1; step <= n; step++)
    look_at_step (s, pass, step, first_made, next_made);
}

static int
compare_hits (gconstpointer a, gconstpointer b)
{
  const FbHit *x = a, *y = b;
  if (x->pass != y->pass)
    return x->pass < y->pass ? -1 : 1;
  if (x->step != y->step)
    return x->step < y->step ? -1 : 1;
  return x->life < y->life ? -1 : x->life > y->life;
}

/* In order, each once. */
static void
sort_hits (GArray *hits, gboolean one_a_step)
{
  guint n = 0;
  g_array_sort (hits, compare_hits);
  for (guint i = 0; i < hits->len; i++)
    {
      const FbHit *hit = &g_array_index (hits, FbHit, i), *last = n ? &g_array_index (hits, FbHit, n - 1) : NULL;
      if (last && last->pass == hit->pass && last->step == hit->step && (one_a_step || last->life == hit->life))
        continue;
      g_array_index (hits, FbHit, n++) = *hit;
    }
  g_array_set_size (hits, n);
}

GArray *
fb_query_all (const FbQueryIndex *index, FbQuery *query, GCancellable *cancellable)
{
  const FbHistory *history = fb_query_index_history (index);
  Search s = { .index = index,
               .history = history,
               .query = query,
               .hits = g_array_new (FALSE, FALSE, sizeof (FbHit)),
               .times = g_array_new (FALSE, FALSE, sizeof (guint32)),
               .with_inherited = HAS (query, FB_TERM_PASS) || HAS (query, FB_TERM_KERNEL) || HAS (query, FB_TERM_STEP),
               .with_rebuilt = HAS (query, FB_TERM_KEY) };
  gboolean of_steps = HAS (query, FB_TERM_RULE) || HAS (query, FB_TERM_GROWTH);
  for (guint32 pass = 0; pass < history->schedule->passes->len; pass++)
    {
      if (g_cancellable_is_cancelled (cancellable))
        break;
      for (guint32 life = history->first_life[pass]; life < history->first_life[pass + 1] && !of_steps; life++)
        look_at_life (&s, life);
      if (of_steps || HAS (query, FB_TERM_WORD))
        look_at_steps (&s, pass);
    }
  sort_hits (s.hits, FALSE);
  g_array_free (s.times, TRUE);
  return s.hits;
}

GArray *
fb_query_stops (const FbQueryIndex *index, FbQuery *query, GCancellable *cancellable)
{
  GArray *hits = fb_query_all (index, query, cancellable);
  guint n = 0;
  sort_hits (hits, TRUE);
  for (guint i = 0; i < hits->len; i++)
    if (g_array_index (hits, FbHit, i).step > 0)
      g_array_index (hits, FbHit, n++) = g_array_index (hits, FbHit, i);
  g_array_set_size (hits, n);
  return hits;
}

GArray *
fb_query_graph (const FbQueryIndex *index, FbQuery *query, guint32 pass, guint32 step)
{
  const FbHistory *history = fb_query_index_history (index);
  const FbPass *p = fb_schedule_pass (history->schedule, pass);
  GArray *hits = g_array_new (FALSE, FALSE, sizeof (FbHit));
  Search s = { .index = index, .history = history, .query = query, .hits = hits };
  for (guint32 life = history->first_life[pass]; life < history->first_life[pass + 1]; life++)
    {
      if (!fb_history_is_alive (history, life, step))
        continue;
      guint32 made_by = fb_history_life (history, life)->made_by;
      FbSubject subject = subject_at (&s, life, step);
      subject.since = fb_history_life (history, life)->first;
      subject.rule = made_by ? fb_rule_set_rule (p->rules, fb_pass_match (p, made_by - 1)->rule) : NULL;
      if (fb_term_holds (query->root, &subject))
        add_hit (&s, pass, step, life, made_by == step && step > 0);
    }
  return hits;
}

GArray *
fb_query_plain (FbContext *context, FbUop *root, FbQuery *query)
{
  GArray *hits = g_array_new (FALSE, FALSE, sizeof (FbHit));
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, root);
  for (guint i = 0; i < nodes->len; i++)
    {
      FbUop *uop = g_ptr_array_index (nodes, i);
      FbSubject subject = { .place = { .context = context }, .node = { uop, FB_LIFE_NONE } };
      FbHit hit = { .life = FB_LIFE_NONE, .uop = uop };
      if (fb_term_holds (query->root, &subject))
        g_array_append_val (hits, hit);
    }
  return hits;
}
