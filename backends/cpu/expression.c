/* Instructions as C. */
#include <math.h>
#include <string.h>

#include "cpu-private.h"

void
fb_cpu_indent (GString *c, guint indent)
{
  for (guint i = 0; i < indent; i++)
    g_string_append (c, "  ");
}

const char *
fb_cpu_type (guint type)
{
  static const char *const names[FB_N_SCALARS] = {
    "void", "u8", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "float", "float", "float", "double",
  };
  return names[type];
}

const char *
fb_cpu_stored_type (guint type)
{
  return type == FB_SCALAR_FLOAT16 || type == FB_SCALAR_BFLOAT16 ? "u16" : fb_cpu_type (type);
}

void
fb_cpu_append_const (GString *c, guint type, FbLane value)
{
  if (!fb_scalar_is_float (type))
    {
      if (type == FB_SCALAR_UINT64)
        g_string_append_printf (c, "%" G_GUINT64_FORMAT "ul", (guint64) value.i);
      else if (value.i == G_MININT64)
        g_string_append (c, "(-9223372036854775807l - 1)");
      else if (type == FB_SCALAR_INT64 || type == FB_SCALAR_UINT32)
        g_string_append_printf (c, "(%s)%" G_GINT64_FORMAT "l", fb_cpu_type (type), value.i);
      else
        g_string_append_printf (c, value.i < 0 ? "(%" G_GINT64_FORMAT ")" : "%" G_GINT64_FORMAT, value.i);
      return;
    }
  const char *suffix = type == FB_SCALAR_FLOAT64 ? "" : "f";
  if (type == FB_SCALAR_FLOAT32)
    value.f = (float) value.f;
  if (isnan (value.f))
    g_string_append_printf (c, "__builtin_nan%s (\"\")", suffix);
  else if (isinf (value.f))
    g_string_append_printf (c, "(%s__builtin_inf%s ())", value.f < 0 ? "-" : "", suffix);
  else if (value.f == floor (value.f) && fabs (value.f) < 1e6)
    g_string_append_printf (c, signbit (value.f) ? "(%.1f%s)" : "%.1f%s", value.f, suffix);
  else
    g_string_append_printf (c, value.f < 0 ? "(%a%s)" : "%a%s", value.f, suffix);
}

void
fb_cpu_append_identity (GString *c, guint op, guint type)
{
  static const char *const smallest[FB_N_SCALARS] = {
    [FB_SCALAR_INT8] = "-128",
    [FB_SCALAR_INT16] = "-32768",
    [FB_SCALAR_INT32] = "-2147483647 - 1",
    [FB_SCALAR_INT64] = "-9223372036854775807l - 1",
  };
  gboolean real = fb_scalar_is_float (type);
  if (op == FB_OP_MAX)
    g_string_append (c, real ? "-__builtin_inff ()" : smallest[type] ? smallest[type] : "0");
  else
    g_string_append (c, op == FB_OP_MUL ? "1" : "0");
}

/* Opens what rounds or wraps an expression to @type; the text to append after it. */
static const char *
open_round (GString *c, guint type)
{
  switch (type)
    {
    case FB_SCALAR_BOOL:
      g_string_append_c (c, '(');
      return ") != 0";
    case FB_SCALAR_FLOAT16:
      g_string_append (c, "round_half (");
      return ")";
    case FB_SCALAR_BFLOAT16:
      g_string_append (c, "round_bfloat (");
      return ")";
    default:
      g_string_append_printf (c, "(%s)(", fb_cpu_type (type));
      return ")";
    }
}

void
fb_cpu_append_accumulate (GString *c, guint op, guint type, const char *into, const char *value)
{
  g_string_append_printf (c, "%s = ", into);
  if (op == FB_OP_MAX)
    g_string_append_printf (c, "%s < %s ? %s : %s", into, value, value, into);
  else
    {
      const char *end = open_round (c, type);
      g_string_append_printf (c, "%s %c %s%s", into, op == FB_OP_MUL ? '*' : '+', value, end);
    }
  g_string_append (c, ";\n");
}

void
fb_cpu_append_value (FbSource *source, guint number)
{
  const FbInst *inst = fb_program_inst (source->program, number);
  if (inst->op == FB_OP_CONST)
    fb_cpu_append_const (source->c, inst->type, inst->constant);
  else if (source->stored[number])
    g_string_append_printf (source->c, "r%u[%u][l]", number, source->copy);
  else
    g_string_append_printf (source->c, "v%u", number);
}

/* The value of an ALU instruction over its sources' texts. */
static void
append_alu (GString *c, const FbInst *inst, guint from, const char *a, const char *b, const char *d)
{
  gboolean real = fb_scalar_is_float (inst->type), wide = inst->type == FB_SCALAR_FLOAT64;
  gboolean is_unsigned = fb_scalar_is_unsigned (inst->type);
  guint bits = 8 * fb_scalar_size (inst->type);
  const char *f = wide ? "" : "f";
  switch (inst->op)
    {
    case FB_OP_CMPLT:
      g_string_append_printf (c, "%s < %s", a, b);
      return;
    case FB_OP_CMPNE:
      g_string_append_printf (c, "%s != %s", a, b);
      return;
    case FB_OP_WHERE:
      g_string_append_printf (c, "%s ? %s : %s", a, b, d);
      return;
    case FB_OP_MAX:
      g_string_append_printf (c, "%s < %s ? %s : %s", a, b, b, a);
      return;
    case FB_OP_CONTIGUOUS:
      g_string_append (c, a);
      return;
    }
  const char *end = open_round (c, inst->type);
  switch (inst->op)
    {
    case FB_OP_ADD:
    case FB_OP_SUB:
    case FB_OP_MUL:
    case FB_OP_XOR:
    case FB_OP_OR:
    case FB_OP_AND:
    case FB_OP_FDIV:
      g_string_append_printf (c, "%s %c %s", a,
                              inst->op == FB_OP_ADD   ? '+'
                              : inst->op == FB_OP_SUB ? '-'
                              : inst->op == FB_OP_MUL ? '*'
                              : inst->op == FB_OP_XOR ? '^'
                              : inst->op == FB_OP_OR  ? '|'
                              : inst->op == FB_OP_AND ? '&'
                                                      : '/',
                              b);
      break;
    case FB_OP_NEG:
      g_string_append_printf (c, "-%s", a);
      break;
    case FB_OP_IDIV:
    case FB_OP_MOD:
      g_string_append_printf (c, "%s_%c (%s, %s)", inst->op == FB_OP_IDIV ? "div" : "mod", is_unsigned ? 'u' : 's', a,
                              b);
      break;
    case FB_OP_SHL:
      g_string_append_printf (c, "shl (%s, %s, %u)", a, b, bits);
      break;
    case FB_OP_SHR:
      g_string_append_printf (c, "shr_%c (%s, %s, %u)", is_unsigned ? 'u' : 's', a, b, bits);
      break;
    case FB_OP_THREEFRY:
      g_string_append_printf (c, "threefry (%s, %s)", a, b);
      break;
    case FB_OP_POW:
      g_string_append_printf (c, "pow%s (%s, %s)", f, a, b);
      break;
    case FB_OP_MULACC:
      {
        const char *inner = open_round (c, inst->type);
        g_string_append_printf (c, "%s * %s%s + %s", a, b, inner, d);
        break;
      }
    case FB_OP_EXP2:
    case FB_OP_LOG2:
    case FB_OP_SIN:
    case FB_OP_SQRT:
      g_string_append_printf (c, "%s%s (%s)",
                              inst->op == FB_OP_EXP2   ? "exp2"
                              : inst->op == FB_OP_LOG2 ? "log2"
                              : inst->op == FB_OP_SIN  ? "sin"
                                                       : "sqrt",
                              f, a);
      break;
    case FB_OP_RECIP:
      g_string_append_printf (c, "1.0%s / %s", f, a);
      break;
    case FB_OP_CAST:
      if (real || !fb_scalar_is_float (from) || inst->type == FB_SCALAR_BOOL)
        g_string_append_printf (c, real && !wide ? "(float)%s" : "%s", a);
      else if (inst->type == FB_SCALAR_UINT64)
        g_string_append_printf (c, "to_u64 (%s)", a);
      else
        g_string_append_printf (c, "to_i%s (%s)",
                                inst->type == FB_SCALAR_INT64 || inst->type == FB_SCALAR_UINT32 ? "64" : "32", a);
      break;
    }
  g_string_append (c, end);
}

static const char *
load_function (guint type, gboolean store)
{
  if (type == FB_SCALAR_FLOAT16)
    return store ? "store_half" : "load_half";
  if (type == FB_SCALAR_BFLOAT16)
    return store ? "store_bfloat" : "load_bfloat";
  return "";
}

static char *
value_text (FbSource *source, guint number)
{
  GString *c = source->c;
  source->c = g_string_new (NULL);
  fb_cpu_append_value (source, number);
  char *text = g_string_free (source->c, FALSE);
  source->c = c;
  return text;
}

void
fb_cpu_append_inst (FbSource *source, guint number, guint indent)
{
  const FbInst *inst = fb_program_inst (source->program, number);
  GString *c = source->c;
  g_autofree char *a = inst->n_src > 0 ? value_text (source, inst->src[0]) : NULL,
                  *b = inst->n_src > 1 ? value_text (source, inst->src[1]) : NULL,
                  *d = inst->n_src > 2 ? value_text (source, inst->src[2]) : NULL;
  guint from = inst->n_src > 0 ? fb_program_inst (source->program, inst->src[0])->type : 0;
  const char *type = fb_cpu_type (inst->type);
  const char *name = inst->op == FB_INST_COUNT ? "count of REDUCE_AXIS" : fb_op_name (inst->op);
  if (inst->op == FB_OP_CONST)
    return;
  if (inst->index != NULL && !inst->index->never)
    fb_cpu_append_atoms (source, number, indent);
  if (inst->op == FB_INST_COUNT)
    fb_cpu_append_count (source, number, indent);
  fb_cpu_indent (c, indent);
  if (inst->op == FB_OP_STORE)
    {
      if (inst->index->conditions->len > 0 || inst->index->never)
        {
          g_string_append (c, "if (");
          fb_cpu_append_conditions (source, number);
          g_string_append (c, ") ");
        }
      g_string_append_printf (c, "a%d[", inst->arg);
      fb_cpu_append_linear (c, inst->index, &inst->index->at, number);
      g_string_append_printf (c, "] = %s (%s); // %u STORE\n", load_function (inst->type, TRUE), a, number);
      return;
    }
  if (inst->op == FB_OP_BITCAST)
    {
      const char *s = fb_cpu_stored_type (from), *t = fb_cpu_stored_type (inst->type);
      g_string_append_printf (c, "const %s s%u = %s (%s); %s w%u; memcpy (&w%u, &s%u, sizeof w%u);\n", s, number,
                              load_function (from, TRUE), a, t, number, number, number, number);
      fb_cpu_indent (c, indent);
    }
  if (source->stored[number])
    fb_cpu_append_value (source, number);
  else /* not const: clang would look whether it is a constant expression, through all it is made of, again for each use */
    g_string_append_printf (c, "%s v%u", type, number);
  g_string_append (c, " = ");
  if (inst->op == FB_OP_VALID)
    fb_cpu_append_conditions (source, number);
  else if (inst->op == FB_INST_COUNT)
    {
      const char *end = open_round (c, inst->type);
      fb_cpu_append_const (c, inst->type, inst->constant);
      g_string_append_printf (c, " * ");
      const char *inner = open_round (c, inst->type == FB_SCALAR_BOOL ? FB_SCALAR_INT64 : inst->type);
      g_string_append_printf (c, "n%u%s%s", number, inner, end);
    }
  else if (inst->op == FB_OP_BITCAST)
    g_string_append_printf (c, inst->type == FB_SCALAR_BOOL ? "%s (w%u) != 0" : "%s (w%u)",
                            load_function (inst->type, FALSE), number);
  else if (inst->op == FB_OP_LOAD && inst->index->never)
    g_string_append_c (c, '0');
  else if (inst->op == FB_OP_LOAD)
    {
      gboolean masked = inst->index->conditions->len > 0 && !source->inside;
      if (masked)
        {
          fb_cpu_append_conditions (source, number);
          g_string_append (c, " ? ");
        }
      g_string_append_printf (c, "%s (a%d[", load_function (inst->type, FALSE), inst->arg);
      fb_cpu_append_linear (c, inst->index, &inst->index->at, number);
      g_string_append (c, masked ? "]) : 0" : "])");
    }
  else
    append_alu (c, inst, from, a, b, d);
  g_string_append_printf (c, "; // %u %s\n", number, name);
}
