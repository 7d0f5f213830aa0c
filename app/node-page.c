#include "app/node-page.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/section.h"

/* Values of what fb_keys_add() returns. */
typedef struct
{
  GtkGrid *keys;
  GtkWidget *shape, *strides, *offset, *mask, *contiguous;
} ViewRows;

typedef struct
{
  GtkBox *section, *rows;
  GtkLabel *more;
} Links;

struct _FbNodePage
{
  GtkWidget parent_instance;
  GtkStack *stack;
  GtkBox *box;
  FbDocument *doc;

  /* Kept from node to node: making widgets takes longer than making a step. */
  GtkWidget *op, *dtype, *shape, *elements, *device, *arg, *change, *key;
  GtkBox *views_section;
  GArray *views; /* of ViewRows; those beyond the node's are hidden */
  Links sources, users;
};

G_DEFINE_FINAL_TYPE (FbNodePage, fb_node_page, GTK_TYPE_WIDGET)

static const char *
mark_text (FbMark mark)
{
  switch (mark)
    {
    case FB_MARK_REPLACED:
      return _ ("replaced by this step");
    case FB_MARK_NEW:
      return _ ("new in this step");
    case FB_MARK_REBUILT:
      return _ ("rebuilt: same op, new sources");
    case FB_MARK_GONE:
      return _ ("gone: no longer reached after this step");
    default:
      return _ ("not changed by this step");
    }
}

static void
show_facts (FbNodePage *self, const FbNodeInfo *node)
{
  fb_keys_set (self->op, node->op);
  fb_keys_set (self->dtype, node->dtype);
  fb_keys_set (self->shape, node->shape);
  fb_keys_set (self->elements, node->shape && node->size >= 0 ? fb_count (node->size) : NULL);
  fb_keys_set (self->device, node->device);
  fb_keys_set (self->arg, node->arg);
  fb_keys_set (self->change, mark_text (node->mark));
  fb_keys_set (self->key, node->key);
}

static void
add_view (FbNodePage *self)
{
  ViewRows rows;
  rows.keys = fb_section_add_keys (self->views_section);
  if (self->views->len)
    gtk_widget_set_margin_top (GTK_WIDGET (rows.keys), 6);
  rows.shape = fb_keys_add (rows.keys, _ ("Shape"), "", TRUE);
  rows.strides = fb_keys_add (rows.keys, _ ("Strides"), "", TRUE);
  rows.offset = fb_keys_add (rows.keys, _ ("Offset"), "", TRUE);
  rows.mask = fb_keys_add (rows.keys, _ ("Mask"), "", TRUE);
  rows.contiguous = fb_keys_add (rows.keys, _ ("Contiguous"), "", FALSE);
  g_array_append_val (self->views, rows);
}

static void
show_views (FbNodePage *self, const FbNodeInfo *node)
{
  guint n = node->views->len;
  fb_section_set_visible (self->views_section, n > 0);
  fb_section_set_title (self->views_section, n == 1 ? _ ("View") : _ ("Views"), n > 1 ? fb_count (n) : "");
  while (self->views->len < n)
    add_view (self);
  for (guint i = 0; i < self->views->len; i++)
    {
      const ViewRows *rows = &g_array_index (self->views, ViewRows, i);
      gtk_widget_set_visible (GTK_WIDGET (rows->keys), i < n);
      if (i >= n)
        continue;
      const FbViewInfo *view = &g_array_index (node->views, FbViewInfo, i);
      fb_keys_set (rows->shape, view->shape);
      fb_keys_set (rows->strides, view->strides);
      fb_keys_set (rows->offset, view->offset);
      fb_keys_set (rows->mask, view->mask ? view->mask : _ ("none"));
      if (view->mask)
        gtk_widget_add_css_class (rows->mask, "fb-code");
      else
        gtk_widget_remove_css_class (rows->mask, "fb-code");
      fb_keys_set (rows->contiguous, view->contiguous ? _ ("yes") : _ ("no"));
    }
}

/* @links are the first of @n. */
static void
show_links (FbNodePage *self, const Links *shown, const char *title, const GArray *links, guint n, gboolean numbered)
{
  fb_section_set_title (shown->section, title, fb_count (n));
  fb_node_rows_set (shown->rows, self->doc, links, numbered);
  gtk_widget_set_visible (GTK_WIDGET (shown->rows), links->len > 0);
  g_autofree char *more = g_strdup_printf (_ ("and %s more"), fb_count (n - links->len));
  gtk_label_set_label (shown->more, more);
  gtk_widget_set_visible (GTK_WIDGET (shown->more), links->len < n);
}

static void
refresh (FbNodePage *self)
{
  const FbNodeInfo *node = fb_document_get_node (self->doc);
  gtk_stack_set_visible_child_name (self->stack, node ? "node" : "none");
  if (!node)
    return;
  show_facts (self, node);
  show_views (self, node);
  show_links (self, &self->sources, _ ("Sources"), node->sources, node->n_sources, TRUE);
  show_links (self, &self->users, _ ("Users"), node->users, node->n_users, FALSE);
}

void
fb_node_page_update (FbNodePage *self)
{
  g_return_if_fail (FB_IS_NODE_PAGE (self));
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    refresh (self);
}

/* What was not seen was not kept up to date. */
static void
fb_node_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_node_page_parent_class)->map (widget);
  refresh (FB_NODE_PAGE (widget));
}

void
fb_node_page_set_document (FbNodePage *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_NODE_PAGE (self) && !self->doc);
  self->doc = g_object_ref (doc);
}

static void
fb_node_page_dispose (GObject *object)
{
  FbNodePage *self = FB_NODE_PAGE (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_node_page_parent_class)->dispose (object);
}

static void
fb_node_page_finalize (GObject *object)
{
  g_array_unref (FB_NODE_PAGE (object)->views);
  G_OBJECT_CLASS (fb_node_page_parent_class)->finalize (object);
}

static void
fb_node_page_class_init (FbNodePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_node_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_node_page_finalize;
  widget_class->map = fb_node_page_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
make_facts (FbNodePage *self)
{
  GtkGrid *keys = fb_section_add_keys (fb_section_add (self->box));
  self->op = fb_keys_add (keys, _ ("Op"), "", TRUE);
  self->dtype = fb_keys_add (keys, _ ("Dtype"), "", TRUE);
  self->shape = fb_keys_add (keys, _ ("Shape"), "", TRUE);
  self->elements = fb_keys_add (keys, _ ("Elements"), "", FALSE);
  self->device = fb_keys_add (keys, _ ("Device"), "", TRUE);
  self->arg = fb_keys_add (keys, _ ("Arg"), "", TRUE);
  self->change = fb_keys_add (keys, _ ("Change"), "", FALSE);
  self->key = fb_keys_add (keys, _ ("Key"), "", TRUE);
}

static Links
make_links (FbNodePage *self)
{
  Links links = { .section = fb_section_add (self->box) };
  fb_section_add_title (links.section, "", "");
  links.rows = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (links.section, GTK_WIDGET (links.rows));
  links.more = GTK_LABEL (fb_label_new ("", "fb-caption", "fb-dim"));
  gtk_box_append (links.section, GTK_WIDGET (links.more));
  return links;
}

static void
fb_node_page_init (FbNodePage *self)
{
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  self->views = g_array_new (FALSE, FALSE, sizeof (ViewRows));
  make_facts (self);
  self->views_section = fb_section_add (self->box);
  fb_section_add_title (self->views_section, "", "");
  self->sources = make_links (self);
  self->users = make_links (self);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->box));
  gtk_stack_add_named (self->stack, scrolled, "node");
  GtkWidget *none = fb_label_new (_ ("Select a node"), "fb-dim", NULL);
  gtk_widget_set_halign (none, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (none, GTK_ALIGN_START);
  gtk_widget_set_margin_top (none, 24);
  gtk_stack_add_named (self->stack, none, "none");
  gtk_stack_set_visible_child_name (self->stack, "none");
}
