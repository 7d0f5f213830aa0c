/* What the page of two traces does on command, and its keys. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/page-keys.h"
#include "app/trace-compare-private.h"

void
fb_trace_compare_zoom (FbTraceCompare *self, double factor)
{
  g_return_if_fail (FB_IS_TRACE_COMPARE (self));
  FbReplaySide *sides[] = { self->a, self->b };
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    if (factor > 0)
      fb_canvas_zoom_by (fb_replay_side_get_canvas (sides[i]), factor);
    else
      fb_canvas_fit (fb_replay_side_get_canvas (sides[i]));
}

gboolean
fb_trace_compare_copy (FbTraceCompare *self)
{
  g_return_val_if_fail (FB_IS_TRACE_COMPARE (self), FALSE);
  if (!self->pair)
    return FALSE;
  g_autofree char *text = fb_text_diff_to_text (self->pair->diff);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  return TRUE;
}

guint
fb_trace_compare_get_n_rows (FbTraceCompare *self)
{
  g_return_val_if_fail (FB_IS_TRACE_COMPARE (self), 0);
  return g_list_model_get_n_items (G_LIST_MODEL (self->rows));
}

guint
fb_trace_compare_get_row (FbTraceCompare *self)
{
  g_return_val_if_fail (FB_IS_TRACE_COMPARE (self), GTK_INVALID_LIST_POSITION);
  return gtk_single_selection_get_selected (self->row_selection);
}

static void
scroll_to (GtkWidget *list, guint position)
{
  gtk_widget_activate_action (list, "list.scroll-to-item", "u", position);
}

void
fb_trace_compare_choose (FbTraceCompare *self, guint row)
{
  g_return_if_fail (FB_IS_TRACE_COMPARE (self));
  gtk_single_selection_set_selected (self->row_selection, row);
}

/* --- from difference to difference --- */

static gboolean
is_different (FbTraceCompare *self, guint position)
{
  const FbVizContextPair *context = fb_trace_compare_chosen (self);
  g_autoptr (FbIndexItem) item = g_list_model_get_item (G_LIST_MODEL (self->rewrites), position);
  return item && context->rewrites[fb_index_item_get (item)].relation != FB_VIZ_SAME;
}

static gboolean
row_is_different (FbTraceCompare *self, guint position)
{
  g_autoptr (FbIndexItem) item = g_list_model_get_item (G_LIST_MODEL (self->rows), position);
  return item && fb_viz_comparison_pair (self->comparison, fb_index_item_get (item))->pair.relation != FB_VIZ_SAME;
}

/* Of @n positions the next from @at that is different; GTK_INVALID_LIST_POSITION: none. */
static guint
look (FbTraceCompare *self, guint at, guint n, int direction, gboolean (*different) (FbTraceCompare *, guint))
{
  for (gint64 i = (gint64) at + direction; i >= 0 && i < n; i += direction)
    if (different (self, (guint) i))
      return (guint) i;
  return GTK_INVALID_LIST_POSITION;
}

gboolean
fb_trace_compare_move (FbTraceCompare *self, int direction)
{
  g_return_val_if_fail (FB_IS_TRACE_COMPARE (self) && (direction == 1 || direction == -1), FALSE);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->rewrites));
  guint at = gtk_single_selection_get_selected (self->rewrite_selection);
  if (!fb_trace_compare_chosen (self))
    return FALSE;
  guint next = at < n ? look (self, at, n, direction, is_different) : GTK_INVALID_LIST_POSITION;
  if (next != GTK_INVALID_LIST_POSITION)
    {
      gtk_single_selection_set_selected (self->rewrite_selection, next);
      scroll_to (GTK_WIDGET (self->rewrites_list), next);
      return TRUE;
    }
  next = look (self, fb_trace_compare_get_row (self), fb_trace_compare_get_n_rows (self), direction, row_is_different);
  if (next == GTK_INVALID_LIST_POSITION)
    return FALSE;
  gtk_single_selection_set_selected (self->row_selection, next);
  scroll_to (GTK_WIDGET (self->table), next);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->rewrites));
  if (direction < 0 && n)
    gtk_single_selection_set_selected (self->rewrite_selection, look (self, n, n, -1, is_different));
  return TRUE;
}

/* --- actions --- */

static void
close_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_trace_compare_close (data);
}

static void
cancel_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_trace_compare_cancel (data);
}

static void
open_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_trace_compare_open_place (data);
}

static void
all_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbTraceCompare *self = data;
  self->all = g_variant_get_boolean (state);
  g_simple_action_set_state (action, state);
  if (!self->comparison)
    return;
  fb_trace_compare_list_rows (self);
  if (fb_trace_compare_get_n_rows (self))
    gtk_stack_set_visible_child_name (self->stack, "results");
}

static void
graph_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbTraceCompare *self = data;
  self->after = !strcmp (g_variant_get_string (state, NULL), "after");
  g_simple_action_set_state (action, state);
  fb_trace_compare_show_graphs (self);
}

void
fb_trace_compare_choose_graphs (FbTraceCompare *self)
{
  FbVizRewritePair chosen;
  self->after = fb_trace_compare_chosen_rewrite (self, &chosen) && chosen.same_input;
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), "graph")),
                             g_variant_new_string (self->after ? "after" : "before"));
  fb_trace_compare_show_graphs (self);
}

static void
layout_changed (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbTraceCompare *self = data;
  fb_diff_view_set_side_by_side (self->diff_view, !strcmp (g_variant_get_string (state, NULL), "side-by-side"));
  g_simple_action_set_state (action, state);
}

static void
set_state (FbTraceCompare *self, const char *name, const char *state)
{
  g_action_group_activate_action (G_ACTION_GROUP (self->actions), name, g_variant_new_string (state));
}

static void
toggle_layout (FbTraceCompare *self)
{
  g_autoptr (GVariant) state = g_action_group_get_action_state (G_ACTION_GROUP (self->actions), "layout");
  set_state (self, "layout", strcmp (g_variant_get_string (state, NULL), "unified") ? "unified" : "side-by-side");
}

/* --- keys --- */

static gboolean
move (gpointer page, int direction)
{
  return fb_trace_compare_move (page, direction);
}

static void
zoom (gpointer page, double factor)
{
  fb_trace_compare_zoom (page, factor);
}

static gboolean
press (gpointer page, guint keyval)
{
  FbTraceCompare *self = page;
  switch (keyval)
    {
    case GDK_KEY_Escape:
      if (self->comparing)
        fb_trace_compare_cancel (self);
      else
        fb_trace_compare_close (self);
      return TRUE;
    case GDK_KEY_s:
      toggle_layout (self);
      return TRUE;
    case GDK_KEY_a:
      g_action_group_activate_action (G_ACTION_GROUP (self->actions), "all", NULL);
      return TRUE;
    case GDK_KEY_1:
      set_state (self, "graph", "before");
      return TRUE;
    case GDK_KEY_3:
      set_state (self, "graph", "after");
      return TRUE;
    default:
      return FALSE;
    }
}

void
fb_trace_compare_add_actions (FbTraceCompare *self)
{
  static const GActionEntry entries[] = {
    { .name = "close", .activate = close_activated },
    { .name = "cancel", .activate = cancel_activated },
    { .name = "open", .activate = open_activated },
    { .name = "all", .state = "false", .change_state = all_changed },
    { .name = "graph", .parameter_type = "s", .state = "'before'", .change_state = graph_changed },
    { .name = "layout", .parameter_type = "s", .state = "'unified'", .change_state = layout_changed },
  };
  static const FbPageKeys keys = { move, zoom, press };
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "traces", G_ACTION_GROUP (self->actions));
  GtkWidget *const lists[] = { GTK_WIDGET (self->table), GTK_WIDGET (self->rewrites_list) };
  fb_page_keys_add (GTK_WIDGET (self), &keys, G_N_ELEMENTS (lists), lists);
}

static void
enable (FbTraceCompare *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), name)),
                               enabled);
}

void
fb_trace_compare_update_actions (FbTraceCompare *self)
{
  enable (self, "cancel", self->comparing);
  enable (self, "open", self->pair != NULL);
}
