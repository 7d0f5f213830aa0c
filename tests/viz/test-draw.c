/* What is on the picture: colours at places, at every zoom, light and dark. */
#include <stdlib.h>

#include "sample-scene.h"
#include "viz/draw.h"

typedef struct
{
  Sample sample;
  FbScene *scene;
  FbDrawer *drawer;
} Fixture;

static void
set_up (Fixture *f, gconstpointer data)
{
  sample_open (&f->sample, "lerp.db");
  f->scene = sample_step (&f->sample, 19, NULL);
  f->drawer = fb_drawer_new (NULL);
}

static void
tear_down (Fixture *f, gconstpointer data)
{
  fb_drawer_free (f->drawer);
  fb_scene_unref (f->scene);
  sample_close (&f->sample);
}

static cairo_surface_t *
draw (Fixture *f, FbDrawState *state)
{
  FbRect b = f->scene->bounds;
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int) (b.width * state->zoom) + 1,
                                                         (int) (b.height * state->zoom) + 1);
  cairo_t *cr = cairo_create (surface);
  guint32 ground = fb_color_rgb (FB_COLOR_CANVAS, state->dark);

  cairo_set_source_rgb (cr, fb_rgb_component (ground, 0), fb_rgb_component (ground, 1), fb_rgb_component (ground, 2));
  cairo_paint (cr);
  cairo_scale (cr, state->zoom, state->zoom);
  cairo_translate (cr, -b.x, -b.y);
  fb_drawer_draw (f->drawer, cr, f->scene, state);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

static guint32
pixel (cairo_surface_t *surface, double x, double y)
{
  const guint8 *data = cairo_image_surface_get_data (surface);
  int stride = cairo_image_surface_get_stride (surface);
  g_assert_true (x >= 0 && y >= 0 && x < cairo_image_surface_get_width (surface)
                 && y < cairo_image_surface_get_height (surface));
  return *(const guint32 *) (const void *) (data + (gsize) stride * (gsize) y + 4 * (gsize) x) & 0xffffff;
}

/* Pixels of exactly this colour in a part of the picture. */
static guint
count (Fixture *f, cairo_surface_t *surface, double zoom, FbRect rect, guint32 color)
{
  guint n = 0;
  for (double y = (rect.y - f->scene->bounds.y) * zoom; y < (rect.y + rect.height - f->scene->bounds.y) * zoom; y++)
    for (double x = (rect.x - f->scene->bounds.x) * zoom; x < (rect.x + rect.width - f->scene->bounds.x) * zoom; x++)
      n += pixel (surface, x, y) == color;
  return n;
}

static guint32
card_with (const FbScene *scene, FbMark mark)
{
  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    if (scene->graph->nodes[i].mark == mark)
      return i;
  g_assert_not_reached ();
}

/* Each state is told by its tint and by its mark. */
static void
test_states (Fixture *f, gconstpointer data)
{
  static const FbMark marks[] = { FB_MARK_SAME, FB_MARK_REPLACED, FB_MARK_NEW, FB_MARK_REBUILT };
  for (int dark = 0; dark <= 1; dark++)
    {
      FbDrawState state = FB_DRAW_STATE_INIT;
      state.dark = dark;
      cairo_surface_t *surface = draw (f, &state);
      for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
        {
          FbRect card = fb_scene_card (f->scene, card_with (f->scene, marks[i]));
          guint32 tint = fb_color_rgb (fb_color_tint_of_mark (marks[i]), dark);
          guint32 ink = fb_color_rgb (fb_color_of_mark (marks[i]), dark);
          FbRect mark = { card.x + 14, card.y + 5, 14, 14 };
          g_assert_cmpuint (count (f, surface, 1, card, tint), >, 800);
          if (marks[i] == FB_MARK_SAME)
            continue;
          g_assert_cmpuint (count (f, surface, 1, mark, ink), >, marks[i] == FB_MARK_REBUILT ? 4 : 80);
        }
      cairo_surface_destroy (surface);
    }
}

static void
test_zooms (Fixture *f, gconstpointer data)
{
  static const double zooms[] = { 2, 1, 0.75, 0.5, 0.4, 0.2, 0.15, 0.05, 0.01 };
  guint32 new = card_with (f->scene, FB_MARK_NEW);
  for (guint i = 0; i < G_N_ELEMENTS (zooms); i++)
    for (int dark = 0; dark <= 1; dark++)
      {
        FbDrawState state = FB_DRAW_STATE_INIT;
        FbRect card = fb_scene_card (f->scene, new);
        state.zoom = zooms[i];
        state.dark = dark;
        state.selected = state.hovered = new;
        state.focused = f->scene->graph->root;
        cairo_surface_t *surface = draw (f, &state);
        if (zooms[i] >= 0.15)
          g_assert_cmpuint (count (f, surface, zooms[i], card,
                                   fb_color_rgb (zooms[i] > 0.15 ? FB_COLOR_NEW_TINT : FB_COLOR_NEW, dark)),
                            >, 0);
        cairo_surface_destroy (surface);
      }
  g_assert_cmpint (fb_detail_for_zoom (0.75), ==, FB_DETAIL_ALL);
  g_assert_cmpint (fb_detail_for_zoom (0.749), ==, FB_DETAIL_NAMES);
  g_assert_cmpint (fb_detail_for_zoom (0.4), ==, FB_DETAIL_NAMES);
  g_assert_cmpint (fb_detail_for_zoom (0.399), ==, FB_DETAIL_CARDS);
  g_assert_cmpint (fb_detail_for_zoom (0.151), ==, FB_DETAIL_CARDS);
  g_assert_cmpint (fb_detail_for_zoom (0.15), ==, FB_DETAIL_BARS);
}

/* The ring is 2 px off the card and 2 px wide. */
static void
test_ring (Fixture *f, gconstpointer data)
{
  FbDrawState state = FB_DRAW_STATE_INIT;
  guint32 accent = fb_color_rgb (FB_COLOR_ACCENT, FALSE);
  state.selected = f->scene->graph->root;
  FbRect card = fb_scene_card (f->scene, state.selected);
  cairo_surface_t *surface = draw (f, &state);
  FbRect beside = { card.x - 6, card.y + 8, 6, 8 };
  g_assert_cmpuint (count (f, surface, 1, beside, accent), >=, 8);
  cairo_surface_destroy (surface);
}

/* What is drawn in a part is what is drawn there in the whole. */
static void
test_part (Fixture *f, gconstpointer data)
{
  FbDrawState state = FB_DRAW_STATE_INIT;
  cairo_surface_t *whole = draw (f, &state);
  FbRect b = f->scene->bounds;
  state.visible = (FbRect){ b.x + 200, b.y + 200, 400, 300 };
  cairo_surface_t *part = draw (f, &state);
  guint differ = 0;
  for (double y = 210; y < 490; y++)
    for (double x = 210; x < 590; x++)
      differ += pixel (whole, x, y) != pixel (part, x, y);
  g_assert_cmpuint (differ, <, 60);
  cairo_surface_destroy (whole);
  cairo_surface_destroy (part);
}

/* Half way, a card is half way. */
static void
test_moving (Fixture *f, gconstpointer data)
{
  g_autoptr (FbScene) base = sample_base (&f->sample);
  g_autofree guint32 *from_node = fb_graph_match (f->scene->graph, base->graph);
  FbDrawState state = FB_DRAW_STATE_INIT;
  state.from = base;
  state.from_node = from_node;
  for (double progress = 0; progress <= 1; progress += 0.25)
    {
      state.progress = progress;
      cairo_surface_t *surface = draw (f, &state);
      guint32 root = f->scene->graph->root;
      FbRect to = fb_scene_card (f->scene, root), from = fb_scene_card (base, from_node[root]);
      FbRect now = { (float) (from.x + from.width / 2 + (to.x + to.width / 2 - from.x - from.width / 2) * progress
                              - to.width / 2),
                     (float) (from.y + (to.y - from.y) * progress), to.width, to.height };
      if (now.x > f->scene->bounds.x && now.y + now.height < f->scene->bounds.y + f->scene->bounds.height)
        g_assert_cmpuint (count (f, surface, 1, now, fb_color_rgb (FB_COLOR_REBUILT_TINT, FALSE)), >, 500);
      cairo_surface_destroy (surface);
    }
}

static void
test_minimap (Fixture *f, gconstpointer data)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, 120, 96);
  cairo_t *cr = cairo_create (surface);
  FbDrawState state = FB_DRAW_STATE_INIT;
  FbPoint origin;
  guint new = 0, accent = 0;

  state.visible = (FbRect){ 0, 0, 200, 200 };
  double scale = fb_drawer_draw_minimap (f->drawer, cr, f->scene, &state, 120, 96, &origin);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  for (int y = 0; y < 96; y++)
    for (int x = 0; x < 120; x++)
      {
        new += pixel (surface, x, y) == fb_color_rgb (FB_COLOR_NEW, FALSE);
        accent += pixel (surface, x, y) != 0;
      }
  g_assert_cmpfloat (scale, >, 0);
  g_assert_cmpfloat (origin.x + f->scene->bounds.x * scale, >=, -0.01);
  g_assert_cmpuint (new, >, 4);
  g_assert_cmpuint (accent, >, 100);
  cairo_surface_destroy (surface);
}

static void
test_palette (void)
{
  g_autofree char *css = fb_palette_to_css (TRUE);
  g_assert_nonnull (strstr (css, "@define-color fb_new_tint #1d3a2a;\n"));
  for (int kind = 0; kind < FB_N_KINDS; kind++)
    {
      g_assert_true (g_str_has_prefix (fb_color_name (fb_color_of_kind ((FbOpKind) kind)), "kind_"));
      g_assert_cmpuint (fb_color_rgb (fb_color_of_kind ((FbOpKind) kind), FALSE), !=,
                        fb_color_rgb (fb_color_of_kind ((FbOpKind) kind), TRUE));
    }
  g_assert_cmpstr (fb_color_name (fb_color_of_kind (FB_KIND_REDUCE)), ==, "kind_reduce");
  g_assert_cmpstr (fb_mark_name (FB_MARK_GONE), ==, "gone");
  g_assert_cmpfloat (fb_rgb_component (0x00ff00, 1), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/viz/draw/states", Fixture, NULL, set_up, test_states, tear_down);
  g_test_add ("/viz/draw/zooms", Fixture, NULL, set_up, test_zooms, tear_down);
  g_test_add ("/viz/draw/ring", Fixture, NULL, set_up, test_ring, tear_down);
  g_test_add ("/viz/draw/part", Fixture, NULL, set_up, test_part, tear_down);
  g_test_add ("/viz/draw/moving", Fixture, NULL, set_up, test_moving, tear_down);
  g_test_add ("/viz/draw/minimap", Fixture, NULL, set_up, test_minimap, tear_down);
  g_test_add_func ("/viz/draw/palette", test_palette);
  return g_test_run ();
}
