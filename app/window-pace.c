/* A file in two frames, its page and the row; a step in three: its picture, its rule and node, the difference. */
#include "app/window-private.h"

/* A window that is not drawn, since another covers it, waits no longer. */
#define LONGEST_MS 100
/* After what is drawn. */
#define GO_ON_PRIORITY (GDK_PRIORITY_REDRAW + 5)

static void
forget_clock (FbWindow *self)
{
  if (self->pace_clock)
    g_clear_signal_handler (&self->pace_handler, self->pace_clock);
  g_clear_object (&self->pace_clock);
}

static gboolean
go_on (gpointer data)
{
  FbWindow *self = data;
  self->pace_source = 0;
  forget_clock (self);
  fb_document_go_on (self->doc);
  return G_SOURCE_REMOVE;
}

static void
stop_waiting (FbWindow *self)
{
  forget_clock (self);
  g_clear_handle_id (&self->pace_source, g_source_remove);
}

static void
painted (FbWindow *self)
{
  stop_waiting (self);
  self->pace_source = g_idle_add_full (GO_ON_PRIORITY, go_on, self, NULL);
}

static void
wait_for_frame (FbDocument *doc, gpointer data)
{
  FbWindow *self = data;
  GdkFrameClock *clock = gtk_widget_get_frame_clock (GTK_WIDGET (self));
  stop_waiting (self);
  if (!clock || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    {
      fb_document_go_on (doc);
      return;
    }
  self->pace_clock = g_object_ref (clock);
  self->pace_handler = g_signal_connect_object (clock, "after-paint", G_CALLBACK (painted), self, G_CONNECT_SWAPPED);
  gdk_frame_clock_request_phase (clock, GDK_FRAME_CLOCK_PHASE_AFTER_PAINT);
  self->pace_source = g_timeout_add_full (GO_ON_PRIORITY, LONGEST_MS, go_on, self, NULL);
}

void
fb_window_end_pace (FbWindow *self)
{
  stop_waiting (self);
  if (self->doc)
    fb_document_set_pace (self->doc, NULL, NULL);
}

void
fb_window_add_pace (FbWindow *self)
{
  fb_document_set_pace (self->doc, wait_for_frame, self);
}
