/* How a window stands, as texts of its session: where it is, what is selected, what part of the graph is seen, which panels show. */
#include "app/session-state.h"

#include <math.h>
#include <string.h>

#include "app/view-state-text.h"

/* A stranger's file may ask for no more. */
#define MOST_BREAKPOINTS 100

/* Of the window's actions with a state these are not: the window decides, or the view of the graph has it. */
static const char *const not_kept[]
    = { "replay", "show-inspector", "collapse-chains", "collapse-kernels", "frame-kernels", NULL };

/* NAN: there is none. */
static void
set_number (FbSessionFile *session, const char *name, double value)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  fb_session_file_set_state (session, name, isnan (value) ? NULL : g_ascii_formatd (text, sizeof text, "%.10g", value));
}

static gboolean
get_number (FbSessionFile *session, const char *name, double least, double most, double *value)
{
  const char *text = fb_session_file_get_state (session, name);
  char *end;
  if (!text || !*text)
    return FALSE;
  *value = g_ascii_strtod (text, &end);
  return !*end && isfinite (*value) && *value >= least && *value <= most;
}

/* --- storing --- */

static void
store_place (FbWindow *self, FbSessionFile *session)
{
  FbStorePlace place;
  if (!fb_document_get_place (self->doc, &place))
    return;
  set_number (session, "kind", place.kind);
  set_number (session, "row", place.row);
  set_number (session, "pass", place.pass);
  set_number (session, "step", place.step);
  const FbRowView *row = fb_document_get_row (self->doc);
  fb_session_file_set_state (session, "scenario", row ? row->scenario_text : NULL);
  /* what the step selects by itself it will select again */
  guint64 picked = fb_document_get_picked_key (self->doc);
  g_autofree char *key = picked ? g_strdup_printf ("%016" G_GINT64_MODIFIER "x", picked) : NULL;
  fb_session_file_set_state (session, "selection", key);
  FbViewState *state = fb_document_get_view_state (self->doc);
  g_autofree char *view = fb_view_state_is_plain (state) ? NULL : fb_view_state_to_text (state);
  fb_session_file_set_state (session, "view", view);
  double x, y, zoom;
  gboolean chosen = fb_canvas_get_middle (self->canvas, &x, &y, &zoom);
  set_number (session, "x", chosen ? x : NAN);
  set_number (session, "y", chosen ? y : NAN);
  set_number (session, "zoom", chosen ? zoom : NAN);
}

/* Of the passes that dot placed; those that are laid out our way again are forgotten. */
static void
store_layouts (FbWindow *self, FbSessionFile *session)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  const FbViewState *state = fb_document_get_view_state (self->doc);
  const GPtrArray *stored = fb_session_file_get_layouts (session);
  FbStorePlace here;
  if (!row || row->scenario || !fb_document_get_place (self->doc, &here))
    return;
  for (guint i = stored->len; i-- > 0;)
    {
      const FbStoreLayout *layout = g_ptr_array_index (stored, i);
      FbStoreLayout none = { .place = layout->place };
      if (layout->place.kind != here.kind || layout->place.row != here.row
          || fb_view_state_get_places (state, layout->place.pass))
        continue;
      none.placed = g_array_new (FALSE, FALSE, sizeof (FbStorePlaced));
      fb_session_file_put_layout (session, &none);
      g_array_unref (none.placed);
    }
  for (guint i = 0; i < state->placed->len; i++)
    {
      const FbViewPlaces *places = g_ptr_array_index (state->placed, i);
      gboolean there = !places->scene;
      for (guint k = 0; k < stored->len && !there; k++)
        there = ((const FbStoreLayout *) g_ptr_array_index (stored, k))->placed == places->placed;
      if (!there)
        fb_session_file_put_layout (session, &(FbStoreLayout){ places->place, places->side, places->placed });
    }
}

static void
store_panels (FbWindow *self, FbSessionFile *session)
{
  g_auto (GStrv) actions = g_action_group_list_actions (G_ACTION_GROUP (self));
  for (char **name = actions; *name; name++)
    {
      g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self), *name);
      if (!state || g_strv_contains (not_kept, *name))
        continue;
      g_autofree char *key = g_strconcat ("action.", *name, NULL);
      g_autofree char *text = g_variant_print (state, FALSE);
      fb_session_file_set_state (session, key, text);
    }
  if (!gtk_widget_get_mapped (GTK_WIDGET (self->canvas)))
    return;
  if (gtk_widget_get_visible (GTK_WIDGET (self->pass_panel)))
    set_number (session, "passes-width", gtk_paned_get_position (self->passes_paned));
  if (gtk_widget_get_visible (GTK_WIDGET (self->drawer)))
    set_number (session, "drawer-height", gtk_widget_get_height (GTK_WIDGET (self->drawer)));
  if (self->folded)
    return;
  gboolean shown = gtk_widget_get_visible (GTK_WIDGET (self->inspector));
  fb_session_file_set_state (session, "inspector", shown ? "true" : "false");
  if (shown)
    set_number (session, "inspector-width", gtk_widget_get_width (GTK_WIDGET (self->inspector)));
}

/* Questions, and whether they stop. */
static void
store_breakpoints (FbWindow *self, FbSessionFile *session)
{
  GListModel *list = G_LIST_MODEL (self->breakpoints);
  guint n = g_list_model_get_n_items (list);
  GVariantBuilder builder;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a(sb)"));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (FbBreakpoint) breakpoint = g_list_model_get_item (list, i);
      g_variant_builder_add (&builder, "(sb)", fb_breakpoint_get_text (breakpoint),
                             fb_breakpoint_get_enabled (breakpoint));
    }
  g_autoptr (GVariant) all = g_variant_ref_sink (g_variant_builder_end (&builder));
  g_autofree char *text = n ? g_variant_print (all, FALSE) : NULL;
  fb_session_file_set_state (session, "breakpoints", text);
}

void
fb_session_state_store (FbWindow *self, FbSessionFile *session)
{
  store_breakpoints (self, session);
  store_place (self, session);
  store_layouts (self, session);
  store_panels (self, session);
}

/* --- restoring --- */

/* A name of a tab or a switch; anything else in a stranger's file is left alone. */
static gboolean
is_sane (GVariant *value)
{
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return TRUE;
  const char *text = g_variant_get_string (value, NULL);
  return *text && strlen (text) < 32 && strspn (text, "abcdefghijklmnopqrstuvwxyz-") == strlen (text);
}

static void
restore_actions (FbWindow *self, FbSessionFile *session)
{
  g_auto (GStrv) actions = g_action_group_list_actions (G_ACTION_GROUP (self));
  for (char **name = actions; *name; name++)
    {
      g_autoptr (GVariant) now = g_action_group_get_action_state (G_ACTION_GROUP (self), *name);
      g_autofree char *key = g_strconcat ("action.", *name, NULL);
      const char *text = fb_session_file_get_state (session, key);
      if (!now || !text || g_strv_contains (not_kept, *name))
        continue;
      g_autoptr (GVariant) then = g_variant_parse (g_variant_get_type (now), text, NULL, NULL, NULL);
      if (then && is_sane (then) && !g_variant_equal (then, now))
        g_action_group_change_action_state (G_ACTION_GROUP (self), *name, then);
    }
}

/* Beside those that the window has. What is no question here is left out. */
static void
restore_breakpoints (FbWindow *self, FbSessionFile *session)
{
  const char *text = fb_session_file_get_state (session, "breakpoints");
  g_autoptr (GVariant) all = text ? g_variant_parse (G_VARIANT_TYPE ("a(sb)"), text, NULL, NULL, NULL) : NULL;
  gsize n = all ? MIN (g_variant_n_children (all), MOST_BREAKPOINTS) : 0;
  for (gsize i = 0; i < n; i++)
    {
      const char *question;
      gboolean enabled;
      g_variant_get_child (all, i, "(&sb)", &question, &enabled);
      FbBreakpoint *breakpoint = fb_breakpoint_set_add (self->breakpoints, question, NULL)
                                     ? fb_breakpoint_set_find (self->breakpoints, question)
                                     : NULL;
      if (breakpoint)
        fb_breakpoint_set_enable (self->breakpoints, breakpoint, enabled);
    }
}

void
fb_session_state_restore_panels (FbWindow *self, FbSessionFile *session)
{
  double value;
  restore_breakpoints (self, session);
  restore_actions (self, session);
  if (get_number (session, "passes-width", 1, 10000, &value))
    self->settings.passes_width = (int) value;
  if (get_number (session, "inspector-width", 1, 10000, &value))
    self->settings.inspector_width = (int) value;
  if (get_number (session, "drawer-height", 1, 10000, &value))
    self->settings.drawer_height = (int) value;
  const char *inspector = fb_session_file_get_state (session, "inspector");
  if (inspector && !self->folded)
    fb_window_set_panel (self, "show-inspector", !strcmp (inspector, "true"));
  fb_window_apply_sizes (self);
}

/* The session was left in that row. */
static gboolean
is_row (FbSessionFile *session, const FbStorePlace *place)
{
  double kind, row;
  return get_number (session, "kind", place->kind, place->kind, &kind)
         && get_number (session, "row", place->row, place->row, &row);
}

void
fb_session_state_restore_graph (FbWindow *self, FbSessionFile *session)
{
  FbStorePlace here;
  const char *text = fb_session_file_get_state (session, "view");
  if (!text || !fb_document_get_place (self->doc, &here) || !is_row (session, &here))
    return;
  g_autoptr (FbViewState) state = fb_view_state_from_text (text);
  if (state)
    fb_document_begin_with_view_state (self->doc, state);
}

void
fb_session_state_restore_layouts (FbWindow *self, FbSessionFile *session)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  const GPtrArray *stored = fb_session_file_get_layouts (session);
  FbStorePlace here;
  if (!row || row->scenario || !fb_document_get_place (self->doc, &here))
    return;
  for (guint i = 0; i < stored->len; i++)
    {
      const FbStoreLayout *layout = g_ptr_array_index (stored, i);
      g_autoptr (FbViewPlaces) places = layout->place.kind == here.kind && layout->place.row == here.row
                                            ? fb_view_places_new_from_store (layout)
                                            : NULL;
      if (!places)
        continue;
      g_autoptr (FbViewState) state
          = fb_view_state_copy_placed (fb_document_get_view_state (self->doc), places, layout->place.pass);
      fb_document_begin_with_view_state (self->doc, state);
    }
}

void
fb_session_state_restore_view (FbWindow *self, FbSessionFile *session)
{
  double x, y, zoom, pass, step;
  guint64 key;
  FbStorePlace here;
  /* tabs that depend on what the row has */
  restore_actions (self, session);
  if (!fb_document_get_shown_place (self->doc, &here) || !is_row (session, &here)
      || !get_number (session, "pass", here.pass, here.pass, &pass)
      || !get_number (session, "step", here.step, here.step, &step))
    return;
  const char *selection = fb_session_file_get_state (session, "selection");
  if (selection && g_ascii_string_to_unsigned (selection, 16, 1, G_MAXUINT64, &key, NULL))
    self->select_later = key;
  if (get_number (session, "x", -1e9, 1e9, &x) && get_number (session, "y", -1e9, 1e9, &y)
      && get_number (session, "zoom", 1e-3, 100, &zoom))
    fb_canvas_look_at (self->canvas, x, y, zoom);
}
