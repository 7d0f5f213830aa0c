#include "recipe.h"

#include <string.h>

#include "tests/capture/assemble.h"

static void
put_node (GByteArray *a, const Node *node)
{
  RAW (a, "(");
  pk_global (a, "builtins", "getattr");
  pk_global (a, "tinygrad.uop", "Ops");
  pk_text (a, node->op);
  RAW (a, "\x86R");
  pk_float (a);
  RAW (a, "(");
  for (int i = 0; i < 3 && node->src[i]; i++)
    pk_int (a, node->src[i] - 1);
  RAW (a, "tNNt");
}

static void
put_place (GByteArray *a, const char *file, int line)
{
  pk_text (a, file);
  pk_int (a, line);
  RAW (a, "\x86");
}

static void
put_field (GByteArray *a, const char *name, int value)
{
  pk_text (a, name);
  if (value < 0)
    RAW (a, "N");
  else
    pk_int (a, value);
}

GBytes *
recipe_assemble (const Recipe *recipe)
{
  GByteArray *a = g_byte_array_new ();

  RAW (a, "\x80\x04");
  pk_global (a, "tinygrad.uop.ops", "RewriteTrace");
  RAW (a, ")\x81}(");
  pk_text (a, "keys");
  RAW (a, "]");
  pk_text (a, "k");
  RAW (a, "a");
  pk_text (a, "rewrites");
  RAW (a, "]]");
  pk_global (a, "tinygrad.uop.ops", "TrackedGraphRewrite");
  RAW (a, ")\x81}(");
  pk_text (a, "loc");
  put_place (a, "/x/a.py", 7);
  put_field (a, "sink", recipe->sink);
  pk_text (a, "matches");
  RAW (a, "](");
  for (guint i = 0; i < recipe->n_matches; i++)
    {
      RAW (a, "(");
      pk_int (a, recipe->matches[i][0]);
      pk_int (a, recipe->matches[i][1]);
      put_place (a, "/x/b.py", 9);
      RAW (a, "K\x00t");
    }
  RAW (a, "e");
  put_field (a, "name", -1);
  put_field (a, "depth", 0);
  put_field (a, "bottom_up", recipe->bottom_up);
  put_field (a, "walk", recipe->walk);
  put_field (a, "enter_calls", 0);
  RAW (a, "ub"
          "aa");
  pk_text (a, "uop_fields");
  RAW (a, "}(");
  for (guint i = 0; i < recipe->n_nodes; i++)
    {
      pk_int (a, (int) i);
      put_node (a, &recipe->nodes[i]);
    }
  RAW (a, "uub.");
  return g_byte_array_free_to_bytes (a);
}

void
recipe_append_graph (GString *text, const FbUop *uop)
{
  g_string_append (text, fb_op_name (uop->op));
  for (guint i = 0; i < uop->n_src; i++)
    {
      g_string_append_c (text, i ? ',' : '(');
      recipe_append_graph (text, uop->src[i]);
    }
  if (uop->n_src)
    g_string_append_c (text, ')');
}
