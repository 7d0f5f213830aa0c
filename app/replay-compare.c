#include "app/replay-compare.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/diff-view.h"
#include "app/index-model.h"
#include "app/replay-item.h"
#include "app/replay-message.h"
#include "app/replay-pair.h"
#include "app/replay-side.h"
#include "app/section.h"
#include "app/tip.h"
#include "app/worker.h"

struct _FbReplayCompare
{
  GtkWidget parent_instance;

  /* template */
  GtkLabel *title, *about, *removed, *added, *same, *diff_none;
  GtkWidget *head, *counts;
  GtkScrolledWindow *differences;
  GtkListView *list;
  GtkStack *stack, *diff_stack;
  GtkPaned *split, *sides;
  FbReplaySide *captured, *scheduled;
  FbDiffView *diff_view;
  GtkBox *message;

  char *path, *release;
  GArray *options;
  const FbReplayRow *row; /* borrowed */
  FbIndexModel *places;   /* of the row's differences */
  GtkSingleSelection *selection;
  guint at_captured, at_scheduled; /* which kernels of the difference are shown */

  FbWorker *worker; /* NULL before there is work */
  GCancellable *cancellable;
  FbReplayKernels *kernels; /* of the row, once read */
  FbReplayPair *pair;
  guint generation;
  gboolean working;
  gboolean filling;   /* the list is being set to another row */
  gboolean split_set; /* the panes have had their first sizes */
};

G_DEFINE_FINAL_TYPE (FbReplayCompare, fb_replay_compare, GTK_TYPE_WIDGET)

#define DIFF_HEIGHT 180
#define ROW_HEIGHT 24
#define MOST_DIFFERENCES 5

/* --- freeing on the worker: contexts belong to it --- */

static void
free_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  g_task_set_task_data (task, NULL, NULL);
  g_task_return_boolean (task, TRUE);
}

static void
discard (FbReplayCompare *self, gpointer data, GDestroyNotify destroy)
{
  if (!data)
    return;
  GTask *task = g_task_new (NULL, NULL, NULL, NULL);
  g_task_set_task_data (task, data, destroy);
  fb_worker_push (self->worker, task, FB_IDLE, free_job);
  g_object_unref (task);
}

/* --- what is shown of a pair --- */

static void
drop_pair (FbReplayCompare *self)
{
  fb_diff_view_set_diff (self->diff_view, NULL);
  fb_replay_side_set_scene (self->captured, NULL);
  fb_replay_side_set_scene (self->scheduled, NULL);
  discard (self, g_steal_pointer (&self->pair), (GDestroyNotify) fb_replay_pair_free);
}

static void
show_diff (FbReplayCompare *self)
{
  const FbTextDiff *diff = self->pair->diff;
  gboolean changed = diff->n_removed || diff->n_added;
  fb_diff_view_set_diff (self->diff_view, diff);
  gtk_stack_set_visible_child_name (self->diff_stack, changed ? "diff" : "none");
  gtk_label_set_label (self->diff_none, _ ("Both kernels print the same text."));
  gtk_widget_set_opacity (self->counts, changed ? 1 : 0);
  g_autofree char *removed = g_strdup_printf ("−%s", fb_count (diff->n_removed));
  g_autofree char *added = g_strdup_printf ("+%s", fb_count (diff->n_added));
  g_autofree char *same
      = g_strdup_printf (ngettext ("%s line the same", "%s lines the same", diff->n_same), fb_count (diff->n_same));
  gtk_label_set_label (self->removed, removed);
  gtk_label_set_label (self->added, added);
  gtk_label_set_label (self->same, same);
}

static void
node_picked (FbReplayCompare *self, FbUop *uop, FbReplaySide *side)
{
  FbReplaySide *other = side == self->captured ? self->scheduled : self->captured;
  fb_canvas_select (fb_replay_side_get_canvas (other), uop);
  fb_canvas_reveal (fb_replay_side_get_canvas (other));
}

/* --- making a pair --- */

typedef struct
{
  FbReplayKernels *kernels; /* NULL: to be read */
  char *path, *release;
  GArray *options;
  guint row, captured, scheduled, generation;
  FbMetrics metrics;
} PairJob;

static void
free_pair_job (gpointer data)
{
  PairJob *job = data;
  g_clear_pointer (&job->kernels, fb_replay_kernels_unref);
  g_array_unref (job->options);
  g_free (job->path);
  g_free (job->release);
  g_free (job);
}

static void
pair_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  PairJob *job = data;
  GError *error = NULL;
  FbReplayPair *pair = NULL;
  FbReplayKernels *kernels = g_steal_pointer (&job->kernels);
  if (!kernels)
    kernels = fb_replay_kernels_new (job->path, job->release, job->row, job->options, cancellable, &error);
  if (kernels)
    pair = fb_replay_pair_new (kernels, job->captured, job->scheduled, job->metrics, cancellable, &error);
  g_clear_pointer (&kernels, fb_replay_kernels_unref);
  if (pair)
    g_task_return_pointer (task, pair, (GDestroyNotify) fb_replay_pair_free);
  else
    g_task_return_error (task, error);
}

static void
pair_made (GObject *source, GAsyncResult *result, gpointer data)
{
  FbReplayCompare *self = FB_REPLAY_COMPARE (source);
  const PairJob *job = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  FbReplayPair *pair = g_task_propagate_pointer (G_TASK (result), &error);
  if (job->generation != self->generation || !self->row)
    {
      discard (self, pair, (GDestroyNotify) fb_replay_pair_free);
      return;
    }
  self->working = FALSE;
  if (!pair)
    {
      fb_replay_message_say (self->message, _ ("The kernels cannot be shown"), error->message);
      gtk_stack_set_visible_child_name (self->stack, "message");
      return;
    }
  drop_pair (self);
  self->pair = pair;
  if (!self->kernels)
    self->kernels = fb_replay_kernels_ref (pair->kernels);
  fb_replay_side_set_scene (self->captured, pair->captured);
  fb_replay_side_set_scene (self->scheduled, pair->scheduled);
  gtk_stack_set_visible_child_name (self->stack, "pair");
  show_diff (self);
}

static void
give_up (FbReplayCompare *self)
{
  self->generation++;
  self->working = FALSE;
  g_cancellable_cancel (self->cancellable);
  g_object_unref (self->cancellable);
  self->cancellable = g_cancellable_new ();
}

/* The picture of before stays until the new one is complete. */
static void
request_pair (FbReplayCompare *self, guint captured, guint scheduled)
{
  give_up (self);
  PairJob *job = g_new0 (PairJob, 1);
  job->kernels = self->kernels ? fb_replay_kernels_ref (self->kernels) : NULL;
  job->path = g_strdup (self->path);
  job->release = g_strdup (self->release);
  job->options = g_array_ref (self->options);
  job->row = self->row->row;
  job->captured = captured;
  job->scheduled = scheduled;
  job->generation = self->generation;
  job->metrics = fb_canvas_get_metrics (fb_replay_side_get_canvas (self->captured));
  self->working = TRUE;
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, pair_made, NULL);
  g_task_set_task_data (task, job, free_pair_job);
  fb_worker_push (self->worker, task, FB_URGENT, pair_job);
}

/* --- which difference --- */

static const FbReplayDifference *
difference_at (FbReplayCompare *self)
{
  guint at = gtk_single_selection_get_selected (self->selection);
  return self->row && at < self->row->differences->len ? g_ptr_array_index (self->row->differences, at) : NULL;
}

static void
show_difference (FbReplayCompare *self)
{
  const FbReplayDifference *d = difference_at (self);
  if (!d)
    return;
  fb_replay_side_set_kernels (self->captured, d->captured, d->n_captured, self->at_captured);
  fb_replay_side_set_kernels (self->scheduled, d->scheduled, d->n_scheduled, self->at_scheduled);
  request_pair (self, d->n_captured ? d->captured[self->at_captured] : FB_NO_KERNEL,
                d->n_scheduled ? d->scheduled[self->at_scheduled] : FB_NO_KERNEL);
}

static void
difference_picked (FbReplayCompare *self)
{
  if (self->filling)
    return;
  self->at_captured = self->at_scheduled = 0;
  show_difference (self);
}

static void
kernel_picked (FbReplayCompare *self, guint i, FbReplaySide *side)
{
  if (side == self->captured)
    self->at_captured = i;
  else
    self->at_scheduled = i;
  show_difference (self);
}

gboolean
fb_replay_compare_move (FbReplayCompare *self, int direction)
{
  g_return_val_if_fail (FB_IS_REPLAY_COMPARE (self), FALSE);
  guint at = gtk_single_selection_get_selected (self->selection), n = self->row ? self->row->differences->len : 0;
  if (at >= n || (direction < 0 && !at) || (direction > 0 && at + 1 >= n))
    return FALSE;
  gtk_single_selection_set_selected (self->selection, at + direction);
  gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", at + direction);
  return TRUE;
}

static void
set_up (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *class = fb_label_new (NULL, "fb-strong", "fb-caption");
  gtk_label_set_width_chars (GTK_LABEL (class), 13);
  gtk_box_append (GTK_BOX (box), class);
  gtk_box_append (GTK_BOX (box), fb_label_new (NULL, "fb-caption", "fb-number"));
  GtkWidget *detail = fb_label_new (NULL, "fb-caption", "fb-dim");
  gtk_label_set_ellipsize (GTK_LABEL (detail), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (detail, TRUE);
  gtk_box_append (GTK_BOX (box), detail);
  gtk_list_item_set_child (item, box);
}

static void
append_places (GString *text, const guint *places, guint n)
{
  for (guint i = 0; i < n && i < 4; i++)
    g_string_append_printf (text, "%s%s", i ? ", " : "", fb_count (places[i] + 1));
  g_string_append (text, n > 4 ? ", …" : n ? "" : "—");
}

static void
bind (GtkListItemFactory *factory, GtkListItem *item, FbReplayCompare *self)
{
  guint at = fb_index_item_get (gtk_list_item_get_item (item));
  if (!self->row || at >= self->row->differences->len)
    return;
  const FbReplayDifference *d = g_ptr_array_index (self->row->differences, at);
  GtkWidget *box = gtk_list_item_get_child (item), *class = gtk_widget_get_first_child (box);
  GtkWidget *places = gtk_widget_get_next_sibling (class), *detail = gtk_widget_get_next_sibling (places);
  /* Kernels of the row, captured and recomputed: "2, 3 → 2" */
  g_autoptr (GString) text = g_string_new (NULL);
  append_places (text, d->captured, d->n_captured);
  g_string_append (text, " → ");
  append_places (text, d->scheduled, d->n_scheduled);
  gtk_label_set_label (GTK_LABEL (class), fb_replay_class_label (d->class));
  gtk_label_set_label (GTK_LABEL (places), text->str);
  gtk_label_set_label (GTK_LABEL (detail), d->detail);
  fb_tip_set (box, *d->detail ? d->detail : NULL);
}

/* --- the row --- */

static void
show_head (FbReplayCompare *self)
{
  const FbReplayRow *row = self->row;
  g_autofree char *title
      = g_strdup_printf (row->context ? _ ("context %s") : _ ("row %s"), fb_count (fb_replay_row_number (row)));
  g_autofree char *kernels = fb_replay_item_kernels_text (row), *changes = fb_replay_item_changes_text (row);
  /* Translators: how many kernels before and after ("5 → 4"), and what changed */
  g_autofree char *about = row->status == FB_REPLAY_ROW_FAILED
                               ? g_strdup (changes)
                               : g_strdup_printf (_ ("%s kernels · %s"), kernels, changes);
  gtk_label_set_label (self->title, title);
  gtk_label_set_label (self->about, about);
  fb_tip_set (GTK_WIDGET (self->about), *row->key ? row->key : NULL);
}

void
fb_replay_compare_show_row (FbReplayCompare *self, const FbReplayRow *row)
{
  g_return_if_fail (FB_IS_REPLAY_COMPARE (self));
  if (row && row == self->row)
    return;
  give_up (self);
  discard (self, g_steal_pointer (&self->kernels), (GDestroyNotify) fb_replay_kernels_unref);
  self->row = row;
  gtk_widget_set_visible (self->head, row != NULL);
  /* A few rows, then it scrolls. */
  guint shown = row ? MIN (row->differences->len, MOST_DIFFERENCES) : 0;
  gboolean scrolls = row && row->differences->len > shown;
  gtk_scrolled_window_set_policy (self->differences, GTK_POLICY_NEVER,
                                  scrolls ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  gtk_scrolled_window_set_min_content_height (self->differences, scrolls ? (int) shown * ROW_HEIGHT + 8 : -1);
  gtk_widget_set_visible (GTK_WIDGET (self->differences), shown > 0);
  self->filling = TRUE;
  fb_index_model_set_size (self->places, row ? row->differences->len : 0);
  gtk_single_selection_set_selected (self->selection, 0);
  self->filling = FALSE;
  if (!row)
    {
      drop_pair (self);
      gtk_stack_set_visible_child_name (self->stack, "none");
      return;
    }
  show_head (self);
  if (fb_replay_message_fill (self->message, row))
    gtk_stack_set_visible_child_name (self->stack, "message");
  else
    difference_picked (self);
}

void
fb_replay_compare_set_file (FbReplayCompare *self, const char *path, const char *release, const GArray *options)
{
  g_return_if_fail (FB_IS_REPLAY_COMPARE (self) && options);
  fb_replay_compare_show_row (self, NULL);
  g_free (self->path);
  g_free (self->release);
  self->path = g_strdup (path);
  self->release = g_strdup (release);
  g_array_unref (self->options);
  self->options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  g_array_append_vals (self->options, options->data, options->len);
}

gboolean
fb_replay_compare_is_settled (FbReplayCompare *self)
{
  g_return_val_if_fail (FB_IS_REPLAY_COMPARE (self), TRUE);
  return !self->working;
}

void
fb_replay_compare_set_side_by_side (FbReplayCompare *self, gboolean side_by_side)
{
  g_return_if_fail (FB_IS_REPLAY_COMPARE (self));
  fb_diff_view_set_side_by_side (self->diff_view, side_by_side);
}

gboolean
fb_replay_compare_copy (FbReplayCompare *self)
{
  g_return_val_if_fail (FB_IS_REPLAY_COMPARE (self), FALSE);
  if (!self->pair)
    return FALSE;
  g_autofree char *text = fb_text_diff_to_text (self->pair->diff);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  return TRUE;
}

void
fb_replay_compare_zoom (FbReplayCompare *self, double factor)
{
  g_return_if_fail (FB_IS_REPLAY_COMPARE (self));
  FbReplaySide *sides[] = { self->captured, self->scheduled };
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    if (factor > 0)
      fb_canvas_zoom_by (fb_replay_side_get_canvas (sides[i]), factor);
    else
      fb_canvas_fit (fb_replay_side_get_canvas (sides[i]));
}

/* --- the widget --- */

static gboolean
set_splits (gpointer data)
{
  FbReplayCompare *self = data;
  int height = gtk_widget_get_height (GTK_WIDGET (self->split)),
      width = gtk_widget_get_width (GTK_WIDGET (self->sides));
  if (height > 0 && width > 0 && !self->split_set)
    {
      self->split_set = TRUE;
      gtk_paned_set_position (self->split, height - DIFF_HEIGHT);
      gtk_paned_set_position (self->sides, width / 2);
    }
  return G_SOURCE_REMOVE;
}

/* The first sizes are known once a pair is shown. */
static void
sized (FbReplayCompare *self)
{
  if (!self->split_set)
    g_idle_add_full (G_PRIORITY_HIGH, set_splits, g_object_ref (self), g_object_unref);
}

static void
fb_replay_compare_dispose (GObject *object)
{
  FbReplayCompare *self = FB_REPLAY_COMPARE (object);
  g_cancellable_cancel (self->cancellable);
  self->generation++;
  self->row = NULL;
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  discard (self, g_steal_pointer (&self->pair), (GDestroyNotify) fb_replay_pair_free);
  discard (self, g_steal_pointer (&self->kernels), (GDestroyNotify) fb_replay_kernels_unref);
  g_clear_object (&self->selection);
  g_clear_object (&self->places);
  G_OBJECT_CLASS (fb_replay_compare_parent_class)->dispose (object);
}

static void
fb_replay_compare_finalize (GObject *object)
{
  FbReplayCompare *self = FB_REPLAY_COMPARE (object);
  fb_worker_free (self->worker);
  g_object_unref (self->cancellable);
  g_array_unref (self->options);
  g_free (self->path);
  g_free (self->release);
  G_OBJECT_CLASS (fb_replay_compare_parent_class)->finalize (object);
}

static void
fb_replay_compare_class_init (FbReplayCompareClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_replay_compare_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_replay_compare_finalize;
  g_type_ensure (FB_TYPE_DIFF_VIEW);
  g_type_ensure (FB_TYPE_REPLAY_SIDE);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "replay-compare.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, FbReplayCompare, name)
  BIND (title);
  BIND (about);
  BIND (removed);
  BIND (added);
  BIND (same);
  BIND (diff_none);
  BIND (head);
  BIND (differences);
  BIND (counts);
  BIND (list);
  BIND (stack);
  BIND (diff_stack);
  BIND (split);
  BIND (sides);
  BIND (captured);
  BIND (scheduled);
  BIND (diff_view);
  BIND (message);
#undef BIND
}

static void
fb_replay_compare_init (FbReplayCompare *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->worker = fb_worker_new ();
  self->cancellable = g_cancellable_new ();
  self->options = g_array_new (FALSE, FALSE, sizeof (FbReplayOption));
  self->places = fb_index_model_new ();
  fb_replay_side_set_words (self->captured, _ ("captured"), _ ("No captured kernel is like it"));
  fb_replay_side_set_words (self->scheduled, _ ("recomputed"), _ ("No recomputed kernel is like it"));
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind), self, 0);
  gtk_list_view_set_factory (self->list, factory);
  g_object_unref (factory);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->places)));
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  g_signal_connect_object (self->selection, "notify::selected", G_CALLBACK (difference_picked), self,
                           G_CONNECT_SWAPPED);
  FbReplaySide *sides[] = { self->captured, self->scheduled };
  for (guint i = 0; i < G_N_ELEMENTS (sides); i++)
    {
      g_signal_connect_object (sides[i], "kernel-picked", G_CALLBACK (kernel_picked), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (sides[i], "node-picked", G_CALLBACK (node_picked), self, G_CONNECT_SWAPPED);
    }
  g_signal_connect_object (self->split, "notify::max-position", G_CALLBACK (sized), self, G_CONNECT_SWAPPED);
  fb_replay_compare_show_row (self, NULL);
}
