/* What a trace recorded of each pass, beside what the same pass does here. */
#pragma once

#include "core/schedule.h"
#include "core/viztrace/recorded.h"

/* A pass that did not go the same way. */
typedef struct
{
  char *title;                     /* "views left", of a pass that is missing here its call: "schedule.py:356" */
  guint kernel;                    /* of a pass over one kernel its number in run order, from 1; else 0 */
  guint n_recorded, n_here;        /* matches */
  guint first;                     /* the first match that differs, from 1; 0: the input does */
  char *rule_recorded, *rule_here; /* of that match: "schedule.py:205"; "" for none */
} FbReplayPass;

typedef struct
{
  guint n_recorded, n_here; /* passes */
  guint n_alike;            /* with the same input and the same matches in the same order by the same rules */
  guint64 n_matches;        /* recorded, of all passes */
  guint64 n_matches_alike;  /* up to the first of each pass that differs */
  guint n_others;           /* rewrites of the context that are no passes, and were not compared */
  GPtrArray *different;     /* of FbReplayPass, in the order they ran */
} FbReplayPasses;

/* Both of one context. Where there are more or fewer kernels than recorded, their passes cannot be put beside each other: then
 * only those before are compared. */
FbReplayPasses *fb_replay_passes_new (const FbRecorded *recorded, const FbSchedule *schedule);
/* Nothing compared yet. */
FbReplayPasses *fb_replay_passes_new_empty (void);
void fb_replay_passes_free (FbReplayPasses *passes);
/* All of them went the same way. */
gboolean fb_replay_passes_alike (const FbReplayPasses *passes);
/* "25 passes, 152 matches alike", "2 of 25 passes differ, first views left of kernel 3 at match 7"; free with g_free. */
char *fb_replay_passes_to_text (const FbReplayPasses *passes);
