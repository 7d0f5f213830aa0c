/* The lists of the page of two traces. */
#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "app/ansi.h"
#include "app/cli/count.h"
#include "app/glyph.h"
#include "app/section.h"
#include "app/text-scale.h"
#include "app/tip.h"
#include "app/trace-compare-private.h"

#define MOST_REWRITES 7
#define FEWEST_REWRITES 3
#define ROW_HEIGHT 24
/* What graphs, difference and heads want to have, px; the list of rewrites gets what is left. */
#define REST_HEIGHT 520

/* As in graphs: what is gone, new, changed. */
static FbMark
mark_of (FbVizRelation relation)
{
  static const FbMark marks[] = { FB_MARK_SAME, FB_MARK_REBUILT, FB_MARK_REPLACED, FB_MARK_NEW };
  return marks[relation];
}

static const char *
word_of (FbVizRelation relation)
{
  static const char *const words[] = { N_ ("same"), N_ ("changed"), N_ ("only in A"), N_ ("only in B") };
  return _ (words[relation]);
}

static char *
place_text (int index)
{
  return index < 0 ? g_strdup ("—") : g_strdup (fb_count (index + 1));
}

/* "12 → 13 nodes · 4 → 5 matches" of what changed, "13 nodes · 5 matches" of what is on one side. */
static char *
numbers_text (const FbVizRewritePair *pair)
{
  GString *text = g_string_new (NULL);
  gboolean both = pair->a >= 0 && pair->b >= 0;
  guint nodes = pair->b >= 0 ? pair->nodes_b : pair->nodes_a;
  guint matches = pair->b >= 0 ? pair->matches_b : pair->matches_a;
  if (both && pair->nodes_a != pair->nodes_b)
    g_string_append_printf (text, "%s → ", fb_count (pair->nodes_a));
  g_string_append_printf (text, ngettext ("%s node", "%s nodes", nodes), fb_count (nodes));
  g_string_append (text, " · ");
  if (both && pair->matches_a != pair->matches_b)
    g_string_append_printf (text, "%s → ", fb_count (pair->matches_a));
  g_string_append_printf (text, ngettext ("%s match", "%s matches", matches), fb_count (matches));
  return g_string_free (text, FALSE);
}

/* With the escape sequences that colour it. */
static char *
context_name (const FbVizComparison *comparison, const FbVizContextPair *context)
{
  const FbVizRewritePair *pair = &context->pair;
  const char *a = NULL, *b = NULL;
  if (pair->a >= 0)
    a = fb_viz_trace_context (fb_viz_comparison_trace (comparison, 0), pair->a)->name;
  if (pair->b >= 0)
    b = fb_viz_trace_context (fb_viz_comparison_trace (comparison, 1), pair->b)->name;
  if (context->renamed)
    return g_strdup_printf ("%s\033[0m → %s", a, b);
  return g_strdup (a ? a : b);
}

/* @name without the escape sequences, in the colours they mean. */
static void
set_name (GtkLabel *label, const char *name)
{
  g_autofree char *plain = fb_viz_plain_name (name);
  g_autoptr (PangoAttrList) colours
      = fb_ansi_attributes (name, adw_style_manager_get_dark (adw_style_manager_get_default ()));
  gtk_label_set_label (label, plain);
  gtk_label_set_attributes (label, colours);
}

/* --- what is chosen --- */

const FbVizContextPair *
fb_trace_compare_chosen (FbTraceCompare *self)
{
  FbIndexItem *item = gtk_single_selection_get_selected_item (self->row_selection);
  return item && self->comparison ? fb_viz_comparison_pair (self->comparison, fb_index_item_get (item)) : NULL;
}

gboolean
fb_trace_compare_chosen_rewrite (FbTraceCompare *self, FbVizRewritePair *pair)
{
  const FbVizContextPair *context = fb_trace_compare_chosen (self);
  FbIndexItem *item = gtk_single_selection_get_selected_item (self->rewrite_selection);
  if (!context)
    return FALSE;
  if (item && fb_index_item_get (item) < context->n_pairs)
    {
      *pair = context->rewrites[fb_index_item_get (item)];
      return TRUE;
    }
  *pair = context->pair;
  for (guint side = 0; side < 2; side++)
    {
      int *index = side ? &pair->b : &pair->a;
      if (*index >= 0)
        *index = fb_viz_trace_context (fb_viz_comparison_trace (self->comparison, side), *index)->n_rewrites ? 0 : -1;
    }
  return pair->a >= 0 || pair->b >= 0;
}

const FbVizRewrite *
fb_trace_compare_rewrite (FbTraceCompare *self, const FbVizRewritePair *pair, guint side)
{
  const FbVizContextPair *context = fb_trace_compare_chosen (self);
  int in = side ? context->pair.b : context->pair.a, index = side ? pair->b : pair->a;
  if (in < 0 || index < 0)
    return NULL;
  return &fb_viz_trace_context (fb_viz_comparison_trace (self->comparison, side), in)->rewrites[index];
}

/* --- contexts --- */

enum
{
  COLUMN_RELATION,
  COLUMN_A,
  COLUMN_B,
  COLUMN_NAME,
  N_COLUMNS
};
static const struct
{
  const char *title;
  int width; /* px; 0: what is left */
  gboolean number;
} columns[N_COLUMNS] = {
  { N_ ("Context"), 92, FALSE },
  { "A", 44, TRUE },
  { "B", 44, TRUE },
  { N_ ("Name"), 0, FALSE },
};

static void
set_up_cell (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  guint column = GPOINTER_TO_UINT (data);
  GtkWidget *label = fb_label_new (NULL, "fb-caption", "fb-number");
  gtk_label_set_xalign (GTK_LABEL (label), columns[column].number ? 1 : 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (column != COLUMN_RELATION)
    {
      gtk_list_item_set_child (item, label);
      return;
    }
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_box_append (GTK_BOX (box), fb_glyph_new_mark (FB_MARK_SAME));
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (item, box);
}

static void
bind_relation (GtkWidget *box, FbVizRelation relation)
{
  fb_glyph_set_mark (FB_GLYPH (gtk_widget_get_first_child (box)), mark_of (relation));
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (gtk_widget_get_first_child (box))), word_of (relation));
}

typedef struct
{
  FbTraceCompare *page; /* borrowed: the factory is its own */
  guint column;
} Cell;

static void
bind_cell (GtkListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const Cell *cell = data;
  guint index = fb_index_item_get (gtk_list_item_get_item (item));
  GtkWidget *child = gtk_list_item_get_child (item);
  if (!cell->page->comparison || index >= fb_viz_comparison_n_pairs (cell->page->comparison))
    return;
  const FbVizContextPair *context = fb_viz_comparison_pair (cell->page->comparison, index);
  g_autofree char *text = NULL;
  switch (cell->column)
    {
    case COLUMN_RELATION:
      bind_relation (child, context->pair.relation);
      return;
    case COLUMN_A:
      text = place_text (context->pair.a);
      break;
    case COLUMN_B:
      text = place_text (context->pair.b);
      break;
    default:
      text = context_name (cell->page->comparison, context);
      set_name (GTK_LABEL (child), text);
      fb_tip_set (child, gtk_label_get_label (GTK_LABEL (child)));
      return;
    }
  gtk_label_set_label (GTK_LABEL (child), text);
}

static void
free_cell (gpointer data, GClosure *closure)
{
  g_free (data);
}

static void
fill_table (FbTraceCompare *self)
{
  for (guint i = 0; i < N_COLUMNS; i++)
    {
      GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
      Cell *cell = g_new (Cell, 1);
      *cell = (Cell){ self, i };
      g_signal_connect (factory, "setup", G_CALLBACK (set_up_cell), GUINT_TO_POINTER (i));
      g_signal_connect_data (factory, "bind", G_CALLBACK (bind_cell), cell, free_cell, 0);
      g_autoptr (GtkColumnViewColumn) column = gtk_column_view_column_new (
          i == COLUMN_A || i == COLUMN_B ? columns[i].title : _ (columns[i].title), factory);
      gtk_column_view_column_set_resizable (column, TRUE);
      if (columns[i].width)
        gtk_column_view_column_set_fixed_width (column, (int) (columns[i].width * MIN (fb_text_scale (), 1.5)));
      else
        gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (self->table, column);
    }
  self->row_selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rows)));
  gtk_column_view_set_model (self->table, GTK_SELECTION_MODEL (self->row_selection));
}

/* --- rewrites --- */

static void
set_up_rewrite (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *word = fb_label_new (NULL, "fb-caption", NULL), *places = fb_label_new (NULL, "fb-caption", "fb-number");
  GtkWidget *name = fb_label_new (NULL, "fb-strong", "fb-caption"),
            *numbers = fb_label_new (NULL, "fb-caption", "fb-dim");
  gtk_label_set_width_chars (GTK_LABEL (word), 9);
  gtk_label_set_width_chars (GTK_LABEL (places), 9);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (numbers, "fb-number");
  gtk_label_set_ellipsize (GTK_LABEL (numbers), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (numbers), 1);
  gtk_widget_set_hexpand (numbers, TRUE);
  gtk_box_append (GTK_BOX (box), fb_glyph_new_mark (FB_MARK_SAME));
  gtk_box_append (GTK_BOX (box), word);
  gtk_box_append (GTK_BOX (box), places);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), numbers);
  gtk_list_item_set_child (item, box);
}

static void
bind_rewrite (GtkListItemFactory *factory, GtkListItem *item, FbTraceCompare *self)
{
  const FbVizContextPair *context = fb_trace_compare_chosen (self);
  guint index = fb_index_item_get (gtk_list_item_get_item (item));
  if (!context || index >= context->n_pairs)
    return;
  const FbVizRewritePair *pair = &context->rewrites[index];
  const FbVizRewrite *rewrite = fb_trace_compare_rewrite (self, pair, pair->a < 0);
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *places = gtk_widget_get_next_sibling (gtk_widget_get_next_sibling (gtk_widget_get_first_child (box)));
  GtkWidget *name = gtk_widget_get_next_sibling (places), *numbers = gtk_widget_get_next_sibling (name);
  g_autofree char *a = place_text (pair->a), *b = place_text (pair->b);
  g_autofree char *place = g_strdup_printf ("%s → %s", a, b);
  g_autofree char *counts = numbers_text (pair);
  bind_relation (box, pair->relation);
  gtk_label_set_label (GTK_LABEL (places), place);
  set_name (GTK_LABEL (name), rewrite->name ? rewrite->name : rewrite->location);
  gtk_label_set_label (GTK_LABEL (numbers), counts);
  fb_tip_set (box, rewrite->location);
}

static void
list_rewrites (FbTraceCompare *self)
{
  const FbVizContextPair *context = fb_trace_compare_chosen (self);
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; context && i < context->n_pairs; i++)
    if (self->all || context->rewrites[i].relation != FB_VIZ_SAME)
      g_array_append_val (shown, i);
  double scale = fb_text_scale ();
  int left = (int) ((gtk_widget_get_height (GTK_WIDGET (self)) - REST_HEIGHT * scale) / (ROW_HEIGHT * scale));
  guint n = MIN (shown->len, (guint) CLAMP (left, FEWEST_REWRITES, MOST_REWRITES));
  gboolean scrolls = shown->len > n;
  self->filling = TRUE;
  fb_index_model_set_filtered (self->rewrites, shown->len, (guint *) (gpointer) shown->data);
  /* the first that is different */
  guint first = context && context->first < context->n_pairs ? fb_index_model_find (self->rewrites, context->first) : 0;
  gtk_single_selection_set_selected (self->rewrite_selection, first);
  self->filling = FALSE;
  gtk_scrolled_window_set_policy (self->rewrites_window, GTK_POLICY_NEVER,
                                  scrolls ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  gtk_scrolled_window_set_min_content_height (self->rewrites_window, scrolls ? (int) (n * ROW_HEIGHT * scale) + 8 : -1);
  gtk_widget_set_visible (GTK_WIDGET (self->rewrites_window), n > 0);
}

/* --- both --- */

static void
show_head (FbTraceCompare *self)
{
  const FbVizContextPair *context = fb_trace_compare_chosen (self);
  g_autofree char *name = context ? context_name (self->comparison, context) : g_strdup ("");
  g_autofree char *numbers = context ? numbers_text (&context->pair) : g_strdup ("");
  GString *about = g_string_new (context ? word_of (context->pair.relation) : NULL);
  if (context && context->moved)
    g_string_append_printf (about, ", %s", _ ("moved"));
  if (context)
    g_string_append_printf (about, " · %s", numbers);
  set_name (self->name, name);
  gtk_label_set_label (self->about, about->str);
  g_string_free (about, TRUE);
}

static void
rewrite_picked (FbTraceCompare *self)
{
  if (self->filling)
    return;
  fb_trace_compare_choose_graphs (self);
}

static void
row_picked (FbTraceCompare *self)
{
  if (self->filling)
    return;
  list_rewrites (self);
  show_head (self);
  fb_trace_compare_choose_graphs (self);
}

void
fb_trace_compare_list_rows (FbTraceCompare *self)
{
  FbIndexItem *item = gtk_single_selection_get_selected_item (self->row_selection);
  guint kept = item ? fb_index_item_get (item) : 0,
        n = self->comparison ? fb_viz_comparison_n_pairs (self->comparison) : 0;
  g_autoptr (GArray) shown = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < n; i++)
    {
      const FbVizContextPair *pair = fb_viz_comparison_pair (self->comparison, i);
      if (self->all || pair->pair.relation != FB_VIZ_SAME || pair->moved)
        g_array_append_val (shown, i);
    }
  self->filling = TRUE;
  fb_index_model_set_filtered (self->rows, shown->len, (guint *) (gpointer) shown->data);
  guint at = fb_index_model_find (self->rows, kept);
  gtk_single_selection_set_selected (self->row_selection, at == GTK_INVALID_LIST_POSITION ? 0 : at);
  self->filling = FALSE;
  row_picked (self);
}

void
fb_trace_compare_fill_lists (FbTraceCompare *self)
{
  self->rows = fb_index_model_new ();
  self->rewrites = fb_index_model_new ();
  fill_table (self);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up_rewrite), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind_rewrite), self, 0);
  gtk_list_view_set_factory (self->rewrites_list, factory);
  g_object_unref (factory);
  self->rewrite_selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->rewrites)));
  gtk_list_view_set_model (self->rewrites_list, GTK_SELECTION_MODEL (self->rewrite_selection));
  g_signal_connect_object (self->row_selection, "notify::selected-item", G_CALLBACK (row_picked), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rewrite_selection, "notify::selected-item", G_CALLBACK (rewrite_picked), self,
                           G_CONNECT_SWAPPED);
  /* colours of names are others then */
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark", G_CALLBACK (fb_trace_compare_list_rows),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->table, "activate", G_CALLBACK (fb_trace_compare_open_place), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->rewrites_list, "activate", G_CALLBACK (fb_trace_compare_open_place), self,
                           G_CONNECT_SWAPPED);
}
