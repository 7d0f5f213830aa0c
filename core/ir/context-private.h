/* Inside of a context. For core/ir, core/rewrite and core/symbolic only. */
#pragma once

#include <gio/gio.h>

#include "context.h"

/* Open addressing, of items that begin with their hash. A slot is an address, and above it, where addresses have no bits, the upper
 * half of the hash: a probe reads one line of memory, and mostly no item but the right one. */
typedef struct
{
  guint64 *slots; /* 0: empty; NULL when there are none yet */
  guint32 mask;   /* slots - 1 */
  guint32 n;
} FbInternTable;

#define FB_ADDRESS ((G_GUINT64_CONSTANT (1) << FB_ADDRESS_BITS) - 1)

/* The item equal to @key, or NULL. Does not write to the table, as a parent's may be read by several. With a known @equal it is all
 * in line. */
G_ALWAYS_INLINE static inline gpointer
fb_intern_table_get (const FbInternTable *table, guint32 hash,
                     gboolean (*equal) (gconstpointer item, gconstpointer key), gconstpointer key)
{
  if (G_UNLIKELY (!table->slots))
    return NULL;
  for (guint32 i = hash & table->mask; table->slots[i]; i = (i + 1) & table->mask)
    if (table->slots[i] >> FB_ADDRESS_BITS == hash >> 16)
      {
        gpointer item = (gpointer) (table->slots[i] & FB_ADDRESS);
        if (equal (item, key))
          return item;
      }
  return NULL;
}

/* Adds what is not in the table. */
void fb_intern_table_add (FbInternTable *table, gpointer item);

/* A map from nodes to words, by id. Clearing is O(1): every use has a stamp of its own. Words are addresses, or no larger than these
 * can be; the stamp is above them, so that an entry is one word of memory. */
typedef guint64 FbNodeMapEntry;

typedef struct _FbNodeMap FbNodeMap;
struct _FbNodeMap
{
  FbNodeMapEntry *entries;
  guint64 stamp; /* shifted to its place */
  guint32 size;
  gboolean any; /* FALSE: fb_node_map_set() was not called yet */
  FbNodeMap *next_free;
};

/* An empty map from the context's pool; give it back when done. Any number may be in use at once. */
FbNodeMap *fb_node_map_acquire (FbContext *context);
void fb_node_map_release (FbContext *context, FbNodeMap *map);
void fb_node_map_grow (FbNodeMap *map, guint32 id);
/* Room for every node that @context has: no look at the size afterwards. */
void fb_node_map_reserve (FbNodeMap *map, const FbContext *context);
/* For its context, at the end. */
void fb_node_map_free (FbNodeMap *map);

/* The word of an entry, 0 when it is of an earlier use. */
static inline guintptr
fb_node_map_word (FbNodeMapEntry entry, guint64 stamp)
{
  const guint64 word = entry ^ stamp;
  return word >> FB_ADDRESS_BITS ? 0 : word;
}

/* 0 when absent. */
static inline guintptr
fb_node_map_get (const FbNodeMap *map, const FbUop *uop)
{
  guint32 id = uop->id;
  return id < map->size ? fb_node_map_word (map->entries[id], map->stamp) : 0;
}

static inline void
fb_node_map_set (FbNodeMap *map, const FbUop *uop, guintptr value)
{
  guint32 id = uop->id;
  if (G_UNLIKELY (id >= map->size))
    fb_node_map_grow (map, id);
  map->any = TRUE;
  map->entries[id] = value | map->stamp;
}

/* What is remembered of some nodes. */
typedef enum
{
  FB_NOTE_BOUNDS, /* FbBounds */
  FB_NOTE_KEY,    /* bytes */
  FB_N_NOTES,
} FbNote;

/* Slots that a row's table of nodes begins with. */
#define FB_FIRST_SLOTS 256

typedef struct
{
  guint32 hash;
  guint32 id_plus_1; /* 0: empty */
} FbUopSlot;

typedef struct
{
  guint64 a; /* and above the address the kind; 0: empty */
  const void *b, *value;
} FbMemoSlot;

typedef struct
{
  FbMemoSlot *slots;
  guint32 mask, n;
} FbMemoTable;

/* What holds no node means the same in every row, and rows are alike: derived dtypes, texts, tuples, shapes, views and trackers
 * of plain values are kept over resets, with what is remembered about them. */
typedef struct
{
  FbArena arena;
  FbInternTable dims_table, view_table, st_table, dtype_table, text_table, tuple_table, tuple_canon_table;
  FbMemoTable memo;
  const FbDType *pointers[128]; /* some of dtype_table, by a hash of their own (core/ir/dtype.c) */
  struct
  {
    gint64 size;
    const FbShapeTracker *st; /* NULL: nothing is remembered */
  } buffers[64];              /* trackers of buffers of these sizes, by their last bits */
} FbKept;

/* A list of nodes. Its memory goes back to the context's pool, so that lists cost nothing once a few were used. */
typedef struct _FbNodeList FbNodeList;
struct _FbNodeList
{
  FbUop **at;
  guint32 n, allocated;
  guint32 refs;
  FbNodeList *next_free;
};

/* An empty list; give it back when done. Any number may be in use at once. */
FbNodeList *fb_node_list_acquire (FbContext *context);
void fb_node_list_release (FbContext *context, FbNodeList *list);
void fb_node_list_grow (FbNodeList *list);
/* Room for @n nodes. */
void fb_node_list_reserve (FbNodeList *list, guint32 n);

static inline void
fb_node_list_add (FbNodeList *list, FbUop *uop)
{
  if (G_UNLIKELY (list->n == list->allocated))
    fb_node_list_grow (list);
  list->at[list->n++] = uop;
}

/* As fb_uop_toposort(), in a list: only to be read, and given back when done. */
FbNodeList *fb_uop_order (FbContext *context, FbUop *root);
/* The same where nobody will ask for this order again: it is not remembered. */
FbNodeList *fb_uop_order_once (FbContext *context, FbUop *root);

/* A toposort that may be asked for again. */
typedef struct
{
  const FbUop *root;
  FbNodeList *order;
} FbKnownOrder;

/* A frame of a walk over sources. */
typedef struct
{
  FbUop *uop;
  guint32 next; /* source to look at next */
} FbWalkFrame;

/* Of an overlay: trackers, which may be the parent's, remember none of its nodes. */
#define FB_NO_ROW G_MAXUINT64

struct _FbContext
{
  FbKept kept;
  FbArena arena;
  FbContext *parent; /* of an overlay */
  FbOptions options;

  guint64 row;      /* how often it began anew, + 1, or FB_NO_ROW: trackers remember a node with it */
  guint32 first_id; /* ids below belong to the parent */
  guint32 n_uops;   /* the parent's included */
  guint32 uops_allocated;
  FbUop **uops;         /* by id - first_id */
  FbUopSlot *uop_slots; /* of nodes that do not hang from another (intern.c) */
  guint32 uop_mask, n_in_table;
  gsize uop_slots_allocated;

  FbInternTable tuple_table, tuple_canon_table, dims_table, view_table, st_table, big_table, kernel_table, opaque_table;
  guint64 n_nans;
  gint64 next_unique;

  FbMemoTable memo;
  FbNodeMap *notes[FB_N_NOTES]; /* NULL: there are none */

  FbNodeMap *free_maps;
  FbNodeList *free_lists;
  FbKnownOrder orders[4]; /* the latest */
  FbWalkFrame *walk;      /* the stack of the walk under way */
  guint32 walk_allocated;
  guint32 *seen; /* by id, in which toposort a node was seen last */
  guint32 seen_allocated, seen_now;
  struct _FbRewriteFrame *frames; /* the rewrite engine's stack (core/rewrite/engine-frames.c) */
  guint32 n_frames, frames_allocated;
  GPtrArray *dispatches;     /* which rules fit which ops (core/rewrite/dispatch.c), by rule set; kept over resets */
  GCancellable *cancellable; /* of the schedule being made, NULL otherwise */
  GError *error;
  const FbUop *error_uop;
};

/* The context that owns @uop, where its memos may be filled. */
static inline FbContext *
fb_context_owner (FbContext *context, const FbUop *uop)
{
  while (uop->id < context->first_id)
    context = context->parent;
  return context;
}

/* NULL when nothing is noted. */
static inline const void *
fb_note_get (FbContext *context, FbNote kind, const FbUop *uop)
{
  const FbNodeMap *notes = fb_context_owner (context, uop)->notes[kind];

  return notes ? (const void *) fb_node_map_get (notes, uop) : NULL;
}

/* @what: as long-lived as @uop, which is @owner's own. */
static inline void
fb_note_put (FbContext *owner, FbNote kind, const FbUop *uop, const void *what)
{
  if (!owner->notes[kind])
    owner->notes[kind] = fb_node_map_acquire (owner);
  fb_node_map_set (owner->notes[kind], uop, (guintptr) what);
}

/* Puts @frame on the stack of the walk, which has @depth frames. */
static inline void
fb_walk_push (FbContext *context, guint32 depth, FbWalkFrame frame)
{
  if (G_UNLIKELY (depth == context->walk_allocated))
    {
      context->walk_allocated = MAX (256, depth * 2);
      context->walk = g_renew (FbWalkFrame, context->walk, context->walk_allocated);
    }
  context->walk[depth] = frame;
}

/* A node that is known not to exist yet, with @newest, of @context's own, as the newest of its sources: nothing is looked for. */
FbUop *fb_uop_new_over (FbContext *context, FbUop *newest, FbOp op, const FbDType *dtype, guint n_src,
                        FbUop *const *src, FbArg arg);

/* The memo of @kind that results of keys with or without nodes go to. Reshapes follow an option, so they are kept only
 * while it has its default. */
static inline FbMemo
fb_memo_kind (const FbContext *context, FbMemo kind, gboolean all_int)
{
  return all_int && context->options.merge_view == 1 ? kind | FB_MEMO_KEPT : kind;
}

static inline guint32
fb_hash_mix (guint32 hash, guint32 value)
{
  hash = (hash ^ value) * 0x9E3779B1u;
  return hash ^ (hash >> 15);
}

static inline guint32
fb_hash_word (guint64 word)
{
  word *= G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  return (guint32) (word >> 32);
}

static inline guint32
fb_hash_pointer (const void *pointer)
{
  return fb_hash_word ((guintptr) pointer >> 3);
}
