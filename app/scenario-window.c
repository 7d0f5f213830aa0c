/* Scenarios as pages of the window: their kernel graphs beside each other, in the place of the graph. */
#include <glib/gi18n.h>

#include "app/window-private.h"

#define PAGE "scenarios"

static gboolean
is_shown (FbWindow *self)
{
  return !g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), PAGE);
}

static void
page_closed (FbWindow *self)
{
  if (!is_shown (self))
    return;
  gtk_stack_set_visible_child_name (self->stack, "document");
  gtk_widget_grab_focus (GTK_WIDGET (self->canvas));
}

static void
compare_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  guint n = fb_scenarios_get_n (self->scenarios), shown = fb_scenarios_get_shown (self->scenarios);
  if (is_shown (self))
    {
      page_closed (self);
      return;
    }
  if (!self->scenario_compare)
    {
      self->scenario_compare = fb_scenario_compare_new (self->scenarios, fb_canvas_get_metrics (self->canvas));
      gtk_stack_add_named (self->stack, GTK_WIDGET (self->scenario_compare), PAGE);
      g_signal_connect_object (self->scenario_compare, "close", G_CALLBACK (page_closed), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (self->scenario_compare, "failed", G_CALLBACK (fb_window_show_banner), self,
                               G_CONNECT_SWAPPED);
    }
  fb_window_stop_playing (self);
  gtk_stack_set_visible_child_name (self->stack, PAGE);
  fb_scenario_compare_show (self->scenario_compare, 0, shown ? shown : n - 1);
  gtk_widget_grab_focus (GTK_WIDGET (self->scenario_compare));
}

/* The row under one option more, "FUSE_ARANGE=1". */
static void
scenario_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  g_autoptr (FbScenario) scenario = fb_scenarios_with_option (self->scenarios, g_variant_get_string (parameter, NULL));
  fb_scenarios_show (self->scenarios, scenario);
}

static void
update (FbWindow *self)
{
  static const char *const names[] = { "compare-scenarios", "scenario" };
  guint least[] = { 2, 1 };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), names[i])),
                                 fb_scenarios_get_n (self->scenarios) >= least[i]);
}

gboolean
fb_window_is_scenario_settled (FbWindow *self)
{
  return !self->scenario_compare || fb_scenario_compare_is_settled (self->scenario_compare);
}

void
fb_window_add_scenarios (FbWindow *self)
{
  static const GActionEntry actions[] = {
    { .name = "compare-scenarios", .activate = compare_activated },
    { .name = "scenario", .activate = scenario_activated, .parameter_type = "s" },
  };
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (self->scenarios, "changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "opened", G_CALLBACK (page_closed), self, G_CONNECT_SWAPPED);
  update (self);
}
