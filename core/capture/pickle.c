#include "pickle-private.h"

#include <stdarg.h>
#include <string.h>

#define FIRST_VALUES 1024
#define MIB ((gsize) 1024 * 1024)

void
fb_pickle_limits_init (FbPickleLimits *limits)
{
  *limits = (FbPickleLimits){
    .max_size = 1024 * MIB,
    .max_memo = 64u << 20,
    .max_stack = 64u << 20,
    .max_bytes = 8192 * MIB,
    .base_bytes = 64 * MIB,
    .bytes_per_byte = 512,
    .max_text = 256 * 1024,
    .max_level = 8,
    .max_depth = 64,
  };
}

FbPickle *
fb_pickle_new (void)
{
  FbPickle *pickle = g_new0 (FbPickle, 1);

  fb_pickle_limits_init (&pickle->limits);
  fb_arena_init (&pickle->scratch);
  pickle->stack = g_new (FbValue, FIRST_VALUES);
  pickle->stack_end = pickle->stack + FIRST_VALUES;
  pickle->memo = g_new (FbValue, FIRST_VALUES);
  pickle->memo_allocated = FIRST_VALUES;
  pickle->walk = g_ptr_array_new ();
  return pickle;
}

void
fb_pickle_free (FbPickle *pickle)
{
  if (!pickle)
    return;
  fb_arena_clear (&pickle->scratch);
  g_free (pickle->stack);
  g_free (pickle->marks);
  g_free (pickle->memo);
  g_free (pickle->info);
  g_free (pickle->sources);
  g_ptr_array_unref (pickle->walk);
  g_clear_error (&pickle->error);
  g_free (pickle);
}

FbPickleLimits *
fb_pickle_limits (FbPickle *pickle)
{
  return &pickle->limits;
}

int
fb_pickle_protocol (FbPickle *pickle)
{
  return pickle->protocol;
}

gboolean
fb_pickle_ops_by_value (FbPickle *pickle)
{
  return pickle->ops_by_value;
}

gboolean
fb_pickle_fail (FbPickle *pickle, const char *format, ...)
{
  va_list args;
  g_autofree char *message = NULL, *row = NULL;

  if (pickle->error)
    return FALSE;
  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  if (pickle->options.row)
    row = g_strdup_printf (": row %u", pickle->options.row);
  pickle->error = g_error_new (FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_PICKLE, "%s%s, byte %" G_GSIZE_FORMAT ": %s.",
                               pickle->options.path, row ? row : "", (gsize) (pickle->at - pickle->start), message);
  return FALSE;
}

gboolean
fb_pickle_fail_bytes (FbPickle *pickle)
{
  return fb_pickle_fail (pickle,
                         "reading this pickle takes more than %" G_GSIZE_FORMAT " bytes of memory, which is refused",
                         pickle->max_bytes);
}

FbTupleCell *
fb_pickle_new_sources (FbPickle *pickle, guint32 n, FbUop *const *sources)
{
  FbTupleCell *cell;

  if (n == 0)
    return fb_pickle_new_tuple (pickle, 0, NULL);
  cell = fb_pickle_alloc (pickle, sizeof (FbTupleCell) + sizeof (FbValue) * (gsize) n);
  if (!cell)
    return NULL;
  *cell = (FbTupleCell){ .n = n, .depth = 1 };
  for (guint32 i = 0; i < n; i++)
    fb_value_set_pointer (&cell->items[i], FB_VALUE_UOP, sources[i]);
  return cell;
}

FbListCell *
fb_pickle_new_list (FbPickle *pickle)
{
  FbListCell *list = fb_pickle_alloc (pickle, sizeof *list);

  if (list)
    *list = (FbListCell){ 0 };
  return list;
}

gboolean
fb_pickle_list_reserve (FbPickle *pickle, FbListCell *list, guint32 n)
{
  guint64 want = MAX ((guint64) list->n + n, (guint64) list->allocated * 2);
  FbValue *more = want <= G_MAXUINT32 ? fb_pickle_alloc (pickle, sizeof (FbValue) * want) : NULL;

  if (!more)
    return fb_pickle_fail_bytes (pickle);
  if (list->n)
    memcpy (more, list->items, sizeof (FbValue) * list->n);
  list->items = more;
  list->allocated = (guint32) want;
  return TRUE;
}

/* A huge pickle leaves huge tables: not kept for the small ones that follow. */
static void
trim (FbPickle *pickle, gsize keep)
{
  if ((gsize) (pickle->stack_end - pickle->stack) > keep)
    {
      pickle->stack = g_renew (FbValue, pickle->stack, FIRST_VALUES);
      pickle->stack_end = pickle->stack + FIRST_VALUES;
    }
  if (pickle->memo_allocated > keep)
    {
      pickle->memo = g_renew (FbValue, pickle->memo, FIRST_VALUES);
      pickle->memo_allocated = FIRST_VALUES;
    }
  if (pickle->marks_allocated > keep)
    {
      g_clear_pointer (&pickle->marks, g_free);
      pickle->marks_allocated = 0;
    }
  if (pickle->info_allocated > keep)
    {
      g_clear_pointer (&pickle->info, g_free);
      pickle->info_allocated = 0;
    }
  if (pickle->sources_allocated > keep)
    {
      g_clear_pointer (&pickle->sources, g_free);
      pickle->sources_allocated = 0;
    }
}

void
fb_pickle_drop_tables (FbPickle *pickle)
{
  trim (pickle, FIRST_VALUES);
}

gboolean
fb_pickle_load (FbPickle *pickle, const guint8 *bytes, gsize len, const FbPickleOptions *options, FbContext *context,
                FbValue *root, GError **error)
{
  const FbPickleLimits *limits = &pickle->limits;
  g_autoptr (GError) invalid = NULL;
  gsize scaled;

  fb_arena_reset (&pickle->scratch);
  trim (pickle, MAX (64 * FIRST_VALUES, len));
  pickle->empty_tuple = NULL;
  pickle->node_begin = 0;
  pickle->n_marks = pickle->memo_used = pickle->memo_unset = 0;
  pickle->context = context;
  pickle->node_arena = fb_context_arena (context);
  pickle->node_bytes = pickle->node_arena->bytes;
  pickle->text_bytes = 0;
  pickle->n_info = pickle->deepest = 0;
  pickle->stamp = 0;
  pickle->weight_left = pickle->walk_left = 1000000 + 256 * (guint64) len;
  pickle->start = pickle->at = bytes;
  pickle->options = *options;
  pickle->protocol = 0;
  pickle->ops_by_value = pickle->ops_by_name = FALSE;
  pickle->max_unique = -1;
  if (options->wrong_first)
    *options->wrong_first = FALSE;
  if (__builtin_mul_overflow (len, limits->bytes_per_byte, &scaled)
      || __builtin_add_overflow (scaled, limits->base_bytes, &scaled))
    scaled = G_MAXSIZE;
  pickle->max_bytes = MIN (limits->max_bytes, scaled);
  if (len > limits->max_size || len > G_MAXUINT32 - 16)
    fb_pickle_fail (pickle, "a pickle of %" G_GSIZE_FORMAT " bytes is refused, the most is %" G_GSIZE_FORMAT, len,
                    limits->max_size);
  else if (fb_pickle_run (pickle, bytes, len, root) && fb_context_take_error (context, &invalid))
    fb_pickle_fail (pickle, "%s", invalid->message);
  if (!pickle->error)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&pickle->error));
  return FALSE;
}
