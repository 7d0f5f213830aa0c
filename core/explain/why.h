/* Questions to the ledger of a schedule: why is this node realized, why are these two not in one kernel? Answers are what the
 * scheduler wrote down, never a second guess. */
#pragma once

#include "core/schedule.h"

typedef enum
{
  FB_VERDICT_REALIZED, /* stored by a kernel */
  FB_VERDICT_FUSED,    /* computed inside of kernels, never stored */
  FB_VERDICT_NO_WORK,  /* a buffer, a constant, a variable, a view: nothing to compute */
  FB_N_VERDICTS
} FbVerdictKind;
/* "realized", "fused", "no work"; static, not translated. */
const char *fb_verdict_name (FbVerdictKind kind);

typedef struct
{
  FbVerdictKind kind;
  FbUop *node;                /* of the simplified graph, under views */
  const FbDecision *decision; /* what made it so; NULL: nobody asked for it, or there was nothing to decide */
  guint kernel;               /* that stores it, from 1; 0: none */
  guint n_kernels;
  const guint *kernels; /* that compute it, from 1, in run order; owned by the FbWhy */
} FbVerdict;

typedef struct _FbWhy FbWhy;
/* Of a schedule that went through, which must outlive it. Uses the schedule's context: one thread at a time. */
FbWhy *fb_why_new (const FbSchedule *schedule);
void fb_why_free (FbWhy *why);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbWhy, fb_why_free)
/* All nodes that may be asked about: those of the simplified graph under views, sources before users. Owned by @why. */
const GPtrArray *fb_why_nodes (const FbWhy *why);
/* What @node of the input or of the simplified graph is in the simplified graph, under views; NULL when it is in neither. */
FbUop *fb_why_resolve (const FbWhy *why, const FbUop *node);
/* The node whose key begins with the hex digits @key, of the simplified graph or of the input, as fb_why_resolve(). NULL with an
 * error of G_IO_ERROR when there is none, or several. */
FbUop *fb_why_find (const FbWhy *why, const char *key, GError **error);
/* Where @node, one of fb_why_nodes(), is in the toposort of the simplified graph, as FbForced has it. */
guint32 fb_why_place (const FbWhy *why, const FbUop *node);
/* @node: one of fb_why_nodes(). */
FbVerdict fb_why_verdict (const FbWhy *why, FbUop *node);
/* The node that kernel @kernel, from 1, stores; NULL when there is no such kernel. */
FbUop *fb_why_stored (const FbWhy *why, guint kernel);

typedef enum
{
  FB_PAIR_SAME,      /* one and the same node */
  FB_PAIR_FUSED,     /* some kernel computes both, and nothing between them is stored */
  FB_PAIR_BOTH,      /* some kernel computes both, but on other paths something is stored between them */
  FB_PAIR_SEPARATED, /* every path between them goes through something stored */
  FB_PAIR_UNRELATED, /* neither is computed from the other */
  FB_N_PAIRS
} FbPairKind;
const char *fb_pair_name (FbPairKind kind);

typedef struct
{
  FbPairKind kind;
  FbUop *up, *down;    /* @down is computed from @up */
  GPtrArray *deciding; /* of const FbDecision: what is stored on paths between them, @up included, sources first */
  GArray *kernels;     /* of guint: that compute both */
} FbPair;
/* Of two of fb_why_nodes(). Free with fb_pair_free. */
FbPair *fb_why_pair (const FbWhy *why, FbUop *a, FbUop *b);
void fb_pair_free (FbPair *pair);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbPair, fb_pair_free)

/* Faults of the ledger itself, 0 each if it is right. */
typedef struct
{
  guint n_verdicts, n_unknown; /* verdicts; realized nodes without an entry, fused ones that no kernel computes */
  gboolean replays;            /* its entries played in order give the schedule's realizes, in order */
} FbLedgerAudit;
FbLedgerAudit fb_why_audit (const FbWhy *why);
