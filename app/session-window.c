/* The window and its document's session: saving, bookmarks, notes, coming back to where one was. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/files.h"
#include "app/session-state.h"

/* After the last change; many come together. */
#define STATE_MS 250
/* The trace of a row is written when the person has had the row in front of them that long. */
#define TRACE_MS 400

static FbSessionFile *
session_of (FbWindow *self)
{
  return fb_document_get_session (self->doc, NULL);
}

/* --- where one is --- */

static gboolean
state_later (gpointer data)
{
  FbWindow *self = data;
  FbSessionFile *session = session_of (self);
  self->state_source = 0;
  /* not before the first step of the file is shown: it may come from the session */
  if (session && self->session_restored)
    {
      fb_session_state_store (self, session);
      fb_document_store_diff (self->doc);
    }
  return G_SOURCE_REMOVE;
}

static void
state_changed (FbWindow *self)
{
  if (!self->state_source)
    self->state_source = g_timeout_add (STATE_MS, state_later, self);
}

static gboolean
trace_later (gpointer data)
{
  FbWindow *self = data;
  FbSessionFile *session = session_of (self);
  FbStorePlace place;
  self->trace_source = 0;
  if (session && fb_document_get_shown_place (self->doc, &place))
    fb_session_file_put_trace (session, place.kind, place.row);
  return G_SOURCE_REMOVE;
}

/* --- saving --- */

static void
saved (GObject *source, GAsyncResult *result, gpointer data)
{
  FbSessionFile *session = FB_SESSION_FILE (source);
  g_autoptr (FbWindow) self = data;
  g_autoptr (GError) error = NULL;
  if (!fb_session_file_save_finish (session, result, &error))
    {
      fb_window_show_banner (self, error->message);
      return;
    }
  g_autofree char *text = g_strdup_printf (_ ("Saved as %s"), fb_session_file_get_name (session));
  if (!self->standalone)
    fb_files_note_opened (fb_session_file_get_saved (session));
  if (session == session_of (self))
    fb_window_show_note (self, text);
}

void
fb_window_save_session (FbWindow *self, const char *path)
{
  FbSessionFile *session = session_of (self);
  g_return_if_fail (FB_IS_WINDOW (self) && session);
  fb_inspector_flush_note (self->inspector);
  fb_session_state_store (self, session);
  fb_session_file_save (session, path, saved, g_object_ref (self));
}

static void
chosen (GtkNativeDialog *dialog, int response, FbWindow *self)
{
  g_autofree char *path = fb_files_chosen (dialog, response);
  /* the file that was open when it was asked for may be gone */
  if (path && session_of (self))
    fb_window_save_session (self, path);
  g_clear_object (&self->save_chooser);
}

static void
save_as_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  FbSessionFile *session = session_of (self);
  if (self->save_chooser || !session)
    return;
  self->save_chooser = gtk_file_chooser_native_new (_ ("Save the session"), GTK_WINDOW (self),
                                                    GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (self->save_chooser);
  g_autoptr (GtkFileFilter) sessions = gtk_file_filter_new ();
  gtk_file_filter_set_name (sessions, _ ("Sessions"));
  gtk_file_filter_add_pattern (sessions, "*.fusebox");
  gtk_file_chooser_add_filter (chooser, sessions);
  const char *near = fb_session_file_get_saved (session);
  if (near)
    {
      g_autoptr (GFile) file = g_file_new_for_path (near);
      gtk_file_chooser_set_file (chooser, file, NULL);
    }
  else
    {
      g_autofree char *folder = g_path_get_dirname (fb_document_get_path (self->doc));
      g_autoptr (GFile) file = g_file_new_for_path (folder);
      gtk_file_chooser_set_current_folder (chooser, file, NULL);
    }
  g_autofree char *stem = g_strdup (fb_session_file_get_name (session));
  char *dot = strrchr (stem, '.');
  if (dot && dot != stem)
    *dot = '\0';
  g_autofree char *name = g_strconcat (stem, ".fusebox", NULL);
  gtk_file_chooser_set_current_name (chooser, name);
  g_signal_connect_object (self->save_chooser, "response", G_CALLBACK (chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->save_chooser));
}

static void
save_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbSessionFile *session = session_of (data);
  if (session && fb_session_file_get_saved (session))
    fb_window_save_session (data, NULL);
  else
    save_as_activated (action, parameter, data);
}

/* --- bookmarks and notes --- */

static void
toggle_bookmark_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  FbSessionFile *session = session_of (self);
  FbStorePlace place;
  if (!session || !fb_document_get_place (self->doc, &place))
    return;
  gboolean there = fb_session_file_find (session, FB_STORE_BOOKMARK, &place, 0) != NULL;
  /* Named after what the step does, until the person finds a better name. */
  g_autofree char *name = there ? NULL : fb_document_name_position (self->doc);
  fb_session_file_put (session, FB_STORE_BOOKMARK, &place, 0, name);
  fb_window_show_note (self, there ? _ ("Bookmark removed") : _ ("Bookmark set"));
}

static void
show_bookmarks_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  gtk_menu_button_popup (self->bookmarks_button);
}

static void
bookmark_picked (FbWindow *self, FbBookmark *mark)
{
  const FbStoreMark *to = fb_bookmark_get (mark);
  gtk_popover_popdown (gtk_menu_button_get_popover (self->bookmarks_button));
  fb_window_stop_playing (self);
  fb_window_show_replay (self, FALSE);
  self->select_later = to->node;
  fb_document_go_to_place (self->doc, &to->place);
  /* when that is where we are already */
  if (to->node && fb_document_select_key (self->doc, to->node))
    self->select_later = 0;
  if (fb_bookmark_get_kind (mark) == FB_STORE_NOTE)
    g_action_group_activate_action (G_ACTION_GROUP (self), "inspector-tab",
                                    g_variant_new_string (to->node ? "node" : "rule"));
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
walk_bookmarks (FbWindow *self, int direction)
{
  FbStepPosition here, found;
  fb_document_get_position (self->doc, &here.pass, &here.step);
  fb_window_stop_playing (self);
  if (fb_step_marks_walk (fb_document_get_marks (self->doc), FB_STEP_BOOKMARK, here, direction, &found))
    fb_document_jump (self->doc, found.pass, found.step);
  else
    fb_window_show_note (self, direction > 0 ? _ ("No bookmark after this step") : _ ("No bookmark before this step"));
}

static void
next_bookmark_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  walk_bookmarks (data, 1);
}

static void
previous_bookmark_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  walk_bookmarks (data, -1);
}

static void
edit_note_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (!session_of (self))
    return;
  fb_window_set_panel (self, "show-inspector", TRUE);
  fb_inspector_edit_note (self->inspector);
}

static void
focus_canvas_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  gtk_widget_grab_focus (GTK_WIDGET (((FbWindow *) data)->canvas));
}

/* --- following the document --- */

static void
session_failed (FbWindow *self, const char *message)
{
  fb_window_show_banner (self, message);
}

static void
opened (FbWindow *self)
{
  FbSessionFile *session = session_of (self);
  self->session_restored = FALSE;
  fb_window_look_for_unsaved (self);
  self->select_later = 0;
  fb_window_update_session (self);
  if (!session)
    return;
  g_signal_connect_object (session, "changed", G_CALLBACK (fb_window_update_session), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "failed", G_CALLBACK (session_failed), self, G_CONNECT_SWAPPED);
  fb_session_state_restore_panels (self, session);
}

/* What there is to say about the session, once, when there is something to see. */
static void
first_step_shown (FbWindow *self)
{
  const char *error;
  FbSessionFile *session = fb_document_get_session (self->doc, &error);
  self->session_restored = TRUE;
  if (error)
    {
      g_autofree char *text = g_strdup_printf (_ ("Bookmarks and notes cannot be kept: %s"), error);
      fb_window_show_banner (self, text);
    }
  if (!session)
    return;
  fb_session_state_restore_view (self, session);
  g_autofree char *start = fb_session_file_describe_start (session);
  if (start)
    fb_window_show_note (self, start);
}

static void
step_shown (FbWindow *self)
{
  if (!self->session_restored)
    first_step_shown (self);
  if (self->trace_wanted && session_of (self))
    self->trace_source = g_timeout_add (TRACE_MS, trace_later, self);
  self->trace_wanted = FALSE;
  state_changed (self);
}

/* The document makes its own selection once a step is shown; what is to be selected comes after it. */
static void
selected (FbWindow *self)
{
  guint64 key = self->select_later;
  self->select_later = 0;
  if (key)
    fb_document_select_key (self->doc, key);
  state_changed (self);
}

static void
row_loaded (FbWindow *self)
{
  g_clear_handle_id (&self->trace_source, g_source_remove);
  self->trace_wanted = TRUE;
  if (session_of (self) && !self->session_restored)
    fb_session_state_restore_graph (self, session_of (self));
  if (session_of (self))
    fb_session_state_restore_layouts (self, session_of (self));
}

void
fb_window_update_session (FbWindow *self)
{
  static const char *const actions[]
      = { "save", "save-as", "toggle-bookmark", "show-bookmarks", "next-bookmark", "previous-bookmark", "edit-note" };
  gboolean any = session_of (self) != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (actions); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), actions[i])), any);
  gtk_widget_set_sensitive (GTK_WIDGET (self->bookmarks_button), any);
  fb_window_show_titles (self);
}

char *
fb_window_get_document_title (FbWindow *self)
{
  FbSessionFile *session = session_of (self);
  if (!session)
    return g_strdup (fb_document_get_name (self->doc));
  /* Translators: a file that holds what was not saved */
  return fb_session_file_is_unsaved (session) ? g_strdup_printf (_ ("• %s"), fb_session_file_get_name (session))
                                              : g_strdup (fb_session_file_get_name (session));
}

gboolean
fb_window_is_session_settled (FbWindow *self)
{
  FbSessionFile *session = session_of (self);
  return !self->state_source && !self->trace_source && (!session || !fb_session_file_is_busy (session));
}

void
fb_window_end_session (FbWindow *self)
{
  g_clear_handle_id (&self->state_source, g_source_remove);
  g_clear_handle_id (&self->trace_source, g_source_remove);
  if (!self->doc || !session_of (self))
    return;
  fb_inspector_flush_note (self->inspector);
  if (self->session_restored)
    fb_session_state_store (self, session_of (self));
  fb_document_close_session (self->doc);
}

void
fb_window_add_session (FbWindow *self)
{
  static const GActionEntry actions[] = {
    { .name = "save", .activate = save_activated },
    { .name = "save-as", .activate = save_as_activated },
    { .name = "toggle-bookmark", .activate = toggle_bookmark_activated },
    { .name = "show-bookmarks", .activate = show_bookmarks_activated },
    { .name = "next-bookmark", .activate = next_bookmark_activated },
    { .name = "previous-bookmark", .activate = previous_bookmark_activated },
    { .name = "edit-note", .activate = edit_note_activated },
    { .name = "focus-canvas", .activate = focus_canvas_activated },
  };
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  fb_bookmark_list_set_document (self->bookmark_list, self->doc);
  g_signal_connect_object (self->bookmark_list, "picked", G_CALLBACK (bookmark_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_menu_button_get_popover (self->bookmarks_button), "show",
                           G_CALLBACK (fb_bookmark_list_reveal), self->bookmark_list, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "opened", G_CALLBACK (opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "step-shown", G_CALLBACK (step_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "diffed", G_CALLBACK (state_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "selected", G_CALLBACK (selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "camera-changed", G_CALLBACK (state_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self, "action-state-changed", G_CALLBACK (state_changed), self, G_CONNECT_SWAPPED);
  fb_window_update_session (self);
}
