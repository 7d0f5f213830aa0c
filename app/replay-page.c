#include "app/replay-page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/replay-compare.h"
#include "app/replay-item.h"
#include "app/replay-page-private.h"
#include "app/text-scale.h"
#include "app/tip.h"

/* Progress and Cancel appear after this. */
#define BUSY_AFTER_MS 300
#define LISTS_WIDTH 400
#define NARROW 1200
#define NARROW_LISTS_WIDTH 320
#define ROW_HEIGHT 24
#define TITLE_HEIGHT 34

G_DEFINE_FINAL_TYPE (FbReplayPage, fb_replay_page, GTK_TYPE_WIDGET)

static guint open_row_signal, close_signal, busy_signal;

/* --- what is shown --- */

static void
show_state (FbReplayPage *self, const char *title, const char *text)
{
  gtk_label_set_label (self->state_title, title);
  gtk_label_set_label (self->state_text, text);
  gtk_stack_set_visible_child_name (self->stack, "state");
}

/* Instead of lists, when there is nothing to list. */
static void
show_nothing_listed (FbReplayPage *self, const FbReplayReport *report)
{
  const char *error = fb_replay_job_get_error (self->shown);
  gboolean running = fb_replay_job_is_running (self->shown);
  guint n_rows = report ? fb_replay_report_n_rows (report) : 0;
  if (error)
    show_state (self, _ ("The file cannot be replayed"), error);
  else if (!report)
    show_state (self, "", "");
  else if (!n_rows && self->trace)
    show_state (
        self, _ ("Nothing to replay"),
        _ ("This trace holds no schedule of tinygrad 0.10.2, the release whose scheduler is recomputed here. Its "
           "rewrites can be looked at, not replayed."));
  else if (!n_rows)
    show_state (
        self, _ ("Nothing to replay"),
        _ ("This file holds kernels only. They have been scheduled already; they can be looked at, not replayed."));
  else if (running || report->partial)
    {
      guint done = fb_replay_report_n_replayed (report);
      g_autofree char *text
          = g_strdup_printf (ngettext ("%s of %s capture replayed", "%s of %s captures replayed", n_rows),
                             fb_count (done), fb_count (n_rows));
      show_state (self, _ ("Nothing differs so far"), text);
    }
  else
    {
      g_autofree char *kernels
          = g_strdup_printf (ngettext ("%s kernel recomputed", "%s kernels recomputed", report->n_scheduled),
                             fb_count (report->n_scheduled));
      g_autofree char *text = g_strdup_printf (
          ngettext ("%s capture, %s, the same to the byte", "%s captures, %s, the same to the byte", n_rows),
          fb_count (n_rows), kernels);
      if (report->n_passes)
        {
          g_autofree char *alone = g_steal_pointer (&text);
          /* Translators: what was said of captures and kernels, then numbers of passes and matches */
          text = g_strdup_printf (
              _ ("%s; %s passes with %s matches as they were recorded. A trace holds no options: those of "
                 "the release were taken."),
              alone, fb_count ((gint64) report->n_passes), fb_count ((gint64) report->n_matches));
        }
      show_state (self, n_rows == 1 ? _ ("The capture is identical") : _ ("Every capture is identical"), text);
    }
}

static void
add_new_rows (FbReplayPage *self)
{
  const FbReplayReport *report = fb_replay_job_get_report (self->shown);
  guint n = report ? report->rows->len : 0;
  g_autoptr (GPtrArray) added = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = self->n_listed; i < n; i++)
    g_ptr_array_add (added, fb_replay_item_new (g_ptr_array_index (report->rows, i)));
  if (added->len)
    g_list_store_splice (self->items, self->n_listed, 0, added->pdata, added->len);
  self->n_listed = n;
  if (n)
    gtk_stack_set_visible_child_name (self->stack, "results");
  else
    show_nothing_listed (self, report);
}

static void
show_progress (FbReplayPage *self)
{
  guint n_rows, done;
  double rate;
  fb_replay_job_get_progress (self->job, &n_rows, &done, &rate);
  GString *text = g_string_new (NULL);
  if (!n_rows)
    g_string_append (text, _ ("Opening the file"));
  else
    /* Translators: which row of how many */
    g_string_append_printf (text, _ ("Replaying row %s of %s"), fb_count (MIN (done + 1, n_rows)), fb_count (n_rows));
  if (done && rate > 0)
    {
      guint64 per_second = rate + 0.5, left = (n_rows - done) / rate + 0.5;
      g_string_append (text, " · ");
      g_string_append_printf (text, ngettext ("%s row a second", "%s rows a second", per_second),
                              fb_count (per_second));
      if (left)
        g_string_append_printf (text, ngettext (" · %s second left", " · %s seconds left", left), fb_count (left));
    }
  gtk_label_set_label (self->totals, text->str);
  g_string_free (text, TRUE);
  gtk_progress_bar_set_fraction (self->bar, n_rows ? (double) done / n_rows : 0);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), TRUE);
  gtk_widget_set_visible (self->cancel, TRUE);
}

static void
show_totals (FbReplayPage *self)
{
  const FbReplayReport *report = self->shown ? fb_replay_job_get_report (self->shown) : NULL;
  gtk_widget_set_visible (GTK_WIDGET (self->bar), FALSE);
  gtk_widget_set_visible (self->cancel, FALSE);
  if (!report || fb_replay_job_get_error (self->shown) || !fb_replay_report_n_rows (report))
    {
      gtk_label_set_label (self->totals, "");
      return;
    }
  g_autofree char *totals = fb_replay_totals_text (report), *under = fb_replay_page_options_text (report->options);
  GString *text = g_string_new (NULL);
  if (report->partial)
    g_string_append (text, _ ("stopped, "));
  g_string_append (text, totals);
  if (*under)
    g_string_append_printf (text, " · %s", under);
  gtk_label_set_label (self->totals, text->str);
  fb_tip_set (GTK_WIDGET (self->totals), text->str);
  g_string_free (text, TRUE);
}

/* As high as the choices are, but not more than two fifths. */
static gboolean
split (gpointer data)
{
  FbReplayPage *self = data;
  int width = gtk_widget_get_width (GTK_WIDGET (self)), height = gtk_widget_get_height (GTK_WIDGET (self->lists));
  self->split_source = 0;
  if (!self->sized && width > 0)
    {
      self->sized = TRUE;
      gtk_paned_set_position (
          self->paned, (int) ((width < NARROW ? NARROW_LISTS_WIDTH : LISTS_WIDTH) * MIN (fb_text_scale (), 1.5)));
    }
  if (height > 0)
    {
      gtk_paned_set_position (self->lists, CLAMP (self->choices_height, 96, MAX (96, height * 2 / 5)));
      self->split_at = gtk_paned_get_position (self->lists);
    }
  return G_SOURCE_REMOVE;
}

/* Sizes are not known before the page is on the screen. */
static void
split_later (FbReplayPage *self)
{
  if (!self->split_source)
    self->split_source = g_idle_add_full (GTK_PRIORITY_RESIZE + 15, split, self, NULL);
}

static void
set_choices (FbReplayPage *self, GListModel *choices)
{
  guint n = choices ? g_list_model_get_n_items (choices) : 0;
  gtk_single_selection_set_model (self->choice_selection, choices);
  gtk_single_selection_set_selected (self->choice_selection, 0);
  self->choices_height = TITLE_HEIGHT + (int) (n * ROW_HEIGHT * fb_text_scale ()) + 10;
  split_later (self);
}

/* The rows of the replay under way take the place of those of the last one. */
static void
begin_showing (FbReplayPage *self)
{
  if (self->shown == self->job)
    return;
  const FbReplayReport *report = fb_replay_job_get_report (self->job);
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  fb_replay_compare_set_file (self->compare, self->path, self->release, report ? report->options : none);
  g_list_store_remove_all (self->items);
  self->n_listed = 0;
  set_choices (self, NULL);
  g_set_object (&self->shown, self->job);
  self->trace = report && ((FbReplayFile *) g_ptr_array_index (report->files, 0))->trace;
  fb_replay_page_show_options (self);
}

static gboolean
begin_to_tell (gpointer data)
{
  FbReplayPage *self = data;
  self->busy_source = 0;
  self->telling = TRUE;
  /* The first rows may be later still. */
  if (fb_replay_job_get_report (self->job))
    {
      begin_showing (self);
      add_new_rows (self);
    }
  show_progress (self);
  return G_SOURCE_REMOVE;
}

static void
progressed (FbReplayPage *self)
{
  if (!self->telling)
    return;
  begin_showing (self);
  add_new_rows (self);
  show_progress (self);
}

static void
done (FbReplayPage *self)
{
  g_clear_handle_id (&self->busy_source, g_source_remove);
  self->telling = FALSE;
  begin_showing (self);
  add_new_rows (self);
  const FbReplayReport *report = fb_replay_job_get_report (self->shown);
  if (report->rows->len)
    {
      g_autoptr (GListModel) choices = fb_replay_choices_new (report);
      set_choices (self, choices);
    }
  show_totals (self);
  fb_replay_page_update_actions (self);
  g_signal_emit (self, busy_signal, 0);
}

/* --- running --- */

static void
drop_job (FbReplayPage *self)
{
  g_clear_handle_id (&self->busy_source, g_source_remove);
  self->telling = FALSE;
  if (!self->job)
    return;
  g_signal_handlers_disconnect_by_data (self->job, self);
  fb_replay_job_cancel (self->job);
  g_clear_object (&self->job);
}

void
fb_replay_page_run (FbReplayPage *self)
{
  if (!self->path)
    return;
  drop_job (self);
  self->job = fb_replay_job_new (self->path, self->release, self->options, 0);
  g_signal_connect_object (self->job, "progress", G_CALLBACK (progressed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->job, "done", G_CALLBACK (done), self, G_CONNECT_SWAPPED);
  self->busy_source = g_timeout_add (BUSY_AFTER_MS, begin_to_tell, self);
  self->stale = FALSE;
  fb_replay_page_update_actions (self);
  g_signal_emit (self, busy_signal, 0);
}

void
fb_replay_page_start (FbReplayPage *self)
{
  g_return_if_fail (FB_IS_REPLAY_PAGE (self));
  if (self->stale)
    fb_replay_page_run (self);
}

void
fb_replay_page_cancel (FbReplayPage *self)
{
  g_return_if_fail (FB_IS_REPLAY_PAGE (self));
  if (self->job)
    fb_replay_job_cancel (self->job);
}

gboolean
fb_replay_page_is_running (FbReplayPage *self)
{
  g_return_val_if_fail (FB_IS_REPLAY_PAGE (self), FALSE);
  return self->job && fb_replay_job_is_running (self->job);
}

gboolean
fb_replay_page_is_settled (FbReplayPage *self)
{
  return !fb_replay_page_is_running (self) && fb_replay_compare_is_settled (self->compare);
}

FbReplayJob *
fb_replay_page_get_job (FbReplayPage *self)
{
  g_return_val_if_fail (FB_IS_REPLAY_PAGE (self), NULL);
  return self->shown;
}

guint
fb_replay_page_get_n_rows (FbReplayPage *self)
{
  g_return_val_if_fail (FB_IS_REPLAY_PAGE (self), 0);
  return g_list_model_get_n_items (G_LIST_MODEL (self->selection));
}

void
fb_replay_page_choose (FbReplayPage *self, guint position)
{
  g_return_if_fail (FB_IS_REPLAY_PAGE (self));
  gtk_single_selection_set_selected (self->choice_selection, position);
}

gboolean
fb_replay_page_copy (FbReplayPage *self)
{
  g_return_val_if_fail (FB_IS_REPLAY_PAGE (self), FALSE);
  return fb_replay_compare_copy (self->compare);
}

void
fb_replay_page_set_file (FbReplayPage *self, const char *path, const char *release)
{
  g_return_if_fail (FB_IS_REPLAY_PAGE (self));
  if (!g_strcmp0 (path, self->path) && !g_strcmp0 (release, self->release))
    return;
  drop_job (self);
  fb_replay_compare_show_row (self->compare, NULL);
  g_list_store_remove_all (self->items);
  self->n_listed = 0;
  set_choices (self, NULL);
  g_clear_object (&self->shown);
  g_free (self->path);
  g_free (self->release);
  self->path = g_strdup (path);
  self->release = g_strdup (release);
  self->stale = path != NULL;
  show_state (self, "", "");
  show_totals (self);
  fb_replay_page_update_actions (self);
}

/* --- lists --- */

static void
row_selected (FbReplayPage *self)
{
  FbReplayItem *item = gtk_single_selection_get_selected_item (self->selection);
  fb_replay_compare_show_row (self->compare, item ? fb_replay_item_get_row (item) : NULL);
  fb_replay_page_update_actions (self);
}

void
fb_replay_page_open_row (FbReplayPage *self)
{
  FbReplayItem *item = gtk_single_selection_get_selected_item (self->selection);
  if (item)
    g_signal_emit (self, open_row_signal, 0, fb_replay_row_number (fb_replay_item_get_row (item)));
}

void
fb_replay_page_close (FbReplayPage *self)
{
  g_signal_emit (self, close_signal, 0);
}

static gboolean
matches (gpointer item, gpointer data)
{
  FbReplayPage *self = data;
  FbReplayChoice *choice = gtk_single_selection_get_selected_item (self->choice_selection);
  return !choice || fb_replay_choice_matches (choice, fb_replay_item_get_row (item));
}

static void
choice_picked (FbReplayPage *self)
{
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
}

static void
set_up_choice (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label = gtk_label_new (NULL), *count = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_add_css_class (count, "fb-number");
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), count);
  gtk_list_item_set_child (item, box);
}

static void
bind_choice (GtkListItemFactory *factory, GtkListItem *item)
{
  FbReplayChoice *choice = gtk_list_item_get_item (item);
  GtkWidget *box = gtk_list_item_get_child (item), *label = gtk_widget_get_first_child (box);
  gboolean title = fb_replay_choice_get_show (choice) == FB_REPLAY_SHOW_TITLE;
  gtk_label_set_label (GTK_LABEL (label), fb_replay_choice_get_label (choice));
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_last_child (box)),
                       title ? "" : fb_count (fb_replay_choice_get_count (choice)));
  fb_tip_set (box, title ? NULL : fb_replay_choice_get_label (choice));
  gtk_list_item_set_selectable (item, !title);
  gtk_list_item_set_activatable (item, !title);
  if (title)
    gtk_widget_add_css_class (label, "fb-dim");
  else
    gtk_widget_remove_css_class (label, "fb-dim");
}

/* --- the widget --- */

static void
fill_choice_list (FbReplayPage *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up_choice), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_choice), NULL);
  gtk_list_view_set_factory (self->choice_list, factory);
  g_object_unref (factory);
  self->choice_selection = gtk_single_selection_new (NULL);
  gtk_list_view_set_model (self->choice_list, GTK_SELECTION_MODEL (self->choice_selection));
  g_signal_connect_object (self->choice_selection, "notify::selected", G_CALLBACK (choice_picked), self,
                           G_CONNECT_SWAPPED);
}

static void
fill_table (FbReplayPage *self)
{
  fb_replay_page_add_columns (self);
  self->filter = gtk_custom_filter_new (matches, self, NULL);
  GtkFilterListModel *filtered
      = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (self->items)), g_object_ref (GTK_FILTER (self->filter)));
  GtkSortListModel *sorted
      = gtk_sort_list_model_new (G_LIST_MODEL (filtered), g_object_ref (gtk_column_view_get_sorter (self->table)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (row_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (fb_replay_page_open_row), self, G_CONNECT_SWAPPED);
}

static gboolean
fb_replay_page_grab_focus (GtkWidget *widget)
{
  FbReplayPage *self = FB_REPLAY_PAGE (widget);
  return gtk_widget_grab_focus (GTK_WIDGET (self->table)) || gtk_widget_child_focus (widget, GTK_DIR_TAB_FORWARD);
}

/* The lists have another height. Until the person drags the split, it follows; the pane itself moves it a little. */
static void
split_again (FbReplayPage *self)
{
  if (!self->sized || ABS (gtk_paned_get_position (self->lists) - self->split_at) < ROW_HEIGHT)
    split_later (self);
}

static void
fb_replay_page_dispose (GObject *object)
{
  FbReplayPage *self = FB_REPLAY_PAGE (object);
  drop_job (self);
  g_clear_handle_id (&self->split_source, g_source_remove);
  if (self->compare)
    fb_replay_compare_show_row (self->compare, NULL);
  /* The filter asks for a choice, so the chain goes first. */
  if (self->selection)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  self->compare = NULL;
  g_clear_object (&self->selection);
  g_clear_object (&self->filter);
  g_clear_object (&self->items);
  g_clear_object (&self->choice_selection);
  g_clear_object (&self->shown);
  g_clear_object (&self->actions);
  G_OBJECT_CLASS (fb_replay_page_parent_class)->dispose (object);
}

static void
fb_replay_page_finalize (GObject *object)
{
  FbReplayPage *self = FB_REPLAY_PAGE (object);
  g_array_unref (self->options);
  g_free (self->path);
  g_free (self->release);
  G_OBJECT_CLASS (fb_replay_page_parent_class)->finalize (object);
}

static void
fb_replay_page_class_init (FbReplayPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_replay_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_replay_page_finalize;
  widget_class->grab_focus = fb_replay_page_grab_focus;
  g_type_ensure (FB_TYPE_REPLAY_COMPARE);
  open_row_signal = g_signal_new ("open-row", FB_TYPE_REPLAY_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                  1, G_TYPE_UINT);
  close_signal = g_signal_new ("close", FB_TYPE_REPLAY_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  busy_signal = g_signal_new ("busy", FB_TYPE_REPLAY_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "replay-page.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, FbReplayPage, name)
  BIND (totals);
  BIND (cancel);
  BIND (options_button);
  BIND (options_label);
  BIND (options_grid);
  BIND (bar);
  BIND (stack);
  BIND (paned);
  BIND (lists);
  BIND (choice_list);
  BIND (table);
  BIND (compare);
  BIND (state_title);
  BIND (state_text);
#undef BIND
}

static void
fb_replay_page_init (FbReplayPage *self)
{
  self->options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  self->items = g_list_store_new (FB_TYPE_REPLAY_ITEM);
  gtk_widget_init_template (GTK_WIDGET (self));
  fill_choice_list (self);
  fill_table (self);
  g_signal_connect_object (self->lists, "notify::max-position", G_CALLBACK (split_again), self, G_CONNECT_SWAPPED);
  fb_replay_page_add_actions (self);
  show_state (self, "", "");
  show_totals (self);
  fb_replay_page_update_actions (self);
}
