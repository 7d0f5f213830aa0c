#include "app/note-editor.h"

#include <glib/gi18n.h>

#include "app/section.h"
#include "app/tip.h"

/* A note is written down when typing pauses that long. */
#define PAUSE_MS 500

struct _FbNoteEditor
{
  GtkWidget parent_instance;
  GtkWidget *box, *add, *editor;
  GtkLabel *title;
  GtkTextView *text;

  FbDocument *doc;
  gboolean about_node;
  FbSessionFile *session; /* of the note on the screen, with where it belongs; NULL: none */
  FbStorePlace place;
  guint64 node;
  gboolean open;    /* shown although it is empty */
  gboolean filling; /* the text changes, but nobody types */
  guint pause_source;
};

G_DEFINE_FINAL_TYPE (FbNoteEditor, fb_note_editor, GTK_TYPE_WIDGET)

static void
write_down (FbNoteEditor *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->text);
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, FALSE);
  g_autofree char *rest = g_strstrip (g_strdup (text));
  if (self->session)
    fb_session_file_put (self->session, FB_STORE_NOTE, &self->place, self->node, *rest ? text : NULL);
}

void
fb_note_editor_flush (FbNoteEditor *self)
{
  g_return_if_fail (FB_IS_NOTE_EDITOR (self));
  if (!self->pause_source)
    return;
  g_clear_handle_id (&self->pause_source, g_source_remove);
  write_down (self);
}

static gboolean
paused (gpointer data)
{
  FbNoteEditor *self = data;
  self->pause_source = 0;
  write_down (self);
  return G_SOURCE_REMOVE;
}

static void
typed (FbNoteEditor *self)
{
  if (self->filling || !self->session)
    return;
  g_clear_handle_id (&self->pause_source, g_source_remove);
  self->pause_source = g_timeout_add (PAUSE_MS, paused, self);
}

/* What the note on the screen is to be about. FALSE: nothing. */
static gboolean
find_subject (FbNoteEditor *self, FbStorePlace *place, guint64 *node)
{
  const FbNodeInfo *info = fb_document_get_node (self->doc);
  *node = 0;
  if (!fb_document_get_session (self->doc, NULL) || !fb_document_get_shown_place (self->doc, place))
    return FALSE;
  if (!self->about_node)
    return TRUE;
  if (!info)
    return FALSE;
  g_autofree char *key = g_strndup (info->key, 16);
  return g_ascii_string_to_unsigned (key, 16, 1, G_MAXUINT64, node, NULL);
}

static void
show_note (FbNoteEditor *self)
{
  FbBookmark *note
      = self->session ? fb_session_file_find (self->session, FB_STORE_NOTE, &self->place, self->node) : NULL;
  gboolean shown = note || self->open;
  gtk_widget_set_visible (GTK_WIDGET (self), self->session != NULL);
  gtk_widget_set_visible (self->add, !shown);
  gtk_widget_set_visible (self->editor, shown);
  gtk_button_set_label (GTK_BUTTON (self->add),
                        self->node ? _ ("Add a note on this node") : _ ("Add a note on this step"));
  gtk_label_set_label (self->title, self->node ? _ ("Note on this node") : _ ("Note on this step"));
  self->filling = TRUE;
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->text), note ? fb_bookmark_get (note)->text : "", -1);
  self->filling = FALSE;
}

/* Follows the document to another step, node or file. */
static void
follow (FbNoteEditor *self)
{
  FbStorePlace place = { 0 };
  guint64 node;
  gboolean any = find_subject (self, &place, &node);
  FbSessionFile *session = any ? fb_document_get_session (self->doc, NULL) : NULL;
  gboolean same = session == self->session && node == self->node && place.kind == self->place.kind
                  && place.row == self->place.row
                  && (node || (place.pass == self->place.pass && place.step == self->place.step));
  if (same && session)
    return;
  fb_note_editor_flush (self);
  g_set_object (&self->session, session);
  self->place = place;
  self->node = node;
  self->open = FALSE;
  show_note (self);
}

/* Another note may have been removed from the list. */
static void
marks_changed (FbNoteEditor *self)
{
  if (!self->session || self->pause_source || gtk_widget_has_focus (GTK_WIDGET (self->text)))
    return;
  show_note (self);
}

static void
file_opened (FbNoteEditor *self)
{
  FbSessionFile *session = fb_document_get_session (self->doc, NULL);
  if (session)
    g_signal_connect_object (session, "marks-changed", G_CALLBACK (marks_changed), self, G_CONNECT_SWAPPED);
  follow (self);
}

gboolean
fb_note_editor_edit (FbNoteEditor *self)
{
  g_return_val_if_fail (FB_IS_NOTE_EDITOR (self), FALSE);
  if (!self->session)
    return FALSE;
  self->open = TRUE;
  gtk_widget_set_visible (self->add, FALSE);
  gtk_widget_set_visible (self->editor, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->text));
  return TRUE;
}

static void
add_clicked (FbNoteEditor *self)
{
  fb_note_editor_edit (self);
}

static void
left (FbNoteEditor *self)
{
  fb_note_editor_flush (self);
  self->open = FALSE;
  show_note (self);
}

static gboolean
key_pressed (FbNoteEditor *self, guint keyval)
{
  if (keyval != GDK_KEY_Escape)
    return GDK_EVENT_PROPAGATE;
  gtk_widget_activate_action (GTK_WIDGET (self), "win.focus-canvas", NULL);
  return GDK_EVENT_STOP;
}

void
fb_note_editor_set_about_node (FbNoteEditor *self, gboolean about_node)
{
  g_return_if_fail (FB_IS_NOTE_EDITOR (self));
  self->about_node = about_node;
  if (self->doc)
    follow (self);
}

void
fb_note_editor_set_document (FbNoteEditor *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_NOTE_EDITOR (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (file_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "step-shown", G_CALLBACK (follow), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "node-described", G_CALLBACK (follow), self, G_CONNECT_SWAPPED);
  follow (self);
}

static void
fb_note_editor_dispose (GObject *object)
{
  FbNoteEditor *self = FB_NOTE_EDITOR (object);
  g_clear_handle_id (&self->pause_source, g_source_remove);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->session);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_note_editor_parent_class)->dispose (object);
}

static void
fb_note_editor_class_init (FbNoteEditorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_note_editor_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
add_text (FbNoteEditor *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  self->text = GTK_TEXT_VIEW (gtk_text_view_new ());
  gtk_text_view_set_wrap_mode (self->text, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab (self->text, FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->text), "fb-note-text");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scrolled), 44);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 130);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->text));
  gtk_widget_add_css_class (scrolled, "fb-note-frame");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_RELATION_LABELLED_BY, self->title, NULL,
                                  -1);
  gtk_box_append (GTK_BOX (self->editor), scrolled);
  g_signal_connect_object (gtk_text_view_get_buffer (self->text), "changed", G_CALLBACK (typed), self,
                           G_CONNECT_SWAPPED);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect_object (focus, "leave", G_CALLBACK (left), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->text), focus);
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->text), keys);
}

static void
fb_note_editor_init (FbNoteEditor *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  gtk_box_append (GTK_BOX (self->box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  self->add = gtk_button_new ();
  gtk_widget_add_css_class (self->add, "flat");
  gtk_widget_add_css_class (self->add, "fb-note-add");
  fb_tip_set (self->add, _ ("Write a note (Ctrl+M)"));
  gtk_box_append (GTK_BOX (self->box), self->add);
  g_signal_connect_object (self->add, "clicked", G_CALLBACK (add_clicked), self, G_CONNECT_SWAPPED);
  self->editor = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  gtk_widget_add_css_class (self->editor, "fb-section");
  gtk_box_append (GTK_BOX (self->box), self->editor);
  self->title = GTK_LABEL (fb_label_new ("", "fb-strong", NULL));
  gtk_box_append (GTK_BOX (self->editor), GTK_WIDGET (self->title));
  add_text (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
