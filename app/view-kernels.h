/* Kernels of nodes, for what shows graphs. */
#pragma once

#include "app/view-state.h"

/* The kernel of each node of @whole, a graph of the map's pass, from 1, 0 for none, into @kernel; those that kernels store into
 * @realized. */
void fb_kernel_map_label (const FbKernelMap *map, const FbGraph *whole, guint32 *kernel, guint8 *realized);
