/* Where the canvas looks, and what moves on its way there. */
#include <adwaita.h>
#include <math.h>

#include "app/canvas-private.h"
#include "app/preferences.h"
#include "app/text-scale.h"

#define LARGEST_ZOOM 4.0
#define MOVE_US 180000.0
#define GLIDE_US 200000.0

FbRect
fb_canvas_visible (FbCanvas *self)
{
  return (FbRect){ self->camera.x, self->camera.y, gtk_widget_get_width (GTK_WIDGET (self)) / self->camera.zoom,
                   gtk_widget_get_height (GTK_WIDGET (self)) / self->camera.zoom };
}

static void
set_camera (FbCanvas *self, FbCamera camera)
{
  gboolean zoomed = camera.zoom != self->camera.zoom;
  self->camera = camera;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (zoomed)
    g_signal_emit_by_name (self, "zoom-changed");
  g_signal_emit_by_name (self, "camera-changed");
}

static double
ease_out (double t)
{
  double rest = 1 - t;
  return 1 - rest * rest * rest;
}

static gboolean
tick (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  FbCanvas *self = FB_CANVAS (widget);
  gint64 now = gdk_frame_clock_get_frame_time (clock);
  if (self->move_start)
    {
      double t = (now - self->move_start) / MOVE_US;
      self->progress = t >= 1 ? 1 : ease_out (CLAMP (t, 0, 1));
      if (t >= 1)
        {
          self->move_start = 0;
          g_clear_pointer (&self->from_scene, fb_scene_unref);
          g_clear_pointer (&self->from, g_free);
        }
      gtk_widget_queue_draw (widget);
    }
  if (self->glide_start)
    {
      double t = (now - self->glide_start) / GLIDE_US, e = ease_out (CLAMP (t, 0, 1));
      const FbCamera *a = &self->glide_from, *b = &self->glide_to;
      FbCamera camera = { a->x + (b->x - a->x) * e, a->y + (b->y - a->y) * e, a->zoom * pow (b->zoom / a->zoom, e) };
      if (t >= 1)
        {
          camera = *b;
          self->glide_start = 0;
        }
      set_camera (self, camera);
    }
  if (self->move_start || self->glide_start)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

void
fb_canvas_start_ticking (FbCanvas *self)
{
  if (!self->tick)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick, NULL, NULL);
}

gboolean
fb_canvas_may_animate (FbCanvas *self)
{
  return self->animated && fb_preferences_get_animate (fb_preferences_get_default ())
         && gtk_widget_get_mapped (GTK_WIDGET (self)) && adw_get_enable_animations (GTK_WIDGET (self));
}

void
fb_canvas_stop_glide (FbCanvas *self)
{
  self->glide_start = 0;
}

void
fb_canvas_move_camera (FbCanvas *self, FbCamera camera, gboolean glide)
{
  self->moved = TRUE;
  if (!glide || !fb_canvas_may_animate (self))
    {
      self->glide_start = 0;
      set_camera (self, camera);
      return;
    }
  self->glide_from = self->camera;
  self->glide_to = camera;
  self->glide_start = g_get_monotonic_time ();
  fb_canvas_start_ticking (self);
}

static FbCamera
placed_camera (FbCanvas *self)
{
  return self->wanted ? fb_canvas_centred (self, self->wanted_x, self->wanted_y, self->wanted_zoom)
                      : fb_canvas_first_camera (self);
}

static gboolean
place_again (gpointer data)
{
  FbCanvas *self = data;
  self->place_source = 0;
  if (self->scene && self->placed && !self->moved)
    set_camera (self, placed_camera (self));
  return G_SOURCE_REMOVE;
}

void
fb_canvas_place_camera (FbCanvas *self)
{
  if (!self->scene || gtk_widget_get_width (GTK_WIDGET (self)) == 0)
    return;
  self->placed = TRUE;
  self->moved = FALSE;
  self->glide_start = 0;
  set_camera (self, placed_camera (self));
  /* What floats over the canvas gets its size with this scene. */
  if (!self->place_source)
    self->place_source = g_idle_add_full (GTK_PRIORITY_RESIZE + 15, place_again, self, NULL);
}

FbCamera
fb_canvas_zoomed_at (FbCanvas *self, double factor, double x, double y)
{
  double smallest = self->scene ? MIN (fb_canvas_fit_zoom (self) / 2, 0.1) : 0.1;
  double zoom = CLAMP (self->camera.zoom * factor, smallest, LARGEST_ZOOM * fb_text_scale ());
  return (FbCamera){ self->camera.x + x / self->camera.zoom - x / zoom,
                     self->camera.y + y / self->camera.zoom - y / zoom, zoom };
}

double
fb_canvas_get_zoom (FbCanvas *self)
{
  g_return_val_if_fail (FB_IS_CANVAS (self), 1);
  return self->glide_start ? self->glide_to.zoom : self->camera.zoom;
}

gboolean
fb_canvas_get_middle (FbCanvas *self, double *x, double *y, double *zoom)
{
  g_return_val_if_fail (FB_IS_CANVAS (self), FALSE);
  const FbCamera camera = self->glide_start ? self->glide_to : self->camera;
  *x = camera.x + gtk_widget_get_width (GTK_WIDGET (self)) / camera.zoom / 2;
  *y = camera.y + gtk_widget_get_height (GTK_WIDGET (self)) / camera.zoom / 2;
  *zoom = camera.zoom;
  return self->scene && self->placed && (self->moved || self->wanted);
}

void
fb_canvas_look_at (FbCanvas *self, double x, double y, double zoom)
{
  g_return_if_fail (FB_IS_CANVAS (self) && zoom > 0);
  self->wanted = TRUE;
  self->wanted_x = x;
  self->wanted_y = y;
  self->wanted_zoom = MIN (zoom, LARGEST_ZOOM * fb_text_scale ());
  fb_canvas_place_camera (self);
}

void
fb_canvas_zoom_by (FbCanvas *self, double factor)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  if (self->glide_start)
    set_camera (self, self->glide_to);
  fb_canvas_move_camera (self,
                         fb_canvas_zoomed_at (self, factor, gtk_widget_get_width (GTK_WIDGET (self)) / 2.0,
                                              gtk_widget_get_height (GTK_WIDGET (self)) / 2.0),
                         TRUE);
}

void
fb_canvas_zoom_to (FbCanvas *self, double zoom)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  fb_canvas_zoom_by (self, zoom / fb_canvas_get_zoom (self));
}

void
fb_canvas_fit (FbCanvas *self)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  if (self->scene && gtk_widget_get_width (GTK_WIDGET (self)) > 0)
    fb_canvas_move_camera (self, fb_canvas_fit_camera (self), TRUE);
}

FbCamera
fb_canvas_get_camera (FbCanvas *self)
{
  g_return_val_if_fail (FB_IS_CANVAS (self), ((FbCamera){ 0, 0, 1 }));
  return self->glide_start ? self->glide_to : self->camera;
}

void
fb_canvas_set_camera (FbCanvas *self, FbCamera camera)
{
  g_return_if_fail (FB_IS_CANVAS (self) && camera.zoom > 0);
  fb_canvas_move_camera (self, camera, TRUE);
}

void
fb_canvas_fit_next (FbCanvas *self)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  self->fit_next = TRUE;
  self->camera_next = FALSE;
}

void
fb_canvas_set_next_camera (FbCanvas *self, FbCamera camera)
{
  g_return_if_fail (FB_IS_CANVAS (self) && camera.zoom > 0);
  self->next_camera = camera;
  self->camera_next = TRUE;
  self->fit_next = FALSE;
}

FbScene *
fb_canvas_get_scene (FbCanvas *self)
{
  g_return_val_if_fail (FB_IS_CANVAS (self), NULL);
  return self->scene;
}

guint32
fb_canvas_get_selected (FbCanvas *self)
{
  g_return_val_if_fail (FB_IS_CANVAS (self), FB_GRAPH_NONE);
  return self->selected;
}

void
fb_canvas_reveal (FbCanvas *self)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  if (!self->scene || self->selected == FB_GRAPH_NONE || !self->placed)
    return;
  FbCamera camera = self->glide_start ? self->glide_to : self->camera;
  FbRect card = fb_scene_card (self->scene, self->selected);
  gboolean inside = fb_canvas_has_in_view (self, camera, self->selected);
  if (!inside)
    camera = fb_canvas_centred (self, card.x + card.width / 2, card.y + card.height / 2, camera.zoom);
  if (fb_canvas_uncover (self, &camera) || !inside)
    fb_canvas_move_camera (self, camera, TRUE);
}

void
fb_canvas_add_floating (FbCanvas *self, GtkWidget *widget)
{
  g_return_if_fail (FB_IS_CANVAS (self) && GTK_IS_WIDGET (widget));
  g_ptr_array_add (self->floating, widget);
}

void
fb_canvas_set_minimap_pinned (FbCanvas *self, gboolean pinned)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  self->pinned = pinned;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_canvas_set_animated (FbCanvas *self, gboolean animated)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  self->animated = animated;
}
