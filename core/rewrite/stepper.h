/* The graphs of a pass, one step after another or any at once.
 *
 * Going to the step after the last one costs what that step changes and what the graph has nodes to list; going anywhere else
 * costs one substitution over the pass's input. Both give exactly the same. */
#pragma once

#include "step.h"

typedef struct _FbStepper FbStepper;

/* @context: the pass's; both must outlive the stepper. One thread at a time, the context's. Never NULL. */
FbStepper *fb_stepper_new (FbContext *context, const FbPass *pass);
void fb_stepper_free (FbStepper *stepper);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbStepper, fb_stepper_free)
/* Turns to another pass of the context, for less than a new stepper would cost. */
void fb_stepper_set_pass (FbStepper *stepper, const FbPass *pass);
const FbPass *fb_stepper_pass (const FbStepper *stepper);
/* As fb_step_new(). The step holds what it needs, it may outlive the stepper. Neighbouring steps may share a context. */
FbStep *fb_stepper_step (FbStepper *stepper, guint step, GError **error);
/* How many steps there are before the first that cannot be made because replacing does not end; all of them, as a rule. Costs what the
 * steps change, and forgets where it was. Not for passes that make their own steps (FbReplacing). */
guint fb_stepper_n_possible (FbStepper *stepper);
