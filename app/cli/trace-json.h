/* Traces as JSON: one object a row, byte for byte as the ground truth of captures is written. */
#pragma once

#include "core/capture/capture.h"
#include "core/ir/text.h"
#include "core/schedule.h"

/* Appends {"loc", "name", "bottom_up", "sink", "matches": [[before, after, rule]...]} of one pass. */
void fb_trace_append_pass (GString *json, FbContext *context, const FbPass *pass);
/* Appends the options of the row that differ from their defaults, as an object. */
void fb_trace_append_options (GString *json, const FbCaptureRow *row);
/* Appends {"key", "nodes", "context", "passes"} of a row, with "error" when the schedule stopped. @only_pass: from 1, 0 for
 * all. No newline. */
void fb_trace_append_row (GString *json, FbContext *context, const FbCaptureRow *row, const FbSchedule *schedule,
                          guint only_pass);
