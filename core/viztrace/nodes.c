/* Foreign nodes from what a trace holds, as they are asked for. */
#include "viztrace-private.h"

#include <string.h>

/* Sources of all nodes together, beyond what the bytes of the file account for. */
#define MAX_EDGES (1u << 24)
#define MAX_ARG_TEXT 4096
#define MAX_TAG_TEXT 256

typedef struct
{
  FbValue ref; /* a UOp, or the number of one */
  const FbTupleCell *fields;
  guint32 next;
} Frame;

typedef struct
{
  const char *file;
  gint64 line;
} Place;

FbVizNodes *
fb_viz_nodes_new (FbVizTrace *trace, FbContext *context)
{
  FbVizNodes *nodes = g_new0 (FbVizNodes, 1);

  nodes->trace = fb_viz_trace_ref (trace);
  nodes->context = context;
  nodes->values = fb_viz_values_new (trace);
  fb_arena_init (&nodes->arena);
  nodes->dense = g_new0 (FbUop *, (gsize) trace->n_dense + 1);
  nodes->sparse = g_hash_table_new (g_int64_hash, g_int64_equal);
  nodes->by_object = g_hash_table_new (NULL, NULL);
  nodes->ops = g_hash_table_new (NULL, NULL);
  nodes->dtypes = g_hash_table_new (NULL, NULL);
  nodes->args = g_hash_table_new (NULL, NULL);
  nodes->places = g_hash_table_new (NULL, NULL);
  nodes->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  nodes->src = g_array_new (FALSE, FALSE, sizeof (FbUop *));
  if (fb_viz_release_calls (trace->release) != FB_VIZ_CALLS_ENTERED)
    nodes->uses = g_byte_array_new ();
  nodes->edges_left = MAX_EDGES + g_bytes_get_size (trace->bytes);
  return nodes;
}

void
fb_viz_nodes_free (FbVizNodes *nodes)
{
  if (!nodes)
    return;
  g_hash_table_unref (nodes->sparse);
  g_hash_table_unref (nodes->by_object);
  g_hash_table_unref (nodes->ops);
  g_hash_table_unref (nodes->dtypes);
  g_hash_table_unref (nodes->args);
  g_hash_table_unref (nodes->places);
  g_array_unref (nodes->frames);
  g_array_unref (nodes->src);
  g_free (nodes->dense);
  g_free (nodes->marks);
  g_free (nodes->infos);
  g_free (nodes->ends);
  g_clear_pointer (&nodes->end_edges, g_array_unref);
  if (nodes->uses)
    g_byte_array_unref (nodes->uses);
  fb_viz_values_free (nodes->values);
  fb_arena_clear (&nodes->arena);
  fb_viz_trace_unref (nodes->trace);
  g_free (nodes);
}

static gboolean
refuse (FbVizNodes *nodes, GError **error, const char *what, const FbValue *ref)
{
  if (ref->kind == FB_VALUE_INT)
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: node %" G_GINT64_FORMAT " %s.",
                 nodes->trace->path, ref->i, what);
  else
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: a node %s.", nodes->trace->path, what);
  return FALSE;
}

static FbUop *
made (const FbVizNodes *nodes, const FbValue *ref)
{
  if (ref->kind == FB_VALUE_OBJECT)
    return g_hash_table_lookup (nodes->by_object, ref->object);
  if (ref->kind != FB_VALUE_INT)
    return NULL;
  if (ref->i >= 0 && ref->i < nodes->trace->n_dense)
    return nodes->dense[ref->i];
  return g_hash_table_lookup (nodes->sparse, &ref->i);
}

static void
remember (FbVizNodes *nodes, const FbValue *ref, FbUop *uop)
{
  if (ref->kind == FB_VALUE_OBJECT)
    g_hash_table_insert (nodes->by_object, ref->object, uop);
  else if (ref->i >= 0 && ref->i < nodes->trace->n_dense)
    nodes->dense[ref->i] = uop;
  else
    g_hash_table_insert (nodes->sparse, fb_arena_memdup (&nodes->arena, &ref->i, sizeof ref->i), uop);
}

/* 0.11 and 0.12: the number of the graph in the arg of a kernel, NULL when there is none. */
static const FbValue *
numbered_ast (const FbVizNodes *nodes, const FbTupleCell *fields)
{
  const FbValue *arg = &fields->items[3], *ast;

  if (nodes->trace->form == FB_VIZ_OBJECTS || !fb_viz_is_object (arg, "Kernel"))
    return NULL;
  ast = fb_viz_field (arg, "ast");
  return ast && ast->kind == FB_VALUE_INT ? ast : NULL;
}

/* The @i-th node that must be made before this one. */
static const FbValue *
needed (const FbVizNodes *nodes, const FbTupleCell *fields, guint32 i)
{
  const FbTupleCell *src = fields->items[2].tuple;

  if (i < src->n)
    return &src->items[i];
  return i == src->n ? numbered_ast (nodes, fields) : NULL;
}

/* --- what a node is, without its sources --- */

static FbOp
op_of (FbVizNodes *nodes, const FbValue *op)
{
  FbOp known = GPOINTER_TO_UINT (g_hash_table_lookup (nodes->ops, op->pointer));

  if (!known)
    {
      known = fb_op_foreign (fb_viz_op_name (nodes->trace, op, &nodes->arena));
      g_hash_table_insert (nodes->ops, (gpointer) op->pointer, GUINT_TO_POINTER (known));
    }
  return known;
}

static const char *
keep (FbVizNodes *nodes, char *text)
{
  const char *kept = fb_arena_strndup (&nodes->arena, text, strlen (text));

  g_free (text);
  return kept;
}

/* A dtype that has a text and nothing else. */
static const FbDType *
dtype_of (FbVizNodes *nodes, const FbValue *value)
{
  gpointer id = GUINT_TO_POINTER (fb_viz_values_id (nodes->values, value));
  FbDType *dtype = g_hash_table_lookup (nodes->dtypes, id);

  if (dtype)
    return dtype;
  dtype = fb_arena_alloc (&nodes->arena, sizeof *dtype);
  *dtype = (FbDType){ .kind = FB_DTYPE_PLAIN, .type = FB_SCALAR_VOID, .count = 1, .v = 1, .size = -1 };
  dtype->scalar = dtype->base = dtype;
  dtype->name = dtype->short_name = keep (nodes, fb_viz_dtype_text (nodes->trace, value));
  dtype->repr = fb_arena_printf (&nodes->arena, "dtypes.%s", dtype->short_name);
  g_hash_table_insert (nodes->dtypes, id, dtype);
  return dtype;
}

/* What is no plain value is opaque: one for equal ones. */
static FbArg
opaque_arg (FbVizNodes *nodes, guint32 arg, guint32 tag, const FbValue *value, const FbValue *tag_value)
{
  const guint64 numbers[] = { arg, tag };
  gpointer id = GUINT_TO_POINTER (fb_viz_values_id_of (nodes->values, 'R', G_N_ELEMENTS (numbers), numbers));
  FbOpaque *opaque = g_hash_table_lookup (nodes->args, id);

  if (!opaque)
    {
      g_autofree char *text = fb_viz_value_text (nodes->trace, value, MAX_ARG_TEXT);
      g_autofree char *tag_text = tag ? fb_viz_value_text (nodes->trace, tag_value, MAX_TAG_TEXT) : NULL;

      opaque = fb_arena_alloc (&nodes->arena, sizeof *opaque);
      opaque->class_name = value->kind == FB_VALUE_OBJECT ? value->object->class->name : "";
      opaque->repr = fb_arena_printf (&nodes->arena, "%s%s%s", text, tag ? ", tag=" : "", tag ? tag_text : "");
      g_hash_table_insert (nodes->args, id, opaque);
    }
  return (FbArg){ .kind = FB_ARG_OPAQUE, .opaque = opaque };
}

static FbArg
arg_of (FbVizNodes *nodes, const FbTupleCell *fields)
{
  static const FbValue none = { .kind = FB_VALUE_NONE };
  const FbValue *value = &fields->items[3], *tag = &none, *ast = numbered_ast (nodes, fields);
  guint32 id;

  if (nodes->trace->form != FB_VIZ_OBJECTS && fields->n > 4)
    tag = &fields->items[4];
  if (tag->kind == FB_VALUE_NONE)
    switch ((FbValueKind) value->kind)
      {
      case FB_VALUE_NONE:
      case FB_VALUE_BOOL:
      case FB_VALUE_INT:
      case FB_VALUE_BIG:
      case FB_VALUE_FLOAT:
        return (FbArg){ .kind = (FbArgKind) value->kind, .i = value->i };
      case FB_VALUE_TEXT:
        return fb_arg_str (nodes->context, (const char *) value->bytes, value->n);
      default:
        break;
      }
  if (ast)
    {
      const FbValue *metadata = fb_viz_field (value, "metadata");
      guint64 numbers[] = { made (nodes, ast)->id, fb_viz_values_id (nodes->values, metadata ? metadata : &none) };

      id = fb_viz_values_id_of (nodes->values, 'K', G_N_ELEMENTS (numbers), numbers);
    }
  else
    id = fb_viz_values_id (nodes->values, value);
  return opaque_arg (nodes, id, tag->kind == FB_VALUE_NONE ? 0 : fb_viz_values_id (nodes->values, tag), value, tag);
}

/* --- how nodes are used --- */

enum
{
  USED_OPENLY = 1,
  USED_CLOSED = 2, /* by a call that does not look into it */
};

gboolean
fb_viz_nodes_is_closed (const FbVizNodes *nodes, const FbUop *uop)
{
  return nodes->uses && uop->id < nodes->uses->len && nodes->uses->data[uop->id] & USED_CLOSED;
}

static void
note_uses (FbVizNodes *nodes, const FbUop *uop)
{
  guint closed = uop->op == nodes->trace->call || uop->op == nodes->trace->function;
  guint old = nodes->uses->len;

  if (old <= uop->id)
    {
      g_byte_array_set_size (nodes->uses, MAX (uop->id + 1, 2 * old));
      memset (nodes->uses->data + old, 0, nodes->uses->len - old);
    }
  for (guint i = 0; i < uop->n_src; i++)
    {
      guint8 *use = &nodes->uses->data[uop->src[i]->id];

      *use |= i < closed ? USED_CLOSED : USED_OPENLY;
      nodes->calls_conflict |= *use == (USED_CLOSED | USED_OPENLY);
    }
}

static FbUop *
make (FbVizNodes *nodes, const FbTupleCell *fields)
{
  const FbTupleCell *src = fields->items[2].tuple;
  FbArg arg = arg_of (nodes, fields);
  FbUop *uop;

  g_array_set_size (nodes->src, 0);
  for (guint32 i = 0; i < src->n; i++)
    {
      FbUop *source = made (nodes, &src->items[i]);
      g_array_append_val (nodes->src, source);
    }
  uop = fb_uop_new (nodes->context, op_of (nodes, &fields->items[0]), dtype_of (nodes, &fields->items[1]), src->n,
                    (FbUop *const *) (gpointer) nodes->src->data, arg);
  if (nodes->uses)
    note_uses (nodes, uop);
  return uop;
}

/* --- graphs --- */

static gboolean
push (FbVizNodes *nodes, const FbValue *ref, GError **error)
{
  Frame frame = { *ref, fb_viz_node_fields (nodes->trace, ref), 0 };

  if (!frame.fields)
    return refuse (nodes, error, "is not in the trace", ref);
  if (frame.fields->items[2].tuple->n >= nodes->edges_left)
    return refuse (nodes, error, "has more sources than a trace of this size can have", ref);
  /* nodes that are objects cannot; by number, a graph deeper than the table is long goes in a circle */
  if (ref->kind == FB_VALUE_INT && nodes->frames->len > nodes->trace->n_nodes)
    return refuse (nodes, error, "is a source of itself", ref);
  nodes->edges_left -= frame.fields->items[2].tuple->n;
  g_array_append_val (nodes->frames, frame);
  return TRUE;
}

static FbUop *
node_of (FbVizNodes *nodes, const FbValue *ref, GError **error)
{
  FbUop *uop = made (nodes, ref);
  gboolean ok;

  if (uop)
    return uop;
  g_array_set_size (nodes->frames, 0);
  ok = push (nodes, ref, error);
  while (ok && nodes->frames->len)
    {
      Frame *frame = &g_array_index (nodes->frames, Frame, nodes->frames->len - 1);
      const FbValue *next;

      while ((next = needed (nodes, frame->fields, frame->next)) && made (nodes, next))
        frame->next++;
      if (next)
        {
          ok = push (nodes, next, error);
          continue;
        }
      uop = make (nodes, frame->fields);
      remember (nodes, &frame->ref, uop);
      g_array_set_size (nodes->frames, nodes->frames->len - 1);
    }
  return ok ? uop : NULL;
}

FbUop *
fb_viz_nodes_sink (FbVizNodes *nodes, const FbVizRewrite *rewrite, GError **error)
{
  return node_of (nodes, rewrite->raw->sink, error);
}

/* Where a pattern is; the same cell is asked for with every match of its rule. */
static const Place *
place_of (FbVizNodes *nodes, const FbValue *value)
{
  Place *place = g_hash_table_lookup (nodes->places, value->pointer);

  if (place)
    return place;
  place = fb_arena_alloc (&nodes->arena, sizeof *place);
  if (!fb_viz_read_location (value, &nodes->arena, &place->file, &place->line))
    *place = (Place){ "?", 0 };
  g_hash_table_insert (nodes->places, (gpointer) value->pointer, place);
  return place;
}

gboolean
fb_viz_nodes_match (FbVizNodes *nodes, const FbVizRewrite *rewrite, guint index, FbVizMatch *match, GError **error)
{
  const FbValue *value = &rewrite->raw->matches->items[index];
  const Place *place;
  const FbTupleCell *parts;

  if (value->kind != FB_VALUE_TUPLE || value->tuple->n < 3)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT,
                   "%s: match %u of rewrite %u of context %u is not two nodes and a pattern.", nodes->trace->path,
                   index + 1, rewrite->index + 1, rewrite->context + 1);
      return FALSE;
    }
  parts = value->tuple;
  match->before = node_of (nodes, &parts->items[0], error);
  match->after = match->before ? node_of (nodes, &parts->items[1], error) : NULL;
  if (!match->after)
    return FALSE;
  place = place_of (nodes, &parts->items[2]);
  match->file = place->file;
  match->line = place->line;
  match->seconds = -1;
  if (parts->n > 3 && parts->items[3].kind == FB_VALUE_FLOAT)
    match->seconds = parts->items[3].f;
  else if (parts->n > 3 && parts->items[3].kind == FB_VALUE_INT)
    match->seconds = (double) parts->items[3].i;
  return TRUE;
}
