#include "app/heat-strip-private.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

G_DEFINE_FINAL_TYPE (FbHeatStrip, fb_heat_strip, GTK_TYPE_WIDGET)

static void
clear_span (gpointer data)
{
  g_clear_object (&((FbHeatSpan *) data)->name);
}

static gboolean
is_laid_out (const FbHeatStrip *self)
{
  const FbRowView *row = self->doc ? fb_document_get_row (self->doc) : NULL;
  return row && row->n_passes && self->spans->len == row->n_passes;
}

static gboolean
locate (FbHeatStrip *self, double x, FbStepPosition *position)
{
  if (!is_laid_out (self))
    return FALSE;
  FbRowView *row = fb_document_get_row (self->doc);
  guint pass = 0;
  for (guint i = 0; i < self->spans->len; i++)
    if (x >= g_array_index (self->spans, FbHeatSpan, i).x && g_array_index (self->spans, FbHeatSpan, i).width > 0)
      pass = i;
  guint n_steps = row->passes[pass].n_steps;
  double step = floor ((x - g_array_index (self->spans, FbHeatSpan, pass).x) / self->cell) + 1;
  *position = (FbStepPosition){ pass, n_steps ? (guint) CLAMP (step, 1, (double) n_steps) : 0 };
  return TRUE;
}

static void
fb_heat_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbHeatStrip *self = FB_HEAT_STRIP (widget);
  if (self->stale && self->doc)
    fb_heat_strip_lay_out (self);
  if (!is_laid_out (self))
    return;
  if (!self->drawn)
    {
      GtkSnapshot *own = gtk_snapshot_new ();
      fb_heat_strip_draw (self, own);
      self->drawn = gtk_snapshot_free_to_node (own);
    }
  if (self->drawn)
    gtk_snapshot_append_node (snapshot, self->drawn);
  fb_heat_strip_draw_position (self, snapshot);
}

/* --- input --- */

static void
go_to (FbHeatStrip *self, double x, gboolean jump)
{
  FbStepPosition to;
  if (!locate (self, x, &to))
    return;
  if (jump)
    fb_document_jump (self->doc, to.pass, to.step);
  else
    fb_document_go (self->doc, to.pass, to.step);
}

static void
drag_begun (GtkGestureDrag *gesture, double x, double y, FbHeatStrip *self)
{
  go_to (self, x, TRUE);
}

static void
dragged (GtkGestureDrag *gesture, double dx, double dy, FbHeatStrip *self)
{
  double x, y;
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  go_to (self, x + dx, FALSE);
}

static gboolean
query_tooltip (GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  FbHeatStrip *self = FB_HEAT_STRIP (widget);
  FbStepPosition position;
  if (keyboard || !locate (self, x, &position))
    return FALSE;
  g_autofree char *text = fb_heat_strip_describe (self, position);
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* --- the widget --- */

static void
describe (FbHeatStrip *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint pass, step;
  fb_document_get_position (self->doc, &pass, &step);
  double value = row ? fb_row_view_position (row, pass, step) : 0;
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, row ? (double) row->n_steps : 0.0,
                                  GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, value, -1);
}

static void
moved (FbHeatStrip *self)
{
  describe (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
row_changed (FbHeatStrip *self)
{
  self->stale = TRUE;
  moved (self);
}

static void
redraw (FbHeatStrip *self)
{
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_heat_strip_set_kind (FbHeatStrip *self, FbHeatKind kind)
{
  g_return_if_fail (FB_IS_HEAT_STRIP (self));
  if (self->kind == kind)
    return;
  self->kind = kind;
  redraw (self);
}

static void
fb_heat_strip_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  FB_HEAT_STRIP (widget)->stale = TRUE;
}

static void
fb_heat_strip_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (fb_heat_strip_parent_class)->css_changed (widget, change);
  FB_HEAT_STRIP (widget)->stale = TRUE;
}

/* The strip is as high as VISUAL.md has it, or as its names need. */
static int
name_bottom (FbHeatStrip *self)
{
  PangoFontMetrics *metrics = pango_context_get_metrics (gtk_widget_get_pango_context (GTK_WIDGET (self)), NULL, NULL);
  int height = PANGO_PIXELS_CEIL (pango_font_metrics_get_ascent (metrics) + pango_font_metrics_get_descent (metrics));
  pango_font_metrics_unref (metrics);
  return MAX (55, (int) FB_HEAT_NAME_TOP + height + 1);
}

static void
fb_heat_strip_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                       int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 120 : name_bottom (FB_HEAT_STRIP (widget));
}

void
fb_heat_strip_set_document (FbHeatStrip *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_HEAT_STRIP (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "moved", G_CALLBACK (moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "heat", G_CALLBACK (redraw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fb_document_get_timing (doc), "changed", G_CALLBACK (redraw), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fb_document_get_marks (doc), "changed", G_CALLBACK (redraw), self, G_CONNECT_SWAPPED);
}

static void
fb_heat_strip_dispose (GObject *object)
{
  FbHeatStrip *self = FB_HEAT_STRIP (object);
  g_clear_pointer (&self->spans, g_array_unref);
  g_clear_pointer (&self->cells, g_array_unref);
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_heat_strip_parent_class)->dispose (object);
}

static void
fb_heat_strip_class_init (FbHeatStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_heat_strip_dispose;
  widget_class->snapshot = fb_heat_strip_snapshot;
  widget_class->measure = fb_heat_strip_measure;
  widget_class->size_allocate = fb_heat_strip_size_allocate;
  widget_class->css_changed = fb_heat_strip_css_changed;
  widget_class->query_tooltip = query_tooltip;
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_SLIDER);
  gtk_widget_class_set_css_name (widget_class, "heatstrip");
}

static void
fb_heat_strip_init (FbHeatStrip *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  self->spans = g_array_new (FALSE, FALSE, sizeof (FbHeatSpan));
  self->cells = g_array_new (FALSE, FALSE, sizeof (FbHeatCell));
  g_array_set_clear_func (self->spans, clear_span);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_add_css_class (widget, "fb-caption");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Steps"), -1);
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (drag_begun), self, 0);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (dragged), self, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (redraw), self,
                           G_CONNECT_SWAPPED);
}
