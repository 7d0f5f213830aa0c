/* What the rules of the row in the window take, measured when somebody asks: the row is scheduled again and again in a thread of its
 * own, and Cancel ends that. VIZ traces bring times along, and are not measured. Main thread. */
#pragma once

#include "app/document.h"
#include "core/explain/rule-times.h"

#define FB_TYPE_RULE_TIMING (fb_rule_timing_get_type ())
G_DECLARE_FINAL_TYPE (FbRuleTiming, fb_rule_timing, FB, RULE_TIMING, GObject)

/* Signals:
 *   changed  there are times, or none any more, or measuring began or ended */
FbRuleTiming *fb_rule_timing_new (FbDocument *doc);

/* TRUE: the row in the window has rules whose times are not known. */
gboolean fb_rule_timing_can_start (FbRuleTiming *timing);
/* Measures, unless that is done or under way. */
void fb_rule_timing_start (FbRuleTiming *timing);
gboolean fb_rule_timing_is_running (FbRuleTiming *timing);
/* Of the row in the window, under its scenario; NULL: not measured. Borrowed, until `changed`. */
const FbRuleTimes *fb_rule_timing_get (FbRuleTiming *timing);
/* TRUE: the row has times, of whatever source. */
gboolean fb_rule_timing_has_times (FbRuleTiming *timing);
/* Seconds that step @step (from 1) of pass @pass took: of its match; a negative number: not known. */
double fb_rule_timing_get_step (FbRuleTiming *timing, guint pass, guint step);
/* The same for all steps of the pass that are by the rule of that step, its tries in vain included where they were measured. */
double fb_rule_timing_get_rule (FbRuleTiming *timing, guint pass, guint step);
/* "the shortest of 20 runs", ", not settled" with it where that is so; NULL: nothing was measured. Free with g_free. */
char *fb_rule_timing_describe (FbRuleTiming *timing);
