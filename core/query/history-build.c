/* Building a history, a pass at a time: lives are found by a walk along sources and along what nodes become, which together have no
 * cycles; then they are told their times (history-times.c). */
#include "history-private.h"

/* Lives of foreign passes. A trace of a whole model can have thousands of rewrites that each go over all of its graph. */
#define MOST_FOREIGN 1500000

typedef struct
{
  guint32 life; /* in the builder's */
  guint32 next; /* child to visit: sources, then what it becomes */
} Frame;

/* A life under construction; numbers of lives are the builder's own. */
typedef struct
{
  FbUop *uop;
  guint32 next, final; /* final: what it ends as; FB_LIFE_NONE: a version that was never made */
  guint32 match;       /* the step that replaces it; FB_STEP_NEVER */
  guint32 change;      /* the first step at which it is not itself any more, whenever it came */
  guint32 settle;      /* the step from which it is what it ends as */
  guint32 post;        /* its place, sources first */
  gboolean done;
} Draft;

typedef struct
{
  FbHistory *history;
  FbContext *context;
  GArray *sources; /* of guint32 */
  guint32 n_ids;
  guint32 *draft_of;   /* by id of a node: draft + 1 */
  guint32 *match_of;   /* by id of a node: number of the first match of it, from 1 */
  GArray *drafts;      /* of Draft, in order of creation */
  GArray *post;        /* of guint32: drafts, sources first */
  GArray *stack;       /* of Frame */
  GPtrArray *src;      /* scratch */
  guint left;          /* lives that foreign passes may still have */
  GHashTable *skipped; /* locations of foreign passes to how many of them were left out */
} Builder;

#define draft_at(b, i) (&g_array_index ((b)->drafts, Draft, (i)))

static guint32
draft_of (Builder *b, const FbUop *uop)
{
  return b->draft_of[uop->id] - 1;
}

/* A draft for @uop unless it has one; TRUE when it is new and to be visited. */
static gboolean
enter (Builder *b, FbUop *uop)
{
  if (uop->id >= b->n_ids || b->draft_of[uop->id])
    return FALSE;
  guint32 match = b->match_of[uop->id];
  Draft draft = { uop, FB_LIFE_NONE, FB_LIFE_NONE, match ? match : FB_STEP_NEVER, FB_STEP_NEVER, 0, 0, FALSE };
  g_array_append_val (b->drafts, draft);
  b->draft_of[uop->id] = b->drafts->len;
  Frame frame = { b->drafts->len - 1, 0 };
  g_array_append_val (b->stack, frame);
  return TRUE;
}

/* The node over what its sources end as, NULL when it was never made or is the node itself. */
static FbUop *
rebuilt (Builder *b, const FbUop *uop)
{
  gboolean changed = FALSE;
  g_ptr_array_set_size (b->src, 0);
  for (guint i = 0; i < uop->n_src; i++)
    {
      const Draft *source = draft_at (b, draft_of (b, uop->src[i]));
      /* one that is not done is on the way to itself: a rewrite that did not end */
      FbUop *final = !source->done                   ? uop->src[i]
                     : source->final == FB_LIFE_NONE ? NULL
                                                     : draft_at (b, source->final)->uop;
      if (!final)
        return NULL;
      changed |= final != uop->src[i];
      g_ptr_array_add (b->src, final);
    }
  if (!changed)
    return NULL;
  return fb_uop_lookup (b->context, uop->op, uop->dtype, uop->n_src, (FbUop *const *) b->src->pdata, uop->arg);
}

static FbUop *
becomes (Builder *b, const FbPass *pass, const Draft *draft)
{
  return draft->match != FB_STEP_NEVER ? fb_pass_match (pass, draft->match - 1)->after : rebuilt (b, draft->uop);
}

/* Sources and what it becomes are done. */
static void
finish (Builder *b, guint32 number)
{
  Draft *draft = draft_at (b, number);
  guint32 change = FB_STEP_NEVER, settle = 0;
  gboolean changed = FALSE;
  for (guint i = 0; i < draft->uop->n_src; i++)
    {
      guint32 at = draft_of (b, draft->uop->src[i]);
      const Draft *source = draft_at (b, at);
      change = MIN (change, source->change);
      settle = MAX (settle, source->settle);
      changed |= source->done && source->final != at;
    }
  const Draft *next = draft->next == FB_LIFE_NONE ? NULL : draft_at (b, draft->next);
  draft->final = next ? next->final : changed ? FB_LIFE_NONE : number;
  if (draft->match != FB_STEP_NEVER)
    {
      draft->change = MIN (draft->match, change);
      draft->settle = MAX (draft->match, next ? next->settle : 0);
    }
  else if (changed)
    {
      draft->change = change;
      draft->settle = MAX (settle, next ? next->settle : 0);
    }
  draft->done = TRUE;
  draft->post = b->post->len;
  g_array_append_val (b->post, number);
}

/* FALSE: the pass has more than @limit lives. */
static gboolean
walk (Builder *b, const FbPass *pass, FbUop *root, guint limit)
{
  enter (b, root);
  while (b->stack->len)
    {
      if (b->drafts->len > limit)
        {
          g_array_set_size (b->stack, 0);
          g_array_set_size (b->post, 0);
          return FALSE;
        }
      Frame *frame = &g_array_index (b->stack, Frame, b->stack->len - 1);
      guint32 number = frame->life;
      FbUop *uop = draft_at (b, number)->uop;
      if (frame->next < uop->n_src)
        {
          enter (b, uop->src[frame->next++]);
          continue;
        }
      if (frame->next++ == uop->n_src)
        {
          FbUop *next = becomes (b, pass, draft_at (b, number));
          gboolean entered = next && enter (b, next);
          guint32 at = next && next->id < b->n_ids ? draft_of (b, next) : FB_LIFE_NONE;
          if (at != FB_LIFE_NONE && at != number && (entered || draft_at (b, at)->done))
            draft_at (b, number)->next = at;
          continue;
        }
      finish (b, number);
      g_array_set_size (b->stack, b->stack->len - 1);
    }
  return TRUE;
}

/* Of a foreign pass; those of one place that were too large make the next of that place be given up sooner. */
static guint
limit_of (Builder *b, const FbPass *pass)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (b->skipped, pass->location));
  return pass->replacing ? b->left / 8 >> MIN (n, 31) : G_MAXUINT;
}

static void
skip_pass (Builder *b, const FbPass *pass)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (b->skipped, pass->location));
  g_hash_table_insert (b->skipped, (gpointer) pass->location, GUINT_TO_POINTER (n + 1));
}

static int
compare_ids (gconstpointer a, gconstpointer b, gpointer user)
{
  const FbHistory *history = user;
  guint32 x = fb_history_life (history, *(const guint32 *) a)->uop->id;
  guint32 y = fb_history_life (history, *(const guint32 *) b)->uop->id;
  return x < y ? -1 : x > y;
}

/* Drafts become lives, sources first. */
static void
take_lives (Builder *b, guint32 pass_number)
{
  FbHistory *history = b->history;
  guint32 base = history->lives->len;
  for (guint32 i = 0; i < b->post->len; i++)
    {
      const Draft *draft = draft_at (b, g_array_index (b->post, guint32, i));
      FbLife life = { .uop = draft->uop,
                      .pass = pass_number,
                      .first = FB_STEP_NEVER,
                      .end = draft->change,
                      .turn = FB_STEP_NEVER,
                      .next = draft->next == FB_LIFE_NONE ? FB_LIFE_NONE : base + draft_at (b, draft->next)->post,
                      .first_src = b->sources->len,
                      .prev = FB_LIFE_NONE,
                      .other = FB_LIFE_NONE };
      guint32 settle = 0;
      for (guint s = 0; s < draft->uop->n_src; s++)
        {
          const Draft *source = draft_at (b, draft_of (b, draft->uop->src[s]));
          guint32 at = base + source->post;
          g_array_append_val (b->sources, at);
          settle = MAX (settle, source->settle);
        }
      if (draft->match != FB_STEP_NEVER)
        life.fate = FB_FATE_REPLACED;
      else if (draft->change != FB_STEP_NEVER)
        life.fate = FB_FATE_REBUILT;
      if (life.next != FB_LIFE_NONE)
        life.turn = life.fate == FB_FATE_REPLACED ? draft->match : settle;
      g_array_append_val (history->lives, life);
    }
  for (guint32 i = base; i < history->lives->len; i++)
    history->by_id[i] = i;
}

static void
add_pass (Builder *b, guint32 number)
{
  FbHistory *history = b->history;
  const FbPass *pass = fb_schedule_pass (history->schedule, number);
  guint32 first = history->lives->len;
  g_array_set_size (b->drafts, 0);
  g_array_set_size (b->post, 0);
  for (guint i = pass->matches->len; i-- > 0;)
    b->match_of[fb_pass_match (pass, i)->before->id] = i + 1;
  gboolean whole = walk (b, pass, pass->sink, limit_of (b, pass));
  if (!whole)
    skip_pass (b, pass);
  else if (pass->replacing)
    b->left -= MIN (b->left, b->post->len);
  history->by_id = g_renew (guint32, history->by_id, first + b->post->len + 1);
  take_lives (b, number);
  guint32 end = history->lives->len;
  guint32 root = first + draft_at (b, 0)->post;
  g_qsort_with_data (history->by_id + first, (gint) (end - first), sizeof (guint32), compare_ids, history);
  for (guint i = 0; i < b->drafts->len; i++)
    b->draft_of[draft_at (b, i)->uop->id] = 0;
  for (guint i = 0; i < pass->matches->len; i++)
    b->match_of[fb_pass_match (pass, i)->before->id] = 0;
  /* the rest reads sources through the history */
  history->sources = (guint32 *) (gpointer) b->sources->data;
  if (whole)
    fb_history_tell_times (history, number, root);
}

FbHistory *
fb_history_new (const FbSchedule *schedule, GCancellable *cancellable)
{
  guint n = schedule->passes->len, n_steps = 0;
  guint32 n_ids = fb_context_n_uops (schedule->context);
  g_autoptr (FbHistory) history = g_new0 (FbHistory, 1);
  history->schedule = schedule;
  history->kernels_pass = G_MAXUINT32;
  history->lives = g_array_new (FALSE, FALSE, sizeof (FbLife));
  history->spans = g_array_new (FALSE, FALSE, sizeof (FbSpan));
  history->from = g_array_new (FALSE, FALSE, sizeof (FbKernelLink));
  history->to = g_array_new (FALSE, FALSE, sizeof (FbKernelLink));
  history->first_life = g_new0 (guint32, n + 1);
  history->first_step = g_new0 (guint32, n + 1);
  for (guint i = 0; i < n; i++)
    {
      history->first_step[i] = n_steps;
      n_steps += fb_schedule_pass (schedule, i)->matches->len + 1;
      if (!fb_schedule_pass (schedule, i)->kernel)
        history->kernels_pass = i;
    }
  history->n_nodes = g_new0 (guint32, n_steps + 1);
  Builder b = { .history = history,
                .context = schedule->context,
                .sources = g_array_new (FALSE, FALSE, sizeof (guint32)),
                .n_ids = n_ids,
                .draft_of = g_new0 (guint32, n_ids + 1),
                .match_of = g_new0 (guint32, n_ids + 1),
                .drafts = g_array_new (FALSE, FALSE, sizeof (Draft)),
                .post = g_array_new (FALSE, FALSE, sizeof (guint32)),
                .stack = g_array_new (FALSE, FALSE, sizeof (Frame)),
                .src = g_ptr_array_new (),
                .left = MOST_FOREIGN,
                .skipped = g_hash_table_new (g_str_hash, g_str_equal) };
  gboolean cancelled = FALSE;
  for (guint i = 0; i < n && !cancelled; i++)
    {
      history->first_life[i] = history->lives->len;
      add_pass (&b, i);
      cancelled = g_cancellable_is_cancelled (cancellable);
    }
  history->first_life[n] = history->lives->len;
  if (!cancelled)
    fb_history_link_kernels (history, b.draft_of, n_ids);
  g_array_free (b.drafts, TRUE);
  g_array_free (b.post, TRUE);
  g_array_free (b.stack, TRUE);
  g_ptr_array_free (b.src, TRUE);
  g_hash_table_unref (b.skipped);
  g_free (b.draft_of);
  g_free (b.match_of);
  history->sources = (guint32 *) (gpointer) g_array_free (b.sources, FALSE);
  return cancelled ? NULL : g_steal_pointer (&history);
}

void
fb_history_free (FbHistory *history)
{
  if (!history)
    return;
  g_array_free (history->lives, TRUE);
  g_array_free (history->spans, TRUE);
  g_array_free (history->from, TRUE);
  g_array_free (history->to, TRUE);
  g_free (history->first_life);
  g_free (history->first_step);
  g_free (history->sources);
  g_free (history->by_id);
  g_free (history->n_nodes);
  g_free (history);
}
