/* Going from step to step on command: playing, kernels, a step by its number, what the strip shows. */
#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/preferences.h"
#include "app/window-private.h"

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

/* --- playing --- */

void
fb_window_stop_playing (FbWindow *self)
{
  if (!self->play_source)
    return;
  g_clear_handle_id (&self->play_source, g_source_remove);
  fb_scrubber_set_playing (self->scrubber, FALSE);
}

static gboolean
play_on (gpointer data)
{
  FbWindow *self = data;
  /* A slow step is waited for, not skipped. */
  if (fb_document_is_busy (self->doc, NULL, NULL, NULL))
    return G_SOURCE_CONTINUE;
  if (fb_document_step_by (self->doc, 1))
    return G_SOURCE_CONTINUE;
  self->play_source = 0;
  fb_scrubber_set_playing (self->scrubber, FALSE);
  return G_SOURCE_REMOVE;
}

static void
start_playing (FbWindow *self)
{
  g_clear_handle_id (&self->play_source, g_source_remove);
  self->play_source
      = g_timeout_add (1000 / fb_preferences_get_play_speed (fb_preferences_get_default ()), play_on, self);
  fb_scrubber_set_playing (self->scrubber, TRUE);
}

static void
play_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (self->play_source)
    fb_window_stop_playing (self);
  else if (fb_document_step_by (self->doc, 1))
    start_playing (self);
}

/* Twice as fast, or half as fast. */
static void
change_speed (FbWindow *self, gboolean faster)
{
  FbPreferences *preferences = fb_preferences_get_default ();
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (preferences), "play-speed");
  guint speed = fb_preferences_get_play_speed (preferences);
  speed = faster ? speed * 2 : speed / 2;
  speed = CLAMP (speed, G_PARAM_SPEC_UINT (spec)->minimum, G_PARAM_SPEC_UINT (spec)->maximum);
  g_object_set (preferences, "play-speed", speed, NULL);
  g_autofree char *note
      = g_strdup_printf (ngettext ("Plays %s step a second", "Plays %s steps a second", speed), fb_count (speed));
  fb_window_show_note (self, note);
}

static void
speed_changed (FbWindow *self)
{
  if (self->play_source)
    start_playing (self);
}

static void
faster_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  change_speed (data, TRUE);
}

static void
slower_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  change_speed (data, FALSE);
}

/* --- kernels --- */

/* The first pass with steps of the kernel after the one we are in, or before it; without such kernels FALSE. From before the kernels
 * the first is the next one. */
static gboolean
find_kernel (const FbRowView *row, guint pass, int direction, guint *found)
{
  guint kernel = row->passes[pass].kernel, best = 0;
  for (guint i = 0; i < row->n_passes; i++)
    {
      guint other = row->passes[i].kernel;
      if (!row->passes[i].n_steps || (direction > 0 ? other <= kernel : other >= kernel) || !other)
        continue;
      if (!best || (direction > 0 ? other < best : other > best))
        {
          best = other;
          *found = i;
        }
    }
  return best != 0;
}

static void
kernel_by (FbWindow *self, int direction)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint pass, step;
  fb_window_stop_playing (self);
  fb_document_get_position (self->doc, &pass, &step);
  if (row && pass < row->n_passes && find_kernel (row, pass, direction, &pass))
    fb_document_jump (self->doc, pass, 0);
  else
    fb_window_show_note (self, _ ("No kernel in that direction"));
}

static void
next_kernel_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kernel_by (data, 1);
}

static void
previous_kernel_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  kernel_by (data, -1);
}

/* --- the strip, the list, a step by its number --- */

static void
go_to_step_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  fb_window_stop_playing (self);
  fb_scrubber_ask_step (self->scrubber);
}

static const char *const heats[] = {
  [FB_HEAT_TOUCHED] = "touched", [FB_HEAT_GROWTH] = "growth", [FB_HEAT_TIME] = "time", [FB_HEAT_TRIES] = "tries"
};

static void
heat_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  for (guint i = 0; i < G_N_ELEMENTS (heats); i++)
    if (!g_strcmp0 (g_variant_get_string (state, NULL), heats[i]))
      {
        fb_scrubber_set_heat (self->scrubber, i);
        g_simple_action_set_state (action, state);
        if (i == FB_HEAT_TIME)
          fb_window_time_rules (self);
      }
}

static void
next_heat_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const char *const words[]
      = { [FB_HEAT_TOUCHED] = N_ ("The strip shows how many nodes a step touched"),
          [FB_HEAT_GROWTH] = N_ ("The strip shows by how much the graph grew or shrank"),
          [FB_HEAT_TIME] = N_ ("The strip shows how long each match took"),
          [FB_HEAT_TRIES] = N_ ("The strip shows how often a rule was tried for each match") };
  FbWindow *self = data;
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), "heat");
  guint next = 0;
  while (g_strcmp0 (g_variant_get_string (state, NULL), heats[next]))
    next++;
  next = (next + 1) % G_N_ELEMENTS (heats);
  g_action_group_change_action_state (G_ACTION_GROUP (self), "heat", g_variant_new_string (heats[next]));
  fb_window_show_note (self, _ (words[next]));
}

static const GActionEntry actions[] = {
  FB_DO ("next-step", next_step_activated),
  FB_DO ("previous-step", previous_step_activated),
  FB_DO ("first-step", first_step_activated),
  FB_DO ("last-step", last_step_activated),
  FB_DO ("next-pass", next_pass_activated),
  FB_DO ("previous-pass", previous_pass_activated),
  FB_DO ("next-row", next_row_activated),
  FB_DO ("previous-row", previous_row_activated),
  FB_DO ("back", back_activated),
  FB_DO ("forward", forward_activated),
  FB_DO ("next-change", next_change_activated),
  FB_DO ("previous-change", previous_change_activated),
  FB_DO ("next-of-rule", next_of_rule_activated),
  FB_DO ("previous-of-rule", previous_of_rule_activated),
  { .name = "play", .activate = play_activated },
  { .name = "play-faster", .activate = faster_activated },
  { .name = "play-slower", .activate = slower_activated },
  { .name = "next-kernel", .activate = next_kernel_activated },
  { .name = "previous-kernel", .activate = previous_kernel_activated },
  { .name = "go-to-step", .activate = go_to_step_activated },
  { .name = "heat", .parameter_type = "s", .state = "'touched'", .change_state = heat_changed },
  { .name = "next-heat", .activate = next_heat_activated },
};

void
fb_window_add_step_actions (FbWindow *self)
{
  FbPreferences *preferences = fb_preferences_get_default ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_autoptr (GPropertyAction) hide = g_property_action_new ("hide-empty-passes", preferences, "hide-empty-passes");
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (hide));
  g_signal_connect_object (preferences, "notify::play-speed", G_CALLBACK (speed_changed), self, G_CONNECT_SWAPPED);
}
