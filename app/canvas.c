#include "app/canvas-private.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* Steps that follow each other faster than 8 a second are not animated. */
#define HURRY_US 125000

G_DEFINE_FINAL_TYPE (FbCanvas, fb_canvas, GTK_TYPE_WIDGET)

static guint picked_signal;

/* --- what is shown --- */

static void
describe (FbCanvas *self)
{
  g_autofree char *text = NULL;
  if (!self->scene)
    text = g_strdup (_ ("Graph"));
  else if (self->selected == FB_GRAPH_NONE)
    text = g_strdup_printf (_ ("Graph of %u cards"), self->scene->graph->n_nodes);
  else
    {
      const FbGraphNode *node = &self->scene->graph->nodes[self->selected];
      /* Translators: number of cards; op, argument, type and mark of the selected one */
      text = g_strdup_printf (_ ("Graph of %u cards; selected: %s %s %s, %s"), self->scene->graph->n_nodes, node->title,
                              node->argument, node->type, _ (fb_mark_name (node->mark)));
    }
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void
drop_scene (FbCanvas *self)
{
  g_clear_pointer (&self->scene, fb_scene_unref);
  g_clear_pointer (&self->from_scene, fb_scene_unref);
  g_clear_pointer (&self->from, g_free);
  g_clear_pointer (&self->marked, g_free);
  self->selected = self->hovered = FB_GRAPH_NONE;
  self->move_start = 0;
}

static void
take_selected (FbCanvas *self)
{
  FbUop *uop = fb_document_get_selected (self->doc);
  self->selected = self->scene && uop ? fb_graph_find (self->scene->graph, uop) : FB_GRAPH_NONE;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
update_hover (FbCanvas *self)
{
  graphene_rect_t box;
  guint32 card = FB_GRAPH_NONE;
  if (self->scene && self->pointer_x >= 0
      && !(fb_canvas_minimap_box (self, &box)
           && graphene_rect_contains_point (&box, &GRAPHENE_POINT_INIT (self->pointer_x, self->pointer_y))))
    card = fb_scene_hit (self->scene, self->camera.x + self->pointer_x / self->camera.zoom,
                         self->camera.y + self->pointer_y / self->camera.zoom, 2);
  if (card == self->hovered)
    return;
  self->hovered = card;
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), card == FB_GRAPH_NONE ? NULL : "pointer");
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
step_shown (FbCanvas *self)
{
  FbStepView *view = fb_document_get_view (self->doc);
  gint64 now = g_get_monotonic_time ();
  gboolean hurry = now - self->last_shown < HURRY_US;
  gboolean same_pass = self->scene && self->row == view->row->number && self->pass == view->pass;
  self->last_shown = now;
  drop_scene (self);
  self->scene = fb_scene_ref (view->scene);
  self->row = view->row->number;
  self->pass = view->pass;
  if (same_pass && view->from && !hurry && fb_canvas_may_animate (self))
    {
      self->from_scene = fb_scene_ref (view->from_scene);
      self->from = g_memdup2 (view->from, view->scene->graph->n_nodes * sizeof (guint32));
      self->progress = 0;
      self->move_start = now;
      fb_canvas_start_ticking (self);
    }
  FbUop *uop = view->selected;
  self->selected = uop ? fb_graph_find (self->scene->graph, uop) : FB_GRAPH_NONE;
  if (!same_pass)
    {
      self->placed = self->wanted = FALSE;
      fb_canvas_place_camera (self);
    }
  else if (self->camera_next)
    fb_canvas_move_camera (self, self->next_camera, TRUE);
  else if (self->fit_next)
    fb_canvas_fit (self);
  else
    fb_canvas_reveal (self);
  self->camera_next = self->fit_next = FALSE;
  fb_canvas_take_marked (self);
  update_hover (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
file_opened (FbCanvas *self)
{
  drop_scene (self);
  g_hash_table_remove_all (self->marked_keys);
  self->placed = self->wanted = FALSE;
  self->row = 0;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_canvas_set_document (FbCanvas *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_CANVAS (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (file_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "step-shown", G_CALLBACK (step_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "selected", G_CALLBACK (take_selected), self, G_CONNECT_SWAPPED);
}

void
fb_canvas_set_scene (FbCanvas *self, FbScene *scene)
{
  g_return_if_fail (FB_IS_CANVAS (self) && !self->doc);
  file_opened (self);
  if (scene)
    self->scene = fb_scene_ref (scene);
  fb_canvas_place_camera (self);
  describe (self);
}

void
fb_canvas_select (FbCanvas *self, FbUop *uop)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  if (self->doc)
    {
      fb_document_select (self->doc, uop);
      return;
    }
  self->selected = self->scene && uop ? fb_graph_find (self->scene->graph, uop) : FB_GRAPH_NONE;
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_canvas_pick (FbCanvas *self, FbUop *uop)
{
  fb_canvas_select (self, uop);
  if (!self->doc)
    g_signal_emit (self, picked_signal, 0, uop);
}

FbMetrics
fb_canvas_get_metrics (FbCanvas *self)
{
  g_return_val_if_fail (FB_IS_CANVAS (self), fb_metrics_default);
  return fb_drawer_metrics (self->drawer);
}

/* --- the widget --- */

static void
fb_canvas_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  FbCanvas *self = FB_CANVAS (widget);
  GTK_WIDGET_CLASS (fb_canvas_parent_class)->size_allocate (widget, width, height, baseline);
  if (self->menu)
    gtk_popover_present (GTK_POPOVER (self->menu));
  /* Until the person moves it, the view keeps showing what it was set up to show. */
  if (!self->placed || !self->moved)
    fb_canvas_place_camera (self);
}

static void
fb_canvas_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                   int *minimum_baseline, int *natural_baseline)
{
  gboolean beside_another = !FB_CANVAS (widget)->doc;
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? (beside_another ? 160 : 420) : (beside_another ? 120 : 240);
  *natural = *minimum;
}

static void
pointer_moved (FbCanvas *self, double x, double y)
{
  self->pointer_x = x;
  self->pointer_y = y;
  update_hover (self);
}

static void
pointer_left (FbCanvas *self)
{
  self->pointer_x = self->pointer_y = -1;
  update_hover (self);
}

static void
style_changed (FbCanvas *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
fb_canvas_dispose (GObject *object)
{
  FbCanvas *self = FB_CANVAS (object);
  drop_scene (self);
  g_clear_handle_id (&self->place_source, g_source_remove);
  g_clear_pointer (&self->menu, gtk_widget_unparent);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_canvas_parent_class)->dispose (object);
}

static void
fb_canvas_finalize (GObject *object)
{
  fb_drawer_free (FB_CANVAS (object)->drawer);
  g_ptr_array_unref (FB_CANVAS (object)->floating);
  g_hash_table_unref (FB_CANVAS (object)->marked_keys);
  G_OBJECT_CLASS (fb_canvas_parent_class)->finalize (object);
}

static void
walk_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  int dx, dy;
  g_variant_get (parameter, "(ii)", &dx, &dy);
  fb_canvas_walk (FB_CANVAS (widget), dx, dy);
}

static void
fb_canvas_class_init (FbCanvasClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  object_class->dispose = fb_canvas_dispose;
  object_class->finalize = fb_canvas_finalize;
  widget_class->snapshot = fb_canvas_snapshot;
  widget_class->measure = fb_canvas_measure;
  widget_class->size_allocate = fb_canvas_size_allocate;
  widget_class->query_tooltip = fb_canvas_query_tooltip;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name (widget_class, "canvas");
  gtk_widget_class_install_action (widget_class, "canvas.walk", "(ii)", walk_action);
  static const struct
  {
    guint key;
    int dx, dy;
  } walks[] = { { GDK_KEY_Up, 0, -1 }, { GDK_KEY_Down, 0, 1 }, { GDK_KEY_Left, -1, 0 }, { GDK_KEY_Right, 1, 0 } };
  for (guint i = 0; i < G_N_ELEMENTS (walks); i++)
    gtk_widget_class_add_binding_action (widget_class, walks[i].key, GDK_CONTROL_MASK, "canvas.walk", "(ii)",
                                         walks[i].dx, walks[i].dy);
  g_signal_new ("camera-changed", FB_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("zoom-changed", FB_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  g_signal_new ("marked", FB_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  picked_signal
      = g_signal_new ("picked", FB_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void
fb_canvas_init (FbCanvas *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  self->drawer = fb_drawer_new ("JetBrains Mono, monospace");
  self->floating = g_ptr_array_new ();
  self->marked_keys = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->camera.zoom = 1;
  self->progress = 1;
  self->animated = TRUE;
  self->selected = self->hovered = FB_GRAPH_NONE;
  self->pointer_x = self->pointer_y = -1;
  gtk_widget_set_focusable (widget, TRUE);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_vexpand (widget, TRUE);
  gtk_widget_set_overflow (widget, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (widget, TRUE);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  g_signal_connect_object (motion, "motion", G_CALLBACK (pointer_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (motion, "leave", G_CALLBACK (pointer_left), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (widget, motion);
  fb_canvas_add_gestures (self);
  fb_canvas_add_menu (self);
  AdwStyleManager *style = adw_style_manager_get_default ();
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (style_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (style_changed), self, G_CONNECT_SWAPPED);
}
