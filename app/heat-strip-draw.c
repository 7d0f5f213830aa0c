/* Places and pictures of the heat strip. */
#include <adwaita.h>
#include <glib/gi18n.h>
#include <math.h>

#include "app/cli/count.h"
#include "app/gdk-color.h"
#include "app/heat-strip-private.h"
#include "app/rule-timing.h"
#include "app/step-sign.h"
#include "core/viztrace/profile.h"

#define PASS_GAP 10.0
#define EMPTY_PASS 6.0
#define GROWTH_TOP 35.0
#define GROWTH_HEIGHT 2.5
#define HATCH 4.0

/* --- places --- */

static gboolean
starts_group (const FbRowView *row, guint pass)
{
  return !pass || !row->passes[pass].kernel || row->passes[pass].kernel != row->passes[pass - 1].kernel;
}

static gboolean
is_empty_box (const FbPassView *pass)
{
  return !pass->n_steps && !pass->kernel;
}

/* Adds the cells of a pass; the last cell takes in what comes after it while both are too small to be told apart. */
static void
add_cells (FbHeatStrip *self, const FbPassView *pass, double x, double gap)
{
  for (guint s = 0; s < pass->n_steps; s++, x += self->cell)
    {
      guint at = pass->first - 1 + s;
      FbHeatCell *last = self->cells->len ? &g_array_index (self->cells, FbHeatCell, self->cells->len - 1) : NULL;
      gboolean joins = last && last->end == at && (s > 0 || gap < 1) && last->width < FB_HEAT_SMALLEST_CELL
                       && self->cell < FB_HEAT_SMALLEST_CELL;
      if (joins)
        {
          last->end = at + 1;
          last->width = x + self->cell - last->x;
          continue;
        }
      FbHeatCell cell = { x, self->cell, at, at + 1 };
      g_array_append_val (self->cells, cell);
    }
}

void
fb_heat_strip_lay_out (FbHeatStrip *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  FbRowView *row = fb_document_get_row (self->doc);
  g_array_set_size (self->spans, 0);
  g_array_set_size (self->cells, 0);
  g_clear_pointer (&self->drawn, gsk_render_node_unref);
  self->stale = FALSE;
  if (!row || !row->n_passes)
    return;
  double width = gtk_widget_get_width (widget) - 2;
  /* The passes of one kernel stand together; only those without steps take room of their own where they stand alone. */
  guint n_empty = 0, n_gaps = 0;
  for (guint i = 0; i < row->n_passes; i++)
    {
      n_empty += is_empty_box (&row->passes[i]);
      n_gaps += starts_group (row, i) && i;
    }
  double gap = PASS_GAP, empty = EMPTY_PASS, spent = gap * n_gaps + empty * n_empty;
  /* Thousands of kernels: gaps give way to steps. */
  if (spent > width / 3)
    {
      gap *= width / 3 / spent;
      empty *= width / 3 / spent;
      spent = width / 3;
    }
  self->cell = row->n_steps ? MIN (FB_HEAT_CELL, (width - spent) / row->n_steps) : FB_HEAT_CELL;
  double x = 1, name_end = -1;
  for (guint i = 0; i < row->n_passes; i++)
    {
      const FbPassView *pass = &row->passes[i];
      if (i && starts_group (row, i))
        x += gap;
      FbHeatSpan span = { x, pass->n_steps ? pass->n_steps * self->cell : is_empty_box (pass) ? empty : 0, NULL };
      /* The name of an empty box would push out that of a pass with something to see. */
      if (starts_group (row, i) && !is_empty_box (pass) && x >= name_end)
        {
          g_autofree char *kernel = pass->kernel ? g_strdup_printf (_ ("kernel %u"), pass->kernel) : NULL;
          span.name = gtk_widget_create_pango_layout (widget, kernel ? kernel : pass->pass->title);
          int name_width;
          pango_layout_get_pixel_size (span.name, &name_width, NULL);
          if (x + name_width <= width + 2)
            name_end = x + name_width + 6;
          else
            g_clear_object (&span.name);
        }
      g_array_append_val (self->spans, span);
      add_cells (self, pass, x, gap);
      x += span.width;
    }
}

void
fb_heat_strip_place (FbHeatStrip *self, FbStepPosition position, double *x, double *width)
{
  const FbHeatSpan *span = &g_array_index (self->spans, FbHeatSpan, position.pass);
  *x = span->x;
  *width = span->width;
  if (position.step)
    {
      *x += (position.step - 1) * self->cell;
      *width = self->cell - (self->cell >= 2 * FB_HEAT_SMALLEST_CELL ? 1 : 0);
    }
  else if (fb_document_get_row (self->doc)->passes[position.pass].n_steps)
    {
      /* The input of a pass is before its first cell. */
      *x -= 4;
      *width = 2;
    }
}

/* --- what a cell says --- */

typedef struct
{
  double most; /* of the steps that are known */
  int growth;
  guint repeats;
  gboolean known;
} Reading;

static double
tries_per_match (const FbPass *pass, guint step)
{
  guint32 rule = fb_pass_match (pass, step)->rule;
  return (double) pass->tries[rule] / MAX (1, pass->fired[rule]);
}

static Reading
read_cell (FbHeatStrip *self, const FbRowView *row, const FbHeatCell *cell, guint *pass)
{
  const FbHeat *heat = fb_document_get_heat (self->doc);
  Reading reading = { 0 };
  for (guint at = cell->first; at < cell->end; at++)
    {
      while (at >= row->passes[*pass].first - 1 + row->passes[*pass].n_steps)
        ++*pass;
      reading.repeats += row->repeat_of[at] != 0;
      gboolean known = heat->touched[at] != FB_HEAT_UNKNOWN;
      double value = known ? heat->touched[at] : 0;
      if (self->kind == FB_HEAT_TRIES)
        {
          known = TRUE;
          value = tries_per_match (row->passes[*pass].pass, at - (row->passes[*pass].first - 1));
        }
      else if (self->kind == FB_HEAT_TIME)
        {
          value
              = fb_rule_timing_get_step (fb_document_get_timing (self->doc), *pass, at - row->passes[*pass].first + 2);
          known = value >= 0;
        }
      else if (known && self->kind == FB_HEAT_GROWTH)
        value = ABS (heat->growth[at]);
      if (known)
        {
          reading.known = TRUE;
          reading.most = MAX (reading.most, value);
        }
      reading.growth += heat->growth[at];
    }
  return reading;
}

/* --- drawing --- */

static FbColor
heat_color (double share)
{
  static const FbColor levels[] = { FB_COLOR_HEAT_1, FB_COLOR_HEAT_2, FB_COLOR_HEAT_3, FB_COLOR_HEAT_4 };
  return levels[MIN (3, (int) (share * 4))];
}

static void
fill (GtkSnapshot *snapshot, FbColor color, gboolean dark, double x, double y, double width, double height)
{
  GdkRGBA rgba = fb_gdk_color (color, dark);
  gtk_snapshot_append_color (snapshot, &rgba, &GRAPHENE_RECT_INIT (x, y, width, height));
}

/* A rewrite that was made before: the bar as hatching. */
static void
hatch (cairo_t *cr, double x, double y, double width, double height)
{
  cairo_save (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_clip (cr);
  for (double at = floor ((x - height) / HATCH) * HATCH; at < x + width; at += HATCH)
    {
      cairo_move_to (cr, at, y + height);
      cairo_rel_line_to (cr, height, -height);
    }
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
draw_cells (FbHeatStrip *self, const FbRowView *row, GtkSnapshot *snapshot, cairo_t *hatching, gboolean dark)
{
  g_autofree Reading *readings = g_new (Reading, self->cells->len);
  double most = 0;
  guint pass = 0;
  for (guint i = 0; i < self->cells->len; i++)
    {
      readings[i] = read_cell (self, row, &g_array_index (self->cells, FbHeatCell, i), &pass);
      most = MAX (most, readings[i].most);
    }
  for (guint i = 0; i < self->cells->len; i++)
    {
      const FbHeatCell *cell = &g_array_index (self->cells, FbHeatCell, i);
      const Reading *reading = &readings[i];
      /* A hairline between cells that are wide enough for one. */
      double inner = cell->width >= 2 * FB_HEAT_SMALLEST_CELL ? cell->width - 1 : cell->width;
      fill (snapshot, FB_COLOR_HEAT_0, dark, cell->x, FB_HEAT_BAR_TOP, inner, FB_HEAT_BAR_HEIGHT);
      if (!reading->known || most <= 0)
        continue;
      double share = sqrt (reading->most / most), height = MAX (1, round (share * FB_HEAT_BAR_HEIGHT));
      double top = FB_HEAT_BAR_TOP + FB_HEAT_BAR_HEIGHT - height;
      fill (snapshot, heat_color (share), dark, cell->x, top, inner, height);
      if (reading->repeats * 2 > cell->end - cell->first)
        hatch (hatching, cell->x, top, inner, height);
      if (reading->growth)
        {
          double inset = inner > 9 ? 3 : 0;
          fill (snapshot, reading->growth > 0 ? FB_COLOR_NEW : FB_COLOR_REPLACED, dark, cell->x + inset, GROWTH_TOP,
                inner - 2 * inset, GROWTH_HEIGHT);
        }
    }
}

static void
draw_marks (FbHeatStrip *self, const FbRowView *row, cairo_t *cr, gboolean dark)
{
  FbStepMarks *marks = fb_document_get_marks (self->doc);
  /* Bookmarks last, so that they lie above. */
  for (guint kind = FB_N_STEP_MARK_KINDS; kind-- > 0;)
    {
      double drawn = -FB_STEP_SIGN_WIDTH, apart = kind == FB_STEP_HIT ? 2 : 3;
      for (guint i = 0; i < fb_step_marks_get_n (marks, kind); i++)
        {
          FbStepPosition position = fb_step_marks_get (marks, kind, i, NULL);
          double x, width;
          if (!fb_step_position_exists (row, position))
            continue;
          fb_heat_strip_place (self, position, &x, &width);
          x = round (x + width / 2);
          if (x - drawn < apart)
            continue;
          fb_step_sign_draw (cr, kind, x, 1, dark);
          drawn = x;
        }
    }
}

void
fb_heat_strip_draw (FbHeatStrip *self, GtkSnapshot *snapshot)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA dim = fb_gdk_color (FB_COLOR_DIM, dark), line = fb_gdk_color (FB_COLOR_BORDER, dark);
  GdkRGBA ground = fb_gdk_color (FB_COLOR_HEAT_0, dark);
  graphene_rect_t all = GRAPHENE_RECT_INIT (0, 0, gtk_widget_get_width (GTK_WIDGET (self)), GROWTH_TOP);
  for (guint i = 0; i < row->n_passes; i++)
    {
      const FbHeatSpan *span = &g_array_index (self->spans, FbHeatSpan, i);
      if (span->name)
        {
          gtk_snapshot_save (snapshot);
          gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (span->x, FB_HEAT_NAME_TOP));
          gtk_snapshot_append_layout (snapshot, span->name, &dim);
          gtk_snapshot_restore (snapshot);
        }
      if (!row->passes[i].n_steps && span->width >= 3)
        {
          GskRoundedRect box;
          gsk_rounded_rect_init_from_rect (
              &box, &GRAPHENE_RECT_INIT (span->x, FB_HEAT_BAR_TOP, span->width, FB_HEAT_BAR_HEIGHT), 0);
          gtk_snapshot_append_border (snapshot, &box, (float[4]){ 1, 1, 1, 1 }, (GdkRGBA[4]){ line, line, line, line });
        }
    }
  /* Cells are many: the hatching of all is one node, above them. */
  GtkSnapshot *above = gtk_snapshot_new ();
  cairo_t *cr = gtk_snapshot_append_cairo (above, &all);
  gdk_cairo_set_source_rgba (cr, &ground);
  cairo_set_line_width (cr, 1);
  draw_cells (self, row, snapshot, cr, dark);
  draw_marks (self, row, cr, dark);
  cairo_destroy (cr);
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (above);
  if (node)
    gtk_snapshot_append_node (snapshot, node);
}

/* A frame around the cell at @position; gives the middle. */
static double
frame_cell (FbHeatStrip *self, GtkSnapshot *snapshot, FbStepPosition position, float line, const GdkRGBA *color)
{
  double x, width;
  fb_heat_strip_place (self, position, &x, &width);
  double middle = x + width / 2;
  width = MAX (width, 4);
  x = middle - width / 2;
  GskRoundedRect frame;
  gsk_rounded_rect_init_from_rect (
      &frame, &GRAPHENE_RECT_INIT (x - 2, FB_HEAT_BAR_TOP - 3, width + 4, FB_HEAT_BAR_HEIGHT + 6), 3);
  gtk_snapshot_append_border (snapshot, &frame, (float[4]){ line, line, line, line },
                              (GdkRGBA[4]){ *color, *color, *color, *color });
  return middle;
}

void
fb_heat_strip_draw_position (FbHeatStrip *self, GtkSnapshot *snapshot)
{
  FbStepPosition position, from;
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  GdkRGBA accent = fb_gdk_color (FB_COLOR_ACCENT, dark);
  fb_document_get_position (self->doc, &position.pass, &position.step);
  /* What the graph is compared with: a thin frame, without the handle. */
  if (fb_document_get_compare (self->doc, &from) && from.pass < self->spans->len)
    frame_cell (self, snapshot, from, 1, &accent);
  if (position.pass >= self->spans->len)
    return;
  double middle = frame_cell (self, snapshot, position, 2, &accent);
  cairo_t *cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (middle - 7, FB_HEAT_BAR_TOP - 10, 14, 8));
  gdk_cairo_set_source_rgba (cr, &accent);
  cairo_move_to (cr, middle - 5, FB_HEAT_BAR_TOP - 9);
  cairo_rel_line_to (cr, 10, 0);
  cairo_rel_line_to (cr, 0, 3);
  cairo_rel_line_to (cr, -5, 4);
  cairo_rel_line_to (cr, -5, -4);
  cairo_close_path (cr);
  cairo_fill (cr);
  cairo_destroy (cr);
}

/* --- words --- */

static void
add_marks (FbHeatStrip *self, FbStepPosition position, GString *text)
{
  static const char *const names[FB_N_STEP_MARK_KINDS] = { N_ ("Bookmark"), N_ ("Breakpoint"), N_ ("Found") };
  FbStepMarks *marks = fb_document_get_marks (self->doc);
  for (guint kind = 0; kind < FB_N_STEP_MARK_KINDS; kind++)
    {
      const char *label = NULL;
      if (!fb_step_marks_has (marks, kind, position))
        continue;
      fb_step_marks_get (marks, kind, fb_step_marks_find (marks, kind, position), &label);
      g_string_append_printf (text, label && *label ? "\n%s: %s" : "\n%s", _ (names[kind]), label);
    }
}

char *
fb_heat_strip_describe (FbHeatStrip *self, FbStepPosition position)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  const FbHeat *heat = fb_document_get_heat (self->doc);
  const FbPassView *view = &row->passes[position.pass];
  g_autofree char *title = fb_pass_view_title (view);
  if (!position.step)
    return g_strdup_printf (_ ("%s: no steps"), title);
  const FbMatch *match = fb_pass_match (view->pass, position.step - 1);
  const FbRule *rule = fb_rule_set_rule (view->pass->rules, match->rule);
  guint at = fb_step_position_to_index (row, position) - 1;
  GString *text = g_string_new (NULL);
  /* Translators: pass, step of steps, rule */
  g_string_append_printf (text, _ ("%s, step %s of %s\n%s"), title, fb_count (position.step), fb_count (view->n_steps),
                          rule->name);
  if (heat->touched[at] != FB_HEAT_UNKNOWN)
    {
      guint touched = heat->touched[at];
      g_string_append_c (text, '\n');
      g_string_append_printf (text, ngettext ("%s node touched", "%s nodes touched", touched), fb_count (touched));
      if (heat->growth[at])
        /* Translators: by how many nodes the graph grew or shrank, with its sign */
        g_string_append_printf (text, _ (", graph %+d"), heat->growth[at]);
    }
  if (self->kind == FB_HEAT_TRIES)
    {
      g_string_append_c (text, '\n');
      /* Translators: how often a rule was tried in a pass, how often it fired */
      g_string_append_printf (text, _ ("rule tried %s times, fired %s times"),
                              fb_count (view->pass->tries[match->rule]), fb_count (view->pass->fired[match->rule]));
    }
  double seconds = fb_rule_timing_get_step (fb_document_get_timing (self->doc), position.pass, position.step);
  if (seconds >= 0)
    {
      g_autofree char *time = fb_viz_time_text (seconds);
      g_string_append_c (text, '\n');
      /* Translators: of a step: how long its match took */
      g_string_append_printf (text, _ ("took %s"), time);
    }
  if (row->repeat_of[at])
    {
      g_autofree char *first = fb_step_position_to_text (fb_step_position_from_index (row, row->repeat_of[at]));
      /* Translators: the same rewrite was made before, at pass:step */
      g_string_append_printf (text, _ ("\nthe same rewrite as at %s"), first);
    }
  add_marks (self, position, text);
  return g_string_free (text, FALSE);
}
