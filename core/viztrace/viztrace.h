/* Traces that VIZ=1 or TRACK_MATCH_STATS=2 left behind (rewrites.pkl), of any release of tinygrad.
 *
 * Three forms are read: of 0.10.x (lists of rewrites that hold the nodes themselves), of 0.11 (nodes in a numbered table) and
 * of 0.12 and later (RewriteTrace, the same table). What an op means is never asked: nodes are foreign ones
 * (core/ir/foreign.h), so ops, classes and fields that no release had so far are shown by their names.
 *
 * Opening reads the pickle into plain values and lists contexts and rewrites; nodes are made when a rewrite is looked at.
 * Nothing of the file is ever called. After opening, a trace is only read, by as many threads as want to. */
#pragma once

#include "core/capture/capture.h"
#include "core/ir/foreign.h"

typedef struct _FbVizTrace FbVizTrace;

/* How the file keeps nodes. */
typedef enum
{
  FB_VIZ_OBJECTS,  /* 0.10.x: (keys, rewrites) */
  FB_VIZ_NUMBERED, /* 0.11: (keys, rewrites, table) */
  FB_VIZ_TRACE,    /* 0.12 and later: RewriteTrace */
} FbVizForm;

/* One graph rewrite. */
typedef struct
{
  const char *name;     /* NULL: it had none */
  const char *file;     /* of the call, as it was on that machine */
  const char *location; /* "schedule.py:374" */
  gint64 line;
  guint depth; /* 0; of a rewrite within a rewrite its depth */
  gboolean bottom_up, walk, enter_calls;
  guint n_matches;
  guint context, index; /* where it is */
  const struct _FbVizRaw *raw;
} FbVizRewrite;

/* What was traced as one: a schedule, a kernel. */
typedef struct
{
  const char *name; /* with the escape sequences that colour it */
  guint n_rewrites;
  const FbVizRewrite *rewrites;
  guint n_matches; /* of all of them */
  const struct _FbVizRaw *raw;
} FbVizContext;

/* TRUE when these bytes can only be such a trace. */
gboolean fb_viz_trace_sniff (const guint8 *bytes, gsize len);
/* Of a file, which is read, or of a session (core/session) that holds a trace; FALSE when it cannot be. Blocks. */
gboolean fb_viz_trace_sniff_file (const char *path);
/* The trace of such a file. Blocks. @release: NULL to detect, or "v0.12.0"; FB_CAPTURE_ERROR with file and byte offset otherwise. */
FbVizTrace *fb_viz_trace_open (const char *path, const char *release, GError **error);
/* The same of bytes in memory; @what names them in errors. */
FbVizTrace *fb_viz_trace_new (GBytes *bytes, const char *what, const char *release, GError **error);
FbVizTrace *fb_viz_trace_ref (FbVizTrace *trace);
void fb_viz_trace_unref (FbVizTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbVizTrace, fb_viz_trace_unref)

/* What was read. */
GBytes *fb_viz_trace_bytes (const FbVizTrace *trace);
const char *fb_viz_trace_path (const FbVizTrace *trace);
FbVizForm fb_viz_trace_form (const FbVizTrace *trace);
/* "pickle, protocol 4, RewriteTrace": one line. */
const char *fb_viz_trace_format (const FbVizTrace *trace);
/* The release whose ways are followed: of those known the nearest. */
const char *fb_viz_trace_release (const FbVizTrace *trace);
gboolean fb_viz_trace_release_detected (const FbVizTrace *trace);
/* Ops pickled by value (Python 3.10, 3.12, 3.13), else by name (3.11). */
gboolean fb_viz_trace_ops_by_value (const FbVizTrace *trace);
guint fb_viz_trace_n_contexts (const FbVizTrace *trace);
const FbVizContext *fb_viz_trace_context (const FbVizTrace *trace, guint index);
/* The source text of the kernel that context @index made, as far as the trace holds it: releases since 0.11 do. NULL: none. Free with
 * g_free. */
char *fb_viz_trace_source (const FbVizTrace *trace, guint index);
/* Nodes in the file's table; 0 when it has none. */
guint fb_viz_trace_n_nodes (const FbVizTrace *trace);
guint64 fb_viz_trace_n_matches (const FbVizTrace *trace);
/* What was met that no known release writes: "3 ops are not of v0.13.0: FOO, BAR, BAZ". */
guint fb_viz_trace_n_notes (const FbVizTrace *trace);
const char *fb_viz_trace_note (const FbVizTrace *trace, guint index);

/* Makes nodes of a trace in one context: foreign nodes, which live as long as both. One thread at a time. */
typedef struct _FbVizNodes FbVizNodes;
FbVizNodes *fb_viz_nodes_new (FbVizTrace *trace, FbContext *context);
void fb_viz_nodes_free (FbVizNodes *nodes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbVizNodes, fb_viz_nodes_free)
/* The graph that went into a rewrite; NULL with FB_CAPTURE_ERROR_CONTENT set when the trace lacks a part of it. */
FbUop *fb_viz_nodes_sink (FbVizNodes *nodes, const FbVizRewrite *rewrite, GError **error);

typedef struct
{
  FbUop *before, *after;
  const char *file; /* of the pattern */
  gint64 line;
  double seconds; /* that the match took; negative: not recorded */
} FbVizMatch;
gboolean fb_viz_nodes_match (FbVizNodes *nodes, const FbVizRewrite *rewrite, guint index, FbVizMatch *match,
                             GError **error);
/* As the release's viewer shows a node replaced: the graph of a rewrite from match to match. */
typedef struct _FbVizReplay FbVizReplay;
FbVizReplay *fb_viz_replay_new (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink);
void fb_viz_replay_free (FbVizReplay *replay);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbVizReplay, fb_viz_replay_free)
/* Applies one more match: the graph after it; NULL when it cannot be shown, because a node would stand for itself, where that
 * viewer stops too. */
FbUop *fb_viz_replay_apply (FbVizReplay *replay, const FbVizMatch *match);

/* The graph after all @n matches of @rewrite, for less than applying one after the other costs, where that gives the same; @n_shown:
 * how many there are up to the first that fb_viz_replay_apply() cannot show, then NULL. */
FbUop *fb_viz_replay_all (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, guint n,
                          const FbVizMatch *matches, guint *n_shown);

/* Counts the nodes of graphs of one context, one after the other, for what is different between them. */
typedef struct _FbVizReach FbVizReach;
FbVizReach *fb_viz_reach_new (void);
void fb_viz_reach_free (FbVizReach *reach);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbVizReach, fb_viz_reach_free)
guint fb_viz_reach_count (FbVizReach *reach, FbUop *root);

/* What comes behind the last "/". */
const char *fb_viz_base_name (const char *file);
/* @name without the escape sequences that colour it. Free with g_free. */
char *fb_viz_plain_name (const char *name);
