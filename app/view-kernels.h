/* Kernels of nodes, for what shows graphs. */
#pragma once

#include "app/view-state.h"

/* The kernel of each node of @whole, from 1, 0 for none, into @kernel; those that kernels store into @realized. What became of nodes
 * since @before is learnt as the sets of a state do; @match: of each node its number in @before, or NULL. */
void fb_kernel_map_label (FbKernelMap *map, const FbGraph *whole, const FbGraph *before, const guint32 *match,
                          guint32 *kernel, guint8 *realized);
