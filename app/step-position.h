/* Where we are in a row: a pass and a step of it, or a number among all rewrites of the row.
 *
 * Passes count from 0, steps from 0 (the pass's input). The index counts rewrites through all passes: index i is the graph after
 * i of them, so the last step of a pass and the input of the next share one, and (pass, step) is what tells places apart. */
#pragma once

#include "app/row-view.h"

typedef struct
{
  guint pass, step;
} FbStepPosition;

/* <0, 0, >0: order of running. */
int fb_step_position_compare (const FbStepPosition *a, const FbStepPosition *b);
static inline gboolean
fb_step_position_equal (FbStepPosition a, FbStepPosition b)
{
  return a.pass == b.pass && a.step == b.step;
}

/* From 0 to row->n_steps; @position is clamped to what the row has. */
guint fb_step_position_to_index (const FbRowView *row, FbStepPosition position);
/* The step that made the graph at @index: of index 0 the input of the first pass. @index is clamped. */
FbStepPosition fb_step_position_from_index (const FbRowView *row, guint index);
/* FALSE when the row has no such pass, or the pass no such step. */
gboolean fb_step_position_exists (const FbRowView *row, FbStepPosition position);

/* "19": rewrite 19 of all; "3:12": step 12 of pass 3 (passes from 1); "fix-ups:2": by title, the first pass of it; "kernel 4:1":
 * the first pass of kernel 4 that has steps. FALSE with @error, which says what the row has. */
gboolean fb_step_position_parse (const FbRowView *row, const char *text, FbStepPosition *position, GError **error);
/* "3:12"; free with g_free. */
char *fb_step_position_to_text (FbStepPosition position);
