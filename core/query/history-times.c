/* When each life of a pass is in graphs: passed on from users to sources, and from nodes to what they became. */
#include "history-private.h"

/* Steps at which somebody uses a node: mostly one span, with gaps when it is dropped and made again. */
typedef struct
{
  FbSpan one;   /* empty: from == to */
  GArray *more; /* of FbSpan, sorted, apart from each other; NULL: @one is all */
} Want;

static void
add_span (Want *want, FbSpan span)
{
  if (span.from >= span.to)
    return;
  if (!want->more)
    {
      FbSpan *one = &want->one;
      if (one->from == one->to)
        *one = span;
      else if (span.from <= one->to && span.to >= one->from)
        *one = (FbSpan){ MIN (one->from, span.from), MAX (one->to, span.to) };
      else
        {
          want->more = g_array_new (FALSE, FALSE, sizeof (FbSpan));
          g_array_append_val (want->more, *one);
          add_span (want, span);
        }
      return;
    }
  GArray *all = want->more;
  guint at = 0, n = 0;
  while (at < all->len && g_array_index (all, FbSpan, at).to < span.from)
    at++;
  while (at + n < all->len && g_array_index (all, FbSpan, at + n).from <= span.to)
    {
      const FbSpan *other = &g_array_index (all, FbSpan, at + n++);
      span = (FbSpan){ MIN (span.from, other->from), MAX (span.to, other->to) };
    }
  if (n)
    g_array_remove_range (all, at, n);
  g_array_insert_val (all, at, span);
}

/* What is in @other between @from and @to. */
static void
add_part (Want *want, const Want *other, guint32 from, guint32 to)
{
  guint n = other->more ? other->more->len : 1;
  for (guint i = 0; i < n; i++)
    {
      FbSpan span = other->more ? g_array_index (other->more, FbSpan, i) : other->one;
      add_span (want, (FbSpan){ MAX (span.from, from), MIN (span.to, to) });
    }
}

/* Its spans are in the graphs: keeps them. */
static void
take_spans (FbHistory *history, FbLife *life, const Want *want)
{
  Want seen = { 0 };
  add_part (&seen, want, 0, life->turn);
  life->spans = history->spans->len;
  life->n_spans = seen.more ? seen.more->len : seen.one.from < seen.one.to;
  if (seen.more)
    g_array_append_vals (history->spans, seen.more->data, seen.more->len);
  else if (life->n_spans)
    g_array_append_val (history->spans, seen.one);
  if (life->n_spans)
    {
      life->first = g_array_index (history->spans, FbSpan, life->spans).from;
      life->stop = g_array_index (history->spans, FbSpan, history->spans->len - 1).to;
    }
  if (seen.more)
    g_array_free (seen.more, TRUE);
}

/* From users to sources, and from nodes to what they became: downwards in the order of lives. */
static void
pass_on_times (FbHistory *history, guint32 first, guint32 end, guint32 root)
{
  g_autofree Want *wants = g_new0 (Want, end - first);
  wants[root - first].one = (FbSpan){ 0, FB_STEP_NEVER };
  for (guint32 i = end; i-- > first;)
    {
      FbLife *life = fb_history_life (history, i);
      Want *want = &wants[i - first];
      const guint32 *sources = fb_history_sources (history, life);
      take_spans (history, life, want);
      for (guint s = 0; s < life->uop->n_src; s++)
        add_part (&wants[sources[s] - first], want, 0, life->turn);
      if (life->next != FB_LIFE_NONE)
        {
          FbLife *next = fb_history_life (history, life->next);
          add_part (&wants[life->next - first], want, life->turn, FB_STEP_NEVER);
          life->other = next->prev;
          next->prev = i;
        }
      if (want->more)
        g_array_free (want->more, TRUE);
    }
}

/* Whatever comes new at a step is made by its rule, or rebuilt because of that. */
static void
tell_makers (FbHistory *history, guint32 first, guint32 end)
{
  for (guint32 i = first; i < end; i++)
    {
      FbLife *life = fb_history_life (history, i);
      gboolean rebuilt = FALSE;
      if (!life->n_spans || life->first == 0)
        continue;
      for (guint32 at = life->prev; at != FB_LIFE_NONE && !rebuilt; at = fb_history_life (history, at)->other)
        {
          const FbLife *prev = fb_history_life (history, at);
          rebuilt = prev->fate == FB_FATE_REBUILT && prev->turn == life->first && prev->n_spans;
        }
      life->made_by = rebuilt ? 0 : life->first;
    }
}

static void
count_nodes (FbHistory *history, guint32 pass, guint32 first, guint32 end, guint32 n_steps)
{
  guint32 *n = history->n_nodes + history->first_step[pass];
  g_autofree gint32 *growth = g_new0 (gint32, n_steps + 2);
  for (guint32 i = first; i < end; i++)
    {
      const FbLife *life = fb_history_life (history, i);
      for (guint k = 0; k < life->n_spans; k++)
        {
          const FbSpan *span = &g_array_index (history->spans, FbSpan, life->spans + k);
          growth[MIN (span->from, n_steps + 1)]++;
          growth[MIN (span->to, n_steps + 1)]--;
        }
    }
  gint32 now = 0;
  for (guint32 s = 0; s <= n_steps; s++)
    n[s] = (guint32) (now += growth[s]);
}

void
fb_history_tell_times (FbHistory *history, guint32 pass, guint32 root)
{
  guint32 first = history->first_life[pass], end = history->lives->len;
  pass_on_times (history, first, end, root);
  tell_makers (history, first, end);
  count_nodes (history, pass, first, end, fb_schedule_pass (history->schedule, pass)->matches->len);
}
