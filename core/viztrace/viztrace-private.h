/* Inside of core/viztrace: open.c, read.c and tell-release.c list what is in a file, values.c tells equal values, text.c prints them, nodes.c makes
 * nodes, replay.c replaces them, ops.c knows the ops of releases. */
#pragma once

#include "viztrace.h"

#include "core/capture/pickle.h"
#include "core/ir/foreign.h"

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
  const FbValue *sink;       /* a UOp, or its number */
  const FbListCell *matches; /* NULL for none */
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
};

/* @uop over other sources; with @derive its dtype follows from theirs. */
FbUop *fb_viz_nodes_rebuild (FbVizNodes *nodes, const FbUop *uop, FbUop *const *src, gboolean derive);
