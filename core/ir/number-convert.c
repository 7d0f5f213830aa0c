/* Numbers from one kind to another, and their text. */
#include "big.h"

#include <math.h>
#include <string.h>

double
fb_num_to_double (FbArg a)
{
  mpz_t z;

  if (a.kind == FB_ARG_FLOAT)
    return a.f;
  if (a.kind == FB_ARG_BIG)
    return fb_mpz_to_double (mpz_roinit_n (z, a.big->limbs, a.big->size));
  return (double) a.i;
}

FbArg
fb_num_to_int (FbContext *context, FbArg a)
{
  mpz_t z;
  FbArg result;

  if (a.kind == FB_ARG_INT || a.kind == FB_ARG_BIG)
    return a;
  if (a.kind == FB_ARG_BOOL)
    return fb_arg_int (a.i);
  if (a.kind != FB_ARG_FLOAT)
    return fb_num_refuse (context, "int() of something that is no number");
  if (isnan (a.f))
    return fb_num_refuse (context, "cannot convert float NaN to integer");
  if (isinf (a.f))
    return fb_num_refuse (context, "cannot convert float infinity to integer");
  if (a.f >= -0x1p63 && a.f < 0x1p63)
    return fb_arg_int ((gint64) a.f);
  mpz_init_set_d (z, a.f);
  result = fb_num_from_mpz (context, z);
  mpz_clear (z);
  return result;
}

FbArg
fb_num_to_float (FbContext *context, FbArg a)
{
  double value;

  if (a.kind == FB_ARG_FLOAT)
    return a;
  if (!fb_arg_is_number (a))
    return fb_num_refuse (context, "float() of something that is no number");
  value = fb_num_to_double (a);
  return isinf (value) ? fb_num_refuse (context, "int too large to convert to float") : fb_arg_float (value);
}

FbArg
fb_num_to_bool (FbArg a)
{
  return fb_arg_bool (fb_arg_truth (a));
}

static FbArg
scalar_as_const (FbContext *context, FbArg value, const FbDType *dtype)
{
  if (!fb_arg_is_number (value))
    return fb_num_refuse (context, "a constant that is no number");
  if (fb_dtype_is_int (dtype))
    return value.kind == FB_ARG_INT ? value : fb_num_to_int (context, value);
  if (fb_dtype_is_float (dtype))
    return fb_num_to_float (context, value);
  return fb_num_to_bool (value);
}

FbArg
fb_num_as_const (FbContext *context, FbArg value, const FbDType *dtype)
{
  g_autofree FbArg *lanes = NULL;
  const FbTuple *tuple = value.tuple;

  if (value.kind != FB_ARG_TUPLE)
    return scalar_as_const (context, value, dtype);
  if (tuple->n != (guint) dtype->count)
    {
      fb_context_fail (context, FB_ERROR_DTYPE, NULL, "a constant of %u lanes where %s has %d", tuple->n, dtype->repr,
                       dtype->count);
      return FB_ARG_NIL;
    }
  lanes = g_new (FbArg, tuple->n);
  for (guint i = 0; i < tuple->n; i++)
    {
      lanes[i] = scalar_as_const (context, tuple->items[i], dtype);
      if (lanes[i].kind == FB_ARG_NONE)
        return FB_ARG_NIL;
    }
  return fb_arg_new_tuple (context, tuple->n, lanes);
}

/* 2**@bits - 1 */
static FbArg
all_ones (FbContext *context, int bits)
{
  if (bits <= 63)
    return fb_arg_int (G_MAXINT64 >> (63 - bits));
  return fb_num_sub (context, fb_num_shl (context, fb_arg_int (1), fb_arg_int (bits)), fb_arg_int (1));
}

/* Bits are those of the whole type, as the reference counts: int.vec(4) has 128. */
FbArg
fb_dtype_min (FbContext *context, const FbDType *dtype)
{
  if (fb_dtype_is_unsigned (dtype))
    return fb_arg_int (0);
  if (fb_dtype_is_int (dtype))
    return fb_num_sub (context, fb_arg_int (-1), all_ones (context, dtype->itemsize * 8 - 1));
  return fb_dtype_is_float (dtype) ? fb_arg_float (-INFINITY) : fb_arg_bool (FALSE);
}

FbArg
fb_dtype_max (FbContext *context, const FbDType *dtype)
{
  if (fb_dtype_is_int (dtype))
    return all_ones (context, dtype->itemsize * 8 - !fb_dtype_is_unsigned (dtype));
  return fb_dtype_is_float (dtype) ? fb_arg_float (INFINITY) : fb_arg_bool (TRUE);
}

void
fb_num_append_int (GString *text, FbArg integer)
{
  mpz_t z;
  gsize room, old = text->len;

  if (integer.kind != FB_ARG_BIG)
    {
      char digits[24], *p = digits + sizeof digits;
      guint64 rest = integer.i < 0 ? -(guint64) integer.i : (guint64) integer.i;

      do
        *--p = (char) ('0' + rest % 10);
      while (rest /= 10);
      if (integer.i < 0)
        *--p = '-';
      g_string_append_len (text, p, digits + sizeof digits - p);
      return;
    }
  mpz_roinit_n (z, integer.big->limbs, integer.big->size);
  room = mpz_sizeinbase (z, 10) + 2;
  g_string_set_size (text, old + room);
  mpz_get_str (text->str + old, 10, z);
  g_string_truncate (text, old + strlen (text->str + old));
}

/* A positive finite double as digits d.ddd times ten to @exponent, without trailing zeros. */
typedef struct
{
  char digits[20];
  int n, exponent;
} Decimal;

static void
decimal_strip (Decimal *decimal)
{
  while (decimal->n > 1 && decimal->digits[decimal->n - 1] == '0')
    decimal->n--;
}

static void
decimal_of (Decimal *decimal, double value, int precision)
{
  char format[8], text[G_ASCII_DTOSTR_BUF_SIZE];
  const char *p = text;

  g_snprintf (format, sizeof format, "%%.%de", precision - 1);
  g_ascii_formatd (text, sizeof text, format, value);
  decimal->n = 0;
  for (; *p != 'e'; p++)
    if (*p != '.')
      decimal->digits[decimal->n++] = *p;
  decimal->exponent = atoi (p + 1);
}

static gboolean
decimal_is (const Decimal *decimal, double value)
{
  char text[40];

  g_snprintf (text, sizeof text, "%.*se%d", decimal->n, decimal->digits, decimal->exponent - decimal->n + 1);
  return g_ascii_strtod (text, NULL) == value;
}

static void
decimal_next (Decimal *decimal)
{
  int i = decimal->n - 1;

  while (i >= 0 && decimal->digits[i] == '9')
    decimal->digits[i--] = '0';
  if (i >= 0)
    decimal->digits[i]++;
  else
    {
      memset (decimal->digits, '0', (gsize) decimal->n);
      decimal->digits[0] = '1';
      decimal->exponent++;
    }
}

/* The shortest decimal that reads back as @value. Up to 15 digits always survive the way there and back, so one try tells
 * whether they suffice; not so for subnormals, which have fewer. Above a power of two the gap between doubles is twice that
 * below, and the decimal to take can be the next one up from the nearest. */
static void
shortest (Decimal *decimal, double value)
{
  int exponent;
  gboolean power_of_two = frexp (value, &exponent) == 0.5;

  for (int precision = value < 0x1p-1021 ? 1 : 15; precision <= 17; precision++)
    {
      decimal_of (decimal, value, precision);
      if (decimal_is (decimal, value))
        break;
      if (power_of_two)
        {
          decimal_next (decimal);
          if (decimal_is (decimal, value))
            break;
        }
    }
  decimal_strip (decimal);
}

void
fb_num_append_float (GString *text, double value)
{
  Decimal decimal;

  if (isnan (value))
    {
      g_string_append (text, "nan");
      return;
    }
  if (signbit (value))
    g_string_append_c (text, '-');
  value = fabs (value);
  if (isinf (value))
    {
      g_string_append (text, "inf");
      return;
    }
  if (value < 0x1p53 && value == (double) (gint64) value)
    {
      fb_num_append_int (text, fb_arg_int ((gint64) value));
      g_string_append (text, ".0");
      return;
    }
  shortest (&decimal, value);
  if (decimal.exponent < -4 || decimal.exponent >= 16)
    {
      g_string_append_c (text, decimal.digits[0]);
      if (decimal.n > 1)
        {
          g_string_append_c (text, '.');
          g_string_append_len (text, decimal.digits + 1, decimal.n - 1);
        }
      g_string_append_printf (text, "e%c%02d", decimal.exponent < 0 ? '-' : '+', ABS (decimal.exponent));
      return;
    }
  for (int i = MIN (decimal.exponent, 0); i < MAX (decimal.n, decimal.exponent + 2); i++)
    {
      g_string_append_c (text, i < 0 || i >= decimal.n ? '0' : decimal.digits[i]);
      if (i == decimal.exponent)
        g_string_append_c (text, '.');
    }
}
