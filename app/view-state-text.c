#include "app/view-state-text.h"

#include <string.h>

/* chains, kernels, frames, radius, focus, hidden, groups, opened; a set is its kind and the KEYs of its nodes. */
#define SET "(uat)"
#define STATE "(bbbua" SET "a" SET "a" SET "a" SET ")"
/* A stranger's file may ask for no more nodes than that. */
#define MOST_BYTES (4 * 1024 * 1024)
#define MOST_RADIUS 1000

static GVariant *
set_to_variant (FbNodeSet *set)
{
  g_autoptr (GArray) keys = fb_node_set_get_keys (set);
  return g_variant_new ("(u@at)", (guint32) fb_node_set_group (set).kind,
                        g_variant_new_fixed_array (G_VARIANT_TYPE_UINT64, keys->data, keys->len, sizeof (guint64)));
}

static GVariant *
sets_to_variant (FbNodeSet *const *sets, guint n)
{
  GVariantBuilder builder;
  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a" SET));
  for (guint i = 0; i < n; i++)
    g_variant_builder_add_value (&builder, set_to_variant (sets[i]));
  return g_variant_builder_end (&builder);
}

char *
fb_view_state_to_text (const FbViewState *state)
{
  g_autoptr (GVariant) variant = g_variant_ref_sink (
      g_variant_new ("(bbbu@a" SET "@a" SET "@a" SET "@a" SET ")", state->chains, state->kernels, state->frames,
                     (guint32) state->radius, sets_to_variant (&state->focus, state->focus != NULL),
                     sets_to_variant ((FbNodeSet *const *) state->hidden->pdata, state->hidden->len),
                     sets_to_variant ((FbNodeSet *const *) state->groups->pdata, state->groups->len),
                     sets_to_variant ((FbNodeSet *const *) state->opened->pdata, state->opened->len)));
  return g_variant_print (variant, FALSE);
}

/* NULL: not a kind of group. */
static FbNodeSet *
set_from_variant (GVariant *variant)
{
  guint32 kind;
  g_autoptr (GVariant) keys = NULL;
  g_variant_get (variant, "(u@at)", &kind, &keys);
  if (kind > FB_GROUP_KERNEL)
    return NULL;
  FbNodeSet *set = fb_node_set_new ((FbGroupKind) kind);
  gsize n;
  const guint64 *items = g_variant_get_fixed_array (keys, &n, sizeof (guint64));
  for (gsize i = 0; i < n; i++)
    fb_node_set_add (set, items[i]);
  return set;
}

static gboolean
sets_from_variant (GVariant *variant, GPtrArray *sets)
{
  for (gsize i = 0; i < g_variant_n_children (variant); i++)
    {
      g_autoptr (GVariant) child = g_variant_get_child_value (variant, i);
      FbNodeSet *set = set_from_variant (child);
      if (!set)
        return FALSE;
      g_ptr_array_add (sets, set);
    }
  return TRUE;
}

FbViewState *
fb_view_state_from_text (const char *text)
{
  g_autoptr (GVariant) variant
      = strlen (text) > MOST_BYTES ? NULL : g_variant_parse (G_VARIANT_TYPE (STATE), text, NULL, NULL, NULL);
  if (!variant)
    return NULL;
  g_autoptr (FbViewState) state = fb_view_state_new ();
  g_autoptr (GVariant) focus = NULL, hidden = NULL, groups = NULL, opened = NULL;
  g_autoptr (GPtrArray) focused = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_node_set_unref);
  guint32 radius;
  g_variant_get (variant, "(bbbu@a" SET "@a" SET "@a" SET "@a" SET ")", &state->chains, &state->kernels, &state->frames,
                 &radius, &focus, &hidden, &groups, &opened);
  state->radius = MIN (radius, MOST_RADIUS);
  if (!sets_from_variant (focus, focused) || !sets_from_variant (hidden, state->hidden)
      || !sets_from_variant (groups, state->groups) || !sets_from_variant (opened, state->opened))
    return NULL;
  if (focused->len)
    state->focus = fb_node_set_ref (g_ptr_array_index (focused, 0));
  return g_steal_pointer (&state);
}
