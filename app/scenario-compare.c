#include "app/scenario-compare.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/cli/why-text.h"
#include "app/replay-side.h"
#include "app/section.h"
#include "app/tip.h"

struct _FbScenarioCompare
{
  GtkWidget parent_instance;

  FbScenarios *scenarios;
  FbMetrics metrics;
  GtkDropDown *choices[FB_N_SIDES];
  FbReplaySide *sides[FB_N_SIDES];
  GtkPaned *split;
  GtkLabel *totals, *about;

  GCancellable *cancellable; /* of what is under way; NULL: nothing */
  FbKernelGraphs *graphs;
  FbUop *selected;
  gboolean filling; /* the choices change, but nobody chooses */
  gboolean sized;   /* the sides have had their first sizes */
};

G_DEFINE_FINAL_TYPE (FbScenarioCompare, fb_scenario_compare, GTK_TYPE_WIDGET)

static guint close_signal, failed_signal;

/* --- the selected kernel --- */

/* "3,072 bytes read → 1,024" or, the same, "3,072 bytes read" */
static void
append_change (GString *text, const char *format, gint64 before, gint64 after)
{
  g_autofree char *change = before == after ? g_strdup (fb_count (after))
                                            : g_strdup_printf ("%s → %s", fb_count (before), fb_count (after));
  g_string_append (text, " · ");
  g_string_append_printf (text, format, change);
}

static char *
kernel_text (const FbKernelCard *a, const FbKernelCard *b)
{
  GString *text = g_string_new (NULL);
  const FbKernelCard *any = b ? b : a;
  g_autofree char *ops = fb_why_ops_text (&any->cost);
  if (a && b)
    /* Translators: numbers of a kernel in A and in B, what it stores */
    g_string_append_printf (text, _ ("Kernel %u of A, %u of B: %s"), a->number, b->number, any->name);
  else
    /* Translators: number of a kernel, what it stores */
    g_string_append_printf (text, a ? _ ("Kernel %u of A, gone in B: %s") : _ ("Kernel %u of B, new: %s"), any->number,
                            any->name);
  if (*ops)
    g_string_append_printf (text, " · %s", ops);
  a = a ? a : any;
  b = any;
  append_change (text, _ ("%s bytes read"), a->cost.bytes_read, b->cost.bytes_read);
  append_change (text, _ ("%s written"), a->cost.bytes_written, b->cost.bytes_written);
  append_change (text, _ ("%s FLOPs"), a->cost.flops, b->cost.flops);
  return g_string_free (text, FALSE);
}

static void
show_selected (FbScenarioCompare *self, FbUop *node)
{
  const FbKernelCard *cards[FB_N_SIDES] = { NULL };
  self->selected = node;
  for (FbSide side = FB_SIDE_A; side < FB_N_SIDES; side++)
    {
      FbUop *here = node;
      if (self->graphs && node)
        {
          cards[side] = fb_kernel_graphs_find (self->graphs, side, node);
          if (fb_graph_find (self->graphs->scenes[side]->graph, node) == FB_GRAPH_NONE)
            here = fb_kernel_graphs_other (self->graphs, node);
        }
      fb_canvas_select (fb_replay_side_get_canvas (self->sides[side]), here);
    }
  g_autofree char *text
      = cards[FB_SIDE_A] || cards[FB_SIDE_B] ? kernel_text (cards[FB_SIDE_A], cards[FB_SIDE_B]) : NULL;
  gtk_label_set_label (self->about, text ? text : _ ("Select a kernel"));
  fb_tip_set (GTK_WIDGET (self->about), text);
}

static void
node_picked (FbScenarioCompare *self, FbUop *node)
{
  show_selected (self, node);
}

/* --- both --- */

static void
show_totals (FbScenarioCompare *self)
{
  const FbScheduleCost *a = &self->graphs->cost[FB_SIDE_A], *b = &self->graphs->cost[FB_SIDE_B];
  const guint *n = self->graphs->step->n_marks;
  GString *text = g_string_new (NULL);
  g_string_append_printf (text, ngettext ("%s → %s kernel", "%s → %s kernels", b->n_kernels), fb_count (a->n_kernels),
                          fb_count (b->n_kernels));
  /* Translators: bytes read and written in A and in B */
  g_string_append_printf (text, _ (" · %s → %s bytes"), fb_count (a->bytes_read + a->bytes_written),
                          fb_count (b->bytes_read + b->bytes_written));
  g_string_append_printf (text, _ (" · %s → %s FLOPs"), fb_count (a->flops), fb_count (b->flops));
  if (!(n[FB_MARK_REPLACED] + n[FB_MARK_GONE] + n[FB_MARK_NEW] + n[FB_MARK_REBUILT]))
    g_string_append_printf (text, " · %s", _ ("the same kernels"));
  gtk_label_set_label (self->totals, text->str);
  fb_tip_set (GTK_WIDGET (self->totals), text->str);
  g_string_free (text, TRUE);
}

typedef struct
{
  GBytes *bytes;
  FbScenarioRow row;
  FbScenario *scenarios[FB_N_SIDES];
  FbMetrics metrics;
} Job;

static void
free_job (gpointer data)
{
  Job *job = data;
  g_clear_pointer (&job->bytes, g_bytes_unref);
  fb_scenario_free (job->scenarios[FB_SIDE_A]);
  fb_scenario_free (job->scenarios[FB_SIDE_B]);
  g_free (job);
}

static void
compare_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Job *job = data;
  GError *error = NULL;
  FbKernelGraphs *graphs = fb_kernel_graphs_new (&job->row, job->scenarios[FB_SIDE_A], job->scenarios[FB_SIDE_B],
                                                 job->metrics, cancellable, &error);
  if (graphs)
    g_task_return_pointer (task, graphs, (GDestroyNotify) fb_kernel_graphs_free);
  else
    g_task_return_error (task, error);
}

static void
take_graphs (FbScenarioCompare *self, FbKernelGraphs *graphs)
{
  for (FbSide side = FB_SIDE_A; side < FB_N_SIDES; side++)
    fb_replay_side_set_scene (self->sides[side], graphs ? graphs->scenes[side] : NULL);
  g_clear_pointer (&self->graphs, fb_kernel_graphs_free);
  self->graphs = graphs;
  show_selected (self, NULL);
  if (graphs)
    show_totals (self);
  else
    gtk_label_set_label (self->totals, "");
}

static void
compared (GObject *source, GAsyncResult *result, gpointer data)
{
  FbScenarioCompare *self = FB_SCENARIO_COMPARE (source);
  g_autoptr (GError) error = NULL;
  FbKernelGraphs *graphs = g_task_propagate_pointer (G_TASK (result), &error);
  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    {
      fb_kernel_graphs_free (graphs);
      return;
    }
  g_clear_object (&self->cancellable);
  take_graphs (self, graphs);
  if (error)
    g_signal_emit (self, failed_signal, 0, error->message);
}

static void
stop (FbScenarioCompare *self)
{
  if (self->cancellable)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

static void
ask (FbScenarioCompare *self)
{
  Job *job = g_new0 (Job, 1);
  stop (self);
  job->bytes = fb_scenarios_dup_row (self->scenarios, &job->row);
  job->metrics = self->metrics;
  for (FbSide side = FB_SIDE_A; side < FB_N_SIDES; side++)
    {
      const FbScenarioEntry *entry
          = fb_scenarios_get (self->scenarios, gtk_drop_down_get_selected (self->choices[side]));
      fb_replay_side_set_title (self->sides[side], entry ? fb_scenario_entry_get_title (entry) : "", entry != NULL);
      job->scenarios[side] = entry && entry->scenario ? fb_scenario_copy (entry->scenario) : NULL;
    }
  if (!job->bytes)
    {
      free_job (job);
      take_graphs (self, NULL);
      return;
    }
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, compared, NULL);
  g_task_set_task_data (task, job, free_job);
  g_task_run_in_thread (task, compare_job);
}

static void
chosen (FbScenarioCompare *self)
{
  if (!self->filling)
    ask (self);
}

void
fb_scenario_compare_show (FbScenarioCompare *self, guint a, guint b)
{
  g_return_if_fail (FB_IS_SCENARIO_COMPARE (self));
  guint n = fb_scenarios_get_n (self->scenarios), wanted[FB_N_SIDES] = { a, b };
  self->filling = TRUE;
  for (FbSide side = FB_SIDE_A; side < FB_N_SIDES; side++)
    {
      g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
      for (guint i = 0; i < n; i++)
        gtk_string_list_append (names, fb_scenario_entry_get_title (fb_scenarios_get (self->scenarios, i)));
      gtk_drop_down_set_model (self->choices[side], G_LIST_MODEL (names));
      gtk_drop_down_set_selected (self->choices[side], wanted[side] < n ? wanted[side] : 0);
    }
  self->filling = FALSE;
  ask (self);
}

gboolean
fb_scenario_compare_is_settled (FbScenarioCompare *self)
{
  g_return_val_if_fail (FB_IS_SCENARIO_COMPARE (self), TRUE);
  return !self->cancellable;
}

const FbKernelGraphs *
fb_scenario_compare_get_graphs (FbScenarioCompare *self)
{
  g_return_val_if_fail (FB_IS_SCENARIO_COMPARE (self), NULL);
  return self->graphs;
}

/* --- the widget --- */

static void
close_activated (GtkWidget *widget, const char *name, GVariant *parameter)
{
  g_signal_emit (widget, close_signal, 0);
}

/* Cards of both keep their places, so both are seen from the same point. */
static void
camera_changed (FbScenarioCompare *self, FbCanvas *moved)
{
  FbCanvas *a = fb_replay_side_get_canvas (self->sides[FB_SIDE_A]);
  FbCanvas *other = moved == a ? fb_replay_side_get_canvas (self->sides[FB_SIDE_B]) : a;
  if (!self->graphs || self->filling)
    return;
  self->filling = TRUE;
  fb_canvas_set_camera (other, fb_canvas_get_camera (moved));
  self->filling = FALSE;
}

/* Half and half, until somebody moves the split. */
static void
fb_scenario_compare_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  FbScenarioCompare *self = FB_SCENARIO_COMPARE (widget);
  GtkWidget *page = gtk_widget_get_first_child (widget);
  if (!self->sized && width > 0)
    gtk_paned_set_position (self->split, width / 2);
  self->sized |= width > 0;
  gtk_widget_size_allocate (page, &(GtkAllocation){ 0, 0, width, height }, baseline);
}

static void
fb_scenario_compare_measure (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                             int *minimum_baseline, int *natural_baseline)
{
  gtk_widget_measure (gtk_widget_get_first_child (widget), orientation, for_size, minimum, natural, NULL, NULL);
}

static gboolean
fb_scenario_compare_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (
      GTK_WIDGET (fb_replay_side_get_canvas (FB_SCENARIO_COMPARE (widget)->sides[FB_SIDE_B])));
}

static void
fb_scenario_compare_dispose (GObject *object)
{
  FbScenarioCompare *self = FB_SCENARIO_COMPARE (object);
  GtkWidget *child;
  stop (self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->scenarios);
  g_clear_pointer (&self->graphs, fb_kernel_graphs_free);
  G_OBJECT_CLASS (fb_scenario_compare_parent_class)->dispose (object);
}

static void
fb_scenario_compare_class_init (FbScenarioCompareClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_scenario_compare_dispose;
  widget_class->grab_focus = fb_scenario_compare_grab_focus;
  widget_class->size_allocate = fb_scenario_compare_size_allocate;
  widget_class->measure = fb_scenario_compare_measure;
  close_signal
      = g_signal_new ("close", FB_TYPE_SCENARIO_COMPARE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  failed_signal = g_signal_new ("failed", FB_TYPE_SCENARIO_COMPARE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, G_TYPE_STRING);
  gtk_widget_class_install_action (widget_class, "scenarios.close", NULL, close_activated);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "scenarios.close", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_q, 0, "scenarios.close", NULL);
}

static GtkWidget *
new_bar (FbScenarioCompare *self)
{
  GtkWidget *bar = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *back = gtk_button_new_from_icon_name ("go-previous-symbolic");
  gtk_widget_add_css_class (bar, "fb-page-bar");
  gtk_widget_add_css_class (back, "flat");
  gtk_widget_add_css_class (back, "fb-panel-button");
  gtk_widget_set_valign (back, GTK_ALIGN_CENTER);
  fb_tip_set (back, _ ("Back to the graph (Esc)"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (back), "scenarios.close");
  gtk_box_append (GTK_BOX (bar), back);
  gtk_box_append (GTK_BOX (bar), fb_label_new (_ ("Kernels"), "fb-strong", NULL));
  for (FbSide side = FB_SIDE_A; side < FB_N_SIDES; side++)
    {
      GtkWidget *choice = gtk_drop_down_new (NULL, NULL);
      self->choices[side] = GTK_DROP_DOWN (choice);
      gtk_widget_set_valign (choice, GTK_ALIGN_CENTER);
      gtk_widget_set_size_request (choice, 170, -1);
      gtk_widget_add_css_class (choice, "fb-small-choice");
      fb_tip_set (choice, side ? _ ("The scenario on the right, B") : _ ("The scenario on the left, A"));
      g_signal_connect_object (choice, "notify::selected", G_CALLBACK (chosen), self, G_CONNECT_SWAPPED);
      if (side)
        gtk_box_append (GTK_BOX (bar), fb_label_new ("→", "fb-dim", NULL));
      gtk_box_append (GTK_BOX (bar), choice);
    }
  self->totals = GTK_LABEL (fb_label_new (NULL, "fb-number", NULL));
  gtk_label_set_ellipsize (self->totals, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->totals), TRUE);
  gtk_widget_set_margin_start (GTK_WIDGET (self->totals), 6);
  gtk_box_append (GTK_BOX (bar), GTK_WIDGET (self->totals));
  return bar;
}

static void
fb_scenario_compare_init (FbScenarioCompare *self)
{
  GtkWidget *page = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  self->split = GTK_PANED (gtk_paned_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_widget_add_css_class (GTK_WIDGET (self->split), "fb-canvas-area");
  for (FbSide side = FB_SIDE_A; side < FB_N_SIDES; side++)
    {
      GtkWidget *widget = g_object_new (FB_TYPE_REPLAY_SIDE, NULL);
      self->sides[side] = FB_REPLAY_SIDE (widget);
      /* Translators: the first and the second of two things that are compared */
      fb_replay_side_set_words (self->sides[side], side ? _ ("B") : _ ("A"), _ ("No such scenario"));
      FbCanvas *canvas = fb_replay_side_get_canvas (self->sides[side]);
      g_signal_connect_object (self->sides[side], "node-picked", G_CALLBACK (node_picked), self, G_CONNECT_SWAPPED);
      g_signal_connect_object (canvas, "camera-changed", G_CALLBACK (camera_changed), self, G_CONNECT_SWAPPED);
    }
  gtk_paned_set_start_child (self->split, GTK_WIDGET (self->sides[FB_SIDE_A]));
  gtk_paned_set_end_child (self->split, GTK_WIDGET (self->sides[FB_SIDE_B]));
  gtk_paned_set_shrink_start_child (self->split, FALSE);
  gtk_paned_set_shrink_end_child (self->split, FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self->split), TRUE);
  self->about = GTK_LABEL (fb_label_new (NULL, "fb-totals", "fb-number"));
  gtk_label_set_ellipsize (self->about, PANGO_ELLIPSIZE_END);
  gtk_box_append (GTK_BOX (page), new_bar (self));
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->split));
  gtk_box_append (GTK_BOX (page), GTK_WIDGET (self->about));
  gtk_widget_set_parent (page, GTK_WIDGET (self));
}

FbScenarioCompare *
fb_scenario_compare_new (FbScenarios *scenarios, FbMetrics metrics)
{
  FbScenarioCompare *self = g_object_new (FB_TYPE_SCENARIO_COMPARE, NULL);
  self->scenarios = g_object_ref (scenarios);
  self->metrics = metrics;
  return self;
}
