#include "app/view-state.h"

/* --- sets --- */

struct _FbNodeSet
{
  gatomicrefcount refs;
  GMutex mutex;
  GHashTable *keys; /* of guint64 */
  FbGroupKind kind;
  guint64 id; /* of the card, when it is one */
};

FbNodeSet *
fb_node_set_new (FbGroupKind kind)
{
  static gsize last;
  FbNodeSet *set = g_new0 (FbNodeSet, 1);
  g_atomic_ref_count_init (&set->refs);
  g_mutex_init (&set->mutex);
  set->keys = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  set->kind = kind;
  /* no structure has a key like it but by chance */
  set->id = (guint64) (g_atomic_pointer_add (&last, 1) + 1) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  return set;
}

FbNodeSet *
fb_node_set_ref (FbNodeSet *set)
{
  g_atomic_ref_count_inc (&set->refs);
  return set;
}

void
fb_node_set_unref (FbNodeSet *set)
{
  if (!set || !g_atomic_ref_count_dec (&set->refs))
    return;
  g_hash_table_unref (set->keys);
  g_mutex_clear (&set->mutex);
  g_free (set);
}

void
fb_node_set_add (FbNodeSet *set, guint64 key)
{
  g_mutex_lock (&set->mutex);
  g_hash_table_add (set->keys, g_memdup2 (&key, sizeof key));
  g_mutex_unlock (&set->mutex);
}

gboolean
fb_node_set_has (FbNodeSet *set, guint64 key)
{
  g_mutex_lock (&set->mutex);
  gboolean has = g_hash_table_contains (set->keys, &key);
  g_mutex_unlock (&set->mutex);
  return has;
}

static int
compare_keys (gconstpointer a, gconstpointer b)
{
  guint64 x = *(const guint64 *) a, y = *(const guint64 *) b;
  return x < y ? -1 : x > y;
}

GArray *
fb_node_set_get_keys (FbNodeSet *set)
{
  GArray *keys = g_array_new (FALSE, FALSE, sizeof (guint64));
  GHashTableIter iter;
  gpointer key;
  g_mutex_lock (&set->mutex);
  g_hash_table_iter_init (&iter, set->keys);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_array_append_val (keys, *(guint64 *) key);
  g_mutex_unlock (&set->mutex);
  g_array_sort (keys, compare_keys);
  return keys;
}

FbGroup
fb_node_set_group (FbNodeSet *set)
{
  return (FbGroup){ set->kind, set->id, 0 };
}

/* --- states --- */

static GPtrArray *
set_array (GPtrArray *from)
{
  GPtrArray *sets = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_node_set_unref);
  for (guint i = 0; from && i < from->len; i++)
    g_ptr_array_add (sets, fb_node_set_ref (g_ptr_array_index (from, i)));
  return sets;
}

FbViewState *
fb_view_state_new (void)
{
  FbViewState *state = g_new0 (FbViewState, 1);
  g_atomic_ref_count_init (&state->refs);
  state->hidden = set_array (NULL);
  state->groups = set_array (NULL);
  state->opened = set_array (NULL);
  state->placed = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_view_places_unref);
  return state;
}

FbViewState *
fb_view_state_copy (const FbViewState *state)
{
  FbViewState *copy = g_memdup2 (state, sizeof *state);
  g_atomic_ref_count_init (&copy->refs);
  copy->hidden = set_array (state->hidden);
  copy->groups = set_array (state->groups);
  copy->opened = set_array (state->opened);
  copy->focus = state->focus ? fb_node_set_ref (state->focus) : NULL;
  copy->placed = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_view_places_unref);
  return copy;
}

FbViewState *
fb_view_state_copy_placed (const FbViewState *state, FbViewPlaces *places, guint pass)
{
  FbViewState *copy = fb_view_state_copy (state);
  pass = places ? places->place.pass : pass;
  for (guint i = 0; i < state->placed->len; i++)
    {
      FbViewPlaces *other = g_ptr_array_index (state->placed, i);
      if (other->place.pass != pass)
        g_ptr_array_add (copy->placed, fb_view_places_ref (other));
    }
  if (places)
    g_ptr_array_add (copy->placed, fb_view_places_ref (places));
  return copy;
}

FbViewPlaces *
fb_view_state_get_places (const FbViewState *state, guint pass)
{
  for (guint i = 0; i < state->placed->len; i++)
    {
      FbViewPlaces *places = g_ptr_array_index (state->placed, i);
      if (places->place.pass == pass)
        return places;
    }
  return NULL;
}

FbViewState *
fb_view_state_ref (FbViewState *state)
{
  g_atomic_ref_count_inc (&state->refs);
  return state;
}

void
fb_view_state_unref (FbViewState *state)
{
  if (!state || !g_atomic_ref_count_dec (&state->refs))
    return;
  g_ptr_array_unref (state->hidden);
  g_ptr_array_unref (state->groups);
  g_ptr_array_unref (state->opened);
  g_ptr_array_unref (state->placed);
  g_clear_pointer (&state->focus, fb_node_set_unref);
  g_free (state);
}

gboolean
fb_view_state_has_places (const FbViewState *state)
{
  return !state->chains && !state->kernels && !state->groups->len && !state->focus;
}

gboolean
fb_view_state_is_plain (const FbViewState *state)
{
  return !state->chains && !state->kernels && !state->frames && !state->hidden->len && !state->groups->len
         && !state->focus;
}
