/* What is in a trace: contexts, rewrites, the table of nodes, and which release wrote it. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "viztrace-private.h"

#define MAX_FILE ((goffset) 1024 * 1024 * 1024)

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

G_GNUC_PRINTF (2, 3)
static void
note (FbVizTrace *trace, const char *format, ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (!g_ptr_array_find_with_equal_func (trace->notes, text, g_str_equal, NULL) && trace->notes->len < 64)
    g_ptr_array_add (trace->notes, g_steal_pointer (&text));
}

G_GNUC_PRINTF (3, 4)
static gboolean
refuse (FbVizTrace *trace, GError **error, const char *format, ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: %s.", trace->path, text);
  return FALSE;
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

static gboolean
read_table (FbVizTrace *trace, const FbValue *fields, GError **error)
{
  const FbListCell *dict;

  if (!fields || fields->kind != FB_VALUE_DICT)
    return refuse (trace, error, "the table of nodes is no dict");
  dict = fields->list;
  /* numbers are given out one after the other, so nearly all are below their count */
  trace->n_dense = dict->n;
  trace->dense = g_new0 (const FbValue *, (gsize) dict->n + 1);
  trace->table = g_hash_table_new (g_int64_hash, g_int64_equal);
  for (guint32 i = 0; i + 1 < dict->n; i += 2)
    {
      const FbValue *key = &dict->items[i], *value = key + 1;

      if (key->kind != FB_VALUE_INT || value->kind != FB_VALUE_TUPLE || value->tuple->n < 4)
        return refuse (trace, error, "entry %u of the table of nodes is not a number and the fields of a node", i / 2);
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

static void
note_fields (FbVizTrace *trace, const FbValue *object, const char *const *known)
{
  const FbValue *state = &object->object->state;

  for (guint32 i = 0; state->kind == FB_VALUE_DICT && i + 1 < state->list->n; i += 2)
    {
      g_autofree char *name = fb_viz_value_text (trace, &state->list->items[i], 64);
      g_autofree char *bare = strlen (name) > 2 ? g_strndup (name + 1, strlen (name) - 2) : g_strdup (name);

      if (!g_strv_contains (known, bare))
        note (trace, "The field %s of %s is of no known release and was not read", bare, object->object->class->name);
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
    return refuse (trace, error, "rewrite %u of context %u is no object", rewrite->index + 1, rewrite->context + 1);
  raw->sink = fb_viz_field (object, "sink");
  if (!raw->sink || (matches && matches->kind != FB_VALUE_LIST))
    return refuse (trace, error, "rewrite %u of context %u (%s) lacks its sink or the list of its matches",
                   rewrite->index + 1, rewrite->context + 1, object->object->class->name);
  if (strcmp (object->object->class->name, "TrackedGraphRewrite") != 0)
    note (trace, "Rewrites are of the class %s, which no known release has; they were read as TrackedGraphRewrite",
          object->object->class->name);
  note_fields (trace, object, known);
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

static gboolean
read_contexts (FbVizTrace *trace, const FbValue *keys, const FbValue *rewrites, GError **error)
{
  if (!keys || !rewrites || keys->kind != FB_VALUE_LIST || rewrites->kind != FB_VALUE_LIST)
    return refuse (trace, error, "the keys or the rewrites of the trace are no list");
  if (keys->list->n != rewrites->list->n)
    note (trace, "%u contexts have %u names", rewrites->list->n, keys->list->n);
  for (guint32 i = 0; i < rewrites->list->n; i++)
    {
      const FbValue *list = &rewrites->list->items[i];
      FbVizContext context = { "?", 0, NULL, 0 };
      FbVizRewrite *made;

      if (list->kind != FB_VALUE_LIST)
        return refuse (trace, error, "the rewrites of context %u are no list", i + 1);
      if (i < keys->list->n)
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

/* --- the release --- */

const char *
fb_viz_op_name (const FbVizTrace *trace, const FbValue *op, FbArena *arena)
{
  const FbTupleCell *args
      = op->kind == FB_VALUE_OBJECT && op->object->args.kind == FB_VALUE_TUPLE ? op->object->args.tuple : NULL;
  const char *name;

  if (args && args->n == 2 && args->items[1].kind == FB_VALUE_TEXT)
    return fb_arena_strndup (arena, (const char *) args->items[1].bytes, MIN (args->items[1].n, 64));
  if (!args || args->n != 1 || args->items[0].kind != FB_VALUE_INT)
    return op->kind == FB_VALUE_TEXT ? fb_arena_strndup (arena, (const char *) op->bytes, MIN (op->n, 64)) : "?";
  name = fb_viz_release_op (trace->release, args->items[0].i);
  return name ? name : fb_arena_printf (arena, "OP_%" G_GINT64_FORMAT, args->items[0].i);
}

/* How often an op was met, and over how many sources. */
typedef struct
{
  const FbValue *op;
  guint n, n_src[4], n_arg; /* nodes over 0, 1, 2, more sources; nodes with an arg */
} OpCount;

static void
count_op (GHashTable *counts, const FbValue *op, const FbValue *src, const FbValue *arg)
{
  OpCount *count = g_hash_table_lookup (counts, op->pointer);

  if (op->kind != FB_VALUE_OBJECT)
    return;
  if (!count)
    {
      count = g_new0 (OpCount, 1);
      count->op = op;
      g_hash_table_insert (counts, (gpointer) op->pointer, count);
    }
  count->n++;
  count->n_src[src->kind == FB_VALUE_TUPLE ? MIN (src->tuple->n, 3) : 0]++;
  count->n_arg += arg->kind != FB_VALUE_NONE;
}

/* Counts the ops of the table; of a trace that holds the nodes themselves, those of the nodes that rewrites begin and end with. */
static GHashTable *
count_ops (const FbVizTrace *trace)
{
  GHashTable *counts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  GHashTableIter iter;
  gpointer entry;

  for (guint32 i = 0; i < trace->n_dense; i++)
    if (trace->dense[i])
      {
        const FbValue *fields = trace->dense[i]->tuple->items;
        count_op (counts, &fields[0], &fields[2], &fields[3]);
      }
  if (trace->table)
    {
      g_hash_table_iter_init (&iter, trace->table);
      while (g_hash_table_iter_next (&iter, NULL, &entry))
        {
          const FbValue *fields = ((const FbValue *) entry)->tuple->items;
          count_op (counts, &fields[0], &fields[2], &fields[3]);
        }
    }
  for (guint i = 0; i < trace->contexts->len && trace->form == FB_VIZ_OBJECTS; i++)
    {
      const FbVizContext *context = &g_array_index (trace->contexts, FbVizContext, i);

      for (guint k = 0; k < context->n_rewrites; k++)
        {
          const FbVizRaw *raw = context->rewrites[k].raw;
          guint32 n = raw->matches ? raw->matches->n : 0;

          for (guint32 m = 0; m <= 2 * n; m++)
            {
              const FbValue *match = m ? &raw->matches->items[(m - 1) / 2] : NULL;
              const FbValue *node = raw->sink;
              const FbTupleCell *args;

              if (match && (match->kind != FB_VALUE_TUPLE || match->tuple->n < 2))
                continue;
              if (match)
                node = &match->tuple->items[(m - 1) % 2];
              if (node->kind != FB_VALUE_OBJECT || node->object->args.kind != FB_VALUE_TUPLE)
                continue;
              args = node->object->args.tuple;
              if (args->n >= 4)
                count_op (counts, &args->items[0], &args->items[2], &args->items[3]);
            }
        }
    }
  return counts;
}

/* Nodes that are not what an op of this name always is. */
static guint
oddities (const char *name, const OpCount *count)
{
  static const char *const binary[] = { "ADD", "MUL", "MAX",  "CMPLT", "CMPNE", "XOR",  "OR", "AND",
                                        "SHL", "SHR", "IDIV", "MOD",   "CDIV",  "CMOD", NULL };
  static const char *const unary[] = { "EXP2", "LOG2", "SIN", "SQRT", "RECIP", "RECIPROCAL", "NEG", "CAST", NULL };
  static const char *const plain[] = { "ADD", "MUL", "MAX", "CMPLT", "CMPNE", "WHERE", "EXP2", "LOG2", "SIN", NULL };
  guint n = 0;

  if (g_strv_contains (binary, name))
    n += count->n - count->n_src[2];
  if (g_strv_contains (unary, name))
    n += count->n - count->n_src[1];
  if (g_strv_contains (plain, name))
    n += count->n_arg;
  if (strcmp (name, "CONST") == 0 || strcmp (name, "DEVICE") == 0 || strcmp (name, "UNIQUE") == 0)
    n += count->n - count->n_arg;
  if (strcmp (name, "WHERE") == 0)
    n += count->n - count->n_src[3];
  return n;
}

/* What speaks against @release having written the trace. */
static guint64
score (FbVizTrace *trace, int release, GHashTable *counts)
{
  guint64 against = 0;
  GHashTableIter iter;
  gpointer value;
  FbArena scratch;
  int saved = trace->release;

  fb_arena_init (&scratch);
  trace->release = release;
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const OpCount *count = value;
      const char *name = fb_viz_op_name (trace, count->op, &scratch);

      if (!fb_viz_release_has_op (release, name))
        against += count->n;
      else
        against += oddities (name, count);
    }
  trace->release = saved;
  fb_arena_clear (&scratch);
  return against;
}

/* By the fields of its rewrites: depth came with 0.10.3, a name with 0.10.2, walk after 0.13.0. */
static gboolean
has_fields_of (const FbVizTrace *trace, int release)
{
  const char *name = fb_viz_release_name (release);

  if (trace->form != fb_viz_release_form (release))
    return FALSE;
  if (!trace->first)
    return TRUE;
  if (trace->form == FB_VIZ_OBJECTS)
    return strcmp (name, fb_viz_field (trace->first, "depth")  ? "v0.10.3"
                         : fb_viz_field (trace->first, "name") ? "v0.10.2"
                                                               : "v0.10.1")
           == 0;
  return (fb_viz_field (trace->first, "walk") != NULL) == fb_viz_release_derives_dtype (release)
         || trace->form != FB_VIZ_TRACE;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static void
note_unknown_ops (FbVizTrace *trace, GHashTable *counts)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autoptr (GString) text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer value;
  guint n;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const char *name = fb_viz_op_name (trace, ((const OpCount *) value)->op, &trace->arena);

      if (!fb_viz_release_has_op (trace->release, name)
          && !g_ptr_array_find_with_equal_func (names, name, g_str_equal, NULL))
        g_ptr_array_add (names, (gpointer) name);
    }
  n = names->len;
  if (n == 0)
    return;
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < MIN (n, 8); i++)
    g_string_append_printf (text, "%s%s", i ? ", " : "", (const char *) g_ptr_array_index (names, i));
  note (trace, n == 1 ? "%u op is not of %s: %s%s" : "%u ops are not of %s: %s%s", n,
        fb_viz_release_name (trace->release), text->str, n > 8 ? ", …" : "");
}

static gboolean
tell_release (FbVizTrace *trace, const char *asked, GError **error)
{
  g_autoptr (GHashTable) counts = count_ops (trace);
  guint64 best = G_MAXUINT64;
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      const FbValue *op = ((const OpCount *) value)->op;
      if (op->object->args.kind == FB_VALUE_TUPLE && op->object->args.tuple->n == 1)
        trace->ops_by_value = TRUE;
    }
  trace->release = asked ? fb_viz_release_from_name (asked) : -1;
  if (asked && trace->release < 0)
    return refuse (trace, error, "the release %s is not known", asked);
  trace->release_detected = !asked;
  /* the newest of those that fit */
  for (int pass = 0; pass < 2 && trace->release < 0; pass++)
    for (int i = 0; i < FB_VIZ_N_RELEASES; i++)
      if (pass ? trace->form == fb_viz_release_form (i) : has_fields_of (trace, i))
        {
          guint64 against = score (trace, i, counts);

          if (against <= best)
            {
              best = against;
              trace->release = i;
            }
        }
  note_unknown_ops (trace, counts);
  return TRUE;
}

/* --- opening --- */

/* The three parts of a trace; FALSE when the root of the pickle is something else. */
static gboolean
find_parts (FbVizTrace *trace, const FbValue *root, const FbValue **keys, const FbValue **rewrites,
            const FbValue **fields)
{
  *keys = *rewrites = *fields = NULL;
  if (root->kind == FB_VALUE_OBJECT)
    {
      static const char *const known[] = { "keys", "rewrites", "uop_fields", NULL };

      *keys = fb_viz_field (root, "keys");
      *rewrites = fb_viz_field (root, "rewrites");
      *fields = fb_viz_field (root, "uop_fields");
      trace->form = FB_VIZ_TRACE;
      if (!*keys || !*rewrites || !*fields)
        return FALSE;
      if (strcmp (root->object->class->name, "RewriteTrace") != 0)
        note (trace, "The trace is of the class %s, which no known release has; it was read as RewriteTrace",
              root->object->class->name);
      note_fields (trace, root, known);
      return TRUE;
    }
  if (root->kind != FB_VALUE_TUPLE || root->tuple->n < 2)
    return FALSE;
  *keys = &root->tuple->items[0];
  *rewrites = &root->tuple->items[1];
  trace->form = FB_VIZ_OBJECTS;
  if (root->tuple->n > 2)
    {
      *fields = &root->tuple->items[2];
      trace->form = FB_VIZ_NUMBERED;
    }
  if (root->tuple->n > 3)
    note (trace, "The trace has %u parts; those after the third are of no known release and were not read",
          root->tuple->n);
  return (*keys)->kind == FB_VALUE_LIST && (*rewrites)->kind == FB_VALUE_LIST;
}

gboolean
fb_viz_trace_sniff (const guint8 *bytes, gsize len)
{
  static const char rewrite[] = "TrackedGraphRewrite", trace[] = "RewriteTrace";

  return len > 2 && bytes[0] == 0x80
         && (memmem (bytes, len, trace, strlen (trace)) || memmem (bytes, len, rewrite, strlen (rewrite)));
}

static gboolean
load (FbVizTrace *trace, const char *release, GError **error)
{
  FbPickleOptions options = { .path = trace->path, .plain = TRUE };
  const FbValue *keys, *rewrites, *fields;
  static const char *const forms[] = { "keys and rewrites", "keys, rewrites and a table of nodes", "RewriteTrace" };
  gsize len;
  const guint8 *bytes = g_bytes_get_data (trace->bytes, &len);
  FbValue root;

  if (!fb_pickle_load (trace->pickle, bytes, len, &options, trace->pickle_context, &root, error))
    return FALSE;
  if (!find_parts (trace, &root, &keys, &rewrites, &fields))
    return refuse (trace, error,
                   "this pickle is no VIZ trace: expected (keys, rewrites), (keys, rewrites, nodes) or a RewriteTrace");
  if ((trace->form != FB_VIZ_OBJECTS && !read_table (trace, fields, error))
      || !read_contexts (trace, keys, rewrites, error) || !tell_release (trace, release, error))
    return FALSE;
  trace->format
      = g_strdup_printf ("VIZ trace, pickle protocol %d, %s", fb_pickle_protocol (trace->pickle), forms[trace->form]);
  return TRUE;
}

FbVizTrace *
fb_viz_trace_new (GBytes *bytes, const char *what, const char *release, GError **error)
{
  FbVizTrace *trace = g_new0 (FbVizTrace, 1);

  g_atomic_ref_count_init (&trace->refs);
  trace->path = g_strdup (what);
  trace->bytes = g_bytes_ref (bytes);
  trace->pickle = fb_pickle_new ();
  trace->pickle_context = fb_context_new ();
  trace->contexts = g_array_new (FALSE, FALSE, sizeof (FbVizContext));
  trace->notes = g_ptr_array_new_with_free_func (g_free);
  fb_arena_init (&trace->arena);
  if (load (trace, release, error))
    return trace;
  fb_viz_trace_unref (trace);
  return NULL;
}

/* Whole, and not mapped: a mapped file can change or end while it is read. */
static GBytes *
read_file (const char *path, GError **error)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileInfo) info
      = g_file_query_info (file, G_FILE_ATTRIBUTE_STANDARD_SIZE, G_FILE_QUERY_INFO_NONE, NULL, error);

  if (!info)
    return NULL;
  if (g_file_info_get_size (info) > MAX_FILE)
    {
      g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_PICKLE,
                   "%s: a pickle of %" G_GOFFSET_FORMAT " bytes is refused, the most is %" G_GOFFSET_FORMAT ".", path,
                   g_file_info_get_size (info), MAX_FILE);
      return NULL;
    }
  return g_file_load_bytes (file, NULL, NULL, error);
}

gboolean
fb_viz_trace_sniff_file (const char *path)
{
  g_autoptr (GBytes) bytes = NULL;
  FILE *file = g_fopen (path, "rb");
  int first = file ? fgetc (file) : EOF;
  gsize len;
  const guint8 *data;

  if (file)
    fclose (file);
  if (first != 0x80 || !(bytes = read_file (path, NULL)))
    return FALSE;
  data = g_bytes_get_data (bytes, &len);
  return fb_viz_trace_sniff (data, len);
}

FbVizTrace *
fb_viz_trace_open (const char *path, const char *release, GError **error)
{
  g_autoptr (GError) failure = NULL;
  g_autoptr (GBytes) bytes = read_file (path, &failure);

  if (bytes)
    return fb_viz_trace_new (bytes, path, release, error);
  if (failure->domain == FB_CAPTURE_ERROR)
    g_propagate_error (error, g_steal_pointer (&failure));
  else
    g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_OPEN, "%s: %s", path, failure->message);
  return NULL;
}

FbVizTrace *
fb_viz_trace_ref (FbVizTrace *trace)
{
  g_atomic_ref_count_inc (&trace->refs);
  return trace;
}

void
fb_viz_trace_unref (FbVizTrace *trace)
{
  if (!trace || !g_atomic_ref_count_dec (&trace->refs))
    return;
  fb_pickle_free (trace->pickle);
  fb_context_free (trace->pickle_context);
  g_bytes_unref (trace->bytes);
  g_array_unref (trace->contexts);
  g_ptr_array_unref (trace->notes);
  g_clear_pointer (&trace->table, g_hash_table_unref);
  g_free (trace->dense);
  fb_arena_clear (&trace->arena);
  g_free (trace->path);
  g_free (trace->format);
  g_free (trace);
}

const char *
fb_viz_trace_path (const FbVizTrace *trace)
{
  return trace->path;
}

FbVizForm
fb_viz_trace_form (const FbVizTrace *trace)
{
  return trace->form;
}

const char *
fb_viz_trace_format (const FbVizTrace *trace)
{
  return trace->format;
}

const char *
fb_viz_trace_release (const FbVizTrace *trace)
{
  return fb_viz_release_name (trace->release);
}

gboolean
fb_viz_trace_release_detected (const FbVizTrace *trace)
{
  return trace->release_detected;
}

gboolean
fb_viz_trace_ops_by_value (const FbVizTrace *trace)
{
  return trace->ops_by_value;
}

guint
fb_viz_trace_n_contexts (const FbVizTrace *trace)
{
  return trace->contexts->len;
}

const FbVizContext *
fb_viz_trace_context (const FbVizTrace *trace, guint index)
{
  return &g_array_index (trace->contexts, FbVizContext, index);
}

guint
fb_viz_trace_n_nodes (const FbVizTrace *trace)
{
  return trace->n_nodes;
}

guint64
fb_viz_trace_n_matches (const FbVizTrace *trace)
{
  return trace->n_matches;
}

guint
fb_viz_trace_n_notes (const FbVizTrace *trace)
{
  return trace->notes->len;
}

const char *
fb_viz_trace_note (const FbVizTrace *trace, guint index)
{
  return g_ptr_array_index (trace->notes, index);
}
