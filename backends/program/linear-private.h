/* Arithmetic on linear expressions, as index.c builds accesses of it. */
#pragma once

#include "index.h"

/* Builds expressions; the first overflow is remembered and everything after it is meaningless. */
typedef struct
{
  FbIndex *index;
  gboolean overflow;
} FbLinearBuilder;

/* Of numbers, checked. */
gint64 fb_linear_sum (FbLinearBuilder *b, gint64 x, gint64 y);
gint64 fb_linear_product (FbLinearBuilder *b, gint64 x, gint64 y);
/* fb_linear_bounds, an overflow remembered. */
void fb_linear_find_bounds (FbLinearBuilder *b, const FbLinear *linear, gint64 *min, gint64 *max);
/* The atom as an expression, made or found; with this interval if it is made. */
FbLinear fb_linear_from_atom (FbLinearBuilder *b, FbAtomKind kind, const FbLinear *of, gint64 divisor, gint64 min,
                              gint64 max);
/* x + y * scale */
FbLinear fb_linear_add_scaled (FbLinearBuilder *b, FbLinear x, FbLinear y, gint64 scale);
/* x / c and x % c, rounding towards minus infinity; @c > 0. */
FbLinear fb_linear_divide (FbLinearBuilder *b, FbLinear x, gint64 c);
FbLinear fb_linear_modulo (FbLinearBuilder *b, FbLinear x, gint64 c);
