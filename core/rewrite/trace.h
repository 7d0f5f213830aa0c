/* What a rewrite did: every match, and every node rebuilt because a source changed. Recorded always. */
#pragma once

#include "rules.h"
#include "ticks.h"

typedef struct
{
  FbUop *before, *after;
  guint32 rule;               /* index in the pass's rule set */
  guint32 first_new, end_new; /* ids of the nodes the rule made: [first_new, end_new) */
} FbMatch;

typedef struct
{
  FbMatch *at; /* owned by the arena of the context, as the nodes are */
  guint len, allocated;
} FbMatches;

struct _FbPass;
struct _FbStep;

/* How the nodes of a foreign pass are replaced, where that differs from what the passes of this program do. All functions may
 * be NULL; they are called by whoever steps, one thread at a time, and by whoever only reads the pass, at any time. */
typedef struct _FbReplacing FbReplacing;
struct _FbReplacing
{
  /* What a node was replaced by is not looked into, nor is a node that was rebuilt. */
  gboolean once;
  /* How many of the first sources of @uop stay as they are, whatever was matched in them. */
  guint (*n_closed) (const FbReplacing *replacing, const FbUop *uop);
  /* @uop over other sources, in @context; else fb_uop_with_src(). */
  FbUop *(*rebuild) (const FbReplacing *replacing, FbContext *context, const FbUop *uop, FbUop *const *src);
  /* Called before the pass is stepped through: the rest may be set by then only. */
  void (*prepare) (FbReplacing *replacing, const struct _FbPass *pass);
  /* Makes a step of a pass whose graphs do not follow from its input alone, as fb_stepper_step() does. */
  struct _FbStep *(*step) (FbReplacing *replacing, const struct _FbPass *pass, guint step, GError **error);
  void (*free) (FbReplacing *replacing);
};

typedef struct _FbPass
{
  const char *location; /* the reference's call: "schedule.py:374" */
  const char *name;     /* of the reference's graph_rewrite, NULL for none */
  const char *title;    /* for people: "simplify" */
  guint kernel;         /* of a pass over one kernel its number in run order, from 1; 0 otherwise */
  guint depth;          /* of a pass that runs within a match of another, how many it is within */
  gboolean bottom_up;
  FbUop *sink;   /* input */
  FbUop *result; /* output; NULL when the pass failed */
  const FbRuleSet *rules;
  FbMatches *matches;     /* in order */
  guint32 *tries, *fired; /* per rule: patterns matched against a node (after early rejection), matches */
  FbReplacing *replacing; /* owned; NULL: as usual */
  const float *seconds;   /* that each match took, where whoever recorded it measured that; NULL: nobody did */
  FbPassTicks *ticks;     /* owned; NULL: the pass is not measured */
  gboolean in_arena;      /* the memory is not its own */
} FbPass;

FbPass *fb_pass_new (const char *location, const char *title, gboolean bottom_up, FbUop *sink, const FbRuleSet *rules);
/* The same in memory of @arena, which the pass does not outlive. */
FbPass *fb_pass_new_in (FbArena *arena, const char *location, const char *title, gboolean bottom_up, FbUop *sink,
                        const FbRuleSet *rules);
/* A pass in memory of @arena that would repeat @done, of the same input under the same rules, as pass @kernel: it shares what
 * @done recorded, which must live as long. */
FbPass *fb_pass_new_repeated (FbArena *arena, const FbPass *done, guint kernel);
void fb_pass_free (FbPass *pass);
/* Has the engine measure what every try of @pass takes. To be called before it runs. */
void fb_pass_measure (FbPass *pass);
#define fb_pass_match(pass, i) (&(pass)->matches->at[i])
/* Appends copies of @matches; memory is from @arena, the same at every call for a pass. */
void fb_pass_add_matches (FbPass *pass, FbArena *arena, guint n, const FbMatch *matches);
