/* A slice of a buffer as a heat map with its axes and the scale of its colours. */
#pragma once

#include <gtk/gtk.h>

#include "backends/values/slice.h"

#define FB_TYPE_BUFFER_HEAT (fb_buffer_heat_get_type ())
G_DECLARE_FINAL_TYPE (FbBufferHeat, fb_buffer_heat, FB, BUFFER_HEAT, GtkWidget)

/* Signals: `resized`: a picture of another size is wanted; `chosen` (row, column): the person chose a cell. */

/* What is shown, so that its size is known; NULL: nothing. The picture of before stays until fb_buffer_heat_set_picture(). */
void fb_buffer_heat_set_slice (FbBufferHeat *heat, const FbSlice *slice);
/* Px that a picture should have, 0 by 0 when there is no room; @ink: px of a line in it. */
void fb_buffer_heat_get_size (FbBufferHeat *heat, guint *width, guint *height, guint *ink);
/* @low and @high: ends of the scale, -most or 0, and most. NULL: none. */
void fb_buffer_heat_set_picture (FbBufferHeat *heat, GdkTexture *picture, double low, double high);
/* The cells that the table shows, framed. No rows: none. */
void fb_buffer_heat_set_seen (FbBufferHeat *heat, gint64 row, gint64 column, gint64 n_rows, gint64 n_columns);
/* The chosen cell, marked, with what it is in words; row -1: none. */
void fb_buffer_heat_set_cell (FbBufferHeat *heat, gint64 row, gint64 column, const char *text);
