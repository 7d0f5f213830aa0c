/* When two runs agree.
 *
 * Integers and bools are to be equal. Floats are to be within a bound, because two backends, or a kernel and the unfused
 * graph, may add the same numbers in another order, and may fuse a product into a sum. The bound is
 *
 *   |a - b| <= 2 u (8 + 4 sqrt (n)) S
 *
 * u is the unit roundoff of the element's type: 2^-53 double, 2^-24 float, 2^-11 half, 2^-8 bfloat16.
 * n is the number of values that are reduced to one, and S the largest magnitude among the elements of both sides, but at
 * least that of the kernel's inputs or 1, whichever is less: terms that cancel leave the rounding of what they were.
 *
 * Why: a sum of n numbers has n - 1 roundings, each of at most u times a partial sum. At worst their errors add up (n u S),
 * but they are of either sign and independent, and then the error is within 4 sqrt (n) u S but for a chance of 1 in 10^4
 * and less (Higham and Mary, "A new approach to probabilistic rounding error analysis", 2019). Both sides err, hence 2. The
 * 8 is for element-wise ops, a handful per element with a relative error of up to 4 u in the compiler's exp2, log2 and sin,
 * which kernels approximate by polynomials. A wrong term, one left out, or one counted twice is off by S / n or more, which
 * is above the bound for sums of up to some 10^4 floats.
 *
 * Where a kernel makes an integer, a bool or a choice of a float that is rounded differently (a cast or bitcast of a sum, a
 * comparison with one), what rounding moves is not bounded: a sum that is 1e-7 less may be the next integer down. Elements of
 * such kernels that differ beyond the bound are counted apart (`rounded`), not as differences.
 *
 * MAX does not commute where one of its arguments is a NaN: the reference's is "a < b ? b : a", which gives the first. Kernels
 * fold a reduce in the order in which the reference's do (program/reduce-order.h), so backends are to be equal there, and are
 * equal to the reference. But that order is a matter of the kernel, its loops and how they are unrolled; the same reduce in the
 * unfused graph, or in a kernel that is made of a part of it, has none or another one, and is taken in the order of the axes.
 * Where one met a NaN in the unfused graph, all elements of that output are `nan_order`, also those that are equal: they agree
 * by no rule, and whoever compares must say that they were found.
 */
#pragma once

#include "plan.h"

typedef struct
{
  gint64 size;
  gint64 equal;                    /* the same bits, or both NaN */
  gint64 within;                   /* not equal, but within the bound */
  gint64 rounded;                  /* beyond it, but of a kernel that makes choices of rounded floats */
  gint64 nan_order;                /* of an output for which a MAX met a NaN: all its elements */
  gint64 beyond;                   /* anything else: they do not agree */
  gint64 first;                    /* the first that is beyond, or differs by the order of NaNs; -1: none */
  double a, b;                     /* its values */
  double bound;                    /* what differences may come to; 0 for integers */
  double largest;                  /* difference of finite elements */
  double largest_of_bound;         /* the same in units of the bound */
  gint64 largest_at, largest_ulps; /* where, and how many numbers of the type lie between; -1: nowhere */
} FbAgreement;

typedef struct
{
  gint64 length;       /* values reduced to one; 1: none are */
  gboolean chooses;    /* makes an integer, a bool or a choice of floats that are rounded differently */
  gboolean max_of_nan; /* a MAX of floats met a NaN, and its order is not the same on both sides */
  double inputs;       /* the largest magnitude of a finite float input; 0 when there are none */
} FbAgreeRule;

/* Compares @n elements of @type. @elements: element i of @b is compared with element @elements[i] of @a; -1 there stands for
 * 0. NULL: with element i. */
void fb_agree (guint type, gint64 n, const guint8 *a, const guint8 *b, const gint64 *elements, const FbAgreeRule *rule,
               FbAgreement *agreement);
/* What @program allows: its reduces multiplied where one is inside another. .inputs is left 0. */
FbAgreeRule fb_agree_rule (const FbProgram *program);
/* The largest magnitude of the finite ones among @n elements; 0 for integers. */
double fb_largest (guint type, gint64 n, const guint8 *data);
