/* Small traces made for tests: a rewrite of a few nodes, numbered as 0.11 and later write them. */
#pragma once

#include "core/ir/uop.h"

typedef struct
{
  const char *op;
  int src[3]; /* numbers of nodes plus 1; 0 ends */
} Node;

typedef struct
{
  const Node *nodes;
  guint n_nodes;
  int sink;
  gboolean bottom_up, walk;
  const int (*matches)[2];
  guint n_matches;
} Recipe;

/* RewriteTrace(keys=["k"], rewrites=[[one rewrite]], uop_fields={0: ..., 1: ...}) */
GBytes *recipe_assemble (const Recipe *recipe);
/* "SINK(NEG(SIN))" */
void recipe_append_graph (GString *text, const FbUop *uop);
