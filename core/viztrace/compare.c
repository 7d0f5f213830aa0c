/* Contexts of two traces, aligned, and what is different in those that changed. */
#include <string.h>

#include "compare-private.h"

struct _FbVizComparison
{
  gatomicrefcount refs;
  FbVizTrace *traces[2];
  FbArena arena;
  FbVizDigest *digests[2];
  guint n[2];
  GArray *pairs; /* of FbVizContextPair */
  guint counts[FB_VIZ_N_RELATIONS];
};

/* --- how alike two things are --- */

enum
{
  SCORE_SAME = 1000,
  SCORE_INPUT_AND_NAME = 900,
  SCORE_INPUT = 700,
  SCORE_NAME = 500,
  SCORE_INPUT_ONLY = 450, /* what is made of it has another purpose: a schedule, a kernel */
  SCORE_FAMILY = 300,     /* at most, by the ops that both have */
  SCORE_OPS = 150,
};

/* Ops that both graphs have, of all, in percent. */
static guint
percent_alike (const FbVizDigest *a, const FbVizDigest *b)
{
  guint64 both = 0;

  if (!a->sketch_total || !b->sketch_total)
    return 0;
  for (guint i = 0; i < FB_VIZ_SKETCH; i++)
    both += MIN (a->sketch[i], b->sketch[i]);
  return (guint) (200 * both / (a->sketch_total + b->sketch_total));
}

static guint
score_contexts (guint a, guint b, gpointer data)
{
  const FbVizComparison *comparison = data;
  const FbVizDigest *x = &comparison->digests[0][a], *y = &comparison->digests[1][b];
  gboolean name = strcmp (x->name, y->name) == 0;
  guint percent;

  if (x->whole == y->whole)
    return name ? SCORE_SAME : SCORE_INPUT_AND_NAME;
  if (x->input == y->input)
    return name ? SCORE_INPUT_AND_NAME : strcmp (x->family, y->family) ? SCORE_INPUT_ONLY : SCORE_INPUT;
  percent = percent_alike (x, y);
  if (name)
    return SCORE_NAME + percent;
  if (percent < 50)
    return 0;
  return (strcmp (x->family, y->family) ? SCORE_OPS : SCORE_FAMILY) * percent / 100;
}

typedef struct
{
  const FbVizDigest *a, *b;
} Rewrites;

static guint
score_rewrites (guint a, guint b, gpointer data)
{
  const Rewrites *rewrites = data;
  const FbVizRewriteDigest *x = &rewrites->a->rewrites[a], *y = &rewrites->b->rewrites[b];

  if (strcmp (x->name, y->name))
    return 0;
  return x->whole == y->whole ? SCORE_SAME : x->input == y->input ? SCORE_INPUT : SCORE_NAME;
}

/* --- pairs --- */

/* Calls @add for every pair in the order of A, and of B where A has nothing. */
typedef void (*AddPair) (int a, int b, gboolean moved, gpointer data);

static void
list_pairs (guint n_a, guint n_b, const int *partner, const guint8 *moved, AddPair add, gpointer data)
{
  g_autofree guint8 *taken = g_new0 (guint8, (gsize) n_b + 1);
  guint b = 0;

  for (guint a = 0; a < n_a; a++)
    if (partner[a] >= 0)
      taken[partner[a]] = 1;
  for (guint a = 0; a < n_a; a++)
    {
      if (partner[a] >= 0 && !(moved && moved[a]))
        for (; b < (guint) partner[a]; b++)
          if (!taken[b])
            add (-1, (int) b, FALSE, data);
      add ((int) a, partner[a], moved && moved[a], data);
    }
  for (; b < n_b; b++)
    if (!taken[b])
      add (-1, (int) b, FALSE, data);
}

typedef struct
{
  const FbVizDigest *a, *b;
  FbVizContextPair *pair;
  FbVizRewritePair *to;
} Listing;

static void
add_rewrite (int a, int b, gboolean moved, gpointer data)
{
  Listing *listing = data;
  const FbVizRewriteDigest *x = a < 0 ? NULL : &listing->a->rewrites[a], *y = b < 0 ? NULL : &listing->b->rewrites[b];
  FbVizRewritePair made = {
    .relation = !x                     ? FB_VIZ_ONLY_B
                : !y                   ? FB_VIZ_ONLY_A
                : x->whole == y->whole ? FB_VIZ_SAME
                                       : FB_VIZ_CHANGED,
    .a = a,
    .b = b,
    .nodes_a = x ? x->n_nodes : 0,
    .nodes_b = y ? y->n_nodes : 0,
    .matches_a = x ? x->n_matches : 0,
    .matches_b = y ? y->n_matches : 0,
    .same_input = x && y && x->input == y->input,
  };
  FbVizContextPair *pair = listing->pair;

  listing->to[pair->n_pairs] = made;
  if (made.relation == FB_VIZ_SAME && pair->first == pair->n_pairs)
    pair->first++;
  pair->n_rewrites[made.relation]++;
  pair->n_pairs++;
}

static void
compare_rewrites (FbVizComparison *comparison, const FbVizDigest *a, const FbVizDigest *b, FbVizContextPair *pair)
{
  g_autofree int *partner = g_new (int, (gsize) a->n_rewrites + 1);
  Rewrites rewrites = { a, b };
  Listing listing = { a, b, pair, NULL };

  fb_viz_align (a->n_rewrites, b->n_rewrites, score_rewrites, &rewrites, partner);
  listing.to = fb_arena_alloc (&comparison->arena, sizeof *listing.to * ((gsize) a->n_rewrites + b->n_rewrites));
  pair->rewrites = listing.to;
  list_pairs (a->n_rewrites, b->n_rewrites, partner, NULL, add_rewrite, &listing);
}

static void
add_context (int a, int b, gboolean moved, gpointer data)
{
  FbVizComparison *comparison = data;
  const FbVizDigest *x = a < 0 ? NULL : &comparison->digests[0][a], *y = b < 0 ? NULL : &comparison->digests[1][b];
  gboolean same = x && y && x->whole == y->whole && !x->broken && !y->broken;
  FbVizContextPair pair = {
    .pair = {
      .a = a,
      .b = b,
      .nodes_a = x ? x->n_nodes : 0,
      .nodes_b = y ? y->n_nodes : 0,
      .matches_a = x ? x->n_matches : 0,
      .matches_b = y ? y->n_matches : 0,
      .same_input = x && y && x->input == y->input,
    },
    .moved = moved,
    .renamed = x && y && strcmp (x->name, y->name) != 0,
  };

  pair.pair.relation = !x ? FB_VIZ_ONLY_B : !y ? FB_VIZ_ONLY_A : same && !pair.renamed ? FB_VIZ_SAME : FB_VIZ_CHANGED;
  if (pair.pair.relation == FB_VIZ_CHANGED)
    compare_rewrites (comparison, x, y, &pair);
  comparison->counts[pair.pair.relation]++;
  g_array_append_val (comparison->pairs, pair);
}

/* What the alignment left over because it is somewhere else in the other trace. */
static void
find_moved (const FbVizComparison *comparison, int *partner, guint8 *moved)
{
  g_autoptr (GHashTable) left = g_hash_table_new (g_int64_hash, g_int64_equal);
  g_autofree guint8 *taken = g_new0 (guint8, (gsize) comparison->n[1] + 1);

  for (guint a = 0; a < comparison->n[0]; a++)
    if (partner[a] >= 0)
      taken[partner[a]] = 1;
  for (guint b = comparison->n[1]; b-- > 0;)
    if (!taken[b])
      g_hash_table_insert (left, &comparison->digests[1][b].whole, GUINT_TO_POINTER (b + 1));
  for (guint a = 0; a < comparison->n[0]; a++)
    {
      gpointer found = partner[a] < 0 ? g_hash_table_lookup (left, &comparison->digests[0][a].whole) : NULL;

      if (!found)
        continue;
      partner[a] = (int) GPOINTER_TO_UINT (found) - 1;
      moved[a] = TRUE;
      g_hash_table_remove (left, &comparison->digests[0][a].whole);
    }
}

static void
align_contexts (FbVizComparison *comparison)
{
  guint n_a = comparison->n[0], n_b = comparison->n[1];
  g_autofree int *partner = g_new (int, (gsize) n_a + 1);
  g_autofree guint8 *moved = g_new0 (guint8, (gsize) n_a + 1);

  fb_viz_align (n_a, n_b, score_contexts, comparison, partner);
  find_moved (comparison, partner, moved);
  list_pairs (n_a, n_b, partner, moved, add_context, comparison);
}

/* --- the comparison --- */

FbVizComparison *
fb_viz_comparison_new (FbVizTrace *a, FbVizTrace *b, FbVizProgress progress, gpointer data, GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (FbVizComparison) comparison = g_new0 (FbVizComparison, 1);
  guint64 done = 0, all = fb_viz_trace_n_matches (a) + fb_viz_trace_n_matches (b) + 1;

  g_atomic_ref_count_init (&comparison->refs);
  fb_arena_init (&comparison->arena);
  comparison->pairs = g_array_new (FALSE, FALSE, sizeof (FbVizContextPair));
  comparison->traces[0] = fb_viz_trace_ref (a);
  comparison->traces[1] = fb_viz_trace_ref (b);
  for (guint side = 0; side < 2; side++)
    {
      guint n = comparison->n[side] = fb_viz_trace_n_contexts (comparison->traces[side]);

      comparison->digests[side] = g_new0 (FbVizDigest, (gsize) n + 1);
      for (guint i = 0; i < n; i++)
        {
          FbVizDigest *digest = &comparison->digests[side][i];

          if (g_cancellable_set_error_if_cancelled (cancellable, error))
            return NULL;
          fb_viz_digest_context (comparison->traces[side], i, &comparison->arena, digest);
          done += digest->n_matches;
          if (progress)
            progress ((double) done / (double) all, data);
        }
    }
  align_contexts (comparison);
  return g_steal_pointer (&comparison);
}

FbVizComparison *
fb_viz_comparison_ref (FbVizComparison *comparison)
{
  g_atomic_ref_count_inc (&comparison->refs);
  return comparison;
}

void
fb_viz_comparison_unref (FbVizComparison *comparison)
{
  if (!comparison || !g_atomic_ref_count_dec (&comparison->refs))
    return;
  for (guint side = 0; side < 2; side++)
    {
      g_clear_pointer (&comparison->traces[side], fb_viz_trace_unref);
      g_free (comparison->digests[side]);
    }
  g_array_unref (comparison->pairs);
  fb_arena_clear (&comparison->arena);
  g_free (comparison);
}

FbVizTrace *
fb_viz_comparison_trace (const FbVizComparison *comparison, guint side)
{
  g_return_val_if_fail (side < 2, NULL);
  return comparison->traces[side];
}

guint
fb_viz_comparison_count (const FbVizComparison *comparison, FbVizRelation relation)
{
  g_return_val_if_fail (relation < FB_VIZ_N_RELATIONS, 0);
  return comparison->counts[relation];
}

guint
fb_viz_comparison_n_pairs (const FbVizComparison *comparison)
{
  return comparison->pairs->len;
}

const FbVizContextPair *
fb_viz_comparison_pair (const FbVizComparison *comparison, guint index)
{
  g_return_val_if_fail (index < comparison->pairs->len, NULL);
  return &g_array_index (comparison->pairs, FbVizContextPair, index);
}

gboolean
fb_viz_comparison_is_same (const FbVizComparison *comparison)
{
  return comparison->counts[FB_VIZ_SAME] == comparison->pairs->len;
}

const char *
fb_viz_relation_name (FbVizRelation relation)
{
  static const char *const names[] = { "same", "changed", "only in A", "only in B" };

  g_return_val_if_fail (relation < FB_VIZ_N_RELATIONS, NULL);
  return names[relation];
}
