#include "app/kernel-table.h"

#include <glib/gi18n.h>
#include <math.h>

#include "app/cli/why-text.h"
#include "app/cli/count.h"
#include "app/section.h"
#include "app/table.h"

struct _FbKernelTable
{
  GtkWidget parent_instance;
  FbDocument *doc;
  FbRuns *runs;
  FbTable *table;
  FbUop *wanted; /* to be selected when the pass that has it is on the screen; of the row */
  GtkLabel *totals;
  GtkStack *stack;
};

G_DEFINE_FINAL_TYPE (FbKernelTable, fb_kernel_table, GTK_TYPE_WIDGET)

typedef enum
{
  KERNEL,
  STORES,
  TYPE,
  TIME, /* and the next three: of the run */
  MIN,
  MAX,
  NANS,
  OPS,
  READ,
  WRITTEN,
  FLOPS,
  INTENSITY,
  RECOMPUTE,
  LIVES,
  CREATED,
  N_COLUMNS,
} Column;

static const FbRowWhy *
current (FbKernelTable *self)
{
  const FbRowView *row = self->doc ? fb_document_get_row (self->doc) : NULL;
  return row ? row->why : NULL;
}

static const FbKernelFacts *
facts_of (FbKernelTable *self, guint row)
{
  const FbRowWhy *why = current (self);
  return why && row < why->n_kernels ? &why->kernels[row] : NULL;
}

/* The kernel of the run that is looked at, once it has run; NULL otherwise. */
static const FbRecordKernel *
run_of (FbKernelTable *self, guint row)
{
  const FbRun *run = self->runs ? fb_runs_get_current (self->runs) : NULL;
  return run && run->record && row < (guint) g_atomic_int_get (&run->n_done) ? fb_record_kernel (run->record, row)
                                                                             : NULL;
}

static double
run_value (const FbRecordKernel *kernel, Column column)
{
  if (!kernel)
    return -INFINITY;
  return column == TIME  ? kernel->seconds
         : column == MIN ? kernel->stats.min
         : column == MAX ? kernel->stats.max
                         : (double) kernel->stats.nan;
}

/* A dash for what is not known. */
static char *
run_text (const FbRecordKernel *kernel, Column column)
{
  if (!kernel || (column != TIME && kernel->kind == FB_STEP_VIEW))
    return g_strdup ("—");
  if (column == TIME)
    return fb_run_time_text (kernel->seconds);
  if (column == NANS)
    return g_strdup (fb_count (kernel->stats.nan));
  return kernel->stats.any_finite ? g_strdup_printf ("%.6g", run_value (kernel, column)) : g_strdup ("—");
}

static double
intensity (gint64 flops, gint64 bytes)
{
  return bytes > 0 ? (double) flops / (double) bytes : 0;
}

static double
cell_value (guint row, guint column, gpointer data)
{
  const FbKernelFacts *k = facts_of (data, row);
  if (!k)
    return 0;
  switch ((Column) column)
    {
    case READ:
      return (double) k->bytes_read;
    case WRITTEN:
      return (double) k->bytes_written;
    case FLOPS:
      return (double) k->flops;
    case INTENSITY:
      return intensity (k->flops, k->bytes_read + k->bytes_written);
    case RECOMPUTE:
      return k->recompute;
    case TIME:
    case MIN:
    case MAX:
    case NANS:
      return run_value (run_of (data, row), (Column) column);
    default:
      return k->kernel;
    }
}

static char *
lives_text (const FbKernelFacts *k)
{
  if (k->output)
    return g_strdup (_ ("output"));
  /* Translators: until when a buffer is needed */
  return k->last_used ? g_strdup_printf (_ ("to kernel %u"), k->last_used) : g_strdup (_ ("not read"));
}

static char *
cell_text (guint row, guint column, gpointer data)
{
  const FbKernelFacts *k = facts_of (data, row);
  if (!k)
    return g_strdup ("");
  switch ((Column) column)
    {
    case KERNEL:
      return g_strdup_printf (_ ("kernel %u"), k->kernel);
    case STORES:
      return g_strdup (k->op);
    case TYPE:
      return g_strdup (k->type);
    case OPS:
      return g_strdup (k->ops);
    case TIME:
    case MIN:
    case MAX:
    case NANS:
      return run_text (run_of (data, row), (Column) column);
    case READ:
      return g_strdup (fb_count (k->bytes_read));
    case WRITTEN:
      return g_strdup (fb_count (k->bytes_written));
    case FLOPS:
      return g_strdup (fb_count (k->flops));
    case INTENSITY:
      return g_strdup_printf ("%.2f", intensity (k->flops, k->bytes_read + k->bytes_written));
    case RECOMPUTE:
      return g_strdup_printf ("×%.3g", k->recompute);
    case LIVES:
      return lives_text (k);
    default:
      return *k->location ? g_strdup_printf ("%s, %s", k->reason, k->location) : g_strdup (k->reason);
    }
}

char *
fb_kernel_table_to_text (FbKernelTable *self)
{
  g_return_val_if_fail (FB_IS_KERNEL_TABLE (self), NULL);
  const FbRowWhy *why = current (self);
  if (!why || !why->n_kernels)
    return NULL;
  GString *text = g_string_new (NULL);
  for (guint row = 0; row < why->n_kernels; row++)
    for (guint column = 0; column < N_COLUMNS; column++)
      {
        g_autofree char *cell = cell_text (row, column, self);
        g_string_append_printf (text, "%s%c", cell, column + 1 < N_COLUMNS ? '\t' : '\n');
      }
  return g_string_free (text, FALSE);
}

static void
show_totals (FbKernelTable *self, const FbRowWhy *why)
{
  const char *read = fb_count (why->bytes_read), *written = fb_count (why->bytes_written);
  const char *flops = fb_count (why->flops), *peak = fb_count (why->peak_bytes);
  /* Translators: kernels, bytes, bytes, operations, operations a byte, bytes */
  g_autofree char *text = g_strdup_printf (
      ngettext ("%s kernel · %s bytes read · %s written · %s FLOPs · %.2f FLOPs/byte · at most %s bytes at a time",
                "%s kernels · %s bytes read · %s written · %s FLOPs · %.2f FLOPs/byte · at most %s bytes at a time",
                why->n_kernels),
      fb_count (why->n_kernels), read, written, flops, intensity (why->flops, why->bytes_read + why->bytes_written),
      peak);
  gtk_label_set_label (self->totals, text);
}

static void
refresh (FbKernelTable *self)
{
  const FbRowWhy *why = current (self);
  self->wanted = NULL;
  fb_table_set_n_rows (self->table, why ? why->n_kernels : 0);
  gtk_stack_set_visible_child_name (self->stack, why && why->n_kernels ? "table" : "none");
  if (why)
    show_totals (self, why);
}

/* Numbers of the run are new; the selection stays. */
static void
run_changed (FbKernelTable *self)
{
  const FbRun *run = fb_runs_get_current (self->runs);
  const FbRowWhy *why = current (self);
  guint selected = fb_table_get_selected (self->table);
  for (guint column = TIME; column <= NANS; column++)
    fb_table_show_column (self->table, column, run != NULL);
  fb_table_set_n_rows (self->table, why ? why->n_kernels : 0);
  fb_table_select (self->table, selected);
}

void
fb_kernel_table_set_runs (FbKernelTable *self, FbRuns *runs)
{
  g_return_if_fail (FB_IS_KERNEL_TABLE (self) && !self->runs);
  self->runs = g_object_ref (runs);
  g_signal_connect_object (runs, "changed", G_CALLBACK (run_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (runs, "progressed", G_CALLBACK (run_changed), self, G_CONNECT_SWAPPED);
  run_changed (self);
}

static gboolean
select_node (FbKernelTable *self, FbUop *node)
{
  const FbStepView *view = fb_document_get_view (self->doc);
  if (!view || fb_graph_find (view->scene->graph, node) == FB_GRAPH_NONE)
    return FALSE;
  fb_document_select (self->doc, node);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.reveal", NULL);
  return TRUE;
}

/* Selects what the kernel stores, in this graph or in that of the pass that decides. */
static void
row_selected (FbKernelTable *self, guint row)
{
  const FbKernelFacts *k = facts_of (self, row);
  self->wanted = NULL;
  if (!k || select_node (self, k->stored) || fb_document_get_row (self->doc)->n_passes < 2)
    return;
  self->wanted = k->stored;
  fb_document_jump (self->doc, 1, 0);
}

gboolean
fb_kernel_table_select (FbKernelTable *self, guint kernel)
{
  g_return_val_if_fail (FB_IS_KERNEL_TABLE (self), FALSE);
  if (!kernel || !facts_of (self, kernel - 1))
    return FALSE;
  fb_table_select (self->table, kernel - 1);
  row_selected (self, kernel - 1);
  return TRUE;
}

/* Every picture ends with a selection: then the one asked for is made, once. */
static void
selected (FbKernelTable *self)
{
  const FbStepView *view = fb_document_get_view (self->doc);
  FbUop *wanted = view && view->pass == 1 ? g_steal_pointer (&self->wanted) : NULL;
  if (wanted)
    select_node (self, wanted);
}

/* Into the passes over that kernel. */
static void
row_activated (FbKernelTable *self, guint row)
{
  const FbKernelFacts *k = facts_of (self, row);
  const FbRowView *view = fb_document_get_row (self->doc);
  for (guint i = 0; k && i < view->n_passes; i++)
    if (view->passes[i].kernel == k->kernel)
      {
        fb_document_jump (self->doc, i, 0);
        return;
      }
}

void
fb_kernel_table_set_document (FbKernelTable *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_KERNEL_TABLE (self) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "selected", G_CALLBACK (selected), self, G_CONNECT_SWAPPED);
  refresh (self);
}

static gboolean
fb_kernel_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (FB_KERNEL_TABLE (widget)->table));
}

static void
fb_kernel_table_dispose (GObject *object)
{
  FbKernelTable *self = FB_KERNEL_TABLE (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->doc);
  g_clear_object (&self->runs);
  G_OBJECT_CLASS (fb_kernel_table_parent_class)->dispose (object);
}

static void
fb_kernel_table_class_init (FbKernelTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_kernel_table_dispose;
  widget_class->grab_focus = fb_kernel_table_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fb_kernel_table_init (FbKernelTable *self)
{
  const FbTableColumn columns[N_COLUMNS] = {
    [KERNEL] = { _ ("Kernel"), 84, TRUE, FALSE },
    [STORES] = { _ ("Stores"), 116, FALSE, TRUE },
    [TYPE] = { _ ("Type"), 128, FALSE, TRUE },
    [TIME] = { _ ("Time, µs"), 84, TRUE, FALSE },
    [MIN] = { _ ("Min"), 88, TRUE, FALSE },
    [MAX] = { _ ("Max"), 88, TRUE, FALSE },
    [NANS] = { _ ("NaN"), 64, TRUE, FALSE },
    [OPS] = { _ ("Ops"), 0, FALSE, FALSE },
    [READ] = { _ ("Bytes read"), 96, TRUE, FALSE },
    [WRITTEN] = { _ ("Bytes written"), 104, TRUE, FALSE },
    [FLOPS] = { _ ("FLOPs"), 96, TRUE, FALSE },
    [INTENSITY] = { _ ("FLOPs/byte"), 84, TRUE, FALSE },
    [RECOMPUTE] = { _ ("Recompute"), 84, TRUE, FALSE },
    [LIVES] = { _ ("Buffer lives"), 100, FALSE, FALSE },
    [CREATED] = { _ ("Created by"), 210, FALSE, FALSE },
  };
  const FbTableCells cells = { cell_text, cell_value, self };
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->table = FB_TABLE (fb_table_new (_ ("Kernels"), N_COLUMNS, columns, &cells));
  g_signal_connect_object (self->table, "selected", G_CALLBACK (row_selected), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "activated", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  self->totals = GTK_LABEL (fb_label_new (NULL, "fb-totals", "fb-number"));
  gtk_label_set_ellipsize (self->totals, PANGO_ELLIPSIZE_END);
  gtk_label_set_selectable (self->totals, TRUE);
  gtk_widget_set_focusable (GTK_WIDGET (self->totals), FALSE);
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->table));
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->totals));
  GtkWidget *none = fb_label_new (_ ("This row has no kernels"), "fb-dim", NULL);
  gtk_widget_set_halign (none, GTK_ALIGN_CENTER);
  gtk_widget_set_valign (none, GTK_ALIGN_START);
  gtk_widget_set_margin_top (none, 24);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_named (self->stack, page, "table");
  gtk_stack_add_named (self->stack, none, "none");
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
}
