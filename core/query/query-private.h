#pragma once

#include "query.h"

typedef enum
{
  FB_TERM_WORD,
  FB_TERM_OP,
  FB_TERM_ARG,
  FB_TERM_SHAPE,
  FB_TERM_DTYPE,
  FB_TERM_RULE,
  FB_TERM_KEY,
  FB_TERM_PATTERN,
  FB_TERM_PASS,
  FB_TERM_KERNEL,
  FB_TERM_STEP,
  FB_TERM_GROWTH,
  FB_TERM_AGAIN,
  FB_TERM_AND,
  FB_TERM_OR,
  FB_TERM_NOT,
} FbTermKind;

#define FB_ANY_SIZE (-1)

typedef struct _FbTerm FbTerm;
struct _FbTerm
{
  FbTermKind kind;
  gboolean exact; /* "=" instead of ":" */
  char *text;     /* WORD, ARG, RULE, KEY, PASS */
  FbOpChoice ops;
  FbDTypeSet dtypes;
  gint64 number; /* KERNEL, STEP, a single dimension */
  GArray *dims;  /* of gint64, SHAPE; NULL: @number is among them */
  FbNodePattern *pattern;
  FbTerm *a, *b; /* AND, OR, NOT */
};

struct _FbQuery
{
  gatomicrefcount refs;
  FbTerm *root;
  guint32 kinds; /* bits of FbTermKind that it has */
  guint depth;   /* of its deepest pattern */
};

/* What a question is asked about. */
typedef struct
{
  const FbQueryIndex *index; /* NULL: a graph without passes */
  FbNodePlace place;
  FbNodeAt node;
  guint32 pass;
  guint32 since;      /* the step at which the node came up, or the step that the question is about */
  const FbRule *rule; /* that made it, NULL for none */
  gboolean hopeful;   /* take patterns for fitting when the node alone does */
} FbSubject;

gboolean fb_term_holds (const FbTerm *term, const FbSubject *subject);
/* The node itself would fit, whatever its sources are. */
gboolean fb_node_pattern_may_match (const FbNodePattern *pattern, const FbNodePlace *place, const FbUop *uop);
/* A node's shape as questions mean it, NULL for none; the same from what an index has at hand. */
const FbDims *fb_query_dims (FbContext *context, FbUop *uop);
const FbDims *fb_query_index_dims (const FbQueryIndex *index, const FbUop *uop);
