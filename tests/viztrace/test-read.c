/* Reading traces: the release is told, what is unknown is noted, what is broken is refused. */
#include <string.h>

#include "core/viztrace/viztrace.h"

static GBytes *
sample (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "traces", name, NULL);
  g_autoptr (GError) error = NULL;
  char *text;
  gsize len;

  g_file_get_contents (path, &text, &len, &error);
  g_assert_no_error (error);
  return g_bytes_new_take (text, len);
}

/* A copy of @bytes with every @from, which is as long, made @to. */
static GBytes *
edited (GBytes *bytes, const char *from, const char *to)
{
  gsize len, n = strlen (from), found = 0;
  const guint8 *data = g_bytes_get_data (bytes, &len);
  guint8 *copy = g_memdup2 (data, len);

  g_assert_cmpuint (n, ==, strlen (to));
  for (gsize i = 0; i + n <= len; i++)
    if (memcmp (copy + i, from, n) == 0)
      {
        memcpy (copy + i, to, n);
        found++;
      }
  g_assert_cmpuint (found, >, 0);
  return g_bytes_new_take (copy, len);
}

/* Goes through all of a trace; the number of matches that could be shown. */
static guint
go_through (FbVizTrace *trace)
{
  guint n = 0;

  for (guint i = 0; i < fb_viz_trace_n_contexts (trace); i++)
    {
      const FbVizContext *group = fb_viz_trace_context (trace, i);
      g_autoptr (FbContext) context = fb_context_new ();
      g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, context);

      for (guint k = 0; k < group->n_rewrites; k++)
        {
          FbUop *sink = fb_viz_nodes_sink (nodes, &group->rewrites[k], NULL);
          g_autoptr (FbVizReplay) replay = sink ? fb_viz_replay_new (nodes, &group->rewrites[k], sink) : NULL;
          FbVizMatch match;

          for (guint m = 0; sink && m < group->rewrites[k].n_matches; m++)
            {
              if (!fb_viz_nodes_match (nodes, &group->rewrites[k], m, &match, NULL)
                  || !fb_viz_replay_apply (replay, &match))
                break;
              n++;
            }
        }
    }
  return n;
}

static FbVizTrace *
read_bytes (GBytes *bytes, const char *release, char **message)
{
  g_autoptr (GError) error = NULL;
  FbVizTrace *trace = fb_viz_trace_new (bytes, "test", release, &error);

  g_assert_true ((trace == NULL) == (error != NULL));
  if (message)
    *message = error ? g_strdup (error->message) : NULL;
  return trace;
}

static void
test_releases (void)
{
  static const struct
  {
    const char *file, *release;
    FbVizForm form;
    gboolean by_value;
  } cases[] = {
    { "relu.v0.10.2.pkl", "v0.10.2", FB_VIZ_OBJECTS, FALSE },
    { "relu.v0.11.0.pkl", "v0.11.0", FB_VIZ_NUMBERED, TRUE },
    { "relu.v0.13.0.pkl", "v0.13.0", FB_VIZ_TRACE, FALSE },
    { "relu.2026-08.pkl", "2026-08-22", FB_VIZ_TRACE, TRUE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GBytes) bytes = sample (cases[i].file);
      g_autoptr (FbVizTrace) trace = read_bytes (bytes, NULL, NULL);

      g_assert_true (fb_viz_trace_sniff (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes)));
      g_assert_cmpstr (fb_viz_trace_release (trace), ==, cases[i].release);
      g_assert_cmpint (fb_viz_trace_form (trace), ==, cases[i].form);
      g_assert_cmpint (fb_viz_trace_ops_by_value (trace), ==, cases[i].by_value);
      g_assert_true (fb_viz_trace_release_detected (trace));
      g_assert_cmpuint (go_through (trace), >, 50);
    }
}

/* The numbers of ops mean what the release asked for says. */
static void
test_release_asked_for (void)
{
  g_autoptr (GBytes) bytes = sample ("relu.2026-08.pkl");
  g_autoptr (FbVizTrace) trace = read_bytes (bytes, "0.13.0", NULL);
  g_autoptr (FbVizTrace) none = NULL;
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, context);
  g_autofree char *message = NULL;
  FbUop *sink = fb_viz_nodes_sink (nodes, &fb_viz_trace_context (trace, 0)->rewrites[0], NULL);

  g_assert_cmpstr (fb_viz_trace_release (trace), ==, "v0.13.0");
  g_assert_false (fb_viz_trace_release_detected (trace));
  /* 13 is SINK there, LINEAR is 11 in both */
  g_assert_cmpstr (fb_op_name (sink->op), !=, "SINK");
  none = read_bytes (bytes, "v9.9", &message);
  g_assert_null (none);
  g_assert_cmpstr (message, ==, "test: the release v9.9 is not known.");
}

static void
check_note (const char *from, const char *to, const char *expected)
{
  g_autoptr (GBytes) bytes = sample ("relu.v0.13.0.pkl"), other = edited (bytes, from, to);
  g_autoptr (FbVizTrace) trace = read_bytes (bytes, NULL, NULL);
  g_autoptr (FbVizTrace) changed = read_bytes (other, NULL, NULL);

  g_assert_cmpuint (fb_viz_trace_n_notes (trace), ==, 0);
  g_assert_nonnull (changed);
  g_assert_cmpuint (fb_viz_trace_n_notes (changed), ==, 1);
  g_assert_cmpstr (fb_viz_trace_note (changed, 0), ==, expected);
  g_assert_cmpuint (go_through (changed), ==, go_through (trace));
}

static void
test_unknown (void)
{
  check_note ("\x8c\x03MUL", "\x8c\x03ZAP", "1 op is not of v0.13.0: ZAP");
  check_note ("\x8c\x05"
              "depth",
              "\x8c\x05"
              "depht",
              "The field depht of TrackedGraphRewrite is of no known release and was not read");
  check_note ("TrackedGraphRewrite", "TrackedGraphRewrote",
              "Rewrites are of the class TrackedGraphRewrote, which no known release has; they were read as "
              "TrackedGraphRewrite");
  check_note ("RewriteTrace", "RewriteTraze",
              "The trace is of the class RewriteTraze, which no known release has; it was read as RewriteTrace");
}

/* A class of args that was never seen prints by its name. */
static void
test_unknown_arg (void)
{
  g_autoptr (GBytes) bytes = sample ("relu.v0.13.0.pkl"), other = edited (bytes, "KernelInfo", "KernelInfx");
  g_autoptr (FbVizTrace) trace = read_bytes (bytes, NULL, NULL);
  g_autoptr (FbVizTrace) changed = read_bytes (other, NULL, NULL);

  g_assert_cmpuint (go_through (changed), ==, go_through (trace));
}

static void
test_truncated (void)
{
  static const char *const names[] = { "relu.v0.10.2.pkl", "relu.v0.11.0.pkl", "relu.2026-08.pkl" };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autoptr (GBytes) bytes = sample (names[i]);

      for (gsize len = 0; len < g_bytes_get_size (bytes); len += 1 + len / 50)
        {
          g_autoptr (GBytes) part = g_bytes_new_from_bytes (bytes, 0, len);
          g_autoptr (FbVizTrace) trace = NULL;
          g_autofree char *message = NULL;

          trace = read_bytes (part, NULL, &message);
          g_assert_null (trace);
          g_assert_true (g_str_has_prefix (message, "test, byte ") && g_str_has_suffix (message, "."));
        }
    }
}

/* Whatever a byte becomes, the trace is read or refused. */
static void
test_damaged (void)
{
  g_autoptr (GBytes) bytes = sample ("relu.v0.11.0.pkl");
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  guint refused = 0;

  for (guint i = 0; i < 400; i++)
    {
      gsize len;
      const guint8 *data = g_bytes_get_data (bytes, &len);
      guint8 *copy = g_memdup2 (data, len);
      g_autoptr (GBytes) damaged = NULL;
      g_autoptr (FbVizTrace) trace = NULL;

      for (int k = 0; k < 3; k++)
        copy[g_rand_int_range (random, 0, (gint32) len)] = (guint8) g_rand_int_range (random, 0, 256);
      damaged = g_bytes_new_take (copy, len);
      trace = read_bytes (damaged, NULL, NULL);
      if (trace)
        go_through (trace);
      else
        refused++;
    }
  g_assert_cmpuint (refused, >, 0);
}

static void
check_refused (const char *pickle, gsize len, const char *expected)
{
  g_autoptr (GBytes) bytes = g_bytes_new (pickle, len);
  g_autoptr (FbVizTrace) trace = NULL;
  g_autofree char *message = NULL;

  trace = read_bytes (bytes, NULL, &message);
  g_assert_null (trace);
  g_assert_cmpstr (message, ==, expected);
}
#define CHECK_REFUSED(literal, expected) check_refused (literal, sizeof (literal) - 1, expected)

static void
test_refused (void)
{
  static const char no_trace[]
      = "test: this pickle is no VIZ trace: expected (keys, rewrites), (keys, rewrites, nodes) or a RewriteTrace.";

  CHECK_REFUSED ("\x80\x04N.", no_trace);
  CHECK_REFUSED ("\x80\x04K\x01K\x02\x86.", no_trace);
  CHECK_REFUSED ("\x80\x04]]K\x01\x87.", "test: the table of nodes is no dict.");
  CHECK_REFUSED ("\x80\x04]]}K\x01K\x02s\x87.",
                 "test: entry 0 of the table of nodes is not a number and the fields of a node.");
  CHECK_REFUSED ("\x80\x04]]K\x01"
                 "a\x86.",
                 "test: the rewrites of context 1 are no list.");
  CHECK_REFUSED ("\x80\x04]]]K\x01"
                 "aa\x86.",
                 "test: rewrite 1 of context 1 is no object.");
  /* os.system is a name like any other: an object of that class, which is no trace */
  CHECK_REFUSED ("\x80\x04\x8c\x02os\x8c\x06system\x93\x8c\x04"
                 "exit\x85R.",
                 no_trace);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/viztrace/read/releases", test_releases);
  g_test_add_func ("/viztrace/read/release-asked-for", test_release_asked_for);
  g_test_add_func ("/viztrace/read/unknown-ops-classes-and-fields-are-noted", test_unknown);
  g_test_add_func ("/viztrace/read/unknown-class-of-an-arg", test_unknown_arg);
  g_test_add_func ("/viztrace/read/truncated-is-refused", test_truncated);
  g_test_add_func ("/viztrace/read/damaged-is-read-or-refused", test_damaged);
  g_test_add_func ("/viztrace/read/refused-in-words", test_refused);
  return g_test_run ();
}
