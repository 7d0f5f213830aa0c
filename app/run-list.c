#include "app/run-list.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/section.h"
#include "app/table.h"
#include "app/text-scale.h"

/* Times of no more runs side by side. */
#define MOST_TIMES 3
/* Rows of the buffers' table that are seen without scrolling. */
#define MOST_BUFFERS 6

enum
{
  KERNEL,
  WRITES,
  TIMES, /* the first of MOST_TIMES */
};
enum
{
  ACCESS,
  NAME,
  TYPE,
  MARKS,
  N_BUFFER_COLUMNS,
};

struct _FbRunList
{
  GtkWidget parent_instance;
  FbBufferView *view;
  GtkBox *box;
  GtkLabel *note, *error, *buffers_title, *nan;
  GtkWidget *nan_box;
  GtkBox *kernels_place;
  FbTable *kernels, *buffers;
  GPtrArray *runs; /* of FbRun: whose times are shown, and the one under way */
  guint backends;  /* of the table's columns, four bits each; they are made again when these change */
  GArray *entries; /* of guint: arguments of the kernel that are shown */
};

/* Px at the usual text size: what it can do with, what it would like. */
#define NARROWEST 236
#define WIDE 296

G_DEFINE_FINAL_TYPE (FbRunList, fb_run_list, GTK_TYPE_WIDGET)

static guint
n_done (const FbRun *run)
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
  if (row < n_done (run))
    return fb_run_time_text (fb_record_kernel (run->record, row)->seconds);
  return g_strdup (run->error && row == n_done (run) ? _ ("stopped") : "—");
}

static double
kernel_value (guint row, guint column, gpointer data)
{
  FbRunList *self = data;
  const FbRun *run
      = column >= TIMES && column - TIMES < self->runs->len ? g_ptr_array_index (self->runs, column - TIMES) : NULL;
  if (column < TIMES)
    return row;
  return run && run->record && row < n_done (run) ? fb_record_kernel (run->record, row)->seconds : -1;
}

static void
kernel_selected (FbRunList *self, guint row)
{
  fb_buffer_view_set_kernel (self->view, row + 1);
}

/* A table with a column for each run. */
static void
make_kernels (FbRunList *self)
{
  FbTableColumn columns[TIMES + MOST_TIMES] = {
    [KERNEL] = { _ ("Kernel"), 0, TRUE, FALSE },
    [WRITES] = { _ ("Writes"), 52, FALSE, TRUE },
  };
  guint n = TIMES;
  for (guint i = 0; i < self->runs->len && i < MOST_TIMES; i++)
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

/* Each buffer once, whatever it is used for. */
static void
list_buffers (FbRunList *self)
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

/* --- all of it --- */

static void
show_note (FbRunList *self)
{
  FbRuns *runs = fb_buffer_view_get_runs (self->view);
  const FbRun *run = fb_runs_get_current (runs);
  const char *refusal = fb_runs_get_refusal (runs);
  g_autofree char *note = NULL;
  if (run)
    {
      g_autofree char *done = g_strdup (fb_count (n_done (run)));
      g_autofree char *seed = g_strdup_printf ("%" G_GUINT64_FORMAT, run->seed);
      /* Translators: how many kernels have run, of how many; what inputs are filled from */
      note = g_strdup_printf (ngettext ("%s of %s kernel, seed %s", "%s of %s kernels, seed %s", run->n_kernels), done,
                              fb_count (run->n_kernels), seed);
    }
  gtk_label_set_label (self->note, note ? note : "");
  GString *words = g_string_new (refusal);
  if (run && run->ended && run->error)
    g_string_append (words, g_error_matches (run->error, G_IO_ERROR, G_IO_ERROR_CANCELLED)
                                ? _ ("Cancelled: what was computed until then is here.")
                                : run->error->message);
  if (run && run->asked != run->backend)
    g_string_append_printf (words, "%s%s", words->len ? "\n" : "", _ ("No C compiler found, the interpreter runs."));
  gtk_label_set_label (self->error, words->str);
  gtk_widget_set_visible (GTK_WIDGET (self->error), words->len > 0);
  g_string_free (words, TRUE);
}

static void
show_nan (FbRunList *self)
{
  guint kernel, buffer;
  gboolean found = fb_buffer_view_find_nan (self->view, &kernel, &buffer);
  gtk_widget_set_visible (self->nan_box, found);
  if (!found)
    return;
  const FbRun *run = fb_buffer_view_get_run (self->view);
  g_autofree char *words
      = g_strdup_printf (_ ("Kernel %u wrote the first into %s: %s of %s."), kernel, run->buffers[buffer].name,
                         fb_count (fb_record_kernel (run->record, kernel - 1)->stats.nan),
                         fb_count (fb_record_buffer (run->record, buffer)->size));
  gtk_label_set_label (self->nan, words);
}

static void
go_to_nan (FbRunList *self)
{
  guint kernel, buffer;
  if (!fb_buffer_view_find_nan (self->view, &kernel, &buffer))
    return;
  fb_buffer_view_set_kernel (self->view, kernel);
  fb_buffer_view_set_buffer (self->view, buffer);
  fb_buffer_view_set_after (self->view, TRUE);
}

static void
list_kernels (FbRunList *self)
{
  FbRun *run = fb_runs_get_current (fb_buffer_view_get_runs (self->view));
  fb_table_set_n_rows (self->kernels, run && run->record ? run->n_kernels : 0);
  fb_table_select (self->kernels, fb_buffer_view_get_kernel (self->view) - 1);
}

static void
runs_changed (FbRunList *self)
{
  FbRuns *runs = fb_buffer_view_get_runs (self->view);
  FbRun *current = fb_runs_get_current (runs);
  g_ptr_array_set_size (self->runs, 0);
  if (current)
    g_ptr_array_add (self->runs, fb_run_ref (current));
  for (guint i = 0; current && i < fb_runs_get_n (runs) && self->runs->len < MOST_TIMES; i++)
    {
      FbRun *run = fb_runs_get (runs, i);
      if (run != current && run->backend != current->backend && !g_strcmp0 (run->scenario, current->scenario))
        g_ptr_array_add (self->runs, fb_run_ref (run));
    }
  guint backends = 1;
  for (guint i = 0; i < self->runs->len; i++)
    backends = backends << 4 | ((const FbRun *) g_ptr_array_index (self->runs, i))->backend;
  if (!self->kernels || backends != self->backends)
    make_kernels (self);
  self->backends = backends;
  list_kernels (self);
  show_note (self);
}

static void
progressed (FbRunList *self)
{
  list_kernels (self);
  show_note (self);
}

static void
view_changed (FbRunList *self)
{
  fb_table_select (self->kernels, fb_buffer_view_get_kernel (self->view) - 1);
  list_buffers (self);
  show_nan (self);
}

void
fb_run_list_set_view (FbRunList *self, FbBufferView *view)
{
  g_return_if_fail (FB_IS_RUN_LIST (self) && !self->view);
  FbRuns *runs = fb_buffer_view_get_runs (view);
  self->view = g_object_ref (view);
  g_signal_connect_object (runs, "changed", G_CALLBACK (runs_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (runs, "progressed", G_CALLBACK (progressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed", G_CALLBACK (view_changed), self, G_CONNECT_SWAPPED);
  runs_changed (self);
  view_changed (self);
}

static void
fb_run_list_dispose (GObject *object)
{
  FbRunList *self = FB_RUN_LIST (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  self->kernels = NULL;
  g_clear_object (&self->view);
  G_OBJECT_CLASS (fb_run_list_parent_class)->dispose (object);
}

static void
fb_run_list_finalize (GObject *object)
{
  FbRunList *self = FB_RUN_LIST (object);
  g_ptr_array_unref (self->runs);
  g_array_unref (self->entries);
  G_OBJECT_CLASS (fb_run_list_parent_class)->finalize (object);
}

static void
fb_run_list_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                     int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural, NULL, NULL);
  if (orientation != GTK_ORIENTATION_HORIZONTAL)
    return;
  *minimum = MAX (*minimum, (int) (NARROWEST * fb_text_scale ()));
  *natural = MAX (*minimum, (int) (WIDE * fb_text_scale ()));
}

static void
fb_run_list_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  gtk_widget_allocate (gtk_widget_get_first_child (widget), width, height, baseline, NULL);
}

static void
fb_run_list_class_init (FbRunListClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_run_list_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_run_list_finalize;
  GTK_WIDGET_CLASS (klass)->measure = fb_run_list_measure;
  GTK_WIDGET_CLASS (klass)->size_allocate = fb_run_list_size_allocate;
}

static GtkWidget *
head_new (GtkLabel **title, const char *text, GtkLabel **note)
{
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = fb_label_new (text, "fb-strong", NULL);
  gtk_widget_add_css_class (head, "fb-panel-title");
  gtk_box_append (GTK_BOX (head), label);
  if (title)
    *title = GTK_LABEL (label);
  if (note)
    {
      *note = GTK_LABEL (fb_label_new (NULL, "fb-dim", "fb-number"));
      gtk_widget_set_hexpand (GTK_WIDGET (*note), TRUE);
      gtk_label_set_xalign (*note, 1);
      gtk_label_set_ellipsize (*note, PANGO_ELLIPSIZE_END);
      gtk_box_append (GTK_BOX (head), GTK_WIDGET (*note));
    }
  return head;
}

static GtkLabel *
words_new (const char *class)
{
  GtkLabel *label = GTK_LABEL (fb_label_new (NULL, "fb-caption", class));
  gtk_label_set_wrap (label, TRUE);
  gtk_label_set_wrap_mode (label, PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (label, 0);
  gtk_label_set_selectable (label, TRUE);
  gtk_widget_set_focusable (GTK_WIDGET (label), FALSE);
  gtk_widget_set_margin_start (GTK_WIDGET (label), 12);
  gtk_widget_set_margin_end (GTK_WIDGET (label), 12);
  return label;
}

static void
fb_run_list_init (FbRunList *self)
{
  static const FbTableColumn columns[N_BUFFER_COLUMNS] = {
    [ACCESS] = { NULL, 54, FALSE, FALSE },
    [NAME] = { NULL, 50, FALSE, TRUE },
    [TYPE] = { NULL, 0, FALSE, TRUE },
    [MARKS] = { NULL, -1, FALSE, FALSE },
  };
  const FbTableCells cells = { buffer_text, buffer_value, self };
  self->runs = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_run_unref);
  self->entries = g_array_new (FALSE, FALSE, sizeof (guint));
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_box_append (self->box, head_new (NULL, _ ("Run"), &self->note));
  self->error = words_new ("fb-removed");
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->error), 6);
  gtk_box_append (self->box, GTK_WIDGET (self->error));
  self->kernels_place = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_widget_set_vexpand (GTK_WIDGET (self->kernels_place), TRUE);
  gtk_box_append (self->box, GTK_WIDGET (self->kernels_place));
  gtk_box_append (self->box, head_new (&self->buffers_title, _ ("Buffers"), NULL));
  self->buffers = FB_TABLE (fb_table_new (_ ("Buffers of the kernel"), N_BUFFER_COLUMNS, columns, &cells));
  fb_table_hide_head (self->buffers);
  g_signal_connect_object (self->buffers, "selected", G_CALLBACK (buffer_selected), self, G_CONNECT_SWAPPED);
  gtk_box_append (self->box, GTK_WIDGET (self->buffers));
  self->nan_box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *head = head_new (NULL, _ ("First NaN"), NULL), *go = gtk_button_new_with_label (_ ("Go there"));
  gtk_widget_add_css_class (go, "fb-small-button");
  gtk_widget_set_valign (go, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand (go, TRUE);
  gtk_widget_set_halign (go, GTK_ALIGN_END);
  g_signal_connect_object (go, "clicked", G_CALLBACK (go_to_nan), self, G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (head), go);
  self->nan = words_new (NULL);
  gtk_widget_set_margin_bottom (GTK_WIDGET (self->nan), 8);
  gtk_box_append (GTK_BOX (self->nan_box), head);
  gtk_box_append (GTK_BOX (self->nan_box), GTK_WIDGET (self->nan));
  gtk_box_append (self->box, self->nan_box);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->box));
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}
