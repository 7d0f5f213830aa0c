/* Where the camera stands to show a graph. */
#include <math.h>
#include <string.h>

#include "app/canvas-private.h"
#include "app/preferences.h"
#include "app/text-scale.h"

/* From here on cards show everything, and their op's name. */
#define READABLE 0.75
#define NAMES 0.4
/* How far cards may be shifted from the middle to come out from under what floats over the canvas, px, and in what steps. */
#define SHIFT 96
#define SHIFT_STEP 8
#define ZOOM_STEP 0.05

double
fb_canvas_fit_zoom (FbCanvas *self)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  const FbRect *b = &self->scene->bounds;
  double zoom = MIN (width / MAX (b->width, 1), height / MAX (b->height, 1));
  return CLAMP (zoom, 0.001, fb_text_scale ());
}

FbCamera
fb_canvas_centred (FbCanvas *self, double x, double y, double zoom)
{
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  return (FbCamera){ x - width / zoom / 2, y - height / zoom / 2, zoom };
}

static gboolean
has_card (GArray *cards, guint32 card)
{
  for (guint i = 0; i < cards->len; i++)
    if (g_array_index (cards, guint32, i) == card)
      return TRUE;
  return FALSE;
}

/* A card, or @card if it is one, is under one of the floating widgets. */
static gboolean
covered (FbCanvas *self, FbCamera camera, guint32 card, GArray *cards)
{
  for (guint i = 0; i < self->floating->len; i++)
    {
      GtkWidget *widget = g_ptr_array_index (self->floating, i);
      graphene_rect_t box;
      if (!gtk_widget_get_visible (widget) || !gtk_widget_compute_bounds (widget, GTK_WIDGET (self), &box))
        continue;
      graphene_rect_inset (&box, -4, -4);
      g_array_set_size (cards, 0);
      fb_scene_cards_in (self->scene,
                         (FbRect){ camera.x + box.origin.x / camera.zoom, camera.y + box.origin.y / camera.zoom,
                                   box.size.width / camera.zoom, box.size.height / camera.zoom },
                         cards);
      if (card == FB_GRAPH_NONE ? cards->len > 0 : has_card (cards, card))
        return TRUE;
    }
  return FALSE;
}

gboolean
fb_canvas_has_in_view (FbCanvas *self, FbCamera camera, guint32 card)
{
  FbRect rect = fb_scene_card (self->scene, card);
  double margin = 2 * FB_CANVAS_MARGIN / camera.zoom;
  double width = gtk_widget_get_width (GTK_WIDGET (self)) / camera.zoom;
  double height = gtk_widget_get_height (GTK_WIDGET (self)) / camera.zoom;
  return rect.x >= camera.x + margin && rect.x + rect.width <= camera.x + width - margin && rect.y >= camera.y + margin
         && rect.y + rect.height <= camera.y + height - margin;
}

/* The least shift of @camera that uncovers all cards and keeps them in view, or that does so for @card. */
static gboolean
uncover (FbCanvas *self, FbCamera *camera, guint32 card)
{
  g_autoptr (GArray) cards = g_array_new (FALSE, FALSE, sizeof (guint32));
  double width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self));
  const FbRect *b = &self->scene->bounds;
  /* The bounds have a margin of their own. */
  double slack_x = (width - b->width * camera->zoom) / 2 + FB_CANVAS_MARGIN / 2;
  double slack_y = (height - b->height * camera->zoom) / 2 + FB_CANVAS_MARGIN / 2;
  double best = G_MAXDOUBLE;
  FbCamera found = *camera;
  for (int dy = -SHIFT; dy <= SHIFT; dy += SHIFT_STEP)
    for (int dx = -SHIFT; dx <= SHIFT; dx += SHIFT_STEP)
      {
        if (hypot (dx, dy) >= best || (card == FB_GRAPH_NONE && (abs (dx) > slack_x || abs (dy) > slack_y)))
          continue;
        FbCamera shifted = { camera->x - dx / camera->zoom, camera->y - dy / camera->zoom, camera->zoom };
        if (card != FB_GRAPH_NONE && !fb_canvas_has_in_view (self, shifted, card))
          continue;
        if (covered (self, shifted, card, cards))
          continue;
        best = hypot (dx, dy);
        found = shifted;
      }
  *camera = found;
  return best < G_MAXDOUBLE;
}

gboolean
fb_canvas_puts_label_below (FbCanvas *self)
{
  if (self->selected == FB_GRAPH_NONE || fb_detail_for_zoom (self->camera.zoom) == FB_DETAIL_ALL)
    return FALSE;
  FbRect rect = fb_scene_card (self->scene, self->selected);
  double middle = (rect.x + rect.width / 2 - self->camera.x) * self->camera.zoom;
  double bottom = (rect.y - self->camera.y) * self->camera.zoom - FB_DRAW_LABEL_GAP;
  graphene_rect_t label
      = GRAPHENE_RECT_INIT (middle - rect.width / 2, bottom - FB_LAYOUT_CARD_HEIGHT, rect.width, FB_LAYOUT_CARD_HEIGHT);
  for (guint i = 0; i < self->floating->len; i++)
    {
      graphene_rect_t box;
      GtkWidget *widget = g_ptr_array_index (self->floating, i);
      if (gtk_widget_get_visible (widget) && gtk_widget_compute_bounds (widget, GTK_WIDGET (self), &box)
          && graphene_rect_intersection (&box, &label, NULL))
        return TRUE;
    }
  return label.origin.y < 0 && bottom > 0;
}

gboolean
fb_canvas_uncover (FbCanvas *self, FbCamera *camera)
{
  FbCamera before = *camera;
  return self->selected != FB_GRAPH_NONE && uncover (self, camera, self->selected)
         && (camera->x != before.x || camera->y != before.y);
}

FbCamera
fb_canvas_fit_camera (FbCanvas *self)
{
  const FbRect *b = &self->scene->bounds;
  double x = b->x + b->width / 2, y = b->y + b->height / 2, fit = fb_canvas_fit_zoom (self);
  FbCamera camera = fb_canvas_centred (self, x, y, fit);
  double least = fit >= READABLE ? READABLE : MAX (NAMES, fit * 0.85);
  gboolean clear = FALSE;
  for (double zoom = fit; !clear && (zoom == fit || zoom >= least); zoom -= ZOOM_STEP)
    {
      FbCamera tried = fb_canvas_centred (self, x, y, zoom);
      clear = uncover (self, &tried, FB_GRAPH_NONE);
      if (clear)
        camera = tried;
    }
  if (!clear)
    fb_canvas_uncover (self, &camera);
  /* Whole pixels at zoom 1 keep lines sharp. */
  if (camera.zoom == 1)
    {
      camera.x = round (camera.x);
      camera.y = round (camera.y);
    }
  return camera;
}

/* One side of the view: not beyond the graph while there is more of it on the other side. */
static double
keep_inside (double at, double room, double start, double size)
{
  return room < size ? CLAMP (at, start, start + size - room) : start + (size - room) / 2;
}

FbCamera
fb_canvas_first_camera (FbCanvas *self)
{
  const char *first = fb_preferences_get_first_zoom (fb_preferences_get_default ());
  gboolean actual = !strcmp (first, "actual");
  double scale = fb_text_scale ();
  if (!strcmp (first, "fit") || (!actual && fb_canvas_fit_zoom (self) >= NAMES * scale))
    return fb_canvas_fit_camera (self);
  guint32 card = self->selected != FB_GRAPH_NONE ? self->selected : self->scene->graph->root;
  FbRect rect = fb_scene_card (self->scene, card);
  FbCamera camera
      = fb_canvas_centred (self, rect.x + rect.width / 2, rect.y + rect.height / 2, (actual ? 1 : READABLE) * scale);
  const FbRect *b = &self->scene->bounds;
  camera.x = keep_inside (camera.x, gtk_widget_get_width (GTK_WIDGET (self)) / camera.zoom, b->x, b->width);
  camera.y = keep_inside (camera.y, gtk_widget_get_height (GTK_WIDGET (self)) / camera.zoom, b->y, b->height);
  return camera;
}
