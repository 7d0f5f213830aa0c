#include "app/bindings.h"

#include <string.h>

typedef struct
{
  const FbRule *rule;
  const FbMatch *match;
  gboolean try; /* the rule's function says whether this way to match is the one */
  FbUop *bound[FB_N_NAMES];
} Capture;

/* Stands in for the rule's own function and notes what that was given. */
static FbUop *
note_bound (FbRewriter *rw, FbUop *const *m)
{
  Capture *capture = rw->user;
  FbRewriter inner = { .context = rw->context };
  FbUop *result = capture->try ? capture->rule->apply (&inner, m) : capture->match->after;
  if (result)
    memcpy (capture->bound, m, sizeof capture->bound);
  return result;
}

/* Whether a pattern can match a node in more than one way. They are a few levels deep. */
static gboolean
has_choices (const FbPattern *pattern)
{
  if (pattern->src_mode == FB_SRC_PERMUTED || pattern->src_mode == FB_SRC_EITHER)
    return TRUE;
  for (guint i = 0; i < pattern->n_src; i++)
    if (has_choices (pattern->src[i]))
      return TRUE;
  return FALSE;
}

/* A rule set lives as long as the program, so there is one for each rule. */
static const FbRuleSet *
noting_set (const FbRule *rule)
{
  static GMutex mutex;
  static GHashTable *sets;
  g_mutex_lock (&mutex);
  if (!sets)
    sets = g_hash_table_new (NULL, NULL);
  FbRuleSet *set = g_hash_table_lookup (sets, rule);
  if (!set)
    {
      FbRule *noting = g_memdup2 (rule, sizeof *rule);
      noting->apply = note_bound;
      FbRuleTable table = { noting, 1 };
      set = fb_rule_set_new (rule->name, 1, &table);
      g_hash_table_insert (sets, (gpointer) rule, set);
    }
  g_mutex_unlock (&mutex);
  return set;
}

static void
add_names (GArray *bindings, const FbPattern *pattern, FbUop *const *bound)
{
  if (pattern->name && bound[pattern->name])
    {
      FbBinding binding = { fb_name_text (pattern->name), bound[pattern->name] };
      gboolean known = FALSE;
      for (guint i = 0; i < bindings->len; i++)
        known |= g_array_index (bindings, FbBinding, i).name == binding.name;
      if (!known)
        g_array_append_val (bindings, binding);
    }
  for (guint i = 0; i < pattern->n_src; i++)
    add_names (bindings, pattern->src[i], bound);
}

GArray *
fb_bindings_new (FbContext *context, const FbPass *pass, const FbMatch *match)
{
  GArray *bindings = g_array_new (FALSE, FALSE, sizeof (FbBinding));
  Capture capture = { .rule = fb_rule_set_rule (pass->rules, match->rule), .match = match };
  capture.try = has_choices (capture.rule->pattern);
  /* Functions of the symbolic rules depend on the nodes alone; others may need what their pass had gathered by then. */
  if (capture.try && !g_str_has_prefix (capture.rule->location, "symbolic.py:"))
    return bindings;
  g_autoptr (FbContext) scratch = fb_context_new_overlay (context);
  FbRewriter rw = { scratch, &capture };
  FbUop *result = fb_rewrite_once (&rw, noting_set (capture.rule), match->before);
  fb_context_take_error (scratch, NULL);
  if (result && result == match->after)
    add_names (bindings, capture.rule->pattern, capture.bound);
  return bindings;
}
