/* Random tensor graphs, as the library above the scheduler could build them. */
#pragma once

#include "build.h"

/* The graph of this seed: a SINK of one to three tensors. Also sets the options of @c. */
FbUop *random_graph (FbContext *c, guint32 seed);
