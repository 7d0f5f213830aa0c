/* A context of a trace as a schedule: its rewrites are the passes, the places of patterns the rules. So everything that works on the
 * passes of a schedule works on traces. */
#include <string.h>

#include "core/ir/context-private.h"
#include "core/rewrite/rules-private.h"
#include "viztrace-private.h"
#include "viztrace-schedule.h"

/* Nodes that are looked at for the results of passes. */
#define MOST_LOOKED_AT 2000000
/* Matches of a pass whose graphs are each made from the one before, only to tell its result. */
#define MOST_IN_TURN 256

/* Any node: what a pattern looks like is not in a trace. */
static const FbPattern any;

typedef struct
{
  FbVizNodes *nodes;
  FbSchedule *schedule;
  GHashTable *by_place; /* "file:line" to its number + 1 */
  GPtrArray *rules;     /* of FbRule */
  GArray *matches;      /* of FbMatch, of all rewrites so far */
  GArray *seconds;      /* of float, one for each */
  GHashTable *skipped;  /* locations of calls to how many of their results were too much work */
  GHashTable *costs;    /* of bottom-up ones to how many nodes the last result took */
  guint left;           /* nodes that may still be looked at for results */
} Maker;

static guint32
rule_of (Maker *maker, const FbVizMatch *match)
{
  FbArena *arena = &maker->nodes->arena;
  char *place = fb_arena_printf (arena, "%s:%" G_GINT64_FORMAT, match->file, match->line);
  guint32 known = GPOINTER_TO_UINT (g_hash_table_lookup (maker->by_place, place));
  FbRule *rule;

  if (known)
    return known - 1;
  rule = fb_arena_alloc (arena, sizeof *rule);
  *rule = (FbRule){ .pattern = &any, .law = "" };
  rule->name = rule->location = fb_viz_base_name (place);
  g_ptr_array_add (maker->rules, rule);
  g_hash_table_insert (maker->by_place, place, GUINT_TO_POINTER (maker->rules->len));
  return maker->rules->len - 1;
}

/* The matches of a rewrite, as far as the trace has them. */
static gboolean
read_matches (Maker *maker, const FbVizRewrite *rewrite, GError **error)
{
  FbContext *context = maker->nodes->context;

  for (guint i = 0; i < rewrite->n_matches; i++)
    {
      FbVizMatch match;
      FbMatch made;
      float seconds;

      made.first_new = fb_context_n_uops (context);
      if (!fb_viz_nodes_match (maker->nodes, rewrite, i, &match, error))
        return FALSE;
      made.before = match.before;
      made.after = match.after;
      made.rule = rule_of (maker, &match);
      made.end_new = fb_context_n_uops (context);
      g_array_append_val (maker->matches, made);
      seconds = (float) match.seconds;
      g_array_append_val (maker->seconds, seconds);
    }
  return TRUE;
}

/* What a bottom-up rewrite shows is replaced in its input, so its result costs no more than what of that is looked into. */
static void
find_bottom_up_result (Maker *maker, const FbVizRewrite *rewrite, FbPass *pass)
{
  guint last = GPOINTER_TO_UINT (g_hash_table_lookup (maker->costs, pass->location));

  if (last > maker->left / 8)
    return;
  pass->result = fb_viz_result (maker->nodes, rewrite, pass->sink, pass->matches->len, pass->matches->at);
  g_hash_table_insert (maker->costs, (gpointer) pass->location, GUINT_TO_POINTER (maker->nodes->n_looked));
  maker->left -= MIN (maker->left, maker->nodes->n_looked);
}

/* Results are how one pass goes on in the next; they are told as long as they are not the larger part of the work. Some rewrites run
 * thousands of times over the whole graph and change a node of it. */
static void
find_result (Maker *maker, const FbVizRewrite *rewrite, FbPass *pass)
{
  if (rewrite->bottom_up && pass->matches->len)
    {
      find_bottom_up_result (maker, rewrite, pass);
      return;
    }
  gpointer skipped = g_hash_table_lookup (maker->skipped, pass->location);
  guint limit = maker->left / 8 >> MIN (GPOINTER_TO_UINT (skipped), 31), n = pass->matches->len;
  FbVizOrder order = n ? fb_viz_replacing_order (pass->replacing, pass, limit) : FB_VIZ_ANY_ORDER;

  if (n == 0)
    pass->result = pass->sink;
  else if (order == FB_VIZ_UNKNOWN)
    g_hash_table_insert (maker->skipped, (gpointer) pass->location, GUINT_TO_POINTER (GPOINTER_TO_UINT (skipped) + 1));
  else if (order == FB_VIZ_IN_TURN)
    pass->result = n <= MOST_IN_TURN ? fb_viz_result_in_turn (pass->replacing, pass, NULL) : NULL;
  else
    pass->result = fb_viz_result (maker->nodes, rewrite, pass->sink, n, pass->matches->at);
  maker->left -= MIN (maker->left / 8, maker->nodes->n_looked);
}

static void
add_pass (Maker *maker, const FbVizRewrite *rewrite, FbUop *sink, const FbRuleSet *rules, guint first)
{
  FbArena *arena = &maker->nodes->arena;
  g_autofree char *plain = fb_viz_plain_name (rewrite->name ? rewrite->name : rewrite->location);
  const char *title = fb_arena_strndup (arena, plain, strlen (plain));
  FbPass *pass = fb_pass_new (rewrite->location, title, rewrite->bottom_up, sink, rules);
  const FbMatch *matches = rewrite->n_matches ? &g_array_index (maker->matches, FbMatch, first) : NULL;

  pass->name = rewrite->name;
  pass->depth = rewrite->depth;
  pass->replacing = fb_viz_replacing_new (maker->nodes, rewrite);
  if (matches)
    fb_pass_add_matches (pass, arena, rewrite->n_matches, matches);
  if (matches && g_array_index (maker->seconds, float, first) >= 0)
    pass->seconds
        = fb_arena_memdup (arena, &g_array_index (maker->seconds, float, first), sizeof (float) * rewrite->n_matches);
  for (guint i = 0; i < rewrite->n_matches; i++)
    {
      guint32 rule = g_array_index (maker->matches, FbMatch, first + i).rule;
      pass->fired[rule]++;
      pass->tries[rule]++;
    }
  find_result (maker, rewrite, pass);
  g_ptr_array_add (maker->schedule->passes, pass);
}

/* A pass counts by rule, and all rules are known only when all matches were read: passes come after that. */
static void
make_passes (Maker *maker, const FbVizContext *group, GCancellable *cancellable, GError **error)
{
  g_autofree FbUop **sinks = g_new (FbUop *, group->n_rewrites + 1);
  /* sets of ops want a stricter alignment than an arena gives */
  gsize at = (gsize) fb_arena_alloc (&maker->nodes->arena, sizeof (FbRuleSet) + G_ALIGNOF (FbRuleSet));
  FbRuleSet *rules = (FbRuleSet *) ((at + G_ALIGNOF (FbRuleSet) - 1) & ~(G_ALIGNOF (FbRuleSet) - 1));
  guint n, first = 0;

  for (n = 0; n < group->n_rewrites; n++)
    if (g_cancellable_set_error_if_cancelled (cancellable, error)
        || !(sinks[n] = fb_viz_nodes_sink (maker->nodes, &group->rewrites[n], error))
        || !read_matches (maker, &group->rewrites[n], error))
      break;
  *rules = (FbRuleSet){ .name = "trace", .n_rules = maker->rules->len };
  rules->rules = fb_arena_memdup (&maker->nodes->arena, maker->rules->pdata, sizeof (FbRule *) * maker->rules->len);
  for (guint i = 0; i < n && !g_cancellable_is_cancelled (cancellable); i++)
    {
      add_pass (maker, &group->rewrites[i], sinks[i], rules, first);
      first += group->rewrites[i].n_matches;
    }
}

FbSchedule *
fb_viz_schedule_new (FbVizNodes *nodes, guint index, GCancellable *cancellable)
{
  const FbVizContext *group = fb_viz_trace_context (nodes->trace, index);
  FbSchedule *schedule = fb_schedule_new_empty (nodes->context);
  Maker maker = {
    .nodes = nodes,
    .schedule = schedule,
    .by_place = g_hash_table_new (g_str_hash, g_str_equal),
    .rules = g_ptr_array_new (),
    .matches = g_array_new (FALSE, FALSE, sizeof (FbMatch)),
    .seconds = g_array_new (FALSE, FALSE, sizeof (float)),
    .skipped = g_hash_table_new (g_str_hash, g_str_equal),
    .costs = g_hash_table_new (g_str_hash, g_str_equal),
    .left = MOST_LOOKED_AT,
  };

  if (group->n_rewrites)
    schedule->big_sink = fb_viz_nodes_sink (nodes, &group->rewrites[0], &schedule->error);
  if (schedule->big_sink)
    make_passes (&maker, group, cancellable, &schedule->error);
  g_hash_table_unref (maker.by_place);
  g_ptr_array_unref (maker.rules);
  g_array_unref (maker.matches);
  g_array_unref (maker.seconds);
  g_hash_table_unref (maker.skipped);
  g_hash_table_unref (maker.costs);
  return schedule;
}
