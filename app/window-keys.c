/* Which keys ask for the window's actions. */
#include "app/node-list.h"
#include "app/window-private.h"

/* Keys without Ctrl or Alt. They work wherever nothing that takes text has the keyboard. */
static const FbWindowKey keys[] = {
  { GDK_KEY_Left, "previous-step", NULL },
  { GDK_KEY_Right, "next-step", NULL },
  { GDK_KEY_KP_Left, "previous-step", NULL },
  { GDK_KEY_KP_Right, "next-step", NULL },
  { GDK_KEY_Up, "previous-pass", NULL },
  { GDK_KEY_Down, "next-pass", NULL },
  { GDK_KEY_Home, "first-step", NULL },
  { GDK_KEY_End, "last-step", NULL },
  { GDK_KEY_n, "next-change", NULL },
  { GDK_KEY_N, "previous-change", NULL },
  { GDK_KEY_r, "next-of-rule", NULL },
  { GDK_KEY_R, "previous-of-rule", NULL },
  { GDK_KEY_slash, "search", NULL },
  { GDK_KEY_KP_Divide, "search", NULL },
  { GDK_KEY_F3, "next-hit", NULL },
  { GDK_KEY_o, "captures", NULL },
  { GDK_KEY_F5, "continue", NULL },
  { GDK_KEY_B, "show-breakpoints", NULL },
  { GDK_KEY_U, "show-rules", NULL },
  { GDK_KEY_T, "time-rules", NULL },
  { GDK_KEY_S, "toggle-rules-scope", NULL },
  { GDK_KEY_space, "fit", NULL },
  { GDK_KEY_p, "play", NULL },
  { GDK_KEY_greater, "play-faster", NULL },
  { GDK_KEY_less, "play-slower", NULL },
  { GDK_KEY_Page_Down, "next-kernel", NULL },
  { GDK_KEY_Page_Up, "previous-kernel", NULL },
  { GDK_KEY_KP_Page_Down, "next-kernel", NULL },
  { GDK_KEY_KP_Page_Up, "previous-kernel", NULL },
  { GDK_KEY_e, "hide-empty-passes", NULL },
  { GDK_KEY_z, "next-heat", NULL },
  { GDK_KEY_plus, "zoom-in", NULL },
  { GDK_KEY_equal, "zoom-in", NULL },
  { GDK_KEY_KP_Add, "zoom-in", NULL },
  { GDK_KEY_minus, "zoom-out", NULL },
  { GDK_KEY_KP_Subtract, "zoom-out", NULL },
  { GDK_KEY_0, "zoom-reset", NULL },
  { GDK_KEY_KP_0, "zoom-reset", NULL },
  { GDK_KEY_1, "side", "'before'" },
  { GDK_KEY_2, "side", "'overlay'" },
  { GDK_KEY_3, "side", "'after'" },
  { GDK_KEY_4, "side", "'both'" },
  { GDK_KEY_v, "compare", NULL },
  { GDK_KEY_c, "collapse", NULL },
  { GDK_KEY_C, "collapse-chains", NULL },
  { GDK_KEY_k, "collapse-kernels", NULL },
  { GDK_KEY_K, "frame-kernels", NULL },
  { GDK_KEY_m, "mark", NULL },
  { GDK_KEY_y, "refine", NULL },
  { GDK_KEY_h, "hide", NULL },
  { GDK_KEY_x, "extract", NULL },
  { GDK_KEY_bracketright, "grow", "1" },
  { GDK_KEY_bracketleft, "grow", "-1" },
  { GDK_KEY_a, "show-all", NULL },
  { GDK_KEY_A, "open-all", NULL },
  { GDK_KEY_Menu, "graph-menu", NULL },
  { GDK_KEY_d, "toggle-diff-scope", NULL },
  { GDK_KEY_s, "toggle-diff-layout", NULL },
  { GDK_KEY_i, "inspector-tab", "'node'" },
  { GDK_KEY_u, "inspector-tab", "'rule'" },
  { GDK_KEY_g, "inspector-tab", "'lineage'" },
  { GDK_KEY_w, "inspector-tab", "'why'" },
  { GDK_KEY_Y, "try", NULL },
  { GDK_KEY_j, "drawer-tab", "'kernels'" },
  { GDK_KEY_J, "drawer-tab", "'scenarios'" },
  { GDK_KEY_q, "compare-scenarios", NULL },
  { GDK_KEY_P, "probe", NULL },
  { GDK_KEY_f, "drawer-tab", "'buffers'" },
  { GDK_KEY_t, "toggle-moment", NULL },
  { GDK_KEY_I, "show-inputs", NULL },
  { GDK_KEY_X, "show-axes", NULL },
  { GDK_KEY_E, "edit-element", NULL },
  { GDK_KEY_D, "toggle-buffer-mode", NULL },
  { GDK_KEY_braceleft, "previous-write", NULL },
  { GDK_KEY_braceright, "next-write", NULL },
  { GDK_KEY_l, "show-nodes", NULL },
  { GDK_KEY_b, "toggle-bookmark", NULL },
  { GDK_KEY_period, "next-bookmark", NULL },
  { GDK_KEY_comma, "previous-bookmark", NULL },
  { GDK_KEY_Escape, "clear-selection", NULL },
  { GDK_KEY_question, "show-help-overlay", NULL },
};

const FbWindowKey *
fb_window_get_keys (guint *n)
{
  *n = G_N_ELEMENTS (keys);
  return keys;
}

static gboolean
key_pressed (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, FbWindow *self)
{
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK | GDK_META_MASK))
    return GDK_EVENT_PROPAGATE;
  /* The empty state has only its lists and buttons. */
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "document") && keyval != GDK_KEY_question)
    return GDK_EVENT_PROPAGATE;
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    if (keys[i].key == keyval)
      {
        GVariant *parameter = keys[i].parameter ? g_variant_new_parsed (keys[i].parameter) : NULL;
        g_action_group_activate_action (G_ACTION_GROUP (self), keys[i].action, parameter);
        return GDK_EVENT_STOP;
      }
  return GDK_EVENT_PROPAGATE;
}

/* A list would take these for itself. */
static gboolean
list_key_pressed (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, FbWindow *self)
{
  GtkWidget *list = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (controller));
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  /* In the drawer there is also text, which needs them. */
  if (list == GTK_WIDGET (self->drawer) && !(focus && gtk_widget_get_ancestor (focus, FB_TYPE_NODE_LIST)))
    return GDK_EVENT_PROPAGATE;
  if (keyval == GDK_KEY_Left || keyval == GDK_KEY_Right || keyval == GDK_KEY_space)
    return key_pressed (controller, keyval, code, state, self);
  return GDK_EVENT_PROPAGATE;
}

void
fb_window_add_keys (FbWindow *self)
{
  GtkEventController *plain = gtk_event_controller_key_new ();
  g_signal_connect_object (plain, "key-pressed", G_CALLBACK (key_pressed), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self), plain);
  GtkWidget *lists[] = { GTK_WIDGET (self->pass_panel), GTK_WIDGET (self->drawer) };
  for (guint i = 0; i < G_N_ELEMENTS (lists); i++)
    {
      GtkEventController *list = gtk_event_controller_key_new ();
      gtk_event_controller_set_propagation_phase (list, GTK_PHASE_CAPTURE);
      g_signal_connect_object (list, "key-pressed", G_CALLBACK (list_key_pressed), self, 0);
      gtk_widget_add_controller (lists[i], list);
    }
}
