/* A buffer looked at as an array: two of its axes are rows and columns, the others stand still. */
#pragma once

#include <gio/gio.h>

#define FB_SLICE_DIMS 16

typedef struct
{
  guint n_dims;
  gint64 shape[FB_SLICE_DIMS];
  int rows, columns;        /* axes; rows -1: there is one row, or, with a wrap, lines of the columns' axis */
  gint64 at[FB_SLICE_DIMS]; /* where the other axes stand */
  gint64 wrap;              /* elements in a line of an array of one dimension; 0: all in one */
} FbSlice;

/* The last two axes of @shape, at 0 of the others; one dimension in lines. Dimensions beyond FB_SLICE_DIMS are taken together. */
void fb_slice_init (FbSlice *slice, guint n_dims, const gint64 *shape);
/* Makes @axis the rows' or the columns' one; the axis that was takes its place when both are the same. */
void fb_slice_set_rows (FbSlice *slice, guint axis);
void fb_slice_set_columns (FbSlice *slice, guint axis);
gint64 fb_slice_size (const FbSlice *slice);
gint64 fb_slice_n_rows (const FbSlice *slice);
gint64 fb_slice_n_columns (const FbSlice *slice);
/* Number of the element there; -1: none, in the last line of a wrapped one or outside. */
gint64 fb_slice_element (const FbSlice *slice, gint64 row, gint64 column);
/* Moves the axes that stand still so that @element is in the slice, and says where. FALSE: there is no such element. */
gboolean fb_slice_find (FbSlice *slice, gint64 element, gint64 *row, gint64 *column);
/* "[17, 40]" of an element; free with g_free. */
char *fb_slice_index_text (const FbSlice *slice, gint64 element);
/* What is shown as Python writes it: "[3, :, :]"; free with g_free. */
char *fb_slice_text (const FbSlice *slice);
/* Sets what stands still, and which two axes do not, from such a text; a number of a range is where its axis begins to be seen:
 * "[14:22, 36:42]" gives @row 14 and @column 36. FALSE, and nothing changed: it is none of this array. */
gboolean fb_slice_parse (FbSlice *slice, const char *text, gint64 *row, gint64 *column);
/* "64×64"; free with g_free. */
char *fb_shape_text (guint n_dims, const gint64 *shape);
/* From "64×64", "64x64" or "64, 64"; -1 once: what is left of @size. FALSE: it is none, or of another size. */
gboolean fb_shape_parse (const char *text, gint64 size, guint *n_dims, gint64 shape[FB_SLICE_DIMS]);

/* The slice in @width by @height values, each for a block of elements, or of the element it is part of: NaN where the block holds
 * one, else infinite where it holds that, else what is farthest from 0. NaN beyond the end is told apart by @filled (may be NULL).
 * With @other, of the same type and size: how far apart the two are. FALSE: cancelled. */
gboolean fb_slice_sample (const FbSlice *slice, guint type, const guint8 *data, const guint8 *other, guint width,
                          guint height, double *out, guint8 *filled, GCancellable *cancellable);
