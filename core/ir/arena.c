#include "arena.h"

#include <stdarg.h>
#include <string.h>

typedef struct _FbArenaBlock
{
  struct _FbArenaBlock *next;
  gsize size;
  char data[];
} FbArenaBlock;

#define FIRST_BLOCK (64 * 1024)
#define LARGEST_BLOCK (16 * 1024 * 1024)

void
fb_arena_init (FbArena *arena)
{
  *arena = (FbArena){ 0 };
}

static void
free_blocks (FbArenaBlock *block)
{
  while (block)
    {
      FbArenaBlock *next = block->next;
      g_free (block);
      block = next;
    }
}

void
fb_arena_clear (FbArena *arena)
{
  free_blocks (arena->blocks);
  fb_arena_init (arena);
}

void
fb_arena_reset (FbArena *arena)
{
  FbArenaBlock *keep = NULL;

  /* blocks grow, so the newest is the largest but for oversized requests */
  for (FbArenaBlock *block = arena->blocks; block; block = block->next)
    if (!keep || block->size > keep->size)
      keep = block;
  if (!keep)
    return;
  for (FbArenaBlock **link = &arena->blocks; *link; link = &(*link)->next)
    if (*link == keep)
      {
        *link = keep->next;
        break;
      }
  free_blocks (arena->blocks);
  keep->next = NULL;
  arena->blocks = keep;
  arena->next = keep->data;
  arena->end = keep->data + keep->size;
  arena->bytes = 0;
}

void *
fb_arena_alloc_slow (FbArena *arena, gsize size)
{
  gsize want = arena->blocks ? MIN (arena->blocks->size * 2, LARGEST_BLOCK) : FIRST_BLOCK;
  FbArenaBlock *block;

  want = MAX (want, size);
  block = g_malloc (sizeof *block + want);
  block->size = want;
  block->next = arena->blocks;
  arena->blocks = block;
  arena->next = block->data + size;
  arena->end = block->data + want;
  arena->bytes += size;
  return block->data;
}

void *
fb_arena_memdup (FbArena *arena, const void *data, gsize size)
{
  void *copy = fb_arena_alloc (arena, size);
  if (size)
    memcpy (copy, data, size);
  return copy;
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
