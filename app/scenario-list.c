#include "app/scenario-list.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/section.h"
#include "app/table.h"

struct _FbScenarioList
{
  GtkWidget parent_instance;
  FbDocument *doc;
  FbScenarios *scenarios;
  FbRuns *runs;
  FbTable *table;
  GtkCheckButton *options[4];
  gboolean quiet; /* the switches are set by us */
};

G_DEFINE_FINAL_TYPE (FbScenarioList, fb_scenario_list, GTK_TYPE_WIDGET)

typedef enum
{
  SCENARIO,
  KERNELS,
  READ,
  WRITTEN,
  FLOPS,
  PEAK,
  TIME, /* of the kernels, where they were run */
  N_COLUMNS,
} Column;

/* Options a person switches here; others by `fusebox whatif`. */
static const char *const options[] = { "DONT_REALIZE_EXPAND", "FUSE_ARANGE", "FUSE_CONV_BW", "SPLIT_REDUCEOP" };

static gint64
number (const FbScenarioEntry *entry, Column column)
{
  switch (column)
    {
    case KERNELS:
      return entry->cost.n_kernels;
    case READ:
      return entry->cost.bytes_read;
    case WRITTEN:
      return entry->cost.bytes_written;
    case FLOPS:
      return entry->cost.flops;
    default:
      return entry->cost.peak_bytes;
    }
}

/* Of the last run under that scenario; negative: there is none. */
static double
seconds (FbScenarioList *self, const FbScenarioEntry *entry)
{
  return self->runs ? fb_runs_get_seconds (self->runs, entry->scenario ? entry->text : NULL) : -1;
}

static char *
time_text (FbScenarioList *self, const FbScenarioEntry *entry, const FbScenarioEntry *base)
{
  double mine = seconds (self, entry), captured = seconds (self, base);
  if (mine < 0)
    return g_strdup ("—");
  g_autofree char *text = fb_run_time_text (mine);
  if (entry == base || captured <= 0)
    return g_steal_pointer (&text);
  return g_strdup_printf ("%s (×%.3g)", text, mine / captured);
}

static double
cell_value (guint row, guint column, gpointer data)
{
  FbScenarioList *self = data;
  const FbScenarioEntry *entry = self->scenarios ? fb_scenarios_get (self->scenarios, row) : NULL;
  if (entry && column == TIME)
    return seconds (self, entry);
  return entry ? (double) number (entry, column) : 0;
}

static char *
cell_text (guint row, guint column, gpointer data)
{
  FbScenarioList *self = data;
  const FbScenarioEntry *entry = self->scenarios ? fb_scenarios_get (self->scenarios, row) : NULL;
  const FbScenarioEntry *base = entry ? fb_scenarios_get (self->scenarios, 0) : NULL;
  if (!entry)
    return g_strdup ("");
  if (column == SCENARIO)
    return g_strdup (entry->text);
  if (column == TIME)
    return time_text (self, entry, base);
  gint64 value = number (entry, column), before = number (base, column);
  const char *text = fb_count (value);
  if (row == 0 || value == before || before == 0)
    return g_strdup (text);
  return g_strdup_printf ("%s (×%.3g)", text, (double) value / (double) before);
}

static void
changed (FbScenarioList *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  fb_table_set_n_rows (self->table, fb_scenarios_get_n (self->scenarios));
  fb_table_select (self->table, fb_scenarios_get_shown (self->scenarios));
  self->quiet = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      gboolean schedulable = row && row->schedule;
      gtk_widget_set_sensitive (GTK_WIDGET (self->options[i]), schedulable);
      gtk_check_button_set_active (self->options[i],
                                   schedulable && fb_replay_option_value (row->context, options[i]) != 0);
    }
  self->quiet = FALSE;
}

static void
option_toggled (GtkCheckButton *button, FbScenarioList *self)
{
  guint at = 0;
  while (self->options[at] != button)
    at++;
  if (self->quiet)
    return;
  g_autofree char *setting = g_strdup_printf ("%s=%d", options[at], gtk_check_button_get_active (button));
  g_autoptr (FbScenario) scenario = fb_scenarios_with_option (self->scenarios, setting);
  fb_scenarios_show (self->scenarios, scenario);
}

static void
row_selected (FbScenarioList *self, guint row)
{
  fb_scenarios_show_at (self->scenarios, row);
}

/* What could not be had is not shown: the switches go back. */
static void
failed (FbScenarioList *self)
{
  changed (self);
}

void
fb_scenario_list_set_document (FbScenarioList *self, FbDocument *doc, FbScenarios *scenarios)
{
  g_return_if_fail (FB_IS_SCENARIO_LIST (self) && !self->doc);
  self->doc = g_object_ref (doc);
  self->scenarios = g_object_ref (scenarios);
  g_signal_connect_object (scenarios, "changed", G_CALLBACK (changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "failed", G_CALLBACK (failed), self, G_CONNECT_SWAPPED);
  changed (self);
}

void
fb_scenario_list_set_runs (FbScenarioList *self, FbRuns *runs)
{
  g_return_if_fail (FB_IS_SCENARIO_LIST (self) && !self->runs);
  self->runs = g_object_ref (runs);
  g_signal_connect_object (runs, "changed", G_CALLBACK (changed), self, G_CONNECT_SWAPPED);
}

static gboolean
fb_scenario_list_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (FB_SCENARIO_LIST (widget)->table));
}

static void
fb_scenario_list_dispose (GObject *object)
{
  FbScenarioList *self = FB_SCENARIO_LIST (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->doc);
  g_clear_object (&self->runs);
  g_clear_object (&self->scenarios);
  G_OBJECT_CLASS (fb_scenario_list_parent_class)->dispose (object);
}

static void
fb_scenario_list_class_init (FbScenarioListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_scenario_list_dispose;
  widget_class->grab_focus = fb_scenario_list_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fb_scenario_list_init (FbScenarioList *self)
{
  const FbTableColumn columns[N_COLUMNS] = {
    [SCENARIO] = { _ ("Scenario"), 0, FALSE, FALSE }, [KERNELS] = { _ ("Kernels"), 120, TRUE, FALSE },
    [READ] = { _ ("Bytes read"), 150, TRUE, FALSE },  [WRITTEN] = { _ ("Bytes written"), 150, TRUE, FALSE },
    [FLOPS] = { _ ("FLOPs"), 160, TRUE, FALSE },      [PEAK] = { _ ("Peak bytes"), 150, TRUE, FALSE },
    [TIME] = { _ ("Time, µs"), 130, TRUE, FALSE },
  };
  const FbTableCells cells = { cell_text, cell_value, self };
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_widget_add_css_class (bar, "fb-options-bar");
  gtk_box_append (GTK_BOX (bar), fb_label_new (_ ("With"), "fb-dim", NULL));
  for (guint i = 0; i < G_N_ELEMENTS (options); i++)
    {
      self->options[i] = GTK_CHECK_BUTTON (gtk_check_button_new_with_label (options[i]));
      gtk_widget_add_css_class (GTK_WIDGET (self->options[i]), "fb-small-code");
      g_signal_connect (self->options[i], "toggled", G_CALLBACK (option_toggled), self);
      gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->options[i]));
    }
  GtkWidget *compare = gtk_button_new_with_label (_ ("Compare kernels"));
  gtk_widget_add_css_class (compare, "fb-small-button");
  gtk_widget_set_tooltip_text (compare, _ ("The kernels of two scenarios beside each other (q)"));
  gtk_widget_set_hexpand (compare, TRUE);
  gtk_widget_set_halign (compare, GTK_ALIGN_END);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (compare), "win.compare-scenarios");
  gtk_box_append (GTK_BOX (bar), compare);
  self->table = FB_TABLE (fb_table_new (_ ("Scenarios"), N_COLUMNS, columns, &cells));
  g_signal_connect_object (self->table, "selected", G_CALLBACK (row_selected), self, G_CONNECT_SWAPPED);
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_box_append (GTK_BOX (page), bar);
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->table));
  gtk_widget_set_parent (page, GTK_WIDGET (self));
}
