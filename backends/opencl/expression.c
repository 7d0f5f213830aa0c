/* Instructions as OpenCL C. Integers are added, subtracted and multiplied without a sign, which wraps; floats are rounded to their
 * type after every op. */
#include <math.h>

#include "opencl-private.h"

/* In which sums of a type are made, so that they wrap. */
static const char *
unsigned_type (guint type)
{
  return fb_scalar_size (type) == 8 ? "u64" : "u32";
}

static const char *
store_function (guint type)
{
  return type == FB_SCALAR_FLOAT16 ? "store_half" : type == FB_SCALAR_BFLOAT16 ? "store_bfloat" : "";
}

static const char *
load_function (guint type)
{
  return type == FB_SCALAR_FLOAT16 ? "load_half" : type == FB_SCALAR_BFLOAT16 ? "load_bfloat" : "";
}

static void
append_const (GString *c, guint type, FbLane value)
{
  gboolean wide = type == FB_SCALAR_FLOAT64;
  if (fb_scalar_is_float (type) && isnan (value.f))
    g_string_append (c, wide ? "(double)NAN" : "NAN");
  else if (fb_scalar_is_float (type) && isinf (wide ? value.f : (float) value.f))
    g_string_append_printf (c, "(%s%sINFINITY)", value.f < 0 ? "-" : "", wide ? "(double)" : "");
  else
    fb_cpu_append_const (c, type, value);
}

void
fb_opencl_append_identity (GString *c, guint op, guint type)
{
  if (op == FB_OP_MAX && fb_scalar_is_float (type))
    g_string_append (c, "-INFINITY");
  else
    fb_cpu_append_identity (c, op, type);
}

void
fb_opencl_append_value (FbSource *source, guint number)
{
  const FbInst *inst = fb_program_inst (source->program, number);
  if (inst->op == FB_OP_CONST)
    append_const (source->c, inst->type, inst->constant);
  else
    g_string_append_printf (source->c, "v%u", number);
}

/* Opens what rounds or wraps an expression to @type; the text to append after it. */
static const char *
open_round (GString *c, guint type)
{
  if (type == FB_SCALAR_BOOL)
    {
      g_string_append_c (c, '(');
      return ") != 0";
    }
  if (type == FB_SCALAR_FLOAT16 || type == FB_SCALAR_BFLOAT16)
    g_string_append (c, type == FB_SCALAR_FLOAT16 ? "round_half (" : "round_bfloat (");
  else
    g_string_append_printf (c, "(%s)(", fb_cpu_type (type));
  return ")";
}

/* a + b, a - b or a * b of @type, not yet rounded or cut. */
static void
append_sum (GString *c, guint type, const char *a, char sign, const char *b)
{
  if (fb_scalar_is_float (type))
    g_string_append_printf (c, "%s %c %s", a, sign, b);
  else
    g_string_append_printf (c, "(%s)%s %c (%s)%s", unsigned_type (type), a, sign, unsigned_type (type), b);
}

void
fb_opencl_append_accumulate (FbSource *source, guint reduce, const char *value)
{
  const FbInst *inst = fb_program_inst (source->program, reduce);
  g_autofree char *into = g_strdup_printf ("v%u", reduce);
  g_string_append_printf (source->c, "%s = ", into);
  if (inst->reduce_op == FB_OP_MAX)
    g_string_append_printf (source->c, "%s < %s ? %s : %s", into, value, value, into);
  else
    {
      const char *end = open_round (source->c, inst->type);
      append_sum (source->c, inst->type, into, inst->reduce_op == FB_OP_MUL ? '*' : '+', value);
      g_string_append (source->c, end);
    }
  g_string_append (source->c, ";\n");
}

static void
append_cast (GString *c, guint type, guint from, const char *a)
{
  gboolean wide = from == FB_SCALAR_FLOAT64;
  if (fb_scalar_is_float (type) && type != FB_SCALAR_FLOAT64)
    g_string_append_printf (c, "(float)%s", a);
  else if (fb_scalar_is_float (type) || !fb_scalar_is_float (from) || type == FB_SCALAR_BOOL)
    g_string_append (c, a);
  else
    g_string_append_printf (c, "%s%s (%s)",
                            type == FB_SCALAR_UINT64                              ? "to_u64"
                            : type == FB_SCALAR_INT64 || type == FB_SCALAR_UINT32 ? "to_i64"
                                                                                  : "to_i32",
                            wide ? "_double" : "", a);
}

/* The value of an ALU instruction over its sources' texts. */
static void
append_alu (GString *c, const FbInst *inst, guint from, const char *a, const char *b, const char *d)
{
  static const struct
  {
    guint8 op;
    char sign;
  } signs[] = {
    { FB_OP_ADD, '+' }, { FB_OP_SUB, '-' }, { FB_OP_MUL, '*' }, { FB_OP_FDIV, '/' },
    { FB_OP_XOR, '^' }, { FB_OP_OR, '|' },  { FB_OP_AND, '&' },
  };
  static const char *const functions[FB_N_OPS] = {
    [FB_OP_EXP2] = "exp2", [FB_OP_LOG2] = "log2", [FB_OP_SIN] = "sin",
    [FB_OP_SQRT] = "sqrt", [FB_OP_POW] = "pow",   [FB_OP_THREEFRY] = "threefry",
  };
  gboolean is_unsigned = fb_scalar_is_unsigned (inst->type), real = fb_scalar_is_float (inst->type);
  switch (inst->op)
    {
    case FB_OP_CMPLT:
    case FB_OP_CMPNE:
      g_string_append_printf (c, "%s %s %s", a, inst->op == FB_OP_CMPLT ? "<" : "!=", b);
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
  for (guint i = 0; i < G_N_ELEMENTS (signs); i++)
    if (signs[i].op == inst->op)
      append_sum (c, inst->type, a, signs[i].sign, b);
  if (functions[inst->op] != NULL)
    g_string_append_printf (c, b != NULL ? "%s (%s, %s)" : "%s (%s)", functions[inst->op], a, b);
  switch (inst->op)
    {
    case FB_OP_NEG:
      if (real)
        g_string_append_printf (c, "-%s", a);
      else
        append_sum (c, inst->type, "0", '-', a);
      break;
    case FB_OP_IDIV:
    case FB_OP_MOD:
      g_string_append_printf (c, "%s_%c (%s, %s)", inst->op == FB_OP_IDIV ? "div" : "mod", is_unsigned ? 'u' : 's', a,
                              b);
      break;
    case FB_OP_SHL:
      g_string_append_printf (c, "shl (%s, %s, %u)", a, b, 8 * fb_scalar_size (inst->type));
      break;
    case FB_OP_SHR:
      g_string_append_printf (c, "shr_%c (%s, %s, %u)", is_unsigned ? 'u' : 's', a, b, 8 * fb_scalar_size (inst->type));
      break;
    case FB_OP_MULACC:
      {
        g_autoptr (GString) product = g_string_new ("(");
        const char *inner = open_round (product, inst->type);
        append_sum (product, inst->type, a, '*', b);
        g_string_append_printf (product, "%s)", inner);
        append_sum (c, inst->type, product->str, '+', d);
        break;
      }
    case FB_OP_RECIP:
      g_string_append_printf (c, inst->type == FB_SCALAR_FLOAT64 ? "1.0 / %s" : "1.0f / %s", a);
      break;
    case FB_OP_CAST:
      append_cast (c, inst->type, from, a);
      break;
    }
  g_string_append (c, end);
}

/* as_float (bits): bits of a stored type as another one of the same size. */
static void
append_bitcast (GString *c, guint type, guint from, const char *a)
{
  static const char *const names[FB_N_SCALARS] = {
    [FB_SCALAR_BOOL] = "uchar",     [FB_SCALAR_INT8] = "char",       [FB_SCALAR_UINT8] = "uchar",
    [FB_SCALAR_INT16] = "short",    [FB_SCALAR_UINT16] = "ushort",   [FB_SCALAR_INT32] = "int",
    [FB_SCALAR_UINT32] = "uint",    [FB_SCALAR_INT64] = "long",      [FB_SCALAR_UINT64] = "ulong",
    [FB_SCALAR_FLOAT16] = "ushort", [FB_SCALAR_BFLOAT16] = "ushort", [FB_SCALAR_FLOAT32] = "float",
    [FB_SCALAR_FLOAT64] = "double",
  };
  /* the cast gives a constant its type: as_ functions look at it */
  g_string_append_printf (c, "%s (as_%s ((%s)%s (%s)))%s", load_function (type), names[type], fb_cpu_stored_type (from),
                          store_function (from), a, type == FB_SCALAR_BOOL ? " != 0" : "");
}

static char *
value_text (FbSource *source, const FbInst *inst, guint i)
{
  GString *c = source->c;
  if (i >= inst->n_src)
    return NULL;
  source->c = g_string_new (NULL);
  fb_opencl_append_value (source, inst->src[i]);
  char *text = g_string_free (source->c, FALSE);
  source->c = c;
  return text;
}

static void
append_store (FbSource *source, guint number, const char *value)
{
  const FbInst *inst = fb_program_inst (source->program, number);
  GString *c = source->c;
  if (inst->index->conditions->len > 0)
    {
      g_string_append (c, "if (");
      fb_cpu_append_conditions (source, number);
      g_string_append (c, ") ");
    }
  g_string_append_printf (c, "a%d[", inst->arg);
  fb_cpu_append_linear (c, inst->index, &inst->index->at, number);
  g_string_append_printf (c, "] = %s (%s); // %u STORE\n", store_function (inst->type), value, number);
}

static void
append_load (FbSource *source, guint number)
{
  const FbInst *inst = fb_program_inst (source->program, number);
  GString *c = source->c;
  gboolean masked = inst->index->conditions->len > 0;
  if (inst->index->never)
    {
      g_string_append_c (c, '0');
      return;
    }
  if (masked)
    {
      fb_cpu_append_conditions (source, number);
      g_string_append (c, " ? ");
    }
  g_string_append_printf (c, "%s (a%d[", load_function (inst->type), inst->arg);
  fb_cpu_append_linear (c, inst->index, &inst->index->at, number);
  g_string_append (c, masked ? "]) : 0" : "])");
}

static void
append_count (GString *c, const FbInst *inst, guint number)
{
  const char *end = open_round (c, inst->type);
  g_autoptr (GString) value = g_string_new (NULL);
  append_const (value, inst->type, inst->constant);
  g_autoptr (GString) points = g_string_new (NULL);
  if (fb_scalar_is_float (inst->type))
    {
      const char *inner = open_round (points, inst->type);
      g_string_append_printf (points, "n%u%s", number, inner);
    }
  else
    g_string_append_printf (points, "n%u", number);
  append_sum (c, inst->type, value->str, '*', points->str);
  g_string_append (c, end);
}

void
fb_opencl_append_inst (FbSource *source, guint number, guint indent)
{
  const FbInst *inst = fb_program_inst (source->program, number);
  GString *c = source->c;
  g_autofree char *a = value_text (source, inst, 0), *b = value_text (source, inst, 1),
                  *d = value_text (source, inst, 2);
  guint from = inst->n_src > 0 ? fb_program_inst (source->program, inst->src[0])->type : 0;
  if (inst->op == FB_OP_CONST || (inst->op == FB_OP_STORE && inst->index->never))
    return;
  if (inst->index != NULL && !inst->index->never)
    fb_cpu_append_atoms (source, number, indent);
  if (inst->op == FB_INST_COUNT)
    fb_cpu_append_count (source, number, indent);
  fb_cpu_indent (c, indent);
  if (inst->op == FB_OP_STORE)
    {
      append_store (source, number, a);
      return;
    }
  /* not const: clang would look whether it is a constant expression, through all it is made of, again for each use */
  g_string_append_printf (c, "%s v%u = ", fb_cpu_type (inst->type), number);
  if (inst->op == FB_OP_VALID)
    fb_cpu_append_conditions (source, number);
  else if (inst->op == FB_INST_COUNT)
    append_count (c, inst, number);
  else if (inst->op == FB_OP_BITCAST)
    append_bitcast (c, inst->type, from, a);
  else if (inst->op == FB_OP_LOAD)
    append_load (source, number);
  else
    append_alu (c, inst, from, a, b, d);
  g_string_append_printf (c, "; // %u %s\n", number,
                          inst->op == FB_INST_COUNT ? "count of REDUCE_AXIS" : fb_op_name (inst->op));
}
