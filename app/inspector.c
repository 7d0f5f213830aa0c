#include "app/inspector.h"

#include "app/glyph.h"
#include "app/lineage-page.h"
#include "app/node-page.h"
#include "app/note-editor.h"
#include "app/rule-page.h"
#include "app/tip.h"
#include "app/why-page.h"

struct _FbInspector
{
  GtkWidget parent_instance;
  GtkWidget *identity;
  FbGlyph *kind;
  GtkLabel *op, *type, *key;
  GtkStack *stack;
  FbNodePage *node_page;
  FbRulePage *rule_page;
  FbLineagePage *lineage_page;
  FbWhyPage *why_page;
  FbNoteEditor *note;
  FbDocument *doc;
};

G_DEFINE_FINAL_TYPE (FbInspector, fb_inspector, GTK_TYPE_WIDGET)

static void
node_described (FbInspector *self)
{
  const FbNodeInfo *node = fb_document_get_node (self->doc);
  gtk_widget_set_visible (self->identity, node != NULL);
  fb_node_page_update (self->node_page);
  fb_why_page_update (self->why_page);
  if (!node)
    return;
  fb_glyph_set_kind (self->kind, node->kind);
  gtk_label_set_label (self->op, node->op);
  gtk_label_set_label (self->type, node->type);
  fb_tip_set (GTK_WIDGET (self->type), node->type);
  g_autofree char *short_key = g_strndup (node->key, 16);
  gtk_label_set_label (self->key, short_key);
}

static void
step_told (FbInspector *self)
{
  fb_rule_page_update (self->rule_page);
}

static void
file_opened (FbInspector *self)
{
  node_described (self);
  fb_rule_page_update (self->rule_page);
}

void
fb_inspector_set_tab (FbInspector *self, const char *tab)
{
  g_return_if_fail (FB_IS_INSPECTOR (self));
  gtk_stack_set_visible_child_name (self->stack, tab);
  fb_note_editor_set_about_node (self->note, g_strcmp0 (tab, "rule") != 0);
}

gboolean
fb_inspector_try (FbInspector *self)
{
  g_return_val_if_fail (FB_IS_INSPECTOR (self), FALSE);
  return fb_why_page_try (self->why_page);
}

void
fb_inspector_edit_note (FbInspector *self)
{
  g_return_if_fail (FB_IS_INSPECTOR (self));
  fb_note_editor_edit (self->note);
}

void
fb_inspector_flush_note (FbInspector *self)
{
  g_return_if_fail (FB_IS_INSPECTOR (self));
  fb_note_editor_flush (self->note);
}

gboolean
fb_inspector_copy_key (FbInspector *self)
{
  g_return_val_if_fail (FB_IS_INSPECTOR (self), FALSE);
  const FbNodeInfo *node = fb_document_get_node (self->doc);
  if (node)
    gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), node->key);
  return node != NULL;
}

void
fb_inspector_set_document (FbInspector *self, FbDocument *doc, FbScenarios *scenarios)
{
  g_return_if_fail (FB_IS_INSPECTOR (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  fb_node_page_set_document (self->node_page, doc);
  fb_rule_page_set_document (self->rule_page, doc);
  fb_lineage_page_set_document (self->lineage_page, doc);
  fb_why_page_set_document (self->why_page, doc, scenarios);
  fb_note_editor_set_document (self->note, doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (file_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "node-described", G_CALLBACK (node_described), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "step-told", G_CALLBACK (step_told), self, G_CONNECT_SWAPPED);
  node_described (self);
}

static void
fb_inspector_dispose (GObject *object)
{
  FbInspector *self = FB_INSPECTOR (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_inspector_parent_class)->dispose (object);
}

static void
fb_inspector_class_init (FbInspectorClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_inspector_dispose;
  g_type_ensure (FB_TYPE_GLYPH);
  g_type_ensure (FB_TYPE_LINEAGE_PAGE);
  g_type_ensure (FB_TYPE_NODE_PAGE);
  g_type_ensure (FB_TYPE_NOTE_EDITOR);
  g_type_ensure (FB_TYPE_RULE_PAGE);
  g_type_ensure (FB_TYPE_WHY_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "inspector.ui");
  gtk_widget_class_bind_template_child (widget_class, FbInspector, identity);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, kind);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, op);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, type);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, key);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, stack);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, node_page);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, rule_page);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, lineage_page);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, why_page);
  gtk_widget_class_bind_template_child (widget_class, FbInspector, note);
}

static void
fb_inspector_init (FbInspector *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_stack_set_visible_child_name (self->stack, "rule");
}
