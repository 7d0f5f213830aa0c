/* Graphs and rows from pickles: nodes, args, views, ops by name and by number. */
#include "assemble.h"

#include "core/ir/text.h"

enum
{
  UOP,
  VOID,
  INT,
};

/* The class UOp and two dtypes in memo entries 0 to 2. */
static GByteArray *
begin (void)
{
  GByteArray *a = g_byte_array_new ();

  pk_global (a, "tinygrad.ops", "UOp");
  pk_put (a, UOP);
  pk_void (a);
  pk_put (a, VOID);
  pk_int32 (a);
  pk_put (a, INT);
  RAW (a, "000");
  return a;
}

/* UOp (op, dtype, src, arg) with @rest: the opcodes of src and arg. */
static void
pk_uop (GByteArray *a, const char *op, guint32 dtype, const char *rest, gsize len)
{
  pk_get (a, UOP);
  RAW (a, "(");
  pk_op (a, op);
  pk_get (a, dtype);
  g_byte_array_append (a, (const guint8 *) rest, len);
  RAW (a, "tR");
}

#define UOP(a, op, dtype, rest) pk_uop (a, op, dtype, rest, sizeof (rest) - 1)

/* Reads the pickle of one graph; its text, or the error. */
static char *
graph_text (GByteArray *a)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autofree char *message = NULL;
  g_autoptr (FbCaptureRow) row = NULL;

  RAW (a, ".");
  row = pk_row (context, a, NULL, &message);
  if (!row)
    return g_steal_pointer (&message);
  g_assert_cmpint (row->kind, ==, FB_ROW_GRAPH);
  g_assert_cmpuint (row->kernels->len, ==, 0);
  return fb_uop_to_text (context, row->sink);
}

#define CHECK_UOP(op, rest, expected)                  \
  do                                                   \
    {                                                  \
      g_autoptr (GByteArray) a = begin ();             \
      g_autofree char *got = NULL;                     \
      UOP (a, op, INT, rest);                          \
      got = graph_text (a);                            \
      if (g_str_has_prefix (expected, "*"))            \
        g_assert_nonnull (strstr (got, expected + 1)); \
      else                                             \
        g_assert_cmpstr (got, ==, expected);           \
    }                                                  \
  while (0)

static void
test_args (void)
{
  CHECK_UOP ("CONST", ")K\x05", "UOp(Ops.CONST, dtypes.int, arg=5, src=())");
  CHECK_UOP ("CONST", ")\x88", "UOp(Ops.CONST, dtypes.int, arg=True, src=())");
  CHECK_UOP ("CONST", ")\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01",
             "UOp(Ops.CONST, dtypes.int, arg=18446744073709551616, src=())");
  CHECK_UOP ("CONST", ")G\x80\x00\x00\x00\x00\x00\x00\x00", "UOp(Ops.CONST, dtypes.int, arg=-0.0, src=())");
  CHECK_UOP ("CONST", ")N", "*CONST needs a number as its arg");
  CHECK_UOP ("DEVICE",
             ")\x8c\x03"
             "CPU",
             "UOp(Ops.DEVICE, dtypes.int, arg='CPU', src=())");
  CHECK_UOP ("DEVICE", ")N", "*DEVICE needs a name as its arg");
  CHECK_UOP ("NOOP", ")(K\x01K\x02\x85\x88N\x8c\x01xt",
             "UOp(Ops.NOOP, dtypes.int, arg=(1, (2,), True, None, 'x'), src=())");
  CHECK_UOP ("NOOP", ")]", "UOp(Ops.NOOP, dtypes.int, arg=[], src=())");
  CHECK_UOP ("NOOP", ")cm\nC\n)R", "UOp(Ops.NOOP, dtypes.int, arg=<m.C>, src=())");
  CHECK_UOP ("VIEW", ")N", "*VIEW needs a ShapeTracker as its arg");
  CHECK_UOP ("RESHAPE", ")N", "*RESHAPE has the wrong number of sources");
  CHECK_UOP ("ADD", ")N", "*ADD has the wrong number of sources");
  CHECK_UOP ("UNIQUE", ")\x88", "*UNIQUE needs an integer as its arg");
  CHECK_UOP ("DEFINE_VAR", ")\x8c\x01iK\x01K\x05\x87", "UOp(Ops.DEFINE_VAR, dtypes.int, arg=('i', 1, 5), src=())");
  CHECK_UOP ("DEFINE_VAR", ")\x8c\x01i\x85", "*DEFINE_VAR needs a name and two bounds as its arg");
  CHECK_UOP ("NOOP", "NN", "*a UOp is not made of an op, a data type, a tuple of sources and an arg");
  CHECK_UOP ("NOOP", "K\x01\x85N", "*source 0 of a NOOP is no UOp");
  CHECK_UOP ("FUSE", ")N", "*the op FUSE does not exist in tinygrad v0.10.2");
}

/* View and ShapeTracker with the given opcodes for shape, strides, offset, mask, contiguous. */
static char *
view_text (const char *fields[5], const gsize lens[5])
{
  static const char *const names[] = { "shape", "strides", "offset", "mask", "contiguous" };
  g_autoptr (GByteArray) a = begin (), state = g_byte_array_new ();

  RAW (state, ")");
  pk_global (state, "tinygrad.shape.shapetracker", "ShapeTracker");
  RAW (state, ")\x81}");
  pk_text (state, "views");
  pk_global (state, "tinygrad.shape.view", "View");
  RAW (state, ")\x81}(");
  for (int i = 0; i < 5; i++)
    if (fields[i])
      {
        pk_text (state, names[i]);
        g_byte_array_append (state, (const guint8 *) fields[i], lens[i]);
      }
  RAW (state, "ub\x85sb");
  pk_uop (a, "VIEW", VOID, (const char *) state->data, state->len);
  return graph_text (a);
}

#define CHECK_VIEW(shape, strides, offset, mask, contiguous, expected)                                          \
  do                                                                                                            \
    {                                                                                                           \
      const char *fields[5] = { shape, strides, offset, mask, contiguous };                                     \
      const gsize lens[5] = { sizeof (shape) - 1, sizeof (strides) - 1, sizeof (offset) - 1, sizeof (mask) - 1, \
                              sizeof (contiguous) - 1 };                                                        \
      g_autofree char *got = view_text (fields, lens);                                                          \
      if (!strstr (got, expected))                                                                              \
        g_test_message ("got %s", got);                                                                         \
      g_assert_nonnull (strstr (got, expected));                                                                \
    }                                                                                                           \
  while (0)

static void
test_views (void)
{
  CHECK_VIEW ("K\x02K\x03\x86", "K\x03K\x01\x86", "K\x00", "N", "\x88",
              "ShapeTracker(views=(View(shape=(2, 3), strides=(3, 1), offset=0, mask=None, contiguous=True),))");
  CHECK_VIEW ("K\x04\x85", "J\xff\xff\xff\xff\x85", "K\x03", "K\x00K\x02\x86\x85", "\x89",
              "View(shape=(4,), strides=(-1,), offset=3, mask=((0, 2),), contiguous=False)");
  CHECK_VIEW (")", ")", "K\x00", "N", "\x88", "View(shape=(), strides=(), offset=0, mask=None, contiguous=True)");
  CHECK_VIEW ("K\x02\x85", ")", "K\x00", "N", "\x88", "do not match its 1 dimensions");
  CHECK_VIEW ("K\x02\x85", "K\x01\x85", "K\x00", ")", "\x88", "do not match its 1 dimensions");
  CHECK_VIEW ("K\x02\x85", "K\x01\x85", "K\x00", "K\x02\x85", "\x88", "the mask of a View is no tuple of pairs");
  CHECK_VIEW ("J\xfe\xff\xff\xff\x85", "K\x01\x85", "K\x00", "N", "\x88", "a View has a negative size");
  CHECK_VIEW ("N\x85", "K\x01\x85", "K\x00", "N", "\x88", "a size or stride is neither an integer nor a UOp");
  CHECK_VIEW ("\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x40\x85", "K\x01\x85", "K\x00", "N", "\x88", "is beyond 62 bits");
  CHECK_VIEW ("]", "K\x01\x85", "K\x00", "N", "\x88", "the shape of a View is no tuple of at most 1024 items");
  CHECK_VIEW ("K\x02\x85", "K\x01\x85", "K\x00", "N", "N", "the contiguous of a View is no bool");
}

/* A shape that holds a node; one tuple is shape and stride and arg. */
static void
test_symbolic_view (void)
{
  g_autoptr (GByteArray) a = begin ();
  g_autofree char *got = NULL;

  UOP (a, "DEFINE_VAR", INT, ")\x8c\x01iK\x01K\x05\x87");
  RAW (a, "\x85");
  pk_put (a, 9);
  RAW (a, "0");
  pk_get (a, UOP);
  RAW (a, "(");
  pk_op (a, "VIEW");
  pk_get (a, VOID);
  RAW (a, ")");
  pk_global (a, "tinygrad.shape.shapetracker", "ShapeTracker");
  RAW (a, ")\x81}");
  pk_text (a, "views");
  pk_global (a, "tinygrad.shape.view", "View");
  RAW (a, ")\x81}(");
  pk_text (a, "shape");
  pk_get (a, 9);
  pk_text (a, "strides");
  pk_get (a, 9);
  pk_text (a, "offset");
  RAW (a, "K\x00");
  pk_text (a, "mask");
  RAW (a, "N");
  pk_text (a, "contiguous");
  RAW (a, "\x89ub\x85sbtR");
  got = graph_text (a);
  g_assert_cmpstr (
      got, ==,
      "UOp(Ops.VIEW, dtypes.void, arg=ShapeTracker(views=(View(shape=(UOp(Ops.DEFINE_VAR, dtypes.int, arg=('i', "
      "1, 5), src=()),), strides=(UOp(Ops.DEFINE_VAR, dtypes.int, arg=('i', 1, 5), src=()),), offset=0, "
      "mask=None, contiguous=False),)), src=())");
}

static void
test_dtypes (void)
{
  static const struct
  {
    const char *fields; /* behind the class and MARK */
    gsize len;
    const char *class, *expected;
  } cases[] = {
#define CASE(class, fields, expected) { fields, sizeof (fields) - 1, class, expected }
#define FLOAT_FIELDS   \
  "K\x0bK\x04\x8c\x05" \
  "float\x8c\x01"      \
  "fK\x01N"
#define FLOAT "ctinygrad.dtype\nDType\n(" FLOAT_FIELDS "tR"
    CASE ("DType", FLOAT_FIELDS, "dtypes.float"),
    CASE ("DType",
          "K\x0bK\x10\x8c\x06"
          "float4NK\x04" FLOAT,
          "dtypes.float.vec(4)"),
    CASE ("DType",
          "K\x0bK\x11\x8c\x06"
          "float4NK\x04" FLOAT,
          NULL), /* 17 bytes */
    CASE ("DType",
          "K\x0bK\x04\x8c\x04"
          "fp99NK\x01N",
          NULL),
    CASE ("DType", "K\x0b", NULL),
    CASE ("PtrDType", FLOAT_FIELDS FLOAT "\x89K\x01K\x10", "dtypes.float.ptr(16)"),
    CASE ("PtrDType", FLOAT_FIELDS FLOAT "\x88K\x01J\xff\xff\xff\xff", "dtypes.float.ptr(-1, local=True)"),
    CASE ("PtrDType", FLOAT_FIELDS "N\x89K\x01K\x10", NULL),
    CASE ("ImageDType",
          "K\x64K\x02\x8c\x06imageh\x8c\x01"
          "eK\x01N" FLOAT "\x89K\x01K\x18K\x02K\x03K\x04\x87",
          "dtypes.imageh((2, 3, 4))"),
    CASE ("ImageDType",
          "K\x64K\x02\x8c\x06imagex\x8c\x01"
          "eK\x01N" FLOAT "\x89K\x01K\x18K\x02K\x03K\x04\x87",
          NULL),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) a = g_byte_array_new ();
      g_autofree char *got = NULL;

      pk_global (a, "tinygrad.dtype", cases[i].class);
      RAW (a, "(");
      g_byte_array_append (a, (const guint8 *) cases[i].fields, cases[i].len);
      RAW (a, "tR.");
      got = pk_load_literal ((const char *) a->data, a->len);
      if (cases[i].expected)
        g_assert_cmpstr (got, ==, cases[i].expected);
      else
        g_assert_nonnull (strstr (got, ": the "));
    }
}

/* Nodes are interned as they are read; each NaN is its own. */
static void
test_interning (void)
{
  g_autoptr (GByteArray) a = begin ();
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = NULL;

  pk_get (a, UOP);
  RAW (a, "(");
  pk_op (a, "SINK");
  pk_get (a, VOID);
  RAW (a, "(");
  UOP (a, "CONST", INT, ")K\x05");
  UOP (a, "CONST", INT, ")K\x05");
  UOP (a, "CONST", INT, ")G\x7f\xf8\x00\x00\x00\x00\x00\x00");
  UOP (a, "CONST", INT, ")G\x7f\xf8\x00\x00\x00\x00\x00\x00");
  UOP (a, "UNIQUE", VOID, ")K\x29");
  RAW (a, "tNtR.");
  row = pk_row (context, a, NULL, NULL);
  g_assert_nonnull (row);
  g_assert_true (row->sink->src[0] == row->sink->src[1]);
  g_assert_true (row->sink->src[2] != row->sink->src[3]);
  g_assert_cmpint (row->max_unique, ==, 41);
  g_assert_cmpint (fb_context_next_unique (context), ==, 42);
}

/* A SINK over CONST, with the numbers of a release. */
static GByteArray *
by_value (int sink, int constant)
{
  GByteArray *a = begin ();

  pk_get (a, UOP);
  RAW (a, "(");
  pk_op_value (a, sink);
  pk_get (a, VOID);
  pk_get (a, UOP);
  RAW (a, "(");
  pk_op_value (a, constant);
  pk_get (a, INT);
  RAW (a, ")K\x05tR\x85NtR.");
  return a;
}

static void
test_releases (void)
{
  static const struct
  {
    int sink, constant;
    const char *ask, *release, *message;
  } cases[] = {
    { 2, 74, NULL, "v0.10.2", NULL },
    { 1, 71, NULL, "v0.10.1", NULL },
    { 1, 74, NULL, "v0.10.3", NULL },
    { 1, 71, "v0.10.1", "v0.10.1", NULL },
    { 1, 80, NULL, NULL, "test, byte 203: the op FUSE of tinygrad v0.10.3 does not exist in v0.10.2." },
    { 2, 99, NULL, NULL, "test, byte 203: tinygrad v0.10.2 has no op with number 99." },
    { 2, 74, "v0.9", NULL, "v0.9 is not a release whose op numbers are known." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) a = by_value (cases[i].sink, cases[i].constant);
      g_autoptr (FbContext) context = fb_context_new ();
      g_autofree char *message = NULL;
      g_autoptr (FbCaptureRow) row = pk_row (context, a, cases[i].ask, &message);

      g_test_message ("case %" G_GSIZE_FORMAT, i);
      if (cases[i].message)
        g_assert_cmpstr (message, ==, cases[i].message);
      else
        {
          g_assert_cmpstr (message, ==, NULL);
          g_assert_cmpstr (row->release, ==, cases[i].release);
          g_assert_true (row->ops_by_value);
          g_assert_true (row->release_detected == (cases[i].ask == NULL));
          g_assert_cmpint (row->sink->op, ==, FB_OP_SINK);
          g_assert_cmpint (row->sink->src[0]->op, ==, FB_OP_CONST);
        }
    }
}

/* ((...((c + c) + c) ...) + c): a million deep, as deep on the stack of the machine as in the graph. */
static void
test_deep_chain (void)
{
  const guint32 n = 1000000;
  g_autoptr (GByteArray) a = begin ();
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = NULL;

  UOP (a, "CONST", INT, ")K\x05");
  pk_put (a, 3);
  pk_op (a, "ADD");
  pk_put (a, 4);
  RAW (a, "00");
  for (guint32 i = 0; i < n; i++)
    RAW (a, "h\x00(h\x04h\x02");
  RAW (a, "h\x03");
  for (guint32 i = 0; i < n; i++)
    RAW (a, "h\x03\x86NtR");
  RAW (a, ".");
  row = pk_row (context, a, NULL, NULL);
  g_assert_nonnull (row);
  g_assert_cmpuint (fb_context_n_uops (context), ==, n + 1);
}

/* (sink, {name: ContextVar}, [ast]) */
static void
test_schedule_row (void)
{
  g_autoptr (GByteArray) a = begin ();
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = NULL;
  g_autofree char *message = NULL;
  const FbContextVar *vars;

  UOP (a, "SINK", VOID, ")N");
  RAW (a, "}(");
  for (int i = 0; i < 2; i++)
    {
      const char *name = i ? "MY_OPTION" : "FUSE_ARANGE";
      pk_text (a, name);
      pk_global (a, "tinygrad.helpers", "ContextVar");
      RAW (a, ")\x81}(");
      pk_text (a, "value");
      pk_int (a, i ? -3 : 1);
      pk_text (a, "key");
      pk_text (a, name);
      RAW (a, "ub");
    }
  RAW (a, "u](");
  UOP (a, "SINK", VOID, ")N");
  RAW (a, "e\x87.");
  row = pk_row (context, a, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  g_assert_cmpint (row->kind, ==, FB_ROW_SCHEDULE);
  g_assert_cmpuint (row->kernels->len, ==, 1);
  g_assert_true (row->kernels->pdata[0] == row->sink);
  g_assert_cmpuint (row->vars->len, ==, 2);
  vars = (const FbContextVar *) row->vars->data;
  g_assert_cmpstr (vars[0].name, ==, "FUSE_ARANGE");
  g_assert_true (vars[0].known && vars[0].value == 1 && vars[0].default_value == 0);
  g_assert_cmpstr (vars[1].name, ==, "MY_OPTION");
  g_assert_true (!vars[1].known && vars[1].value == -3);
  g_assert_cmpint (fb_context_options (context)->fuse_arange, ==, 1);
  g_assert_cmpint (fb_context_options (context)->split_reduceop, ==, 1);
}

static void
test_other_content (void)
{
  static const struct
  {
    const char *bytes;
    const char *message;
  } cases[] = {
    { "K\x01.", "test: it holds neither a graph nor a captured schedule or kernel." },
    { "N}N\x87.", "test: its first item is no graph." },
    { "(cm\nC\n}]t.", "test: its first item is no graph." },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GByteArray) a = g_byte_array_new ();
      g_autoptr (FbContext) context = fb_context_new ();
      g_autofree char *message = NULL;

      g_byte_array_append (a, (const guint8 *) cases[i].bytes, strlen (cases[i].bytes));
      g_assert_null (pk_row (context, a, NULL, &message));
      g_assert_cmpstr (message, ==, cases[i].message);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/capture/graph/args", test_args);
  g_test_add_func ("/core/capture/graph/views", test_views);
  g_test_add_func ("/core/capture/graph/symbolic-view", test_symbolic_view);
  g_test_add_func ("/core/capture/graph/dtypes", test_dtypes);
  g_test_add_func ("/core/capture/graph/interning", test_interning);
  g_test_add_func ("/core/capture/graph/releases", test_releases);
  g_test_add_func ("/core/capture/graph/deep-chain", test_deep_chain);
  g_test_add_func ("/core/capture/graph/schedule-row", test_schedule_row);
  g_test_add_func ("/core/capture/graph/other-content", test_other_content);
  return g_test_run ();
}
