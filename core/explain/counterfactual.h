/* What would fuse a node that is realized: changes known to help, tried one by one. Only what was seen to work is stated. */
#pragma once

#include "scenario.h"

typedef struct
{
  FbScenario *change;  /* one option, or the one node forced */
  FbScheduleCost cost; /* with it */
} FbCounterfactual;

/* Changes to try on one row: keeps what does not depend on the node, so that asking for many nodes of a row is quick. */
typedef struct _FbCounterfactuals FbCounterfactuals;
/* NULL with an error of FB_SCENARIO_ERROR when the row cannot be scheduled as captured. @row must outlive it. */
FbCounterfactuals *fb_counterfactuals_new (const FbScenarioRow *row, GCancellable *cancellable, GError **error);
void fb_counterfactuals_free (FbCounterfactuals *all);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbCounterfactuals, fb_counterfactuals_free)
/* The row as captured. */
const FbScenarioRun *fb_counterfactuals_base (const FbCounterfactuals *all);
/* What fuses @node, of the base's simplified graph: of FbCounterfactual, the one that changes fewest kernels first. Empty when
 * nothing known does, or when the node is not realized. Free with g_ptr_array_unref. */
GPtrArray *fb_counterfactuals_of (FbCounterfactuals *all, FbUop *node, GCancellable *cancellable);
/* Is the statement true? Schedules the row anew, in a context of its own, and looks: the node, told by its key, is not realized,
 * and kernels, bytes and FLOPs are as stated. */
gboolean fb_counterfactual_holds (const FbScenarioRow *row, const FbCounterfactual *statement, const char *key);
