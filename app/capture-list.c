#include "app/capture-list.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <stdlib.h>

#include "app/ansi.h"
#include "app/cli/count.h"
#include "app/index-model.h"
#include "app/tip.h"
#include "core/viztrace/profile.h"

struct _FbCaptureList
{
  GtkWidget parent_instance;

  GtkSearchEntry *entry;
  GtkListView *list;
  GtkLabel *count, *row_head, *kernels_head, *about_head;
  GtkStack *stack;

  FbDocument *doc;
  FbIndexModel *rows;
  GtkSingleSelection *selection;
  GHashTable *items; /* of bound list items their row numbers */
  guint later;       /* source id: scroll once rows have places */
  guint refilter;    /* source id: results that came in change what matches */
};

G_DEFINE_FINAL_TYPE (FbCaptureList, fb_capture_list, GTK_TYPE_WIDGET)

static guint picked_signal;

/* --- rows --- */

static GtkWidget *
add_label (GtkWidget *box, int width, float xalign, const char *css_class)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  gtk_label_set_width_chars (GTK_LABEL (label), width);
  gtk_widget_add_css_class (label, css_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static void
set_up (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  add_label (box, 6, 1, "fb-number");
  add_label (box, 7, 1, "fb-number");
  add_label (box, 7, 1, "fb-number");
  GtkWidget *options = add_label (box, -1, 0, "fb-small-code");
  gtk_label_set_ellipsize (GTK_LABEL (options), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (options, TRUE);
  gtk_widget_set_margin_start (options, 8);
  gtk_list_item_set_child (item, box);
}

/* Names of contexts are coloured as tinygrad prints them. */
static void
set_colors (GtkLabel *label, const FbRowSummary *summary)
{
  g_autoptr (PangoAttrList) colors
      = summary && summary->colored
            ? fb_ansi_attributes (summary->colored, adw_style_manager_get_dark (adw_style_manager_get_default ()))
            : NULL;
  gtk_label_set_attributes (label, colors);
}

static void
fill (FbCaptureList *self, GtkListItem *item, guint row)
{
  GtkWidget *number = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *nodes = gtk_widget_get_next_sibling (number);
  GtkWidget *kernels = gtk_widget_get_next_sibling (nodes);
  GtkWidget *options = gtk_widget_get_next_sibling (kernels);
  guint of_kind = 0;
  gboolean schedule = fb_document_get_row_kind (self->doc, row, &of_kind) == FB_ROW_SCHEDULE;
  gboolean kernel = fb_document_get_row_kind (self->doc, row, NULL) == FB_ROW_KERNEL;
  /* Where a file holds both, kernels are told apart. */
  g_autofree char *name = kernel && fb_document_has_both_kinds (self->doc)
                              ? g_strdup_printf (_ ("kernel %s"), fb_count (of_kind))
                              : g_strdup (fb_count (of_kind));
  gtk_label_set_label (GTK_LABEL (number), name);
  gtk_label_set_width_chars (GTK_LABEL (number), fb_document_has_both_kinds (self->doc) ? 10 : 6);
  const FbRowSummary *summary = fb_document_get_summary (self->doc, row, TRUE);
  gtk_widget_remove_css_class (options, "fb-removed");
  if (!summary || summary->error)
    {
      /* Not known yet, or never. */
      gtk_label_set_label (GTK_LABEL (nodes), "—");
      gtk_label_set_label (GTK_LABEL (kernels), "—");
      gtk_label_set_label (GTK_LABEL (options), summary ? summary->error : "");
      set_colors (GTK_LABEL (options), NULL);
      fb_tip_set (options, summary ? summary->error : NULL);
      if (summary)
        gtk_widget_add_css_class (options, "fb-removed");
      return;
    }
  const char *about = summary->kernel ? summary->kernel : summary->options;
  gtk_label_set_label (GTK_LABEL (nodes), fb_count (summary->n_nodes));
  g_autofree char *time = summary->n_runs ? fb_viz_time_text (summary->seconds) : NULL;
  gtk_label_set_label (GTK_LABEL (kernels), schedule ? fb_count (summary->n_kernels) : time ? time : "—");
  g_autofree char *runs = g_strdup_printf (ngettext ("%s run", "%s runs", summary->n_runs), fb_count (summary->n_runs));
  fb_tip_set (kernels, time ? runs : NULL);
  gtk_label_set_label (GTK_LABEL (options), about);
  set_colors (GTK_LABEL (options), summary);
  fb_tip_set (options, *about ? about : NULL);
}

static void
bind (GtkListItemFactory *factory, GtkListItem *item, FbCaptureList *self)
{
  guint row = fb_index_item_get (gtk_list_item_get_item (item)) + 1;
  g_hash_table_insert (self->items, item, GUINT_TO_POINTER (row));
  fill (self, item, row);
}

/* Light became dark, or the other way round. */
static void
color_again (FbCaptureList *self)
{
  GHashTableIter iter;
  gpointer row, item;
  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, &item, &row))
    fill (self, item, GPOINTER_TO_UINT (row));
}

static void
unbind (GtkListItemFactory *factory, GtkListItem *item, FbCaptureList *self)
{
  g_hash_table_remove (self->items, item);
}

/* --- search --- */

static gboolean
matches (FbCaptureList *self, guint row, const char *query, gboolean number)
{
  if (number)
    {
      guint of_kind = 0;
      fb_document_get_row_kind (self->doc, row, &of_kind);
      g_autofree char *text = g_strdup_printf ("%u", of_kind);
      return g_str_has_prefix (text, query);
    }
  /* The key is there without decoding; what is inside comes in as rows are read. */
  const FbRowSummary *summary = fb_document_get_summary (self->doc, row, TRUE);
  const char *key = fb_document_get_row_key (self->doc, row);
  if (key && strcasestr (key, query))
    return TRUE;
  return summary
         && ((summary->options && strcasestr (summary->options, query))
             || (summary->kernel && strcasestr (summary->kernel, query))
             || (summary->error && strcasestr (summary->error, query)));
}

static void
show_count (FbCaptureList *self)
{
  guint n = fb_index_model_get_size (self->rows), all = fb_document_get_n_rows (self->doc);
  /* Translators: rows that match, of all rows */
  g_autofree char *text
      = n == all ? g_strdup (fb_count (all)) : g_strdup_printf (_ ("%s of %s"), fb_count (n), fb_count (all));
  gtk_label_set_label (self->count, text);
  gtk_stack_set_visible_child_name (self->stack, n ? "rows" : "none");
}

static gboolean
scroll (gpointer data)
{
  FbCaptureList *self = data;
  self->later = 0;
  guint at = gtk_single_selection_get_selected (self->selection);
  if (at != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", at);
  return G_SOURCE_REMOVE;
}

static void
select_and_scroll (FbCaptureList *self, guint position)
{
  gtk_single_selection_set_selected (self->selection, position);
  /* A list scrolls only to rows that it has given places to. */
  if (!self->later)
    self->later = g_idle_add_full (GTK_PRIORITY_RESIZE + 15, scroll, self, NULL);
}

void
fb_capture_list_reveal (FbCaptureList *self)
{
  g_return_if_fail (FB_IS_CAPTURE_LIST (self));
  guint row = fb_document_get_row_number (self->doc);
  select_and_scroll (self, row ? fb_index_model_find (self->rows, row - 1) : GTK_INVALID_LIST_POSITION);
}

static void
filter (FbCaptureList *self)
{
  g_autofree char *query = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  guint n_rows = fb_document_get_n_rows (self->doc);
  if (!*query)
    fb_index_model_set_size (self->rows, n_rows);
  else
    {
      gboolean number = strspn (query, "0123456789") == strlen (query);
      g_autoptr (GArray) hits = g_array_new (FALSE, FALSE, sizeof (guint));
      for (guint row = 1; row <= n_rows; row++)
        if (matches (self, row, query, number))
          {
            guint index = row - 1;
            g_array_append_val (hits, index);
          }
      fb_index_model_set_filtered (self->rows, hits->len, (guint *) hits->data);
    }
  show_count (self);
  /* The first hit is the row itself when its number was typed. */
  if (*query)
    select_and_scroll (self, 0);
  else
    fb_capture_list_reveal (self);
}

static gboolean
filter_again (gpointer data)
{
  FbCaptureList *self = data;
  self->refilter = 0;
  filter (self);
  return G_SOURCE_REMOVE;
}

static void
summary_known (FbCaptureList *self, guint row)
{
  GHashTableIter iter;
  gpointer at, item;
  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, &item, &at))
    if (GPOINTER_TO_UINT (at) == row)
      fill (self, item, row);
  if (!self->refilter && *gtk_editable_get_text (GTK_EDITABLE (self->entry)))
    self->refilter = g_timeout_add (250, filter_again, self);
}

static void
pick (FbCaptureList *self, guint position)
{
  g_autoptr (FbIndexItem) item = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
  if (!item)
    return;
  fb_document_load (self->doc, fb_index_item_get (item) + 1);
  g_signal_emit (self, picked_signal, 0);
}

static void
entry_activated (FbCaptureList *self)
{
  guint selected = gtk_single_selection_get_selected (self->selection);
  pick (self, selected == GTK_INVALID_LIST_POSITION ? 0 : selected);
}

static void
row_activated (FbCaptureList *self, guint position)
{
  pick (self, position);
}

/* More rows have come by themselves. */
static void
rows_came (FbCaptureList *self)
{
  if (gtk_single_selection_get_selected (self->selection) == GTK_INVALID_LIST_POSITION
      && !*gtk_editable_get_text (GTK_EDITABLE (self->entry)))
    fb_capture_list_reveal (self);
}

static gboolean
entry_key (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, FbCaptureList *self)
{
  if (keyval != GDK_KEY_Down && keyval != GDK_KEY_KP_Down)
    return GDK_EVENT_PROPAGATE;
  return gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
}

static void
file_opened (FbCaptureList *self)
{
  gboolean both = fb_document_has_both_kinds (self->doc);
  gboolean kernels = fb_document_get_row_kind (self->doc, 1, NULL) >= FB_ROW_KERNEL;
  gtk_label_set_width_chars (self->row_head, both ? 10 : 6);
  gboolean trace = fb_document_get_row_kind (self->doc, 1, NULL) == FB_ROW_TRACE;
  /* what a row of a trace has in the place of kernels: how long its kernel ran */
  gtk_label_set_label (self->kernels_head, trace ? _ ("Time") : _ ("Kernels"));
  gtk_label_set_label (self->about_head, both ? _ ("Options or name") : kernels ? _ ("Name") : _ ("Options"));
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  filter (self);
}

void
fb_capture_list_focus_search (FbCaptureList *self)
{
  g_return_if_fail (FB_IS_CAPTURE_LIST (self));
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

void
fb_capture_list_set_document (FbCaptureList *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_CAPTURE_LIST (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind), self, 0);
  gtk_list_view_set_factory (self->list, factory);
  g_object_unref (factory);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  fb_index_model_set_gradual (self->rows, 6);
  /* after the selection has heard of it */
  g_signal_connect_object (self->rows, "items-changed", G_CALLBACK (rows_came), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "search-changed", G_CALLBACK (filter), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (entry_activated), self, G_CONNECT_SWAPPED);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (entry_key), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), keys);
  g_signal_connect_object (doc, "opened", G_CALLBACK (file_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (fb_capture_list_reveal), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (color_again), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "summary", G_CALLBACK (summary_known), self, G_CONNECT_SWAPPED);
}

static void
fb_capture_list_dispose (GObject *object)
{
  FbCaptureList *self = FB_CAPTURE_LIST (object);
  g_clear_handle_id (&self->refilter, g_source_remove);
  g_clear_handle_id (&self->later, g_source_remove);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->selection);
  g_clear_object (&self->rows);
  g_clear_object (&self->doc);
  g_clear_pointer (&self->items, g_hash_table_unref);
  G_OBJECT_CLASS (fb_capture_list_parent_class)->dispose (object);
}

static void
fb_capture_list_class_init (FbCaptureListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_capture_list_dispose;
  picked_signal = g_signal_new ("picked", FB_TYPE_CAPTURE_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "capture-list.ui");
  gtk_widget_class_bind_template_child (widget_class, FbCaptureList, entry);
  gtk_widget_class_bind_template_child (widget_class, FbCaptureList, list);
  gtk_widget_class_bind_template_child (widget_class, FbCaptureList, count);
  gtk_widget_class_bind_template_child (widget_class, FbCaptureList, row_head);
  gtk_widget_class_bind_template_child (widget_class, FbCaptureList, kernels_head);
  gtk_widget_class_bind_template_child (widget_class, FbCaptureList, about_head);
  gtk_widget_class_bind_template_child (widget_class, FbCaptureList, stack);
}

static void
fb_capture_list_init (FbCaptureList *self)
{
  self->rows = fb_index_model_new ();
  self->items = g_hash_table_new (NULL, NULL);
  gtk_widget_init_template (GTK_WIDGET (self));
}
