/* Nodes from infix text, for tests: "(x+3)*2 < y", with Python's precedence and the operators of the reference (a number
 * takes the dtype of the other operand).
 *
 *   x y z      int variables 0..15           n   int variable -8..8       w   int variable 1..3
 *   i j k      ranges of 4, 16, 2            u   uint variable 0..100     l   long variable 0..2**40
 *   p q        bool variables                f g h   floats               v   a vector of two ints
 *   max(a,b)   vec(1,2)   a ? b : c   a / b (product with RECIP)   a ** b (POW)
 *   float(a) int(a) bool(a) half(a) ...: CAST, also to the dtype it has; bits_float(a): BITCAST
 *   SHL(a,b) NEG(a) ...: any op by name, with the dtype of the last operand */
#pragma once

#include "core/ir/context.h"

FbUop *test_expr (FbContext *context, const char *text);
