/* The answers of `fusebox explain` for a person. */
#include "count.h"
#include "explain-private.h"

char *
fb_cli_cost_change (const FbScheduleCost *before, const FbScheduleCost *after)
{
  const char *bytes = fb_count (before->bytes_read + before->bytes_written);
  const char *bytes_after = fb_count (after->bytes_read + after->bytes_written);
  const char *flops = fb_count (before->flops), *flops_after = fb_count (after->flops);

  return g_strdup_printf (_ ("%u → %u kernels, %s → %s bytes, %s → %s FLOPs"), before->n_kernels, after->n_kernels,
                          bytes, bytes_after, flops, flops_after);
}

/* Sentences are long: wrapped, and indented by @indent. */
static void
print_wrapped (const char *text, guint indent)
{
  enum
  {
    WIDTH = 100,
  };
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  glong column = 0;

  for (char **word = words; *word; word++)
    {
      glong length = g_utf8_strlen (*word, -1);

      if (column == 0 || column + 1 + length > WIDTH)
        {
          fb_cli_print ("%s%*s", column ? "\n" : "", (int) indent, "");
          column = indent;
        }
      else
        {
          fb_cli_print (" ");
          column++;
        }
      fb_cli_print ("%s", *word);
      column += length;
    }
  fb_cli_print ("\n");
}

static void
print_kernels (const FbVerdict *verdict)
{
  enum
  {
    MOST = 8,
  };
  if (verdict->kernel)
    {
      fb_cli_print (_ ("  stored by kernel %u\n"), verdict->kernel);
      return;
    }
  if (verdict->n_kernels == 0)
    return;
  fb_cli_print (ngettext ("  computed in kernel", "  computed in kernels", verdict->n_kernels));
  for (guint i = 0; i < MIN (verdict->n_kernels, MOST); i++)
    fb_cli_print ("%s %u", i ? "," : "", verdict->kernels[i]);
  if (verdict->n_kernels > MOST)
    fb_cli_print (_ (" and %u more"), verdict->n_kernels - MOST);
  fb_cli_print ("\n");
}

static void
print_counterfactuals (const FbCliAnswer *answer, FbUop *node)
{
  if (answer->asked->quick)
    return;
  g_autoptr (GPtrArray) statements = fb_counterfactuals_of (answer->tries, node, NULL);
  if (statements->len == 0)
    fb_cli_print (_ ("  nothing known fuses it\n"));
  for (guint i = 0; i < statements->len; i++)
    {
      const FbCounterfactual *statement = g_ptr_array_index (statements, i);
      g_autofree char *change = fb_scenario_to_text (statement->change, answer->schedule);
      g_autofree char *cost = fb_cli_cost_change (&answer->cost, &statement->cost);
      fb_cli_print (_ ("  with %s it fuses: %s\n"), change, cost);
    }
}

static void
print_verdict (const FbCliAnswer *answer, FbUop *node)
{
  FbVerdict verdict = fb_why_verdict (answer->why, node);
  g_autofree char *text = fb_why_node_text (answer->context, node);
  g_autofree char *sentence = fb_why_sentence (answer->schedule, &verdict);
  const char *location = fb_why_location (&verdict), *reason = fb_why_reason (&verdict);
  char key[17];

  fb_cli_print ("%s  %s\n", text, fb_uop_key_hex (answer->context, node, key));
  if (verdict.kind == FB_VERDICT_NO_WORK)
    fb_cli_print ("  %s\n", fb_verdict_name (verdict.kind));
  else
    fb_cli_print ("  %s: %s%s%s%s\n", fb_verdict_name (verdict.kind), reason, *location ? " (" : "", location,
                  *location ? ")" : "");
  print_wrapped (sentence, 4);
  print_kernels (&verdict);
  if (verdict.kind == FB_VERDICT_REALIZED)
    print_counterfactuals (answer, node);
}

static void
print_pair (const FbCliAnswer *answer)
{
  g_autoptr (FbPair) pair = fb_why_pair (answer->why, answer->asked->node, answer->asked->other);
  g_autofree char *up = fb_why_node_text (answer->context, pair->up);
  g_autofree char *down = fb_why_node_text (answer->context, pair->down);
  char key[17];

  fb_cli_print ("%s  %s\n", up, fb_uop_key_hex (answer->context, pair->up, key));
  fb_cli_print ("%s  %s\n", down, fb_uop_key_hex (answer->context, pair->down, key));
  fb_cli_print ("  %s\n", fb_pair_name (pair->kind));
  for (guint i = 0; i < pair->kernels->len; i++)
    fb_cli_print (_ ("  both computed in kernel %u\n"), g_array_index (pair->kernels, guint, i));
  for (guint i = 0; i < pair->deciding->len; i++)
    {
      const FbDecision *d = g_ptr_array_index (pair->deciding, i);
      fb_cli_print (_ ("\nbetween them is stored\n"));
      print_verdict (answer, d->node);
    }
}

static void
print_kernel (const FbCliAnswer *answer, guint kernel)
{
  const FbKernelCost *cost = &answer->kernels[kernel - 1];

  const char *read = fb_count (cost->bytes_read), *written = fb_count (cost->bytes_written);
  const char *flops = fb_count (cost->flops);
  fb_cli_print (_ ("\nkernel %u: "), kernel);
  g_autofree char *ops = fb_why_ops_text (cost);
  fb_cli_print ("%s", *ops ? ops : "-");
  fb_cli_print (_ ("; reads %s bytes, writes %s, %s FLOPs"), read, written, flops);
  if (cost->recompute > 1)
    fb_cli_print (_ (", computes the same up to %.0f times"), cost->recompute);
  fb_cli_print (_ ("\nstores "));
  print_verdict (answer, fb_why_stored (answer->why, kernel));
}

static void
print_row (const FbCliAnswer *answer)
{
  const GPtrArray *nodes = fb_why_nodes (answer->why);
  const char *bytes = fb_count (answer->cost.bytes_read + answer->cost.bytes_written);
  const char *flops = fb_count (answer->cost.flops), *peak = fb_count (answer->cost.peak_bytes);

  fb_cli_print (ngettext ("%s: row %u: %u kernel, %s bytes read and written, %s FLOPs, at most %s bytes at a time\n",
                          "%s: row %u: %u kernels, %s bytes read and written, %s FLOPs, at most %s bytes at a time\n",
                          answer->cost.n_kernels),
                answer->asked->path, answer->asked->row, answer->cost.n_kernels, bytes, flops, peak);
  for (guint kernel = 1; kernel <= answer->schedule->kernels->len; kernel++)
    print_kernel (answer, kernel);
  for (guint i = 0; answer->asked->all && i < nodes->len; i++)
    if (fb_why_verdict (answer->why, g_ptr_array_index (nodes, i)).kind == FB_VERDICT_FUSED)
      {
        fb_cli_print ("\n");
        print_verdict (answer, g_ptr_array_index (nodes, i));
      }
}

void
fb_cli_explain_text (const FbCliAnswer *answer)
{
  if (answer->asked->other)
    print_pair (answer);
  else if (answer->asked->node)
    print_verdict (answer, answer->asked->node);
  else
    print_row (answer);
}
