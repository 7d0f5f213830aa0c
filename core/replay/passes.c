#include "passes.h"

#include <string.h>

#include "core/ir/text.h"

static void
free_pass (gpointer data)
{
  FbReplayPass *pass = data;

  g_free (pass->title);
  g_free (pass->rule_recorded);
  g_free (pass->rule_here);
  g_free (pass);
}

static const char *
rule_here (const FbPass *pass, guint i)
{
  return i < pass->matches->len ? fb_rule_set_rule (pass->rules, fb_pass_match (pass, i)->rule)->location : "";
}

static const char *
rule_recorded (const FbRecordedPass *pass, guint i)
{
  return i < pass->n_matches ? pass->matches[i].rule : "";
}

/* A trace does not say which of its NaNs are the same object, and nodes are the same only if those are: such nodes are alike when they
 * print alike. */
static gboolean
alike (FbContext *context, FbUop *a, FbUop *b)
{
  return a == b || memcmp (fb_uop_key (context, a), fb_uop_key (context, b), 32) == 0;
}

/* Matches at the start of both that are the same. */
static guint
count_alike (FbContext *context, const FbRecordedPass *recorded, const FbPass *here)
{
  guint n = MIN (recorded->n_matches, here->matches->len), i;

  for (i = 0; i < n; i++)
    {
      const FbMatch *match = fb_pass_match (here, i);

      if (!alike (context, match->before, recorded->matches[i].before)
          || !alike (context, match->after, recorded->matches[i].after)
          || strcmp (rule_here (here, i), rule_recorded (recorded, i)) != 0)
        break;
    }
  return i;
}

static void
compare_pass (FbReplayPasses *passes, FbContext *context, const FbRecordedPass *recorded, const FbPass *here)
{
  gboolean same_input = recorded->bottom_up == here->bottom_up && alike (context, recorded->sink, here->sink);
  guint n = same_input ? count_alike (context, recorded, here) : 0;
  FbReplayPass *pass;

  passes->n_matches_alike += n;
  if (same_input && n == recorded->n_matches && n == here->matches->len)
    {
      passes->n_alike++;
      return;
    }
  pass = g_new (FbReplayPass, 1);
  *pass = (FbReplayPass){ .title = g_strdup (here->title),
                          .kernel = here->kernel,
                          .n_recorded = recorded->n_matches,
                          .n_here = here->matches->len,
                          .first = same_input ? n + 1 : 0,
                          .rule_recorded = g_strdup (same_input ? rule_recorded (recorded, n) : ""),
                          .rule_here = g_strdup (same_input ? rule_here (here, n) : "") };
  g_ptr_array_add (passes->different, pass);
}

FbReplayPasses *
fb_replay_passes_new_empty (void)
{
  FbReplayPasses *passes = g_new0 (FbReplayPasses, 1);

  passes->different = g_ptr_array_new_with_free_func (free_pass);
  return passes;
}

FbReplayPasses *
fb_replay_passes_new (const FbRecorded *recorded, const FbSchedule *schedule)
{
  FbReplayPasses *passes = fb_replay_passes_new_empty ();
  guint n = MIN (recorded->n_passes, schedule->passes->len);

  passes->n_recorded = recorded->n_passes;
  passes->n_here = schedule->passes->len;
  passes->n_others = recorded->n_others;
  for (guint i = 0; i < recorded->n_passes; i++)
    passes->n_matches += recorded->passes[i].n_matches;
  for (guint i = 0; i < n; i++)
    {
      const FbPass *here = fb_schedule_pass (schedule, i);

      if (here->kernel && recorded->kernels->len != schedule->kernels->len)
        break;
      if (strcmp (here->location, recorded->passes[i].location) != 0)
        break;
      compare_pass (passes, recorded->context, &recorded->passes[i], here);
    }
  return passes;
}

void
fb_replay_passes_free (FbReplayPasses *passes)
{
  if (!passes)
    return;
  g_ptr_array_unref (passes->different);
  g_free (passes);
}

gboolean
fb_replay_passes_alike (const FbReplayPasses *passes)
{
  return passes->n_alike == passes->n_recorded && passes->n_recorded == passes->n_here;
}

char *
fb_replay_passes_to_text (const FbReplayPasses *passes)
{
  GString *text = g_string_new (NULL);
  const FbReplayPass *first = passes->different->len ? g_ptr_array_index (passes->different, 0) : NULL;
  guint compared = passes->n_alike + passes->different->len;

  if (!first && compared == passes->n_recorded)
    g_string_printf (text, "%u passes, %" G_GUINT64_FORMAT " matches alike", passes->n_recorded, passes->n_matches);
  else
    g_string_printf (text, "%u of %u passes alike", passes->n_alike, passes->n_recorded);
  if (first)
    {
      g_string_append_printf (text, ", first %s", first->title);
      if (first->kernel)
        g_string_append_printf (text, " of kernel %u", first->kernel);
      if (!first->first)
        g_string_append (text, " of another graph");
      else if (strcmp (first->rule_recorded, first->rule_here) == 0)
        g_string_append_printf (text, " at match %u: another node by %s", first->first, first->rule_here);
      else
        g_string_append_printf (text, " at match %u: %s recorded, %s here", first->first,
                                *first->rule_recorded ? first->rule_recorded : "no more",
                                *first->rule_here ? first->rule_here : "no more");
    }
  if (compared < passes->n_recorded)
    g_string_append_printf (text, ", %u not compared", passes->n_recorded - compared);
  return g_string_free (text, FALSE);
}
