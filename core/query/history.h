/* What became of every node in every pass: the record behind search, breakpoints and lineage.
 *
 * The trace says which nodes rules replaced; a graph at a step is what substituting those makes. Most nodes are never matched but
 * rebuilt, once a source of theirs changes, and pass on: the history follows them. It holds a life for each node that a pass
 * met, as the node really was made (rebuilt over sources that are final). While some sources are still to change, the graph at a
 * step shows the node over what its sources are by then; such in-between versions have no life of their own, they are a life
 * past its @end.
 *
 * Foreign passes (core/viztrace) take part while they need no more than an eighth of the lives that are left to them; those that
 * would need more have none, so nothing is found in them and nothing is followed through them.
 *
 * Built once, linear in nodes and matches, then read only. It borrows from its schedule. */
#pragma once

#include "core/schedule.h"

#define FB_LIFE_NONE G_MAXUINT32
#define FB_STEP_NEVER G_MAXUINT32

typedef enum
{
  FB_FATE_STAYS,
  FB_FATE_REPLACED, /* a rule matched it */
  FB_FATE_REBUILT,  /* a source changed */
} FbFate;

/* Steps are of the pass: 0 is its input, s the graph after s matches. */
typedef struct
{
  guint32 from, to; /* @to is not of it; FB_STEP_NEVER: to the end of the pass */
} FbSpan;

typedef struct
{
  FbUop *uop;
  guint32 pass; /* in the schedule's */
  guint32
      spans; /* where it is in graphs: @n_spans of the history's spans; several when it was dropped and made again */
  guint32 n_spans;     /* 0: it is in no graph, such as what rules replaced as soon as it was there */
  guint32 first, stop; /* from the first to the last of them; FB_STEP_NEVER and 0 when there are none */
  guint32 end;         /* from this step on it stands over changed sources, if it is there; FB_STEP_NEVER */
  guint32 turn;        /* from this step on it is @next; FB_STEP_NEVER */
  guint32 next;        /* the life that it becomes; FB_LIFE_NONE */
  guint32 made_by;     /* the step that made it; 0: it is of the input, or a rebuilt one */
  guint32 first_src;   /* lives of its sources: fb_history_sources() */
  guint32 prev,
      other; /* the first of the lives that became this one; the next of those that became what this one did */
  FbFate fate;
} FbLife;

/* A node of the graph that kernels are cut from, and where a kernel's first pass has it. */
typedef struct
{
  guint32 from, to; /* lives */
  guint32 kernel;   /* in run order, from 1 */
  gboolean reads;   /* another kernel stores it; this one reads the buffer */
} FbKernelLink;

typedef struct
{
  const FbSchedule *schedule;
  GArray *lives;        /* of FbLife, by pass; in a pass sources before users, what a node becomes before the node */
  guint32 *first_life;  /* of each pass; one more at the end */
  guint32 *sources;     /* lives */
  guint32 *by_id;       /* lives of a pass by the id of their node */
  GArray *spans;        /* of FbSpan */
  GArray *from, *to;    /* of FbKernelLink, sorted by those */
  guint32 kernels_pass; /* the pass that kernels are cut from; G_MAXUINT32: none */
  guint32 *n_nodes;     /* of each step of the row: fb_history_n_nodes() */
  guint32 *first_step;  /* of each pass, where its step 0 is in @n_nodes */
} FbHistory;

/* @schedule must outlive it. Uses the schedule's context, which does not grow by it. NULL only when cancelled. */
FbHistory *fb_history_new (const FbSchedule *schedule, GCancellable *cancellable);
void fb_history_free (FbHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbHistory, fb_history_free)

#define fb_history_life(history, i) (&g_array_index ((history)->lives, FbLife, (i)))
/* As many as the node of @life has. */
static inline const guint32 *
fb_history_sources (const FbHistory *history, const FbLife *life)
{
  return life->uop->n_src ? history->sources + life->first_src : NULL;
}

/* The life of @uop in @pass; FB_LIFE_NONE when the pass never had it. */
guint32 fb_history_find (const FbHistory *history, guint32 pass, const FbUop *uop);
/* What @life is at @step, at or after its first: itself or what it became; FB_LIFE_NONE when it is gone. */
guint32 fb_history_at (const FbHistory *history, guint32 life, guint32 step);
/* TRUE when the graph of @step holds @life, itself or over changed sources. */
gboolean fb_history_is_alive (const FbHistory *history, guint32 life, guint32 step);
/* The life that @life came from in its pass: before it was rebuilt, or what the rule matched that made it. FB_LIFE_NONE: it is of
 * the input. */
guint32 fb_history_came_from (const FbHistory *history, guint32 life);
/* The pass before or after that works on the same graph; G_MAXUINT32 for none. */
guint32 fb_history_pass_before (const FbHistory *history, guint32 pass);
guint32 fb_history_pass_after (const FbHistory *history, guint32 pass);
/* Of a life in the input of its pass, the life that it goes on from in the pass before, or in the graph that its kernel was cut from;
 * FB_LIFE_NONE: it begins here. */
guint32 fb_history_inherited_from (const FbHistory *history, guint32 life);
/* Nodes in the graph of @step. */
guint32 fb_history_n_nodes (const FbHistory *history, guint32 pass, guint32 step);
/* Links of kernels that begin at @life, or, @to, that end there: the first one, and how many. */
const FbKernelLink *fb_history_links (const FbHistory *history, guint32 life, gboolean to, guint *n);

/* Follows a node to another place: what @life is, was or will be at @step of @pass. FB_LIFE_NONE when it is not there. Of several
 * kernels that use it, the first. */
guint32 fb_history_follow (const FbHistory *history, guint32 life, guint32 pass, guint32 step);
/* Goes from @step of @pass to the next step (@direction 1) or the last one before (-1) that changes what @life is there, or anything
 * that it is made of: on to other passes and kernels where the pass has none. FALSE: there is none, and nothing is written. */
gboolean fb_history_find_change (const FbHistory *history, guint32 life, guint32 *pass, guint32 *step, int direction);
/* The nodes that the lives of @pass are in the graph of @step, made in @context (the step's): an array by life, from the pass's first
 * life on; NULL for those that are not there. Free with g_free. */
FbUop **fb_history_nodes_at (const FbHistory *history, FbContext *context, guint32 pass, guint32 step);
