#include "export.h"

#include <graphviz/cgraph.h>
#include <string.h>

G_LOCK_DEFINE_STATIC (cgraph);

static int
write_text (void *stream, const char *text)
{
  g_string_append (stream, text);
  return 0;
}

static int
flush (void *stream)
{
  return 0;
}

/* Attributes of cgraph hold values by declared name; declared with the empty default. */
static void
set (void *object, const char *name, const char *value)
{
  agsafeset (object, (char *) name, (char *) value, "");
}

static void
set_color (void *object, const char *name, FbColor color, gboolean dark)
{
  char text[8];
  g_snprintf (text, sizeof text, "#%06x", fb_color_rgb (color, dark));
  set (object, name, text);
}

static char *
label_of (const FbGraphNode *node)
{
  GString *label = g_string_new (node->title);
  if (*node->argument)
    g_string_append_printf (label, " %s", node->argument);
  for (guint32 i = 0; i < node->n_chips; i++)
    g_string_append_printf (label, " [%s]", node->chips[i].text);
  g_string_append_printf (label, "\n%s", node->type);
  /* a backslash would start an escape of the layout's own */
  g_string_replace (label, "\\", "\\\\", 0);
  return g_string_free (label, FALSE);
}

static void
add_node (Agnode_t *n, const FbGraphNode *node, gboolean dark)
{
  g_autofree char *label = label_of (node);
  set (n, "label", label);
  set (n, "class", fb_mark_name (node->mark));
  set_color (n, "color", node->mark == FB_MARK_SAME ? fb_color_of_kind (node->kind) : fb_color_of_mark (node->mark),
             dark);
  set_color (n, "fillcolor", fb_color_tint_of_mark (node->mark), dark);
  if (node->mark == FB_MARK_REPLACED)
    set (n, "style", "filled,rounded,dashed");
  else if (node->mark == FB_MARK_GONE)
    set (n, "style", "filled,rounded,dotted");
}

static void
add_edges (Agraph_t *g, Agnode_t **nodes, const FbGraph *graph, gboolean dark)
{
  for (guint32 i = 0; i < graph->n_edges; i++)
    {
      const FbGraphEdge *edge = &graph->edges[i];
      g_autofree char *name = g_strdup_printf ("e%u", i);
      char port[16];
      Agedge_t *e = agedge (g, nodes[edge->source], nodes[edge->user], name, 1);
      g_snprintf (port, sizeof port, "%u", edge->port);
      if (graph->nodes[edge->user].n_in > 1)
        set (e, "headlabel", port);
      if (edge->state == FB_EDGE_NEW)
        {
          set_color (e, "color", FB_COLOR_NEW, dark);
          set (e, "penwidth", "1.75");
        }
      else if (edge->state == FB_EDGE_REPLACED)
        {
          set_color (e, "color", FB_COLOR_REPLACED, dark);
          set (e, "style", "dashed");
        }
    }
}

char *
fb_export_dot (const FbGraph *graph, gboolean dark)
{
  GString *text = g_string_new (NULL);
  Agiodisc_t io = { NULL, write_text, flush };
  Agdisc_t disc = { &AgMemDisc, &AgIdDisc, &io };
  g_autofree Agnode_t **nodes = g_new (Agnode_t *, MAX (graph->n_nodes, 1));
  char name[16];

  G_LOCK (cgraph);
  Agraph_t *g = agopen ((char *) "fusebox", Agdirected, &disc);
  set_color (g, "bgcolor", FB_COLOR_CANVAS, dark);
  agattr (g, AGRAPH, (char *) "rankdir", (char *) "TB");
  agattr (g, AGNODE, (char *) "shape", (char *) "box");
  agattr (g, AGNODE, (char *) "style", (char *) "filled,rounded");
  agattr (g, AGNODE, (char *) "fontname", (char *) "monospace");
  agattr (g, AGNODE, (char *) "fontsize", (char *) "11");
  g_snprintf (name, sizeof name, "#%06x", fb_color_rgb (FB_COLOR_TEXT, dark));
  agattr (g, AGNODE, (char *) "fontcolor", name);
  g_snprintf (name, sizeof name, "#%06x", fb_color_rgb (FB_COLOR_EDGE, dark));
  agattr (g, AGEDGE, (char *) "color", name);
  agattr (g, AGEDGE, (char *) "fontcolor", name);
  agattr (g, AGEDGE, (char *) "fontsize", (char *) "9");
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      g_snprintf (name, sizeof name, "n%u", i);
      nodes[i] = agnode (g, name, 1);
      add_node (nodes[i], &graph->nodes[i], dark);
    }
  add_edges (g, nodes, graph, dark);
  agwrite (g, text);
  agclose (g);
  G_UNLOCK (cgraph);
  return g_string_free (text, FALSE);
}
