/* The menu of the graph: at the pointer, or by keyboard at the selected card. */
#include "app/canvas-private.h"

static void
open_at (FbCanvas *self, double x, double y)
{
  if (!self->menu)
    return;
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

void
fb_canvas_open_menu (FbCanvas *self)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  double x = width / 2, y = height / 2;
  if (self->scene && self->selected != FB_GRAPH_NONE)
    {
      FbRect card = fb_scene_card (self->scene, self->selected);
      x = CLAMP ((card.x + card.width / 2 - self->camera.x) * self->camera.zoom, 0, width);
      y = CLAMP ((card.y + card.height - self->camera.y) * self->camera.zoom, 0, height);
    }
  open_at (self, x, y);
}

/* The card under the pointer is what the menu is about, unless it is one of several that are marked. */
static void
secondary_pressed (GtkGestureClick *gesture, int n_press, double x, double y, FbCanvas *self)
{
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->scene)
    {
      FbPoint point = fb_canvas_to_scene (self, x, y);
      guint32 card = fb_scene_hit (self->scene, point.x, point.y, 2);
      if (card != FB_GRAPH_NONE && card != self->selected && !fb_canvas_is_marked (self, card))
        {
          fb_canvas_unmark_all (self);
          fb_canvas_pick (self, self->scene->graph->nodes[card].uop);
        }
    }
  open_at (self, x, y);
}

void
fb_canvas_set_menu (FbCanvas *self, GMenuModel *menu)
{
  g_return_if_fail (FB_IS_CANVAS (self) && G_IS_MENU_MODEL (menu));
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  self->menu = gtk_popover_menu_new_from_model (menu);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self->menu), GTK_POS_BOTTOM);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
}

void
fb_canvas_add_menu (FbCanvas *self)
{
  GtkGesture *click = gtk_gesture_click_new ();
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_object (click, "pressed", G_CALLBACK (secondary_pressed), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
