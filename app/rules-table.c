#include "app/rules-table.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/section.h"
#include "app/text-scale.h"
#include "core/viztrace/profile.h"

/* --- a rule --- */

#define FB_TYPE_RULES_ITEM (fb_rules_item_get_type ())
G_DECLARE_FINAL_TYPE (FbRulesItem, fb_rules_item, FB, RULES_ITEM, GObject)

struct _FbRulesItem
{
  GObject parent_instance;
  const FbRule *rule;
  guint64 matches, tries;
  double seconds; /* of all matches, where they were timed */
};

G_DEFINE_FINAL_TYPE (FbRulesItem, fb_rules_item, G_TYPE_OBJECT)

static void
fb_rules_item_class_init (FbRulesItemClass *klass)
{
}

static void
fb_rules_item_init (FbRulesItem *self)
{
}

/* --- the table --- */

/* Rows are made between frames, so many at a time. */
#define SLICE 10

struct _FbRulesTable
{
  GtkWidget parent_instance;
  GtkStack *stack;
  GtkColumnView *table;
  GListStore *rules;
  GtkSortListModel *sorted;
  FbDocument *doc;
  FbRowView *row; /* whose rules are listed; only to be compared */
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

typedef enum
{
  NAME,
  MATCHES,
  TRIES,
  SHARE,
  TIME,
  EACH,
  REFERENCE,
  LAW,
  N_COLUMNS
} Column;

static const struct
{
  const char *title;
  int width; /* px at the usual text size; 0: what is left */
  gboolean number, code;
} columns[N_COLUMNS] = {
  [NAME] = { N_ ("Rule"), 230, FALSE, TRUE },
  [MATCHES] = { N_ ("Matches"), 80, TRUE, FALSE },
  [TRIES] = { N_ ("Tries"), 90, TRUE, FALSE },
  [SHARE] = { N_ ("Matching"), 84, TRUE, FALSE },
  [TIME] = { N_ ("Time"), 90, TRUE, FALSE },
  [EACH] = { N_ ("Each"), 90, TRUE, FALSE },
  [REFERENCE] = { N_ ("Reference"), 130, FALSE, TRUE },
  [LAW] = { N_ ("Law"), 0, FALSE, TRUE },
};

static double
seconds_each (const FbRulesItem *item)
{
  return item->matches ? item->seconds / (double) item->matches : 0;
}

static char *
cell_text (const FbRulesItem *item, Column column)
{
  switch (column)
    {
    case NAME:
      return g_strdup (item->rule->name);
    case LAW:
      return g_strdup (item->rule->law);
    case REFERENCE:
      return g_strdup (item->rule->location);
    case MATCHES:
      return g_strdup (fb_count (item->matches));
    case TRIES:
      return g_strdup (fb_count (item->tries));
    case TIME:
      return fb_viz_time_text (item->seconds);
    case EACH:
      return fb_viz_time_text (seconds_each (item));
    default:
      /* never tried: there is no share */
      return item->tries ? g_strdup_printf (_ ("%.1f %%"), 100.0 * (double) item->matches / (double) item->tries)
                         : g_strdup ("–");
    }
}

static int
compare_counts (guint64 a, guint64 b)
{
  return a < b ? -1 : a > b;
}

static int
compare_times (double a, double b)
{
  return a < b ? -1 : a > b;
}

/* "ops.py:984" before "schedule.py:77" before "schedule.py:402" */
static int
compare_locations (const char *a, const char *b)
{
  const char *x = strrchr (a, ':'), *y = strrchr (b, ':');
  if (!x || !y || x - a != y - b || strncmp (a, b, (gsize) (x - a)) != 0)
    return strcmp (a, b);
  return compare_counts (g_ascii_strtoull (x + 1, NULL, 10), g_ascii_strtoull (y + 1, NULL, 10));
}

static int
compare_items (gconstpointer a, gconstpointer b, gpointer data)
{
  const FbRulesItem *x = a, *y = b;
  switch ((Column) GPOINTER_TO_UINT (data))
    {
    case NAME:
      return strcmp (x->rule->name, y->rule->name);
    case LAW:
      return strcmp (x->rule->law, y->rule->law);
    case REFERENCE:
      return compare_locations (x->rule->location, y->rule->location);
    case MATCHES:
      return compare_counts (x->matches, y->matches);
    case TRIES:
      return compare_counts (x->tries, y->tries);
    case TIME:
      return compare_times (x->seconds, y->seconds);
    case EACH:
      return compare_times (seconds_each (x), seconds_each (y));
    default:
      {
        double p = x->tries ? (double) x->matches / (double) x->tries : -1;
        double q = y->tries ? (double) y->matches / (double) y->tries : -1;
        return p < q ? -1 : p > q;
      }
    }
}

static void
set_up (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column column = GPOINTER_TO_UINT (data);
  GtkWidget *label = fb_label_new (NULL, columns[column].code ? "fb-small-code" : "fb-number", NULL);
  gtk_label_set_xalign (GTK_LABEL (label), columns[column].number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child (item, label);
}

static void
bind (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  Column column = GPOINTER_TO_UINT (data);
  const FbRulesItem *rule = gtk_list_item_get_item (item);
  GtkWidget *label = gtk_list_item_get_child (item);
  g_autofree char *text = cell_text (rule, column);
  gtk_label_set_label (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, column == NAME || column == LAW ? text : NULL);
  if (rule->matches)
    gtk_widget_remove_css_class (label, "fb-dim");
  else
    gtk_widget_add_css_class (label, "fb-dim");
}

static void
add_columns (FbRulesTable *self)
{
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      g_signal_connect (factory, "setup", G_CALLBACK (set_up), GUINT_TO_POINTER (i));
      g_signal_connect (factory, "bind", G_CALLBACK (bind), GUINT_TO_POINTER (i));
      g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (_ (columns[i].title), factory);
      g_autoptr (GtkSorter) sorter = GTK_SORTER (gtk_custom_sorter_new (compare_items, GUINT_TO_POINTER (i), NULL));
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_resizable (column, TRUE);
      if (columns[i].width)
        gtk_column_view_column_set_fixed_width (column, (int) (columns[i].width * MIN (fb_text_scale (), 1.5)));
      else
        gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (self->table, column);
    }
}

/* --- filling --- */

/* Passes in the thousands share a few sets: their counts are summed before rules are looked up. */
typedef struct
{
  const FbRuleSet *rules;
  guint64 *matches, *tries;
  double *seconds;
} Sum;

static void
clear_sum (gpointer data)
{
  g_free (((Sum *) data)->matches);
  g_free (((Sum *) data)->tries);
  g_free (((Sum *) data)->seconds);
}

static void
add_pass (GArray *sums, const FbPass *pass)
{
  guint n = fb_rule_set_n_rules (pass->rules), at = 0;
  while (at < sums->len && g_array_index (sums, Sum, at).rules != pass->rules)
    at++;
  if (at == sums->len)
    {
      Sum sum = { pass->rules, g_new0 (guint64, n + 1), g_new0 (guint64, n + 1), g_new0 (double, n + 1) };
      g_array_append_val (sums, sum);
    }
  Sum *sum = &g_array_index (sums, Sum, at);
  for (guint i = 0; i < n; i++)
    {
      sum->matches[i] += pass->fired[i];
      sum->tries[i] += pass->tries[i];
    }
  for (guint i = 0; pass->seconds && i < pass->matches->len; i++)
    sum->seconds[fb_pass_match (pass, i)->rule] += (double) MAX (pass->seconds[i], 0);
}

static void
take_sum (GHashTable *items, GPtrArray *order, const Sum *sum)
{
  guint n = fb_rule_set_n_rules (sum->rules);
  for (guint i = 0; i < n; i++)
    {
      const FbRule *rule = fb_rule_set_rule (sum->rules, i);
      FbRulesItem *item = g_hash_table_lookup (items, rule);
      if (!item)
        {
          item = g_object_new (FB_TYPE_RULES_ITEM, NULL);
          item->rule = rule;
          g_hash_table_insert (items, (gpointer) rule, item);
          g_ptr_array_add (order, item);
        }
      item->matches += sum->matches[i];
      item->tries += sum->tries[i];
      item->seconds += sum->seconds[i];
    }
}

static int
compare_matches (gconstpointer a, gconstpointer b)
{
  const FbRulesItem *x = *(FbRulesItem *const *) a, *y = *(FbRulesItem *const *) b;
  return compare_counts (y->matches, x->matches);
}

static gboolean
fill (gpointer data)
{
  FbRulesTable *self = data;
  guint n = MIN (SLICE, self->waiting->len - self->n_added);
  g_list_store_splice (self->rules, self->n_added, 0, self->waiting->pdata + self->n_added, n);
  self->n_added += n;
  if (self->n_added < self->waiting->len)
    return G_SOURCE_CONTINUE;
  self->fill_source = 0;
  return G_SOURCE_REMOVE;
}

/* Of a VIZ trace's patterns only the place is known, and how often and how long they matched. */
static void
choose_columns (FbRulesTable *self, FbRowView *row)
{
  gboolean foreign = row && row->row->nodes, timed = FALSE;
  GListModel *all = gtk_column_view_get_columns (self->table);
  for (guint i = 0; foreign && i < row->n_passes && !timed; i++)
    timed = row->passes[i].pass->seconds != NULL;
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (all, i);
      gboolean shown = i == NAME || i == MATCHES || (i == TIME || i == EACH ? timed : !foreign);
      gtk_column_view_column_set_visible (column, shown);
    }
}

/* Takes the rules of the row, if somebody can see them. */
static void
update (FbRulesTable *self)
{
  FbRowView *row = self->doc ? fb_document_get_row (self->doc) : NULL;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    row = NULL;
  if (row == self->row)
    return;
  self->row = row;
  choose_columns (self, row);
  self->n_matched = 0;
  g_autoptr (GHashTable) items = g_hash_table_new (NULL, NULL);
  GPtrArray *order = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GArray) sums = g_array_new (FALSE, FALSE, sizeof (Sum));
  g_array_set_clear_func (sums, clear_sum);
  for (guint i = 0; row && i < row->n_passes; i++)
    add_pass (sums, row->passes[i].pass);
  for (guint i = 0; i < sums->len; i++)
    take_sum (items, order, &g_array_index (sums, Sum, i));
  for (guint i = 0; i < order->len; i++)
    self->n_matched += ((FbRulesItem *) g_ptr_array_index (order, i))->matches > 0;
  g_ptr_array_sort (order, compare_matches);
  g_list_store_remove_all (self->rules);
  g_clear_pointer (&self->waiting, g_ptr_array_unref);
  g_clear_handle_id (&self->fill_source, g_source_remove);
  self->waiting = order;
  self->n_added = 0;
  self->n_all = order->len;
  if (order->len && fill (self))
    self->fill_source = g_idle_add (fill, self);
  gtk_stack_set_visible_child_name (self->stack, order->len ? "table" : "none");
  g_signal_emit (self, signals[COUNTED], 0);
}

/* Another row may come to lie at the same address. */
static void
row_changed (FbRulesTable *self)
{
  self->row = NULL;
  update (self);
}

static void
row_activated (FbRulesTable *self, guint position)
{
  g_autoptr (FbRulesItem) item = g_list_model_get_item (G_LIST_MODEL (self->sorted), position);
  if (!item)
    return;
  g_autofree char *text = g_strdup_printf ("rule=%s", item->rule->name);
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
  g_return_if_fail (FB_IS_RULES_TABLE (self) && number < N_COLUMNS);
  /* numbers begin with the largest */
  self->descending = self->sorted_by == number + 1 ? !self->descending : columns[number].number;
  self->sorted_by = number + 1;
  g_autoptr (GtkColumnViewColumn) column = g_list_model_get_item (gtk_column_view_get_columns (self->table), number);
  gtk_column_view_sort_by_column (self->table, NULL, GTK_SORT_ASCENDING);
  gtk_column_view_sort_by_column (self->table, column, self->descending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
}

/* --- the widget --- */

static void
sort_action (GtkWidget *widget, const char *name, GVariant *parameter)
{
  fb_rules_table_sort_by (FB_RULES_TABLE (widget), g_variant_get_uint32 (parameter));
}

void
fb_rules_table_set_document (FbRulesTable *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_RULES_TABLE (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
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
fb_rules_table_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_rules_table_parent_class)->unmap (widget);
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
  widget_class->unmap = fb_rules_table_unmap;
  widget_class->grab_focus = fb_rules_table_grab_focus;
  signals[COUNTED]
      = g_signal_new ("counted", FB_TYPE_RULES_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] = g_signal_new ("activated", FB_TYPE_RULES_TABLE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_install_action (widget_class, "rules.sort", "u", sort_action);
  for (guint column = 0; column < N_COLUMNS; column++)
    gtk_widget_class_add_binding_action (widget_class, GDK_KEY_1 + column, GDK_ALT_MASK, "rules.sort", "u", column);
}

static void
fb_rules_table_init (FbRulesTable *self)
{
  self->rules = g_list_store_new (FB_TYPE_RULES_ITEM);
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
  fb_rules_table_sort_by (self, MATCHES);
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
