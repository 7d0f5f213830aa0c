/* Kernels that have no equal, aligned by what they write, read and compute.
 *
 * A kernel of one list is the partner of the one in the other that writes the same kind of buffer with the most alike
 * operations. Kernels without a partner either were joined with others (what they compute is found inside the partner of
 * a kernel that reads what they wrote) or have no counterpart at all. */
#include "kernel.h"

enum
{
  MAX_PAIRS = 1 << 14, /* of kernels that write alike, weighed against each other; beyond that, order decides */
  MAX_SHARED = 8,      /* heads that may share parts with one head: more are layers that look alike */
  MAX_READERS = 64,    /* readers of such a buffer that are looked at */
};

/* Of kernels that write alike, for them to be partners. */
#define MIN_LIKENESS 0.5
#define kernel_at(kernels, i) ((FbReplayKernel *) g_ptr_array_index (kernels, i))

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

typedef enum
{
  BY_OUTPUT,
  BY_WRITES,
  BY_READS,
} IndexBy;

/* Places of the kernels still to be aligned by the hash of what they read or write. Values are GArrays of guint. */
static GHashTable *
index_kernels (const GPtrArray *kernels, IndexBy by)
{
  GHashTable *index = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);

  for (guint i = 0; i < kernels->len; i++)
    {
      const FbReplayKernel *kernel = kernel_at (kernels, i);
      const GArray *buffers = by == BY_READS ? kernel->reads : kernel->writes;
      guint n = by == BY_OUTPUT ? 1 : buffers->len;
      for (guint k = 0; !kernel->done && k < n; k++)
        {
          guint64 key = by == BY_OUTPUT ? kernel->output : g_array_index (buffers, guint64, k);
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

/* The first of @places that is not before @i. */
static guint
first_from (const GArray *places, guint i)
{
  guint low = 0, high = places->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;
      if (g_array_index (places, guint, middle) < i)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* From 0 to 3. */
static double
likeness (FbContext *context, const FbReplayKernel *x, const FbReplayKernel *y)
{
  return fb_replay_kernel_likeness (x, y)
         + 2 * MAX (fb_replay_kernel_suffix (context, x, y), fb_replay_kernel_suffix (context, y, x));
}

static void
pair_alike (FbContext *context, const GPtrArray *as, const GPtrArray *bs, const GArray *a_places,
            const GArray *b_places)
{
  gboolean all = (guint64) a_places->len * b_places->len <= MAX_PAIRS;
  g_autoptr (GArray) candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));

  for (guint i = 0; i < a_places->len; i++)
    for (guint k = all ? 0 : i; k < (all ? b_places->len : MIN (i + 1, b_places->len)); k++)
      {
        Candidate candidate = { 0, g_array_index (a_places, guint, i), g_array_index (b_places, guint, k) };
        candidate.likeness = likeness (context, kernel_at (as, candidate.a), kernel_at (bs, candidate.b));
        if (candidate.likeness >= MIN_LIKENESS)
          g_array_append_val (candidates, candidate);
      }
  g_array_sort (candidates, compare_candidates);
  for (guint i = 0; i < candidates->len; i++)
    {
      const Candidate *candidate = &g_array_index (candidates, Candidate, i);
      FbReplayKernel *x = kernel_at (as, candidate->a), *y = kernel_at (bs, candidate->b);
      if (x->partner >= 0 || y->partner >= 0)
        continue;
      x->partner = (gint32) candidate->b;
      y->partner = (gint32) candidate->a;
    }
}

static void
find_partners (FbContext *context, GPtrArray *as, GPtrArray *bs)
{
  g_autoptr (GHashTable) a_index = index_kernels (as, BY_OUTPUT), b_index = index_kernels (bs, BY_OUTPUT);
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
        pair_alike (context, as, bs, a_places, b_places);
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

/* A head near @as[i] whose partner holds exactly what it computes, whoever reads it; not for what is found anywhere. */
static gint32
find_container (const GPtrArray *as, const GPtrArray *bs, guint i)
{
  const FbReplayKernel *part = kernel_at (as, i);
  guint from = i > MAX_READERS ? i - MAX_READERS : 0;

  if (part->n_ops < 2 || !part->computes)
    return -1;
  for (guint k = from; k < as->len && k <= i + MAX_READERS; k++)
    {
      gint32 b = kernel_at (as, k)->partner;
      gboolean inside = b >= 0;
      for (guint v = 0; inside && v < part->values->len; v++)
        inside = fb_replay_kernel_contains (kernel_at (bs, b), g_array_index (part->values, guint64, v));
      if (inside)
        return (gint32) k;
    }
  return -1;
}

/* The head whose partner holds what @as[i] computes: of a kernel that reads what it writes, the next after it; else of one
 * that writes what it reads, the last before it. */
static gint32
find_head (const GPtrArray *as, const GPtrArray *bs, guint i, GHashTable *readers, GHashTable *writers)
{
  const FbReplayKernel *part = kernel_at (as, i);

  for (guint side = 0; side < 2; side++)
    {
      const GArray *buffers = side ? part->reads : part->writes;
      for (guint w = 0; w < buffers->len; w++)
        {
          const GArray *places = g_hash_table_lookup (side ? writers : readers, &g_array_index (buffers, guint64, w));
          guint start = places ? first_from (places, side ? i : i + 1) : 0;
          guint n = !places ? 0 : side ? start : places->len - start;
          for (guint k = 0; k < n && k < MAX_READERS; k++)
            {
              gint32 head = head_of (as, g_array_index (places, guint, side ? start - 1 - k : start + k));
              if (head >= 0 && is_inside (part, kernel_at (bs, kernel_at (as, head)->partner), kernel_at (as, head)))
                return head;
            }
        }
    }
  return find_container (as, bs, i);
}

/* Joins kernels of @as without a partner to those that read what they write; later ones first, so that chains join. Marks
 * in @grown the heads that got parts. */
static void
join (const GPtrArray *as, const GPtrArray *bs, gboolean *grown)
{
  g_autoptr (GHashTable) readers = index_kernels (as, BY_READS), writers = index_kernels (as, BY_WRITES);

  for (guint i = as->len; i-- > 0;)
    {
      FbReplayKernel *kernel = kernel_at (as, i);
      if (kernel->done || kernel->partner >= 0)
        continue;
      kernel->joined = find_head (as, bs, i, readers, writers);
      if (kernel->joined >= 0)
        grown[kernel->joined] = TRUE;
    }
}

/* A part may be inside of more than one kernel. The heads in @as that grew by a part that already joined another head join
 * that one too. @b_grown: heads in the other list with parts of their own. */
static void
share (const GPtrArray *as, const GPtrArray *bs, const gboolean *a_grown, const gboolean *b_grown)
{
  g_autoptr (GHashTable) writers = index_kernels (as, BY_WRITES);
  g_autofree guint *n_shared = g_new0 (guint, as->len + 1);

  for (guint i = 0; i < as->len; i++)
    {
      FbReplayKernel *head = kernel_at (as, i);
      if (head->partner < 0 || a_grown[i] || b_grown[head->partner])
        continue;
      for (guint r = 0; r < head->reads->len && head->joined < 0; r++)
        {
          const GArray *places = g_hash_table_lookup (writers, &g_array_index (head->reads, guint64, r));
          guint start = places ? first_from (places, i) : 0;
          for (guint k = 0; k < start && k < MAX_READERS; k++)
            {
              const FbReplayKernel *part = kernel_at (as, g_array_index (places, guint, start - 1 - k));
              if (part->partner >= 0 || part->joined < 0 || n_shared[part->joined] == MAX_SHARED
                  || !is_inside (part, kernel_at (bs, head->partner), head))
                continue;
              n_shared[part->joined]++;
              head->joined = part->joined;
              kernel_at (bs, head->partner)->joined = kernel_at (as, part->joined)->partner;
              break;
            }
        }
    }
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

static gint
compare_places (gconstpointer a, gconstpointer b)
{
  const FbReplayKernel *x = *(FbReplayKernel *const *) a, *y = *(FbReplayKernel *const *) b;
  return (x->place > y->place) - (x->place < y->place);
}

/* In run order. */
static GPtrArray *
with_head (GPtrArray *joined, FbReplayKernel *head)
{
  GPtrArray *all = g_ptr_array_new ();

  for (guint i = 0; joined && i < joined->len; i++)
    g_ptr_array_add (all, g_ptr_array_index (joined, i));
  g_ptr_array_add (all, head);
  g_ptr_array_sort (all, compare_places);
  return all;
}

/* A difference for each head with more parts on one side than on the other. */
static void
add_joined (FbContext *context, GPtrArray *captured, GPtrArray *scheduled, GPtrArray *differences)
{
  GPtrArray **parts = collect_joined (captured), **more = collect_joined (scheduled);

  for (guint i = 0; i < captured->len; i++)
    {
      FbReplayKernel *a = kernel_at (captured, i);
      gint32 b = a->joined < 0 ? a->partner : -1;
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
fb_replay_align_joined (FbContext *context, GPtrArray *captured, GPtrArray *scheduled, GPtrArray *differences)
{
  g_autofree gboolean *a_grown = g_new0 (gboolean, captured->len + 1), *b_grown = g_new0 (gboolean, scheduled->len + 1);

  find_partners (context, captured, scheduled);
  join (captured, scheduled, a_grown);
  join (scheduled, captured, b_grown);
  share (captured, scheduled, a_grown, b_grown);
  share (scheduled, captured, b_grown, a_grown);
  add_joined (context, captured, scheduled, differences);
}

void
fb_replay_align_rewritten (FbContext *context, GPtrArray *captured, GPtrArray *scheduled, GPtrArray *differences)
{
  find_partners (context, captured, scheduled);
  for (guint i = 0; i < captured->len; i++)
    {
      FbReplayKernel *a = kernel_at (captured, i), *b;
      if (a->partner < 0)
        continue;
      b = kernel_at (scheduled, a->partner);
      if (a->computes != b->computes || fb_replay_kernel_likeness (a, b) == 0)
        continue;
      g_autoptr (GPtrArray) before = with_head (NULL, a), after = with_head (NULL, b);
      g_ptr_array_add (differences, fb_replay_difference_new (context, FB_REPLAY_REWRITTEN, before, after));
    }
}
