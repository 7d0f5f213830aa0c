/* Pass 2: what gets a buffer whatever happens (schedule.py:91-112, called at :139). The rules only look: none replaces
 * anything, so the pass has no matches; its result is the set of realizes. */
#include "core/ir/context-private.h"
#include "core/rewrite/pattern-macros.h"
#include "core/symbolic/symbolic.h"
#include "grouper.h"
#include "passes.h"

static void
realize (FbGrouper *grouper, FbUop *uop)
{
  fb_uop_dict_set (grouper->realizes, uop, uop);
}

static FbUop *
realize_outputs (FbRewriter *rw, FbUop *const *m)
{
  for (guint i = 0; i < m[FB_s]->n_src; i++)
    {
      FbUop *base = m[FB_s]->src[i]->base;
      if (!fb_op_in (base->op, FB_OP_BIT (CONST) | FB_OP_BIT (BIND) | FB_OP_BIT (BUFFER)))
        realize (rw->user, base);
    }
  return NULL;
}

static FbUop *
realize_always (FbRewriter *rw, FbUop *const *m)
{
  realize (rw->user, m[FB_tr]);
  return NULL;
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

static FbUop *
realize_before_view (FbRewriter *rw, FbUop *const *m)
{
  FbContext *context = rw->context;
  FbGrouper *grouper = rw->user;
  FbUop *src = m[FB_src];
  const FbShapeTracker *st = fb_uop_st (context, m[FB_view]);
  const FbDims *shape = fb_uop_shape (context, src), *mask;
  FbSint size;
  gboolean masked = FALSE;

  if (!st || !shape)
    return NULL;
  size = fb_sint_prod (context, shape->n, shape->at);
  mask = st->views[st->n - 1]->mask;
  if (st->n == 1 && mask && shape->all_int && fb_sint_ge (context, size, mask_size (context, mask), TRUE))
    {
      if (fb_grouper_unsafe_pad (grouper, src))
        realize (grouper, src);
      return NULL;
    }
  if (!context->options.dont_realize_expand
      && fb_sint_lt (context, size, fb_sint_prod (context, st->shape->n, st->shape->at), TRUE))
    {
      realize (grouper, src);
      return NULL;
    }
  for (guint i = 0; i < st->n; i++)
    masked |= st->views[i]->mask != NULL;
  if (masked && fb_grouper_unsafe_pad (grouper, src))
    realize (grouper, src);
  return NULL;
}

static FbUop *
note_users (FbRewriter *rw, FbUop *const *m)
{
  FbGrouper *grouper = rw->user;
  FbUop *u = m[FB_u];

  if (u->op == FB_OP_ASSIGN)
    {
      FbUop *buffer = fb_buf_uop (rw->context, u);
      if (!buffer)
        return NULL;
      fb_node_map_set (grouper->assigns, buffer, (guintptr) u);
    }
  for (guint i = 0; i < u->n_src; i++)
    fb_grouper_add_user (grouper, u->src[i]->base, u);
  return NULL;
}

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
        OP (COPY, SRC (ANY, OPS (FB_OPS_ALL & ~(FB_OP_BIT (BUFFER) | FB_OP_BIT (VIEW)), NAMED (tr)))), realize_always,
        "schedule.py:91"),
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

gboolean
fb_realize_pass_run (FbGrouper *grouper, FbUop *sink, FbPass *pass)
{
  return fb_rewrite (grouper->context, sink, fb_realize_pass_rules (), grouper, FALSE, pass) != NULL;
}
