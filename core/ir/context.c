#include "context-private.h"

#include <stdarg.h>
#include <string.h>

G_DEFINE_QUARK (fb - error - quark, fb_error)

void
fb_options_init (FbOptions *options)
{
  *options = (FbOptions){
    .split_reduceop = 1,
    .reduceop_split_threshold = 32768,
    .reduceop_split_size = 22,
    .merge_view = 1,
  };
}

static void
intern_table_clear (FbInternTable *table)
{
  g_free (table->slots);
  *table = (FbInternTable){ NULL };
}

static void
intern_table_put (FbInternTable *table, guint64 slot)
{
  guint32 i = *(const guint32 *) (slot & FB_ADDRESS) & table->mask;

  while (table->slots[i])
    i = (i + 1) & table->mask;
  table->slots[i] = slot;
}

static void
intern_table_grow (FbInternTable *table)
{
  const FbInternTable old = *table;

  table->mask = old.slots ? old.mask * 2 + 1 : 63;
  table->slots = g_new0 (guint64, (gsize) table->mask + 1);
  for (guint32 i = 0; old.slots && i <= old.mask; i++)
    if (old.slots[i])
      intern_table_put (table, old.slots[i]);
  g_free (old.slots);
}

void
fb_intern_table_add (FbInternTable *table, gpointer item)
{
  if (table->n >= table->mask / 2)
    intern_table_grow (table);
  table->n++;
  intern_table_put (table, (guintptr) item | (guint64) (*(const guint32 *) item >> 16) << FB_ADDRESS_BITS);
}

/* A table of more than @most slots starts small again. */
static void
intern_table_reset (FbInternTable *table, guint32 most)
{
  if (table->mask >= most)
    intern_table_clear (table);
  else if (table->n)
    memset (table->slots, 0, sizeof (guint64) * ((gsize) table->mask + 1));
  table->n = 0;
}

#define FOR_EACH_TABLE(context, table) \
  for (FbInternTable *table = &(context)->tuple_table; table <= &(context)->opaque_table; table++)

FbContext *
fb_context_new (void)
{
  FbContext *context = g_new0 (FbContext, 1);

  fb_arena_init (&context->arena);
  fb_options_init (&context->options);
  context->row = 1;
  return context;
}

FbContext *
fb_context_new_overlay (FbContext *parent)
{
  FbContext *context = fb_context_new ();

  context->parent = parent;
  context->row = FB_NO_ROW;
  context->options = parent->options;
  context->first_id = context->n_uops = parent->n_uops;
  context->n_nans = parent->n_nans;
  context->next_unique = parent->next_unique;
  return context;
}

/* Bytes of shapes and views that are worth keeping: what stays in a processor's cache. */
#define MAX_KEPT (1024 * 1024)

/* Slots of nodes that are kept over a reset. */
#define MOST_SLOTS (1024 * 1024)

/* Slots of other tables that are kept. A row is mostly small: clearing a large table would cost more than the row. What is kept
 * over rows fills its tables again as far as it did. */
#define MOST_ROW_SLOTS 256
#define MOST_ROW_MEMOS 512
#define MOST_KEPT_SLOTS (16 * 1024)

static void memo_table_reset (FbMemoTable *memo, guint32 most);
static void memo_table_clear (FbMemoTable *memo);

static void
kept_reset (FbKept *kept)
{
  for (FbInternTable *table = &kept->dims_table; table <= &kept->tuple_canon_table; table++)
    intern_table_reset (table, MOST_KEPT_SLOTS);
  memo_table_reset (&kept->memo, MOST_KEPT_SLOTS);
  memset (kept->pointers, 0, sizeof kept->pointers);
  memset (kept->buffers, 0, sizeof kept->buffers);
  fb_arena_reset (&kept->arena);
}

static void
kept_clear (FbKept *kept)
{
  for (FbInternTable *table = &kept->dims_table; table <= &kept->tuple_canon_table; table++)
    intern_table_clear (table);
  memo_table_clear (&kept->memo);
  fb_arena_clear (&kept->arena);
  *kept = (FbKept){ 0 };
}

static void
forget_orders (FbContext *context)
{
  for (guint i = 0; i < G_N_ELEMENTS (context->orders); i++)
    {
      if (context->orders[i].order)
        fb_node_list_release (context, context->orders[i].order);
      context->orders[i] = (FbKnownOrder){ NULL };
    }
}

static void
forget_notes (FbContext *context)
{
  for (guint i = 0; i < FB_N_NOTES; i++)
    if (context->notes[i])
      fb_node_map_release (context, g_steal_pointer (&context->notes[i]));
}

void
fb_context_free (FbContext *context)
{
  if (!context)
    return;
  forget_orders (context);
  forget_notes (context);
  FOR_EACH_TABLE (context, table)
  intern_table_clear (table);
  for (FbNodeMap *map = context->free_maps, *next; map; map = next)
    {
      next = map->next_free;
      fb_node_map_free (map);
    }
  for (FbNodeList *list = context->free_lists, *next; list; list = next)
    {
      next = list->next_free;
      g_free (list->at);
      g_free (list);
    }
  g_free (context->walk);
  g_free (context->seen);
  g_free (context->uops);
  g_aligned_free (context->uop_slots);
  memo_table_clear (&context->memo);
  g_free (context->frames);
  g_clear_pointer (&context->dispatches, g_ptr_array_unref);
  g_clear_error (&context->error);
  fb_arena_clear (&context->arena);
  kept_clear (&context->kept);
  g_free (context);
}

void
fb_context_reset (FbContext *context)
{
  forget_orders (context);
  forget_notes (context);
  context->row += context->row != FB_NO_ROW;
  if (context->kept.arena.bytes > MAX_KEPT)
    kept_reset (&context->kept);
  FOR_EACH_TABLE (context, table)
  intern_table_reset (table, MOST_ROW_SLOTS);
  if (context->uop_slots_allocated > MOST_SLOTS)
    {
      g_clear_pointer (&context->uop_slots, g_aligned_free);
      context->uop_mask = 0;
      context->uop_slots_allocated = 0;
    }
  else if (context->uop_slots)
    {
      /* most rows are small, and begin with a small part of the table */
      context->uop_mask = MIN (context->uop_mask, FB_FIRST_SLOTS - 1);
      memset (context->uop_slots, 0, sizeof (FbUopSlot) * ((gsize) context->uop_mask + 1));
    }
  context->n_in_table = 0;
  memo_table_reset (&context->memo, MOST_ROW_MEMOS);
  context->n_uops = context->first_id;
  context->n_nans = 0;
  context->next_unique = 0;
  fb_options_init (&context->options);
  g_clear_error (&context->error);
  context->error_uop = NULL;
  fb_arena_reset (&context->arena);
}

FbArena *
fb_context_arena (FbContext *context)
{
  return &context->arena;
}

FbOptions *
fb_context_options (FbContext *context)
{
  return &context->options;
}

guint32
fb_context_n_uops (FbContext *context)
{
  return context->n_uops;
}

FbUop *
fb_context_uop (FbContext *context, guint32 id)
{
  while (id < context->first_id)
    context = context->parent;
  return context->uops[id - context->first_id];
}

gsize
fb_context_memory (FbContext *context)
{
  gsize bytes = context->arena.bytes + context->kept.arena.bytes + sizeof (gpointer) * context->uops_allocated;

  if (context->uop_slots)
    bytes += sizeof (FbUopSlot) * context->uop_slots_allocated;
  if (context->memo.slots)
    bytes += sizeof (FbMemoSlot) * ((gsize) context->memo.mask + 1);
  FOR_EACH_TABLE (context, table)
  if (table->slots)
    bytes += sizeof (gpointer) * ((gsize) table->mask + 1);
  return bytes;
}

gint64
fb_context_next_unique (FbContext *context)
{
  return context->next_unique++;
}

void
fb_context_fail (FbContext *context, FbError code, const FbUop *uop, const char *format, ...)
{
  va_list args;
  g_autofree char *message = NULL;

  if (context->error)
    return;
  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  context->error = g_error_new_literal (FB_ERROR, (int) code, message);
  context->error_uop = uop;
}

gboolean
fb_context_failed (FbContext *context)
{
  return context->error != NULL;
}

gboolean
fb_context_take_error (FbContext *context, GError **error)
{
  if (!context->error)
    return FALSE;
  g_propagate_error (error, g_steal_pointer (&context->error));
  return TRUE;
}

const FbUop *
fb_context_error_uop (FbContext *context)
{
  return context->error_uop;
}

static guint64
memo_key (guint32 kind, const void *a)
{
  return (guintptr) a | (guint64) (kind & ~(guint32) FB_MEMO_KEPT) << FB_ADDRESS_BITS;
}

static guint32
memo_place (guint64 key, const void *b)
{
  return fb_hash_mix (fb_hash_word (key), fb_hash_pointer (b));
}

static FbMemoTable *
memo_table (FbContext *context, guint32 kind)
{
  return kind & FB_MEMO_KEPT ? &context->kept.memo : &context->memo;
}

gboolean
fb_memo_get (FbContext *context, FbMemo kind, const void *a, const void *b, const void **value)
{
  const FbMemoTable *memo = memo_table (context, kind);
  const guint64 key = memo_key (kind, a);

  if (!memo->slots)
    return FALSE;
  for (guint32 i = memo_place (key, b) & memo->mask; memo->slots[i].a; i = (i + 1) & memo->mask)
    if (memo->slots[i].a == key && memo->slots[i].b == b)
      {
        *value = memo->slots[i].value;
        return TRUE;
      }
  return FALSE;
}

static void
memo_insert (FbMemoTable *memo, FbMemoSlot slot)
{
  guint32 i = memo_place (slot.a, slot.b) & memo->mask;

  while (memo->slots[i].a)
    i = (i + 1) & memo->mask;
  memo->slots[i] = slot;
}

static void
memo_table_clear (FbMemoTable *memo)
{
  g_free (memo->slots);
  *memo = (FbMemoTable){ NULL };
}

static void
memo_table_grow (FbMemoTable *memo)
{
  FbMemoTable old = *memo;

  memo->mask = old.slots ? old.mask * 2 + 1 : 255;
  memo->slots = g_new0 (FbMemoSlot, (gsize) memo->mask + 1);
  for (guint32 i = 0; old.slots && i <= old.mask; i++)
    if (old.slots[i].a)
      memo_insert (memo, old.slots[i]);
  memo_table_clear (&old);
}

void
fb_memo_put (FbContext *context, FbMemo kind, const void *a, const void *b, const void *value)
{
  FbMemoTable *memo = memo_table (context, kind);

  if (memo->n * 2 >= memo->mask)
    memo_table_grow (memo);
  memo->n++;
  memo_insert (memo, (FbMemoSlot){ memo_key (kind, a), b, value });
}

static void
memo_table_reset (FbMemoTable *memo, guint32 most)
{
  if (memo->mask >= most)
    memo_table_clear (memo);
  else if (memo->n)
    memset (memo->slots, 0, sizeof *memo->slots * ((gsize) memo->mask + 1));
  memo->n = 0;
}
