#include "app/canvas-private.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/preferences.h"
#include "app/text-scale.h"

#define LARGEST_ZOOM 4.0
#define MOVE_US 180000.0
#define GLIDE_US 200000.0
/* Steps that follow each other faster than 8 a second are not animated. */
#define HURRY_US 125000

G_DEFINE_FINAL_TYPE (FbCanvas, fb_canvas, GTK_TYPE_WIDGET)

static guint zoom_changed_signal, camera_changed_signal, picked_signal;

/* --- camera --- */

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
    g_signal_emit (self, zoom_changed_signal, 0);
  g_signal_emit (self, camera_changed_signal, 0);
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

static void
start_ticking (FbCanvas *self)
{
  if (!self->tick)
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), tick, NULL, NULL);
}

static gboolean
may_animate (FbCanvas *self)
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
  if (!glide || !may_animate (self))
    {
      self->glide_start = 0;
      set_camera (self, camera);
      return;
    }
  self->glide_from = self->camera;
  self->glide_to = camera;
  self->glide_start = g_get_monotonic_time ();
  start_ticking (self);
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

static void
place_camera (FbCanvas *self)
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
  place_camera (self);
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
  double margin = 2 * FB_CANVAS_MARGIN / camera.zoom;
  double width = gtk_widget_get_width (GTK_WIDGET (self)) / camera.zoom;
  double height = gtk_widget_get_height (GTK_WIDGET (self)) / camera.zoom;
  gboolean inside = card.x >= camera.x + margin && card.x + card.width <= camera.x + width - margin
                    && card.y >= camera.y + margin && card.y + card.height <= camera.y + height - margin;
  if (!inside)
    fb_canvas_move_camera (
        self, fb_canvas_centred (self, card.x + card.width / 2, card.y + card.height / 2, camera.zoom), TRUE);
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
  if (same_pass && view->from && !hurry && may_animate (self))
    {
      self->from_scene = fb_scene_ref (view->from_scene);
      self->from = g_memdup2 (view->from, view->scene->graph->n_nodes * sizeof (guint32));
      self->progress = 0;
      self->move_start = now;
      start_ticking (self);
    }
  FbUop *uop = view->selected;
  self->selected = uop ? fb_graph_find (self->scene->graph, uop) : FB_GRAPH_NONE;
  if (!same_pass)
    {
      self->placed = self->wanted = FALSE;
      place_camera (self);
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
  place_camera (self);
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

/* --- walking by keyboard --- */

/* Of the cards an edge leads to, the one nearest above or below. */
static guint32
along_edge (FbCanvas *self, guint32 card, int dy)
{
  const FbGraph *graph = self->scene->graph;
  const FbGraphNode *node = &graph->nodes[card];
  FbRect here = fb_scene_card (self->scene, card);
  guint32 best = FB_GRAPH_NONE, n = dy < 0 ? node->n_in : node->n_out;
  double best_distance = G_MAXDOUBLE;
  for (guint32 i = 0; i < n; i++)
    {
      guint32 edge = dy < 0 ? node->first_in + i : graph->out[node->first_out + i];
      guint32 other = dy < 0 ? graph->edges[edge].source : graph->edges[edge].user;
      FbRect there = fb_scene_card (self->scene, other);
      double across = there.x + there.width / 2 - here.x - here.width / 2, down = there.y - here.y;
      double distance = fabs (across) + fabs (down);
      if (distance < best_distance)
        {
          best_distance = distance;
          best = other;
        }
    }
  return best;
}

void
fb_canvas_walk (FbCanvas *self, int dx, int dy)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  if (!self->scene || !self->scene->graph->n_nodes)
    return;
  guint32 card = self->selected;
  if (card == FB_GRAPH_NONE)
    card = self->scene->graph->root;
  else
    card = dy ? along_edge (self, card, dy) : fb_scene_neighbour (self->scene, card, dx, 0);
  if (card == FB_GRAPH_NONE)
    {
      gtk_widget_error_bell (GTK_WIDGET (self));
      return;
    }
  fb_canvas_pick (self, self->scene->graph->nodes[card].uop);
  fb_canvas_reveal (self);
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
    place_camera (self);
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
  camera_changed_signal
      = g_signal_new ("camera-changed", FB_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  zoom_changed_signal
      = g_signal_new ("zoom-changed", FB_TYPE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
