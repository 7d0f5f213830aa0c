/* What is in a trace: contexts, rewrites, the table of nodes. */
#include <string.h>

#include "viztrace-private.h"

/* --- fields of objects --- */

gboolean
fb_viz_is_object (const FbValue *value, const char *class_name)
{
  return value->kind == FB_VALUE_OBJECT && strcmp (value->object->class->name, class_name) == 0;
}

static const FbValue *
field_of_dict (const FbValue *dict, const char *name)
{
  if (dict->kind == FB_VALUE_DICT)
    for (guint32 i = dict->list->n & ~1u; i >= 2; i -= 2)
      if (fb_value_is_text (&dict->list->items[i - 2], name))
        return &dict->list->items[i - 1];
  return NULL;
}

const FbValue *
fb_viz_field (const FbValue *object, const char *name)
{
  const FbValue *state, *found = NULL;

  if (object->kind != FB_VALUE_OBJECT)
    return NULL;
  state = &object->object->state;
  /* a class with slots has (dict, slots) */
  if (state->kind == FB_VALUE_TUPLE)
    for (guint32 i = state->tuple->n; i > 0 && !found; i--)
      found = field_of_dict (&state->tuple->items[i - 1], name);
  return found ? found : field_of_dict (state, name);
}

static char *
text_of (FbVizTrace *trace, const FbValue *value)
{
  return value && value->kind == FB_VALUE_TEXT ? fb_arena_strndup (&trace->arena, (const char *) value->bytes, value->n)
                                               : NULL;
}

/* A count that is none is 0. */
static guint
small_of (const FbValue *value)
{
  return value && value->kind == FB_VALUE_INT && value->i >= 0 && value->i <= G_MAXINT ? (guint) value->i : 0;
}

static gboolean
truth_of (const FbValue *value)
{
  return value && (value->kind == FB_VALUE_BOOL || value->kind == FB_VALUE_INT) && value->i != 0;
}

/* --- the table of nodes --- */

const FbTupleCell *
fb_viz_trace_fields (const FbVizTrace *trace, gint64 number)
{
  const FbValue *fields = NULL;

  if (number >= 0 && number < trace->n_dense)
    fields = trace->dense[number];
  else if (trace->table)
    fields = g_hash_table_lookup (trace->table, &number);
  return fields && fields->kind == FB_VALUE_TUPLE ? fields->tuple : NULL;
}

const FbTupleCell *
fb_viz_node_fields (const FbVizTrace *trace, const FbValue *ref)
{
  const FbTupleCell *fields = NULL;

  if (ref->kind == FB_VALUE_OBJECT && ref->object->args.kind == FB_VALUE_TUPLE)
    fields = ref->object->args.tuple;
  else if (ref->kind == FB_VALUE_INT)
    fields = fb_viz_trace_fields (trace, ref->i);
  return fields && fields->n >= 4 && fields->items[2].kind == FB_VALUE_TUPLE ? fields : NULL;
}

gboolean
fb_viz_read_table (FbVizTrace *trace, const FbValue *fields, GError **error)
{
  const FbListCell *dict;

  if (!fields || fields->kind != FB_VALUE_DICT)
    return fb_viz_refuse (trace, error, "the table of nodes is no dict");
  dict = fields->list;
  /* numbers are given out one after the other, so nearly all are below their count */
  trace->n_dense = dict->n;
  trace->dense = g_new0 (const FbValue *, (gsize) dict->n + 1);
  trace->table = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint32 i = 0; i + 1 < dict->n; i += 2)
    {
      const FbValue *key = &dict->items[i], *value = key + 1;

      if (key->kind != FB_VALUE_INT || value->kind != FB_VALUE_TUPLE || value->tuple->n < 4)
        return fb_viz_refuse (trace, error, "entry %u of the table of nodes is not a number and the fields of a node",
                              i / 2);
      if (key->i >= 0 && key->i < trace->n_dense)
        trace->dense[key->i] = value;
      else
        g_hash_table_insert (trace->table, (gpointer) &key->i, (gpointer) value);
      trace->n_nodes++;
    }
  return TRUE;
}

/* --- contexts --- */

/* (file, line), or a pattern that has it as its location. */
gboolean
fb_viz_read_location (const FbValue *value, FbArena *arena, const char **file, gint64 *line)
{
  if (value && value->kind == FB_VALUE_OBJECT)
    {
      const FbValue *args = &value->object->args, *field = fb_viz_field (value, "location");

      /* 0.10.3 makes a pattern anew from its arguments, the last of which is where it is */
      if (!field && args->kind == FB_VALUE_TUPLE && args->tuple->n)
        field = &args->tuple->items[args->tuple->n - 1];
      value = field;
    }
  if (!value || value->kind != FB_VALUE_TUPLE || value->tuple->n != 2 || value->tuple->items[0].kind != FB_VALUE_TEXT
      || value->tuple->items[1].kind != FB_VALUE_INT)
    return FALSE;
  *file = fb_arena_strndup (arena, (const char *) value->tuple->items[0].bytes, value->tuple->items[0].n);
  *line = value->tuple->items[1].i;
  return TRUE;
}

void
fb_viz_note_fields (FbVizTrace *trace, const FbValue *object, const char *const *known)
{
  const FbValue *state = &object->object->state;

  for (guint32 i = 0; state->kind == FB_VALUE_DICT && i + 1 < state->list->n; i += 2)
    {
      g_autofree char *name = fb_viz_value_text (trace, &state->list->items[i], 64);
      g_autofree char *bare = strlen (name) > 2 ? g_strndup (name + 1, strlen (name) - 2) : g_strdup (name);

      if (!g_strv_contains (known, bare))
        fb_viz_note (trace, "The field %s of %s is of no known release and was not read", bare,
                     object->object->class->name);
    }
}

static gboolean
read_rewrite (FbVizTrace *trace, const FbValue *object, FbVizRewrite *rewrite, GError **error)
{
  static const char *const known[]
      = { "loc", "sink", "matches", "name", "depth", "bottom_up", "walk", "enter_calls", NULL };
  const FbValue *matches = fb_viz_field (object, "matches");
  FbVizRaw *raw = fb_arena_alloc (&trace->arena, sizeof *raw);

  if (object->kind != FB_VALUE_OBJECT)
    return fb_viz_refuse (trace, error, "rewrite %u of context %u is no object", rewrite->index + 1,
                          rewrite->context + 1);
  raw->key = NULL;
  raw->sink = fb_viz_field (object, "sink");
  if (!raw->sink || (matches && matches->kind != FB_VALUE_LIST))
    return fb_viz_refuse (trace, error, "rewrite %u of context %u (%s) lacks its sink or the list of its matches",
                          rewrite->index + 1, rewrite->context + 1, object->object->class->name);
  if (strcmp (object->object->class->name, "TrackedGraphRewrite") != 0)
    fb_viz_note (trace,
                 "Rewrites are of the class %s, which no known release has; they were read as TrackedGraphRewrite",
                 object->object->class->name);
  fb_viz_note_fields (trace, object, known);
  if (!trace->first)
    trace->first = object;
  raw->matches = matches ? matches->list : NULL;
  rewrite->raw = raw;
  rewrite->n_matches = raw->matches ? raw->matches->n : 0;
  rewrite->name = text_of (trace, fb_viz_field (object, "name"));
  if (!fb_viz_read_location (fb_viz_field (object, "loc"), &trace->arena, &rewrite->file, &rewrite->line))
    rewrite->file = "?";
  rewrite->location
      = fb_arena_printf (&trace->arena, "%s:%" G_GINT64_FORMAT, fb_viz_base_name (rewrite->file), rewrite->line);
  rewrite->depth = small_of (fb_viz_field (object, "depth"));
  rewrite->bottom_up = truth_of (fb_viz_field (object, "bottom_up"));
  rewrite->walk = truth_of (fb_viz_field (object, "walk"));
  rewrite->enter_calls = truth_of (fb_viz_field (object, "enter_calls"));
  return TRUE;
}

/* What a context is called: of a TracingKey its display_name, of a kernel its name, of a string itself. */
static const char *
read_name (FbVizTrace *trace, const FbValue *key)
{
  const char *name = text_of (trace, fb_viz_field (key, "display_name"));

  if (!name || !*name)
    name = text_of (trace, fb_viz_field (key, "name"));
  if (!name || !*name)
    name = text_of (trace, key);
  if (!name)
    {
      g_autofree char *text = fb_viz_value_text (trace, key, 120);
      name = fb_arena_strndup (&trace->arena, text, strlen (text));
    }
  return name;
}

gboolean
fb_viz_read_contexts (FbVizTrace *trace, const FbValue *keys, const FbValue *rewrites, GError **error)
{
  if (!keys || !rewrites || keys->kind != FB_VALUE_LIST || rewrites->kind != FB_VALUE_LIST)
    return fb_viz_refuse (trace, error, "the keys or the rewrites of the trace are no list");
  if (keys->list->n != rewrites->list->n)
    fb_viz_note (trace, "%u contexts have %u names", rewrites->list->n, keys->list->n);
  for (guint32 i = 0; i < rewrites->list->n; i++)
    {
      const FbValue *list = &rewrites->list->items[i];
      FbVizContext context = { .name = "?" };
      FbVizRaw *raw = fb_arena_alloc (&trace->arena, sizeof *raw);
      FbVizRewrite *made;

      if (list->kind != FB_VALUE_LIST)
        return fb_viz_refuse (trace, error, "the rewrites of context %u are no list", i + 1);
      *raw = (FbVizRaw){ .key = i < keys->list->n ? &keys->list->items[i] : NULL };
      context.raw = raw;
      if (raw->key)
        context.name = read_name (trace, &keys->list->items[i]);
      made = fb_arena_alloc (&trace->arena, sizeof *made * list->list->n);
      context.n_rewrites = list->list->n;
      context.rewrites = made;
      for (guint32 k = 0; k < list->list->n; k++)
        {
          made[k] = (FbVizRewrite){ .context = i, .index = k };
          if (!read_rewrite (trace, &list->list->items[k], &made[k], error))
            return FALSE;
          context.n_matches += made[k].n_matches;
        }
      trace->n_matches += context.n_matches;
      g_array_append_val (trace->contexts, context);
    }
  return TRUE;
}
