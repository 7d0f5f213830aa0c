/* Nodes of releases whose operations this program does not know by meaning.
 *
 * Their ops have names only, numbered beyond the known ones (fb_op_foreign); their dtypes have texts only. An arg that is no plain
 * value is opaque, interned by whoever read the node. Two nodes of one context are still the same when op, dtype, arg and sources are, by Python's equality, so
 * everything that asks of nodes only whether they are the same, and what their sources are, works on them: steps, differences,
 * layout. They are in no set of ops, have no shape, and no rule matches them. */
#pragma once

#include "uop.h"

#define fb_uop_is_foreign(uop) ((uop)->op >= FB_N_OPS)
