#include "app/pass-panel-private.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/preferences.h"

G_DEFINE_FINAL_TYPE (FbPassPanel, fb_pass_panel, GTK_TYPE_WIDGET)

/* Kernels apart that one opens as another closes in one change of the list. */
#define NEAR_KERNELS 24
#define ROW_HEIGHT 28
#define TITLE_HEIGHT 34
/* No row is lower than this. */
#define LEAST_HEIGHT 18
/* How often, and how many times, it is looked whether rows have places. */
#define FRAME_MS 16
#define MOST_TRIES 12

/* --- what is listed --- */

guint
fb_passes_of_kernel (const FbRowView *row, guint kernel, guint *first)
{
  guint n = 0;
  for (guint i = 0; i < row->n_passes; i++)
    if (row->passes[i].kernel == kernel && !n++)
      *first = i;
  return n;
}

static guint
find_entry (FbPassPanel *self, guint entry)
{
  for (guint i = 0; i < self->order->len; i++)
    if (g_array_index (self->order, guint, i) == entry)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

gboolean
fb_pass_panel_is_open (FbPassPanel *self, guint kernel)
{
  return kernel == self->open_by_itself || g_hash_table_contains (self->open, GUINT_TO_POINTER (kernel));
}

/* Appends the passes of one kernel, [first, end), under their head. */
static void
list_kernel (FbPassPanel *self, GArray *order, const FbRowView *row, guint first, guint end, guint current,
             gboolean hide_empty)
{
  guint kernel = row->passes[first].kernel, head = FB_PASS_HEAD | kernel;
  gboolean any = !hide_empty || (current >= first && current < end);
  for (guint i = first; i < end && !any; i++)
    any = row->passes[i].n_steps > 0;
  if (!any)
    return;
  g_array_append_val (order, head);
  for (guint i = first; i < end && fb_pass_panel_is_open (self, kernel); i++)
    if (!hide_empty || row->passes[i].n_steps || i == current)
      g_array_append_val (order, i);
}

/* What the list is to show. Where we are is shown even when it changed nothing. */
static GArray *
make_order (FbPassPanel *self, const FbRowView *row)
{
  GArray *order = g_array_new (FALSE, FALSE, sizeof (guint));
  gboolean hide_empty = fb_preferences_get_hide_empty_passes (fb_preferences_get_default ());
  guint current, step, end;
  fb_document_get_position (self->doc, &current, &step);
  for (guint i = 0; row && i < row->n_passes; i = end)
    {
      guint kernel = row->passes[i].kernel;
      for (end = i + 1; kernel && end < row->n_passes && row->passes[end].kernel == kernel;)
        end++;
      if (kernel)
        list_kernel (self, order, row, i, end, current, hide_empty);
      else if (!hide_empty || row->passes[i].n_steps || i == current)
        g_array_append_val (order, i);
    }
  return order;
}

static gboolean
stays (guint before, guint now, guint touched, guint also)
{
  return before == now && (!touched || now != touched) && (!also || now != also);
}

/* Lists what is to be shown; rows that stay, stay in place. @touched, @also: entries whose look changed, or 0. */
static void
update_list (FbPassPanel *self, guint touched, guint also)
{
  GArray *old = self->order, *new = make_order (self, fb_document_get_row (self->doc));
  guint same = 0, same_end = 0;
  const guint *before = (const guint *) (gpointer) old->data, *now = (const guint *) (gpointer) new->data;
  const guint least = MIN (old->len, new->len);
  while (same < least && stays (before[same], now[same], touched, also))
    same++;
  while (same + same_end < least
         && stays (before[old->len - 1 - same_end], now[new->len - 1 - same_end], touched, also))
    same_end++;
  guint removed = old->len - same - same_end, added = new->len - same - same_end;
  gboolean was_following = self->following;
  self->following = TRUE;
  self->order = new;
  if (fb_index_model_get_size (self->passes) != old->len) /* it is being emptied */
    fb_index_model_set_filtered (self->passes, new->len, now);
  else if (removed || added)
    fb_index_model_splice (self->passes, same, removed, added, &g_array_index (new, guint, same));
  self->following = was_following;
  g_array_unref (old);
}

static void
set_open (FbPassPanel *self, guint kernel, gboolean open)
{
  if (self->open_by_itself == kernel)
    self->open_by_itself = 0;
  if (open)
    g_hash_table_add (self->open, GUINT_TO_POINTER (kernel));
  else
    g_hash_table_remove (self->open, GUINT_TO_POINTER (kernel));
  update_list (self, FB_PASS_HEAD | kernel, 0);
}

void
fb_pass_panel_toggle (FbPassPanel *self, guint entry)
{
  guint kernel = entry & ~FB_PASS_HEAD;
  if (entry & FB_PASS_HEAD)
    set_open (self, kernel, !fb_pass_panel_is_open (self, kernel));
}

/* The kernel we are in is open, and closes again behind us, unless the person opened it. */
static void
open_current (FbPassPanel *self, guint kernel)
{
  guint last = self->open_by_itself, closes = last ? FB_PASS_HEAD | last : 0;
  if (last == kernel)
    return;
  gboolean opens = kernel && !g_hash_table_contains (self->open, GUINT_TO_POINTER (kernel));
  self->open_by_itself = 0;
  /* the rows of what closes are written for what opens, if that is near */
  if (closes && !(opens && MAX (last, kernel) - MIN (last, kernel) < NEAR_KERNELS))
    {
      update_list (self, closes, 0);
      closes = 0;
    }
  if (!opens)
    return;
  self->open_by_itself = kernel;
  update_list (self, FB_PASS_HEAD | kernel, closes);
}

/* --- following the document, and leading it --- */

/* As many rows as there are passes, but not more than half of the panel. */
static void
split_by_itself (FbPassPanel *self)
{
  int position = gtk_paned_get_position (self->split), height = gtk_widget_get_height (GTK_WIDGET (self->split));
  if ((self->auto_split > 0 && position != self->auto_split) || self->auto_split < 0 || !height)
    return;
  int wanted = TITLE_HEIGHT + ROW_HEIGHT * self->order->len + 6;
  self->auto_split = CLAMP (wanted, 96, MAX (96, height * 47 / 100));
  gtk_paned_set_position (self->split, self->auto_split);
}

static void
scroll_to (GtkListView *list, GtkSingleSelection *selection)
{
  guint position = gtk_single_selection_get_selected (selection);
  if (g_list_model_get_n_items (G_LIST_MODEL (selection)))
    gtk_widget_activate_action (GTK_WIDGET (list), "list.scroll-to-item", "u",
                                position == GTK_INVALID_LIST_POSITION ? 0 : position);
}

/* All rows of a list on the screen have been given places. */
static gboolean
has_places (GtkListView *list)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (list));
  guint n = g_list_model_get_n_items (G_LIST_MODEL (gtk_list_view_get_model (list)));
  return !adjustment || !gtk_widget_get_mapped (GTK_WIDGET (list))
         || gtk_adjustment_get_upper (adjustment) >= n * (double) LEAST_HEIGHT;
}

static gboolean
settle (gpointer data)
{
  FbPassPanel *self = data;
  self->later = 0;
  split_by_itself (self);
  if (self->scroll_later && self->tries > 0 && !(has_places (self->pass_list) && has_places (self->step_list)))
    {
      /* the frame that gives them is still to come */
      self->tries--;
      self->later = g_timeout_add (FRAME_MS, settle, self);
      return G_SOURCE_REMOVE;
    }
  if (self->scroll_later)
    {
      scroll_to (self->pass_list, self->pass_selection);
      scroll_to (self->step_list, self->step_selection);
    }
  self->scroll_later = FALSE;
  return G_SOURCE_REMOVE;
}

/* A list scrolls only to rows that it has given places to. */
static void
settle_later (FbPassPanel *self)
{
  self->scroll_later = TRUE;
  self->tries = MOST_TRIES;
  if (!self->later)
    self->later = g_idle_add_full (GTK_PRIORITY_RESIZE + 15, settle, self, NULL);
}

/* Rows may still be to come; an index beyond those that are there selects none. */
static void
select_here (FbPassPanel *self)
{
  guint pass, step, entry, selected;
  fb_document_get_position (self->doc, &pass, &step);
  entry = find_entry (self, pass);
  selected = step ? step - 1 : GTK_INVALID_LIST_POSITION;
  if (gtk_single_selection_get_selected (self->pass_selection) != entry)
    gtk_single_selection_set_selected (self->pass_selection, entry);
  if (gtk_single_selection_get_selected (self->step_selection) != selected)
    gtk_single_selection_set_selected (self->step_selection, selected);
}

/* More rows have come by themselves. */
static void
rows_came (FbPassPanel *self, guint position, guint removed, guint added)
{
  if (self->following || removed || !fb_document_get_row (self->doc))
    return;
  self->following = TRUE;
  select_here (self);
  self->following = FALSE;
  settle_later (self);
}

static void
show_position (FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint pass = 0, step = 0;
  fb_document_get_position (self->doc, &pass, &step);
  self->following = TRUE;
  if (!row || !row->n_passes)
    {
      fb_index_model_set_size (self->steps, 0);
      gtk_label_set_label (self->steps_count, "");
      gtk_stack_set_visible_child_name (self->steps_stack, "none");
      self->following = FALSE;
      return;
    }
  guint n_steps = row->passes[pass].n_steps;
  gboolean decides = fb_row_view_decides (row, pass);
  open_current (self, row->passes[pass].kernel);
  if (self->steps_of != pass)
    update_list (self, 0, 0);
  if (self->steps_of != pass || fb_index_model_get_size (self->steps) != n_steps)
    {
      self->steps_of = pass;
      /* a list that is about to be hidden has time */
      if (n_steps)
        fb_index_model_set_size (self->steps, n_steps);
      else
        fb_index_model_drain (self->steps);
      gtk_stack_set_visible_child_name (self->steps_stack, decides ? "verdicts" : n_steps ? "steps" : "none");
      gtk_label_set_label (self->steps_title, decides ? _ ("Verdicts") : _ ("Steps"));
    }
  select_here (self);
  settle_later (self);
  /* Translators: step 19 of 21 */
  g_autofree char *count = decides ? g_strdup_printf (_ ("%s of %s realized"), fb_count (row->why->n_realized),
                                                      fb_count (row->why->n_realized + row->why->n_fused))
                                   : g_strdup_printf (_ ("%s of %s"), fb_count (step), fb_count (n_steps));
  gtk_label_set_label (self->steps_count, count);
  self->following = FALSE;
}

static void
row_loaded (FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  gboolean kernel = row && row->kind == FB_ROW_KERNEL;
  if (kernel)
    fb_kernel_panel_set_row (self->kernel, row);
  gtk_widget_set_visible (GTK_WIDGET (self->kernel), kernel);
  gtk_widget_set_visible (GTK_WIDGET (self->split), !kernel);
  self->following = TRUE;
  self->steps_of = G_MAXUINT;
  self->open_by_itself = 0;
  g_hash_table_remove_all (self->open);
  fb_index_model_set_size (self->steps, 0);
  g_array_set_size (self->order, 0);
  fb_index_model_set_filtered (self->passes, 0, NULL);
  update_list (self, 0, 0);
  self->following = FALSE;
  settle_later (self);
}

/* Other passes are listed than before: the selection is where it was. */
static void
relist (FbPassPanel *self)
{
  update_list (self, 0, 0);
  show_position (self);
}

static void
pass_picked (FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint position = gtk_single_selection_get_selected (self->pass_selection);
  if (self->following || position >= self->order->len || !row)
    return;
  guint pass = g_array_index (self->order, guint, position);
  if (pass & FB_PASS_HEAD)
    fb_passes_of_kernel (row, pass & ~FB_PASS_HEAD, &pass);
  fb_document_jump (self->doc, pass, 0);
}

static void
pass_activated (FbPassPanel *self, guint position)
{
  if (position < self->order->len)
    fb_pass_panel_toggle (self, g_array_index (self->order, guint, position));
}

static void
step_picked (FbPassPanel *self)
{
  guint step = gtk_single_selection_get_selected (self->step_selection);
  if (!self->following && step != GTK_INVALID_LIST_POSITION)
    fb_document_jump (self->doc, self->steps_of, step + 1);
}

static void
fill_list (FbPassPanel *self, GtkListView *list, FbIndexModel *model, GtkSingleSelection **selection, GCallback set_up,
           GCallback bind, GCallback picked)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect_object (factory, "setup", set_up, self, 0);
  g_signal_connect_object (factory, "bind", bind, self, 0);
  gtk_list_view_set_factory (list, factory);
  g_object_unref (factory);
  *selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (model)));
  gtk_single_selection_set_autoselect (*selection, FALSE);
  gtk_single_selection_set_can_unselect (*selection, TRUE);
  g_signal_connect_object (*selection, "notify::selected", picked, self, G_CONNECT_SWAPPED);
  gtk_list_view_set_model (list, GTK_SELECTION_MODEL (*selection));
  fb_index_model_set_gradual (model, 8);
  /* after the selection has heard of it */
  g_signal_connect_object (model, "items-changed", G_CALLBACK (rows_came), self, G_CONNECT_SWAPPED);
}

void
fb_pass_panel_set_document (FbPassPanel *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_PASS_PANEL (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  fill_list (self, self->pass_list, self->passes, &self->pass_selection, G_CALLBACK (fb_pass_panel_set_up_pass),
             G_CALLBACK (fb_pass_panel_bind_pass), G_CALLBACK (pass_picked));
  fill_list (self, self->step_list, self->steps, &self->step_selection, G_CALLBACK (fb_pass_panel_set_up_step),
             G_CALLBACK (fb_pass_panel_bind_step), G_CALLBACK (step_picked));
  g_signal_connect_object (self->pass_list, "activate", G_CALLBACK (pass_activated), self, G_CONNECT_SWAPPED);
  fb_verdict_list_set_document (self->verdicts, doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "moved", G_CALLBACK (show_position), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fb_preferences_get_default (), "notify::hide-empty-passes", G_CALLBACK (relist), self,
                           G_CONNECT_SWAPPED);
}

static gboolean
has_all (FbIndexModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (model)) == fb_index_model_get_size (model);
}

gboolean
fb_pass_panel_is_settled (FbPassPanel *self)
{
  g_return_val_if_fail (FB_IS_PASS_PANEL (self), TRUE);
  return has_all (self->passes) && has_all (self->steps) && !self->later;
}

int
fb_pass_panel_get_split (FbPassPanel *self)
{
  return gtk_paned_get_position (self->split);
}

gboolean
fb_pass_panel_was_split (FbPassPanel *self)
{
  return self->auto_split < 0 || (self->auto_split > 0 && gtk_paned_get_position (self->split) != self->auto_split);
}

void
fb_pass_panel_set_split (FbPassPanel *self, int height)
{
  self->auto_split = -1;
  gtk_paned_set_position (self->split, height);
}

static GtkWidget *
shown_part (FbPassPanel *self)
{
  GtkWidget *kernel = GTK_WIDGET (self->kernel);
  return gtk_widget_get_visible (kernel) ? kernel : GTK_WIDGET (self->split);
}

static void
fb_pass_panel_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  FbPassPanel *self = FB_PASS_PANEL (widget);
  GtkWidget *shown = shown_part (self);
  gtk_widget_allocate (shown, width, height, baseline, NULL);
  if (height != self->height)
    settle_later (self);
  self->height = height;
}

static void
fb_pass_panel_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                       int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (shown_part (FB_PASS_PANEL (widget)), orientation, for_size, minimum, natural, minimum_baseline,
                      natural_baseline);
}

static void
fb_pass_panel_dispose (GObject *object)
{
  FbPassPanel *self = FB_PASS_PANEL (object);
  g_clear_handle_id (&self->later, g_source_remove);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->passes);
  g_clear_object (&self->steps);
  g_clear_object (&self->pass_selection);
  g_clear_object (&self->step_selection);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_pass_panel_parent_class)->dispose (object);
}

static void
fb_pass_panel_finalize (GObject *object)
{
  g_array_unref (FB_PASS_PANEL (object)->order);
  g_hash_table_unref (FB_PASS_PANEL (object)->open);
  G_OBJECT_CLASS (fb_pass_panel_parent_class)->finalize (object);
}

static void
fb_pass_panel_class_init (FbPassPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_pass_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_pass_panel_finalize;
  g_type_ensure (FB_TYPE_KERNEL_PANEL);
  g_type_ensure (FB_TYPE_VERDICT_LIST);
  widget_class->measure = fb_pass_panel_measure;
  widget_class->size_allocate = fb_pass_panel_size_allocate;
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "pass-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, split);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, kernel);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, pass_list);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, step_list);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, steps_count);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, steps_stack);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, steps_title);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, verdicts);
}

static void
fb_pass_panel_init (FbPassPanel *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->open = g_hash_table_new (NULL, NULL);
  self->passes = fb_index_model_new ();
  self->steps = fb_index_model_new ();
  self->steps_of = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
}
