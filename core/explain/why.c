#include "why.h"

#include <gio/gio.h>
#include <string.h>

#include "core/ir/context-private.h"
#include "core/ir/text.h"

struct _FbWhy
{
  const FbSchedule *schedule;
  FbContext *context;
  GPtrArray *nodes;    /* FbUop */
  FbNodeMap *verdicts; /* of a node: its deciding entry */
  FbNodeMap *realized; /* in the set in the end */
  FbNodeMap *stored;   /* of a realized node: the kernel, from 1 */
  FbNodeMap *place;    /* of a node: position in @spans, + 1 */
  GArray *spans;       /* of Span */
  guint *kernels;      /* what spans are of */
};

typedef struct
{
  guint first, n;
} Span;

const char *
fb_verdict_name (FbVerdictKind kind)
{
  static const char *const names[FB_N_VERDICTS] = { "realized", "fused", "no work" };
  return names[kind];
}

const char *
fb_pair_name (FbPairKind kind)
{
  static const char *const names[FB_N_PAIRS] = { "same", "fused", "fused and separated", "separated", "unrelated" };
  return names[kind];
}

/* Bases, each once, sources before users. */
static GPtrArray *
bases_of (FbContext *context, FbUop *sink)
{
  GPtrArray *bases = g_ptr_array_new ();
  FbNodeList *order = fb_uop_order (context, sink);

  for (guint i = 0; i < order->n; i++)
    if (order->at[i] == order->at[i]->base && order->at[i] != sink)
      g_ptr_array_add (bases, order->at[i]);
  fb_node_list_release (context, order);
  return bases;
}

/* As fb_ledger_verdict() and fb_ledger_realized(), for all nodes at once. */
static void
index_ledger (FbWhy *why)
{
  const FbLedger *ledger = why->schedule->ledger;

  for (guint i = 0; i < ledger->len; i++)
    {
      FbDecision *d = &ledger->at[i];
      const FbDecision *before = (const FbDecision *) fb_node_map_get (why->verdicts, d->node);

      if (d->changed || !before || before->kind == FB_DECISION_KEEP)
        fb_node_map_set (why->verdicts, d->node, (guintptr) d);
      if (d->changed)
        fb_node_map_set (why->realized, d->node, d->kind == FB_DECISION_REALIZE);
    }
}

static FbUop *
stored_by (const FbKernelItem *item)
{
  return item->assign->src[1]->arg.kernel->ast;
}

/* The nodes that a kernel computes: from what it stores up to what others store. */
static void
append_members (FbWhy *why, FbUop *root, FbNodeList *members)
{
  FbNodeMap *seen = fb_node_map_acquire (why->context);
  FbNodeList *stack = fb_node_list_acquire (why->context);

  fb_node_list_add (stack, root);
  fb_node_map_set (seen, root, 1);
  while (stack->n)
    {
      FbUop *uop = stack->at[--stack->n];

      fb_node_list_add (members, uop);
      for (guint i = 0; i < uop->n_src; i++)
        {
          FbUop *s = uop->src[i]->base;

          if (fb_node_map_get (seen, s) || fb_node_map_get (why->realized, s))
            continue;
          fb_node_map_set (seen, s, 1);
          fb_node_list_add (stack, s);
        }
    }
  fb_node_list_release (why->context, stack);
  fb_node_map_release (why->context, seen);
}

/* A list of kernels for each node, all in one array. */
static void
index_kernels (FbWhy *why)
{
  const FbSchedule *schedule = why->schedule;
  FbNodeList *members = fb_node_list_acquire (why->context);
  g_autofree guint32 *ends = g_new (guint32, schedule->kernels->len + 1);
  guint total = 0;

  for (guint k = 0; k < schedule->kernels->len; k++)
    {
      FbUop *root = stored_by (fb_schedule_kernel (schedule, k));

      fb_node_map_set (why->stored, root, k + 1);
      append_members (why, root, members);
      ends[k] = members->n;
    }
  for (guint i = 0; i < members->n; i++)
    {
      guint at = (guint) fb_node_map_get (why->place, members->at[i]);
      Span none = { 0 };

      if (!at)
        {
          g_array_append_val (why->spans, none);
          fb_node_map_set (why->place, members->at[i], at = why->spans->len);
        }
      g_array_index (why->spans, Span, at - 1).n++;
    }
  for (guint i = 0; i < why->spans->len; i++)
    {
      Span *span = &g_array_index (why->spans, Span, i);
      span->first = total;
      total += span->n;
      span->n = 0;
    }
  why->kernels = g_new (guint, total + 1);
  for (guint k = 0, i = 0; k < schedule->kernels->len; k++)
    for (; i < ends[k]; i++)
      {
        Span *span = &g_array_index (why->spans, Span, fb_node_map_get (why->place, members->at[i]) - 1);
        why->kernels[span->first + span->n++] = k + 1;
      }
  fb_node_list_release (why->context, members);
}

FbWhy *
fb_why_new (const FbSchedule *schedule)
{
  FbContext *context = schedule->context;
  FbWhy *why = g_new0 (FbWhy, 1);

  why->schedule = schedule;
  why->context = context;
  why->verdicts = fb_node_map_acquire (context);
  why->realized = fb_node_map_acquire (context);
  why->stored = fb_node_map_acquire (context);
  why->place = fb_node_map_acquire (context);
  why->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  why->nodes = bases_of (context, schedule->tensor_map[schedule->big_sink->id]);
  index_ledger (why);
  index_kernels (why);
  return why;
}

void
fb_why_free (FbWhy *why)
{
  if (!why)
    return;
  fb_node_map_release (why->context, why->verdicts);
  fb_node_map_release (why->context, why->realized);
  fb_node_map_release (why->context, why->stored);
  fb_node_map_release (why->context, why->place);
  g_array_unref (why->spans);
  g_ptr_array_unref (why->nodes);
  g_free (why->kernels);
  g_free (why);
}

const GPtrArray *
fb_why_nodes (const FbWhy *why)
{
  return why->nodes;
}

FbUop *
fb_why_resolve (const FbWhy *why, const FbUop *node)
{
  const FbSchedule *schedule = why->schedule;

  if (node->id < schedule->n_tensor_map && schedule->tensor_map[node->id])
    return schedule->tensor_map[node->id]->base;
  for (guint i = 0; i < why->nodes->len; i++)
    if (g_ptr_array_index (why->nodes, i) == node->base)
      return node->base;
  return NULL;
}

guint32
fb_why_place (const FbWhy *why, const FbUop *node)
{
  const FbSchedule *schedule = why->schedule;
  FbNodeList *order = fb_uop_order (why->context, schedule->tensor_map[schedule->big_sink->id]);
  guint32 place = 0;

  while (place < order->n && order->at[place] != node)
    place++;
  fb_node_list_release (why->context, order);
  return place;
}

static gboolean
has_prefix (FbContext *context, FbUop *uop, const char *key)
{
  char hex[17];
  return g_str_has_prefix (fb_uop_key_hex (context, uop, hex), key);
}

/* Nodes of @sink's graph whose key begins so, resolved, into @found, each once. */
static void
find_in (const FbWhy *why, FbUop *sink, const char *key, GPtrArray *found)
{
  FbNodeList *order = fb_uop_order (why->context, sink);

  for (guint i = 0; i < order->n; i++)
    {
      FbUop *node = order->at[i] != sink && has_prefix (why->context, order->at[i], key)
                        ? fb_why_resolve (why, order->at[i])
                        : NULL;
      if (node && !g_ptr_array_find (found, node, NULL))
        g_ptr_array_add (found, node);
    }
  fb_node_list_release (why->context, order);
}

FbUop *
fb_why_find (const FbWhy *why, const char *key, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autofree char *small = g_ascii_strdown (key, 16);

  if (strlen (small) < 4 || strspn (small, "0123456789abcdef") != strlen (small))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "“%s” is not a node's key: 4 to 16 hex digits", key);
      return NULL;
    }
  find_in (why, why->schedule->tensor_map[why->schedule->big_sink->id], small, found);
  if (found->len == 0)
    find_in (why, why->schedule->big_sink, small, found);
  if (found->len == 1)
    return g_ptr_array_index (found, 0);
  if (found->len == 0)
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND, "no node of the graph has a key that begins with %s", key);
  else
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, "%u nodes have a key that begins with %s", found->len,
                 key);
  return NULL;
}

/* What is no computation, wherever it is. */
#define NO_WORK                                                                                          \
  (FB_OP_BIT (BUFFER) | FB_OP_BIT (CONST) | FB_OP_BIT (VCONST) | FB_OP_BIT (DEVICE) | FB_OP_BIT (UNIQUE) \
   | FB_OP_BIT (BIND) | FB_OP_BIT (DEFINE_VAR) | FB_OP_BIT (VIEW) | FB_OP_BIT (SINK) | FB_OP_BIT (MULTI))

FbVerdict
fb_why_verdict (const FbWhy *why, FbUop *node)
{
  guint place = (guint) fb_node_map_get (why->place, node);
  FbVerdict verdict = { FB_VERDICT_NO_WORK, node, NULL, 0, 0, NULL };

  if (place)
    {
      const Span *span = &g_array_index (why->spans, Span, place - 1);
      verdict.n_kernels = span->n;
      verdict.kernels = &why->kernels[span->first];
    }
  if (fb_node_map_get (why->realized, node))
    verdict.kind = FB_VERDICT_REALIZED;
  else if (!fb_op_in (node->op, NO_WORK))
    verdict.kind = FB_VERDICT_FUSED;
  if (verdict.kind == FB_VERDICT_NO_WORK)
    return verdict;
  verdict.decision = (const FbDecision *) fb_node_map_get (why->verdicts, node);
  verdict.kernel = (guint) fb_node_map_get (why->stored, node);
  return verdict;
}

FbUop *
fb_why_stored (const FbWhy *why, guint kernel)
{
  return kernel >= 1 && kernel <= why->schedule->kernels->len
             ? stored_by (fb_schedule_kernel (why->schedule, kernel - 1))
             : NULL;
}

/* Is @down computed from @up? Fills @pair with what is stored between them, and whether some path has nothing stored. */
static gboolean
look_between (const FbWhy *why, FbUop *up, FbUop *down, FbPair *pair, gboolean *open)
{
  enum
  {
    ON_PATH = 1, /* computed from @up */
    OPEN = 2,    /* on some path from @up to here, both ends left out, nothing is stored */
  };
  FbNodeMap *marks = fb_node_map_acquire (why->context);
  FbNodeList *order = fb_uop_order_once (why->context, down);
  FbNodeList *between = fb_node_list_acquire (why->context);
  gboolean related;

  for (guint i = 0; i < order->n; i++)
    {
      FbUop *uop = order->at[i];
      guintptr mark = uop == up ? ON_PATH | OPEN : 0;

      for (guint k = 0; k < uop->n_src && uop != up; k++)
        {
          FbUop *s = uop->src[k];
          guintptr of = fb_node_map_get (marks, s);
          /* what is stored, @up too, is read again by whoever uses it */
          mark |= fb_node_map_get (why->realized, s) ? of & ~(guintptr) OPEN : of;
        }
      if (!mark)
        continue;
      fb_node_map_set (marks, uop, mark);
      if (uop != down && fb_node_map_get (why->realized, uop))
        fb_node_list_add (between, uop);
    }
  related = fb_node_map_get (marks, down) != 0;
  *open = (fb_node_map_get (marks, down) & OPEN) != 0;
  for (guint i = 0; related && i < between->n; i++)
    g_ptr_array_add (pair->deciding, (gpointer) fb_node_map_get (why->verdicts, between->at[i]));
  fb_node_list_release (why->context, between);
  fb_node_list_release (why->context, order);
  fb_node_map_release (why->context, marks);
  return related;
}

/* Kernels that compute both. */
static void
note_common_kernels (const FbWhy *why, FbPair *pair)
{
  FbVerdict up = fb_why_verdict (why, pair->up), down = fb_why_verdict (why, pair->down);

  for (guint i = 0, k = 0; i < up.n_kernels && k < down.n_kernels;)
    {
      if (up.kernels[i] == down.kernels[k])
        g_array_append_val (pair->kernels, up.kernels[i]);
      if (up.kernels[i] <= down.kernels[k])
        i++;
      else
        k++;
    }
}

FbPair *
fb_why_pair (const FbWhy *why, FbUop *a, FbUop *b)
{
  FbPair *pair = g_new0 (FbPair, 1);
  gboolean open = FALSE, related;

  pair->up = a;
  pair->down = b;
  pair->deciding = g_ptr_array_new ();
  pair->kernels = g_array_new (FALSE, FALSE, sizeof (guint));
  if (a == b)
    {
      pair->kind = FB_PAIR_SAME;
      note_common_kernels (why, pair);
      return pair;
    }
  related = look_between (why, a, b, pair, &open);
  if (!related && (related = look_between (why, b, a, pair, &open)))
    {
      pair->up = b;
      pair->down = a;
    }
  note_common_kernels (why, pair);
  if (!related)
    pair->kind = pair->kernels->len ? FB_PAIR_FUSED : FB_PAIR_UNRELATED;
  else if (!open)
    pair->kind = FB_PAIR_SEPARATED;
  else
    pair->kind = pair->deciding->len ? FB_PAIR_BOTH : FB_PAIR_FUSED;
  return pair;
}

void
fb_pair_free (FbPair *pair)
{
  if (!pair)
    return;
  g_ptr_array_unref (pair->deciding);
  g_array_unref (pair->kernels);
  g_free (pair);
}

/* The set of realizes by the ledger alone, in order. */
static gboolean
replays (const FbSchedule *schedule)
{
  const FbLedger *ledger = schedule->ledger;
  g_autoptr (GPtrArray) set = g_ptr_array_new ();

  for (guint i = 0; i < ledger->len; i++)
    if (ledger->at[i].changed)
      {
        if (ledger->at[i].kind == FB_DECISION_UNREALIZE)
          g_ptr_array_remove (set, ledger->at[i].node);
        else
          g_ptr_array_add (set, ledger->at[i].node);
      }
  return set->len == schedule->realizes->len
         && (set->len == 0 || memcmp (set->pdata, schedule->realizes->pdata, sizeof (gpointer) * set->len) == 0);
}

FbLedgerAudit
fb_why_audit (const FbWhy *why)
{
  FbLedgerAudit audit = { 0, 0, replays (why->schedule) };

  for (guint i = 0; i < why->nodes->len; i++)
    {
      FbVerdict verdict = fb_why_verdict (why, g_ptr_array_index (why->nodes, i));

      if (verdict.kind == FB_VERDICT_NO_WORK)
        continue;
      audit.n_verdicts++;
      if ((verdict.kind == FB_VERDICT_REALIZED && (!verdict.decision || !verdict.kernel))
          || (verdict.kind == FB_VERDICT_FUSED && verdict.n_kernels == 0)
          || (verdict.decision && verdict.decision->reason >= FB_N_REASONS))
        audit.n_unknown++;
    }
  return audit;
}
