/* Texts and shapes of all nodes of a history, made once. */
#include "core/ir/text.h"
#include "query-private.h"

#include <string.h>

typedef struct
{
  const char *arg;
  const FbDims *dims;
  const char *shape;
} Facts;

struct _FbQueryIndex
{
  const FbHistory *history;
  guint32 n_ids;
  Facts *facts; /* by id of a node */
  GStringChunk *texts;
  GHashTable *shapes; /* FbDims: text in @texts */
};

static const char *
arg_text (FbQueryIndex *index, FbContext *context, const FbUop *uop, GString *scratch)
{
  /* the text of a KERNEL is that of all that is in it */
  if (uop->arg.kind == FB_ARG_NONE || uop->arg.kind == FB_ARG_KERNEL)
    return "";
  if (uop->arg.kind == FB_ARG_ST)
    return fb_st_repr (context, uop->arg.st);
  g_string_truncate (scratch, 0);
  fb_uop_append_argstr (context, uop, scratch);
  return g_string_chunk_insert_const (index->texts, scratch->str);
}

static const char *
shape_text (FbQueryIndex *index, FbContext *context, const FbDims *dims)
{
  const char *text = g_hash_table_lookup (index->shapes, dims);
  if (!text)
    {
      g_autofree char *made = fb_dims_to_display (context, dims, "×");
      text = g_string_chunk_insert_const (index->texts, made);
      g_hash_table_insert (index->shapes, (gpointer) dims, (gpointer) text);
    }
  return text;
}

const FbDims *
fb_query_dims (FbContext *context, FbUop *uop)
{
  /* what a SINK is said to have is of its sources, and changes with them */
  const FbShapeTracker *st = uop->op == FB_OP_SINK ? NULL : fb_uop_st (context, uop);
  if (!st)
    fb_context_take_error (context, NULL); /* sources of different shapes: it has none */
  return st ? st->shape : NULL;
}

FbQueryIndex *
fb_query_index_new (const FbHistory *history)
{
  FbQueryIndex *index = g_new0 (FbQueryIndex, 1);
  FbContext *context = history->schedule->context;
  g_autoptr (GString) scratch = g_string_new (NULL);
  index->history = history;
  index->n_ids = fb_context_n_uops (context);
  index->facts = g_new0 (Facts, index->n_ids + 1);
  index->texts = g_string_chunk_new (1 << 16);
  index->shapes = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < history->lives->len; i++)
    {
      FbUop *uop = fb_history_life (history, i)->uop;
      Facts *facts = &index->facts[uop->id];
      if (facts->arg)
        continue;
      facts->arg = arg_text (index, context, uop, scratch);
      facts->dims = fb_query_dims (context, uop);
      facts->shape = facts->dims ? shape_text (index, context, facts->dims) : NULL;
    }
  return index;
}

void
fb_query_index_free (FbQueryIndex *index)
{
  if (!index)
    return;
  g_free (index->facts);
  g_string_chunk_free (index->texts);
  g_hash_table_unref (index->shapes);
  g_free (index);
}

const FbHistory *
fb_query_index_history (const FbQueryIndex *index)
{
  return index->history;
}

static const Facts *
facts_of (const FbQueryIndex *index, const FbUop *uop)
{
  static const Facts none = { "" };
  return uop->id < index->n_ids && index->facts[uop->id].arg ? &index->facts[uop->id] : &none;
}

const char *
fb_query_index_arg (const FbQueryIndex *index, const FbUop *uop)
{
  return facts_of (index, uop)->arg;
}

const char *
fb_query_index_shape (const FbQueryIndex *index, const FbUop *uop)
{
  return facts_of (index, uop)->shape;
}

const FbDims *
fb_query_index_dims (const FbQueryIndex *index, const FbUop *uop)
{
  return facts_of (index, uop)->dims;
}
