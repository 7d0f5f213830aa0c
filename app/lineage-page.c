#include "app/lineage-page.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/document-query.h"
#include "app/index-model.h"
#include "app/lineage-drawing.h"
#include "app/section.h"
#include "app/tip.h"

/* Rows of the list that are no links. */
#define HEAD_BEFORE (G_MAXUINT - 1)
#define HEAD_AFTER G_MAXUINT

struct _FbLineagePage
{
  GtkWidget parent_instance;
  GtkStack *stack;
  GtkLabel *none;
  GtkScrolledWindow *scrolled;
  FbLineageDrawing *drawing;
  GtkListView *list;
  FbIndexModel *rows; /* links, or heads */
  FbDocument *doc;
  FbTrace *trace;
  FbUop *uop; /* whose it is; only to be compared */
  guint asked;
  gboolean stale;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (FbLineagePage, fb_lineage_page, GTK_TYPE_WIDGET)

/* --- the list --- */

static void
set_up (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0), *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *what = fb_label_new (NULL, "fb-small-code", NULL), *where = fb_label_new (NULL, "fb-caption", "fb-dim");
  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (what, TRUE);
  gtk_widget_add_css_class (where, "fb-number");
  gtk_box_append (GTK_BOX (line), what);
  gtk_box_append (GTK_BOX (line), where);
  GtkWidget *how = fb_label_new (NULL, "fb-caption", "fb-dim");
  gtk_label_set_ellipsize (GTK_LABEL (how), PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), how);
  gtk_list_item_set_child (item, box);
}

static char *
how_text (const FbTrace *trace, const FbTraceLink *link)
{
  guint kernel = fb_trace_node (trace, link->to)->kernel;
  switch (link->kind)
    {
    case FB_LINEAGE_REPLACED:
      return g_strdup (link->rule->name);
    case FB_LINEAGE_MADE:
      /* Translators: name of a rule; it made the node beside the one that it is about */
      return g_strdup_printf (_ ("%s, beside its result"), link->rule->name);
    case FB_LINEAGE_MERGED:
      return g_strdup (_ ("the same as another, over new sources"));
    case FB_LINEAGE_CUT:
      return g_strdup_printf (_ ("computed in kernel %u"), kernel);
    default:
      return g_strdup_printf (_ ("read by kernel %u from its buffer"), kernel);
    }
}

static void
bind (GtkListItemFactory *factory, GtkListItem *item, FbLineagePage *self)
{
  guint number = fb_index_item_get (gtk_list_item_get_item (item));
  GtkWidget *line = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  GtkWidget *what = gtk_widget_get_first_child (line), *where = gtk_widget_get_next_sibling (what);
  GtkWidget *how = gtk_widget_get_next_sibling (line);
  gboolean head = number >= HEAD_BEFORE;
  gtk_list_item_set_activatable (item, !head);
  gtk_list_item_set_selectable (item, !head);
  gtk_widget_set_visible (how, !head);
  gtk_widget_set_visible (where, !head);
  if (head)
    {
      gtk_widget_set_css_classes (what, (const char *[]){ "fb-head", "fb-strong", NULL });
      gtk_label_set_label (GTK_LABEL (what), number == HEAD_BEFORE ? _ ("Came from") : _ ("Became"));
      return;
    }
  gtk_widget_set_css_classes (what, (const char *[]){ "fb-small-code", NULL });
  if (!self->trace || number >= self->trace->links->len)
    return;
  const FbTraceLink *link = fb_trace_link (self->trace, number);
  const FbTraceNode *from = fb_trace_node (self->trace, link->from), *to = fb_trace_node (self->trace, link->to);
  g_autofree char *nodes = g_strdup_printf ("%s → %s  %s", from->op, to->op, to->type);
  g_autofree char *title = fb_pass_view_title (&fb_document_get_row (self->doc)->passes[link->pass]);
  g_autofree char *place = link->step ? g_strdup_printf (_ ("%s %s"), title, fb_count (link->step)) : g_strdup (title);
  g_autofree char *reason = how_text (self->trace, link);
  gtk_label_set_label (GTK_LABEL (what), nodes);
  fb_tip_set (what, nodes);
  gtk_label_set_label (GTK_LABEL (where), place);
  gtk_label_set_label (GTK_LABEL (how), reason);
  fb_tip_set (how, link->rule ? link->rule->law : NULL);
}

static void
go_to_link (FbLineagePage *self, guint number)
{
  const FbTraceLink *link = fb_trace_link (self->trace, number);
  fb_document_jump_to_life (self->doc, link->pass, link->step, link->life);
}

static void
row_activated (FbLineagePage *self, guint position)
{
  g_autoptr (FbIndexItem) item = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
  if (item && self->trace && fb_index_item_get (item) < self->trace->links->len)
    go_to_link (self, fb_index_item_get (item));
}

static void
card_picked (FbLineagePage *self, guint number)
{
  const FbTraceNode *node = fb_trace_node (self->trace, number);
  if (node->level)
    fb_document_jump_to_life (self->doc, node->pass, node->step, node->life);
}

static void
fill_list (FbLineagePage *self)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint after = 0; after < 2 && self->trace; after++)
    {
      guint head = after ? HEAD_AFTER : HEAD_BEFORE, before = rows->len;
      g_array_append_val (rows, head);
      for (guint i = 0; i < self->trace->links->len; i++)
        if ((fb_trace_node (self->trace, fb_trace_link (self->trace, i)->to)->level > 0) == (gboolean) after)
          g_array_append_val (rows, i);
      if (rows->len == before + 1)
        g_array_set_size (rows, before);
    }
  fb_index_model_set_filtered (self->rows, rows->len, (const guint *) (gpointer) rows->data);
}

/* --- asking --- */

static void
show_focus (FbLineagePage *self)
{
  double x, y;
  if (!fb_lineage_drawing_get_focus (self->drawing, &x, &y))
    return;
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->scrolled);
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (self->scrolled);
  gtk_adjustment_set_value (across, x - gtk_adjustment_get_page_size (across) / 2);
  gtk_adjustment_set_value (down, y - gtk_adjustment_get_page_size (down) / 2);
}

static void
take_trace (FbLineagePage *self, FbTrace *trace, const char *why)
{
  fb_index_model_set_size (self->rows, 0);
  g_clear_pointer (&self->trace, fb_trace_free);
  self->trace = trace;
  gboolean any = trace && trace->links->len;
  gtk_label_set_label (self->none, trace ? _ ("No rule changes this node, and no kernel has it.") : why);
  fb_lineage_drawing_set_trace (self->drawing, any ? trace : NULL);
  fill_list (self);
  gtk_stack_set_visible_child_name (self->stack, any ? "lineage" : "none");
}

typedef struct
{
  FbLineagePage *page;
  guint number;
} Asking;

static void
traced (GObject *source, GAsyncResult *result, gpointer data)
{
  Asking *asking = data;
  FbLineagePage *self = asking->page;
  g_autoptr (GError) error = NULL;
  FbTrace *trace = fb_document_trace_finish (FB_DOCUMENT (source), result, &error);
  if (!error && asking->number == self->asked && self->doc)
    take_trace (self, g_steal_pointer (&trace), _ ("This node has no history: no pass ran on it."));
  fb_trace_free (trace);
  g_object_unref (self);
  g_free (asking);
}

/* Asks about what is selected, if somebody can see it. */
static void
update (FbLineagePage *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      self->stale = TRUE;
      return;
    }
  self->stale = FALSE;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->asked++;
  if (!fb_document_get_view (self->doc) || !fb_document_get_selected (self->doc))
    {
      take_trace (self, NULL, _ ("Select a node"));
      return;
    }
  Asking *asking = g_new (Asking, 1);
  *asking = (Asking){ g_object_ref (self), self->asked };
  self->cancellable = g_cancellable_new ();
  fb_document_trace_async (self->doc, self->cancellable, traced, asking);
}

/* What is shown is of a row that goes. */
static void
row_changed (FbLineagePage *self)
{
  self->asked++;
  take_trace (self, NULL, "");
  update (self);
}

void
fb_lineage_page_set_document (FbLineagePage *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_LINEAGE_PAGE (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "selected", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}

guint
fb_lineage_page_get_n_links (FbLineagePage *self)
{
  g_return_val_if_fail (FB_IS_LINEAGE_PAGE (self), 0);
  return self->trace ? self->trace->links->len : 0;
}

void
fb_lineage_page_open_link (FbLineagePage *self, guint i)
{
  g_return_if_fail (FB_IS_LINEAGE_PAGE (self) && i < fb_lineage_page_get_n_links (self));
  go_to_link (self, i);
}

/* --- the widget --- */

static void
fb_lineage_page_map (GtkWidget *widget)
{
  FbLineagePage *self = FB_LINEAGE_PAGE (widget);
  GTK_WIDGET_CLASS (fb_lineage_page_parent_class)->map (widget);
  if (self->stale && self->doc)
    update (self);
}

static void
fb_lineage_page_dispose (GObject *object)
{
  FbLineagePage *self = FB_LINEAGE_PAGE (object);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->stack)
    gtk_widget_unparent (GTK_WIDGET (self->stack));
  self->stack = NULL;
  g_clear_object (&self->rows);
  g_clear_pointer (&self->trace, fb_trace_free);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_lineage_page_parent_class)->dispose (object);
}

static void
fb_lineage_page_class_init (FbLineagePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_lineage_page_dispose;
  widget_class->map = fb_lineage_page_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_list (FbLineagePage *self)
{
  self->rows = fb_index_model_new ();
  self->list = GTK_LIST_VIEW (gtk_list_view_new (NULL, NULL));
  GtkSelectionModel *selection = GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->rows))));
  gtk_list_view_set_model (self->list, selection);
  g_object_unref (selection);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind), self, 0);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_single_click_activate (self->list, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "fb-rows");
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "fb-links");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Lineage"), -1);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->list));
  gtk_widget_set_vexpand (scrolled, TRUE);
  return scrolled;
}

static void
fb_lineage_page_init (FbLineagePage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->stale = TRUE;
  self->drawing = g_object_new (FB_TYPE_LINEAGE_DRAWING, NULL);
  g_signal_connect_object (self->drawing, "picked", G_CALLBACK (card_picked), self, G_CONNECT_SWAPPED);
  self->scrolled = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());
  gtk_scrolled_window_set_child (self->scrolled, GTK_WIDGET (self->drawing));
  gtk_scrolled_window_set_propagate_natural_height (self->scrolled, TRUE);
  gtk_scrolled_window_set_max_content_height (self->scrolled, 260);
  gtk_widget_add_css_class (GTK_WIDGET (self->scrolled), "fb-lineage");
  /* the node asked for stays in the middle of what is seen */
  g_signal_connect_object (gtk_scrolled_window_get_vadjustment (self->scrolled), "changed", G_CALLBACK (show_focus),
                           self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->scrolled));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), new_list (self));
  self->none = GTK_LABEL (fb_label_new ("", "fb-dim", NULL));
  gtk_label_set_wrap (self->none, TRUE);
  gtk_widget_set_valign (GTK_WIDGET (self->none), GTK_ALIGN_START);
  gtk_widget_set_margin_top (GTK_WIDGET (self->none), 14);
  gtk_widget_set_margin_start (GTK_WIDGET (self->none), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (self->none), 12);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
  gtk_stack_add_named (self->stack, GTK_WIDGET (self->none), "none");
  gtk_stack_add_named (self->stack, box, "lineage");
}
