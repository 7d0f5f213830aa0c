/* The kernel graphs of two scenarios beside each other, in the place of the graph: what is new, gone, changed. */
#pragma once

#include "app/kernel-graphs.h"
#include "app/scenarios.h"

#include <gtk/gtk.h>

#define FB_TYPE_SCENARIO_COMPARE (fb_scenario_compare_get_type ())
G_DECLARE_FINAL_TYPE (FbScenarioCompare, fb_scenario_compare, FB, SCENARIO_COMPARE, GtkWidget)

/* Signals: `close` (): back to the graph; `failed` (message). */
FbScenarioCompare *fb_scenario_compare_new (FbScenarios *scenarios, FbMetrics metrics);
/* The scenarios at @a and @b of the list. */
void fb_scenario_compare_show (FbScenarioCompare *compare, guint a, guint b);
gboolean fb_scenario_compare_is_settled (FbScenarioCompare *compare);
/* What is shown; NULL: nothing yet. Borrowed. */
const FbKernelGraphs *fb_scenario_compare_get_graphs (FbScenarioCompare *compare);
