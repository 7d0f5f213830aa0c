#include "app/rules-table.h"

#include <glib/gi18n.h>

#include "app/closing.h"
#include "app/rules-item.h"
#include "app/section.h"
#include "app/share-bar.h"
#include "app/text-cell.h"
#include "app/text-scale.h"
#include "app/tip.h"

/* --- the table --- */

/* Rows are made between frames, so many at a time. */
#define SLICE 5

struct _FbRulesTable
{
  GtkWidget parent_instance;
  GtkStack *stack;
  GtkColumnView *table;
  GtkColumnViewColumn *columns[FB_N_RULES_COLUMNS]; /* owned; those that say something are in the table */
  GListStore *rules;
  GtkSortListModel *sorted;
  FbDocument *doc;
  FbRowView *row;   /* whose rules are listed; only to be compared */
  gboolean timed;   /* there are times */
  gboolean of_pass; /* only the rules of the pass where we are */
  guint pass;       /* that one, when it was listed */
  double largest;   /* share of the passes' time */
  guint n_matched, n_all;
  GPtrArray *waiting; /* of FbRulesItem: not in the table yet; NULL: none */
  guint n_added;      /* of those */
  guint fill_source;
  guint sorted_by; /* column + 1 */
  gboolean descending;
};

G_DEFINE_FINAL_TYPE (FbRulesTable, fb_rules_table, GTK_TYPE_WIDGET)

enum
{
  COUNTED,
  ACTIVATED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static const struct
{
  const char *title;
  int width; /* px at the usual text size; 0: what is left */
  gboolean number, code;
} columns[FB_N_RULES_COLUMNS] = {
  [FB_RULES_NAME] = { N_ ("Rule"), 230, FALSE, TRUE },  [FB_RULES_MATCHES] = { N_ ("Matches"), 80, TRUE, FALSE },
  [FB_RULES_TRIES] = { N_ ("Tries"), 80, TRUE, FALSE }, [FB_RULES_MATCHING] = { N_ ("Matching"), 84, TRUE, FALSE },
  [FB_RULES_TIME] = { N_ ("Time"), 80, TRUE, FALSE },   [FB_RULES_SHARE] = { N_ ("Share"), 124, TRUE, FALSE },
  [FB_RULES_EACH] = { N_ ("Each"), 80, TRUE, FALSE },   [FB_RULES_REFERENCE] = { N_ ("Reference"), 130, FALSE, TRUE },
  [FB_RULES_LAW] = { N_ ("Law"), 0, FALSE, TRUE },
};

/* A number; that of the share with its bar before it. */
static FbTextCell *
text_of (GtkWidget *cell)
{
  return FB_TEXT_CELL (FB_IS_TEXT_CELL (cell) ? cell : gtk_widget_get_last_child (cell));
}

static void
set_up (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  FbRulesColumn column = GPOINTER_TO_UINT (data);
  GtkWidget *text
      = fb_text_cell_new (columns[column].number, columns[column].code ? "fb-small-code" : "fb-number", NULL),
      *cell = text;
  if (column == FB_RULES_SHARE)
    {
      GtkWidget *bar = fb_share_bar_new ();
      cell = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
      gtk_widget_set_hexpand (bar, TRUE);
      fb_text_cell_set_width_chars (FB_TEXT_CELL (text), 7, 7);
      gtk_box_append (GTK_BOX (cell), bar);
      gtk_box_append (GTK_BOX (cell), text);
    }
  gtk_list_item_set_child (item, cell);
}

static void
bind (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  FbRulesColumn column = GPOINTER_TO_UINT (data);
  const FbRulesItem *rule = gtk_list_item_get_item (item);
  GtkWidget *cell = gtk_list_item_get_child (item), *says = GTK_WIDGET (text_of (cell));
  g_autofree char *text = fb_rules_item_get_text (rule, column);
  fb_text_cell_set_text (FB_TEXT_CELL (says), text);
  if (column == FB_RULES_NAME || column == FB_RULES_LAW)
    fb_tip_set (says, text);
  if (column == FB_RULES_SHARE)
    {
      FbRulesTable *self = FB_RULES_TABLE (gtk_widget_get_ancestor (cell, FB_TYPE_RULES_TABLE));
      double share = fb_rules_item_get_share (rule);
      fb_share_bar_set (FB_SHARE_BAR (gtk_widget_get_first_child (cell)),
                        self && self->largest > 0 ? share / self->largest : 0);
    }
  if (fb_rules_item_get (rule)->matches)
    gtk_widget_remove_css_class (says, "fb-dim");
  else
    gtk_widget_add_css_class (says, "fb-dim");
}

static void
add_columns (FbRulesTable *self)
{
  for (guint i = 0; i < FB_N_RULES_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_signal_connect (factory, "setup", G_CALLBACK (set_up), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind), GUINT_TO_POINTER (i));
      GtkColumnViewColumn *column = gtk_column_view_column_new (_ (columns[i].title), factory);
      g_autoptr (GtkSorter) sorter
          = GTK_SORTER (gtk_custom_sorter_new (fb_rules_item_compare, GUINT_TO_POINTER (i), NULL));
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_resizable (column, TRUE);
      if (columns[i].width)
        gtk_column_view_column_set_fixed_width (column, (int) (columns[i].width * MIN (fb_text_scale (), 1.5)));
      else
        gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (self->table, column);
      self->columns[i] = column;
    }
}

/* --- filling --- */

static int
compare_matches (gconstpointer a, gconstpointer b)
{
  const FbRuleTotal *x = a, *y = b;
  return x->matches > y->matches ? -1 : x->matches < y->matches;
}

static gboolean
fill (gpointer data)
{
  FbRulesTable *self = data;
  guint old = self->n_added ? 0 : g_list_model_get_n_items (G_LIST_MODEL (self->rules));
  /* rows that are there already are only written anew, which takes little */
  guint n = MIN (MAX (SLICE, old), self->waiting->len - self->n_added);
  g_list_store_splice (self->rules, self->n_added, old, self->waiting->pdata + self->n_added, n);
  self->n_added += n;
  if (self->n_added < self->waiting->len)
    return G_SOURCE_CONTINUE;
  self->fill_source = 0;
  return G_SOURCE_REMOVE;
}

/* Of a VIZ trace's patterns only the place is known, and how often and how long they matched. */
static gboolean
is_known (FbRulesColumn column, gboolean foreign, gboolean timed)
{
  switch (column)
    {
    case FB_RULES_NAME:
    case FB_RULES_MATCHES:
      return TRUE;
    case FB_RULES_TIME:
    case FB_RULES_EACH:
      return timed;
    case FB_RULES_SHARE:
      return timed && !foreign;
    default:
      return !foreign;
    }
}

/* Columns that are only hidden still take their room (GTK 4.8). */
static void
choose_columns (FbRulesTable *self, FbRowView *row)
{
  gboolean foreign = row && row->row->nodes,
           timed = row && fb_rule_timing_has_times (fb_document_get_timing (self->doc));
  guint at = 0;
  for (guint i = 0; i < FB_N_RULES_COLUMNS; i++)
    {
      gboolean known = is_known (i, foreign, timed);
      gboolean there = gtk_column_view_column_get_column_view (self->columns[i]) != NULL;
      if (known && !there)
        gtk_column_view_insert_column (self->table, at, self->columns[i]);
      else if (!known && there)
        gtk_column_view_remove_column (self->table, self->columns[i]);
      at += known;
    }
  gtk_column_view_column_set_title (self->columns[FB_RULES_EACH], foreign ? _ ("Each") : _ ("Per try"));
}

/* The rules of the passes that are listed, as rows; those that matched most first. */
static GPtrArray *
make_items (FbRulesTable *self, FbRowView *row)
{
  GPtrArray *items = g_ptr_array_new_with_free_func (g_object_unref);
  const FbRuleTimes *times = fb_rule_timing_get (fb_document_get_timing (self->doc));
  guint first = self->of_pass ? self->pass : 0, end = self->of_pass ? self->pass + 1 : row->n_passes;
  g_autoptr (GArray) totals = fb_rule_totals (row->schedule, first, end, times);
  double seconds = times ? fb_rule_totals_seconds (times, first, end) : 0;
  self->n_matched = 0;
  self->largest = 0;
  g_array_sort (totals, compare_matches);
  for (guint i = 0; i < totals->len; i++)
    {
      FbRulesItem *item = fb_rules_item_new (&g_array_index (totals, FbRuleTotal, i), seconds);
      self->n_matched += fb_rules_item_get (item)->matches > 0;
      self->largest = MAX (self->largest, fb_rules_item_get_share (item));
      g_ptr_array_add (items, item);
    }
  return items;
}

static void
list_rules (FbRulesTable *self, FbRowView *row)
{
  guint step;
  fb_document_get_position (self->doc, &self->pass, &step);
  choose_columns (self, row);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_clear_handle_id (&self->fill_source, g_source_remove);
  self->n_matched = 0;
  self->waiting = row && row->n_passes ? make_items (self, row) : g_ptr_array_new ();
  self->n_added = 0;
  self->n_all = self->waiting->len;
  if (fill (self))
    self->fill_source = g_idle_add (fill, self);
  gtk_stack_set_visible_child_name (self->stack, self->n_all ? "table" : "none");
  g_signal_emit (self, signals[COUNTED], 0);
}

/* Takes the rules of the row, if somebody can see them; what was taken stays, since rows take time to be made and to go. */
static void
update (FbRulesTable *self)
{
  FbRowView *row = self->doc ? fb_document_get_row (self->doc) : NULL;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    row = self->row;
  if (row == self->row)
    return;
  self->row = row;
  list_rules (self, row);
}

/* Another row may come to lie at the same address; or its times are known now. What is listed may be of what is no more. */
static void
row_changed (FbRulesTable *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) && self->row)
    list_rules (self, NULL);
  self->row = NULL;
  update (self);
}

static void
moved (FbRulesTable *self)
{
  guint pass, step;
  fb_document_get_position (self->doc, &pass, &step);
  if (self->of_pass && pass != self->pass)
    row_changed (self);
}

static void
row_activated (FbRulesTable *self, guint position)
{
  g_autoptr (FbRulesItem) item = g_list_model_get_item (G_LIST_MODEL (self->sorted), position);
  if (!item)
    return;
  g_autofree char *text = g_strdup_printf ("rule=%s", fb_rules_item_get (item)->rule->name);
  g_signal_emit (self, signals[ACTIVATED], 0, text);
}

void
fb_rules_table_get_counts (FbRulesTable *self, guint *n_matched, guint *n_all)
{
  g_return_if_fail (FB_IS_RULES_TABLE (self));
  *n_matched = self->n_matched;
  *n_all = self->n_all;
}

void
fb_rules_table_sort_by (FbRulesTable *self, guint number)
{
  g_return_if_fail (FB_IS_RULES_TABLE (self) && number < FB_N_RULES_COLUMNS);
  GtkColumnViewColumn *column = self->columns[number];
  if (!gtk_column_view_column_get_column_view (column))
    return;
  /* numbers begin with the largest */
  self->descending = self->sorted_by == number + 1 ? !self->descending : columns[number].number;
  self->sorted_by = number + 1;
  gtk_column_view_sort_by_column (self->table, NULL, GTK_SORT_ASCENDING);
  gtk_column_view_sort_by_column (self->table, column, self->descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

/* --- the widget --- */

static void
sort_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fb_rules_table_sort_by (FB_RULES_TABLE (widget), g_variant_get_uint32 (parameter));
}

static void
timing_changed (FbRulesTable *self)
{
  gboolean had = self->timed;
  self->timed = fb_rule_timing_has_times (fb_document_get_timing (self->doc));
  if (self->timed == had)
    return;
  row_changed (self);
  self->sorted_by = 0;
  fb_rules_table_sort_by (self, self->timed ? FB_RULES_TIME : FB_RULES_MATCHES);
}

void
fb_rules_table_set_document (FbRulesTable *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_RULES_TABLE (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "moved", G_CALLBACK (moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fb_document_get_timing (doc), "changed", G_CALLBACK (timing_changed), self,
                           G_CONNECT_SWAPPED);
}

void
fb_rules_table_set_of_pass (FbRulesTable *self, gboolean of_pass)
{
  g_return_if_fail (FB_IS_RULES_TABLE (self));
  if (self->of_pass == of_pass)
    return;
  self->of_pass = of_pass;
  row_changed (self);
}

static gboolean
fb_rules_table_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (FB_RULES_TABLE (widget)->table));
}

static void
fb_rules_table_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_rules_table_parent_class)->map (widget);
  update (FB_RULES_TABLE (widget));
}

static void
fb_rules_table_dispose (GObject *object)
{
  FbRulesTable *self = FB_RULES_TABLE (object);
  g_clear_handle_id (&self->fill_source, g_source_remove);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  if (self->stack)
    gtk_widget_unparent (GTK_WIDGET (self->stack));
  self->stack = NULL;
  for (guint i = 0; i < FB_N_RULES_COLUMNS; i++)
    g_clear_object (&self->columns[i]);
  g_clear_object (&self->rules);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_rules_table_parent_class)->dispose (object);
}

static void
fb_rules_table_class_init (FbRulesTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_rules_table_dispose;
  widget_class->map = fb_rules_table_map;
  widget_class->grab_focus = fb_rules_table_grab_focus;
  signals[COUNTED]
      = g_signal_new ("counted", FB_TYPE_RULES_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] = g_signal_new ("activated", FB_TYPE_RULES_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "rules.sort", "u", sort_action);
  for (guint column = 0; column < FB_N_RULES_COLUMNS; column++)
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + column, GDK_ALT_MASK, "rules.sort", "u", column);
}

static void
fb_rules_table_init (FbRulesTable *self)
{
  self->rules = g_list_store_new (FB_TYPE_RULES_ITEM);
  fb_closing_empties (self->rules);
  self->table = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->table), "fb-table");
  self->sorted = gtk_sort_list_model_new (g_object_ref (G_LIST_MODEL (self->rules)),
                                          g_object_ref (gtk_column_view_get_sorter (self->table)));
  GtkSingleSelection *selection = gtk_single_selection_new (G_LIST_MODEL (self->sorted));
  gtk_single_selection_set_autoselect (selection, FALSE);
  gtk_single_selection_set_can_unselect (selection, TRUE);
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (selection));
  g_object_unref (selection);
  gtk_column_view_set_single_click_activate (self->table, TRUE);
  add_columns (self);
  fb_rules_table_sort_by (self, FB_RULES_MATCHES);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->table), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Rules"), -1);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->table));
  GtkWidget *none = fb_label_new (_ ("No pass ran on this row."), "fb-dim", NULL);
  gtk_widget_set_valign (none, GTK_ALIGN_START);
  gtk_widget_set_margin_top (none, 10);
  gtk_widget_set_margin_start (none, 14);
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
  gtk_stack_add_named (self->stack, scrolled, "table");
  gtk_stack_add_named (self->stack, none, "none");
}
