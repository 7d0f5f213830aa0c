#include "app/bookmark-list.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/section.h"
#include "app/tip.h"

struct _FbBookmarkList
{
  GtkWidget parent_instance;
  GtkWidget *box;
  GtkStack *stack;
  GtkListBox *list;
  FbDocument *doc;
  FbSessionFile *session;
  GtkSortListModel *sorted;
};

G_DEFINE_FINAL_TYPE (FbBookmarkList, fb_bookmark_list, GTK_TYPE_WIDGET)

static guint picked_signal;

/* --- order --- */

static int
compare_numbers (guint64 a, guint64 b)
{
  return a < b ? -1 : a > b;
}

/* As the row runs; a bookmark before the notes of its step. */
static int
compare_marks (gconstpointer a, gconstpointer b, gpointer data)
{
  const FbStoreMark *x = fb_bookmark_get (FB_BOOKMARK ((gpointer) a)),
                    *y = fb_bookmark_get (FB_BOOKMARK ((gpointer) b));
  int order = compare_numbers (x->place.kind, y->place.kind);
  order = order ? order : compare_numbers (x->place.row, y->place.row);
  order = order ? order : compare_numbers (x->place.pass, y->place.pass);
  order = order ? order : compare_numbers (x->place.step, y->place.step);
  order = order ? order
                : compare_numbers (fb_bookmark_get_kind (FB_BOOKMARK ((gpointer) a)),
                                   fb_bookmark_get_kind (FB_BOOKMARK ((gpointer) b)));
  return order ? order : compare_numbers ((guint64) x->id, (guint64) y->id);
}

/* --- rows --- */

/* "simplify 19", of another row "row 3, pass 2, step 5". */
static char *
place_text (FbBookmarkList *self, const FbStorePlace *place)
{
  FbRowView *row = fb_document_get_row (self->doc);
  if (row && row->number == fb_document_find_row (self->doc, place) && place->pass < row->n_passes)
    {
      g_autofree char *title = fb_pass_view_title (&row->passes[place->pass]);
      /* Translators: title of a pass, number of a step */
      return g_strdup_printf (_ ("%s %s"), title, fb_count (place->step));
    }
  return g_strdup_printf (_ ("row %u, pass %u, step %u"), place->row, place->pass + 1, place->step);
}

static FbBookmark *
mark_of (GtkWidget *row)
{
  return row ? g_object_get_data (G_OBJECT (row), "mark") : NULL;
}

static void
renamed (GtkEditable *label, GParamSpec *pspec, FbBookmarkList *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (label), GTK_TYPE_LIST_BOX_ROW);
  if (gtk_editable_label_get_editing (GTK_EDITABLE_LABEL (label)) || !row || !self->session)
    return;
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (label)));
  fb_session_file_rename (self->session, mark_of (row), text);
}

static void
edit_clicked (GtkWidget *button)
{
  GtkWidget *label = g_object_get_data (G_OBJECT (button), "label");
  gtk_editable_label_start_editing (GTK_EDITABLE_LABEL (label));
}

static void
remove_clicked (GtkWidget *button, FbBookmarkList *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, GTK_TYPE_LIST_BOX_ROW);
  if (row && self->session)
    fb_session_file_remove (self->session, mark_of (row));
}

static GtkWidget *
small_button (const char *icon, const char *tip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "fb-panel-button");
  fb_tip_set (button, tip);
  return button;
}

/* The first line of a note; a bookmark's name, which can be edited. */
static GtkWidget *
new_name (FbBookmarkList *self, FbBookmark *mark)
{
  const char *text = fb_bookmark_get (mark)->text;
  if (fb_bookmark_get_kind (mark) == FB_STORE_BOOKMARK)
    {
      GtkWidget *label = gtk_editable_label_new (text);
      /* Clicks go to the row; editing begins with its button or F2. */
      gtk_widget_set_can_target (label, FALSE);
      g_signal_connect_object (label, "notify::editing", G_CALLBACK (renamed), self, 0);
      return label;
    }
  g_autofree char *line = g_strndup (text, strcspn (text, "\n"));
  GtkWidget *label = fb_label_new (line, NULL, NULL);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  fb_tip_set (label, text);
  return label;
}

static GtkWidget *
new_row (gpointer item, gpointer data)
{
  FbBookmarkList *self = data;
  FbBookmark *mark = item;
  gboolean note = fb_bookmark_get_kind (mark) == FB_STORE_NOTE;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *icon = gtk_image_new_from_icon_name (note ? "document-edit-symbolic" : "user-bookmarks-symbolic");
  gtk_widget_add_css_class (icon, note ? "fb-dim" : "fb-link");
  fb_tip_set (icon, note ? _ ("Note") : _ ("Bookmark"));
  gtk_box_append (GTK_BOX (box), icon);
  GtkWidget *name = new_name (self, mark);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_box_append (GTK_BOX (box), name);
  g_autofree char *place = place_text (self, &fb_bookmark_get (mark)->place);
  GtkWidget *where = fb_label_new (place, "fb-number", "fb-dim");
  gtk_label_set_xalign (GTK_LABEL (where), 1);
  gtk_box_append (GTK_BOX (box), where);
  if (!note)
    {
      GtkWidget *edit = small_button ("document-edit-symbolic", _ ("Rename (F2)"));
      g_object_set_data (G_OBJECT (edit), "label", name);
      g_signal_connect (edit, "clicked", G_CALLBACK (edit_clicked), NULL);
      gtk_box_append (GTK_BOX (box), edit);
    }
  GtkWidget *remove = small_button ("edit-delete-symbolic", _ ("Remove (Delete)"));
  g_signal_connect_object (remove, "clicked", G_CALLBACK (remove_clicked), self, 0);
  gtk_box_append (GTK_BOX (box), remove);
  GtkWidget *row = gtk_list_box_row_new ();
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "mark", g_object_ref (mark), g_object_unref);
  g_object_set_data (G_OBJECT (row), "name", name);
  return row;
}

/* --- following the session --- */

static void
show_count (FbBookmarkList *self)
{
  gboolean any = self->sorted && g_list_model_get_n_items (G_LIST_MODEL (self->sorted)) > 0;
  gtk_stack_set_visible_child_name (self->stack, any ? "marks" : "none");
}

static void
rebind (FbBookmarkList *self)
{
  gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  g_clear_object (&self->sorted);
  g_set_object (&self->session, fb_document_get_session (self->doc, NULL));
  if (self->session)
    {
      GListStore *both = g_list_store_new (G_TYPE_LIST_MODEL);
      g_list_store_append (both, fb_session_file_get_marks (self->session, FB_STORE_BOOKMARK));
      g_list_store_append (both, fb_session_file_get_marks (self->session, FB_STORE_NOTE));
      GtkFlattenListModel *flat = gtk_flatten_list_model_new (G_LIST_MODEL (both));
      GtkSorter *sorter = GTK_SORTER (gtk_custom_sorter_new (compare_marks, NULL, NULL));
      self->sorted = gtk_sort_list_model_new (G_LIST_MODEL (flat), sorter);
      gtk_list_box_bind_model (self->list, G_LIST_MODEL (self->sorted), new_row, self, NULL);
      g_signal_connect_object (self->sorted, "items-changed", G_CALLBACK (show_count), self, G_CONNECT_SWAPPED);
    }
  show_count (self);
}

static void
row_activated (FbBookmarkList *self, GtkListBoxRow *row)
{
  FbBookmark *mark = mark_of (GTK_WIDGET (row));
  if (mark)
    g_signal_emit (self, picked_signal, 0, mark);
}

static gboolean
key_pressed (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, FbBookmarkList *self)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  GtkWidget *row = focus ? gtk_widget_get_ancestor (focus, GTK_TYPE_LIST_BOX_ROW) : NULL;
  GtkWidget *name = row ? g_object_get_data (G_OBJECT (row), "name") : NULL;
  gboolean editing = GTK_IS_EDITABLE_LABEL (name) && gtk_editable_label_get_editing (GTK_EDITABLE_LABEL (name));
  if (!row || editing)
    return GDK_EVENT_PROPAGATE;
  if (keyval == GDK_KEY_F2 && GTK_IS_EDITABLE_LABEL (name))
    gtk_editable_label_start_editing (GTK_EDITABLE_LABEL (name));
  else if ((keyval == GDK_KEY_Delete || keyval == GDK_KEY_KP_Delete) && self->session)
    fb_session_file_remove (self->session, mark_of (row));
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

void
fb_bookmark_list_reveal (FbBookmarkList *self)
{
  g_return_if_fail (FB_IS_BOOKMARK_LIST (self));
  FbStorePlace here;
  /* places are named after the row on the screen */
  rebind (self);
  if (!self->sorted || !fb_document_get_place (self->doc, &here))
    return;
  FbStoreMark at = { .place = here };
  g_autoptr (FbBookmark) probe = fb_bookmark_new (FB_STORE_BOOKMARK, &at);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->sorted)), i = 0;
  for (; i + 1 < n; i++)
    {
      g_autoptr (FbBookmark) mark = g_list_model_get_item (G_LIST_MODEL (self->sorted), i);
      if (compare_marks (mark, probe, NULL) >= 0)
        break;
    }
  GtkListBoxRow *row = n ? gtk_list_box_get_row_at_index (self->list, (int) i) : NULL;
  if (row)
    {
      gtk_list_box_select_row (self->list, row);
      gtk_widget_grab_focus (GTK_WIDGET (row));
    }
}

void
fb_bookmark_list_set_document (FbBookmarkList *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_BOOKMARK_LIST (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (rebind), self, G_CONNECT_SWAPPED);
  rebind (self);
}

static void
fb_bookmark_list_dispose (GObject *object)
{
  FbBookmarkList *self = FB_BOOKMARK_LIST (object);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->sorted);
  g_clear_object (&self->session);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_bookmark_list_parent_class)->dispose (object);
}

static void
fb_bookmark_list_class_init (FbBookmarkListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_bookmark_list_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  picked_signal = g_signal_new ("picked", FB_TYPE_BOOKMARK_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                FB_TYPE_BOOKMARK);
}

static void
fb_bookmark_list_init (FbBookmarkList *self)
{
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_add_css_class (head, "fb-panel-title");
  GtkWidget *title = fb_label_new (_ ("Bookmarks and notes"), "fb-strong", NULL);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), fb_label_new (_ ("Enter goes there"), "fb-dim", NULL));
  gtk_box_append (GTK_BOX (self->box), head);

  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "fb-marks");
  g_signal_connect_object (self->list, "row-activated", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (key_pressed), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 320);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_size_request (scrolled, 380, -1);

  GtkWidget *none = fb_label_new (_ ("b marks this step, Ctrl+M writes a note"), "fb-dim", NULL);
  gtk_widget_set_halign (none, GTK_ALIGN_CENTER);
  gtk_widget_set_margin_top (none, 12);
  gtk_widget_set_margin_bottom (none, 18);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_set_vhomogeneous (self->stack, FALSE);
  gtk_stack_add_named (self->stack, scrolled, "marks");
  gtk_stack_add_named (self->stack, none, "none");
  gtk_stack_set_visible_child_name (self->stack, "none");
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->stack));
}
