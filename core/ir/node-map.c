/* Maps from nodes and lists of nodes, from the pools of a context. */
#include "context-private.h"

#include <string.h>
#include <sys/mman.h>

#define FIRST_STAMP (G_GUINT64_CONSTANT (1) << FB_ADDRESS_BITS)

FbNodeMap *
fb_node_map_acquire (FbContext *context)
{
  FbNodeMap *map = context->free_maps;

  if (map)
    context->free_maps = map->next_free;
  else
    map = g_new0 (FbNodeMap, 1);
  map->any = FALSE;
  map->stamp += FIRST_STAMP;
  if (G_UNLIKELY (map->stamp == 0))
    {
      if (map->size)
        memset (map->entries, 0, sizeof (FbNodeMapEntry) * map->size);
      map->stamp = FIRST_STAMP;
    }
  return map;
}

void
fb_node_map_release (FbContext *context, FbNodeMap *map)
{
  map->next_free = context->free_maps;
  context->free_maps = map;
}

/* Bytes from which a map has pages of its own: those that nobody writes to cost nothing then, and growing copies none. */
#define MAP_PAGES (64 * 1024)

void
fb_node_map_free (FbNodeMap *map)
{
  const gsize bytes = sizeof (FbNodeMapEntry) * map->size;

  if (bytes < MAP_PAGES)
    g_free (map->entries);
  else
    munmap (map->entries, bytes);
  g_free (map);
}

void
fb_node_map_grow (FbNodeMap *map, guint32 id)
{
  const guint32 size = MAX (256, MAX (id + 1, map->size * 2));
  const gsize old = sizeof (FbNodeMapEntry) * map->size, bytes = sizeof (FbNodeMapEntry) * size;
  FbNodeMapEntry *entries;

  if (bytes < MAP_PAGES)
    {
      entries = g_renew (FbNodeMapEntry, map->entries, size);
      memset (entries + map->size, 0, bytes - old);
    }
  else if (old < MAP_PAGES)
    {
      entries = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      if (entries != MAP_FAILED && old)
        memcpy (entries, map->entries, old);
      g_free (map->entries);
    }
  else
    entries = mremap (map->entries, old, bytes, MREMAP_MAYMOVE);
  if (entries == MAP_FAILED)
    g_error ("out of memory: %" G_GSIZE_FORMAT " bytes for a map of nodes", bytes);
  map->entries = entries;
  map->size = size;
}

void
fb_node_map_reserve (FbNodeMap *map, const FbContext *context)
{
  if (context->n_uops > map->size)
    fb_node_map_grow (map, context->n_uops - 1);
}

FbNodeList *
fb_node_list_acquire (FbContext *context)
{
  FbNodeList *list = context->free_lists;

  if (list)
    context->free_lists = list->next_free;
  else
    list = g_new0 (FbNodeList, 1);
  list->n = 0;
  list->refs = 1;
  return list;
}

void
fb_node_list_release (FbContext *context, FbNodeList *list)
{
  if (--list->refs)
    return;
  list->next_free = context->free_lists;
  context->free_lists = list;
}

void
fb_node_list_grow (FbNodeList *list)
{
  fb_node_list_reserve (list, list->allocated + 1);
}

void
fb_node_list_reserve (FbNodeList *list, guint32 n)
{
  if (list->allocated >= n)
    return;
  list->allocated = MAX (64, MAX (n, list->allocated * 2));
  list->at = g_renew (FbUop *, list->at, list->allocated);
}
