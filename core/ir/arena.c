#include "arena.h"

#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

typedef struct _FbArenaBlock
{
  struct _FbArenaBlock *next;
  gsize size;
  gsize ready; /* bytes at the front that the system gave memory for */
  char data[];
} FbArenaBlock;

#define FIRST_BLOCK (64 * 1024)
#define LARGEST_BLOCK (16 * 1024 * 1024)
/* From this size on blocks are of whole pages, which the system gives memory for when they are first written to. It is asked for
 * a few at once, ahead of that: each given by itself takes half as long again. Pages of 2 MB are not asked for: a virtual machine
 * often has none at hand, and takes milliseconds over one. */
#define LARGE_BLOCK (1024 * 1024)
#define PAGE 4096
#define STEP (128 * 1024)
/* Bytes kept over a reset: memory that the system has to clear again costs more than the nodes in it. */
#define MOST_SPARE (64 * 1024 * 1024)
/* Bytes of large blocks that no arena has: the next arena, of the next schedule, begins with them, for the same reason. */
#define MOST_POOLED (8 * 1024 * 1024)

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

static struct
{
  GMutex lock;
  FbArenaBlock *blocks;
  gsize bytes;
} pool;

void
fb_arena_init (FbArena *arena)
{
  *arena = (FbArena){ 0 };
}

static gboolean
is_large (gsize size)
{
  return size >= LARGE_BLOCK - sizeof (FbArenaBlock);
}

/* A block of at least @size bytes, not much larger, that another arena gave back; NULL when there is none. */
static FbArenaBlock *
take_pooled (gsize size)
{
  FbArenaBlock *found = NULL;

  g_mutex_lock (&pool.lock);
  for (FbArenaBlock **at = &pool.blocks; *at && !found; at = found ? at : &(*at)->next)
    if ((*at)->size >= size && (*at)->size / 2 <= size)
      {
        found = *at;
        *at = found->next;
        pool.bytes -= found->size;
      }
  g_mutex_unlock (&pool.lock);
  return found;
}

/* FALSE when the pool is full. */
static gboolean
give_to_pool (FbArenaBlock *block)
{
  gboolean taken;

  g_mutex_lock (&pool.lock);
  taken = pool.bytes + block->size <= MOST_POOLED;
  if (taken)
    {
      block->next = pool.blocks;
      pool.blocks = block;
      pool.bytes += block->size;
    }
  g_mutex_unlock (&pool.lock);
  return taken;
}

static FbArenaBlock *
new_block (gsize size)
{
  const gboolean large = is_large (size);
  const gsize bytes = large ? (sizeof (FbArenaBlock) + size + PAGE - 1) / PAGE * PAGE : sizeof (FbArenaBlock) + size;
  FbArenaBlock *block = large ? take_pooled (size) : NULL;

  if (block)
    return block;
  block = large ? g_aligned_alloc (1, bytes, PAGE) : g_malloc (bytes);
  if ((guint64) (guintptr) block >> FB_ADDRESS_BITS)
    g_error ("memory at %p: addresses of more than %d bits are not supported", (void *) block, FB_ADDRESS_BITS);
  block->size = bytes - sizeof *block;
  block->ready = large ? 0 : block->size;
  return block;
}

/* Has the first @size bytes of a block ready. */
static void
make_ready (FbArenaBlock *block, gsize size)
{
  const gsize before = block->ready ? sizeof *block + block->ready : 0;
  const gsize bytes
      = MIN (MAX (sizeof *block + size, before + STEP) + PAGE - 1, sizeof *block + block->size) / PAGE * PAGE;

  if (size <= block->ready)
    return;
  madvise ((char *) block + before, bytes - before, MADV_POPULATE_WRITE); /* only ahead of time */
  block->ready = bytes - sizeof *block;
}

static void
free_block (FbArenaBlock *block)
{
  if (!is_large (block->size))
    g_free (block);
  else if (!give_to_pool (block))
    g_aligned_free (block);
}

static void
free_blocks (FbArenaBlock *block)
{
  while (block)
    {
      FbArenaBlock *next = block->next;
      free_block (block);
      block = next;
    }
}

void
fb_arena_clear (FbArena *arena)
{
  free_blocks (arena->blocks);
  free_blocks (arena->spare);
  fb_arena_init (arena);
}

void
fb_arena_reset (FbArena *arena)
{
  FbArenaBlock *block = arena->blocks, *next;
  gsize kept = 0;

  for (FbArenaBlock *spare = arena->spare; spare; spare = spare->next)
    kept += spare->size;
  /* newest and largest first, so the spare ones end up smallest first, as they will be asked for */
  for (; block; block = next)
    {
      next = block->next;
      if (kept + block->size > MOST_SPARE)
        {
          free_block (block);
          continue;
        }
      kept += block->size;
      block->next = arena->spare;
      arena->spare = block;
    }
  arena->blocks = NULL;
  arena->next = arena->end = NULL;
  arena->bytes = 0;
}

void *
fb_arena_alloc_slow (FbArena *arena, gsize size)
{
  FbArenaBlock *block = arena->blocks;
  gsize used = block ? (gsize) (arena->next - block->data) : 0, want;

  if (!block || block->size - used < size)
    {
      want = block ? CLAMP (block->size * 2, LARGE_BLOCK - sizeof *block, LARGEST_BLOCK) : FIRST_BLOCK;
      block = arena->spare;
      if (block && block->size >= size)
        arena->spare = block->next;
      else
        block = new_block (MAX (want, size));
      block->next = arena->blocks;
      arena->blocks = block;
      used = 0;
    }
  make_ready (block, used + size);
  arena->next = block->data + used + size;
  arena->end = block->data + block->ready;
  arena->bytes += size;
  return block->data + used;
}

void *
fb_arena_grow (FbArena *arena, const void *old, gsize used, gsize size)
{
  void *larger = fb_arena_alloc (arena, size);
  if (used)
    memcpy (larger, old, used);
  return larger;
}

void *
fb_arena_memdup (FbArena *arena, const void *data, gsize size)
{
  return fb_arena_grow (arena, data, size, size);
}

char *
fb_arena_strndup (FbArena *arena, const char *text, gsize len)
{
  char *copy = fb_arena_alloc (arena, len + 1);
  memcpy (copy, text, len);
  copy[len] = 0;
  return copy;
}

char *
fb_arena_printf (FbArena *arena, const char *format, ...)
{
  va_list args;
  g_autofree char *text = NULL;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  return fb_arena_strndup (arena, text, strlen (text));
}
