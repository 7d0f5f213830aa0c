#include "row.h"

#include <string.h>

#include "core/viztrace/recorded.h"

#include "core/ir/text.h"
#include "pickle-private.h"

/* Every ContextVar of tinygrad 0.10.2 and its default, in the order in which captures store them (helpers.py:106-115,
 * ops.py:854), and which option of ours it sets. */
#define NAME(text) text, sizeof text - 1
#define OPTION(field) 1 + G_STRUCT_OFFSET (FbOptions, field)
static const struct
{
  const char *name;
  guint len;
  int value;
  guint option; /* 1 + offset of an int in FbOptions, 0 for none */
} defaults[] = {
  { NAME ("DEBUG"), 0 },
  { NAME ("IMAGE"), 0, OPTION (image) },
  { NAME ("BEAM"), 0 },
  { NAME ("NOOPT"), 0 },
  { NAME ("JIT"), 1 },
  { NAME ("WINO"), 0 },
  { NAME ("CAPTURING"), 1 },
  { NAME ("TRACEMETA"), 1 },
  { NAME ("TC"), 1 },
  { NAME ("TC_SELECT"), -1 },
  { NAME ("TC_OPT"), 0 },
  { NAME ("AMX"), 0 },
  { NAME ("TRANSCENDENTAL"), 1 },
  { NAME ("TC_SEARCH_OVER_SHAPE"), 1 },
  { NAME ("FUSE_ARANGE"), 0, OPTION (fuse_arange) },
  { NAME ("FUSE_CONV_BW"), 0, OPTION (fuse_conv_bw) },
  { NAME ("SPLIT_REDUCEOP"), 1, OPTION (split_reduceop) },
  { NAME ("NO_MEMORY_PLANNER"), 0 },
  { NAME ("RING"), 1 },
  { NAME ("PICKLE_BUFFERS"), 1 },
  { NAME ("PROFILE"), 0 },
  { NAME ("LRU"), 1 },
  { NAME ("CACHELEVEL"), 2 },
  { NAME ("IGNORE_BEAM_CACHE"), 0 },
  { NAME ("DEVECTORIZE"), 1 },
  { NAME ("DONT_REALIZE_EXPAND"), 0, OPTION (dont_realize_expand) },
  { NAME ("TRACK_MATCH_STATS"), 0 },
};

/* Names of vars are static text or in the chunk: a row has some thirty. */
typedef struct
{
  FbCaptureRow row;
  GStringChunk *names; /* NULL until needed */
} RowData;

void
fb_capture_row_free (FbCaptureRow *row)
{
  if (!row)
    return;
  if (((RowData *) row)->names)
    g_string_chunk_free (((RowData *) row)->names);
  g_free (row->key);
  g_ptr_array_unref (row->kernels);
  g_array_unref (row->vars);
  g_free (row->kernel_name);
  g_free (row->colored_name);
  g_free (row->renderer);
  g_free (row->applied_opts);
  g_free (row->source);
  fb_viz_nodes_free (row->nodes);
  fb_recorded_free (row->recorded);
  g_free (row);
}

FbCaptureRow *
fb_row_new (const FbRowSource *source)
{
  FbCaptureRow *row = &(g_new0 (RowData, 1))->row;

  row->row = MAX (source->row, 1);
  row->key = g_strdup (source->key);
  row->kernels = g_ptr_array_new ();
  row->vars = g_array_sized_new (FALSE, FALSE, sizeof (FbContextVar), G_N_ELEMENTS (defaults));
  row->max_unique = -1;
  return row;
}

char *
fb_row_source_name (const FbRowSource *source)
{
  return source->row ? g_strdup_printf ("%s: row %u", source->path, source->row) : g_strdup (source->path);
}

static gboolean
fail_content (const FbRowSource *source, GError **error, const char *message)
{
  g_autofree char *what = fb_row_source_name (source);
  g_set_error (error, FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_CONTENT, "%s: %s.", what, message);
  return FALSE;
}

static inline gboolean
is_default (const FbValue *name, guint d)
{
  return name->n == defaults[d].len && memcmp (name->bytes, defaults[d].name, name->n) == 0;
}

/* Index in defaults[], -1 when 0.10.2 has no such option. @guess: where it most likely is. */
static int
find_default (const FbValue *name, guint guess)
{
  if (guess < G_N_ELEMENTS (defaults) && is_default (name, guess))
    return (int) guess;
  for (guint d = 0; d < G_N_ELEMENTS (defaults); d++)
    if (is_default (name, d))
      return (int) d;
  return -1;
}

/* The value of a ContextVar, which is the first of its attributes; NULL when there is none. */
static inline const FbValue *
get_value (const FbValue *var)
{
  const FbValue *state;

  if (var->kind != FB_VALUE_OBJECT) /* 0.10.0 stored values alone with a kernel */
    return var;
  state = &var->object->state;
  if (var->object->class->id != FB_CLASS_CONTEXT_VAR)
    return NULL;
  if (G_LIKELY (state->kind == FB_VALUE_DICT && state->list->n == 4 && !state->list->run
                && state->list->items[0].attr == FB_ATTR_VALUE && state->list->items[0].kind == FB_VALUE_TEXT
                && state->list->items[2].attr == FB_ATTR_KEY))
    return &state->list->items[1];
  return fb_value_get_attr (state, FB_ATTR_VALUE);
}

/* {name: ContextVar}: the vars of the row, and the options of the context. */
static gboolean
read_vars (const FbValue *dict, const FbRowSource *source, FbContext *context, FbCaptureRow *row, GError **error)
{
  const FbListCell *list = dict->list;
  const FbOptionRun *run = list->run;
  const guint32 n_items = list->n / 2, n = n_items + (run ? run->n : 0);
  FbOptions *options = fb_context_options (context);
  FbContextVar *added;

  g_array_set_size (row->vars, n);
  added = (FbContextVar *) row->vars->data;
  for (guint32 i = 0; i < n; i++)
    {
      const FbValue *name = i < n_items ? &list->items[2 * i] : &run->options[i - n_items].name;
      const FbValue *value = i < n_items ? get_value (&list->items[2 * i + 1]) : &run->options[i - n_items].value;
      int d;

      if (value && value->kind == FB_VALUE_TEXT) /* PROFILEPATH of 0.10.0 is a text; no option of ours is */
        continue;
      if (name->kind != FB_VALUE_TEXT || !value || (value->kind != FB_VALUE_INT && value->kind != FB_VALUE_BOOL))
        return fail_content (source, error, "its options are not names with integers");
      d = find_default (name, i);
      *added = (FbContextVar){ .value = value->i, .known = d >= 0 };
      if (d >= 0)
        {
          added->name = (char *) defaults[d].name;
          added->default_value = defaults[d].value;
          if (defaults[d].option)
            G_STRUCT_MEMBER (int, options, defaults[d].option - 1) = (int) CLAMP (value->i, G_MININT, G_MAXINT);
        }
      else
        {
          if (!((RowData *) row)->names)
            ((RowData *) row)->names = g_string_chunk_new (256);
          added->name
              = g_string_chunk_insert_len (((RowData *) row)->names, (const char *) name->bytes, (gssize) name->n);
        }
      added++;
    }
  g_array_set_size (row->vars, (guint) (added - (FbContextVar *) row->vars->data));
  return TRUE;
}

static gboolean
is_dict (const FbValue *value)
{
  return value->kind == FB_VALUE_DICT;
}

/* (ast, renderer, applied_opts, name, [location,] options, source): kernel.py:685 */
static gboolean
read_kernel (FbPickle *pickle, const FbTupleCell *tuple, const FbRowSource *source, FbContext *context,
             FbCaptureRow *row, GError **error)
{
  const FbValue *items = tuple->items, *name = &items[3], *text = &items[tuple->n - 1];

  row->kind = FB_ROW_KERNEL;
  row->sink = items[0].uop;
  if (name->kind != FB_VALUE_TEXT || text->kind != FB_VALUE_TEXT)
    return fail_content (source, error, "the name or the source of a kernel is no text");
  row->kernel_name = g_strndup ((const char *) name->bytes, name->n);
  row->source = g_strndup ((const char *) text->bytes, text->n);
  row->renderer
      = items[1].kind == FB_VALUE_OBJECT ? g_strdup (items[1].object->class->name) : fb_pickle_repr (pickle, &items[1]);
  row->applied_opts = fb_pickle_repr (pickle, &items[2]);
  return read_vars (&items[tuple->n - 2], source, context, row, error);
}

/* (big_sink, options, [ast, ...]): schedule.py:457. In 0.10.0 ((sink, variables, assigned), {}, ast). */
static gboolean
read_schedule (const FbTupleCell *tuple, const FbRowSource *source, FbContext *context, FbCaptureRow *row,
               GError **error)
{
  const FbValue *items = tuple->items, *sink = &items[0], *kernels = &items[2];
  const FbListCell *list;

  row->kind = FB_ROW_SCHEDULE;
  if (sink->kind == FB_VALUE_TUPLE && sink->tuple->n)
    sink = &sink->tuple->items[0];
  if (sink->kind != FB_VALUE_UOP)
    return fail_content (source, error, "its first item is no graph");
  row->sink = sink->uop;
  if (kernels->kind == FB_VALUE_UOP)
    g_ptr_array_add (row->kernels, kernels->uop);
  else if (kernels->kind == FB_VALUE_LIST)
    {
      list = kernels->list;
      for (guint32 i = 0; i < list->n; i++)
        {
          if (list->items[i].kind != FB_VALUE_UOP)
            return fail_content (source, error, "one of its kernels is no graph");
          g_ptr_array_add (row->kernels, list->items[i].uop);
        }
    }
  else
    return fail_content (source, error, "its kernels are no list");
  return read_vars (&items[1], source, context, row, error);
}

static gboolean
read_root (FbPickle *pickle, const FbValue *root, const FbRowSource *source, FbContext *context, FbCaptureRow *row,
           GError **error)
{
  FbTupleCell *tuple = root->kind == FB_VALUE_TUPLE ? root->tuple : NULL;

  if (root->kind == FB_VALUE_LIST && root->list->n <= 8)
    tuple = fb_pickle_new_tuple (pickle, root->list->n, root->list->items);
  if (root->kind == FB_VALUE_UOP)
    {
      row->kind = FB_ROW_GRAPH;
      row->sink = root->uop;
      return TRUE;
    }
  if (tuple && tuple->n == 3 && is_dict (&tuple->items[1]))
    return read_schedule (tuple, source, context, row, error);
  if (tuple && (tuple->n == 6 || tuple->n == 7) && tuple->items[0].kind == FB_VALUE_UOP
      && is_dict (&tuple->items[tuple->n - 2]))
    return read_kernel (pickle, tuple, source, context, row, error);
  return fail_content (source, error, "it holds neither a graph nor a captured schedule or kernel");
}

/* One attempt with the op numbers of @release. */
static FbCaptureRow *
read_as (FbPickle *pickle, GBytes *bytes, const FbRowSource *source, int release, gboolean *wrong_first,
         FbContext *context, GError **error)
{
  gsize len;
  const guint8 *data = g_bytes_get_data (bytes, &len);
  FbPickleOptions options = { .path = source->path,
                              .row = source->row,
                              .release = release,
                              .sink_first = wrong_first != NULL,
                              .wrong_first = wrong_first };
  FbCaptureRow *row;
  FbValue root;

  if (!fb_pickle_load (pickle, data, len, &options, context, &root, error))
    return NULL;
  row = fb_row_new (source);
  row->release = fb_release_name (release);
  row->release_detected = source->release < 0;
  row->ops_by_value = fb_pickle_ops_by_value (pickle);
  row->protocol = fb_pickle_protocol (pickle);
  if (!read_root (pickle, &root, source, context, row, error))
    {
      fb_capture_row_free (row);
      return NULL;
    }
  row->max_unique = pickle->max_unique;
  return row;
}

/* Does the graph have the stored key when its ops are numbered as in @release? */
static gboolean
key_fits (FbContext *context, const FbCaptureRow *row, int release)
{
  g_autofree char *text = fb_release_key_text (context, row->sink, release);
  return strcmp (text, row->key) == 0;
}

/* By name, any release may have written it; by value, the numbers say which one it was not. Two releases may both give a
 * graph: then the stored key decides. */
FbCaptureRow *
fb_row_read (FbPickle *pickle, GBytes *bytes, const FbRowSource *source, FbContext *context, GError **error)
{
  gboolean was_empty = fb_context_n_uops (context) == 0, wrong_first = FALSE;
  g_autoptr (GError) first_error = NULL;
  int fallback = -1;

  if (source->release >= 0)
    return read_as (pickle, bytes, source, source->release, NULL, context, error);
  for (int release = 0; release < FB_N_RELEASES; release++)
    {
      g_autoptr (FbCaptureRow) row = NULL;
      g_autoptr (GError) local = NULL;

      if (source->cache_version >= 0 && fb_release_cache_version (release) != source->cache_version)
        continue;
      if (was_empty && fb_context_n_uops (context))
        fb_context_reset (context);
      row = read_as (pickle, bytes, source, release, &wrong_first, context, &local);
      if (row && (!row->ops_by_value || !*row->key || release == FB_RELEASE_0_10_2 || key_fits (context, row, release)))
        return g_steal_pointer (&row);
      if (row && fallback < 0)
        fallback = release;
      if (!row && !wrong_first && !first_error)
        first_error = g_steal_pointer (&local);
    }
  if (fallback < 0 && first_error)
    {
      g_propagate_error (error, g_steal_pointer (&first_error));
      return NULL;
    }
  if (was_empty && fb_context_n_uops (context))
    fb_context_reset (context);
  return read_as (pickle, bytes, source, MAX (fallback, FB_RELEASE_0_10_2), NULL, context, error);
}

gboolean
fb_capture_row_check_key (FbContext *context, const FbCaptureRow *row, char **got)
{
  int release = fb_release_from_name (row->release);
  g_autofree char *text = NULL;

  if (got)
    *got = NULL;
  if (row->kind != FB_ROW_SCHEDULE || !*row->key)
    return TRUE;
  text = fb_release_key_text (context, row->sink, release);
  if (strcmp (text, row->key) == 0)
    return TRUE;
  for (int other = 0; other < FB_N_RELEASES && !row->ops_by_value; other++)
    if (other != release && key_fits (context, row, other))
      return TRUE;
  if (got)
    *got = g_steal_pointer (&text);
  return FALSE;
}
