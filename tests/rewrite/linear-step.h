/* A step by its definition: all matches up to it substituted in the pass's input, every node compared. What the stepper gives has
 * to be the same. */
#pragma once

#include "core/rewrite/step.h"

/* Never NULL. */
FbStep *linear_step_new (FbContext *context, const FbPass *pass, guint step);
void linear_step_free (FbStep *step);
