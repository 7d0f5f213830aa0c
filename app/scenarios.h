/* What-ifs of the row in the window: what would fuse a node, found by trying, and the scenarios that were looked at, side by side.
 *
 * Tries run in threads of their own, with contexts of their own: the window and its worker go on. */
#pragma once

#include "app/document.h"
#include "core/explain/counterfactual.h"

#define FB_TYPE_SCENARIOS (fb_scenarios_get_type ())
G_DECLARE_FINAL_TYPE (FbScenarios, fb_scenarios, FB, SCENARIOS, GObject)

/* Signals:
 *   answered (place)  fb_scenarios_get_answers() knows about that node
 *   changed           another list of scenarios, or another shown */
FbScenarios *fb_scenarios_new (FbDocument *doc);

/* What fuses the node at @place: of FbCounterfactual, best first; NULL: not known yet. */
const GPtrArray *fb_scenarios_get_answers (FbScenarios *scenarios, guint32 place);
/* Finds out; `answered` follows, unless another row is loaded before. */
void fb_scenarios_ask (FbScenarios *scenarios, guint32 place);

/* A scenario that was looked at. */
typedef struct
{
  FbScenario *scenario; /* NULL: as captured, the first of the list */
  char *text;           /* "DONT_REALIZE_EXPAND=1" */
  char *name;           /* what a person calls it; NULL: nothing in particular */
  FbScheduleCost cost;
  char *backend;  /* where its kernels were run last, to the end; NULL: nowhere */
  double seconds; /* that they took there */
} FbScenarioEntry;
/* Its name, or what is not as it was captured. */
const char *fb_scenario_entry_get_title (const FbScenarioEntry *entry);
guint fb_scenarios_get_n (FbScenarios *scenarios);
const FbScenarioEntry *fb_scenarios_get (FbScenarios *scenarios, guint at);
/* The one in the window, from 0. */
guint fb_scenarios_get_shown (FbScenarios *scenarios);
/* Shows the row under @scenario (NULL: as captured), and lists it when it can be had. */
void fb_scenarios_show (FbScenarios *scenarios, const FbScenario *scenario);
void fb_scenarios_show_at (FbScenarios *scenarios, guint at);
/* Calls it @name from now on; NULL or "": by what is changed in it. */
void fb_scenarios_rename (FbScenarios *scenarios, guint at, const char *name);
/* Takes it out of the list; when it is shown, the row is shown as captured. Not the first. */
void fb_scenarios_remove (FbScenarios *scenarios, guint at);
/* What was taken out last of the row; NULL: nothing that could come back. Brought back, it is shown. */
const FbScenarioEntry *fb_scenarios_get_removed (FbScenarios *scenarios);
void fb_scenarios_restore (FbScenarios *scenarios);
/* The kernels of the scenario of that text (NULL: as captured) took @seconds on @backend. */
void fb_scenarios_set_time (FbScenarios *scenarios, const char *text, const char *backend, double seconds);
/* The row as it is stored, to be scheduled elsewhere: fills @row, whose texts live as long as the result does and the row is open;
 * NULL: there is none. Free with g_bytes_unref. */
GBytes *fb_scenarios_dup_row (FbScenarios *scenarios, FbScenarioRow *row);
/* The scenario in the window with one choice more; free with fb_scenario_free. */
FbScenario *fb_scenarios_with_option (FbScenarios *scenarios, const char *setting);
FbScenario *fb_scenarios_with_node (FbScenarios *scenarios, guint32 place, gboolean fuse);
