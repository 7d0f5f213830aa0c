/* Ground truth beside captures: hashes of texts, and traces. */
#pragma once

#include <gio/gio.h>

/* Hashes of one row. */
typedef struct
{
  char key[17];     /* of the big sink */
  char text[65];    /* SHA-256 of its str() */
  guint n_kernels;  /* captured */
  char kernels[65]; /* SHA-256 of their str() joined by newlines */
} FbTruth;

/* Reads FOLDER/str-sha256.tsv: "DATABASE ROW" -> FbTruth. NULL when there is none. */
GHashTable *fb_truth_load (const char *folder, GError **error);
const FbTruth *fb_truth_find (GHashTable *truths, const char *database, guint row);

/* Lines of a gzipped file. NULL when it does not exist. */
GDataInputStream *fb_truth_open_trace (const char *path, GError **error);
