#pragma once

#include "textdiff.h"

/* The difference of two sequences of numbers: sets changed_a[i] where a[i] is not in the common part, and changed_b alike (both
 * zeroed by the caller). Myers' O(ND) with a middle point, linear memory, no recursion. FALSE when @limit differences in one part
 * were exceeded and the result, correct as it is, may be longer than need be. */
gboolean fb_diff_sequences (const guint32 *a, guint32 n_a, const guint32 *b, guint32 n_b, guint8 *changed_a,
                            guint8 *changed_b, guint32 limit);
/* Appends the changed parts of two lines to @spans: first those of @old (their number to @n_old), then those of @new. FALSE, and
 * nothing appended, when the lines have too little in common to be versions of each other. */
gboolean fb_diff_words (const char *old_text, guint32 old_len, const char *new_text, guint32 new_len, GArray *spans,
                        guint32 *n_old);
