/* Inside of the engine: one run of it, what all of its parts read and write. */
#pragma once

#include "core/ir/context-private.h"
#include "dispatch.h"
#include "engine.h"

/* A node rewritten into another again and again without end: the reference stops at its recursion limit
 * (schedule.py:16) or not at all. */
#define MAX_REPLACED_IN_A_ROW 10000

/* Visits between two looks at the cancellable. */
#define CANCEL_INTERVAL 4096

/* In the map, added to a pointer: the node is being worked on. The pointer is to the node it replaced, NULL for none. */
#define IN_PROGRESS ((guintptr) 1)

typedef struct _FbRewriteFrame
{
  FbUop *uop;     /* the node asked for, or the latest that replaced it: its entry of the map leads back to the first */
  FbUop *current; /* what its sources are taken from; differs from uop bottom-up only */
  guint32 next;   /* source to look at next */
  guint32 n_replaced;
  gboolean changed; /* a source became another node */
} FbRewriteFrame;

/* How a run looks for replacements: constant where the engine is compiled, once for each. */
typedef enum
{
  TOP_DOWN,   /* by rules, a node after its sources */
  BOTTOM_UP,  /* by rules, a node before its sources */
  SUBSTITUTE, /* bottom-up, by a map from nodes to nodes */
} Mode;

/* Of functions that are compiled once for each mode. */
#define FOR_MODE G_ALWAYS_INLINE static inline

/* One run of the engine. Runs nest, when a rule simplifies something: they share the context's stack, each above the
 * other's frames. */
typedef struct
{
  FbRewriter rw;
  FbMatcher *matcher; /* by rules only */
  const FbRuleSet *rules;
  FbPass *pass;
  const FbNodeMap *substitutes; /* SUBSTITUTE only */
  FbNodeMap *map;               /* has room for every node that exists */
  FbNodeMapEntry *entries;      /* the map's, */
  guint64 stamp;                /* and the stamp of those that count: read for every node */
  guint32 base;                 /* frames of the context's stack below are other runs' */
  guint n_waiting;              /* nodes that await what replaced them */
  guint32 first_affected;       /* nodes made before stay as they are */
  guint until_cancel_check;
  const FbUop *failed_at; /* on error, the node that was being worked on */
  guint n_matches;        /* not in the pass yet */
  FbMatch matches[64];    /* appending one by one to the pass would cost more than most matches */
} FbRun;

/* Begins a run that follows no rules. */
void fb_run_init (FbRun *r, FbContext *context);
/* Begins a run by @rules; @pass may be NULL. */
void fb_run_init_rules (FbRun *r, FbContext *context, const FbRuleSet *rules, gpointer user, const FbNodeMap *marks,
                        FbPass *pass);
void fb_run_use_map (FbRun *r, FbNodeMap *map);
/* Ends a run; the map is left. */
void fb_run_end (FbRun *r);
/* Ends a run and gives its map back. */
void fb_run_clear (FbRun *r);
/* Notes that a rule replaced @uop by @after. */
void fb_run_note_match (FbRun *r, FbUop *uop, FbUop *after, guint32 first_new);
/* The node over what its sources became. */
FbUop *fb_run_rebuild (FbRun *r, FbUop *uop);
/* Sets the error that @uop is replaced without end. */
void fb_run_diverges (FbRun *r, FbUop *uop);
/* Is the run to end before it is done? A run looks at that when it begins, and then every CANCEL_INTERVAL visits. */
gboolean fb_run_cancelled (FbContext *context);

/* --- with a stack of frames: however deep (engine-frames.c) --- */
/* Top-down: the node @uop, which replaced @n_replaced others, from source @next on. What becomes of it, NULL on error. */
FbUop *fb_frames_settle (FbRun *r, FbUop *uop, guint32 next, guint32 n_replaced, gboolean changed);
/* What becomes of @root bottom-up, by rules or by the map of substitutes; NULL on error. */
FbUop *fb_frames_bottom_up (FbRun *r, FbUop *root);
FbUop *fb_frames_substitute (FbRun *r, FbUop *root);

/* To be called after anything that may have made a node that the map is asked for. */
static inline void
make_room (FbRun *r)
{
  if (G_LIKELY (r->rw.context->n_uops <= r->map->size))
    return;
  fb_node_map_grow (r->map, r->rw.context->n_uops - 1);
  r->entries = r->map->entries;
}

/* What the map holds for a node, 0 when it was not met yet. */
static inline guintptr
get (const FbRun *r, const FbUop *uop)
{
  return fb_node_map_word (r->entries[uop->id], r->stamp);
}

static inline void
set (FbRun *r, const FbUop *uop, guintptr value)
{
  r->entries[uop->id] = value | r->stamp;
}

/* What replaces @uop, or NULL. */
FOR_MODE FbUop *
match (FbRun *r, FbUop *uop, const Mode mode)
{
  FbCandidates candidates;
  guint32 first_new;
  FbUop *after;

  if (mode == SUBSTITUTE)
    return (FbUop *) fb_node_map_get (r->substitutes, uop);
  candidates = fb_dispatch_find (r->matcher->dispatch, uop);
  if (*candidates == FB_NO_RULE)
    return NULL;
  first_new = r->rw.context->n_uops;
  after = r->matcher->apply_first (r->matcher, uop, candidates);
  if (after)
    fb_run_note_match (r, uop, after, first_new);
  return after;
}

static inline gboolean
cancelled_meanwhile (FbRun *r)
{
  if (G_LIKELY (--r->until_cancel_check))
    return FALSE;
  r->until_cancel_check = CANCEL_INTERVAL;
  return fb_run_cancelled (r->rw.context);
}
