/* Values as pickle.dumps writes them, taken as wholes: the arg of a node, the shape of a view. */
#include "machine-private.h"

/* More items in a tuple are left to the machine. */
#define MAX_ITEMS FB_TUPLE_SHORT
#define MAX_VIEWS 8

static gboolean read_value (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, gboolean field,
                            FbValue *value);

/* What makes an object and the dict of its state, behind the class. NULL when it is something else. */
static FbStateCell *
begin_object (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, const FbClass *class, guint32 n_items)
{
  static const guint8 begin[] = { OP_EMPTY_TUPLE, OP_NEWOBJ, OP_MEMOIZE, OP_EMPTY_DICT, OP_MEMOIZE };
  FbStateCell *cell;

  if (!fb_form_can (machine, at->p) || memcmp (at->p, begin, sizeof begin) != 0)
    return NULL;
  cell = fb_form_new_object (pickle, class, n_items);
  if (!cell)
    return NULL;
  at->p += sizeof begin;
  fb_value_set_pointer (at->memo_at++, FB_VALUE_OBJECT, &cell->object);
  fb_value_set_pointer (at->memo_at++, FB_VALUE_DICT, &cell->dict);
  return cell;
}

/* A tuple of integers of 32 bits and its MEMOIZE, straight into its cell. NULL when it is something else, or there may not
 * be the room: then it is read otherwise. */
static inline FbTupleCell *
read_ints (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at)
{
  FbArena *arena = &pickle->scratch;
  FbTupleCell *cell = (FbTupleCell *) arena->next;
  const gboolean marked = at->p[0] == OP_MARK;
  const guint8 *p = at->p + marked;
  guint32 n = 0;

  if ((gsize) (arena->end - arena->next) < sizeof *cell + sizeof (FbValue) * MAX_ITEMS)
    return NULL;
  for (; p <= machine->edge && n < MAX_ITEMS; n++)
    if (*p == OP_BININT1)
      {
        fb_value_set (&cell->items[n], FB_VALUE_INT, p[1]);
        p += 2;
      }
    else if (*p == OP_BININT2)
      {
        fb_value_set (&cell->items[n], FB_VALUE_INT, (gint64) fb_read_le (p + 1, 2));
        p += 3;
      }
    else if (*p == OP_BININT)
      {
        fb_value_set (&cell->items[n], FB_VALUE_INT, (gint32) fb_read_le (p + 1, 4));
        p += 5;
      }
    else
      break;
  if (n == 0 || p > machine->edge || p[0] != (marked ? OP_TUPLE : OP_TUPLE1 + n - 1) || (!marked && n > 3)
      || p[1] != OP_MEMOIZE)
    return NULL;
  cell->n = n;
  cell->depth = 1;
  cell->printing = cell->dims_pairs = 0;
  cell->form = FB_TUPLE_INTS;
  cell->weight = cell->level = 0;
  cell->tuple = NULL;
  cell->dims = NULL;
  arena->next += sizeof *cell + sizeof (FbValue) * n;
  arena->bytes += sizeof *cell + sizeof (FbValue) * n;
  fb_value_set_pointer (at->memo_at++, FB_VALUE_TUPLE, cell);
  at->p = p + 2;
  return cell;
}

/* The value of a field of a View, up to the next key. */
static inline gboolean
read_field (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, FbAttr attr, FbValue *value)
{
  const guint8 *p = at->p;
  FbFormCursor ahead = *at;
  FbTupleCell *cell;
  const FbValue *got;

  if (attr == FB_ATTR_OFFSET ? p[0] == OP_BININT1
                             : attr == FB_ATTR_CONTIGUOUS && p[0] >= OP_NEWTRUE && p[0] <= OP_NEWFALSE)
    {
      if (attr == FB_ATTR_OFFSET)
        fb_value_set (value, FB_VALUE_INT, p[1]);
      else
        fb_value_set (value, FB_VALUE_BOOL, p[0] == OP_NEWTRUE);
      at->p = p + 1 + (attr == FB_ATTR_OFFSET);
      return TRUE;
    }
  if (attr == FB_ATTR_MASK && p[0] == OP_NONE)
    {
      fb_value_set (value, FB_VALUE_NONE, 0);
      at->p = p + 1;
      return TRUE;
    }
  if (attr <= FB_ATTR_STRIDES)
    {
      got = fb_form_get (pickle->memo, &ahead);
      if (got && got->kind == FB_VALUE_TUPLE && (*ahead.p == OP_BINGET || *ahead.p == OP_LONG_BINGET))
        {
          fb_value_copy (value, got);
          at->p = ahead.p;
          return TRUE;
        }
      if (!got && (cell = read_ints (pickle, machine, at)))
        {
          fb_value_set_pointer (value, FB_VALUE_TUPLE, cell);
          return TRUE;
        }
    }
  return read_value (pickle, machine, at, TRUE, value);
}

/* All items of its dict are there: an object made by BUILD, which is before the cursor. */
static inline void
end_object (FbPickle *pickle, const FbFormCursor *at, FbStateCell *cell, FbValue *result)
{
  cell->dict.n = cell->dict.allocated;
  fb_value_set_pointer (&cell->object.state, FB_VALUE_DICT, &cell->dict);
  fb_value_set_pointer (result, FB_VALUE_OBJECT, &cell->object);
  pickle->at = at->p - 1;
}

/* A View, behind its class. */
static gboolean
read_view (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, const FbClass *class, FbValue *result)
{
  static const guint8 wanted[] = { FB_ATTR_SHAPE, FB_ATTR_STRIDES, FB_ATTR_OFFSET, FB_ATTR_MASK, FB_ATTR_CONTIGUOUS };
  FbStateCell *cell = begin_object (pickle, machine, at, class, 2 * G_N_ELEMENTS (wanted));
  const FbValue *key, *fields[FB_ATTR_CONTIGUOUS + 1];

  if (!cell || *at->p++ != OP_MARK)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (wanted); i++)
    {
      if (!fb_form_can (machine, at->p) || !(key = fb_form_get (pickle->memo, at)) || key->kind != FB_VALUE_TEXT
          || key->attr != wanted[i] || !read_field (pickle, machine, at, wanted[i], &cell->items[2 * i + 1]))
        return FALSE;
      fb_value_copy (&cell->items[2 * i], key);
      fields[wanted[i]] = &cell->items[2 * i + 1];
    }
  if (!fb_form_can (machine, at->p) || at->p[0] != OP_SETITEMS || at->p[1] != OP_BUILD)
    return FALSE;
  at->p += 2;
  end_object (pickle, at, cell, result);
  return fb_pickle_build_view (pickle, &cell->object, fields);
}

/* A ShapeTracker, behind its class. */
static gboolean
read_tracker (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, const FbClass *class, FbValue *result)
{
  FbStateCell *cell = begin_object (pickle, machine, at, class, 2);
  FbValue views[MAX_VIEWS];
  const FbValue *got;
  gboolean marked;
  guint32 n = 0;

  if (!cell || !(got = fb_form_get (pickle->memo, at)) || got->kind != FB_VALUE_TEXT || got->attr != FB_ATTR_VIEWS)
    return FALSE;
  fb_value_copy (&cell->items[0], got);
  marked = *at->p == OP_MARK;
  at->p += marked;
  while (fb_form_can (machine, at->p) && (got = fb_form_get (pickle->memo, at)))
    {
      if (n == MAX_VIEWS)
        return FALSE;
      if (!fb_form_is_class (got, FB_CLASS_VIEW))
        fb_value_copy (&views[n], got);
      else if (!read_view (pickle, machine, at, got->class, &views[n]))
        return FALSE;
      n++;
    }
  if (!fb_form_can (machine, at->p) || !n || at->p[0] != (marked ? OP_TUPLE : OP_TUPLE1 + n - 1) || (!marked && n > 3)
      || at->p[1] != OP_MEMOIZE || at->p[2] != OP_SETITEM || at->p[3] != OP_BUILD)
    return FALSE;
  fb_value_set_pointer (&cell->items[1], FB_VALUE_TUPLE, fb_pickle_new_tuple (pickle, n, views));
  if (!cell->items[1].tuple)
    return FALSE;
  fb_value_copy (at->memo_at++, &cell->items[1]);
  at->p += 4;
  end_object (pickle, at, cell, result);
  return fb_pickle_build_tracker (pickle, &cell->object, &cell->items[1]);
}

/* A tuple of @n items that are as @form says. */
static FbTupleCell *
new_known_tuple (FbPickle *pickle, guint32 n, const FbValue *items, FbTupleForm form)
{
  FbTupleCell *cell = fb_pickle_alloc (pickle, sizeof *cell + sizeof (FbValue) * n);

  if (!cell)
    return NULL;
  *cell = (FbTupleCell){ .n = n, .depth = form == FB_TUPLE_PAIRS ? 2 : 1, .form = (guint8) form };
  for (guint32 i = 0; i < n; i++)
    fb_value_copy (&cell->items[i], &items[i]);
  return cell;
}

/* @field: a value of the state of a View, which ends where the next key is got. Trackers are taken elsewhere only, so this
 * calls itself once at most. */
static gboolean
read_value (FbPickle *pickle, const FbMachine *machine, FbFormCursor *cursor, gboolean field, FbValue *value)
{
  FbValue items[MAX_ITEMS + 1];
  FbFormCursor at = *cursor, ahead;
  FbTupleCell *cell;
  FbTupleForm form;
  const FbValue *got;
  guint32 n = 0, low = 0, k, size;
  guint32 ints = 0, pairs = 0; /* how many of the last items are 32-bit integers, pairs of them */
  gboolean marked = FALSE;

  while (n < MAX_ITEMS && fb_form_can (machine, at.p))
    {
      const guint8 op = *at.p;

      switch (op)
        {
        case OP_BININT1:
          fb_value_set (&items[n++], FB_VALUE_INT, at.p[1]);
          at.p += 2;
          ints++;
          continue;
        case OP_BININT2:
          fb_value_set (&items[n++], FB_VALUE_INT, (gint64) fb_read_le (at.p + 1, 2));
          at.p += 3;
          ints++;
          continue;
        case OP_BININT:
          fb_value_set (&items[n++], FB_VALUE_INT, (gint32) fb_read_le (at.p + 1, 4));
          at.p += 5;
          ints++;
          continue;
        case OP_TUPLE:
        case OP_TUPLE1:
        case OP_TUPLE2:
        case OP_TUPLE3:
          if (op == OP_TUPLE && !marked)
            break;
          k = op == OP_TUPLE ? n - low : op - OP_TUPLE1 + 1u;
          if (n - low < k || at.p[1] != OP_MEMOIZE || !k)
            return FALSE;
          form = ints >= k ? FB_TUPLE_INTS : pairs >= k ? FB_TUPLE_PAIRS : FB_TUPLE_ANY;
          n -= k;
          cell = form ? new_known_tuple (pickle, k, &items[n], form) : fb_pickle_new_tuple (pickle, k, &items[n]);
          if (!cell)
            return FALSE;
          if (op == OP_TUPLE)
            {
              marked = FALSE;
              low = 0;
            }
          pairs = form == FB_TUPLE_INTS && k == 2 ? pairs + 1 : 0;
          ints = 0;
          fb_value_set_pointer (&items[n], FB_VALUE_TUPLE, cell);
          fb_value_copy (at.memo_at++, &items[n++]);
          at.p += 2;
          continue;
        case OP_MARK:
          if (marked)
            return FALSE;
          marked = TRUE;
          low = n;
          at.p++;
          continue;
        case OP_BINGET:
        case OP_LONG_BINGET:
          ahead = at;
          got = fb_form_get (pickle->memo, &ahead);
          if (!got)
            return FALSE;
          if (field && !marked && n == 1 && got->kind == FB_VALUE_TEXT)
            break;
          if (got->kind != FB_VALUE_CLASS)
            fb_value_copy (&items[n++], got);
          else if (field || got->class->id != FB_CLASS_SHAPE_TRACKER
                   || !read_tracker (pickle, machine, &ahead, got->class, &items[n++]))
            return FALSE;
          at = ahead;
          ints = pairs = 0;
          continue;
        case OP_NONE:
          fb_value_set (&items[n++], FB_VALUE_NONE, 0);
          at.p++;
          ints = pairs = 0;
          continue;
        case OP_NEWTRUE:
        case OP_NEWFALSE:
          fb_value_set (&items[n++], FB_VALUE_BOOL, op == OP_NEWTRUE);
          at.p++;
          ints = pairs = 0;
          continue;
        case OP_EMPTY_TUPLE:
          cell = fb_pickle_new_tuple (pickle, 0, NULL);
          if (!cell)
            return FALSE;
          fb_value_set_pointer (&items[n++], FB_VALUE_TUPLE, cell);
          at.p++;
          ints = pairs = 0;
          continue;
        case OP_SHORT_BINUNICODE:
          size = at.p[1];
          if (machine->limit - at.p < FB_FORM_AHEAD + (gssize) size || at.p[2 + size] != OP_MEMOIZE)
            return FALSE;
          pickle->at = at.p;
          if (!fb_scan_text (pickle, at.p + 2, size, &items[n]))
            return FALSE;
          fb_value_copy (at.memo_at++, &items[n++]);
          at.p += 3 + size;
          ints = pairs = 0;
          continue;
        default:
          break;
        }
      break;
    }
  if (n != 1 || marked)
    return FALSE;
  fb_value_copy (value, &items[0]);
  *cursor = at;
  return TRUE;
}

gboolean
fb_form_value (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, FbValue *value)
{
  const FbFormCursor start = *at;
  FbTupleCell *cell;

  if ((*at->p == OP_BININT1 || *at->p == OP_MARK) && (cell = read_ints (pickle, machine, at)))
    {
      fb_value_set_pointer (value, FB_VALUE_TUPLE, cell);
      if (fb_form_can (machine, at->p) && *at->p == OP_TUPLE)
        return TRUE;
      *at = start; /* the first item of a longer one */
    }
  return read_value (pickle, machine, at, FALSE, value);
}
