/* What the window does to the view of the graph: collapse, hide, extract, and take it back. */
#include <glib/gi18n.h>

#include "app/view-refine.h"
#include "app/window-private.h"

static FbGraph *
shown_graph (FbWindow *self)
{
  FbScene *scene = fb_canvas_get_scene (self->canvas);
  return scene ? scene->graph : NULL;
}

/* Shows @state, which is taken; what was shown before can be had back. */
static void
change (FbWindow *self, FbViewState *state)
{
  fb_view_history_push (self->view_history, fb_document_get_view_state (self->doc),
                        fb_canvas_get_camera (self->canvas));
  fb_document_set_view_state (self->doc, state);
  fb_view_state_unref (state);
  fb_window_update_view_actions (self);
}

static FbViewState *
changed_state (FbWindow *self)
{
  return fb_view_state_copy (fb_document_get_view_state (self->doc));
}

/* Nodes of the whole graph that the chosen cards show. NULL when nothing is chosen. */
static GArray *
chosen_nodes (FbWindow *self, GArray **cards)
{
  FbGraph *graph = shown_graph (self);
  GArray *nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) chosen = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (graph)
    fb_canvas_get_chosen (self->canvas, chosen);
  for (guint i = 0; i < chosen->len; i++)
    fb_graph_members (graph, g_array_index (chosen, guint32, i), nodes);
  if (!nodes->len)
    g_clear_pointer (&nodes, g_array_unref);
  if (cards)
    *cards = g_steal_pointer (&chosen);
  return nodes;
}

static FbNodeSet *
set_of (FbWindow *self, GArray *nodes, FbGroupKind kind)
{
  FbNodeSet *set = fb_node_set_new (kind);
  const FbGraph *whole = fb_graph_get_whole (shown_graph (self));
  for (guint i = 0; i < nodes->len; i++)
    fb_node_set_add (set, whole->nodes[g_array_index (nodes, guint32, i)].key);
  return set;
}

/* --- collapse --- */

/* Opens a card that several nodes share: the set it is of is given up, or, of a chain or a kernel, left out from now on. */
static void
open_card (FbWindow *self, FbViewState *state, guint32 card, GArray *members)
{
  const FbGraphNode *node = &shown_graph (self)->nodes[card];
  for (guint i = 0; i < state->groups->len; i++)
    if (fb_node_set_group (g_ptr_array_index (state->groups, i)).key == node->key)
      {
        g_ptr_array_remove_index (state->groups, i);
        return;
      }
  g_ptr_array_add (state->opened, set_of (self, members, node->group));
}

/* Nodes that were opened before and are collapsed again are not open any more. */
static void
forget_opened (FbViewState *state, const FbGraph *whole, GArray *nodes)
{
  for (guint i = state->opened->len; i-- > 0;)
    for (guint k = 0; k < nodes->len; k++)
      if (fb_node_set_has (g_ptr_array_index (state->opened, i), whole->nodes[g_array_index (nodes, guint32, k)].key))
        {
          g_ptr_array_remove_index (state->opened, i);
          break;
        }
}

/* Several cards become one; of one alone, its chain; and one that is collapsed opens. */
static void
collapse_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  g_autoptr (GArray) cards = NULL;
  g_autoptr (GArray) nodes = chosen_nodes (self, &cards);
  if (!nodes)
    return;
  const FbGraph *graph = shown_graph (self), *whole = fb_graph_get_whole (shown_graph (self));
  guint32 card = g_array_index (cards, guint32, 0);
  g_autoptr (FbViewState) state = changed_state (self);
  if (cards->len == 1 && graph->nodes[card].group)
    open_card (self, state, card, nodes);
  else if (cards->len == 1)
    {
      g_autofree guint8 *chain = g_new0 (guint8, whole->n_nodes);
      if (fb_graph_chain (whole, g_array_index (nodes, guint32, 0), chain) < 2)
        {
          fb_window_show_note (self, _ ("No chain: mark the cards to collapse with M or Ctrl and click"));
          return;
        }
      g_array_set_size (nodes, 0);
      for (guint32 i = 0; i < whole->n_nodes; i++)
        if (chain[i])
          g_array_append_val (nodes, i);
      forget_opened (state, whole, nodes);
      g_ptr_array_add (state->groups, set_of (self, nodes, FB_GROUP_CHAIN));
    }
  else
    {
      forget_opened (state, whole, nodes);
      g_ptr_array_add (state->groups, set_of (self, nodes, FB_GROUP_HAND));
      fb_canvas_unmark_all (self->canvas);
    }
  change (self, g_steal_pointer (&state));
}

static void
open_all_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbViewState *state = changed_state (data);
  state->chains = state->kernels = FALSE;
  g_ptr_array_set_size (state->groups, 0);
  g_ptr_array_set_size (state->opened, 0);
  fb_canvas_fit_next (((FbWindow *) data)->canvas);
  change (data, state);
}

static void
collapse_chains_changed (GSimpleAction *action, GVariant *value, gpointer data)
{
  FbViewState *state = changed_state (data);
  state->chains = g_variant_get_boolean (value);
  g_ptr_array_set_size (state->opened, 0);
  fb_canvas_fit_next (((FbWindow *) data)->canvas);
  change (data, state);
}

static void
collapse_kernels_changed (GSimpleAction *action, GVariant *value, gpointer data)
{
  FbViewState *state = changed_state (data);
  state->kernels = g_variant_get_boolean (value);
  g_ptr_array_set_size (state->opened, 0);
  fb_canvas_fit_next (((FbWindow *) data)->canvas);
  change (data, state);
}

static void
frame_kernels_changed (GSimpleAction *action, GVariant *value, gpointer data)
{
  FbViewState *state = changed_state (data);
  state->frames = g_variant_get_boolean (value);
  change (data, state);
}

/* --- hide and extract --- */

static void
hide_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  g_autoptr (GArray) nodes = chosen_nodes (self, NULL);
  if (!nodes)
    return;
  FbViewState *state = changed_state (self);
  g_ptr_array_add (state->hidden, set_of (self, nodes, FB_GROUP_NONE));
  fb_canvas_unmark_all (self->canvas);
  change (self, state);
}

static void
extract_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  g_autoptr (GArray) nodes = chosen_nodes (self, NULL);
  if (!nodes)
    return;
  FbViewState *state = changed_state (self);
  g_clear_pointer (&state->focus, fb_node_set_unref);
  state->focus = set_of (self, nodes, FB_GROUP_NONE);
  state->radius = 1;
  fb_canvas_unmark_all (self->canvas);
  fb_canvas_fit_next (self->canvas);
  change (self, state);
}

static void
grow_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  int by = g_variant_get_int32 (parameter);
  FbViewState *state = changed_state (self);
  state->radius = CLAMP ((int) state->radius + by, 0, 1000);
  fb_canvas_fit_next (self->canvas);
  change (self, state);
}

static void
show_all_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  FbViewState *state = changed_state (self);
  g_ptr_array_set_size (state->hidden, 0);
  g_clear_pointer (&state->focus, fb_node_set_unref);
  change (self, state);
}

/* --- Graphviz --- */

static void
refined (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (FbWindow) self = data;
  g_autoptr (GError) error = NULL;
  FbViewState *state = fb_document_refine_finish (FB_DOCUMENT (source), result, &error);
  if (state)
    {
      fb_canvas_fit_next (self->canvas);
      change (self, state);
      return;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  /* Translators: why Graphviz did not lay out the graph */
  g_autofree char *text = g_strdup_printf (_ ("The layout stays as it is: %s"), error->message);
  fb_window_show_note (self, text);
  fb_drawer_panel_log (self->drawer, text);
}

static void
refine_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  if (fb_document_is_refined (self->doc))
    {
      fb_canvas_fit_next (self->canvas);
      change (self, fb_document_unrefine (self->doc));
    }
  else
    fb_document_refine (self->doc, refined, g_object_ref (self));
}

/* --- marks, menu --- */

static void
mark_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  guint32 card = fb_canvas_get_selected (self->canvas);
  if (card != FB_GRAPH_NONE)
    fb_canvas_mark (self->canvas, card, !fb_canvas_is_marked (self->canvas, card));
}

static void
graph_menu_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_canvas_open_menu (((FbWindow *) data)->canvas);
}

/* --- undo --- */

/* Text that is being written has an undo of its own. */
static gboolean
text_takes (FbWindow *self, const char *action)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  return GTK_IS_EDITABLE (focus) && gtk_widget_activate_action (focus, action, NULL);
}

/* In the list of scenarios it brings back what was removed. */
static gboolean
scenarios_take (FbWindow *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  return focus && fb_scenarios_get_removed (self->scenarios)
         && gtk_widget_activate_action (focus, "scenario.restore", NULL);
}

static void
travel (FbWindow *self, int direction)
{
  FbViewState *state;
  FbCamera camera;
  if (!fb_view_history_go (self->view_history, direction, fb_document_get_view_state (self->doc),
                           fb_canvas_get_camera (self->canvas), &state, &camera))
    return;
  if (state == fb_document_get_view_state (self->doc))
    fb_canvas_set_camera (self->canvas, camera);
  else
    {
      fb_canvas_set_next_camera (self->canvas, camera);
      fb_document_set_view_state (self->doc, state);
    }
  fb_view_state_unref (state);
  fb_window_update_view_actions (self);
}

static void
undo_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!text_takes (data, "text.undo") && !scenarios_take (data))
    travel (data, -1);
}

static void
redo_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!text_takes (data, "text.redo"))
    travel (data, 1);
}

void
fb_window_fit (FbWindow *self)
{
  fb_view_history_push (self->view_history, fb_document_get_view_state (self->doc),
                        fb_canvas_get_camera (self->canvas));
  fb_canvas_fit (self->canvas);
  fb_window_update_view_actions (self);
}

/* --- the table --- */

static const GActionEntry actions[] = {
  { .name = "collapse", .activate = collapse_activated },
  { .name = "open-all", .activate = open_all_activated },
  { .name = "collapse-chains", .state = "false", .change_state = collapse_chains_changed },
  { .name = "collapse-kernels", .state = "false", .change_state = collapse_kernels_changed },
  { .name = "frame-kernels", .state = "false", .change_state = frame_kernels_changed },
  { .name = "hide", .activate = hide_activated },
  { .name = "extract", .activate = extract_activated },
  { .name = "grow", .activate = grow_activated, .parameter_type = "i" },
  { .name = "show-all", .activate = show_all_activated },
  { .name = "refine", .activate = refine_activated },
  { .name = "mark", .activate = mark_activated },
  { .name = "graph-menu", .activate = graph_menu_activated },
  { .name = "undo-view", .activate = undo_activated },
  { .name = "redo-view", .activate = redo_activated },
};

static void
enable (FbWindow *self, const char *name, gboolean enabled)
{
  g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)), enabled);
}

static void
set_switch (FbWindow *self, const char *name, gboolean on)
{
  g_simple_action_set_state (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), name)),
                             g_variant_new_boolean (on));
}

/* The only marked card besides the selected one is asked about together with it. */
static void
take_partner (FbWindow *self)
{
  FbScene *scene = fb_canvas_get_scene (self->canvas);
  FbUop *partner = NULL;
  guint n = 0;
  for (guint32 i = 0; scene && fb_canvas_has_marks (self->canvas) && i < scene->graph->n_nodes; i++)
    if (fb_canvas_is_marked (self->canvas, i) && scene->graph->nodes[i].uop != fb_document_get_selected (self->doc))
      {
        partner = scene->graph->nodes[i].uop;
        n++;
      }
  fb_document_set_partner (self->doc, n == 1 ? partner : NULL);
}

void
fb_window_update_view_actions (FbWindow *self)
{
  take_partner (self);
  const FbViewState *state = fb_document_get_view_state (self->doc);
  FbScene *scene = fb_canvas_get_scene (self->canvas);
  g_autoptr (GArray) cards = g_array_new (FALSE, FALSE, sizeof (guint32));
  fb_canvas_get_chosen (self->canvas, cards);
  FbRowView *row = fb_document_get_row (self->doc);
  enable (self, "collapse", cards->len > 0);
  enable (self, "hide", cards->len > 0);
  enable (self, "extract", cards->len > 0);
  enable (self, "mark", fb_canvas_get_selected (self->canvas) != FB_GRAPH_NONE);
  enable (self, "grow", state->focus != NULL);
  enable (self, "show-all", state->focus || state->hidden->len);
  enable (self, "open-all", state->groups->len || state->chains || state->kernels);
  enable (self, "collapse-chains", scene != NULL);
  enable (self, "collapse-kernels", row && row->schedule && row->schedule->kernels->len);
  enable (self, "frame-kernels", row && row->schedule && row->schedule->kernels->len);
  enable (self, "graph-menu", scene != NULL);
  enable (self, "refine", scene != NULL);
  enable (self, "undo-view", TRUE);
  enable (self, "redo-view", TRUE);
  set_switch (self, "collapse-chains", state->chains);
  set_switch (self, "collapse-kernels", state->kernels);
  set_switch (self, "frame-kernels", state->frames);
}

static void
row_loaded (FbWindow *self)
{
  fb_view_history_clear (self->view_history);
  fb_canvas_unmark_all (self->canvas);
}

void
fb_window_add_view_actions (FbWindow *self)
{
  self->view_history = fb_view_history_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (self->doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "step-shown", G_CALLBACK (fb_window_update_view_actions), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "selected", G_CALLBACK (fb_window_update_view_actions), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "marked", G_CALLBACK (fb_window_update_view_actions), self, G_CONNECT_SWAPPED);
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource (FUSEBOX_RESOURCES "canvas-menu.ui");
  fb_canvas_set_menu (self->canvas, G_MENU_MODEL (gtk_builder_get_object (builder, "canvas_menu")));
  fb_window_update_view_actions (self);
}
