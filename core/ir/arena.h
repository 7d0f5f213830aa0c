/* Bump allocation: everything a context makes lives until the context is cleared. */
#pragma once

#include <glib.h>

/* Of an address in an arena: there is room for something else above. It is what processors give programs, unless asked for more. */
#define FB_ADDRESS_BITS 48

typedef struct
{
  char *next, *end;
  struct _FbArenaBlock *blocks;
  struct _FbArenaBlock *spare; /* of before the reset, smallest first */
  gsize bytes;                 /* handed out so far */
} FbArena;

void fb_arena_init (FbArena *arena);
void fb_arena_clear (FbArena *arena);
/* Forgets everything, keeps the memory for reuse. */
void fb_arena_reset (FbArena *arena);
void *fb_arena_alloc_slow (FbArena *arena, gsize size);

/* 8-byte aligned, not zeroed; never NULL (aborts when memory is out, as GLib does). */
static inline void *
fb_arena_alloc (FbArena *arena, gsize size)
{
  size = (size + 7) & ~(gsize) 7;
  if (G_UNLIKELY ((gsize) (arena->end - arena->next) < size))
    return fb_arena_alloc_slow (arena, size);
  void *p = arena->next;
  arena->next += size;
  arena->bytes += size;
  return p;
}

/* Memory for @size bytes that begins with a copy of the @used ones of @old, which may be NULL when there are none. */
void *fb_arena_grow (FbArena *arena, const void *old, gsize used, gsize size);
/* The same for an array that is full, of *@n items of @size bytes: *@n becomes twice as many, at least @least. */
static inline void *
fb_arena_grow_array (FbArena *arena, const void *items, gsize size, guint *n, guint least)
{
  const gsize used = size * *n;

  *n = MAX (least, 2 * *n);
  return fb_arena_grow (arena, items, used, size * *n);
}
void *fb_arena_memdup (FbArena *arena, const void *data, gsize size);
/* NUL-terminated copy of @len bytes. */
char *fb_arena_strndup (FbArena *arena, const char *text, gsize len);
char *fb_arena_printf (FbArena *arena, const char *format, ...) G_GNUC_PRINTF (2, 3);
