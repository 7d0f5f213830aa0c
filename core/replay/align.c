/* Kernels that have no equal, aligned by what they write, read and compute.
 *
 * A kernel of one list is the partner of the one in the other that writes the same kind of buffer with the most alike
 * operations. Kernels without a partner either were joined with others (what they compute is found inside the partner of
 * a kernel that reads what they wrote) or have no counterpart at all. */
#include "kernel.h"

#include <stdlib.h>

enum
{
  MAX_PAIRS = 1 << 14, /* of kernels that write alike, weighed against each other; beyond that, order decides */
  MAX_READERS = 64,    /* readers of such a buffer that are looked at */
};

typedef struct
{
  double likeness;
  guint a, b;
} Candidate;

/* Most alike first, then the later ones: what ends a run of kernels writes its result. */
static int
compare_candidates (const void *x, const void *y)
{
  const Candidate *p = x, *q = y;

  if (p->likeness != q->likeness)
    return p->likeness > q->likeness ? -1 : 1;
  if (p->a != q->a)
    return p->a > q->a ? -1 : 1;
  return (p->b < q->b) - (p->b > q->b);
}

#define kernel_at(kernels, i) ((FbReplayKernel *) g_ptr_array_index (kernels, i))

/* Places in @kernels by what they write. Values are GArrays of guint. */
static GHashTable *
index_by (const GPtrArray *kernels, gboolean by_reads)
{
  GHashTable *index = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < kernels->len; i++)
    {
      const FbReplayKernel *kernel = kernel_at (kernels, i);
      guint n = by_reads ? kernel->reads->len : 1;
      if (kernel->done)
        continue;
      for (guint k = 0; k < n; k++)
        {
          guint64 key = by_reads ? g_array_index (kernel->reads, guint64, k) : kernel->output;
          GArray *places = g_hash_table_lookup (index, &key);
          if (!places)
            g_hash_table_insert (index, g_memdup2 (&key, sizeof key),
                                 places = g_array_new (FALSE, FALSE, sizeof (guint)));
          if (!places->len || g_array_index (places, guint, places->len - 1) != i)
            g_array_append_val (places, i);
        }
    }
  return index;
}

static void
pair_alike (const GPtrArray *as, const GPtrArray *bs, const GArray *a_places, const GArray *b_places)
{
  g_autofree Candidate *candidates = NULL;
  guint n = 0;

  if ((guint64) a_places->len * b_places->len > MAX_PAIRS)
    {
      for (guint i = 0; i < MIN (a_places->len, b_places->len); i++)
        {
          guint a = g_array_index (a_places, guint, i), b = g_array_index (b_places, guint, i);
          kernel_at (as, a)->partner = (gint32) b;
          kernel_at (bs, b)->partner = (gint32) a;
        }
      return;
    }
  candidates = g_new (Candidate, (gsize) a_places->len * b_places->len);
  for (guint i = 0; i < a_places->len; i++)
    for (guint k = 0; k < b_places->len; k++)
      {
        guint a = g_array_index (a_places, guint, i), b = g_array_index (b_places, guint, k);
        const FbReplayKernel *x = kernel_at (as, a), *y = kernel_at (bs, b);
        double same_root = x->root == y->root ? 1 : 0;
        candidates[n++] = (Candidate){ fb_replay_kernel_likeness (x, y) + same_root, a, b };
      }
  qsort (candidates, n, sizeof *candidates, compare_candidates);
  for (guint i = 0; i < n; i++)
    {
      FbReplayKernel *x = kernel_at (as, candidates[i].a), *y = kernel_at (bs, candidates[i].b);
      if (x->partner >= 0 || y->partner >= 0)
        continue;
      x->partner = (gint32) candidates[i].b;
      y->partner = (gint32) candidates[i].a;
    }
}

static void
find_partners (GPtrArray *as, GPtrArray *bs)
{
  g_autoptr (GHashTable) a_index = index_by (as, FALSE), b_index = index_by (bs, FALSE);
  GHashTableIter iter;
  gpointer key, a_places;

  for (guint i = 0; i < as->len; i++)
    kernel_at (as, i)->partner = kernel_at (as, i)->joined = -1;
  for (guint i = 0; i < bs->len; i++)
    kernel_at (bs, i)->partner = kernel_at (bs, i)->joined = -1;
  g_hash_table_iter_init (&iter, a_index);
  while (g_hash_table_iter_next (&iter, &key, &a_places))
    {
      const GArray *b_places = g_hash_table_lookup (b_index, key);
      if (b_places)
        pair_alike (as, bs, a_places, b_places);
    }
}

/* The leftover with a partner that kernel @i is, or has become, a part of; -1 for none. */
static gint32
head_of (const GPtrArray *kernels, guint i)
{
  const FbReplayKernel *kernel = kernel_at (kernels, i);

  return kernel->joined >= 0 ? kernel->joined : kernel->partner >= 0 ? (gint32) i : -1;
}

/* Is what @part computes found in @whole, besides what @head does? */
static gboolean
is_inside (const FbReplayKernel *part, FbReplayKernel *whole, const FbReplayKernel *head)
{
  guint32 found = 0;

  if (!part->computes || !whole->computes)
    return FALSE;
  for (guint i = 0; i < part->values->len; i++)
    if (fb_replay_kernel_contains (whole, g_array_index (part->values, guint64, i)))
      return TRUE;
  for (guint op = 0; op < FB_N_OPS; op++)
    if (whole->ops[op] > head->ops[op])
      found += MIN (part->ops[op], whole->ops[op] - head->ops[op]);
  return part->n_ops && 2 * found >= part->n_ops;
}

/* The kernel that reads what @as[i] writes, runs next after it and whose partner holds what it computes. */
static gint32
find_head (const GPtrArray *as, const GPtrArray *bs, guint i, GHashTable *readers)
{
  const FbReplayKernel *part = kernel_at (as, i);

  for (guint w = 0; w < part->writes->len; w++)
    {
      const GArray *places = g_hash_table_lookup (readers, &g_array_index (part->writes, guint64, w));
      guint low = 0, high = places ? places->len : 0;
      while (low < high)
        {
          guint middle = (low + high) / 2;
          if (g_array_index (places, guint, middle) <= i)
            low = middle + 1;
          else
            high = middle;
        }
      for (guint k = low; places && k < places->len && k < low + MAX_READERS; k++)
        {
          gint32 head = head_of (as, g_array_index (places, guint, k));
          if (head >= 0 && is_inside (part, kernel_at (bs, kernel_at (as, head)->partner), kernel_at (as, head)))
            return head;
        }
    }
  return -1;
}

/* Joins kernels of @as without a partner to those that read what they write; later ones first, so that chains join. */
static void
join (const GPtrArray *as, const GPtrArray *bs)
{
  g_autoptr (GHashTable) readers = index_by (as, TRUE);

  for (guint i = as->len; i-- > 0;)
    if (!kernel_at (as, i)->done && kernel_at (as, i)->partner < 0)
      kernel_at (as, i)->joined = find_head (as, bs, i, readers);
}

/* By place of the head, an array of the kernels that joined it (FbReplayKernel); NULL for none. */
static GPtrArray **
collect_joined (const GPtrArray *kernels)
{
  GPtrArray **joined = g_new0 (GPtrArray *, kernels->len + 1);

  for (guint i = 0; i < kernels->len; i++)
    {
      gint32 head = kernel_at (kernels, i)->joined;
      if (head < 0)
        continue;
      if (!joined[head])
        joined[head] = g_ptr_array_new ();
      g_ptr_array_add (joined[head], kernel_at (kernels, i));
    }
  return joined;
}

static void
free_joined (GPtrArray **joined, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&joined[i], g_ptr_array_unref);
  g_free (joined);
}

static GPtrArray *
with_head (GPtrArray *joined, FbReplayKernel *head)
{
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; joined && i < joined->len; i++)
    g_ptr_array_add (all, g_ptr_array_index (joined, i));
  g_ptr_array_add (all, head);
  return all;
}

void
fb_replay_align_joined (FbContext *context, GPtrArray *captured, GPtrArray *scheduled, GPtrArray *differences)
{
  GPtrArray **parts, **more;

  find_partners (captured, scheduled);
  join (captured, scheduled);
  join (scheduled, captured);
  parts = collect_joined (captured);
  more = collect_joined (scheduled);
  for (guint i = 0; i < captured->len; i++)
    {
      FbReplayKernel *a = kernel_at (captured, i);
      gint32 b = a->partner;
      guint n_before = parts[i] ? parts[i]->len : 0, n_after = b >= 0 && more[b] ? more[b]->len : 0;
      if (b < 0 || n_before == n_after)
        continue;
      g_autoptr (GPtrArray) before = with_head (parts[i], a), after = with_head (more[b], kernel_at (scheduled, b));
      g_ptr_array_add (
          differences,
          fb_replay_difference_new (context, n_before > n_after ? FB_REPLAY_MERGED : FB_REPLAY_SPLIT, before, after));
    }
  free_joined (parts, captured->len);
  free_joined (more, scheduled->len);
}

void
fb_replay_align_rewritten (FbContext *context, GPtrArray *captured, GPtrArray *scheduled, GPtrArray *differences)
{
  find_partners (captured, scheduled);
  for (guint i = 0; i < captured->len; i++)
    {
      FbReplayKernel *a = kernel_at (captured, i), *b;
      if (a->done || a->partner < 0)
        continue;
      b = kernel_at (scheduled, a->partner);
      if (a->computes != b->computes || fb_replay_kernel_likeness (a, b) == 0)
        continue;
      g_autoptr (GPtrArray) before = with_head (NULL, a), after = with_head (NULL, b);
      g_ptr_array_add (differences, fb_replay_difference_new (context, FB_REPLAY_REWRITTEN, before, after));
    }
}
