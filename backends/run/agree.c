#include "agree.h"

#include <math.h>

#include "backends/interp/lane.h"

double
fb_largest (guint type, gint64 n, const guint8 *data)
{
  double largest = 0;
  guint item = fb_scalar_size (type);
  if (!fb_scalar_is_float (type))
    return 0;
  for (gint64 i = 0; i < n; i++)
    {
      double x = fabs (fb_lane_read (type, data + (gsize) i * item).f);
      if (isfinite (x))
        largest = MAX (largest, x);
    }
  return largest;
}

/* What backends may round differently: sums by their order, and functions that are no IEEE operations. */
static gboolean
is_inexact (const FbInst *inst)
{
  if (!fb_scalar_is_float (inst->type))
    return FALSE;
  return (inst->op == FB_OP_REDUCE_AXIS && inst->reduce_op != FB_OP_MAX) || inst->op == FB_OP_EXP2
         || inst->op == FB_OP_LOG2 || inst->op == FB_OP_SIN || inst->op == FB_OP_POW || inst->op == FB_INST_COUNT;
}

static gboolean
chooses (const FbProgram *program)
{
  g_autofree gboolean *inexact = g_new0 (gboolean, MAX (program->insts->len, 1));
  gboolean found = FALSE;
  for (guint i = 0; i < program->insts->len; i++)
    {
      const FbInst *inst = fb_program_inst (program, i);
      inexact[i] = is_inexact (inst);
      for (guint j = 0; j < inst->n_src; j++)
        inexact[i] |= inexact[inst->src[j]];
      /* what is no float any more, made of one */
      if (inexact[i] && inst->op != FB_OP_STORE && !fb_scalar_is_float (inst->type))
        found = TRUE;
    }
  return found;
}

FbAgreeRule
fb_agree_rule (const FbProgram *program)
{
  FbAgreeRule rule = { .length = 1, .chooses = chooses (program) };
  for (guint i = 0; i < program->scopes->len; i++)
    {
      const FbScope *scope = fb_program_scope (program, i);
      guint64 root = scope->all_vars;
      while (scope->parent >= 0)
        scope = fb_program_scope (program, scope->parent);
      root &= ~scope->all_vars;
      rule.length = MAX (rule.length, fb_program_points (program, root));
    }
  for (guint i = 0; i < program->insts->len; i++)
    if (fb_program_inst (program, i)->op == FB_INST_COUNT)
      rule.length = MAX (rule.length, fb_program_points (program, fb_program_inst (program, i)->count_vars));
  return rule;
}

/* Numbers of the type in their order. */
static gint64
place_of (guint type, double value)
{
  guint8 bytes[8] = { 0 };
  gint64 bits;
  fb_lane_write (type, bytes, (FbLane){ .f = value });
  memcpy (&bits, bytes, sizeof bits);
  gint64 sign = (gint64) 1 << (8 * fb_scalar_size (type) - 1);
  if (type == FB_SCALAR_FLOAT64)
    return bits < 0 ? G_MININT64 - bits : bits;
  return bits & sign ? sign - bits : bits;
}

static double
unit_roundoff (guint type)
{
  switch (type)
    {
    case FB_SCALAR_FLOAT64:
      return 0x1p-53;
    case FB_SCALAR_FLOAT32:
      return 0x1p-24;
    case FB_SCALAR_BFLOAT16:
      return 0x1p-8;
    default:
      return 0x1p-11;
    }
}

static void
meet_difference (FbAgreement *agreement, gint64 i, double p, double q)
{
  if (agreement->first >= 0)
    return;
  agreement->first = i;
  agreement->a = p;
  agreement->b = q;
}

static void
agree_floats (guint type, gint64 n, const guint8 *a, const guint8 *b, const gint64 *elements, const FbAgreeRule *rule,
              FbAgreement *g)
{
  guint item = fb_scalar_size (type);
  double scale = MIN (rule->inputs, 1.0);
  scale = MAX (scale, fb_largest (type, n, b));
  for (gint64 i = 0; elements != NULL && i < n; i++)
    if (elements[i] >= 0)
      {
        double x = fabs (fb_lane_read (type, a + (gsize) elements[i] * item).f);
        scale = isfinite (x) ? MAX (scale, x) : scale;
      }
  if (elements == NULL)
    scale = MAX (scale, fb_largest (type, n, a));
  g->bound = 2 * unit_roundoff (type) * (8 + 4 * sqrt ((double) MAX (rule->length, 1))) * scale;
  for (gint64 i = 0; i < n; i++)
    {
      gint64 at = elements == NULL ? i : elements[i];
      double p = at < 0 ? 0 : fb_lane_read (type, a + (gsize) at * item).f;
      double q = fb_lane_read (type, b + (gsize) i * item).f;
      if ((p == q && signbit (p) == signbit (q)) || (isnan (p) && isnan (q)))
        {
          g->equal++;
          continue;
        }
      if (p == q || (isfinite (p) && isfinite (q) && fabs (p - q) <= g->bound))
        g->within++;
      else if (rule->chooses)
        g->rounded++;
      else
        g->beyond++;
      if (isfinite (p) && isfinite (q) && fabs (p - q) >= g->largest)
        {
          g->largest = fabs (p - q);
          g->largest_at = i;
          g->largest_ulps = ABS (place_of (type, p) - place_of (type, q));
        }
      if (!(p == q || (isfinite (p) && isfinite (q) && fabs (p - q) <= g->bound)))
        meet_difference (g, i, p, q);
    }
  g->largest_of_bound = g->bound > 0 ? g->largest / g->bound : 0;
}

static double
as_double (guint type, FbLane lane)
{
  return type == FB_SCALAR_UINT64 ? (double) (guint64) lane.i : (double) lane.i;
}

static void
agree_integers (guint type, gint64 n, const guint8 *a, const guint8 *b, const gint64 *elements, const FbAgreeRule *rule,
                FbAgreement *agreement)
{
  guint item = fb_scalar_size (type);
  for (gint64 i = 0; i < n; i++)
    {
      gint64 at = elements == NULL ? i : elements[i];
      FbLane p = { 0 }, q = fb_lane_read (type, b + (gsize) i * item);
      if (at >= 0)
        p = fb_lane_read (type, a + (gsize) at * item);
      if (p.i == q.i)
        {
          agreement->equal++;
          continue;
        }
      if (rule->chooses)
        agreement->rounded++;
      else
        agreement->beyond++;
      meet_difference (agreement, i, as_double (type, p), as_double (type, q));
      double difference = fabs (as_double (type, p) - as_double (type, q));
      if (difference >= agreement->largest)
        {
          agreement->largest = difference;
          agreement->largest_at = i;
        }
    }
}

void
fb_agree (guint type, gint64 n, const guint8 *a, const guint8 *b, const gint64 *elements, const FbAgreeRule *rule,
          FbAgreement *agreement)
{
  *agreement = (FbAgreement){ .size = n, .first = -1, .largest_at = -1, .largest_ulps = -1 };
  if (fb_scalar_is_float (type))
    agree_floats (type, n, a, b, elements, rule, agreement);
  else
    agree_integers (type, n, a, b, elements, rule, agreement);
  if (rule->max_of_nan)
    {
      agreement->nan_order = n;
      agreement->equal = agreement->within = agreement->rounded = agreement->beyond = 0;
    }
}
