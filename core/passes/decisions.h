/* The ledger: why each node is realized or not, written down where the scheduler decides (schedule.py:91-190).
 *
 * An entry for every time somebody asks for a node to be realized, for every test that a node passed, for every reduce that
 * found its store, and for every node taken out of the set again; in that order. Entries marked `changed`, played one after
 * the other, give the set of realizes in the reference's order. */
#pragma once

#include "core/ir/context.h"

typedef enum
{
  FB_DECISION_REALIZE,   /* asked for; `changed` the first time */
  FB_DECISION_KEEP,      /* stays fused: a test was passed, or a store was found for it */
  FB_DECISION_UNREALIZE, /* taken out of the set */
} FbDecisionKind;

/* A closed list. What the fields of FbDecision hold is said for each. */
typedef enum
{
  /* REALIZE, because of what asks; @because: who asks */
  FB_REASON_OUTPUT,      /* the SINK (schedule.py:105) */
  FB_REASON_ASSIGN,      /* the node's own op; @because NULL (:107) */
  FB_REASON_CONTIGUOUS,  /* :107 */
  FB_REASON_COPY,        /* :107 */
  FB_REASON_BUFFER_VIEW, /* :107 */
  FB_REASON_EXPAND,      /* a VIEW with more elements: @a < @b (:99) */
  FB_REASON_UNSAFE_PAD,  /* a VIEW with one mask of @b <= @a elements; @other does not keep 0 (:97) */
  FB_REASON_UNSAFE_MASK, /* another masked VIEW, of @b elements of @a; @other does not keep 0 (:101) */
  FB_REASON_BEFORE_COPY, /* the COPY (:111) */
  /* REALIZE, because no store was found for the reduce @because; the node is where the chase after it ended (:163-180) */
  FB_REASON_REDUCE_DOWNSTREAM,     /* @other is a second reduce (:127) */
  FB_REASON_REDUCE_VIEWS,          /* @other reads @because's value in several ways (:129) */
  FB_REASON_REDUCE_NOT_CONTIGUOUS, /* stored as @other, it would not be contiguous (:123) */
  FB_REASON_REDUCE_SIZE,           /* stored as @other, @a elements, not its own @b (:123) */
  FB_REASON_REDUCE_TAKEN,          /* @other already stores the reduce of another kernel (:123) */
  FB_REASON_REDUCE_OUTPUTS,        /* @a nodes would store it, @other is the second (:154) */
  FB_REASON_REDUCE_ASSIGN,         /* the kernel would read what @other, an ASSIGN, overwrites (:160) */
  FB_REASON_REDUCE_NO_STORE,       /* nothing after it is stored (:163) */
  /* UNREALIZE */
  FB_REASON_FUSE_ARANGE,  /* a sum of constants with users, FUSE_ARANGE; @because: the reduce (:185) */
  FB_REASON_FUSE_CONV_BW, /* a reduce read only by the reduce @because, FUSE_CONV_BW (:189) */
  /* KEEP */
  FB_REASON_VIEW_FITS, /* VIEW @because is not larger, or may be, and pads nothing: @a and @b elements (:101) */
  FB_REASON_PAD_SAFE,  /* VIEW @because pads, but all below keeps 0: @a elements, @b in the mask or view (:97, :101) */
  FB_REASON_GROUPED,   /* a reduce: its kernel stores @other (:181) */
  /* what-if, either kind */
  FB_REASON_FORCED,
  FB_N_REASONS
} FbReason;

/* Why the chase after a reduce's store went no further (:168-175). */
typedef enum
{
  FB_STOP_NONE,           /* there was no chase */
  FB_STOP_USERS,          /* not one user: @c */
  FB_STOP_VIEWS,          /* the user reads it in several ways */
  FB_STOP_SIZE,           /* the user's view has another size */
  FB_STOP_NOT_CONTIGUOUS, /* not contiguous from there on */
  FB_STOP_REDUCE,         /* the user is a reduce */
  FB_STOP_CAST,           /* back before a cast to a wider type (:177) */
} FbChaseStop;

typedef struct
{
  FbUop *node;    /* of the simplified graph; whose verdict */
  FbUop *because; /* see FbReason; NULL for none */
  FbUop *other;
  gint64 a, b; /* elements */
  gint64 c;    /* users, for FB_STOP_USERS */
  guint8 kind, reason, stop;
  gboolean changed; /* the node entered or left the set */
} FbDecision;

typedef struct
{
  FbDecision *at; /* owned by the context's arena */
  guint len, allocated;
} FbLedger;

/* An empty one, owned by the context's arena. */
FbLedger *fb_ledger_new (FbContext *context);
void fb_ledger_add (FbContext *context, FbLedger *ledger, const FbDecision *decision);
/* The entry that made @node realized or not in the end: the one that let it into the set for good, or that took it out, or
 * the last that kept it out; NULL when nothing asked about it. */
const FbDecision *fb_ledger_verdict (const FbLedger *ledger, const FbUop *node);
/* Is it in the set in the end? */
gboolean fb_ledger_realized (const FbLedger *ledger, const FbUop *node);
/* The name of a reason in scripts: "expand", "reduce-downstream". Static text. */
const char *fb_reason_name (FbReason reason);
/* Where the reference decides so: "schedule.py:99". Static text. */
const char *fb_reason_location (FbReason reason);

/* Choices forced on the scheduler: a what-if. Nodes are told by their place in the toposort of the simplified graph, from 0,
 * which is the same however often a row is read. */
typedef struct
{
  const guint32 *realize, *fuse;
  guint n_realize, n_fuse;
} FbForced;
