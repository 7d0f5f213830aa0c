/* The drawer's page of scenarios: the row as captured and as it was looked at otherwise, side by side. */
#pragma once

#include "app/runs.h"
#include "app/scenarios.h"

#include <gtk/gtk.h>

#define FB_TYPE_SCENARIO_LIST (fb_scenario_list_get_type ())
G_DECLARE_FINAL_TYPE (FbScenarioList, fb_scenario_list, FB, SCENARIO_LIST, GtkWidget)

/* Once. */
void fb_scenario_list_set_document (FbScenarioList *list, FbDocument *doc, FbScenarios *scenarios);
/* Whose times are shown beside scenarios that were run. Once. */
void fb_scenario_list_set_runs (FbScenarioList *list, FbRuns *runs);
