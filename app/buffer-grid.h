/* A slice of a buffer as a table of numbers. Only the cells that are seen are formatted, so that it may have any number of them. */
#pragma once

#include <gtk/gtk.h>

#include "backends/values/slice.h"
#include "backends/values/values.h"

#define FB_TYPE_BUFFER_GRID (fb_buffer_grid_get_type ())
G_DECLARE_FINAL_TYPE (FbBufferGrid, fb_buffer_grid, FB, BUFFER_GRID, GtkWidget)

/* Signals: `moved`: the person chose another element, or none; `activated`: Enter or a double click on one. */

/* Shows @slice of @data, elements of @type; NULL: nothing. The cell stays where it was while there is one. */
void fb_buffer_grid_set (FbBufferGrid *grid, guint type, GBytes *data, const FbSlice *slice);
void fb_buffer_grid_set_format (FbBufferGrid *grid, FbValueFormat format);
/* The element that is chosen; -1: none. */
gint64 fb_buffer_grid_get_element (FbBufferGrid *grid);
/* Chooses the cell and brings it into view. Without a signal. */
void fb_buffer_grid_go_to (FbBufferGrid *grid, gint64 row, gint64 column);
/* The first cell that is seen, and how many are. */
void fb_buffer_grid_get_seen (FbBufferGrid *grid, gint64 *row, gint64 *column, gint64 *n_rows, gint64 *n_columns);
/* Where the cell that is chosen is, in the widget. */
void fb_buffer_grid_get_cell (FbBufferGrid *grid, GdkRectangle *area);
