/* The options of a capture, taken as wholes: a row has some thirty of them, a third of its bytes, and what is wanted of each
 * is a name and a number. Its object and its state are made only if something asks for them. */
#include "machine-private.h"

/* Options in a run; more are left to the machine. */
#define MAX_RUN 64
/* What an option becomes when it is made. */
#define OPTION_BYTES (sizeof (FbStateCell) + 4 * sizeof (FbValue) + 2 * sizeof (FbValue))

/* Bytes behind the name of an option. */
#define LONGEST_TAIL 33

/* A GET that is written in each option alike: looked up once. */
typedef struct
{
  guint64 word, mask; /* its bytes, little-endian; no mask when not known */
  guint size;
  const FbValue *value;
} KnownGet;

static inline const FbValue *
get_known (const FbValue *memo, FbFormCursor *at, KnownGet *known)
{
  const guint64 word = fb_read_le (at->p, 8);
  const guint8 *p = at->p;

  if (G_LIKELY (known->mask && (word & known->mask) == known->word))
    {
      at->p += known->size;
      return known->value;
    }
  known->value = fb_form_get (memo, at);
  known->size = (guint) (at->p - p);
  known->mask = (G_GUINT64_CONSTANT (1) << 8 * known->size) - 1;
  known->word = word & known->mask;
  return known->value;
}

/* The value of an option: an integer, or something got. */
static inline gboolean
read_number (const FbValue *memo, FbFormCursor *at, FbValue *value)
{
  const FbValue *from;

  if (at->p[0] == OP_BININT1)
    {
      fb_value_set (value, FB_VALUE_INT, at->p[1]);
      at->p += 2;
      return TRUE;
    }
  if (at->p[0] == OP_BININT)
    {
      fb_value_set (value, FB_VALUE_INT, (gint32) fb_read_le (at->p + 1, 4));
      at->p += 5;
      return TRUE;
    }
  from = fb_form_get (memo, at);
  if (from)
    fb_value_copy (value, from);
  return from != NULL;
}

/* The state of the option that was made last, {"value": 1, "key": "NAME"}, behind its NEWOBJ: MEMOIZE, dict, memo, mark, two
 * keys and their values, SETITEMS, BUILD. FALSE when it is something else. */
static gboolean
read_state (FbPickle *pickle, const FbMachine *machine, FbFormCursor *cursor, KnownGet keys[2], FbListCell *dict)
{
  static const guint8 begin[4] = { OP_MEMOIZE, OP_EMPTY_DICT, OP_MEMOIZE, OP_MARK };
  FbFormCursor at = { cursor->p + sizeof begin, cursor->memo_at };
  FbValue *object = machine->sp - 1, *items = dict->items;
  const FbValue *from[3];

  if (!fb_form_can (machine, cursor->p) || memcmp (cursor->p, begin, sizeof begin) != 0
      || !(from[0] = get_known (pickle->memo, &at, &keys[0])) || !read_number (pickle->memo, &at, &items[1])
      || !(from[1] = get_known (pickle->memo, &at, &keys[1])) || !(from[2] = fb_form_get (pickle->memo, &at))
      || at.p[0] != OP_SETITEMS || at.p[1] != OP_BUILD)
    return FALSE;
  fb_value_copy (&items[0], from[0]);
  fb_value_copy (&items[2], from[1]);
  fb_value_copy (&items[3], from[2]);
  dict->n = 4;
  fb_value_copy (at.memo_at, object);
  fb_value_set_pointer (at.memo_at + 1, FB_VALUE_DICT, dict);
  fb_value_set_pointer (&object->object->state, FB_VALUE_DICT, dict);
  *cursor = (FbFormCursor){ at.p + 2, at.memo_at + 2 };
  return TRUE;
}

/* Text that needs no closer look: ASCII, and no attribute. 8 bytes may be read behind it. */
static inline gboolean
is_plain_name (const guint8 *bytes, guint32 size)
{
  guint64 high = 0, word;

  for (guint32 i = 0; i < size; i += 8)
    {
      word = fb_read_le (bytes + i, 8);
      high |= size - i < 8 ? word << 8 * (8 - (size - i)) : word;
    }
  return size && !(high & G_GUINT64_CONSTANT (0x8080808080808080)) && !g_ascii_islower (bytes[0]);
}

/* What stands behind the name of the option before, to compare with: only the value and the number of the name differ. */
typedef struct
{
  guint64 words[4], masks[4]; /* little-endian */
  guint32 size;               /* bytes, 0 when not known */
  guint32 value, name;        /* where they are in it */
} Tail;

static const guint8 tail_middle[6] = { OP_EMPTY_TUPLE, OP_NEWOBJ, OP_MEMOIZE, OP_EMPTY_DICT, OP_MEMOIZE, OP_MARK };

/* From the one at @p, which was read. GETs of one byte, or of four, and a small value, as nearly all have. */
static void
learn_tail (Tail *tail, const guint8 *p, guint32 size)
{
  const guint32 get = size == 18 ? 2 : 5;
  guint8 mask[32];

  tail->size = 0;
  if ((size != 18 && size != 30) || p[2 * get + 6] != OP_BININT1)
    return;
  for (guint32 i = 0; i < sizeof mask; i++)
    mask[i] = i < size ? 0xff : 0;
  tail->value = 2 * get + 7;
  tail->name = size - 1 - get;
  mask[tail->value] = 0;
  for (guint32 i = 0; i + 1 < get; i++)
    mask[tail->name + i] = 0;
  for (int i = 0; i < 4; i++)
    {
      tail->masks[i] = fb_read_le (mask + 8 * i, 8);
      tail->words[i] = fb_read_le (p + 8 * i, 8) & tail->masks[i];
    }
  tail->size = size;
}

static inline gboolean
is_same_tail (const Tail *tail, const guint8 *p, guint32 name)
{
  guint64 other = 0;

  for (int i = 0; i < 4; i++)
    other |= (fb_read_le (p + 8 * i, 8) & tail->masks[i]) ^ tail->words[i];
  return other == 0 && (tail->size == 18 ? p[tail->name] : fb_read_le (p + tail->name, 4)) == name;
}

/* One more option: name, MEMOIZE, the class, no arguments, NEWOBJ, and its state as above. FALSE when it is something
 * else. @wanted: where the keys of all options are. */
static inline gboolean
read_option (FbOptionRun *run, const FbValue *memo, const FbMachine *machine, FbFormCursor *cursor, KnownGet keys[2],
             KnownGet *class, const FbValue *const wanted[2], Tail *tail)
{
  const guint8 *p = cursor->p;
  const guint32 size = p[1];
  FbFormCursor at = { p + 3 + size, cursor->memo_at + 1 };
  FbValue *name = cursor->memo_at, *value = &run->options[run->n].value;

  if (p[0] != OP_SHORT_BINUNICODE || machine->limit - p < 16 + (gssize) size || p[2 + size] != OP_MEMOIZE
      || !is_plain_name (p + 2, size))
    return FALSE;
  fb_value_set_bytes (name, FB_VALUE_TEXT, FB_ATTR_OTHER, size, p + 2);
  if (G_LIKELY (tail->size) && machine->limit - at.p >= 32 && is_same_tail (tail, at.p, (guint32) (name - memo)))
    {
      fb_value_set (value, FB_VALUE_INT, at.p[tail->value]);
      at.p += tail->size;
    }
  else
    {
      if (machine->limit - at.p < LONGEST_TAIL + 8
          || !fb_form_is_class (get_known (memo, &at, class), FB_CLASS_CONTEXT_VAR)
          || class->value->class != run->class || memcmp (at.p, tail_middle, sizeof tail_middle) != 0)
        return FALSE;
      at.p += sizeof tail_middle;
      if (get_known (memo, &at, &keys[0]) != wanted[0] || !read_number (memo, &at, value)
          || get_known (memo, &at, &keys[1]) != wanted[1] || fb_form_get (memo, &at) != name || at.p[0] != OP_SETITEMS
          || at.p[1] != OP_BUILD)
        return FALSE;
      at.p += 2;
      learn_tail (tail, p + 3 + size, (guint32) (at.p - p) - 3 - size);
    }
  fb_value_set_bytes (&run->options[run->n++].name, FB_VALUE_TEXT, FB_ATTR_OTHER, size, p + 2);
  fb_value_set_pointer (name + 1, FB_VALUE_OPTION, run->list);
  fb_value_set_pointer (name + 2, FB_VALUE_OPTION, run->list);
  *cursor = (FbFormCursor){ at.p, name + 3 };
  return TRUE;
}

/* Option @i of a run: to @to[0] its name and to @to[1] its object. */
static void
make_option (FbOptionRun *run, guint32 i, FbValue *to)
{
  FbPickle *pickle = run->pickle;
  FbStateCell *cell = fb_arena_alloc (&pickle->scratch, sizeof *cell + 4 * sizeof (FbValue));
  FbValue *entry = pickle->memo + run->memo + 3 * (gsize) i;

  fb_form_init_object (cell, run->class, pickle->empty_tuple, 4);
  cell->dict.n = 4;
  cell->items[0] = run->keys[0];
  cell->items[1] = run->options[i].value;
  cell->items[2] = run->keys[1];
  cell->items[3] = run->options[i].name;
  fb_value_set_pointer (&cell->object.state, FB_VALUE_DICT, &cell->dict);
  to[0] = run->options[i].name;
  fb_value_set_pointer (&to[1], FB_VALUE_OBJECT, &cell->object);
  /* unless something else was put there */
  if (entry[1].kind == FB_VALUE_OPTION && entry[1].list == run->list)
    fb_value_copy (&entry[1], &to[1]);
  if (entry[2].kind == FB_VALUE_OPTION && entry[2].list == run->list)
    fb_value_copy (&entry[2], &cell->object.state);
}

void
fb_list_settle_slow (FbListCell *list)
{
  FbOptionRun *run = list->run;
  FbPickle *pickle = run->pickle;
  FbValue *items = fb_arena_alloc (&pickle->scratch, sizeof (FbValue) * (list->n + 2 * (gsize) run->n));

  pickle->text_bytes -= OPTION_BYTES * run->n;
  for (guint32 i = 0; i < list->n; i++)
    items[i] = list->items[i];
  for (guint32 i = 0; i < run->n; i++)
    make_option (run, i, &items[list->n + 2 * i]);
  list->items = items;
  list->n = list->allocated = list->n + 2 * run->n;
  list->run = NULL;
}

/* The dict below the last mark that the options will be set in; NULL when it is not made for them. */
static FbListCell *
get_target (const FbPickle *pickle, const FbMachine *machine)
{
  const FbValue *target = machine->fence - 1;
  guint32 low = pickle->n_marks > 1 ? pickle->marks[pickle->n_marks - 2] : 0;

  if (pickle->n_marks == 0 || machine->fence - pickle->stack <= low || target->kind != FB_VALUE_DICT || target->list->n
      || target->list->run || (machine->sp - machine->fence) % 2)
    return NULL;
  return target->list;
}

/* The options behind the first, as a run when they are all that is set in the dict. */
static gboolean
read_run (FbPickle *pickle, FbMachine *machine, FbFormCursor *at, KnownGet keys[2], FbListCell *list)
{
  FbOptionRun *run = fb_pickle_alloc (pickle, sizeof *run + MAX_RUN * sizeof run->options[0]);
  const FbValue *const wanted[2] = { keys[0].value, keys[1].value };
  KnownGet class = { 0 };
  Tail tail = { .size = 0 };

  if (!run || !fb_pickle_new_tuple (pickle, 0, NULL))
    return FALSE;
  *run = (FbOptionRun){ .pickle = pickle,
                        .list = list,
                        .class = machine->sp[-1].object->class,
                        .keys = { *wanted[0], *wanted[1] },
                        .memo = (guint32) (at->memo_at - pickle->memo) };
  do
    {
      machine->p = at->p;
      machine->memo_at = at->memo_at;
      fb_form_set_edge (pickle, machine);
      while (run->n < MAX_RUN && fb_form_can (machine, at->p)
             && read_option (run, pickle->memo, machine, at, keys, &class, wanted, &tail))
        ;
    }
  while (run->n < MAX_RUN && !fb_form_can (machine, at->p) && at->p != machine->p);
  if (!run->n)
    return TRUE;
  if (!fb_pickle_may_allocate (pickle, OPTION_BYTES * run->n))
    return FALSE;
  if (at->p == machine->limit || at->p[0] != OP_SETITEMS)
    {
      for (guint32 i = 0; i < run->n; i++, machine->sp += 2)
        make_option (run, i, machine->sp);
      return TRUE;
    }
  if (!fb_pickle_list_extend (pickle, list, (guint32) (machine->sp - machine->fence), machine->fence))
    return FALSE;
  pickle->text_bytes += OPTION_BYTES * run->n;
  list->run = run;
  at->p++;
  machine->sp = machine->fence;
  pickle->n_marks--;
  machine->fence = pickle->stack + (pickle->n_marks ? pickle->marks[pickle->n_marks - 1] : 0);
  return TRUE;
}

gboolean
fb_form_options (FbPickle *pickle, FbMachine *machine)
{
  FbFormCursor at = { machine->p, machine->memo_at };
  FbListCell *dict = fb_pickle_new_list (pickle), *target;
  KnownGet keys[2] = { { 0 } };

  if (!dict || !fb_pickle_list_reserve (pickle, dict, 4))
    return FALSE;
  fb_form_set_edge (pickle, machine);
  if (!read_state (pickle, machine, &at, keys, dict))
    return TRUE;
  target = get_target (pickle, machine);
  if (target && !read_run (pickle, machine, &at, keys, target))
    return FALSE;
  machine->p = at.p;
  machine->memo_at = at.memo_at;
  return TRUE;
}
