/* Which numbers labels and indices may be. */
#pragma once

#include "plan.h"

/* For each buffer of @plan that is an input of integers and is compared with numbers from 0 to N - 1, as labels and indices are: N, else
 * 0. Of views and of what kernels write: 0. Free with g_free. */
gint64 *fb_plan_index_limits (const FbPlan *plan);
