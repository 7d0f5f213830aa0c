/* When a node changes: when a rule replaces it, or anything that it is made of. */
#include "history.h"

static guint32
n_steps (const FbHistory *history, guint32 pass)
{
  return fb_schedule_pass (history->schedule, pass)->matches->len;
}

typedef struct
{
  const FbHistory *history;
  guint32 first; /* life of the pass */
  guint8 *seen;  /* by life - first */
  GArray *queue; /* lives */
} Walk;

static void
walk_init (Walk *walk, const FbHistory *history, guint32 pass)
{
  *walk = (Walk){ history, history->first_life[pass], NULL, g_array_new (FALSE, FALSE, sizeof (guint32)) };
  walk->seen = g_new0 (guint8, history->first_life[pass + 1] - walk->first + 1);
}

static void
walk_clear (Walk *walk)
{
  g_array_unref (walk->queue);
  g_free (walk->seen);
}

static void
walk_add (Walk *walk, guint32 life)
{
  if (life == FB_LIFE_NONE || walk->seen[life - walk->first])
    return;
  walk->seen[life - walk->first] = 1;
  g_array_append_val (walk->queue, life);
}

/* From when until when @life, there at @step, is in graphs without a break. */
static FbSpan
span_at (const FbHistory *history, guint32 life, guint32 step)
{
  const FbLife *l = fb_history_life (history, life);
  for (guint i = 0; i < l->n_spans; i++)
    {
      FbSpan span = g_array_index (history->spans, FbSpan, l->spans + i);
      if (span.from <= step && step < span.to)
        return span;
    }
  return (FbSpan){ 0, FB_STEP_NEVER };
}

/* @life is what the node is at @step. A node over changed sources changes again with whatever it stands over. */
static guint32
change_after (const FbHistory *history, guint32 life, guint32 step)
{
  guint32 found = span_at (history, life, step).to;
  Walk walk;
  walk_init (&walk, history, fb_history_life (history, life)->pass);
  walk_add (&walk, life);
  for (guint i = 0; i < walk.queue->len; i++)
    {
      const FbLife *l = fb_history_life (history, g_array_index (walk.queue, guint32, i));
      if (l->turn > step)
        found = MIN (found, l->turn);
      if (step < l->end)
        {
          found = MIN (found, l->end);
          continue;
        }
      const guint32 *sources = fb_history_sources (history, l);
      for (guint s = 0; s < l->uop->n_src; s++)
        walk_add (&walk, fb_history_at (history, sources[s], step));
    }
  walk_clear (&walk);
  return found;
}

/* What @life has become by @step; the last turn on the way goes into @last. */
static guint32
follow_turns (const FbHistory *history, guint32 life, guint32 step, guint32 *last)
{
  while (life != FB_LIFE_NONE && fb_history_life (history, life)->turn <= step)
    {
      *last = MAX (*last, fb_history_life (history, life)->turn);
      life = fb_history_life (history, life)->next;
    }
  return life;
}

/* The last step up to @step that made the node @life, alive then, what it is at @step; 0: none did. */
static guint32
change_before (const FbHistory *history, guint32 life, guint32 step)
{
  guint32 found = span_at (history, life, step).from;
  Walk walk;
  walk_init (&walk, history, fb_history_life (history, life)->pass);
  walk_add (&walk, life);
  for (guint i = 0; i < walk.queue->len; i++)
    {
      const FbLife *l = fb_history_life (history, g_array_index (walk.queue, guint32, i));
      if (step < l->end)
        continue;
      const guint32 *sources = fb_history_sources (history, l);
      for (guint s = 0; s < l->uop->n_src; s++)
        walk_add (&walk, follow_turns (history, sources[s], step, &found));
    }
  walk_clear (&walk);
  return found;
}

/* The last step before @step that dropped @life, which @step brought back; 0: none did. */
static guint32
dropped_before (const FbHistory *history, guint32 life, guint32 step)
{
  const FbLife *l = life == FB_LIFE_NONE ? NULL : fb_history_life (history, life);
  guint32 found = 0;
  for (guint i = 0; l && i < l->n_spans; i++)
    {
      guint32 to = g_array_index (history->spans, FbSpan, l->spans + i).to;
      if (to < step)
        found = MAX (found, to);
    }
  return found;
}

/* In one pass; 0: none. */
static guint32
find_in_pass (const FbHistory *history, guint32 life, guint32 pass, guint32 step, int direction)
{
  if (direction < 0 && !step)
    return 0;
  guint32 at = fb_history_follow (history, life, pass, direction < 0 ? step - 1 : step);
  if (at == FB_LIFE_NONE)
    return direction < 0 && step <= n_steps (history, pass)
               ? dropped_before (history, fb_history_follow (history, life, pass, step), step)
               : 0;
  if (direction < 0)
    return change_before (history, at, step - 1);
  guint32 found = change_after (history, at, step);
  return found == FB_STEP_NEVER ? 0 : found;
}

gboolean
fb_history_find_change (const FbHistory *history, guint32 life, guint32 *pass, guint32 *step, int direction)
{
  guint32 n_passes = history->schedule->passes->len, found = find_in_pass (history, life, *pass, *step, direction);
  guint32 at = *pass;
  while (!found && (direction < 0 ? at > 0 : at + 1 < n_passes))
    {
      at += direction;
      if (n_steps (history, at))
        found = find_in_pass (history, life, at, direction < 0 ? n_steps (history, at) + 1 : 0, direction);
    }
  if (!found)
    return FALSE;
  *pass = at;
  *step = found;
  return TRUE;
}
