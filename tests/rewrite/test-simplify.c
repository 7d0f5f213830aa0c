/* The first pass, rule by rule: each case says which rule must fire and what must come out. */
#include "core/passes/passes.h"
#include "core/schedule.h"
#include "tests/graph-util.h"

static guint32 *covered; /* per rule, over all cases */

typedef struct
{
  FbUop *in, *out; /* out NULL: not compared */
} Case;

typedef Case (*CaseFunc) (FbContext *c);

static const FbShapeTracker *
shape_st (FbContext *c, const FbDims *dims)
{
  return fb_st_from_shape (c, dims);
}

static Case
view_of_view (FbContext *c)
{
  FbUop *b = buffer (c, 0, 12), *flat = fb_view (c, b, shape_st (c, DIMS (c, 3, 4))), *over;
  const FbShapeTracker *turned = fb_st_permute (c, shape_st (c, DIMS (c, 3, 4)), DIMS (c, 1, 0));

  over = fb_uop_new (c, FB_OP_VIEW, b->dtype, 1, &flat, fb_arg_st (turned));
  return (Case){ over, fb_view (c, b, turned) };
}

static Case
identity_view (FbContext *c)
{
  FbUop *b = buffer (c, 0, 12);
  return (Case){ fb_view (c, b, shape_st (c, DIMS (c, 12))), b };
}

static FbUop *
one_on_cpu (FbContext *c)
{
  FbUop *view = device (c, "CPU");

  view = fb_uop_new (c, FB_OP_VIEW, FB_DTYPE (VOID), 1, &view, fb_arg_st (shape_st (c, fb_dims_new (c, 0, NULL))));
  return fb_uop_new (c, FB_OP_CONST, FB_DTYPE (FLOAT32), 1, &view, fb_arg_float (1));
}

static Case
view_of_const (FbContext *c)
{
  FbUop *in = fb_movement (c, FB_OP_EXPAND, fb_movement (c, FB_OP_RESHAPE, one_on_cpu (c), DIMS (c, 1)), DIMS (c, 5));
  FbUop *view = device (c, "CPU");
  const FbShapeTracker *st = fb_st_expand (c, shape_st (c, DIMS (c, 1)), DIMS (c, 5));

  view = fb_uop_new (c, FB_OP_VIEW, FB_DTYPE (VOID), 1, &view, fb_arg_st (st));
  return (Case){ in, fb_uop_new (c, FB_OP_CONST, FB_DTYPE (FLOAT32), 1, &view, fb_arg_float (1)) };
}

static Case
movement_to_view (FbContext *c)
{
  FbUop *b = buffer (c, 0, 12);
  return (Case){ fb_movement (c, FB_OP_RESHAPE, b, DIMS (c, 3, 4)), fb_view (c, b, shape_st (c, DIMS (c, 3, 4))) };
}

static Case
empty_mask (FbContext *c)
{
  /* padding, then looking at the padding only */
  FbUop *padded = fb_movement (c, FB_OP_PAD, buffer (c, 0, 4), DIMS (c, 0, 4));
  FbUop *in = fb_movement (c, FB_OP_SHRINK, padded, DIMS (c, 5, 8));
  return (Case){ fb_alu1 (c, FB_OP_EXP2, in), NULL };
}

static Case
no_elements (FbContext *c)
{
  FbUop *in = fb_movement (c, FB_OP_SHRINK, buffer (c, 0, 4), DIMS (c, 2, 2));
  return (Case){ fb_alu1 (c, FB_OP_SIN, in), NULL };
}

static Case
detach (FbContext *c)
{
  FbUop *b = buffer (c, 0, 4);
  return (Case){ op1 (c, FB_OP_DETACH, op1 (c, FB_OP_CONTIGUOUS_BACKWARD, b)), b };
}

static Case
reduce_of_nothing (FbContext *c)
{
  FbUop *in = fb_movement (c, FB_OP_SHRINK, fb_movement (c, FB_OP_RESHAPE, buffer (c, 0, 4), DIMS (c, 2, 2)),
                           DIMS (c, 0, 2, 1, 1));
  return (Case){ reduce (c, FB_OP_MAX, in, DIMS (c, 1)), NULL };
}

static FbUop *
expanded (FbContext *c)
{
  return fb_movement (c, FB_OP_EXPAND, fb_movement (c, FB_OP_RESHAPE, buffer (c, 0, 4), DIMS (c, 4, 1)),
                      DIMS (c, 4, 3));
}

static Case
stride_0_sum (FbContext *c)
{
  FbUop *b = buffer (c, 0, 4), *column = fb_view (c, b, shape_st (c, DIMS (c, 4, 1))), *view = device (c, "CPU");
  const FbShapeTracker *st
      = fb_st_expand (c, fb_st_reshape (c, shape_st (c, fb_dims_new (c, 0, NULL)), DIMS (c, 1, 1)), DIMS (c, 4, 1));
  FbUop *three;

  view = fb_uop_new (c, FB_OP_VIEW, FB_DTYPE (VOID), 1, &view, fb_arg_st (st));
  three = fb_uop_new (c, FB_OP_CONST, FB_DTYPE (FLOAT32), 1, &view, fb_arg_float (3));
  return (Case){ reduce (c, FB_OP_ADD, expanded (c), DIMS (c, 1)), fb_alu2 (c, FB_OP_MUL, column, three) };
}

static Case
stride_0_max (FbContext *c)
{
  return (Case){ reduce (c, FB_OP_MAX, expanded (c), DIMS (c, 1)),
                 fb_view (c, buffer (c, 0, 4), shape_st (c, DIMS (c, 4, 1))) };
}

static Case
stride_0_prod (FbContext *c)
{
  return (Case){ reduce (c, FB_OP_MUL, expanded (c), DIMS (c, 1)), NULL };
}

static Case
copy_of_const (FbContext *c)
{
  return (Case){ copy_to (c, "CPU:1", one_on_cpu (c), FALSE), NULL };
}

static Case
copy_in_place (FbContext *c)
{
  FbUop *b = buffer (c, 0, 4);
  return (Case){ copy_to (c, "CPU", b, FALSE), b };
}

static Case
clone_stays (FbContext *c)
{
  FbUop *in = copy_to (c, "CPU", buffer (c, 0, 4), TRUE);
  return (Case){ in, in };
}

static const FbDType *
image (FbContext *c)
{
  return fb_dtype_image (c, FALSE, 3, (const gint64[]){ 2, 4, 4 });
}

static Case
cast_of_image (FbContext *c)
{
  FbUop *b = buffer_on (c, "GPU", 0, 32, FB_DTYPE (FLOAT32)), *contiguous, *view;

  contiguous = fb_uop_new (c, FB_OP_CAST, image (c), 1, &b, FB_ARG_NIL);
  contiguous = fb_uop_new (c, FB_OP_CONTIGUOUS, image (c), 1, &contiguous, FB_ARG_NIL);
  view = fb_view (c, contiguous, shape_st (c, DIMS (c, 8, 4)));
  return (Case){
    fb_uop_new (c, FB_OP_CAST, fb_dtype_image (c, FALSE, 3, (const gint64[]){ 1, 8, 4 }), 1, &view, FB_ARG_NIL), view
  };
}

static Case
not_an_image (FbContext *c)
{
  FbUop *b = buffer_on (c, "GPU", 0, 12, FB_DTYPE (FLOAT32));
  return (Case){ fb_uop_new (c, FB_OP_CAST, image (c), 1, &b, FB_ARG_NIL), b };
}

static Case
contiguous_buffer (FbContext *c)
{
  FbUop *view = fb_view (c, buffer (c, 0, 12), shape_st (c, DIMS (c, 3, 4)));
  return (Case){ op1 (c, FB_OP_CONTIGUOUS, view), view };
}

static Case
part_of_buffer_stays (FbContext *c)
{
  FbUop *view = fb_view (c, buffer (c, 0, 16), shape_st (c, DIMS (c, 3, 4))), *in = op1 (c, FB_OP_CONTIGUOUS, view);
  return (Case){ in, in };
}

static Case
already_contiguous (FbContext *c)
{
  FbUop *b = buffer (c, 0, 4);
  return (Case){ op1 (c, FB_OP_CONTIGUOUS, op1 (c, FB_OP_CONTIGUOUS, b)), b };
}

static Case
use_contiguous (FbContext *c)
{
  /* a turned copy of x exists: x + 1 reads through it */
  FbUop *b = buffer (c, 0, 12), *x = fb_alu1 (c, FB_OP_EXP2, fb_view (c, b, shape_st (c, DIMS (c, 3, 4))));
  const FbShapeTracker *turned = fb_st_permute (c, shape_st (c, DIMS (c, 3, 4)), DIMS (c, 1, 0));
  FbUop *copy = op1 (c, FB_OP_CONTIGUOUS, fb_view (c, x, turned)), *src[] = { copy, fb_alu1 (c, FB_OP_SIN, x) };
  FbUop *back = fb_view (c, copy, fb_st_invert (c, turned, DIMS (c, 3, 4)));
  FbUop *out[] = { copy, fb_alu1 (c, FB_OP_SIN, back) };

  return (Case){ fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), 2, src, FB_ARG_NIL),
                 fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), 2, out, FB_ARG_NIL) };
}

static Case
disk_view (FbContext *c)
{
  FbUop *b = buffer_on (c, "DISK:/data", 0, 16, FB_DTYPE (UINT8));
  FbUop *in = fb_uop_new (c, FB_OP_BITCAST, FB_DTYPE (FLOAT32), 1, &b, FB_ARG_NIL);
  return (Case){ in, fb_uop_new (c, FB_OP_BUFFER_VIEW, FB_DTYPE (FLOAT32), 1, &b, FB_ARG_NIL) };
}

static const struct
{
  const char *name, *rule; /* rule NULL: none may fire */
  CaseFunc make;
} cases[] = {
  { "view-of-view", "view-of-view", view_of_view },
  { "identity-view", "identity-view", identity_view },
  { "view-of-const", "view-of-const", view_of_const },
  { "movement-to-view", "movement-to-view", movement_to_view },
  { "empty-mask", "empty-mask", empty_mask },
  { "no-elements", "no-elements", no_elements },
  { "detach", "detach", detach },
  { "reduce-of-nothing", "reduce-of-nothing", reduce_of_nothing },
  { "stride-0-sum", "stride-0-reduce", stride_0_sum },
  { "stride-0-max", "stride-0-reduce", stride_0_max },
  { "stride-0-prod", "stride-0-reduce", stride_0_prod },
  { "copy-of-const", "copy-of-const", copy_of_const },
  { "copy-in-place", "copy-in-place", copy_in_place },
  { "clone-stays", NULL, clone_stays },
  { "cast-of-image", "cast-of-image", cast_of_image },
  { "not-an-image", "not-an-image", not_an_image },
  { "contiguous-buffer", "contiguous-buffer", contiguous_buffer },
  { "part-of-buffer-stays", NULL, part_of_buffer_stays },
  { "already-contiguous", "already-contiguous", already_contiguous },
  { "use-contiguous", "use-contiguous", use_contiguous },
  { "disk-view", "disk-view", disk_view },
};

static gboolean
fired (const FbPass *pass, const char *rule)
{
  for (guint i = 0; i < pass->matches->len; i++)
    if (strcmp (fb_rule_set_rule (pass->rules, fb_pass_match (pass, i)->rule)->name, rule) == 0)
      return TRUE;
  return FALSE;
}

static void
test_case (gconstpointer data)
{
  guint i = GPOINTER_TO_UINT (data);
  g_autoptr (FbContext) c = fb_context_new ();
  Case made = cases[i].make (c);
  gboolean whole = made.in->op == FB_OP_SINK;
  FbUop *sink = whole ? made.in : sink_of (c, made.in), *result;
  FbPass *pass = fb_pass_new ("schedule.py:374", "simplify", FALSE, sink, fb_simplify_pass_rules ());
  g_autofree FbUop **map = fb_simplify_pass_run (c, sink, pass);

  g_assert_false (fb_context_failed (c));
  g_assert_true (map[sink->id] == pass->result);
  result = whole ? pass->result : pass->result->src[0];
  if (cases[i].rule)
    g_assert_true (fired (pass, cases[i].rule));
  else
    g_assert_cmpuint (pass->matches->len, ==, 0);
  if (made.out)
    {
      g_autofree char *got = fb_uop_to_text (c, result), *want = fb_uop_to_text (c, made.out);
      g_assert_cmpstr (got, ==, want);
      g_assert_true (result == made.out);
    }
  for (guint r = 0; r < fb_rule_set_n_rules (pass->rules); r++)
    covered[r] += pass->fired[r];
  fb_pass_free (pass);
}

/* Every rule this pass adds to the shared ones fires in some case above. */
static void
test_coverage (void)
{
  const FbRuleSet *rules = fb_simplify_pass_rules ();

  for (guint r = 0; r < fb_rule_set_n_rules (rules); r++)
    {
      const FbRule *rule = fb_rule_set_rule (rules, r);
      /* it only remembers, for use-contiguous, and gives no node */
      if (covered[r] || g_str_has_prefix (rule->location, "symbolic.py")
          || strcmp (rule->name, "remember-contiguous") == 0)
        continue;
      g_test_message ("rule %s (%s) fired in no case", rule->name, rule->location);
      g_test_fail ();
    }
  g_assert_cmpuint (fb_rule_set_n_rules (rules), ==, 45);
}

static void
test_shapeless_error (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *bad = fb_alu2 (c, FB_OP_ADD, buffer (c, 0, 3), buffer (c, 1, 4));
  g_autoptr (FbSchedule) schedule = fb_schedule_new (c, sink_of (c, bad), NULL);

  g_assert_error (schedule->error, FB_ERROR, FB_ERROR_SHAPE);
  g_assert_true (schedule->error_uop == bad);
  g_assert_false (fb_context_failed (c));
}

static void
test_cancel (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  FbUop *x = buffer (c, 0, 4);
  FbSchedule *schedule;

  for (int i = 0; i < 20000; i++)
    x = fb_alu1 (c, FB_OP_SIN, x);
  g_cancellable_cancel (cancellable);
  schedule = fb_schedule_new (c, sink_of (c, x), cancellable);
  g_assert_error (schedule->error, FB_ERROR, FB_ERROR_CANCELLED);
  fb_schedule_free (schedule);
}

/* A chain of a million adds, and a constant with 100,000 users. */
static void
test_large (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbUop *x = buffer (c, 0, 4), *one = fb_const_like_int (c, x, 1);
  g_autofree FbUop **users = g_new (FbUop *, 100000);
  FbSchedule *schedule;
  const FbPass *pass;

  for (int i = 0; i < 1000000; i++)
    x = fb_alu2 (c, FB_OP_ADD, x, one);
  for (int i = 0; i < 100000; i++)
    users[i] = fb_alu2 (c, FB_OP_MUL, buffer (c, i, 4), one);
  users[0] = x;
  schedule = fb_schedule_new (c, fb_uop_new (c, FB_OP_SINK, FB_DTYPE (VOID), 100000, users, FB_ARG_NIL), NULL);
  g_assert_no_error (schedule->error);
  pass = g_ptr_array_index (schedule->passes, 0);
  /* reshape and expand of the constant, which is 1, so that 99,999 products vanish */
  g_assert_cmpuint (pass->result->n_src, ==, 100000);
  g_assert_true (fired (pass, "view-of-const"));
  fb_schedule_free (schedule);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  covered = g_new0 (guint32, fb_rule_set_n_rules (fb_simplify_pass_rules ()));
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *path = g_strconcat ("/core/simplify/", cases[i].name, NULL);
      g_test_add_data_func (path, GUINT_TO_POINTER (i), test_case);
    }
  g_test_add_func ("/core/simplify/every-rule-fires", test_coverage);
  g_test_add_func ("/core/simplify/shape-error", test_shapeless_error);
  g_test_add_func ("/core/simplify/cancel", test_cancel);
  g_test_add_func ("/core/simplify/large", test_large);
  status = g_test_run ();
  g_free (covered);
  return status;
}
