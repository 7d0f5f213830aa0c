/* Pickles made to hurt: each ends in one error, quickly, within the limits of memory; or in a value that prints. */
#include "assemble.h"

/* The root of @a, or why it does not load, with a limit of @base_bytes + 64 for each byte. */
static char *
load_limited (GByteArray *a, gsize base_bytes)
{
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  FbPickleLimits *limits = fb_pickle_limits (pickle);

  limits->base_bytes = base_bytes;
  limits->bytes_per_byte = 64;
  return pk_load (pickle, a);
}

static void
test_lengths (void)
{
  CHECK ("\x8d\xff\xff\xff\xff\xff\xff\xff\x7f.", "test, byte 0: the pickle ends after 10 bytes, in the middle.");
  CHECK ("\x8d\xff\xff\xff\xff\xff\xff\xff\xff.", "test, byte 0: the pickle ends after 10 bytes, in the middle.");
  CHECK ("X\xff\xff\xff\xffz.", "test, byte 0: the pickle ends after 7 bytes, in the middle.");
  CHECK ("\x8e\x00\x00\x00\x00\x01\x00\x00\x00z.", "test, byte 0: the pickle ends after 11 bytes, in the middle.");
  CHECK ("\x96\xff\xff\xff\xff\xff\xff\xff\xff.", "test, byte 0: the pickle ends after 10 bytes, in the middle.");
  CHECK ("\x8b\xff\xff\xff\x7fz.", "test, byte 0: the pickle ends after 7 bytes, in the middle.");
  CHECK ("\x8a\x05z.", "test, byte 0: the pickle ends after 4 bytes, in the middle.");
  CHECK ("cmodule", "test, byte 0: the pickle ends after 7 bytes, in the middle.");
}

static void
test_memo_bomb (void)
{
  CHECK ("Nr\xff\xff\xff\xff.", "test, byte 1: memo entry 4294967295 is beyond what this pickle can need.");
  CHECK ("Nr\x00\x00\x00\x10.", "test, byte 1: memo entry 268435456 is beyond what this pickle can need.");
  CHECK ("Np9999999999\n.", "test, byte 1: memo entry 9999999999 is beyond what this pickle can need.");
  CHECK ("Np99999999999999999999\n.", "test, byte 1: a memo number is not a number.");
}

static void
test_big_integer (void)
{
  g_autoptr (GByteArray) a = g_byte_array_new ();
  g_autofree char *got = NULL;

  RAW (a, "\x8b");
  pk_le (a, 100000, 4);
  for (int i = 0; i < 100000; i++)
    pk_byte (a, 0x5a);
  RAW (a, ".");
  got = pk_load_literal ((const char *) a->data, a->len);
  g_assert_cmpstr (got, ==, "test, byte 0: an integer of 100000 bytes is refused; Python prints at most 4300 digits.");
}

/* A million containers in each other: read, printed and freed without recursion. */
static void
test_nesting (void)
{
  const guint n = 1000000;
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  g_autoptr (GByteArray) tuples = g_byte_array_new (), lists = g_byte_array_new ();
  g_autofree char *tuple = NULL, *list = NULL;

  RAW (tuples, ")");
  for (guint i = 0; i < n; i++)
    RAW (tuples, "\x85");
  RAW (tuples, ".");
  tuple = pk_load (pickle, tuples);
  g_assert_true (g_str_has_prefix (tuple, "(((((("));
  g_assert_nonnull (strstr (tuple, "..."));
  g_assert_cmpuint (strlen (tuple), <, 2000);

  for (guint i = 0; i < n; i++)
    RAW (lists, "]");
  for (guint i = 1; i < n; i++)
    RAW (lists, "a");
  RAW (lists, ".");
  list = pk_load (pickle, lists);
  g_assert_true (g_str_has_prefix (list, "[[[[[["));
  g_assert_nonnull (strstr (list, "..."));
  g_assert_cmpuint (strlen (list), <, 2000);
}

/* Each level refers twice to the one below: 2^64 items. Text is cut, and as the arg of a node it is refused. */
static void
test_laughs (void)
{
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  g_autoptr (GByteArray) a = g_byte_array_new (), b = g_byte_array_new ();
  g_autofree char *text = NULL, *refused = NULL;

  RAW (a, "K\x01");
  for (int i = 0; i < 64; i++)
    RAW (a, "2\x86");
  g_byte_array_append (b, a->data, a->len);
  RAW (a, ".");
  text = pk_load (pickle, a);
  g_assert_cmpuint (strlen (text), <, 300000);
  g_assert_true (g_str_has_suffix (text, "..."));

  RAW (b, "\x94"
          "0");
  pk_global (b, "tinygrad.ops", "UOp");
  RAW (b, "(");
  pk_op (b, "NOOP");
  pk_void (b);
  RAW (b, ")");
  pk_get (b, 0);
  RAW (b, "tR.");
  refused = pk_load (pickle, b);
  g_assert_nonnull (strstr (refused, "the text of an arg would be too long"));
}

/* A node in the arg of a node in the arg of a node ...: Python's text doubles with each. */
static void
test_nodes_in_args (void)
{
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  g_autoptr (GByteArray) a = g_byte_array_new ();
  g_autofree char *got = NULL;

  RAW (a, "N");
  for (int i = 0; i < 40; i++)
    {
      RAW (a, "\x94"
              "0");
      pk_global (a, "tinygrad.ops", "UOp");
      RAW (a, "(");
      pk_op (a, "NOOP");
      pk_void (a);
      RAW (a, ")");
      pk_get (a, (guint32) i);
      RAW (a, "2\x86tR");
    }
  RAW (a, ".");
  got = pk_load (pickle, a);
  g_assert_nonnull (strstr (got, "nodes within args within nodes go deeper than 8"));
}

/* One tuple of many sources, used by many nodes: bytes grow with the square of the pickle. */
static void
test_source_bomb (void)
{
  g_autoptr (GByteArray) a = g_byte_array_new ();
  g_autofree char *got = NULL;

  pk_global (a, "tinygrad.ops", "UOp");
  pk_put (a, 0);
  pk_op (a, "NOOP");
  pk_put (a, 1);
  pk_void (a);
  pk_put (a, 2);
  RAW (a, "j\x00\x00\x00\x00(j\x01\x00\x00\x00j\x02\x00\x00\x00)NtR");
  pk_put (a, 3);
  RAW (a, "(");
  for (int i = 0; i < 20000; i++)
    RAW (a, "h\x03");
  RAW (a, "t");
  pk_put (a, 4);
  for (int i = 0; i < 20000; i++)
    {
      RAW (a, "h\x00(h\x01h\x02h\x04");
      pk_int (a, i);
      RAW (a, "tR0");
    }
  RAW (a, "N.");
  got = load_limited (a, 1 << 20);
  g_assert_nonnull (strstr (got, "bytes of memory, which is refused"));
}

static void
test_marks (void)
{
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  g_autoptr (GByteArray) a = g_byte_array_new ();
  g_autofree char *got = NULL;

  fb_pickle_limits (pickle)->max_stack = 100000;
  for (int i = 0; i < 200000; i++)
    RAW (a, "(");
  got = pk_load (pickle, a);
  g_assert_nonnull (strstr (got, "marks are open, which is refused"));

  g_byte_array_set_size (a, 0);
  g_clear_pointer (&got, g_free);
  for (int i = 0; i < 200000; i++)
    RAW (a, "N");
  got = pk_load (pickle, a);
  g_assert_nonnull (strstr (got, "values are on the stack, which is refused"));

  fb_pickle_limits (pickle)->max_size = 1000;
  g_clear_pointer (&got, g_free);
  got = pk_load (pickle, a);
  g_assert_cmpstr (got, ==, "test, byte 0: a pickle of 200000 bytes is refused, the most is 1000.");
}

static GBytes *
read_sample (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "lerp.db", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);
  GBytes *bytes;

  g_assert_no_error (error);
  bytes = fb_capture_read_blob (capture, FB_ROW_SCHEDULE, 1, &error);
  g_assert_no_error (error);
  return bytes;
}

/* A real row cut at every byte is an error at a byte. */
static void
test_truncated (void)
{
  g_autoptr (GBytes) bytes = read_sample ();
  g_autoptr (FbContext) context = fb_context_new ();
  gsize len = g_bytes_get_size (bytes);

  for (gsize i = 0; i < len; i++)
    {
      g_autoptr (GBytes) cut = g_bytes_new_from_bytes (bytes, 0, i);
      g_autoptr (GError) error = NULL;

      fb_context_reset (context);
      g_assert_null (fb_capture_read_bytes (cut, "cut", NULL, context, &error));
      g_assert_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_PICKLE);
      g_assert_true (g_str_has_prefix (error->message, "cut, byte "));
    }
}

/* Every byte changed in several ways reads or fails; what reads has a key. */
static void
test_flipped (void)
{
  static const guint8 flips[] = { 0x01, 0x80, 0xff, 0x24 };
  g_autoptr (GBytes) bytes = read_sample ();
  g_autoptr (FbContext) context = fb_context_new ();
  gsize len;
  const guint8 *data = g_bytes_get_data (bytes, &len);
  g_autofree guint8 *copy = g_memdup2 (data, len);
  guint read = 0, failed = 0;

  for (gsize i = 0; i < len; i++)
    for (gsize f = 0; f < G_N_ELEMENTS (flips); f++)
      {
        g_autoptr (GBytes) changed = NULL;
        g_autoptr (FbCaptureRow) row = NULL;

        copy[i] = data[i] ^ flips[f];
        changed = g_bytes_new (copy, len);
        fb_context_reset (context);
        row = fb_capture_read_bytes (changed, "flipped", NULL, context, NULL);
        if (row)
          {
            read++;
            g_assert_true (fb_capture_row_check_key (context, row, NULL));
          }
        else
          failed++;
        copy[i] = data[i];
      }
  g_assert_cmpuint (read, >, 0);
  g_assert_cmpuint (failed, >, len);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/capture/hostile/lengths", test_lengths);
  g_test_add_func ("/core/capture/hostile/memo-bomb", test_memo_bomb);
  g_test_add_func ("/core/capture/hostile/big-integer", test_big_integer);
  g_test_add_func ("/core/capture/hostile/nesting", test_nesting);
  g_test_add_func ("/core/capture/hostile/laughs", test_laughs);
  g_test_add_func ("/core/capture/hostile/nodes-in-args", test_nodes_in_args);
  g_test_add_func ("/core/capture/hostile/source-bomb", test_source_bomb);
  g_test_add_func ("/core/capture/hostile/marks", test_marks);
  g_test_add_func ("/core/capture/hostile/truncated", test_truncated);
  g_test_add_func ("/core/capture/hostile/flipped", test_flipped);
  return g_test_run ();
}
