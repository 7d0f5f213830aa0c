#pragma once

#include "history.h"

/* Where the nodes that kernels are cut from are in the kernels' own passes. @scratch: a zeroed word per node of the schedule's
 * context, of which there are @n_ids, given back zeroed. */
void fb_history_link_kernels (FbHistory *history, guint32 *scratch, guint32 n_ids);

/* Fills what follows from who uses whom, of the latest pass, whose sink is @root. */
void fb_history_tell_times (FbHistory *history, guint32 pass, guint32 root);
