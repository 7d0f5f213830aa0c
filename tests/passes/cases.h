/* The tests of the passes run in one program, so that it knows at the end which rules have fired: a rule that none of
 * them fires fails the last test. */
#pragma once

#include "build.h"

/* Each file's tests. */
void add_realize_tests (void);
void add_group_tests (void);
void add_kernels_tests (void);
void add_verify_tests (void);
void add_order_tests (void);
void add_becomes_tests (void);
void add_buffers_tests (void);
void add_views_left_tests (void);
void add_views_right_tests (void);
void add_reduce_tests (void);
void add_fix_ups_tests (void);

/* Per rule of a set, over all tests so far: how often it was tried, and fired. */
typedef struct
{
  const FbRuleSet *rules;
  guint64 *tries, *fired;
} Coverage;
Coverage *coverage_of (const FbRuleSet *rules);
void coverage_free (void);

/* Counts what @pass tried and fired. */
void cover (const FbPass *pass);

/* Rewrites @sink by @rules; the test fails on error. How often each rule fired is counted, and in @fired, when not NULL,
 * come the names of those that did, in order, separated by spaces: free with g_free. */
FbUop *rewrite_by (FbContext *c, FbUop *sink, const FbRuleSet *rules, gpointer user, gboolean bottom_up, char **fired);

/* The error of a rewrite that must fail: its code is checked, and @uop, unless NULL, is the node it must name. */
void assert_rewrite_fails (FbContext *c, FbUop *sink, const FbRuleSet *rules, gpointer user, FbError code,
                           const FbUop *uop);

/* fb_schedule_new, counted. */
FbSchedule *schedule_of (FbContext *c, FbUop *sink);

/* The kernels of a schedule, one a line, without the last newline:
 *
 *   0(4,1) = exp2(sum[1](1(4,3)))
 *
 * Numbers are the kernel's arguments; then the shape of how they are read, and unless it is row-major its strides, offset
 * and mask: 1(4,3):1,4+2&0:4,1:3. Several views are joined by >, innermost first. */
char *kernels_text (FbSchedule *schedule);
void append_kernel_text (FbContext *c, FbUop *ast, GString *text);

/* The schedule of @sink went through and has these kernels. */
void assert_kernels (FbContext *c, FbUop *sink, const char *expected);
/* The schedule of @sink fails with this code, naming @uop unless NULL. */
void assert_fails (FbContext *c, FbUop *sink, FbError code, const FbUop *uop);
