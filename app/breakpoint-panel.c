#include "app/breakpoint-panel.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/section.h"
#include "app/tip.h"

struct _FbBreakpointPanel
{
  GtkWidget parent_instance;
  GtkWidget *box;
  GtkEditable *entry;
  GtkLabel *message;
  GtkStack *stack;
  GtkListBox *list;
  FbBreakpointSet *breakpoints;
};

G_DEFINE_FINAL_TYPE (FbBreakpointPanel, fb_breakpoint_panel, GTK_TYPE_WIDGET)

static FbBreakpoint *
breakpoint_of (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), "breakpoint");
}

/* --- rows --- */

static void
toggled (GtkCheckButton *check, FbBreakpointPanel *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (GTK_WIDGET (check), GTK_TYPE_LIST_BOX_ROW);
  if (row && self->breakpoints)
    fb_breakpoint_set_enable (self->breakpoints, breakpoint_of (row), gtk_check_button_get_active (check));
}

static void
remove_clicked (GtkWidget *button, FbBreakpointPanel *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, GTK_TYPE_LIST_BOX_ROW);
  if (row && self->breakpoints)
    fb_breakpoint_set_remove (self->breakpoints, breakpoint_of (row));
}

static void
show_breakpoint (GtkWidget *row)
{
  FbBreakpoint *breakpoint = breakpoint_of (row);
  GtkWidget *check = g_object_get_data (G_OBJECT (row), "check"), *count = g_object_get_data (G_OBJECT (row), "count");
  gboolean enabled = fb_breakpoint_get_enabled (breakpoint);
  guint n;
  gboolean known = fb_breakpoint_get_n_stops (breakpoint, &n);
  g_autofree char *text = !known     ? g_strdup (enabled ? "–" : _ ("off"))
                          : !enabled ? g_strdup (_ ("off"))
                          : n == 0   ? g_strdup (_ ("No step matches"))
                                     : g_strdup_printf (ngettext ("%s stop", "%s stops", n), fb_count (n));
  gtk_check_button_set_active (GTK_CHECK_BUTTON (check), enabled);
  gtk_label_set_label (GTK_LABEL (count), text);
  if (enabled)
    gtk_widget_add_css_class (row, "fb-break-on");
  else
    gtk_widget_remove_css_class (row, "fb-break-on");
}

static GtkWidget *
new_row (gpointer item, gpointer data)
{
  FbBreakpointPanel *self = data;
  FbBreakpoint *breakpoint = item;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *check = gtk_check_button_new ();
  fb_tip_set (check, _ ("Stop here, or not (Space)"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  fb_breakpoint_get_text (breakpoint), -1);
  gtk_box_append (GTK_BOX (box), check);
  GtkWidget *dot = fb_label_new ("●", "fb-break-dot", NULL);
  gtk_box_append (GTK_BOX (box), dot);
  GtkWidget *text = fb_label_new (fb_breakpoint_get_text (breakpoint), "fb-code", NULL);
  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  fb_tip_set (text, fb_breakpoint_get_text (breakpoint));
  gtk_widget_set_hexpand (text, TRUE);
  gtk_box_append (GTK_BOX (box), text);
  GtkWidget *count = fb_label_new ("", "fb-number", "fb-dim");
  gtk_box_append (GTK_BOX (box), count);
  GtkWidget *remove = gtk_button_new_from_icon_name ("edit-delete-symbolic");
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_add_css_class (remove, "fb-panel-button");
  fb_tip_set (remove, _ ("Remove (Delete)"));
  g_signal_connect_object (remove, "clicked", G_CALLBACK (remove_clicked), self, 0);
  gtk_box_append (GTK_BOX (box), remove);
  GtkWidget *row = gtk_list_box_row_new ();
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data_full (G_OBJECT (row), "breakpoint", g_object_ref (breakpoint), g_object_unref);
  g_object_set_data (G_OBJECT (row), "check", check);
  g_object_set_data (G_OBJECT (row), "count", count);
  show_breakpoint (row);
  g_signal_connect_object (check, "toggled", G_CALLBACK (toggled), self, 0);
  g_signal_connect_object (breakpoint, "changed", G_CALLBACK (show_breakpoint), row, G_CONNECT_SWAPPED);
  return row;
}

/* --- adding --- */

static void
show_message (FbBreakpointPanel *self, const char *text)
{
  gtk_label_set_label (self->message, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), text != NULL);
}

static void
entry_activated (FbBreakpointPanel *self)
{
  g_autoptr (GError) error = NULL;
  if (!fb_breakpoint_set_add (self->breakpoints, gtk_editable_get_text (self->entry), &error))
    {
      show_message (self, error->message);
      return;
    }
  gtk_editable_set_text (self->entry, "");
  show_message (self, NULL);
}

static void
entry_changed (FbBreakpointPanel *self)
{
  show_message (self, NULL);
}

static gboolean
list_key (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, FbBreakpointPanel *self)
{
  GtkListBoxRow *selected = gtk_list_box_get_selected_row (self->list);
  if (!selected)
    return GDK_EVENT_PROPAGATE;
  FbBreakpoint *breakpoint = breakpoint_of (GTK_WIDGET (selected));
  if (keyval == GDK_KEY_Delete || keyval == GDK_KEY_KP_Delete)
    fb_breakpoint_set_remove (self->breakpoints, breakpoint);
  else if (keyval == GDK_KEY_space)
    fb_breakpoint_set_enable (self->breakpoints, breakpoint, !fb_breakpoint_get_enabled (breakpoint));
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
show_page (FbBreakpointPanel *self)
{
  gboolean any = g_list_model_get_n_items (G_LIST_MODEL (self->breakpoints)) > 0;
  gtk_stack_set_visible_child_name (self->stack, any ? "list" : "none");
}

void
fb_breakpoint_panel_set_breakpoints (FbBreakpointPanel *self, FbBreakpointSet *breakpoints)
{
  g_return_if_fail (FB_IS_BREAKPOINT_PANEL (self) && FB_IS_BREAKPOINT_SET (breakpoints) && !self->breakpoints);
  self->breakpoints = g_object_ref (breakpoints);
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (breakpoints), new_row, self, NULL);
  g_signal_connect_object (breakpoints, "items-changed", G_CALLBACK (show_page), self, G_CONNECT_SWAPPED);
  show_page (self);
}

static gboolean
fb_breakpoint_panel_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (FB_BREAKPOINT_PANEL (widget)->entry));
}

static void
fb_breakpoint_panel_dispose (GObject *object)
{
  FbBreakpointPanel *self = FB_BREAKPOINT_PANEL (object);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->breakpoints);
  G_OBJECT_CLASS (fb_breakpoint_panel_parent_class)->dispose (object);
}

static void
fb_breakpoint_panel_class_init (FbBreakpointPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_breakpoint_panel_dispose;
  widget_class->grab_focus = fb_breakpoint_panel_grab_focus;
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "breakpoint-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FbBreakpointPanel, box);
  gtk_widget_class_bind_template_child (widget_class, FbBreakpointPanel, entry);
  gtk_widget_class_bind_template_child (widget_class, FbBreakpointPanel, message);
  gtk_widget_class_bind_template_child (widget_class, FbBreakpointPanel, stack);
  gtk_widget_class_bind_template_child (widget_class, FbBreakpointPanel, list);
}

static void
fb_breakpoint_panel_init (FbBreakpointPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (entry_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "changed", G_CALLBACK (entry_changed), self, G_CONNECT_SWAPPED);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (list_key), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->list), keys);
}
