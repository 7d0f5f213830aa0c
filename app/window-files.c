/* How files get into a window: the menu at Open, the file chooser, files dropped, another window. */
#include <glib/gi18n.h>

#include "app/application-private.h"
#include "app/files.h"
#include "app/window-private.h"

#define MOST_RECENT 8

/* --- the menu --- */

static void
append_files (GMenu *menu, const char *title, GPtrArray *paths)
{
  if (!paths->len)
    return;
  g_autoptr (GMenu) section = g_menu_new ();
  for (guint i = 0; i < paths->len; i++)
    {
      g_autofree char *name = fb_files_menu_name (g_ptr_array_index (paths, i), paths);
      g_autoptr (GMenuItem) item = g_menu_item_new (name, NULL);
      g_menu_item_set_action_and_target (item, "win.open-path", "s", g_ptr_array_index (paths, i));
      g_menu_append_item (section, item);
    }
  g_menu_append_section (menu, title, G_MENU_MODEL (section));
}

/* Private sessions with what was not saved, that no window shows. */
static void
append_unsaved (FbWindow *self, GMenu *menu)
{
  if (!self->unsaved || !self->unsaved->len)
    return;
  g_autoptr (GMenu) section = g_menu_new ();
  for (guint i = 0; i < MIN (self->unsaved->len, MOST_RECENT); i++)
    {
      const FbUnsavedSession *session = g_ptr_array_index (self->unsaved, i);
      g_autofree char *about = fb_unsaved_session_about (session);
      /* Translators: name of a file, number of its bookmarks and notes */
      g_autofree char *text = g_strdup_printf (_ ("%s, %s"), session->name, about);
      g_auto (GStrv) parts = g_strsplit (text, "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.open-path", "s", session->path);
      g_menu_append_item (section, item);
    }
  g_menu_append_section (menu, _ ("Not saved yet"), G_MENU_MODEL (section));
}

static void
fill_open_menu (FbWindow *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GPtrArray) recent = self->standalone ? g_ptr_array_new () : fb_files_recent (MOST_RECENT);
  g_autoptr (GPtrArray) samples = fb_files_samples ();
  append_unsaved (self, menu);
  append_files (menu, _ ("Recent"), recent);
  append_files (menu, _ ("Samples"), samples);
  adw_split_button_set_menu_model (self->open_button, G_MENU_MODEL (menu));
  fb_welcome_set_files (self->welcome, recent, samples);
}

static void
look_for_unsaved (GTask *task, gpointer source, gpointer folder, GCancellable *cancellable)
{
  g_task_return_pointer (task, fb_session_folder_unsaved (folder), (GDestroyNotify) g_ptr_array_unref);
}

static void
unsaved_found (GObject *source, GAsyncResult *result, gpointer data)
{
  FbWindow *self = FB_WINDOW (source);
  g_autoptr (GPtrArray) found = g_task_propagate_pointer (G_TASK (result), NULL);
  if (!found || !self->doc)
    return;
  gboolean differs = !self->unsaved || self->unsaved->len != found->len;
  g_clear_pointer (&self->unsaved, g_ptr_array_unref);
  self->unsaved = g_steal_pointer (&found);
  fb_welcome_set_unsaved (self->welcome, self->unsaved);
  if (differs)
    fill_open_menu (self);
}

void
fb_window_look_for_unsaved (FbWindow *self)
{
  g_return_if_fail (FB_IS_WINDOW (self));
  if (self->standalone)
    return;
  g_autoptr (GTask) task = g_task_new (self, NULL, unsaved_found, NULL);
  g_task_set_task_data (task, fb_session_folder_default (), g_free);
  g_task_run_in_thread (task, look_for_unsaved);
}

/* --- several files --- */

/* The first file here, each other in a window of its own. */
static void
open_files (FbWindow *self, GListModel *files)
{
  gboolean here = TRUE;
  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr (GFile) file = g_list_model_get_item (files, i);
      g_autofree char *path = g_file_get_path (file);
      if (!path)
        {
          g_autofree char *uri = g_file_get_uri (file);
          g_autofree char *text = g_strdup_printf (_ ("%s: only files on this machine can be opened"), uri);
          fb_window_show_banner (self, text);
          continue;
        }
      if (here)
        fb_window_open (self, path, 0, NULL, 0);
      else
        fb_application_open (FB_APPLICATION (gtk_window_get_application (GTK_WINDOW (self))), path, NULL, 0, NULL, 0);
      here = FALSE;
    }
}

static void
chosen (GtkNativeDialog *dialog, int response, FbWindow *self)
{
  if (response == GTK_RESPONSE_ACCEPT)
    {
      g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
      open_files (self, files);
    }
  g_clear_object (&self->chooser);
}

void
fb_window_choose_file (FbWindow *self)
{
  if (self->chooser)
    {
      gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
      return;
    }
  self->chooser
      = gtk_file_chooser_native_new (_ ("Open captures"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (self->chooser), TRUE);
  g_autoptr (GtkFileFilter) captures = gtk_file_filter_new ();
  gtk_file_filter_set_name (captures, _ ("Captures"));
  static const char *const suffixes[] = { "db", "pkl", "fusebox" };
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    gtk_file_filter_add_suffix (captures, suffixes[i]);
  g_autoptr (GtkFileFilter) all = gtk_file_filter_new ();
  gtk_file_filter_set_name (all, _ ("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->chooser), captures);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (self->chooser), all);
  if (fb_document_get_path (self->doc))
    {
      g_autofree char *folder = g_path_get_dirname (fb_document_get_path (self->doc));
      g_autoptr (GFile) file = g_file_new_for_path (folder);
      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self->chooser), file, NULL);
    }
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* --- dropping --- */

static gboolean
dropped (GtkDropTarget *target, const GValue *value, double x, double y, FbWindow *self)
{
  GdkFileList *list = g_value_get_boxed (value);
  g_autoptr (GSList) files = list ? gdk_file_list_get_files (list) : NULL;
  g_autoptr (GListStore) store = g_list_store_new (G_TYPE_FILE);
  for (GSList *l = files; l; l = l->next)
    g_list_store_append (store, l->data);
  open_files (self, G_LIST_MODEL (store));
  return files != NULL;
}

static GdkDragAction
drop_entered (GtkDropTarget *target, double x, double y, FbWindow *self)
{
  gtk_widget_add_css_class (GTK_WIDGET (self->stack), "fb-drop");
  return GDK_ACTION_COPY;
}

static void
drop_left (GtkDropTarget *target, FbWindow *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self->stack), "fb-drop");
}

/* --- another window --- */

/* The same file at the same place, to look at two steps at once. */
static void
duplicate_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  guint pass = 0, step = 0;
  fb_document_get_position (self->doc, &pass, &step);
  FbRowView *row = fb_document_get_row (self->doc);
  g_autofree char *number = row && row->n_passes ? g_strdup_printf ("%u", pass + 1) : NULL;
  FbWindow *window = fb_application_new_window (FB_APPLICATION (gtk_window_get_application (GTK_WINDOW (self))));
  fb_window_set_release (window, self->release);
  fb_window_open (window, fb_document_get_path (self->doc), fb_document_get_row_number (self->doc), number, step);
}

void
fb_window_add_files (FbWindow *self)
{
  static const GActionEntry entries[] = { { .name = "duplicate", .activate = duplicate_activated } };
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  g_signal_connect_object (drop, "drop", G_CALLBACK (dropped), self, 0);
  g_signal_connect_object (drop, "enter", G_CALLBACK (drop_entered), self, 0);
  g_signal_connect_object (drop, "leave", G_CALLBACK (drop_left), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  /* Another window, or another program, may have opened files. */
  if (!self->standalone)
    g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (fill_open_menu), self,
                             G_CONNECT_SWAPPED);
  fill_open_menu (self);
  fb_window_look_for_unsaved (self);
}
