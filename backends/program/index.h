/* Index expressions of an access: where in a buffer a point of the loop nest reads or writes, and where it does not.
 *
 * An expression is linear: a constant and terms of coefficient times atom. An atom is a loop variable, or a linear
 * expression divided or taken modulo a constant, rounding towards minus infinity. Every atom knows an interval that
 * holds its value wherever the access is valid: conditions of masks narrow it, and simplification uses it, so that
 * an expression may be anything at points where the access is not valid.
 *
 * All numbers are plain: symbolic sizes have been replaced by their values. Nothing wraps: an overflow is an error. */
#pragma once

#include "core/ir/context.h"

#define FB_BACKEND_ERROR (fb_backend_error_quark ())
GQuark fb_backend_error_quark (void);
typedef enum
{
  FB_BACKEND_ERROR_UNSUPPORTED, /* an op or a dtype that no kernel has */
  FB_BACKEND_ERROR_BOUNDS,      /* an access that is not proven inside its buffer */
  FB_BACKEND_ERROR_SIZE,        /* too large: numbers, memory or work */
  FB_BACKEND_ERROR_VARIABLE,    /* a variable without value, or outside its range */
  FB_BACKEND_ERROR_SHAPE,       /* shapes that do not fit together */
  FB_BACKEND_ERROR_COMPILE,     /* no compiler, or it refused */
  FB_BACKEND_ERROR_CRASHED,     /* compiled code ended by a signal */
  FB_BACKEND_ERROR_TIME,        /* it took longer than allowed */
  FB_BACKEND_ERROR_DEVICE,      /* no such device, or it refused */
  FB_BACKEND_ERROR_INPUT,       /* an input that cannot be loaded */
} FbBackendError;

typedef enum
{
  FB_ATOM_VAR, /* loop variable number .divisor */
  FB_ATOM_DIV,
  FB_ATOM_MOD,
  FB_ATOM_SUM, /* .of itself, with a narrower interval than its terms tell */
} FbAtomKind;

typedef struct
{
  gint64 coef;
  guint atom;
} FbTerm;

typedef struct
{
  gint64 constant;
  guint n_terms;
  const FbTerm *terms; /* ascending atoms, no coefficient 0; owned by the arena */
} FbLinear;

typedef struct
{
  FbAtomKind kind;
  gint64 divisor;
  FbLinear of;
  gint64 min, max;
} FbAtom;

/* begin <= value < end */
typedef struct
{
  FbLinear value;
  gint64 begin, end;
} FbCondition;

typedef struct
{
  FbArena *arena;     /* borrowed */
  GArray *atoms;      /* of FbAtom; what an atom is made of comes before it */
  GArray *conditions; /* of FbCondition: the access is valid where all hold */
  FbLinear at;        /* the element */
  gint64 min, max;    /* interval of .at where the access is valid */
  gboolean never;     /* nowhere valid */
} FbIndex;

/* A view with its numbers. */
typedef struct
{
  guint n;
  const gint64 *shape, *strides, *mask; /* mask: begin and end per dimension, NULL for none */
  gint64 offset;
} FbPlainView;

#define fb_index_atom(index, i) (&g_array_index ((index)->atoms, FbAtom, i))

/* The access through @n_views views, the last one indexed by loop variables: @vars[d] is the variable of dimension d, or
 * -1 where its index is 0; its extent is the shape's. NULL: overflow. Free with fb_index_free. */
FbIndex *fb_index_new (FbArena *arena, guint n_views, const FbPlainView *views, const int *vars, GError **error);
void fb_index_free (FbIndex *index);
/* Interval of @linear where the access is valid. FALSE: it leaves 64 bits. */
gboolean fb_linear_bounds (const FbIndex *index, const FbLinear *linear, gint64 *min, gint64 *max);
/* Does each condition of the access depend on at most one of @vars, and linearly? Then the points at which it is valid can
 * be counted without visiting them. */
gboolean fb_index_separable (const FbIndex *index, guint64 vars);
/* Rounding towards minus infinity; @b > 0. */
static inline gint64
fb_floordiv (gint64 a, gint64 b)
{
  return a / b - (a % b < 0);
}
