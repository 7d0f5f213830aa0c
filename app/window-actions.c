/* What the window does on command, and which keys ask for it. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/node-list.h"
#include "app/preferences.h"
#include "app/text-scale.h"
#include "app/trace-compare-window.h"
#include "app/window-private.h"

#define ZOOM_STEP 1.25

/* --- files and panels --- */

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

static GtkWidget *
panel_of (FbWindow *self, const char *action)
{
  if (!strcmp (action, "show-passes"))
    return GTK_WIDGET (self->pass_panel);
  if (!strcmp (action, "show-inspector"))
    return GTK_WIDGET (self->inspector);
  return GTK_WIDGET (self->drawer);
}

void
fb_window_set_panel (FbWindow *self, const char *action, gboolean shown)
{
  GtkWidget *panel = panel_of (self, action);
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  if (!shown && focus && gtk_widget_is_ancestor (focus, panel))
    gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
  gtk_widget_set_visible (panel, shown);
  if (panel == GTK_WIDGET (self->drawer))
    fb_document_set_wants_diff (self->doc, shown);
  GAction *object = g_action_map_lookup_action (G_ACTION_MAP (self), action);
  g_simple_action_set_state (G_SIMPLE_ACTION (object), g_variant_new_boolean (shown));
}

static void
panel_toggled (GSimpleAction *action, GVariant *state, gpointer data)
{
  fb_window_set_panel (data, g_action_get_name (G_ACTION (action)), g_variant_get_boolean (state));
}

static void
pin_toggled (GSimpleAction *action, GVariant *state, gpointer data)
{
  fb_canvas_set_minimap_pinned (((FbWindow *) data)->canvas, g_variant_get_boolean (state));
  g_simple_action_set_state (action, state);
}

/* --- going about --- */

static void
step_by (FbWindow *self, int direction)
{
  fb_window_stop_playing (self);
  fb_document_step_by (self->doc, direction);
}

static void
next_step_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  step_by (data, 1);
}

static void
previous_step_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  step_by (data, -1);
}

static void
jump_in_pass (FbWindow *self, guint step)
{
  guint pass, now;
  fb_window_stop_playing (self);
  fb_document_get_position (self->doc, &pass, &now);
  FbRowView *row = fb_document_get_row (self->doc);
  if (row && pass < row->n_passes)
    fb_document_jump (self->doc, pass, MIN (step, row->passes[pass].n_steps));
}

static void
first_step_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  jump_in_pass (data, 0);
}

static void
last_step_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  jump_in_pass (data, G_MAXUINT);
}

static void
next_pass_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_window_stop_playing (data);
  fb_document_pass_by (((FbWindow *) data)->doc, 1);
}

static void
previous_pass_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_window_stop_playing (data);
  fb_document_pass_by (((FbWindow *) data)->doc, -1);
}

static void
row_by (FbWindow *self, int direction)
{
  guint row = fb_document_get_row_number (self->doc);
  if (direction > 0 || row > 1)
    fb_document_load (self->doc, row + direction);
}

static void
next_row_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  row_by (data, 1);
}

static void
previous_row_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  row_by (data, -1);
}

static void
back_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_document_travel (((FbWindow *) data)->doc, -1);
}

static void
forward_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_document_travel (((FbWindow *) data)->doc, 1);
}

static void
next_change_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_document_go_to_change (((FbWindow *) data)->doc, 1);
}

static void
previous_change_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_document_go_to_change (((FbWindow *) data)->doc, -1);
}

/* The next or last step of the pass that the same rule made. */
static void
go_to_same_rule (FbWindow *self, int direction)
{
  FbStepView *view = fb_document_get_view (self->doc);
  const FbMatch *match = view ? fb_step_view_match (view) : NULL;
  if (!match)
    return;
  const FbPassView *pass = fb_step_view_pass (view);
  for (guint step = view->step + direction; step >= 1 && step <= pass->n_steps; step += direction)
    if (fb_pass_match (pass->pass, step - 1)->rule == match->rule)
      {
        jump_in_pass (self, step);
        return;
      }
  fb_window_show_note (self, _ ("No step matches"));
}

static void
next_of_rule_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go_to_same_rule (data, 1);
}

static void
previous_of_rule_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  go_to_same_rule (data, -1);
}

/* --- the canvas --- */

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

/* --- inspector and drawer --- */

static void
tab_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  fb_inspector_set_tab (self->inspector, g_variant_get_string (state, NULL));
  g_simple_action_set_state (action, state);
}

/* The node that a kernel, numbered from 1, stores. */
static void
select_kernel_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (!fb_drawer_panel_select_kernel (self->drawer, (guint) g_variant_get_int32 (parameter)))
    fb_window_show_note (self, _ ("There is no such kernel"));
}

static void
try_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (!fb_inspector_try (self->inspector))
    fb_window_show_note (self, _ ("Nothing to try for this node"));
}

static void
copy_key_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (fb_inspector_copy_key (self->inspector))
    fb_window_show_note (self, _ ("Key copied"));
}

static void
copy_diff_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (fb_window_shows_traces (self))
    fb_trace_compare_copy (self->trace_compare);
  else if (!g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "replay"))
    fb_replay_page_copy (self->replay_page);
  else if (fb_drawer_panel_copy (self->drawer))
    fb_window_show_note (self, _ ("Copied"));
}

static void
drawer_tab_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  const char *tab = g_variant_get_string (state, NULL);
  if (!strcmp (tab, "source") && !fb_drawer_panel_has_source (self->drawer))
    return;
  fb_drawer_panel_set_tab (self->drawer, tab);
  g_simple_action_set_state (action, state);
}

/* From wherever one is, to the text. */
static void
show_source_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  fb_window_show_replay (self, FALSE);
  fb_window_set_panel (self, "show-drawer", TRUE);
  gboolean captured = fb_drawer_panel_has_source (self->drawer);
  g_action_group_activate_action (G_ACTION_GROUP (self), "drawer-tab",
                                  g_variant_new_string (captured ? "source" : "code"));
}

/* There, and from there back to the canvas. */
static void
show_nodes_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  fb_window_set_panel (self, "show-drawer", TRUE);
  g_action_group_activate_action (G_ACTION_GROUP (self), "drawer-tab", g_variant_new_string ("nodes"));
  if (!fb_drawer_panel_focus_nodes (self->drawer))
    gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
reveal_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  fb_canvas_reveal (self->canvas);
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
scope_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  self->settings.whole_graph = !strcmp (g_variant_get_string (state, NULL), "graph");
  fb_document_set_diff_scope (self->doc, self->settings.whole_graph ? FB_SCOPE_GRAPH : FB_SCOPE_UOP);
  g_simple_action_set_state (action, state);
}

static void
layout_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  self->settings.side_by_side = !strcmp (g_variant_get_string (state, NULL), "side-by-side");
  fb_drawer_panel_set_side_by_side (self->drawer, self->settings.side_by_side);
  g_simple_action_set_state (action, state);
}

static void
toggle_scope_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  g_action_group_activate_action (G_ACTION_GROUP (self), "diff-scope",
                                  g_variant_new_string (self->settings.whole_graph ? "uop" : "graph"));
}

static void
toggle_layout_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  g_action_group_activate_action (G_ACTION_GROUP (self), "diff-layout",
                                  g_variant_new_string (self->settings.side_by_side ? "unified" : "side-by-side"));
}

/* --- tables --- */

#define DO(name_, callback)             \
  {                                     \
    .name = name_, .activate = callback \
  }
#define CHOICE(name_, state_, callback)                                             \
  {                                                                                 \
    .name = name_, .parameter_type = "s", .state = state_, .change_state = callback \
  }
#define SWITCH(name_, state_, callback)                      \
  {                                                          \
    .name = name_, .state = state_, .change_state = callback \
  }
static const GActionEntry actions[] = {
  DO ("open", open_activated),
  { .name = "open-path", .activate = open_path_activated, .parameter_type = "s" },
  DO ("cancel", cancel_activated),
  DO ("close-banner", close_banner_activated),
  SWITCH ("replay", "false", replay_toggled),
  SWITCH ("show-passes", "true", panel_toggled),
  SWITCH ("show-inspector", "true", panel_toggled),
  SWITCH ("show-drawer", "true", panel_toggled),
  SWITCH ("pin-minimap", "false", pin_toggled),
  DO ("next-step", next_step_activated),
  DO ("previous-step", previous_step_activated),
  DO ("first-step", first_step_activated),
  DO ("last-step", last_step_activated),
  DO ("next-pass", next_pass_activated),
  DO ("previous-pass", previous_pass_activated),
  DO ("next-row", next_row_activated),
  DO ("previous-row", previous_row_activated),
  DO ("back", back_activated),
  DO ("forward", forward_activated),
  DO ("next-change", next_change_activated),
  DO ("previous-change", previous_change_activated),
  DO ("next-of-rule", next_of_rule_activated),
  DO ("previous-of-rule", previous_of_rule_activated),
  CHOICE ("side", "'overlay'", side_changed),
  DO ("fit", fit_activated),
  DO ("zoom-in", zoom_in_activated),
  DO ("zoom-out", zoom_out_activated),
  DO ("zoom-reset", zoom_reset_activated),
  { .name = "walk", .activate = walk_activated, .parameter_type = "(ii)" },
  DO ("clear-selection", clear_selection_activated),
  CHOICE ("inspector-tab", "'rule'", tab_changed),
  DO ("try", try_activated),
  { "select-kernel", select_kernel_activated, "i", NULL, NULL, { 0 } },
  DO ("copy-key", copy_key_activated),
  DO ("copy-diff", copy_diff_activated),
  CHOICE ("drawer-tab", "'diff'", drawer_tab_changed),
  DO ("show-source", show_source_activated),
  DO ("show-nodes", show_nodes_activated),
  DO ("reveal", reveal_activated),
  CHOICE ("diff-scope", "'uop'", scope_changed),
  CHOICE ("diff-layout", "'unified'", layout_changed),
  DO ("toggle-diff-scope", toggle_scope_activated),
  DO ("toggle-diff-layout", toggle_layout_activated),
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

/* Keys without Ctrl or Alt. They work wherever nothing that takes text has the keyboard. */
static const FbWindowKey keys[] = {
  { GDK_KEY_Left, "previous-step", NULL },
  { GDK_KEY_Right, "next-step", NULL },
  { GDK_KEY_KP_Left, "previous-step", NULL },
  { GDK_KEY_KP_Right, "next-step", NULL },
  { GDK_KEY_Up, "previous-pass", NULL },
  { GDK_KEY_Down, "next-pass", NULL },
  { GDK_KEY_Home, "first-step", NULL },
  { GDK_KEY_End, "last-step", NULL },
  { GDK_KEY_n, "next-change", NULL },
  { GDK_KEY_N, "previous-change", NULL },
  { GDK_KEY_r, "next-of-rule", NULL },
  { GDK_KEY_R, "previous-of-rule", NULL },
  { GDK_KEY_slash, "search", NULL },
  { GDK_KEY_KP_Divide, "search", NULL },
  { GDK_KEY_F3, "next-hit", NULL },
  { GDK_KEY_o, "captures", NULL },
  { GDK_KEY_F5, "continue", NULL },
  { GDK_KEY_B, "show-breakpoints", NULL },
  { GDK_KEY_U, "show-rules", NULL },
  { GDK_KEY_T, "time-rules", NULL },
  { GDK_KEY_S, "toggle-rules-scope", NULL },
  { GDK_KEY_space, "fit", NULL },
  { GDK_KEY_p, "play", NULL },
  { GDK_KEY_greater, "play-faster", NULL },
  { GDK_KEY_less, "play-slower", NULL },
  { GDK_KEY_Page_Down, "next-kernel", NULL },
  { GDK_KEY_Page_Up, "previous-kernel", NULL },
  { GDK_KEY_KP_Page_Down, "next-kernel", NULL },
  { GDK_KEY_KP_Page_Up, "previous-kernel", NULL },
  { GDK_KEY_e, "hide-empty-passes", NULL },
  { GDK_KEY_z, "next-heat", NULL },
  { GDK_KEY_plus, "zoom-in", NULL },
  { GDK_KEY_equal, "zoom-in", NULL },
  { GDK_KEY_KP_Add, "zoom-in", NULL },
  { GDK_KEY_minus, "zoom-out", NULL },
  { GDK_KEY_KP_Subtract, "zoom-out", NULL },
  { GDK_KEY_0, "zoom-reset", NULL },
  { GDK_KEY_KP_0, "zoom-reset", NULL },
  { GDK_KEY_1, "side", "'before'" },
  { GDK_KEY_2, "side", "'overlay'" },
  { GDK_KEY_3, "side", "'after'" },
  { GDK_KEY_4, "side", "'both'" },
  { GDK_KEY_v, "compare", NULL },
  { GDK_KEY_c, "collapse", NULL },
  { GDK_KEY_C, "collapse-chains", NULL },
  { GDK_KEY_k, "collapse-kernels", NULL },
  { GDK_KEY_K, "frame-kernels", NULL },
  { GDK_KEY_m, "mark", NULL },
  { GDK_KEY_y, "refine", NULL },
  { GDK_KEY_h, "hide", NULL },
  { GDK_KEY_x, "extract", NULL },
  { GDK_KEY_bracketright, "grow", "1" },
  { GDK_KEY_bracketleft, "grow", "-1" },
  { GDK_KEY_a, "show-all", NULL },
  { GDK_KEY_A, "open-all", NULL },
  { GDK_KEY_Menu, "graph-menu", NULL },
  { GDK_KEY_d, "toggle-diff-scope", NULL },
  { GDK_KEY_s, "toggle-diff-layout", NULL },
  { GDK_KEY_i, "inspector-tab", "'node'" },
  { GDK_KEY_u, "inspector-tab", "'rule'" },
  { GDK_KEY_g, "inspector-tab", "'lineage'" },
  { GDK_KEY_w, "inspector-tab", "'why'" },
  { GDK_KEY_Y, "try", NULL },
  { GDK_KEY_j, "drawer-tab", "'kernels'" },
  { GDK_KEY_J, "drawer-tab", "'scenarios'" },
  { GDK_KEY_q, "compare-scenarios", NULL },
  { GDK_KEY_F8, "run", NULL },
  { GDK_KEY_P, "probe", NULL },
  { GDK_KEY_f, "drawer-tab", "'buffers'" },
  { GDK_KEY_t, "toggle-moment", NULL },
  { GDK_KEY_I, "show-inputs", NULL },
  { GDK_KEY_D, "toggle-buffer-mode", NULL },
  { GDK_KEY_braceleft, "previous-write", NULL },
  { GDK_KEY_braceright, "next-write", NULL },
  { GDK_KEY_l, "show-nodes", NULL },
  { GDK_KEY_b, "toggle-bookmark", NULL },
  { GDK_KEY_period, "next-bookmark", NULL },
  { GDK_KEY_comma, "previous-bookmark", NULL },
  { GDK_KEY_Escape, "clear-selection", NULL },
  { GDK_KEY_question, "show-help-overlay", NULL },
};

const FbWindowKey *
fb_window_get_keys (guint *n)
{
  *n = G_N_ELEMENTS (keys);
  return keys;
}

static gboolean
key_pressed (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, FbWindow *self)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK))
    return GDK_EVENT_PROPAGATE;
  /* The empty state has only its lists and buttons. */
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "document") && keyval != GDK_KEY_question)
    return GDK_EVENT_PROPAGATE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == keyval)
      {
        GVariant *parameter = keys[i].parameter ? g_variant_new_parsed (keys[i].parameter) : NULL;
        g_action_group_activate_action (G_ACTION_GROUP (self), keys[i].action, parameter);
        return GDK_EVENT_STOP;
      }
  return GDK_EVENT_PROPAGATE;
}

/* A list would take these for itself. */
static gboolean
list_key_pressed (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, FbWindow *self)
{
  GtkWidget *list = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  /* In the drawer there is also text, which needs them. */
  if (list == GTK_WIDGET (self->drawer) && !(focus && gtk_widget_get_ancestor (focus, FB_TYPE_NODE_LIST)))
    return GDK_EVENT_PROPAGATE;
  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_Right || keyval == GDK_KEY_space)
    return key_pressed (controller, keyval, code, state, self);
  return GDK_EVENT_PROPAGATE;
}

void
fb_window_add_keys (FbWindow *self)
{
  GtkEventController *plain = gtk_event_controller_key_new ();
  g_signal_connect_object (plain, "key-pressed", G_CALLBACK (key_pressed), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), plain);
  GtkWidget *lists[] = { GTK_WIDGET (self->pass_panel), GTK_WIDGET (self->drawer) };
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      GtkEventController *list = gtk_event_controller_key_new ();
      gtk_event_controller_set_propagation_phase (list, GTK_PHASE_CAPTURE);
      g_signal_connect_object (list, "key-pressed", G_CALLBACK (list_key_pressed), self, 0);
      gtk_widget_add_controller (lists[i], list);
    }
}
