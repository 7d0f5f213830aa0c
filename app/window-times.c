/* What rules take, and which rules are listed. */
#include <glib/gi18n.h>

#include "app/rule-timing.h"
#include "app/window-private.h"

static void
time_rules_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  FbRuleTiming *timing = fb_document_get_timing (self->doc);
  fb_window_set_panel (self, "show-drawer", TRUE);
  g_action_group_activate_action (G_ACTION_GROUP (self), "drawer-tab", g_variant_new_string ("rules"));
  fb_window_time_rules (self);
  /* it has them all the same */
  if (fb_rule_timing_has_times (timing))
    fb_window_show_note (self, _ ("The times are there"));
}

static void
scope_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  fb_drawer_panel_set_rules_of_pass (self->drawer, !g_strcmp0 (g_variant_get_string (state, NULL), "pass"));
  g_simple_action_set_state (action, state);
}

static void
toggle_scope_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), "rules-scope");
  gboolean of_pass = !g_strcmp0 (g_variant_get_string (state, NULL), "pass");
  g_action_group_change_action_state (G_ACTION_GROUP (self), "rules-scope",
                                      g_variant_new_string (of_pass ? "all" : "pass"));
}

void
fb_window_time_rules (FbWindow *self)
{
  FbRuleTiming *timing = fb_document_get_timing (self->doc);
  if (fb_rule_timing_can_start (timing))
    fb_rule_timing_start (timing);
  else if (fb_document_get_row (self->doc) && !fb_rule_timing_has_times (timing) && !fb_rule_timing_is_running (timing))
    fb_window_show_note (self, _ ("Nothing here can be timed: no pass of ours ran"));
}

/* The strip goes on to show times. */
static void
row_loaded (FbWindow *self)
{
  g_autoptr (GVariant) heat = g_action_group_get_action_state (G_ACTION_GROUP (self), "heat");
  if (!g_strcmp0 (g_variant_get_string (heat, NULL), "time"))
    fb_rule_timing_start (fb_document_get_timing (self->doc));
}

static const GActionEntry actions[] = {
  { .name = "time-rules", .activate = time_rules_activated },
  { .name = "rules-scope", .parameter_type = "s", .state = "'all'", .change_state = scope_changed },
  { .name = "toggle-rules-scope", .activate = toggle_scope_activated },
};

void
fb_window_add_times (FbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (self->doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}
