#include "graph-private.h"

static guint32
map_slot (const FbUopMap *map, const FbUop *uop)
{
  guint64 hash = (guint64) (guintptr) uop * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  guint32 i = (guint32) (hash >> 32) & map->mask;
  while (map->keys[i] && map->keys[i] != uop)
    i = (i + 1) & map->mask;
  return i;
}

void
fb_uop_map_init (FbUopMap *map, guint32 n)
{
  guint32 size = 16;
  while (size < 2 * (guint64) n)
    size *= 2;
  map->mask = size - 1;
  map->keys = g_new0 (const FbUop *, size);
  map->values = g_new (guint32, size);
}

void
fb_uop_map_clear (FbUopMap *map)
{
  g_free (map->keys);
  g_free (map->values);
}

void
fb_uop_map_put (FbUopMap *map, const FbUop *uop, guint32 value)
{
  guint32 i = map_slot (map, uop);
  map->keys[i] = uop;
  map->values[i] = value;
}

guint32
fb_uop_map_get (const FbUopMap *map, const FbUop *uop)
{
  guint32 i = map_slot (map, uop);
  return map->keys[i] ? map->values[i] : FB_GRAPH_NONE;
}
