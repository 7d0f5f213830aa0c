/* What drawing shares: sources of colour, fonts, shapes. */
#pragma once

#include <pango/pangocairo.h>

#include "draw.h"

typedef enum
{
  FB_FACE_TITLE, /* bold, 12 px on a card */
  FB_FACE_TEXT,  /* regular, 11 px */
  FB_N_FACES
} FbFace;

#define FB_TITLE_SIZE 12.0
#define FB_TEXT_SIZE 11.0

struct _FbDrawer
{
  char *family;
  PangoFontMap *map; /* of its own: a shared one belongs to another thread */
  PangoContext *pango;
  struct
  {
    cairo_font_face_t *face;
    cairo_scaled_font_t *scaled; /* for looking up glyphs */
    GHashTable *glyphs;          /* character -> glyph + 1; 0 where the font has none */
    double advance;              /* of one character, per px of size */
  } faces[FB_N_FACES];
  GArray *nodes, *edges; /* scratch of one drawing */
  GArray *glyphs;
  guint16 *counts; /* of draw-pixels.c, kept from drawing to drawing */
  gsize n_counts;
};

/* Sets @text at x, baseline y, each column @advance wide. The colour is the context's source. */
void fb_drawer_text (FbDrawer *drawer, cairo_t *cr, FbFace face, double size, double advance, double x, double y,
                     const char *text);

/* Colours as one drawing sees them: theme, contrast, fading. */
typedef struct
{
  gboolean dark, high_contrast;
  double alpha;
} FbInk;

void fb_ink_set (const FbInk *ink, cairo_t *cr, FbColor color);
void fb_rounded (cairo_t *cr, double x, double y, double width, double height, double radius);
void fb_ink_mark (const FbInk *ink, cairo_t *cr, FbMark mark, double x, double y);
/* Outline and fill of a card; the width of the outline. */
FbColor fb_ink_line_of (const FbInk *ink, const FbGraphNode *node, double *width);
void fb_ink_kind (const FbInk *ink, cairo_t *cr, FbOpKind kind, double x, double y);
/* A card with everything on it; @hovered darkens it. */
void fb_ink_card (const FbInk *ink, FbDrawer *drawer, cairo_t *cr, const FbScene *scene, guint32 node, double x,
                  double y, gboolean hovered);

/* One drawing under way. */
typedef struct
{
  FbDrawer *drawer;
  cairo_t *cr;
  const FbScene *scene;
  const FbDrawState *state;
  FbInk ink;
  FbDetail detail;
  gboolean moving;
  cairo_surface_t *pixels; /* of draw-pixels.c, until they are painted */
  FbPoint pixels_at;
  GArray *frame_labels; /* of FbFrameLabel, from the frames to the names on them; NULL: none */
} FbDrawing;

#define FB_HEAD_WIDTH 7.0
#define FB_HEAD_LENGTH 6.0

/* Kernels in frames, and the names on them (draw-frames.c). */
void fb_draw_frames (FbDrawing *d, FbRect visible);
void fb_draw_frame_labels (FbDrawing *d);
/* All edges that meet @visible, and the stubs of the selected and the hovered card. */
void fb_draw_edges (FbDrawing *d, FbRect visible);
/* What there is very much of at the smallest zooms, straight into pixels, which fb_draw_pixels then paints. All lines of @state among
 * the drawer's edges, before any bars; the bars of all the drawer's nodes, @rects and @colors in their order. FALSE: the picture is
 * too large for that. */
gboolean fb_draw_line_pixels (FbDrawing *d, FbEdgeState state, FbColor color, FbRect visible);
gboolean fb_draw_bar_pixels (FbDrawing *d, const FbRect *rects, const guint8 *colors, FbRect visible);
void fb_draw_pixels (FbDrawing *d);
/* Where lines that are too long to be drawn begin and end at a card: short dotted pieces. */
void fb_draw_stub_ends (FbDrawing *d, guint32 node, FbRect card);
