#pragma once

#include "app/document.h"
#include "app/rule-timing.h"
#include "app/worker.h"

typedef enum
{
  FB_SIGNAL_OPENED,
  FB_SIGNAL_ROW_LOADED,
  FB_SIGNAL_MOVED,
  FB_SIGNAL_STEP_SHOWN,
  FB_SIGNAL_SELECTED,
  FB_SIGNAL_NODE_DESCRIBED,
  FB_SIGNAL_DIFFED,
  FB_SIGNAL_HEAT,
  FB_SIGNAL_BUSY,
  FB_SIGNAL_NO_CHANGE,
  FB_SIGNAL_STEP_TOLD,
  FB_SIGNAL_SUMMARY,
  FB_SIGNAL_FAILED,
  FB_N_DOCUMENT_SIGNALS
} FbDocumentSignal;
extern guint fb_document_signals[FB_N_DOCUMENT_SIGNALS];

/* What the person may be waiting for. */
typedef enum
{
  FB_WAIT_FILE,
  FB_WAIT_ROW,
  FB_WAIT_STEP,
  FB_WAIT_CHANGE,
  FB_WAIT_EXPORT,
  FB_WAIT_REFINE,
  FB_WAIT_RUN,
  FB_WAIT_TIMES,
} FbWait;

/* What is still to be said of a step beside its picture, a frame each. */
typedef enum
{
  FB_UNTOLD_NOTHING,
  FB_UNTOLD_DIFF,
  FB_UNTOLD_ALL, /* its rule and the node, then the difference */
} FbUntold;

typedef struct
{
  guint row, pass, step;
} FbPlace;

/* The open file, shared with jobs. */
typedef struct
{
  gatomicrefcount refs;
  FbCapture *capture;
  FbContext *scratch; /* where rows of the list are decoded; worker only */
  FbRowKind kind;     /* of the first n_main rows; those after them are kernels */
  guint n_main, n_rows;
  const char **row_keys; /* of each row, borrowed from the capture */
  char *session_path;    /* of the private session; NULL: none */
  FbStore *session;      /* for reading it, opened when it is first wanted; worker only */
} FbFile;
FbFile *fb_file_ref (FbFile *file);
void fb_file_unref (FbFile *file);
/* To be read from. NULL: there is none. Worker only; borrowed. */
FbStore *fb_file_get_session (FbFile *file);
/* The kind of row @row (from 1) of all, and its number among those. */
FbRowKind fb_file_locate (const FbFile *file, guint row, guint *number);
/* Its inverse; 0: there is no such row. */
guint fb_file_find (const FbFile *file, FbRowKind kind, guint number);

struct _FbDocument
{
  GObject parent_instance;

  FbWorker *worker;
  FbMetrics metrics;
  GCancellable *cancellable;     /* of what the person waits for */
  GCancellable *row_cancellable; /* of idle work about the row */

  FbFile *file;
  char *path, *name;
  char *session_folder; /* NULL: sessions are temporary */
  FbSessionFile *session;
  char *session_error; /* why there is none */
  guint n_rows;
  GPtrArray *summaries; /* of FbRowSummary, by row - 1; NULL: unknown */
  GHashTable *asked;    /* rows whose summary is under way */

  FbRowView *row;
  guint row_number;
  FbViewBase *base;        /* of the pass on the screen, or NULL */
  FbViewState *view_state; /* asked for; never NULL */
  FbHeat heat;
  FbStepMarks *marks;
  FbRuleTiming *timing;
  guint heat_stride, heat_next; /* steps heat_next, heat_next + stride ... are measured next; stride 0: done */
  gint64 heat_spent;            /* µs */

  guint pass, step; /* asked for */
  FbGraphView side;
  gboolean both;
  gboolean compares; /* with compare_from */
  FbStepPosition compare_from;
  char *complain_later; /* when the row is there; NULL: all is well */
  gboolean reached;     /* the place the file was opened at exists */
  gboolean step_running;
  FbStepView *view; /* on the screen */
  FbSelection selection;
  FbUop *partner; /* of the view's graph: the node is asked about together with it; or NULL */
  FbNodeInfo *node;
  FbTextDiff *diff;
  guint64 diff_before, diff_after; /* KEYs of what it compares; 0: it is in the session, or does not go there */
  FbDiffScope scope;
  gboolean wants_diff;

  GArray *history; /* of FbPlace */
  guint history_at;

  guint open_generation, row_generation, step_generation, node_generation, diff_generation;
  guint details;        /* jobs about the view under way, and whether it is untold */
  FbUntold untold;      /* of the view */
  gboolean row_waits;   /* until the frame that shows that a file was opened */
  GAsyncResult *loaded; /* the row that waits; NULL: it is still being loaded */
  FbDocumentPace pace;
  gpointer pace_data;
  guint waits;       /* bits of FbWait */
  gint64 busy_since; /* µs */
  char *busy_words;
  double busy_fraction;
};

void fb_document_set_busy (FbDocument *doc, FbWait wait, gboolean busy, double fraction, const char *words);
/* From the worker's thread: what row loading is at. */
void fb_document_post_stage (FbDocument *doc, guint generation, double fraction, const char *words);
void fb_document_fail (FbDocument *doc, const char *message);
/* Frees @data on the worker's thread when it has time. */
void fb_document_discard (FbDocument *doc, gpointer data, GDestroyNotify destroy);
/* Forgets the file, the row, the view. Emits nothing. */
void fb_document_clear_file (FbDocument *doc);
/* Forgets the row and the view. */
void fb_document_clear_row (FbDocument *doc);
/* Calls fb_document_go_on(), or has it called after the next frame. */
void fb_document_go_on_in_time (FbDocument *doc);
/* Rows wait no more; shows one that did. */
void fb_document_take_loaded (FbDocument *doc);
/* Makes the view of the position asked for, unless it is under way. */
void fb_document_request_step (FbDocument *doc);
/* Describes the selection; prints the difference. */
void fb_document_request_node (FbDocument *doc);
void fb_document_request_diff (FbDocument *doc);
/* Of a row that was just loaded nothing is measured yet. */
void fb_document_begin_heat (FbDocument *doc);
/* Measures steps for the heat strip, a slice at a time. */
void fb_document_request_heat (FbDocument *doc);
/* Takes @session; NULL: there is none, because of @error. */
void fb_document_take_session (FbDocument *doc, FbSessionFile *session, const char *error);
/* Fills the marks of kind FB_STEP_BOOKMARK with the session's of the row. */
void fb_document_fill_bookmarks (FbDocument *doc);
void fb_document_load_at (FbDocument *doc, guint row, guint pass, guint step);
void fb_document_note_jump (FbDocument *doc, guint row, guint pass, guint step);
