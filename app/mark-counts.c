#include "app/mark-counts.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/glyph.h"
#include "viz/graph-shown.h"

/* In the order they are shown. */
static const FbMark order[] = { FB_MARK_REPLACED, FB_MARK_NEW, FB_MARK_REBUILT, FB_MARK_GONE };

struct _FbMarkCounts
{
  GtkWidget parent_instance;
  GtkWidget *groups[G_N_ELEMENTS (order)];
  GtkLabel *numbers[G_N_ELEMENTS (order)];
  GtkLabel *same;
};

G_DEFINE_FINAL_TYPE (FbMarkCounts, fb_mark_counts, GTK_TYPE_WIDGET)

static const char *
word (FbMark mark)
{
  switch (mark)
    {
    case FB_MARK_REPLACED:
      return _ ("replaced");
    case FB_MARK_NEW:
      return _ ("new");
    case FB_MARK_REBUILT:
      return _ ("rebuilt");
    case FB_MARK_GONE:
      return _ ("gone");
    default:
      return _ ("same");
    }
}

void
fb_mark_counts_set_graph (FbMarkCounts *self, FbGraph *graph)
{
  fb_mark_counts_set_graphs (self, graph, NULL);
}

void
fb_mark_counts_set_graphs (FbMarkCounts *self, FbGraph *graph, FbGraph *left)
{
  g_return_if_fail (FB_IS_MARK_COUNTS (self));
  gtk_widget_set_visible (GTK_WIDGET (self), graph != NULL);
  if (!graph)
    return;
  guint n_hidden = fb_graph_n_hidden (graph);
  graph = fb_graph_get_whole (graph);
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      guint n = graph->n_marks[order[i]];
      if (left && (order[i] == FB_MARK_REPLACED || order[i] == FB_MARK_GONE))
        n = left->n_marks[order[i]];
      gtk_label_set_label (self->numbers[i], fb_count (n));
      gtk_widget_set_visible (self->groups[i], n > 0);
    }
  g_autofree char *folded = g_strdup_printf (_ (", %s folded in"), fb_count (graph->n_folded));
  /* Translators: nodes that the person took out of the picture */
  g_autofree char *hidden = g_strdup_printf (_ (", %s hidden"), fb_count (n_hidden));
  /* Folded nodes never change: a change of theirs is one of the card they are in. */
  g_autofree char *same = g_strdup_printf ("%s <b>%s</b>%s%s", word (FB_MARK_SAME),
                                           fb_count (graph->n_marks[FB_MARK_SAME] + graph->n_folded),
                                           graph->n_folded ? folded : "", n_hidden ? hidden : "");
  gtk_label_set_markup (self->same, same);
}

static void
fb_mark_counts_dispose (GObject *object)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (fb_mark_counts_parent_class)->dispose (object);
}

static void
fb_mark_counts_class_init (FbMarkCountsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_mark_counts_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
fb_mark_counts_init (FbMarkCounts *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (widget)), 14);
  gtk_widget_set_can_target (widget, FALSE);
  gtk_widget_add_css_class (widget, "fb-counts");
  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    {
      GtkWidget *group = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);
      gtk_box_append (GTK_BOX (group), fb_glyph_new_mark (order[i]));
      gtk_box_append (GTK_BOX (group), gtk_label_new (word (order[i])));
      GtkWidget *number = gtk_label_new (NULL);
      gtk_widget_add_css_class (number, "fb-strong");
      gtk_box_append (GTK_BOX (group), number);
      gtk_widget_set_parent (group, widget);
      self->groups[i] = group;
      self->numbers[i] = GTK_LABEL (number);
    }
  GtkWidget *same = gtk_label_new (NULL);
  gtk_widget_add_css_class (same, "fb-dim");
  gtk_widget_set_parent (same, widget);
  gtk_label_set_ellipsize (GTK_LABEL (same), PANGO_ELLIPSIZE_END);
  self->same = GTK_LABEL (same);
  gtk_widget_set_visible (widget, FALSE);
}
