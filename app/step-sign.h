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

GtkWidget *fb_step_sign_new (void);
/* @kinds: bits of FbStepMarkKind; 0: nothing is drawn, the place stays. */
void fb_step_sign_set_kinds (FbStepSign *sign, guint kinds);
/* The kinds of marks at @position, as bits. */
guint fb_step_sign_kinds_at (FbStepMarks *marks, FbStepPosition position);
