#include "app/share-bar.h"

#include <adwaita.h>

#include "app/gdk-color.h"

#define HEIGHT 8
#define WIDTH 40

struct _FbShareBar
{
  GtkWidget parent_instance;
  double share;
};

G_DEFINE_FINAL_TYPE (FbShareBar, fb_share_bar, GTK_TYPE_WIDGET)

static void
fb_share_bar_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  const FbShareBar *self = FB_SHARE_BAR (widget);
  float width = (float) gtk_widget_get_width (widget), height = (float) gtk_widget_get_height (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA ground = fb_gdk_color (FB_COLOR_HEAT_0, dark), bar = fb_gdk_color (FB_COLOR_HEAT_3, dark);
  float top = (height - HEIGHT) / 2;
  gtk_snapshot_append_color (snapshot, &ground, &GRAPHENE_RECT_INIT (0, top, width, HEIGHT));
  if (self->share > 0)
    gtk_snapshot_append_color (snapshot, &bar,
                               &GRAPHENE_RECT_INIT (0, top, MAX (1, width * (float) self->share), HEIGHT));
}

static void
fb_share_bar_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? WIDTH : HEIGHT;
}

void
fb_share_bar_set (FbShareBar *self, double share)
{
  g_return_if_fail (FB_IS_SHARE_BAR (self));
  self->share = CLAMP (share, 0, 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
fb_share_bar_class_init (FbShareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  widget_class->snapshot = fb_share_bar_snapshot;
  widget_class->measure = fb_share_bar_measure;
  fb_gdk_color_follow (widget_class);
  /* The number stands beside it. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
fb_share_bar_init (FbShareBar *self)
{
}

GtkWidget *
fb_share_bar_new (void)
{
  return g_object_new (FB_TYPE_SHARE_BAR, NULL);
}
