/* Which node each name of a rule's pattern stood for in a match. */
#pragma once

#include "core/rewrite/engine.h"

typedef struct
{
  const char *name; /* "x"; static */
  FbUop *uop;
} FbBinding;

/* The names in the order the pattern has them; empty when the match cannot be made again without the state of its pass.
 * Array of FbBinding. @context: that of the step. */
GArray *fb_bindings_new (FbContext *context, const FbPass *pass, const FbMatch *match);
