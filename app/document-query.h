/* Questions about the row on the screen: where something happens, and what became of a node. Main thread; the worker answers. */
#pragma once

#include "app/document.h"
#include "core/query/lineage.h"
#include "core/query/query.h"

typedef enum
{
  FB_ASK_GRAPH, /* the graph on the screen */
  FB_ASK_ALL,   /* every step of every pass */
  FB_ASK_STOPS, /* the steps at which a breakpoint stops */
} FbAskScope;

/* A hit in words. */
typedef struct
{
  FbHit hit; /* FB_ASK_GRAPH: its node is of the view's graph, to be selected */
  FbOpKind kind;
  const char *op, *type; /* "ADD", "float 64×64" */
  const FbRule *rule;    /* of its step; NULL: it is of an input */
} FbAnswerRow;

typedef struct
{
  FbAskScope scope;
  GArray *rows;        /* of FbAnswerRow, in order */
  GStringChunk *texts; /* that those borrow */
} FbAnswer;
void fb_answer_free (FbAnswer *answer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbAnswer, fb_answer_free)
#define fb_answer_row(answer, i) (&g_array_index ((answer)->rows, FbAnswerRow, (i)))

/* A row must be there, and for FB_ASK_GRAPH a view. Every call is to be finished. */
void fb_document_ask_async (FbDocument *doc, FbQuery *query, FbAskScope scope, GCancellable *cancellable,
                            GAsyncReadyCallback done, gpointer data);
/* NULL with an error when cancelled, also by another row that came in meanwhile. */
FbAnswer *fb_document_ask_finish (FbDocument *doc, GAsyncResult *result, GError **error);

/* Lineage in words. */
typedef struct
{
  FbOpKind kind;
  const char *op, *type;
  char key[17];
  guint kernel;     /* from 1; 0: of the whole graph */
  int level;        /* 0: the node asked for */
  guint pass, step; /* where it came up */
  guint32 life;
} FbTraceNode;

typedef struct
{
  guint from, to; /* nodes */
  FbLineageKind kind;
  guint pass, step;   /* where to see it */
  guint32 life;       /* what came of it there */
  const FbRule *rule; /* or NULL */
} FbTraceLink;

typedef struct
{
  GArray *nodes, *links; /* of FbTraceNode, FbTraceLink; the first node is the one asked for */
  gboolean partly;       /* there is more */
  GStringChunk *texts;
} FbTrace;
void fb_trace_free (FbTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbTrace, fb_trace_free)
#define fb_trace_node(trace, i) (&g_array_index ((trace)->nodes, FbTraceNode, (i)))
#define fb_trace_link(trace, i) (&g_array_index ((trace)->links, FbTraceLink, (i)))

/* Of the selected node; there must be one. Every call is to be finished. */
void fb_document_trace_async (FbDocument *doc, GCancellable *cancellable, GAsyncReadyCallback done, gpointer data);
/* NULL without an error: the row has no passes, or the node no history. */
FbTrace *fb_document_trace_finish (FbDocument *doc, GAsyncResult *result, GError **error);

/* Goes there and selects what @life is there; back leads back here. */
void fb_document_jump_to_life (FbDocument *doc, guint pass, guint step, guint32 life);
/* Has the worker prepare answers to come when it has time. */
void fb_document_prepare_answers (FbDocument *doc);
