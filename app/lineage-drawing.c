#include "app/lineage-drawing.h"

#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/gdk-color.h"
#include "app/glyph.h"
#include "app/section.h"
#include "app/tip.h"

#define MARGIN 12
#define COLUMN_GAP 10
#define ROW_GAP 22
#define HEAD_WIDTH 7
#define HEAD_HEIGHT 6

typedef struct
{
  GtkWidget *card;
  int level;
  double order;            /* in its level */
  int x, y, width, height; /* as placed */
} Place;

typedef struct
{
  guint from, to;
  FbLineageKind kind;
} Line;

struct _FbLineageDrawing
{
  GtkWidget parent_instance;
  GArray *places; /* of Place; the first is the node asked for */
  GArray *lines;  /* of Line */
  GArray *order;  /* of guint: places, by level, then order */
  int width, height;
};

G_DEFINE_FINAL_TYPE (FbLineageDrawing, fb_lineage_drawing, GTK_TYPE_WIDGET)

static guint picked_signal;

static Place *
place_at (FbLineageDrawing *self, guint i)
{
  return &g_array_index (self->places, Place, i);
}

/* --- order --- */

static int
compare_places (gconstpointer a, gconstpointer b, gpointer data)
{
  FbLineageDrawing *self = data;
  guint i = *(const guint *) a, k = *(const guint *) b;
  const Place *x = place_at (self, i), *y = place_at (self, k);
  if (x->level != y->level)
    return x->level < y->level ? -1 : 1;
  if (x->order != y->order)
    return x->order < y->order ? -1 : 1;
  return i < k ? -1 : i > k;
}

static void
sort_places (FbLineageDrawing *self)
{
  g_array_sort_with_data (self->order, compare_places, self);
  int level = G_MININT, n = 0;
  for (guint i = 0; i < self->order->len; i++)
    {
      Place *place = place_at (self, g_array_index (self->order, guint, i));
      n = place->level == level ? n + 1 : 0;
      level = place->level;
      place->order = n;
    }
}

/* Under the middle of what leads there; towards the top, over the middle of what it leads to. */
static void
order_places (FbLineageDrawing *self)
{
  g_autofree double *sum = g_new (double, self->places->len + 1);
  g_autofree guint *n = g_new (guint, self->places->len + 1);
  sort_places (self);
  for (guint round = 0; round < 4; round++)
    {
      for (guint i = 0; i < self->places->len; i++)
        {
          sum[i] = 0;
          n[i] = 0;
        }
      for (guint i = 0; i < self->lines->len; i++)
        {
          const Line *line = &g_array_index (self->lines, Line, i);
          gboolean below = place_at (self, line->to)->level > 0;
          guint which = below ? line->to : line->from, other = below ? line->from : line->to;
          sum[which] += place_at (self, other)->order;
          n[which]++;
        }
      for (guint i = 0; i < self->places->len; i++)
        if (n[i])
          place_at (self, i)->order = sum[i] / n[i];
      sort_places (self);
    }
}

/* --- places --- */

static void
lay_out (FbLineageDrawing *self)
{
  int y = MARGIN, widest = 0;
  guint n = self->order->len;
  for (guint first = 0, end; first < n; first = end)
    {
      int level = place_at (self, g_array_index (self->order, guint, first))->level, width = 0, height = 0;
      for (end = first; end < n; end++)
        {
          Place *place = place_at (self, g_array_index (self->order, guint, end));
          if (place->level != level)
            break;
          gtk_widget_measure (place->card, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &place->width, NULL, NULL);
          gtk_widget_measure (place->card, GTK_ORIENTATION_VERTICAL, place->width, NULL, &place->height, NULL, NULL);
          place->x = width;
          place->y = y;
          width += place->width + COLUMN_GAP;
          height = MAX (height, place->height);
        }
      width -= COLUMN_GAP;
      widest = MAX (widest, width);
      /* centred later, when the widest is known */
      for (guint i = first; i < end; i++)
        place_at (self, g_array_index (self->order, guint, i))->x -= width / 2;
      y += height + ROW_GAP;
    }
  self->width = widest + 2 * MARGIN;
  self->height = n ? y - ROW_GAP + MARGIN : 0;
}

static void
fb_lineage_drawing_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                            int *minimum_baseline, int *natural_baseline)
{
  FbLineageDrawing *self = FB_LINEAGE_DRAWING (widget);
  lay_out (self);
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? self->width : self->height;
}

static void
fb_lineage_drawing_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  FbLineageDrawing *self = FB_LINEAGE_DRAWING (widget);
  for (guint i = 0; i < self->places->len; i++)
    {
      const Place *place = place_at (self, i);
      gtk_widget_size_allocate (place->card,
                                &(GtkAllocation){ width / 2 + place->x, place->y, place->width, place->height }, -1);
    }
}

static void
draw_line (FbLineageDrawing *self, cairo_t *cr, const Line *line, double middle)
{
  const Place *from = place_at (self, line->from), *to = place_at (self, line->to);
  double x1 = middle + from->x + from->width / 2.0, y1 = from->y + from->height;
  double x2 = middle + to->x + to->width / 2.0, y2 = to->y;
  const double dashes[] = { 3, 3 };
  /* dashed where a kernel takes it over: no rule did that */
  cairo_set_dash (cr, dashes, 2, 0);
  if (line->kind < FB_LINEAGE_CUT)
    cairo_set_dash (cr, NULL, 0, 0);
  cairo_move_to (cr, x1, y1);
  cairo_curve_to (cr, x1, y1 + ROW_GAP * 0.6, x2, y2 - ROW_GAP * 0.6, x2, y2 - HEAD_HEIGHT);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_move_to (cr, x2, y2);
  cairo_rel_line_to (cr, -HEAD_WIDTH / 2.0, -HEAD_HEIGHT);
  cairo_rel_line_to (cr, HEAD_WIDTH, 0);
  cairo_close_path (cr);
  cairo_fill (cr);
}

static void
fb_lineage_drawing_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbLineageDrawing *self = FB_LINEAGE_DRAWING (widget);
  int width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA edge = fb_gdk_color (FB_COLOR_EDGE, dark);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  gdk_cairo_set_source_rgba (cr, &edge);
  cairo_set_line_width (cr, 1.25);
  for (guint i = 0; i < self->lines->len; i++)
    draw_line (self, cr, &g_array_index (self->lines, Line, i), width / 2);
  cairo_destroy (cr);
  GTK_WIDGET_CLASS (fb_lineage_drawing_parent_class)->snapshot (widget, snapshot);
}

/* --- cards --- */

static void
card_clicked (GtkWidget *card, FbLineageDrawing *self)
{
  g_signal_emit (self, picked_signal, 0, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (card), "node")));
}

static GtkWidget *
new_card (FbLineageDrawing *self, const FbTraceNode *node, guint number)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6), *card = gtk_button_new ();
  gtk_box_append (GTK_BOX (box), fb_glyph_new_kind (node->kind));
  gtk_box_append (GTK_BOX (box), fb_label_new (node->op, "fb-code", "fb-strong"));
  if (node->kernel)
    {
      /* Translators: short for the number of a kernel */
      g_autofree char *kernel = g_strdup_printf (_ ("k%u"), node->kernel);
      gtk_box_append (GTK_BOX (box), fb_label_new (kernel, "fb-small-code", "fb-dim"));
    }
  gtk_button_set_child (GTK_BUTTON (card), box);
  gtk_widget_add_css_class (card, "fb-card");
  if (node->level == 0)
    gtk_widget_add_css_class (card, "fb-here");
  g_autofree char *tip = g_strdup_printf ("%s %s\n%s", node->op, node->type, node->key);
  fb_tip_set (card, tip);
  g_object_set_data (G_OBJECT (card), "node", GUINT_TO_POINTER (number));
  g_signal_connect_object (card, "clicked", G_CALLBACK (card_clicked), self, 0);
  gtk_widget_set_parent (card, GTK_WIDGET (self));
  return card;
}

void
fb_lineage_drawing_set_trace (FbLineageDrawing *self, const FbTrace *trace)
{
  g_return_if_fail (FB_IS_LINEAGE_DRAWING (self));
  for (guint i = 0; i < self->places->len; i++)
    gtk_widget_unparent (place_at (self, i)->card);
  g_array_set_size (self->places, 0);
  g_array_set_size (self->lines, 0);
  g_array_set_size (self->order, 0);
  for (guint i = 0; trace && i < trace->nodes->len; i++)
    {
      Place place = { new_card (self, fb_trace_node (trace, i), i), fb_trace_node (trace, i)->level, i };
      g_array_append_val (self->places, place);
      g_array_append_val (self->order, i);
    }
  for (guint i = 0; trace && i < trace->links->len; i++)
    {
      const FbTraceLink *link = fb_trace_link (trace, i);
      Line line = { link->from, link->to, link->kind };
      g_array_append_val (self->lines, line);
    }
  order_places (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

gboolean
fb_lineage_drawing_get_focus (FbLineageDrawing *self, double *x, double *y)
{
  g_return_val_if_fail (FB_IS_LINEAGE_DRAWING (self), FALSE);
  if (!self->places->len)
    return FALSE;
  lay_out (self);
  const Place *place = place_at (self, 0);
  *x = MAX (self->width, gtk_widget_get_width (GTK_WIDGET (self))) / 2 + place->x + place->width / 2.0;
  *y = place->y + place->height / 2.0;
  return TRUE;
}

static void
fb_lineage_drawing_dispose (GObject *object)
{
  FbLineageDrawing *self = FB_LINEAGE_DRAWING (object);
  if (self->places)
    fb_lineage_drawing_set_trace (self, NULL);
  g_clear_pointer (&self->places, g_array_unref);
  g_clear_pointer (&self->lines, g_array_unref);
  g_clear_pointer (&self->order, g_array_unref);
  G_OBJECT_CLASS (fb_lineage_drawing_parent_class)->dispose (object);
}

static void
fb_lineage_drawing_class_init (FbLineageDrawingClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_lineage_drawing_dispose;
  widget_class->measure = fb_lineage_drawing_measure;
  widget_class->size_allocate = fb_lineage_drawing_size_allocate;
  widget_class->snapshot = fb_lineage_drawing_snapshot;
  picked_signal = g_signal_new ("picked", FB_TYPE_LINEAGE_DRAWING, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_UINT);
  gtk_widget_class_set_css_name (widget_class, "lineage");
}

static void
fb_lineage_drawing_init (FbLineageDrawing *self)
{
  self->places = g_array_new (FALSE, FALSE, sizeof (Place));
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
