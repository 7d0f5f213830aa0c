/* The symbolic simplifier (codegen/symbolic.py): rule tables and the functions built on them. */
#pragma once

#include "core/rewrite/engine.h"

extern const FbRuleTable fb_symbolic_simple_rules;    /* symbolic.py:24 */
extern const FbRuleTable fb_symbolic_more_rules;      /* symbolic.py:173, what `symbolic` adds */
extern const FbRuleTable fb_symbolic_flat_more_rules; /* symbolic.py:234, what `symbolic_flat` adds */
const FbRuleSet *fb_symbolic (void);
const FbRuleSet *fb_symbolic_flat (void);

/* uop.simplify(): rewritten by `symbolic`, untraced, memoised (ops.py:328). NULL on error. */
FbUop *fb_simplify (FbContext *context, FbUop *uop);
/* resolve(x, default) of a bool node (ops.py:196): its value when it has only one, else @otherwise. Other dtypes are an error. */
gboolean fb_resolve (FbContext *context, FbUop *x, gboolean otherwise);
/* symbolic.py:255; NULL (without error) when @valid can never be true */
FbUop *fb_uop_given_valid (FbContext *context, FbUop *valid, FbUop *uop);
/* symbolic.py:294; NULL when nothing changes */
FbUop *fb_simplify_valid (FbContext *context, FbUop *valid);
/* Appends the terms of @x under @op, left to right (symbolic.py:70). Shared sums can have more terms than there is memory:
 * beyond 16384 what is left counts as terms undivided. */
void fb_split_uop (FbUop *x, FbOp op, GPtrArray *terms);
/* ops.py:604 const_factor, ops.py:611 divides: NULL when not known to divide. */
FbArg fb_const_factor (FbContext *context, FbUop *uop);
FbUop *fb_divides (FbContext *context, FbUop *uop, FbArg divisor);
/* ops.py:668 sym_infer: the value with every variable bound by the BINDs in it; FALSE and the error set if one is free. */
gboolean fb_sym_infer_bound (FbContext *context, FbUop *uop, FbArg *value);
