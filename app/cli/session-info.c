/* What a session holds besides its capture. */
#include "core/session/store.h"

#include "info.h"
#include "json.h"

/* NULL: the file is none, or an error was printed. */
static FbStore *
open_session (FbCapture *capture, FbStoreCounts *counts, FbStoreCapture *from)
{
  const char *path = fb_capture_path (capture);
  g_autoptr (GError) error = NULL;
  if (!fb_store_is_session (path))
    return NULL;
  g_autoptr (FbStore) store = fb_store_open (path, FB_STORE_READ, &error);
  if (store == NULL || !fb_store_count (store, counts, &error) || !fb_store_get_capture (store, from, &error))
    {
      fb_cli_error ("%s", error->message);
      return NULL;
    }
  return g_steal_pointer (&store);
}

void
fb_info_print_session (FbCapture *capture)
{
  FbStoreCounts counts;
  g_auto (FbStoreCapture) from = { NULL };
  g_autoptr (FbStore) store = open_session (capture, &counts, &from);
  if (store == NULL)
    return;
  g_autofree char *bookmarks
      = g_strdup_printf (ngettext ("%u bookmark", "%u bookmarks", (gulong) counts.bookmarks), (guint) counts.bookmarks);
  g_autofree char *notes
      = g_strdup_printf (ngettext ("%u note", "%u notes", (gulong) counts.notes), (guint) counts.notes);
  g_autofree char *scenarios
      = g_strdup_printf (ngettext ("%u scenario", "%u scenarios", (gulong) counts.scenarios), (guint) counts.scenarios);
  /* Translators: version; numbers of bookmarks ("3 bookmarks"), of notes, of scenarios */
  fb_cli_print (_ ("  session   version %u, %s, %s, %s\n"), counts.version, bookmarks, notes, scenarios);
  if (counts.traces)
    {
      g_autofree char *rows
          = g_strdup_printf (ngettext ("%u row", "%u rows", (gulong) counts.traces), (guint) counts.traces);
      /* Translators: number of rows ("3 rows"), of steps, of nodes */
      fb_cli_print (_ ("  traces    of %s: %u steps, %u nodes\n"), rows, (guint) counts.steps, (guint) counts.nodes);
    }
  if (from.path)
    {
      g_autofree char *path = fb_cli_clean_text (from.path);
      fb_cli_print (_ ("  capture   %s\n"), path);
    }
}

void
fb_info_append_session_json (GString *json, FbCapture *capture)
{
  FbStoreCounts counts;
  g_auto (FbStoreCapture) from = { NULL };
  g_autoptr (FbStore) store = open_session (capture, &counts, &from);
  if (store == NULL)
    return;
  g_string_append_printf (json,
                          ",\"session\":{\"version\":%u,\"bookmarks\":%" G_GINT64_FORMAT ",\"notes\":%" G_GINT64_FORMAT
                          ",\"scenarios\":%" G_GINT64_FORMAT ",\"traces\":%" G_GINT64_FORMAT
                          ",\"steps\":%" G_GINT64_FORMAT ",\"nodes\":%" G_GINT64_FORMAT ",\"capture\":",
                          counts.version, counts.bookmarks, counts.notes, counts.scenarios, counts.traces, counts.steps,
                          counts.nodes);
  fb_json_append_string (json, from.path ? from.path : "");
  g_string_append_c (json, '}');
}
