/* What if: a row scheduled again with other options, or with single decisions forced, and what that costs. */
#pragma once

#include "core/capture/capture.h"
#include "core/replay/options.h"

#include "cost.h"
#include "why.h"

/* Nodes are told by fb_why_place(). */
typedef struct
{
  GArray *options; /* of FbReplayOption: in place of the row's */
  GArray *realize; /* of guint32: store these */
  GArray *fuse;    /* of guint32: do not */
} FbScenario;

FbScenario *fb_scenario_new (void);
FbScenario *fb_scenario_copy (const FbScenario *scenario);
void fb_scenario_free (FbScenario *scenario);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbScenario, fb_scenario_free)

/* A schedule of a scenario, in a context of its own. */
typedef struct
{
  FbContext *context;
  FbCaptureRow *row;
  FbSchedule *schedule;
  FbScheduleCost cost;
} FbScenarioRun;

/* A row as it is stored, to be scheduled again and again. */
typedef struct
{
  GBytes *bytes;
  const char *what;    /* names it in errors */
  const char *release; /* as for fb_capture_open() */
} FbScenarioRow;

/* Why a scenario cannot be had. */
typedef enum
{
  FB_SCENARIO_ERROR_READ,     /* the row */
  FB_SCENARIO_ERROR_SCHEDULE, /* the scheduler fails; the message says where */
  FB_SCENARIO_ERROR_REFUSED,  /* a forced choice was not honoured; the message says why */
} FbScenarioError;
#define FB_SCENARIO_ERROR (fb_scenario_error_quark ())
GQuark fb_scenario_error_quark (void);

/* NULL @scenario: as captured. @context: an empty one to use and give back with the run, or NULL for a new one. On error the
 * context is freed. */
FbScenarioRun *fb_scenario_run (const FbScenarioRow *row, const FbScenario *scenario, FbContext *context,
                                GCancellable *cancellable, GError **error);
void fb_scenario_run_free (FbScenarioRun *run);
/* The same, but the context is given back, reset. */
FbContext *fb_scenario_run_free_keep (FbScenarioRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbScenarioRun, fb_scenario_run_free)
/* Sets @context's options, and @forced to what to schedule with: borrowed from @scenario. */
void fb_scenario_apply (const FbScenario *scenario, FbContext *context, FbForced *forced);
/* Did @schedule go through under @scenario, every forced choice honoured? FALSE with an error of FB_SCENARIO_ERROR. */
gboolean fb_scenario_check (const FbSchedule *schedule, const FbScenario *scenario, GError **error);
/* The node at a place of the simplified graph, NULL when it is too large. */
FbUop *fb_scenario_node (const FbSchedule *schedule, guint32 place);
/* "DONT_REALIZE_EXPAND=1, fuse 16957982db320807"; @schedule: of any run of the same row. Free with g_free. */
char *fb_scenario_to_text (const FbScenario *scenario, const FbSchedule *schedule);
