#pragma once

#include "app/heat-strip.h"

#define FB_HEAT_CELL 18.0         /* px a step, where there is room */
#define FB_HEAT_SMALLEST_CELL 3.0 /* below, steps share a cell */
#define FB_HEAT_BAR_TOP 13.0
#define FB_HEAT_BAR_HEIGHT 21.0
#define FB_HEAT_NAME_TOP 37.5

/* Where a pass is. */
typedef struct
{
  double x, width;
  PangoLayout *name; /* NULL: no room */
} FbHeatSpan;

/* One bar: steps [first, end) of all, from 0. */
typedef struct
{
  double x, width;
  guint first, end;
} FbHeatCell;

struct _FbHeatStrip
{
  GtkWidget parent_instance;
  FbDocument *doc;
  FbHeatKind kind;
  GArray *spans; /* of FbHeatSpan, by pass */
  GArray *cells; /* of FbHeatCell, from left to right */
  double cell;   /* px a step */
  gboolean stale;
  GskRenderNode *drawn; /* all but the position, or NULL: to be drawn again */
};

/* Gives passes and cells their places. */
void fb_heat_strip_lay_out (FbHeatStrip *strip);
/* Where step @step of @pass is drawn: its left edge and width. */
void fb_heat_strip_place (FbHeatStrip *strip, FbStepPosition position, double *x, double *width);
/* All but the position. */
void fb_heat_strip_draw (FbHeatStrip *strip, GtkSnapshot *snapshot);
void fb_heat_strip_draw_position (FbHeatStrip *strip, GtkSnapshot *snapshot);
/* What hovering says of @position; free with g_free. */
char *fb_heat_strip_describe (FbHeatStrip *strip, FbStepPosition position);
