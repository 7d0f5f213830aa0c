/* The machine: a stack, marks, a memo, and one opcode after the other. */
#include "pickle-private.h"

#include <string.h>

#include "opcodes.h"

#define NEWEST_PROTOCOL 5

static inline guint64
read_le (const guint8 *p, guint n)
{
  guint64 value = 0;

  memcpy (&value, p, n);
  return GUINT64_FROM_LE (value);
}

static gboolean
grow_stack (FbPickle *pickle)
{
  gsize n = (gsize) (pickle->stack_end - pickle->stack), want = MIN (n * 2, pickle->limits.max_stack);

  if (want <= n || !fb_pickle_may_allocate (pickle, sizeof (FbValue) * want))
    return fb_pickle_fail (pickle, "more than %" G_GSIZE_FORMAT " values are on the stack, which is refused", n);
  pickle->stack = g_renew (FbValue, pickle->stack, want);
  pickle->stack_end = pickle->stack + want;
  return TRUE;
}

static gboolean
push_mark (FbPickle *pickle, gsize height)
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

/* The line at *p, without its end; NULL when there is no newline before @limit. */
static const char *
read_line (const guint8 **p, const guint8 *limit, gsize *len)
{
  const guint8 *line = *p, *newline = memchr (line, '\n', (gsize) (limit - line));

  if (!newline)
    return NULL;
  *p = newline + 1;
  *len = (gsize) (newline - line);
  return (const char *) line;
}

static gboolean
read_index (FbPickle *pickle, const char *text, gsize len, guint64 *index)
{
  *index = 0;
  if (len == 0 || len > 10)
    return fb_pickle_fail (pickle, "a memo number is not a number");
  for (gsize i = 0; i < len; i++)
    {
      if (!g_ascii_isdigit (text[i]))
        return fb_pickle_fail (pickle, "a memo number is not a number");
      *index = *index * 10 + (guint64) (text[i] - '0');
    }
  return TRUE;
}

/* GET of something set: where to go on behind it, NULL when @p is no such opcode. */
static inline const guint8 *
skip_get (const FbPickle *pickle, const guint8 *p, const guint8 *limit, const FbValue *memo_end, const FbValue **value)
{
  gsize index, size = 2;

  if (limit - p < 2 || (p[0] != OP_BINGET && p[0] != OP_LONG_BINGET))
    return NULL;
  index = p[1];
  if (p[0] == OP_LONG_BINGET)
    {
      if (limit - p < 5)
        return NULL;
      index = read_le (p + 1, 4);
      size = 5;
    }
  *value = pickle->memo + index;
  return *value < memo_end && (*value)->kind < FB_VALUE_UNSET ? p + size : NULL;
}

/* The state of an option of the capture, {"value": 1, "key": "NAME"}, when it is written as pickle.dumps writes it: dict,
 * memo, mark, two keys and their values, SETITEMS, BUILD. @p is behind the MEMOIZE of the object, @dict what goes into the
 * memo. Returns where to go on, NULL with nothing changed when it is something else. */
static const guint8 *
build_option (FbPickle *pickle, FbOptionCell *option, const guint8 *p, const guint8 *limit, const FbValue *memo_end,
              FbValue *dict)
{
  const FbValue *from;
  const guint8 *after;

  if (limit - p < 3 || p[0] != OP_EMPTY_DICT || p[1] != OP_MEMOIZE || p[2] != OP_MARK)
    return NULL;
  p += 3;
  for (int i = 0; i < 4; i++)
    if ((after = skip_get (pickle, p, limit, memo_end, &from)))
      {
        fb_value_copy (&option->items[i], from);
        p = after;
      }
    else if (limit - p >= 2 && p[0] == OP_BININT1)
      {
        fb_value_set (&option->items[i], FB_VALUE_INT, p[1]);
        p += 2;
      }
    else
      return NULL;
  if (limit - p < 2 || p[0] != OP_SETITEMS || p[1] != OP_BUILD)
    return NULL;
  option->state = (FbListCell){ .n = 4, .allocated = 4, .items = option->items };
  fb_value_set_pointer (dict, FB_VALUE_DICT, &option->state);
  fb_value_copy (&option->object.state, dict);
  return p + 2;
}

/* What stands before the state of an option: its name, the class, no arguments, NEWOBJ, and a MEMOIZE for name and
 * object. Returns where to go on, behind all of it; NULL with nothing changed when it is something else. */
static const guint8 *
begin_option (FbPickle *pickle, const guint8 *p, const guint8 *limit, const FbValue *memo_end, FbValue *name,
              FbValue *object)
{
  const FbValue *class;
  FbValue none;
  gsize len;

  pickle->at = p;
  if (limit - p < 2 || p[0] != OP_SHORT_BINUNICODE)
    return NULL;
  len = p[1];
  if ((gsize) (limit - p) < len + 3 || p[2 + len] != OP_MEMOIZE)
    return NULL;
  fb_value_set_bytes (name, FB_VALUE_TEXT, FB_ATTR_OTHER, len, p + 2);
  p = skip_get (pickle, p + 3 + len, limit, memo_end, &class);
  if (!p || class->kind != FB_VALUE_CLASS || class->class->id != FB_CLASS_CONTEXT_VAR || limit - p < 3
      || p[0] != OP_EMPTY_TUPLE || p[1] != OP_NEWOBJ || p[2] != OP_MEMOIZE)
    return NULL;
  fb_value_set_pointer (&none, FB_VALUE_TUPLE, fb_pickle_new_tuple (pickle, 0, NULL));
  if (!none.tuple || !fb_scan_text (pickle, name->bytes, name->n, name)
      || !fb_pickle_new_object (pickle, class, &none, object))
    return NULL;
  return p + 3;
}

static gboolean
put_items (FbPickle *pickle, const FbValue *target, guint32 n, const FbValue *items, gboolean pairs)
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

static gboolean
find_global (FbPickle *pickle, const char *module, gsize module_len, const char *name, gsize name_len, FbValue *value)
{
  const FbClass *class;

  if (module_len > 1024 || name_len > 1024)
    return fb_pickle_fail (pickle, "the name of a global is longer than 1,024 bytes");
  class = fb_class_lookup (pickle, module, module_len, name, name_len);
  *value = (FbValue){ .kind = FB_VALUE_CLASS, .class = class };
  return class != NULL;
}

/* A global written as two lines; *truncated when there are fewer. */
static gboolean
read_global (FbPickle *pickle, const guint8 **p, const guint8 *limit, gboolean *truncated, FbValue *value)
{
  gsize module_len, name_len;
  const char *module = read_line (p, limit, &module_len);
  const char *name = module ? read_line (p, limit, &name_len) : NULL;

  *truncated = name == NULL;
  if (!name)
    return FALSE;
  if (!g_utf8_validate_len (module, module_len, NULL) || !g_utf8_validate_len (name, name_len, NULL))
    return fb_pickle_fail (pickle, "the name of a global is not valid UTF-8");
  return find_global (pickle, module, module_len, name, name_len, value);
}

#define FAIL(...)                           \
  do                                        \
    {                                       \
      fb_pickle_fail (pickle, __VA_ARGS__); \
      return FALSE;                         \
    }                                       \
  while (0)
#define NEED(bytes)                                           \
  do                                                          \
    {                                                         \
      if (G_UNLIKELY ((gsize) (limit - p) < (gsize) (bytes))) \
        goto truncated;                                       \
    }                                                         \
  while (0)
/* Values below the last mark are out of reach, as in Python. */
#define HAVE(count)                                   \
  do                                                  \
    {                                                 \
      if (G_UNLIKELY (sp - fence < (gssize) (count))) \
        goto underflow;                               \
    }                                                 \
  while (0)
/* There is room: see `edge`. */
#define PUSH_COPY(value) fb_value_copy (sp++, value)
#define PUSH(kind, field, payload)           \
  do                                         \
    {                                        \
      sp->head = FB_VALUE_HEAD (kind, 0, 0); \
      sp++->field = (payload);               \
    }                                        \
  while (0)
/* Takes the values above the last mark: @first is the lowest, @n how many; sp and fence go below the mark. */
#define TO_MARK(first, n)                                                                 \
  do                                                                                      \
    {                                                                                     \
      if (G_UNLIKELY (!pickle->n_marks))                                                  \
        FAIL ("there is no mark to go back to");                                          \
      first = pickle->stack + pickle->marks[--pickle->n_marks];                           \
      n = (guint32) (sp - first);                                                         \
      sp = first;                                                                         \
      fence = pickle->stack + (pickle->n_marks ? pickle->marks[pickle->n_marks - 1] : 0); \
    }                                                                                     \
  while (0)
/* The position is copied, so that it can stay in a register elsewhere. */
#define LINE()                                  \
  do                                            \
    {                                           \
      const guint8 *at = p;                     \
      line = read_line (&at, limit, &line_len); \
      if (!line)                                \
        goto truncated;                         \
      p = at;                                   \
    }                                           \
  while (0)
#define GLOBAL(value)                                     \
  do                                                      \
    {                                                     \
      const guint8 *at = p;                               \
      gboolean cut;                                       \
      if (!read_global (pickle, &at, limit, &cut, value)) \
        {                                                 \
          if (cut)                                        \
            goto truncated;                               \
          return FALSE;                                   \
        }                                                 \
      p = at;                                             \
    }                                                     \
  while (0)

/* The memo in registers: entries up to memo_at are in use; MEMOIZE may append below memo_end, which is memo_at when there
 * are gaps, so that appending is left to put_memo(). */
#define LOAD_MEMO()                                                            \
  do                                                                           \
    {                                                                          \
      memo = pickle->memo;                                                     \
      memo_at = memo + pickle->memo_used;                                      \
      memo_end = pickle->memo_unset ? memo_at : memo + pickle->memo_allocated; \
    }                                                                          \
  while (0)
/* Each opcode ends by jumping to the next one: the processor then predicts by the opcode before. */
#define NEXT                      \
  do                              \
    {                             \
      if (G_UNLIKELY (p >= edge)) \
        goto at_edge;             \
      pickle->at = p;             \
      goto *labels[*p++];         \
    }                             \
  while (0)
/* Most that is made is memoized at once. */
#define MADE                                                              \
  do                                                                      \
    {                                                                     \
      if (G_LIKELY (p < limit && *p == OP_MEMOIZE && memo_at < memo_end)) \
        {                                                                 \
          p++;                                                            \
          fb_value_copy (memo_at++, sp - 1);                              \
        }                                                                 \
      NEXT;                                                               \
    }                                                                     \
  while (0)

#ifdef __clang__
#pragma clang diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

gboolean
fb_pickle_run (FbPickle *pickle, const guint8 *bytes, gsize len, FbValue *root)
{
  static const void *const labels[256] = {
    [0 ... 255] = &&unknown,
    [OP_BINGET] = &&label_binget,
    [OP_LONG_BINGET] = &&label_long_binget,
    [OP_MEMOIZE] = &&label_memoize,
    [OP_BINPUT] = &&label_binput,
    [OP_LONG_BINPUT] = &&label_long_binput,
    [OP_MARK] = &&label_mark,
    [OP_BININT1] = &&label_binint1,
    [OP_BININT2] = &&label_binint2,
    [OP_BININT] = &&label_binint,
    [OP_TUPLE] = &&label_tuple,
    [OP_EMPTY_TUPLE] = &&label_empty_tuple,
    [OP_TUPLE1] = &&label_tuple1,
    [OP_TUPLE2] = &&label_tuple2,
    [OP_TUPLE3] = &&label_tuple3,
    [OP_REDUCE] = &&label_reduce,
    [OP_NEWOBJ] = &&label_newobj,
    [OP_BUILD] = &&label_build,
    [OP_NONE] = &&label_none,
    [OP_NEWTRUE] = &&label_newtrue,
    [OP_NEWFALSE] = &&label_newfalse,
    [OP_EMPTY_DICT] = &&label_empty_dict,
    [OP_EMPTY_LIST] = &&label_empty_list,
    [OP_EMPTY_SET] = &&label_empty_set,
    [OP_DICT] = &&label_dict,
    [OP_LIST] = &&label_list,
    [OP_FROZENSET] = &&label_frozenset,
    [OP_SETITEM] = &&label_setitem,
    [OP_APPEND] = &&label_append,
    [OP_SETITEMS] = &&label_setitems,
    [OP_APPENDS] = &&label_appends,
    [OP_ADDITEMS] = &&label_additems,
    [OP_BINFLOAT] = &&label_binfloat,
    [OP_LONG1] = &&label_long1,
    [OP_LONG4] = &&label_long4,
    [OP_SHORT_BINUNICODE] = &&label_short_binunicode,
    [OP_BINUNICODE] = &&label_binunicode,
    [OP_BINUNICODE8] = &&label_binunicode8,
    [OP_SHORT_BINSTRING] = &&label_short_binstring,
    [OP_BINSTRING] = &&label_binstring,
    [OP_SHORT_BINBYTES] = &&label_short_binbytes,
    [OP_BINBYTES] = &&label_binbytes,
    [OP_BINBYTES8] = &&label_binbytes8,
    [OP_BYTEARRAY8] = &&label_bytearray8,
    [OP_STACK_GLOBAL] = &&label_stack_global,
    [OP_GLOBAL] = &&label_global,
    [OP_NEWOBJ_EX] = &&label_newobj_ex,
    [OP_INST] = &&label_inst,
    [OP_OBJ] = &&label_obj,
    [OP_POP] = &&label_pop,
    [OP_POP_MARK] = &&label_pop_mark,
    [OP_DUP] = &&label_dup,
    [OP_INT] = &&label_int,
    [OP_LONG] = &&label_long,
    [OP_FLOAT] = &&label_float,
    [OP_STRING] = &&label_string,
    [OP_UNICODE] = &&label_unicode,
    [OP_GET] = &&label_get,
    [OP_PUT] = &&label_put,
    [OP_PROTO] = &&label_proto,
    [OP_FRAME] = &&label_frame,
    [OP_STOP] = &&label_stop,
    [OP_PERSID] = &&label_persid,
    [OP_BINPERSID] = &&label_binpersid,
    [OP_EXT1] = &&label_ext1,
    [OP_EXT2] = &&label_ext2,
    [OP_EXT4] = &&label_ext4,
    [OP_NEXT_BUFFER] = &&label_next_buffer,
    [OP_READONLY_BUFFER] = &&label_readonly_buffer,
  };
  /* limit: the end of the frame, or of the pickle; edge: up to where the stack has room, as an opcode of one byte or more
   * pushes one value at most */
  const guint8 *p = bytes, *end = bytes + len, *limit = end, *edge = p;
  FbValue *sp = pickle->stack, *fence = sp, *first, value, callable, arguments;
  FbValue *memo, *memo_at, *memo_end;
  guint32 n;
  guint64 size, index;
  const char *line;
  gsize line_len;
  gboolean framed = FALSE;

  LOAD_MEMO ();
at_edge:
  if (p == limit)
    {
      pickle->at = p;
      if (limit == end)
        goto truncated;
      limit = end;
      framed = FALSE;
    }
  {
    gsize height = (gsize) (sp - pickle->stack), low = (gsize) (fence - pickle->stack);

    if (height == (gsize) (pickle->stack_end - pickle->stack) && !grow_stack (pickle))
      return FALSE;
    sp = pickle->stack + height;
    fence = pickle->stack + low;
    edge = p + MIN (limit - p, pickle->stack_end - sp);
  }
  NEXT;

label_binget:
  NEED (1);
  size = *p++;
  goto get;
label_long_binget:
  NEED (4);
  size = read_le (p, 4);
  p += 4;
get:
  first = memo + size;
  if (G_UNLIKELY (first >= memo_at || first->kind >= FB_VALUE_UNSET))
    {
      if (first < memo_at && first->kind == FB_VALUE_SPENT)
        FAIL ("memo entry %" G_GUINT64_FORMAT " is the arguments of a call, which are not kept", size);
      FAIL ("memo entry %" G_GUINT64_FORMAT " is used before it is set", size);
    }
  PUSH_COPY (first);
  NEXT;
label_memoize:
  HAVE (1);
  if (G_LIKELY (memo_at < memo_end))
    {
      fb_value_copy (memo_at++, sp - 1);
      NEXT;
    }
  size = (guint64) (memo_at - memo) - pickle->memo_unset;
  goto put;
label_binput:
  NEED (1);
  size = *p++;
  goto put;
label_long_binput:
  NEED (4);
  size = read_le (p, 4);
  p += 4;
put:
  HAVE (1);
  pickle->memo_used = (guint32) (memo_at - memo);
  if (!put_memo (pickle, size, len, sp - 1))
    return FALSE;
  LOAD_MEMO ();
  NEXT;
label_mark:
  if (G_LIKELY (pickle->n_marks < pickle->marks_allocated))
    pickle->marks[pickle->n_marks++] = (guint32) (sp - pickle->stack);
  else if (!push_mark (pickle, (gsize) (sp - pickle->stack)))
    return FALSE;
  fence = sp;
  NEXT;
label_binint1:
  NEED (1);
  PUSH (FB_VALUE_INT, i, *p);
  p++;
  NEXT;
label_binint2:
  NEED (2);
  PUSH (FB_VALUE_INT, i, (gint64) read_le (p, 2));
  p += 2;
  NEXT;
label_binint:
  NEED (4);
  PUSH (FB_VALUE_INT, i, (gint32) read_le (p, 4));
  p += 4;
  NEXT;
label_tuple:
  TO_MARK (first, n);
  goto tuple;
label_empty_tuple:
  n = 0;
  first = sp;
  goto tuple;
label_tuple1:
label_tuple2:
label_tuple3:
  n = p[-1] - OP_TUPLE1 + 1u;
  HAVE (n);
  first = sp -= n;
tuple:
  /* most tuples are the arguments of a call that follows at once, and that nothing else refers to: pickle makes them for
   * the call. They are not built, and the memo entry they would have cannot be got. */
  if (limit - p >= 2 && p[0] == OP_MEMOIZE && p[1] == OP_REDUCE && first > fence && first[-1].kind == FB_VALUE_CLASS
      && fb_class_consumes (first[-1].class->id) && memo_at < memo_end)
    {
      pickle->at = p + 1;
      if (!fb_pickle_call (pickle, first[-1].class->id, n, first, &value))
        return FALSE;
      p += 2;
      (memo_at++)->head = FB_VALUE_HEAD (FB_VALUE_SPENT, 0, 0);
      fb_value_copy (first - 1, &value);
      MADE;
    }
  {
    FbTupleCell *cell = fb_pickle_new_tuple (pickle, n, first);
    if (!cell)
      return FALSE;
    PUSH (FB_VALUE_TUPLE, tuple, cell);
  }
  MADE;
label_reduce:
  HAVE (2);
  if (!fb_pickle_reduce (pickle, sp - 2, sp - 1, &value))
    return FALSE;
  fb_value_copy (sp - 2, &value);
  sp--;
  MADE;
label_newobj:
  HAVE (2);
  if (!fb_pickle_new_object (pickle, sp - 2, sp - 1, &value))
    return FALSE;
  fb_value_copy (sp - 2, &value);
  sp--;
  if (value.kind != FB_VALUE_OBJECT || value.object->class->id != FB_CLASS_CONTEXT_VAR || p == limit
      || *p != OP_MEMOIZE)
    MADE;
  /* the options of the capture: a row has some thirty of them, a quarter of all opcodes, so they are taken as wholes */
  for (p++;;)
    {
      const guint8 *after;

      if (memo_end - memo_at < 4)
        {
          p--; /* an ordinary MEMOIZE makes the room */
          NEXT;
        }
      fb_value_copy (memo_at++, sp - 1);
      after = build_option (pickle, (FbOptionCell *) sp[-1].object, p, limit, memo_at, &value);
      if (!after)
        NEXT;
      p = after;
      fb_value_copy (memo_at++, &value);
      after = pickle->stack_end - sp >= 2 ? begin_option (pickle, p, limit, memo_at, sp, sp + 1) : NULL;
      if (!after)
        NEXT;
      p = after;
      fb_value_copy (memo_at++, sp);
      sp += 2;
    }
label_build:
  HAVE (2);
  if (!fb_pickle_build (pickle, sp - 2, sp - 1))
    return FALSE;
  sp--;
  NEXT;
label_none:
  PUSH (FB_VALUE_NONE, i, 0);
  NEXT;
label_newtrue:
  PUSH (FB_VALUE_BOOL, i, 1);
  NEXT;
label_newfalse:
  PUSH (FB_VALUE_BOOL, i, 0);
  NEXT;
label_empty_dict:
  value.head = FB_VALUE_HEAD (FB_VALUE_DICT, 0, 0);
  goto container;
label_empty_list:
  value.head = FB_VALUE_HEAD (FB_VALUE_LIST, 0, 0);
  goto container;
label_empty_set:
  value.head = FB_VALUE_HEAD (FB_VALUE_SET, 0, 0);
container:
  if (!(value.list = fb_pickle_new_list (pickle)))
    return FALSE;
  PUSH_COPY (&value);
  MADE;
label_dict:
label_list:
label_frozenset:
  value = (FbValue){ .kind = p[-1] == OP_DICT ? FB_VALUE_DICT : p[-1] == OP_LIST ? FB_VALUE_LIST : FB_VALUE_FROZENSET };
  TO_MARK (first, n);
  if (value.kind == FB_VALUE_DICT && n % 2)
    FAIL ("a key has no value");
  if (!(value.list = fb_pickle_new_list (pickle)) || !fb_pickle_list_extend (pickle, value.list, n, first))
    return FALSE;
  PUSH_COPY (&value);
  NEXT;
label_setitem:
  HAVE (3);
  sp -= 2;
  if (!put_items (pickle, sp - 1, 2, sp, TRUE))
    return FALSE;
  NEXT;
label_append:
  HAVE (2);
  sp--;
  if (!put_items (pickle, sp - 1, 1, sp, FALSE))
    return FALSE;
  NEXT;
label_setitems:
label_appends:
label_additems:
  {
    gboolean pairs = p[-1] == OP_SETITEMS;
    TO_MARK (first, n);
    HAVE (1);
    if (!put_items (pickle, sp - 1, n, first, pairs))
      return FALSE;
  }
  NEXT;
label_binfloat:
  {
    guint64 bits = 0;
    double f;

    NEED (8);
    for (int i = 0; i < 8; i++)
      bits = bits << 8 | p[i];
    memcpy (&f, &bits, sizeof f);
    p += 8;
    fb_scan_float (pickle, f, &value);
    PUSH_COPY (&value);
  }
  NEXT;
label_long1:
  NEED (1);
  size = *p++;
  goto integer;
label_long4:
  NEED (4);
  size = read_le (p, 4);
  p += 4;
  if (size > G_MAXINT32)
    FAIL ("an integer has a negative length");
integer:
  NEED (size);
  if (!fb_scan_integer (pickle, p, size, &value))
    return FALSE;
  p += size;
  PUSH_COPY (&value);
  NEXT;
label_short_binunicode:
  NEED (1);
  size = *p++;
  goto text;
label_binunicode:
  NEED (4);
  size = read_le (p, 4);
  p += 4;
  goto text;
label_binunicode8:
  NEED (8);
  size = read_le (p, 8);
  p += 8;
  goto text;
label_short_binstring:
  NEED (1);
  size = *p++;
  goto text;
label_binstring:
  NEED (4);
  size = read_le (p, 4);
  p += 4;
text:
  NEED (size);
  if (!fb_scan_text (pickle, p, size, &value))
    return FALSE;
  p += size;
  PUSH_COPY (&value);
  MADE;
label_short_binbytes:
  NEED (1);
  size = *p++;
  goto bytes;
label_binbytes:
  NEED (4);
  size = read_le (p, 4);
  p += 4;
  goto bytes;
label_binbytes8:
label_bytearray8:
  NEED (8);
  size = read_le (p, 8);
  p += 8;
bytes:
  NEED (size);
  fb_value_set_bytes (&value, *pickle->at == OP_BYTEARRAY8 ? FB_VALUE_BYTEARRAY : FB_VALUE_BYTES, FB_ATTR_OTHER, size,
                      p);
  p += size;
  PUSH_COPY (&value);
  NEXT;
label_stack_global:
  HAVE (2);
  if (sp[-1].kind != FB_VALUE_TEXT || sp[-2].kind != FB_VALUE_TEXT)
    FAIL ("a global is not named by two strings");
  if (!find_global (pickle, (const char *) sp[-2].bytes, sp[-2].n, (const char *) sp[-1].bytes, sp[-1].n, &value))
    return FALSE;
  fb_value_copy (sp - 2, &value);
  sp--;
  NEXT;
label_global:
  GLOBAL (&value);
  PUSH_COPY (&value);
  NEXT;
label_newobj_ex:
  HAVE (3);
  if (sp[-1].kind != FB_VALUE_DICT)
    FAIL ("the keyword arguments of a new object are no dict");
  if (!fb_pickle_new_object (pickle, sp - 3, sp - 2, &value))
    return FALSE;
  if (sp[-1].list->n && value.kind == FB_VALUE_OBJECT)
    value.object->state = sp[-1];
  sp[-3] = value;
  sp -= 2;
  NEXT;
label_inst:
  GLOBAL (&callable);
  TO_MARK (first, n);
  goto instance;
label_obj:
  TO_MARK (first, n);
  if (!n)
    goto underflow;
  callable = *first++;
  n--;
instance:
  fb_value_set_pointer (&arguments, FB_VALUE_TUPLE, fb_pickle_new_tuple (pickle, n, first));
  if (!arguments.tuple || !fb_pickle_reduce (pickle, &callable, &arguments, &value))
    return FALSE;
  PUSH_COPY (&value);
  NEXT;
label_pop:
  if (sp == fence && pickle->n_marks)
    TO_MARK (first, n);
  else
    {
      HAVE (1);
      sp--;
    }
  NEXT;
label_pop_mark:
  TO_MARK (first, n);
  NEXT;
label_dup:
  HAVE (1);
  value = sp[-1];
  PUSH_COPY (&value);
  NEXT;
label_int:
  LINE ();
  if (line_len == 2 && line[0] == '0' && (line[1] == '0' || line[1] == '1'))
    value = (FbValue){ .kind = FB_VALUE_BOOL, .i = line[1] == '1' };
  else if (!fb_scan_decimal (pickle, line, line_len, &value))
    return FALSE;
  PUSH_COPY (&value);
  NEXT;
label_long:
  LINE ();
  if (line_len && line[line_len - 1] == 'L')
    line_len--;
  if (!fb_scan_decimal (pickle, line, line_len, &value))
    return FALSE;
  PUSH_COPY (&value);
  NEXT;
label_float:
  LINE ();
  if (!fb_scan_decimal_float (pickle, line, line_len, &value))
    return FALSE;
  PUSH_COPY (&value);
  NEXT;
label_string:
label_unicode:
  {
    gboolean raw = p[-1] == OP_UNICODE;
    LINE ();
    if (!fb_scan_quoted (pickle, line, line_len, raw, &value))
      return FALSE;
    PUSH_COPY (&value);
  }
  NEXT;
label_get:
  LINE ();
  if (!read_index (pickle, line, line_len, &index))
    return FALSE;
  size = MIN (index, G_MAXUINT32);
  goto get;
label_put:
  LINE ();
  if (!read_index (pickle, line, line_len, &index))
    return FALSE;
  size = index;
  goto put;
label_proto:
  NEED (1);
  if (*p > NEWEST_PROTOCOL)
    FAIL ("pickle protocol %u is newer than %d, the newest known", *p, NEWEST_PROTOCOL);
  pickle->protocol = *p++;
  NEXT;
label_frame:
  NEED (8);
  size = read_le (p, 8);
  p += 8;
  if (framed)
    FAIL ("a frame begins inside another");
  if (size > (guint64) (end - p))
    FAIL ("a frame of %" G_GUINT64_FORMAT " bytes does not fit the %" G_GSIZE_FORMAT " bytes that follow", size,
          (gsize) (end - p));
  framed = size != 0;
  limit = framed ? p + size : end;
  edge = p;
  NEXT;
label_stop:
  if (framed && p != limit)
    FAIL ("the pickle stops %" G_GSIZE_FORMAT " bytes before the end of its frame", (gsize) (limit - p));
  HAVE (1);
  if (pickle->n_marks)
    FAIL ("the pickle stops with a mark open");
  *root = sp[-1];
  return TRUE;
label_persid:
label_binpersid:
  FAIL ("a persistent id refers to something outside the file, which is refused");
label_ext1:
label_ext2:
label_ext4:
  FAIL ("an extension code refers to a registry outside the file, which is refused");
label_next_buffer:
label_readonly_buffer:
  FAIL ("an out-of-band buffer is not in the file, which is refused");
unknown:
  FAIL ("0x%02x is no pickle opcode", p[-1]);
truncated:
  if (framed && limit != end)
    FAIL ("an opcode crosses the end of its frame");
  FAIL ("the pickle ends after %" G_GSIZE_FORMAT " bytes, in the middle", len);
underflow:
  FAIL ("an opcode needs more values than are on the stack");
}
