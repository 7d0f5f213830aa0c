#include "app/tip.h"
#include "app/window-private.h"

#include <glib/gi18n.h>

#include "app/accessible.h"
#include "app/closing.h"
#include "app/files.h"
#include "app/glyph.h"
#include "app/preferences.h"
#include "app/text-scale.h"
#include "app/trace-compare-window.h"
#include "app/warm-fonts.h"
#include "app/watch.h"

#define BUSY_AFTER_MS 300
#define NOTE_MS 2500

G_DEFINE_FINAL_TYPE (FbWindow, fb_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- banner, note, busy bar --- */

void
fb_window_show_banner (FbWindow *self, const char *text)
{
  gtk_label_set_label (self->banner_label, text);
  fb_tip_set (GTK_WIDGET (self->banner_label), text);
  gtk_revealer_set_reveal_child (self->banner, TRUE);
  /* With nothing open, beside what there is to open. */
  fb_welcome_set_error (self->welcome, text);
}

static gboolean
hide_note (gpointer data)
{
  FbWindow *self = data;
  self->note_source = 0;
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  return G_SOURCE_REMOVE;
}

void
fb_window_show_note (FbWindow *self, const char *text)
{
  g_clear_handle_id (&self->note_source, g_source_remove);
  gtk_label_set_label (self->note, text);
  gtk_widget_set_visible (GTK_WIDGET (self->note), TRUE);
  self->note_source = g_timeout_add (NOTE_MS, hide_note, self);
}

static gboolean
show_busy (gpointer data)
{
  FbWindow *self = data;
  const char *words;
  double fraction;
  self->busy_source = 0;
  if (fb_document_is_busy (self->doc, &words, &fraction, NULL))
    {
      gtk_label_set_label (self->busy_label, words);
      gtk_progress_bar_set_fraction (self->busy_bar, fraction);
      gtk_revealer_set_reveal_child (self->busy_revealer, TRUE);
      gtk_widget_set_visible (GTK_WIDGET (self->busy_revealer), TRUE);
    }
  return G_SOURCE_REMOVE;
}

static void
busy_changed (FbWindow *self)
{
  gint64 since;
  if (!fb_document_is_busy (self->doc, NULL, NULL, &since))
    {
      g_clear_handle_id (&self->busy_source, g_source_remove);
      gtk_revealer_set_reveal_child (self->busy_revealer, FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->busy_revealer), FALSE);
    }
  else if (gtk_widget_get_visible (GTK_WIDGET (self->busy_revealer)))
    show_busy (self);
  else if (!self->busy_source)
    {
      gint64 waited = (g_get_monotonic_time () - since) / 1000;
      self->busy_source = g_timeout_add (MAX (0, BUSY_AFTER_MS - waited), show_busy, self);
    }
  fb_window_update_actions (self);
}

static void
document_failed (FbWindow *self, const char *message)
{
  fb_window_show_banner (self, message);
  /* The banner lives above the canvas. */
  gtk_stack_set_visible_child_name (self->stack, fb_document_get_name (self->doc) ? "document" : "empty");
  fb_window_stop_playing (self);
}

/* --- following the document --- */

static void
file_opened (FbWindow *self)
{
  gtk_revealer_set_reveal_child (self->banner, FALSE);
  fb_replay_page_set_file (self->replay_page, fb_document_get_path (self->doc), self->release);
  gtk_stack_set_visible_child_name (self->stack, "document");
  gtk_widget_set_visible (self->sides, FALSE);
  fb_mark_counts_set_graph (self->mark_counts, NULL);
  fb_window_show_titles (self);
  if (!self->standalone)
    fb_files_note_opened (fb_document_get_path (self->doc));
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
row_loaded (FbWindow *self)
{
  gtk_revealer_set_reveal_child (self->banner, FALSE);
  fb_window_show_titles (self);
}

static void
moved (FbWindow *self)
{
  fb_window_show_titles (self);
  fb_window_update_actions (self);
}

static void
step_shown (FbWindow *self)
{
  FbStepView *view = fb_document_get_view (self->doc);
  const FbPassView *pass = fb_step_view_pass (view);
  fb_mark_counts_set_graphs (self->mark_counts, view->scene->graph, view->left ? view->left->graph : NULL);
  gtk_widget_set_visible (self->sides, pass && pass->n_steps > 0);
  fb_window_place_floats (self);
  g_clear_handle_id (&self->note_source, g_source_remove);
  gboolean nothing = pass && !pass->n_steps && !fb_row_view_decides (view->row, view->pass);
  gtk_label_set_label (self->note, _ ("This pass changed nothing."));
  gtk_widget_set_visible (GTK_WIDGET (self->note), nothing);
  fb_window_update_actions (self);
}

static void
no_change (FbWindow *self)
{
  fb_window_show_note (self, _ ("No step matches"));
}

/* --- opening --- */

FbDocument *
fb_window_get_document (FbWindow *self)
{
  g_return_val_if_fail (FB_IS_WINDOW (self), NULL);
  return self->doc;
}

void
fb_window_set_release (FbWindow *self, const char *release)
{
  g_return_if_fail (FB_IS_WINDOW (self));
  g_free (self->release);
  self->release = g_strdup (release);
}

void
fb_window_open (FbWindow *self, const char *path, guint row, const char *pass, guint step)
{
  g_return_if_fail (FB_IS_WINDOW (self) && path);
  fb_window_stop_playing (self);
  fb_document_open (self->doc, path, self->release, row, pass, step);
}

/* --- the window --- */

static void
fb_window_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  GTK_WIDGET_CLASS (fb_window_parent_class)->size_allocate (widget, width, height, baseline);
  fb_window_size_later (FB_WINDOW (widget));
}

static gboolean
fb_window_close_request (GtkWindow *window)
{
  FbWindow *self = FB_WINDOW (window);
  fb_window_remember_sizes (self);
  fb_document_cancel (self->doc);
  fb_window_end_session (self);
  fb_close_gradually (window);
  return TRUE;
}

static void
row_picked (FbWindow *self)
{
  gtk_popover_popdown (self->captures_popover);
  fb_window_show_replay (self, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
connect_document (FbWindow *self)
{
  FbDocument *doc = self->doc;
  fb_capture_list_set_document (self->capture_list, doc);
  fb_pass_panel_set_document (self->pass_panel, doc);
  fb_canvas_set_document (self->canvas, doc);
  fb_scrubber_set_document (self->scrubber, doc);
  self->scenarios = fb_scenarios_new (doc);
  fb_inspector_set_document (self->inspector, doc, self->scenarios);
  fb_drawer_panel_set_document (self->drawer, doc, self->scenarios);
  static const struct
  {
    const char *signal;
    GCallback callback;
  } connections[] = {
    { "opened", G_CALLBACK (file_opened) },  { "row-loaded", G_CALLBACK (row_loaded) },
    { "moved", G_CALLBACK (moved) },         { "step-shown", G_CALLBACK (step_shown) },
    { "busy", G_CALLBACK (busy_changed) },   { "failed", G_CALLBACK (document_failed) },
    { "no-change", G_CALLBACK (no_change) }, { "selected", G_CALLBACK (fb_window_update_actions) },
  };
  for (guint i = 0; i < G_N_ELEMENTS (connections); i++)
    g_signal_connect_object (doc, connections[i].signal, connections[i].callback, self, G_CONNECT_SWAPPED);
}

FbWindow *
fb_window_new (FbApplication *app)
{
  FbWindow *self = g_object_new (FB_TYPE_WINDOW, "application", app, NULL);
  self->standalone = fb_application_is_standalone (app);
  fb_settings_init (&self->settings, 0, fb_text_scale ());
  if (!self->standalone)
    {
      g_autofree char *sessions = fb_session_folder_default ();
      fb_document_set_session_folder (self->doc, sessions);
    }
  if (!self->standalone)
    fb_settings_load (&self->settings, fb_preferences_get_settings (fb_preferences_get_default ()));
  const FbSettings *s = &self->settings;
  int width = s->width ? s->width : 1440, height = s->height ? s->height : 900;
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (s->maximized)
    gtk_window_maximize (GTK_WINDOW (self));
  if (s->passes_height)
    fb_pass_panel_set_split (self->pass_panel, s->passes_height);
  fb_window_set_panel (self, "show-passes", s->show_passes);
  fb_window_set_panel (self, "show-inspector", s->show_inspector);
  fb_window_set_panel (self, "show-drawer", s->show_drawer);
  g_action_group_activate_action (G_ACTION_GROUP (self), "diff-scope",
                                  g_variant_new_string (s->whole_graph ? "graph" : "uop"));
  g_action_group_activate_action (G_ACTION_GROUP (self), "diff-layout",
                                  g_variant_new_string (s->side_by_side ? "side-by-side" : "unified"));
  fb_window_add_files (self);
  fb_window_show_titles (self);
  fb_window_update_actions (self);
  fb_warm_fonts (GTK_WIDGET (self));
  return self;
}

static void
fb_window_dispose (GObject *object)
{
  FbWindow *self = FB_WINDOW (object);
  fb_window_end_session (self);
  fb_window_end_watch (self);
  fb_window_end_pace (self);
  g_clear_handle_id (&self->busy_source, g_source_remove);
  g_clear_handle_id (&self->note_source, g_source_remove);
  g_clear_handle_id (&self->play_source, g_source_remove);
  g_clear_handle_id (&self->fold_source, g_source_remove);
  g_clear_handle_id (&self->float_source, g_source_remove);
  if (self->probing)
    g_cancellable_cancel (self->probing);
  g_clear_object (&self->probing);
  g_clear_object (&self->chooser);
  g_clear_object (&self->save_chooser);
  g_clear_pointer (&self->unsaved, g_ptr_array_unref);
  g_clear_object (&self->export_chooser);
  g_clear_object (&self->trace_chooser);
  g_clear_pointer (&self->release, g_free);
  g_clear_pointer (&self->view_history, fb_view_history_free);
  g_clear_pointer (&self->note_later, g_free);
  g_clear_object (&self->breakpoints);
  g_clear_object (&self->scenarios);
  g_clear_object (&self->buffer_view);
  g_clear_object (&self->run_devices);
  g_clear_object (&self->runs);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_window_parent_class)->dispose (object);
}

static void
fb_window_class_init (FbWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_window_dispose;
  widget_class->size_allocate = fb_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = fb_window_close_request;
  g_type_ensure (FB_TYPE_BOOKMARK_LIST);
  g_type_ensure (FB_TYPE_CANVAS);
  g_type_ensure (FB_TYPE_CAPTURE_LIST);
  g_type_ensure (FB_TYPE_DRAWER_PANEL);
  g_type_ensure (FB_TYPE_GLYPH);
  g_type_ensure (FB_TYPE_INSPECTOR);
  g_type_ensure (FB_TYPE_MARK_COUNTS);
  g_type_ensure (FB_TYPE_PASS_PANEL);
  g_type_ensure (FB_TYPE_REPLAY_PAGE);
  g_type_ensure (FB_TYPE_SCRUBBER);
  g_type_ensure (FB_TYPE_SEARCH_PANEL);
  g_type_ensure (FB_TYPE_WELCOME);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "window.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, FbWindow, name)
  BIND (open_button);
  BIND (run_button);
  BIND (title_button);
  BIND (title_label);
  BIND (subtitle_label);
  BIND (captures_popover);
  BIND (capture_list);
  BIND (busy_revealer);
  BIND (banner);
  BIND (busy_bar);
  BIND (busy_label);
  BIND (banner_label);
  BIND (zoom_label);
  BIND (note);
  BIND (stack);
  BIND (welcome);
  BIND (replay_page);
  BIND (drawer_paned);
  BIND (passes_paned);
  BIND (inspector_paned);
  BIND (pass_panel);
  BIND (canvas_overlay);
  BIND (canvases);
  BIND (left_canvas);
  BIND (canvas);
  BIND (compare_chip);
  BIND (compare_label);
  BIND (mark_counts);
  BIND (sides);
  BIND (zoom_control);
  BIND (inspector);
  BIND (scrubber);
  BIND (bookmarks_button);
  BIND (bookmark_list);
  BIND (search_panel);
  BIND (drawer);
#undef BIND
}

static void
fb_window_init (FbWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fb_accessible_name_buttons (GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self->busy_revealer), FALSE);
  self->doc = fb_document_new (fb_canvas_get_metrics (self->canvas));
  connect_document (self);
  g_signal_connect_object (self->capture_list, "picked", G_CALLBACK (row_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->captures_popover, "show", G_CALLBACK (fb_capture_list_reveal), self->capture_list,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->drawer_paned, "notify::max-position", G_CALLBACK (fb_window_size_later), self,
                           G_CONNECT_SWAPPED);
  fb_window_add_floats (self);
  fb_window_add_actions (self);
  fb_window_add_panel_actions (self);
  fb_window_add_step_actions (self);
  fb_window_add_compare (self);
  fb_window_add_view_actions (self);
  fb_window_add_export_actions (self);
  fb_window_add_keys (self);
  fb_window_add_pace (self);
  fb_window_add_pages (self);
  fb_window_add_session (self);
  fb_window_add_query (self);
  fb_window_add_times (self);
  fb_window_add_run (self);
  fb_window_add_watch (self);
  fb_window_add_trace_compare (self);
  fb_window_add_scenarios (self);
}
