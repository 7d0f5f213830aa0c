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
/* clang-format never settles on such a list. */
/* clang-format off */
#define FB_FOR_EACH_NAME(X) \
  X (x) X (y) X (z) X (x2) X (x3) X (c) X (c0) X (c1) X (c2) X (c3) X (a) X (b) X (d) X (e) X (f) X (t) X (tt) \
  X (ff) X (base) X (root) X (val) X (gate) X (alu) X (alt) X (divs) X (mov) X (view) X (vm) X (vm1) X (vm2) \
  X (st) X (const_) X (reduce) X (copyin) X (copy) X (cast) X (u) X (buf) X (contig) X (src) X (s) X (tr) \
  X (target) X (r) X (v) X (first_reduce) X (glbl) X (bind) X (var) X (ret)
/* clang-format on */
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
  const FbPattern *src[3];
};

typedef struct _FbRewriter FbRewriter;
/* The replacement, or NULL when the rule does not apply after all (or on error: the context's error is set). */
typedef FbUop *(*FbRuleFunc) (FbRewriter *rw, FbUop *const *m);

/* What must hold before a rule is worth a call, looked at in place: most rules that fit any node apply to few. */
typedef enum
{
  FB_GUARD_NONE,
  /* of the node's shape, which may be an error as well */
  FB_GUARD_CONTIGUOUS = FB_ST_CONTIGUOUS,
  FB_GUARD_MASKED = FB_ST_MASKED,
  FB_GUARD_UNSIZED = FB_ST_UNSIZED,
  FB_GUARD_COMPOUND = FB_ST_COMPOUND,
  FB_GUARD_SHAPE = 15,    /* no guard: these are up to here */
  FB_GUARD_MARKED,        /* the node is in the rewriter's marks */
  FB_GUARD_SOURCE_MARKED, /* a source is */
  FB_GUARD_SOURCE_MOVED,  /* a source is a view or a movement of another node */
} FbRuleGuard;

typedef struct
{
  const char *name; /* "add-zero" */
  const char *law;  /* "x+0 -> x" */
  const FbPattern *pattern;
  FbRuleFunc apply;
  const char *location; /* where the reference's callback begins: "symbolic.py:26" */
  FbRuleGuard guard;
} FbRule;
