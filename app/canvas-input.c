/* Mouse, touch and what the pointer asks about. */
#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/canvas-private.h"

/* A drag shorter than this is a click. */
#define CLICK_SLACK 4.0

FbPoint
fb_canvas_to_scene (FbCanvas *self, double x, double y)
{
  return (FbPoint){ self->camera.x + x / self->camera.zoom, self->camera.y + y / self->camera.zoom };
}

static gboolean
on_minimap (FbCanvas *self, double x, double y)
{
  graphene_rect_t box;
  return fb_canvas_minimap_box (self, &box) && graphene_rect_contains_point (&box, &GRAPHENE_POINT_INIT (x, y));
}

static void
drag_begun (GtkGestureDrag *gesture, double x, double y, FbCanvas *self)
{
  if (gtk_gesture_single_get_current_button (GTK_GESTURE_SINGLE (gesture)) == GDK_BUTTON_SECONDARY)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }
  gtk_widget_grab_focus (GTK_WIDGET (self));
  fb_canvas_stop_glide (self);
  self->drag_camera = self->camera;
  self->drag_on_minimap = on_minimap (self, x, y);
  self->banding = FALSE;
  if (self->drag_on_minimap)
    fb_canvas_go_to_minimap_point (self, x, y);
}

static GdkModifierType
modifiers_of (GtkGestureDrag *gesture)
{
  return gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));
}

/* Marks what the rectangle touches. */
static void
mark_in_band (FbCanvas *self)
{
  g_autoptr (GArray) cards = g_array_new (FALSE, FALSE, sizeof (guint32));
  FbPoint from = fb_canvas_to_scene (self, self->band.origin.x, self->band.origin.y);
  fb_scene_cards_in (self->scene,
                     (FbRect){ from.x, from.y, (float) (self->band.size.width / self->camera.zoom),
                               (float) (self->band.size.height / self->camera.zoom) },
                     cards);
  for (guint i = 0; i < cards->len; i++)
    fb_canvas_mark (self, g_array_index (cards, guint32, i), TRUE);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
dragged (GtkGestureDrag *gesture, double dx, double dy, FbCanvas *self)
{
  double x, y;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (self->drag_on_minimap)
    fb_canvas_go_to_minimap_point (self, x + dx, y + dy);
  else if (hypot (dx, dy) >= CLICK_SLACK && self->scene && modifiers_of (gesture) & GDK_SHIFT_MASK)
    {
      self->banding = TRUE;
      graphene_rect_init (&self->band, x, y, dx, dy);
      graphene_rect_normalize (&self->band);
      gtk_widget_queue_draw (GTK_WIDGET (self));
    }
  else if (hypot (dx, dy) >= CLICK_SLACK && !self->banding)
    {
      FbCamera camera = self->drag_camera;
      camera.x -= dx / camera.zoom;
      camera.y -= dy / camera.zoom;
      fb_canvas_move_camera (self, camera, FALSE);
      gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
    }
}

static void
drag_ended (GtkGestureDrag *gesture, double dx, double dy, FbCanvas *self)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), self->hovered == FB_GRAPH_NONE ? NULL : "pointer");
  if (self->banding)
    {
      self->banding = FALSE;
      if (self->scene)
        mark_in_band (self);
      return;
    }
  if (self->drag_on_minimap || hypot (dx, dy) >= CLICK_SLACK || !self->scene)
    return;
  double x, y;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  FbPoint point = fb_canvas_to_scene (self, x, y);
  guint32 card = fb_scene_hit (self->scene, point.x, point.y, 2);
  FbUop *uop = NULL;
  if (card != FB_GRAPH_NONE)
    {
      const FbGraphNode *node = &self->scene->graph->nodes[card];
      int chip = self->camera.zoom >= 0.75 ? fb_scene_hit_chip (self->scene, card, point.x, point.y) : -1;
      uop = chip >= 0 ? node->chips[chip].uop : node->uop;
    }
  if (modifiers_of (gesture) & GDK_CONTROL_MASK)
    {
      if (card != FB_GRAPH_NONE)
        fb_canvas_mark (self, card, !fb_canvas_is_marked (self, card));
      return;
    }
  fb_canvas_unmark_all (self);
  fb_canvas_pick (self, uop);
}

static gboolean
scrolled (GtkEventControllerScroll *controller, double dx, double dy, FbCanvas *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean wheel = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_WHEEL;
  if (state & GDK_CONTROL_MASK)
    {
      double factor = pow (wheel ? 1.2 : 1.005, -dy);
      double x = self->pointer_x, y = self->pointer_y;
      fb_canvas_move_camera (self, fb_canvas_zoomed_at (self, factor, MAX (x, 0), MAX (y, 0)), FALSE);
      return GDK_EVENT_STOP;
    }
  if (state & GDK_SHIFT_MASK && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  double unit = wheel ? 60 : 1;
  FbCamera camera = self->camera;
  camera.x += dx * unit / camera.zoom;
  camera.y += dy * unit / camera.zoom;
  fb_canvas_move_camera (self, camera, FALSE);
  return GDK_EVENT_STOP;
}

static void
pinch_begun (GtkGesture *gesture, GdkEventSequence *sequence, FbCanvas *self)
{
  self->pinch_zoom = self->camera.zoom;
  gtk_gesture_set_state (gesture, GTK_EVENT_SEQUENCE_CLAIMED);
}

static void
pinched (GtkGestureZoom *gesture, double scale, FbCanvas *self)
{
  double x = 0, y = 0;
  gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y);
  double factor = self->pinch_zoom * scale / self->camera.zoom;
  fb_canvas_move_camera (self, fb_canvas_zoomed_at (self, factor, x, y), FALSE);
}

void
fb_canvas_add_gestures (FbCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (drag), 0);
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (drag_begun), self, 0);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (dragged), self, 0);
  g_signal_connect_object (drag, "drag-end", G_CALLBACK (drag_ended), self, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  GtkGesture *zoom = gtk_gesture_zoom_new ();
  g_signal_connect_object (zoom, "begin", G_CALLBACK (pinch_begun), self, 0);
  g_signal_connect_object (zoom, "scale-changed", G_CALLBACK (pinched), self, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (zoom));
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  g_signal_connect_object (scroll, "scroll", G_CALLBACK (scrolled), self, 0);
  gtk_widget_add_controller (widget, scroll);
}

gboolean
fb_canvas_query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  FbCanvas *self = FB_CANVAS (widget);
  if (!self->scene || (!keyboard && on_minimap (self, x, y)))
    return FALSE;
  FbPoint point = fb_canvas_to_scene (self, x, y);
  guint32 card = keyboard ? self->selected : fb_scene_hit (self->scene, point.x, point.y, 2);
  if (card == FB_GRAPH_NONE)
    return FALSE;
  const FbGraphNode *node = &self->scene->graph->nodes[card];
  int chip = keyboard ? -1 : fb_scene_hit_chip (self->scene, card, point.x, point.y);
  FbRect rect = fb_scene_card (self->scene, card);
  GdkRectangle area = { (rect.x - self->camera.x) * self->camera.zoom, (rect.y - self->camera.y) * self->camera.zoom,
                        MAX (rect.width * self->camera.zoom, 1), MAX (rect.height * self->camera.zoom, 1) };
  gtk_tooltip_set_tip_area (tooltip, &area);
  if (chip >= 0)
    {
      /* Translators: a constant folded into the card of its user: value, number of the source */
      g_autofree char *text = g_strdup_printf (_ ("%s, source %u"), node->chips[chip].full, node->chips[chip].port);
      gtk_tooltip_set_text (tooltip, text);
      return TRUE;
    }
  GString *text = g_string_new (node->title);
  if (*node->argument)
    g_string_append_printf (text, " %s", node->argument);
  g_string_append_printf (text, "  %s", node->type);
  if (node->mark != FB_MARK_SAME)
    g_string_append_printf (text, "\n%s", _ (fb_mark_name (node->mark)));
  if (node->hub)
    g_string_append_printf (text, "\n%u users", node->n_users);
  gtk_tooltip_set_text (tooltip, text->str);
  g_string_free (text, TRUE);
  return TRUE;
}
