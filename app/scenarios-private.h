/* What the files of the scenarios share: scenarios.c, of the list what a person does with it (scenarios-edit.c) and what would change a verdict
 * (scenarios-ask.c). */
#pragma once

#include "app/scenarios.h"

/* What tries of one row share. */
typedef struct
{
  gatomicrefcount refs;
  GMutex mutex; /* one try at a time */
  GBytes *bytes;
  FbScenarioRow row;
  FbCounterfactuals *tries; /* made by the first try */
} FbScenarioLab;

struct _FbScenarios
{
  GObject parent_instance;
  FbDocument *doc; /* borrowed: lives in a window of it */
  FbScenarioLab *lab;
  guint row_number;
  GCancellable *cancellable;
  GHashTable *answers; /* place + 1: GPtrArray of FbCounterfactual; asked for and not known: absent */
  GHashTable *asked;
  GPtrArray *entries; /* of FbScenarioEntry */
  GPtrArray *removed; /* likewise; the last taken out is the last */
  guint shown;
  gboolean storing; /* the session hears of them */
};

typedef enum
{
  FB_SCENARIOS_ANSWERED,
  FB_SCENARIOS_CHANGED,
  FB_SCENARIOS_N_SIGNALS
} FbScenariosSignal;
extern guint fb_scenarios_signals[FB_SCENARIOS_N_SIGNALS];

FbScenarioLab *fb_scenario_lab_new (const FbRowView *row);
void fb_scenario_lab_unref (gpointer lab);

FbScenarioEntry *fb_scenario_entry_new (const FbScenario *scenario, const char *text, const FbScheduleCost *cost);
void fb_scenario_entry_free (gpointer entry);
/* Where the list has @scenario; its length: it has not. */
guint fb_scenarios_find (FbScenarios *scenarios, const FbScenario *scenario);
/* The list as the session has it of the row, but for what is on the screen. */
void fb_scenarios_take_stored (FbScenarios *scenarios);
/* Once something else than the row as it was captured was looked at, the session has both. */
void fb_scenarios_store (FbScenarios *scenarios);
