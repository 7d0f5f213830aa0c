/* An ordered dictionary with nodes as keys, as Python's dict keeps them: in order of insertion, a key set again keeps its
 * place, a key removed and set again goes to the end. */
#pragma once

#include "core/ir/context.h"

typedef struct _FbUopDict FbUopDict;

/* Of no use after the context was reset. */
FbUopDict *fb_uop_dict_new (FbContext *context);
void fb_uop_dict_free (FbUopDict *dict);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbUopDict, fb_uop_dict_free)
void fb_uop_dict_clear (FbUopDict *dict);
/* @value may be anything but NULL; a set stores the key itself. */
void fb_uop_dict_set (FbUopDict *dict, FbUop *key, FbUop *value);
/* NULL when absent. */
FbUop *fb_uop_dict_get (const FbUopDict *dict, const FbUop *key);
gboolean fb_uop_dict_has (const FbUopDict *dict, const FbUop *key);
/* What has an entry for every key; valid until the dictionary is cleared or freed. */
const struct _FbNodeMap *fb_uop_dict_marks (const FbUopDict *dict);
/* FALSE when it was not there. */
gboolean fb_uop_dict_remove (FbUopDict *dict, FbUop *key);
guint fb_uop_dict_size (const FbUopDict *dict);
/* Keys in order. Start with *@at 0; NULL at the end. */
FbUop *fb_uop_dict_next (const FbUopDict *dict, guint *at);
