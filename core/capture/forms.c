/* Nodes as pickle.dumps writes them, taken as wholes: most of a capture is
 *
 *   GET UOp  MARK  GET op  GET dtype  source...  TUPLE1  MEMOIZE  arg  TUPLE  MEMOIZE  REDUCE  MEMOIZE
 *
 * with the same inside for each source. Stack, marks and memo are those of the machine, which goes on wherever the bytes
 * are not as expected. */
#include "machine-private.h"

/* Sources of a node that are written without a mark. */
#define MAX_SOURCES 3
/* Fields of a data type. */
#define MAX_FIELDS 10

/* What ends a call. */
static const guint8 call[4] = { OP_TUPLE, OP_MEMOIZE, OP_REDUCE, OP_MEMOIZE };

/* An op met for the first time: getattr (Ops, "NAME"), or Ops (number). The GET of its class is behind us. */
static gboolean
read_new_op (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, const FbValue *class, FbValue *result)
{
  const guint8 *p;
  FbValue value;
  FbOp op;

  if (fb_form_is_class (class, FB_CLASS_OPS))
    {
      p = at->p;
      if (p[0] != OP_BININT1 || p[2] != OP_TUPLE1 || p[3] != OP_MEMOIZE || p[4] != OP_REDUCE || p[5] != OP_MEMOIZE)
        return FALSE;
      fb_value_set (&value, FB_VALUE_INT, p[1]);
      pickle->at = p + 4;
      at->p = p + 6;
      if (!fb_pickle_call (pickle, FB_CLASS_OPS, 1, &value, result))
        return FALSE;
    }
  else
    {
      if (!fb_form_is_class (class, FB_CLASS_GETATTR)
          || !fb_form_is_class (fb_form_get (pickle->memo, at), FB_CLASS_OPS))
        return FALSE;
      p = at->p;
      if (p[0] != OP_SHORT_BINUNICODE || machine->limit - p < FB_FORM_AHEAD + p[1])
        return FALSE;
      at->p += 2 + p[1];
      if (at->p[0] != OP_MEMOIZE || at->p[1] != OP_TUPLE2 || at->p[2] != OP_MEMOIZE || at->p[3] != OP_REDUCE
          || at->p[4] != OP_MEMOIZE)
        return FALSE;
      op = fb_op_lookup ((const char *) p + 2, p[1]);
      if (op == FB_OP_NONE)
        return FALSE;
      at->p += 5;
      pickle->ops_by_name = TRUE;
      fb_value_set_bytes (at->memo_at++, FB_VALUE_TEXT, FB_ATTR_OTHER, p[1], p + 2);
      fb_value_set (result, FB_VALUE_OP, op);
    }
  fb_value_set (at->memo_at++, FB_VALUE_SPENT, 0);
  fb_value_copy (at->memo_at++, result);
  return TRUE;
}

/* A data type that is made where it is used: the GET of its class is behind us, its fields and the call follow. */
static gboolean
read_new_dtype (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, const FbValue *class, FbValue *result)
{
  FbValue fields[MAX_FIELDS];
  const FbValue *got;
  const guint8 *p;
  guint32 n = 0, size;

  if (class->kind != FB_VALUE_CLASS || class->class->id < FB_CLASS_DTYPE || class->class->id > FB_CLASS_IMAGE_DTYPE
      || *at->p++ != OP_MARK)
    return FALSE;
  for (; n < MAX_FIELDS && fb_form_can (machine, at->p) && *at->p != OP_TUPLE; n++)
    {
      p = at->p;
      size = p[1];
      switch (*p)
        {
        case OP_BININT1:
          fb_value_set (&fields[n], FB_VALUE_INT, p[1]);
          at->p += 2;
          break;
        case OP_BININT2:
          fb_value_set (&fields[n], FB_VALUE_INT, (gint64) fb_read_le (p + 1, 2));
          at->p += 3;
          break;
        case OP_BININT:
          fb_value_set (&fields[n], FB_VALUE_INT, (gint32) fb_read_le (p + 1, 4));
          at->p += 5;
          break;
        case OP_NONE:
          fb_value_set (&fields[n], FB_VALUE_NONE, 0);
          at->p++;
          break;
        case OP_NEWTRUE:
        case OP_NEWFALSE:
          fb_value_set (&fields[n], FB_VALUE_BOOL, *p == OP_NEWTRUE);
          at->p++;
          break;
        case OP_SHORT_BINUNICODE:
          pickle->at = p;
          if (machine->limit - p < FB_FORM_AHEAD + (gssize) size || p[2 + size] != OP_MEMOIZE
              || !fb_scan_text (pickle, p + 2, size, &fields[n]))
            return FALSE;
          fb_value_copy (at->memo_at++, &fields[n]);
          at->p += 3 + size;
          break;
        default:
          if (!(got = fb_form_get (pickle->memo, at)))
            return FALSE;
          fb_value_copy (&fields[n], got);
        }
    }
  if (!fb_form_can (machine, at->p) || memcmp (at->p, call, sizeof call) != 0)
    return FALSE;
  pickle->at = at->p + 2;
  if (!fb_pickle_call (pickle, class->class->id, n, fields, result))
    return FALSE;
  fb_value_set (at->memo_at, FB_VALUE_SPENT, 0);
  fb_value_copy (at->memo_at + 1, result);
  *at = (FbFormCursor){ at->p + sizeof call, at->memo_at + 2 };
  return TRUE;
}

/* The arg of a node when it is no None, up to the call of the class. FALSE when it is not like that. */
static gboolean
read_arg (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, FbValue *arg)
{
  const guint8 *p = at->p;
  guint64 bits;
  double f;

  if (p[0] == OP_BININT1 && p[2] == OP_TUPLE)
    {
      fb_value_set (arg, FB_VALUE_INT, p[1]);
      at->p = p + 2;
      return TRUE;
    }
  if (p[0] == OP_BINFLOAT && p[9] == OP_TUPLE)
    {
      memcpy (&bits, p + 1, 8);
      bits = GUINT64_FROM_BE (bits);
      memcpy (&f, &bits, sizeof f);
      fb_scan_float (pickle, f, arg);
      at->p = p + 9;
      return TRUE;
    }
  return fb_form_value (pickle, machine, at, arg) && fb_form_can (machine, at->p);
}

/* The height of the stack at the last mark below @mark. */
static inline guint32
height_below (const FbPickle *pickle, const guint32 *mark)
{
  return mark > pickle->marks ? mark[-1] : 0;
}

/* Are these sources, and above their mark and below it all else of a node? */
static gboolean
is_begun (const FbPickle *pickle, const guint32 *mark, const FbValue *first, guint32 n)
{
  const FbValue *fence = pickle->stack + *mark;

  /* where they are first: a tuple of three may be asked of a stack of less */
  if (*mark <= height_below (pickle, mark) || first - fence != 2)
    return FALSE;
  for (guint32 i = 0; i < n; i++)
    if (first[i].kind != FB_VALUE_UOP)
      return FALSE;
  return fence[0].kind == FB_VALUE_OP && fence[1].kind == FB_VALUE_DTYPE && fb_form_is_class (fence - 1, FB_CLASS_UOP);
}

/* In one function, so that where it stands is in registers. */
gboolean
fb_form_nodes (FbPickle *pickle, FbMachine *machine)
{
  FbValue *const stack = pickle->stack, *const memo = pickle->memo;
  const FbValue *got, *op;
  FbFormCursor at = { machine->p, machine->memo_at }, ahead;
  guint32 *mark = pickle->marks + pickle->n_marks; /* above the last */
  guint32 known = 0;                               /* nodes that were begun here: what is above their marks is known */
  guint64 word;
  guint32 n;
  FbValue *sp = machine->sp, *fence, *first, *entry, arg;
  FbUop *sources[MAX_SOURCES];

  fb_form_set_edge (pickle, machine);
next:
  if (G_UNLIKELY (!fb_form_can (machine, at.p)))
    {
      machine->p = at.p;
      machine->sp = sp;
      machine->memo_at = at.memo_at;
      fb_form_set_edge (pickle, machine);
      if (!fb_form_can (machine, at.p))
        goto leave;
    }
  word = fb_read_le (at.p, 8);
  if ((word & FB_FORM_NODE_MASK) == pickle->node_begin)
    {
      op = memo + (word >> 32 & 0xff);
      got = memo + (word >> 48 & 0xff);
      fb_value_copy (sp++, memo + (word >> 8 & 0xff));
      at.p += 2;
      if (op >= at.memo_at || op->kind != FB_VALUE_OP || got >= at.memo_at || got->kind != FB_VALUE_DTYPE
          || mark == pickle->marks + pickle->marks_allocated)
        goto node;
      *mark++ = (guint32) (sp - stack);
      fb_value_copy (sp, op);
      fb_value_copy (sp + 1, got);
      sp += 2;
      at.p += 5;
      known++;
      goto next;
    }
  switch (word & 0xff)
    {
    case OP_TUPLE1:
    case OP_TUPLE2:
    case OP_TUPLE3:
      n = (guint32) (word & 0xff) - OP_TUPLE1 + 1;
      if ((word >> 8 & 0xff) != OP_MEMOIZE)
        goto leave;
      goto tuple;
    case OP_EMPTY_TUPLE:
      n = 0;
      goto tuple;
    case OP_MARK:
      if ((guint32) (sp - stack) <= height_below (pickle, mark) || !fb_form_is_class (sp - 1, FB_CLASS_UOP))
        goto leave;
      goto node;
    default:
      ahead = at;
      got = fb_form_get (memo, &ahead);
      if (!got || (got->kind != FB_VALUE_UOP && !fb_form_is_class (got, FB_CLASS_UOP)))
        goto leave;
      fb_value_copy (sp++, got);
      at = ahead;
      if (got->kind == FB_VALUE_UOP)
        goto next;
      if (*at.p != OP_MARK)
        goto leave;
    }

node: /* the mark, the op and the dtype, behind the class */
  if (G_UNLIKELY (mark == pickle->marks + pickle->marks_allocated))
    goto leave;
  ahead = (FbFormCursor){ at.p + 1, at.memo_at };
  got = fb_form_get (memo, &ahead);
  if (!got)
    goto leave;
  if (got->kind != FB_VALUE_OP)
    {
      FbFormCursor further = ahead;

      if (!read_new_op (pickle, machine, &further, got, &arg))
        goto leave;
      ahead = further;
      got = &arg;
    }
  *mark++ = (guint32) (sp - stack);
  fb_value_copy (sp++, got);
  at = ahead;
  if (!fb_form_can (machine, at.p))
    goto leave;
  got = fb_form_get (memo, &ahead);
  if (!got)
    goto leave;
  if (got->kind != FB_VALUE_DTYPE)
    {
      FbFormCursor further = ahead;

      if (!read_new_dtype (pickle, machine, &further, got, &arg))
        goto leave;
      ahead = further;
      got = &arg;
    }
  fb_value_copy (sp++, got);
  at = ahead;
  known++;
  goto next;

tuple: /* the sources, the arg, the call */
  if (G_UNLIKELY (mark == pickle->marks))
    goto leave;
  fence = stack + mark[-1];
  first = sp - n;
  if (G_LIKELY (known) ? first - fence != 2 : !is_begun (pickle, mark - 1, first, n))
    goto leave;
  for (guint32 i = 0; i < n; i++)
    sources[i] = first[i].uop;
  entry = at.memo_at;
  ahead = (FbFormCursor){ at.p + 1 + (n > 0), entry + (n > 0) };
  if (n)
    fb_value_set (entry, FB_VALUE_SOURCES, 0); /* not known yet */
  if (*ahead.p == OP_NONE)
    {
      fb_value_set (&arg, FB_VALUE_NONE, 0);
      ahead.p++;
    }
  else
    {
      FbFormCursor further = ahead;

      if (!read_arg (pickle, machine, &further, &arg))
        goto leave_sources;
      ahead = further;
    }
  if (memcmp (ahead.p, call, sizeof call) != 0)
    goto leave_sources;
  pickle->at = ahead.p + 2;
  if (!fb_pickle_new_node (pickle, fence, n, sources, &arg, fence - 1))
    return FALSE;
  if (n)
    fb_value_set_pointer (entry, FB_VALUE_SOURCES, fence[-1].uop);
  fb_value_set (ahead.memo_at, FB_VALUE_SPENT, 0);
  fb_value_copy (ahead.memo_at + 1, fence - 1);
  at = (FbFormCursor){ ahead.p + 4, ahead.memo_at + 2 };
  mark--;
  known -= known > 0;
  sp = fence;
  goto next;

leave_sources: /* the arg is for the machine */
  fb_value_set_pointer (first, FB_VALUE_TUPLE, fb_pickle_new_sources (pickle, n, sources));
  if (n)
    fb_value_copy (entry, first);
  at = (FbFormCursor){ at.p + 1 + (n > 0), entry + (n > 0) };
  sp = first + 1;
leave:
  pickle->n_marks = (guint32) (mark - pickle->marks);
  machine->p = at.p;
  machine->memo_at = at.memo_at;
  machine->sp = sp;
  machine->fence = stack + height_below (pickle, mark);
  return pickle->error == NULL;
}
