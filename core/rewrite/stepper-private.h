/* Inside of the stepper: what every term stands for after the first matches. For core/rewrite/step*.c only. */
#pragma once

#include "core/ir/context-private.h"
#include "stepper.h"

#define FB_TERM_NONE G_MAXUINT32

/* A context for nodes that exist at some steps only. */
typedef struct
{
  gatomicrefcount refs; /* the stepper's and one for each step made with it */
  FbContext *context;
} FbStepOverlay;
FbStepOverlay *fb_step_overlay_new (FbContext *parent);
FbStepOverlay *fb_step_overlay_ref (FbStepOverlay *overlay);
void fb_step_overlay_unref (FbStepOverlay *overlay);

/* The graph under @sink, of @from, an overlay of @context or of its parent, made in @context. */
FbUop *fb_step_import (FbContext *context, FbContext *from, FbUop *sink);

typedef enum
{
  FB_TERM_DIRTY, /* its value is to be found again */
  FB_TERM_ACTIVE,
  FB_TERM_CLEAN,
} FbTermState;

/* A node as the trace has it: of the pass's input, or of what a rule made. What it stands for is
 *   what its replacement stands for, when it was matched;
 *   else itself over what its sources stand for, or when that was matched, what its replacement stands for. */
typedef struct
{
  FbUop *uop;
  FbUop *value;       /* NULL: never found yet */
  guint32 match;      /* 1 + the latest match of the node, 0 for none */
  guint32 alias;      /* the term whose value it has, or FB_TERM_NONE */
  guint32 first_user; /* edge to a term whose value depends on this one's, or FB_TERM_NONE */
  guint32 sources;    /* where its sources are in the stepper's list, or FB_TERM_NONE: not met yet */
  guint32 n_sources;
  guint32 dirty_at;   /* serial of the move that made it dirty */
  guint32 changed_at; /* serial of the move that changed its value */
  FbTermState state;
} FbTerm;

typedef struct
{
  guint32 user, next;
} FbTermEdge;

/* What a move did to nodes, by id. Apart, because most is asked of a few nodes only. Numbers that are not the stepper's serial
 * mean nothing. */
typedef struct
{
  guint32 size;
  guint32 *reached;    /* twice the serial: it is in the graph after; plus 1: also in the one before */
  guint32 *becomes_at; /* it is not in the graph after, but */
  FbUop **becomes;     /* this is in its place */
  guint32 *was_at;     /* it took the place of */
  FbUop **was;         /* this */
} FbNodeInfo;

struct _FbStepper
{
  FbContext *context;
  const FbPass *pass;
  FbStepOverlay *overlay;
  guint32 n_parent; /* nodes of the context when the overlay was made: ids below are its */
  guint at;         /* matches applied; G_MAXUINT: nothing is known */
  guint32 serial;   /* counts moves */

  guint32 *match_of; /* by id: 1 + the latest match of the node, 0 for none */
  guint32 *earlier;  /* by match: 1 + an earlier match of the same node, 0 for none */

  guint32 *moved;   /* by id: serial of the last move over a match of the node; NULL before the first */
  guint32 *term_of; /* by id: 1 + the term of the node, 0 for none */
  FbTerm *terms;
  FbUop **rebuilt; /* by term: itself over what its sources stand for; NULL: not known */
  guint32 n_terms, terms_size;
  guint32 *sources;
  guint32 n_sources, sources_size;
  FbTermEdge *edges;
  guint32 n_edges, edges_size;
  struct _FbTermFrame *stack;
  guint32 stack_size;

  FbNodeInfo info;
  FbUop **order, **old_order; /* toposort of the graph walked last, and of the one before */
  guint32 n_order, n_old_order, order_size, old_order_size;
  struct _FbWalkFrame *walk;
  guint32 walk_size;
};

/* Nodes of earlier steps that an overlay may hold before a new one is begun. */
#define FB_STEPPER_MOST_NODES 65536

/* Goes to the graph after the first @at matches: finds what the sink stands for. NULL with the overlay's error set. */
FbUop *fb_stepper_go (FbStepper *self, guint at);
/* Forgets everything but the first @at matches, and finds what the sink stands for. NULL with the overlay's error set. */
FbUop *fb_stepper_restart (FbStepper *self, guint at);
/* Applies the next match; values that it may change are to be found again. */
void fb_stepper_advance (FbStepper *self);
/* Gives up the nodes made for earlier steps: the sink again, in a new overlay. NULL with the overlay's error set. */
FbUop *fb_stepper_renew (FbStepper *self);
/* What @term, and all that depends on it, stands for may change. */
void fb_stepper_make_dirty (FbStepper *self, guint32 term);
/* After an error: nothing is known any more. */
void fb_stepper_forget (FbStepper *self);
/* What @uop, a node of the pass's context, stands for. NULL with the overlay's error set. */
FbUop *fb_stepper_value (FbStepper *self, FbUop *uop);
/* The same of a node that need not be in the graph. In a foreign pass, whose matches may be about anything, what nothing asked for is
 * taken as it is: replacing there may have no end. */
FbUop *fb_stepper_value_seen (FbStepper *self, FbUop *uop);
/* What replaced @uop, of any context, in one of the matches applied; NULL when it was not matched. */
FbUop *fb_stepper_target (const FbStepper *self, const FbUop *uop);
/* How many of the first sources of @uop are not looked into. */
static inline guint
fb_stepper_n_closed (const FbStepper *self, const FbUop *uop)
{
  const FbReplacing *replacing = self->pass->replacing;
  return replacing && replacing->n_closed ? replacing->n_closed (replacing, uop) : 0;
}
/* @uop over other sources, in the overlay. */
FbUop *fb_stepper_rebuild (const FbStepper *self, const FbUop *uop, FbUop *const *src);
/* Makes room for the infos of all nodes. */
void fb_stepper_grow_info (FbStepper *self);
