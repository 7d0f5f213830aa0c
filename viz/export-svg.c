/* SVG written by hand: text stays text, so that a picture can be searched, and looks are classes, so that it can be restyled. */
#include "export-private.h"
#include "frames.h"

#include <math.h>
#include <string.h>

typedef struct
{
  GString *out;
  const FbScene *scene;
  const FbExportOptions *options;
} Svg;

/* Numbers with at most two decimals, whatever the locale. */
static void
number (GString *out, double value)
{
  char text[32];
  g_ascii_formatd (text, sizeof text, "%.2f", value);
  gsize len = strlen (text);
  while (text[len - 1] == '0')
    len--;
  if (text[len - 1] == '.')
    len--;
  g_string_append_len (out, text, (gssize) len);
}

static void
attribute (GString *out, const char *name, double value)
{
  g_string_append_printf (out, " %s=\"", name);
  number (out, value);
  g_string_append_c (out, '"');
}

static void
point (GString *out, char command, double x, double y)
{
  g_string_append_c (out, command);
  number (out, x);
  g_string_append_c (out, ' ');
  number (out, y);
}

static const char *
edge_class (FbEdgeState state)
{
  return state == FB_EDGE_NEW ? " new" : state == FB_EDGE_REPLACED ? " replaced" : "";
}

static void
draw_edge (Svg *svg, guint32 edge)
{
  const FbGraphEdge *e = &svg->scene->graph->edges[edge];
  guint32 n;
  const FbPoint *p = fb_scene_edge (svg->scene, edge, &n);
  FbPoint end = p[n - 1];

  if (fb_scene_edge_is_stub (svg->scene, edge))
    return;
  g_string_append_printf (svg->out, "<path class=\"edge%s\" d=\"", edge_class (e->state));
  point (svg->out, 'M', p[0].x, p[0].y);
  for (guint32 i = 1; i + 1 < n; i++)
    {
      double bx = p[i].x - p[i - 1].x, by = p[i].y - p[i - 1].y, ax = p[i + 1].x - p[i].x, ay = p[i + 1].y - p[i].y;
      double before = fabs (bx) + fabs (by), after = fabs (ax) + fabs (ay);
      double r = MIN (FB_LAYOUT_RADIUS, MIN (i == 1 ? before : before / 2, after / 2));
      if (r < 0.5)
        {
          point (svg->out, 'L', p[i].x, p[i].y);
          continue;
        }
      point (svg->out, 'L', p[i].x - bx / before * r, p[i].y - by / before * r);
      point (svg->out, 'Q', p[i].x, p[i].y);
      g_string_append_c (svg->out, ' ');
      number (svg->out, p[i].x + ax / after * r);
      g_string_append_c (svg->out, ' ');
      number (svg->out, p[i].y + ay / after * r);
    }
  point (svg->out, 'L', end.x, end.y - 5);
  g_string_append_printf (svg->out, "\"/><path class=\"head%s\" d=\"", edge_class (e->state));
  point (svg->out, 'M', end.x, end.y);
  g_string_append (svg->out, "l-3.5-6h7z\"/>\n");
}

static void
text (Svg *svg, const char *class, double x, double y, double width, const char *content)
{
  g_string_append_printf (svg->out, "<text class=\"%s\"", class);
  attribute (svg->out, "x", x);
  attribute (svg->out, "y", y);
  /* whatever monospaced font shows it, it takes the room it was given */
  attribute (svg->out, "textLength", width);
  g_string_append (svg->out, " lengthAdjust=\"spacingAndGlyphs\">");
  fb_xml_append (svg->out, content);
  g_string_append (svg->out, "</text>");
}

static void
box (Svg *svg, const char *class, double x, double y, double width, double height, double radius)
{
  g_string_append_printf (svg->out, "<rect class=\"%s\"", class);
  attribute (svg->out, "x", x);
  attribute (svg->out, "y", y);
  attribute (svg->out, "width", width);
  attribute (svg->out, "height", height);
  attribute (svg->out, "rx", radius);
  g_string_append (svg->out, "/>");
}

static void
draw_mark (Svg *svg, FbMark mark, double x, double y)
{
  static const char *const signs[] = { NULL, "m3.5 7h7", "m7 3.5v7m-3.5-3.5h7",
                                       "m3.6 8c1-3.2 2.6-2.8 3.4-1s2.4 2.2 3.4-1", "m4.4 4.4l5.2 5.2m0-5.2l-5.2 5.2" };
  gboolean filled = mark == FB_MARK_REPLACED || mark == FB_MARK_NEW;

  if (filled)
    box (svg, "mark", x, y, 14, 14, 3);
  else
    box (svg, "mark", x + 0.75, y + 0.75, 12.5, 12.5, 3);
  g_string_append (svg->out, "<path class=\"sign\" d=\"");
  point (svg->out, 'M', x, y);
  g_string_append_printf (svg->out, "%s\"/>", signs[mark]);
}

static void
draw_full_text (Svg *svg, const FbGraphNode *node)
{
  g_string_append (svg->out, "<title>");
  fb_xml_append (svg->out, node->title);
  if (*node->argument)
    {
      g_string_append_c (svg->out, ' ');
      fb_xml_append (svg->out, node->argument);
    }
  for (guint32 i = 0; i < node->n_chips; i++)
    {
      g_string_append (svg->out, ", ");
      fb_xml_append (svg->out, node->chips[i].full);
    }
  g_string_append (svg->out, ", ");
  fb_xml_append (svg->out, node->type);
  if (node->mark != FB_MARK_SAME)
    g_string_append_printf (svg->out, ", %s", fb_mark_name (node->mark));
  g_string_append (svg->out, "</title>");
}

static void
draw_hub (Svg *svg, const FbGraphNode *node, FbRect card, const FbCardParts *parts)
{
  g_autofree char *users = g_strdup_printf ("%u users", node->n_users);
  box (svg, "pill", card.x + parts->pill_x + 0.5, card.y + 4.5, parts->pill_width - 1, 15, 7.5);
  text (svg, "arg", card.x + parts->pill_x + 7, card.y + 16, parts->pill_width - 14, users);
  g_string_append (svg->out, "<path class=\"stub\" d=\"");
  for (int i = -2; i <= 2; i++)
    {
      point (svg->out, 'M', card.x + card.width / 2 + 11 * i, card.y + card.height + 1);
      g_string_append (svg->out, "v7");
    }
  g_string_append (svg->out, "\"/>");
}

static void
draw_becomes (Svg *svg, guint32 node)
{
  guint32 to = svg->scene->graph->nodes[node].becomes;
  FbRect a, b;

  if (to == FB_GRAPH_NONE || svg->scene->layout->rank[node] != svg->scene->layout->rank[to])
    return;
  a = fb_scene_card (svg->scene, node);
  b = fb_scene_card (svg->scene, to);
  double way = a.x < b.x ? 1 : -1, y = a.y + a.height / 2;
  double from = (way > 0 ? a.x + a.width : a.x) + 4 * way, to_x = (way > 0 ? b.x : b.x + b.width) - 4 * way;
  double length = way * (to_x - from);
  if (length < 10 || length > 60)
    return;
  g_string_append (svg->out, "<path class=\"becomes\" d=\"");
  point (svg->out, 'M', from, y);
  g_string_append_c (svg->out, 'h');
  number (svg->out, way * (length - 5));
  g_string_append (svg->out, "\"/><path class=\"becomes-head\" d=\"");
  point (svg->out, 'M', to_x, y);
  g_string_append (svg->out, way > 0 ? "l-6-3.5v7z\"/>\n" : "l6-3.5v7z\"/>\n");
}

static void
draw_card (Svg *svg, guint32 node)
{
  const FbGraphNode *n = &svg->scene->graph->nodes[node];
  FbRect card = fb_scene_card (svg->scene, node);
  FbCardParts parts;
  g_autofree float *chip_x = g_new (float, MAX (n->n_chips, 1));
  const char *kind = fb_color_name (fb_color_of_kind (n->kind));
  double x = card.x, y = card.y;

  fb_scene_card_parts (svg->scene, node, &parts, chip_x);
  g_string_append (svg->out, "<g id=\"n");
  if (svg->options->prefix)
    g_string_append_printf (svg->out, "%u-", svg->options->prefix);
  g_string_append_printf (svg->out, "%u\" class=\"%s", node, fb_mark_name (n->mark));
  if (n->kernel && n->mark == FB_MARK_SAME)
    g_string_append_printf (svg->out, " k%u%s", (n->kernel + 2) % 3 + 1, n->realized ? " realized" : "");
  g_string_append_printf (svg->out, "\" data-op=\"%s\">", n->title);
  draw_full_text (svg, n);
  box (svg, "card", x + 0.5, y + 0.5, card.width - 1, card.height - 1, 5.5);
  if (n->kind == FB_KIND_MOVEMENT)
    for (int i = 0; i < 3; i++)
      box (svg, kind, x + parts.bar_x, y + 5 + 5.5 * i, 3, 3, 1);
  else
    box (svg, kind, x + parts.bar_x, y + 5, 3, 14, 1.5);
  if (n->mark != FB_MARK_SAME)
    draw_mark (svg, n->mark, x + parts.mark_x, y + 5);
  if (n->group)
    {
      g_string_append (svg->out, "<path class=\"triangle\" d=\"");
      point (svg->out, 'M', x + parts.triangle_x, y + 8);
      g_string_append (svg->out, "l6 4l-6 4z\"/><path class=\"more\" d=\"");
      point (svg->out, 'M', x + 6, y + card.height + 2.5);
      g_string_append_c (svg->out, 'h');
      number (svg->out, card.width - 12);
      g_string_append (svg->out, "\"/>");
    }
  if (n->realized)
    {
      g_string_append (svg->out, "<path class=\"cells\" d=\"");
      point (svg->out, 'M', x + parts.cells_x + 0.75, y + 7.75);
      g_string_append (svg->out, "h12.5v8.5h-12.5zm4.25 0v8.5m4 0v-8.5\"/>");
    }
  text (svg, "op", x + parts.title_x, y + 16.3, parts.title_width, n->title);
  if (parts.argument_width > 0)
    text (svg, "arg", x + parts.argument_x, y + 16, parts.argument_width, n->argument);
  for (guint32 i = 0; i < n->n_chips; i++)
    {
      double width = fb_scene_chip_width (svg->scene, &n->chips[i]);
      box (svg, "chip", x + chip_x[i], y + 4, width, 16, 4);
      text (svg, "arg", x + chip_x[i] + 5, y + 16, width - 10, n->chips[i].text);
    }
  if (n->hub)
    draw_hub (svg, n, card, &parts);
  if (parts.type_width > 0)
    text (svg, "type", x + parts.type_x, y + 16, parts.type_width, n->type);
  if (n->mark == FB_MARK_REPLACED || n->mark == FB_MARK_GONE)
    {
      g_string_append (svg->out, "<path class=\"strike\" d=\"");
      point (svg->out, 'M', x + parts.title_x - 1, y + 12.25);
      g_string_append_c (svg->out, 'h');
      number (svg->out, parts.title_width + 2);
      g_string_append (svg->out, "\"/>");
    }
  g_string_append (svg->out, "</g>\n");
}

/* Kernels in frames: outlines first, then what is inside them, then names. */
static void
draw_frames (Svg *svg)
{
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) edges = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) pieces = g_array_new (FALSE, FALSE, sizeof (FbFramePiece));
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (FbFrameLabel));

  fb_scene_cards_in (svg->scene, svg->scene->bounds, nodes);
  fb_scene_edges_in (svg->scene, svg->scene->bounds, edges);
  fb_frame_pieces (svg->scene, nodes, edges, pieces);
  fb_frame_labels (svg->scene, nodes, 1, labels, pieces);
  for (int inside = 0; inside <= 1; inside++)
    for (guint i = 0; i < pieces->len; i++)
      {
        const FbFramePiece *piece = &g_array_index (pieces, FbFramePiece, i);
        g_autofree char *class = g_strdup_printf ("frame%s f%u", inside ? "" : "-line", (piece->kernel + 2) % 3 + 1);
        double larger = inside ? 0 : 1;
        box (svg, class, piece->rect.x - larger, piece->rect.y - larger, piece->rect.width + 2 * larger,
             piece->rect.height + 2 * larger, piece->card ? 10 : 0);
      }
  for (guint i = 0; i < labels->len; i++)
    {
      const FbFrameLabel *label = &g_array_index (labels, FbFrameLabel, i);
      g_autofree char *class = g_strdup_printf ("op f%u", (label->kernel + 2) % 3 + 1);
      char name[24];
      fb_frame_name (label->kernel, name);
      text (svg, class, label->rect.x, label->rect.y + label->rect.height - 3, label->rect.width, name);
    }
  if (pieces->len)
    g_string_append_c (svg->out, '\n');
}

char *
fb_export_svg (const FbScene *scene, const FbExportOptions *options, gsize *len)
{
  Svg svg = { g_string_new (options->bare ? NULL : "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"), scene, options };
  FbRect bounds = scene->bounds;
  double scale = options->scale > 0 ? options->scale : 1;

  g_string_append (svg.out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
  attribute (svg.out, "width", bounds.width * scale);
  attribute (svg.out, "height", bounds.height * scale);
  g_string_append (svg.out, " viewBox=\"");
  number (svg.out, bounds.x);
  g_string_append_c (svg.out, ' ');
  number (svg.out, bounds.y);
  g_string_append_c (svg.out, ' ');
  number (svg.out, bounds.width);
  g_string_append_c (svg.out, ' ');
  number (svg.out, bounds.height);
  g_string_append (svg.out, "\">\n");
  if (options->title)
    {
      g_string_append (svg.out, "<title>");
      fb_xml_append (svg.out, options->title);
      g_string_append (svg.out, "</title>\n");
    }
  if (!options->bare)
    {
      g_string_append (svg.out, "<style>\n");
      fb_export_append_style (svg.out, options->dark);
      g_string_append (svg.out, "</style>\n");
    }
  if (!options->transparent && !options->bare)
    {
      g_string_append (svg.out, "<rect");
      attribute (svg.out, "x", bounds.x);
      attribute (svg.out, "y", bounds.y);
      attribute (svg.out, "width", bounds.width);
      attribute (svg.out, "height", bounds.height);
      g_string_append_printf (svg.out, " fill=\"#%06x\"/>\n", fb_color_rgb (FB_COLOR_CANVAS, options->dark));
    }
  if (options->selected < scene->graph->n_nodes)
    {
      FbRect card = fb_scene_card (scene, options->selected);
      box (&svg, "ring", card.x - 3, card.y - 3, card.width + 6, card.height + 6, 9);
      g_string_append_c (svg.out, '\n');
    }
  draw_frames (&svg);
  /* what the step changed lies on top */
  for (int state = 0; state <= 2; state++)
    for (guint32 e = 0; e < scene->graph->n_edges; e++)
      if (scene->graph->edges[e].state == (state == 0 ? FB_EDGE_SAME : state == 1 ? FB_EDGE_REPLACED : FB_EDGE_NEW))
        draw_edge (&svg, e);
  for (guint32 i = 0; i < scene->graph->n_nodes; i++)
    {
      draw_card (&svg, i);
      draw_becomes (&svg, i);
    }
  g_string_append (svg.out, "</svg>\n");
  if (len)
    *len = svg.out->len;
  return g_string_free (svg.out, FALSE);
}
