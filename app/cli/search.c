/* fusebox search FILE QUERY: at which step of which pass such a node comes up. */
#include <string.h>

#include "json.h"
#include "question.h"

static const FbRule *
rule_of (const FbQuestion *question, const FbHit *hit)
{
  if (question->schedule == NULL || hit->step == 0)
    return NULL;
  const FbPass *pass = fb_schedule_pass (question->schedule, hit->pass);
  return fb_rule_set_rule (pass->rules, fb_pass_match (pass, hit->step - 1)->rule);
}

/* Its match is of this node. */
static gboolean
is_replaced (const FbQuestion *question, const FbHit *hit)
{
  const FbPass *pass = fb_schedule_pass (question->schedule, hit->pass);
  return !hit->made && fb_pass_match (pass, hit->step - 1)->before == hit->uop;
}

static void
print_hit (const FbQuestion *question, const FbHit *hit)
{
  g_autofree char *node = fb_question_describe (question, hit->uop), *clean = fb_cli_clean_text (node);
  char key[17];
  fb_uop_key_hex (question->context, hit->uop, key);
  if (question->schedule == NULL)
    {
      fb_cli_print ("  %s  %s\n", key, clean);
      return;
    }
  g_autofree char *pass = fb_question_pass (question, hit->pass);
  const FbRule *rule = rule_of (question, hit);
  if (rule == NULL)
    fb_cli_print (_ ("%s, input:    %s  %s\n"), pass, key, clean);
  else
    fb_cli_print (_ ("%s, step %u:  %s %s  %s  (%s)\n"), pass, hit->step,
                  hit->made                     ? "+"
                  : is_replaced (question, hit) ? "-"
                                                : "~",
                  key, clean, rule->name);
}

static void
print_json (const FbQuestion *question, const char *text, const GArray *hits)
{
  g_autoptr (GString) json = g_string_new ("{\"row\":");
  g_string_append_printf (json, "%u,\"query\":", question->row->row);
  fb_json_append_string (json, text);
  g_string_append (json, ",\"hits\":[");
  for (guint i = 0; i < hits->len; i++)
    {
      const FbHit *hit = &g_array_index (hits, FbHit, i);
      g_string_append (json, i > 0 ? ",\n{" : "\n{");
      if (question->schedule != NULL)
        {
          fb_question_append_place (question, hit->pass, hit->step, json);
          g_string_append_printf (json, ",\"made\":%s,", hit->made ? "true" : "false");
        }
      fb_question_append_node (question, hit->uop, json);
      fb_question_append_rule (rule_of (question, hit), json);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]}\n");
  fb_cli_write (json->str, json->len);
}

static int
search (const char *path, const char *text, const FbCliRows *rows, gboolean as_json)
{
  g_autoptr (GError) error = NULL;
  gsize position = 0;
  g_autoptr (FbQuery) query = fb_query_new (text, &position, &error);
  if (query == NULL)
    {
      g_autofree char *before = g_strndup (text, position);
      /* Translators: a question, the number of a character in it, what is wrong there */
      fb_cli_error (_ ("“%s”, character %ld: %s"), text, g_utf8_strlen (before, -1) + 1, error->message);
      return FB_EXIT_FAILED;
    }
  g_autoptr (FbCapture) capture = fb_cli_open (path, rows->release);
  g_auto (FbQuestion) question = { NULL };
  if (capture == NULL || !fb_question_init (&question, capture, rows))
    return FB_EXIT_FAILED;
  g_autoptr (GArray) hits = question.index != NULL ? fb_query_all (question.index, query, NULL)
                                                   : fb_query_plain (question.context, question.row->sink, query);
  if (as_json)
    print_json (&question, text, hits);
  else
    {
      for (guint i = 0; i < hits->len; i++)
        print_hit (&question, &g_array_index (hits, FbHit, i));
      fb_cli_print (ngettext ("%u found\n", "%u found\n", hits->len), hits->len);
    }
  return question.schedule != NULL && question.schedule->error != NULL ? FB_EXIT_FAILED : FB_EXIT_OK;
}

int
fb_cli_search (int argc, char **argv)
{
  g_auto (FbCliRows) rows = FB_CLI_ROWS_INIT;
  g_auto (GStrv) words = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &rows.row, N_ ("The row, from 1"), "K" },
    { "kind", 0, 0, G_OPTION_ARG_STRING, &rows.kind_name, N_ ("schedule, graph or kernel rows"), "KIND" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print JSON"), NULL },
    { "release", 0, 0, G_OPTION_ARG_STRING, &rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &words, NULL, NULL },
    { NULL },
  };
  if (!fb_cli_parse (
          argc, argv, entries, "FILE QUERY",
          _ ("Every step of every pass at which such a node comes up, or such a rule fires.\n"
             "\n"
             "QUERY is words and terms that must all hold; “or”, “-” before a term, and brackets:\n"
             "  exp2                      in the op, arg, dtype, shape or rule\n"
             "  op:ADD|MUL op:MOVEMENT    an op, or a set of ops\n"
             "  shape:64 shape=(64,64)    a dimension, the shape; * is any: shape:64x*\n"
             "  dtype:float arg:1.0 key:6aec rule:movement pass:simplify kernel:3 step:12\n"
             "  VIEW(REDUCE_AXIS)         a pattern, as rules are written: ADD(x, 0), ADD[x, x], MOVEMENT(x)\n"
             "  is:growth is:again        the graph is larger after it; the node was there before\n"
             "\n"
             "In front of a node: + made by the step, - replaced by it, ~ comes to match as its sources change.")))
    return FB_EXIT_FAILED;
  if (words == NULL || g_strv_length (words) != 2 || !g_utf8_validate (words[1], -1, NULL))
    {
      fb_cli_error (_ ("search takes one FILE and one QUERY (see “fusebox search --help”)"));
      return FB_EXIT_FAILED;
    }
  return search (words[0], words[1], &rows, json);
}
