/* The rewrite engine (ops.py:926-954). No recursion on graph depth. */
#pragma once

#include "trace.h"

struct _FbRewriter
{
  FbContext *context;
  gpointer user;                  /* the pass's own state (`ctx` of the reference) */
  const struct _FbNodeMap *marks; /* what guards ask for; NULL: every guard lets pass */
};

/* Rewrites @sink by @rules; the result, or NULL with the context's error set. @pass records, or NULL. @user: for callbacks. */
FbUop *fb_rewrite (FbContext *context, FbUop *sink, const FbRuleSet *rules, gpointer user, gboolean bottom_up,
                   FbPass *pass);
/* Rewrites every node reachable from @sink, top-down, in toposort order, through one shared map (ops.py:950).
 * @marks: what the guards of @rules ask for, kept up by the rules themselves; or NULL. Returns an array indexed by node id, as long as nodes existed at the call: what each became, NULL where not reached.
 * Free with g_free. NULL with the error set. */
FbUop **fb_rewrite_map (FbContext *context, FbUop *sink, const FbRuleSet *rules, gpointer user,
                        const struct _FbNodeMap *marks, FbPass *pass);
/* Rewrites the @n @nodes one after the other, bottom-up, through one shared map, and returns that: what every node that was met
 * became. Give it back with fb_node_map_release(). @map: what is known already, taken over; or NULL. The first node is the
 * pass's. NULL with the error set. */
struct _FbNodeMap *fb_rewrite_nodes (FbContext *context, guint n, FbUop *const *nodes, const FbRuleSet *rules,
                                     gpointer user, const struct _FbNodeMap *marks, struct _FbNodeMap *map,
                                     FbPass *pass);
/* uop.substitute: @from[i] becomes @to[i] (ops.py:338). */
FbUop *fb_substitute (FbContext *context, FbUop *uop, guint n, FbUop *const *from, FbUop *const *to);
/* The first rule that applies to @uop alone: the replacement, or NULL. */
FbUop *fb_rewrite_once (FbRewriter *rw, const FbRuleSet *rules, FbUop *uop);
