#include "app/search-panel.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/document-query.h"
#include "app/index-model.h"
#include "app/search-row.h"

/* Rows are written between frames, so many at a time. */
#define SLICE 16

struct _FbSearchPanel
{
  GtkWidget parent_instance;
  GtkWidget *box, *scrolled;
  GtkSearchEntry *entry;
  GtkLabel *count, *message;
  GtkListView *list;

  FbDocument *doc;
  FbIndexModel *hits; /* rows of the answer */
  GtkSingleSelection *selection;
  FbAnswer *answer; /* NULL: none yet */
  guint current;    /* hit gone to last, from 1 */
  int walk_later;   /* once there is an answer */
  gboolean all_steps;
  char *text;            /* asked about last; NULL: nothing */
  guint asked, answered; /* questions, counted */
  guint scroll_source, write_source;
  GHashTable *unwritten; /* rows made for other hits since: GtkWidget -> number of its hit */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (FbSearchPanel, fb_search_panel, GTK_TYPE_WIDGET)

enum
{
  CLOSED,
  PICKED,
  MISSED,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

static guint
n_hits (FbSearchPanel *self)
{
  return self->answer ? self->answer->rows->len : 0;
}

/* --- rows --- */

static void
set_up (GtkListItemFactory *factory, GtkListItem *item)
{
  gtk_list_item_set_child (item, fb_search_row_new ());
}

/* Those around the hit that was gone to are seen first. */
static guint
distance_of (FbSearchPanel *self, guint number)
{
  guint here = self->current ? self->current - 1 : 0;
  return number > here ? number - here : here - number;
}

static gboolean
write_rows (gpointer data)
{
  FbSearchPanel *self = data;
  GHashTableIter iter;
  gpointer row, number;
  guint furthest = 0;
  /* the nearest ones: those within a distance that so many have */
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (guint));
  g_hash_table_iter_init (&iter, self->unwritten);
  while (g_hash_table_iter_next (&iter, NULL, &number))
    {
      guint distance = distance_of (self, GPOINTER_TO_UINT (number));
      guint i = distances->len;
      while (i > 0 && g_array_index (distances, guint, i - 1) > distance)
        i--;
      if (i < SLICE)
        g_array_insert_val (distances, i, distance);
      if (distances->len > SLICE)
        g_array_set_size (distances, SLICE);
    }
  if (distances->len)
    furthest = g_array_index (distances, guint, distances->len - 1);
  g_hash_table_iter_init (&iter, self->unwritten);
  while (g_hash_table_iter_next (&iter, &row, &number))
    {
      if (distance_of (self, GPOINTER_TO_UINT (number)) > furthest)
        continue;
      if (GPOINTER_TO_UINT (number) < n_hits (self))
        fb_search_row_show (row, fb_document_get_row (self->doc), self->answer->scope,
                            fb_answer_row (self->answer, GPOINTER_TO_UINT (number)));
      g_hash_table_iter_remove (&iter);
    }
  if (g_hash_table_size (self->unwritten))
    return G_SOURCE_CONTINUE;
  self->write_source = 0;
  return G_SOURCE_REMOVE;
}

/* A list binds two hundred rows at once when it goes to a place far away, of which few are seen. */
static void
bind (GtkListItemFactory *factory, GtkListItem *item, FbSearchPanel *self)
{
  guint number = fb_index_item_get (gtk_list_item_get_item (item));
  fb_search_row_clear (gtk_list_item_get_child (item));
  g_hash_table_insert (self->unwritten, gtk_list_item_get_child (item), GUINT_TO_POINTER (number));
  if (!self->write_source)
    self->write_source = g_idle_add_full (GTK_PRIORITY_RESIZE - 1, write_rows, self, NULL);
}

static void
unbind (GtkListItemFactory *factory, GtkListItem *item, FbSearchPanel *self)
{
  g_hash_table_remove (self->unwritten, gtk_list_item_get_child (item));
}

/* --- what is shown --- */

static void
show_message (FbSearchPanel *self, const char *text, gboolean wrong)
{
  gtk_label_set_label (self->message, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), text != NULL);
  if (wrong)
    {
      gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
      gtk_widget_add_css_class (GTK_WIDGET (self->message), "fb-removed");
    }
  else
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
      gtk_widget_remove_css_class (GTK_WIDGET (self->message), "fb-removed");
    }
}

static void
show_count (FbSearchPanel *self)
{
  g_autofree char *n = g_strdup (fb_count (n_hits (self))), *text = NULL;
  if (!self->answer)
    text = g_strdup ("");
  else if (self->current)
    /* Translators: number of a hit, of how many */
    text = g_strdup_printf (_ ("%s of %s"), fb_count (self->current), n);
  else
    text = g_strdup_printf (ngettext ("%s hit", "%s hits", n_hits (self)), n);
  gtk_label_set_label (self->count, text);
}

/* A list scrolls only to rows that it has given places to. */
static gboolean
scroll (gpointer data)
{
  FbSearchPanel *self = data;
  self->scroll_source = 0;
  if (self->current)
    gtk_widget_activate_action (GTK_WIDGET (self->list), "list.scroll-to-item", "u", self->current - 1);
  return G_SOURCE_REMOVE;
}

/* The row of the hit that was gone to, once it is there. */
static void
show_current (FbSearchPanel *self)
{
  if (!self->current || self->current > g_list_model_get_n_items (G_LIST_MODEL (self->hits)))
    return;
  gtk_single_selection_set_selected (self->selection, self->current - 1);
  if (!self->scroll_source)
    self->scroll_source = g_idle_add_full (GTK_PRIORITY_RESIZE + 15, scroll, self, NULL);
}

/* More rows have come by themselves. */
static void
rows_came (FbSearchPanel *self)
{
  if (self->current && gtk_single_selection_get_selected (self->selection) != self->current - 1)
    show_current (self);
}

/* Those of all steps have places in the scrubber. */
static void
show_ticks (FbSearchPanel *self)
{
  FbStepMarks *marks = fb_document_get_marks (self->doc);
  if (!self->answer || self->answer->scope != FB_ASK_ALL || !fb_search_panel_is_open (self))
    {
      fb_step_marks_clear (marks, FB_STEP_HIT);
      return;
    }
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (FbStepPosition));
  for (guint i = 0; i < n_hits (self); i++)
    {
      const FbHit *hit = &fb_answer_row (self->answer, i)->hit;
      FbStepPosition position = { hit->pass, hit->step };
      if (!i || !fb_step_position_equal (position, g_array_index (positions, FbStepPosition, positions->len - 1)))
        g_array_append_val (positions, position);
    }
  fb_step_marks_set (marks, FB_STEP_HIT, positions->len, (const FbStepPosition *) (gpointer) positions->data);
}

static void
take_answer (FbSearchPanel *self, FbAnswer *answer)
{
  fb_index_model_set_size (self->hits, 0);
  g_clear_pointer (&self->answer, fb_answer_free);
  self->answer = answer;
  self->current = 0;
  fb_index_model_set_size (self->hits, n_hits (self));
  gtk_widget_set_visible (self->scrolled, n_hits (self) > 0);
  show_count (self);
  show_ticks (self);
}

/* --- asking --- */

static void
forget (FbSearchPanel *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->answered = self->asked;
  self->walk_later = 0;
  take_answer (self, NULL);
}

typedef struct
{
  FbSearchPanel *panel;
  guint number;
} Asking;

static void
answered (GObject *source, GAsyncResult *result, gpointer data)
{
  Asking *asking = data;
  FbSearchPanel *self = asking->panel;
  FbAnswer *answer = fb_document_ask_finish (FB_DOCUMENT (source), result, NULL);
  if (asking->number != self->asked || !self->doc)
    g_clear_pointer (&answer, fb_answer_free);
  else
    {
      self->answered = self->asked;
      int walk = self->walk_later;
      self->walk_later = 0;
      if (answer)
        {
          take_answer (self, answer);
          show_message (self,
                        n_hits (self)     ? NULL
                        : self->all_steps ? _ ("No step matches")
                                          : _ ("No node matches"),
                        FALSE);
          if (walk)
            fb_search_panel_walk (self, walk);
        }
    }
  g_object_unref (self);
  g_free (asking);
}

static void
ask (FbSearchPanel *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  g_autoptr (GError) error = NULL;
  gsize position = 0;
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->answered = ++self->asked;
  g_free (self->text);
  self->text = g_strdup (text);
  FbRowView *row = fb_document_get_row (self->doc);
  FbAskScope scope = self->all_steps && row && row->n_passes ? FB_ASK_ALL : FB_ASK_GRAPH;
  if (!*text || !row || !fb_search_panel_is_open (self) || (scope == FB_ASK_GRAPH && !fb_document_get_view (self->doc)))
    {
      take_answer (self, NULL);
      show_message (self, NULL, FALSE);
      return;
    }
  g_autoptr (FbQuery) query = fb_query_new (text, &position, &error);
  if (!query)
    {
      take_answer (self, NULL);
      g_autofree char *before = g_strndup (text, position);
      /* Translators: number of a character in what was typed, what is wrong there */
      g_autofree char *message
          = g_strdup_printf (_ ("Character %ld: %s"), g_utf8_strlen (before, -1) + 1, error->message);
      show_message (self, message, TRUE);
      return;
    }
  Asking *asking = g_new (Asking, 1);
  *asking = (Asking){ g_object_ref (self), self->asked };
  self->answered--;
  self->cancellable = g_cancellable_new ();
  fb_document_ask_async (self->doc, query, scope, self->cancellable, answered, asking);
}

/* The entry tells of changes a little later, also of those that were not typed. */
static void
entry_changed (FbSearchPanel *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  if (g_strcmp0 (text, self->text) != 0)
    ask (self);
}

/* --- walking --- */

static void
go_to (FbSearchPanel *self, guint number)
{
  const FbAnswerRow *row = fb_answer_row (self->answer, number);
  self->current = number + 1;
  show_current (self);
  show_count (self);
  if (self->answer->scope == FB_ASK_GRAPH)
    fb_document_select (self->doc, row->hit.uop);
  else
    fb_document_jump_to_life (self->doc, row->hit.pass, row->hit.step, row->hit.life);
  g_signal_emit (self, signals[PICKED], 0);
}

/* The hit to go to first: where we are, or beyond. */
static guint
first_from_here (FbSearchPanel *self, int direction)
{
  FbStepPosition here, there;
  guint n = n_hits (self), i = 0;
  if (self->answer->scope == FB_ASK_GRAPH)
    return direction > 0 ? 0 : n - 1;
  fb_document_get_position (self->doc, &here.pass, &here.step);
  for (; i < n; i++)
    {
      const FbHit *hit = &fb_answer_row (self->answer, i)->hit;
      there = (FbStepPosition){ hit->pass, hit->step };
      if (fb_step_position_compare (&there, &here) >= (direction > 0 ? 0 : 1))
        break;
    }
  return direction > 0 ? i % n : (i + n - 1) % n;
}

void
fb_search_panel_walk (FbSearchPanel *self, int direction)
{
  g_return_if_fail (FB_IS_SEARCH_PANEL (self));
  guint n = n_hits (self);
  if (!fb_search_panel_is_settled (self))
    self->walk_later = direction;
  else if (!n)
    g_signal_emit (self, signals[MISSED], 0);
  else if (!self->current)
    go_to (self, first_from_here (self, direction));
  else
    go_to (self, (self->current - 1 + n + (guint) direction) % n);
}

static void
row_activated (FbSearchPanel *self, guint position)
{
  if (position < n_hits (self))
    go_to (self, position);
}

/* What was typed last may still wait for more. */
static void
entry_activated (FbSearchPanel *self)
{
  entry_changed (self);
  fb_search_panel_walk (self, 1);
}

static gboolean
entry_key (GtkEventControllerKey *controller, guint keyval, guint code, GdkModifierType state, FbSearchPanel *self)
{
  gboolean enter = keyval == GDK_KEY_Return || keyval == GDK_KEY_KP_Enter || keyval == GDK_KEY_ISO_Enter;
  if (enter && state & GDK_SHIFT_MASK)
    fb_search_panel_walk (self, -1);
  else if ((keyval == GDK_KEY_Down || keyval == GDK_KEY_KP_Down) && n_hits (self))
    return gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

static void
next_match (FbSearchPanel *self)
{
  fb_search_panel_walk (self, 1);
}

static void
previous_match (FbSearchPanel *self)
{
  fb_search_panel_walk (self, -1);
}

/* --- open and closed --- */

gboolean
fb_search_panel_is_open (FbSearchPanel *self)
{
  g_return_val_if_fail (FB_IS_SEARCH_PANEL (self), FALSE);
  return gtk_widget_get_visible (GTK_WIDGET (self));
}

void
fb_search_panel_open (FbSearchPanel *self)
{
  g_return_if_fail (FB_IS_SEARCH_PANEL (self));
  gboolean was_open = fb_search_panel_is_open (self);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
  if (!was_open)
    ask (self);
}

void
fb_search_panel_close (FbSearchPanel *self)
{
  g_return_if_fail (FB_IS_SEARCH_PANEL (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  forget (self);
  show_message (self, NULL, FALSE);
  g_signal_emit (self, signals[CLOSED], 0);
}

void
fb_search_panel_set_all_steps (FbSearchPanel *self, gboolean all_steps)
{
  g_return_if_fail (FB_IS_SEARCH_PANEL (self));
  if (self->all_steps == all_steps)
    return;
  self->all_steps = all_steps;
  ask (self);
}

void
fb_search_panel_search (FbSearchPanel *self, const char *text, gboolean all_steps)
{
  g_return_if_fail (FB_IS_SEARCH_PANEL (self) && text);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  self->all_steps = all_steps;
  gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  ask (self);
}

guint
fb_search_panel_get_n_hits (FbSearchPanel *self)
{
  g_return_val_if_fail (FB_IS_SEARCH_PANEL (self), 0);
  return n_hits (self);
}

guint
fb_search_panel_get_current (FbSearchPanel *self)
{
  g_return_val_if_fail (FB_IS_SEARCH_PANEL (self), 0);
  return self->current;
}

gboolean
fb_search_panel_is_settled (FbSearchPanel *self)
{
  g_return_val_if_fail (FB_IS_SEARCH_PANEL (self), TRUE);
  return self->asked == self->answered;
}

/* --- the document --- */

static void
row_changed (FbSearchPanel *self)
{
  forget (self);
  if (fb_search_panel_is_open (self))
    ask (self);
}

/* Another graph: its nodes are others. */
static void
step_shown (FbSearchPanel *self)
{
  gboolean of_graph = !self->answer || self->answer->scope == FB_ASK_GRAPH;
  if (fb_search_panel_is_open (self) && of_graph && fb_search_panel_is_settled (self))
    ask (self);
}

void
fb_search_panel_set_document (FbSearchPanel *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_SEARCH_PANEL (self) && FB_IS_DOCUMENT (doc) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "step-shown", G_CALLBACK (step_shown), self, G_CONNECT_SWAPPED);
}

static void
fb_search_panel_dispose (GObject *object)
{
  FbSearchPanel *self = FB_SEARCH_PANEL (object);
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->asked++;
  g_clear_handle_id (&self->scroll_source, g_source_remove);
  g_clear_handle_id (&self->write_source, g_source_remove);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_pointer (&self->unwritten, g_hash_table_unref);
  g_clear_object (&self->selection);
  g_clear_object (&self->hits);
  g_clear_pointer (&self->answer, fb_answer_free);
  g_clear_pointer (&self->text, g_free);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_search_panel_parent_class)->dispose (object);
}

static void
fb_search_panel_class_init (FbSearchPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_search_panel_dispose;
  static const char *const names[N_SIGNALS] = { "closed", "picked", "missed" };
  for (guint i = 0; i < N_SIGNALS; i++)
    signals[i] = g_signal_new (names[i], FB_TYPE_SEARCH_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_g, GDK_ALT_MASK, "win.search-scope", "s", "graph");
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_a, GDK_ALT_MASK, "win.search-scope", "s", "all");
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "search-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, FbSearchPanel, box);
  gtk_widget_class_bind_template_child (widget_class, FbSearchPanel, entry);
  gtk_widget_class_bind_template_child (widget_class, FbSearchPanel, count);
  gtk_widget_class_bind_template_child (widget_class, FbSearchPanel, message);
  gtk_widget_class_bind_template_child (widget_class, FbSearchPanel, scrolled);
  gtk_widget_class_bind_template_child (widget_class, FbSearchPanel, list);
}

static void
fb_search_panel_init (FbSearchPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->all_steps = TRUE;
  self->unwritten = g_hash_table_new (NULL, NULL);
  self->hits = fb_index_model_new ();
  fb_index_model_set_gradual (self->hits);
  self->selection = gtk_single_selection_new (g_object_ref (G_LIST_MODEL (self->hits)));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  gtk_single_selection_set_can_unselect (self->selection, TRUE);
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_signal_connect (factory, "setup", G_CALLBACK (set_up), NULL);
  g_signal_connect_object (factory, "bind", G_CALLBACK (bind), self, 0);
  g_signal_connect_object (factory, "unbind", G_CALLBACK (unbind), self, 0);
  gtk_list_view_set_factory (self->list, factory);
  gtk_list_view_set_model (self->list, GTK_SELECTION_MODEL (self->selection));
  /* after the selection has heard of it */
  g_signal_connect_object (self->hits, "items-changed", G_CALLBACK (rows_came), self, G_CONNECT_SWAPPED);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Hits"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Search"), -1);
  g_signal_connect_object (self->list, "activate", G_CALLBACK (row_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "search-changed", G_CALLBACK (entry_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "activate", G_CALLBACK (entry_activated), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "next-match", G_CALLBACK (next_match), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "previous-match", G_CALLBACK (previous_match), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "stop-search", G_CALLBACK (fb_search_panel_close), self, G_CONNECT_SWAPPED);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_object (keys, "key-pressed", G_CALLBACK (entry_key), self, 0);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), keys);
}
