#include "app/text-cell.h"

#include <string.h>

struct _FbTextCell
{
  GtkWidget parent_instance;
  char *text;
  guint n_chars;
  float xalign;
  PangoEllipsizeMode ellipsize;
  guint least, most;
  GtkWidget *list; /* that has noted that nobody sees it; NULL: none */
};

G_DEFINE_FINAL_TYPE (FbTextCell, fb_text_cell, GTK_TYPE_WIDGET)

/* --- sizes --- */

typedef struct
{
  PangoFontDescription *font;
  double resolution;
  int height, digit; /* px; Pango units */
} FontSize;

static void
font_size_free (gpointer data)
{
  FontSize *size = data;
  pango_font_description_free (size->font);
  g_free (size);
}

static guint
font_size_hash (gconstpointer data)
{
  const FontSize *size = data;
  return pango_font_description_hash (size->font) ^ (guint) size->resolution;
}

static gboolean
font_size_equal (gconstpointer a, gconstpointer b)
{
  const FontSize *x = a, *y = b;
  return x->resolution == y->resolution && pango_font_description_equal (x->font, y->font);
}

/* Of the few fonts that rows have; Pango shapes a sample each time it is asked. */
static const FontSize *
font_size (GtkWidget *widget)
{
  static GHashTable *sizes;
  PangoContext *context = gtk_widget_get_pango_context (widget);
  FontSize asked = { pango_context_get_font_description (context), pango_cairo_context_get_resolution (context) };
  FontSize *size;

  if (!sizes)
    sizes = g_hash_table_new_full (font_size_hash, font_size_equal, NULL, font_size_free);
  if ((size = g_hash_table_lookup (sizes, &asked)))
    return size;
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, "0");
  PangoFontMetrics *metrics = pango_context_get_metrics (context, asked.font, pango_context_get_language (context));
  size = g_new (FontSize, 1);
  *size = (FontSize){ pango_font_description_copy (asked.font), asked.resolution };
  pango_layout_get_pixel_size (layout, NULL, &size->height);
  size->digit = MAX (pango_font_metrics_get_approximate_char_width (metrics),
                     pango_font_metrics_get_approximate_digit_width (metrics));
  pango_font_metrics_unref (metrics);
  g_hash_table_add (sizes, size);
  return size;
}

static void
fb_text_cell_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  const FbTextCell *self = FB_TEXT_CELL (widget);
  const FontSize *size = font_size (widget);
  guint most = MAX (self->least, MIN (self->n_chars, self->most)), least = self->least;

  if (orientation == GTK_ORIENTATION_VERTICAL)
    {
      *minimum = *natural = size->height;
      return;
    }
  if (self->ellipsize == PANGO_ELLIPSIZE_NONE)
    least = most = MAX (self->least, self->n_chars);
  *minimum = PANGO_PIXELS_CEIL ((int) least * size->digit);
  *natural = PANGO_PIXELS_CEIL ((int) most * size->digit);
}

/* --- what is not seen --- */

#define UNSEEN "fb-unseen-cells"

typedef struct
{
  GHashTable *cells; /* of FbTextCell, borrowed: they take themselves out */
  gulong handlers[2];
  GtkAdjustment *adjustment;
} Unseen;

static void
unseen_free (gpointer data)
{
  Unseen *unseen = data;
  GHashTableIter iter;
  gpointer cell;

  g_hash_table_iter_init (&iter, unseen->cells);
  while (g_hash_table_iter_next (&iter, &cell, NULL))
    FB_TEXT_CELL (cell)->list = NULL;
  for (guint i = 0; i < G_N_ELEMENTS (unseen->handlers); i++)
    g_signal_handler_disconnect (unseen->adjustment, unseen->handlers[i]);
  g_object_unref (unseen->adjustment);
  g_hash_table_unref (unseen->cells);
  g_free (unseen);
}

static void
forget_unseen (FbTextCell *self)
{
  Unseen *unseen = self->list ? g_object_get_data (G_OBJECT (self->list), UNSEEN) : NULL;

  if (unseen)
    g_hash_table_remove (unseen->cells, self);
  self->list = NULL;
}

/* Rows are placed only when the next frame is made, so each cell looks then where it is. */
static void
list_moved (Unseen *unseen)
{
  GHashTableIter iter;
  gpointer cell;

  g_hash_table_iter_init (&iter, unseen->cells);
  while (g_hash_table_iter_next (&iter, &cell, NULL))
    gtk_widget_queue_draw (cell);
}

static Unseen *
unseen_of (GtkWidget *list, GtkAdjustment *adjustment)
{
  Unseen *unseen = g_object_get_data (G_OBJECT (list), UNSEEN);

  if (unseen && unseen->adjustment == adjustment)
    return unseen;
  unseen = g_new0 (Unseen, 1);
  unseen->cells = g_hash_table_new (NULL, NULL);
  unseen->adjustment = g_object_ref (adjustment);
  unseen->handlers[0] = g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (list_moved), unseen);
  unseen->handlers[1] = g_signal_connect_swapped (adjustment, "changed", G_CALLBACK (list_moved), unseen);
  g_object_set_data_full (G_OBJECT (list), UNSEEN, unseen, unseen_free);
  return unseen;
}

/* Whether it is further from the seen part of its list than one screen of that; noted in the list then. */
static gboolean
is_far (FbTextCell *self)
{
  GtkWidget *list = gtk_widget_get_parent (GTK_WIDGET (self));
  graphene_rect_t at;

  while (list && !GTK_IS_SCROLLABLE (list))
    list = gtk_widget_get_parent (list);
  GtkAdjustment *adjustment = list ? gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list)) : NULL;
  if (!adjustment || !gtk_widget_compute_bounds (GTK_WIDGET (self), list, &at))
    return FALSE;
  float height = (float) gtk_widget_get_height (list);
  if (at.origin.y + at.size.height > -height && at.origin.y < 2 * height)
    return FALSE;
  if (self->list != list)
    {
      forget_unseen (self);
      self->list = list;
    }
  g_hash_table_add (unseen_of (list, adjustment)->cells, self);
  return TRUE;
}

/* --- drawing --- */

/* What the style of these classes asks of the font, which only labels are given by the toolkit. */
static void
add_features (GtkWidget *widget, PangoLayout *layout)
{
  const char *features
      = gtk_widget_has_css_class (widget, "fb-number") ? "tnum=1"
        : gtk_widget_has_css_class (widget, "fb-code") || gtk_widget_has_css_class (widget, "fb-small-code")
            ? "calt=0,liga=0"
            : NULL;
  if (!features)
    return;
  PangoAttrList *attributes = pango_attr_list_new ();
  pango_attr_list_insert (attributes, pango_attr_font_features_new (features));
  pango_layout_set_attributes (layout, attributes);
  pango_attr_list_unref (attributes);
}

static void
fb_text_cell_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbTextCell *self = FB_TEXT_CELL (widget);
  int width = gtk_widget_get_width (widget), text_width, text_height;
  GdkRGBA colour;

  if (!*self->text || is_far (self))
    return;
  forget_unseen (self);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, self->text);
  add_features (widget, layout);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  if (self->ellipsize != PANGO_ELLIPSIZE_NONE)
    {
      pango_layout_set_ellipsize (layout, self->ellipsize);
      pango_layout_set_width (layout, width * PANGO_SCALE);
    }
  pango_layout_get_pixel_size (layout, &text_width, &text_height);
  float xalign = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? 1 - self->xalign : self->xalign;
  int x = (int) ((float) MAX (0, width - text_width) * xalign);
  int y = (gtk_widget_get_height (widget) - text_height) / 2;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colour);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT ((float) x, (float) y));
  gtk_snapshot_append_layout (snapshot, layout, &colour);
  gtk_snapshot_restore (snapshot);
}

/* --- what it says --- */

static void
room_changed (FbTextCell *self)
{
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

void
fb_text_cell_set_text (FbTextCell *self, const char *text)
{
  g_return_if_fail (FB_IS_TEXT_CELL (self));
  guint before = self->n_chars;

  if (!text)
    text = "";
  if (!strcmp (self->text, text))
    return;
  g_free (self->text);
  self->text = g_strdup (text);
  self->n_chars = (guint) g_utf8_strlen (text, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  if (self->n_chars != before && (self->ellipsize == PANGO_ELLIPSIZE_NONE || self->most > self->least))
    room_changed (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

const char *
fb_text_cell_get_text (FbTextCell *self)
{
  g_return_val_if_fail (FB_IS_TEXT_CELL (self), NULL);
  return self->text;
}

void
fb_text_cell_set_xalign (FbTextCell *self, float xalign)
{
  g_return_if_fail (FB_IS_TEXT_CELL (self));
  self->xalign = CLAMP (xalign, 0, 1);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_text_cell_set_ellipsize (FbTextCell *self, PangoEllipsizeMode ellipsize)
{
  g_return_if_fail (FB_IS_TEXT_CELL (self));
  self->ellipsize = ellipsize;
  room_changed (self);
}

void
fb_text_cell_set_width_chars (FbTextCell *self, guint least, guint most)
{
  g_return_if_fail (FB_IS_TEXT_CELL (self));
  self->least = least;
  self->most = most;
  room_changed (self);
}

/* --- the widget --- */

static void
fb_text_cell_unmap (GtkWidget *widget)
{
  forget_unseen (FB_TEXT_CELL (widget));
  GTK_WIDGET_CLASS (fb_text_cell_parent_class)->unmap (widget);
}

static void
fb_text_cell_finalize (GObject *object)
{
  FbTextCell *self = FB_TEXT_CELL (object);
  forget_unseen (self);
  g_free (self->text);
  G_OBJECT_CLASS (fb_text_cell_parent_class)->finalize (object);
}

static void
fb_text_cell_class_init (FbTextCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->finalize = fb_text_cell_finalize;
  widget_class->measure = fb_text_cell_measure;
  widget_class->snapshot = fb_text_cell_snapshot;
  widget_class->unmap = fb_text_cell_unmap;
  gtk_widget_class_set_css_name (widget_class, "label");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LABEL);
}

static void
fb_text_cell_init (FbTextCell *self)
{
  self->text = g_strdup ("");
  self->ellipsize = PANGO_ELLIPSIZE_END;
}

GtkWidget *
fb_text_cell_new (float xalign, const char *first_class, const char *second_class)
{
  FbTextCell *self = g_object_new (FB_TYPE_TEXT_CELL, NULL);
  self->xalign = xalign;
  if (first_class)
    gtk_widget_add_css_class (GTK_WIDGET (self), first_class);
  if (second_class)
    gtk_widget_add_css_class (GTK_WIDGET (self), second_class);
  return GTK_WIDGET (self);
}
