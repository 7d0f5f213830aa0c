/* Which run the viewer shows, and beside what. */
#include <adwaita.h>
#include <glib/gi18n.h>

#include "app/buffer-page.h"
#include "app/run-inputs-page.h"
#include "app/section.h"
#include "app/tip.h"

struct _FbBufferBar
{
  GtkWidget parent_instance;
  FbBufferView *view;
  GtkDropDown *backend, *against;
  GtkMenuButton *inputs;
  FbRunInputsPage *inputs_page;
  gboolean quiet; /* what changes is set by us */
};

G_DEFINE_FINAL_TYPE (FbBufferBar, fb_buffer_bar, GTK_TYPE_WIDGET)

static void
refresh (FbBufferBar *self)
{
  FbRuns *runs = fb_buffer_view_get_runs (self->view);
  g_autoptr (GtkStringList) labels = gtk_string_list_new (NULL);
  guint n = fb_buffer_view_get_n_against (self->view);
  self->quiet = TRUE;
  for (guint i = 0; i < n; i++)
    gtk_string_list_append (labels, fb_buffer_view_get_against_label (self->view, i));
  gtk_drop_down_set_model (self->against, G_LIST_MODEL (labels));
  gtk_drop_down_set_selected (self->against, fb_buffer_view_get_against (self->view));
  gtk_widget_set_sensitive (GTK_WIDGET (self->against), n > 1);
  const FbRun *run = fb_runs_get_current (runs);
  gtk_drop_down_set_selected (self->backend, run ? run->backend : fb_runs_get_backend (runs));
  gtk_widget_set_sensitive (GTK_WIDGET (self->backend), fb_runs_can_run (runs));
  gtk_widget_set_sensitive (GTK_WIDGET (self->inputs),
                            fb_run_inputs_get_n (fb_runs_get_inputs (runs)) > 0 && fb_runs_can_run (runs));
  self->quiet = FALSE;
}

void
fb_buffer_bar_show_inputs (FbBufferBar *self)
{
  g_return_if_fail (FB_IS_BUFFER_BAR (self));
  if (gtk_widget_get_sensitive (GTK_WIDGET (self->inputs)))
    gtk_menu_button_popup (self->inputs);
}

/* What has not run yet is run. */
static void
backend_chosen (FbBufferBar *self)
{
  FbRuns *runs = fb_buffer_view_get_runs (self->view);
  const FbRun *current = fb_runs_get_current (runs);
  FbBackend backend = (FbBackend) gtk_drop_down_get_selected (self->backend);
  if (self->quiet || backend >= FB_N_BACKENDS)
    return;
  FbRun *run = current ? fb_runs_find (runs, current->scenario, backend) : NULL;
  fb_runs_set_backend (runs, backend);
  if (run)
    fb_runs_set_current (runs, run);
  else
    fb_runs_start (runs);
}

static void
against_chosen (FbBufferBar *self)
{
  guint at = gtk_drop_down_get_selected (self->against);
  if (self->quiet || at == GTK_INVALID_LIST_POSITION)
    return;
  fb_buffer_view_set_against (self->view, at);
  refresh (self);
}

void
fb_buffer_bar_set_view (FbBufferBar *self, FbBufferView *view)
{
  g_return_if_fail (FB_IS_BUFFER_BAR (self) && !self->view);
  self->view = g_object_ref (view);
  fb_run_inputs_page_set_inputs (self->inputs_page, fb_runs_get_inputs (fb_buffer_view_get_runs (view)));
  g_signal_connect_object (view, "changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (fb_buffer_view_get_runs (view), "changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  refresh (self);
}

static void
fb_buffer_bar_dispose (GObject *object)
{
  FbBufferBar *self = FB_BUFFER_BAR (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->view);
  G_OBJECT_CLASS (fb_buffer_bar_parent_class)->dispose (object);
}

static void
fb_buffer_bar_class_init (FbBufferBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_buffer_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static GtkWidget *
segment_new (const char *label, const char *mode, const char *tip)
{
  GtkWidget *button = gtk_toggle_button_new_with_label (label);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.buffer-mode");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", mode);
  fb_tip_set (button, tip);
  return button;
}

static GtkDropDown *
choice_new (FbBufferBar *self, GListModel *model, const char *name, GCallback chosen)
{
  GtkWidget *choice = gtk_drop_down_new (model, NULL);
  gtk_widget_set_valign (choice, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (choice, "fb-small-button");
  fb_tip_set (choice, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (choice, "notify::selected", chosen, self, G_CONNECT_SWAPPED);
  return GTK_DROP_DOWN (choice);
}

static void
fb_buffer_bar_init (FbBufferBar *self)
{
  GtkWidget *squeezer = adw_squeezer_new (), *segments = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkStringList *backends = gtk_string_list_new (NULL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))), 6);
  gtk_widget_add_css_class (segments, "fb-segments");
  gtk_widget_set_valign (segments, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (segments), segment_new (_ ("Values"), "values", _ ("What the buffer holds (Shift+D)")));
  gtk_box_append (GTK_BOX (segments),
                  segment_new (_ ("Difference"), "difference", _ ("How far the two are apart (Shift+D)")));
  adw_squeezer_set_allow_none (ADW_SQUEEZER (squeezer), TRUE);
  adw_squeezer_set_homogeneous (ADW_SQUEEZER (squeezer), FALSE);
  adw_squeezer_add (ADW_SQUEEZER (squeezer), segments);
  gtk_widget_set_parent (squeezer, GTK_WIDGET (self));
  for (FbBackend backend = 0; backend < FB_N_BACKENDS; backend++)
    gtk_string_list_append (backends, fb_backend_name (backend));
  self->backend
      = choice_new (self, G_LIST_MODEL (backends), _ ("The backend whose run is shown"), G_CALLBACK (backend_chosen));
  gtk_widget_set_parent (GTK_WIDGET (self->backend), GTK_WIDGET (self));
  GtkWidget *word = fb_label_new (_ ("against"), "fb-dim", NULL);
  gtk_widget_set_valign (word, GTK_ALIGN_CENTER);
  gtk_widget_set_parent (word, GTK_WIDGET (self));
  self->against = choice_new (self, NULL, _ ("What the buffer is compared with"), G_CALLBACK (against_chosen));
  gtk_widget_set_parent (GTK_WIDGET (self->against), GTK_WIDGET (self));
  g_autoptr (GMenu) menu = g_menu_new ();
  g_menu_append (menu, _ ("The buffer as .npy…"), "win.save-buffer('npy')");
  g_menu_append (menu, _ ("The slice as .csv…"), "win.save-buffer('csv')");
  g_menu_append (menu, _ ("The picture as .png…"), "win.save-buffer('png')");
  GtkWidget *inputs = gtk_menu_button_new (), *popover = gtk_popover_new ();
  self->inputs = GTK_MENU_BUTTON (inputs);
  self->inputs_page = g_object_new (FB_TYPE_RUN_INPUTS_PAGE, NULL);
  gtk_popover_set_child (GTK_POPOVER (popover), GTK_WIDGET (self->inputs_page));
  /* the bar is at the window's edge */
  gtk_widget_set_halign (popover, GTK_ALIGN_END);
  gtk_menu_button_set_label (self->inputs, _ ("Inputs"));
  gtk_menu_button_set_popover (self->inputs, popover);
  fb_tip_set (inputs, _ ("What buffers hold before the run (Shift+I)"));
  gtk_widget_set_valign (inputs, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (inputs, "fb-small-button");
  gtk_widget_set_parent (inputs, GTK_WIDGET (self));
  GtkWidget *save = gtk_menu_button_new ();
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (save), "document-save-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (save), G_MENU_MODEL (menu));
  fb_tip_set (save, _ ("Save (Ctrl+Alt+S)"));
  gtk_widget_set_valign (save, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (save, "flat");
  gtk_widget_set_parent (save, GTK_WIDGET (self));
}
