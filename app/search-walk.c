/* From hit to hit. */
#include "app/search-panel-private.h"

static void
go_to (FbSearchPanel *self, guint number)
{
  const FbAnswerRow *row = fb_answer_row (self->answer, number);
  self->current = number + 1;
  fb_search_panel_show_current (self);
  fb_search_panel_show_count (self);
  if (self->answer->scope == FB_ASK_GRAPH)
    fb_document_select (self->doc, row->hit.uop);
  else
    fb_document_jump_to_life (self->doc, row->hit.pass, row->hit.step, row->hit.life);
  g_signal_emit (self, fb_search_panel_signals[FB_SEARCH_PICKED], 0);
}

/* The hit to go to first: where we are, or beyond. */
static guint
first_from_here (FbSearchPanel *self, int direction)
{
  FbStepPosition here, there;
  guint n = fb_search_panel_get_n_hits (self), i = 0;
  if (self->answer->scope == FB_ASK_GRAPH)
    return direction > 0 ? 0 : n - 1;
  fb_document_get_position (self->doc, &here.pass, &here.step);
  for (; i < n; i++)
    {
      const FbHit *hit = &fb_answer_row (self->answer, i)->hit;
      there = (FbStepPosition){ hit->pass, hit->step };
      if (fb_step_position_compare (&there, &here) >= (direction > 0 ? 0 : 1))
        break;
    }
  return direction > 0 ? i % n : (i + n - 1) % n;
}

void
fb_search_panel_walk (FbSearchPanel *self, int direction)
{
  g_return_if_fail (FB_IS_SEARCH_PANEL (self));
  guint n = fb_search_panel_get_n_hits (self);
  if (!fb_search_panel_is_settled (self))
    self->walk_later = direction;
  else if (!n)
    g_signal_emit (self, fb_search_panel_signals[FB_SEARCH_MISSED], 0);
  else if (!self->current)
    go_to (self, first_from_here (self, direction));
  else
    go_to (self, (self->current - 1 + n + (guint) direction) % n);
}

static void
row_activated (FbSearchPanel *self, guint position)
{
  if (position < fb_search_panel_get_n_hits (self))
    go_to (self, position);
}

/* What was typed last may still wait for more. */
static void
entry_activated (FbSearchPanel *self)
{
  fb_search_panel_text_changed (self);
  fb_search_panel_walk (self, 1);
}

static gboolean
entry_key (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, FbSearchPanel *self)
{
  gboolean enter = keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter || keyval == GDK_KEY_ISO_Enter;
  if (enter && state & GDK_SHIFT_MASK)
    fb_search_panel_walk (self, -1);
  else if ((keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down) && fb_search_panel_get_n_hits (self))
    return gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
next_match (FbSearchPanel *self)
{
  fb_search_panel_walk (self, 1);
}

static void
previous_match (FbSearchPanel *self)
{
  fb_search_panel_walk (self, -1);
}

void
fb_search_panel_init_walking (FbSearchPanel *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect_object (self->list, "activate", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (entry_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "next-match", G_CALLBACK (next_match), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "previous-match", G_CALLBACK (previous_match), self, G_CONNECT_SWAPPED);
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (entry_key), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), keys);
}
