/* Patterns and rules as static data.
 *
 *   static const FbPattern x_plus_0 = ALU2 (ADD, VAR (x), INT (0));
 *   RULE ("add-zero", "x+0 -> x", ALU2 (ADD, VAR (x), INT (0)), take_x, "symbolic.py:26")
 *
 * A pattern says what a node must be: one of a set of ops, a dtype, an arg
 * (Python equality), sources. Sources in order (SRC), in any order (ANY_ORDER: every
 * permutation in itertools order, one if all are the same pattern), or all alike
 * (ALL_SRC). A name binds the node; a name met again must be the identical node.
 * Semantics and order of matches: ops.py:730-825. */
#pragma once

#include "core/ir/context.h"

/* Names a pattern may bind; callbacks read them as m[FB_x]. */
#define FB_FOR_EACH_NAME(X)                                                                                           \
  X (x)                                                                                                               \
  X (y) X (z) X (x2) X (x3) X (c) X (c0) X (c1) X (c2) X (c3) X (a) X (b) X (d) X (e) X (f) X (t) X (tt) X (ff)       \
      X (base) X (root) X (val) X (gate) X (alu) X (alt) X (divs) X (mov) X (view) X (vm) X (vm1) X (vm2) X (st)      \
          X (const_) X (reduce) X (copyin) X (copy) X (cast) X (u) X (buf) X (contig) X (src) X (s) X (tr) X (target) \
              X (r) X (v) X (first_reduce) X (glbl) X (bind) X (var) X (ret)
typedef enum
{
  FB_NAME_NONE,
#define X(n) FB_##n,
  FB_FOR_EACH_NAME (X)
#undef X
      FB_N_NAMES
} FbName;
/* "x"; the trailing underscore that avoids a keyword is not shown. */
const char *fb_name_text (FbName name);

typedef enum
{
  FB_SRC_ANY,      /* sources are not looked at */
  FB_SRC_ORDERED,  /* exactly these */
  FB_SRC_PERMUTED, /* exactly these in any order */
  FB_SRC_REPEATED, /* each source matches src[0]; any number */
  FB_SRC_PREFIX,   /* at least... the first of them, any number (allow_any_len) */
  FB_SRC_EITHER,   /* not sources: src[] are alternatives for this very node (UPat.any) */
} FbSrcMode;

typedef struct _FbPattern FbPattern;
struct _FbPattern
{
  FbOpSet ops;       /* 0: any op */
  FbDTypeSet dtypes; /* 0: any dtype */
  guint8 name;       /* FbName */
  guint8 src_mode;   /* FbSrcMode */
  guint8 n_src;
  guint8 has_arg; /* compare @arg: an integer or float constant */
  gint64 arg;
  gboolean arg_is_nan; /* reserved */
  const FbPattern *src[3];
};

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
#define OP(o, ...) FB_PATTERN (.ops = FB_OP_BIT (o), ##__VA_ARGS__)
#define OPS(set, ...) FB_PATTERN (.ops = (set), ##__VA_ARGS__)
#define NAMED(n) .name = FB_##n
#define TYPED(types) .dtypes = (types)
#define EITHER(...) FB_PATTERN (.src_mode = FB_SRC_EITHER, FB_SRC_LIST (__VA_ARGS__))
/* What Python's operators on patterns build (ops.py:782): commutative ops in any order, others in order; the dtype is
 * that of the last operand's pattern, given explicitly here where it has one; comparisons are bool. */
#define COMM(o, p, q, ...) OP (o, ANY_ORDER (p, q), ##__VA_ARGS__)
#define BINARY(o, p, q, ...) OP (o, SRC (p, q), ##__VA_ARGS__)
#define LT(p, q, ...) OP (CMPLT, SRC (p, q), TYPED (FB_DT_BIT (BOOL)), ##__VA_ARGS__)
#define NE(p, q, ...) OP (CMPNE, ANY_ORDER (p, q), TYPED (FB_DT_BIT (BOOL)), ##__VA_ARGS__)
#define WHERE3(p, q, r, ...) OP (WHERE, SRC (p, q, r), ##__VA_ARGS__)
/* Two patterns that are the same pattern object twice: one order only (all_same, ops.py:743). */
#define TWICE(o, p, ...) OP (o, SRC (p, p), ##__VA_ARGS__)

typedef struct _FbRewriter FbRewriter;
/* The replacement, or NULL when the rule does not apply after all (or on error: the context's error is set). */
typedef FbUop *(*FbRuleFunc) (FbRewriter *rw, FbUop *const *m);

typedef struct
{
  const char *name; /* "add-zero" */
  const char *law;  /* "x+0 -> x" */
  const FbPattern *pattern;
  FbRuleFunc apply;
  const char *location; /* where the reference's callback begins: "symbolic.py:26" */
} FbRule;
#define RULE(name, law, pattern, apply, location) \
  {                                               \
    name, law, pattern, apply, location           \
  }
