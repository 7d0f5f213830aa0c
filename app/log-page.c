#include "app/log-page.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"

#define LINES_MAX 1000

struct _FbLogPage
{
  GtkWidget parent_instance;
  GtkStringList *lines;
  GtkWidget *list;
  FbDocument *doc;
};

G_DEFINE_FINAL_TYPE (FbLogPage, fb_log_page, GTK_TYPE_WIDGET)

void
fb_log_page_add (FbLogPage *self, const char *text)
{
  g_return_if_fail (FB_IS_LOG_PAGE (self) && text);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *time = g_date_time_format (now, "%H:%M:%S"), *line = g_strdup_printf ("%s  %s", time, text);
  if (g_list_model_get_n_items (G_LIST_MODEL (self->lines)) >= LINES_MAX)
    gtk_string_list_remove (self->lines, 0);
  gtk_string_list_append (self->lines, line);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    gtk_widget_activate_action (self->list, "list.scroll-to-item", "u",
                                g_list_model_get_n_items (G_LIST_MODEL (self->lines)) - 1);
}

char *
fb_log_page_get_text (FbLogPage *self)
{
  g_return_val_if_fail (FB_IS_LOG_PAGE (self), NULL);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->lines)); i++)
    g_string_append_printf (text, "%s\n", gtk_string_list_get_string (self->lines, i));
  return g_string_free (text, FALSE);
}

static void
step_shown (FbLogPage *self)
{
  FbStepView *view = fb_document_get_view (self->doc);
  const FbPassView *pass = fb_step_view_pass (view);
  GString *line = g_string_new (NULL);
  if (pass)
    {
      g_autofree char *title = fb_pass_view_title (pass);
      /* Translators: pass, step */
      g_string_append_printf (line, _ ("%s %s"), title, fb_count (view->step));
      g_string_append (line, ": ");
    }
  g_string_append_printf (line, ngettext ("%s card", "%s cards", view->scene->graph->n_nodes),
                          fb_count (view->scene->graph->n_nodes));
  if (view->from)
    {
      /* Translators: unchanged nodes that moved since the last picture, of all unchanged ones */
      g_string_append_printf (line, _ (", nodes moved %s"), fb_count (view->moves.n_moved));
      g_string_append_printf (line, _ (" of %s"), fb_count (view->moves.n_same));
    }
  /* Translators: how long making the picture took */
  g_string_append_printf (line, _ (", %.1f ms"), view->ms);
  fb_log_page_add (self, line->str);
  g_string_free (line, TRUE);
}

static void
opened (FbLogPage *self)
{
  const char *path = fb_document_get_path (self->doc);
  if (path)
    fb_log_page_add (self, path);
}

static void
failed (FbLogPage *self, const char *message)
{
  fb_log_page_add (self, message);
}

void
fb_log_page_set_document (FbLogPage *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_LOG_PAGE (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "step-told", G_CALLBACK (step_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "opened", G_CALLBACK (opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "failed", G_CALLBACK (failed), self, G_CONNECT_SWAPPED);
}

static void
setup_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_margin_start (label, 12);
  gtk_widget_set_margin_end (label, 12);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "fb-code");
  gtk_list_item_set_child (item, label);
}

static void
bind_row (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  GtkStringObject *line = gtk_list_item_get_item (item);
  gtk_label_set_label (GTK_LABEL (gtk_list_item_get_child (item)), gtk_string_object_get_string (line));
}

static void
fb_log_page_dispose (GObject *object)
{
  FbLogPage *self = FB_LOG_PAGE (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->lines);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_log_page_parent_class)->dispose (object);
}

static void
fb_log_page_class_init (FbLogPageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_log_page_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
fb_log_page_init (FbLogPage *self)
{
  self->lines = gtk_string_list_new (NULL);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (setup_row), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_row), NULL);
  GtkSelectionModel *model = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (g_object_ref (self->lines))));
  self->list = gtk_list_view_new (model, factory);
  gtk_widget_add_css_class (self->list, "fb-log");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Log"), -1);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), self->list);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}
