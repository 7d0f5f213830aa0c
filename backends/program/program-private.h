/* What the files of the program builder share. */
#pragma once

#include "program.h"

/* @size with variables replaced; FALSE: no number, or none of 62 bits. */
gboolean fb_eval_sint (FbContext *context, FbSint size, const GArray *var_vals, gint64 *value, GError **error);
/* An integer expression or variable of the AST as a number. */
gboolean fb_eval_uop (FbContext *context, FbUop *uop, const GArray *var_vals, FbArg *value, GError **error);
/* Views of @st as numbers, in the arena. NULL: an error. */
FbPlainView *fb_plain_views (FbContext *context, FbArena *arena, const FbShapeTracker *st, const GArray *var_vals,
                             GError **error);
/* A constant as its type holds it. */
gboolean fb_lane_from_arg (FbContext *context, FbArg value, FbScalarType type, FbLane *lane);
/* Levels and loops of every scope, once all instructions are there. */
void fb_program_arrange (FbProgram *program);
/* Sets @error, with the node's op and key appended. */
void fb_refuse (FbContext *context, FbUop *uop, FbBackendError code, GError **error, const char *format, ...)
    G_GNUC_PRINTF (5, 6);
/* The sources of an ALU op, a cast or a bitcast are of types that it takes. */
gboolean fb_check_types (FbContext *context, FbUop *uop, GError **error);

/* What a program is built from. */
typedef struct
{
  FbContext *context;
  const GArray *var_vals;
  FbProgram *program;
  guint n_sizes;
  const gint64 *sizes; /* elements of each argument */
  GError **error;
  GHashTable *infos;  /* FbUop -> its variables, as guint64 * */
  GHashTable *placed; /* Place -> instruction + 1 */
  guint n_dims;
  gint64 *full; /* extents of the kernel's dimensions */
  int *vars;    /* variable of each, -1 for one of a single point */
  const struct _FbReduceOrder *order;
} FbProgramBuilder;

/* Everything of @inst, for node @uop, that does not depend on its sources. FALSE: refused. */
gboolean fb_program_describe (FbProgramBuilder *b, FbUop *uop, FbInst *inst);
/* A sum of a constant over the points of a mask, when they can be counted: then @inst is made that. FALSE with the error
 * unset when it is something else. */
gboolean fb_program_try_count (FbProgramBuilder *b, FbUop *uop, FbInst *inst, guint64 vars);
