/* Pictures in files. None of these needs a display. */
#pragma once

#include "draw.h"

typedef enum
{
  FB_EXPORT_ERROR_SIZE, /* larger than the format or the memory allows */
  FB_EXPORT_ERROR_WRITE,
} FbExportError;
#define FB_EXPORT_ERROR (fb_export_error_quark ())
GQuark fb_export_error_quark (void);

typedef struct
{
  gboolean dark;
  double scale;         /* px per scene px; 0: 1, or less where the picture would exceed 16,384 px or 128 megapixels */
  gboolean transparent; /* no ground */
  gboolean bare;        /* SVG: for the inside of a page that has the style: no ground, no style of its own */
  guint prefix;         /* SVG: cards are "n12"; with a prefix 3 "n3-12", where several pictures share a page */
  guint32 selected;     /* card with a ring, or FB_GRAPH_NONE */
  const char *title;    /* SVG: its <title>; may be NULL */
} FbExportOptions;
#define FB_EXPORT_OPTIONS_INIT \
  {                            \
    .selected = FB_GRAPH_NONE  \
  }

/* A stand-alone SVG document: text stays text (searchable, selectable); each card is a <g> with its op and mark as class, its text
 * and full values as <title>. Free with g_free. Never NULL. */
char *fb_export_svg (const FbScene *scene, const FbExportOptions *options, gsize *len);
/* A PNG. NULL with FB_EXPORT_ERROR_SIZE when it would be too large at the scale asked for. */
GBytes *fb_export_png (const FbScene *scene, const FbExportOptions *options, GError **error);
/* The graph for Graphviz (DOT), constants folded, marks as colours and styles. Uses cgraph, which has process-wide state: one
 * call at a time (calls are serialised). Free with g_free. */
char *fb_export_dot (const FbGraph *graph, gboolean dark);
