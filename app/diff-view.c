#include "app/diff-view.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/cli/count.h"
#include "app/gdk-color.h"

#define PAD 10.0
/* Bytes of a line that are set; nobody scrolls further, and a layout of more would stall. */
#define LONGEST_LINE 16384
#define NOTHING G_MAXUINT32

/* A line on the screen: rows of the diff at its left and right; in one column both are the same. */
typedef struct
{
  guint32 left, right;
} Line;

struct _FbDiffView
{
  GtkWidget parent_instance;
  const FbTextDiff *diff; /* borrowed */
  gboolean side_by_side;
  GArray *lines;
  GtkAdjustment *adjustments[2]; /* by GtkOrientation */
  gulong handlers[2];
  GtkScrollablePolicy policies[2];
  double line_height, advance; /* of the font */
  guint longest;               /* bytes */
  guint digits;
};

enum
{
  PROP_HADJUSTMENT = 1,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

G_DEFINE_FINAL_TYPE_WITH_CODE (FbDiffView, fb_diff_view, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/* --- lines --- */

static void
add_line (FbDiffView *self, guint32 left, guint32 right)
{
  Line line = { left, right };
  g_array_append_val (self->lines, line);
}

/* In two columns the k-th removed line of a block stands beside the k-th added one. */
static void
make_lines (FbDiffView *self)
{
  g_array_set_size (self->lines, 0);
  self->longest = 0;
  self->digits = 2;
  if (!self->diff)
    return;
  const FbDiffRow *rows = self->diff->rows;
  guint32 n = self->diff->n_rows, largest = 0;
  for (guint32 i = 0; i < n; i++)
    {
      if (rows[i].kind != FB_DIFF_SKIPPED)
        self->longest = MAX (self->longest, MIN (MAX (rows[i].len, rows[i].was_len), LONGEST_LINE));
      largest = MAX (largest, MAX (rows[i].old_line, rows[i].new_line));
    }
  for (guint32 limit = 100; limit <= largest && self->digits < 8; limit *= 10)
    self->digits++;
  for (guint32 i = 0; i < n;)
    {
      if (!self->side_by_side || rows[i].kind == FB_DIFF_SAME || rows[i].kind == FB_DIFF_SKIPPED)
        {
          add_line (self, i, i);
          i++;
          continue;
        }
      guint32 removed = i, added = i;
      while (added < n && rows[added].kind == FB_DIFF_REMOVED)
        added++;
      guint32 end_removed = added, end = added;
      while (end < n && rows[end].kind == FB_DIFF_ADDED)
        end++;
      while (removed < end_removed || added < end)
        add_line (self, removed < end_removed ? removed++ : NOTHING, added < end ? added++ : NOTHING);
      i = end;
    }
}

/* --- scrolling --- */

static double
gutter_width (FbDiffView *self)
{
  guint columns = self->side_by_side ? 1 : 2;
  return PAD + columns * (self->digits + 1.5) * self->advance + 2 * self->advance;
}

static void
configure (FbDiffView *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double room = (self->side_by_side ? width / 2 : width) - gutter_width (self) - PAD;
  double hidden = MAX (0, self->longest * self->advance - room);
  double sizes[2] = { width + hidden, MAX (height, self->lines->len * self->line_height + 8) };
  double pages[2] = { width, height };
  for (int i = 0; i < 2; i++)
    if (self->adjustments[i])
      {
        double value = gtk_adjustment_get_value (self->adjustments[i]);
        gtk_adjustment_configure (self->adjustments[i], CLAMP (value, 0, MAX (0, sizes[i] - pages[i])), 0, sizes[i],
                                  i ? self->line_height : 3 * self->advance, pages[i] * 0.9, pages[i]);
      }
}

static double
scrolled_by (FbDiffView *self, GtkOrientation orientation)
{
  return self->adjustments[orientation] ? floor (gtk_adjustment_get_value (self->adjustments[orientation])) : 0;
}

static void
set_adjustment (FbDiffView *self, GtkOrientation orientation, GtkAdjustment *adjustment)
{
  GtkAdjustment **slot = &self->adjustments[orientation];
  if (*slot)
    g_signal_handler_disconnect (*slot, self->handlers[orientation]);
  g_clear_object (slot);
  if (!adjustment)
    return;
  *slot = g_object_ref_sink (adjustment);
  self->handlers[orientation]
      = g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (gtk_widget_queue_draw), self);
  configure (self);
}

/* --- drawing --- */

static FbColor
mark_color (FbDiffKind kind)
{
  return kind == FB_DIFF_REMOVED ? FB_COLOR_REPLACED : FB_COLOR_NEW;
}

static void
draw_text (GtkSnapshot *snapshot, PangoLayout *layout, const char *text, int len, double x, double y,
           const GdkRGBA *color)
{
  pango_layout_set_attributes (layout, NULL);
  pango_layout_set_text (layout, text, len);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_layout (snapshot, layout, color);
  gtk_snapshot_restore (snapshot);
}

/* Bold and underlined what changed within the line. */
static void
draw_changed_text (FbDiffView *self, GtkSnapshot *snapshot, PangoLayout *layout, const FbDiffRow *row, double x,
                   double y, gboolean dark)
{
  GdkRGBA color = fb_gdk_color (FB_COLOR_TEXT, dark), line = fb_gdk_color (mark_color (row->kind), dark);
  guint32 len = MIN (row->len, LONGEST_LINE);
  PangoAttrList *attrs = pango_attr_list_new ();
  for (guint32 i = 0; i < row->n_spans; i++)
    {
      const FbDiffSpan *span = &self->diff->spans[row->first_span + i];
      PangoAttribute *bold = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
      bold->start_index = span->start;
      bold->end_index = span->start + span->len;
      pango_attr_list_insert (attrs, bold);
    }
  pango_layout_set_text (layout, row->text, len);
  pango_layout_set_attributes (layout, attrs);
  pango_attr_list_unref (attrs);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, y));
  gtk_snapshot_append_layout (snapshot, layout, &color);
  for (guint32 i = 0; i < row->n_spans; i++)
    {
      const FbDiffSpan *span = &self->diff->spans[row->first_span + i];
      if (span->start >= len)
        break;
      PangoRectangle from, to;
      pango_layout_index_to_pos (layout, span->start, &from);
      pango_layout_index_to_pos (layout, MIN (span->start + span->len, len), &to);
      gtk_snapshot_append_color (
          snapshot, &line,
          &GRAPHENE_RECT_INIT (from.x / PANGO_SCALE, self->line_height - 4, (to.x - from.x) / PANGO_SCALE, 2));
    }
  gtk_snapshot_restore (snapshot);
}

static double
draw_number (FbDiffView *self, GtkSnapshot *snapshot, PangoLayout *layout, guint32 number, double x, double y,
             const GdkRGBA *color)
{
  if (number)
    {
      char text[16];
      g_snprintf (text, sizeof text, "%*u", (int) self->digits, number);
      draw_text (snapshot, layout, text, -1, x, y, color);
    }
  return x + (self->digits + 1.5) * self->advance;
}

/* One row of the diff in a column from @x of width @width. */
static void
draw_row (FbDiffView *self, GtkSnapshot *snapshot, PangoLayout *layout, guint32 index, gboolean right, double x,
          double width, double y, gboolean dark)
{
  GdkRGBA dim = fb_gdk_color (FB_COLOR_DIM, dark), text_color = fb_gdk_color (FB_COLOR_TEXT, dark);
  graphene_rect_t all = GRAPHENE_RECT_INIT (x, y, width, self->line_height);
  if (index == NOTHING)
    {
      GdkRGBA nothing = fb_gdk_color (FB_COLOR_CANVAS, dark);
      gtk_snapshot_append_color (snapshot, &nothing, &all);
      return;
    }
  const FbDiffRow *row = &self->diff->rows[index];
  double text_y = y + 1;
  if (row->kind == FB_DIFF_SKIPPED)
    {
      /* Translators: a run of lines that are left out */
      g_autofree char *text
          = g_strdup_printf (ngettext ("⋯  %s line the same", "⋯  %s lines the same", row->len), fb_count (row->len));
      draw_text (snapshot, layout, text, -1, x + gutter_width (self) - 3 * self->advance, text_y, &dim);
      return;
    }
  gboolean changed = row->kind != FB_DIFF_SAME;
  GdkRGBA color = fb_gdk_color (mark_color (row->kind), dark);
  if (changed)
    {
      gboolean contrast = adw_style_manager_get_high_contrast (adw_style_manager_get_default ());
      GdkRGBA tint = fb_gdk_color (row->kind == FB_DIFF_REMOVED ? FB_COLOR_REPLACED_TINT : FB_COLOR_NEW_TINT, dark);
      if (!contrast)
        gtk_snapshot_append_color (snapshot, &tint, &all);
    }
  gtk_snapshot_push_clip (snapshot, &all);
  double at = x + PAD;
  if (!self->side_by_side || !right)
    at = draw_number (self, snapshot, layout, row->kind == FB_DIFF_ADDED ? 0 : row->old_line, at, text_y,
                      changed ? &color : &dim);
  if (!self->side_by_side || right)
    at = draw_number (self, snapshot, layout, row->kind == FB_DIFF_REMOVED ? 0 : row->new_line, at, text_y,
                      changed ? &color : &dim);
  if (changed)
    draw_text (snapshot, layout, row->kind == FB_DIFF_REMOVED ? "-" : "+", -1, at, text_y, &color);
  at = x + gutter_width (self);
  graphene_rect_t rest = GRAPHENE_RECT_INIT (at, y, MAX (0, x + width - at), self->line_height);
  gtk_snapshot_push_clip (snapshot, &rest);
  double text_x = at - scrolled_by (self, GTK_ORIENTATION_HORIZONTAL);
  if (row->n_spans)
    draw_changed_text (self, snapshot, layout, row, text_x, text_y, dark);
  else if (self->side_by_side && !right && row->was)
    draw_text (snapshot, layout, row->was, MIN (row->was_len, LONGEST_LINE), text_x, text_y, &text_color);
  else
    draw_text (snapshot, layout, row->text, MIN (row->len, LONGEST_LINE), text_x, text_y, &text_color);
  gtk_snapshot_pop (snapshot);
  gtk_snapshot_pop (snapshot);
}

static void
fb_diff_view_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  FbDiffView *self = FB_DIFF_VIEW (widget);
  if (!self->diff)
    return;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  double top = scrolled_by (self, GTK_ORIENTATION_VERTICAL) - 4;
  double half = floor (width / 2);
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (widget, NULL);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  guint first = MAX (0, floor (top / self->line_height));
  for (guint i = first; i < self->lines->len; i++)
    {
      const Line *line = &g_array_index (self->lines, Line, i);
      double y = i * self->line_height - top;
      if (y > height)
        break;
      if (!self->side_by_side)
        draw_row (self, snapshot, layout, line->left, FALSE, 0, width, y, dark);
      else
        {
          draw_row (self, snapshot, layout, line->left, FALSE, 0, half, y, dark);
          if (line->left == NOTHING || self->diff->rows[line->left].kind != FB_DIFF_SKIPPED)
            draw_row (self, snapshot, layout, line->right, TRUE, half, width - half, y, dark);
        }
    }
  if (self->side_by_side)
    {
      GdkRGBA border = fb_gdk_color (FB_COLOR_BORDER, dark);
      gtk_snapshot_append_color (snapshot, &border, &GRAPHENE_RECT_INIT (half, 0, 1, height));
    }
}

/* --- the widget --- */

static void
measure_font (FbDiffView *self)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), "0000000000");
  int width, height;
  pango_layout_get_size (layout, &width, &height);
  self->advance = width / 10.0 / PANGO_SCALE;
  self->line_height = MAX (19, ceil ((double) height / PANGO_SCALE) + 2);
}

void
fb_diff_view_set_diff (FbDiffView *self, const FbTextDiff *diff)
{
  g_return_if_fail (FB_IS_DIFF_VIEW (self));
  self->diff = diff;
  make_lines (self);
  for (int i = 0; i < 2; i++)
    if (self->adjustments[i])
      gtk_adjustment_set_value (self->adjustments[i], 0);
  configure (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

void
fb_diff_view_set_side_by_side (FbDiffView *self, gboolean side_by_side)
{
  g_return_if_fail (FB_IS_DIFF_VIEW (self));
  self->side_by_side = side_by_side;
  make_lines (self);
  configure (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
fb_diff_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  configure (FB_DIFF_VIEW (widget));
}

static void
fb_diff_view_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                      int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = 40;
}

static void
fb_diff_view_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (fb_diff_view_parent_class)->css_changed (widget, change);
  measure_font (FB_DIFF_VIEW (widget));
  gtk_widget_queue_resize (widget);
}

static void
scroll_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  FbDiffView *self = FB_DIFF_VIEW (widget);
  GtkAdjustment *adjustment = self->adjustments[GTK_ORIENTATION_VERTICAL];
  int lines = g_variant_get_int32 (parameter);
  if (!adjustment)
    return;
  double page = gtk_adjustment_get_page_increment (adjustment);
  double by = lines == G_MAXINT32 || lines == G_MININT32 ? (lines > 0 ? page : -page) : lines * self->line_height;
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_value (adjustment) + by);
}

static void
fb_diff_view_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  FbDiffView *self = FB_DIFF_VIEW (object);
  switch (id)
    {
    case PROP_HADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      set_adjustment (self, GTK_ORIENTATION_VERTICAL, g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_HORIZONTAL] = g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->policies[GTK_ORIENTATION_VERTICAL] = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fb_diff_view_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  FbDiffView *self = FB_DIFF_VIEW (object);
  switch (id)
    {
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_HORIZONTAL]);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->adjustments[GTK_ORIENTATION_VERTICAL]);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, self->policies[GTK_ORIENTATION_HORIZONTAL]);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, self->policies[GTK_ORIENTATION_VERTICAL]);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    }
}

static void
fb_diff_view_dispose (GObject *object)
{
  FbDiffView *self = FB_DIFF_VIEW (object);
  set_adjustment (self, GTK_ORIENTATION_HORIZONTAL, NULL);
  set_adjustment (self, GTK_ORIENTATION_VERTICAL, NULL);
  G_OBJECT_CLASS (fb_diff_view_parent_class)->dispose (object);
}

static void
fb_diff_view_finalize (GObject *object)
{
  g_array_unref (FB_DIFF_VIEW (object)->lines);
  G_OBJECT_CLASS (fb_diff_view_parent_class)->finalize (object);
}

static void
fb_diff_view_class_init (FbDiffViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  object_class->set_property = fb_diff_view_set_property;
  object_class->get_property = fb_diff_view_get_property;
  object_class->dispose = fb_diff_view_dispose;
  object_class->finalize = fb_diff_view_finalize;
  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");
  widget_class->snapshot = fb_diff_view_snapshot;
  widget_class->measure = fb_diff_view_measure;
  widget_class->size_allocate = fb_diff_view_size_allocate;
  widget_class->css_changed = fb_diff_view_css_changed;
  gtk_widget_class_set_css_name (widget_class, "diff");
  gtk_widget_class_install_action (widget_class, "diff.scroll", "i", scroll_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Up, 0, "diff.scroll", "i", -1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Down, 0, "diff.scroll", "i", 1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Up, 0, "diff.scroll", "i", G_MININT32);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Down, 0, "diff.scroll", "i", G_MAXINT32);
}

static void
fb_diff_view_init (FbDiffView *self)
{
  self->lines = g_array_new (FALSE, FALSE, sizeof (Line));
  self->digits = 2;
  measure_font (self);
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class (GTK_WIDGET (self), "fb-code");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Difference"), -1);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
}
