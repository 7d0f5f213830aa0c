/* Line numbers beside a text view. Draws those in view only, so length does not matter. */
#pragma once

#include <gtk/gtk.h>

#define FB_TYPE_LINE_NUMBERS (fb_line_numbers_get_type ())
G_DECLARE_FINAL_TYPE (FbLineNumbers, fb_line_numbers, FB, LINE_NUMBERS, GtkWidget)

/* For the left gutter of @view, which outlives it. */
FbLineNumbers *fb_line_numbers_new (GtkTextView *view);
/* The text is another. */
void fb_line_numbers_refresh (FbLineNumbers *numbers);
