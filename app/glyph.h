/* Small signs of the graph in lists and labels: a mark (14×14) or the bar of a kind (3×14), drawn as on cards. */
#pragma once

#include <gtk/gtk.h>

#include "viz/draw.h"

#define FB_TYPE_GLYPH (fb_glyph_get_type ())
G_DECLARE_FINAL_TYPE (FbGlyph, fb_glyph, FB, GLYPH, GtkWidget)

GtkWidget *fb_glyph_new_mark (FbMark mark);
GtkWidget *fb_glyph_new_kind (FbOpKind kind);
void fb_glyph_set_kind (FbGlyph *glyph, FbOpKind kind);
void fb_glyph_set_mark (FbGlyph *glyph, FbMark mark);
