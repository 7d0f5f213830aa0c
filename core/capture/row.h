/* A capture row from its pickle. Private to core/capture. */
#pragma once

#include "capture.h"
#include "pickle.h"

typedef struct
{
  const char *path;  /* names the file in errors */
  guint row;         /* and the row, 0 when there is but one */
  const char *key;   /* as stored, "" for none */
  int release;       /* FbRelease, -1 to detect */
  int cache_version; /* N of the table, -1 for a bare pickle */
} FbRowSource;

/* "x.db: row 3", as errors begin; free with g_free. */
char *fb_row_source_name (const FbRowSource *source);
/* One without a graph. */
FbCaptureRow *fb_row_new (const FbRowSource *source);
/* The row; its kind is what the pickle holds. */
FbCaptureRow *fb_row_read (FbPickle *pickle, GBytes *bytes, const FbRowSource *source, FbContext *context,
                           GError **error);
