/* Pass 2: what gets a buffer whatever happens (schedule.py:91-112, called at :139). The rules only look: none replaces
 * anything, so the pass has no matches; its result is the set of realizes. */
#include "core/ir/context-private.h"
#include "core/rewrite/pattern-macros.h"
#include "core/symbolic/symbolic.h"
#include "grouper.h"
#include "passes.h"

static void
realize (FbGrouper *grouper, FbUop *uop, FbReason reason, FbUop *because)
{
  fb_grouper_decide (
      grouper,
      &(FbDecision){ .node = uop, .kind = FB_DECISION_REALIZE, .reason = (guint8) reason, .because = because });
}

static void
decide_outputs (FbGrouper *grouper, FbUop *sink)
{
  for (guint i = 0; i < sink->n_src; i++)
    {
      FbUop *base = sink->src[i]->base;
      if (!fb_op_in (base->op, FB_OP_BIT (CONST) | FB_OP_BIT (BIND) | FB_OP_BIT (BUFFER)))
        realize (grouper, base, FB_REASON_OUTPUT, sink);
    }
}

static void
decide_always (FbGrouper *grouper, FbUop *tr)
{
  FbReason reason = tr->op == FB_OP_ASSIGN       ? FB_REASON_ASSIGN
                    : tr->op == FB_OP_CONTIGUOUS ? FB_REASON_CONTIGUOUS
                    : tr->op == FB_OP_COPY       ? FB_REASON_COPY
                                                 : FB_REASON_BUFFER_VIEW;

  realize (grouper, tr, reason, NULL);
}

static void
decide_copied (FbGrouper *grouper, FbUop *copy)
{
  realize (grouper, copy->src[1], FB_REASON_BEFORE_COPY, copy);
}

/* prod (y - x for x, y in mask) */
static FbSint
mask_size (FbContext *context, const FbDims *mask)
{
  FbSint size = fb_sint (1);

  for (guint i = 0; i < mask->n; i += 2)
    size = fb_sint_mul (context, size, fb_sint_sub (context, mask->at[i + 1], mask->at[i]));
  return size;
}

static FbSint
size_of (FbContext *context, const FbDims *shape)
{
  return shape->prod >= 0 ? fb_sint (shape->prod) : fb_sint_prod (context, shape->n, shape->at);
}

/* A number of elements for the ledger; -1 when it is not one. */
static gint64
elements (FbSint size)
{
  return fb_sint_is_int (size) ? fb_sint_int (size) : -1;
}

static gboolean
any_mask (const FbShapeTracker *st)
{
  for (guint i = 0; i < st->n; i++)
    if (st->views[i]->mask)
      return TRUE;
  return FALSE;
}

/* Realized if something below does not keep 0, for @reason; else noted as safe. */
static void
decide_pad (FbGrouper *grouper, FbDecision *decision, FbReason reason)
{
  decision->other = fb_grouper_unsafe_pad (grouper, decision->node);
  decision->kind = decision->other ? FB_DECISION_REALIZE : FB_DECISION_KEEP;
  decision->reason = (guint8) (decision->other ? reason : FB_REASON_PAD_SAFE);
  fb_grouper_decide (grouper, decision);
}

static void
decide_before_view (FbGrouper *grouper, FbUop *view)
{
  FbContext *context = grouper->context;
  FbUop *src = view->src[0];
  const FbShapeTracker *st = fb_uop_st (context, view);
  const FbDims *shape = fb_uop_shape (context, src), *mask;
  FbDecision decision = { .node = src, .because = view };
  FbSint size, view_size, masked;

  if (!st || !shape)
    return;
  size = size_of (context, shape);
  decision.a = elements (size);
  mask = st->views[st->n - 1]->mask;
  if (st->n == 1 && mask && shape->all_int && fb_sint_ge (context, size, masked = mask_size (context, mask), TRUE))
    {
      decision.b = elements (masked);
      decide_pad (grouper, &decision, FB_REASON_UNSAFE_PAD);
      return;
    }
  view_size = size_of (context, st->shape);
  decision.b = elements (view_size);
  if (!context->options.dont_realize_expand && fb_sint_lt (context, size, view_size, TRUE)
      && !fb_grouper_forced (grouper, src, FB_FORCED_FUSE))
    {
      decision.kind = FB_DECISION_REALIZE;
      decision.reason = FB_REASON_EXPAND;
      fb_grouper_decide (grouper, &decision);
    }
  else if (any_mask (st))
    decide_pad (grouper, &decision, FB_REASON_UNSAFE_MASK);
  else
    {
      decision.kind = FB_DECISION_KEEP;
      decision.reason = FB_REASON_VIEW_FITS;
      fb_grouper_decide (grouper, &decision);
    }
}

static void
note_assign (FbGrouper *grouper, FbUop *assign)
{
  FbUop *buffer = fb_buf_uop (grouper->context, assign);

  if (buffer)
    fb_node_map_set (grouper->assigns, buffer, (guintptr) assign);
}

/* The rules: none replaces anything. */
static FbUop *
realize_outputs (FbRewriter *rw, FbUop *const *m)
{
  decide_outputs (rw->user, m[FB_s]);
  return NULL;
}

static FbUop *
realize_always (FbRewriter *rw, FbUop *const *m)
{
  decide_always (rw->user, m[FB_tr]);
  return NULL;
}

static FbUop *
realize_before_view (FbRewriter *rw, FbUop *const *m)
{
  decide_before_view (rw->user, m[FB_view]);
  return NULL;
}

static FbUop *
realize_copied (FbRewriter *rw, FbUop *const *m)
{
  decide_copied (rw->user, m[FB_copy]);
  return NULL;
}

static FbUop *
note_users (FbRewriter *rw, FbUop *const *m)
{
  if (m[FB_u]->op == FB_OP_ASSIGN)
    note_assign (rw->user, m[FB_u]);
  if (!rw->context->error)
    fb_grouper_add_user (rw->user, m[FB_u]);
  return NULL;
}

/* in the order of Rule */
static const FbRule rules[] = {
  RULE ("realize-outputs", "sink(x): x is realized unless a constant, a variable or a buffer", OP (SINK, NAMED (s)),
        realize_outputs, "schedule.py:105"),
  RULE ("realize-always", "assign, contiguous, copy and buffer_view are realized",
        OPS (FB_OP_BIT (ASSIGN) | FB_OP_BIT (CONTIGUOUS) | FB_OP_BIT (COPY) | FB_OP_BIT (BUFFER_VIEW), NAMED (tr)),
        realize_always, "schedule.py:91"),
  RULE ("realize-before-view", "view(x): x is realized before it is expanded, or padded if 0 does not stay 0",
        OP (VIEW, NAMED (view),
            SRC (OPS (FB_OPS_ALL & ~(FB_OP_BIT (BUFFER) | FB_OP_BIT (CONST) | FB_OP_BIT (DEVICE)), NAMED (src)))),
        realize_before_view, "schedule.py:93"),
  RULE ("realize-before-copy", "copy(x): x is realized",
        OP (COPY, NAMED (copy), SRC (ANY, OPS (FB_OPS_ALL & ~(FB_OP_BIT (BUFFER) | FB_OP_BIT (VIEW)), NAMED (tr)))),
        realize_copied, "schedule.py:91"),
  RULE ("users", "notes who uses x", OPS (FB_OPS_ALL & ~(FB_OP_BIT (SINK) | FB_OP_BIT (VIEW)), NAMED (u)), note_users,
        "schedule.py:132"),
};

const FbRuleSet *
fb_realize_pass_rules (void)
{
  static FbRuleSet *set;

  if (g_once_init_enter (&set))
    {
      const FbRuleTable table = FB_RULE_TABLE (rules);
      g_once_init_leave (&set, fb_rule_set_new ("do_realize + create_ctx", 1, &table));
    }
  return set;
}

/* A what-if's own: those of @forced that @sink holds, sources first. */
static void
realize_forced (FbGrouper *grouper, FbUop *sink)
{
  FbNodeList *order = fb_uop_order (grouper->context, sink);

  for (guint i = 0; i < order->n; i++)
    if (fb_grouper_forced (grouper, order->at[i], FB_FORCED_REALIZE))
      realize (grouper, order->at[i], FB_REASON_FORCED, NULL);
  fb_node_list_release (grouper->context, order);
}

typedef enum
{
  REALIZE_OUTPUTS,
  REALIZE_ALWAYS,
  REALIZE_BEFORE_VIEW,
  REALIZE_BEFORE_COPY,
  USERS,
} Rule;

/* Asks the rules about @uop that fit its op, as the engine would; a test holds it to that. Users are noted when somebody asks for
 * them: most graphs have no reduce that they would matter to. */
static inline void
ask_rules (FbGrouper *grouper, FbUop *uop, guint32 *tries)
{
  switch (uop->op)
    {
    case FB_OP_SINK:
      tries[REALIZE_OUTPUTS]++;
      decide_outputs (grouper, uop);
      return;
    case FB_OP_VIEW:
      if (uop->n_src != 1 || fb_op_in (uop->src[0]->op, FB_OP_BIT (BUFFER) | FB_OP_BIT (CONST) | FB_OP_BIT (DEVICE)))
        return;
      tries[REALIZE_BEFORE_VIEW]++;
      decide_before_view (grouper, uop);
      return;
    case FB_OP_ASSIGN:
    case FB_OP_CONTIGUOUS:
    case FB_OP_COPY:
    case FB_OP_BUFFER_VIEW:
      tries[REALIZE_ALWAYS]++;
      decide_always (grouper, uop);
      if (uop->op != FB_OP_COPY || uop->n_src != 2 || fb_op_in (uop->src[1]->op, FB_OP_BIT (BUFFER) | FB_OP_BIT (VIEW)))
        break;
      tries[REALIZE_BEFORE_COPY]++;
      decide_copied (grouper, uop);
      break;
    default:
      break;
    }
  tries[USERS]++;
  if (uop->op == FB_OP_ASSIGN)
    note_assign (grouper, uop);
}

gboolean
fb_realize_pass_run (FbGrouper *grouper, FbUop *sink, FbPass *pass)
{
  FbContext *context = grouper->context;
  FbNodeList *order;

  if (grouper->forced)
    realize_forced (grouper, sink);
  if (pass->ticks || context->cancellable)
    return fb_rewrite (context, sink, fb_realize_pass_rules (), grouper, FALSE, pass) != NULL;
  order = fb_uop_order (context, sink);
  grouper->unnoted = sink;
  for (guint i = 0; i < order->n && !context->error; i++)
    {
      ask_rules (grouper, order->at[i], pass->tries);
      if (G_UNLIKELY (context->error) && !context->error_uop)
        context->error_uop = order->at[i];
    }
  fb_node_list_release (context, order);
  if (context->error)
    return FALSE;
  pass->result = sink;
  return TRUE;
}
