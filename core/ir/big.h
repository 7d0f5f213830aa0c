/* Integers beyond 64 bits, and the bridge to GMP. For number*.c only; others see them as FbArg. */
#pragma once

#include <gmp.h>

#include "context-private.h"
#include "number.h"

/* Immutable, interned: equal big integers of a context are the same pointer. Never fits a gint64. */
struct _FbBig
{
  guint32 hash;
  gint32 size; /* limbs, negative for a negative integer, as GMP counts */
  mp_limb_t limbs[];
};

/* Longest integer that arithmetic may make, in bits: a capture cannot make it eat memory. */
#define FB_BIG_MAX_BITS 65536

/* A read-only GMP view of an integer argument (bool, int or big); @limb holds a small one. Do not clear it. */
typedef struct
{
  mpz_t z;
  mp_limb_t limb;
} FbMpzView;
mpz_srcptr fb_mpz_view (FbMpzView *view, FbArg integer);

/* The integer as a number of @context: small when it fits. Sets the error and gives None beyond FB_BIG_MAX_BITS. */
FbArg fb_num_from_mpz (FbContext *context, mpz_srcptr z);
/* Nearest double, ties to even; infinite when it is too large. */
double fb_mpz_to_double (mpz_srcptr z);
/* A float result: a NaN becomes a NaN object of its own, with the sign and upper payload bits of @value. */
FbArg fb_num_new_float (FbContext *context, double value);
/* The error of an operand that is no number. Gives None. */
FbArg fb_num_refuse (FbContext *context, const char *what);
/* pow(x, y) with the reference's way out of what Python refuses; @on_overflow None: refuse too. */
FbArg fb_num_safe_pow (FbContext *context, FbArg x, FbArg y, FbArg on_overflow);
