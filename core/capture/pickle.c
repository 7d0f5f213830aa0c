#include "pickle-private.h"

#include <gmp.h>
#include <stdarg.h>
#include <string.h>

#define MIB ((gsize) 1024 * 1024)
#define NEWEST_PROTOCOL 5
/* Python refuses the text of an integer with more digits (sys.int_info.default_max_str_digits). */
#define MAX_INT_DIGITS 4300
#define MAX_INT_BYTES 1787

enum
{
  OP_MARK = '(',
  OP_STOP = '.',
  OP_POP = '0',
  OP_POP_MARK = '1',
  OP_DUP = '2',
  OP_BINBYTES = 'B',
  OP_SHORT_BINBYTES = 'C',
  OP_FLOAT = 'F',
  OP_BINFLOAT = 'G',
  OP_INT = 'I',
  OP_BININT = 'J',
  OP_BININT1 = 'K',
  OP_LONG = 'L',
  OP_BININT2 = 'M',
  OP_NONE = 'N',
  OP_PERSID = 'P',
  OP_BINPERSID = 'Q',
  OP_REDUCE = 'R',
  OP_STRING = 'S',
  OP_BINSTRING = 'T',
  OP_SHORT_BINSTRING = 'U',
  OP_UNICODE = 'V',
  OP_BINUNICODE = 'X',
  OP_EMPTY_LIST = ']',
  OP_APPEND = 'a',
  OP_BUILD = 'b',
  OP_GLOBAL = 'c',
  OP_DICT = 'd',
  OP_APPENDS = 'e',
  OP_GET = 'g',
  OP_BINGET = 'h',
  OP_INST = 'i',
  OP_LONG_BINGET = 'j',
  OP_LIST = 'l',
  OP_OBJ = 'o',
  OP_PUT = 'p',
  OP_BINPUT = 'q',
  OP_LONG_BINPUT = 'r',
  OP_SETITEM = 's',
  OP_TUPLE = 't',
  OP_SETITEMS = 'u',
  OP_EMPTY_TUPLE = ')',
  OP_EMPTY_DICT = '}',
  OP_PROTO = 0x80,
  OP_NEWOBJ = 0x81,
  OP_EXT1 = 0x82,
  OP_EXT2 = 0x83,
  OP_EXT4 = 0x84,
  OP_TUPLE1 = 0x85,
  OP_TUPLE2 = 0x86,
  OP_TUPLE3 = 0x87,
  OP_NEWTRUE = 0x88,
  OP_NEWFALSE = 0x89,
  OP_LONG1 = 0x8a,
  OP_LONG4 = 0x8b,
  OP_SHORT_BINUNICODE = 0x8c,
  OP_BINUNICODE8 = 0x8d,
  OP_BINBYTES8 = 0x8e,
  OP_EMPTY_SET = 0x8f,
  OP_ADDITEMS = 0x90,
  OP_FROZENSET = 0x91,
  OP_NEWOBJ_EX = 0x92,
  OP_STACK_GLOBAL = 0x93,
  OP_MEMOIZE = 0x94,
  OP_FRAME = 0x95,
  OP_BYTEARRAY8 = 0x96,
  OP_NEXT_BUFFER = 0x97,
  OP_READONLY_BUFFER = 0x98,
};

void
fb_pickle_limits_init (FbPickleLimits *limits)
{
  *limits = (FbPickleLimits){
    .max_size = 1024 * MIB,
    .max_memo = 64u << 20,
    .max_stack = 64u << 20,
    .max_bytes = 8192 * MIB,
    .base_bytes = 64 * MIB,
    .bytes_per_byte = 512,
    .max_text = 256 * 1024,
    .max_level = 8,
    .max_depth = 64,
  };
}

FbPickle *
fb_pickle_new (void)
{
  FbPickle *pickle = g_new0 (FbPickle, 1);

  fb_pickle_limits_init (&pickle->limits);
  fb_arena_init (&pickle->scratch);
  pickle->walk = g_ptr_array_new ();
  return pickle;
}

void
fb_pickle_free (FbPickle *pickle)
{
  if (!pickle)
    return;
  fb_arena_clear (&pickle->scratch);
  g_free (pickle->stack);
  g_free (pickle->marks);
  g_free (pickle->memo);
  g_free (pickle->info);
  g_free (pickle->sources);
  g_ptr_array_unref (pickle->walk);
  g_clear_error (&pickle->error);
  g_free (pickle);
}

FbPickleLimits *
fb_pickle_limits (FbPickle *pickle)
{
  return &pickle->limits;
}

int
fb_pickle_protocol (FbPickle *pickle)
{
  return pickle->protocol;
}

gboolean
fb_pickle_ops_by_value (FbPickle *pickle)
{
  return pickle->ops_by_value;
}

gboolean
fb_pickle_fail (FbPickle *pickle, const char *format, ...)
{
  va_list args;
  g_autofree char *message = NULL, *row = NULL;

  if (pickle->error)
    return FALSE;
  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  if (pickle->options.row)
    row = g_strdup_printf (": row %u", pickle->options.row);
  pickle->error = g_error_new (FB_CAPTURE_ERROR, FB_CAPTURE_ERROR_PICKLE, "%s%s, byte %" G_GSIZE_FORMAT ": %s.",
                               pickle->options.path, row ? row : "", (gsize) (pickle->at - pickle->start), message);
  return FALSE;
}

gboolean
fb_pickle_fail_bytes (FbPickle *pickle)
{
  return fb_pickle_fail (pickle,
                         "reading this pickle takes more than %" G_GSIZE_FORMAT " bytes of memory, which is refused",
                         pickle->max_bytes);
}

FbTupleCell *
fb_pickle_new_tuple (FbPickle *pickle, guint32 n, const FbValue *items)
{
  gsize size = sizeof (FbTupleCell) + sizeof (FbValue) * (gsize) n;
  FbTupleCell *cell;
  guint depth = 1;

  if (!fb_pickle_may_allocate (pickle, size))
    return NULL;
  cell = fb_arena_alloc (&pickle->scratch, size);
  for (guint32 i = 0; items && i < n; i++)
    {
      cell->items[i] = items[i];
      if (items[i].kind == FB_VALUE_TUPLE)
        depth = MAX (depth, items[i].tuple->depth + 1u);
    }
  cell->n = n;
  cell->depth = (guint16) MIN (depth, G_MAXUINT16);
  cell->printing = 0;
  cell->dims_pairs = 0;
  cell->weight = 0;
  cell->level = 0;
  cell->tuple = NULL;
  cell->dims = NULL;
  return cell;
}

FbListCell *
fb_pickle_new_list (FbPickle *pickle)
{
  FbListCell *list;

  if (!fb_pickle_may_allocate (pickle, sizeof *list))
    return NULL;
  list = fb_arena_alloc (&pickle->scratch, sizeof *list);
  *list = (FbListCell){ 0 };
  return list;
}

gboolean
fb_pickle_list_extend (FbPickle *pickle, FbListCell *list, guint32 n, const FbValue *items)
{
  if (list->allocated - list->n < n)
    {
      guint64 want = MAX ((guint64) list->n + n, (guint64) list->allocated * 2);
      FbValue *more;

      if (want > G_MAXUINT32 || !fb_pickle_may_allocate (pickle, sizeof (FbValue) * want))
        return fb_pickle_fail_bytes (pickle);
      more = fb_arena_alloc (&pickle->scratch, sizeof (FbValue) * want);
      if (list->n)
        memcpy (more, list->items, sizeof (FbValue) * list->n);
      list->items = more;
      list->allocated = (guint32) want;
    }
  if (n)
    memcpy (list->items + list->n, items, sizeof (FbValue) * n);
  list->n += n;
  return TRUE;
}

static inline guint64
read_le (const guint8 *p, guint n)
{
  guint64 value = 0;

  for (guint i = n; i-- > 0;)
    value = value << 8 | p[i];
  return value;
}

static gboolean
grow_stack (FbPickle *pickle)
{
  gsize n = (gsize) (pickle->stack_end - pickle->stack), want = MIN (MAX (n * 2, 1024), pickle->limits.max_stack);

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
put_memo (FbPickle *pickle, guint64 index, gsize len, FbValue value)
{
  if (index >= pickle->limits.max_memo || index > len)
    return fb_pickle_fail (pickle, "memo entry %" G_GUINT64_FORMAT " is beyond what this pickle can need", index);
  if (index >= pickle->memo_allocated)
    {
      gsize want = MAX ((gsize) pickle->memo_allocated * 2, MAX (1024, (gsize) index + 1));

      if (!fb_pickle_may_allocate (pickle, sizeof (FbValue) * want))
        return FALSE;
      pickle->memo = g_renew (FbValue, pickle->memo, want);
      pickle->memo_allocated = (guint32) want;
    }
  while (pickle->memo_used <= index)
    pickle->memo[pickle->memo_used++] = (FbValue){ .kind = FB_VALUE_UNSET };
  pickle->n_memo += pickle->memo[index].kind == FB_VALUE_UNSET;
  pickle->memo[index] = value;
  return TRUE;
}

static gboolean
text_value (FbPickle *pickle, const guint8 *bytes, gsize len, FbValue *value)
{
  gsize ascii = 0;

  while (ascii < len && bytes[ascii] < 0x80)
    ascii++;
  if (ascii < len && !g_utf8_validate_len ((const char *) bytes, len, NULL))
    return fb_pickle_fail (pickle, "a string is not valid UTF-8");
  *value = (FbValue){ .kind = FB_VALUE_TEXT, .attr = fb_attr_lookup (bytes, len), .n = (guint32) len, .bytes = bytes };
  return TRUE;
}

static gboolean
integer_from_bytes (FbPickle *pickle, const guint8 *bytes, gsize len, FbValue *value)
{
  FbArg arg;

  if (len > MAX_INT_BYTES)
    return fb_pickle_fail (pickle,
                           "an integer of %" G_GSIZE_FORMAT " bytes is refused; Python prints at most %d digits", len,
                           MAX_INT_DIGITS);
  if (!fb_pickle_may_allocate (pickle, len + 64))
    return FALSE;
  arg = fb_arg_int_from_bytes (pickle->context, bytes, len);
  *value = (FbValue){ .kind = (guint8) arg.kind, .i = arg.i };
  return TRUE;
}

/* Decimal text of protocol 0: digits with an optional sign. */
static gboolean
integer_from_text (FbPickle *pickle, const char *text, gsize len, FbValue *value)
{
  gsize digits = len, n_bytes;
  gboolean negative = len && text[0] == '-';
  g_autofree char *copy = NULL;
  g_autofree guint8 *bytes = NULL;
  mpz_t n;

  if (len && (text[0] == '-' || text[0] == '+'))
    text++, digits--;
  for (gsize i = 0; i < digits; i++)
    if (!g_ascii_isdigit (text[i]))
      digits = 0;
  if (!digits)
    return fb_pickle_fail (pickle, "an integer is not written in decimal");
  if (digits > MAX_INT_DIGITS)
    return fb_pickle_fail (pickle, "an integer of %" G_GSIZE_FORMAT " digits is refused; Python prints at most %d",
                           digits, MAX_INT_DIGITS);
  copy = g_strndup (text, digits);
  mpz_init_set_str (n, copy, 10);
  n_bytes = mpz_sizeinbase (n, 2) / 8 + 1;
  if (negative) /* two's complement: 2^(8 n) - |n| */
    {
      mpz_t power;
      mpz_init_set_ui (power, 1);
      mpz_mul_2exp (power, power, 8 * n_bytes);
      if (mpz_sgn (n))
        mpz_sub (n, power, n);
      mpz_clear (power);
    }
  bytes = g_malloc0 (n_bytes + sizeof (mp_limb_t));
  mpz_export (bytes, NULL, -1, 1, -1, 0, n);
  mpz_clear (n);
  return integer_from_bytes (pickle, bytes, n_bytes, value);
}

static FbValue
float_value (FbPickle *pickle, double f)
{
  FbArg arg = f != f ? fb_arg_new_nan (pickle->context) : fb_arg_float (f);
  return (FbValue){ .kind = FB_VALUE_FLOAT, .f = arg.f };
}

static gboolean
float_from_text (FbPickle *pickle, const char *text, gsize len, FbValue *value)
{
  g_autofree char *copy = g_strndup (text, MIN (len, 512));
  char *end;
  double f = g_ascii_strtod (copy, &end);

  if (len == 0 || len > 511 || *end || end == copy)
    return fb_pickle_fail (pickle, "a float is not written as a decimal number");
  *value = float_value (pickle, f);
  return TRUE;
}

/* Python 2's quoted 'text\n' of protocol 0, or @raw: the raw-unicode-escape of UNICODE. */
static gboolean
string_from_text (FbPickle *pickle, const char *text, gsize len, gboolean raw, FbValue *value)
{
  g_autoptr (GString) out = g_string_sized_new (len);
  const char *p = text, *end = text + len;

  if (!raw)
    {
      if (len < 2 || (*p != '\'' && *p != '"') || end[-1] != *p)
        return fb_pickle_fail (pickle, "a string is not in quotes");
      p++, end--;
    }
  while (p < end)
    {
      static const char escapes[] = "\\\\''\"\"n\nr\rt\tb\bf\fv\va\a";
      guint digits = 0;
      const char *found = NULL;

      if (*p != '\\' || (raw && !(end - p > 1 && (p[1] == 'u' || p[1] == 'U'))))
        {
          if (*p & 0x80) /* both forms are Latin-1 */
            g_string_append_unichar (out, (guint8) *p++);
          else
            g_string_append_c (out, *p++);
          continue;
        }
      if (++p == end)
        return fb_pickle_fail (pickle, "a string ends in a backslash");
      digits = raw ? (*p == 'u' ? 4 : 8) : (*p == 'x' ? 2 : 0);
      if (digits)
        {
          gunichar c = 0;

          for (p++; digits; digits--, p++)
            {
              if (p == end || !g_ascii_isxdigit (*p))
                return fb_pickle_fail (pickle, "a string has an incomplete escape");
              c = c * 16 + (gunichar) g_ascii_xdigit_value (*p);
            }
          if (!g_unichar_validate (c))
            return fb_pickle_fail (pickle, "a string holds U+%X, which is no character", c);
          g_string_append_unichar (out, c);
          continue;
        }
      for (const char *e = escapes; *e && !found; e += 2)
        if (*e == *p)
          found = e + 1;
      if (!found)
        return fb_pickle_fail (pickle, "a string has the unknown escape \\%c", g_ascii_isprint (*p) ? *p : '?');
      g_string_append_c (out, *found);
      p++;
    }
  if (!fb_pickle_may_allocate (pickle, out->len + 1))
    return FALSE;
  return text_value (pickle, fb_arena_memdup (&pickle->scratch, out->str, out->len + 1), out->len, value);
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

  if (!g_utf8_validate_len (module, module_len, NULL) || !g_utf8_validate_len (name, name_len, NULL))
    return fb_pickle_fail (pickle, "the name of a global is not valid UTF-8");
  if (module_len > 1024 || name_len > 1024)
    return fb_pickle_fail (pickle, "the name of a global is longer than 1,024 bytes");
  class = fb_class_lookup (pickle, module, module_len, name, name_len);
  *value = (FbValue){ .kind = FB_VALUE_CLASS, .class = class };
  return class != NULL;
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
#define PUSH(...)                                                                             \
  do                                                                                          \
    {                                                                                         \
      FbValue pushed = __VA_ARGS__;                                                           \
      if (G_UNLIKELY (sp == pickle->stack_end))                                               \
        {                                                                                     \
          gsize height = (gsize) (sp - pickle->stack), low = (gsize) (fence - pickle->stack); \
          if (!grow_stack (pickle))                                                           \
            return FALSE;                                                                     \
          sp = pickle->stack + height;                                                        \
          fence = pickle->stack + low;                                                        \
        }                                                                                     \
      *sp++ = pushed;                                                                         \
    }                                                                                         \
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
#define LINE()                                        \
  do                                                  \
    {                                                 \
      if (!(line = read_line (&p, limit, &line_len))) \
        goto truncated;                               \
    }                                                 \
  while (0)

/* Runs the opcodes up to STOP. */
static gboolean
run (FbPickle *pickle, const guint8 *bytes, gsize len, FbValue *root)
{
  const guint8 *p = bytes, *end = bytes + len, *limit = end; /* limit: end of the frame, or of the pickle */
  FbValue *sp = pickle->stack, *fence = sp, *first, value;
  guint32 n;
  guint64 size;
  const char *line;
  gsize line_len;

  for (;;)
    {
      if (G_UNLIKELY (p == limit))
        {
          if (limit == end)
            goto truncated;
          limit = end;
        }
      pickle->at = p;
      switch (*p++)
        {
        case OP_BINGET:
          NEED (1);
          size = *p++;
          goto get;
        case OP_LONG_BINGET:
          NEED (4);
          size = read_le (p, 4);
          p += 4;
        get:
          if (G_UNLIKELY (size >= pickle->memo_used || pickle->memo[size].kind == FB_VALUE_UNSET))
            FAIL ("memo entry %" G_GUINT64_FORMAT " is used before it is set", size);
          PUSH (pickle->memo[size]);
          break;
        case OP_MEMOIZE:
          HAVE (1);
          if (G_LIKELY (pickle->n_memo == pickle->memo_used && pickle->memo_used < pickle->memo_allocated))
            {
              pickle->memo[pickle->memo_used++] = sp[-1];
              pickle->n_memo++;
            }
          else if (!put_memo (pickle, pickle->n_memo, len, sp[-1]))
            return FALSE;
          break;
        case OP_BINPUT:
          NEED (1);
          size = *p++;
          goto put;
        case OP_LONG_BINPUT:
          NEED (4);
          size = read_le (p, 4);
          p += 4;
        put:
          HAVE (1);
          if (!put_memo (pickle, size, len, sp[-1]))
            return FALSE;
          break;
        case OP_MARK:
          if (!push_mark (pickle, (gsize) (sp - pickle->stack)))
            return FALSE;
          fence = sp;
          break;
        case OP_BININT1:
          NEED (1);
          PUSH ((FbValue){ .kind = FB_VALUE_INT, .i = *p });
          p++;
          break;
        case OP_BININT2:
          NEED (2);
          PUSH ((FbValue){ .kind = FB_VALUE_INT, .i = (gint64) read_le (p, 2) });
          p += 2;
          break;
        case OP_BININT:
          NEED (4);
          PUSH ((FbValue){ .kind = FB_VALUE_INT, .i = (gint32) read_le (p, 4) });
          p += 4;
          break;
        case OP_TUPLE:
          TO_MARK (first, n);
          goto tuple;
        case OP_EMPTY_TUPLE:
          n = 0;
          first = sp;
          goto tuple;
        case OP_TUPLE1:
        case OP_TUPLE2:
        case OP_TUPLE3:
          n = p[-1] - OP_TUPLE1 + 1u;
          HAVE (n);
          first = sp -= n;
        tuple:
          value = (FbValue){ .kind = FB_VALUE_TUPLE, .tuple = fb_pickle_new_tuple (pickle, n, first) };
          if (!value.tuple)
            return FALSE;
          PUSH (value);
          break;
        case OP_REDUCE:
          HAVE (2);
          if (!fb_pickle_reduce (pickle, sp - 2, sp - 1, &value))
            return FALSE;
          sp[-2] = value;
          sp--;
          break;
        case OP_NEWOBJ:
          HAVE (2);
          if (!fb_pickle_new_object (pickle, sp - 2, sp - 1, &value))
            return FALSE;
          sp[-2] = value;
          sp--;
          break;
        case OP_BUILD:
          HAVE (2);
          if (!fb_pickle_build (pickle, sp - 2, sp - 1))
            return FALSE;
          sp--;
          break;
        case OP_NONE:
          PUSH (fb_value_none ());
          break;
        case OP_NEWTRUE:
          PUSH ((FbValue){ .kind = FB_VALUE_BOOL, .i = 1 });
          break;
        case OP_NEWFALSE:
          PUSH ((FbValue){ .kind = FB_VALUE_BOOL, .i = 0 });
          break;
        case OP_EMPTY_DICT:
        case OP_EMPTY_LIST:
        case OP_EMPTY_SET:
          value = (FbValue){ .kind = p[-1] == OP_EMPTY_DICT   ? FB_VALUE_DICT
                                     : p[-1] == OP_EMPTY_LIST ? FB_VALUE_LIST
                                                              : FB_VALUE_SET,
                             .list = fb_pickle_new_list (pickle) };
          if (!value.list)
            return FALSE;
          PUSH (value);
          break;
        case OP_DICT:
        case OP_LIST:
        case OP_FROZENSET:
          value = (FbValue){ .kind = p[-1] == OP_DICT   ? FB_VALUE_DICT
                                     : p[-1] == OP_LIST ? FB_VALUE_LIST
                                                        : FB_VALUE_FROZENSET };
          TO_MARK (first, n);
          if (value.kind == FB_VALUE_DICT && n % 2)
            FAIL ("a key has no value");
          if (!(value.list = fb_pickle_new_list (pickle)) || !fb_pickle_list_extend (pickle, value.list, n, first))
            return FALSE;
          PUSH (value);
          break;
        case OP_SETITEM:
          HAVE (3);
          sp -= 2;
          if (!put_items (pickle, sp - 1, 2, sp, TRUE))
            return FALSE;
          break;
        case OP_APPEND:
          HAVE (2);
          sp--;
          if (!put_items (pickle, sp - 1, 1, sp, FALSE))
            return FALSE;
          break;
        case OP_SETITEMS:
        case OP_APPENDS:
        case OP_ADDITEMS:
          {
            gboolean pairs = p[-1] == OP_SETITEMS;
            TO_MARK (first, n);
            HAVE (1);
            if (!put_items (pickle, sp - 1, n, first, pairs))
              return FALSE;
          }
          break;
        case OP_BINFLOAT:
          {
            guint64 bits = 0;
            double f;

            NEED (8);
            for (int i = 0; i < 8; i++)
              bits = bits << 8 | p[i];
            memcpy (&f, &bits, sizeof f);
            p += 8;
            PUSH (float_value (pickle, f));
          }
          break;
        case OP_LONG1:
          NEED (1);
          size = *p++;
          goto integer;
        case OP_LONG4:
          NEED (4);
          size = read_le (p, 4);
          p += 4;
          if (size > G_MAXINT32)
            FAIL ("an integer has a negative length");
        integer:
          NEED (size);
          if (!integer_from_bytes (pickle, p, size, &value))
            return FALSE;
          p += size;
          PUSH (value);
          break;
        case OP_SHORT_BINUNICODE:
          NEED (1);
          size = *p++;
          goto text;
        case OP_BINUNICODE:
          NEED (4);
          size = read_le (p, 4);
          p += 4;
          goto text;
        case OP_BINUNICODE8:
          NEED (8);
          size = read_le (p, 8);
          p += 8;
          goto text;
        case OP_SHORT_BINSTRING:
          NEED (1);
          size = *p++;
          goto text;
        case OP_BINSTRING:
          NEED (4);
          size = read_le (p, 4);
          p += 4;
        text:
          NEED (size);
          if (!text_value (pickle, p, size, &value))
            return FALSE;
          p += size;
          PUSH (value);
          break;
        case OP_SHORT_BINBYTES:
          NEED (1);
          size = *p++;
          goto bytes;
        case OP_BINBYTES:
          NEED (4);
          size = read_le (p, 4);
          p += 4;
          goto bytes;
        case OP_BINBYTES8:
        case OP_BYTEARRAY8:
          NEED (8);
          size = read_le (p, 8);
          p += 8;
        bytes:
          value = (FbValue){ .kind = *pickle->at == OP_BYTEARRAY8 ? FB_VALUE_BYTEARRAY : FB_VALUE_BYTES };
          NEED (size);
          value.n = (guint32) size;
          value.bytes = p;
          p += size;
          PUSH (value);
          break;
        case OP_STACK_GLOBAL:
          HAVE (2);
          if (sp[-1].kind != FB_VALUE_TEXT || sp[-2].kind != FB_VALUE_TEXT)
            FAIL ("a global is not named by two strings");
          if (!find_global (pickle, (const char *) sp[-2].bytes, sp[-2].n, (const char *) sp[-1].bytes, sp[-1].n,
                            &value))
            return FALSE;
          sp[-2] = value;
          sp--;
          break;
        case OP_GLOBAL:
          {
            const char *module;
            gsize module_len;

            LINE ();
            module = line;
            module_len = line_len;
            LINE ();
            if (!find_global (pickle, module, module_len, line, line_len, &value))
              return FALSE;
            PUSH (value);
          }
          break;
        case OP_NEWOBJ_EX:
          HAVE (3);
          if (sp[-1].kind != FB_VALUE_DICT)
            FAIL ("the keyword arguments of a new object are no dict");
          if (!fb_pickle_new_object (pickle, sp - 3, sp - 2, &value))
            return FALSE;
          if (sp[-1].list->n && value.kind == FB_VALUE_OBJECT)
            value.object->state = sp[-1];
          sp[-3] = value;
          sp -= 2;
          break;
        case OP_INST:
        case OP_OBJ:
          {
            FbValue class, args = { .kind = FB_VALUE_TUPLE };

            if (p[-1] == OP_INST)
              {
                const char *module;
                gsize module_len;

                LINE ();
                module = line;
                module_len = line_len;
                LINE ();
                if (!find_global (pickle, module, module_len, line, line_len, &class))
                  return FALSE;
                TO_MARK (first, n);
              }
            else
              {
                TO_MARK (first, n);
                if (!n)
                  goto underflow;
                class = *first++;
                n--;
              }
            if (!(args.tuple = fb_pickle_new_tuple (pickle, n, first))
                || !fb_pickle_reduce (pickle, &class, &args, &value))
              return FALSE;
            PUSH (value);
          }
          break;
        case OP_POP:
          if (sp == fence && pickle->n_marks)
            TO_MARK (first, n);
          else
            {
              HAVE (1);
              sp--;
            }
          break;
        case OP_POP_MARK:
          TO_MARK (first, n);
          break;
        case OP_DUP:
          HAVE (1);
          value = sp[-1];
          PUSH (value);
          break;
        case OP_INT:
          LINE ();
          if (line_len == 2 && line[0] == '0' && (line[1] == '0' || line[1] == '1'))
            value = (FbValue){ .kind = FB_VALUE_BOOL, .i = line[1] == '1' };
          else if (!integer_from_text (pickle, line, line_len, &value))
            return FALSE;
          PUSH (value);
          break;
        case OP_LONG:
          LINE ();
          if (line_len && line[line_len - 1] == 'L')
            line_len--;
          if (!integer_from_text (pickle, line, line_len, &value))
            return FALSE;
          PUSH (value);
          break;
        case OP_FLOAT:
          LINE ();
          if (!float_from_text (pickle, line, line_len, &value))
            return FALSE;
          PUSH (value);
          break;
        case OP_STRING:
        case OP_UNICODE:
          {
            gboolean raw = p[-1] == OP_UNICODE;
            LINE ();
            if (!string_from_text (pickle, line, line_len, raw, &value))
              return FALSE;
            PUSH (value);
          }
          break;
        case OP_GET:
          LINE ();
          if (!read_index (pickle, line, line_len, &size))
            return FALSE;
          goto get;
        case OP_PUT:
          LINE ();
          if (!read_index (pickle, line, line_len, &size))
            return FALSE;
          goto put;
        case OP_PROTO:
          NEED (1);
          if (*p > NEWEST_PROTOCOL)
            FAIL ("pickle protocol %u is newer than %d, the newest known", *p, NEWEST_PROTOCOL);
          pickle->protocol = *p++;
          break;
        case OP_FRAME:
          NEED (8);
          size = read_le (p, 8);
          p += 8;
          if (limit != end)
            FAIL ("a frame begins inside another");
          if (size > (guint64) (end - p))
            FAIL ("a frame of %" G_GUINT64_FORMAT " bytes does not fit the %" G_GSIZE_FORMAT " bytes that follow", size,
                  (gsize) (end - p));
          if (size)
            limit = p + size;
          break;
        case OP_STOP:
          if (limit != end && p != limit)
            FAIL ("the pickle stops %" G_GSIZE_FORMAT " bytes before the end of its frame", (gsize) (limit - p));
          HAVE (1);
          if (pickle->n_marks)
            FAIL ("the pickle stops with a mark open");
          *root = sp[-1];
          return TRUE;
        case OP_PERSID:
        case OP_BINPERSID:
          FAIL ("a persistent id refers to something outside the file, which is refused");
        case OP_EXT1:
        case OP_EXT2:
        case OP_EXT4:
          FAIL ("an extension code refers to a registry outside the file, which is refused");
        case OP_NEXT_BUFFER:
        case OP_READONLY_BUFFER:
          FAIL ("an out-of-band buffer is not in the file, which is refused");
        default:
          FAIL ("0x%02x is no pickle opcode", p[-1]);
        }
    }

truncated:
  if (limit != end)
    FAIL ("an opcode crosses the end of its frame");
  FAIL ("the pickle ends after %" G_GSIZE_FORMAT " bytes, in the middle", len);
underflow:
  FAIL ("an opcode needs more values than are on the stack");
}

gboolean
fb_pickle_load (FbPickle *pickle, const guint8 *bytes, gsize len, const FbPickleOptions *options, FbContext *context,
                FbValue *root, GError **error)
{
  const FbPickleLimits *limits = &pickle->limits;
  gsize scaled;

  fb_arena_reset (&pickle->scratch);
  pickle->n_marks = pickle->memo_used = pickle->n_memo = 0;
  pickle->context = context;
  pickle->node_arena = fb_context_arena (context);
  pickle->node_bytes = pickle->node_arena->bytes;
  pickle->text_bytes = 0;
  pickle->n_info = 0;
  pickle->stamp = 0;
  pickle->weight_left = pickle->walk_left = 1000000 + 256 * (guint64) len;
  pickle->start = pickle->at = bytes;
  pickle->options = *options;
  pickle->protocol = 0;
  pickle->ops_by_value = pickle->ops_by_name = FALSE;
  pickle->max_unique = -1;
  if (options->wrong_first)
    *options->wrong_first = FALSE;
  if (__builtin_mul_overflow (len, limits->bytes_per_byte, &scaled)
      || __builtin_add_overflow (scaled, limits->base_bytes, &scaled))
    scaled = G_MAXSIZE;
  pickle->max_bytes = MIN (limits->max_bytes, scaled);
  if (len > limits->max_size || len > G_MAXUINT32 - 16)
    fb_pickle_fail (pickle, "a pickle of %" G_GSIZE_FORMAT " bytes is refused, the most is %" G_GSIZE_FORMAT, len,
                    limits->max_size);
  else if (run (pickle, bytes, len, root) && fb_context_failed (context))
    fb_pickle_fail (pickle, "the graph is not valid");
  if (!pickle->error)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&pickle->error));
  return FALSE;
}
