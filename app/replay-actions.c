/* What the replay page does on command, its options, its keys. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/page-keys.h"
#include "app/replay-page-private.h"
#include "app/tip.h"

/* Options that captures carry. Others are for the command line. */
static const struct
{
  const char *name, *action, *about;
} options[] = {
  { "FUSE_ARANGE", "fuse-arange", N_ ("Fuses ranges into their users") },
  { "FUSE_CONV_BW", "fuse-conv-bw", N_ ("Fuses the backward pass of convolutions") },
  { "DONT_REALIZE_EXPAND", "dont-realize-expand", N_ ("Gives no buffer to what is expanded") },
  { "SPLIT_REDUCEOP", "split-reduceop", N_ ("Splits large reduces in two") },
};
static const struct
{
  const char *value, *label;
} values[] = { { "captured", N_ ("As captured") }, { "0", "0" }, { "1", "1" } };

char *
fb_replay_page_options_text (const GArray *set)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < set->len; i++)
    {
      const FbReplayOption *option = &g_array_index (set, FbReplayOption, i);
      g_string_append_printf (text, "%s%s=%" G_GINT64_FORMAT, i ? " " : "", option->name, option->value);
    }
  return g_string_free (text, FALSE);
}

void
fb_replay_page_show_options (FbReplayPage *self)
{
  g_autofree char *text = fb_replay_page_options_text (self->options);
  /* Translators: no option is set: what was captured holds */
  const char *none = self->trace ? _ ("defaults") : _ ("as captured");
  gtk_label_set_label (self->options_label, *text ? text : none);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      g_autofree char *value = g_strdup ("captured");
      for (guint k = 0; k < self->options->len; k++)
        {
          const FbReplayOption *set = &g_array_index (self->options, FbReplayOption, k);
          if (!strcmp (set->name, options[i].name))
            {
              g_free (value);
              value = g_strdup_printf ("%" G_GINT64_FORMAT, set->value);
            }
        }
      GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), options[i].action);
      g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (value));
    }
}

gboolean
fb_replay_page_set_option (FbReplayPage *self, const char *text, GError **error)
{
  g_return_val_if_fail (FB_IS_REPLAY_PAGE (self) && text, FALSE);
  if (!fb_replay_options_parse (self->options, text, error))
    return FALSE;
  self->stale = self->path != NULL;
  fb_replay_page_show_options (self);
  return TRUE;
}

static void
option_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbReplayPage *self = data;
  const char *value = g_variant_get_string (state, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      if (strcmp (options[i].action, g_action_get_name (G_ACTION (action))))
        continue;
      for (guint k = self->options->len; k-- > 0;)
        if (!strcmp (g_array_index (self->options, FbReplayOption, k).name, options[i].name))
          g_array_remove_index (self->options, k);
      g_autofree char *text = g_strdup_printf ("%s=%s", options[i].name, value);
      /* "captured" is no value: then nothing is set. */
      fb_replay_options_parse (self->options, text, NULL);
    }
  self->stale = self->path != NULL;
  fb_replay_page_show_options (self);
}

static void
run_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbReplayPage *self = data;
  gtk_menu_button_popdown (self->options_button);
  fb_replay_page_run (self);
}

static void
cancel_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_replay_page_cancel (data);
}

static void
close_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_replay_page_close (data);
}

static void
open_row_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_replay_page_open_row (data);
}

static void
layout_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbReplayPage *self = data;
  fb_replay_compare_set_side_by_side (self->compare, !strcmp (g_variant_get_string (state, NULL), "side-by-side"));
  g_simple_action_set_state (action, state);
}

static void
toggle_layout (FbReplayPage *self)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "layout");
  gboolean unified = !strcmp (g_variant_get_string (state, NULL), "unified");
  g_action_group_activate_action (G_ACTION_GROUP (self->actions), "layout",
                                  g_variant_new_string (unified ? "side-by-side" : "unified"));
}

static gboolean
move (gpointer page, int direction)
{
  return fb_replay_compare_move (((FbReplayPage *) page)->compare, direction);
}

static void
zoom (gpointer page, double factor)
{
  fb_replay_compare_zoom (((FbReplayPage *) page)->compare, factor);
}

static gboolean
press (gpointer page, guint keyval)
{
  FbReplayPage *self = page;
  switch (keyval)
    {
    case GDK_KEY_Escape:
      if (fb_replay_page_is_running (self))
        fb_replay_page_cancel (self);
      else
        fb_replay_page_close (self);
      return TRUE;
    case GDK_KEY_F5:
      fb_replay_page_run (self);
      return TRUE;
    case GDK_KEY_s:
      toggle_layout (self);
      return TRUE;
    default:
      return FALSE;
    }
}

static void
add_option_switches (FbReplayPage *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      GtkWidget *name = gtk_label_new (options[i].name);
      gtk_label_set_xalign (GTK_LABEL (name), 0);
      gtk_widget_add_css_class (name, "fb-code");
      gtk_widget_set_hexpand (name, TRUE);
      fb_tip_set (name, _ (options[i].about));
      gtk_grid_attach (self->options_grid, name, 0, i, 1, 1);
      GtkWidget *segments = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
      gtk_widget_add_css_class (segments, "fb-segments");
      g_autofree char *action = g_strdup_printf ("replay.%s", options[i].action);
      for (guint v = 0; v < G_N_ELEMENTS (values); v++)
        {
          GtkWidget *button = gtk_toggle_button_new_with_label (v ? values[v].label : _ (values[v].label));
          gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
          gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", values[v].value);
          gtk_accessible_update_relation (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, name, NULL,
                                          -1);
          gtk_box_append (GTK_BOX (segments), button);
        }
      gtk_grid_attach (self->options_grid, segments, 1, i, 1, 1);
    }
}

void
fb_replay_page_add_actions (FbReplayPage *self)
{
  static const GActionEntry entries[] = {
    { .name = "run", .activate = run_activated },
    { .name = "cancel", .activate = cancel_activated },
    { .name = "close", .activate = close_activated },
    { .name = "open-row", .activate = open_row_activated },
    { .name = "layout", .parameter_type = "s", .state = "'unified'", .change_state = layout_changed },
  };
  static const FbPageKeys keys = { move, zoom, press };
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      const GActionEntry entry
          = { .name = options[i].action, .parameter_type = "s", .state = "'captured'", .change_state = option_changed };
      g_action_map_add_action_entries (G_ACTION_MAP (self->actions), &entry, 1, self);
    }
  gtk_widget_insert_action_group (GTK_WIDGET (self), "replay", G_ACTION_GROUP (self->actions));
  add_option_switches (self);
  fb_replay_page_show_options (self);
  GtkWidget *const lists[] = { GTK_WIDGET (self->lists) };
  fb_page_keys_add (GTK_WIDGET (self), &keys, G_N_ELEMENTS (lists), lists);
}

static void
enable (FbReplayPage *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name)),
                               enabled);
}

void
fb_replay_page_update_actions (FbReplayPage *self)
{
  enable (self, "run", self->path != NULL);
  enable (self, "cancel", fb_replay_page_is_running (self));
  enable (self, "open-row", gtk_single_selection_get_selected_item (self->selection) != NULL);
}
