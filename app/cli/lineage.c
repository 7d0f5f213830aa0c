/* fusebox lineage FILE --node KEY: where a node came from and what it became. */
#include <string.h>

#include "core/query/lineage.h"

#include "json.h"
#include "question.h"

/* A node can become hundreds; more than these nobody reads. */
#define MOST_NODES 2000

static const char *const kind_names[] = {
  [FB_LINEAGE_REPLACED] = "replaced", [FB_LINEAGE_MADE] = "made", [FB_LINEAGE_MERGED] = "merged",
  [FB_LINEAGE_CUT] = "cut",           [FB_LINEAGE_READ] = "read",
};

/* The node whose key begins with @key; FB_LIFE_NONE: the error was printed. */
static guint32
find_node (const FbQuestion *question, const char *key)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strdup_printf ("key:\"%s\"", key);
  g_autoptr (FbQuery) query = strlen (key) >= 4 ? fb_query_new (text, NULL, &error) : NULL;
  if (query == NULL)
    {
      fb_cli_error (_ ("“%s” is no key: it has at least 4 hexadecimal digits"), key);
      return FB_LIFE_NONE;
    }
  g_autoptr (GArray) hits = fb_query_all (question->index, query, NULL);
  for (guint i = 1; i < hits->len; i++)
    if (g_array_index (hits, FbHit, i).uop != g_array_index (hits, FbHit, 0).uop)
      {
        fb_cli_error (_ ("%s: row %u: several nodes have a key that begins with %s"), question->path,
                      question->row->row, key);
        return FB_LIFE_NONE;
      }
  if (hits->len > 0)
    return g_array_index (hits, FbHit, 0).life;
  fb_cli_error (_ ("%s: row %u: no pass has a node with the key %s"), question->path, question->row->row, key);
  return FB_LIFE_NONE;
}

static char *
describe (const FbQuestion *question, guint32 life)
{
  char key[17];
  FbUop *uop = fb_history_life (question->history, life)->uop;
  g_autofree char *node = fb_question_describe (question, uop), *clean = fb_cli_clean_text (node);
  return g_strdup_printf ("%s %s", clean, fb_uop_key_hex (question->context, uop, key));
}

static void
print_link (const FbQuestion *question, const FbLineageLink *link)
{
  g_autofree char *was = describe (question, link->was), *is = describe (question, link->is);
  g_autofree char *pass = fb_question_pass (question, link->pass);
  guint kernel = fb_schedule_pass (question->schedule, link->pass)->kernel;
  switch (link->kind)
    {
    case FB_LINEAGE_REPLACED:
      fb_cli_print (_ ("  %s, step %u: %s → %s  (%s)\n"), pass, link->step, was, is, link->rule->name);
      break;
    case FB_LINEAGE_MADE:
      /* Translators: pass, step: from a node beside its replacement another, by a rule */
      fb_cli_print (_ ("  %s, step %u: %s → beside it %s  (%s)\n"), pass, link->step, was, is, link->rule->name);
      break;
    case FB_LINEAGE_MERGED:
      fb_cli_print (_ ("  %s, step %u: %s → %s  (the same as another)\n"), pass, link->step, was, is);
      break;
    case FB_LINEAGE_CUT:
      fb_cli_print (_ ("  kernel %u computes it: %s → %s\n"), kernel, was, is);
      break;
    case FB_LINEAGE_READ:
      fb_cli_print (_ ("  kernel %u reads it: %s → %s\n"), kernel, was, is);
      break;
    }
}

/* Links between what led to the node, or (@after) what it led to. */
static gboolean
is_after (const FbLineage *lineage, const FbLineageLink *link)
{
  return fb_lineage_node (lineage, link->to)->level > 0;
}

static void
print_text (const FbQuestion *question, const FbLineage *lineage, guint32 life)
{
  g_autofree char *node = describe (question, life);
  for (guint after = 0; after < 2; after++)
    {
      guint n = 0;
      if (after)
        fb_cli_print ("%s\n", node);
      for (guint i = 0; i < lineage->links->len; i++)
        if (is_after (lineage, fb_lineage_link (lineage, i)) == (gboolean) after)
          {
            if (n++ == 0)
              fb_cli_print ("%s\n", after ? _ ("became") : _ ("came from"));
            print_link (question, fb_lineage_link (lineage, i));
          }
      if (n == 0)
        fb_cli_print ("%s\n", after ? _ ("became nothing else") : _ ("was captured as it is"));
    }
  if (lineage->partly)
    fb_cli_print (_ ("and more: only the first %u nodes are shown\n"), MOST_NODES);
}

static void
print_json (const FbQuestion *question, const FbLineage *lineage, guint32 life)
{
  g_autoptr (GString) json = g_string_new ("{\"row\":");
  g_string_append_printf (json, "%u,\"node\":{", question->row->row);
  fb_question_append_node (question, fb_history_life (question->history, life)->uop, json);
  g_string_append_printf (json, "},\"partly\":%s,\"links\":[", lineage->partly ? "true" : "false");
  for (guint i = 0; i < lineage->links->len; i++)
    {
      const FbLineageLink *link = fb_lineage_link (lineage, i);
      g_string_append (json, i > 0 ? ",\n{" : "\n{");
      fb_question_append_place (question, link->pass, link->step, json);
      g_string_append_printf (json, ",\"side\":\"%s\",\"how\":\"%s\",\"from\":{",
                              is_after (lineage, link) ? "after" : "before", kind_names[link->kind]);
      fb_question_append_node (question, fb_history_life (question->history, link->was)->uop, json);
      g_string_append (json, "},\"to\":{");
      fb_question_append_node (question, fb_history_life (question->history, link->is)->uop, json);
      g_string_append_c (json, '}');
      fb_question_append_rule (link->rule, json);
      g_string_append_c (json, '}');
    }
  g_string_append (json, "]}\n");
  fb_cli_write (json->str, json->len);
}

static int
show_lineage (const char *path, const char *key, const FbCliRows *rows, gboolean as_json)
{
  g_autoptr (FbCapture) capture = fb_cli_open (path, rows->release);
  g_auto (FbQuestion) question = { NULL };
  if (capture == NULL || !fb_question_init (&question, capture, rows))
    return FB_EXIT_FAILED;
  if (question.history == NULL)
    {
      fb_cli_error (_ ("%s: kernel rows have been scheduled already, there are no passes"), path);
      return FB_EXIT_FAILED;
    }
  guint32 life = find_node (&question, key);
  if (life == FB_LIFE_NONE)
    return FB_EXIT_FAILED;
  g_autoptr (FbLineage) lineage = fb_lineage_new (question.history, life, MOST_NODES);
  if (as_json)
    print_json (&question, lineage, life);
  else
    print_text (&question, lineage, life);
  return question.schedule->error != NULL ? FB_EXIT_FAILED : FB_EXIT_OK;
}

int
fb_cli_lineage (int argc, char **argv)
{
  g_auto (FbCliRows) rows = FB_CLI_ROWS_INIT;
  g_auto (GStrv) files = NULL;
  g_autofree char *node = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "row", 'r', 0, G_OPTION_ARG_INT, &rows.row, N_ ("The row, from 1"), "K" },
    { "node", 'n', 0, G_OPTION_ARG_STRING, &node, N_ ("How the node's key begins"), "KEY" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("Print JSON"), NULL },
    { "release", 0, 0, G_OPTION_ARG_STRING, &rows.release, N_ ("Whose op numbers to assume (v0.10.2)"), "VERSION" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, NULL },
    { NULL },
  };
  if (!fb_cli_parse (argc, argv, entries, "FILE",
                     _ ("Where a node came from and what it became, through all passes: from the tensor operation to\n"
                        "the nodes of kernels.")))
    return FB_EXIT_FAILED;
  const char *path = fb_cli_one_file (files, "lineage");
  if (path == NULL)
    return FB_EXIT_FAILED;
  if (node == NULL)
    {
      fb_cli_error (_ ("lineage needs --node KEY (see “fusebox lineage --help”)"));
      return FB_EXIT_FAILED;
    }
  return show_lineage (path, node, &rows, json);
}
