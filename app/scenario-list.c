#include "app/scenario-list.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/section.h"
#include "app/table.h"
#include "app/tip.h"

struct _FbScenarioList
{
  GtkWidget parent_instance;
  FbDocument *doc;
  FbScenarios *scenarios;
  FbRuns *runs;
  FbTable *table;
  GtkCheckButton *options[4];
  GtkWidget *restore, *rename, *remove; /* those for what is not there make room */
  GtkPopover *popover;
  GtkEntry *name;
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

/* Of the last run under that scenario, now or in the session; times of different backends say nothing of each other. */
static char *
time_text (const FbScenarioEntry *entry, const FbScenarioEntry *base)
{
  if (!entry->backend)
    return g_strdup ("—");
  g_autofree char *text = fb_run_time_text (entry->seconds);
  if (entry == base || g_strcmp0 (entry->backend, base->backend) || base->seconds <= 0)
    return g_strdup_printf ("%s %s", entry->backend, text);
  return g_strdup_printf ("%s %s (×%.3g)", entry->backend, text, entry->seconds / base->seconds);
}

static double
cell_value (guint row, guint column, gpointer data)
{
  FbScenarioList *self = data;
  const FbScenarioEntry *entry = self->scenarios ? fb_scenarios_get (self->scenarios, row) : NULL;
  if (entry && column == TIME)
    return entry->backend ? entry->seconds : -1;
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
    /* Translators: what a person calls a scenario, what is changed in it */
    return entry->name ? g_strdup_printf (_ ("%s — %s"), entry->name, entry->text) : g_strdup (entry->text);
  if (column == TIME)
    return time_text (entry, base);
  gint64 value = number (entry, column), before = number (base, column);
  const char *text = fb_count (value);
  if (row == 0 || value == before || before == 0)
    return g_strdup (text);
  return g_strdup_printf ("%s (×%.3g)", text, (double) value / (double) before);
}

/* --- changing the list --- */

/* What can be done to the scenario that is shown, and what can be taken back. */
static void
update_changes (FbScenarioList *self)
{
  const FbScenarioEntry *removed = fb_scenarios_get_removed (self->scenarios);
  guint shown = fb_scenarios_get_shown (self->scenarios), n = fb_scenarios_get_n (self->scenarios);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "scenario.rename", shown < n);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "scenario.remove", shown > 0 && shown < n);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "scenario.restore", removed != NULL);
  gtk_widget_set_visible (self->restore, removed != NULL);
  if (!removed)
    return;
  g_autofree char *tip
      /* Translators: the name of a scenario, or what is changed in it */
      = g_strdup_printf (_ ("Bring “%s” back (Ctrl+Z)"), fb_scenario_entry_get_title (removed));
  fb_tip_set (self->restore, tip);
}

static void
rename_activated (GtkWidget *widget, const char *action, GVariant *parameter)
{
  FbScenarioList *self = FB_SCENARIO_LIST (widget);
  const FbScenarioEntry *entry = fb_scenarios_get (self->scenarios, fb_scenarios_get_shown (self->scenarios));
  if (!entry)
    return;
  gtk_editable_set_text (GTK_EDITABLE (self->name), fb_scenario_entry_get_title (entry));
  gtk_popover_popup (self->popover);
  gtk_widget_grab_focus (GTK_WIDGET (self->name));
  gtk_editable_select_region (GTK_EDITABLE (self->name), 0, -1);
}

static void
name_entered (FbScenarioList *self)
{
  guint shown = fb_scenarios_get_shown (self->scenarios);
  gtk_popover_popdown (self->popover);
  if (shown < fb_scenarios_get_n (self->scenarios))
    fb_scenarios_rename (self->scenarios, shown, gtk_editable_get_text (GTK_EDITABLE (self->name)));
  gtk_widget_grab_focus (GTK_WIDGET (self->table));
}

static void
remove_activated (GtkWidget *widget, const char *action, GVariant *parameter)
{
  FbScenarioList *self = FB_SCENARIO_LIST (widget);
  fb_scenarios_remove (self->scenarios, fb_scenarios_get_shown (self->scenarios));
}

static void
restore_activated (GtkWidget *widget, const char *action, GVariant *parameter)
{
  fb_scenarios_restore (FB_SCENARIO_LIST (widget)->scenarios);
}

static void
changed (FbScenarioList *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  fb_table_set_n_rows (self->table, fb_scenarios_get_n (self->scenarios));
  fb_table_select (self->table, fb_scenarios_get_shown (self->scenarios));
  update_changes (self);
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

/* Whatever is shown by now. */
static void
run_ended (FbScenarioList *self, const FbRun *run)
{
  if (!run->error)
    fb_scenarios_set_time (self->scenarios, run->scenario, fb_backend_name (run->backend), run->total_seconds);
}

void
fb_scenario_list_set_runs (FbScenarioList *self, FbRuns *runs)
{
  g_return_if_fail (FB_IS_SCENARIO_LIST (self) && !self->runs);
  self->runs = g_object_ref (runs);
  g_signal_connect_object (runs, "ended", G_CALLBACK (run_ended), self, G_CONNECT_SWAPPED);
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
  g_clear_pointer ((GtkWidget **) &self->popover, gtk_widget_unparent);
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
  gtk_widget_class_install_action (widget_class, "scenario.rename", NULL, rename_activated);
  gtk_widget_class_install_action (widget_class, "scenario.remove", NULL, remove_activated);
  gtk_widget_class_install_action (widget_class, "scenario.restore", NULL, restore_activated);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F2, 0, "scenario.rename", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "scenario.remove", NULL);
}

static GtkWidget *
icon_button (const char *icon, const char *tip, const char *action)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_add_css_class (button, "fb-panel-button");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  fb_tip_set (button, tip);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  return button;
}

static void
add_buttons (FbScenarioList *self, GtkBox *bar)
{
  GtkWidget *buttons = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  self->restore = gtk_button_new_with_label (_ ("Undo"));
  gtk_widget_add_css_class (self->restore, "fb-small-button");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->restore), "scenario.restore");
  self->rename = icon_button ("document-edit-symbolic", _ ("Name the scenario (F2)"), "scenario.rename");
  self->remove = icon_button ("user-trash-symbolic", _ ("Remove the scenario (Delete)"), "scenario.remove");
  GtkWidget *compare = gtk_button_new_with_label (_ ("Compare kernels"));
  gtk_widget_add_css_class (compare, "fb-small-button");
  fb_tip_set (compare, _ ("The kernels of two scenarios beside each other (q)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (compare), "win.compare-scenarios");
  gtk_widget_set_hexpand (buttons, TRUE);
  gtk_widget_set_halign (buttons, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (buttons), self->restore);
  gtk_box_append (GTK_BOX (buttons), self->rename);
  gtk_box_append (GTK_BOX (buttons), self->remove);
  gtk_box_append (GTK_BOX (buttons), compare);
  gtk_box_append (bar, buttons);
  self->popover = GTK_POPOVER (gtk_popover_new ());
  self->name = GTK_ENTRY (gtk_entry_new ());
  gtk_editable_set_width_chars (GTK_EDITABLE (self->name), 28);
  gtk_entry_set_placeholder_text (self->name, _ ("What to call it"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->name), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Name of the scenario"), -1);
  g_signal_connect_object (self->name, "activate", G_CALLBACK (name_entered), self, G_CONNECT_SWAPPED);
  gtk_widget_add_css_class (GTK_WIDGET (self->popover), "fb-popover");
  gtk_popover_set_child (self->popover, GTK_WIDGET (self->name));
  gtk_widget_set_parent (GTK_WIDGET (self->popover), self->rename);
}

static void
fb_scenario_list_init (FbScenarioList *self)
{
  const FbTableColumn columns[N_COLUMNS] = {
    [SCENARIO] = { _ ("Scenario"), 0, FALSE, FALSE }, [KERNELS] = { _ ("Kernels"), 100, TRUE, FALSE },
    [READ] = { _ ("Bytes read"), 130, TRUE, FALSE },  [WRITTEN] = { _ ("Bytes written"), 130, TRUE, FALSE },
    [FLOPS] = { _ ("FLOPs"), 140, TRUE, FALSE },      [PEAK] = { _ ("Peak bytes"), 130, TRUE, FALSE },
    [TIME] = { _ ("Time, µs"), 150, TRUE, FALSE },
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
  add_buttons (self, GTK_BOX (bar));
  self->table = FB_TABLE (fb_table_new (_ ("Scenarios"), N_COLUMNS, columns, &cells));
  g_signal_connect_object (self->table, "selected", G_CALLBACK (row_selected), self, G_CONNECT_SWAPPED);
  gtk_widget_set_vexpand (GTK_WIDGET (self->table), TRUE);
  gtk_box_append (GTK_BOX (page), bar);
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->table));
  gtk_widget_set_parent (page, GTK_WIDGET (self));
}
