/* What the canvas looks like: the ground, the scene, the minimap. */
#include <adwaita.h>
#include <math.h>

#include "app/canvas-private.h"
#include "app/gdk-color.h"

#define BAND_HEIGHT 128.0f /* px */

static FbDrawState
draw_state (FbCanvas *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();
  FbDrawState state = FB_DRAW_STATE_INIT;
  state.dark = adw_style_manager_get_dark (style);
  state.high_contrast = adw_style_manager_get_high_contrast (style);
  state.zoom = self->camera.zoom;
  state.visible = fb_canvas_visible (self);
  state.selected = self->selected;
  state.label_below = fb_canvas_puts_label_below (self);
  state.hovered = self->hovered;
  state.marked = self->marked;
  if (gtk_widget_has_focus (GTK_WIDGET (self))
      && gtk_window_get_focus_visible (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)))))
    state.focused = self->selected;
  if (self->from_scene)
    {
      state.from = self->from_scene;
      state.from_node = self->from;
      state.progress = self->progress;
    }
  return state;
}

static gboolean
all_in_view (FbCanvas *self)
{
  FbRect view = fb_canvas_visible (self);
  const FbRect *b = &self->scene->bounds;
  /* A margin's worth may be cut off: nothing is there. */
  double slack = FB_CANVAS_MARGIN;
  return b->x + slack >= view.x && b->y + slack >= view.y && b->x + b->width - slack <= view.x + view.width
         && b->y + b->height - slack <= view.y + view.height;
}

gboolean
fb_canvas_minimap_box (FbCanvas *self, graphene_rect_t *box)
{
  if (!self->scene || (!self->pinned && all_in_view (self)))
    return FALSE;
  double height = gtk_widget_get_height (GTK_WIDGET (self));
  graphene_rect_init (box, FB_CANVAS_MARGIN, height - FB_CANVAS_MARGIN - FB_MINIMAP_HEIGHT, FB_MINIMAP_WIDTH,
                      FB_MINIMAP_HEIGHT);
  return TRUE;
}

/* How fb_drawer_draw_minimap places the scene in its box. */
static void
minimap_place (FbCanvas *self, double *scale, FbPoint *origin)
{
  double width = FB_MINIMAP_WIDTH - 2 * FB_MINIMAP_PAD, height = FB_MINIMAP_HEIGHT - 2 * FB_MINIMAP_PAD;
  cairo_surface_t *nowhere = cairo_recording_surface_create (CAIRO_CONTENT_ALPHA, NULL);
  cairo_t *cr = cairo_create (nowhere);
  FbDrawState state = draw_state (self);
  *scale = fb_drawer_draw_minimap (self->drawer, cr, self->scene, &state, width, height, origin);
  cairo_destroy (cr);
  cairo_surface_destroy (nowhere);
}

void
fb_canvas_go_to_minimap_point (FbCanvas *self, double x, double y)
{
  graphene_rect_t box;
  if (!fb_canvas_minimap_box (self, &box))
    return;
  double scale;
  FbPoint origin;
  minimap_place (self, &scale, &origin);
  double scene_x = (x - box.origin.x - FB_MINIMAP_PAD - origin.x) / scale;
  double scene_y = (y - box.origin.y - FB_MINIMAP_PAD - origin.y) / scale;
  FbRect view = fb_canvas_visible (self);
  fb_canvas_move_camera (self, (FbCamera){ scene_x - view.width / 2, scene_y - view.height / 2, self->camera.zoom },
                         FALSE);
}

static void
snapshot_minimap (FbCanvas *self, GtkSnapshot *snapshot, const FbDrawState *state)
{
  graphene_rect_t box;
  if (!fb_canvas_minimap_box (self, &box))
    return;
  GskRoundedRect outline;
  gsk_rounded_rect_init_from_rect (&outline, &box, 6);
  GdkRGBA ground = fb_gdk_color (FB_COLOR_VIEW, state->dark), line = fb_gdk_color (FB_COLOR_BORDER, state->dark);
  gtk_snapshot_push_rounded_clip (snapshot, &outline);
  gtk_snapshot_append_color (snapshot, &ground, &box);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &box);
  cairo_translate (cr, box.origin.x + FB_MINIMAP_PAD, box.origin.y + FB_MINIMAP_PAD);
  fb_drawer_draw_minimap (self->drawer, cr, self->scene, state, box.size.width - 2 * FB_MINIMAP_PAD,
                          box.size.height - 2 * FB_MINIMAP_PAD, NULL);
  cairo_destroy (cr);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_append_border (snapshot, &outline, (float[4]){ 1, 1, 1, 1 }, (GdkRGBA[4]){ line, line, line, line });
}

/* One drawing, put on the screen a band at a time: it is drawn into memory first, and that of a band is small enough to be used again
 * for the next, where that of all would be new memory, page by page, in many frames. */
static void
snapshot_scene (FbCanvas *self, GtkSnapshot *snapshot, const FbDrawState *state, const graphene_rect_t *all)
{
  GskRenderNode *node = gsk_cairo_node_new (all);
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);
  cairo_scale (cr, self->camera.zoom, self->camera.zoom);
  cairo_translate (cr, -self->camera.x, -self->camera.y);
  fb_drawer_draw (self->drawer, cr, self->scene, state);
  cairo_destroy (cr);
  float bottom = all->origin.y + all->size.height;
  for (float y = all->origin.y; y < bottom; y += BAND_HEIGHT)
    {
      gtk_snapshot_push_clip (snapshot,
                              &GRAPHENE_RECT_INIT (all->origin.x, y, all->size.width, MIN (BAND_HEIGHT, bottom - y)));
      gtk_snapshot_append_node (snapshot, node);
      gtk_snapshot_pop (snapshot);
    }
  gsk_render_node_unref (node);
}

void
fb_canvas_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbCanvas *self = FB_CANVAS (widget);
  FbDrawState state = draw_state (self);
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  GdkRGBA ground = fb_gdk_color (FB_COLOR_CANVAS, state.dark);
  gtk_snapshot_append_color (snapshot, &ground, &all);
  if (!self->scene)
    return;
  snapshot_scene (self, snapshot, &state, &all);
  if (self->banding)
    {
      GdkRGBA accent = fb_gdk_color (FB_COLOR_ACCENT, state.dark), inside = accent;
      GskRoundedRect outline;
      inside.alpha = 0.12f;
      gsk_rounded_rect_init_from_rect (&outline, &self->band, 0);
      gtk_snapshot_append_color (snapshot, &inside, &self->band);
      gtk_snapshot_append_border (snapshot, &outline, (float[4]){ 1, 1, 1, 1 },
                                  (GdkRGBA[4]){ accent, accent, accent, accent });
    }
  snapshot_minimap (self, snapshot, &state);
}
