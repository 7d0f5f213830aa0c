/* Fonts are got ready while there is nothing else to do. The first time that something is written in a font, its letters are found,
 * hinted and drawn one by one, which takes longer than writing: the first frame of a file, and of a step, would wait for it. */
#pragma once

#include <gtk/gtk.h>

/* For all that is written in @root and what is in it, seen or not, a few letters a turn. Once in a program: others find them ready. */
void fb_warm_fonts (GtkWidget *root);
