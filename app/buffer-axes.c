/* Which part of an array of many axes is seen. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/buffer-page.h"
#include "app/cli/count.h"
#include "app/section.h"
#include "app/tip.h"

struct _FbBufferAxes
{
  GtkWidget parent_instance;
  FbBufferView *view;
  GtkBox *box;
  GtkEditable *shape;
  GtkDropDown *rows, *columns;
  GtkGrid *others;
  GtkWidget *choices;
  gboolean quiet; /* what changes is set by us */
};

G_DEFINE_FINAL_TYPE (FbBufferAxes, fb_buffer_axes, GTK_TYPE_WIDGET)

static void
axis_chosen (FbBufferAxes *self, GParamSpec *spec, GtkDropDown *which)
{
  const FbSlice *shown = fb_buffer_view_get_slice (self->view);
  guint at = gtk_drop_down_get_selected (which);
  if (self->quiet || !shown || at == GTK_INVALID_LIST_POSITION)
    return;
  FbSlice slice = *shown;
  if (which == self->rows)
    fb_slice_set_rows (&slice, at);
  else
    fb_slice_set_columns (&slice, at);
  fb_buffer_view_set_slice (self->view, &slice);
}

static void
slid (FbBufferAxes *self, GtkAdjustment *adjustment)
{
  const FbSlice *shown = fb_buffer_view_get_slice (self->view);
  guint axis = GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (adjustment), "axis"));
  if (self->quiet || !shown)
    return;
  FbSlice slice = *shown;
  slice.at[axis] = (gint64) gtk_adjustment_get_value (adjustment);
  self->quiet = TRUE; /* the sliders stay under the pointer */
  fb_buffer_view_set_slice (self->view, &slice);
  self->quiet = FALSE;
}

static void
shape_entered (FbBufferAxes *self)
{
  const char *text = gtk_editable_get_text (self->shape);
  if (fb_buffer_view_set_shape (self->view, text))
    gtk_widget_remove_css_class (GTK_WIDGET (self->shape), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->shape), "error");
}

static char *
axis_name (const FbSlice *slice, guint axis)
{
  /* Translators: the number of an axis, how long it is */
  return g_strdup_printf (_ ("axis %u (%s)"), axis, fb_count (slice->shape[axis]));
}

/* Does the list hold the axes as they are? Another one in its place would make it choose again. */
static gboolean
has_axes (GListModel *names, const FbSlice *slice)
{
  gboolean same = names && g_list_model_get_n_items (names) == slice->n_dims;
  for (guint i = 0; i < slice->n_dims && same; i++)
    {
      g_autofree char *name = axis_name (slice, i);
      same = !strcmp (gtk_string_list_get_string (GTK_STRING_LIST (names), i), name);
    }
  return same;
}

static void
fill_choice (GtkDropDown *choice, const FbSlice *slice, int axis)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  for (guint i = 0; i < slice->n_dims; i++)
    gtk_string_list_take (names, axis_name (slice, i));
  if (!has_axes (gtk_drop_down_get_model (choice), slice))
    gtk_drop_down_set_model (choice, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (choice, axis < 0 ? GTK_INVALID_LIST_POSITION : (guint) axis);
}

static void
add_slider (FbBufferAxes *self, const FbSlice *slice, guint axis, int row)
{
  GtkAdjustment *adjustment = gtk_adjustment_new ((double) slice->at[axis], 0, (double) (slice->shape[axis] - 1), 1,
                                                  MAX (1, (double) slice->shape[axis] / 10), 0);
  g_autofree char *name = axis_name (slice, axis);
  GtkWidget *label = fb_label_new (name, "fb-dim", NULL);
  GtkWidget *scale = gtk_scale_new (GTK_ORIENTATION_HORIZONTAL, adjustment);
  GtkWidget *spin = gtk_spin_button_new (adjustment, 1, 0);
  g_object_set_data (G_OBJECT (adjustment), "axis", GUINT_TO_POINTER (axis));
  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (slid), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (scale), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (spin), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_size_request (scale, 150, -1);
  gtk_grid_attach (self->others, label, 0, row, 1, 1);
  gtk_grid_attach (self->others, scale, 1, row, 1, 1);
  gtk_grid_attach (self->others, spin, 2, row, 1, 1);
}

static void
refresh (FbBufferAxes *self)
{
  const FbSlice *slice = fb_buffer_view_get_slice (self->view);
  GtkWidget *child;
  int row = 0;
  if (self->quiet)
    return;
  gtk_widget_set_sensitive (GTK_WIDGET (self), slice != NULL);
  if (!slice)
    return;
  self->quiet = TRUE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->others))))
    gtk_grid_remove (self->others, child);
  g_autofree char *shape = fb_shape_text (slice->n_dims, slice->shape);
  gtk_editable_set_text (self->shape, shape);
  gtk_widget_remove_css_class (GTK_WIDGET (self->shape), "error");
  gtk_widget_set_visible (self->choices, slice->n_dims > 1);
  fill_choice (self->rows, slice, slice->rows);
  fill_choice (self->columns, slice, slice->columns);
  for (guint i = 0; i < slice->n_dims; i++)
    if ((int) i != slice->rows && (int) i != slice->columns && slice->shape[i] > 1)
      add_slider (self, slice, i, row++);
  self->quiet = FALSE;
}

void
fb_buffer_axes_set_view (FbBufferAxes *self, FbBufferView *view)
{
  g_return_if_fail (FB_IS_BUFFER_AXES (self) && !self->view);
  self->view = g_object_ref (view);
  g_signal_connect_object (view, "changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "sliced", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  refresh (self);
}

static void
fb_buffer_axes_dispose (GObject *object)
{
  FbBufferAxes *self = FB_BUFFER_AXES (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (fb_buffer_axes_parent_class)->dispose (object);
}

static void
fb_buffer_axes_class_init (FbBufferAxesClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_buffer_axes_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
add_choice (GtkGrid *grid, int row, const char *name, GtkWidget *choice)
{
  GtkWidget *label = fb_label_new (name, "fb-dim", NULL);
  gtk_widget_set_halign (label, GTK_ALIGN_START);
  gtk_widget_set_hexpand (choice, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_grid_attach (grid, label, 0, row, 1, 1);
  gtk_grid_attach (grid, choice, 1, row, 1, 1);
}

static void
fb_buffer_axes_init (FbBufferAxes *self)
{
  GtkGrid *grid = GTK_GRID (gtk_grid_new ()), *choices = GTK_GRID (gtk_grid_new ());
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 8));
  GtkWidget *shape = gtk_entry_new ();
  self->shape = GTK_EDITABLE (shape);
  fb_tip_set (shape, _ ("As it is to be looked at: 64×64, or 64×-1"));
  self->rows = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  self->columns = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  self->others = GTK_GRID (gtk_grid_new ());
  GtkGrid *grids[] = { grid, choices, self->others };
  for (guint i = 0; i < G_N_ELEMENTS (grids); i++)
    {
      gtk_grid_set_column_spacing (grids[i], 12);
      gtk_grid_set_row_spacing (grids[i], 6);
      gtk_box_append (self->box, GTK_WIDGET (grids[i]));
    }
  self->choices = GTK_WIDGET (choices);
  add_choice (grid, 0, _ ("Shape"), shape);
  add_choice (choices, 0, _ ("Rows"), GTK_WIDGET (self->rows));
  add_choice (choices, 1, _ ("Columns"), GTK_WIDGET (self->columns));
  g_signal_connect_object (shape, "activate", G_CALLBACK (shape_entered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rows, "notify::selected", G_CALLBACK (axis_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->columns, "notify::selected", G_CALLBACK (axis_chosen), self, G_CONNECT_SWAPPED);
  gtk_widget_set_margin_top (GTK_WIDGET (self->box), 6);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->box), 6);
  gtk_widget_set_margin_start (GTK_WIDGET (self->box), 6);
  gtk_widget_set_margin_end (GTK_WIDGET (self->box), 6);
  gtk_widget_set_parent (GTK_WIDGET (self->box), GTK_WIDGET (self));
}
