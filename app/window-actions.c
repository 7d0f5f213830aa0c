/* What the window does on command: files, the canvas; and which commands make sense. */
#include <string.h>

#include "app/text-scale.h"
#include "app/trace-compare-window.h"
#include "app/window-private.h"

#define ZOOM_STEP 1.25

/* --- files, what is under way --- */

static void
open_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_window_choose_file (data);
}

static void
open_path_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_window_open (data, g_variant_get_string (parameter, NULL), 0, NULL, 0);
}

static void
cancel_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (fb_document_is_busy (self->doc, NULL, NULL, NULL))
    fb_document_cancel (self->doc);
  fb_replay_page_cancel (self->replay_page);
  if (self->trace_compare)
    fb_trace_compare_cancel (self->trace_compare);
}

static void
replay_toggled (GSimpleAction *action, GVariant *state, gpointer data)
{
  fb_window_show_replay (data, g_variant_get_boolean (state));
}

static void
close_banner_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  gtk_revealer_set_reveal_child (self->banner, FALSE);
  fb_welcome_set_error (self->welcome, NULL);
  if (!fb_document_get_name (self->doc))
    gtk_stack_set_visible_child_name (self->stack, "empty");
}

/* --- the canvas --- */

static void
pin_toggled (GSimpleAction *action, GVariant *state, gpointer data)
{
  fb_canvas_set_minimap_pinned (((FbWindow *) data)->canvas, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

static void
side_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  const char *side = g_variant_get_string (state, NULL);
  FbGraphView view = FB_GRAPH_OVERLAY;
  if (!strcmp (side, "before"))
    view = FB_GRAPH_BEFORE;
  else if (!strcmp (side, "after"))
    view = FB_GRAPH_AFTER;
  fb_document_set_both (((FbWindow *) data)->doc, !strcmp (side, "both"));
  fb_document_set_side (((FbWindow *) data)->doc, view);
  g_simple_action_set_state (action, state);
}

static void
fit_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_window_fit (data);
}

static void
zoom_in_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_canvas_zoom_by (((FbWindow *) data)->canvas, ZOOM_STEP);
}

static void
zoom_out_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_canvas_zoom_by (((FbWindow *) data)->canvas, 1 / ZOOM_STEP);
}

static void
zoom_reset_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_canvas_zoom_to (((FbWindow *) data)->canvas, fb_text_scale ());
}

static void
walk_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  int dx, dy;
  g_variant_get (parameter, "(ii)", &dx, &dy);
  fb_canvas_walk (((FbWindow *) data)->canvas, dx, dy);
}

static void
clear_selection_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (fb_document_is_busy (self->doc, NULL, NULL, NULL))
    fb_document_cancel (self->doc);
  else if (fb_canvas_has_marks (self->canvas))
    fb_canvas_unmark_all (self->canvas);
  else
    fb_document_select (self->doc, NULL);
}

/* --- tables --- */

static const GActionEntry actions[] = {
  FB_DO ("open", open_activated),
  { .name = "open-path", .activate = open_path_activated, .parameter_type = "s" },
  FB_DO ("cancel", cancel_activated),
  FB_DO ("close-banner", close_banner_activated),
  FB_SWITCH ("replay", "false", replay_toggled),
  FB_SWITCH ("pin-minimap", "false", pin_toggled),
  FB_CHOICE ("side", "'overlay'", side_changed),
  FB_DO ("fit", fit_activated),
  FB_DO ("zoom-in", zoom_in_activated),
  FB_DO ("zoom-out", zoom_out_activated),
  FB_DO ("zoom-reset", zoom_reset_activated),
  { .name = "walk", .activate = walk_activated, .parameter_type = "(ii)" },
  FB_DO ("clear-selection", clear_selection_activated),
};

void
fb_window_add_actions (FbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}

static void
enable (FbWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

void
fb_window_update_actions (FbWindow *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint pass = 0, step = 0, number = fb_document_get_row_number (self->doc);
  fb_document_get_position (self->doc, &pass, &step);
  gboolean passes = row && row->n_passes > 0;
  guint at = passes ? fb_row_view_position (row, pass, step) : 0;
  enable (self, "next-step", passes && at < row->n_steps);
  enable (self, "play", passes && at < row->n_steps);
  enable (self, "previous-step", passes && at > 0);
  enable (self, "go-to-step", passes);
  enable (self, "compare", passes);
  enable (self, "next-kernel", passes);
  enable (self, "previous-kernel", passes);
  enable (self, "first-step", passes && step > 0);
  enable (self, "last-step", passes && step < row->passes[pass].n_steps);
  enable (self, "next-pass", passes && pass + 1 < row->n_passes);
  enable (self, "previous-pass", passes && pass > 0);
  enable (self, "next-row", number && number < fb_document_get_n_rows (self->doc));
  enable (self, "previous-row", number > 1);
  enable (self, "back", fb_document_can_travel (self->doc, -1));
  enable (self, "forward", fb_document_can_travel (self->doc, 1));
  gboolean file = fb_document_get_name (self->doc) != NULL;
  enable (self, "show-passes", file);
  enable (self, "show-inspector", file);
  enable (self, "show-drawer", file);
  enable (self, "show-nodes", file);
  enable (self, "pin-minimap", file);
  enable (self, "duplicate", file);
  enable (self, "try", fb_document_get_selected (self->doc) != NULL && passes);
  enable (self, "copy-key", fb_document_get_selected (self->doc) != NULL);
  enable (self, "next-change", fb_document_get_selected (self->doc) != NULL && passes);
  enable (self, "previous-change", fb_document_get_selected (self->doc) != NULL && passes);
  enable (self, "cancel",
          fb_document_is_busy (self->doc, NULL, NULL, NULL) || fb_replay_page_is_running (self->replay_page)
              || (self->trace_compare && !fb_trace_compare_is_settled (self->trace_compare)));
  enable (self, "replay", file);
  fb_window_update_trace_compare (self);
  enable (self, "show-source",
          file
              && (fb_drawer_panel_has_source (self->drawer)
                  || fb_code_page_has_code (fb_drawer_panel_get_code (self->drawer))));
  fb_window_update_query (self);
  fb_window_update_run (self);
}
