/* What is different between two traces, as text. */
#pragma once

#include "core/viztrace/compare.h"

/* The contexts that are different (@all: every one) with their rewrites, then the counts. */
void fb_diff_print (const FbVizComparison *comparison, gboolean all);
