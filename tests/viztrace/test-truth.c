/* Every trace beside what its release's own code finds in it: all names, places, counts and matches. */
#include <json-glib/json-glib.h>
#include <string.h>

#include "app/cli/viz.h"

/* The first place where two documents differ; NULL when they are equal. */
static char *
difference (JsonNode *a, JsonNode *b, const char *where)
{
  if (JSON_NODE_HOLDS_OBJECT (a) && JSON_NODE_HOLDS_OBJECT (b))
    {
      JsonObject *x = json_node_get_object (a), *y = json_node_get_object (b);
      g_autoptr (GList) members = json_object_get_members (y);
      char *found = NULL;

      if (json_object_get_size (x) != json_object_get_size (y))
        return g_strdup_printf ("%s: other members", where);
      for (GList *m = members; m && !found; m = m->next)
        {
          g_autofree char *below = g_strdup_printf ("%s.%s", where, (char *) m->data);

          found = json_object_has_member (x, m->data)
                      ? difference (json_object_get_member (x, m->data), json_object_get_member (y, m->data), below)
                      : g_strdup_printf ("%s is missing", below);
        }
      return found;
    }
  if (JSON_NODE_HOLDS_ARRAY (a) && JSON_NODE_HOLDS_ARRAY (b))
    {
      JsonArray *x = json_node_get_array (a), *y = json_node_get_array (b);
      char *found = NULL;

      if (json_array_get_length (x) != json_array_get_length (y))
        return g_strdup_printf ("%s: %u items, not %u", where, json_array_get_length (x), json_array_get_length (y));
      for (guint i = 0; i < json_array_get_length (y) && !found; i++)
        {
          g_autofree char *below = g_strdup_printf ("%s[%u]", where, i);
          found = difference (json_array_get_element (x, i), json_array_get_element (y, i), below);
        }
      return found;
    }
  return json_node_equal (a, b) ? NULL : g_strdup_printf ("%s differs", where);
}

static void
test_truth (gconstpointer user)
{
  const char *const *paths = user; /* trace, truth */
  g_autoptr (GError) error = NULL;
  g_autoptr (FbVizTrace) trace = fb_viz_trace_open (paths[0], NULL, &error);
  g_autoptr (GString) json = g_string_new ("[");
  g_autoptr (JsonParser) ours = json_parser_new (), theirs = json_parser_new ();
  g_autofree char *found = NULL;
  JsonObject *truth;

  g_assert_no_error (error);
  g_assert_cmpuint (fb_viz_trace_n_notes (trace), ==, 0);
  for (guint i = 0; i < fb_viz_trace_n_contexts (trace); i++)
    {
      if (i > 0)
        g_string_append_c (json, ',');
      fb_viz_append_context (json, trace, i, NULL, &error);
      g_assert_no_error (error);
    }
  g_string_append_c (json, ']');
  g_assert_true (json_parser_load_from_data (ours, json->str, (gssize) json->len, NULL));
  json_parser_load_from_file (theirs, paths[1], &error);
  g_assert_no_error (error);
  truth = json_node_get_object (json_parser_get_root (theirs));
  found = difference (json_parser_get_root (ours), json_object_get_member (truth, "contexts"), "contexts");
  g_assert_cmpstr (found, ==, NULL);
}

static void
free_paths (gpointer paths)
{
  g_strfreev (paths);
}

/* All traces of @folder that have a truth in @truths. */
static void
add_folder (const char *kind, const char *folder, const char *truths)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir && (name = g_dir_read_name (dir)))
    {
      g_autofree char *stem = g_str_has_suffix (name, ".pkl") ? g_strndup (name, strlen (name) - 4) : NULL;
      g_autofree char *truth = NULL, *test = NULL;
      char **paths;

      if (!stem)
        continue;
      truth = g_strdup_printf ("%s/%s.truth.json", truths, stem);
      test = g_strdup_printf ("/viztrace/truth/%s/%s", kind, stem);
      if (!g_file_test (truth, G_FILE_TEST_EXISTS))
        continue;
      paths = g_new0 (char *, 3);
      paths[0] = g_build_filename (folder, name, NULL);
      paths[1] = g_steal_pointer (&truth);
      g_test_add_data_func_full (test, paths, test_truth, free_paths);
    }
}

int
main (int argc, char **argv)
{
  const char *corpus = g_getenv ("FUSEBOX_CORPUS");
  g_autofree char *samples = g_build_filename (g_getenv ("FUSEBOX_SAMPLES"), "traces", NULL);

  g_test_init (&argc, &argv, NULL);
  add_folder ("sample", samples, g_getenv ("FUSEBOX_TRUTHS"));
  if (corpus)
    {
      g_autofree char *folder = g_build_filename (corpus, "viz", NULL);
      add_folder ("corpus", folder, folder);
    }
  return g_test_run ();
}
