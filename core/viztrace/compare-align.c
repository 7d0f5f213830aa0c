/* Two lists beside each other, in order, with as much in common as possible. */
#include <string.h>

#include "compare-private.h"

/* Cells of the table of a whole alignment. */
#define MAX_CELLS (1u << 24)

typedef enum
{
  STEP_NONE,
  STEP_A,    /* item of A alone */
  STEP_B,    /* item of B alone */
  STEP_BOTH, /* a pair */
} Step;

/* Row a of the table holds the cells b = low .. low + width. */
typedef struct
{
  guint n_a, n_b, width;
  guint8 *steps;
} Table;

static guint
low_of (const Table *table, guint a)
{
  guint64 middle = table->n_a ? (guint64) a * table->n_b / table->n_a : 0;
  guint half = table->width / 2;
  guint low = middle > half ? (guint) middle - half : 0;

  return MIN (low, table->n_b + 1 - table->width);
}

static void
fill_table (Table *table, FbVizScore score, gpointer data)
{
  gsize n = table->width;
  g_autofree guint64 *above = g_new0 (guint64, n), *row = g_new0 (guint64, n);
  guint low_above = 0;

  for (guint a = 0; a <= table->n_a; a++)
    {
      guint low = low_of (table, a);

      for (guint i = 0; i < table->width; i++)
        {
          guint b = low + i;
          guint64 best = 0;
          Step step = STEP_NONE;
          /* cells of the row above, where they are within its part of the table */
          gboolean over = a > 0 && b >= low_above && b - low_above < table->width;
          gboolean beside = a > 0 && b > low_above && b - 1 - low_above < table->width;

          if (over)
            {
              best = above[b - low_above];
              step = STEP_A;
            }
          if (i > 0 && (step == STEP_NONE || row[i - 1] > best))
            {
              best = row[i - 1];
              step = STEP_B;
            }
          if (beside)
            {
              guint gain = score (a - 1, b - 1, data);
              guint64 sum = above[b - 1 - low_above] + gain;

              if (gain && (step == STEP_NONE || sum >= best))
                {
                  best = sum;
                  step = STEP_BOTH;
                }
            }
          row[i] = best;
          table->steps[(gsize) a * table->width + i] = (guint8) step;
        }
      guint64 *other = above;
      above = row;
      row = other;
      low_above = low;
    }
}

static void
read_back (const Table *table, int *partner)
{
  guint a = table->n_a, b = table->n_b;

  while (a > 0 || b > 0)
    switch ((Step) table->steps[(gsize) a * table->width + (b - low_of (table, a))])
      {
      case STEP_BOTH:
        partner[--a] = (int) --b;
        break;
      case STEP_A:
        a--;
        break;
      case STEP_B:
        b--;
        break;
      case STEP_NONE:
        return;
      }
}

void
fb_viz_align (guint n_a, guint n_b, FbVizScore score, gpointer data, int *partner)
{
  Table table = { .n_a = n_a, .n_b = n_b, .width = n_b + 1 };

  for (guint i = 0; i < n_a; i++)
    partner[i] = -1;
  if ((guint64) (n_a + 1) * table.width > MAX_CELLS)
    {
      /* rows must overlap, so that there is a way from one to the next */
      guint slope = n_b / (n_a + 1) + 2;
      table.width = MIN (table.width, MAX (MAX_CELLS / (n_a + 1), 2 * slope + 2));
    }
  table.steps = g_malloc0 ((gsize) (n_a + 1) * table.width);
  fill_table (&table, score, data);
  read_back (&table, partner);
  g_free (table.steps);
}
