/* Kernels of a run, and buffers of a kernel, as tables. */
#include "app/run-list-private.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/text-scale.h"

/* Rows of the buffers' table that are seen without scrolling. */
#define MOST_BUFFERS 6

enum
{
  KERNEL,
  WRITES,
  TIMES, /* the first of FB_RUN_LIST_TIMES */
};
enum
{
  ACCESS,
  NAME,
  TYPE,
  MARKS,
  N_BUFFER_COLUMNS,
};

guint
fb_run_list_n_done (const FbRun *run)
{
  return g_atomic_int_get (&run->n_done);
}

/* "64 NaN, 1 Inf": what is no plain number in a buffer; "" for nothing. */
static char *
marks_text (const FbValueStats *stats)
{
  if (!stats)
    return g_strdup ("");
  GString *text = g_string_new (NULL);
  gint64 infinite = stats->plus_inf + stats->minus_inf;
  if (stats->nan > 0)
    g_string_append_printf (text, "▨ %s NaN", fb_count (stats->nan));
  if (infinite > 0)
    g_string_append_printf (text, "%s▲ %s Inf", text->len ? ", " : "", fb_count (infinite));
  return g_string_free (text, FALSE);
}

/* --- kernels --- */

static char *
kernel_text (guint row, guint column, gpointer data)
{
  FbRunList *self = data;
  if (column == KERNEL)
    return g_strdup_printf (_ ("kernel %u"), row + 1);
  const FbRun *first = self->runs->len ? g_ptr_array_index (self->runs, 0) : NULL;
  if (!first || !first->record)
    return g_strdup ("");
  if (column == WRITES)
    {
      const FbRecordKernel *kernel = fb_record_kernel (first->record, row);
      for (guint i = 0; i < kernel->n_buffers; i++)
        if (kernel->written[i])
          return g_strdup (first->buffers[kernel->buffers[i]].name);
      return g_strdup ("");
    }
  const FbRun *run = column - TIMES < self->runs->len ? g_ptr_array_index (self->runs, column - TIMES) : NULL;
  if (!run || !run->record || row >= run->n_kernels)
    return g_strdup ("—");
  if (row < fb_run_list_n_done (run))
    return fb_run_time_text (fb_record_kernel (run->record, row)->seconds);
  return g_strdup (run->error && row == fb_run_list_n_done (run) ? _ ("stopped") : "—");
}

static double
kernel_value (guint row, guint column, gpointer data)
{
  FbRunList *self = data;
  const FbRun *run
      = column >= TIMES && column - TIMES < self->runs->len ? g_ptr_array_index (self->runs, column - TIMES) : NULL;
  if (column < TIMES)
    return row;
  return run && run->record && row < fb_run_list_n_done (run) ? fb_record_kernel (run->record, row)->seconds : -1;
}

static void
kernel_selected (FbRunList *self, guint row)
{
  fb_buffer_view_set_kernel (self->view, row + 1);
}

void
fb_run_list_make_kernels (FbRunList *self)
{
  FbTableColumn columns[TIMES + FB_RUN_LIST_TIMES] = {
    [KERNEL] = { _ ("Kernel"), 0, TRUE, FALSE },
    [WRITES] = { _ ("Writes"), 52, FALSE, TRUE },
  };
  guint n = TIMES;
  for (guint i = 0; i < self->runs->len && i < FB_RUN_LIST_TIMES; i++)
    {
      const FbRun *run = g_ptr_array_index (self->runs, i);
      g_autofree char *title = g_strdup_printf ("%s µs", fb_backend_name (run->backend));
      columns[n++] = (FbTableColumn){ g_intern_string (title), 78, TRUE, TRUE };
    }
  const FbTableCells cells = { kernel_text, kernel_value, self };
  if (self->kernels)
    gtk_box_remove (self->kernels_place, GTK_WIDGET (self->kernels));
  self->kernels = FB_TABLE (fb_table_new (_ ("Kernels of the run"), n, columns, &cells));
  gtk_widget_set_vexpand (GTK_WIDGET (self->kernels), TRUE);
  gtk_widget_set_size_request (GTK_WIDGET (self->kernels), -1, (int) (88 * fb_text_scale ()));
  g_signal_connect_object (self->kernels, "selected", G_CALLBACK (kernel_selected), self, G_CONNECT_SWAPPED);
  gtk_box_append (self->kernels_place, GTK_WIDGET (self->kernels));
}

/* --- buffers --- */

static guint
buffer_at (FbRunList *self, guint row)
{
  const FbRun *run = fb_buffer_view_get_run (self->view);
  guint kernel = fb_buffer_view_get_kernel (self->view);
  return fb_record_kernel (run->record, kernel - 1)->buffers[g_array_index (self->entries, guint, row)];
}

static char *
buffer_text (guint row, guint column, gpointer data)
{
  FbRunList *self = data;
  const FbRun *run = fb_buffer_view_get_run (self->view);
  guint kernel = fb_buffer_view_get_kernel (self->view);
  if (!run || !run->record || !kernel || row >= self->entries->len)
    return g_strdup ("");
  const FbRecordKernel *facts = fb_record_kernel (run->record, kernel - 1);
  guint argument = g_array_index (self->entries, guint, row), buffer = facts->buffers[argument];
  switch (column)
    {
    case ACCESS:
      /* Translators: whether a kernel reads a buffer, writes it, or both */
      return g_strdup (facts->written[argument] ? facts->read[argument] ? _ ("in/out") : _ ("out") : _ ("in"));
    case NAME:
      return g_strdup (run->buffers[buffer].name);
    case TYPE:
      return g_strdup (run->buffers[buffer].text);
    default:
      return marks_text (
          fb_record_stats (run->record, buffer, fb_buffer_view_get_after (self->view) ? kernel : kernel - 1));
    }
}

static double
buffer_value (guint row, guint column, gpointer data)
{
  return row;
}

static void
buffer_selected (FbRunList *self, guint row)
{
  if (row < self->entries->len)
    fb_buffer_view_set_buffer (self->view, buffer_at (self, row));
}

void
fb_run_list_list_buffers (FbRunList *self)
{
  const FbRun *run = fb_buffer_view_get_run (self->view);
  guint kernel = fb_buffer_view_get_kernel (self->view), selected = G_MAXUINT;
  g_array_set_size (self->entries, 0);
  if (run && run->ended && run->record && kernel)
    {
      const FbRecordKernel *facts = fb_record_kernel (run->record, kernel - 1);
      for (guint i = 0; i < facts->n_buffers; i++)
        {
          gboolean seen = FALSE;
          for (guint j = 0; j < self->entries->len && !seen; j++)
            seen = facts->buffers[g_array_index (self->entries, guint, j)] == facts->buffers[i];
          if (seen)
            continue;
          if (facts->buffers[i] == fb_buffer_view_get_buffer (self->view))
            selected = self->entries->len;
          g_array_append_val (self->entries, i);
        }
    }
  g_autofree char *title = kernel ? g_strdup_printf (_ ("Buffers of kernel %u"), kernel) : g_strdup (_ ("Buffers"));
  gtk_label_set_label (self->buffers_title, title);
  fb_table_set_n_rows (self->buffers, self->entries->len);
  fb_table_select (self->buffers, selected);
  guint rows = CLAMP (self->entries->len, 1, MOST_BUFFERS);
  gtk_widget_set_size_request (GTK_WIDGET (self->buffers), -1, (int) (24.5 * rows * fb_text_scale ()));
}

void
fb_run_list_make_buffers (FbRunList *self)
{
  static const FbTableColumn columns[N_BUFFER_COLUMNS] = {
    [ACCESS] = { NULL, 54, FALSE, FALSE },
    [NAME] = { NULL, 50, FALSE, TRUE },
    [TYPE] = { NULL, 0, FALSE, TRUE },
    [MARKS] = { NULL, -1, FALSE, FALSE },
  };
  const FbTableCells cells = { buffer_text, buffer_value, self };
  self->buffers = FB_TABLE (fb_table_new (_ ("Buffers of the kernel"), N_BUFFER_COLUMNS, columns, &cells));
  fb_table_hide_head (self->buffers);
  g_signal_connect_object (self->buffers, "selected", G_CALLBACK (buffer_selected), self, G_CONNECT_SWAPPED);
}
