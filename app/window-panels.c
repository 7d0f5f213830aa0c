/* The panels beside and below the graph: whether they are there, and what they show. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/trace-compare-window.h"
#include "app/window-private.h"

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

static const GActionEntry actions[] = {
  FB_SWITCH ("show-passes", "true", panel_toggled),
  FB_SWITCH ("show-inspector", "true", panel_toggled),
  FB_SWITCH ("show-drawer", "true", panel_toggled),
  FB_CHOICE ("inspector-tab", "'rule'", tab_changed),
  FB_DO ("try", try_activated),
  { "select-kernel", select_kernel_activated, "i", NULL, NULL, { 0 } },
  FB_DO ("copy-key", copy_key_activated),
  FB_DO ("copy-diff", copy_diff_activated),
  FB_CHOICE ("drawer-tab", "'diff'", drawer_tab_changed),
  FB_DO ("show-source", show_source_activated),
  FB_DO ("show-nodes", show_nodes_activated),
  FB_DO ("reveal", reveal_activated),
  FB_CHOICE ("diff-scope", "'uop'", scope_changed),
  FB_CHOICE ("diff-layout", "'unified'", layout_changed),
  FB_DO ("toggle-diff-scope", toggle_scope_activated),
  FB_DO ("toggle-diff-layout", toggle_layout_activated),
};

void
fb_window_add_panel_actions (FbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
}
