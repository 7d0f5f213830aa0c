/* What the reader takes as wholes reads as it does opcode by opcode. A pickle whose MEMOIZEs are spelled as LONG_BINPUTs
 * means the same, but nothing in it looks as pickle.dumps writes it, so that all of it goes through the machine. */
#include "assemble.h"

#include "core/ir/text.h"

#define MEMOIZE 0x94
#define FRAME 0x95

/* Bytes of the opcode at @p, 0 when it is none of protocol 4 or is cut. */
static gsize
opcode_size (const guint8 *p, gsize left)
{
  gsize size;

  switch (*p)
    {
    case 'K':
    case 'h':
    case 'q':
    case 0x80:
      size = 2;
      break;
    case 'M':
      size = 3;
      break;
    case 'J':
    case 'j':
    case 'r':
      size = 5;
      break;
    case 'G':
    case FRAME:
      size = 9;
      break;
    case 0x8c:
    case 0x8a:
      size = left > 1 ? 2 + (gsize) p[1] : 2;
      break;
    case 'X':
      size = left > 4 ? 5 + (gsize) (p[1] | p[2] << 8 | p[3] << 16) : 5;
      break;
    default:
      size = *p && strchr ("(.012NRbtu)]}aes\x81\x85\x86\x87\x88\x89\x93\x94", *p) ? 1 : 0;
    }
  return size <= left ? size : 0;
}

/* Where each opcode begins, with the end of the last; NULL when the bytes are no such pickle. */
static GArray *
find_opcodes (const guint8 *bytes, gsize len)
{
  g_autoptr (GArray) at = g_array_new (FALSE, FALSE, sizeof (gsize));
  gsize p = 0, size;

  for (; p < len; p += size)
    {
      g_array_append_val (at, p);
      size = opcode_size (bytes + p, len - p);
      if (!size)
        return NULL;
    }
  g_array_append_val (at, p);
  return g_steal_pointer (&at);
}

/* The same pickle without frames, and @plain: without MEMOIZE. */
static GByteArray *
respell (const guint8 *bytes, const GArray *opcodes, gboolean plain)
{
  GByteArray *a = g_byte_array_new ();
  guint32 memoized = 0;

  for (guint i = 0; i + 1 < opcodes->len; i++)
    {
      gsize from = g_array_index (opcodes, gsize, i), to = g_array_index (opcodes, gsize, i + 1);

      if (bytes[from] == FRAME)
        continue;
      if (plain && bytes[from] == MEMOIZE)
        pk_put (a, memoized++);
      else
        g_byte_array_append (a, bytes + from, to - from);
    }
  return a;
}

/* All that reading gives; or the error, without the offset. */
static char *
describe (const GByteArray *a)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (GBytes) bytes = g_bytes_new_static (a->data, a->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCaptureRow) row = fb_capture_read_bytes (bytes, "test", NULL, context, &error);
  GString *text;

  if (!row)
    {
      const char *colon = strstr (error->message, "byte ");

      colon = colon ? strchr (colon, ':') : NULL;
      return g_strdup (colon ? colon : error->message);
    }
  text = g_string_new (NULL);
  for (guint32 i = 0; i < fb_context_n_uops (context); i++)
    {
      FbUop *uop = fb_context_uop (context, i);

      g_string_append_printf (text, "%s %s", fb_op_name (uop->op), uop->dtype->repr);
      for (guint32 s = 0; s < uop->n_src; s++)
        g_string_append_printf (text, " %u", uop->src[s]->id);
      g_string_append_c (text, ' ');
      fb_arg_append_repr (context, uop->arg, text);
      g_string_append_c (text, '\n');
    }
  g_string_append_printf (text, "%d %u %" G_GINT64_FORMAT "\n", row->kind, row->sink->id, row->max_unique);
  for (guint i = 0; i < row->kernels->len; i++)
    g_string_append_printf (text, "%u\n", ((FbUop *) row->kernels->pdata[i])->id);
  for (guint i = 0; i < row->vars->len; i++)
    {
      const FbContextVar *var = &g_array_index (row->vars, FbContextVar, i);

      g_string_append_printf (text, "%s=%" G_GINT64_FORMAT "\n", var->name, var->value);
    }
  return g_string_free (text, FALSE);
}

/* Reads both spellings. The arguments of a call are not kept only where they are taken as a whole. TRUE when it was a row. */
static gboolean
check_same (const guint8 *bytes, const GArray *opcodes)
{
  g_autoptr (GByteArray) whole = respell (bytes, opcodes, FALSE), plain = respell (bytes, opcodes, TRUE);
  g_autofree char *of_whole = describe (whole), *of_plain = describe (plain);

  if (!strstr (of_whole, "which are not kept"))
    g_assert_cmpstr (of_whole, ==, of_plain);
  return *of_whole != ':';
}

typedef void (*RowFunc) (const guint8 *bytes, const GArray *opcodes);

static void
for_each_row (const char *sample, RowFunc function)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), sample, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (FbCapture) capture = fb_capture_open (path, NULL, &error);

  g_assert_no_error (error);
  for (guint row = 1; row <= fb_capture_n_rows (capture, FB_ROW_SCHEDULE); row++)
    {
      g_autoptr (GBytes) bytes = fb_capture_read_blob (capture, FB_ROW_SCHEDULE, row, &error);
      gsize len;
      const guint8 *data = g_bytes_get_data (bytes, &len);
      g_autoptr (GArray) opcodes = find_opcodes (data, len);

      g_assert_no_error (error);
      g_assert_nonnull (opcodes);
      function (data, opcodes);
    }
}

static void
check_row (const guint8 *bytes, const GArray *opcodes)
{
  g_assert_true (check_same (bytes, opcodes));
}

static void
test_samples (void)
{
  g_autoptr (GDir) folder = g_dir_open (g_getenv ("FUSEBOX_SAMPLES"), 0, NULL);
  const char *name;
  guint n = 0;

  g_assert_nonnull (folder);
  while ((name = g_dir_read_name (folder)))
    if (g_str_has_suffix (name, ".db"))
      {
        for_each_row (name, check_row);
        n++;
      }
  g_assert_cmpuint (n, >, 1);
}

static GRand *random_numbers;

/* One opcode written over another, left out, written twice, or with another byte in it. */
static GByteArray *
spoil (const guint8 *bytes, const GArray *opcodes)
{
#define AT(i) g_array_index (opcodes, gsize, i)
  GByteArray *a = g_byte_array_new ();
  const gint32 n = (gint32) opcodes->len - 1;
  const guint one = (guint) g_rand_int_range (random_numbers, 2, n),
              other = (guint) g_rand_int_range (random_numbers, 2, n);
  const int kind = g_rand_int_range (random_numbers, 0, 4);

  g_byte_array_append (a, bytes, AT (one));
  if (kind == 0 || kind == 2)
    g_byte_array_append (a, bytes + AT (other), AT (other + 1) - AT (other));
  if (kind >= 2)
    g_byte_array_append (a, bytes + AT (one), AT (one + 1) - AT (one));
  if (kind == 3)
    a->data[a->len - 1] = (guint8) g_rand_int_range (random_numbers, 0, 256);
  g_byte_array_append (a, bytes + AT (one + 1), AT (n) - AT (one + 1));
  return a;
#undef AT
}

static guint n_read, n_refused;

static void
spoil_row (const guint8 *bytes, const GArray *opcodes)
{
  for (int i = 0; i < 1500; i++)
    {
      g_autoptr (GByteArray) spoiled = spoil (bytes, opcodes);
      g_autoptr (GArray) found = find_opcodes (spoiled->data, spoiled->len);

      if (found && check_same (spoiled->data, found))
        n_read++;
      else
        n_refused += found != NULL;
    }
}

static void
test_spoiled (void)
{
  random_numbers = g_rand_new_with_seed (7);
  for_each_row ("lerp.db", spoil_row);
  for_each_row ("views.db", spoil_row);
  g_rand_free (random_numbers);
  /* both were put to the test */
  g_assert_cmpuint (n_read, >, 100);
  g_assert_cmpuint (n_refused, >, 100);
}

/* Memo entries: 0 UOp, 1 getattr, 2 Ops, 3 void. */
static GByteArray *
begin (void)
{
  GByteArray *a = g_byte_array_new ();

  RAW (a, "(");
  pk_global (a, "tinygrad.ops", "UOp");
  RAW (a, "\x94");
  pk_global (a, "builtins", "getattr");
  RAW (a, "\x94");
  pk_global (a, "tinygrad.ops", "Ops");
  RAW (a, "\x94");
  pk_void (a);
  RAW (a, "\x94");
  RAW (a, "1");
  return a;
}

/* SINK (NOOP(),), an op at its first use. Memo entries: 4 the name and 6 the op SINK, 7 and 9 NOOP, 11 its node, 12 the
 * sources of the SINK, 14 its node; 5, 8, 10 and 13 are the arguments of calls. */
static void
pk_sink (GByteArray *a)
{
  RAW (a, "h\x00(h\x01h\x02\x8c\x04SINK\x94\x86\x94R\x94h\x03");
  RAW (a, "h\x00(h\x01h\x02\x8c\x04NOOP\x94\x86\x94R\x94h\x03)Nt\x94R\x94");
  RAW (a, "\x85\x94Nt\x94R\x94");
}

#define PADDING "(NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN1"

/* The tuple of sources is not made for the node, but is there for who asks. */
static void
test_sources (void)
{
  g_autoptr (GByteArray) a = begin ();
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbCaptureRow) row = NULL;
  g_autofree char *message = NULL, *text = NULL;

  pk_sink (a);
  RAW (a, "0h\x00(h\x06h\x03h\x0cNt\x94R\x94." PADDING);
  row = pk_row (context, a, NULL, &message);
  g_assert_cmpstr (message, ==, NULL);
  text = fb_uop_to_text (context, row->sink);
  g_assert_cmpstr (text, ==,
                   "UOp(Ops.SINK, dtypes.void, arg=None, src=(\n  UOp(Ops.NOOP, dtypes.void, arg=None, src=()),))");
}

/* The arguments of a call are not there. */
static void
test_spent (void)
{
  g_autoptr (GByteArray) a = begin ();
  g_autoptr (FbContext) context = fb_context_new ();
  g_autofree char *message = NULL;

  pk_sink (a);
  RAW (a, "h\x0d." PADDING);
  g_assert_null (pk_row (context, a, NULL, &message));
  g_assert_nonnull (strstr (message, "memo entry 13 is the arguments of a call, which are not kept"));
}

/* The class below another mark is out of reach of the call, which a node between does not hide. */
static void
test_mark_between (void)
{
  g_autoptr (GByteArray) a = begin ();
  g_autoptr (FbContext) context = fb_context_new ();
  g_autofree char *message = NULL;

  pk_sink (a);
  RAW (a, "h\x00((h\x06h\x03h\x00(h\x09h\x03)Nt\x94R\x94\x85\x94Nt\x94R\x94." PADDING);
  g_assert_null (pk_row (context, a, NULL, &message));
  g_assert_nonnull (strstr (message, "an opcode needs more values than are on the stack"));
}

/* A class in the memo that something else was put over. */
static void
test_overwritten (void)
{
  g_autoptr (GByteArray) a = begin ();
  g_autoptr (FbContext) context = fb_context_new ();
  g_autofree char *message = NULL;

  pk_sink (a);
  RAW (a, "q\x00h\x00(h\x09h\x03)Nt\x94R\x94." PADDING);
  g_assert_null (pk_row (context, a, NULL, &message));
  g_assert_nonnull (strstr (message, "a call is not of a global with a tuple of arguments"));
}

/* The options of a row: who gets one of them or its state, or prints them, finds what BUILD made. */
static void
test_options (void)
{
  g_autoptr (GByteArray) a = begin (), plain = NULL;
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  g_autoptr (GArray) opcodes = NULL;
  g_autofree char *printed = NULL, *of_plain = NULL;

  /* 4 the dict, 5 a module, 6 the class, 7 a name, 8 its object, 9 its state, 10 and 11 the keys; then three an option */
  RAW (a, "(}\x94\x8c\x10tinygrad.helpers\x94\x8c\x0a"
          "ContextVar\x93\x94"
          "0(\x8c\x03ONE\x94h\x06)\x81\x94}\x94(\x8c\x05value\x94K\x01\x8c\x03key\x94h\x07ub");
  for (guint8 i = 0; i < 4; i++)
    {
      RAW (a, "\x8c\x03TW");
      pk_byte (a, (guint8) ('A' + i));
      RAW (a, "\x94h\x06)\x81\x94}\x94(h\x0aK");
      pk_byte (a, i);
      RAW (a, "h\x0bh");
      pk_byte (a, (guint8) (12 + 3 * i));
      RAW (a, "ub");
    }
  /* the object of the third, the state of the fourth, and one more item; then all of it */
  RAW (a, "uh\x13h\x17h\x04\x8c\x04MOREK\x07st." PADDING);
  opcodes = find_opcodes (a->data, a->len);
  g_assert_nonnull (opcodes);
  plain = respell (a->data, opcodes, TRUE);
  printed = pk_load (pickle, a);
  of_plain = pk_load (pickle, plain);
  g_assert_cmpstr (printed, ==, of_plain);
#define VAR(value, key) "<tinygrad.helpers.ContextVar(value=" value ", key='" key "')>"
#define ALL                                                                                               \
  "{'ONE': " VAR ("1", "ONE") ", 'TWA': " VAR ("0", "TWA") ", 'TWB': " VAR ("1", "TWB") ", 'TWC': " VAR ( \
      "2", "TWC") ", 'TWD': " VAR ("3", "TWD") ", 'MORE': 7}"
  g_assert_cmpstr (printed, ==, "(" ALL ", " VAR ("2", "TWC") ", {'value': 3, 'key': 'TWD'}, " ALL ")");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/core/capture/forms/samples", test_samples);
  g_test_add_func ("/core/capture/forms/spoiled", test_spoiled);
  g_test_add_func ("/core/capture/forms/sources", test_sources);
  g_test_add_func ("/core/capture/forms/spent", test_spent);
  g_test_add_func ("/core/capture/forms/mark-between", test_mark_between);
  g_test_add_func ("/core/capture/forms/overwritten", test_overwritten);
  g_test_add_func ("/core/capture/forms/options", test_options);
  return g_test_run ();
}
