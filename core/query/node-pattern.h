/* Patterns that a person types, in the words in which rules print theirs.
 *
 *   VIEW(REDUCE_AXIS)            a VIEW of a reduce
 *   ADD(x, 0)                    an ADD of anything and the constant 0; CONST 0 says the same
 *   ADD[x, x]                    square brackets: sources in any order; x twice: the same node twice
 *   MOVEMENT(x)                  a set of ops by name: ALU UNARY BINARY TERNARY MOVEMENT COMMUTATIVE ASSOCIATIVE IDEMPOTENT
 *                                IRREDUCIBLE UNSAFE_PAD BUFFER OP ANY, or ADD|MUL, or ANY BUT SINK
 *   MUL(CAST, _)   SINK(ADD, ...)   _ or * is any node; ... any further sources; (x...) every source is x
 *   ADD: float   ADD(x, y) as z  with a dtype (float, int|bool, ints, floats ...); under a name
 *   ADD(x, 0) or MUL(x, 1)       either; | says the same
 *   BUFFER 4096   REDUCE_AXIS "Ops.MAX"   the arg is this number; its text holds this
 *
 * An op without brackets may have any sources. */
#pragma once

#include "history.h"

typedef struct _FbNodePattern FbNodePattern;

typedef enum
{
  FB_QUERY_ERROR_SYNTAX,
} FbQueryError;
#define FB_QUERY_ERROR (fb_query_error_quark ())
GQuark fb_query_error_quark (void);

/* NULL with an FB_QUERY_ERROR that says what was expected, and in @position (may be NULL) at which byte. */
FbNodePattern *fb_node_pattern_new (const char *text, gsize *position, GError **error);
FbNodePattern *fb_node_pattern_ref (FbNodePattern *pattern);
void fb_node_pattern_unref (FbNodePattern *pattern);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbNodePattern, fb_node_pattern_unref)
/* How many sources deep it looks: 0 for the node alone. */
guint fb_node_pattern_depth (const FbNodePattern *pattern);

/* A node where it stands: in a graph of its own, or as the history has it at a step, over what its sources are by then. */
typedef struct
{
  FbContext *context;       /* for the text of args */
  const FbHistory *history; /* NULL: nodes are taken as they are */
  guint32 step;
} FbNodePlace;
typedef struct
{
  FbUop *uop;
  guint32 life; /* with a history */
} FbNodeAt;

gboolean fb_node_pattern_match (const FbNodePattern *pattern, const FbNodePlace *place, FbNodeAt node);

/* Ops that were named; those of another release are found by their names (core/ir/foreign.h). */
typedef struct
{
  FbOpSet known;
  guint16 foreign[4]; /* up to the first 0 */
  gboolean but;       /* all but these */
  gboolean some;      /* FALSE: none was named */
} FbOpChoice;
gboolean fb_op_choice_has (const FbOpChoice *choice, guint op);
/* Ops by name: "ADD", "ADD|MUL", "MOVEMENT", "ANY BUT SINK". Case does not matter with @loose. FALSE when @text is none of it. */
gboolean fb_op_choice_from_text (const char *text, gboolean loose, FbOpChoice *choice);
/* "float", "ints", "int|bool"; 0 when it is none. */
FbDTypeSet fb_dtype_set_from_text (const char *text);
