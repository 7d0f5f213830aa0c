/* What ops and casts give, bit by bit: wrapping, casts of what is out of range, NaN, signed zero, halves, THREEFRY.
 *
 * facts.tsv holds what tinygrad's CPU backend gave on x86-64: a line is an op, the type it takes, the type it gives, then operands and
 * result as bits in hexadecimal. The interpreter and compiled code are held to it.
 *
 * Casts of floats to uint32 and uint64 that are out of range are not among them: C leaves them undefined, and what the reference gives
 * there depends on whether its compiler took vector instructions, which saturate, or scalar ones, which wrap. Ours wrap. */
#include <math.h>

#include "backends/cpu/cpu.h"
#include "core/ir/context.h"

#include "kernel.h"

typedef struct
{
  FbOp op;
  guint from, to; /* FbScalarType */
  guint n, n_operands;
  guint64 *bits; /* operands and result of each */
} Fact;

static guint
scalar_from_name (const char *name)
{
  static const char *const names[FB_N_SCALARS] = {
    [FB_SCALAR_BOOL] = "bool",       [FB_SCALAR_INT8] = "int8",       [FB_SCALAR_UINT8] = "uint8",
    [FB_SCALAR_INT16] = "int16",     [FB_SCALAR_UINT16] = "uint16",   [FB_SCALAR_INT32] = "int32",
    [FB_SCALAR_UINT32] = "uint32",   [FB_SCALAR_INT64] = "int64",     [FB_SCALAR_UINT64] = "uint64",
    [FB_SCALAR_FLOAT16] = "float16", [FB_SCALAR_FLOAT32] = "float32", [FB_SCALAR_FLOAT64] = "float64",
  };
  for (guint i = 0; i < FB_N_SCALARS; i++)
    if (g_strcmp0 (names[i], name) == 0)
      return i;
  g_assert_not_reached ();
}

static void
clear_fact (gpointer data)
{
  g_free (((Fact *) data)->bits);
}

static GArray *
read_facts (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SOURCE"), "tests", "backends", "facts.tsv", NULL);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  GArray *facts = g_array_new (FALSE, TRUE, sizeof (Fact));
  g_array_set_clear_func (facts, clear_fact);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (char **line = lines; *line && **line; line++)
    {
      g_auto (GStrv) fields = g_strsplit (*line, "\t", -1);
      Fact fact = { .op = fb_op_from_name (fields[0], -1),
                    .from = scalar_from_name (fields[1]),
                    .to = scalar_from_name (fields[2]),
                    .n = g_strv_length (fields) - 3 };
      g_assert_cmpuint (fact.n, >, 0);
      for (guint i = 0; i < fact.n; i++)
        {
          g_auto (GStrv) parts = g_strsplit (fields[3 + i], ":", -1);
          guint n = g_strv_length (parts);
          if (fact.bits == NULL)
            {
              fact.n_operands = n - 1;
              fact.bits = g_new (guint64, fact.n * n);
            }
          g_assert_cmpuint (n, ==, fact.n_operands + 1);
          for (guint k = 0; k < n; k++)
            fact.bits[i * n + k] = g_ascii_strtoull (parts[k], NULL, 16);
        }
      g_array_append_val (facts, fact);
    }
  return facts;
}

static guint
add_buffer (FbPlan *plan, guint type, gint64 size)
{
  FbPlanBuffer buffer = { .base = plan->buffers->len,
                          .type = (guint8) type,
                          .size = size,
                          .bytes = (gsize) size * fb_scalar_size (type),
                          .place = plan->memory };
  plan->memory += (buffer.bytes + 511) / 256 * 256;
  g_array_append_val (plan->buffers, buffer);
  return plan->buffers->len - 1;
}

/* A kernel for each fact's line: argument 0 is op (argument 1, argument 2). */
static FbPlan *
plan_facts (FbContext *c, const GArray *facts)
{
  FbPlan *plan = g_new0 (FbPlan, 1);
  plan->buffers = g_array_new (FALSE, FALSE, sizeof (FbPlanBuffer));
  plan->steps = g_array_new (FALSE, FALSE, sizeof (FbPlanStep));
  plan->programs = g_ptr_array_new_with_free_func ((GDestroyNotify) fb_program_free);
  for (guint f = 0; f < facts->len; f++)
    {
      const Fact *fact = &g_array_index (facts, Fact, f);
      g_autoptr (GError) error = NULL;
      const FbDType *from = &fb_dtype_scalars[fact->from];
      const FbDims *shape = DIMS (c, fact->n);
      FbUop *src[2];
      for (guint k = 0; k < fact->n_operands; k++)
        src[k] = load (c, (int) k + 1, from, shape);
      FbUop *value = fb_uop_new (c, fact->op, &fb_dtype_scalars[fact->to], fact->n_operands, src, FB_ARG_NIL);
      FbProgram *program = program_of (c, kernel_of (c, value, shape), &error, 1 + fact->n_operands,
                                       (gint64[]){ fact->n, fact->n, fact->n });
      g_assert_no_error (error);
      FbPlanStep step = { .kind = FB_STEP_PROGRAM,
                          .program = program,
                          .program_number = plan->programs->len,
                          .n_buffers = 1 + fact->n_operands,
                          .buffers = g_new0 (guint, 3) };
      step.buffers[0] = add_buffer (plan, fact->to, fact->n);
      for (guint k = 0; k < fact->n_operands; k++)
        step.buffers[k + 1] = add_buffer (plan, fact->from, fact->n);
      g_ptr_array_add (plan->programs, program);
      g_array_append_val (plan->steps, step);
    }
  return plan;
}

/* Both NaN, or the same bits; where functions are approximated, within @ulps. */
static gboolean
same (guint type, guint64 got, guint64 want, guint ulps)
{
  guint bits = 8 * fb_scalar_size (type);
  if (got == want)
    return TRUE;
  if (!fb_scalar_is_float (type))
    return FALSE;
  FbLane a = fb_lane_read (type, &got), b = fb_lane_read (type, &want);
  if (isnan (a.f) && isnan (b.f))
    return TRUE;
  /* neighbours of the same sign */
  return (got >> (bits - 1)) == (want >> (bits - 1)) && MAX (got, want) - MIN (got, want) <= ulps;
}

static void
check (const GArray *facts, FbBackend backend, const char *cache)
{
  g_autoptr (FbContext) c = fb_context_new ();
  g_autoptr (FbPlan) plan = plan_facts (c, facts);
  g_autoptr (GError) error = NULL;
  FbMemory memory;
  const FbRunOptions options = { .backend = backend, .threads = 1, .cache = cache };
  fb_memory_init (&memory, plan->memory, &error);
  g_assert_no_error (error);
  for (guint f = 0; f < facts->len; f++)
    {
      const Fact *fact = &g_array_index (facts, Fact, f);
      const FbPlanStep *step = fb_plan_step (plan, f);
      for (guint k = 0; k < fact->n_operands; k++)
        for (guint i = 0; i < fact->n; i++)
          memcpy (fb_plan_data (plan, memory.data, step->buffers[k + 1]) + i * fb_scalar_size (fact->from),
                  &fact->bits[i * (fact->n_operands + 1) + k], fb_scalar_size (fact->from));
    }
  fb_run (plan, &memory, &options, NULL, NULL, &error);
  g_assert_no_error (error);
  guint n = 0;
  for (guint f = 0; f < facts->len; f++)
    {
      const Fact *fact = &g_array_index (facts, Fact, f);
      const FbPlanStep *step = fb_plan_step (plan, f);
      gboolean approximated = fact->op == FB_OP_EXP2 || fact->op == FB_OP_LOG2;
      for (guint i = 0; i < fact->n; i++, n++)
        {
          const guint64 *bits = &fact->bits[i * (fact->n_operands + 1)];
          guint64 got = 0;
          memcpy (&got, fb_plan_data (plan, memory.data, step->buffers[0]) + i * fb_scalar_size (fact->to),
                  fb_scalar_size (fact->to));
          if (!same (fact->to, got, bits[fact->n_operands], approximated ? 4 : 0))
            g_error ("%s: %s of %s 0x%" G_GINT64_MODIFIER "x 0x%" G_GINT64_MODIFIER "x: 0x%" G_GINT64_MODIFIER
                     "x, not 0x%" G_GINT64_MODIFIER "x of %s",
                     fb_backend_name (backend), fb_op_name (fact->op), fb_scalar_name (fact->from), bits[0],
                     fact->n_operands > 1 ? bits[1] : 0, got, bits[fact->n_operands], fb_scalar_name (fact->to));
        }
    }
  g_assert_cmpuint (n, >, 1000);
  fb_memory_clear (&memory);
}

static void
test_interp (void)
{
  g_autoptr (GArray) facts = read_facts ();
  check (facts, FB_BACKEND_INTERP, NULL);
}

static void
test_cpu (void)
{
  g_autoptr (GArray) facts = read_facts ();
  g_autofree char *compiler = fb_cpu_find_compiler (NULL);
  if (compiler == NULL)
    g_test_skip ("no C compiler");
  else
    check (facts, FB_BACKEND_CPU, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/backends/facts/interp", test_interp);
  g_test_add_func ("/backends/facts/cpu", test_cpu);
  return g_test_run ();
}
