/* The graph: drawn, panned, zoomed, pointed at, walked through by keyboard. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"
#include "viz/draw.h"

#define FB_TYPE_CANVAS (fb_canvas_get_type ())
G_DECLARE_FINAL_TYPE (FbCanvas, fb_canvas, FB, CANVAS, GtkWidget)

/* Which part of the scene is seen: its point x, y is in the upper left corner. */
typedef struct
{
  double x, y, zoom;
} FbCamera;

/* Signals: `zoom-changed` (); `camera-changed` (): another part is seen; `marked` (): other cards are marked; of a canvas without a document `picked` (FbUop *uop): the person selected a node, or nothing. */

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
/* The point of the scene in the middle, and the zoom. FALSE: nobody chose them, or nothing is shown yet. */
gboolean fb_canvas_get_middle (FbCanvas *canvas, double *x, double *y, double *zoom);
/* Until the person moves it or another pass is shown; the middle stays when the size changes. */
void fb_canvas_look_at (FbCanvas *canvas, double x, double y, double zoom);
/* @widget lies over the canvas: fitting keeps cards from under it where it can. Borrowed for the canvas's life. */
void fb_canvas_add_floating (FbCanvas *canvas, GtkWidget *widget);
/* What is seen now, or will be when the view has glided there. */
FbCamera fb_canvas_get_camera (FbCanvas *canvas);
void fb_canvas_set_camera (FbCanvas *canvas, FbCamera camera);
/* How the next scene of the document is to be seen: as a whole, or by @camera. */
void fb_canvas_fit_next (FbCanvas *canvas);
void fb_canvas_set_next_camera (FbCanvas *canvas, FbCamera camera);
/* The scene on the screen; NULL for none. Borrowed. */
FbScene *fb_canvas_get_scene (FbCanvas *canvas);
/* The selected card, FB_GRAPH_NONE for none. */
guint32 fb_canvas_get_selected (FbCanvas *canvas);
/* Marks cards besides the selected one; they stay marked while the same nodes are shown. */
void fb_canvas_mark (FbCanvas *canvas, guint32 card, gboolean marked);
gboolean fb_canvas_is_marked (FbCanvas *canvas, guint32 card);
gboolean fb_canvas_has_marks (FbCanvas *canvas);
void fb_canvas_unmark_all (FbCanvas *canvas);
/* Marked and selected cards, ascending, appended to @cards (of guint32). */
void fb_canvas_get_chosen (FbCanvas *canvas, GArray *cards);
/* The menu of the graph; opened by the right button, the Menu key and Shift+F10. */
void fb_canvas_set_menu (FbCanvas *canvas, GMenuModel *menu);
void fb_canvas_open_menu (FbCanvas *canvas);
/* Brings the selected card into view. */
void fb_canvas_reveal (FbCanvas *canvas);
/* The minimap stays even when all of the graph is in view. */
void fb_canvas_set_minimap_pinned (FbCanvas *canvas, gboolean pinned);
/* Moves the selection: dy -1 to a source, 1 to a user, dx to the card beside. */
void fb_canvas_walk (FbCanvas *canvas, int dx, int dy);
/* Cards move and the view glides only when this is on and the system allows it. */
void fb_canvas_set_animated (FbCanvas *canvas, gboolean animated);
