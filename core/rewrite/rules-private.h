/* Inside of a rule set: what the matcher reads. */
#pragma once

#include "rules.h"
#include "ticks.h"

/* How much there is to match below the node itself. */
typedef enum
{
  FB_SHAPE_NODE,        /* nothing that has a name: what was remembered of the ops decides */
  FB_SHAPE_FLAT,        /* nothing, or one or two sources in order that only have ops and names, all different: what was
                             remembered of the ops decides */
  FB_SHAPE_CHAIN,       /* a single source with a single source, with nothing but ops and names, all different */
  FB_SHAPE_WITH_NUMBER, /* a named source and a number, in any order: x+0 */
  FB_SHAPE_DETERMINISTIC, /* one way to match at most: no order of sources to choose */
  FB_SHAPE_SEARCH,
} FbRuleShape;

#define FB_ANY_NUMBER 255

/* After the last of a list of numbers of rules: a set has fewer. */
#define FB_NO_RULE 255

/* What rules may ask of a node before they are tried, in one word: its op, the classes of the ops of its first two sources, that
 * of its dtype, and how many sources it has, of which more than four are not told apart. Of one class is what no rule of the set
 * tells apart: there are few keys then, and what is known of them stays near. */
#define FB_NODE_KEY_SOURCE(i) (7 + 7 * (i))
#define FB_NODE_KEY_DTYPE 21
#define FB_NODE_KEY_N_SRC 25
#define FB_NODE_KEY_BITS 28
/* The part that is about sources. */
#define FB_NODE_KEY_OF_SOURCES \
  (7u << FB_NODE_KEY_N_SRC | 127u << FB_NODE_KEY_SOURCE (0) | 127u << FB_NODE_KEY_SOURCE (1))

/* What a rule demands of a node's op and dtype and of the ops of its sources: looked at once for every combination. */
typedef struct
{
  FbOpSet ops;
  FbDTypeSet dtypes;    /* 0: any */
  FbOpSet early_reject; /* ops that must be among the sources' (ops.py:754) */
  FbOpSet src_ops[2];   /* what the first two sources may be, in whatever order; all ops when anything goes */
  guint8 n_src;         /* exactly, or FB_ANY_NUMBER */
} FbRuleOps;

/* What is left to look at for every node; small, since it is read for every node. */
typedef struct
{
  const FbPattern *pattern;
  FbRuleFunc apply;
  guint8 shape;       /* FbRuleShape */
  guint8 name;        /* the node's, FB_NAME_NONE for none */
  guint8 src_name[2]; /* its sources'; in a chain, its source's and the source's of that */
  guint8 guard;       /* FbRuleGuard */
  guint8 early;       /* its early_reject among those of the set */
  guint16 index;      /* of the rule in its set */
} FbRuleEntry;

struct _FbRuleSet
{
  const char *name;
  guint serial; /* from 0, in order of creation in the process */
  guint n_rules;
  guint32 key_masks[128];   /* by op, what of a node's key decides which rules may match */
  guint8 source_class[128]; /* by op */
  guint8 dtype_class[16];   /* by position */
  const FbRule **rules;
  FbRuleEntry *entries; /* a rule each */
  FbRuleOps *ops;       /* a rule each */
  FbOpSet *early;       /* the different early_reject of the rules, the empty one first */
};

/* Patterns are at most a few levels deep and wide. */
#define FB_MAX_BOUND 32

/* Names bound while a pattern is matched; all NULL between two matches. */
typedef struct _FbMatcher FbMatcher;
struct _FbMatcher
{
  FbRewriter *rw;
  const FbRuleSet *set;
  struct _FbDispatch *dispatch;
  /* Tries @candidates, the rules that may fit @uop, in order. Returns the replacement, and the rule's index in the matcher, or
   * NULL. A pointer, so that measuring costs nothing where nothing is measured. */
  FbUop *(*apply_first) (FbMatcher *matcher, FbUop *uop, const guint8 *candidates);
  FbRuleFunc apply;
  FbUop *result;
  guint32 rule;       /* the last that applied */
  guint32 *tries;     /* per rule, how often a pattern was matched against a node */
  FbPassTicks *ticks; /* what they took; only where they are measured */
  guint n_trail;
  guint8 trail[FB_MAX_BOUND]; /* names in the order they were bound */
  FbUop *bound[FB_N_NAMES];
};

/* For nodes of @rw's context and the rules of @set. @tries: where to count, or NULL. Give it back when done. */
FbMatcher *fb_matcher_acquire (FbRewriter *rw, const FbRuleSet *set, guint32 *tries);
void fb_matcher_release (FbMatcher *matcher);
/* Has it put into @ticks what every try takes. */
void fb_matcher_measure (FbMatcher *matcher, FbPassTicks *ticks);
