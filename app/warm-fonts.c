#include "app/warm-fonts.h"

#include "app/diff-view.h"
#include "app/text-cell.h"

#define LETTERS_A_TURN 12
/* Widgets that it is looked at a turn until one is written in another font. */
#define WIDGETS_A_TURN 40

static const char letters[]
    = "etaoinsrhldcumfpgwybvkxjqz0123456789ETAOINSRHLDCUMFPGWYBVKXJQZ_.,:;()[]{}<>=+-*/%&|!?'\"#";

typedef struct
{
  GPtrArray *widgets; /* of GtkWidget, held */
  guint at;
  GHashTable *fonts;   /* those that are ready, or being got ready; of PangoFontDescription */
  PangoLayout *layout; /* in the one under way; NULL: none is */
  const char *rest;    /* its letters that are not ready */
  cairo_t *cr;         /* what they are drawn on is not looked at */
} Warming;

static void
collect (GPtrArray *widgets, GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) || FB_IS_TEXT_CELL (widget) || FB_IS_DIFF_VIEW (widget))
    g_ptr_array_add (widgets, g_object_ref (widget));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    collect (widgets, child);
}

static void
free_warming (gpointer data)
{
  Warming *warming = data;
  g_ptr_array_unref (warming->widgets);
  g_hash_table_unref (warming->fonts);
  g_clear_object (&warming->layout);
  cairo_destroy (warming->cr);
  g_free (warming);
}

/* FALSE: there are no more. */
static gboolean
find_font (Warming *warming)
{
  for (guint i = 0; i < WIDGETS_A_TURN && warming->at < warming->widgets->len && !warming->layout; i++)
    {
      GtkWidget *widget = g_ptr_array_index (warming->widgets, warming->at++);
      const PangoFontDescription *font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
      if (g_hash_table_contains (warming->fonts, font))
        continue;
      g_hash_table_add (warming->fonts, pango_font_description_copy (font));
      warming->layout = gtk_widget_create_pango_layout (widget, NULL);
      warming->rest = letters;
    }
  return warming->layout != NULL || warming->at < warming->widgets->len;
}

static gboolean
warm (gpointer data)
{
  Warming *warming = data;
  if (!warming->layout)
    return find_font (warming);
  gsize n = MIN (strlen (warming->rest), LETTERS_A_TURN);
  pango_layout_set_text (warming->layout, warming->rest, (int) n);
  pango_cairo_show_layout (warming->cr, warming->layout);
  warming->rest += n;
  if (!*warming->rest)
    g_clear_object (&warming->layout);
  return G_SOURCE_CONTINUE;
}

void
fb_warm_fonts (GtkWidget *root)
{
  static gboolean begun;
  g_return_if_fail (GTK_IS_WIDGET (root));
  if (begun)
    return;
  begun = TRUE;
  Warming *warming = g_new0 (Warming, 1);
  warming->widgets = g_ptr_array_new_with_free_func (g_object_unref);
  collect (warming->widgets, root);
  warming->fonts
      = g_hash_table_new_full ((GHashFunc) pango_font_description_hash, (GEqualFunc) pango_font_description_equal,
                               (GDestroyNotify) pango_font_description_free, NULL);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, 512, 64);
  warming->cr = cairo_create (surface);
  cairo_surface_destroy (surface);
  g_idle_add_full (G_PRIORITY_LOW, warm, warming, free_warming);
}
