#include "uop-dict.h"

#include "core/ir/context-private.h"

struct _FbUopDict
{
  FbContext *context;
  FbNodeMap *at;             /* position + 1 */
  FbNodeList *keys, *values; /* of a removed one NULL */
  guint n;
};

FbUopDict *
fb_uop_dict_new (FbContext *context)
{
  FbUopDict *dict = fb_arena_alloc (&context->arena, sizeof *dict);

  dict->context = context;
  dict->at = fb_node_map_acquire (context);
  dict->keys = fb_node_list_acquire (context);
  dict->values = fb_node_list_acquire (context);
  dict->n = 0;
  return dict;
}

void
fb_uop_dict_free (FbUopDict *dict)
{
  if (!dict)
    return;
  fb_node_map_release (dict->context, dict->at);
  fb_node_list_release (dict->context, dict->keys);
  fb_node_list_release (dict->context, dict->values);
}

void
fb_uop_dict_clear (FbUopDict *dict)
{
  fb_node_map_release (dict->context, dict->at);
  dict->at = fb_node_map_acquire (dict->context);
  dict->keys->n = dict->values->n = 0;
  dict->n = 0;
}

void
fb_uop_dict_set (FbUopDict *dict, FbUop *key, FbUop *value)
{
  guintptr at = fb_node_map_get (dict->at, key);

  if (at)
    {
      dict->values->at[at - 1] = value;
      return;
    }
  fb_node_list_add (dict->keys, key);
  fb_node_list_add (dict->values, value);
  fb_node_map_set (dict->at, key, dict->keys->n);
  dict->n++;
}

FbUop *
fb_uop_dict_get (const FbUopDict *dict, const FbUop *key)
{
  guintptr at = fb_node_map_get (dict->at, key);
  return at ? dict->values->at[at - 1] : NULL;
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
  dict->keys->at[at - 1] = NULL;
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
  while (*at < dict->keys->n)
    {
      FbUop *key = dict->keys->at[(*at)++];
      if (key)
        return key;
    }
  return NULL;
}
