#include "expr.h"

#include "core/ir/number.h"

#include <stdlib.h>
#include <string.h>

/* A node, or a number that has no dtype yet. */
typedef struct
{
  FbUop *uop;
  FbArg number;
} Value;

typedef struct
{
  FbContext *context;
  const char *text, *at;
} Parser;

static void G_GNUC_NORETURN
fail (Parser *p)
{
  g_error ("cannot read \"%s\" at \"%s\"", p->text, p->at);
}

static gboolean
take (Parser *p, const char *token)
{
  while (*p->at == ' ')
    p->at++;
  if (!g_str_has_prefix (p->at, token))
    return FALSE;
  p->at += strlen (token);
  return TRUE;
}

/* Like take(), but not when more of an operator follows. */
static gboolean
take_op (Parser *p, const char *token)
{
  const char *start = p->at;

  if (take (p, token) && !strchr ("/*<>=", *p->at))
    return TRUE;
  p->at = start;
  return FALSE;
}

static FbUop *
own (Parser *p, Value v)
{
  const FbDType *dtype = v.number.kind == FB_ARG_FLOAT  ? FB_DTYPE (FLOAT32)
                         : v.number.kind == FB_ARG_BOOL ? FB_DTYPE (BOOL)
                                                        : FB_DTYPE (INT32);
  return v.uop ? v.uop : fb_const (p->context, dtype, v.number);
}

static Value
binary (Parser *p, FbOp op, Value a, Value b)
{
  FbUop *x = a.uop ? a.uop : b.uop ? fb_const_like (p->context, b.uop, a.number) : own (p, a);
  FbUop *y = b.uop ? b.uop : fb_const_like (p->context, x, b.number);

  return (Value){ fb_alu2 (p->context, op, x, y), FB_ARG_NIL };
}

static Value
negate (Parser *p, Value a)
{
  if (a.uop)
    return (Value){ fb_neg (p->context, a.uop), FB_ARG_NIL };
  return (Value){ NULL, fb_num_neg (p->context, a.number) };
}

static Value expression (Parser *p);

static Value
named (Parser *p, const char *name)
{
  static const struct
  {
    const char *name;
    FbScalarType type;
    gint64 min, max;
  } variables[] = {
    { "x", FB_SCALAR_INT32, 0, 15 }, { "y", FB_SCALAR_INT32, 0, 15 },
    { "z", FB_SCALAR_INT32, 0, 15 }, { "n", FB_SCALAR_INT32, -8, 8 },
    { "w", FB_SCALAR_INT32, 1, 3 },  { "u", FB_SCALAR_UINT32, 0, 100 },
    { "p", FB_SCALAR_BOOL, 0, 1 },   { "l", FB_SCALAR_INT64, 0, (gint64) 1 << 40 },
    { "q", FB_SCALAR_BOOL, 0, 1 },
  };
  FbContext *context = p->context;

  for (guint i = 0; i < G_N_ELEMENTS (variables); i++)
    if (strcmp (name, variables[i].name) == 0)
      {
        const FbDType *dtype = &fb_dtype_scalars[variables[i].type];
        FbArg min = fb_num_as_const (context, fb_arg_int (variables[i].min), dtype);
        FbArg max = fb_num_as_const (context, fb_arg_int (variables[i].max), dtype);
        return (Value){ fb_variable (context, name, min, max, dtype), FB_ARG_NIL };
      }
  if (strlen (name) == 1 && *name >= 'i' && *name <= 'k')
    {
      static const int ends[] = { 4, 16, 2 };
      return (Value){ fb_range (context, FB_DTYPE (INT32), fb_sint (0), fb_sint (ends[*name - 'i']), *name - 'i'),
                      FB_ARG_NIL };
    }
  if (strlen (name) == 1 && *name >= 'f' && *name <= 'h')
    return (Value){ fb_uop_new (context, FB_OP_LOAD, FB_DTYPE (FLOAT32), 0, NULL, fb_arg_int (*name - 'f')),
                    FB_ARG_NIL };
  if (strcmp (name, "v") == 0)
    return (Value){
      fb_uop_new (context, FB_OP_LOAD, fb_dtype_vec (context, FB_DTYPE (INT32), 2), 0, NULL, fb_arg_int (9)), FB_ARG_NIL
    };
  if (strcmp (name, "True") == 0 || strcmp (name, "False") == 0)
    return (Value){ NULL, fb_arg_bool (*name == 'T') };
  if (strcmp (name, "inf") == 0)
    return (Value){ NULL, fb_arg_float (g_ascii_strtod ("inf", NULL)) };
  fail (p);
}

/* The scalar that prints as dtypes.@name, or NULL. */
static const FbDType *
dtype_named (const char *name)
{
  for (guint i = 0; i < FB_N_SCALARS; i++)
    if (strcmp (fb_dtype_scalars[i].short_name, name) == 0)
      return &fb_dtype_scalars[i];
  return NULL;
}

static Value
call (Parser *p, const char *name)
{
  FbContext *context = p->context;
  Value args[4];
  FbUop *src[4];
  FbArg lanes[4];
  guint n = 0;
  gboolean bits = g_str_has_prefix (name, "bits_");
  const FbDType *dtype = dtype_named (bits ? name + 5 : name);
  FbOp op = fb_op_from_name (name, -1);

  do
    {
      g_assert_cmpuint (n, <, G_N_ELEMENTS (args));
      args[n++] = expression (p);
    }
  while (take (p, ","));
  if (!take (p, ")"))
    fail (p);
  if (strcmp (name, "max") == 0)
    return binary (p, FB_OP_MAX, args[0], args[1]);
  for (guint i = 0; i < n; i++)
    {
      lanes[i] = args[i].number;
      src[i] = strcmp (name, "vec") == 0 ? NULL : own (p, args[i]);
    }
  if (dtype)
    return (Value){ fb_uop_new (context, bits ? FB_OP_BITCAST : FB_OP_CAST, dtype, 1, src, FB_ARG_NIL), FB_ARG_NIL };
  if (strcmp (name, "vec") == 0)
    return (Value){ fb_const (context, fb_dtype_vec (context, FB_DTYPE (INT32), (int) n),
                              fb_arg_new_tuple (context, n, lanes)),
                    FB_ARG_NIL };
  if (op == FB_OP_NONE)
    fail (p);
  dtype = op == FB_OP_CMPLT || op == FB_OP_CMPNE ? FB_DTYPE (BOOL) : src[n - 1]->dtype;
  return (Value){ fb_uop_new (context, op, dtype, n, src, FB_ARG_NIL), FB_ARG_NIL };
}

static Value
atom (Parser *p)
{
  char name[32];
  guint n = 0;
  Value value;

  if (take (p, "("))
    {
      value = expression (p);
      if (!take (p, ")"))
        fail (p);
      return value;
    }
  if (g_ascii_isdigit (*p->at))
    {
      gsize digits = strspn (p->at, "0123456789");
      char *end;
      value = (Value){ NULL, fb_arg_int (g_ascii_strtoll (p->at, &end, 10)) };
      if (p->at[digits] == '.' || p->at[digits] == 'e')
        value.number = fb_arg_float (g_ascii_strtod (p->at, &end));
      p->at = end;
      return value;
    }
  while (g_ascii_isalnum (*p->at) || *p->at == '_')
    {
      g_assert_cmpuint (n, <, sizeof name - 1);
      name[n++] = *p->at++;
    }
  name[n] = 0;
  return take (p, "(") ? call (p, name) : named (p, name);
}

static Value
unary (Parser *p)
{
  Value base;

  if (take_op (p, "-"))
    return negate (p, unary (p));
  base = atom (p);
  return take (p, "**") ? binary (p, FB_OP_POW, base, unary (p)) : base;
}

static Value
divide (Parser *p, Value a, Value b)
{
  FbUop *divisor = b.uop ? b.uop : fb_const_like (p->context, own (p, a), b.number);
  return binary (p, FB_OP_MUL, a, (Value){ fb_alu1 (p->context, FB_OP_RECIP, divisor), FB_ARG_NIL });
}

static Value
infix (Parser *p, int level)
{
  static const struct
  {
    const char *token;
    FbOp op;
    int level;
  } operators[] = {
    { "|", FB_OP_OR, 0 },    { "^", FB_OP_XOR, 1 },   { "&", FB_OP_AND, 2 }, { "!=", FB_OP_CMPNE, 3 },
    { "<", FB_OP_CMPLT, 4 }, { "+", FB_OP_ADD, 5 },   { "-", FB_OP_SUB, 5 }, { "//", FB_OP_IDIV, 6 },
    { "*", FB_OP_MUL, 6 },   { "/", FB_OP_RECIP, 6 }, { "%", FB_OP_MOD, 6 },
  };
  Value left;
  gboolean again = TRUE;

  if (level > 6)
    {
      take (p, "");
      return unary (p);
    }
  left = infix (p, level + 1);
  while (again)
    {
      again = FALSE;
      for (guint i = 0; i < G_N_ELEMENTS (operators) && !again; i++)
        if (operators[i].level == level && take_op (p, operators[i].token))
          {
            Value right = infix (p, level + 1);
            again = TRUE;
            if (operators[i].op == FB_OP_SUB)
              left = binary (p, FB_OP_ADD, left, negate (p, right));
            else if (operators[i].op == FB_OP_RECIP)
              left = divide (p, left, right);
            else
              left = binary (p, operators[i].op, left, right);
          }
    }
  return left;
}

static Value
expression (Parser *p)
{
  Value gate = infix (p, 0), yes, no;
  FbUop *x, *y;

  if (!take (p, "?"))
    return gate;
  yes = expression (p);
  if (!take (p, ":"))
    fail (p);
  no = expression (p);
  x = yes.uop ? yes.uop : no.uop ? fb_const_like (p->context, no.uop, yes.number) : own (p, yes);
  y = no.uop ? no.uop : fb_const_like (p->context, x, no.number);
  return (Value){ fb_alu3 (p->context, FB_OP_WHERE, own (p, gate), x, y), FB_ARG_NIL };
}

FbUop *
test_expr (FbContext *context, const char *text)
{
  Parser p = { context, text, text };
  Value value = expression (&p);

  take (&p, "");
  if (*p.at || !(value.uop = own (&p, value)))
    fail (&p);
  return value.uop;
}
