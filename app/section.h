/* Parts the inspector's pages are built of. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

/* Empties a box. */
void fb_box_clear (GtkBox *box);
/* A label with up to two style classes. */
GtkWidget *fb_label_new (const char *text, const char *first_class, const char *second_class);
/* A hyphen where a line breaks would look like part of a key or an expression. */
void fb_label_never_hyphenate (GtkLabel *label);
/* A block with padding; with a line above unless it is the first in @page. Returns it. */
GtkBox *fb_section_add (GtkBox *page);
/* Shows or hides a section with the line above it. */
void fb_section_set_visible (GtkBox *section, gboolean visible);
/* A head line: bold @title, dim @note (may be NULL) at the right. */
void fb_section_add_title (GtkBox *section, const char *title, const char *note);
/* Changes both, of a line that was made with a note. */
void fb_section_set_title (GtkBox *section, const char *title, const char *note);
/* A grid for fb_keys_add. */
GtkGrid *fb_section_add_keys (GtkBox *section);
/* @key at the left, dim; @value beside it, wrapped, can be selected; @code: monospaced. */
GtkWidget *fb_keys_add (GtkGrid *keys, const char *key, const char *value, gboolean code);
/* What fb_keys_add() returned shows @text; NULL: it is hidden with its key. */
void fb_keys_set (GtkWidget *value, const char *text);
/* A row that names a node: @lead (source number, name in a pattern; may be NULL), its mark or the bar of its kind, op, type, key.
 * A button that selects it in @doc. */
GtkWidget *fb_node_row_new (FbDocument *doc, const char *lead, const FbNodeLink *link);
/* Makes @row, of fb_node_row_new(), name another node. */
void fb_node_row_set (GtkWidget *row, const char *lead, const FbNodeLink *link);
/* Makes @rows, a box that holds nothing else, name @links (of FbNodeLink), led by their names, or by their numbers if @numbered. Rows
 * are used again: making them takes longer than making a step. */
void fb_node_rows_set (GtkBox *rows, FbDocument *doc, const GArray *links, gboolean numbered);
