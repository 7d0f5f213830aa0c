/* Constants seen as another dtype (symbolic.py:19): what Python's struct packs and unpacks. */
#include "symbolic-private.h"

#include <math.h>
#include <string.h>

/* Bytes of a struct format; 0 for one that dtypes do not have. */
static int
format_size (char format)
{
  switch (format)
    {
    case '?':
    case 'b':
    case 'B':
      return 1;
    case 'h':
    case 'H':
    case 'e':
      return 2;
    case 'i':
    case 'I':
    case 'f':
      return 4;
    case 'q':
    case 'Q':
    case 'd':
      return 8;
    default:
      return 0;
    }
}

/* Half precision, ties to even; FALSE when it is too large. */
static gboolean
pack_half (double value, guint64 *word)
{
  int exponent;
  double magnitude = fabs (value);
  guint bits;

  if (isnan (value))
    bits = 0x7e00;
  else if (isinf (value))
    bits = 0x7c00;
  else
    {
      frexp (magnitude, &exponent);
      if (magnitude == 0 || exponent <= -14)
        bits = (guint) nearbyint (magnitude * 0x1p24);
      else if (exponent > 16)
        return FALSE;
      else
        bits = (guint) (exponent + 14) * 1024 + (guint) nearbyint (ldexp (magnitude, 11 - exponent)) - 1024;
      if (bits >= 0x7c00)
        return FALSE;
    }
  *word = bits | (signbit (value) ? 0x8000 : 0);
  return TRUE;
}

static double
unpack_half (guint64 word)
{
  guint exponent = word >> 10 & 31;
  double fraction = (double) (word & 1023), value;

  if (exponent == 31)
    value = word & 1023 ? NAN : INFINITY;
  else
    value = exponent ? ldexp (1024 + fraction, (int) exponent - 25) : fraction * 0x1p-24;
  return word & 0x8000 ? -value : value;
}

static gboolean
pack_float (FbContext *context, char format, FbArg value, guint64 *word)
{
  float single;
  guint32 narrow;

  value = fb_num_to_float (context, value);
  if (value.kind != FB_ARG_FLOAT)
    return FALSE;
  if (format == 'e')
    return pack_half (value.f, word);
  if (format == 'd')
    {
      memcpy (word, &value.f, sizeof *word);
      if (isnan (value.f)) /* the low bits tell NaN objects apart, they are none of the value */
        *word &= ~G_GUINT64_CONSTANT (0x1fffffff);
      return TRUE;
    }
  single = (float) value.f;
  memcpy (&narrow, &single, sizeof narrow);
  *word = narrow;
  return TRUE;
}

/* FALSE when struct.pack refuses the value; the error may be set. */
static gboolean
pack (FbContext *context, char format, FbArg value, guint64 *word)
{
  int bits = format_size (format) * 8;
  gboolean is_signed = g_ascii_islower (format);
  FbArg low, high;

  if (!fb_arg_is_number (value))
    return FALSE;
  if (format == '?')
    {
      *word = fb_arg_truth (value);
      return TRUE;
    }
  if (strchr ("efd", format))
    return pack_float (context, format, value, word);
  if (!fb_arg_is_integer (value))
    return FALSE;
  high = fb_num_shl (context, fb_arg_int (1), fb_arg_int (bits - is_signed));
  low = is_signed ? fb_num_neg (context, high) : fb_arg_int (0);
  if (fb_num_lt (value, low) || !fb_num_lt (value, high))
    return FALSE;
  if (value.kind == FB_ARG_BIG)
    value = fb_num_sub (context, value, fb_num_shl (context, fb_arg_int (1), fb_arg_int (64)));
  *word = (guint64) value.i;
  return TRUE;
}

static FbArg
unpack (FbContext *context, char format, guint64 word)
{
  int drop = 64 - format_size (format) * 8;
  guint32 narrow = (guint32) word;
  float single;
  double value;

  word = word << drop >> drop;
  switch (format)
    {
    case '?':
      return fb_arg_bool (word);
    case 'e':
      value = unpack_half (word);
      break;
    case 'f':
      memcpy (&single, &narrow, sizeof single);
      value = single;
      break;
    case 'd':
      memcpy (&value, &word, sizeof value);
      break;
    default:
      if (g_ascii_islower (format))
        return fb_arg_int ((gint64) (word << drop) >> drop);
      if (word > G_MAXINT64)
        return fb_num_add (context, fb_arg_int ((gint64) word), fb_num_shl (context, fb_arg_int (1), fb_arg_int (64)));
      return fb_arg_int ((gint64) word);
    }
  return isnan (value) ? fb_num_add (context, fb_arg_float (value), fb_arg_int (0)) : fb_arg_float (value);
}

/* One lane; None with the error set when struct refuses. */
static FbArg
convert (FbContext *context, FbArg value, char from, char to)
{
  guint64 word;

  if (format_size (from) != format_size (to) || !pack (context, from, value, &word))
    {
      fb_context_fail (context, FB_ERROR_ARITHMETIC, NULL, "a constant cannot be seen as '%c' where it is '%c'", to,
                       from);
      return FB_ARG_NIL;
    }
  return unpack (context, to, word);
}

FbUop *
fb_fold_bitcast (FbContext *context, FbUop *root, FbUop *c)
{
  char from = c->dtype->scalar->fmt, to = root->dtype->scalar->fmt;
  g_autofree FbArg *lanes = NULL;

  if (!from || !to)
    return NULL;
  if (root->dtype->count == 1)
    return fb_sym_like (context, root, convert (context, c->arg, from, to));
  if (c->arg.kind != FB_ARG_TUPLE)
    {
      fb_context_fail (context, FB_ERROR_ARITHMETIC, root, "BITCAST of one constant to several lanes");
      return NULL;
    }
  lanes = g_new (FbArg, MAX (c->arg.tuple->n, 1));
  for (guint i = 0; i < c->arg.tuple->n; i++)
    {
      lanes[i] = convert (context, c->arg.tuple->items[i], from, to);
      if (lanes[i].kind == FB_ARG_NONE)
        return NULL;
    }
  return fb_sym_like (context, root, fb_arg_new_tuple (context, c->arg.tuple->n, lanes));
}
