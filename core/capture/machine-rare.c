/* Opcodes of old protocols, those that pickle seldom writes, and those that are refused. */
#include "machine-private.h"

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
  return fb_machine_find_global (pickle, module, module_len, name, name_len, value);
}

/* REDUCE of @callable with the @n values above the last mark, which are taken. */
static gboolean
make_instance (FbPickle *pickle, const FbValue *callable, guint32 n, const FbValue *items, FbValue *result)
{
  FbValue arguments;

  fb_value_set_pointer (&arguments, FB_VALUE_TUPLE, fb_pickle_new_tuple (pickle, n, items));
  return arguments.tuple && fb_pickle_reduce (pickle, callable, &arguments, result);
}

/* Takes the values above the last mark: @first is the lowest, @n how many. */
static gboolean
take_to_mark (FbPickle *pickle, FbMachine *machine, FbValue **first, guint32 *n)
{
  if (!pickle->n_marks)
    return fb_pickle_fail (pickle, "there is no mark to go back to");
  *first = pickle->stack + pickle->marks[--pickle->n_marks];
  *n = (guint32) (machine->sp - *first);
  machine->sp = *first;
  machine->fence = pickle->stack + (pickle->n_marks ? pickle->marks[pickle->n_marks - 1] : 0);
  return TRUE;
}

/* The length of what follows, in @size bytes. FALSE when it is cut. */
static gboolean
read_length (FbMachine *machine, guint size, guint64 *length)
{
  if (machine->limit - machine->p < (gssize) size)
    return FALSE;
  *length = fb_read_le (machine->p, size);
  machine->p += size;
  return (guint64) (machine->limit - machine->p) >= *length;
}

/* Texts, bytes and integers with lengths of other sizes. @result is pushed by the caller. */
static gboolean
read_counted (FbPickle *pickle, FbMachine *machine, guint8 op, FbValue *result)
{
  guint size = op == OP_SHORT_BINBYTES ? 1 : op == OP_BINBYTES || op == OP_LONG4 ? 4 : 8;
  guint64 length = 0;
  gboolean whole = read_length (machine, size, &length);
  const guint8 *bytes = machine->p;

  if (op == OP_LONG4 && length > G_MAXINT32)
    return fb_pickle_fail (pickle, "an integer has a negative length");
  if (!whole)
    return fb_machine_fail_truncated (pickle, machine);
  machine->p += length;
  if (op == OP_LONG4)
    return fb_scan_integer (pickle, bytes, length, result);
  if (op == OP_BINUNICODE8)
    return fb_scan_text (pickle, bytes, length, result);
  fb_value_set_bytes (result, op == OP_BYTEARRAY8 ? FB_VALUE_BYTEARRAY : FB_VALUE_BYTES, FB_ATTR_OTHER, length, bytes);
  return TRUE;
}

/* What protocol 0 writes as a line. PUT has no @result. */
static gboolean
read_text_form (FbPickle *pickle, FbMachine *machine, guint8 op, FbValue *result)
{
  gsize len;
  const char *line = read_line (&machine->p, machine->limit, &len);
  guint64 index;
  FbValue *entry;

  if (!line)
    return fb_machine_fail_truncated (pickle, machine);
  switch (op)
    {
    case OP_INT:
      if (len != 2 || line[0] != '0' || (line[1] != '0' && line[1] != '1'))
        return fb_scan_decimal (pickle, line, len, result);
      fb_value_set (result, FB_VALUE_BOOL, line[1] == '1');
      return TRUE;
    case OP_LONG:
      return fb_scan_decimal (pickle, line, len && line[len - 1] == 'L' ? len - 1 : len, result);
    case OP_FLOAT:
      return fb_scan_decimal_float (pickle, line, len, result);
    case OP_STRING:
    case OP_UNICODE:
      return fb_scan_quoted (pickle, line, len, op == OP_UNICODE, result);
    case OP_PUT:
      if (!read_index (pickle, line, len, &index))
        return FALSE;
      if (machine->sp == machine->fence)
        return fb_machine_fail_underflow (pickle);
      return fb_machine_put (pickle, machine, index);
    default: /* GET */
      if (!read_index (pickle, line, len, &index))
        return FALSE;
      entry = pickle->memo + MIN (index, G_MAXUINT32);
      if (!fb_machine_get_slow (pickle, machine, entry, MIN (index, G_MAXUINT32)))
        return FALSE;
      fb_value_copy (result, entry);
      return TRUE;
    }
}

gboolean
fb_machine_run_rare (FbPickle *pickle, FbMachine *machine)
{
  const guint8 op = machine->p[-1];
  FbValue *first, value, callable;
  gboolean cut;
  guint32 n;

  switch (op)
    {
    case OP_LONG4:
    case OP_BINUNICODE8:
    case OP_SHORT_BINBYTES:
    case OP_BINBYTES:
    case OP_BINBYTES8:
    case OP_BYTEARRAY8:
      if (!read_counted (pickle, machine, op, &value))
        return FALSE;
      break;
    case OP_INT:
    case OP_LONG:
    case OP_FLOAT:
    case OP_STRING:
    case OP_UNICODE:
    case OP_GET:
      if (!read_text_form (pickle, machine, op, &value))
        return FALSE;
      break;
    case OP_PUT:
      return read_text_form (pickle, machine, op, NULL);
    case OP_GLOBAL:
    case OP_INST:
      if (!read_global (pickle, &machine->p, machine->limit, &cut, &value))
        return cut ? fb_machine_fail_truncated (pickle, machine) : FALSE;
      if (op == OP_GLOBAL)
        break;
      callable = value;
      if (!take_to_mark (pickle, machine, &first, &n) || !make_instance (pickle, &callable, n, first, &value))
        return FALSE;
      break;
    case OP_OBJ:
      if (!take_to_mark (pickle, machine, &first, &n))
        return FALSE;
      if (!n)
        return fb_machine_fail_underflow (pickle);
      if (!make_instance (pickle, first, n - 1, first + 1, &value))
        return FALSE;
      break;
    case OP_DICT:
    case OP_LIST:
    case OP_FROZENSET:
      if (!take_to_mark (pickle, machine, &first, &n))
        return FALSE;
      if (op == OP_DICT && n % 2)
        return fb_pickle_fail (pickle, "a key has no value");
      fb_value_set_pointer (&value,
                            op == OP_DICT   ? FB_VALUE_DICT
                            : op == OP_LIST ? FB_VALUE_LIST
                                            : FB_VALUE_FROZENSET,
                            fb_pickle_new_list (pickle));
      if (!value.list || !fb_pickle_list_extend (pickle, value.list, n, first))
        return FALSE;
      break;
    case OP_NEWOBJ_EX:
      if (machine->sp - machine->fence < 3)
        return fb_machine_fail_underflow (pickle);
      first = machine->sp -= 3;
      if (first[2].kind != FB_VALUE_DICT)
        return fb_pickle_fail (pickle, "the keyword arguments of a new object are no dict");
      if (!fb_pickle_new_object (pickle, first, first + 1, &value))
        return FALSE;
      fb_list_settle (first[2].list);
      if (first[2].list->n && value.kind == FB_VALUE_OBJECT)
        value.object->state = first[2];
      break;
    case OP_POP:
      if (machine->sp != machine->fence)
        {
          machine->sp--;
          return TRUE;
        }
      if (!pickle->n_marks)
        return fb_machine_fail_underflow (pickle);
      return take_to_mark (pickle, machine, &first, &n);
    case OP_POP_MARK:
      return take_to_mark (pickle, machine, &first, &n);
    case OP_DUP:
      if (machine->sp == machine->fence)
        return fb_machine_fail_underflow (pickle);
      fb_value_copy (&value, machine->sp - 1);
      break;
    case OP_PERSID:
    case OP_BINPERSID:
      return fb_pickle_fail (pickle, "a persistent id refers to something outside the file, which is refused");
    case OP_EXT1:
    case OP_EXT2:
    case OP_EXT4:
      return fb_pickle_fail (pickle, "an extension code refers to a registry outside the file, which is refused");
    case OP_NEXT_BUFFER:
    case OP_READONLY_BUFFER:
      return fb_pickle_fail (pickle, "an out-of-band buffer is not in the file, which is refused");
    default:
      return fb_pickle_fail (pickle, "0x%02x is no pickle opcode", op);
    }
  fb_value_copy (machine->sp++, &value);
  return TRUE;
}
