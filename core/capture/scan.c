/* Strings and numbers of a pickle. */
#include "pickle-private.h"

#include <gmp.h>
#include <string.h>

/* Python refuses the text of an integer with more digits (sys.int_info.default_max_str_digits). */
#define MAX_INT_DIGITS 4300
#define MAX_INT_BYTES 1787

gboolean
fb_scan_text (FbPickle *pickle, const guint8 *bytes, gsize len, FbValue *value)
{
  guint64 high = 0, word;
  guint32 half;

  if (len >= 8)
    {
      for (gsize i = 0; i < len - 8; i += 8)
        {
          memcpy (&word, bytes + i, 8);
          high |= word;
        }
      memcpy (&word, bytes + len - 8, 8);
      high |= word;
    }
  else if (len >= 4)
    {
      memcpy (&half, bytes, 4);
      high = half;
      memcpy (&half, bytes + len - 4, 4);
      high |= half;
    }
  else
    for (gsize i = 0; i < len; i++)
      high |= bytes[i];
  if (G_UNLIKELY (high & G_GUINT64_CONSTANT (0x8080808080808080))
      && !g_utf8_validate_len ((const char *) bytes, len, NULL))
    return fb_pickle_fail (pickle, "a string is not valid UTF-8");
  fb_value_set_bytes (value, FB_VALUE_TEXT,
                      len && g_ascii_islower (bytes[0]) ? fb_attr_lookup (bytes, len) : FB_ATTR_OTHER, len, bytes);
  return TRUE;
}

void
fb_scan_float (FbPickle *pickle, double f, FbValue *value)
{
  FbArg arg = f != f ? fb_arg_new_nan (pickle->context) : fb_arg_float (f);
  fb_value_set (value, FB_VALUE_FLOAT, arg.i);
}

gboolean
fb_scan_integer (FbPickle *pickle, const guint8 *bytes, gsize len, FbValue *value)
{
  FbArg arg;

  if (len > MAX_INT_BYTES)
    return fb_pickle_fail (pickle,
                           "an integer of %" G_GSIZE_FORMAT " bytes is refused; Python prints at most %d digits", len,
                           MAX_INT_DIGITS);
  if (!fb_pickle_may_allocate (pickle, len + 64))
    return FALSE;
  arg = fb_arg_int_from_bytes (pickle->context, bytes, len);
  fb_value_set (value, (FbValueKind) arg.kind, arg.i);
  return TRUE;
}

/* Decimal text of protocol 0: digits with an optional sign. */
gboolean
fb_scan_decimal (FbPickle *pickle, const char *text, gsize len, FbValue *value)
{
  gsize digits = len, n_bytes;
  gboolean negative = len && text[0] == '-';
  g_autofree char *copy = NULL;
  g_autofree guint8 *bytes = NULL;
  mpz_t n;

  if (len && (text[0] == '-' || text[0] == '+'))
    text++, digits--;
  for (gsize i = 0; i < digits; i++)
    if (!g_ascii_isdigit (text[i]))
      digits = 0;
  if (!digits)
    return fb_pickle_fail (pickle, "an integer is not written in decimal");
  if (digits > MAX_INT_DIGITS)
    return fb_pickle_fail (pickle, "an integer of %" G_GSIZE_FORMAT " digits is refused; Python prints at most %d",
                           digits, MAX_INT_DIGITS);
  copy = g_strndup (text, digits);
  mpz_init_set_str (n, copy, 10);
  n_bytes = mpz_sizeinbase (n, 2) / 8 + 1;
  if (negative) /* two's complement: 2^(8 n) - |n| */
    {
      mpz_t power;
      mpz_init_set_ui (power, 1);
      mpz_mul_2exp (power, power, 8 * n_bytes);
      if (mpz_sgn (n))
        mpz_sub (n, power, n);
      mpz_clear (power);
    }
  bytes = g_malloc0 (n_bytes + sizeof (mp_limb_t));
  mpz_export (bytes, NULL, -1, 1, -1, 0, n);
  mpz_clear (n);
  return fb_scan_integer (pickle, bytes, n_bytes, value);
}

gboolean
fb_scan_decimal_float (FbPickle *pickle, const char *text, gsize len, FbValue *value)
{
  g_autofree char *copy = g_strndup (text, MIN (len, 512));
  char *end;
  double f = g_ascii_strtod (copy, &end);

  if (len == 0 || len > 511 || *end || end == copy)
    return fb_pickle_fail (pickle, "a float is not written as a decimal number");
  fb_scan_float (pickle, f, value);
  return TRUE;
}

/* Python 2's quoted 'text\n' of protocol 0, or @raw: the raw-unicode-escape of UNICODE. */
gboolean
fb_scan_quoted (FbPickle *pickle, const char *text, gsize len, gboolean raw, FbValue *value)
{
  g_autoptr (GString) out = g_string_sized_new (len);
  const char *p = text, *end = text + len;

  if (!raw)
    {
      if (len < 2 || (*p != '\'' && *p != '"') || end[-1] != *p)
        return fb_pickle_fail (pickle, "a string is not in quotes");
      p++, end--;
    }
  while (p < end)
    {
      static const char escapes[] = "\\\\''\"\"n\nr\rt\tb\bf\fv\va\a";
      guint digits = 0;
      const char *found = NULL;

      if (*p != '\\' || (raw && !(end - p > 1 && (p[1] == 'u' || p[1] == 'U'))))
        {
          if (*p & 0x80) /* both forms are Latin-1 */
            g_string_append_unichar (out, (guint8) *p++);
          else
            g_string_append_c (out, *p++);
          continue;
        }
      if (++p == end)
        return fb_pickle_fail (pickle, "a string ends in a backslash");
      digits = raw ? (*p == 'u' ? 4 : 8) : (*p == 'x' ? 2 : 0);
      if (digits)
        {
          gunichar c = 0;

          for (p++; digits; digits--, p++)
            {
              if (p == end || !g_ascii_isxdigit (*p))
                return fb_pickle_fail (pickle, "a string has an incomplete escape");
              c = c * 16 + (gunichar) g_ascii_xdigit_value (*p);
            }
          if (!g_unichar_validate (c))
            return fb_pickle_fail (pickle, "a string holds U+%X, which is no character", c);
          g_string_append_unichar (out, c);
          continue;
        }
      for (const char *e = escapes; *e && !found; e += 2)
        if (*e == *p)
          found = e + 1;
      if (!found)
        return fb_pickle_fail (pickle, "a string has the unknown escape \\%c", g_ascii_isprint (*p) ? *p : '?');
      g_string_append_c (out, *found);
      p++;
    }
  if (!fb_pickle_may_allocate (pickle, out->len + 1))
    return FALSE;
  return fb_scan_text (pickle, fb_arena_memdup (&pickle->scratch, out->str, out->len + 1), out->len, value);
}
