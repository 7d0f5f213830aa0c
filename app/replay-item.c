#include "app/replay-item.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

#include "app/cli/count.h"

struct _FbReplayItem
{
  GObject parent_instance;
  const FbReplayRow *row;
};
G_DEFINE_FINAL_TYPE (FbReplayItem, fb_replay_item, G_TYPE_OBJECT)

struct _FbReplayChoice
{
  GObject parent_instance;
  FbReplayShow show;
  guint value;       /* status or class */
  guint64 signature; /* of a group */
  char *label;
  guint count;
};
G_DEFINE_FINAL_TYPE (FbReplayChoice, fb_replay_choice, G_TYPE_OBJECT)

/* --- words --- */

const char *
fb_replay_class_label (FbReplayClass class)
{
  static const char *const labels[FB_REPLAY_N_CLASSES]
      = { N_ ("identical"), N_ ("renumbered"), N_ ("reordered"), N_ ("views only"), N_ ("constants only"),
          N_ ("rewritten"), N_ ("split"),      N_ ("merged"),    N_ ("new"),        N_ ("gone") };
  g_return_val_if_fail ((guint) class < FB_REPLAY_N_CLASSES, "");
  return _ (labels[class]);
}

const char *
fb_replay_status_label (FbReplayRowStatus status)
{
  static const char *const labels[FB_REPLAY_N_ROW_STATUSES]
      = { N_ ("identical"), N_ ("changed"), N_ ("failed"), N_ ("without captured kernels") };
  g_return_val_if_fail ((guint) status < FB_REPLAY_N_ROW_STATUSES, "");
  return _ (labels[status]);
}

char *
fb_replay_item_kernels_text (const FbReplayRow *row)
{
  if (row->status == FB_REPLAY_ROW_FAILED)
    return row->n_captured ? g_strdup_printf ("%s → —", fb_count (row->n_captured)) : g_strdup ("—");
  if (row->status == FB_REPLAY_ROW_UNCOMPARED)
    return g_strdup_printf ("— → %s", fb_count (row->n_scheduled));
  return g_strdup_printf ("%s → %s", fb_count (row->n_captured), fb_count (row->n_scheduled));
}

char *
fb_replay_item_changes_text (const FbReplayRow *row)
{
  if (row->status != FB_REPLAY_ROW_CHANGED)
    return g_strdup (fb_replay_status_label (row->status));
  GString *text = g_string_new (NULL);
  for (guint class = FB_REPLAY_IDENTICAL + 1; class < FB_REPLAY_N_CLASSES; class ++)
    if (row->counts[class])
      g_string_append_printf (text, "%s%s %s", text->len ? ", " : "", fb_count (row->counts[class]),
                              fb_replay_class_label (class));
  if (!text->len)
    /* Translators: what differs of a row whose kernels are the same */
    g_string_append (text, _ ("other matches"));
  return g_string_free (text, FALSE);
}

char *
fb_replay_item_message_text (const FbReplayRow *row)
{
  if (row->status == FB_REPLAY_ROW_FAILED)
    return g_strdup_printf ("%s: %s", row->error_kind, row->error_message);
  for (guint i = 0; i < row->differences->len; i++)
    {
      const FbReplayDifference *difference = g_ptr_array_index (row->differences, i);
      if (*difference->detail)
        return g_strdup (difference->detail);
    }
  return row->passes ? fb_replay_passes_to_text (row->passes) : g_strdup ("");
}

char *
fb_replay_totals_text (const FbReplayReport *report)
{
  guint n = fb_replay_report_n_replayed (report), uncompared = report->statuses[FB_REPLAY_ROW_UNCOMPARED];
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, ngettext ("replayed %s capture", "replayed %s captures", n), fb_count (n));
  /* Translators: numbers of captures */
  g_string_append_printf (
      text, _ (": %s identical, %s changed, %s failed"), fb_count (report->statuses[FB_REPLAY_ROW_IDENTICAL]),
      fb_count (report->statuses[FB_REPLAY_ROW_CHANGED]), fb_count (report->statuses[FB_REPLAY_ROW_FAILED]));
  if (uncompared)
    g_string_append_printf (text, _ (", %s without captured kernels"), fb_count (uncompared));
  if (report->n_passes)
    /* Translators: passes of a trace that made the same matches */
    g_string_append_printf (text, _ (" · %s of %s passes alike"), fb_count ((gint64) report->n_passes_alike),
                            fb_count ((gint64) report->n_passes));
  return g_string_free (text, FALSE);
}

/* --- items --- */

FbReplayItem *
fb_replay_item_new (const FbReplayRow *row)
{
  FbReplayItem *item = g_object_new (FB_TYPE_REPLAY_ITEM, NULL);
  item->row = row;
  return item;
}

const FbReplayRow *
fb_replay_item_get_row (FbReplayItem *item)
{
  g_return_val_if_fail (FB_IS_REPLAY_ITEM (item), NULL);
  return item->row;
}

static void
fb_replay_item_class_init (FbReplayItemClass *klass)
{
}

static void
fb_replay_item_init (FbReplayItem *item)
{
}

/* --- choices --- */

static void
add (GListStore *store, FbReplayShow show, guint value, guint64 signature, guint count, const char *label)
{
  g_autoptr (FbReplayChoice) choice = g_object_new (FB_TYPE_REPLAY_CHOICE, NULL);
  choice->show = show;
  choice->value = value;
  choice->signature = signature;
  choice->count = count;
  choice->label = g_strdup (label);
  g_list_store_append (store, choice);
}

static void
add_classes (GListStore *store, const FbReplayReport *report)
{
  guint counts[FB_REPLAY_N_CLASSES] = { 0 };
  gboolean titled = FALSE;
  for (guint i = 0; i < report->rows->len; i++)
    {
      const FbReplayRow *row = g_ptr_array_index (report->rows, i);
      for (guint class = FB_REPLAY_IDENTICAL + 1; class < FB_REPLAY_N_CLASSES; class ++)
        counts[class] += row->counts[class] > 0;
    }
  for (guint class = FB_REPLAY_IDENTICAL + 1; class < FB_REPLAY_N_CLASSES; class ++)
    if (counts[class])
      {
        if (!titled)
          add (store, FB_REPLAY_SHOW_TITLE, 0, 0, 0, _ ("With kernels that are"));
        titled = TRUE;
        add (store, FB_REPLAY_SHOW_CLASS, class, 0, counts[class], fb_replay_class_label (class));
      }
}

/* "merged (2 → 1), views only" of a group */
static char *
group_label (const FbReplayGroup *group)
{
  const FbReplayRow *row = g_ptr_array_index (group->rows, 0);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < row->differences->len && i < 3; i++)
    {
      const FbReplayDifference *difference = g_ptr_array_index (row->differences, i);
      g_string_append_printf (text, "%s%s%s%s", i ? "; " : "", fb_replay_class_label (difference->class),
                              *difference->detail ? " " : "", difference->detail);
    }
  if (row->differences->len > 3)
    g_string_append_printf (text, ngettext ("; %u more", "; %u more", row->differences->len - 3),
                            row->differences->len - 3);
  return g_string_free (text, FALSE);
}

static void
add_groups (GListStore *store, const FbReplayReport *report)
{
  g_autoptr (GPtrArray) groups = fb_replay_report_groups (report);
  for (guint i = 0; i < groups->len; i++)
    {
      const FbReplayGroup *group = g_ptr_array_index (groups, i);
      if (group->rows->len < 2)
        break;
      if (!i)
        add (store, FB_REPLAY_SHOW_TITLE, 0, 0, 0, _ ("Same change in several captures"));
      g_autofree char *label = group_label (group);
      add (store, FB_REPLAY_SHOW_GROUP, 0, group->signature, group->rows->len, label);
    }
}

GListModel *
fb_replay_choices_new (const FbReplayReport *report)
{
  static const FbReplayRowStatus statuses[] = { FB_REPLAY_ROW_CHANGED, FB_REPLAY_ROW_FAILED, FB_REPLAY_ROW_UNCOMPARED };
  GListStore *store = g_list_store_new (FB_TYPE_REPLAY_CHOICE);
  add (store, FB_REPLAY_SHOW_ALL, 0, 0, report->rows->len, _ ("all that are not identical"));
  for (guint i = 0; i < G_N_ELEMENTS (statuses); i++)
    {
      guint n = report->statuses[statuses[i]];
      if (n && n < report->rows->len)
        add (store, FB_REPLAY_SHOW_STATUS, statuses[i], 0, n, fb_replay_status_label (statuses[i]));
    }
  add_classes (store, report);
  add_groups (store, report);
  return G_LIST_MODEL (store);
}

FbReplayShow
fb_replay_choice_get_show (FbReplayChoice *choice)
{
  g_return_val_if_fail (FB_IS_REPLAY_CHOICE (choice), FB_REPLAY_SHOW_ALL);
  return choice->show;
}

const char *
fb_replay_choice_get_label (FbReplayChoice *choice)
{
  g_return_val_if_fail (FB_IS_REPLAY_CHOICE (choice), "");
  return choice->label;
}

guint
fb_replay_choice_get_count (FbReplayChoice *choice)
{
  g_return_val_if_fail (FB_IS_REPLAY_CHOICE (choice), 0);
  return choice->count;
}

gboolean
fb_replay_choice_matches (FbReplayChoice *choice, const FbReplayRow *row)
{
  g_return_val_if_fail (FB_IS_REPLAY_CHOICE (choice), FALSE);
  switch (choice->show)
    {
    case FB_REPLAY_SHOW_STATUS:
      return row->status == (FbReplayRowStatus) choice->value;
    case FB_REPLAY_SHOW_CLASS:
      return row->counts[choice->value] > 0;
    case FB_REPLAY_SHOW_GROUP:
      return row->status == FB_REPLAY_ROW_CHANGED && row->signature == choice->signature;
    case FB_REPLAY_SHOW_ALL:
    case FB_REPLAY_SHOW_TITLE:
      return TRUE;
    }
  g_return_val_if_reached (TRUE);
}

static void
fb_replay_choice_finalize (GObject *object)
{
  g_free (FB_REPLAY_CHOICE (object)->label);
  G_OBJECT_CLASS (fb_replay_choice_parent_class)->finalize (object);
}

static void
fb_replay_choice_class_init (FbReplayChoiceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_replay_choice_finalize;
}

static void
fb_replay_choice_init (FbReplayChoice *choice)
{
}
