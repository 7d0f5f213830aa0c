#include "big.h"

#include <math.h>
#include <string.h>

G_STATIC_ASSERT (GMP_LIMB_BITS == 64);

mpz_srcptr
fb_mpz_view (FbMpzView *view, FbArg integer)
{
  if (integer.kind == FB_ARG_BIG)
    return mpz_roinit_n (view->z, integer.big->limbs, integer.big->size);
  view->limb = integer.i < 0 ? -(mp_limb_t) integer.i : (mp_limb_t) integer.i;
  return mpz_roinit_n (view->z, &view->limb, integer.i < 0 ? -1 : integer.i > 0);
}

double
fb_mpz_to_double (mpz_srcptr z)
{
  gsize bits = mpz_sizeinbase (z, 2);
  double value;

  if (bits > 1024)
    value = INFINITY;
  else if (bits <= 64)
    value = (double) mpz_getlimbn (z, 0);
  else
    {
      /* The upper 64 bits, the lowest of them also standing for all that was cut off: rounding them to 53 rounds the
       * whole number. */
      mpz_t top;
      guint64 word;

      mpz_init (top);
      mpz_tdiv_q_2exp (top, z, bits - 64);
      word = mpz_getlimbn (top, 0) | (mpz_scan1 (z, 0) < bits - 64);
      mpz_clear (top);
      value = ldexp ((double) word, (int) bits - 64);
    }
  return mpz_sgn (z) < 0 ? -value : value;
}

/* A double that is exactly this integer must hash alike (fb_num_hash). */
static guint32
big_hash (mpz_srcptr z)
{
  double d = fb_mpz_to_double (z);
  guint32 hash = mpz_sgn (z) < 0;

  if (isfinite (d) && mpz_cmp_d (z, d) == 0)
    return fb_num_hash (fb_arg_float (d));
  for (gsize i = 0; i < mpz_size (z); i++)
    hash = fb_hash_mix (hash, fb_hash_word (mpz_getlimbn (z, (mp_size_t) i)));
  return hash;
}

static gboolean
big_equal (gconstpointer item, gconstpointer key)
{
  const FbBig *big = item;
  mpz_srcptr z = key;
  gint32 size = (gint32) mpz_size (z);

  return big->size == (mpz_sgn (z) < 0 ? -size : size)
         && memcmp (big->limbs, mpz_limbs_read (z), (gsize) size * sizeof (mp_limb_t)) == 0;
}

static FbArg
intern (FbContext *context, mpz_srcptr z)
{
  gsize n = mpz_size (z);
  guint32 hash = big_hash (z);
  FbBig *big;

  for (FbContext *c = context->parent; c; c = c->parent)
    if ((big = fb_intern_table_get (&c->big_table, hash, big_equal, z)))
      return (FbArg){ .kind = FB_ARG_BIG, .big = big };
  big = fb_intern_table_get (&context->big_table, hash, big_equal, z);
  if (!big)
    {
      big = fb_arena_alloc (&context->arena, sizeof *big + n * sizeof (mp_limb_t));
      big->hash = hash;
      big->size = mpz_sgn (z) < 0 ? -(gint32) n : (gint32) n;
      memcpy (big->limbs, mpz_limbs_read (z), n * sizeof (mp_limb_t));
      fb_intern_table_add (&context->big_table, big);
    }
  return (FbArg){ .kind = FB_ARG_BIG, .big = big };
}

static FbArg
from_mpz_any_size (FbContext *context, mpz_srcptr z)
{
  return mpz_fits_slong_p (z) ? fb_arg_int (mpz_get_si (z)) : intern (context, z);
}

FbArg
fb_num_from_mpz (FbContext *context, mpz_srcptr z)
{
  if (mpz_sizeinbase (z, 2) > FB_BIG_MAX_BITS)
    {
      fb_context_fail (context, FB_ERROR_OVERFLOW, NULL, "an integer of more than %d bits", FB_BIG_MAX_BITS);
      return FB_ARG_NIL;
    }
  return from_mpz_any_size (context, z);
}

FbArg
fb_arg_int_from_bytes (FbContext *context, const guint8 *bytes, gsize len)
{
  mpz_t z;
  FbArg result;

  while (len > 1 && (bytes[len - 1] == 0 || bytes[len - 1] == 0xff) && (bytes[len - 2] ^ bytes[len - 1]) < 0x80)
    len--;
  if (len <= 8)
    {
      guint64 word = len && bytes[len - 1] >= 0x80 ? G_MAXUINT64 : 0;
      for (gsize i = len; i-- > 0;)
        word = word << 8 | bytes[i];
      return fb_arg_int ((gint64) word);
    }
  mpz_init (z);
  mpz_import (z, len, -1, 1, 0, 0, bytes);
  if (bytes[len - 1] >= 0x80)
    {
      mpz_t modulus;
      mpz_init (modulus);
      mpz_setbit (modulus, len * 8);
      mpz_sub (z, z, modulus);
      mpz_clear (modulus);
    }
  result = from_mpz_any_size (context, z);
  mpz_clear (z);
  return result;
}
