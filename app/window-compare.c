/* What is different between two steps: from where, and both graphs side by side. */
#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/window-private.h"

/* "simplify 19", "kernel 3, fix-ups 2" */
static char *
place_text (const FbRowView *row, FbStepPosition position)
{
  g_autofree char *title = fb_pass_view_title (&row->passes[position.pass]);
  return g_strdup_printf ("%s %s", title, fb_count (position.step));
}

static void
show_chip (FbWindow *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  FbStepPosition from;
  gboolean compares = row && fb_document_get_compare (self->doc, &from);
  if (compares)
    {
      g_autofree char *place = place_text (row, from);
      /* Translators: what is shown is what changed since that step: "since simplify 19" */
      g_autofree char *text = g_strdup_printf (_ ("Since %s"), place);
      gtk_label_set_label (self->compare_label, text);
    }
  gtk_widget_set_visible (self->compare_chip, compares);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "compare");
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (compares));
  fb_window_place_floats (self);
}

/* From where we are, or no longer. */
static void
compare_toggled (GSimpleAction *action, GVariant *state, gpointer data)
{
  FbWindow *self = data;
  FbStepPosition here;
  fb_document_get_position (self->doc, &here.pass, &here.step);
  gboolean on = g_variant_get_boolean (state);
  fb_document_set_compare (self->doc, on ? &here : NULL);
  if (on && fb_document_get_compare (self->doc, NULL))
    fb_window_show_note (self, _ ("Go to another step: it is compared with this one"));
}

/* "compare-with('3:12')": for scripts and pictures. */
static void
compare_with_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  const FbRowView *row = fb_document_get_row (self->doc);
  g_autoptr (GError) error = NULL;
  FbStepPosition from;
  if (!row)
    return;
  if (fb_step_position_parse (row, g_variant_get_string (parameter, NULL), &from, &error))
    fb_document_set_compare (self->doc, &from);
  else
    fb_window_show_note (self, error->message);
}

/* The other graph's card of the selected node: itself, or what it was before. */
static void
select_left (FbWindow *self)
{
  const FbStepView *view = fb_document_get_view (self->doc);
  FbUop *selected = fb_document_get_selected (self->doc);
  if (!view || !view->left)
    return;
  for (guint i = 0; selected && view->record && i < view->record->nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (view->record->nodes, FbStepNode, i);
      if (node->node == selected && node->was)
        {
          selected = node->was;
          break;
        }
    }
  fb_canvas_select (self->left_canvas, selected);
}

/* Cards keep their places from graph to graph, so both are seen from the same point. */
static void
follow_camera (FbWindow *self, FbCanvas *moved)
{
  FbCanvas *other = moved == self->canvas ? self->left_canvas : self->canvas;
  const FbStepView *view = fb_document_get_view (self->doc);
  if (!view || !view->left || self->following_camera)
    return;
  self->following_camera = TRUE;
  fb_canvas_set_camera (other, fb_canvas_get_camera (moved));
  self->following_camera = FALSE;
}

static void
left_picked (FbWindow *self, FbUop *uop)
{
  fb_canvas_select (self->left_canvas, uop);
  fb_document_select (self->doc, uop);
}

static void
step_shown (FbWindow *self)
{
  const FbStepView *view = fb_document_get_view (self->doc);
  gtk_widget_set_visible (GTK_WIDGET (self->left_canvas), view && view->left);
  fb_canvas_set_scene (self->left_canvas, view ? view->left : NULL);
  follow_camera (self, self->canvas);
  /* Half and half, until somebody moves the split. */
  int width = gtk_widget_get_width (GTK_WIDGET (self->canvases));
  if (view && view->left && !self->canvases_split && width)
    {
      gtk_paned_set_position (self->canvases, width / 2);
      self->canvases_split = TRUE;
    }
  select_left (self);
}

static void
forget_left (FbWindow *self)
{
  fb_canvas_set_scene (self->left_canvas, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->left_canvas), FALSE);
  show_chip (self);
}

static const GActionEntry actions[] = {
  { .name = "compare", .state = "false", .change_state = compare_toggled },
  { .name = "compare-with", .activate = compare_with_activated, .parameter_type = "s" },
};

void
fb_window_add_compare (FbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (self->canvas, "camera-changed", G_CALLBACK (follow_camera), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left_canvas, "camera-changed", G_CALLBACK (follow_camera), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->left_canvas, "picked", G_CALLBACK (left_picked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "moved", G_CALLBACK (show_chip), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "step-shown", G_CALLBACK (step_shown), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "selected", G_CALLBACK (select_left), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "opened", G_CALLBACK (forget_left), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "row-loaded", G_CALLBACK (forget_left), self, G_CONNECT_SWAPPED);
  gtk_widget_set_visible (GTK_WIDGET (self->left_canvas), FALSE);
  gtk_widget_set_visible (self->compare_chip, FALSE);
}
