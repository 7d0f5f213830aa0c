/* One line of text in a row of a list, or wherever texts change with every step.
 *
 * A list keeps two hundred rows ready, of which few are seen. A label shapes its text to say what room it wants; a cell says so by
 * counting characters, and shapes its text when it comes near the part of the list that is seen. */
#pragma once

#include <gtk/gtk.h>

#define FB_TYPE_TEXT_CELL (fb_text_cell_get_type ())
G_DECLARE_FINAL_TYPE (FbTextCell, fb_text_cell, FB, TEXT_CELL, GtkWidget)

/* Styled as a label is, with up to two style classes (may be NULL); 0 ≤ @xalign ≤ 1. Asks for no room of its own and ends in an
 * ellipsis. */
GtkWidget *fb_text_cell_new (float xalign, const char *first_class, const char *second_class);
/* @text is copied; NULL is "". */
void fb_text_cell_set_text (FbTextCell *cell, const char *text);
const char *fb_text_cell_get_text (FbTextCell *cell);
void fb_text_cell_set_xalign (FbTextCell *cell, float xalign);
/* PANGO_ELLIPSIZE_NONE: it is given the room for all of its text. */
void fb_text_cell_set_ellipsize (FbTextCell *cell, PangoEllipsizeMode ellipsize);
/* Room for @least characters, and if there is enough for as many as the text has, up to @most; the room does not follow the text where
 * @most is not above @least. */
void fb_text_cell_set_width_chars (FbTextCell *cell, guint least, guint most);
