/* What the header bar says is open. */
#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/window-private.h"
#include "core/viztrace/profile.h"

void
fb_window_show_titles (FbWindow *self)
{
  g_autofree char *name = fb_window_get_document_title (self);
  gtk_label_set_label (self->title_label, name ? name : "Fusebox");
  gtk_window_set_title (GTK_WINDOW (self), name ? name : "Fusebox");
  gtk_widget_set_visible (GTK_WIDGET (self->subtitle_label), name != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->title_button), name != NULL);
  if (!name)
    return;
  FbRowView *row = fb_document_get_row (self->doc);
  guint number = fb_document_get_row_number (self->doc);
  GString *text = g_string_new (NULL);
  guint of_kind = number, n_rows = fb_document_get_n_rows (self->doc);
  gboolean both = number && fb_document_has_both_kinds (self->doc), kernel = FALSE;
  if (both)
    {
      kernel = fb_document_get_row_kind (self->doc, number, &of_kind) == FB_ROW_KERNEL;
      n_rows = fb_document_get_n_rows_like (self->doc, number);
    }
  if (!number)
    g_string_append_printf (text, ngettext ("%s row", "%s rows", n_rows), fb_count (n_rows));
  else
    /* Translators: row 3 of 120; kernel 3 of 120, in a file that also holds other rows */
    g_string_append_printf (text, kernel ? _ ("kernel %s of %s") : _ ("row %s of %s"), fb_count (of_kind),
                            fb_count (n_rows));
  if (row && row->number == number)
    {
      guint n_kernels = row->scenario ? row->schedule->kernels->len : row->summary.n_kernels;
      g_string_append (text, " · ");
      g_string_append_printf (text, ngettext ("%s node", "%s nodes", row->summary.n_nodes),
                              fb_count (row->summary.n_nodes));
      if (row->kind == FB_ROW_SCHEDULE)
        g_string_append_printf (text, ngettext (" → %s kernel", " → %s kernels", n_kernels), fb_count (n_kernels));
      if (row->summary.kernel)
        g_string_append_printf (text, " · %s", row->summary.kernel);
      else if (*row->summary.options)
        g_string_append_printf (text, " · %s", row->summary.options);
      if (row->summary.n_runs)
        {
          g_autofree char *time = fb_viz_time_text (row->summary.seconds);
          g_string_append (text, " · ");
          /* Translators: how often a kernel ran, and how long in all */
          g_string_append_printf (text, ngettext ("%s run, %s", "%s runs, %s", row->summary.n_runs),
                                  fb_count (row->summary.n_runs), time);
        }
      if (row->scenario_text)
        /* Translators: what is not as it was captured */
        g_string_append_printf (text, _ (" · what if: %s"), row->scenario_text);
    }
  if (self->watch)
    g_string_append (text, _ (" · watching runs"));
  gtk_label_set_label (self->subtitle_label, text->str);
  g_string_free (text, TRUE);
}
