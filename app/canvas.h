/* The graph: drawn, panned, zoomed, pointed at, walked through by keyboard. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"
#include "viz/draw.h"

#define FB_TYPE_CANVAS (fb_canvas_get_type ())
G_DECLARE_FINAL_TYPE (FbCanvas, fb_canvas, FB, CANVAS, GtkWidget)

/* Signals: `zoom-changed` (); of a canvas without a document `picked` (FbUop *uop): the person selected a node, or nothing. */

/* What the code font measures, for layouts; NULL before the canvas has a font. */
FbMetrics fb_canvas_get_metrics (FbCanvas *canvas);
/* @doc is kept. Call once. */
void fb_canvas_set_document (FbCanvas *canvas, FbDocument *doc);
/* Of a canvas without a document: shows @scene (NULL: nothing), which is kept, from its first sight on. */
void fb_canvas_set_scene (FbCanvas *canvas, FbScene *scene);
/* Selects the card of @uop, which may be of another graph (then nothing is selected) or NULL. */
void fb_canvas_select (FbCanvas *canvas, FbUop *uop);
/* px on the screen per px of the scene */
double fb_canvas_get_zoom (FbCanvas *canvas);
/* Around the middle of what is in view. */
void fb_canvas_zoom_by (FbCanvas *canvas, double factor);
void fb_canvas_zoom_to (FbCanvas *canvas, double zoom);
/* The whole graph in view, at zoom 1 at most. */
void fb_canvas_fit (FbCanvas *canvas);
/* @widget lies over the canvas: fitting keeps cards from under it where it can. Borrowed for the canvas's life. */
void fb_canvas_add_floating (FbCanvas *canvas, GtkWidget *widget);
/* Brings the selected card into view. */
void fb_canvas_reveal (FbCanvas *canvas);
/* The minimap stays even when all of the graph is in view. */
void fb_canvas_set_minimap_pinned (FbCanvas *canvas, gboolean pinned);
/* Moves the selection: dy -1 to a source, 1 to a user, dx to the card beside. */
void fb_canvas_walk (FbCanvas *canvas, int dx, int dy);
/* Cards move and the view glides only when this is on and the system allows it. */
void fb_canvas_set_animated (FbCanvas *canvas, gboolean animated);
