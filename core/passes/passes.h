/* The passes of the scheduler, in pipeline order, and the rule tables they share. */
#pragma once

#include "core/rewrite/engine.h"
#include "grouper.h"

/* Views of views merged (ops.py:984); a part of several passes. */
extern const FbRuleTable fb_merge_views_rules;
/* Views pushed to the sources (ops.py:995), without merge_views. */
extern const FbRuleTable fb_view_left_rules;
/* @uop rewritten by view_left, untraced (schedule.py:249). NULL for NULL, or on error. */
FbUop *fb_apply_swizzle (FbContext *context, FbUop *uop);

/* Movement removal and simplification: remove_movement_ops + sym (schedule.py:374). */
const FbRuleSet *fb_simplify_pass_rules (void);
/* Runs it over all of @sink into @pass. Returns what each node became, by node id; NULL with the context's error set. */
FbUop **fb_simplify_pass_run (FbContext *context, FbUop *sink, FbPass *pass);

/* What must be realized (schedule.py:139), into the grouper; then fb_group_reduces of grouper.h. */
const FbRuleSet *fb_realize_pass_rules (void);
gboolean fb_realize_pass_run (FbGrouper *grouper, FbUop *sink, FbPass *pass);

/* What kernel creation made. */
typedef struct
{
  FbUop *graph;                          /* the kernel graph, a SINK */
  struct _FbNodeList *realized, *stored; /* nodes that are realized, and the ASSIGN that each became */
  struct _FbNodeList *assigns;           /* the ASSIGNs of the graph, sources first */
  gboolean fits;                         /* it is known to hold only what it may */
  gboolean overwrites;                   /* a buffer that a kernel reads may be one that another stores to */
} FbKernels;

/* Kernel creation (schedule.py:402). Give @kernels back with fb_kernels_clear(). FALSE with the error set, and nothing to give
 * back. */
const FbRuleSet *fb_kernels_pass_rules (void);
gboolean fb_kernels_pass_run (FbContext *context, FbUopDict *realizes, FbUop *sink, FbPass *pass, FbKernels *kernels);
void fb_kernels_clear (FbContext *context, FbKernels *kernels);

/* The kernel graph holds only what it may; else FALSE with FB_ERROR_VERIFY (spec.py:149). */
gboolean fb_verify_kernel_graph (FbContext *context, FbUop *sink);
/* BUFFER @buffer, and what it is over, may be in it. */
gboolean fb_kernel_graph_holds (const FbUop *buffer);

/* How many tensors of the input become what. */
typedef struct _FbBecomes FbBecomes;
/* @tensor_map, of the simplify pass, must outlive it; @realizes: marks of what is realized. */
FbBecomes *fb_becomes_new (FbContext *context, FbUop *big_sink, FbUop *const *tensor_map, guint n_map,
                           const struct _FbNodeMap *realizes);
void fb_becomes_free (FbBecomes *becomes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbBecomes, fb_becomes_free)
/* Adds the tensors that got a buffer. FALSE on error. */
gboolean fb_becomes_add_kernels (FbBecomes *becomes, const FbKernels *kernels);
guint fb_becomes_size (const FbBecomes *becomes);

/* The ASSIGNs of the kernel graph, sources first; give them back with fb_node_list_release(). */
struct _FbNodeList *fb_kernel_graph_assigns (FbContext *context, FbUop *sink);
/* Puts readers of old values before writers in the kernel graph, which is another then. FALSE with the error set. */
gboolean fb_order_assigns (FbContext *context, FbKernels *kernels);
/* The ASSIGNs of the kernel graph in run order; give them back with fb_node_list_release(). NULL with the error set. */
struct _FbNodeList *fb_order_kernels (FbContext *context, const FbKernels *kernels);

/* Values of variables (a Python dict), as GArray of FbVarVal. */
typedef struct
{
  FbUop *var;
  FbArg value;
} FbVarVal;
void fb_var_vals_set (GArray *var_vals, FbUop *var, FbArg value);

/* Kernels lowered one after the other: what is remembered from one to the next, and of the latest. */
typedef struct _FbLowering FbLowering;
FbLowering *fb_lowering_new (FbContext *context, guint n_kernels);
void fb_lowering_free (FbLowering *lowering);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbLowering, fb_lowering_free)
/* What the kernel of ASSIGN @assign computes, in a SINK, with what other kernels compute replaced by their buffers
 * (schedule.py:352). NULL with the error set. */
FbUop *fb_kernel_ast (FbLowering *lowering, FbUop *assign);
/* The buffers of the latest kernel, the output's first; all of them once fb_buffers_pass_run() ran. */
const struct _FbNodeList *fb_lowering_buffers (const FbLowering *lowering);

/* Per kernel (schedule.py:354-358): the user data is an FbNodeList of the kernel's buffers, the output's first. */
const FbRuleSet *fb_buffers_pass_rules (void);
/* Runs it into @pass, over what fb_kernel_ast() returned last. NULL with the error set. */
FbUop *fb_buffers_pass_run (FbLowering *lowering, FbPass *pass);
/* User data: the GArray of variable values. */
const FbRuleSet *fb_views_left_pass_rules (void);
/* No user data. */
const FbRuleSet *fb_views_right_pass_rules (void);
/* User data: the GArray of variable values. */
const FbRuleSet *fb_fix_ups_pass_rules (void);
