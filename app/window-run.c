/* Actions about running the row's kernels and looking at their buffers. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/window-private.h"
#include "backends/opencl/opencl.h"

/* Px of the drawer in which the viewer can be read; it grows to that once, where there is room. */
#define ROOMY 420
#define SMALLEST_CANVAS 300

static void
make_room (FbWindow *self)
{
  int height = gtk_widget_get_height (GTK_WIDGET (self->drawer_paned));
  int now = height - gtk_paned_get_position (self->drawer_paned), most = height - SMALLEST_CANVAS;
  if (self->made_room || now >= ROOMY || most <= now)
    return;
  self->made_room = TRUE;
  gtk_paned_set_position (self->drawer_paned, height - MIN (ROOMY, most));
}

static void
show_buffers (FbWindow *self)
{
  fb_window_show_replay (self, FALSE);
  fb_window_set_panel (self, "show-drawer", TRUE);
  g_action_group_activate_action (G_ACTION_GROUP (self), "drawer-tab", g_variant_new_string ("buffers"));
}

static void
run_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  show_buffers (self);
  make_room (self);
  fb_runs_start (self->runs);
}

/* --- probes --- */

static void
probed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (FbWindow) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (FbProbed) probed = fb_probe_job_finish (FB_DOCUMENT (source), result, &error);
  if (self->probing != g_task_get_cancellable (G_TASK (result)))
    return;
  g_clear_object (&self->probing);
  if (!probed)
    {
      fb_window_show_note (self, error->message);
      return;
    }
  fb_buffer_view_set_probed (self->buffer_view, probed);
  g_autofree char *line = probed->verdict ? g_strdup_printf ("%s: %s", probed->name, probed->verdict) : NULL;
  fb_window_show_note (self, line ? line : probed->name);
  if (line)
    fb_drawer_panel_log (self->drawer, line);
}

/* The last run of what is in the window; NULL: it has not run, or not to where it can be looked at. */
static FbRun *
run_to_probe (FbWindow *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  FbRun *run = fb_runs_get_current (self->runs);
  if (run && run->ended && run->record && !g_strcmp0 (run->scenario, row->scenario_text))
    return run;
  return fb_runs_find (self->runs, row->scenario_text, fb_runs_get_backend (self->runs));
}

static void
start_probe (FbWindow *self)
{
  FbRun *run = fb_probe_job_can (self->doc) ? run_to_probe (self) : NULL;
  self->probe_wanted = FALSE;
  if (!run)
    return;
  if (self->probing)
    g_cancellable_cancel (self->probing);
  g_clear_object (&self->probing);
  self->probing = g_cancellable_new ();
  fb_runs_set_current (self->runs, run);
  fb_probe_job_async (self->doc, run, self->probing, probed, g_object_ref (self));
}

/* Of the node that is selected; without a run there is nothing to probe yet. */
static void
probe_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  show_buffers (self);
  make_room (self);
  if (run_to_probe (self))
    {
      start_probe (self);
      return;
    }
  self->probe_wanted = TRUE;
  if (!fb_runs_is_running (self->runs))
    fb_runs_start (self->runs);
}

static void
backend_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  if (fb_runs_set_choice (self->runs, g_variant_get_string (state, NULL)))
    g_simple_action_set_state (action, state);
}

static void
against_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbBufferView *view = ((FbWindow *) data)->buffer_view;
  const char *label = g_variant_get_string (parameter, NULL);
  for (guint i = 0; i < fb_buffer_view_get_n_against (view); i++)
    if (!strcmp (fb_buffer_view_get_against_label (view, i), label))
      {
        fb_buffer_view_set_against (view, i);
        return;
      }
}

static void
kernel_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_buffer_view_set_kernel (((FbWindow *) data)->buffer_view, (guint) g_variant_get_int32 (parameter));
}

/* "[17, 40]": as the slice's field has it. */
static void
element_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbBufferView *view = ((FbWindow *) data)->buffer_view;
  const FbSlice *shown = fb_buffer_view_get_slice (view);
  gint64 row, column;
  if (!shown)
    return;
  FbSlice slice = *shown;
  if (!fb_slice_parse (&slice, g_variant_get_string (parameter, NULL), &row, &column))
    return;
  fb_buffer_view_set_slice (view, &slice);
  fb_buffer_view_set_element (view, fb_slice_element (&slice, row, column));
}

static void
toggle_moment_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbBufferView *view = ((FbWindow *) data)->buffer_view;
  fb_buffer_view_set_after (view, !fb_buffer_view_get_after (view));
}

static void
next_write_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_buffer_view_travel (((FbWindow *) data)->buffer_view, 1);
}

static void
previous_write_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_buffer_view_travel (((FbWindow *) data)->buffer_view, -1);
}

static void
mode_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  fb_buffer_view_set_difference (((FbWindow *) data)->buffer_view,
                                 !strcmp (g_variant_get_string (state, NULL), "difference"));
  g_simple_action_set_state (action, state);
}

static void
toggle_mode_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  gboolean difference = fb_buffer_view_get_difference (self->buffer_view);
  g_action_group_activate_action (G_ACTION_GROUP (self), "buffer-mode",
                                  g_variant_new_string (difference ? "values" : "difference"));
}

static void
show_inputs_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  show_buffers (data);
  fb_drawer_panel_show_inputs (((FbWindow *) data)->drawer);
}

static void
show_axes_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  show_buffers (data);
  fb_buffer_page_show_axes (fb_drawer_panel_get_buffers (((FbWindow *) data)->drawer));
}

static void
edit_element_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  show_buffers (self);
  if (!fb_buffer_page_edit_element (fb_drawer_panel_get_buffers (self->drawer)))
    fb_window_show_note (self, _ ("Only an element of an input can be edited, as it is before the run"));
}

/* "#0 uniform 0 10": a buffer and what fills it. */
static void
input_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  FbRunInputs *inputs = fb_runs_get_inputs (self->runs);
  g_auto (GStrv) words = g_strsplit (g_variant_get_string (parameter, NULL), " ", 2);
  guint at = words[0] && words[1] ? fb_run_inputs_find (inputs, words[0]) : G_MAXUINT;
  g_autoptr (GError) error = NULL;
  if (at == G_MAXUINT)
    fb_window_show_banner (self, _ ("There is no such input"));
  else if (!fb_run_inputs_set (inputs, at, words[1], &error))
    fb_window_show_banner (self, error->message);
}

static void
save_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_window_choose_buffer_file (data, g_variant_get_string (parameter, NULL));
}

static const GActionEntry actions[] = {
  { .name = "run", .activate = run_activated },
  { .name = "probe", .activate = probe_activated },
  { .name = "run-backend", .parameter_type = "s", .state = "'cpu'", .change_state = backend_changed },
  { .name = "buffer-mode", .parameter_type = "s", .state = "'values'", .change_state = mode_changed },
  { .name = "toggle-buffer-mode", .activate = toggle_mode_activated },
  { .name = "toggle-moment", .activate = toggle_moment_activated },
  { .name = "next-write", .activate = next_write_activated },
  { .name = "previous-write", .activate = previous_write_activated },
  { .name = "against", .activate = against_activated, .parameter_type = "s" },
  { .name = "run-kernel", .activate = kernel_activated, .parameter_type = "i" },
  { .name = "show-inputs", .activate = show_inputs_activated },
  { .name = "show-axes", .activate = show_axes_activated },
  { .name = "edit-element", .activate = edit_element_activated },
  { .name = "input", .activate = input_activated, .parameter_type = "s" },
  { .name = "save-buffer", .activate = save_activated, .parameter_type = "s" },
  { .name = "buffer-element", .activate = element_activated, .parameter_type = "s" },
};

static void
enable (FbWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

void
fb_window_update_run (FbWindow *self)
{
  FbBufferView *view = self->buffer_view;
  gboolean data = fb_buffer_view_get_data (view, NULL) != NULL;
  enable (self, "run", fb_runs_can_run (self->runs));
  enable (self, "probe", fb_runs_can_run (self->runs) && fb_probe_job_can (self->doc));
  enable (self, "toggle-moment", fb_buffer_view_get_kernel (view) > 0);
  enable (self, "next-write", fb_buffer_view_find_write (view, 1) > 0);
  enable (self, "previous-write", fb_buffer_view_find_write (view, -1) > 0);
  enable (self, "buffer-element", data);
  enable (self, "show-axes", data);
  enable (self, "edit-element", data);
  enable (self, "save-buffer", data);
  enable (self, "show-inputs", fb_runs_can_run (self->runs));
  g_autofree char *choice = fb_runs_get_choice (self->runs);
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), "run-backend")),
                             g_variant_new_string (choice));
}

/* --- devices of OpenCL: asked for when the menu is opened first, since drivers take their time --- */

static void
devices_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  GPtrArray *devices = fb_opencl_devices (cancellable, &error);
  if (devices)
    g_task_return_pointer (task, devices, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
devices_found (GObject *source, GAsyncResult *result, gpointer data)
{
  FbWindow *self = FB_WINDOW (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = g_task_propagate_pointer (G_TASK (result), &error);
  g_menu_remove_all (self->run_devices);
  for (guint i = 0; devices && i < devices->len; i++)
    {
      const FbOpenclDevice *device = g_ptr_array_index (devices, i);
      g_autofree char *label = g_strdup_printf ("OpenCL: %s", device->name);
      g_autofree char *choice = i ? g_strdup_printf ("opencl:%u", i) : g_strdup ("opencl");
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);
      g_menu_item_set_action_and_target (item, "win.run-backend", "s", choice);
      g_menu_append_item (self->run_devices, item);
    }
  /* said plainly, where a device would be chosen */
  if (!devices)
    g_menu_append (self->run_devices, error->message, "win.no-device");
}

static void
menu_opened (FbWindow *self)
{
  if (self->devices_asked)
    return;
  self->devices_asked = TRUE;
  g_autoptr (GTask) task = g_task_new (self, NULL, devices_found, NULL);
  g_task_run_in_thread (task, devices_job);
}

static void
add_devices (FbWindow *self)
{
  GMenuModel *menu = adw_split_button_get_menu_model (self->run_button);
  self->run_devices = g_menu_new ();
  g_menu_insert_section (G_MENU (menu), 1, NULL, G_MENU_MODEL (self->run_devices));
  g_signal_connect_object (adw_split_button_get_popover (self->run_button), "show", G_CALLBACK (menu_opened), self,
                           G_CONNECT_SWAPPED);
}

/* The kernel whose passes one looks at. */
static void
moved (FbWindow *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  guint pass, step;
  fb_document_get_position (self->doc, &pass, &step);
  if (row && pass < row->n_passes && row->passes[pass].kernel && row->passes[pass].kernel != self->run_kernel)
    {
      self->run_kernel = row->passes[pass].kernel;
      fb_buffer_view_set_kernel (self->buffer_view, self->run_kernel);
    }
}

static void
run_ended (FbWindow *self, const FbRun *run)
{
  g_autofree char *time = fb_run_time_text (run->total_seconds);
  g_autofree char *line
      = run->error
            ? g_strdup_printf (_ ("Run on %s: %s"), fb_backend_name (run->backend), run->error->message)
            : g_strdup_printf (ngettext ("Run on %s: %u kernel, %s µs", "Run on %s: %u kernels, %s µs", run->n_kernels),
                               fb_backend_name (run->backend), run->n_kernels, time);
  fb_drawer_panel_log (self->drawer, line);
}

/* The probe that waited for it. */
static void
runs_changed (FbWindow *self)
{
  fb_window_update_run (self);
  if (self->probe_wanted && !fb_runs_is_running (self->runs))
    start_probe (self);
}

/* The code shown is that of the kernel whose buffers are. */
static void
view_changed (FbWindow *self)
{
  fb_code_page_set_kernel (fb_drawer_panel_get_code (self->drawer), fb_buffer_view_get_kernel (self->buffer_view));
  fb_window_update_run (self);
}

gboolean
fb_window_is_run_settled (FbWindow *self)
{
  return fb_code_page_is_settled (fb_drawer_panel_get_code (self->drawer)) && !fb_runs_is_running (self->runs)
         && !self->probing && fb_buffer_view_is_settled (self->buffer_view);
}

void
fb_window_add_run (FbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  add_devices (self);
  self->runs = fb_runs_new (self->doc);
  self->buffer_view = fb_buffer_view_new (self->runs);
  fb_drawer_panel_set_buffers (self->drawer, self->buffer_view);
  g_signal_connect_object (self->runs, "changed", G_CALLBACK (runs_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->runs, "ended", G_CALLBACK (run_ended), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->buffer_view, "changed", G_CALLBACK (view_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "moved", G_CALLBACK (moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "node-described", G_CALLBACK (fb_window_update_run), self, G_CONNECT_SWAPPED);
}
