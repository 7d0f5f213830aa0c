/* Shape trackers: what a chain of movement ops reads, against the same chain done to an array. */
#include "shape-util.h"

/* --- chains of movement ops on a real array --- */

#define MAX_AXES 8
#define HIDDEN -1

/* Which element of the buffer each element of the shape shows, HIDDEN for none. */
typedef struct
{
  guint n;
  gint64 shape[MAX_AXES];
  gint64 *items;
} Array;

static gint64
count (const Array *array)
{
  gint64 total = 1;

  for (guint i = 0; i < array->n; i++)
    total *= array->shape[i];
  return total;
}

static void
array_clear (Array *array)
{
  g_clear_pointer (&array->items, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Array, array_clear)

/* Index of the flat position @flat of @array along each axis. */
static void
position (const Array *array, gint64 flat, gint64 *at)
{
  for (guint i = array->n; i-- > 0;)
    {
      at[i] = flat % array->shape[i];
      flat /= array->shape[i];
    }
}

static gint64
item (const Array *array, const gint64 *at)
{
  gint64 flat = 0;

  for (guint i = 0; i < array->n; i++)
    {
      if (at[i] < 0 || at[i] >= array->shape[i])
        return HIDDEN;
      flat = flat * array->shape[i] + at[i];
    }
  return array->items[flat];
}

/* @array after the op. */
static Array
moved (const Array *array, FbOp op, const FbDims *arg)
{
  Array result = { .n = op == FB_OP_RESHAPE ? arg->n : array->n };
  gint64 at[MAX_AXES], from[MAX_AXES];

  for (guint i = 0; i < result.n; i++)
    switch ((int) op)
      {
      case FB_OP_RESHAPE:
      case FB_OP_EXPAND:
        result.shape[i] = fb_sint_int (arg->at[i]);
        break;
      case FB_OP_PERMUTE:
        result.shape[i] = array->shape[fb_sint_int (arg->at[i])];
        break;
      case FB_OP_PAD:
        result.shape[i] = array->shape[i] + fb_sint_int (arg->at[2 * i]) + fb_sint_int (arg->at[2 * i + 1]);
        break;
      case FB_OP_SHRINK:
        result.shape[i] = fb_sint_int (arg->at[2 * i + 1]) - fb_sint_int (arg->at[2 * i]);
        break;
      default:
        result.shape[i] = array->shape[i];
      }
  result.items = g_new (gint64, count (&result) + 1);
  for (gint64 flat = 0; flat < count (&result); flat++)
    {
      if (op == FB_OP_RESHAPE)
        {
          result.items[flat] = array->items[flat];
          continue;
        }
      position (&result, flat, at);
      for (guint i = 0; i < array->n; i++)
        switch ((int) op)
          {
          case FB_OP_EXPAND:
            from[i] = array->shape[i] == 1 ? 0 : at[i];
            break;
          case FB_OP_PERMUTE:
            from[fb_sint_int (arg->at[i])] = at[i];
            break;
          case FB_OP_PAD:
            from[i] = at[i] - fb_sint_int (arg->at[2 * i]);
            break;
          case FB_OP_SHRINK:
            from[i] = at[i] + fb_sint_int (arg->at[2 * i]);
            break;
          default:
            from[i] = fb_sint_is (arg->at[i], 0) ? at[i] : array->shape[i] - 1 - at[i];
          }
      result.items[flat] = item (array, from);
    }
  return result;
}

/* The element of the buffer that @st shows at @at: every view in turn, the last one first. */
static gint64
shown (const FbShapeTracker *st, const gint64 *at)
{
  gint64 here[MAX_AXES], flat = 0;

  memcpy (here, at, sizeof here);
  for (guint v = st->n; v-- > 0;)
    {
      const FbView *view = st->views[v];

      if (v + 1 < st->n)
        for (guint i = view->shape->n; i-- > 0;)
          {
            here[i] = flat % fb_sint_int (view->shape->at[i]);
            flat /= fb_sint_int (view->shape->at[i]);
          }
      flat = fb_sint_int (view->offset);
      for (guint i = 0; i < view->shape->n; i++)
        {
          if (view->mask
              && (here[i] < fb_sint_int (view->mask->at[2 * i]) || here[i] >= fb_sint_int (view->mask->at[2 * i + 1])))
            return HIDDEN;
          flat += here[i] * fb_sint_int (view->strides->at[i]);
        }
    }
  return flat;
}

/* @st shows what @array holds, and nothing beyond its real size. */
static void
assert_shows (FbContext *context, const FbShapeTracker *st, const Array *array)
{
  gint64 real_size = fb_st_real_size (context, st);

  g_assert_cmpuint (st->shape->n, ==, array->n);
  g_assert_cmpint (fb_st_size (context, st), ==, count (array));
  for (guint i = 0; i < array->n; i++)
    g_assert_cmpint (fb_sint_int (st->shape->at[i]), ==, array->shape[i]);
  for (gint64 flat = 0; flat < count (array); flat++)
    {
      gint64 at[MAX_AXES] = { 0 };

      position (array, flat, at);
      g_assert_cmpint (shown (st, at), ==, array->items[flat]);
      g_assert_cmpint (array->items[flat], <, real_size);
    }
}

static const FbDims *
random_arg (FbContext *context, GRand *rand, const Array *array, FbOp op)
{
  FbSint items[2 * MAX_AXES];
  guint n = array->n, axes[MAX_AXES];

  switch ((int) op)
    {
    case FB_OP_RESHAPE:
      {
        /* factors of the size in any order, ones among them */
        gint64 rest = count (array);

        for (n = 0; n < 4 && rest > 1; n++)
          {
            gint64 factor = rest;
            if (n < 3)
              do
                factor = g_rand_int_range (rand, 1, (int) MIN (rest, 12) + 1);
              while (rest % factor);
            items[n] = fb_sint (factor);
            rest /= factor;
          }
        if (rest == 0 || n == 0)
          items[n++] = fb_sint (rest);
        break;
      }
    case FB_OP_PERMUTE:
      for (guint i = 0; i < n; i++)
        {
          guint j = (guint) g_rand_int_range (rand, 0, (int) i + 1);
          axes[i] = axes[j];
          axes[j] = i;
        }
      for (guint i = 0; i < n; i++)
        items[i] = fb_sint (axes[i]);
      break;
    case FB_OP_PAD:
    case FB_OP_SHRINK:
      for (guint i = 0; i < n; i++)
        {
          gint64 size = array->shape[i];
          gboolean pad = op == FB_OP_PAD, change = g_rand_int_range (rand, 0, 3) == 0 && (!pad || size < 6);
          gint64 begin = change ? g_rand_int_range (rand, 0, pad ? 3 : (int) MAX (size, 1)) : 0;

          items[2 * i] = fb_sint (begin);
          items[2 * i + 1] = fb_sint (pad              ? (change ? g_rand_int_range (rand, 0, 3) : 0)
                                      : change && size ? g_rand_int_range (rand, (int) begin + 1, (int) size + 1)
                                                       : size);
        }
      n *= 2;
      break;
    default:
      for (guint i = 0; i < n; i++)
        if (op == FB_OP_FLIP)
          items[i] = fb_sint (g_rand_int_range (rand, 0, 2));
        else
          items[i] = fb_sint (array->shape[i] == 1 ? g_rand_int_range (rand, 1, 4) : array->shape[i]);
    }
  return fb_dims_new (context, n, items);
}

/* The last two lose or repeat elements. */
static const FbOp movement_ops[] = { FB_OP_RESHAPE, FB_OP_PERMUTE, FB_OP_FLIP, FB_OP_PAD, FB_OP_SHRINK, FB_OP_EXPAND };
#define N_ALL_OPS 6
#define N_LOSSLESS_OPS 4

/* A chain of up to five random ops, of the first @n_ops, done to both. */
static const FbShapeTracker *
random_chain (FbContext *context, GRand *rand, guint n_ops, const FbShapeTracker *st, Array *array)
{
  for (gint left = g_rand_int_range (rand, 1, 6); left > 0 && count (array) < 600; left--)
    {
      FbOp op = movement_ops[g_rand_int_range (rand, 0, (int) n_ops)];
      const FbDims *arg = random_arg (context, rand, array, op);
      Array next = moved (array, op, arg);

      array_clear (array);
      *array = next;
      st = fb_st_movement (context, st, op, arg);
      g_assert_nonnull (st);
      g_assert_true (st == fb_st_movement (context, st, FB_OP_RESHAPE, st->shape));
    }
  return st;
}

static const FbShapeTracker *
random_start (FbContext *context, GRand *rand, Array *array)
{
  FbSint items[MAX_AXES];

  array->n = (guint) g_rand_int_range (rand, 0, 4);
  for (guint i = 0; i < array->n; i++)
    {
      array->shape[i] = g_rand_int_range (rand, 1, 6);
      items[i] = fb_sint (array->shape[i]);
    }
  array->items = g_new (gint64, count (array));
  for (gint64 i = 0; i < count (array); i++)
    array->items[i] = i;
  return fb_st_from_shape (context, fb_dims_new (context, array->n, items));
}

#define N_CHAINS 3000

static void
test_chains (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);

  for (guint i = 0; i < N_CHAINS; i++)
    {
      g_auto (Array) array = { 0 };
      const FbShapeTracker *st = random_start (c, rand, &array);

      assert_shows (c, random_chain (c, rand, N_ALL_OPS, st, &array), &array);
    }
}

/* Adding shows the outer's choice of what the inner shows; simplifying changes nothing. */
static void
test_additions (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  guint merged = 0;

  for (guint i = 0; i < N_CHAINS; i++)
    {
      g_auto (Array) array = { 0 };
      const FbShapeTracker *inner = random_chain (c, rand, N_ALL_OPS, random_start (c, rand, &array), &array), *outer,
                           *sum;

      outer = random_chain (c, rand, N_ALL_OPS, fb_st_from_shape (c, inner->shape), &array);
      sum = fb_st_add (c, inner, outer);
      assert_shows (c, sum, &array);
      assert_shows (c, fb_st_simplify (c, sum), &array);
      merged += sum->n == 1;
    }
  g_assert_cmpuint (merged, >, N_CHAINS / 2);
}

/* Where nothing is lost or repeated, the inverse gives the buffer back. */
static void
test_inversions (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  guint inverted = 0;

  for (guint i = 0; i < N_CHAINS; i++)
    {
      g_auto (Array) array = { 0 };
      const FbShapeTracker *start = random_start (c, rand, &array);
      const FbShapeTracker *st = random_chain (c, rand, N_LOSSLESS_OPS, start, &array),
                           *inverse = fb_st_invert (c, st, start->shape), *both;

      if (!inverse)
        continue;
      inverted++;
      both = fb_st_add (c, st, inverse);
      g_assert_true (both->shape == start->shape);
      for (gint64 flat = 0; flat < start->shape->prod; flat++)
        {
          Array whole = { .n = start->shape->n };
          gint64 at[MAX_AXES] = { 0 };

          for (guint d = 0; d < whole.n; d++)
            whole.shape[d] = fb_sint_int (start->shape->at[d]);
          position (&whole, flat, at);
          g_assert_cmpint (shown (both, at), ==, flat);
        }
    }
  g_assert_false (fb_context_failed (c));
  g_assert_cmpuint (inverted, >, N_CHAINS / 2);
}

/* A stride that is known is the distance between neighbours wherever both are shown. */
static void
test_real_strides_of_chains (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);

  for (guint i = 0; i < N_CHAINS / 10; i++)
    {
      g_auto (Array) array = { 0 };
      const FbShapeTracker *st = random_chain (c, rand, N_ALL_OPS, random_start (c, rand, &array), &array);
      const FbRealStride *strides = fb_st_real_strides (c, st, FALSE), *any_valid = fb_st_real_strides (c, st, TRUE);

      g_assert_nonnull (strides);
      for (guint axis = 0; axis < array.n; axis++)
        {
          if (strides[axis].known)
            g_assert_true (any_valid[axis].known && fb_sint_same (strides[axis].stride, any_valid[axis].stride));
          if (!any_valid[axis].known)
            continue;
          for (gint64 flat = 0; flat < count (&array); flat++)
            {
              gint64 at[MAX_AXES] = { 0 }, here, next;

              position (&array, flat, at);
              here = item (&array, at);
              if (++at[axis] == array.shape[axis])
                continue;
              next = item (&array, at);
              if (here != HIDDEN && next != HIDDEN)
                g_assert_cmpint (next - here, ==, fb_sint_int (any_valid[axis].stride));
            }
        }
    }
}

/* --- single laws --- */

static void
test_real_strides (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  static const struct
  {
    const char *law, *chain, *strides, *ignoring;
  } rows[] = {
    { "one view without mask: its own", "shape 2,3,1 permute 1,0,2", "1 3 0", "1 3 0" },
    { "a masked axis has none", "shape 2,3 pad 1,0,0,0", "None 1", "3 1" },
    { "two views that walk on", "shape 4,5 shrink 0,4,0,3 reshape 12 reshape 2,2,3", "10 5 1", "10 5 1" },
    { "a walk with a bend has none", "shape 2,3 permute 1,0 reshape 6", "None", "None" },
    { "an axis of one is not walked", "shape 2,3 permute 1,0 reshape 6,1", "None 0", "None 0" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    for (gboolean ignore = FALSE; ignore <= TRUE; ignore++)
      {
        const FbShapeTracker *st = st_from_text (c, rows[i].chain);
        const FbRealStride *strides = fb_st_real_strides (c, st, ignore);
        g_autoptr (GString) text = g_string_new (NULL);

        g_test_message ("%s: %s", rows[i].law, rows[i].chain);
        for (guint axis = 0; axis < st->shape->n; axis++)
          if (strides[axis].known)
            g_string_append_printf (text, "%s%" G_GINT64_FORMAT, axis ? " " : "", fb_sint_int (strides[axis].stride));
          else
            g_string_append (text, axis ? " None" : "None");
        g_assert_cmpstr (text->str, ==, ignore ? rows[i].ignoring : rows[i].strides);
        g_assert_true (strides == fb_st_real_strides (c, st, ignore));
      }
}

static void
test_properties (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbShapeTracker *st = st_from_text (c, "shape 4,5"), *part = st_from_text (c, "shape 4,5 shrink 2,4,0,5");
  const FbShapeTracker *turned = st_from_text (c, "shape 4,5 permute 1,0");
  const gint64 axes[] = { 1, 7 };
  g_autoptr (GError) error = NULL;

  g_assert_true (st->contiguous && !part->contiguous && !turned->contiguous);
  g_assert_true (fb_st_consecutive (c, st) && fb_st_consecutive (c, part) && !fb_st_consecutive (c, turned));
  g_assert_cmpint (fb_st_size (c, part), ==, 10);
  g_assert_cmpint (fb_st_real_size (c, part), ==, 20);
  g_assert_cmpint (fb_st_real_size (c, st_from_text (c, "shape 4,5 pad 3,3,0,0")), ==, 20);
  g_assert_cmpint (fb_st_real_size (c, st_from_text (c, "shape 4,0")), ==, 0);
  g_assert_cmpint (fb_st_real_size (c, st_from_text (c, "shape 4,n")), ==, 40);
  g_assert_true (fb_st_reduce (c, st, 2, axes) == dims_from_text (c, "4,1"));
  g_assert_true (fb_st_from_shape (c, st->shape) == st);
  g_assert_true (fb_st_from_view (c, st->views[0]) == st);
  g_assert_true (fb_st_new (c, 1, st->views) == st);

  g_assert_cmpint (fb_st_real_size (c, st_from_text (c, "view 2 1000000000000 0 -")), ==, -1);
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_OVERFLOW);
  g_clear_error (&error);
  g_assert_null (fb_st_new (c, 0, NULL));
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_SHAPE);
  g_clear_error (&error);
  g_assert_null (fb_st_movement (c, st, FB_OP_ADD, st->shape));
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_UNSUPPORTED);
}

/* MERGE_VIEW=0: every reshape is a view of its own. */
static void
test_merge_view_off (void)
{
  g_autoptr (FbContext) c = fb_context_new ();

  fb_context_options (c)->merge_view = 0;
  assert_chain (c, "shape 6 reshape 2,3", "(6) (1) 0 contiguous | (2,3) (3,1) 0 contiguous");
  fb_context_options (c)->merge_view = 1;
  assert_chain (c, "shape 6 reshape 3,2", "(3,2) (2,1) 0 contiguous");
}

static void
test_index (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  static const struct
  {
    const char *law, *chain, *index, *valid;
  } rows[] = {
    { "offset and strides", "shape 2,3 permute 1,0 flip 1,0", "((2+(ridx0*-1))+(ridx1*3))", "True" },
    { "what has stride 0 or size 1 is left out", "shape 1,3,1 expand 2,3,1", "(0+(ridx1*1))", "True" },
    { "bounds of the mask", "shape 2 pad 1,2", "(-1+(ridx0*1))", "((True*((ridx0<1)!=True))*(ridx0<3))" },
    { "a bound that hides nothing is left out", "shape 2 pad 0,2", "(0+(ridx0*1))", "(True*(ridx0<2))" },
    { "a view under a view", "shape 2,3 permute 1,0 reshape 6",
      "((0+((((0+(ridx0*1))//2)%3)*1))+((((0+(ridx0*1))//1)%2)*3))", "True" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      FbUop *valid, *index = fb_st_index_uops (c, st_from_text (c, rows[i].chain), NULL, &valid);
      g_autofree char *index_text = fb_uop_render (c, index), *valid_text = fb_uop_render (c, valid);

      g_test_message ("%s: %s", rows[i].law, rows[i].chain);
      g_assert_cmpstr (index_text, ==, rows[i].index);
      g_assert_cmpstr (valid_text, ==, rows[i].valid);
    }
}

static void
test_variables (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GPtrArray) vars = g_ptr_array_new (), binds = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  const FbShapeTracker *free_st = st_from_text (c, "shape n,2"), *bound_st = st_from_text (c, "shape bound,2");
  const FbShapeTracker *plain = st_from_text (c, "shape 3,2");

  fb_st_vars (c, free_st, vars);
  g_assert_cmpuint (vars->len, ==, 1);
  g_assert_true (vars->pdata[0] == variable_n (c));
  fb_st_vars (c, bound_st, vars);
  fb_st_vars (c, bound_st, vars);
  g_assert_cmpuint (vars->len, ==, 2);
  g_assert_true (vars->pdata[1] == bound_n (c));

  g_assert_true (fb_st_unbind (c, bound_st, binds) == free_st);
  g_assert_true (fb_st_unbind (c, bound_st, binds) == free_st);
  g_assert_cmpuint (binds->len, ==, 1);
  g_assert_true (binds->pdata[0] == bound_n (c));
  g_assert_true (fb_st_unbind (c, plain, binds) == plain);
  g_assert_null (fb_st_unbind (c, free_st, binds));
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_SHAPE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/shapetracker/chains", test_chains);
  g_test_add_func ("/core/shapetracker/additions", test_additions);
  g_test_add_func ("/core/shapetracker/inversions", test_inversions);
  g_test_add_func ("/core/shapetracker/real-strides-of-chains", test_real_strides_of_chains);
  g_test_add_func ("/core/shapetracker/real-strides", test_real_strides);
  g_test_add_func ("/core/shapetracker/properties", test_properties);
  g_test_add_func ("/core/shapetracker/merge-view-off", test_merge_view_off);
  g_test_add_func ("/core/shapetracker/index", test_index);
  g_test_add_func ("/core/shapetracker/variables", test_variables);
  return g_test_run ();
}
