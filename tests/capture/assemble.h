/* Pickles by hand: opcodes appended to a byte array. */
#pragma once

#include <string.h>

#include "core/capture/capture.h"
#include "core/capture/pickle.h"

/* Bytes as a literal, NULs included. */
#define RAW(a, literal) g_byte_array_append (a, (const guint8 *) (literal), sizeof (literal) - 1)

static inline void
pk_byte (GByteArray *a, guint8 byte)
{
  g_byte_array_append (a, &byte, 1);
}

static inline void
pk_le (GByteArray *a, guint64 value, int bytes)
{
  for (int i = 0; i < bytes; i++)
    pk_byte (a, (guint8) (value >> (8 * i)));
}

static inline void
pk_text (GByteArray *a, const char *text)
{
  pk_byte (a, 0x8c);
  pk_byte (a, (guint8) strlen (text));
  g_byte_array_append (a, (const guint8 *) text, strlen (text));
}

static inline void
pk_global (GByteArray *a, const char *module, const char *name)
{
  pk_text (a, module);
  pk_text (a, name);
  pk_byte (a, 0x93);
}

static inline void
pk_get (GByteArray *a, guint32 index)
{
  pk_byte (a, 'j');
  pk_le (a, index, 4);
}

static inline void
pk_put (GByteArray *a, guint32 index)
{
  pk_byte (a, 'r');
  pk_le (a, index, 4);
}

static inline void
pk_int (GByteArray *a, gint32 value)
{
  pk_byte (a, 'J');
  pk_le (a, (guint32) value, 4);
}

/* getattr (Ops, name), as Python 3.11 writes an op. */
static inline void
pk_op (GByteArray *a, const char *name)
{
  pk_global (a, "builtins", "getattr");
  pk_global (a, "tinygrad.ops", "Ops");
  pk_text (a, name);
  RAW (a, "\x86R");
}

/* Ops (value), as 3.10, 3.12 and 3.13 write it. */
static inline void
pk_op_value (GByteArray *a, int value)
{
  pk_global (a, "tinygrad.ops", "Ops");
  pk_int (a, value);
  RAW (a, "\x85R");
}

static inline void
pk_dtype (GByteArray *a, int priority, int size, const char *name, const char *format)
{
  pk_global (a, "tinygrad.dtype", "DType");
  RAW (a, "(");
  pk_int (a, priority);
  pk_int (a, size);
  pk_text (a, name);
  if (format)
    pk_text (a, format);
  else
    RAW (a, "N");
  RAW (a, "K\x01NtR");
}

#define pk_void(a) pk_dtype (a, -1, 0, "void", NULL)
#define pk_int32(a) pk_dtype (a, 5, 4, "int", "i")
#define pk_float(a) pk_dtype (a, 11, 4, "float", "f")

/* Loads @a; the repr of its root, or the message of its error. */
static inline char *
pk_load (FbPickle *pickle, GByteArray *a)
{
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (GError) error = NULL;
  FbPickleOptions options = { .path = "test" };
  FbValue root;

  if (fb_pickle_load (pickle, a->data, a->len, &options, context, &root, &error))
    return fb_pickle_repr (pickle, &root);
  g_assert_cmpint ((int) error->domain, ==, (int) FB_CAPTURE_ERROR);
  return g_strdup (error->message);
}

static inline char *
pk_load_literal (const char *bytes, gsize len)
{
  g_autoptr (FbPickle) pickle = fb_pickle_new ();
  g_autoptr (GByteArray) a = g_byte_array_new ();

  g_byte_array_append (a, (const guint8 *) bytes, len);
  return pk_load (pickle, a);
}

/* A literal pickle and what it prints. */
#define CHECK(literal, expected)                                              \
  do                                                                          \
    {                                                                         \
      g_autofree char *got = pk_load_literal (literal, sizeof (literal) - 1); \
      g_assert_cmpstr (got, ==, expected);                                    \
    }                                                                         \
  while (0)

/* A row from bytes; the error's message in *@message when it does not read. */
static inline FbCaptureRow *
pk_row (FbContext *context, GByteArray *a, const char *release, char **message)
{
  g_autoptr (GBytes) bytes = g_bytes_new (a->data, a->len);
  g_autoptr (GError) error = NULL;
  FbCaptureRow *row = fb_capture_read_bytes (bytes, "test", release, context, &error);

  g_assert_true ((row == NULL) == (error != NULL));
  if (message)
    *message = error ? g_strdup (error->message) : NULL;
  return row;
}
