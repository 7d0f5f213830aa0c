/* Views: the canonical form, movement, merging. */
#include "shape-util.h"

typedef struct
{
  const char *law;
  const char *chain;
  const char *views;
} Row;

static void
check_rows (const Row *rows, guint n)
{
  g_autoptr (FbContext) c = fb_context_new ();

  for (guint i = 0; i < n; i++)
    {
      g_test_message ("%s: %s", rows[i].law, rows[i].chain);
      assert_chain (c, rows[i].chain, rows[i].views);
    }
}

/* Views print as (shape) (strides) offset (mask as begin, end ...). */
static void
test_create (void)
{
  static const Row rows[] = {
    { "row-major by default", "view 2,3,4 - 0 -", "(2,3,4) (12,4,1) 0 contiguous" },
    { "no dimension at all", "view () - 0 -", "() () 0 contiguous" },
    { "a size of 1 has no stride", "view 1,3,1 5,1,9 0 -", "(1,3,1) (0,1,0) 0 contiguous" },
    { "an offset is not contiguous", "view 3 1 2 -", "(3) (1) 2" },
    { "no element: everything else is forgotten", "view 2,0 3,4 5 0,1,0,0", "(2,0) (0,0) 0 contiguous" },
    { "a mask that hides nothing is none", "view 2,3 3,1 0 0,2,0,3", "(2,3) (3,1) 0 contiguous" },
    { "a mask that hides something stays", "view 4,3 3,1 0 1,4,0,3", "(4,3) (3,1) 0 (1,4,0,3)" },
    { "one index left: its stride moves to the offset", "view 4,3 3,1 0 2,3,0,3", "(4,3) (0,1) 6 (2,3,0,3)" },
    { "no index left: nothing is read", "view 4,3 3,1 5 2,2,0,3", "(4,3) (0,0) 0 (0,0,0,0)" },
    { "a symbolic offset is simplified", "view 3 1 n -", "(3) (1) n" },
  };

  check_rows (rows, G_N_ELEMENTS (rows));
}

static void
test_create_refused (void)
{
  g_autoptr (FbContext) c = fb_context_new ();

  assert_refused (c, "view 2,-1 - 0 -", FB_ERROR_SHAPE);
  assert_refused (c, "view 2,3 1 0 -", FB_ERROR_SHAPE);
  assert_refused (c, "view 2,3 3,1 0 0,2", FB_ERROR_SHAPE);
  assert_refused (c, "view 2,4611686018427387903,4611686018427387903 - 0 -", FB_ERROR_OVERFLOW);
  /* strides that nobody asks for may be beyond 62 bits */
  assert_chain (c, "view 2,4611686018427387903,4611686018427387903 0,0,0 0 -",
                "(2,4611686018427387903,4611686018427387903) (0,0,0) 0");
}

/* A view as it is read: no field is touched. */
static void
test_intern (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = dims_from_text (c, "1,3"), *strides = dims_from_text (c, "3,1");
  const FbView *view = fb_view_intern (c, shape, strides, fb_sint (0), NULL, FALSE);
  g_autoptr (GError) error = NULL;

  g_assert_true (view->shape == shape && view->strides == strides && !view->contiguous);
  g_assert_true (view == fb_view_intern (c, shape, strides, fb_sint (0), NULL, FALSE));
  g_assert_true (view != fb_view_intern (c, shape, strides, fb_sint (0), NULL, TRUE));
  g_assert_true (view != fb_view_create (c, shape, strides, fb_sint (0), NULL));
  g_assert_null (fb_view_intern (c, shape, dims_from_text (c, "1"), fb_sint (0), NULL, FALSE));
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_SHAPE);
}

static void
test_movement (void)
{
  static const Row rows[] = {
    { "permute takes strides along", "shape 2,3,4 permute 2,0,1", "(4,2,3) (1,12,4) 0" },
    { "permute takes the mask along", "shape 2,3 pad 1,0,0,2 permute 1,0", "(5,3) (1,3) -3 (0,3,1,3)" },
    { "permuted back is contiguous", "shape 2,3,4 permute 2,0,1 permute 1,2,0", "(2,3,4) (12,4,1) 0 contiguous" },
    { "expand repeats with stride 0", "shape 1,3,1 expand 5,3,2", "(5,3,2) (0,1,0) 0" },
    { "expand shows the whole of a shown 1", "shape 3,1 pad 1,0,0,0 expand 4,5", "(4,5) (1,0) -1 (1,4,0,5)" },
    { "expand of a hidden 1 hides all", "view 1 - 0 0,0 expand 3", "(3) (0) 0 (0,0)" },
    { "expand of no element", "shape 1,0 expand 3,0", "(3,0) (0,0) 0 contiguous" },
    { "pad by nothing is nothing", "shape 2,3 pad 0,0,0,0", "(2,3) (3,1) 0 contiguous" },
    { "pad masks what is new", "shape 2,3 pad 1,2,0,1", "(5,4) (3,1) -3 (1,3,0,3)" },
    { "pad twice keeps the first mask", "shape 2 pad 1,0 pad 0,3", "(6) (1) -1 (1,3)" },
    { "shrink moves the offset", "shape 4,5 shrink 1,3,2,5", "(2,3) (5,1) 7" },
    { "shrink cuts the mask", "shape 4 pad 2,2 shrink 1,5", "(4) (1) -1 (1,4)" },
    { "shrink to what pad added", "shape 4 pad 2,2 shrink 0,2", "(2) (0) 0 (0,0)" },
    { "shrink to what pad kept is the first view", "shape 4,3 pad 2,2,0,1 shrink 2,6,0,3", "(4,3) (3,1) 0 contiguous" },
    { "flip starts at the end", "shape 3,4 flip 1,0", "(3,4) (-4,1) 8" },
    { "flip turns the mask", "shape 3 pad 1,2 flip 1", "(6) (-1) 4 (2,5)" },
    { "flip twice is nothing", "shape 3,4 flip 1,1 flip 1,1", "(3,4) (4,1) 0 contiguous" },
  };

  check_rows (rows, G_N_ELEMENTS (rows));
}

static void
test_movement_refused (void)
{
  g_autoptr (FbContext) c = fb_context_new ();

  assert_refused (c, "shape 2,3 permute 0", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 permute 0,0", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 permute 0,2", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 permute 1,-1", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 permute n,0", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 expand 2,3,1", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 expand 2,6", FB_ERROR_SHAPE);
  assert_refused (c, "shape 1 expand -2", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 pad 1,1", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 pad 1,1,-1,0", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 shrink 0,2", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 shrink 0,2,1,4", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 shrink 0,2,2,1", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 flip 1", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 flip 1,n", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 reshape 7", FB_ERROR_SHAPE);
  assert_refused (c, "shape 2,3 reshape -2,-3", FB_ERROR_SHAPE);
}

static void
test_reshape (void)
{
  static const Row rows[] = {
    { "contiguous to any shape", "shape 2,3,4 reshape 4,6", "(4,6) (6,1) 0 contiguous" },
    { "strides that walk on merge", "shape 4,5 shrink 1,3,0,5 reshape 10", "(10) (1) 5" },
    { "a dimension splits", "shape 6,5 permute 1,0 reshape 5,2,3", "(5,2,3) (1,15,5) 0" },
    { "ones come and go", "shape 2,3 permute 1,0 reshape 1,3,1,2,1", "(1,3,1,2,1) (0,1,0,3,0) 0" },
    { "repeats merge with repeats", "shape 1,1,3 expand 4,5,3 reshape 20,3", "(20,3) (0,1) 0" },
    { "repeats stay apart from the rest", "shape 1,3 expand 4,3 reshape 2,2,3", "(2,2,3) (0,0,1) 0" },
    { "no element to no element", "shape 2,0 permute 1,0 reshape 0,7", "(0,7) (0,0) 0 contiguous" },
    { "what does not fit needs a second view", "shape 2,3 permute 1,0 reshape 6",
      "(3,2) (1,3) 0 | (6) (1) 0 contiguous" },
    { "repeats do not merge with the rest", "shape 3,1 expand 3,2 reshape 6", "(3,2) (1,0) 0 | (6) (1) 0 contiguous" },
  };

  check_rows (rows, G_N_ELEMENTS (rows));
}

static void
test_reshape_mask (void)
{
  static const Row rows[] = {
    { "a mask splits between blocks", "shape 4 pad 2,2 reshape 4,2", "(4,2) (2,1) -2 (1,3,0,2)" },
    { "a mask inside one block", "shape 2 pad 1,5 reshape 2,4", "(2,4) (0,1) -1 (0,1,1,3)" },
    { "a mask that cuts blocks needs a second view", "shape 5 pad 0,3 reshape 4,2",
      "(8) (1) 0 (0,5) | (4,2) (2,1) 0 contiguous" },
    { "the outer mask merges with a whole inner", "shape 2,3 pad 1,0,0,0 reshape 9", "(9) (1) -3 (3,9)" },
    { "the inner mask needs one outer index", "shape 2,3 pad 0,0,1,0 reshape 8",
      "(2,4) (3,1) -1 (0,2,1,4) | (8) (1) 0 contiguous" },
    { "one outer index is enough", "shape 1,3 pad 1,1,1,0 reshape 12", "(12) (1) -5 (5,8)" },
    { "an empty mask to no dimension needs a second view", "view 1 - 0 0,0 reshape ()",
      "(1) (0) 0 (0,0) | () () 0 contiguous" },
  };

  check_rows (rows, G_N_ELEMENTS (rows));
}

/* The inner view's name stands left, the outer's right of "under". */
static void
test_merge (void)
{
  static const Row rows[] = {
    { "contiguous under anything", "shape 6 under shape 2,3 permute 1,0", "(3,2) (1,3) 0" },
    { "anything under its own shape", "shape 2,3 permute 1,0 under shape 3,2", "(3,2) (1,3) 0" },
    { "permute under permute", "shape 2,3,4 permute 2,0,1 under shape 4,2,3 permute 1,2,0",
      "(2,3,4) (12,4,1) 0 contiguous" },
    { "a merged dimension is seen as one", "shape 2,3,4 permute 2,0,1 under shape 4,6 permute 1,0",
      "(6,4) (4,1) 0 contiguous" },
    { "steps across dimensions add up", "shape 4,4 permute 1,0 under view 4 5 0 -", "(4) (5) 0" },
    { "a walk that does not add up stays two", "shape 2,3 permute 1,0 under shape 6",
      "(3,2) (1,3) 0 | (6) (1) 0 contiguous" },
    { "flips cancel", "shape 5 flip 1 under shape 5 flip 1", "(5) (1) 0 contiguous" },
    { "a size beyond 62 bits is another size", "shape 4,3 permute 1,0 under shape 4611686018427387903,n",
      "(3,4) (1,3) 0 | (4611686018427387903,n) ((1*n),1) 0 contiguous" },
    { "repeats of repeats", "shape 1 expand 3 under shape 1,3 expand 2,3", "(2,3) (0,0) 0" },
  };

  check_rows (rows, G_N_ELEMENTS (rows));
}

static void
test_merge_masked (void)
{
  static const Row rows[] = {
    { "the outer mask stays", "shape 2,3 permute 1,0 under shape 3,2 pad 1,0,0,0", "(4,2) (1,3) -1 (1,4,0,2)" },
    { "the inner mask shows through", "shape 3 pad 1,2 under shape 6 flip 1", "(6) (-1) 4 (2,5)" },
    { "both masks meet", "shape 4 pad 1,1 under shape 6 pad 2,0", "(8) (1) -3 (3,7)" },
    { "the outer view misses the inner mask", "shape 2 pad 4,0 under shape 6 shrink 0,3", "(3) (0) 0 (0,0)" },
    { "a step of two through a mask", "shape 4 pad 1,1 under view 3 2 0 -", "(3) (2) -1 (1,3)" },
    { "a diagonal through a mask", "shape 3,3 pad 1,0,0,1 permute 1,0 under view 4 5 0 -", "(4) (4) -3 (1,3)" },
    { "a mask across two indices stays two", "shape 5 pad 0,3 under shape 2,4 permute 1,0",
      "(8) (1) 0 (0,5) | (4,2) (1,4) 0" },
  };

  check_rows (rows, G_N_ELEMENTS (rows));
}

static void
test_minify (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  static const Row rows[] = {
    { "contiguous is one dimension", "shape 2,3,4", "(24) (1) 0 contiguous" },
    { "what walks on is one dimension", "shape 2,3,4 permute 2,0,1", "(4,6) (1,4) 0" },
    { "no dimension", "shape ()", "() () 0 contiguous" },
    { "ones go", "shape 1,3,1,2 permute 3,0,1,2", "(2,3) (1,2) 0" },
    { "a mask keeps its dimension", "shape 2,3,4 pad 0,0,0,0,1,0", "(6,5) (4,1) -1 (0,6,1,5)" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const FbView *view = st_from_text (c, rows[i].chain)->views[0];
      g_autofree char *text = view_to_text (c, fb_view_minify (c, view));

      g_test_message ("%s: %s", rows[i].law, rows[i].chain);
      g_assert_cmpstr (text, ==, rows[i].views);
    }
}

static void
test_invert (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  static const Row rows[] = {
    { "a permutation turns back", "shape 2,3,4 permute 2,0,1", "(2,3,4) (3,1,6) 0" },
    { "a flip is its own inverse", "shape 2,3 flip 0,1", "(2,3) (3,-1) 2" },
    { "a pad becomes a shrink", "shape 4 pad 1,2", "(4) (1) 1" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      const FbShapeTracker *st = st_from_text (c, rows[i].chain);
      const FbDims *size = dims_from_text (c, i == 2 ? "4" : i == 1 ? "6" : "24");
      g_autofree char *text = view_to_text (c, fb_view_invert (c, st->views[0], size));

      g_test_message ("%s: %s", rows[i].law, rows[i].chain);
      g_assert_cmpstr (text, ==, rows[i].views);
    }
  g_assert_null (fb_view_invert (c, st_from_text (c, "shape 4 shrink 0,2")->views[0], dims_from_text (c, "4")));
  g_assert_null (fb_view_invert (c, st_from_text (c, "shape 1 expand 3")->views[0], dims_from_text (c, "1")));
  g_assert_false (fb_context_failed (c));
}

static void
test_unravel (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  const FbDims *shape = dims_from_text (c, "2,3,4");
  FbSint at[3];

  fb_unravel (c, 3, shape->at, fb_sint (17), at);
  g_assert_true (fb_sint_is (at[0], 1) && fb_sint_is (at[1], 1) && fb_sint_is (at[2], 1));
  /* before the beginning: Python's remainder is never negative */
  fb_unravel (c, 3, shape->at, fb_sint (-1), at);
  g_assert_true (fb_sint_is (at[0], 1) && fb_sint_is (at[1], 2) && fb_sint_is (at[2], 3));
}

static void
test_symbolic (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  static const Row rows[] = {
    { "a symbolic shape is contiguous", "shape 2,n", "(2,n) ((1*n),1) 0 contiguous" },
    { "permute takes it along", "shape 2,n permute 1,0", "(n,2) (1,(1*n)) 0" },
    { "expand to a variable", "shape 1,3 expand n,3", "(n,3) (0,1) 0" },
    { "shrink to a variable", "shape 10 shrink 0,n", "(n) (1) 0 contiguous" },
    { "shrink from a variable", "shape 12,2 shrink n,12,0,2", "(((n*-1)+12),2) (2,1) (n*2)" },
    { "pad a variable", "shape n pad 1,2", "((n+3)) (1) -1 (1,(n+1))" },
    { "flip a variable", "shape n flip 1", "(n) (-1) (n+-1)" },
    { "ones come and go", "shape n,2 permute 1,0 reshape 2,1,n", "(2,1,n) (1,0,2) 0" },
    { "bound to the size it has, in place", "shape 3,4 permute 1,0 reshape 4,bound", "(4,n) (1,4) 0" },
  };

  check_rows (rows, G_N_ELEMENTS (rows));
  /* n is bound to 3 */
  assert_refused (c, "shape 4,5 permute 1,0 reshape 5,bound", FB_ERROR_SHAPE);
  assert_refused (c, "shape 3,4 permute 1,0 reshape bound,2,2", FB_ERROR_SHAPE);
  assert_refused (c, "shape 3,4 permute 1,0 reshape 4,n", FB_ERROR_ARITHMETIC);
  /* n is 1 to 10: this has 11 elements at least */
  assert_refused (c, "shape 10 reshape 11,n", FB_ERROR_SHAPE);
}

/* A size that is negative for some values of its variable has no truth value. */
static void
test_undecided (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;
  FbSint below = fb_sint_sub (c, fb_sint_uop (variable_n (c)), fb_sint (2));

  g_assert_null (fb_view_create (c, fb_dims_new (c, 1, &below), NULL, fb_sint (0), NULL));
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_SHAPE);
}

static void
test_size (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (fb_view_size (c, st_from_text (c, "shape 2,3,4")->views[0]), ==, 24);
  g_assert_cmpint (fb_view_size (c, st_from_text (c, "shape 2,0,4")->views[0]), ==, 0);
  g_assert_cmpint (fb_view_size (c, st_from_text (c, "shape 2,n")->views[0]), ==, 20);
  g_assert_cmpint (fb_view_size (c, st_from_text (c, "view 2147483648,4294967296 0,0 0 -")->views[0]), ==, -1);
  g_assert_true (fb_context_take_error (c, &error));
  g_assert_error (error, FB_ERROR, FB_ERROR_OVERFLOW);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/view/create", test_create);
  g_test_add_func ("/core/view/create-refused", test_create_refused);
  g_test_add_func ("/core/view/intern", test_intern);
  g_test_add_func ("/core/view/movement", test_movement);
  g_test_add_func ("/core/view/movement-refused", test_movement_refused);
  g_test_add_func ("/core/view/reshape", test_reshape);
  g_test_add_func ("/core/view/reshape-mask", test_reshape_mask);
  g_test_add_func ("/core/view/merge", test_merge);
  g_test_add_func ("/core/view/merge-masked", test_merge_masked);
  g_test_add_func ("/core/view/minify", test_minify);
  g_test_add_func ("/core/view/invert", test_invert);
  g_test_add_func ("/core/view/unravel", test_unravel);
  g_test_add_func ("/core/view/symbolic", test_symbolic);
  g_test_add_func ("/core/view/undecided", test_undecided);
  g_test_add_func ("/core/view/size", test_size);
  return g_test_run ();
}
