#include "app/verdict-list.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/section.h"
#include "app/table.h"

struct _FbVerdictList
{
  GtkWidget parent_instance;
  FbDocument *doc;
  FbTable *table;
};

G_DEFINE_FINAL_TYPE (FbVerdictList, fb_verdict_list, GTK_TYPE_WIDGET)

typedef enum
{
  NUMBER,
  NODE,
  REASON,
  N_COLUMNS,
} Column;

static const FbVerdictFacts *
facts_of (FbVerdictList *self, guint row)
{
  const FbRowView *view = self->doc ? fb_document_get_row (self->doc) : NULL;
  const FbRowWhy *why = view ? view->why : NULL;
  return why && row < why->n_realized + why->n_fused ? &why->verdicts[row] : NULL;
}

static char *
cell_text (guint row, guint column, gpointer data)
{
  const FbVerdictFacts *verdict = facts_of (data, row);
  if (!verdict)
    return g_strdup ("");
  switch ((Column) column)
    {
    case NUMBER:
      return g_strdup (verdict->realized ? fb_count (row + 1) : "");
    case NODE:
      return g_strdup (verdict->text);
    default:
      return g_strdup (verdict->realized ? verdict->reason : _ ("fused"));
    }
}

static double
cell_value (guint row, guint column, gpointer data)
{
  return row;
}

static void
row_selected (FbVerdictList *self, guint row)
{
  const FbVerdictFacts *verdict = facts_of (self, row);
  const FbStepView *view = fb_document_get_view (self->doc);
  if (!verdict || !view || fb_graph_find (view->scene->graph, verdict->node) == FB_GRAPH_NONE)
    return;
  fb_document_select (self->doc, verdict->node);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.inspector-tab", "s", "why");
  gtk_widget_activate_action (GTK_WIDGET (self), "win.reveal", NULL);
}

/* What is selected elsewhere is selected here. */
static void
follow (FbVerdictList *self)
{
  const FbUop *selected = fb_document_get_selected (self->doc);
  guint row = fb_table_get_selected (self->table), at = G_MAXUINT;
  const FbVerdictFacts *verdict;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (row != G_MAXUINT && (verdict = facts_of (self, row)) && verdict->node == selected)
    return;
  for (guint i = 0; selected && at == G_MAXUINT && (verdict = facts_of (self, i)); i++)
    if (verdict->node == selected)
      at = i;
  fb_table_select (self->table, at);
}

void
fb_verdict_list_update (FbVerdictList *self)
{
  g_return_if_fail (FB_IS_VERDICT_LIST (self));
  const FbRowView *view = fb_document_get_row (self->doc);
  fb_table_set_n_rows (self->table, view && view->why ? view->why->n_realized + view->why->n_fused : 0);
}

void
fb_verdict_list_set_document (FbVerdictList *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_VERDICT_LIST (self) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (fb_verdict_list_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (fb_verdict_list_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "selected", G_CALLBACK (follow), self, G_CONNECT_SWAPPED);
}

static void
fb_verdict_list_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_verdict_list_parent_class)->map (widget);
  follow (FB_VERDICT_LIST (widget));
}

static void
fb_verdict_list_dispose (GObject *object)
{
  FbVerdictList *self = FB_VERDICT_LIST (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_verdict_list_parent_class)->dispose (object);
}

static void
fb_verdict_list_class_init (FbVerdictListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_verdict_list_dispose;
  widget_class->map = fb_verdict_list_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fb_verdict_list_init (FbVerdictList *self)
{
  const FbTableColumn columns[N_COLUMNS] = {
    [NUMBER] = { "", 44, TRUE, FALSE },
    [NODE] = { _ ("Node"), 0, FALSE, TRUE },
    [REASON] = { _ ("Verdict"), 84, FALSE, FALSE },
  };
  const FbTableCells cells = { cell_text, cell_value, self };
  self->table = FB_TABLE (fb_table_new (_ ("Verdicts"), N_COLUMNS, columns, &cells));
  g_signal_connect_object (self->table, "selected", G_CALLBACK (row_selected), self, G_CONNECT_SWAPPED);
  gtk_widget_set_parent (GTK_WIDGET (self->table), GTK_WIDGET (self));
}
