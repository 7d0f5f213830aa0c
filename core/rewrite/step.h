/* The graph of a pass at any step, and what a step changed.
 *
 * Step 0 is the pass's input; step s is the graph after its first s matches: every node matched so far replaced wherever it
 * is used. Recomputed on demand, nothing is stored per step. */
#pragma once

#include "trace.h"

typedef enum
{
  FB_MARK_SAME,
  FB_MARK_REPLACED, /* the node the step's rule matched */
  FB_MARK_NEW,      /* made by the rule */
  FB_MARK_REBUILT,  /* same op, new sources */
  FB_MARK_GONE,     /* no longer reached after the step */
} FbMark;

typedef struct
{
  FbUop *node;
  FbMark mark;
  FbUop *was; /* of a rebuilt node, its version before the step; else NULL */
} FbStepNode;

typedef struct _FbStep
{
  FbContext *context; /* an overlay of the pass's context; owns the nodes that exist at this step only */
  gpointer overlay;   /* a reference to it, NULL: it is borrowed */
  guint step;
  FbUop *before_sink; /* graph before the step (step 0: the input) */
  FbUop *after_sink;  /* graph after it */
  FbUop *before,
      *after;         /* the match as it stands in the two graphs: nodes inside it may be further on than in the trace;
                            NULL for step 0 */
  const FbRule *rule; /* NULL for step 0 */
  GArray *nodes;      /* of FbStepNode: all of after_sink's toposort, then the replaced and gone ones (sources first) */
  guint n_marks[5];   /* counts, by FbMark */
} FbStep;

/* Sources as nodes have them, by port. */
typedef struct
{
  guint n_same, n_new, n_gone;
} FbStepEdges;
FbStepEdges fb_step_count_edges (const FbStep *step);

/* @step from 0 to the number of matches. @context: the pass's. NULL with the error set on failure or cancellation. */
FbStep *fb_step_new (FbContext *context, const FbPass *pass, guint step, GError **error);
/* The difference between any two graphs of @context, marked as if one step had made it; rule, before and after are NULL. Rebuilt is
 * what has the same op and argument and stands at the same place, or over what its sources took the place of; what is left of the
 * graph under @before is replaced, constants and shapes gone. Borrows @context. Never NULL. */
FbStep *fb_step_new_compare (FbContext *context, FbUop *before, FbUop *after);
/* The same between the graphs after two steps, of any passes of @context. Holds what it needs. Never NULL. */
FbStep *fb_step_new_compare_steps (FbContext *context, const FbStep *from, const FbStep *to);
void fb_step_free (FbStep *step);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbStep, fb_step_free)
