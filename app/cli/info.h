/* What is inside a file, gathered by decoding its rows; `info` prints it, and so does the story. */
#pragma once

#include "cli-private.h"

typedef struct
{
  guint row;
  gsize size; /* bytes of its pickle; these two are the caller's to set */
  guint nodes, kernels;
  char *options; /* "FUSE_ARANGE=1 PICKLE_BUFFERS=0": those that differ from their defaults */
  char *options_json;
  char *name; /* function name of a kernel row */
  const char *release;
  gboolean release_detected, ops_by_value;
  int protocol;
  char *error; /* why it cannot be read; from `nodes` on nothing else is set then */
} FbRowFacts;

void fb_row_facts_free (FbRowFacts *facts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbRowFacts, fb_row_facts_free)
/* The facts of one decoded row, or of one that was not (@row NULL). */
FbRowFacts *fb_row_facts_new (FbContext *context, FbCaptureRow *row, const GError *error);

/* Sums over the rows of a file. */
typedef struct
{
  guint rows, unreadable;
  guint64 nodes, kernels;
  guint largest_row, largest_nodes, largest_kernels;
  const char *release;
  gboolean release_detected, by_name, by_value;
  GHashTable *options; /* "NAME=VALUE" -> number of rows */
} FbFileTotals;

void fb_file_totals_init (FbFileTotals *totals);
void fb_file_totals_clear (FbFileTotals *totals);
void fb_file_totals_add (FbFileTotals *totals, const FbRowFacts *facts);
/* Prints the lines of the file as a whole that need no decoding, then those that do. */
void fb_info_print_head (FbCapture *capture);
/* What a session holds besides its capture; nothing for other files. The JSON is a member, with its comma. */
void fb_info_print_session (FbCapture *capture);
void fb_info_append_session_json (GString *json, FbCapture *capture);
void fb_info_print_totals (const FbFileTotals *totals);
