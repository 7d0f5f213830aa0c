#include "app/scrubber.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/tip.h"

struct _FbScrubber
{
  GtkWidget parent_instance;
  GtkButton *play;
  FbHeatStrip *strip;
  GtkMenuButton *position;
  GtkPopover *popover;
  GtkEntry *entry;
  GtkLabel *of_all, *of_pass, *complaint;
  FbDocument *doc;
};

G_DEFINE_FINAL_TYPE (FbScrubber, fb_scrubber, GTK_TYPE_WIDGET)

static void
show_position (FbScrubber *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  gtk_widget_set_sensitive (GTK_WIDGET (self->position), row && row->n_passes);
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
  /* Translators: pass and step; what the button does, and its keys */
  g_autofree char *tip = g_strdup_printf (_ ("%s\nGo to a step (Ctrl+L)"), of_pass);
  fb_tip_set (GTK_WIDGET (self->position), tip);
}

/* --- a step by its number --- */

static void
complain (FbScrubber *self, const char *text)
{
  gtk_label_set_label (self->complaint, text ? text : _ ("19, or 3:12 for step 12 of pass 3, or fix-ups:2"));
  if (text)
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
}

static gboolean
parse (FbScrubber *self, FbStepPosition *position)
{
  FbRowView *row = fb_document_get_row (self->doc);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));
  g_autoptr (GError) error = NULL;
  if (!row || !*text)
    {
      complain (self, NULL);
      return FALSE;
    }
  gboolean ok = fb_step_position_parse (row, text, position, &error);
  complain (self, ok ? NULL : error->message);
  return ok;
}

static void
entry_changed (FbScrubber *self)
{
  FbStepPosition ignored;
  parse (self, &ignored);
}

static void
entry_activated (FbScrubber *self)
{
  FbStepPosition position;
  if (!parse (self, &position))
    return;
  gtk_popover_popdown (self->popover);
  fb_document_jump (self->doc, position.pass, position.step);
}

static void
popover_shown (FbScrubber *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint pass, step;
  fb_document_get_position (self->doc, &pass, &step);
  g_autofree char *text = row ? g_strdup_printf ("%u", fb_row_view_position (row, pass, step)) : g_strdup ("");
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

void
fb_scrubber_ask_step (FbScrubber *self)
{
  g_return_if_fail (FB_IS_SCRUBBER (self));
  FbRowView *row = fb_document_get_row (self->doc);
  if (row && row->n_passes)
    gtk_menu_button_popup (self->position);
}

/* --- the widget --- */

void
fb_scrubber_set_heat (FbScrubber *self, FbHeatKind kind)
{
  g_return_if_fail (FB_IS_SCRUBBER (self));
  fb_heat_strip_set_kind (self->strip, kind);
}

void
fb_scrubber_set_playing (FbScrubber *self, gboolean playing)
{
  g_return_if_fail (FB_IS_SCRUBBER (self));
  gtk_button_set_icon_name (self->play, playing ? "media-playback-pause-symbolic" : "media-playback-start-symbolic");
  fb_tip_set (GTK_WIDGET (self->play), playing ? _ ("Pause (p), faster (>), slower (<)") : _ ("Play (p)"));
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
  show_position (self);
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
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, position);
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, popover);
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, entry);
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, of_all);
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, of_pass);
  gtk_widget_class_bind_template_child (widget_class, FbScrubber, complaint);
}

static void
fb_scrubber_init (FbScrubber *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fb_scrubber_set_playing (self, FALSE);
  g_signal_connect_object (self->entry, "changed", G_CALLBACK (entry_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (entry_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->popover, "show", G_CALLBACK (popover_shown), self, G_CONNECT_SWAPPED);
}
