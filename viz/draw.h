/* Drawing of a scene on a cairo context: canvas, minimap, PNG. */
#pragma once

#include <cairo.h>

#include "palette.h"
#include "scene.h"

/* Fonts, with glyphs looked up once. Belongs to one thread. */
typedef struct _FbDrawer FbDrawer;

/* @family: of the code font, NULL for "monospace". */
FbDrawer *fb_drawer_new (const char *family);
void fb_drawer_free (FbDrawer *drawer);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbDrawer, fb_drawer_free)
/* What the font measures, for fb_scene_new: text then looks as the font was designed. */
FbMetrics fb_drawer_metrics (FbDrawer *drawer);

/* Detail by zoom (VISUAL.md, Edges and layout). */
typedef enum
{
  FB_DETAIL_BARS,  /* up to 0.15: bars and hairlines */
  FB_DETAIL_CARDS, /* above 0.15: cards without text */
  FB_DETAIL_NAMES, /* from 0.4: op names and mark squares */
  FB_DETAIL_ALL,   /* from 0.75 */
} FbDetail;
FbDetail fb_detail_for_zoom (double zoom);

/* Between a small selected card and itself in full, px of the surface. */
#define FB_DRAW_LABEL_GAP 8

typedef struct
{
  gboolean dark;
  gboolean high_contrast;
  double zoom;      /* px of the surface per px of the scene; decides the detail */
  FbRect visible;   /* in scene px; only what meets it is drawn. Width 0: everything */
  guint32 selected; /* cards, or FB_GRAPH_NONE */
  guint32 hovered;
  guint32 focused;
  gboolean label_below; /* the selected card in full stands below its small self */
  const guint8 *marked; /* of each card, or NULL: more cards with a ring */
  /* A change under way: cards move from where @from had them. NULL: none. */
  const FbScene *from;
  const guint32
      *from_node;  /* of each card its number in @from or FB_GRAPH_NONE: fb_graph_match (scene->graph, from->graph) */
  double progress; /* 0 to 1, eased */
} FbDrawState;
/* Nothing selected, hovered or moving; zoom 1; everything visible. */
#define FB_DRAW_STATE_INIT                                                                                  \
  {                                                                                                         \
    .zoom = 1, .selected = FB_GRAPH_NONE, .hovered = FB_GRAPH_NONE, .focused = FB_GRAPH_NONE, .progress = 1 \
  }

/* Draws cards and edges. The user space of @cr is scene px: the caller has scaled and translated it and painted the ground
 * (FB_COLOR_CANVAS). */
void fb_drawer_draw (FbDrawer *drawer, cairo_t *cr, const FbScene *scene, const FbDrawState *state);
/* The minimap's bars and the frame of @visible, fitted and centred into a box of @width×@height at 0, 0; no ground. Returns the
 * scale (box px per scene px), and in @origin where the scene's 0, 0 is in the box, so that clicks can be turned into places. */
double fb_drawer_draw_minimap (FbDrawer *drawer, cairo_t *cr, const FbScene *scene, const FbDrawState *state,
                               double width, double height, FbPoint *origin);
/* A mark as 14×14 px at x, y: the sign in a filled or outlined square (also for lists and counters of the window). Nothing for
 * FB_MARK_SAME. */
void fb_draw_mark (cairo_t *cr, FbMark mark, double x, double y, gboolean dark);
/* The bar of a kind, 3×14 px at x, y; dotted for movement. */
void fb_draw_kind (cairo_t *cr, FbOpKind kind, double x, double y, gboolean dark);
/* One card alone at x, y as the canvas draws it: legends, drag icons, identity rows. */
void fb_drawer_draw_card (FbDrawer *drawer, cairo_t *cr, const FbScene *scene, guint32 node, double x, double y,
                          const FbDrawState *state);
