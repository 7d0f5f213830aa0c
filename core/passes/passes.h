/* The passes of the scheduler, in pipeline order, and the rule tables they share. */
#pragma once

#include "core/rewrite/engine.h"

/* Views of views merged (ops.py:984); a part of several passes. */
extern const FbRuleTable fb_merge_views_rules;

/* Pass 1, movement removal and simplification: remove_movement_ops + sym (schedule.py:374). */
const FbRuleSet *fb_simplify_pass_rules (void);
/* Runs it over all of @sink into @pass. Returns what each node became, by node id; NULL with the context's error set. */
FbUop **fb_simplify_pass_run (FbContext *context, FbUop *sink, FbPass *pass);
