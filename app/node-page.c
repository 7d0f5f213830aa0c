#include "app/node-page.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/section.h"

struct _FbNodePage
{
  GtkWidget parent_instance;
  GtkStack *stack;
  GtkBox *box;
  FbDocument *doc;
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
add_facts (GtkBox *page, const FbNodeInfo *node)
{
  GtkGrid *keys = fb_section_add_keys (fb_section_add (page));
  fb_keys_add (keys, _ ("Op"), node->op, TRUE);
  fb_keys_add (keys, _ ("Dtype"), node->dtype, TRUE);
  if (node->shape)
    {
      fb_keys_add (keys, _ ("Shape"), node->shape, TRUE);
      if (node->size >= 0)
        fb_keys_add (keys, _ ("Elements"), fb_count (node->size), FALSE);
    }
  if (node->device)
    fb_keys_add (keys, _ ("Device"), node->device, TRUE);
  if (node->arg)
    fb_keys_add (keys, _ ("Arg"), node->arg, TRUE);
  fb_keys_add (keys, _ ("Change"), mark_text (node->mark), FALSE);
  fb_keys_add (keys, _ ("Key"), node->key, TRUE);
}

static void
add_views (GtkBox *page, const FbNodeInfo *node)
{
  if (!node->views->len)
    return;
  GtkBox *section = fb_section_add (page);
  g_autofree char *count = g_strdup_printf ("%u", node->views->len);
  fb_section_add_title (section, node->views->len == 1 ? _ ("View") : _ ("Views"),
                        node->views->len == 1 ? NULL : count);
  for (guint i = 0; i < node->views->len; i++)
    {
      const FbViewInfo *view = &g_array_index (node->views, FbViewInfo, i);
      GtkGrid *keys = fb_section_add_keys (section);
      if (i)
        gtk_widget_set_margin_top (GTK_WIDGET (keys), 6);
      fb_keys_add (keys, _ ("Shape"), view->shape, TRUE);
      fb_keys_add (keys, _ ("Strides"), view->strides, TRUE);
      fb_keys_add (keys, _ ("Offset"), view->offset, TRUE);
      fb_keys_add (keys, _ ("Mask"), view->mask ? view->mask : _ ("none"), view->mask != NULL);
      fb_keys_add (keys, _ ("Contiguous"), view->contiguous ? _ ("yes") : _ ("no"), FALSE);
    }
}

static void
add_links (FbNodePage *self, const char *title, const GArray *links, guint n, gboolean numbered)
{
  GtkBox *section = fb_section_add (self->box);
  fb_section_add_title (section, title, fb_count (n));
  if (!n)
    return;
  GtkWidget *rows = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (section, rows);
  for (guint i = 0; i < links->len; i++)
    {
      const FbNodeLink *link = &g_array_index (links, FbNodeLink, i);
      g_autofree char *lead = numbered ? g_strdup_printf ("%u", i) : NULL;
      gtk_box_append (GTK_BOX (rows), fb_node_row_new (self->doc, lead, link));
    }
  if (links->len < n)
    {
      g_autofree char *more = g_strdup_printf (_ ("and %s more"), fb_count (n - links->len));
      gtk_box_append (section, fb_label_new (more, "fb-caption", "fb-dim"));
    }
}

static void
refresh (FbNodePage *self)
{
  const FbNodeInfo *node = fb_document_get_node (self->doc);
  fb_box_clear (self->box);
  gtk_stack_set_visible_child_name (self->stack, node ? "node" : "none");
  if (!node)
    return;
  add_facts (self->box, node);
  add_views (self->box, node);
  add_links (self, _ ("Sources"), node->sources, node->n_sources, TRUE);
  add_links (self, _ ("Users"), node->users, node->n_users, FALSE);
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
fb_node_page_class_init (FbNodePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_node_page_dispose;
  widget_class->map = fb_node_page_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fb_node_page_init (FbNodePage *self)
{
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
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
