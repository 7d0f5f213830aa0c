#include "app/view-history.h"

/* More changes back than anybody goes. */
#define LONGEST 200

typedef struct
{
  FbViewState *state;
  FbCamera camera;
} Entry;

struct _FbViewHistory
{
  GArray *past, *future; /* of Entry, the nearest last */
};

static void
clear_entry (gpointer data)
{
  fb_view_state_unref (((Entry *) data)->state);
}

static GArray *
new_entries (void)
{
  GArray *entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (entries, clear_entry);
  return entries;
}

FbViewHistory *
fb_view_history_new (void)
{
  FbViewHistory *history = g_new0 (FbViewHistory, 1);
  history->past = new_entries ();
  history->future = new_entries ();
  return history;
}

void
fb_view_history_free (FbViewHistory *history)
{
  if (!history)
    return;
  g_array_unref (history->past);
  g_array_unref (history->future);
  g_free (history);
}

void
fb_view_history_clear (FbViewHistory *history)
{
  g_array_set_size (history->past, 0);
  g_array_set_size (history->future, 0);
}

static void
add (GArray *entries, FbViewState *state, FbCamera camera)
{
  Entry entry = { fb_view_state_ref (state), camera };
  if (entries->len == LONGEST)
    g_array_remove_index (entries, 0);
  g_array_append_val (entries, entry);
}

void
fb_view_history_push (FbViewHistory *history, FbViewState *state, FbCamera camera)
{
  g_array_set_size (history->future, 0);
  add (history->past, state, camera);
}

gboolean
fb_view_history_can_go (const FbViewHistory *history, int direction)
{
  return (direction < 0 ? history->past : history->future)->len > 0;
}

gboolean
fb_view_history_go (FbViewHistory *history, int direction, FbViewState *state, FbCamera camera, FbViewState **to,
                    FbCamera *to_camera)
{
  GArray *from = direction < 0 ? history->past : history->future;
  if (!from->len)
    return FALSE;
  Entry *entry = &g_array_index (from, Entry, from->len - 1);
  *to = fb_view_state_ref (entry->state);
  *to_camera = entry->camera;
  g_array_set_size (from, from->len - 1);
  add (direction < 0 ? history->future : history->past, state, camera);
  return TRUE;
}
