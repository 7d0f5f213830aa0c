/* Files are well formed, and say what the scene says. */
#include <graphviz/cgraph.h>
#include <math.h>
#include <string.h>

#include "sample-scene.h"
#include "tests/graph-util.h"
#include "viz/export.h"

typedef struct
{
  guint cards, texts, heads, depth;
  GString *content;
} Seen;

static void
on_start (GMarkupParseContext *context, const char *element, const char **names, const char **values, gpointer data,
          GError **error)
{
  Seen *seen = data;
  seen->depth++;
  seen->texts += strcmp (element, "text") == 0;
  for (guint i = 0; names[i]; i++)
    {
      seen->cards += strcmp (names[i], "class") == 0 && strcmp (values[i], "card") == 0;
      seen->heads += strcmp (names[i], "class") == 0 && g_str_has_prefix (values[i], "head");
      g_assert_null (strstr (values[i], "nan"));
    }
}

static void
on_end (GMarkupParseContext *context, const char *element, gpointer data, GError **error)
{
  ((Seen *) data)->depth--;
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize len, gpointer data, GError **error)
{
  g_string_append_len (((Seen *) data)->content, text, (gssize) len);
  g_string_append_c (((Seen *) data)->content, '|');
}

static Seen
parse (const char *svg, gsize len)
{
  static const GMarkupParser parser = { on_start, on_end, on_text, NULL, NULL };
  Seen seen = { .content = g_string_new (NULL) };
  g_autoptr (GError) error = NULL;
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, &seen, NULL);

  g_assert_true (g_markup_parse_context_parse (context, svg, (gssize) len, &error));
  g_assert_no_error (error);
  g_assert_true (g_markup_parse_context_end_parse (context, &error));
  g_markup_parse_context_free (context);
  g_assert_cmpuint (seen.depth, ==, 0);
  return seen;
}

static void
test_svg (void)
{
  Sample sample;
  FbExportOptions options = FB_EXPORT_OPTIONS_INIT;
  sample_open (&sample, "lerp.db");

  for (guint step = 0; step <= sample.pass->matches->len; step += 4)
    {
      gsize len;
      g_autoptr (FbScene) scene = sample_step (&sample, step, NULL);
      options.dark = step % 8 == 0;
      options.title = "a < b & \"c\"";
      g_autofree char *svg = fb_export_svg (scene, &options, &len);
      g_assert_cmpuint (strlen (svg), ==, len);
      Seen seen = parse (svg, len);
      g_assert_cmpuint (seen.cards, ==, scene->graph->n_nodes);
      g_assert_cmpuint (seen.heads, ==, scene->graph->n_edges);
      g_assert_nonnull (strstr (seen.content->str, "a < b & \"c\"|"));
      g_assert_nonnull (strstr (seen.content->str, "|-1.4427|"));
      g_assert_nonnull (strstr (seen.content->str, "-1.4426950408889634"));
      g_assert_nonnull (strstr (seen.content->str, "|float 64×64|"));
      g_string_free (seen.content, TRUE);
    }
  sample_close (&sample);
}

/* Text from a file is only ever text. */
static void
test_hostile (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbExportOptions options = FB_EXPORT_OPTIONS_INIT;
  FbUop *var = fb_variable (c, "</text><script>\x01\xff\"\\N\n'&", fb_arg_int (0), fb_arg_int (1), FB_DTYPE (INT32));
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink_of (c, var));
  g_autoptr (FbScene) scene = fb_scene_new (graph, NULL, NULL, NULL, NULL);
  gsize len;
  g_autofree char *svg = fb_export_svg (scene, &options, &len);
  Seen seen = parse (svg, len);
  g_assert_null (strstr (svg, "<script"));
  g_assert_cmpuint (seen.cards, ==, 2);
  g_string_free (seen.content, TRUE);

  g_autofree char *dot = fb_export_dot (graph, FALSE);
  Agraph_t *g = agmemread (dot);
  g_assert_nonnull (g);
  g_assert_cmpint (agnnodes (g), ==, 2);
  agclose (g);

  g_autoptr (GBytes) png = fb_export_png (scene, &options, NULL);
  g_assert_nonnull (png);
}

static void
test_dot (void)
{
  Sample sample;
  sample_open (&sample, "lerp.db");
  g_autoptr (FbScene) scene = sample_step (&sample, 19, NULL);
  g_autofree char *dot = fb_export_dot (scene->graph, FALSE);
  Agraph_t *g = agmemread (dot);
  guint replaced = 0;

  g_assert_nonnull (g);
  g_assert_true (agisdirected (g));
  g_assert_cmpint (agnnodes (g), ==, (int) scene->graph->n_nodes);
  g_assert_cmpint (agnedges (g), ==, (int) scene->graph->n_edges);
  for (Agnode_t *n = agfstnode (g); n; n = agnxtnode (g, n))
    {
      guint i = (guint) atoi (agnameof (n) + 1);
      g_assert_cmpuint (i, <, scene->graph->n_nodes);
      g_assert_true (g_str_has_prefix (agget (n, (char *) "label"), scene->graph->nodes[i].title));
      replaced += strcmp (agget (n, (char *) "class"), "replaced") == 0;
    }
  g_assert_cmpuint (replaced, ==, 1);
  agclose (g);
  sample_close (&sample);
}

static cairo_status_t
read_bytes (void *closure, unsigned char *data, unsigned int length)
{
  GBytes **rest = closure;
  gsize size = g_bytes_get_size (*rest);
  if (length > size)
    return CAIRO_STATUS_READ_ERROR;
  memcpy (data, g_bytes_get_data (*rest, NULL), length);
  GBytes *next = g_bytes_new_from_bytes (*rest, length, size - length);
  g_bytes_unref (*rest);
  *rest = next;
  return CAIRO_STATUS_SUCCESS;
}

static void
test_png (void)
{
  Sample sample;
  FbExportOptions options = FB_EXPORT_OPTIONS_INIT;
  g_autoptr (GError) error = NULL;
  sample_open (&sample, "lerp.db");
  g_autoptr (FbScene) scene = sample_base (&sample);
  GBytes *bytes = fb_export_png (scene, &options, &error);
  g_assert_no_error (error);
  cairo_surface_t *image = cairo_image_surface_create_from_png_stream (read_bytes, &bytes);
  g_assert_cmpint (cairo_surface_status (image), ==, CAIRO_STATUS_SUCCESS);
  g_assert_cmpint (cairo_image_surface_get_width (image), ==, (int) ceil (scene->bounds.width));
  g_assert_cmpint (cairo_image_surface_get_height (image), ==, (int) ceil (scene->bounds.height));
  cairo_surface_destroy (image);
  g_bytes_unref (bytes);

  options.scale = 1000;
  g_assert_null (fb_export_png (scene, &options, &error));
  g_assert_error (error, FB_EXPORT_ERROR, FB_EXPORT_ERROR_SIZE);
  sample_close (&sample);
}

/* A graph too large at zoom 1 is made smaller unless a scale was asked for. */
static void
test_png_fits (void)
{
  g_autoptr (FbContext) c = fb_context_new ();
  FbExportOptions options = FB_EXPORT_OPTIONS_INIT;
  FbUop *x = buffer (c, 0, 1);
  for (guint i = 0; i < 2000; i++)
    x = op1 (c, i % 2 ? FB_OP_SIN : FB_OP_EXP2, x);
  g_autoptr (FbGraph) graph = fb_graph_new_from_sink (c, sink_of (c, x));
  g_autoptr (FbScene) scene = fb_scene_new (graph, NULL, NULL, NULL, NULL);
  g_assert_cmpfloat (scene->bounds.height, >, 32767);
  g_autoptr (GBytes) png = fb_export_png (scene, &options, NULL);
  g_assert_nonnull (png);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viz/export/svg", test_svg);
  g_test_add_func ("/viz/export/hostile", test_hostile);
  g_test_add_func ("/viz/export/dot", test_dot);
  g_test_add_func ("/viz/export/png", test_png);
  g_test_add_func ("/viz/export/png-fits", test_png_fits);
  return g_test_run ();
}
