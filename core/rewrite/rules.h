/* Rule sets: tables put together in order, indexed by op. */
#pragma once

#include "pattern.h"

typedef struct _FbRuleSet FbRuleSet;

typedef struct
{
  const FbRule *rules;
  guint n;
} FbRuleTable;
#define FB_RULE_TABLE(array)    \
  {                             \
    array, G_N_ELEMENTS (array) \
  }

/* Rules of @tables one after the other. Built once, kept for the life of the program. */
FbRuleSet *fb_rule_set_new (const char *name, guint n_tables, const FbRuleTable *tables);
const char *fb_rule_set_name (const FbRuleSet *set);
guint fb_rule_set_n_rules (const FbRuleSet *set);
const FbRule *fb_rule_set_rule (const FbRuleSet *set, guint index);
/* The pattern as text for people: "MOVEMENT(x) as mov". Free with g_free. */
char *fb_pattern_to_text (const FbPattern *pattern);
