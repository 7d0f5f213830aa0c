#pragma once

#include "core/explain/counterfactual.h"
#include "tests/passes/cases.h"

/* Each file's tests. */
void add_reason_tests (void);
void add_rule_times_tests (void);
