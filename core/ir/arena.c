#include "arena.h"

#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>

typedef struct _FbArenaBlock
{
  struct _FbArenaBlock *next;
  gsize size;
  char data[];
} FbArenaBlock;

#define FIRST_BLOCK (64 * 1024)
#define LARGEST_BLOCK (16 * 1024 * 1024)
/* Blocks but the first are of large pages where the system has them: to be given small ones, one by one, can cost more than what
 * is written to them. */
#define LARGE_PAGE (2 * 1024 * 1024)
/* Bytes kept over a reset: memory that the system has to clear again costs more than the nodes in it. */
#define MOST_SPARE (64 * 1024 * 1024)

void
fb_arena_init (FbArena *arena)
{
  *arena = (FbArena){ 0 };
}

static gboolean
is_large (gsize size)
{
  return size >= LARGE_PAGE - sizeof (FbArenaBlock);
}

static FbArenaBlock *
new_block (gsize size)
{
  const gboolean large = is_large (size);
  const gsize bytes = large ? (sizeof (FbArenaBlock) + size + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE
                            : sizeof (FbArenaBlock) + size;
  FbArenaBlock *block = large ? g_aligned_alloc (1, bytes, LARGE_PAGE) : g_malloc (bytes);

  if (large)
    madvise (block, bytes, MADV_HUGEPAGE); /* only advice */
  block->size = bytes - sizeof *block;
  return block;
}

static void
free_block (FbArenaBlock *block)
{
  if (is_large (block->size))
    g_aligned_free (block);
  else
    g_free (block);
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
  gsize want = arena->blocks ? CLAMP (arena->blocks->size * 2, LARGE_PAGE - sizeof *arena->blocks, LARGEST_BLOCK)
                             : FIRST_BLOCK;
  FbArenaBlock *block = arena->spare;

  want = MAX (want, size);
  if (block && block->size >= size)
    arena->spare = block->next;
  else
    block = new_block (want);
  block->next = arena->blocks;
  arena->blocks = block;
  arena->next = block->data + size;
  arena->end = block->data + block->size;
  arena->bytes += size;
  return block->data;
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
