#include "app/scrubber.h"

#include <glib/gi18n.h>

#include "app/count.h"
#include "app/heat-strip.h"

struct _FbScrubber
{
  GtkWidget parent_instance;
  GtkButton *play;
  FbHeatStrip *strip;
  GtkLabel *of_all, *of_pass;
  FbDocument *doc;
};

G_DEFINE_FINAL_TYPE (FbScrubber, fb_scrubber, GTK_TYPE_WIDGET)

static void
show_position (FbScrubber *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  if (!row || !row->n_passes)
    {
      gtk_label_set_label (self->of_all, row ? _ ("no steps") : "—");
      gtk_label_set_label (self->of_pass, "");
      return;
    }
  guint pass, step;
  fb_document_get_position (self->doc, &pass, &step);
  const FbPassView *view = &row->passes[pass];
  /* Translators: step 19 of 57; the first number is bold */
  g_autofree char *of_all = g_strdup_printf (_ ("<b>%s</b> of %s"), fb_count (fb_row_view_position (row, pass, step)),
                                             fb_count (row->n_steps));
  gtk_label_set_markup (self->of_all, of_all);
  g_autofree char *title = fb_pass_view_title (view);
  /* Translators: pass, step of its steps */
  g_autofree char *of_pass = g_strdup_printf (_ ("%s %s of %s"), title, fb_count (step), fb_count (view->n_steps));
  gtk_label_set_label (self->of_pass, view->kernel ? title : of_pass);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->of_pass), of_pass);
}

void
fb_scrubber_set_playing (FbScrubber *self, gboolean playing)
{
  g_return_if_fail (FB_IS_SCRUBBER (self));
  gtk_button_set_icon_name (self->play, playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->play), playing ? _ ("Pause (p)") : _ ("Play (p)"));
}

void
fb_scrubber_set_document (FbScrubber *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_SCRUBBER (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  fb_heat_strip_set_document (self->strip, doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (show_position), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (show_position), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "moved", G_CALLBACK (show_position), self, G_CONNECT_SWAPPED);
}

static void
fb_scrubber_dispose (GObject *object)
{
  FbScrubber *self = FB_SCRUBBER (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_scrubber_parent_class)->dispose (object);
}

static void
fb_scrubber_class_init (FbScrubberClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_scrubber_dispose;
  g_type_ensure (FB_TYPE_HEAT_STRIP);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "scrubber.ui");
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, play);
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, strip);
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, of_all);
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, of_pass);
}

static void
fb_scrubber_init (FbScrubber *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
