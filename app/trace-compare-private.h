/* Inside of the page of two traces: trace-compare.c is the widget and its work, trace-compare-lists.c its lists, trace-compare-graphs.c
 * its graphs, trace-compare-keys.c what it does on command. */
#pragma once

#include "app/diff-view.h"
#include "app/index-model.h"
#include "app/replay-side.h"
#include "app/trace-compare-pair.h"
#include "app/trace-compare.h"
#include "app/worker.h"

struct _FbTraceCompare
{
  GtkWidget parent_instance;

  /* template */
  GtkLabel *totals, *name, *about, *removed, *added, *same, *diff_none, *state_title, *state_text;
  GtkProgressBar *bar;
  GtkWidget *cancel, *counts;
  GtkStack *stack, *diff_stack;
  GtkPaned *paned, *split, *sides;
  GtkColumnView *table;
  GtkScrolledWindow *rewrites_window;
  GtkListView *rewrites_list;
  FbReplaySide *a, *b;
  FbDiffView *diff_view;

  GSimpleActionGroup *actions;
  FbVizComparison *comparison;
  FbIndexModel *rows;     /* indices of context pairs */
  FbIndexModel *rewrites; /* indices of rewrite pairs of the context chosen */
  GtkSingleSelection *row_selection, *rewrite_selection;
  gboolean all;     /* contexts and rewrites that are the same are listed, too */
  gboolean after;   /* results are shown, not inputs */
  gboolean filling; /* a list is being set to something else */

  FbWorker *worker;
  GCancellable *cancellable, *pair_cancellable;
  FbTracePair *pair;
  guint generation, pair_generation;
  gboolean comparing, drawing;
  int done_permille; /* of the comparison; set by the worker, atomic */
  guint progress_source, split_source;
  gboolean split_set; /* the panes have had their first sizes */
};

/* --- trace-compare-lists.c --- */
void fb_trace_compare_fill_lists (FbTraceCompare *self);
/* After another comparison, or when what is listed changed. */
void fb_trace_compare_list_rows (FbTraceCompare *self);
/* NULL: nothing is chosen. */
const FbVizContextPair *fb_trace_compare_chosen (FbTraceCompare *self);
/* Of the context chosen; a context without rewrites has none, and of one that has one side only, or is the same, rewrites are not listed:
 * then its first is meant. FALSE: there is none. */
gboolean fb_trace_compare_chosen_rewrite (FbTraceCompare *self, FbVizRewritePair *pair);
/* Side 0 or 1 of a rewrite of the context chosen; NULL: it is not on that side. */
const FbVizRewrite *fb_trace_compare_rewrite (FbTraceCompare *self, const FbVizRewritePair *pair, guint side);

/* --- trace-compare-keys.c --- */
void fb_trace_compare_add_actions (FbTraceCompare *self);
void fb_trace_compare_update_actions (FbTraceCompare *self);

/* Another rewrite is chosen: shows what went into it, or where that is the same, what came out. */
void fb_trace_compare_choose_graphs (FbTraceCompare *self);

/* --- trace-compare-graphs.c --- */
/* Another rewrite, or the other one of its graphs, is to be shown. */
void fb_trace_compare_show_graphs (FbTraceCompare *self);
/* Frees @pair, on the worker: a large context takes a while. NULL is fine. */
void fb_trace_compare_discard_pair (FbTraceCompare *self, FbTracePair *pair);

/* --- trace-compare.c --- */
/* What can be done may have changed, and whether it is settled. */
void fb_trace_compare_changed (FbTraceCompare *self);
void fb_trace_compare_open_place (FbTraceCompare *self);
void fb_trace_compare_close (FbTraceCompare *self);
