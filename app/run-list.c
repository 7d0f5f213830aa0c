#include "app/run-list-private.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/section.h"
#include "app/text-scale.h"

/* Px at the usual text size: what it can do with, what it would like. */
#define NARROWEST 236
#define WIDE 296

G_DEFINE_FINAL_TYPE (FbRunList, fb_run_list, GTK_TYPE_WIDGET)

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
      g_autofree char *done = g_strdup (fb_count (fb_run_list_n_done (run)));
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
  for (guint i = 0; current && i < fb_runs_get_n (runs) && self->runs->len < FB_RUN_LIST_TIMES; i++)
    {
      FbRun *run = fb_runs_get (runs, i);
      if (run != current && run->backend != current->backend && !g_strcmp0 (run->scenario, current->scenario))
        g_ptr_array_add (self->runs, fb_run_ref (run));
    }
  guint backends = 1;
  for (guint i = 0; i < self->runs->len; i++)
    backends = backends << 4 | ((const FbRun *) g_ptr_array_index (self->runs, i))->backend;
  if (!self->kernels || backends != self->backends)
    fb_run_list_make_kernels (self);
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
  fb_run_list_list_buffers (self);
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
  fb_run_list_make_buffers (self);
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
