#include "app/heat-strip.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/count.h"
#include "app/gdk-color.h"

#define CELL 18.0         /* px a step, where there is room */
#define SMALLEST_CELL 3.0 /* below, steps share a cell */
#define PASS_GAP 10.0
#define EMPTY_PASS 6.0
#define BAR_TOP 13.0
#define BAR_HEIGHT 21.0
#define GROWTH_TOP 35.0
#define GROWTH_HEIGHT 2.5
#define NAME_TOP 37.5

/* Where a pass is. */
typedef struct
{
  double x, width;
  PangoLayout *name; /* NULL: no room */
} Span;

struct _FbHeatStrip
{
  GtkWidget parent_instance;
  FbDocument *doc;
  GArray *spans; /* of Span */
  double cell;   /* px a step */
  guint merged;  /* steps a cell */
  gboolean stale;
  gboolean scrubbing;
};

G_DEFINE_FINAL_TYPE (FbHeatStrip, fb_heat_strip, GTK_TYPE_WIDGET)

/* --- places --- */

static void
clear_span (gpointer data)
{
  g_clear_object (&((Span *) data)->name);
}

static gboolean
starts_group (const FbRowView *row, guint pass)
{
  return !pass || !row->passes[pass].kernel || row->passes[pass].kernel != row->passes[pass - 1].kernel;
}

static gboolean
is_empty_box (const FbPassView *pass)
{
  return !pass->n_steps && !pass->kernel;
}

static void
lay_out (FbHeatStrip *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  FbRowView *row = fb_document_get_row (self->doc);
  g_array_set_size (self->spans, 0);
  self->stale = FALSE;
  if (!row || !row->n_passes)
    return;
  double width = gtk_widget_get_width (widget) - 2;
  /* The passes of one kernel stand together; only those without steps take room of their own where they stand alone. */
  guint n_empty = 0, n_gaps = 0;
  for (guint i = 0; i < row->n_passes; i++)
    {
      n_empty += is_empty_box (&row->passes[i]);
      n_gaps += starts_group (row, i) && i;
    }
  double gap = PASS_GAP, empty = EMPTY_PASS, spent = gap * n_gaps + empty * n_empty;
  /* Thousands of kernels: gaps give way to steps. */
  if (spent > width / 3)
    {
      gap *= width / 3 / spent;
      empty *= width / 3 / spent;
      spent = width / 3;
    }
  self->cell = row->n_steps ? MIN (CELL, (width - spent) / row->n_steps) : CELL;
  self->merged = MAX (1, (guint) ceil (SMALLEST_CELL / self->cell));
  double x = 1, name_end = -1;
  for (guint i = 0; i < row->n_passes; i++)
    {
      const FbPassView *pass = &row->passes[i];
      if (i && starts_group (row, i))
        x += gap;
      Span span = { x, pass->n_steps ? pass->n_steps * self->cell : is_empty_box (pass) ? empty : 0, NULL };
      /* The name of an empty box would push out that of a pass with something to see. */
      if (starts_group (row, i) && !is_empty_box (pass) && x >= name_end)
        {
          g_autofree char *kernel = pass->kernel ? g_strdup_printf (_ ("kernel %u"), pass->kernel) : NULL;
          span.name = gtk_widget_create_pango_layout (widget, kernel ? kernel : pass->pass->title);
          int name_width;
          pango_layout_get_pixel_size (span.name, &name_width, NULL);
          if (x + name_width <= width + 2)
            name_end = x + name_width + 6;
          else
            g_clear_object (&span.name);
        }
      g_array_append_val (self->spans, span);
      x += span.width;
    }
}

static gboolean
locate (FbHeatStrip *self, double x, guint *pass, guint *step)
{
  FbRowView *row = fb_document_get_row (self->doc);
  if (!row || self->spans->len != row->n_passes || !row->n_passes)
    return FALSE;
  *pass = 0;
  for (guint i = 0; i < self->spans->len; i++)
    if (x >= g_array_index (self->spans, Span, i).x && g_array_index (self->spans, Span, i).width > 0)
      *pass = i;
  const Span *span = &g_array_index (self->spans, Span, *pass);
  guint n_steps = row->passes[*pass].n_steps;
  *step = n_steps ? (guint) CLAMP (floor ((x - span->x) / self->cell) + 1, 1, (double) n_steps) : 0;
  return TRUE;
}

/* --- drawing --- */

static FbColor
heat_color (double share)
{
  static const FbColor levels[] = { FB_COLOR_HEAT_1, FB_COLOR_HEAT_2, FB_COLOR_HEAT_3, FB_COLOR_HEAT_4 };
  return levels[MIN (3, (int) (share * 4))];
}

static void
fill (GtkSnapshot *snapshot, FbColor color, gboolean dark, double x, double y, double width, double height)
{
  GdkRGBA rgba = fb_gdk_color (color, dark);
  gtk_snapshot_append_color (snapshot, &rgba, &GRAPHENE_RECT_INIT (x, y, width, height));
}

static void
snapshot_cell (FbHeatStrip *self, GtkSnapshot *snapshot, gboolean dark, const FbPassView *pass, const Span *span,
               guint first)
{
  const FbHeat *heat = fb_document_get_heat (self->doc);
  guint end = MIN (first + self->merged, pass->n_steps), most = 0;
  int growth = 0;
  gboolean known = FALSE;
  for (guint s = first; s < end; s++)
    {
      guint at = pass->first - 1 + s;
      if (heat->touched[at] == FB_HEAT_UNKNOWN)
        continue;
      known = TRUE;
      most = MAX (most, heat->touched[at]);
      growth += heat->growth[at];
    }
  double x = span->x + first * self->cell, width = (end - first) * self->cell;
  /* A hairline between cells that are wide enough for one. */
  double inner = width >= 2 * SMALLEST_CELL ? width - 1 : width;
  fill (snapshot, FB_COLOR_HEAT_0, dark, x, BAR_TOP, inner, BAR_HEIGHT);
  if (!known || !heat->most)
    return;
  double share = sqrt ((double) most / heat->most), height = MAX (1, round (share * BAR_HEIGHT));
  fill (snapshot, heat_color (share), dark, x, BAR_TOP + BAR_HEIGHT - height, inner, height);
  if (growth)
    {
      double inset = inner > 9 ? 3 : 0;
      fill (snapshot, growth > 0 ? FB_COLOR_NEW : FB_COLOR_REPLACED, dark, x + inset, GROWTH_TOP, inner - 2 * inset,
            GROWTH_HEIGHT);
    }
}

static void
snapshot_position (FbHeatStrip *self, GtkSnapshot *snapshot, gboolean dark)
{
  guint pass, step;
  fb_document_get_position (self->doc, &pass, &step);
  if (pass >= self->spans->len)
    return;
  const Span *span = &g_array_index (self->spans, Span, pass);
  double x = span->x, width = span->width;
  if (step)
    {
      x += (step - 1) * self->cell;
      width = self->cell - (self->cell >= 2 * SMALLEST_CELL ? 1 : 0);
    }
  else if (fb_document_get_row (self->doc)->passes[pass].n_steps)
    {
      /* The input of a pass is before its first cell. */
      x -= 4;
      width = 2;
    }
  double middle = x + width / 2;
  width = MAX (width, 4);
  x = middle - width / 2;
  GdkRGBA accent = fb_gdk_color (FB_COLOR_ACCENT, dark);
  GskRoundedRect frame;
  gsk_rounded_rect_init_from_rect (&frame, &GRAPHENE_RECT_INIT (x - 2, BAR_TOP - 3, width + 4, BAR_HEIGHT + 6), 3);
  gtk_snapshot_append_border (snapshot, &frame, (float[4]){ 2, 2, 2, 2 },
                              (GdkRGBA[4]){ accent, accent, accent, accent });
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (middle - 7, BAR_TOP - 10, 14, 8));
  gdk_cairo_set_source_rgba (cr, &accent);
  cairo_move_to (cr, middle - 5, BAR_TOP - 9);
  cairo_rel_line_to (cr, 10, 0);
  cairo_rel_line_to (cr, 0, 3);
  cairo_rel_line_to (cr, -5, 4);
  cairo_rel_line_to (cr, -5, -4);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_destroy (cr);
}

static void
fb_heat_strip_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbHeatStrip *self = FB_HEAT_STRIP (widget);
  FbRowView *row = self->doc ? fb_document_get_row (self->doc) : NULL;
  if (self->stale)
    lay_out (self);
  if (!row || self->spans->len != row->n_passes)
    return;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA dim = fb_gdk_color (FB_COLOR_DIM, dark), line = fb_gdk_color (FB_COLOR_BORDER, dark);
  for (guint i = 0; i < row->n_passes; i++)
    {
      const FbPassView *pass = &row->passes[i];
      const Span *span = &g_array_index (self->spans, Span, i);
      if (span->name)
        {
          gtk_snapshot_save (snapshot);
          gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (span->x, NAME_TOP));
          gtk_snapshot_append_layout (snapshot, span->name, &dim);
          gtk_snapshot_restore (snapshot);
        }
      if (!pass->n_steps && span->width >= 3)
        {
          GskRoundedRect box;
          gsk_rounded_rect_init_from_rect (&box, &GRAPHENE_RECT_INIT (span->x, BAR_TOP, span->width, BAR_HEIGHT), 0);
          gtk_snapshot_append_border (snapshot, &box, (float[4]){ 1, 1, 1, 1 }, (GdkRGBA[4]){ line, line, line, line });
        }
      for (guint s = 0; s < pass->n_steps; s += self->merged)
        snapshot_cell (self, snapshot, dark, pass, span, s);
    }
  snapshot_position (self, snapshot, dark);
}

/* --- input --- */

static void
go_to (FbHeatStrip *self, double x, gboolean jump)
{
  guint pass, step;
  if (!locate (self, x, &pass, &step))
    return;
  if (jump)
    fb_document_jump (self->doc, pass, step);
  else
    fb_document_go (self->doc, pass, step);
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
  guint pass, step;
  if (keyboard || !locate (self, x, &pass, &step))
    return FALSE;
  const FbPassView *view = &fb_document_get_row (self->doc)->passes[pass];
  g_autofree char *title = fb_pass_view_title (view);
  if (!step)
    {
      g_autofree char *text = g_strdup_printf (_ ("%s: no steps"), title);
      gtk_tooltip_set_text (tooltip, text);
      return TRUE;
    }
  const FbMatch *match = fb_pass_match (view->pass, step - 1);
  const FbRule *rule = fb_rule_set_rule (view->pass->rules, match->rule);
  /* Translators: pass, step of steps, rule */
  g_autofree char *text
      = g_strdup_printf (_ ("%s, step %s of %s\n%s"), title, fb_count (step), fb_count (view->n_steps), rule->name);
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
  return MAX (55, (int) NAME_TOP + height + 1);
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
  g_signal_connect_object (doc, "heat", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
}

static void
fb_heat_strip_dispose (GObject *object)
{
  FbHeatStrip *self = FB_HEAT_STRIP (object);
  g_clear_pointer (&self->spans, g_array_unref);
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
  self->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  g_array_set_clear_func (self->spans, clear_span);
  gtk_widget_set_hexpand (widget, TRUE);
  gtk_widget_set_has_tooltip (widget, TRUE);
  gtk_widget_add_css_class (widget, "fb-caption");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Steps"), -1);
  GtkGesture *drag = gtk_gesture_drag_new ();
  g_signal_connect_object (drag, "drag-begin", G_CALLBACK (drag_begun), self, 0);
  g_signal_connect_object (drag, "drag-update", G_CALLBACK (dragged), self, 0);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
