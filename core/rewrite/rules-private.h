/* Inside of a rule set: what the matcher reads. */
#pragma once

#include "rules.h"

/* A rule as it applies to one op. */
typedef struct
{
  FbOpSet early_reject; /* ops that must be among the sources' (ops.py:754) */
  const FbPattern *pattern;
  FbRuleFunc apply;
  guint32 index;          /* in the rule set */
  gboolean deterministic; /* one way to match at most: no order of sources to choose */
} FbRuleEntry;

struct _FbRuleSet
{
  const char *name;
  guint n_rules;
  const FbRule **rules;
  guint32 first[FB_N_OPS + 1]; /* entries of op: [first[op], first[op + 1]) */
  FbRuleEntry *entries;
};

/* Tries the rules for @uop in order. Returns the replacement and the rule's index in @rule, or NULL. @tries, when not NULL,
 * counts per rule how often a pattern was matched against a node. */
FbUop *fb_rule_set_apply (FbRewriter *rw, const FbRuleSet *set, FbUop *uop, guint32 *rule, guint32 *tries);
