/* A captured kernel without the schedule it is from, as something that can be planned and run. */
#pragma once

#include "core/schedule.h"

/* A schedule of one kernel, @ast. Its buffers are its arguments, of the sizes their pointers say; variables have their largest values.
 * NULL: it is no kernel; the error says why. It lives as long as @context. */
FbSchedule *fb_kernel_schedule_new (FbContext *context, FbUop *ast, GError **error);
