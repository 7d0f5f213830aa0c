/* Actions of the window about search, breakpoints, rules and lineage. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/window-private.h"

static void
set_state (FbWindow *self, const char *name, GVariant *state)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);
  g_simple_action_set_state (G_SIMPLE_ACTION (action), state);
}

static void
enable (FbWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

static void
no_step (FbWindow *self)
{
  fb_window_show_note (self, _ ("No step matches"));
}

/* --- search --- */

static void
search_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  fb_window_show_replay (self, FALSE);
  fb_search_panel_open (self->search_panel);
}

static void
close_search_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_search_panel_close (((FbWindow *) data)->search_panel);
}

static void
search_scope_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  fb_search_panel_set_all_steps (((FbWindow *) data)->search_panel,
                                 !strcmp (g_variant_get_string (state, NULL), "all"));
  g_simple_action_set_state (action, state);
}

/* A question from elsewhere, about all steps. */
static void
search_all_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  fb_window_show_replay (self, FALSE);
  set_state (self, "search-scope", g_variant_new_string ("all"));
  fb_search_panel_search (self->search_panel, g_variant_get_string (parameter, NULL), TRUE);
}

static void
walk_hits (FbWindow *self, int direction)
{
  fb_window_stop_playing (self);
  if (fb_search_panel_is_open (self->search_panel))
    fb_search_panel_walk (self->search_panel, direction);
  else
    fb_search_panel_open (self->search_panel);
}

static void
next_hit_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  walk_hits (data, 1);
}

static void
previous_hit_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  walk_hits (data, -1);
}

static void
captures_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  gtk_menu_button_popup (self->title_button);
  fb_capture_list_focus_search (self->capture_list);
}

static void
search_closed (FbWindow *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

/* The selection follows; once it is made it is to be seen. */
static void
hit_picked (FbWindow *self)
{
  fb_window_stop_playing (self);
  self->reveal_selected = TRUE;
  fb_canvas_reveal (self->canvas);
}

static void
selected (FbWindow *self)
{
  if (self->reveal_selected && !fb_document_is_busy (self->doc, NULL, NULL, NULL))
    {
      self->reveal_selected = FALSE;
      fb_canvas_reveal (self->canvas);
    }
}

/* --- breakpoints --- */

/* "rule=movement-to-view" of the step on the screen; NULL: it has no rule. */
static char *
rule_of_step (FbWindow *self)
{
  FbStepView *view = fb_document_get_view (self->doc);
  const FbMatch *match = view ? fb_step_view_match (view) : NULL;
  if (!match)
    return NULL;
  const FbRule *rule = fb_rule_set_rule (fb_step_view_pass (view)->pass->rules, match->rule);
  return g_strdup_printf ("rule=%s", rule->name);
}

static void
show_rule_switch (FbWindow *self)
{
  g_autofree char *text = rule_of_step (self);
  FbBreakpoint *breakpoint = text ? fb_breakpoint_set_find (self->breakpoints, text) : NULL;
  set_state (self, "break-on-rule", g_variant_new_boolean (breakpoint && fb_breakpoint_get_enabled (breakpoint)));
  enable (self, "break-on-rule", text != NULL);
}

static void
breakpoints_changed (FbWindow *self)
{
  guint n = fb_breakpoint_set_get_n_enabled (self->breakpoints);
  enable (self, "continue", n > 0);
  enable (self, "continue-back", n > 0);
  show_rule_switch (self);
}

static void
breakpoints_counted (FbWindow *self, guint position, guint n_removed, guint n_added)
{
  for (guint i = position; i < position + n_added; i++)
    {
      g_autoptr (FbBreakpoint) breakpoint = g_list_model_get_item (G_LIST_MODEL (self->breakpoints), i);
      g_signal_connect_object (breakpoint, "changed", G_CALLBACK (breakpoints_changed), self, G_CONNECT_SWAPPED);
    }
  breakpoints_changed (self);
}

static void
add_breakpoint (FbWindow *self, const char *text)
{
  g_autoptr (GError) error = NULL;
  if (!fb_breakpoint_set_add (self->breakpoints, text, &error))
    fb_window_show_note (self, error->message);
}

static void
add_breakpoint_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  add_breakpoint (data, g_variant_get_string (parameter, NULL));
}

static void
break_on_rule_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  g_autofree char *text = rule_of_step (self);
  if (!text)
    return;
  FbBreakpoint *breakpoint = fb_breakpoint_set_find (self->breakpoints, text);
  if (g_variant_get_boolean (state))
    add_breakpoint (self, text);
  else if (breakpoint)
    fb_breakpoint_set_remove (self->breakpoints, breakpoint);
  show_rule_switch (self);
}

static void
break_on_op_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  FbUop *uop = fb_document_get_selected (self->doc);
  if (!uop)
    return;
  g_autofree char *text = g_strdup_printf ("op:%s", fb_op_name (uop->op));
  add_breakpoint (self, text);
}

static void
run_on (FbWindow *self, int direction)
{
  fb_window_stop_playing (self);
  FbBreakpoint *breakpoint = fb_breakpoint_set_walk (self->breakpoints, direction);
  if (!breakpoint)
    {
      no_step (self);
      return;
    }
  self->reveal_selected = TRUE;
  /* Translators: what a breakpoint stops at, as it was typed */
  g_autofree char *text = g_strdup_printf (_ ("Stopped at %s"), fb_breakpoint_get_text (breakpoint));
  g_free (self->note_later);
  self->note_later = g_steal_pointer (&text);
}

static void
continue_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  run_on (data, 1);
}

static void
continue_back_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  run_on (data, -1);
}

/* A note goes when another step is shown, so this one waits for it. */
static void
step_shown (FbWindow *self)
{
  show_rule_switch (self);
  if (!self->note_later)
    return;
  fb_window_show_note (self, self->note_later);
  g_clear_pointer (&self->note_later, g_free);
}

/* --- pages of the drawer --- */

static void
show_page (FbWindow *self, const char *page)
{
  fb_window_show_replay (self, FALSE);
  fb_window_set_panel (self, "show-drawer", TRUE);
  g_action_group_activate_action (G_ACTION_GROUP (self), "drawer-tab", g_variant_new_string (page));
  if (!fb_drawer_panel_focus_page (self->drawer, page))
    gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
show_rules_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  show_page (data, "rules");
}

static void
show_breakpoints_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  show_page (data, "breakpoints");
}

/* --- the window --- */

#define DO(name_, callback)             \
  {                                     \
    .name = name_, .activate = callback \
  }
static const GActionEntry actions[] = {
  DO ("search", search_activated),
  DO ("close-search", close_search_activated),
  { .name = "search-scope", .parameter_type = "s", .state = "'all'", .change_state = search_scope_changed },
  { .name = "search-all", .parameter_type = "s", .activate = search_all_activated },
  DO ("next-hit", next_hit_activated),
  DO ("previous-hit", previous_hit_activated),
  DO ("captures", captures_activated),
  DO ("continue", continue_activated),
  DO ("continue-back", continue_back_activated),
  { .name = "add-breakpoint", .parameter_type = "s", .activate = add_breakpoint_activated },
  { .name = "break-on-rule", .state = "false", .change_state = break_on_rule_changed },
  DO ("break-on-op", break_on_op_activated),
  DO ("show-rules", show_rules_activated),
  DO ("show-breakpoints", show_breakpoints_activated),
};

void
fb_window_update_query (FbWindow *self)
{
  static const char *const of_file[] = { "search",   "search-all",     "next-hit",   "previous-hit",
                                         "captures", "add-breakpoint", "show-rules", "show-breakpoints" };
  gboolean file = fb_document_get_name (self->doc) != NULL;
  for (guint i = 0; i < G_N_ELEMENTS (of_file); i++)
    enable (self, of_file[i], file);
  enable (self, "break-on-op", fb_document_get_selected (self->doc) != NULL);
}

gboolean
fb_window_is_query_settled (FbWindow *self)
{
  return fb_search_panel_is_settled (self->search_panel) && fb_breakpoint_set_is_settled (self->breakpoints);
}

void
fb_window_add_query (FbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  self->breakpoints = fb_breakpoint_set_new (self->doc);
  fb_search_panel_set_document (self->search_panel, self->doc);
  fb_drawer_panel_set_breakpoints (self->drawer, self->breakpoints);
  g_signal_connect_object (self->search_panel, "closed", G_CALLBACK (search_closed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_panel, "picked", G_CALLBACK (hit_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_panel, "missed", G_CALLBACK (no_step), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->breakpoints, "items-changed", G_CALLBACK (breakpoints_counted), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "selected", G_CALLBACK (selected), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->doc, "busy", G_CALLBACK (selected), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->doc, "step-shown", G_CALLBACK (step_shown), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  breakpoints_changed (self);
}
