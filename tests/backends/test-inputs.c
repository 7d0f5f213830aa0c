/* What buffers are filled with: array files of every kind, damaged ones, and the range of labels. */
#include <math.h>

#include "backends/interp/lane.h"
#include "backends/run/array-file.h"
#include "backends/run/input.h"
#include "backends/run/limits.h"
#include "backends/values/values.h"

#include "case.h"

static void
apply (const char *text, guint type, gint64 n, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbInput) input = fb_input_parse (text, &error);
  g_assert_no_error (error);
  fb_input_apply (input, type, n, 1, 0, data, &error);
  g_assert_no_error (error);
}

/* Writes @bytes to a file of the folder; free with g_free. */
static char *
write_file (const char *folder, const char *name, gconstpointer bytes, gsize size)
{
  char *path = g_build_filename (folder, name, NULL);
  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
  return path;
}

static GString *
npy_bytes (const char *descr, gboolean fortran, const char *shape, gconstpointer data, gsize size)
{
  GString *file = g_string_new (NULL);
  g_autofree char *header = g_strdup_printf ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }\n", descr,
                                             fortran ? "True" : "False", shape);
  g_string_append_len (file, "\x93NUMPY\x01\x00", 8);
  g_string_append_c (file, (char) strlen (header));
  g_string_append_c (file, 0);
  g_string_append (file, header);
  g_string_append_len (file, data, (gssize) size);
  return file;
}

static void
test_npy_orders (void)
{
  g_autofree char *folder = cache_folder ();
  const gint16 stored[6] = { 1, 4, 2, 5, 3, 6 };
  const guint8 swapped[8] = { 0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0 };
  gint64 out[6];
  float real[2];
  g_autoptr (GError) error = NULL;
  GString *file = npy_bytes ("<i2", TRUE, "(2, 3)", stored, sizeof stored);
  g_autofree char *fortran = write_file (folder, "f.npy", file->str, file->len);
  g_string_free (file, TRUE);
  /* read in C order, and as wider integers */
  g_assert_true (fb_array_read (fortran, NULL, FB_SCALAR_INT64, 6, (guint8 *) out, &error));
  g_assert_cmpmem (out, sizeof out, ((gint64[]){ 1, 2, 3, 4, 5, 6 }), sizeof out);
  file = npy_bytes (">f4", FALSE, "(2,)", swapped, sizeof swapped);
  g_autofree char *big = write_file (folder, "b.npy", file->str, file->len);
  g_string_free (file, TRUE);
  g_assert_true (fb_array_read (big, NULL, FB_SCALAR_FLOAT32, 2, (guint8 *) real, &error));
  g_assert_true (real[0] == 1 && real[1] == -2);
  remove_folder (folder);
}

static const char safe_header[]
    = "{\"__metadata__\":{\"format\":\"pt\"},\"w\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":"
      "[0,8]},\"ids\":{\"dtype\":\"I64\",\"shape\":[3],\"data_offsets\":[8,32]}}";

static GByteArray *
safetensors_bytes (const char *header)
{
  GByteArray *file = g_byte_array_new ();
  const guint64 length = GUINT64_TO_LE (strlen (header));
  const guint16 halves[4] = { 0x3c00, 0xc000, 0x0000, 0x7c00 };
  const gint64 ids[3] = { 5, -6, 7 };
  g_byte_array_append (file, (const guint8 *) &length, 8);
  g_byte_array_append (file, (const guint8 *) header, (guint) strlen (header));
  g_byte_array_append (file, (const guint8 *) halves, sizeof halves);
  g_byte_array_append (file, (const guint8 *) ids, sizeof ids);
  return file;
}

static void
test_safetensors (void)
{
  g_autofree char *folder = cache_folder ();
  g_autoptr (GByteArray) file = safetensors_bytes (safe_header);
  g_autofree char *path = write_file (folder, "x.safetensors", file->data, file->len),
                  *spec = g_strdup_printf ("file %s#w", path);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = fb_array_list (path, &error);
  float real[4];
  gint32 ids[3];
  guint8 bytes[3];
  g_assert_cmpuint (list->len, ==, 2);
  g_assert_cmpstr (((FbArrayInfo *) list->pdata[1])->name, ==, "ids");
  apply (spec, FB_SCALAR_FLOAT32, 4, real);
  g_assert_true (real[0] == 1 && real[1] == -2 && real[2] == 0 && isinf (real[3]));
  g_assert_true (fb_array_read (path, "ids", FB_SCALAR_INT32, 3, (guint8 *) ids, &error));
  g_assert_cmpint (ids[1], ==, -6);
  /* -6 is no unsigned byte */
  g_assert_false (fb_array_read (path, "ids", FB_SCALAR_UINT8, 3, bytes, &error));
  g_assert_nonnull (strstr (error->message, "element 1 does not fit"));
  g_clear_error (&error);
  g_assert_false (fb_array_read (path, NULL, FB_SCALAR_INT32, 3, (guint8 *) ids, &error));
  g_assert_nonnull (strstr (error->message, "2 arrays"));
  remove_folder (folder);
}

static void
test_safetensors_damaged (void)
{
  static const char *const headers[] = {
    "{\"w\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[0,9]}}",
    "{\"w\":{\"dtype\":\"F16\",\"shape\":[2,2],\"data_offsets\":[8,0]}}",
    "{\"w\":{\"dtype\":\"F16\",\"shape\":[4611686018427387904,4],\"data_offsets\":[0,8]}}",
    "{\"w\":{\"dtype\":\"F16\",\"shape\":[-2],\"data_offsets\":[0,8]}}",
    "{\"w\":{\"dtype\":\"F16\",\"shape\":[4],\"data_offsets\":[9223372036854775807,9223372036854775807]}}",
    "{\"w\":{\"dtype\":\"F16\",\"shape\":[[[[[[[[4]]]]]]]],\"data_offsets\":[0,8]}}",
    "{\"w\":{\"dtype\":\"F16\"}}",
    "{\"w\":",
    "{\"w\\",
    "{",
  };
  g_autofree char *folder = cache_folder ();
  for (guint i = 0; i < G_N_ELEMENTS (headers); i++)
    {
      g_autoptr (GByteArray) file = safetensors_bytes (headers[i]);
      g_autofree char *path = write_file (folder, "x.safetensors", file->data, file->len);
      g_autoptr (GError) error = NULL;
      g_assert_null (fb_array_list (path, &error));
      g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT);
    }
  remove_folder (folder);
}

static void
append_number (GString *file, guint64 value, guint bytes)
{
  for (guint i = 0; i < bytes; i++)
    g_string_append_c (file, i < 8 ? (char) (value >> 8 * i) : 0);
}

/* A ZIP of one member "w.npy", as zipfile writes it: stored, or deflated. */
static GString *
zip_bytes (const GString *member, gboolean deflated)
{
  GString *file = g_string_new (NULL);
  g_autofree guint8 *packed = g_malloc (member->len + 1024);
  gsize size = member->len;
  memcpy (packed, member->str, size);
  if (deflated)
    {
      g_autoptr (GZlibCompressor) deflate = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_RAW, 6);
      gsize read;
      g_assert_cmpint (g_converter_convert (G_CONVERTER (deflate), member->str, member->len, packed, member->len + 1024,
                                            G_CONVERTER_INPUT_AT_END, &read, &size, NULL),
                       ==, G_CONVERTER_FINISHED);
    }
  for (guint directory = 0; directory < 2; directory++)
    {
      g_string_append_len (file, directory ? "PK\1\2\24\0" : "PK\3\4", directory ? 6 : 4);
      append_number (file, 20, 2);
      append_number (file, 0, 2);
      append_number (file, deflated ? 8 : 0, 2);
      append_number (file, 0, 8); /* time, date, checksum */
      append_number (file, size, 4);
      append_number (file, member->len, 4);
      append_number (file, 5, 2);
      append_number (file, 0, directory ? 16 : 2); /* and, in the directory, the place: 0 */
      g_string_append (file, "w.npy");
      if (!directory)
        g_string_append_len (file, (char *) packed, (gssize) size);
    }
  gsize start = 30 + 5 + size;
  g_string_append_len (file, "PK\5\6\0\0\0\0", 8);
  append_number (file, 1, 2);
  append_number (file, 1, 2);
  append_number (file, file->len - 12 - start, 4);
  append_number (file, start, 4);
  append_number (file, 0, 2);
  return file;
}

static void
test_npz (void)
{
  g_autofree char *folder = cache_folder ();
  const double numbers[3] = { 1.5, -2.5, 1e300 };
  g_autoptr (GString) member = npy_bytes ("<f8", FALSE, "(3,)", numbers, sizeof numbers);
  for (guint deflated = 0; deflated < 2; deflated++)
    {
      g_autoptr (GString) file = zip_bytes (member, deflated != 0);
      g_autofree char *path = write_file (folder, "x.npz", file->str, file->len);
      g_autoptr (GError) error = NULL;
      double out[3];
      g_autoptr (GPtrArray) list = fb_array_list (path, &error);
      g_assert_no_error (error);
      g_assert_cmpuint (list->len, ==, 1);
      g_assert_cmpstr (((FbArrayInfo *) list->pdata[0])->name, ==, "w");
      g_assert_true (fb_array_read (path, "w", FB_SCALAR_FLOAT64, 3, (guint8 *) out, &error));
      g_assert_cmpmem (out, sizeof out, numbers, sizeof numbers);
      g_assert_false (fb_array_read (path, "w", FB_SCALAR_FLOAT64, 4, (guint8 *) out, &error));
    }
  remove_folder (folder);
}

/* Files of every kind with bytes changed, cut off and put in: read or refused, and never past their end, which the sanitizers' build
 * looks at. */
static void
test_damaged (void)
{
  g_autofree char *folder = cache_folder (), *path = g_build_filename (folder, "x", NULL);
  const double numbers[3] = { 1, 2, 3 };
  g_autoptr (GString) npy = npy_bytes ("<f8", FALSE, "(3,)", numbers, sizeof numbers), stored = zip_bytes (npy, FALSE),
                      deflated = zip_bytes (npy, TRUE);
  g_autoptr (GByteArray) safe = safetensors_bytes (safe_header);
  const struct
  {
    const void *bytes;
    gsize size;
  } files[] = {
    { npy->str, npy->len }, { stored->str, stored->len }, { deflated->str, deflated->len }, { safe->data, safe->len }
  };
  GRand *random = g_rand_new_with_seed (7);
  guint read = 0;
  for (guint i = 0; i < 3000; i++)
    {
      gsize size = files[i % 4].size;
      g_autofree guint8 *bytes = g_memdup2 (files[i % 4].bytes, size);
      guint8 out[64];
      for (gint n = g_rand_int_range (random, 0, 4); n > 0; n--)
        {
          static const char telling[] = "\xff\0(,:]}\"9";
          guint8 any = (guint8) g_rand_int (random), one = (guint8) telling[g_rand_int_range (random, 0, 9)];
          bytes[g_rand_int_range (random, 0, (gint32) size)] = g_rand_boolean (random) ? any : one;
        }
      if (g_rand_int_range (random, 0, 3) == 0)
        size = (gsize) g_rand_int_range (random, 0, (gint32) size + 1);
      g_autoptr (GError) error = NULL;
      g_assert_true (
          g_file_set_contents_full (path, (char *) bytes, (gssize) size, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
      g_autoptr (GPtrArray) list = fb_array_list (path, &error);
      g_assert_true ((list == NULL) == (error != NULL));
      read += fb_array_read (path,
                             i % 4 == 0   ? NULL
                             : i % 4 == 3 ? "ids"
                                          : "w",
                             i % 4 == 3 ? FB_SCALAR_INT64 : FB_SCALAR_FLOAT64, 3, out, NULL);
    }
  /* those that were left as they were, at least */
  g_assert_cmpuint (read, >, 300);
  g_rand_free (random);
  remove_folder (folder);
}

/* The labels of a training step index the classes. */
static void
test_limits (void)
{
  g_autoptr (FbCapture) capture = open_sample ("embedding.db");
  guint found = 0;
  Case k;
  g_assert_true (case_init (&k, capture, 1, G_MAXSIZE, NULL));
  g_autofree gint64 *limits = fb_plan_index_limits (k.plan);
  for (guint i = 0; i < k.plan->buffers->len; i++)
    {
      const FbPlanBuffer *buffer = fb_plan_buffer (k.plan, i);
      g_assert_true (limits[i] == 0 || (!buffer->starts_as_output && !fb_scalar_is_float (buffer->type)));
      if (limits[i] > 0)
        {
          g_test_message ("buffer %d: below %" G_GINT64_FORMAT, buffer->ordinal, limits[i]);
          found++;
        }
    }
  g_assert_cmpuint (found, ==, 1);
  case_clear (&k);
}

static void
test_input_text (void)
{
  static const char *const texts[]
      = { "fill",          "constant '-1.5'",         "range 0 0.25",          "uniform -1 10",
          "normal 0 0.02", "file '/a b/c'\\''d.npy'", "fill '3=nan' '17=0x7f'" };
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (FbInput) input = fb_input_parse (texts[i], &error);
      g_assert_no_error (error);
      g_autofree char *text = fb_input_print (input);
      g_assert_cmpstr (text, ==, texts[i]);
    }
  static const char *const wrong[]
      = { "",       "   ",       "fills",   "constant", "range 1", "range a b", "normal 0 inf",
          "fill 3", "fill -1=2", "fill =2", "fill 3=",  "file 'x" };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr (GError) error = NULL;
      g_assert_null (fb_input_parse (wrong[i], &error));
      g_assert_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT);
    }
  g_autoptr (FbInput) input = fb_input_new ();
  fb_input_edit (input, 5, "1");
  fb_input_edit (input, 2, "2");
  fb_input_edit (input, 5, "3");
  fb_input_edit (input, 2, NULL);
  g_autofree char *text = fb_input_print (input);
  g_assert_cmpstr (text, ==, "fill '5=3'");
}

/* FALSE: it was refused. */
static gboolean
applies (const char *text, guint type, gint64 n, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FbInput) input = fb_input_parse (text, &error);
  g_assert_no_error (error);
  gboolean done = fb_input_apply (input, type, n, 1, 0, data, &error);
  g_assert_true (done == (error == NULL));
  return done;
}

static void
test_input_apply (void)
{
  enum
  {
    N = 20000
  };
  g_autofree float *floats = g_new (float, N), *rule = g_new (float, N);
  g_autofree gint32 *ints = g_new (gint32, N);
  FbValueStats stats;
  g_assert_true (applies ("fill", FB_SCALAR_FLOAT32, N, floats));
  fb_fill (FB_SCALAR_FLOAT32, N, 1, 0, (guint8 *) rule);
  g_assert_cmpmem (floats, N * 4, rule, N * 4);
  g_assert_true (applies ("range 1 0.5 3=nan", FB_SCALAR_FLOAT32, N, floats));
  g_assert_cmpfloat (floats[2], ==, 2);
  g_assert_true (isnan (floats[3]));
  g_assert_true (applies ("constant 7", FB_SCALAR_INT32, N, ints));
  g_assert_cmpint (ints[N - 1], ==, 7);
  /* labels: every one of ten, and no other */
  g_assert_true (applies ("uniform 0 10", FB_SCALAR_INT32, N, ints));
  fb_value_stats (FB_SCALAR_INT32, N, (guint8 *) ints, &stats, NULL);
  g_assert_cmpfloat (stats.min, ==, 0);
  g_assert_cmpfloat (stats.max, ==, 9);
  g_assert_cmpfloat_with_epsilon (stats.mean, 4.5, 0.1);
  g_assert_true (applies ("normal 3 0.5", FB_SCALAR_FLOAT32, N, floats));
  fb_value_stats (FB_SCALAR_FLOAT32, N, (guint8 *) floats, &stats, NULL);
  g_assert_cmpfloat_with_epsilon (stats.mean, 3, 0.02);
  g_assert_cmpfloat_with_epsilon (stats.std, 0.5, 0.02);
  g_assert_false (applies ("constant 300", FB_SCALAR_INT8, 4, ints));
  g_assert_false (applies ("constant x", FB_SCALAR_FLOAT32, 4, floats));
  g_assert_false (applies ("fill 4=1", FB_SCALAR_FLOAT32, 4, floats));
  g_assert_false (applies ("fill 3=x", FB_SCALAR_FLOAT32, 4, floats));
  g_assert_false (applies ("file /no/such.npy", FB_SCALAR_FLOAT32, 4, floats));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/inputs/npy-orders", test_npy_orders);
  g_test_add_func ("/backends/inputs/safetensors", test_safetensors);
  g_test_add_func ("/backends/inputs/safetensors-damaged", test_safetensors_damaged);
  g_test_add_func ("/backends/inputs/npz", test_npz);
  g_test_add_func ("/backends/inputs/damaged", test_damaged);
  g_test_add_func ("/backends/inputs/labels-have-a-range", test_limits);
  g_test_add_func ("/backends/inputs/text", test_input_text);
  g_test_add_func ("/backends/inputs/apply", test_input_apply);
  return g_test_run ();
}
