#include "trace.h"

#include <string.h>

typedef struct
{
  FbPass pass;
  FbMatches matches;
  guint32 counters[];
} PassMemory;

static gsize
memory_size (const FbRuleSet *rules)
{
  return sizeof (PassMemory) + 2 * sizeof (guint32) * fb_rule_set_n_rules (rules);
}

/* A pass in @memory, of memory_size(). */
static FbPass *
pass_init (PassMemory *memory, const char *location, const char *title, gboolean bottom_up, FbUop *sink,
           const FbRuleSet *rules)
{
  FbPass *pass = &memory->pass;

  memset (memory, 0, memory_size (rules));
  pass->location = location;
  pass->title = title;
  pass->bottom_up = bottom_up;
  pass->sink = sink;
  pass->rules = rules;
  pass->matches = &memory->matches;
  pass->tries = memory->counters;
  pass->fired = pass->tries + fb_rule_set_n_rules (rules);
  return pass;
}

FbPass *
fb_pass_new (const char *location, const char *title, gboolean bottom_up, FbUop *sink, const FbRuleSet *rules)
{
  return pass_init (g_malloc (memory_size (rules)), location, title, bottom_up, sink, rules);
}

FbPass *
fb_pass_new_in (FbArena *arena, const char *location, const char *title, gboolean bottom_up, FbUop *sink,
                const FbRuleSet *rules)
{
  FbPass *pass = pass_init (fb_arena_alloc (arena, memory_size (rules)), location, title, bottom_up, sink, rules);

  pass->in_arena = TRUE;
  return pass;
}

FbPass *
fb_pass_new_repeated (FbArena *arena, const FbPass *done, guint kernel)
{
  FbPass *pass = fb_arena_memdup (arena, done, sizeof *done);

  pass->in_arena = TRUE;
  pass->kernel = kernel;
  pass->ticks = NULL; /* nothing ran */
  return pass;
}

void
fb_pass_measure (FbPass *pass)
{
  if (pass->ticks)
    return;
  pass->ticks = g_malloc0 (sizeof *pass->ticks + sizeof (guint64) * fb_rule_set_n_rules (pass->rules));
  pass->ticks->matches = g_array_new (FALSE, FALSE, sizeof (guint64));
}

void
fb_pass_free (FbPass *pass)
{
  if (pass->ticks)
    g_array_unref (pass->ticks->matches);
  g_free (pass->ticks);
  if (pass->replacing)
    pass->replacing->free (pass->replacing);
  if (!pass->in_arena)
    g_free (pass);
}

void
fb_pass_add_matches (FbPass *pass, FbArena *arena, guint n, const FbMatch *matches)
{
  FbMatches *all = pass->matches;

  if (all->allocated - all->len < n)
    {
      /* most passes add once: no more than they need */
      all->allocated = MAX (all->len + n, 2 * all->allocated);
      all->at = fb_arena_grow (arena, all->at, sizeof *matches * all->len, sizeof *matches * all->allocated);
    }
  memcpy (all->at + all->len, matches, sizeof *matches * n);
  all->len += n;
}
