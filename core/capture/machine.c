/* The machine: a stack, marks, a memo, and one opcode after the other. */
#include "machine-private.h"

#define NEWEST_PROTOCOL 5

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
/* The state goes to another part of the machine, and comes back. */
#define SAVE() \
  machine = (FbMachine) { p, limit, end, sp, fence, memo_at, memo_end, framed, p }
#define RESTORE()                  \
  do                               \
    {                              \
      p = machine.p;               \
      sp = machine.sp;             \
      fence = machine.fence;       \
      memo_at = machine.memo_at;   \
      memo_end = machine.memo_end; \
    }                              \
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
#define MEMOIZE()                                                         \
  do                                                                      \
    {                                                                     \
      if (G_LIKELY (p < limit && *p == OP_MEMOIZE && memo_at < memo_end)) \
        {                                                                 \
          p++;                                                            \
          fb_value_copy (memo_at++, sp - 1);                              \
        }                                                                 \
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
    [0 ... 255] = &&rare,
    [OP_BINGET] = &&binget,
    [OP_LONG_BINGET] = &&long_binget,
    [OP_MEMOIZE] = &&memoize,
    [OP_BINPUT] = &&binput,
    [OP_LONG_BINPUT] = &&long_binput,
    [OP_MARK] = &&mark,
    [OP_BININT1] = &&binint1,
    [OP_BININT2] = &&binint2,
    [OP_BININT] = &&binint,
    [OP_TUPLE] = &&tuple,
    [OP_EMPTY_TUPLE] = &&empty_tuple,
    [OP_TUPLE1] = &&tuple_of_top,
    [OP_TUPLE2] = &&tuple_of_top,
    [OP_TUPLE3] = &&tuple_of_top,
    [OP_REDUCE] = &&reduce,
    [OP_NEWOBJ] = &&newobj,
    [OP_BUILD] = &&build,
    [OP_NONE] = &&none,
    [OP_NEWTRUE] = &&boolean,
    [OP_NEWFALSE] = &&boolean,
    [OP_EMPTY_DICT] = &&container,
    [OP_EMPTY_LIST] = &&container,
    [OP_EMPTY_SET] = &&container,
    [OP_SETITEM] = &&setitem,
    [OP_APPEND] = &&append,
    [OP_SETITEMS] = &&items_to_mark,
    [OP_APPENDS] = &&items_to_mark,
    [OP_ADDITEMS] = &&items_to_mark,
    [OP_BINFLOAT] = &&binfloat,
    [OP_LONG1] = &&long1,
    [OP_SHORT_BINUNICODE] = &&short_text,
    [OP_SHORT_BINSTRING] = &&short_text,
    [OP_BINUNICODE] = &&text,
    [OP_BINSTRING] = &&text,
    [OP_STACK_GLOBAL] = &&stack_global,
    [OP_PROTO] = &&proto,
    [OP_FRAME] = &&frame,
    [OP_STOP] = &&stop,
  };
  /* edge: up to where the stack has room, as an opcode of one byte or more pushes one value at most */
  const guint8 *p = bytes, *end = bytes + len, *limit = end, *edge = p;
  FbValue *sp = pickle->stack, *fence = sp, *first, value;
  FbValue *memo_at, *memo_end;
  FbMachine machine = { .p = p };
  guint32 n;
  guint64 size;
  gboolean framed = FALSE;

  fb_machine_load_memo (pickle, &machine);
  memo_at = machine.memo_at;
  memo_end = machine.memo_end;
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

    if (height == (gsize) (pickle->stack_end - pickle->stack) && !fb_machine_grow_stack (pickle))
      return FALSE;
    sp = pickle->stack + height;
    fence = pickle->stack + low;
    edge = p + MIN (limit - p, pickle->stack_end - sp);
  }
  NEXT;

binget:
  NEED (1);
  size = *p++;
  goto get;
long_binget:
  NEED (4);
  size = fb_read_le (p, 4);
  p += 4;
get:
  first = pickle->memo + size;
  if (G_UNLIKELY (first >= memo_at || first->kind >= FB_VALUE_UNSET))
    {
      SAVE ();
      if (!fb_machine_get_slow (pickle, &machine, first, size))
        return FALSE;
    }
  PUSH_COPY (first);
  if (first->kind == FB_VALUE_CLASS && first->class->id == FB_CLASS_UOP && p < limit && *p == OP_MARK)
    {
      if (size <= G_MAXUINT8)
        pickle->node_begin = fb_form_node_begin (size);
      goto nodes;
    }
  NEXT;
nodes:
  SAVE ();
  if (!fb_form_nodes (pickle, &machine))
    return FALSE;
  RESTORE ();
  goto at_edge;
memoize:
  HAVE (1);
  if (G_LIKELY (memo_at < memo_end))
    {
      fb_value_copy (memo_at++, sp - 1);
      NEXT;
    }
  size = (guint64) (memo_at - pickle->memo) - pickle->memo_unset;
  goto put;
binput:
  NEED (1);
  size = *p++;
  goto put;
long_binput:
  NEED (4);
  size = fb_read_le (p, 4);
  p += 4;
put:
  HAVE (1);
  SAVE ();
  if (!fb_machine_put (pickle, &machine, size))
    return FALSE;
  RESTORE ();
  NEXT;
mark:
  if (G_LIKELY (pickle->n_marks < pickle->marks_allocated))
    pickle->marks[pickle->n_marks++] = (guint32) (sp - pickle->stack);
  else if (!fb_machine_push_mark (pickle, (gsize) (sp - pickle->stack)))
    return FALSE;
  fence = sp;
  NEXT;
binint1:
  NEED (1);
  PUSH (FB_VALUE_INT, i, *p);
  p++;
  NEXT;
binint2:
  NEED (2);
  PUSH (FB_VALUE_INT, i, (gint64) fb_read_le (p, 2));
  p += 2;
  NEXT;
binint:
  NEED (4);
  PUSH (FB_VALUE_INT, i, (gint32) fb_read_le (p, 4));
  p += 4;
  NEXT;
tuple:
  TO_MARK (first, n);
  goto any_tuple;
empty_tuple:
  n = 0;
  first = sp;
  goto any_tuple;
tuple_of_top:
  n = p[-1] - OP_TUPLE1 + 1u;
  HAVE (n);
  first = sp -= n;
any_tuple:
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
      MEMOIZE ();
      if (value.kind == FB_VALUE_UOP)
        goto nodes;
      NEXT;
    }
  {
    FbTupleCell *cell = fb_pickle_new_tuple (pickle, n, first);
    if (!cell)
      return FALSE;
    PUSH (FB_VALUE_TUPLE, tuple, cell);
  }
  MEMOIZE ();
  NEXT;
reduce:
  HAVE (2);
  if (!fb_pickle_reduce (pickle, sp - 2, sp - 1, &value))
    return FALSE;
  fb_value_copy (sp - 2, &value);
  sp--;
  MEMOIZE ();
  NEXT;
newobj:
  HAVE (2);
  if (!fb_pickle_new_object (pickle, sp - 2, sp - 1, &value))
    return FALSE;
  fb_value_copy (sp - 2, &value);
  sp--;
  if (value.kind == FB_VALUE_OBJECT && value.object->class->id == FB_CLASS_CONTEXT_VAR)
    {
      SAVE ();
      if (!fb_form_options (pickle, &machine))
        return FALSE;
      RESTORE ();
      goto at_edge;
    }
  MEMOIZE ();
  NEXT;
build:
  HAVE (2);
  if (!fb_pickle_build (pickle, sp - 2, sp - 1))
    return FALSE;
  sp--;
  NEXT;
none:
  PUSH (FB_VALUE_NONE, i, 0);
  NEXT;
boolean:
  PUSH (FB_VALUE_BOOL, i, p[-1] == OP_NEWTRUE);
  NEXT;
container:
  fb_value_set_pointer (&value,
                        p[-1] == OP_EMPTY_DICT   ? FB_VALUE_DICT
                        : p[-1] == OP_EMPTY_LIST ? FB_VALUE_LIST
                                                 : FB_VALUE_SET,
                        fb_pickle_new_list (pickle));
  if (!value.list)
    return FALSE;
  PUSH_COPY (&value);
  MEMOIZE ();
  NEXT;
setitem:
  HAVE (3);
  sp -= 2;
  if (!fb_machine_put_items (pickle, sp - 1, 2, sp, TRUE))
    return FALSE;
  NEXT;
append:
  HAVE (2);
  sp--;
  if (!fb_machine_put_items (pickle, sp - 1, 1, sp, FALSE))
    return FALSE;
  NEXT;
items_to_mark:
  {
    gboolean pairs = p[-1] == OP_SETITEMS;
    TO_MARK (first, n);
    HAVE (1);
    if (!fb_machine_put_items (pickle, sp - 1, n, first, pairs))
      return FALSE;
  }
  NEXT;
binfloat:
  {
    guint64 bits;
    double f;

    NEED (8);
    memcpy (&bits, p, 8);
    bits = GUINT64_FROM_BE (bits);
    memcpy (&f, &bits, sizeof f);
    p += 8;
    fb_scan_float (pickle, f, &value);
    PUSH_COPY (&value);
  }
  NEXT;
long1:
  NEED (1);
  size = *p++;
  NEED (size);
  if (!fb_scan_integer (pickle, p, size, &value))
    return FALSE;
  p += size;
  PUSH_COPY (&value);
  NEXT;
short_text:
  NEED (1);
  size = *p++;
  goto any_text;
text:
  NEED (4);
  size = fb_read_le (p, 4);
  p += 4;
any_text:
  NEED (size);
  if (!fb_scan_text (pickle, p, size, &value))
    return FALSE;
  p += size;
  PUSH_COPY (&value);
  MEMOIZE ();
  NEXT;
stack_global:
  HAVE (2);
  if (sp[-1].kind != FB_VALUE_TEXT || sp[-2].kind != FB_VALUE_TEXT)
    FAIL ("a global is not named by two strings");
  if (!fb_machine_find_global (pickle, (const char *) sp[-2].bytes, sp[-2].n, (const char *) sp[-1].bytes, sp[-1].n,
                               &value))
    return FALSE;
  fb_value_copy (sp - 2, &value);
  sp--;
  MEMOIZE ();
  NEXT;
proto:
  NEED (1);
  if (*p > NEWEST_PROTOCOL)
    FAIL ("pickle protocol %u is newer than %d, the newest known", *p, NEWEST_PROTOCOL);
  pickle->protocol = *p++;
  NEXT;
frame:
  NEED (8);
  size = fb_read_le (p, 8);
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
stop:
  if (framed && p != limit)
    FAIL ("the pickle stops %" G_GSIZE_FORMAT " bytes before the end of its frame", (gsize) (limit - p));
  HAVE (1);
  if (pickle->n_marks)
    FAIL ("the pickle stops with a mark open");
  *root = sp[-1];
  return TRUE;
rare:
  SAVE ();
  if (!fb_machine_run_rare (pickle, &machine))
    return FALSE;
  RESTORE ();
  NEXT;
truncated:
  SAVE ();
  return fb_machine_fail_truncated (pickle, &machine);
underflow:
  return fb_machine_fail_underflow (pickle);
}
