/* What the window shows of one step: the graph laid out, the rule, the difference as text, a node in full.
 *
 * All made by the worker; the results are immutable. */
#pragma once

#include "app/step-position.h"
#include "app/view-base.h"
#include "viz/textdiff.h"

/* Another node by name: a source, a user, what a name of a pattern stood for. */
typedef struct
{
  const char *name; /* of the pattern, else NULL; static */
  FbUop *uop;       /* of the step's context */
  const char *op;
  FbOpKind kind;
  FbMark mark;
  char *type; /* "float 64×64" */
  char key[17];
} FbNodeLink;

/* What is to be shown. */
typedef struct
{
  FbStepPosition at;
  gboolean compares;   /* what is different since @from, instead of what the step changed */
  FbStepPosition from; /* of any pass */
  FbGraphView side;
  gboolean both; /* the graph before in a picture of its own; @side is FB_GRAPH_AFTER */
} FbStepWanted;
gboolean fb_step_wanted_equal (const FbStepWanted *a, const FbStepWanted *b);

typedef struct
{
  gatomicrefcount refs;
  FbRowView *row; /* owned reference */
  guint pass, step;
  FbGraphView side;
  FbStepWanted wanted;
  FbStep *record; /* the step in the core, or the comparison; NULL: a row without passes */
  FbScene *scene; /* of the graph as @base has it; fb_step_view_whole() is all of it */
  FbScene *left;  /* the graph before, when both are wanted; else NULL */
  FbViewBase *base;
  GArray *match;   /* of FbNodeLink: the names of the rule's pattern, then "result"; empty at step 0 */
  FbUop *selected; /* of the scene's graph, or NULL */
  gboolean kept;   /* it is what the person had selected before */
  guint32 *from;   /* of each card its number in the scene shown before, or FB_GRAPH_NONE; NULL: none was shown */
  FbScene *from_scene;
  FbMoves moves; /* since that scene */
  double ms;     /* that making this took */
} FbStepView;

/* What is selected, in words that hold from step to step. */
typedef struct
{
  FbUop *uop;          /* in the view it was made in; NULL with a key: it was made in another schedule of the row */
  guint64 key;         /* of its card */
  gboolean mine;       /* the person chose it; else the selection follows what the step made */
  guint32 wanted_life; /* of the row's history, + 1: to be selected in the next view instead; 0: none */
} FbSelection;

/* @base: of the pass. @before: the view on the screen, for what moves and
 * what stays selected, or NULL. Blocks; worker only. NULL with an error. */
FbStepView *fb_step_view_new (FbRowView *row, const FbStepWanted *wanted, FbViewBase *base, FbStepView *before,
                              const FbSelection *selection, FbMetrics metrics, GCancellable *cancellable,
                              GError **error);
FbStepView *fb_step_view_ref (FbStepView *view);
/* The last reference frees nodes of the step's context: the worker's business. */
void fb_step_view_unref (FbStepView *view);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbStepView, fb_step_view_unref)

/* The graph with every node, also those that are hidden or share a card. */
const FbGraph *fb_step_view_whole (const FbStepView *view);
/* The rule that fired, the pass, the match; NULL at step 0. */
const FbPassView *fb_step_view_pass (const FbStepView *view);
const FbMatch *fb_step_view_match (const FbStepView *view);
/* The first step after (@direction 1) or before (-1) the view's that changes @uop, of the view's graph, in whatever pass. FALSE: there is
 * none. Worker only. */
gboolean fb_step_view_find_change (FbStepView *view, FbUop *uop, int direction, FbStepPosition *found);

/* The node's ShapeTracker; NULL for none, or when its sources disagree (which is shown, not reported). Worker only. */
const FbShapeTracker *fb_tracker_of (FbContext *context, FbUop *uop);
/* The mark of @uop's own card; FB_MARK_SAME when it has none. */
FbMark fb_step_view_mark (const FbStepView *view, const FbUop *uop);
/* "float 64×64" of any node; free with g_free. Worker only. */
char *fb_node_type_text (FbContext *context, FbUop *uop);
/* Appends @uop to @links. Worker only. */
void fb_node_link_add (GArray *links, const FbStepView *view, const char *name, FbUop *uop);
GArray *fb_node_links_new (void);

/* The context that owns the nodes of @view. */
FbContext *fb_step_view_context (const FbStepView *view);

/* Nodes touched by a step, and how the number of nodes changed. Worker only. FALSE when the step cannot be made. */
gboolean fb_step_measure (FbRowView *row, guint pass, guint step, guint *touched, int *growth);

typedef enum
{
  FB_SCOPE_UOP,   /* the replaced node's text against its replacement's */
  FB_SCOPE_GRAPH, /* the whole graph before against after */
} FbDiffScope;

/* The difference that is shown, as text, a comparison's always of the whole graphs; NULL at step 0. Worker only. */
FbTextDiff *fb_step_view_diff (FbStepView *view, FbDiffScope scope);
/* The KEYs of the nodes whose texts it compares. FALSE at step 0. Worker only. */
gboolean fb_step_view_diff_keys (FbStepView *view, FbDiffScope scope, guint64 *before, guint64 *after);
