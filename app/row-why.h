/* What the window knows of a row's decisions: the index to ask about nodes, and the kernels as rows of a table.
 *
 * Made by the worker with the row; texts and numbers may then be read by any thread, the index only on the worker. */
#pragma once

#include "core/explain/why.h"

typedef struct
{
  guint kernel; /* from 1 */
  FbUop *stored;
  guint64 key;    /* of that node: its first 8 bytes */
  const char *op; /* that is stored: "RECIP" */
  char *type;     /* "float 64×1" */
  char *ops;      /* "2 MUL · ADD" */
  gint64 bytes_read, bytes_written, flops;
  double recompute;
  guint last_used; /* the last kernel that reads what it stores; 0: nobody does, or it is an output */
  gboolean output;
  const char *reason; /* "expand" */
  const char *location;
} FbKernelFacts;

/* A node that the scheduler decided about: first what is stored, in order of decision, then what is fused, sources first. */
typedef struct
{
  FbUop *node;
  char *text;         /* "RECIP 64×1" */
  const char *reason; /* "expand"; "not-asked" */
  gboolean realized;
} FbVerdictFacts;

typedef struct
{
  FbWhy *why; /* worker only */
  guint n_kernels, n_realized, n_fused;
  FbKernelFacts *kernels;
  FbVerdictFacts *verdicts; /* n_realized + n_fused */
  gint64 bytes_read, bytes_written, flops, peak_bytes;
} FbRowWhy;

/* Of a schedule that went through, which must outlive it. */
FbRowWhy *fb_row_why_new (const FbSchedule *schedule);
/* Uses the schedule's context. */
void fb_row_why_free (FbRowWhy *why);

/* A test that the scheduler made, in order. */
typedef struct
{
  char *what;  /* "source smaller than view" */
  char *value; /* "64 < 4,096"; "" for none */
  enum
  {
    FB_TEST_NO,
    FB_TEST_YES,
    FB_TEST_NOT_REACHED,
  } answer;
  gboolean decided; /* it is what decided */
} FbWhyTest;

/* Why one node is stored or not, as text. */
typedef struct
{
  FbUop *node;    /* of the simplified graph that the verdict is about */
  gboolean exact; /* it is the node asked about, seen through views; else the node that its kernel stores */
  FbVerdictKind kind;
  guint32 place;      /* as scenarios have it */
  const char *reason; /* "expand"; static */
  const char *location;
  char *sentence;
  char *type; /* of the node: "RECIP float 64×1" */
  char key[17];
  guint number, of;   /* its place among what is realized, from 1; 0: it is not */
  guint kernel;       /* that stores it; 0: none */
  char *kernels;      /* "2, 5, 7 and 3 more": that compute it; "" for none */
  GArray *tests;      /* of FbWhyTest */
  gboolean asked_for; /* the program itself asks for it to be stored */
  gboolean unsafe;    /* stored because fused it would give other values: that is never tried */

  /* beside another node; NULL: not asked, or nothing was decided about that one */
  char *pair_text;     /* "separated from RECIP float 64×1 (1695…): …" */
  GPtrArray *deciding; /* of char: what is stored between them, and why */
} FbNodeWhy;

/* @uop: of any pass of the row; @kernel: that the pass is about, from 1, or 0. NULL when nothing was decided about it. Worker
 * only. */
FbNodeWhy *fb_node_why_new (const FbRowWhy *why, const FbSchedule *schedule, FbUop *uop, guint kernel);
/* Compares it with @partner, of any pass of the row, as above. Worker only. */
void fb_node_why_compare (FbNodeWhy *why, const FbRowWhy *row, const FbSchedule *schedule, FbUop *partner,
                          guint kernel);
void fb_node_why_free (FbNodeWhy *why);
