/* The pages of the window beside the graph: the replay, a kernel's source. */
#include <glib/gi18n.h>
#include <string.h>

#include "app/trace-compare-window.h"
#include "app/window-private.h"

static gboolean
replay_is_shown (FbWindow *self)
{
  return !g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "replay");
}

void
fb_window_show_replay (FbWindow *self, gboolean shown)
{
  if (replay_is_shown (self) == shown || !fb_document_get_name (self->doc))
    return;
  fb_window_stop_playing (self);
  gtk_stack_set_visible_child_name (self->stack, shown ? "replay" : "document");
  if (shown)
    fb_replay_page_start (self->replay_page);
  gtk_widget_grab_focus (shown ? GTK_WIDGET (self->replay_page) : GTK_WIDGET (self->canvas));
}

gboolean
fb_window_show_page (FbWindow *self, const char *page, char *const *options, GError **error)
{
  g_return_val_if_fail (FB_IS_WINDOW (self) && page, FALSE);
  if (!strcmp (page, "replay"))
    {
      for (guint i = 0; options && options[i]; i++)
        if (!fb_replay_page_set_option (self->replay_page, options[i], error))
          return FALSE;
      fb_window_show_replay (self, TRUE);
      return TRUE;
    }
  fb_window_show_replay (self, FALSE);
  if (!strcmp (page, "steps"))
    return TRUE;
  if (!strcmp (page, "traces") && options && options[0])
    {
      fb_window_compare_traces (self, options[0]);
      return TRUE;
    }
  if (strcmp (page, "source"))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("there is no page “%s” (steps, source, replay)"),
                   page);
      return FALSE;
    }
  if (!fb_drawer_panel_has_source (self->drawer))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _ ("%s: row %u holds no source of a kernel"),
                   fb_document_get_name (self->doc), fb_document_get_row_number (self->doc));
      return FALSE;
    }
  g_action_group_activate_action (G_ACTION_GROUP (self), "show-source", NULL);
  return TRUE;
}

gboolean
fb_window_is_settled (FbWindow *self)
{
  g_return_val_if_fail (FB_IS_WINDOW (self), TRUE);
  return fb_document_is_settled (self->doc) && fb_window_is_query_settled (self) && fb_window_is_run_settled (self)
         && fb_window_is_scenario_settled (self) && fb_pass_panel_is_settled (self->pass_panel)
         && fb_drawer_panel_is_settled (self->drawer)
         && (!fb_window_shows_traces (self) || fb_trace_compare_is_settled (self->trace_compare))
         && (!replay_is_shown (self) || fb_replay_page_is_settled (self->replay_page));
}

typedef struct
{
  FbWindow *window; /* borrowed: the document is its own */
  char *page;
  char **options;
} Turn;

static void
free_turn (gpointer data, GClosure *closure)
{
  Turn *turn = data;
  g_free (turn->page);
  g_strfreev (turn->options);
  g_free (turn);
}

static void
turn (FbDocument *doc, gpointer data)
{
  const Turn *asked = data;
  g_autoptr (GError) error = NULL;
  if (!fb_window_show_page (asked->window, asked->page, asked->options, &error))
    fb_window_show_banner (asked->window, error->message);
  g_signal_handlers_disconnect_by_func (doc, turn, data);
}

void
fb_window_turn_to (FbWindow *self, const char *page, char *const *options)
{
  g_return_if_fail (FB_IS_WINDOW (self));
  if (!page)
    return;
  Turn *asked = g_new (Turn, 1);
  *asked = (Turn){ self, g_strdup (page), g_strdupv ((char **) options) };
  g_signal_connect_data (self->doc, "step-shown", G_CALLBACK (turn), asked, free_turn, G_CONNECT_AFTER);
}

static void
replay_closed (FbWindow *self)
{
  fb_window_show_replay (self, FALSE);
}

static void
replayed_row_opened (FbWindow *self, guint row)
{
  fb_document_load (self->doc, row);
  fb_window_show_replay (self, FALSE);
}

/* The page may be left in other ways than by the action. */
static void
page_changed (FbWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "replay");
  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (replay_is_shown (self)));
}

void
fb_window_add_pages (FbWindow *self)
{
  g_signal_connect_object (self->stack, "notify::visible-child-name", G_CALLBACK (page_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->replay_page, "close", G_CALLBACK (replay_closed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->replay_page, "open-row", G_CALLBACK (replayed_row_opened), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->replay_page, "busy", G_CALLBACK (fb_window_update_actions), self, G_CONNECT_SWAPPED);
}
