/* fusebox rules FILE: every rule that a row's passes try, how often it matched, and what it takes. */
#include <string.h>

#include "core/explain/rule-times.h"
#include "core/viztrace/profile.h"

#include "count.h"
#include "explain-private.h"
#include "json.h"

typedef struct
{
  FbCliRows rows;
  char *pass;
  gboolean times, all, json;
} Options;

/* What is listed, and over what. */
typedef struct
{
  const char *path;
  guint row;
  const FbSchedule *schedule;
  guint first, end;   /* of its passes */
  FbRuleTimes *times; /* NULL: not measured */
  double seconds;     /* of those passes */
  GArray *totals;     /* of FbRuleTotal */
} Listing;

static double
each (const FbRuleTotal *total)
{
  return total->timed_tries > 0 ? total->seconds / (double) total->timed_tries : 0;
}

static double
share (const Listing *listing, const FbRuleTotal *total)
{
  return listing->seconds > 0 ? total->seconds / listing->seconds : 0;
}

/* The slowest first, then the most matched, then the most tried; else as they stand in their tables. */
static int
compare_totals (gconstpointer a, gconstpointer b)
{
  const FbRuleTotal *x = a, *y = b;
  if (x->seconds != y->seconds)
    return x->seconds < y->seconds ? 1 : -1;
  if (x->matches != y->matches)
    return x->matches < y->matches ? 1 : -1;
  return x->tries == y->tries ? 0 : x->tries < y->tries ? 1 : -1;
}

static void
print_rule (const Listing *listing, const FbRuleTotal *total)
{
  fb_cli_print ("%9s %10s", fb_count ((gint64) total->matches), fb_count ((gint64) total->tries));
  if (listing->times)
    {
      g_autofree char *time = fb_viz_time_text (total->seconds), *of_each = fb_viz_time_text (each (total));
      /* µ is two bytes, and one place */
      fb_cli_print ("%*s %5.1f%% %*s", 10 + (int) (strlen (time) - (gsize) g_utf8_strlen (time, -1)), time,
                    100 * share (listing, total), 10 + (int) (strlen (of_each) - (gsize) g_utf8_strlen (of_each, -1)),
                    of_each);
    }
  fb_cli_print ("  %-28s %-17s %s\n", total->rule->name, total->rule->location, total->rule->law);
}

static void
print_text (const Listing *listing, gboolean all)
{
  guint n_matched = 0;
  double in_rules = 0;
  if (listing->times)
    /* Translators: heads of columns, right-aligned to their last letters; time of a rule, its share of the passes' time, time of a try */
    fb_cli_print ("%s", _ ("  matches      tries      time  share   per try\n"));
  else
    fb_cli_print ("%s", _ ("  matches      tries\n"));
  for (guint i = 0; i < listing->totals->len; i++)
    {
      const FbRuleTotal *total = &g_array_index (listing->totals, FbRuleTotal, i);
      n_matched += total->matches > 0;
      in_rules += total->seconds;
      if (all || total->matches > 0)
        print_rule (listing, total);
    }
  g_autofree char *n_all = g_strdup (fb_count (listing->totals->len));
  fb_cli_print (ngettext ("%s of %s rule matched\n", "%s of %s rules matched\n", listing->totals->len),
                fb_count (n_matched), n_all);
  if (!listing->times)
    return;
  g_autofree char *rules = fb_viz_time_text (in_rules), *passes = fb_viz_time_text (listing->seconds);
  /* Translators: time in rules, time of the passes, number of runs */
  fb_cli_print (ngettext ("%s of %s in rules, the shortest of %u run\n", "%s of %s in rules, the shortest of %u runs\n",
                          listing->times->n_runs),
                rules, passes, listing->times->n_runs);
  if (!listing->times->settled)
    fb_cli_print ("%s", _ ("the times have not settled: something else keeps this machine busy\n"));
}

static void
print_json (const Listing *listing)
{
  g_autoptr (GString) json = g_string_new ("{\"file\":");
  fb_json_append_string (json, listing->path);
  g_string_append_printf (json, ",\"row\":%u,\"first_pass\":%u,\"last_pass\":%u", listing->row, listing->first + 1,
                          listing->end);
  if (listing->times)
    g_string_append_printf (json, ",\"runs\":%u,\"settled\":%s,\"seconds\":%.9f", listing->times->n_runs,
                            listing->times->settled ? "true" : "false", listing->seconds);
  g_string_append (json, ",\"rules\":[");
  for (guint i = 0; i < listing->totals->len; i++)
    {
      const FbRuleTotal *total = &g_array_index (listing->totals, FbRuleTotal, i);
      g_string_append (json, i ? ",\n{\"rule\":" : "\n{\"rule\":");
      fb_json_append_string (json, total->rule->name);
      g_string_append (json, ",\"law\":");
      fb_json_append_string (json, total->rule->law);
      g_string_append (json, ",\"location\":");
      fb_json_append_string (json, total->rule->location);
      g_string_append_printf (json, ",\"matches\":%" G_GUINT64_FORMAT ",\"tries\":%" G_GUINT64_FORMAT, total->matches,
                              total->tries);
      if (listing->times)
        g_string_append_printf (json, ",\"seconds\":%.9f,\"share\":%.4f,\"seconds_per_try\":%.10f", total->seconds,
                                share (listing, total), each (total));
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]}\n");
  fb_cli_write (json->str, json->len);
}

static void
told (guint n_runs, double fraction, gpointer data)
{
  fb_cli_progress_set ((guint) (100 * MIN (fraction, 1)));
}

/* FALSE: the error was printed. */
static gboolean
measure (Listing *listing, GBytes *bytes, const char *release)
{
  const FbScenarioRow row = { bytes, listing->path, release };
  g_autoptr (GError) error = NULL;
  fb_cli_progress_begin (_ ("timing rules"), 100);
  listing->times = fb_rule_times_new (&row, NULL, told, NULL, NULL, &error);
  fb_cli_progress_end ();
  if (listing->times == NULL)
    {
      fb_cli_error (_ ("%s: row %u: %s"), listing->path, listing->row, error->message);
      return FALSE;
    }
  listing->seconds = fb_rule_totals_seconds (listing->times, listing->first, listing->end);
  return TRUE;
}

/* Which passes. FALSE: the error was printed. */
static gboolean
choose_passes (Listing *listing, const char *pass)
{
  g_autofree char *message = NULL;
  listing->first = 0;
  listing->end = listing->schedule->passes->len;
  if (pass == NULL)
    return TRUE;
  guint number = fb_cli_find_pass (listing->schedule, pass, &message);
  if (number == 0)
    {
      fb_cli_error ("%s", message);
      return FALSE;
    }
  listing->first = number - 1;
  listing->end = number;
  return TRUE;
}

static int
list_rules (const Options *options, FbCapture *capture)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  Listing listing = { .path = fb_capture_path (capture) };
  if (!fb_cli_explain_row (capture, &options->rows, &listing.row, &bytes))
    return FB_EXIT_FAILED;
  g_autoptr (FbContext) context = fb_context_new ();
  FbCaptureRow *row = fb_capture_read_bytes (bytes, listing.path, options->rows.release, context, &error);
  if (row == NULL)
    {
      fb_cli_error (_ ("%s: row %u: %s"), listing.path, listing.row, error->message);
      return FB_EXIT_FAILED;
    }
  g_autoptr (FbSchedule) schedule = fb_schedule_new (context, row->sink, NULL);
  listing.schedule = schedule;
  gboolean done = choose_passes (&listing, options->pass)
                  && (!options->times || measure (&listing, bytes, options->rows.release));
  if (done)
    {
      listing.totals = fb_rule_totals (schedule, listing.first, listing.end, listing.times);
      g_array_sort (listing.totals, compare_totals);
      if (options->json)
        print_json (&listing);
      else
        print_text (&listing, options->all);
      g_array_unref (listing.totals);
    }
  if (schedule->error != NULL)
    {
      /* the passes up to there have their rules */
      g_autofree char *message = fb_cli_schedule_error (listing.path, listing.row, schedule);
      fb_cli_error ("%s", message);
      done = FALSE;
    }
  fb_rule_times_free (listing.times);
  fb_capture_row_free (row);
  return done ? FB_EXIT_OK : FB_EXIT_FAILED;
}

int
fb_cli_rules (int argc, char **argv)
{
  g_auto (GStrv) files = NULL;
  Options o = { .rows = FB_CLI_ROWS_INIT };
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &o.rows.row, N_ ("The row, from 1"), "K" },
    { "pass", 'p', 0, G_OPTION_ARG_STRING, &o.pass, N_ ("Of this pass only: its number or title"), "P" },
    { "times", 't', 0, G_OPTION_ARG_NONE, &o.times, N_ ("Measure what each takes, by scheduling again and again"),
      NULL },
    { "all", 'a', 0, G_OPTION_ARG_NONE, &o.all, N_ ("Those that never matched, too"), NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &o.json, N_ ("Print JSON"), NULL },
    { "release", 0, 0, G_OPTION_ARG_STRING, &o.rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  int status = FB_EXIT_FAILED;
  if (fb_cli_parse (argc, argv, entries, "FILE",
                    _ ("Every rule that a row's passes try: matches, tries, law, line of the reference.")))
    {
      const char *path = fb_cli_one_file (files, "rules");
      g_autoptr (FbCapture) capture = path == NULL ? NULL : fb_cli_open (path, o.rows.release);
      status = capture == NULL ? FB_EXIT_FAILED : list_rules (&o, capture);
    }
  fb_cli_rows_clear (&o.rows);
  g_free (o.pass);
  return status;
}
