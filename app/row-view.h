/* A capture row as the window has it: decoded, scheduled, and its passes and steps as text.
 *
 * Made by the worker, then immutable apart from the memos inside its context, which only the worker may reach. Everything here
 * may be read by any thread that holds a reference. */
#pragma once

#include "core/capture/capture.h"
#include "core/query/query.h"
#include "core/rewrite/stepper.h"
#include "core/schedule.h"

#include "app/row-why.h"
#include "core/explain/scenario.h"

/* What the capture list says about a row. */
typedef struct
{
  guint n_nodes, n_kernels;
  char *options; /* "FUSE_ARANGE=1 IMAGE=2": those that differ from the defaults; "" for none */
  char *kernel; /* of a kernel's row "r_64_64 · ClangRenderer", of a trace's the name of the context; NULL for others */
  char *colored;  /* that name with the escape sequences that colour it; NULL for others */
  guint n_runs;   /* of a context of a trace, how often its kernel ran; 0: not known */
  double seconds; /* in all */
  char *error;    /* why the row cannot be read; then the rest is empty */
} FbRowSummary;

/* A pass in the pass panel. */
typedef struct
{
  const FbPass *pass;
  guint kernel; /* that it is about, from 1; 0: about the whole graph */
  char *line;   /* "374", of the reference line */
  guint n_steps;
  guint first;       /* number of its step 1 among all steps of the row, from 1 */
  char **step_shape; /* of each step, what the result's shape is: "64×64"; interned in the row */
} FbPassView;

/* Who goes through steps. Each goes its own way, and the next step on it costs least. */
typedef enum
{
  FB_STEPS_OF_PERSON,
  FB_STEPS_OF_SEARCH, /* all steps that follow, until one is found */
  FB_STEPS_OF_HEAT,
  FB_N_STEPS_OF
} FbStepsOf;

typedef struct
{
  gatomicrefcount refs;
  guint number; /* from 1, as whoever opened it counts */
  FbRowKind kind;
  FbContext *context;
  FbCaptureRow *row;
  FbSchedule *schedule; /* NULL: kernel rows */
  FbScenario *scenario; /* it was scheduled under; NULL: as captured */
  char *scenario_text;  /* "FUSE_ARANGE=1"; NULL: as captured */
  FbRowWhy *why;        /* NULL: nothing was scheduled, or not to the end */
  GBytes *bytes;        /* as stored; NULL: kernel rows */
  FbRowSummary summary;
  guint n_passes;
  FbPassView *passes;
  guint n_steps; /* of all passes */
  guint32 *
      repeat_of; /* of each step (index: position - 1) the position of the first that replaced the same node by the same
                         one; 0: none did before */
  GStringChunk *strings;
  FbHistory *history; /* worker only; NULL until asked for */
  FbQueryIndex *index;
  FbStepper *steppers[FB_N_STEPS_OF]; /* worker only; NULL until used */
} FbRowView;

/* Reads and schedules row @number, under @scenario unless NULL. Blocks; worker only. @stage is told what is being done: "Reading", "Scheduling". */
typedef void (*FbStageFunc) (gpointer data, double fraction, const char *words);
FbRowView *fb_row_view_new (FbCapture *capture, FbRowKind kind, guint number, const FbScenario *scenario,
                            FbStageFunc stage, gpointer data, GCancellable *cancellable, GError **error);
FbRowView *fb_row_view_ref (FbRowView *row);
/* The last reference frees the context: do it on the worker while it may be at work in there. */
void fb_row_view_unref (FbRowView *row);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbRowView, fb_row_view_unref)

/* What became of its nodes, made when first asked for. Worker only; a row without a schedule has none: NULL. */
const FbHistory *fb_row_view_get_history (FbRowView *row);
/* The row prepared for questions, made when first asked for. Worker only; a row without a schedule has none: NULL. */
FbQueryIndex *fb_row_view_get_index (FbRowView *row);

/* The step as fb_step_new() makes it. @pass below n_passes. Worker only; NULL with an error. */
FbStep *fb_row_view_step (FbRowView *row, FbStepsOf who, guint pass, guint step, GError **error);

/* What the list says about a row, with @scratch as the place to decode it in. Blocks; never NULL. */
FbRowSummary *fb_row_summary_new (FbCapture *capture, FbRowKind kind, guint number, FbContext *scratch);
void fb_row_summary_free (FbRowSummary *summary);

/* Is pass @pass, from 0, the one that decides what is stored, and replaces nothing? */
gboolean fb_row_view_decides (const FbRowView *row, guint pass);
/* "simplify", "kernel 3, fix-ups"; free with g_free. */
char *fb_pass_view_title (const FbPassView *pass);
/* Place of a step among all of the row, from 0 (before the first step of the first pass). */
guint fb_row_view_position (const FbRowView *row, guint pass, guint step);
/* Its inverse. @position up to n_steps. */
void fb_row_view_locate (const FbRowView *row, guint position, guint *pass, guint *step);
