/* What the files of the simplifier share. */
#pragma once

#include "core/ir/number.h"
#include "symbolic.h"

/* The operators of Python between a node and a number: the number becomes a constant like the node. NULL in, NULL out. */
FbUop *fb_sym_like (FbContext *context, FbUop *uop, FbArg value);
FbUop *fb_sym_add (FbContext *context, FbUop *x, FbArg c);  /* x + c */
FbUop *fb_sym_mul (FbContext *context, FbUop *x, FbArg c);  /* x * c */
FbUop *fb_sym_rmul (FbContext *context, FbArg c, FbUop *x); /* c * x */
FbUop *fb_sym_idiv (FbContext *context, FbUop *x, FbArg c); /* x // c */
FbUop *fb_sym_mod (FbContext *context, FbUop *x, FbArg c);  /* x % c */
FbUop *fb_sym_lt (FbContext *context, FbUop *x, FbArg c);   /* x < c */
/* The sum of nodes, left to right; at least one. */
FbUop *fb_sym_reduce (FbContext *context, FbOp op, GPtrArray *terms);
/* The arg of a constant as one number; FALSE with the error set when it is none. */
gboolean fb_sym_number (FbContext *context, const FbUop *uop, FbArg *number);

/* symbolic.py:19; NULL when a dtype has no format */
FbUop *fb_fold_bitcast (FbContext *context, FbUop *root, FbUop *c);
/* symbolic.py:75, :97, :103, :116; NULL for no change */
FbUop *fb_fold_unrolled_divs (FbContext *context, FbUop *divs);
FbUop *fb_lt_folding (FbContext *context, FbUop *x, FbArg c);
FbUop *fb_canonicalize_simplex (FbContext *context, FbUop *x);
FbUop *fb_div_and_mod_folding (FbContext *context, FbUop *x, FbUop *y, FbOp which);

/* The callback that more than one table has: the node bound to x. */
FbUop *fb_rule_take_x (FbRewriter *rw, FbUop *const *m);
