#include "app/glyph.h"

#include <adwaita.h>

#include "app/gdk-color.h"

#define GLYPH_HEIGHT 14
#define MARK_WIDTH 14
#define KIND_WIDTH 3

struct _FbGlyph
{
  GtkWidget parent_instance;
  gboolean is_kind;
  FbMark mark;
  FbOpKind kind;
};

G_DEFINE_FINAL_TYPE (FbGlyph, fb_glyph, GTK_TYPE_WIDGET)

static void
fb_glyph_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbGlyph *self = FB_GLYPH (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  int y = (height - GLYPH_HEIGHT) / 2;
  if (self->is_kind)
    fb_draw_kind (cr, self->kind, (width - KIND_WIDTH) / 2, y, dark);
  else
    fb_draw_mark (cr, self->mark, (width - MARK_WIDTH) / 2, y, dark);
  cairo_destroy (cr);
}

static void
fb_glyph_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                  int *minimum_baseline, int *natural_baseline)
{
  FbGlyph *self = FB_GLYPH (widget);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = GLYPH_HEIGHT;
  else
    *minimum = self->is_kind ? KIND_WIDTH : MARK_WIDTH;
  *natural = *minimum;
}

static void
fb_glyph_class_init (FbGlyphClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  widget_class->snapshot = fb_glyph_snapshot;
  widget_class->measure = fb_glyph_measure;
  fb_gdk_color_follow (widget_class);
  /* The word stands beside it. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
fb_glyph_init (FbGlyph *self)
{
}

GtkWidget *
fb_glyph_new_mark (FbMark mark)
{
  FbGlyph *self = g_object_new (FB_TYPE_GLYPH, NULL);
  self->mark = mark;
  return GTK_WIDGET (self);
}

GtkWidget *
fb_glyph_new_kind (FbOpKind kind)
{
  FbGlyph *self = g_object_new (FB_TYPE_GLYPH, NULL);
  self->is_kind = TRUE;
  self->kind = kind;
  return GTK_WIDGET (self);
}

void
fb_glyph_set_kind (FbGlyph *self, FbOpKind kind)
{
  g_return_if_fail (FB_IS_GLYPH (self));
  if (self->is_kind && self->kind == kind)
    return;
  if (!self->is_kind)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  self->is_kind = TRUE;
  self->kind = kind;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_glyph_set_mark (FbGlyph *self, FbMark mark)
{
  g_return_if_fail (FB_IS_GLYPH (self));
  if (!self->is_kind && self->mark == mark)
    return;
  if (self->is_kind)
    gtk_widget_queue_resize (GTK_WIDGET (self));
  self->is_kind = FALSE;
  self->mark = mark;
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
