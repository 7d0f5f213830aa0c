#include "app/row-why.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/why-text.h"
#include "app/why-tests.h"
#include "core/explain/cost.h"
#include "core/ir/text.h"

static char *
type_text (FbContext *context, FbUop *node)
{
  g_autofree char *text = fb_why_node_text (context, node);
  const char *space = strchr (text, ' ');
  return g_strdup (space ? space + 1 : "");
}

/* Lives by buffer; valid as long as @lives. */
static GHashTable *
index_lives (const GArray *lives)
{
  GHashTable *by_buffer = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < lives->len; i++)
    {
      FbBufferLife *life = &g_array_index (lives, FbBufferLife, i);
      g_hash_table_insert (by_buffer, life->buffer, life);
    }
  return by_buffer;
}

/* The buffer that a kernel stores. */
static const FbBufferLife *
life_of (GHashTable *lives, const FbKernelItem *item)
{
  return item->n_buffers ? g_hash_table_lookup (lives, item->buffers[0].buffer) : NULL;
}

static void
describe_kernel (FbRowWhy *why, const FbSchedule *schedule, guint at, const FbKernelCost *cost, GHashTable *lives)
{
  FbContext *context = schedule->context;
  const FbKernelItem *item = fb_schedule_kernel (schedule, at);
  FbKernelFacts *facts = &why->kernels[at];
  facts->kernel = at + 1;
  facts->stored = fb_why_stored (why->why, at + 1);
  facts->op = fb_op_name (facts->stored->op);
  facts->type = type_text (context, facts->stored);
  facts->ops = fb_why_ops_text (cost);
  facts->bytes_read = cost->bytes_read;
  facts->bytes_written = cost->bytes_written;
  facts->flops = cost->flops;
  facts->recompute = cost->recompute;
  FbVerdict verdict = fb_why_verdict (why->why, facts->stored);
  facts->reason = fb_why_reason (&verdict);
  facts->location = fb_why_location (&verdict);
  const FbBufferLife *life = life_of (lives, item);
  facts->output = life && life->stays;
  facts->last_used = life && life->last_used != facts->kernel ? life->last_used : 0;
}

static void
add_verdict (FbRowWhy *why, FbContext *context, guint at, FbUop *node)
{
  FbVerdict verdict = fb_why_verdict (why->why, node);
  const FbShapeTracker *st = fb_uop_st (context, node);
  g_autofree char *shape = st ? fb_dims_to_display (context, st->shape, "×") : g_strdup ("");
  why->verdicts[at] = (FbVerdictFacts){ node, g_strdup_printf ("%s %s", fb_op_name (node->op), shape),
                                        fb_why_reason (&verdict), verdict.kind == FB_VERDICT_REALIZED };
}

static void
list_verdicts (FbRowWhy *why, const FbSchedule *schedule)
{
  const GPtrArray *nodes = fb_why_nodes (why->why);
  guint n = 0;
  why->verdicts = g_new0 (FbVerdictFacts, nodes->len + 1);
  for (guint i = 0; i < schedule->realizes->len; i++)
    add_verdict (why, schedule->context, n++, g_ptr_array_index (schedule->realizes, i));
  why->n_realized = n;
  for (guint i = 0; i < nodes->len; i++)
    if (fb_why_verdict (why->why, g_ptr_array_index (nodes, i)).kind == FB_VERDICT_FUSED)
      add_verdict (why, schedule->context, n++, g_ptr_array_index (nodes, i));
  why->n_fused = n - why->n_realized;
}

FbRowWhy *
fb_row_why_new (const FbSchedule *schedule)
{
  FbRowWhy *why = g_new0 (FbRowWhy, 1);
  g_autoptr (GArray) lives = NULL;
  g_autofree FbKernelCost *each = NULL;
  FbScheduleCost cost;
  why->why = fb_why_new (schedule);
  fb_schedule_cost (schedule, &cost, &each, &lives);
  why->bytes_read = cost.bytes_read;
  why->bytes_written = cost.bytes_written;
  why->flops = cost.flops;
  why->peak_bytes = cost.peak_bytes;
  g_autoptr (GHashTable) by_buffer = index_lives (lives);
  why->n_kernels = schedule->kernels->len;
  why->kernels = g_new0 (FbKernelFacts, why->n_kernels + 1);
  for (guint i = 0; i < why->n_kernels; i++)
    describe_kernel (why, schedule, i, &each[i], by_buffer);
  list_verdicts (why, schedule);
  return why;
}

void
fb_row_why_free (FbRowWhy *why)
{
  if (!why)
    return;
  for (guint i = 0; i < why->n_kernels; i++)
    {
      g_free (why->kernels[i].type);
      g_free (why->kernels[i].ops);
    }
  for (guint i = 0; i < why->n_realized + why->n_fused; i++)
    g_free (why->verdicts[i].text);
  g_free (why->verdicts);
  g_free (why->kernels);
  fb_why_free (why->why);
  g_free (why);
}

static char *
kernels_text (const FbVerdict *verdict)
{
  enum
  {
    MOST = 6,
  };
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < MIN (verdict->n_kernels, MOST); i++)
    g_string_append_printf (text, "%s%u", i ? ", " : "", verdict->kernels[i]);
  if (verdict->n_kernels > MOST)
    g_string_append_printf (text, _ (" and %u more"), verdict->n_kernels - MOST);
  return g_string_free (text, FALSE);
}

/* The program asks for it, so no choice of the scheduler takes it back. */
static gboolean
is_asked_for (const FbSchedule *schedule, const FbUop *node)
{
  for (guint i = 0; i < schedule->ledger->len; i++)
    {
      const FbDecision *d = &schedule->ledger->at[i];
      if (d->node == node && d->kind == FB_DECISION_REALIZE
          && (d->reason <= FB_REASON_BUFFER_VIEW || d->reason == FB_REASON_BEFORE_COPY))
        return TRUE;
    }
  return FALSE;
}

FbNodeWhy *
fb_node_why_new (const FbRowWhy *row, const FbSchedule *schedule, FbUop *uop, guint kernel)
{
  FbContext *context = schedule->context;
  FbUop *node = fb_why_resolve (row->why, uop);
  gboolean exact = node != NULL;
  if (!node && !(node = fb_why_stored (row->why, kernel)))
    return NULL;
  FbVerdict verdict = fb_why_verdict (row->why, node);
  FbNodeWhy *why = g_new0 (FbNodeWhy, 1);
  why->node = node;
  why->exact = exact;
  why->kind = verdict.kind;
  why->place = fb_why_place (row->why, node);
  why->reason = fb_why_reason (&verdict);
  why->location = fb_why_location (&verdict);
  why->sentence = fb_why_sentence (schedule, &verdict);
  why->type = fb_why_node_text (context, node);
  fb_uop_key_hex (context, node, why->key);
  why->kernel = verdict.kernel;
  why->kernels = kernels_text (&verdict);
  why->tests = fb_why_tests (schedule, verdict.decision);
  why->asked_for = is_asked_for (schedule, node);
  why->unsafe
      = verdict.kind == FB_VERDICT_REALIZED && verdict.decision
        && (verdict.decision->reason == FB_REASON_UNSAFE_PAD || verdict.decision->reason == FB_REASON_UNSAFE_MASK);
  for (guint i = 0; i < schedule->realizes->len && !why->number; i++)
    if (g_ptr_array_index (schedule->realizes, i) == node)
      why->number = i + 1;
  why->of = schedule->realizes->len;
  return why;
}

static const char *
pair_words (FbPairKind kind)
{
  switch (kind)
    {
    case FB_PAIR_SAME:
      return _ ("It is the same node as %s.");
    case FB_PAIR_FUSED:
      return _ ("It is fused with %s: one kernel computes both.");
    case FB_PAIR_BOTH:
      return _ (
          "It is fused with %s in one kernel, and on another way separated from it by what is stored between them.");
    case FB_PAIR_SEPARATED:
      return _ ("It is separated from %s: on every way between them something is stored.");
    default:
      return _ ("Neither it nor %s is computed from the other.");
    }
}

void
fb_node_why_compare (FbNodeWhy *why, const FbRowWhy *row, const FbSchedule *schedule, FbUop *partner, guint kernel)
{
  FbUop *node = fb_why_resolve (row->why, partner);
  if (!node && !(node = fb_why_stored (row->why, kernel)))
    return;
  g_autoptr (FbPair) pair = fb_why_pair (row->why, why->node, node);
  g_autofree char *type = fb_why_node_text (schedule->context, node);
  char key[17];
  g_autofree char *name = g_strdup_printf ("%s (%s)", type, fb_uop_key_hex (schedule->context, node, key));
  why->pair_text = g_strdup_printf (pair_words (pair->kind), name);
  why->deciding = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < pair->deciding->len; i++)
    {
      const FbDecision *d = g_ptr_array_index (pair->deciding, i);
      FbVerdict verdict = fb_why_verdict (row->why, d->node);
      g_autofree char *stored = fb_why_node_text (schedule->context, d->node);
      g_autofree char *sentence = fb_why_sentence (schedule, &verdict);
      /* Translators: a node, the number of a kernel, why */
      g_ptr_array_add (why->deciding,
                       g_strdup_printf (_ ("%s, stored by kernel %u. %s"), stored, verdict.kernel, sentence));
    }
}

void
fb_node_why_free (FbNodeWhy *why)
{
  if (!why)
    return;
  g_free (why->pair_text);
  g_clear_pointer (&why->deciding, g_ptr_array_unref);
  g_free (why->sentence);
  g_free (why->type);
  g_free (why->kernels);
  g_array_unref (why->tests);
  g_free (why);
}
