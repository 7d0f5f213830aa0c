/* The words rule tables are written in. Only files that hold a rule table include this. */
#pragma once

#include "pattern.h"

#define FB_PATTERN(...) (&(const FbPattern){ __VA_ARGS__ })
/* any node */
#define ANY FB_PATTERN (.name = FB_NAME_NONE)
#define VAR(n) FB_PATTERN (.name = FB_##n)
#define VAR_T(n, types) FB_PATTERN (.name = FB_##n, .dtypes = (types))
#define ANY_T(types) FB_PATTERN (.dtypes = (types))
/* CONST or VCONST; CONST only */
#define CVAR(n) FB_PATTERN (.name = FB_##n, .ops = FB_OP_BIT (CONST) | FB_OP_BIT (VCONST))
#define SCALAR_CVAR(n) FB_PATTERN (.name = FB_##n, .ops = FB_OP_BIT (CONST))
/* CONST equal to this number; INT_T also with a dtype */
#define INT(value) FB_PATTERN (.ops = FB_OP_BIT (CONST), .has_arg = 1, .arg = (value))
#define INT_T(types, value) FB_PATTERN (.ops = FB_OP_BIT (CONST), .has_arg = 1, .arg = (value), .dtypes = (types))
#define FB_SRC_LIST(...) \
  .src = { __VA_ARGS__ }, .n_src = sizeof ((const FbPattern *[]){ __VA_ARGS__ }) / sizeof (void *)
#define SRC(...) .src_mode = FB_SRC_ORDERED, FB_SRC_LIST (__VA_ARGS__)
#define NO_SRC .src_mode = FB_SRC_ORDERED, .n_src = 0
#define ANY_ORDER(...) .src_mode = FB_SRC_PERMUTED, FB_SRC_LIST (__VA_ARGS__)
#define ALL_SRC(p) .src_mode = FB_SRC_REPEATED, FB_SRC_LIST (p)
#define FIRST_SRC(...) .src_mode = FB_SRC_PREFIX, FB_SRC_LIST (__VA_ARGS__)
/* a node by op or set of ops; further fields (NAMED, TYPED, SRC ...) follow */
#define OP(o, ...) FB_PATTERN (.ops = FB_OP_BIT (o) __VA_OPT__ (, ) __VA_ARGS__)
#define OPS(set, ...) FB_PATTERN (.ops = (set) __VA_OPT__ (, ) __VA_ARGS__)
#define NAMED(n) .name = FB_##n
#define TYPED(types) .dtypes = (types)
#define EITHER(...) FB_PATTERN (.src_mode = FB_SRC_EITHER, FB_SRC_LIST (__VA_ARGS__))
/* What Python's operators on patterns build (ops.py:782): commutative ops in any order, others in order; the dtype is
 * that of the last operand's pattern, given explicitly here where it has one; comparisons are bool. */
#define COMM(o, p, q, ...) OP (o, ANY_ORDER (p, q) __VA_OPT__ (, ) __VA_ARGS__)
#define BINARY(o, p, q, ...) OP (o, SRC (p, q) __VA_OPT__ (, ) __VA_ARGS__)
#define LT(p, q, ...) OP (CMPLT, SRC (p, q), TYPED (FB_DT_BIT (BOOL)) __VA_OPT__ (, ) __VA_ARGS__)
#define NE(p, q, ...) OP (CMPNE, ANY_ORDER (p, q), TYPED (FB_DT_BIT (BOOL)) __VA_OPT__ (, ) __VA_ARGS__)
#define WHERE3(p, q, r, ...) OP (WHERE, SRC (p, q, r) __VA_OPT__ (, ) __VA_ARGS__)
/* Two patterns that are the same pattern object twice: one order only (all_same, ops.py:743). */
#define TWICE(o, p, ...) OP (o, SRC (p, p) __VA_OPT__ (, ) __VA_ARGS__)
#define RULE(name, law, pattern, apply, location) \
  {                                               \
    name, law, pattern, apply, location, 0        \
  }
/* With a guard: for callbacks that would return NULL at once otherwise. */
#define RULE_IF(guard, name, law, pattern, apply, location) \
  {                                                         \
    name, law, pattern, apply, location, FB_GUARD_##guard   \
  }
