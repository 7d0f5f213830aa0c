#include "kernel.h"

#include <stdlib.h>
#include <string.h>

#include "core/ir/context-private.h"

void
fb_replay_difference_free (gpointer data)
{
  FbReplayDifference *difference = data;

  if (!difference)
    return;
  g_free (difference->captured);
  g_free (difference->scheduled);
  g_free (difference->detail);
  g_free (difference);
}

void
fb_comparison_free (FbComparison *comparison)
{
  if (!comparison)
    return;
  g_ptr_array_unref (comparison->differences);
  g_free (comparison);
}

static int
compare_places (const void *a, const void *b)
{
  guint x = *(const guint *) a, y = *(const guint *) b;
  return (x > y) - (x < y);
}

/* Takes the places of @kernels and marks them; adds up their structures in a way that forgets the order. */
static guint *
take_places (const GPtrArray *kernels, guint64 *structures)
{
  guint *places = g_new (guint, kernels->len);

  for (guint i = 0; i < kernels->len; i++)
    {
      FbReplayKernel *kernel = g_ptr_array_index (kernels, i);
      places[i] = kernel->place;
      kernel->done = TRUE;
      *structures += fb_signature_mix (kernel->structure, 1);
    }
  if (kernels->len)
    qsort (places, kernels->len, sizeof *places, compare_places);
  return places;
}

FbReplayDifference *
fb_replay_difference_new (FbContext *context, FbReplayClass class, const GPtrArray *captured,
                          const GPtrArray *scheduled)
{
  FbReplayDifference *difference = g_new0 (FbReplayDifference, 1);
  guint64 before = captured->len, after = scheduled->len;

  difference->class = class;
  difference->n_captured = captured->len;
  difference->n_scheduled = scheduled->len;
  difference->captured = take_places (captured, &before);
  difference->scheduled = take_places (scheduled, &after);
  /* 0 is for no difference */
  difference->signature = fb_signature_mix (fb_signature_mix (class, before), after) | 1;
  difference->detail = fb_replay_describe (context, class, captured, scheduled);
  return difference;
}

guint64
fb_replay_signature (const GPtrArray *differences)
{
  guint64 sum = 0;

  for (guint i = 0; i < differences->len; i++)
    sum += fb_signature_mix (((const FbReplayDifference *) g_ptr_array_index (differences, i))->signature, 2);
  return differences->len ? fb_signature_mix (sum, differences->len) | 1 : 0;
}

typedef struct
{
  FbContext *context;
  guint n_captured, n_scheduled;
  FbUop *const *captured, *const *scheduled;
  gint32 *match; /* by captured kernel: the scheduled kernel that is the same, -1 for none */
  gint32 *back;
} Matching;

/* The k-th of equal captured kernels belongs to the k-th of the scheduled ones. */
static void
match_identical (Matching *m)
{
  FbNodeMap *heads = fb_node_map_acquire (m->context);
  g_autofree guint32 *next = g_new (guint32, m->n_scheduled + 1);

  for (guint i = m->n_scheduled; i-- > 0;)
    {
      next[i] = (guint32) fb_node_map_get (heads, m->scheduled[i]);
      fb_node_map_set (heads, m->scheduled[i], i + 1);
      m->back[i] = -1;
    }
  for (guint i = 0; i < m->n_captured; i++)
    {
      guint32 head = (guint32) fb_node_map_get (heads, m->captured[i]);
      m->match[i] = (gint32) head - 1;
      if (!head)
        continue;
      m->back[head - 1] = (gint32) i;
      fb_node_map_set (heads, m->captured[i], next[head - 1]);
    }
  fb_node_map_release (m->context, heads);
}

/* Marks in @moved the fewest captured kernels whose match is out of order: those outside a longest increasing run. */
static void
find_moved (const Matching *m, gboolean *moved)
{
  g_autofree gint32 *tails = g_new (gint32, m->n_captured + 1), *before = g_new (gint32, m->n_captured + 1);
  guint len = 0;
  gint32 at;

  for (guint i = 0; i < m->n_captured; i++)
    {
      guint low = 0, high = len;
      moved[i] = m->match[i] >= 0;
      if (m->match[i] < 0)
        continue;
      while (low < high)
        {
          guint middle = (low + high) / 2;
          if (m->match[tails[middle]] < m->match[i])
            low = middle + 1;
          else
            high = middle;
        }
      before[i] = low ? tails[low - 1] : -1;
      tails[low] = (gint32) i;
      len = MAX (len, low + 1);
    }
  for (at = len ? tails[len - 1] : -1; at >= 0; at = before[at])
    moved[at] = FALSE;
}

static void
add_pair (FbContext *context, FbReplayClass class, FbReplayKernel *captured, FbReplayKernel *scheduled,
          GPtrArray *differences)
{
  g_autoptr (GPtrArray) a = g_ptr_array_new (), b = g_ptr_array_new ();

  g_ptr_array_add (a, captured);
  g_ptr_array_add (b, scheduled);
  g_ptr_array_add (differences, fb_replay_difference_new (context, class, a, b));
}

/* Kernels that are the same: counted, or in a difference when they moved. */
static void
add_identical (const Matching *m, FbComparison *comparison)
{
  g_autofree gboolean *moved = g_new0 (gboolean, m->n_captured + 1);

  find_moved (m, moved);
  for (guint i = 0; i < m->n_captured; i++)
    if (moved[i])
      {
        FbReplayKernel *a = fb_replay_kernel_new (m->context, m->captured[i], i);
        FbReplayKernel *b = fb_replay_kernel_new (m->context, m->captured[i], (guint) m->match[i]);
        add_pair (m->context, FB_REPLAY_REORDERED, a, b, comparison->differences);
        fb_replay_kernel_free (a);
        fb_replay_kernel_free (b);
      }
    else if (m->match[i] >= 0)
      comparison->counts[FB_REPLAY_IDENTICAL]++;
}

static GPtrArray *
unmatched (FbContext *context, guint n, FbUop *const *asts, const gint32 *match)
{
  GPtrArray *kernels = g_ptr_array_new_with_free_func (fb_replay_kernel_free);

  for (guint i = 0; i < n; i++)
    if (match[i] < 0)
      g_ptr_array_add (kernels, fb_replay_kernel_new (context, asts[i], i));
  return kernels;
}

typedef guint64 (*HashFunc) (FbContext *context, const FbReplayKernel *kernel, FbBlur blur);
typedef void (*PairFunc) (gpointer user, FbReplayKernel *captured, FbReplayKernel *scheduled);

/* Pairs kernels whose hashes agree, the k-th with the k-th. */
static void
pair_by_hash (FbContext *context, HashFunc hash_kernel, FbBlur blur, GPtrArray *captured, GPtrArray *scheduled,
              PairFunc pair, gpointer user)
{
  g_autoptr (GHashTable) queues = NULL;

  queues = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_queue_free);
  for (guint i = 0; i < scheduled->len; i++)
    {
      FbReplayKernel *kernel = g_ptr_array_index (scheduled, i);
      guint64 hash;
      GQueue *queue;
      if (kernel->done)
        continue;
      hash = hash_kernel (context, kernel, blur);
      if (!(queue = g_hash_table_lookup (queues, &hash)))
        g_hash_table_insert (queues, g_memdup2 (&hash, sizeof hash), queue = g_queue_new ());
      g_queue_push_tail (queue, kernel);
    }
  for (guint i = 0; g_hash_table_size (queues) && i < captured->len; i++)
    {
      FbReplayKernel *kernel = g_ptr_array_index (captured, i), *other;
      guint64 hash;
      GQueue *queue;
      if (kernel->done)
        continue;
      hash = hash_kernel (context, kernel, blur);
      queue = g_hash_table_lookup (queues, &hash);
      other = queue ? g_queue_pop_head (queue) : NULL;
      if (other)
        pair (user, kernel, other);
    }
}

static guint64
hash_print (FbContext *context, const FbReplayKernel *kernel, FbBlur blur)
{
  return fb_signature_print (context, kernel->nodes);
}

static void
pair_same (gpointer user, FbReplayKernel *captured, FbReplayKernel *scheduled)
{
  const Matching *m = user;

  m->match[captured->place] = (gint32) scheduled->place;
  m->back[scheduled->place] = (gint32) captured->place;
  captured->done = scheduled->done = TRUE;
}

typedef struct
{
  FbContext *context;
  FbReplayClass class;
  GPtrArray *differences;
} Adding;

static void
pair_different (gpointer user, FbReplayKernel *captured, FbReplayKernel *scheduled)
{
  const Adding *adding = user;

  add_pair (adding->context, adding->class, captured, scheduled, adding->differences);
}

static void
add_by_hash (FbContext *context, FbBlur blur, FbReplayClass class, GPtrArray *captured, GPtrArray *scheduled,
             GPtrArray *differences)
{
  Adding adding = { context, class, differences };

  pair_by_hash (context, fb_replay_kernel_hash, blur, captured, scheduled, pair_different, &adding);
}

static void
add_alone (FbContext *context, FbReplayClass class, GPtrArray *kernels, GPtrArray *differences)
{
  for (guint i = 0; i < kernels->len; i++)
    {
      FbReplayKernel *kernel = g_ptr_array_index (kernels, i);
      g_autoptr (GPtrArray) one = g_ptr_array_new (), none = g_ptr_array_new ();
      if (kernel->done)
        continue;
      g_ptr_array_add (one, kernel);
      g_ptr_array_add (differences, class == FB_REPLAY_GONE ? fb_replay_difference_new (context, class, one, none)
                                                            : fb_replay_difference_new (context, class, none, one));
    }
}

static gint
by_place (gconstpointer a, gconstpointer b)
{
  const FbReplayDifference *x = *(FbReplayDifference *const *) a, *y = *(FbReplayDifference *const *) b;
  guint p = x->n_captured ? x->captured[0] : G_MAXUINT, q = y->n_captured ? y->captured[0] : G_MAXUINT;

  if (p != q)
    return p < q ? -1 : 1;
  return x->n_scheduled && y->n_scheduled ? (x->scheduled[0] > y->scheduled[0]) - (x->scheduled[0] < y->scheduled[0])
                                          : 0;
}

/* From the surest likeness to the vaguest. */
static void
align (Matching *m, FbComparison *comparison)
{
  FbContext *context = m->context;
  GPtrArray *differences = comparison->differences;
  g_autoptr (GPtrArray) captured = unmatched (context, m->n_captured, m->captured, m->match);
  g_autoptr (GPtrArray) scheduled = unmatched (context, m->n_scheduled, m->scheduled, m->back);

  /* a NaN equals itself only: kernels with one are other nodes and yet the same */
  pair_by_hash (context, hash_print, FB_BLUR_NOTHING, captured, scheduled, pair_same, m);
  add_identical (m, comparison);
  add_by_hash (context, FB_BLUR_NOTHING, FB_REPLAY_RENUMBERED, captured, scheduled, differences);
  /* another size is most often another tensor, which the parts of a split kernel would be mistaken for */
  add_by_hash (context, FB_BLUR_VIEWS, FB_REPLAY_VIEWS, captured, scheduled, differences);
  add_by_hash (context, FB_BLUR_CONSTANTS, FB_REPLAY_CONSTANTS, captured, scheduled, differences);
  fb_replay_align_joined (context, captured, scheduled, differences);
  add_by_hash (context, FB_BLUR_VIEWS | FB_BLUR_SIZES, FB_REPLAY_VIEWS, captured, scheduled, differences);
  fb_replay_align_rewritten (context, captured, scheduled, differences);
  add_alone (context, FB_REPLAY_GONE, captured, differences);
  add_alone (context, FB_REPLAY_NEW, scheduled, differences);
}

FbComparison *
fb_comparison_new (FbContext *context, guint n_captured, FbUop *const *captured, guint n_scheduled,
                   FbUop *const *scheduled)
{
  FbComparison *comparison = g_new0 (FbComparison, 1);
  Matching m = { context, n_captured, n_scheduled, captured, scheduled, NULL, NULL };

  comparison->n_captured = n_captured;
  comparison->n_scheduled = n_scheduled;
  comparison->differences = g_ptr_array_new_with_free_func (fb_replay_difference_free);
  if (n_captured == n_scheduled && (!n_captured || !memcmp (captured, scheduled, n_captured * sizeof *captured)))
    {
      comparison->counts[FB_REPLAY_IDENTICAL] = n_captured;
      return comparison;
    }
  m.match = g_new (gint32, n_captured + 1);
  m.back = g_new (gint32, n_scheduled + 1);
  match_identical (&m);
  align (&m, comparison);
  g_free (m.match);
  g_free (m.back);
  g_ptr_array_sort (comparison->differences, by_place);
  for (guint i = 0; i < comparison->differences->len; i++)
    comparison->counts[((FbReplayDifference *) g_ptr_array_index (comparison->differences, i))->class]++;
  comparison->signature = fb_replay_signature (comparison->differences);
  return comparison;
}
