#include "app/pass-panel.h"

#include <glib/gi18n.h>

#include "app/count.h"
#include "app/index-model.h"
#include "app/kernel-panel.h"

struct _FbPassPanel
{
  GtkWidget parent_instance;

  GtkPaned *split;
  GtkListView *pass_list, *step_list;
  GtkLabel *steps_count, *none_label;
  GtkStack *steps_stack;
  FbKernelPanel *kernel; /* in the place of all that, for a kernel's row */

  FbDocument *doc;
  FbIndexModel *passes, *steps;
  GtkSingleSelection *pass_selection, *step_selection;
  GArray *order;      /* of guint: what the pass list shows, a pass or KERNEL | kernel */
  int height;         /* of the panel, as last allocated */
  guint later;        /* source id: split and scroll once sizes are known */
  int auto_split;     /* height given to the passes without being asked, px */
  guint steps_of;     /* the pass whose steps are listed */
  gboolean following; /* selections are being set to where the document is */
};

G_DEFINE_FINAL_TYPE (FbPassPanel, fb_pass_panel, GTK_TYPE_WIDGET)

/* An entry of the pass list with this bit is the head of a kernel's passes. */
#define KERNEL 0x80000000u
#define ROW_HEIGHT 28
#define TITLE_HEIGHT 34

/* --- rows --- */

static GtkWidget *
add_label (GtkWidget *box, float xalign, const char *first_class, const char *second_class)
{
  GtkWidget *label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (label), xalign);
  if (first_class)
    gtk_widget_add_css_class (label, first_class);
  if (second_class)
    gtk_widget_add_css_class (label, second_class);
  gtk_box_append (GTK_BOX (box), label);
  return label;
}

static GtkLabel *
nth_label (GtkWidget *box, guint n)
{
  GtkWidget *child = gtk_widget_get_first_child (box);
  while (n--)
    child = gtk_widget_get_next_sibling (child);
  return GTK_LABEL (child);
}

static void
set_number (GtkLabel *label, guint number)
{
  gtk_label_set_label (label, fb_count (number));
}

/* --- kernels in the pass list --- */

static guint
find_entry (FbPassPanel *self, guint entry)
{
  for (guint i = 0; i < self->order->len; i++)
    if (g_array_index (self->order, guint, i) == entry)
      return i;
  return GTK_INVALID_LIST_POSITION;
}

/* First pass of a kernel, and how many it has. */
static guint
passes_of_kernel (const FbRowView *row, guint kernel, guint *first)
{
  guint n = 0;
  for (guint i = 0; i < row->n_passes; i++)
    if (row->passes[i].kernel == kernel && !n++)
      *first = i;
  return n;
}

static gboolean
is_open (FbPassPanel *self, guint position)
{
  return position + 1 < self->order->len && !(g_array_index (self->order, guint, position + 1) & KERNEL);
}

static void
set_open (FbPassPanel *self, guint kernel, gboolean open)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint position = find_entry (self, KERNEL | kernel), first = 0;
  if (!row || position == GTK_INVALID_LIST_POSITION || is_open (self, position) == open)
    return;
  guint n = passes_of_kernel (row, kernel, &first);
  g_autofree guint *passes = g_new (guint, n + 1);
  guint head = KERNEL | kernel;
  passes[0] = head;
  for (guint i = 0; i < n; i++)
    passes[i + 1] = first + i;
  self->following = TRUE;
  /* The head goes too: its triangle turns. */
  g_array_remove_range (self->order, position, open ? 1 : n + 1);
  g_array_insert_vals (self->order, position, passes, open ? n + 1 : 1);
  fb_index_model_splice (self->passes, position, open ? 1 : n + 1, open ? n + 1 : 1, passes);
  self->following = FALSE;
}

static void
toggle (FbPassPanel *self, guint entry)
{
  if (entry & KERNEL)
    set_open (self, entry & ~KERNEL, !is_open (self, find_entry (self, entry)));
}

static void
triangle_clicked (GtkButton *button, GtkListItem *item)
{
  FbPassPanel *self = FB_PASS_PANEL (gtk_widget_get_ancestor (GTK_WIDGET (button), FB_TYPE_PASS_PANEL));
  toggle (self, fb_index_item_get (gtk_list_item_get_item (item)));
}

static void
set_up_pass (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *number = add_label (box, 1, "fb-dim", "fb-number");
  gtk_label_set_width_chars (GTK_LABEL (number), 1);
  GtkWidget *title = add_label (box, 0, NULL, NULL);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (title, TRUE);
  add_label (box, 1, "fb-small-code", "fb-dim");
  GtkWidget *steps = add_label (box, 1, "fb-number", NULL);
  gtk_label_set_width_chars (GTK_LABEL (steps), 3);
  GtkWidget *triangle = gtk_button_new ();
  gtk_widget_add_css_class (triangle, "fb-triangle");
  gtk_widget_add_css_class (triangle, "flat");
  gtk_widget_set_focusable (triangle, FALSE);
  gtk_widget_set_valign (triangle, GTK_ALIGN_CENTER);
  g_signal_connect (triangle, "clicked", G_CALLBACK (triangle_clicked), item);
  gtk_box_prepend (GTK_BOX (box), triangle);
  gtk_list_item_set_child (item, box);
}

static void
set_dim (GtkLabel *label, gboolean dim)
{
  if (dim)
    gtk_widget_add_css_class (GTK_WIDGET (label), "fb-dim");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (label), "fb-dim");
}

static void
bind_pass (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint entry = fb_index_item_get (gtk_list_item_get_item (item));
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *triangle = gtk_widget_get_first_child (box);
  GtkLabel *number = nth_label (box, 1), *title = nth_label (box, 2), *line = nth_label (box, 3);
  GtkLabel *steps = nth_label (box, 4);
  gboolean head = entry & KERNEL;
  if (!row || (!head && entry >= row->n_passes))
    return;
  gtk_widget_set_visible (triangle, head);
  gtk_widget_set_visible (GTK_WIDGET (number), !head);
  guint n_steps = 0;
  if (head)
    {
      guint kernel = entry & ~KERNEL, first = 0, n = passes_of_kernel (row, kernel, &first);
      gboolean open = is_open (self, find_entry (self, entry));
      for (guint i = first; i < first + n; i++)
        n_steps += row->passes[i].n_steps;
      g_autofree char *text = g_strdup_printf (_ ("kernel %u"), kernel);
      gtk_label_set_label (title, text);
      gtk_label_set_label (line, "");
      gtk_button_set_icon_name (GTK_BUTTON (triangle), open ? "pan-down-symbolic" : "pan-end-symbolic");
      gtk_widget_set_tooltip_text (triangle, open ? _ ("Hide its passes (Enter)") : _ ("Show its passes (Enter)"));
      gtk_widget_set_tooltip_text (box, NULL);
    }
  else
    {
      const FbPassView *pass = &row->passes[entry];
      n_steps = pass->n_steps;
      gtk_label_set_label (number, pass->kernel ? "" : fb_count (entry + 1));
      gtk_label_set_label (title, pass->pass->title);
      gtk_label_set_label (line, pass->line);
      g_autofree char *name = fb_pass_view_title (pass);
      g_autofree char *tip = g_strdup_printf ("%s · %s", name, pass->pass->location);
      gtk_widget_set_tooltip_text (box, tip);
    }
  gtk_widget_set_margin_start (GTK_WIDGET (title), !head && row->passes[entry].kernel ? 12 : 0);
  set_number (steps, n_steps);
  set_dim (title, !n_steps);
  set_dim (steps, !n_steps);
}

static void
set_up_step (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *number = add_label (box, 1, "fb-small-code", "fb-dim");
  gtk_label_set_width_chars (GTK_LABEL (number), 2);
  GtkWidget *what = add_label (box, 0, "fb-small-code", "fb-what");
  gtk_label_set_ellipsize (GTK_LABEL (what), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (what, TRUE);
  GtkWidget *shape = add_label (box, 1, "fb-small-code", "fb-dim");
  gtk_label_set_ellipsize (GTK_LABEL (shape), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (shape), 9);
  gtk_list_item_set_child (item, box);
}

static void
bind_step (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint i = fb_index_item_get (gtk_list_item_get_item (item));
  if (!row || self->steps_of >= row->n_passes || i >= row->passes[self->steps_of].n_steps)
    return;
  const FbPassView *pass = &row->passes[self->steps_of];
  const FbMatch *match = fb_pass_match (pass->pass, i);
  const FbRule *rule = fb_rule_set_rule (pass->pass->rules, match->rule);
  GtkWidget *box = gtk_list_item_get_child (item);
  set_number (nth_label (box, 0), i + 1);
  g_autofree char *what
      = g_strdup_printf ("%s → %s", fb_op_name (match->before->op), match->after ? fb_op_name (match->after->op) : "—");
  gtk_label_set_label (nth_label (box, 1), what);
  const char *shape = pass->step_shape[i];
  gtk_label_set_label (nth_label (box, 2), shape ? shape : "");
  g_autofree char *tip = g_strdup_printf ("%s\n%s: %s", what, rule->name, rule->law);
  gtk_widget_set_tooltip_text (box, tip);
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

static gboolean
settle (gpointer data)
{
  FbPassPanel *self = data;
  self->later = 0;
  split_by_itself (self);
  scroll_to (self->pass_list, self->pass_selection);
  scroll_to (self->step_list, self->step_selection);
  return G_SOURCE_REMOVE;
}

/* A list scrolls only to rows that it has given places to. */
static void
settle_later (FbPassPanel *self)
{
  if (!self->later)
    self->later = g_idle_add_full (GTK_PRIORITY_RESIZE + 15, settle, self, NULL);
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
      gtk_label_set_label (self->none_label, "");
      gtk_stack_set_visible_child_name (self->steps_stack, "none");
      self->following = FALSE;
      return;
    }
  guint n_steps = row->passes[pass].n_steps;
  if (row->passes[pass].kernel)
    {
      set_open (self, row->passes[pass].kernel, TRUE);
      self->following = TRUE;
    }
  guint entry = find_entry (self, pass);
  if (gtk_single_selection_get_selected (self->pass_selection) != entry)
    gtk_single_selection_set_selected (self->pass_selection, entry);
  if (self->steps_of != pass || g_list_model_get_n_items (G_LIST_MODEL (self->steps)) != n_steps)
    {
      self->steps_of = pass;
      fb_index_model_set_size (self->steps, n_steps);
      gtk_label_set_label (self->none_label, _ ("This pass changed nothing."));
      gtk_stack_set_visible_child_name (self->steps_stack, n_steps ? "steps" : "none");
    }
  guint selected = step ? step - 1 : GTK_INVALID_LIST_POSITION;
  if (gtk_single_selection_get_selected (self->step_selection) != selected)
    gtk_single_selection_set_selected (self->step_selection, selected);
  settle_later (self);
  /* Translators: step 19 of 21 */
  g_autofree char *count = g_strdup_printf (_ ("%s of %s"), fb_count (step), fb_count (n_steps));
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
  fb_index_model_set_size (self->steps, 0);
  g_array_set_size (self->order, 0);
  for (guint i = 0; row && i < row->n_passes; i++)
    {
      guint kernel = row->passes[i].kernel, entry = kernel ? KERNEL | kernel : i;
      if (!kernel || kernel != row->passes[i - 1].kernel)
        g_array_append_val (self->order, entry);
    }
  fb_index_model_set_filtered (self->passes, self->order->len, (guint *) self->order->data);
  self->following = FALSE;
  settle_later (self);
}

static void
pass_picked (FbPassPanel *self)
{
  FbRowView *row = fb_document_get_row (self->doc);
  guint position = gtk_single_selection_get_selected (self->pass_selection);
  if (self->following || position >= self->order->len || !row)
    return;
  guint pass = g_array_index (self->order, guint, position);
  if (pass & KERNEL)
    passes_of_kernel (row, pass & ~KERNEL, &pass);
  fb_document_jump (self->doc, pass, 0);
}

static void
pass_activated (FbPassPanel *self, guint position)
{
  if (position < self->order->len)
    toggle (self, g_array_index (self->order, guint, position));
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
  g_signal_connect (factory, "setup", set_up, NULL);
  g_signal_connect_object (factory, "bind", bind, self, 0);
  gtk_list_view_set_factory (list, factory);
  g_object_unref (factory);
  *selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (model)));
  gtk_single_selection_set_autoselect (*selection, FALSE);
  gtk_single_selection_set_can_unselect (*selection, TRUE);
  g_signal_connect_object (*selection, "notify::selected", picked, self, G_CONNECT_SWAPPED);
  gtk_list_view_set_model (list, GTK_SELECTION_MODEL (*selection));
}

void
fb_pass_panel_set_document (FbPassPanel *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_PASS_PANEL (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  fill_list (self, self->pass_list, self->passes, &self->pass_selection, G_CALLBACK (set_up_pass),
             G_CALLBACK (bind_pass), G_CALLBACK (pass_picked));
  fill_list (self, self->step_list, self->steps, &self->step_selection, G_CALLBACK (set_up_step),
             G_CALLBACK (bind_step), G_CALLBACK (step_picked));
  g_signal_connect_object (self->pass_list, "activate", G_CALLBACK (pass_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "moved", G_CALLBACK (show_position), self, G_CONNECT_SWAPPED);
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
  G_OBJECT_CLASS (fb_pass_panel_parent_class)->finalize (object);
}

static void
fb_pass_panel_class_init (FbPassPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_pass_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_pass_panel_finalize;
  g_type_ensure (FB_TYPE_KERNEL_PANEL);
  widget_class->measure = fb_pass_panel_measure;
  widget_class->size_allocate = fb_pass_panel_size_allocate;
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "pass-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, split);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, kernel);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, pass_list);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, step_list);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, steps_count);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, steps_stack);
  gtk_widget_class_bind_template_child (widget_class, FbPassPanel, none_label);
}

static void
fb_pass_panel_init (FbPassPanel *self)
{
  self->order = g_array_new (FALSE, FALSE, sizeof (guint));
  self->passes = fb_index_model_new ();
  self->steps = fb_index_model_new ();
  self->steps_of = G_MAXUINT;
  gtk_widget_init_template (GTK_WIDGET (self));
}
