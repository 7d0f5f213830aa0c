#include "app/buffer-stats.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/buffer-histogram.h"
#include "app/cli/count.h"
#include "app/section.h"

struct _FbBufferStats
{
  GtkWidget parent_instance;
  FbBufferView *view;
  GtkLabel *bins;
  FbBufferHistogram *histogram;
  GtkWidget *spread;
  GtkBox *counts;
};

G_DEFINE_FINAL_TYPE (FbBufferStats, fb_buffer_stats, GTK_TYPE_WIDGET)

static void
add_row (GtkGrid *grid, const char *name, const char *value)
{
  int row = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (grid)); child;
       child = gtk_widget_get_next_sibling (child))
    row++;
  GtkWidget *key = fb_label_new (name, "fb-dim", NULL), *label = fb_label_new (value, "fb-number", NULL);
  gtk_widget_set_halign (key, GTK_ALIGN_START);
  gtk_widget_set_hexpand (key, TRUE);
  gtk_widget_set_halign (label, GTK_ALIGN_END);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  gtk_grid_attach (grid, key, 0, row / 2, 1, 1);
  gtk_grid_attach (grid, label, 1, row / 2, 1, 1);
}

static void
add_count (GtkGrid *grid, const char *name, gint64 count)
{
  add_row (grid, name, fb_count (count));
}

static void
add_number (GtkGrid *grid, const char *name, double number)
{
  g_autofree char *text = g_strdup_printf ("%.7g", number);
  add_row (grid, name, text);
}

static GtkGrid *
add_grid (FbBufferStats *self, const char *title)
{
  GtkWidget *head = fb_label_new (title, "fb-strong", NULL), *grid = gtk_grid_new ();
  gtk_widget_set_halign (head, GTK_ALIGN_START);
  gtk_widget_set_margin_bottom (head, 6);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 4);
  gtk_box_append (self->counts, head);
  gtk_box_append (self->counts, grid);
  return GTK_GRID (grid);
}

static void
add_stats (FbBufferStats *self, const FbValueStats *stats)
{
  GtkGrid *grid = add_grid (self, _ ("Statistics"));
  add_count (grid, _ ("elements"), stats->size);
  add_count (grid, _ ("finite"), stats->size - stats->nan - stats->plus_inf - stats->minus_inf);
  add_count (grid, "NaN", stats->nan);
  add_count (grid, "+Inf", stats->plus_inf);
  add_count (grid, "−Inf", stats->minus_inf);
  add_count (grid, _ ("negative"), stats->negative);
  add_count (grid, _ ("zero"), stats->zero);
  add_count (grid, _ ("denormal"), stats->denormal);
  if (!stats->any_finite)
    return;
  add_number (grid, _ ("min"), stats->min);
  add_number (grid, _ ("max"), stats->max);
  add_number (grid, _ ("mean"), stats->mean);
  add_number (grid, _ ("std"), stats->std);
}

static void
add_comparison (FbBufferStats *self, const FbValueComparison *c)
{
  const FbSlice *slice = fb_buffer_view_get_slice (self->view);
  const char *against = fb_buffer_view_get_against_label (self->view, fb_buffer_view_get_against (self->view));
  g_autofree char *title = g_strdup_printf (_ ("Against %s"), against);
  GtkGrid *grid = add_grid (self, title);
  add_count (grid, _ ("elements"), c->size);
  add_count (grid, _ ("differ"), c->n_differ);
  if (c->first >= 0)
    {
      g_autofree char *first = fb_slice_index_text (slice, c->first);
      add_row (grid, _ ("first"), first);
    }
  add_number (grid, _ ("largest absolute"), c->max_abs);
  add_number (grid, _ ("largest relative"), c->max_rel);
  add_count (grid, _ ("largest ULP"), (gint64) MIN (c->max_ulp, G_MAXINT64));
  add_count (grid, _ ("NaN or Inf in one"), c->n_special_differ);
}

static void
seen (FbBufferStats *self)
{
  const FbBufferFacts *facts = fb_buffer_view_get_facts (self->view);
  gboolean difference = facts && facts->compared && fb_buffer_view_get_difference (self->view);
  fb_buffer_histogram_set (self->histogram, facts ? &facts->histogram : NULL);
  gtk_widget_set_visible (self->spread, facts && !difference && facts->histogram.n_bins > 0);
  fb_box_clear (self->counts);
  if (!facts)
    return;
  g_autofree char *bins
      = g_strdup_printf (ngettext ("%u bin", "%u bins", facts->histogram.n_bins), facts->histogram.n_bins);
  gtk_label_set_label (self->bins, bins);
  if (difference)
    add_comparison (self, &facts->comparison);
  else
    add_stats (self, &facts->stats);
}

static void
changed (FbBufferStats *self)
{
  if (!fb_buffer_view_get_data (self->view, NULL))
    seen (self);
}

void
fb_buffer_stats_set_view (FbBufferStats *self, FbBufferView *view)
{
  g_return_if_fail (FB_IS_BUFFER_STATS (self) && !self->view);
  self->view = g_object_ref (view);
  g_signal_connect_object (view, "seen", G_CALLBACK (seen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed", G_CALLBACK (changed), self, G_CONNECT_SWAPPED);
}

static void
dispose_children (GtkWidget *widget)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (widget)))
    gtk_widget_unparent (child);
}

static void
fb_buffer_stats_dispose (GObject *object)
{
  dispose_children (GTK_WIDGET (object));
  g_clear_object (&FB_BUFFER_STATS (object)->view);
  G_OBJECT_CLASS (fb_buffer_stats_parent_class)->dispose (object);
}

static void
fb_buffer_stats_class_init (FbBufferStatsClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_buffer_stats_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
fb_buffer_stats_init (FbBufferStats *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new (), *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->spread = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (head), fb_label_new (_ ("Histogram"), "fb-strong", NULL));
  self->bins = GTK_LABEL (fb_label_new (NULL, "fb-dim", "fb-number"));
  gtk_widget_set_hexpand (GTK_WIDGET (self->bins), TRUE);
  gtk_widget_set_halign (GTK_WIDGET (self->bins), GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->bins));
  gtk_widget_set_margin_bottom (head, 4);
  self->histogram = g_object_new (FB_TYPE_BUFFER_HISTOGRAM, NULL);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->histogram), 14);
  gtk_box_append (GTK_BOX (self->spread), head);
  gtk_box_append (GTK_BOX (self->spread), GTK_WIDGET (self->histogram));
  self->counts = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (GTK_BOX (box), self->spread);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->counts));
  gtk_widget_add_css_class (box, "fb-buffer-part");
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), box);
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
  gtk_widget_set_visible (self->spread, FALSE);
}
