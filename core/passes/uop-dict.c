#include "uop-dict.h"

#include "core/ir/context-private.h"

typedef struct
{
  FbUop *key; /* NULL: removed */
  gpointer value;
} Entry;

struct _FbUopDict
{
  FbContext *context;
  FbNodeMap *at; /* position + 1 */
  GArray *entries;
  guint n;
};

FbUopDict *
fb_uop_dict_new (FbContext *context)
{
  FbUopDict *dict = g_new (FbUopDict, 1);

  dict->context = context;
  dict->at = fb_node_map_acquire (context);
  dict->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  dict->n = 0;
  return dict;
}

void
fb_uop_dict_free (FbUopDict *dict)
{
  if (!dict)
    return;
  fb_node_map_release (dict->context, dict->at);
  g_array_free (dict->entries, TRUE);
  g_free (dict);
}

void
fb_uop_dict_set (FbUopDict *dict, FbUop *key, gpointer value)
{
  guintptr at = fb_node_map_get (dict->at, key);
  Entry entry = { key, value };

  if (at)
    {
      g_array_index (dict->entries, Entry, at - 1).value = value;
      return;
    }
  g_array_append_val (dict->entries, entry);
  fb_node_map_set (dict->at, key, dict->entries->len);
  dict->n++;
}

gpointer
fb_uop_dict_get (const FbUopDict *dict, const FbUop *key)
{
  guintptr at = fb_node_map_get (dict->at, key);
  return at ? g_array_index (dict->entries, Entry, at - 1).value : NULL;
}

gboolean
fb_uop_dict_has (const FbUopDict *dict, const FbUop *key)
{
  return fb_node_map_get (dict->at, key) != 0;
}

const FbNodeMap *
fb_uop_dict_marks (const FbUopDict *dict)
{
  return dict->at;
}

gboolean
fb_uop_dict_remove (FbUopDict *dict, FbUop *key)
{
  guintptr at = fb_node_map_get (dict->at, key);

  if (!at)
    return FALSE;
  g_array_index (dict->entries, Entry, at - 1).key = NULL;
  fb_node_map_set (dict->at, key, 0);
  dict->n--;
  return TRUE;
}

guint
fb_uop_dict_size (const FbUopDict *dict)
{
  return dict->n;
}

FbUop *
fb_uop_dict_next (const FbUopDict *dict, guint *at)
{
  while (*at < dict->entries->len)
    {
      FbUop *key = g_array_index (dict->entries, Entry, (*at)++).key;
      if (key)
        return key;
    }
  return NULL;
}
