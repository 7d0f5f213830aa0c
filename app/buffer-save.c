/* Writing what the viewer shows into a file whose name says how: .npy, .csv, .png. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/document-private.h"
#include "app/files.h"
#include "app/window-private.h"
#include "backends/values/save.h"

/* Px of a picture's longer side; a value a pixel, or a block of values where there are more. */
#define LARGEST_PICTURE 4096
/* Small arrays are drawn that large, so that they can be seen. */
#define SMALLEST_PICTURE 512

typedef struct
{
  char *path;
  FbBufferLook look;
} Save;

static void
save_free (gpointer data)
{
  Save *save = data;
  g_free (save->path);
  g_bytes_unref (save->look.data);
  g_clear_pointer (&save->look.other, g_bytes_unref);
  g_free (save);
}

static gboolean
save_picture (const Save *save, GCancellable *cancellable, GError **error)
{
  FbBufferLook look = save->look;
  gint64 n_rows = fb_slice_n_rows (&look.slice), n_columns = fb_slice_n_columns (&look.slice);
  gint64 longer = MAX (n_rows, n_columns), times = longer < SMALLEST_PICTURE ? SMALLEST_PICTURE / MAX (longer, 1) : 1;
  look.width = (guint) MIN (n_columns * times, LARGEST_PICTURE);
  look.height = (guint) MIN (n_rows * times, LARGEST_PICTURE);
  FbBufferSight *sight = fb_buffer_look (&look, cancellable);
  gboolean done = FALSE;
  if (!sight)
    return !g_cancellable_set_error_if_cancelled (cancellable, error);
  if (sight->picture)
    {
      g_autoptr (GBytes) png = gdk_texture_save_to_png_bytes (sight->picture);
      done = g_file_set_contents (save->path, g_bytes_get_data (png, NULL), (gssize) g_bytes_get_size (png), error);
    }
  else
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, _ ("There is nothing to draw"));
  fb_buffer_sight_free (sight);
  return done;
}

static void
save_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Save *save = data;
  const FbBufferLook *look = &save->look;
  const guint8 *elements = g_bytes_get_data (look->data, NULL);
  GError *error = NULL;
  gboolean done;
  if (g_str_has_suffix (save->path, ".npy"))
    done = fb_value_save_npy (save->path, look->type, &look->slice, elements, cancellable, &error);
  else if (g_str_has_suffix (save->path, ".csv"))
    done = fb_value_save_csv (save->path, look->type, &look->slice, elements, cancellable, &error);
  else
    done = save_picture (save, cancellable, &error);
  if (done)
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
saved (GObject *source, GAsyncResult *result, gpointer data)
{
  FbWindow *self = FB_WINDOW (source);
  g_autoptr (GError) error = NULL;
  gboolean done = g_task_propagate_boolean (G_TASK (result), &error);
  if (!self->doc)
    return;
  fb_document_set_busy (self->doc, FB_WAIT_EXPORT, FALSE, 0, NULL);
  if (done)
    fb_window_show_note (self, _ ("Saved"));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fb_window_show_banner (self, error->message);
}

void
fb_window_save_buffer (FbWindow *self, const char *path)
{
  FbBufferView *view = self->buffer_view;
  GBytes *data = fb_buffer_view_get_data (view, NULL), *other = fb_buffer_view_get_other (view, NULL);
  if (!data)
    return;
  if (!g_str_has_suffix (path, ".npy") && !g_str_has_suffix (path, ".csv") && !g_str_has_suffix (path, ".png"))
    {
      fb_window_show_banner (self, _ ("The name of a buffer's file ends in .npy, .csv or .png"));
      return;
    }
  Save *save = g_new0 (Save, 1);
  save->path = g_strdup (path);
  save->look = (FbBufferLook){
    .type = fb_buffer_view_get_scalar (view),
    .data = g_bytes_ref (data),
    .other = other ? g_bytes_ref (other) : NULL,
    .slice = *fb_buffer_view_get_slice (view),
    .difference = fb_buffer_view_get_difference (view),
    .ink = 1,
    .dark = adw_style_manager_get_dark (adw_style_manager_get_default ()),
  };
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *words = g_strdup_printf (_ ("Writing %s"), name);
  fb_document_set_busy (self->doc, FB_WAIT_EXPORT, TRUE, 0, words);
  g_autoptr (GTask) task = g_task_new (self, self->doc->cancellable, saved, NULL);
  g_task_set_task_data (task, save, save_free);
  g_task_run_in_thread (task, save_job);
}

static void
chosen (GtkNativeDialog *dialog, int response, FbWindow *self)
{
  g_autofree char *path = fb_files_chosen (dialog, response);
  if (path)
    fb_window_save_buffer (self, path);
  g_clear_object (&self->export_chooser);
}

void
fb_window_choose_buffer_file (FbWindow *self, const char *extension)
{
  const FbRun *run = fb_buffer_view_get_run (self->buffer_view);
  const FbProbed *probed = fb_buffer_view_get_probed (self->buffer_view);
  guint buffer = fb_buffer_view_get_buffer (self->buffer_view);
  if (!run || !fb_buffer_view_get_data (self->buffer_view, NULL))
    return;
  const char *what = probed ? probed->name : run->buffers[buffer].name;
  const char *when = fb_buffer_view_get_after (self->buffer_view) ? "after" : "before";
  g_autofree char *stem = g_strdelimit (g_strdup (what + (*what == '#')), " /", '-');
  g_autofree char *name = probed ? g_strdup_printf ("%s.%s", stem, extension)
                                 : g_strdup_printf ("%s-%s-kernel-%u.%s", stem, when,
                                                    fb_buffer_view_get_kernel (self->buffer_view), extension);
  self->export_chooser = gtk_file_chooser_native_new (_ ("Save the buffer"), GTK_WINDOW (self),
                                                      GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->export_chooser), name);
  g_signal_connect (self->export_chooser, "response", G_CALLBACK (chosen), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->export_chooser));
}
