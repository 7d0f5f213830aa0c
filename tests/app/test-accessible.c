/* What a screen reader is told: roles, names and states, as the toolkit's test backend (GTK_A11Y=test) keeps them. */
#include <string.h>

#include "util.h"

static gboolean
of_type (GtkWidget *widget, const char *type)
{
  return !strcmp (G_OBJECT_TYPE_NAME (widget), type);
}

/* Calls @func for @widget and everything in it. */
static void
for_all (GtkWidget *widget, void (*func) (GtkWidget *widget, gpointer data), gpointer data)
{
  func (widget, data);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    for_all (child, func, data);
}

typedef struct
{
  const char *type;
  GtkWidget *widget;
} Search;

static void
search (GtkWidget *widget, gpointer data)
{
  Search *asked = data;
  if (!asked->widget && of_type (widget, asked->type))
    asked->widget = widget;
}

static GtkAccessible *
find (FbWindow *window, const char *type)
{
  Search asked = { .type = type };
  for_all (GTK_WIDGET (window), search, &asked);
  g_assert_nonnull (asked.widget);
  return GTK_ACCESSIBLE (asked.widget);
}

static void
check_button (GtkWidget *widget, gpointer data)
{
  guint *n = data;
  const char *icon = GTK_IS_BUTTON (widget)        ? gtk_button_get_icon_name (GTK_BUTTON (widget))
                     : GTK_IS_MENU_BUTTON (widget) ? gtk_menu_button_get_icon_name (GTK_MENU_BUTTON (widget))
                                                   : NULL;
  /* Inside the toolkit's own widgets it names things itself. */
  if (!icon || !gtk_widget_get_tooltip_text (widget))
    return;
  if (!gtk_test_accessible_has_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL))
    g_error ("the button “%s” has no name", gtk_widget_get_tooltip_text (widget));
  (*n)++;
}

/* What a person acts on, or reads as one thing: it has to be called something. */
static gboolean
wants_name (GtkWidget *widget)
{
  switch (gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)))
    {
    case GTK_ACCESSIBLE_ROLE_BUTTON:
    case GTK_ACCESSIBLE_ROLE_CHECKBOX:
    case GTK_ACCESSIBLE_ROLE_COMBO_BOX:
    case GTK_ACCESSIBLE_ROLE_GRID:
    case GTK_ACCESSIBLE_ROLE_IMG:
    case GTK_ACCESSIBLE_ROLE_LINK:
    case GTK_ACCESSIBLE_ROLE_LIST:
    case GTK_ACCESSIBLE_ROLE_LIST_BOX:
    case GTK_ACCESSIBLE_ROLE_MENU_ITEM:
    case GTK_ACCESSIBLE_ROLE_RADIO:
    case GTK_ACCESSIBLE_ROLE_SEARCH_BOX:
    case GTK_ACCESSIBLE_ROLE_SLIDER:
    case GTK_ACCESSIBLE_ROLE_SPIN_BUTTON:
    case GTK_ACCESSIBLE_ROLE_SWITCH:
    case GTK_ACCESSIBLE_ROLE_TABLE:
    case GTK_ACCESSIBLE_ROLE_TEXT_BOX:
    case GTK_ACCESSIBLE_ROLE_TREE_GRID:
      return TRUE;
    default:
      return FALSE;
    }
}

/* Those of the toolkit that are made of several: what it has inside is its own affair. */
static gboolean
is_whole (GtkWidget *widget)
{
  return GTK_IS_EDITABLE (widget) || GTK_IS_DROP_DOWN (widget) || GTK_IS_SCROLLBAR (widget) || GTK_IS_SWITCH (widget)
         || GTK_IS_MENU_BUTTON (widget) || GTK_IS_BUTTON (widget) || GTK_IS_POPOVER_MENU (widget)
         || GTK_IS_IMAGE (widget);
}

static gboolean
has_words (GtkWidget *widget)
{
  if (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)))
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    if (has_words (child))
      return TRUE;
  return FALSE;
}

static gboolean
has_name (GtkWidget *widget)
{
  GtkAccessible *accessible = GTK_ACCESSIBLE (widget);
  return gtk_test_accessible_has_property (accessible, GTK_ACCESSIBLE_PROPERTY_LABEL)
         || gtk_test_accessible_has_relation (accessible, GTK_ACCESSIBLE_RELATION_LABELLED_BY)
         || (GTK_IS_BUTTON (widget) && has_words (widget)) || (GTK_IS_MENU_BUTTON (widget) && has_words (widget))
         || (GTK_IS_CHECK_BUTTON (widget) && has_words (widget));
}

static void
name_of (GtkWidget *widget, GString *out)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);
  if (parent && !GTK_IS_WINDOW (parent))
    {
      name_of (parent, out);
      g_string_append (out, " > ");
    }
  const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget));
  g_string_append_printf (out, id ? "%s “%s”" : "%s", G_OBJECT_TYPE_NAME (widget), id);
}

/* Calls nothing in what the toolkit is made of. Returns how many were looked at. */
static guint
check_names (GtkWidget *widget)
{
  guint n = 0;
  /* what is never seen; what the toolkit is made of */
  if (!gtk_widget_get_visible (widget) || of_type (widget, "GtkTooltipWindow"))
    return 0;
  if (wants_name (widget) && !of_type (widget, "GtkColumnListView"))
    {
      n++;
      if (!has_name (widget))
        {
          g_autoptr (GString) path = g_string_new (NULL);
          name_of (widget, path);
          g_error ("%s has no name", path->str);
        }
    }
  if (is_whole (widget))
    return n;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child; child = gtk_widget_get_next_sibling (child))
    n += check_names (child);
  return n;
}

/* Every widget of the window, on every page of it. */
static void
test_everything (void)
{
  static const char *const pages[][2]
      = { { "show-nodes", NULL },           { "show-rules", NULL },           { "show-breakpoints", NULL },
          { "drawer-tab", "'kernels'" },    { "drawer-tab", "'source'" },     { "drawer-tab", "'buffers'" },
          { "drawer-tab", "'scenarios'" },  { "drawer-tab", "'log'" },        { "inspector-tab", "'node'" },
          { "inspector-tab", "'why'" },     { "inspector-tab", "'lineage'" }, { "search-all", "'op:ADD'" },
          { "add-breakpoint", "'op:ADD'" }, { "show-breakpoints", NULL } };
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("mlp_train.db");
  FbWindow *window = test_open (path, 0, NULL, 19);
  guint n = check_names (GTK_WIDGET (window));
  for (guint i = 0; i < G_N_ELEMENTS (pages); i++)
    {
      test_do (window, pages[i][0], pages[i][1]);
      test_wait (100);
      n += check_names (GTK_WIDGET (window));
    }
  g_assert_cmpuint (n, >, 500);
  test_close (window);
}

/* An icon says nothing to those who cannot see it. */
static void
test_buttons (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("lerp.db");
  FbWindow *window = test_open (path, 0, NULL, 19);
  guint n = 0;
  for_all (GTK_WIDGET (window), check_button, &n);
  g_assert_cmpuint (n, >, 15);
  test_close (window);
}

static void
assert_label (GtkAccessible *widget, const char *label)
{
  g_autofree char *difference = gtk_test_accessible_check_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL, label);
  g_assert_cmpstr (difference, ==, NULL);
}

/* The canvas tells what it shows and what is selected. */
static void
test_canvas (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("lerp.db");
  FbWindow *window = test_open (path, 0, NULL, 19);
  GtkAccessible *canvas = GTK_ACCESSIBLE (window->canvas);
  gtk_test_accessible_assert_role (canvas, GTK_ACCESSIBLE_ROLE_IMG);
  assert_label (canvas, "Graph of 21 cards; selected: VIEW (1,0) float 64×64, new");
  test_do (window, "clear-selection", NULL);
  assert_label (canvas, "Graph of 21 cards");
  test_close (window);
}

/* The strip is a slider over all steps. */
static void
test_strip (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("lerp.db");
  FbWindow *window = test_open (path, 0, NULL, 19);
  GtkAccessible *strip = find (window, "FbHeatStrip");
  gtk_test_accessible_assert_role (strip, GTK_ACCESSIBLE_ROLE_SLIDER);
  g_assert_true (gtk_test_accessible_has_property (strip, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW));
  g_assert_true (gtk_test_accessible_has_property (strip, GTK_ACCESSIBLE_PROPERTY_VALUE_MAX));
  gtk_test_accessible_assert_property (strip, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, 19.0);
  test_do (window, "next-step", NULL);
  gtk_test_accessible_assert_property (strip, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW, 20.0);
  test_close (window);
}

/* Panels and lists are named, errors are alerts. */
static void
test_names (void)
{
  if (!test_has_display ())
    return;
  g_autofree char *path = test_sample ("lerp.db");
  FbWindow *window = test_open (path, 0, NULL, 19);
  test_do (window, "show-nodes", NULL);
  GtkWidget *list = GTK_WIDGET (find (window, "FbNodeList"));
  Search asked = { .type = "GtkColumnView" };
  for_all (list, search, &asked);
  assert_label (GTK_ACCESSIBLE (asked.widget), "Nodes of the graph");
  assert_label (find (window, "FbDiffView"), "Difference");
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (window->banner_label), GTK_ACCESSIBLE_ROLE_ALERT);
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (window->busy_label), GTK_ACCESSIBLE_ROLE_STATUS);
  test_close (window);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/accessible/buttons", test_buttons);
  g_test_add_func ("/app/accessible/everything", test_everything);
  g_test_add_func ("/app/accessible/canvas", test_canvas);
  g_test_add_func ("/app/accessible/strip", test_strip);
  g_test_add_func ("/app/accessible/names", test_names);
  return g_test_run ();
}
