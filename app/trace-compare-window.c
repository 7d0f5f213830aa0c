/* Two traces beside each other, in the place of the graph. */
#include <glib/gi18n.h>

#include "app/trace-compare-window.h"
#include "app/files.h"
#include "app/watch.h"
#include "app/window-private.h"
#include "core/viztrace/viztrace.h"

#define PAGE "traces"

gboolean
fb_window_shows_traces (FbWindow *self)
{
  g_return_val_if_fail (FB_IS_WINDOW (self), FALSE);
  return !g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), PAGE);
}

static void
page_closed (FbWindow *self)
{
  if (!fb_window_shows_traces (self))
    return;
  gtk_stack_set_visible_child_name (self->stack, fb_document_get_name (self->doc) ? "document" : "empty");
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

/* A trace that another run has written over since is opened as it is now. */
static void
place_opened (FbWindow *self, const char *path, guint context, guint rewrite)
{
  g_autofree char *pass = g_strdup_printf ("%u", rewrite);
  page_closed (self);
  fb_window_open (self, path, context, pass, 0);
}

/* The page, made when it is needed for the first time, and shown. */
static FbTraceCompare *
show_page (FbWindow *self)
{
  if (!self->trace_compare)
    {
      self->trace_compare = fb_trace_compare_new ();
      gtk_stack_add_named (self->stack, GTK_WIDGET (self->trace_compare), PAGE);
      g_signal_connect_object (self->trace_compare, "close", G_CALLBACK (page_closed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->trace_compare, "open-place", G_CALLBACK (place_opened), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->trace_compare, "changed", G_CALLBACK (fb_window_update_actions), self,
                               G_CONNECT_SWAPPED);
    }
  fb_window_stop_playing (self);
  gtk_stack_set_visible_child_name (self->stack, PAGE);
  gtk_widget_grab_focus (GTK_WIDGET (self->trace_compare));
  return self->trace_compare;
}

void
fb_window_compare_traces (FbWindow *self, const char *other)
{
  g_return_if_fail (FB_IS_WINDOW (self) && other);
  if (fb_document_get_path (self->doc))
    fb_trace_compare_set_files (show_page (self), other, fb_document_get_path (self->doc));
}

gboolean
fb_window_compare_runs (FbWindow *self)
{
  g_return_val_if_fail (FB_IS_WINDOW (self), FALSE);
  FbVizTrace *now = fb_window_get_run (self, 0), *before = fb_window_get_run (self, 1);
  if (!now || !before)
    return FALSE;
  fb_trace_compare_set_traces (show_page (self), before, now);
  return TRUE;
}

static gboolean
shows_a_trace (FbWindow *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  return row && row->kind == FB_ROW_TRACE;
}

static void
chosen (GtkNativeDialog *dialog, int response, FbWindow *self)
{
  g_autofree char *path = fb_files_chosen (dialog, response);
  if (path)
    fb_window_compare_traces (self, path);
  g_clear_object (&self->trace_chooser);
}

static void
compare_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (!self->trace_chooser)
    {
      self->trace_chooser = gtk_file_chooser_native_new (_ ("Compare with another trace"), GTK_WINDOW (self),
                                                         GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
      g_autofree char *folder = g_path_get_dirname (fb_document_get_path (self->doc));
      g_autoptr (GFile) file = g_file_new_for_path (folder);
      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self->trace_chooser), file, NULL);
      g_signal_connect_object (self->trace_chooser, "response", G_CALLBACK (chosen), self, 0);
    }
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->trace_chooser));
}

/* With the page shown, back to the graph. */
static void
runs_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (fb_window_shows_traces (data))
    page_closed (data);
  else
    fb_window_compare_runs (data);
}

static void
enable (FbWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

void
fb_window_update_trace_compare (FbWindow *self)
{
  enable (self, "compare-trace", shows_a_trace (self));
  enable (self, "compare-runs", fb_window_shows_traces (self) || fb_window_get_run (self, 1) != NULL);
}

void
fb_window_add_trace_compare (FbWindow *self)
{
  static const GActionEntry entries[] = {
    { .name = "compare-trace", .activate = compare_activated },
    { .name = "compare-runs", .activate = runs_activated },
  };
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->stack, "notify::visible-child-name", G_CALLBACK (fb_window_update_trace_compare), self,
                           G_CONNECT_SWAPPED);
}
