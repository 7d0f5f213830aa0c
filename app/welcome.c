#include "app/welcome.h"

#include <glib/gi18n.h>

#include "app/files.h"
#include "app/session-start.h"
#include "app/tip.h"

#define MOST_RECENT 5
/* Characters of a name that are always shown. */
#define SHOWN_OF_NAME 28
#define MOST_OF_NAME 48

struct _FbWelcome
{
  GtkWidget parent_instance;
  GtkListBox *unsaved, *recent, *samples;
  GtkWidget *unsaved_group, *recent_group, *samples_group, *open;
  GtkRevealer *banner;
  GtkLabel *error;
};

G_DEFINE_FINAL_TYPE (FbWelcome, fb_welcome, GTK_TYPE_WIDGET)

static GtkWidget *
file_row (const char *path, const char *name, const char *about)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_widget_set_margin_start (box, 12);
  gtk_widget_set_margin_end (box, 12);
  GtkWidget *label = gtk_label_new (name);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MOST_OF_NAME);
  gtk_label_set_width_chars (GTK_LABEL (label), MIN (g_utf8_strlen (name, -1), SHOWN_OF_NAME));
  gtk_box_append (GTK_BOX (box), label);
  GtkWidget *note = gtk_label_new (about);
  gtk_label_set_xalign (GTK_LABEL (note), 1);
  gtk_label_set_max_width_chars (GTK_LABEL (note), MOST_OF_NAME);
  gtk_label_set_ellipsize (GTK_LABEL (note), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (note, TRUE);
  gtk_widget_add_css_class (note, "fb-dim");
  gtk_widget_add_css_class (note, "fb-caption");
  gtk_box_append (GTK_BOX (box), note);
  GtkWidget *row = gtk_list_box_row_new ();
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (row), "win.open-path");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (row), "s", path);
  fb_tip_set (row, path);
  return row;
}

static void
fill (GtkListBox *list, GtkWidget *group, GPtrArray *paths, gboolean samples)
{
  GtkWidget *row;
  guint n = samples ? paths->len : MIN (paths->len, MOST_RECENT);
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (list))))
    gtk_list_box_remove (list, row);
  gtk_widget_set_visible (group, n > 0);
  for (guint i = 0; i < n; i++)
    {
      const char *path = g_ptr_array_index (paths, i);
      g_autofree char *folder = fb_files_folder_name (path);
      const char *about = samples ? fb_files_sample_about (path) : folder;
      g_autofree char *name = g_filename_display_basename (path);
      gtk_list_box_append (list, file_row (path, name, about));
    }
}

void
fb_welcome_set_files (FbWelcome *self, GPtrArray *recent, GPtrArray *samples)
{
  g_return_if_fail (FB_IS_WELCOME (self));
  fill (self->recent, self->recent_group, recent, FALSE);
  fill (self->samples, self->samples_group, samples, TRUE);
}

void
fb_welcome_set_unsaved (FbWelcome *self, GPtrArray *sessions)
{
  GtkWidget *row;
  g_return_if_fail (FB_IS_WELCOME (self));
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->unsaved))))
    gtk_list_box_remove (self->unsaved, row);
  gtk_widget_set_visible (self->unsaved_group, sessions->len > 0);
  for (guint i = 0; i < MIN (sessions->len, MOST_RECENT); i++)
    {
      const FbUnsavedSession *session = g_ptr_array_index (sessions, i);
      g_autofree char *about = fb_unsaved_session_about (session);
      gtk_list_box_append (self->unsaved, file_row (session->path, session->name, about));
    }
}

void
fb_welcome_set_error (FbWelcome *self, const char *text)
{
  g_return_if_fail (FB_IS_WELCOME (self));
  if (text)
    gtk_label_set_label (self->error, text);
  gtk_revealer_set_reveal_child (self->banner, text != NULL);
}

static gboolean
fb_welcome_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (FB_WELCOME (widget)->open);
}

static void
fb_welcome_dispose (GObject *object)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (fb_welcome_parent_class)->dispose (object);
}

static void
fb_welcome_class_init (FbWelcomeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_welcome_dispose;
  widget_class->grab_focus = fb_welcome_grab_focus;
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "welcome.ui");
  gtk_widget_class_bind_template_child (widget_class, FbWelcome, recent);
  gtk_widget_class_bind_template_child (widget_class, FbWelcome, samples);
  gtk_widget_class_bind_template_child (widget_class, FbWelcome, recent_group);
  gtk_widget_class_bind_template_child (widget_class, FbWelcome, unsaved);
  gtk_widget_class_bind_template_child (widget_class, FbWelcome, unsaved_group);
  gtk_widget_class_bind_template_child (widget_class, FbWelcome, samples_group);
  gtk_widget_class_bind_template_child (widget_class, FbWelcome, open);
  gtk_widget_class_bind_template_child (widget_class, FbWelcome, banner);
  gtk_widget_class_bind_template_child (widget_class, FbWelcome, error);
}

static void
fb_welcome_init (FbWelcome *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
