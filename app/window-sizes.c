/* The sizes of the window and its panels, and the inspector that folds over the canvas where there is no room beside it. */
#include "app/preferences.h"
#include "app/text-scale.h"
#include "app/window-private.h"

/* Below, the inspector folds over the canvas, and the drawer starts hidden. */
#define NARROW 980
#define LOW 560

/* Sizes of the panels at the right and below are kept by where the split is, so they need the size of everything. */
void
fb_window_apply_sizes (FbWindow *self)
{
  if (!self->allocated)
    return;
  const FbSettings *s = &self->settings;
  gtk_paned_set_position (self->passes_paned, s->passes_width);
  /* The pass panel takes its new width from the canvas, the inspector keeps what it is given now. */
  int width = gtk_widget_get_width (GTK_WIDGET (self->inspector_paned));
  int height = gtk_widget_get_height (GTK_WIDGET (self->drawer_paned));
  gtk_paned_set_position (self->inspector_paned, width - s->inspector_width - 1);
  gtk_paned_set_position (self->drawer_paned, height - s->drawer_height);
}

void
fb_window_fold (FbWindow *self, gboolean folded)
{
  if (self->folded == folded)
    return;
  self->folded = folded;
  GtkWidget *inspector = GTK_WIDGET (self->inspector);
  g_object_ref (inspector);
  if (folded)
    {
      gtk_paned_set_end_child (self->inspector_paned, NULL);
      gtk_widget_set_halign (inspector, GTK_ALIGN_END);
      gtk_widget_add_css_class (inspector, "fb-folded");
      gtk_overlay_add_overlay (self->canvas_overlay, inspector);
    }
  else
    {
      gtk_overlay_remove_overlay (self->canvas_overlay, inspector);
      gtk_widget_set_halign (inspector, GTK_ALIGN_FILL);
      gtk_widget_remove_css_class (inspector, "fb-folded");
      gtk_paned_set_end_child (self->inspector_paned, inspector);
    }
  g_object_unref (inspector);
  fb_window_set_panel (self, "show-inspector", !folded);
}

static gboolean
fold_later (gpointer data)
{
  FbWindow *self = data;
  self->fold_source = 0;
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  /* The panels get their first sizes when the first file is shown. */
  if (!self->allocated && gtk_widget_get_width (GTK_WIDGET (self->drawer_paned)) > 0)
    {
      self->allocated = TRUE;
      fb_window_apply_sizes (self);
      if (gtk_widget_get_height (GTK_WIDGET (self)) < LOW)
        fb_window_set_panel (self, "show-drawer", FALSE);
    }
  fb_window_fold (self, width < NARROW);
  return G_SOURCE_REMOVE;
}

/* Children cannot be moved about while sizes are being given out. */
void
fb_window_size_later (FbWindow *self)
{
  int width = gtk_widget_get_width (GTK_WIDGET (self));
  if ((!self->allocated || (width < NARROW) != self->folded) && !self->fold_source)
    self->fold_source = g_idle_add_full (G_PRIORITY_HIGH, fold_later, self, NULL);
}

void
fb_window_set_size (FbWindow *self, int width, int height)
{
  g_return_if_fail (FB_IS_WINDOW (self));
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  fb_settings_init (&self->settings, width, fb_text_scale ());
}

void
fb_window_remember_sizes (FbWindow *self)
{
  FbSettings *s = &self->settings;
  if (self->standalone || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  s->maximized = gtk_window_is_maximized (GTK_WINDOW (self));
  if (!s->maximized)
    gtk_window_get_default_size (GTK_WINDOW (self), &s->width, &s->height);
  if (gtk_widget_get_mapped (GTK_WIDGET (self->canvas)))
    {
      s->show_passes = gtk_widget_get_visible (GTK_WIDGET (self->pass_panel));
      s->show_drawer = gtk_widget_get_visible (GTK_WIDGET (self->drawer));
      if (s->show_passes)
        {
          s->passes_width = gtk_paned_get_position (self->passes_paned);
          if (fb_pass_panel_was_split (self->pass_panel))
            s->passes_height = fb_pass_panel_get_split (self->pass_panel);
        }
      if (s->show_drawer)
        s->drawer_height = gtk_widget_get_height (GTK_WIDGET (self->drawer));
      if (!self->folded)
        {
          s->show_inspector = gtk_widget_get_visible (GTK_WIDGET (self->inspector));
          if (s->show_inspector)
            s->inspector_width = gtk_widget_get_width (GTK_WIDGET (self->inspector));
        }
    }
  fb_settings_save (s, fb_preferences_get_settings (fb_preferences_get_default ()));
}
