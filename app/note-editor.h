/* The note about the selected node or about the step on the screen, at the foot of the inspector. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_NOTE_EDITOR (fb_note_editor_get_type ())
G_DECLARE_FINAL_TYPE (FbNoteEditor, fb_note_editor, FB, NOTE_EDITOR, GtkWidget)

/* @doc is kept. Call once. */
void fb_note_editor_set_document (FbNoteEditor *editor, FbDocument *doc);
/* TRUE: the note is about the node that is selected, else about the step. */
void fb_note_editor_set_about_node (FbNoteEditor *editor, gboolean about_node);
/* Shows the text and gives it the keyboard. FALSE: there is nothing to write about. */
gboolean fb_note_editor_edit (FbNoteEditor *editor);
/* What was typed goes into the session now, not a moment later. */
void fb_note_editor_flush (FbNoteEditor *editor);
