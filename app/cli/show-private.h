/* Inside of fusebox show. */
#pragma once

#include "cli-private.h"
#include "viz/export.h"

typedef enum
{
  FB_SHOW_TEXT,
  FB_SHOW_DOT,
  FB_SHOW_SVG,
  FB_SHOW_PNG,
  FB_SHOW_HTML,
  FB_SHOW_N_FORMATS,
} FbShowFormat;

/* What is shown of a row, and how. Borrows everything. */
typedef struct
{
  const char *path;
  FbContext *context;
  const FbCaptureRow *row;
  FbShowFormat format;
  const char *against; /* "PASS:STEP", or NULL */
  const char *out;     /* NULL: standard output */
  gboolean dark;
} FbShow;

/* Writes @graph as the format says; the exit status. */
int fb_show_drawing (const FbShow *show, FbGraph *graph);
/* What is different from show->against to the graph after @step matches of @pass; the exit status. */
int fb_show_against (const FbShow *show, const FbSchedule *schedule, const FbPass *pass, guint step);
