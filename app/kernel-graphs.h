/* The kernels of a row under two scenarios as two graphs, a card a kernel, with what is only in one of them marked.
 *
 * A kernel is the same in both when it computes the same (its AST) from the same; it is rebuilt when what it reads is computed
 * otherwise. The cards are nodes of a context of their own, so the schedules that they tell of are gone by then. */
#pragma once

#include "core/explain/scenario.h"
#include "viz/scene.h"

/* Whose schedule: of the scenario one starts from, or of the other. */
typedef enum
{
  FB_SIDE_A,
  FB_SIDE_B,
  FB_N_SIDES
} FbSide;

typedef struct
{
  FbUop *node;  /* its card */
  guint number; /* in run order, from 1 */
  char *name;   /* "RECIP float 64×1" */
  FbKernelCost cost;
} FbKernelCard;

typedef struct
{
  FbContext *context;
  FbStep *step;                /* from A to B */
  FbScene *scenes[FB_N_SIDES]; /* B keeps to the places of A */
  GArray *kernels[FB_N_SIDES]; /* of FbKernelCard */
  FbScheduleCost cost[FB_N_SIDES];
} FbKernelGraphs;

/* Schedules @row twice. NULL scenarios: as captured. Blocks; any thread. NULL with an error, as fb_scenario_run() or cancelled. */
FbKernelGraphs *fb_kernel_graphs_new (const FbScenarioRow *row, const FbScenario *a, const FbScenario *b,
                                      FbMetrics metrics, GCancellable *cancellable, GError **error);
void fb_kernel_graphs_free (FbKernelGraphs *graphs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbKernelGraphs, fb_kernel_graphs_free)
/* The kernel on @side that card @node, of whichever side, is; NULL: that side has none. */
const FbKernelCard *fb_kernel_graphs_find (const FbKernelGraphs *graphs, FbSide side, const FbUop *node);
/* The same node, rebuilt or not, on the other side; NULL: it is only here. */
FbUop *fb_kernel_graphs_other (const FbKernelGraphs *graphs, FbUop *node);
