/* The source text of a kernel: of the ProgramSpec that its context returned (0.11), or of the node that its program ends with. */
#include <string.h>

#include "viztrace-private.h"

static char *
text_of (const FbValue *value)
{
  g_autofree char *raw = NULL;

  if (!value || value->kind != FB_VALUE_TEXT || value->n == 0)
    return NULL;
  raw = g_strndup ((const char *) value->bytes, value->n);
  return g_utf8_make_valid (raw, -1);
}

/* The text of node @ref, or of a source of it, when that is SOURCE. */
static char *
source_of (const FbVizTrace *trace, FbArena *arena, const FbValue *ref)
{
  const FbTupleCell *fields = fb_viz_node_fields (trace, ref), *src;
  const char *op = fields ? fb_viz_op_name (trace, &fields->items[0], arena) : "";
  char *text = NULL;

  if (strcmp (op, "SOURCE") == 0)
    return text_of (&fields->items[3]);
  if (strcmp (op, "PROGRAM") != 0)
    return NULL;
  src = fields->items[2].tuple;
  for (guint32 i = 0; i < src->n && !text; i++)
    {
      const FbTupleCell *source = fb_viz_node_fields (trace, &src->items[i]);

      if (source && strcmp (fb_viz_op_name (trace, &source->items[0], arena), "SOURCE") == 0)
        text = text_of (&source->items[3]);
    }
  return text;
}

char *
fb_viz_trace_source (const FbVizTrace *trace, guint index)
{
  const FbVizContext *group = fb_viz_trace_context (trace, index);
  const FbValue *returned = group->raw->key ? fb_viz_field (group->raw->key, "ret") : NULL;
  char *text = returned ? text_of (fb_viz_field (returned, "src")) : NULL;
  FbArena arena;

  if (text || trace->form == FB_VIZ_OBJECTS)
    return text;
  fb_arena_init (&arena);
  /* the last is what was compiled */
  for (guint k = group->n_rewrites; k-- > 0 && !text;)
    {
      const FbVizRaw *raw = group->rewrites[k].raw;

      for (guint32 i = raw->matches ? raw->matches->n : 0; i-- > 0 && !text;)
        if (raw->matches->items[i].kind == FB_VALUE_TUPLE && raw->matches->items[i].tuple->n > 1)
          text = source_of (trace, &arena, &raw->matches->items[i].tuple->items[1]);
      if (!text)
        text = source_of (trace, &arena, raw->sink);
    }
  fb_arena_clear (&arena);
  return text;
}
