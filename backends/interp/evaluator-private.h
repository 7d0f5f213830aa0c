/* How a kept node is computed: a unit of steps over blocks of its elements. */
#pragma once

#include "evaluator.h"
#include "lane.h"

enum
{
  FB_EVAL_LANES = 256,
  FB_EVAL_MAX_WEIGHT = 256, /* nodes in a unit; so deep does building one recurse at most */
  FB_EVAL_MAX_STEPS = 20000,
};

typedef enum
{
  /* Of coordinates, gint64: .out is a coordinate, .a and .b are */
  FB_EVAL_SCALE,  /* a * x + y */
  FB_EVAL_ADD,    /* a + b * x */
  FB_EVAL_DIVIDE, /* a / x */
  FB_EVAL_MODULO, /* a % x */
  /* .out is a validity: that of .b, and x <= coordinate a < y */
  FB_EVAL_CHECK,
  /* Of values, FbLane: .out is a value */
  FB_EVAL_GATHER, /* element coordinate a of .data, of x elements, where validity b; else 0 */
  FB_EVAL_CONST,  /* .constant */
  FB_EVAL_VALID,  /* is validity a true? */
  FB_EVAL_MASK,   /* value a where validity b, else 0 */
  FB_EVAL_ALU,    /* op of .type from .from, of values a, b and c */
} FbEvalKind;

typedef struct
{
  guint8 kind, op, type, from;
  gboolean varies; /* with a coordinate of the reduce */
  gboolean narrow; /* of DIVIDE and MODULO: wherever it counts, 31 bits are enough */
  guint out, a, b, c;
  gint64 x, y;
  FbLane constant;
  const guint8 *data;
  FbUop *uop; /* whose view it is, for the error; borrowed */
} FbEvalStep;

/* Registers start with the coordinates of the unit's elements, of a reduce of what it reduces. Validity 0 is "always". */
typedef struct
{
  GArray *steps; /* of FbEvalStep */
  guint n_coords, n_valids, n_values;
  guint n_dims;        /* coordinates that are given */
  const gint64 *shape; /* their sizes */
  guint64 reduced;     /* which of them are reduced */
  guint result;        /* the value */
  guint8 type, reduce_op;
  gint64 size, points; /* elements, and how many are reduced to one */
  GByteArray *varies;  /* of coordinates, then kept while building only */
  GByteArray *valid_varies, *value_varies;
  gboolean failed;
} FbEvalUnit;

typedef struct
{
  FbUop *uop;
  FbGraphValue value;
  guint8 *owned; /* NULL: borrowed */
} FbEvalKept;

typedef struct
{
  gboolean used;
  FbGraphValue value;
} FbEvalArgument;

struct _FbEvaluator
{
  FbContext *context;
  const GArray *var_vals;
  FbEvaluatorLimits limits;
  FbArena arena;     /* shapes and views */
  GHashTable *kept;  /* FbUop -> FbEvalKept */
  GHashTable *dims;  /* FbUop -> FbEvalShape */
  GArray *arguments; /* of FbEvalArgument */
  gsize bytes;
  gboolean outside; /* atomic: a view reached outside of what it views */
  const FbUop *outside_uop;
  gint64 max_of_nan; /* atomic */
};

typedef struct
{
  guint n;
  const gint64 *shape;
  gint64 size;
} FbEvalShape;

/* Where in a node an element is: by coordinates, or by its number when .flat. */
typedef struct
{
  gboolean flat;
  guint n, valid;
  const guint *coords; /* .n of them; of a flat one its number */
} FbEvalPlace;

typedef struct
{
  FbEvaluator *evaluator;
  FbEvalUnit *unit;
  GHashTable *known; /* of steps, by all they say */
  FbUop *root;
  GError **error;
} FbEvalBuilder;

/* The shape of @uop as numbers; NULL: it has none, the error is set. */
const FbEvalShape *fb_eval_shape (FbEvaluator *evaluator, FbUop *uop, GError **error);
/* Appends a step unless one says the same: the register it sets. */
guint fb_eval_step (FbEvalBuilder *b, FbEvalStep step);
/* The place in the source of movement op or VIEW @uop of an element of it at @place. FALSE: an error. */
gboolean fb_eval_move (FbEvalBuilder *b, FbUop *uop, const FbEvalPlace *place, FbEvalPlace *source);
/* The place an element at @place of a view has in what is viewed, and where it is valid. */
gboolean fb_eval_view (FbEvalBuilder *b, FbUop *view, const FbEvalPlace *place, FbEvalPlace *source);
/* Coordinates of a @place in a node of @shape, and its number. */
FbEvalPlace fb_eval_coordinates (FbEvalBuilder *b, const FbEvalPlace *place, const FbEvalShape *shape);
guint fb_eval_number (FbEvalBuilder *b, const FbEvalPlace *place, const FbEvalShape *shape);
/* The unit that computes @uop. NULL: an error. Free with fb_eval_unit_free. */
FbEvalUnit *fb_eval_unit_new (FbEvaluator *evaluator, FbUop *uop, GError **error);
void fb_eval_unit_free (FbEvalUnit *unit);
/* Computes @unit into @data. FALSE: an error. */
gboolean fb_eval_unit_run (FbEvaluator *evaluator, const FbEvalUnit *unit, guint8 *data, GCancellable *cancellable,
                           GError **error);
/* Writes coordinate @number of every element of @unit to @out, -1 where @valid does not hold. */
void fb_eval_unit_list (FbEvaluator *evaluator, const FbEvalUnit *unit, guint number, guint valid, gint64 *out);
/* For FbEvalBuilder.known. */
GHashTable *fb_eval_known_new (void);
/* Empty, with coordinates for @shape given. */
FbEvalUnit *fb_eval_unit_empty (const FbEvalShape *shape);
