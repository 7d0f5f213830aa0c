/* Arithmetic on Python numbers (bool, int of any size, float), as Python does it.
 *
 * Operands are numbers (fb_arg_is_number). Integers never wrap: results beyond
 * 64 bits become big, up to 65536 bits; more is an error, so that no capture
 * eats all memory. All are pure; big results are interned in @context. An
 * operation that Python refuses (division by zero, int(inf)) sets the context's
 * error and returns None. */
#pragma once

#include "arg.h"

FbArg fb_num_add (FbContext *context, FbArg a, FbArg b);
FbArg fb_num_sub (FbContext *context, FbArg a, FbArg b);
FbArg fb_num_mul (FbContext *context, FbArg a, FbArg b);
FbArg fb_num_neg (FbContext *context, FbArg a);
FbArg fb_num_abs (FbContext *context, FbArg a);
/* Python's // and %, which round towards minus infinity. */
FbArg fb_num_floordiv (FbContext *context, FbArg a, FbArg b);
FbArg fb_num_mod (FbContext *context, FbArg a, FbArg b);
/* a << b and a >> b; @b is not negative. */
FbArg fb_num_shl (FbContext *context, FbArg a, FbArg b);
FbArg fb_num_shr (FbContext *context, FbArg a, FbArg b);
FbArg fb_num_and (FbContext *context, FbArg a, FbArg b);
FbArg fb_num_or (FbContext *context, FbArg a, FbArg b);
FbArg fb_num_xor (FbContext *context, FbArg a, FbArg b);
/* math.gcd of two integers, never negative. */
FbArg fb_num_gcd (FbContext *context, FbArg a, FbArg b);
/* -1, 0, 1, or 2 when unordered (NaN). */
int fb_num_cmp (FbArg a, FbArg b);
static inline gboolean
fb_num_lt (FbArg a, FbArg b)
{
  return fb_num_cmp (a, b) == -1;
}
static inline gboolean
fb_num_eq (FbArg a, FbArg b)
{
  return fb_num_cmp (a, b) == 0;
}
static inline gboolean
fb_num_le (FbArg a, FbArg b)
{
  int c = fb_num_cmp (a, b);
  return c == -1 || c == 0;
}
static inline gboolean
fb_num_is_negative (FbArg a)
{
  return fb_num_lt (a, fb_arg_int (0));
}
/* Python's a == b, but a NaN equals the same NaN object (as tuples compare); and a hash that agrees. */
gboolean fb_num_equal (FbArg a, FbArg b);
guint32 fb_num_hash (FbArg a);
/* Python's min(a, b) and max(a, b): the first when neither is less. */
FbArg fb_num_min (FbArg a, FbArg b);
FbArg fb_num_max (FbArg a, FbArg b);
/* a / b, rounded once; of two integers exact before rounding. */
FbArg fb_num_truediv (FbContext *context, FbArg a, FbArg b);
/* math.floor, math.ceil: an integer; math.log2 of a positive number. */
FbArg fb_num_floor (FbContext *context, FbArg a);
FbArg fb_num_ceil (FbContext *context, FbArg a);
FbArg fb_num_log2 (FbContext *context, FbArg a);
/* The nearest double, infinite when there is none. */
double fb_num_to_double (FbArg a);
/* int(a), float(a), bool(a) */
FbArg fb_num_to_int (FbContext *context, FbArg a);
FbArg fb_num_to_float (FbContext *context, FbArg a);
FbArg fb_num_to_bool (FbArg a);
/* The constant as dtype holds it: int, float or bool (dtype.py:93). A tuple is converted lane by lane. */
FbArg fb_num_as_const (FbContext *context, FbArg value, const FbDType *dtype);
/* Smallest and largest value of a dtype (dtype.py:101, :106). */
FbArg fb_dtype_min (FbContext *context, const FbDType *dtype);
FbArg fb_dtype_max (FbContext *context, const FbDType *dtype);
/* What an ALU op computes on constants, without rounding to the dtype (ops.py:694, exec_alu with truncate_output=False).
 * @dtype may be a vector: operands that are tuples are taken lane by lane, and a tuple results. */
FbArg fb_num_exec_alu (FbContext *context, FbOp op, const FbDType *dtype, guint n, const FbArg *operands);

/* Reading a decimal, and the text of an integer: appended as Python prints it. */
void fb_num_append_int (GString *text, FbArg integer);
/* repr(float): the shortest text that reads back the same, "inf", "nan", "1e-05". */
void fb_num_append_float (GString *text, double value);
