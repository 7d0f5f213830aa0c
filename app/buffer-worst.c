/* Where two buffers are farthest apart. */
#include <glib/gi18n.h>
#include <math.h>

#include "app/buffer-stats.h"
#include "app/cli/count.h"
#include "app/section.h"
#include "app/table.h"
#include "app/text-scale.h"
#include "app/tip.h"

enum
{
  INDEX,
  MINE,
  OTHER,
  ABSOLUTE,
  RELATIVE,
  ULP,
  N_COLUMNS,
};

struct _FbBufferWorst
{
  GtkWidget parent_instance;
  FbBufferView *view;
  GtkBox *box;
  GtkLabel *title, *note, *special;
  FbTable *table;
};

G_DEFINE_FINAL_TYPE (FbBufferWorst, fb_buffer_worst, GTK_TYPE_WIDGET)

static const FbValueComparison *
comparison_of (FbBufferWorst *self)
{
  const FbBufferFacts *facts = self->view ? fb_buffer_view_get_facts (self->view) : NULL;
  return facts && facts->compared && fb_buffer_view_get_slice (self->view) ? &facts->comparison : NULL;
}

static char *
value_text (FbBufferWorst *self, GBytes *data, gint64 element)
{
  char text[FB_VALUE_TEXT];
  guint type = fb_buffer_view_get_scalar (self->view);
  fb_value_text (
      type, (const guint8 *) g_bytes_get_data (data, NULL) + (gsize) element * fb_scalar_size ((FbScalarType) type),
      FB_VALUE_EXACT, text);
  return g_strdup (text);
}

static char *
distance_text (double distance)
{
  return isfinite (distance) ? g_strdup_printf ("%.2g", distance) : g_strdup ("—");
}

static char *
cell_text (guint row, guint column, gpointer data)
{
  FbBufferWorst *self = data;
  const FbValueComparison *c = comparison_of (self);
  if (!c || row >= c->n_worst)
    return g_strdup ("");
  const FbValueDifference *d = &c->worst[row];
  switch (column)
    {
    case INDEX:
      return fb_slice_index_text (fb_buffer_view_get_slice (self->view), d->element);
    case MINE:
      return value_text (self, fb_buffer_view_get_data (self->view, NULL), d->element);
    case OTHER:
      return value_text (self, fb_buffer_view_get_other (self->view, NULL), d->element);
    case ABSOLUTE:
      return distance_text (d->abs);
    case RELATIVE:
      return distance_text (d->rel);
    default:
      return g_strdup (isfinite (d->abs) ? fb_count (d->ulp) : "—");
    }
}

static double
cell_value (guint row, guint column, gpointer data)
{
  const FbValueComparison *c = comparison_of (data);
  if (!c || row >= c->n_worst)
    return 0;
  const FbValueDifference *d = &c->worst[row];
  switch (column)
    {
    case MINE:
      return d->a;
    case OTHER:
      return d->b;
    case ABSOLUTE:
      return d->abs;
    case RELATIVE:
      return d->rel;
    case ULP:
      return (double) d->ulp;
    default:
      return (double) d->element;
    }
}

static void
row_selected (FbBufferWorst *self, guint row)
{
  const FbValueComparison *c = comparison_of (self);
  if (c && row < c->n_worst)
    fb_buffer_view_set_element (self->view, c->worst[row].element);
}

static void
show_words (FbBufferWorst *self, const FbValueComparison *c)
{
  const char *name = fb_buffer_view_get_name (self->view), *error;
  const char *against = fb_buffer_view_get_against_label (self->view, fb_buffer_view_get_against (self->view));
  fb_buffer_view_get_other (self->view, &error);
  /* Translators: one backend against another */
  g_autofree char *title = g_strdup_printf (_ ("%s against %s"), name ? name : "", against ? against : "");
  g_autofree char *note = NULL;
  gtk_label_set_label (self->title, title);
  if (error)
    note = g_strdup (error);
  else if (c && c->n_differ == 0)
    note = g_strdup_printf (ngettext ("%s element, the same", "%s elements, all the same", (gulong) c->size),
                            fb_count (c->size));
  else if (c)
    {
      g_autofree char *first = fb_slice_index_text (fb_buffer_view_get_slice (self->view), c->first);
      g_autofree char *differ = g_strdup (fb_count (c->n_differ));
      /* Translators: how many of how many, an index, a distance */
      note = g_strdup_printf (_ ("%s of %s differ, first at %s, largest %.2g"), differ, fb_count (c->size), first,
                              c->max_abs);
    }
  gtk_label_set_label (self->note, note ? note : "");
  fb_tip_set (GTK_WIDGET (self->note), note);
  g_autofree char *special = NULL;
  if (c && c->n_special_differ > 0)
    special = g_strdup_printf (ngettext ("%s place is NaN or infinite in one of them only.",
                                         "%s places are NaN or infinite in one of them only.",
                                         (gulong) c->n_special_differ),
                               fb_count (c->n_special_differ));
  else if (c && c->n_special > 0)
    special = g_strdup_printf (ngettext ("NaN and Inf stand at the same %s place in both.",
                                         "NaN and Inf stand at the same %s places in both.", (gulong) c->n_special),
                               fb_count (c->n_special));
  gtk_label_set_label (self->special, special ? special : "");
  gtk_widget_set_visible (GTK_WIDGET (self->special), special != NULL);
}

static void
refresh (FbBufferWorst *self)
{
  const FbValueComparison *c = comparison_of (self);
  gboolean compares = fb_buffer_view_get_against (self->view) > 0 && fb_buffer_view_get_slice (self->view);
  gtk_widget_set_visible (GTK_WIDGET (self), compares);
  fb_table_set_n_rows (self->table, c ? c->n_worst : 0);
  gtk_widget_set_visible (GTK_WIDGET (self->table), c && c->n_worst > 0);
  if (compares)
    show_words (self, c);
}

void
fb_buffer_worst_set_view (FbBufferWorst *self, FbBufferView *view)
{
  g_return_if_fail (FB_IS_BUFFER_WORST (self) && !self->view);
  self->view = g_object_ref (view);
  g_signal_connect_object (view, "seen", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  refresh (self);
}

static void
fb_buffer_worst_dispose (GObject *object)
{
  FbBufferWorst *self = FB_BUFFER_WORST (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (fb_buffer_worst_parent_class)->dispose (object);
}

static void
fb_buffer_worst_class_init (FbBufferWorstClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_buffer_worst_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
fb_buffer_worst_init (FbBufferWorst *self)
{
  const FbTableColumn columns[N_COLUMNS] = {
    [INDEX] = { _ ("Index"), 78, FALSE, TRUE },    [MINE] = { _ ("This"), 98, TRUE, TRUE },
    [OTHER] = { _ ("The other"), 98, TRUE, TRUE }, [ABSOLUTE] = { _ ("Abs"), 62, TRUE, TRUE },
    [RELATIVE] = { _ ("Rel"), 62, TRUE, TRUE },    [ULP] = { _ ("ULP"), 62, TRUE, TRUE },
  };
  const FbTableCells cells = { cell_text, cell_value, self };
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  self->title = GTK_LABEL (fb_label_new (NULL, "fb-strong", NULL));
  self->note = GTK_LABEL (fb_label_new (NULL, "fb-dim", "fb-number"));
  gtk_widget_set_hexpand (GTK_WIDGET (self->note), TRUE);
  gtk_label_set_xalign (self->note, 1);
  gtk_label_set_ellipsize (self->note, PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->note));
  gtk_widget_add_css_class (head, "fb-panel-title");
  self->table = FB_TABLE (fb_table_new (_ ("Largest differences"), N_COLUMNS, columns, &cells));
  gtk_widget_set_size_request (GTK_WIDGET (self->table), -1, (int) (100 * fb_text_scale ()));
  g_signal_connect_object (self->table, "selected", G_CALLBACK (row_selected), self, G_CONNECT_SWAPPED);
  self->special = GTK_LABEL (fb_label_new (NULL, "fb-caption", "fb-dim"));
  gtk_label_set_xalign (self->special, 0);
  gtk_label_set_wrap (self->special, TRUE);
  gtk_widget_set_margin_start (GTK_WIDGET (self->special), 12);
  gtk_widget_set_margin_top (GTK_WIDGET (self->special), 4);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->special), 6);
  gtk_box_append (self->box, head);
  gtk_box_append (self->box, GTK_WIDGET (self->table));
  gtk_box_append (self->box, GTK_WIDGET (self->special));
  gtk_widget_set_parent (GTK_WIDGET (self->box), GTK_WIDGET (self));
}
