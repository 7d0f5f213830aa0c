/* What the files of the table of numbers share. */
#pragma once

#include "app/buffer-grid.h"

/* Px beside the text of a cell. */
#define FB_BUFFER_GRID_PAD 8.0

struct _FbBufferGrid
{
  GtkWidget parent_instance;
  guint type;
  GBytes *data; /* NULL: nothing */
  FbSlice slice;
  FbValueFormat format;
  gint64 row, column; /* of the cell that is chosen; row -1: none */
  GtkAdjustment *adjustments[2];
  gulong handlers[2];
  GtkScrollablePolicy policies[2];
  double line_height, advance; /* of the font */
  double head_width, cell_width;
};

double fb_buffer_grid_scrolled_by (FbBufferGrid *self, GtkOrientation orientation);
/* Draws what is seen (buffer-grid-draw.c). */
void fb_buffer_grid_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);
