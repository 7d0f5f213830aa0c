/* fusebox diff A B: two VIZ traces of one program. */
#include "diff.h"

#include "cli-private.h"
#include "core/viztrace/compare.h"
#include "json.h"

static FbVizTrace *
open_side (const char *path)
{
  g_autoptr (GError) error = NULL;
  FbVizTrace *trace = NULL;

  if (g_file_test (path, G_FILE_TEST_EXISTS) && !fb_viz_trace_sniff_file (path))
    {
      fb_cli_error (_ ("%s is no VIZ trace (rewrites.pkl); diff compares two of these, replay compares captures"),
                    path);
      return NULL;
    }
  trace = fb_viz_trace_open (path, NULL, &error);
  if (trace == NULL)
    fb_cli_error ("%s", error->message);
  return trace;
}

static const char *
rewrite_name (const FbVizTrace *trace, int context, int rewrite)
{
  const FbVizRewrite *found = &fb_viz_trace_context (trace, context)->rewrites[rewrite];

  return found->name ? found->name : found->location;
}

/* --- text --- */

static char *
context_name (const FbVizTrace *trace, int context)
{
  g_autofree char *plain = fb_viz_plain_name (fb_viz_trace_context (trace, context)->name);

  return fb_cli_clean_text (plain);
}

static char *
place (int index)
{
  return index < 0 ? g_strdup ("-") : g_strdup_printf ("%d", index + 1);
}

/* "3 → 4 nodes": what is different about the numbers of a pair. */
static void
append_numbers (GString *text, const FbVizRewritePair *pair)
{
  if (pair->nodes_a != pair->nodes_b)
    g_string_append_printf (text, _ (", input of %u → %u nodes"), pair->nodes_a, pair->nodes_b);
  if (pair->matches_a != pair->matches_b)
    g_string_append_printf (text, _ (", %u → %u matches"), pair->matches_a, pair->matches_b);
}

static void
print_pair (const char *indent, const FbVizRewritePair *pair, const char *name, const char *what)
{
  g_autofree char *a = place (pair->a), *b = place (pair->b);

  fb_cli_print ("%s%6s %6s  %-9s  %s%s\n", indent, a, b, fb_viz_relation_name (pair->relation), name, what);
}

static void
print_rewrites (const FbVizComparison *comparison, const FbVizContextPair *context)
{
  for (guint i = 0; i < context->n_pairs; i++)
    {
      const FbVizRewritePair *pair = &context->rewrites[i];
      guint side = pair->a < 0;
      g_autoptr (GString) what = g_string_new (NULL);
      g_autofree char *plain = NULL, *name = NULL;

      if (pair->relation == FB_VIZ_SAME)
        continue;
      plain = fb_viz_plain_name (rewrite_name (fb_viz_comparison_trace (comparison, side),
                                               side ? context->pair.b : context->pair.a, side ? pair->b : pair->a));
      name = fb_cli_clean_text (plain);
      if (pair->relation == FB_VIZ_CHANGED)
        append_numbers (what, pair);
      print_pair ("       ", pair, name, what->str);
    }
}

static void
print_context (const FbVizComparison *comparison, const FbVizContextPair *context)
{
  const FbVizRewritePair *pair = &context->pair;
  g_autofree char *name = pair->a < 0 ? NULL : context_name (fb_viz_comparison_trace (comparison, 0), pair->a);
  g_autofree char *other = pair->b < 0 ? NULL : context_name (fb_viz_comparison_trace (comparison, 1), pair->b);
  g_autofree char *both = context->renamed ? g_strdup_printf ("%s → %s", name, other) : g_strdup (name ? name : other);
  g_autoptr (GString) what = g_string_new (NULL);

  if (context->moved)
    g_string_append (what, _ (", moved"));
  if (pair->relation == FB_VIZ_CHANGED)
    append_numbers (what, pair);
  print_pair ("", pair, both, what->str);
  print_rewrites (comparison, context);
}

static void
print_sides (const FbVizComparison *comparison)
{
  for (guint side = 0; side < 2; side++)
    {
      const FbVizTrace *trace = fb_viz_comparison_trace (comparison, side);
      fb_cli_print (_ ("%c  %s: tinygrad %s, %u contexts, %lu matches\n"), "AB"[side], fb_viz_trace_path (trace),
                    fb_viz_trace_release (trace), fb_viz_trace_n_contexts (trace),
                    (gulong) fb_viz_trace_n_matches (trace));
    }
}

void
fb_diff_print (const FbVizComparison *comparison, gboolean all)
{
  gboolean head = FALSE;

  for (guint i = 0; i < fb_viz_comparison_n_pairs (comparison); i++)
    {
      const FbVizContextPair *pair = fb_viz_comparison_pair (comparison, i);

      if (pair->pair.relation == FB_VIZ_SAME && !pair->moved && !all)
        continue;
      if (!head)
        fb_cli_print ("\n%6s %6s  %-9s  %s\n", "A", "B", "", _ ("context"));
      head = TRUE;
      print_context (comparison, pair);
    }
  fb_cli_print (_ ("\n%u contexts the same, %u changed, %u only in A, %u only in B\n"),
                fb_viz_comparison_count (comparison, FB_VIZ_SAME), fb_viz_comparison_count (comparison, FB_VIZ_CHANGED),
                fb_viz_comparison_count (comparison, FB_VIZ_ONLY_A),
                fb_viz_comparison_count (comparison, FB_VIZ_ONLY_B));
}

/* --- JSON --- */

static void
append_number (GString *json, const char *name, int index)
{
  if (index < 0)
    g_string_append_printf (json, ",\"%s\":null", name);
  else
    g_string_append_printf (json, ",\"%s\":%d", name, index + 1);
}

static void
append_name (GString *json, const char *field, const char *name)
{
  g_string_append_printf (json, ",\"%s\":", field);
  if (name)
    fb_json_append_string (json, name);
  else
    g_string_append (json, "null");
}

static void
append_pair (GString *json, const FbVizRewritePair *pair)
{
  static const char *const words[] = { "same", "changed", "only_a", "only_b" };

  g_string_append_printf (json, "{\"relation\":\"%s\"", words[pair->relation]);
  append_number (json, "a", pair->a);
  append_number (json, "b", pair->b);
  if (pair->a >= 0)
    g_string_append_printf (json, ",\"nodes_a\":%u,\"matches_a\":%u", pair->nodes_a, pair->matches_a);
  if (pair->b >= 0)
    g_string_append_printf (json, ",\"nodes_b\":%u,\"matches_b\":%u", pair->nodes_b, pair->matches_b);
}

static void
append_context (GString *json, const FbVizComparison *comparison, const FbVizContextPair *context)
{
  const FbVizTrace *a = fb_viz_comparison_trace (comparison, 0), *b = fb_viz_comparison_trace (comparison, 1);
  const FbVizRewritePair *pair = &context->pair;

  append_pair (json, pair);
  append_name (json, "name_a", pair->a < 0 ? NULL : fb_viz_trace_context (a, pair->a)->name);
  append_name (json, "name_b", pair->b < 0 ? NULL : fb_viz_trace_context (b, pair->b)->name);
  g_string_append_printf (json, ",\"moved\":%s,\"rewrites\":[", context->moved ? "true" : "false");
  for (guint i = 0; i < context->n_pairs; i++)
    {
      const FbVizRewritePair *rewrite = &context->rewrites[i];

      if (i > 0)
        g_string_append_c (json, ',');
      append_pair (json, rewrite);
      append_name (json, "name",
                   rewrite->a >= 0 ? rewrite_name (a, pair->a, rewrite->a) : rewrite_name (b, pair->b, rewrite->b));
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]}");
}

static void
print_json (const FbVizComparison *comparison)
{
  g_autoptr (GString) json = g_string_new ("{");

  for (guint side = 0; side < 2; side++)
    {
      const FbVizTrace *trace = fb_viz_comparison_trace (comparison, side);
      g_string_append_printf (json, "\"%c\":{\"file\":", "ab"[side]);
      fb_json_append_string (json, fb_viz_trace_path (trace));
      g_string_append_printf (json, ",\"release\":\"%s\",\"contexts\":%u,\"matches\":%" G_GUINT64_FORMAT "},",
                              fb_viz_trace_release (trace), fb_viz_trace_n_contexts (trace),
                              fb_viz_trace_n_matches (trace));
    }
  g_string_append_printf (
      json, "\"same\":%u,\"changed\":%u,\"only_a\":%u,\"only_b\":%u,\"contexts\":[",
      fb_viz_comparison_count (comparison, FB_VIZ_SAME), fb_viz_comparison_count (comparison, FB_VIZ_CHANGED),
      fb_viz_comparison_count (comparison, FB_VIZ_ONLY_A), fb_viz_comparison_count (comparison, FB_VIZ_ONLY_B));
  for (guint i = 0; i < fb_viz_comparison_n_pairs (comparison); i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      append_context (json, comparison, fb_viz_comparison_pair (comparison, i));
    }
  g_string_append (json, "]}\n");
  fb_cli_write (json->str, json->len);
}

static void
show_progress (double fraction, gpointer data)
{
  fb_cli_progress_set ((guint) (fraction * 100));
}

int
fb_cli_diff (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  gboolean json = FALSE, all = FALSE;
  const GOptionEntry entries[] = {
    { "all", 'a', 0, G_OPTION_ARG_NONE, &all, N_ ("List the contexts that are the same, too"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print one JSON object"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  g_autoptr (FbVizTrace) a = NULL, b = NULL;
  g_autoptr (FbVizComparison) comparison = NULL;

  if (!fb_cli_parse (argc, argv, entries, "A.pkl B.pkl",
                     _ ("What is different between two VIZ traces of one program: of two releases, or before and after "
                        "a change.")))
    return FB_EXIT_FAILED;
  if (files == NULL || g_strv_length (files) != 2)
    {
      fb_cli_error (_ ("diff takes two files (see “fusebox diff --help”)"));
      return FB_EXIT_FAILED;
    }
  if (!(a = open_side (files[0])) || !(b = open_side (files[1])))
    return FB_EXIT_FAILED;
  fb_cli_progress_begin (_ ("Comparing"), 100);
  comparison = fb_viz_comparison_new (a, b, show_progress, NULL, NULL, NULL);
  fb_cli_progress_end ();
  if (json)
    print_json (comparison);
  else
    {
      print_sides (comparison);
      fb_diff_print (comparison, all);
    }
  return fb_viz_comparison_is_same (comparison) ? FB_EXIT_OK : FB_EXIT_DIFFERENT;
}
