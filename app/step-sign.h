/* The signs of marks at steps: a bookmark's flag, a breakpoint's dot, the tick of a search hit. As the heat strip has them above its
 * bars and the list of steps beside its numbers. */
#pragma once

#include <gtk/gtk.h>

#include "app/step-marks.h"

#define FB_STEP_SIGN_WIDTH 8
#define FB_STEP_SIGN_HEIGHT 10

/* With the middle of its upper side at @x, @y. */
void fb_step_sign_draw (cairo_t *cr, FbStepMarkKind kind, double x, double y, gboolean dark);

#define FB_TYPE_STEP_SIGN (fb_step_sign_get_type ())
G_DECLARE_FINAL_TYPE (FbStepSign, fb_step_sign, FB, STEP_SIGN, GtkWidget)

/* Shows what @marks has at its position, now and later; @marks is kept. */
GtkWidget *fb_step_sign_new (FbStepMarks *marks);
void fb_step_sign_set_position (FbStepSign *sign, FbStepPosition position);
