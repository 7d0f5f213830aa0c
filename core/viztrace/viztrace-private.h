/* Inside of core/viztrace: open.c, read.c and tell-release.c list what is in a file, values.c tells equal values, text.c prints them, nodes.c makes
 * nodes, replay.c and replace.c replace them, ends.c and direct.c tell what that comes to, ops.c knows the ops of releases. */
#pragma once

#include "viztrace.h"

#include "core/capture/pickle.h"
#include "core/ir/foreign.h"
#include "core/rewrite/trace.h"

/* --- ops.c --- */
/* Releases whose op numbers are known, oldest first. */
#define FB_VIZ_N_RELEASES 7
const char *fb_viz_release_name (int release);
/* The form its traces have. */
FbVizForm fb_viz_release_form (int release);
/* -1: not known; "0.12.0" and "v0.12.0" are the same. */
int fb_viz_release_from_name (const char *name);
/* NULL: the release has no op of that number. */
const char *fb_viz_release_op (int release, gint64 value);
gboolean fb_viz_release_has_op (int release, const char *name);

/* Which nodes a rewrite does not look into when it was not told to. */
typedef enum
{
  FB_VIZ_CALLS_ENTERED,
  FB_VIZ_CALLS_CLOSED,        /* the first source of CALL and FUNCTION */
  FB_VIZ_OPAQUE_CALLS_CLOSED, /* that of FUNCTION, and of CALL when it is a program of some kind */
} FbVizCalls;
FbVizCalls fb_viz_release_calls (int release);
/* A node rebuilt over sources of another dtype gets its own anew. */
gboolean fb_viz_release_derives_dtype (int release);

/* --- read.c, tell-release.c, open.c --- */
/* A file whole, and not mapped: a mapped file can change or end while it is read. FB_CAPTURE_ERROR otherwise. */
GBytes *fb_viz_read_file (const char *path, GError **error);
typedef struct _FbVizRaw
{
  const FbValue *sink;       /* of a rewrite: a UOp, or its number */
  const FbListCell *matches; /* of a rewrite; NULL for none */
  const FbValue *key;        /* of a context; NULL for none */
} FbVizRaw;

struct _FbVizTrace
{
  gatomicrefcount refs;
  char *path, *format;
  GBytes *bytes;
  FbPickle *pickle;
  FbContext *pickle_context; /* owns big integers */
  FbArena arena;
  FbVizForm form;
  int release;
  gboolean release_detected, ops_by_value;
  GArray *contexts;  /* of FbVizContext */
  GHashTable *table; /* numbers that are no index to FbValue, the fields; NULL: there are none */
  const FbValue **dense;
  guint32 n_dense, n_nodes;
  guint64 n_matches;
  FbOp call, function;  /* ops of nodes that may not be looked into */
  const FbValue *first; /* rewrite, NULL for none */
  GPtrArray *notes;
};

/* For people: something that no known release writes. */
void fb_viz_note (FbVizTrace *trace, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* Sets an error that names the file; FALSE. */
gboolean fb_viz_refuse (FbVizTrace *trace, GError **error, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Notes fields of @object that are not among the @known names. */
void fb_viz_note_fields (FbVizTrace *trace, const FbValue *object, const char *const *known);
gboolean fb_viz_read_table (FbVizTrace *trace, const FbValue *fields, GError **error);
gboolean fb_viz_read_contexts (FbVizTrace *trace, const FbValue *keys, const FbValue *rewrites, GError **error);
/* @asked: NULL to find out. */
gboolean fb_viz_tell_release (FbVizTrace *trace, const char *asked, GError **error);

/* The fields of the node with this number, NULL when it is not in the table. */
const FbTupleCell *fb_viz_trace_fields (const FbVizTrace *trace, gint64 number);
/* A field by its name, however the state of the object was pickled; NULL: it has none. */
const FbValue *fb_viz_field (const FbValue *object, const char *name);
gboolean fb_viz_is_object (const FbValue *value, const char *class_name);
/* (op, dtype, sources, arg, and further ones) of a node, an object or the number of one; NULL when @ref is no node. */
const FbTupleCell *fb_viz_node_fields (const FbVizTrace *trace, const FbValue *ref);
/* (file, line), or a pattern that has it as its location; FALSE: it is neither. */
gboolean fb_viz_read_location (const FbValue *value, FbArena *arena, const char **file, gint64 *line);
/* The op of a node, as pickled, by name or number; static or the trace's. */
const char *fb_viz_op_name (const FbVizTrace *trace, const FbValue *op, FbArena *arena);

/* --- values.c --- */
/* Numbers for values: two have the same number when Python finds them equal. */
typedef struct _FbVizValues FbVizValues;
FbVizValues *fb_viz_values_new (const FbVizTrace *trace);
void fb_viz_values_free (FbVizValues *values);
guint32 fb_viz_values_id (FbVizValues *values, const FbValue *value);
/* For something made of other things: a tag and numbers. */
guint32 fb_viz_values_id_of (FbVizValues *values, char tag, guint n, const guint64 *numbers);

/* --- text.c --- */
/* As Python prints it, more or less; cut at @max bytes. */
char *fb_viz_value_text (const FbVizTrace *trace, const FbValue *value, gsize max);
char *fb_viz_dtype_text (const FbVizTrace *trace, const FbValue *dtype);

/* --- encode.c --- */
/* A pickle of the list of @values; NULL when one of them holds itself where no value of a graph can. */
GBytes *fb_viz_encode (const FbVizTrace *trace, guint n, const FbValue *const *values);

/* --- nodes.c --- */
struct _FbVizNodes
{
  FbVizTrace *trace;
  FbContext *context;
  FbVizValues *values;
  FbArena arena;
  FbUop **dense;         /* by number */
  GHashTable *sparse;    /* numbers that are no index to FbUop */
  GHashTable *by_object; /* cells of UOps to FbUop */
  GHashTable *ops;       /* cells of ops to FbOp */
  GHashTable *dtypes;    /* numbers of dtypes to FbDType */
  GHashTable *args;      /* numbers of (arg, tag) to FbOpaque */
  GHashTable *places;    /* cells of locations to where they are */
  GArray *frames, *src;
  guint64 edges_left;
  struct _FbVizMark *marks; /* direct.c */
  guint32 n_marks, mark_serial;
  guint32 n_looked;       /* nodes looked at the last time */
  struct _FbVizEnd *ends; /* ends.c */
  GArray *end_edges;
  guint32 n_ends, end_serial;
  GByteArray *uses;         /* by id: how nodes are used; NULL where calls are like all else */
  gboolean calls_conflict;  /* what a call does not look into is looked into from elsewhere */
  struct _FbVizInfo *infos; /* replay.c: of the last replay, for the next; NULL while one has it */
  guint32 n_infos, info_serial;
};

/* --- rebuild.c --- */
/* @uop over other sources, in @context; with @derive its dtype follows from theirs. */
FbUop *fb_viz_rebuild (FbContext *context, const FbUop *uop, FbUop *const *src, gboolean derive);

/* A call does not look into @uop. */
gboolean fb_viz_nodes_is_closed (const FbVizNodes *nodes, const FbUop *uop);

/* FALSE: what dtype it has over other sources depends on what it had been over before. */
gboolean fb_viz_dtype_follows (const FbUop *uop);

/* --- direct.c --- */
/* How the graph after some matches can be had. */
typedef enum
{
  FB_VIZ_UNKNOWN,
  FB_VIZ_IN_TURN,   /* only from the graph before the last of them, or with the order of replacing in mind */
  FB_VIZ_AT_ONCE,   /* by replacing in the input */
  FB_VIZ_ANY_ORDER, /* the same, and when all matches can be applied, so can any first of them */
} FbVizOrder;
/* @matches: all of the rewrite, of nodes in the context of @nodes. Looks at as many as @limit nodes and no more: FB_VIZ_UNKNOWN. */
FbVizOrder fb_viz_nodes_order (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, guint n,
                               const FbMatch *matches, guint limit);

/* --- ends.c --- */
/* TRUE: replacing in the input comes to an end after any number of the matches of a rewrite, which is bottom-up; and no order of
 * replacing makes a difference. FALSE: that is not plain. */
gboolean fb_viz_nodes_end (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, guint n,
                           const FbMatch *matches);

/* --- replay.c --- */
/* How many of the first sources of @uop a rewrite does not look into: 0 or 1. */
guint fb_viz_n_closed (const FbVizTrace *trace, const FbVizRewrite *rewrite, const FbUop *uop);
/* A replay that makes its nodes in @context, that of @nodes or an overlay of it. */
FbVizReplay *fb_viz_replay_new_in (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, FbContext *context);
/* Goes to the graph after the first @n matches, where @graph is that; NULL: replaces all of them at once. NULL as
 * fb_viz_replay_apply(). */
FbUop *fb_viz_replay_set (FbVizReplay *replay, guint n, const FbMatch *matches, FbUop *graph);

/* What all matches make of @sink, in the context of @nodes; NULL when that has no end. Not for FB_VIZ_IN_TURN. */
FbUop *fb_viz_result (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, guint n, const FbMatch *matches);

/* --- steps.c --- */
/* How a pass made of @rewrite replaces its nodes. Must not outlive @nodes. */
FbReplacing *fb_viz_replacing_new (FbVizNodes *nodes, const FbVizRewrite *rewrite);
/* Looks at the pass, at no more than @limit nodes and matches; FB_VIZ_UNKNOWN when it has more. */
FbVizOrder fb_viz_replacing_order (FbReplacing *replacing, const FbPass *pass, guint limit);
/* As fb_viz_result(), of a pass whose graphs are to be had in turn; @n_shown: as fb_viz_replay_all(). */
FbUop *fb_viz_result_in_turn (FbReplacing *replacing, const FbPass *pass, guint *n_shown);
