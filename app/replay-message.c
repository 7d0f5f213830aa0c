#include "app/replay-message.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/section.h"

/* Passes that are listed. */
#define MOST_PASSES 50

static GtkBox *
begin (GtkBox *message)
{
  fb_box_clear (message);
  return fb_section_add (message);
}

static void
add_text (GtkBox *section, const char *text)
{
  GtkWidget *label = fb_label_new (text, NULL, NULL);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  gtk_box_append (section, label);
}

void
fb_replay_message_say (GtkBox *message, const char *title, const char *text)
{
  GtkBox *section = begin (message);
  fb_section_add_title (section, title, NULL);
  add_text (section, text);
}

static void
show_failure (GtkBox *message, const FbReplayRow *row)
{
  GtkBox *section = begin (message);
  fb_section_add_title (section, _ ("This row cannot be scheduled"), NULL);
  add_text (section, row->error_message);
  GtkGrid *keys = fb_section_add_keys (section);
  fb_keys_add (keys, _ ("Kind"), row->error_kind, FALSE);
  if (*row->error_pass)
    fb_keys_add (keys, _ ("Pass"), row->error_pass, FALSE);
  if (*row->error_node)
    {
      g_autofree char *node = g_strdup_printf ("%s %s", row->error_op, row->error_node);
      fb_keys_add (keys, _ ("Node"), node, TRUE);
    }
}

static void
show_uncompared (GtkBox *message, const FbReplayRow *row)
{
  g_autofree char *text = g_strdup_printf (
      ngettext (
          "The row was captured without its kernels, so there is nothing to compare the %s scheduled kernel with.",
          "The row was captured without its kernels, so there is nothing to compare the %s scheduled kernels with.",
          row->n_scheduled),
      fb_count (row->n_scheduled));
  fb_replay_message_say (message, _ ("No captured kernels"), text);
}

static char *
pass_text (const FbReplayPass *pass)
{
  if (!pass->first)
    return g_strdup (_ ("began from another graph"));
  if (!strcmp (pass->rule_recorded, pass->rule_here))
    /* Translators: number of a match, the place of its rule */
    return g_strdup_printf (_ ("from match %s on: another node by %s"), fb_count (pass->first), pass->rule_here);
  /* Translators: number of a match, the places of the rules that were recorded and that fired here */
  return g_strdup_printf (_ ("from match %s on: %s recorded, %s here"), fb_count (pass->first),
                          *pass->rule_recorded ? pass->rule_recorded : "—", *pass->rule_here ? pass->rule_here : "—");
}

static void
show_passes (GtkBox *message, const FbReplayPasses *passes)
{
  GtkBox *section = begin (message);
  g_autofree char *note
      = g_strdup_printf (_ ("%s of %s alike"), fb_count (passes->n_alike), fb_count (passes->n_recorded));
  fb_section_add_title (section, _ ("The same kernels by other matches"), note);
  GtkGrid *keys = fb_section_add_keys (section);
  for (guint i = 0; i < passes->different->len && i < MOST_PASSES; i++)
    {
      const FbReplayPass *pass = g_ptr_array_index (passes->different, i);
      g_autofree char *text = pass_text (pass);
      g_autofree char *title
          = pass->kernel ? g_strdup_printf (_ ("%s, kernel %u"), pass->title, pass->kernel) : g_strdup (pass->title);
      fb_keys_add (keys, title, text, FALSE);
    }
}

gboolean
fb_replay_message_fill (GtkBox *message, const FbReplayRow *row)
{
  if (row->status == FB_REPLAY_ROW_FAILED)
    show_failure (message, row);
  else if (row->status == FB_REPLAY_ROW_UNCOMPARED)
    show_uncompared (message, row);
  else if (!row->differences->len && row->passes)
    show_passes (message, row->passes);
  else
    return FALSE;
  return TRUE;
}
