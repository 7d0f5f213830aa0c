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
  g_test_add_func ("/app/accessible/canvas", test_canvas);
  g_test_add_func ("/app/accessible/strip", test_strip);
  g_test_add_func ("/app/accessible/names", test_names);
  return g_test_run ();
}
