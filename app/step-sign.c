#include "app/step-sign.h"

#include <adwaita.h>
#include <math.h>

#include "app/gdk-color.h"

struct _FbStepSign
{
  GtkWidget parent_instance;
  FbStepMarks *marks;
  FbStepPosition position;
  guint kinds; /* bits of FbStepMarkKind at the position */
};

G_DEFINE_FINAL_TYPE (FbStepSign, fb_step_sign, GTK_TYPE_WIDGET)

void
fb_step_sign_draw (cairo_t *cr, FbStepMarkKind kind, double x, double y, gboolean dark)
{
  static const FbColor colors[FB_N_STEP_MARK_KINDS] = { FB_COLOR_ACCENT, FB_COLOR_REPLACED, FB_COLOR_TEXT };
  GdkRGBA color = fb_gdk_color (colors[kind], dark);
  gdk_cairo_set_source_rgba (cr, &color);
  switch (kind)
    {
    case FB_STEP_BOOKMARK: /* a ribbon */
      cairo_move_to (cr, x - 3, y);
      cairo_rel_line_to (cr, 6, 0);
      cairo_rel_line_to (cr, 0, 9);
      cairo_rel_line_to (cr, -3, -2.5);
      cairo_rel_line_to (cr, -3, 2.5);
      cairo_close_path (cr);
      break;
    case FB_STEP_BREAK:
      cairo_arc (cr, x, y + 5, 3.5, 0, 2 * G_PI);
      break;
    default: /* a tick that stands on the bar */
      cairo_rectangle (cr, x - 1, y + 5, 2, 5);
      break;
    }
  cairo_fill (cr);
}

static void
refresh (FbStepSign *self)
{
  guint kinds = 0;
  for (guint kind = 0; kind < FB_N_STEP_MARK_KINDS; kind++)
    if (fb_step_marks_has (self->marks, kind, self->position))
      kinds |= 1u << kind;
  if (self->kinds == kinds)
    return;
  self->kinds = kinds;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_step_sign_set_position (FbStepSign *self, FbStepPosition position)
{
  g_return_if_fail (FB_IS_STEP_SIGN (self));
  self->position = position;
  refresh (self);
}

static void
fb_step_sign_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbStepSign *self = FB_STEP_SIGN (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  if (!self->kinds)
    return;
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  double x = width / 2.0, y = floor ((height - FB_STEP_SIGN_HEIGHT) / 2.0);
  /* The later ones stand for more: a bookmark is the person's own. */
  for (guint kind = FB_N_STEP_MARK_KINDS; kind-- > 0;)
    if (self->kinds & (1u << kind) && (kind != FB_STEP_HIT || self->kinds == 1u << FB_STEP_HIT))
      fb_step_sign_draw (cr, kind, x, y, dark);
  cairo_destroy (cr);
}

static void
fb_step_sign_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? FB_STEP_SIGN_WIDTH : FB_STEP_SIGN_HEIGHT;
}

static void
fb_step_sign_dispose (GObject *object)
{
  g_clear_object (&FB_STEP_SIGN (object)->marks);
  G_OBJECT_CLASS (fb_step_sign_parent_class)->dispose (object);
}

static void
fb_step_sign_class_init (FbStepSignClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_step_sign_dispose;
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  widget_class->snapshot = fb_step_sign_snapshot;
  widget_class->measure = fb_step_sign_measure;
  fb_gdk_color_follow (widget_class);
  /* The row's tooltip says it in words. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
fb_step_sign_init (FbStepSign *self)
{
}

GtkWidget *
fb_step_sign_new (FbStepMarks *marks)
{
  FbStepSign *self = g_object_new (FB_TYPE_STEP_SIGN, NULL);
  self->marks = g_object_ref (marks);
  g_signal_connect_object (marks, "changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  return GTK_WIDGET (self);
}
