/* The stack, the marks and the memo of the machine, and what opcodes fill. */
#include "machine-private.h"

gboolean
fb_machine_grow_stack (FbPickle *pickle)
{
  gsize n = (gsize) (pickle->stack_end - pickle->stack), want = MIN (n * 2, pickle->limits.max_stack);

  if (want <= n || !fb_pickle_may_allocate (pickle, sizeof (FbValue) * want))
    return fb_pickle_fail (pickle, "more than %" G_GSIZE_FORMAT " values are on the stack, which is refused", n);
  pickle->stack = g_renew (FbValue, pickle->stack, want);
  pickle->stack_end = pickle->stack + want;
  return TRUE;
}

gboolean
fb_machine_push_mark (FbPickle *pickle, gsize height)
{
  if (pickle->n_marks == pickle->marks_allocated)
    {
      gsize want = MAX ((gsize) pickle->marks_allocated * 2, 256);

      if (want > pickle->limits.max_stack || !fb_pickle_may_allocate (pickle, sizeof (guint32) * want))
        return fb_pickle_fail (pickle, "more than %u marks are open, which is refused", pickle->n_marks);
      pickle->marks = g_renew (guint32, pickle->marks, want);
      pickle->marks_allocated = (guint32) want;
    }
  pickle->marks[pickle->n_marks++] = (guint32) height;
  return TRUE;
}

/* Every entry costs at least a byte of pickle, so an index beyond the pickle's length is an attempt to make us allocate. */
static gboolean
put_memo (FbPickle *pickle, guint64 index, gsize len, const FbValue *value)
{
  if (index >= pickle->limits.max_memo || index > len)
    return fb_pickle_fail (pickle, "memo entry %" G_GUINT64_FORMAT " is beyond what this pickle can need", index);
  if (index >= pickle->memo_allocated)
    {
      gsize want = MAX ((gsize) pickle->memo_allocated * 2, (gsize) index + 1);

      if (!fb_pickle_may_allocate (pickle, sizeof (FbValue) * want))
        return FALSE;
      pickle->memo = g_renew (FbValue, pickle->memo, want);
      pickle->memo_allocated = (guint32) want;
    }
  for (; pickle->memo_used <= index; pickle->memo_used++, pickle->memo_unset++)
    pickle->memo[pickle->memo_used] = (FbValue){ .kind = FB_VALUE_UNSET };
  pickle->memo_unset -= pickle->memo[index].kind == FB_VALUE_UNSET;
  pickle->memo[index] = *value;
  return TRUE;
}

void
fb_machine_load_memo (const FbPickle *pickle, FbMachine *machine)
{
  machine->memo_at = pickle->memo + pickle->memo_used;
  machine->memo_end = pickle->memo_unset ? machine->memo_at : pickle->memo + pickle->memo_allocated;
}

gboolean
fb_machine_put (FbPickle *pickle, FbMachine *machine, guint64 index)
{
  pickle->memo_used = (guint32) (machine->memo_at - pickle->memo);
  if (!put_memo (pickle, index, (gsize) (machine->end - pickle->start), machine->sp - 1))
    return FALSE;
  fb_machine_load_memo (pickle, machine);
  pickle->node_begin = 0; /* may have been overwritten */
  return TRUE;
}

gboolean
fb_machine_get_slow (FbPickle *pickle, const FbMachine *machine, FbValue *entry, guint64 index)
{
  FbTupleCell *cell;

  if (entry >= machine->memo_at || entry->kind == FB_VALUE_UNSET)
    return fb_pickle_fail (pickle, "memo entry %" G_GUINT64_FORMAT " is used before it is set", index);
  if (entry->kind == FB_VALUE_SPENT)
    return fb_pickle_fail (pickle, "memo entry %" G_GUINT64_FORMAT " is the arguments of a call, which are not kept",
                           index);
  if (entry->kind == FB_VALUE_OPTION)
    fb_list_settle (entry->list);
  if (entry->kind != FB_VALUE_SOURCES)
    return TRUE;
  cell = fb_pickle_new_sources (pickle, entry->uop->n_src, entry->uop->src);
  fb_value_set_pointer (entry, FB_VALUE_TUPLE, cell);
  return cell != NULL;
}

gboolean
fb_machine_put_items (FbPickle *pickle, const FbValue *target, guint32 n, const FbValue *items, gboolean pairs)
{
  if (pairs && n % 2)
    return fb_pickle_fail (pickle, "a key has no value");
  if (target->kind == FB_VALUE_OBJECT)
    {
      FbObjectCell *object = target->object;

      if (object->items && object->mapping != pairs)
        return fb_pickle_fail (pickle, "an object is filled as a list and as a mapping");
      if (!object->items && !(object->items = fb_pickle_new_list (pickle)))
        return FALSE;
      object->mapping = pairs;
      return fb_pickle_list_extend (pickle, object->items, n, items);
    }
  if (pairs ? target->kind != FB_VALUE_DICT : (target->kind != FB_VALUE_LIST && target->kind != FB_VALUE_SET))
    return fb_pickle_fail (pickle, pairs ? "items are set on something that is no dict"
                                         : "items are added to something that is no list or set");
  return fb_pickle_list_extend (pickle, target->list, n, items);
}

gboolean
fb_machine_find_global (FbPickle *pickle, const char *module, gsize module_len, const char *name, gsize name_len,
                        FbValue *value)
{
  const FbClass *class;

  if (module_len > 1024 || name_len > 1024)
    return fb_pickle_fail (pickle, "the name of a global is longer than 1,024 bytes");
  class = fb_class_lookup (pickle, module, module_len, name, name_len);
  *value = (FbValue){ .kind = FB_VALUE_CLASS, .class = class };
  return class != NULL;
}

gboolean
fb_machine_fail_truncated (FbPickle *pickle, const FbMachine *machine)
{
  if (machine->framed && machine->limit != machine->end)
    return fb_pickle_fail (pickle, "an opcode crosses the end of its frame");
  return fb_pickle_fail (pickle, "the pickle ends after %" G_GSIZE_FORMAT " bytes, in the middle",
                         (gsize) (machine->end - pickle->start));
}

gboolean
fb_machine_fail_underflow (FbPickle *pickle)
{
  return fb_pickle_fail (pickle, "an opcode needs more values than are on the stack");
}
