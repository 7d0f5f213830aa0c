/* The shortcuts window says what keys do; here it is compared with what they do. */
#include <string.h>

#include "util.h"

/* Keys as "<Control>n", once each. */
static GHashTable *
key_set_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
}

/* The keypad's keys do what their namesakes do, and so does plus without Shift: they are not named twice. */
static guint
plain_key (guint key)
{
  static const struct
  {
    guint key, plain;
  } same[] = {
    { GDK_KEY_KP_Left, GDK_KEY_Left },       { GDK_KEY_KP_Right, GDK_KEY_Right },
    { GDK_KEY_KP_Up, GDK_KEY_Up },           { GDK_KEY_KP_Down, GDK_KEY_Down },
    { GDK_KEY_KP_Home, GDK_KEY_Home },       { GDK_KEY_KP_End, GDK_KEY_End },
    { GDK_KEY_KP_Page_Up, GDK_KEY_Page_Up }, { GDK_KEY_KP_Page_Down, GDK_KEY_Page_Down },
    { GDK_KEY_KP_Add, GDK_KEY_plus },        { GDK_KEY_KP_Subtract, GDK_KEY_minus },
    { GDK_KEY_KP_Divide, GDK_KEY_slash },    { GDK_KEY_KP_0, GDK_KEY_0 },
    { GDK_KEY_KP_Enter, GDK_KEY_Return },    { GDK_KEY_equal, GDK_KEY_plus },
    { GDK_KEY_KP_Delete, GDK_KEY_Delete },   { GDK_KEY_ISO_Left_Tab, GDK_KEY_Tab },
  };
  for (guint i = 0; i < G_N_ELEMENTS (same); i++)
    if (same[i].key == key)
      return same[i].plain;
  return key;
}

static void
key_set_add (GHashTable *set, guint key, GdkModifierType modifiers)
{
  key = plain_key (key);
  if (gdk_keyval_is_upper (key) && !gdk_keyval_is_lower (key))
    {
      key = gdk_keyval_to_lower (key);
      modifiers |= GDK_SHIFT_MASK;
    }
  g_hash_table_add (set, gtk_accelerator_name (key, modifiers));
}

/* @words: accelerators with spaces between, or two of them with "..." for all keys from the first to the last. */
static void
key_set_add_words (GHashTable *set, const char *words)
{
  g_auto (GStrv) range = g_strsplit (words, "...", 2);
  guint first, last;
  GdkModifierType range_modifiers;
  if (range[0] && range[1] && gtk_accelerator_parse (range[0], &first, &range_modifiers)
      && gtk_accelerator_parse (range[1], &last, NULL))
    {
      for (guint key = first; key <= last; key++)
        key_set_add (set, key, range_modifiers);
      return;
    }
  g_auto (GStrv) list = g_strsplit (words, " ", 0);
  for (guint i = 0; list[i]; i++)
    {
      guint key;
      GdkModifierType modifiers;
      if (!*list[i])
        continue;
      if (!gtk_accelerator_parse (list[i], &key, &modifiers))
        g_error ("the shortcuts window has a key that is none: %s", list[i]);
      key_set_add (set, key, modifiers);
    }
}

/* --- what the shortcuts window says --- */

static void
add_told (GtkWidget *widget, GHashTable *set, guint *n_titles)
{
  if (GTK_IS_SHORTCUTS_SHORTCUT (widget))
    {
      g_autofree char *accelerator = NULL, *title = NULL;
      g_object_get (widget, "accelerator", &accelerator, "title", &title, NULL);
      g_assert_nonnull (accelerator);
      g_assert_nonnull (title);
      g_assert_cmpuint (strlen (title), >, 0);
      key_set_add_words (set, accelerator);
      (*n_titles)++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    add_told (child, set, n_titles);
}

static GHashTable *
told_keys (void)
{
  GHashTable *set = key_set_new ();
  guint n_titles = 0;
  g_autoptr (GtkBuilder) builder = gtk_builder_new_from_resource ("/io/github/fusebox/Fusebox/gtk/help-overlay.ui");
  GtkWidget *overlay = GTK_WIDGET (gtk_builder_get_object (builder, "help_overlay"));
  g_assert_true (GTK_IS_SHORTCUTS_WINDOW (overlay));
  add_told (overlay, set, &n_titles);
  g_assert_cmpuint (n_titles, >, 30);
  gtk_window_destroy (GTK_WINDOW (overlay));
  return set;
}

/* --- what there is --- */

static gboolean
has_action (FbWindow *window, const char *name)
{
  GActionGroup *app = G_ACTION_GROUP (gtk_window_get_application (GTK_WINDOW (window)));
  if (g_str_has_prefix (name, "app."))
    return g_action_group_has_action (app, name + 4);
  if (g_str_has_prefix (name, "win."))
    return g_action_group_has_action (G_ACTION_GROUP (window), name + 4);
  /* the toolkit's own */
  return g_str_has_prefix (name, "window.");
}

/* Bindings of our own widgets; those of lists, entries and text are the toolkit's. */
static void
add_bindings (GtkWidget *widget, GHashTable *set)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      if (!GTK_IS_SHORTCUT_CONTROLLER (controller) || !g_str_has_prefix (G_OBJECT_TYPE_NAME (widget), "Fb")
          || GTK_IS_WINDOW (widget))
        continue;
      for (guint k = 0; k < g_list_model_get_n_items (G_LIST_MODEL (controller)); k++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), k);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);
          if (GTK_IS_KEYVAL_TRIGGER (trigger))
            key_set_add (set, gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)),
                         gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)));
        }
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    add_bindings (child, set);
}

static GHashTable *
real_keys (FbWindow *window)
{
  GHashTable *set = key_set_new ();
  GtkApplication *app = gtk_window_get_application (GTK_WINDOW (window));
  g_auto (GStrv) described = gtk_application_list_action_descriptions (app);
  for (guint i = 0; described[i]; i++)
    {
      g_auto (GStrv) accels = gtk_application_get_accels_for_action (app, described[i]);
      g_autofree char *name = NULL;
      g_autoptr (GVariant) target = NULL;
      g_assert_true (g_action_parse_detailed_name (described[i], &name, &target, NULL));
      if (!has_action (window, name))
        g_error ("a key is for %s, which is no action", name);
      for (guint k = 0; accels[k]; k++)
        key_set_add_words (set, accels[k]);
    }
  guint n, n_accels = g_hash_table_size (set);
  const FbWindowKey *keys = fb_window_get_keys (&n);
  g_autoptr (GHashTable) plain = key_set_new ();
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strconcat ("win.", keys[i].action, NULL);
      if (!has_action (window, name))
        g_error ("a key is for %s, which is no action", name);
      key_set_add (plain, keys[i].key, 0);
    }
  GHashTableIter iter;
  gpointer key;
  g_hash_table_iter_init (&iter, plain);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    g_hash_table_add (set, g_strdup (key));
  /* the application's would win, and the window's do nothing */
  g_assert_cmpuint (g_hash_table_size (set), ==, n_accels + g_hash_table_size (plain));
  add_bindings (GTK_WIDGET (window), set);
  return set;
}

static guint
report_missing (GHashTable *set, GHashTable *in, const char *words, const char *const *except)
{
  GHashTableIter iter;
  gpointer key;
  guint n = 0;
  g_hash_table_iter_init (&iter, set);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    if (!g_hash_table_contains (in, key) && !g_strv_contains (except, key))
      {
        g_test_message ("%s %s", (char *) key, words);
        n++;
      }
  return n;
}

static void
test_told (void)
{
  /* of the toolkit: the menu, lists and text; of the replay page, which handles its keys itself: F5 */
  static const char *const toolkit[] = { "F10", "<Shift>F10", "Menu", "Return", "<Shift>Return", "Tab", "F5", NULL };
  static const char *const scrolling[] = { "Page_Up", "Page_Down", NULL };
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("lerp.db");
  FbWindow *window = test_open (path, 0, NULL, 0);
  g_autoptr (GHashTable) told = told_keys (), real = real_keys (window);
  g_assert_cmpuint (g_hash_table_size (real), >, 40);
  guint n = report_missing (real, told, "is not in the shortcuts window", scrolling);
  n += report_missing (told, real, "is in the shortcuts window and does nothing", toolkit);
  g_assert_cmpuint (n, ==, 0);
  test_close (window);
}

/* Every action of the menus is one, and can be reached. */
static void
check_menu (FbWindow *window, GMenuModel *menu, guint *n)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autofree char *action = NULL;
      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action))
        {
          if (!has_action (window, action))
            g_error ("the menu has %s, which is no action", action);
          (*n)++;
        }
      static const char *const links[] = { G_MENU_LINK_SECTION, G_MENU_LINK_SUBMENU };
      for (guint k = 0; k < G_N_ELEMENTS (links); k++)
        {
          g_autoptr (GMenuModel) inner = g_menu_model_get_item_link (menu, i, links[k]);
          if (inner)
            check_menu (window, inner, n);
        }
    }
}

static void
check_menus (FbWindow *window, GtkWidget *widget, guint *n)
{
  if (GTK_IS_MENU_BUTTON (widget) && gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget)))
    check_menu (window, gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (widget)), n);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    check_menus (window, child, n);
}

static void
test_menus (void)
{
  if (!test_has_display ())
    return;
  FbWindow *window = test_open (NULL, 0, NULL, 0);
  guint n = 0;
  check_menus (window, GTK_WIDGET (window), &n);
  /* the main menu, and the samples at Open */
  g_assert_cmpuint (n, >, 15);
  test_close (window);
}

/* Buttons name the action they have. */
static void
check_actionables (FbWindow *window, GtkWidget *widget, guint *n)
{
  const char *action = GTK_IS_ACTIONABLE (widget) ? gtk_actionable_get_action_name (GTK_ACTIONABLE (widget)) : NULL;
  if (action && (g_str_has_prefix (action, "win.") || g_str_has_prefix (action, "app.")))
    {
      if (!has_action (window, action))
        g_error ("a button has %s, which is no action", action);
      (*n)++;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    check_actionables (window, child, n);
}

static void
test_buttons (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("lerp.db");
  FbWindow *window = test_open (path, 0, NULL, 0);
  guint n = 0;
  check_actionables (window, GTK_WIDGET (window), &n);
  g_assert_cmpuint (n, >, 20);
  test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/shortcuts/told", test_told);
  g_test_add_func ("/app/shortcuts/menus", test_menus);
  g_test_add_func ("/app/shortcuts/buttons", test_buttons);
  return g_test_run ();
}
