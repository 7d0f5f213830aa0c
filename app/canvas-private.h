#pragma once

#include "app/canvas.h"

#define FB_MINIMAP_WIDTH 120.0
#define FB_MINIMAP_HEIGHT 96.0
#define FB_MINIMAP_PAD 4.0
#define FB_CANVAS_MARGIN 12.0

struct _FbCanvas
{
  GtkWidget parent_instance;

  FbDocument *doc;
  FbDrawer *drawer;
  FbScene *scene;      /* owned reference; NULL: nothing to draw */
  FbScene *from_scene; /* what was shown before, while cards move */
  guint32 *from;       /* of each card its number there */
  guint row;           /* the row and pass the camera was set up for */
  guint pass;

  GPtrArray *floating; /* of GtkWidget */
  FbCamera camera;
  gboolean placed; /* the camera has been set up for this scene */
  guint place_source;
  gboolean moved;  /* and was moved since */
  gboolean wanted; /* it is to show wanted_x, wanted_y in the middle at wanted_zoom */
  double wanted_x, wanted_y, wanted_zoom;
  guint32 selected, hovered;
  GHashTable *marked_keys; /* of guint64: keys of the cards that are marked besides the selected one */
  guint8 *marked;          /* of each card; NULL: none is */
  gboolean fit_next;       /* the next scene is shown as a whole */
  gboolean camera_next;    /* or as this one has it */
  FbCamera next_camera;
  GtkWidget *menu;
  gboolean pinned;
  gboolean animated;

  guint tick;
  gint64 move_start; /* µs; 0: no cards move */
  double progress;
  gint64 glide_start; /* 0: the camera rests */
  FbCamera glide_from, glide_to;
  gint64 last_shown;

  double pointer_x, pointer_y;
  FbCamera drag_camera;
  gboolean drag_on_minimap;
  gboolean banding; /* a rectangle is drawn around cards to be marked */
  graphene_rect_t band;
  double pinch_zoom;
};

/* Part of the scene that is in view. */
FbRect fb_canvas_visible (FbCanvas *self);
/* Where the minimap is, in the widget. FALSE: it is not shown. */
gboolean fb_canvas_minimap_box (FbCanvas *self, graphene_rect_t *box);
/* The point of the scene that the minimap shows at x, y of the widget becomes the middle. */
void fb_canvas_go_to_minimap_point (FbCanvas *self, double x, double y);
/* There is no room above the selected card for what says it in full. */
gboolean fb_canvas_puts_label_below (FbCanvas *self);
/* @card is in view of @camera, and not at its very edge. */
gboolean fb_canvas_has_in_view (FbCanvas *self, FbCamera camera, guint32 card);
/* Shifts @camera so that the selected card is not under what floats over the canvas; FALSE where nothing had to or could be done. */
gboolean fb_canvas_uncover (FbCanvas *self, FbCamera *camera);
/* The camera that shows the whole graph. */
FbCamera fb_canvas_fit_camera (FbCanvas *self);
/* The camera of the first sight: the whole graph if op names can be read then, else what the step is about. */
FbCamera fb_canvas_first_camera (FbCanvas *self);
/* The zoom at which the whole graph is in view, 1 at most. */
double fb_canvas_fit_zoom (FbCanvas *self);
/* The middle of the widget shows x, y of the scene. */
FbCamera fb_canvas_centred (FbCanvas *self, double x, double y, double zoom);
void fb_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);
/* @glide: unless animations are off. */
void fb_canvas_move_camera (FbCanvas *self, FbCamera camera, gboolean glide);
void fb_canvas_stop_glide (FbCanvas *self);
/* Frames are asked for while something moves. */
void fb_canvas_start_ticking (FbCanvas *self);
/* Things may move: the system and the preferences allow it, and it is seen. */
gboolean fb_canvas_may_animate (FbCanvas *self);
/* Sets the camera up for the scene, as for one that is seen first. */
void fb_canvas_place_camera (FbCanvas *self);
/* Zooms with the scene point under x, y of the widget staying there. */
FbCamera fb_canvas_zoomed_at (FbCanvas *self, double factor, double x, double y);
/* The person selects @uop. */
void fb_canvas_pick (FbCanvas *self, FbUop *uop);
void fb_canvas_add_gestures (FbCanvas *self);
void fb_canvas_add_menu (FbCanvas *self);
/* Which cards of the scene are marked, from their keys. */
void fb_canvas_take_marked (FbCanvas *self);
/* The point of the scene at x, y of the widget. */
FbPoint fb_canvas_to_scene (FbCanvas *self, double x, double y);
gboolean fb_canvas_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip);
