#include "slice.h"

#include <math.h>
#include <string.h>

#include "values.h"

void
fb_slice_init (FbSlice *slice, guint n_dims, const gint64 *shape)
{
  *slice = (FbSlice){ .n_dims = MIN (n_dims, FB_SLICE_DIMS), .rows = -1 };
  for (guint i = 0; i < n_dims; i++)
    if (i < FB_SLICE_DIMS)
      slice->shape[i] = shape[i];
    else
      slice->shape[FB_SLICE_DIMS - 1] *= shape[i];
  if (slice->n_dims == 0)
    {
      slice->n_dims = 1;
      slice->shape[0] = 1;
    }
  slice->columns = (int) slice->n_dims - 1;
  /* axes of one element are nothing to look along */
  while (slice->columns > 0 && slice->shape[slice->columns] == 1)
    slice->columns--;
  for (int i = slice->columns - 1; i >= 0 && slice->rows < 0; i--)
    if (slice->shape[i] > 1)
      slice->rows = i;
  if (slice->rows < 0)
    {
      gint64 size = slice->shape[slice->columns];
      slice->wrap = 8;
      while (slice->wrap * slice->wrap < size && slice->wrap < 1024)
        slice->wrap *= 2;
      if (slice->wrap >= size)
        slice->wrap = 0;
    }
}

void
fb_slice_set_rows (FbSlice *slice, guint axis)
{
  if (axis >= slice->n_dims)
    return;
  if (slice->columns == (int) axis)
    slice->columns = slice->rows < 0 ? (int) (axis == 0 ? slice->n_dims - 1 : 0) : slice->rows;
  slice->rows = slice->columns == (int) axis ? -1 : (int) axis;
  slice->wrap = 0;
}

void
fb_slice_set_columns (FbSlice *slice, guint axis)
{
  if (axis >= slice->n_dims)
    return;
  if (slice->rows == (int) axis)
    slice->rows = slice->columns;
  slice->columns = (int) axis;
  if (slice->rows >= 0)
    slice->wrap = 0;
}

gint64
fb_slice_size (const FbSlice *slice)
{
  gint64 size = 1;
  for (guint i = 0; i < slice->n_dims; i++)
    size *= slice->shape[i];
  return size;
}

gint64
fb_slice_n_rows (const FbSlice *slice)
{
  if (slice->rows >= 0)
    return slice->shape[slice->rows];
  return slice->wrap > 0 ? (slice->shape[slice->columns] + slice->wrap - 1) / slice->wrap : 1;
}

gint64
fb_slice_n_columns (const FbSlice *slice)
{
  return slice->wrap > 0 && slice->rows < 0 ? slice->wrap : slice->shape[slice->columns];
}

gint64
fb_slice_element (const FbSlice *slice, gint64 row, gint64 column)
{
  gint64 element = 0;
  if (row < 0 || column < 0 || row >= fb_slice_n_rows (slice) || column >= fb_slice_n_columns (slice))
    return -1;
  if (slice->rows < 0 && slice->wrap > 0)
    {
      column += row * slice->wrap;
      if (column >= slice->shape[slice->columns])
        return -1;
    }
  for (int i = 0; i < (int) slice->n_dims; i++)
    {
      gint64 at = i == slice->columns ? column : i == slice->rows ? row : slice->at[i];
      element = element * slice->shape[i] + at;
    }
  return element;
}

static void
index_of (const FbSlice *slice, gint64 element, gint64 *index)
{
  for (guint i = slice->n_dims; i-- > 0;)
    {
      index[i] = element % slice->shape[i];
      element /= slice->shape[i];
    }
}

gboolean
fb_slice_find (FbSlice *slice, gint64 element, gint64 *row, gint64 *column)
{
  gint64 index[FB_SLICE_DIMS];
  if (element < 0 || element >= fb_slice_size (slice))
    return FALSE;
  index_of (slice, element, index);
  for (int i = 0; i < (int) slice->n_dims; i++)
    if (i != slice->rows && i != slice->columns)
      slice->at[i] = index[i];
  *row = slice->rows >= 0 ? index[slice->rows] : 0;
  *column = index[slice->columns];
  if (slice->rows < 0 && slice->wrap > 0)
    {
      *row = *column / slice->wrap;
      *column %= slice->wrap;
    }
  return TRUE;
}

/* --- text --- */

char *
fb_slice_index_text (const FbSlice *slice, gint64 element)
{
  gint64 index[FB_SLICE_DIMS];
  GString *text = g_string_new ("[");
  index_of (slice, element, index);
  for (guint i = 0; i < slice->n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? ", " : "", index[i]);
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

char *
fb_slice_text (const FbSlice *slice)
{
  GString *text = g_string_new ("[");
  for (int i = 0; i < (int) slice->n_dims; i++)
    {
      if (i > 0)
        g_string_append (text, ", ");
      if (i == slice->rows || i == slice->columns)
        g_string_append_c (text, ':');
      else
        g_string_append_printf (text, "%" G_GINT64_FORMAT, slice->at[i]);
    }
  return g_string_free (g_string_append_c (text, ']'), FALSE);
}

/* A part of a slice's text: ":" and "14:22" leave the axis free, from 0 or 14; a number stands still. */
static gboolean
parse_part (const char *part, gint64 size, gboolean *is_free, gint64 *from)
{
  g_auto (GStrv) ends = g_strsplit (part, ":", -1);
  guint n = g_strv_length (ends);
  *from = 0;
  *is_free = n == 2;
  if (n < 1 || n > 2)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      g_strstrip (ends[i]);
      gint64 number;
      if (n == 2 && ends[i][0] == '\0')
        continue;
      if (!g_ascii_string_to_signed (ends[i], 10, -size, i == 0 ? size - 1 : size, &number, NULL))
        return FALSE;
      if (i == 0)
        *from = number < 0 ? number + size : number;
    }
  return TRUE;
}

gboolean
fb_slice_parse (FbSlice *slice, const char *text, gint64 *row, gint64 *column)
{
  g_autofree char *plain = g_strdup (text);
  g_strdelimit (plain, "[]", ' ');
  g_auto (GStrv) parts = g_strsplit (plain, ",", -1);
  FbSlice parsed = *slice;
  gint64 from[FB_SLICE_DIMS];
  int free_axes[2] = { -1, -1 };
  guint n_free = 0, n = g_strv_length (parts);
  if (n != slice->n_dims)
    return FALSE;
  for (guint i = 0; i < n; i++)
    {
      gboolean is_free;
      if (!parse_part (parts[i], slice->shape[i], &is_free, &from[i]) || (is_free && n_free == 2))
        return FALSE;
      if (is_free)
        free_axes[n_free++] = (int) i;
      parsed.at[i] = is_free ? 0 : from[i];
    }
  if (n_free == 0)
    {
      gint64 element = 0;
      for (guint i = 0; i < n; i++)
        element = element * slice->shape[i] + from[i];
      return fb_slice_find (slice, element, row, column);
    }
  if (n_free == 1)
    {
      parsed.rows = -1;
      parsed.columns = free_axes[0];
      parsed.wrap = slice->rows < 0 ? slice->wrap : 0;
      *row = parsed.wrap > 0 ? from[free_axes[0]] / parsed.wrap : 0;
      *column = parsed.wrap > 0 ? from[free_axes[0]] % parsed.wrap : from[free_axes[0]];
    }
  else
    {
      /* axes that are turned stay turned */
      gboolean turned = slice->rows == free_axes[1] && slice->columns == free_axes[0];
      parsed.rows = free_axes[turned];
      parsed.columns = free_axes[!turned];
      parsed.wrap = 0;
      *row = from[parsed.rows];
      *column = from[parsed.columns];
    }
  *slice = parsed;
  return TRUE;
}

char *
fb_shape_text (guint n_dims, const gint64 *shape)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i > 0 ? "×" : "", shape[i]);
  return g_string_free (text, FALSE);
}

gboolean
fb_shape_parse (const char *text, gint64 size, guint *n_dims, gint64 shape[FB_SLICE_DIMS])
{
  g_autofree char *plain = g_strdup (text);
  /* the sign is two bytes */
  for (char *at = plain; (at = strstr (at, "×")) != NULL;)
    memcpy (at, ", ", 2);
  g_strdelimit (plain, "x*()[]", ',');
  g_auto (GStrv) parts = g_strsplit (plain, ",", -1);
  gint64 product = 1;
  int left = -1;
  guint n = 0;
  for (char **part = parts; *part != NULL; part++)
    {
      gint64 number;
      g_strstrip (*part);
      if (**part == '\0')
        continue;
      if (n == FB_SLICE_DIMS || !g_ascii_string_to_signed (*part, 10, -1, MAX (size, 1), &number, NULL) || number == 0
          || (number < 0 && left >= 0))
        return FALSE;
      if (number < 0)
        left = (int) n;
      else if (__builtin_mul_overflow (product, number, &product))
        return FALSE;
      shape[n++] = number;
    }
  if (n == 0 || (left < 0 ? product != size : size % product != 0))
    return FALSE;
  if (left >= 0)
    shape[left] = size / product;
  *n_dims = n;
  return TRUE;
}

/* --- sampling --- */

static double
farther (double a, double b)
{
  if (isnan (a) || isnan (b))
    return NAN;
  return fabs (b) > fabs (a) ? b : a;
}

static double
apart (double a, double b)
{
  return a == b || (isnan (a) && isnan (b)) ? 0 : fabs (a - b);
}

/* Row @row of the slice, from @first, as values; in one go where the columns lie side by side. */
static void
read_row (const FbSlice *slice, guint type, const guint8 *data, gint64 row, gint64 first, guint n, double *out)
{
  gint64 start = fb_slice_element (slice, row, first);
  gint64 stride = n > 1 ? fb_slice_element (slice, row, first + 1) - start : 1;
  if (stride == 1)
    fb_values_read (type, data, start, n, out);
  else
    for (guint i = 0; i < n; i++)
      fb_values_read (type, data, start + i * stride, 1, out + i);
}

/* Puts values of the columns from @first on where they belong in a line of @width. */
static void
put_row (double *line, guint8 *seen, guint width, const double *values, gint64 first, guint n, gint64 n_columns)
{
  if ((gint64) width >= n_columns) /* a column takes one place, or several */
    {
      for (guint i = 0; i < n; i++)
        {
          guint x = (guint) ((first + i) * width / n_columns), end = (guint) ((first + i + 1) * width / n_columns);
          for (; x < end; x++)
            {
              line[x] = seen[x] ? farther (line[x], values[i]) : values[i];
              seen[x] = 1;
            }
        }
      return;
    }
  guint x = (guint) ((__int128) first * width / n_columns);
  gint64 next = (gint64) (((__int128) (x + 1) * n_columns + width - 1) / width);
  for (guint i = 0; i < n; i++)
    {
      if (first + i == next)
        next = (gint64) (((__int128) (++x + 1) * n_columns + width - 1) / width);
      line[x] = seen[x] ? farther (line[x], values[i]) : values[i];
      seen[x] = 1;
    }
}

gboolean
fb_slice_sample (const FbSlice *slice, guint type, const guint8 *data, const guint8 *other, guint width, guint height,
                 double *out, guint8 *filled, GCancellable *cancellable)
{
  gint64 n_rows = fb_slice_n_rows (slice), n_columns = fb_slice_n_columns (slice);
  gint64 n_last
      = slice->rows < 0 && slice->wrap > 0 ? slice->shape[slice->columns] - (n_rows - 1) * slice->wrap : n_columns;
  enum
  {
    BLOCK = 4096
  };
  g_autofree double *values = g_new (double, 2 * BLOCK);
  g_autofree guint8 *seen = g_malloc0 (MAX ((gsize) width * height, 1));
  gint64 since = 0;
  for (guint y = 0; y < height; y++)
    {
      gint64 top = (gint64) ((__int128) y * n_rows / height), bottom = (gint64) ((__int128) (y + 1) * n_rows / height);
      for (gint64 row = top; row < MAX (bottom, top + 1); row++)
        {
          gint64 end = row + 1 == n_rows ? n_last : n_columns;
          for (gint64 first = 0; first < end; first += BLOCK)
            {
              guint n = (guint) MIN (end - first, BLOCK);
              if ((since += n) > (1 << 18))
                {
                  since = 0;
                  if (g_cancellable_is_cancelled (cancellable))
                    return FALSE;
                }
              read_row (slice, type, data, row, first, n, values);
              if (other != NULL)
                {
                  read_row (slice, type, other, row, first, n, values + BLOCK);
                  for (guint i = 0; i < n; i++)
                    values[i] = apart (values[i], values[BLOCK + i]);
                }
              put_row (out + (gsize) y * width, seen + (gsize) y * width, width, values, first, n, n_columns);
            }
        }
    }
  for (gsize i = 0; i < (gsize) width * height; i++)
    if (!seen[i])
      out[i] = NAN;
  if (filled != NULL)
    memcpy (filled, seen, (gsize) width * height);
  return TRUE;
}
