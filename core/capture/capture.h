/* Captures on disk: process-replay databases, bare pickles of a graph or of a capture row.
 *
 * A file is opened read-only and nothing is ever written beside it. Rows are
 * listed without being decoded and decoded on demand. Row numbers are from 1,
 * in rowid order. */
#pragma once

#include "core/ir/context.h"

typedef enum
{
  FB_CAPTURE_ERROR_OPEN,        /* missing, unreadable */
  FB_CAPTURE_ERROR_NOT_CAPTURE, /* neither a database nor a pickle; a database without capture tables */
  FB_CAPTURE_ERROR_VERSION,     /* a table of another cache version */
  FB_CAPTURE_ERROR_EMPTY,       /* no rows */
  FB_CAPTURE_ERROR_CORRUPT,     /* the database is malformed or truncated */
  FB_CAPTURE_ERROR_PICKLE,      /* a value is malformed, hostile or beyond a limit */
  FB_CAPTURE_ERROR_CONTENT,     /* a value decodes but is not a capture row */
  FB_CAPTURE_ERROR_ROW,         /* no such row */
} FbCaptureError;
#define FB_CAPTURE_ERROR (fb_capture_error_quark ())
GQuark fb_capture_error_quark (void);

typedef struct _FbCapture FbCapture;

typedef enum
{
  FB_ROW_SCHEDULE, /* of schedule_process_replay_N, or a bare pickle of such a row */
  FB_ROW_GRAPH,    /* a bare pickle of a graph */
  FB_ROW_KERNEL,   /* of kernel_process_replay_N */
  FB_ROW_TRACE,    /* a context of a VIZ trace (core/viztrace) */
} FbRowKind;

typedef struct
{
  FbRowKind kind;
  const char *key; /* as stored: "b'M9\\x80...'", "" for a bare pickle */
  gsize size;      /* bytes of the pickled value */
  gint64 rowid;    /* of what a trace holds the number of the context, from 1 */
} FbRowInfo;

/* Blocks; errors name the file and say what was expected. @release NULL to detect, or "v0.10.1" ... */
FbCapture *fb_capture_open (const char *path, const char *release, GError **error);
/* The same, and VIZ traces, whose contexts are rows of the kind FB_ROW_TRACE: they have a graph, to be made a schedule by
 * fb_viz_schedule_new(), but neither key nor bytes. Contexts that are schedules of tinygrad 0.10.2 are rows of the kind
 * FB_ROW_SCHEDULE as well, as if they had been captured: of nodes that are known, with the kernels that were recorded. */
FbCapture *fb_capture_open_any (const char *path, const char *release, GError **error);
void fb_capture_free (FbCapture *capture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbCapture, fb_capture_free)
const char *fb_capture_path (FbCapture *capture);
/* All rows: schedules first, then kernels; row K of either kind is its K-th. */
guint fb_capture_n_rows (FbCapture *capture, FbRowKind kind);
/* @row from 1; borrowed; NULL when there is no such row. */
const FbRowInfo *fb_capture_row_info (FbCapture *capture, FbRowKind kind, guint row);
/* The kind that rows of this file have when the caller does not say: schedules if there are any, else kernels or the graph. */
FbRowKind fb_capture_main_kind (FbCapture *capture);
/* "database, schedule_process_replay_19", "pickle, protocol 4": one line about the format. */
const char *fb_capture_format (FbCapture *capture);
/* The table that rows of @kind are in, or that holds them in a session when they come from a bare pickle; NULL: there are none. */
const char *fb_capture_table (FbCapture *capture, FbRowKind kind);

typedef struct
{
  char *name;
  gint64 value;
  gint64 default_value; /* of tinygrad 0.10.2 */
  gboolean known;       /* FALSE: no option of 0.10.2; default_value is meaningless */
} FbContextVar;

typedef struct
{
  FbRowKind kind;
  guint row;
  char *key;                 /* as stored */
  const char *release;       /* "v0.10.2": whose op numbers were assumed; static */
  gboolean release_detected; /* FALSE: asked for */
  gboolean ops_by_value;     /* pickled by value (Python 3.10, 3.12, 3.13), else by name (3.11) */
  int protocol;
  FbUop *sink;        /* schedule and graph rows: the big sink; kernel rows: the AST */
  GPtrArray *kernels; /* schedule rows: captured ASTs in run order (FbUop), else empty */
  GArray *vars;       /* of FbContextVar, in stored order */
  char *
      kernel_name; /* kernel rows: function name, the renderer's class, the applied opts as text, the source; else NULL */
  char *colored_name; /* rows of a trace: the name with the escape sequences that colour it; else NULL */
  char *renderer;
  char *applied_opts;
  char *source;
  struct _FbVizNodes
      *nodes; /* rows of a trace: what makes its nodes, which must live as long; kernel_name is the context's */
  struct _FbRecorded
      *recorded;     /* schedules of a trace: what each of its passes did (core/viztrace/recorded.h); else NULL */
  guint n_runs;      /* rows of a trace: how often its kernel ran, from the profile beside the trace; 0: not known */
  double seconds;    /* and how long in all */
  gint64 max_unique; /* largest UNIQUE in the sink, -1 for none */
} FbCaptureRow;

/* Decodes a row into @context (which should be empty). Also sets @context's options from the row's vars and raises its next
 * UNIQUE. Errors name row and byte offset. */
FbCaptureRow *fb_capture_read_row (FbCapture *capture, FbRowKind kind, guint row, FbContext *context, GError **error);
void fb_capture_row_free (FbCaptureRow *row);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbCaptureRow, fb_capture_row_free)
/* All bytes of a VIZ trace; NULL: it is another capture. */
GBytes *fb_capture_trace_bytes (FbCapture *capture);
/* The trace itself, borrowed; NULL: it is another capture. */
const struct _FbVizTrace *fb_capture_trace (FbCapture *capture);
/* The raw pickled bytes of a row. */
GBytes *fb_capture_read_blob (FbCapture *capture, FbRowKind kind, guint row, GError **error);
/* Same for bytes already in memory (fuzzing, tests); @what names them in errors. */
FbCaptureRow *fb_capture_read_bytes (GBytes *bytes, const char *what, const char *release, FbContext *context,
                                     GError **error);

/* Does the recomputed key of the row's sink equal the stored one? Kernel rows and bare pickles have no such key: TRUE when
 * they were read. @expected and @got (both may be NULL) receive hex or repr text when they differ. */
gboolean fb_capture_row_check_key (FbContext *context, const FbCaptureRow *row, char **got);
