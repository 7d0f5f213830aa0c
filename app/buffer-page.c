#include "app/buffer-page.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/buffer-grid.h"
#include "app/buffer-heat.h"
#include "app/buffer-stats.h"
#include "app/run-list.h"

struct _FbBufferPage
{
  GtkWidget parent_instance;
  GtkStack *stack, *heat_stack;
  GtkLabel *empty, *name, *words;
  GtkWidget *run_button;
  FbRunList *list;
  GtkLabel *shape;
  GtkMenuButton *shape_button;
  GtkPopover *shape_popover;
  GtkButton *moment;
  FbBufferHeat *heat;
  FbBufferStats *stats;
  GtkEditable *slice;
  GtkDropDown *format;
  GtkScrolledWindow *grid_scrolled;
  FbBufferGrid *grid;
  FbBufferWorst *worst;
  FbBufferView *view;
  GtkPopover *editor;
  GtkEditable *edited; /* in it */
};

G_DEFINE_FINAL_TYPE (FbBufferPage, fb_buffer_page, GTK_TYPE_WIDGET)

static const FbValueFormat formats[] = { FB_VALUE_DECIMAL, FB_VALUE_EXACT, FB_VALUE_HEX, FB_VALUE_BITS };

/* --- showing --- */

static void
show_seen (FbBufferPage *self)
{
  gint64 row, column, n_rows, n_columns;
  fb_buffer_grid_get_seen (self->grid, &row, &column, &n_rows, &n_columns);
  fb_buffer_heat_set_seen (self->heat, row, column, n_rows, n_columns);
}

static void
show_element (FbBufferPage *self)
{
  gint64 element = fb_buffer_view_get_element (self->view), row, column;
  const FbSlice *shown = fb_buffer_view_get_slice (self->view);
  FbSlice slice;
  if (!shown || element < 0)
    {
      fb_buffer_heat_set_cell (self->heat, -1, -1, NULL);
      return;
    }
  slice = *shown;
  fb_slice_find (&slice, element, &row, &column);
  guint type = fb_buffer_view_get_scalar (self->view);
  const guint8 *data = g_bytes_get_data (fb_buffer_view_get_data (self->view, NULL), NULL);
  char value[FB_VALUE_TEXT];
  fb_value_text (type, data + (gsize) element * fb_scalar_size ((FbScalarType) type), FB_VALUE_EXACT, value);
  g_autofree char *index = fb_slice_index_text (&slice, element);
  g_autofree char *text = g_strdup_printf ("%s %s", index, value);
  fb_buffer_heat_set_cell (self->heat, row, column, text);
  if (fb_buffer_grid_get_element (self->grid) != element)
    fb_buffer_grid_go_to (self->grid, row, column);
}

static void
show_slice (FbBufferPage *self)
{
  const FbSlice *slice = fb_buffer_view_get_slice (self->view);
  fb_buffer_grid_set (self->grid, fb_buffer_view_get_scalar (self->view), fb_buffer_view_get_data (self->view, NULL),
                      slice);
  fb_buffer_heat_set_slice (self->heat, slice);
  g_autofree char *text = slice ? fb_slice_text (slice) : NULL;
  gtk_editable_set_text (self->slice, text ? text : "");
  gtk_widget_remove_css_class (GTK_WIDGET (self->slice), "error");
  guint width, height, ink;
  fb_buffer_heat_get_size (self->heat, &width, &height, &ink);
  fb_buffer_view_set_size (self->view, width, height, ink);
  show_seen (self);
  show_element (self);
}

static void
show_head (FbBufferPage *self)
{
  const FbRun *run = fb_buffer_view_get_run (self->view);
  guint kernel = fb_buffer_view_get_kernel (self->view), buffer = fb_buffer_view_get_buffer (self->view);
  const FbSlice *slice = fb_buffer_view_get_slice (self->view);
  const FbProbed *probed = fb_buffer_view_get_probed (self->view);
  gboolean known = run && kernel && buffer < run->n_buffers;
  g_autofree char *name = known ? g_strdup (run->buffers[buffer].name) : g_strdup ("");
  g_autofree char *shape = slice ? fb_shape_text (slice->n_dims, slice->shape) : g_strdup ("");
  g_autofree char *type = known ? g_strdup_printf ("%s %s", run->buffers[buffer].type, shape) : g_strdup ("");
  g_autofree char *moment = !known                                  ? g_strdup ("")
                            : fb_buffer_view_get_after (self->view) ? g_strdup_printf (_ ("after kernel %u"), kernel)
                                                                    : g_strdup_printf (_ ("before kernel %u"), kernel);
  gtk_label_set_label (self->name, name);
  gtk_label_set_label (self->shape, type);
  gtk_button_set_label (self->moment, moment);
  if (!probed)
    return;
  g_autofree char *probed_type = g_strdup_printf ("%s %s", fb_scalar_name (probed->type), shape);
  g_autofree char *place
      = probed->kernel ? g_strdup_printf (_ ("in kernel %u"), probed->kernel) : g_strdup (_ ("in the graph"));
  gtk_label_set_label (self->name, probed->name);
  gtk_label_set_label (self->shape, probed_type);
  gtk_button_set_label (self->moment, place);
}

static void
changed (FbBufferPage *self)
{
  FbRuns *runs = fb_buffer_view_get_runs (self->view);
  const FbRun *run = fb_buffer_view_get_run (self->view);
  const char *error, *refusal = fb_runs_get_refusal (runs);
  gboolean can = fb_runs_can_run (runs);
  GBytes *data = fb_buffer_view_get_data (self->view, &error);
  gtk_label_set_label (self->empty, refusal ? refusal
                                    : can   ? _ ("No kernel has run yet.")
                                            : _ ("This row has no kernels to run."));
  gtk_widget_set_visible (self->run_button, can);
  gtk_stack_set_visible_child_name (self->stack, run || fb_runs_get_current (runs) ? "page" : "empty");
  gtk_stack_set_visible_child_name (self->heat_stack, data ? "heat" : "words");
  gtk_label_set_label (self->words, error                       ? error
                                    : fb_runs_is_running (runs) ? _ ("Buffers can be looked at when the run has ended.")
                                                                : "");
  show_head (self);
  show_slice (self);
}

static void
sliced (FbBufferPage *self)
{
  show_head (self);
  show_slice (self);
}

static void
seen (FbBufferPage *self)
{
  const FbBufferSight *sight = fb_buffer_view_get_sight (self->view);
  gboolean difference = sight->facts->compared && fb_buffer_view_get_difference (self->view);
  gboolean below = !difference && sight->facts->stats.any_finite && sight->facts->stats.min < 0;
  fb_buffer_heat_set_picture (self->heat, sight->picture, below ? -sight->most : 0, sight->most);
}

/* --- what the person does --- */

static void
grid_moved (FbBufferPage *self)
{
  fb_buffer_view_set_element (self->view, fb_buffer_grid_get_element (self->grid));
}

/* --- editing an element of an input --- */

static void
edit_entered (FbBufferPage *self)
{
  guint input = fb_buffer_view_get_input (self->view);
  gint64 element = fb_buffer_view_get_element (self->view);
  const char *text = gtk_editable_get_text (self->edited);
  guint8 value[8];
  if (input == G_MAXUINT || element < 0 || !fb_value_parse (fb_buffer_view_get_scalar (self->view), text, value))
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->edited), "error");
      return;
    }
  fb_run_inputs_edit (fb_runs_get_inputs (fb_buffer_view_get_runs (self->view)), input, element, text);
  gtk_popover_popdown (self->editor);
  /* the buffer is what the last run had: only another one has the new value */
  gtk_widget_activate_action (GTK_WIDGET (self), "win.run", NULL);
  gtk_widget_grab_focus (GTK_WIDGET (self->grid));
}

gboolean
fb_buffer_page_edit_element (FbBufferPage *self)
{
  g_return_val_if_fail (FB_IS_BUFFER_PAGE (self), FALSE);
  gint64 element = fb_buffer_grid_get_element (self->grid);
  char text[FB_VALUE_TEXT];
  GdkRectangle cell;
  double x, y;
  if (element < 0 || fb_buffer_view_get_input (self->view) == G_MAXUINT)
    return FALSE;
  guint type = fb_buffer_view_get_scalar (self->view);
  const guint8 *data = g_bytes_get_data (fb_buffer_view_get_data (self->view, NULL), NULL);
  fb_value_text (type, data + (gsize) element * fb_scalar_size ((FbScalarType) type), FB_VALUE_EXACT, text);
  fb_buffer_grid_get_cell (self->grid, &cell);
  gtk_widget_translate_coordinates (GTK_WIDGET (self->grid), GTK_WIDGET (self), cell.x, cell.y, &x, &y);
  cell.x = (int) x;
  cell.y = (int) y;
  gtk_editable_set_text (self->edited, text);
  gtk_widget_remove_css_class (GTK_WIDGET (self->edited), "error");
  gtk_popover_set_pointing_to (self->editor, &cell);
  gtk_popover_popup (self->editor);
  gtk_editable_select_region (self->edited, 0, -1);
  return TRUE;
}

void
fb_buffer_page_show_axes (FbBufferPage *self)
{
  g_return_if_fail (FB_IS_BUFFER_PAGE (self));
  if (fb_buffer_view_get_slice (self->view))
    gtk_menu_button_popup (self->shape_button);
}

static void
heat_chosen (FbBufferPage *self, gint64 row, gint64 column)
{
  const FbSlice *slice = fb_buffer_view_get_slice (self->view);
  if (slice)
    fb_buffer_view_set_element (self->view, fb_slice_element (slice, row, column));
}

static void
heat_resized (FbBufferPage *self)
{
  guint width, height, ink;
  fb_buffer_heat_get_size (self->heat, &width, &height, &ink);
  if (self->view)
    fb_buffer_view_set_size (self->view, width, height, ink);
}

static void
slice_entered (FbBufferPage *self)
{
  const FbSlice *shown = fb_buffer_view_get_slice (self->view);
  gint64 row, column;
  if (!shown)
    return;
  FbSlice slice = *shown;
  if (!fb_slice_parse (&slice, gtk_editable_get_text (self->slice), &row, &column))
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->slice), "error");
      return;
    }
  fb_buffer_view_set_slice (self->view, &slice);
  fb_buffer_view_set_element (self->view, fb_slice_element (&slice, row, column));
  gtk_widget_grab_focus (GTK_WIDGET (self->grid));
}

static void
format_chosen (FbBufferPage *self)
{
  guint at = gtk_drop_down_get_selected (self->format);
  if (at < G_N_ELEMENTS (formats))
    fb_buffer_grid_set_format (self->grid, formats[at]);
  show_seen (self);
}

static void
style_changed (FbBufferPage *self)
{
  if (self->view)
    fb_buffer_view_set_dark (self->view, adw_style_manager_get_dark (adw_style_manager_get_default ()));
}

/* --- the widget --- */

void
fb_buffer_page_set_view (FbBufferPage *self, FbBufferView *view)
{
  g_return_if_fail (FB_IS_BUFFER_PAGE (self) && !self->view);
  self->view = g_object_ref (view);
  fb_run_list_set_view (self->list, view);
  fb_buffer_stats_set_view (self->stats, view);
  fb_buffer_worst_set_view (self->worst, view);
  FbBufferAxes *axes = g_object_new (FB_TYPE_BUFFER_AXES, NULL);
  fb_buffer_axes_set_view (axes, view);
  gtk_popover_set_child (self->shape_popover, GTK_WIDGET (axes));
  g_signal_connect_object (view, "changed", G_CALLBACK (changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "sliced", G_CALLBACK (sliced), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "seen", G_CALLBACK (seen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "moved", G_CALLBACK (show_element), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fb_buffer_view_get_runs (view), "changed", G_CALLBACK (changed), self, G_CONNECT_SWAPPED);
  style_changed (self);
  changed (self);
}

static void
fb_buffer_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_buffer_page_parent_class)->map (widget);
  if (FB_BUFFER_PAGE (widget)->view)
    fb_buffer_view_set_watched (FB_BUFFER_PAGE (widget)->view, TRUE);
}

static void
fb_buffer_page_unmap (GtkWidget *widget)
{
  if (FB_BUFFER_PAGE (widget)->view)
    fb_buffer_view_set_watched (FB_BUFFER_PAGE (widget)->view, FALSE);
  GTK_WIDGET_CLASS (fb_buffer_page_parent_class)->unmap (widget);
}

static gboolean
fb_buffer_page_grab_focus (GtkWidget *widget)
{
  FbBufferPage *self = FB_BUFFER_PAGE (widget);
  if (!g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "empty"))
    return gtk_widget_grab_focus (self->run_button);
  return gtk_widget_grab_focus (GTK_WIDGET (self->grid));
}

static void
fb_buffer_page_dispose (GObject *object)
{
  FbBufferPage *self = FB_BUFFER_PAGE (object);
  GtkWidget *child;
  if (self->editor)
    gtk_widget_unparent (GTK_WIDGET (self->editor));
  self->editor = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (fb_buffer_page_parent_class)->dispose (object);
}

static void
fb_buffer_page_class_init (FbBufferPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_buffer_page_dispose;
  widget_class->map = fb_buffer_page_map;
  widget_class->unmap = fb_buffer_page_unmap;
  widget_class->grab_focus = fb_buffer_page_grab_focus;
  g_type_ensure (FB_TYPE_RUN_LIST);
  g_type_ensure (FB_TYPE_BUFFER_HEAT);
  g_type_ensure (FB_TYPE_BUFFER_GRID);
  g_type_ensure (FB_TYPE_BUFFER_STATS);
  g_type_ensure (FB_TYPE_BUFFER_WORST);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "buffer-page.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, FbBufferPage, name)
  BIND (stack);
  BIND (heat_stack);
  BIND (empty);
  BIND (run_button);
  BIND (name);
  BIND (words);
  BIND (list);
  BIND (shape);
  BIND (shape_button);
  BIND (shape_popover);
  BIND (moment);
  BIND (heat);
  BIND (stats);
  BIND (slice);
  BIND (format);
  BIND (grid_scrolled);
  BIND (grid);
  BIND (worst);
#undef BIND
}

static void
fb_buffer_page_init (FbBufferPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *entry = gtk_entry_new ();
  GtkWidget *set = gtk_button_new_with_label (_ ("Run with this"));
  self->editor = GTK_POPOVER (gtk_popover_new ());
  self->edited = GTK_EDITABLE (entry);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Value of the element"),
                                  -1);
  gtk_box_append (GTK_BOX (box), entry);
  gtk_box_append (GTK_BOX (box), set);
  gtk_popover_set_child (self->editor, box);
  gtk_widget_set_parent (GTK_WIDGET (self->editor), GTK_WIDGET (self));
  g_signal_connect_object (entry, "activate", G_CALLBACK (edit_entered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (set, "clicked", G_CALLBACK (edit_entered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->grid, "activated", G_CALLBACK (fb_buffer_page_edit_element), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->grid, "moved", G_CALLBACK (grid_moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->heat, "chosen", G_CALLBACK (heat_chosen), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->heat, "resized", G_CALLBACK (heat_resized), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->slice, "activate", G_CALLBACK (slice_entered), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->format, "notify::selected", G_CALLBACK (format_chosen), self, G_CONNECT_SWAPPED);
  GtkAdjustment *adjustments[] = { gtk_scrolled_window_get_hadjustment (self->grid_scrolled),
                                   gtk_scrolled_window_get_vadjustment (self->grid_scrolled) };
  for (guint i = 0; i < G_N_ELEMENTS (adjustments); i++)
    {
      g_signal_connect_object (adjustments[i], "value-changed", G_CALLBACK (show_seen), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (adjustments[i], "changed", G_CALLBACK (show_seen), self, G_CONNECT_SWAPPED);
    }
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (style_changed), self,
                           G_CONNECT_SWAPPED);
}
