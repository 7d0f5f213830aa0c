#include "app/search-panel-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/document-query.h"

G_DEFINE_FINAL_TYPE (FbSearchPanel, fb_search_panel, GTK_TYPE_WIDGET)

guint fb_search_panel_signals[FB_SEARCH_N_SIGNALS];

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

void
fb_search_panel_show_count (FbSearchPanel *self)
{
  g_autofree char *n = g_strdup (fb_count (fb_search_panel_get_n_hits (self))), *text = NULL;
  if (!self->answer)
    text = g_strdup ("");
  else if (self->current)
    /* Translators: number of a hit, of how many */
    text = g_strdup_printf (_ ("%s of %s"), fb_count (self->current), n);
  else
    text = g_strdup_printf (ngettext ("%s hit", "%s hits", fb_search_panel_get_n_hits (self)), n);
  gtk_label_set_label (self->count, text);
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
  for (guint i = 0; i < fb_search_panel_get_n_hits (self); i++)
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
  g_clear_pointer (&self->answer, fb_answer_free);
  self->answer = answer;
  self->current = 0;
  if (answer)
    fb_index_model_set_size (self->hits, fb_search_panel_get_n_hits (self));
  else
    fb_index_model_drain (self->hits);
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  gtk_widget_set_visible (self->scrolled, fb_search_panel_get_n_hits (self) > 0);
  fb_search_panel_show_count (self);
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
                        fb_search_panel_get_n_hits (self) ? NULL
                        : self->all_steps                 ? _ ("No step matches")
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
void
fb_search_panel_text_changed (FbSearchPanel *self)
{
  g_autofree char *text = g_strstrip (g_strdup (gtk_editable_get_text (GTK_EDITABLE (self->entry))));
  if (g_strcmp0 (text, self->text) != 0)
    ask (self);
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
  g_signal_emit (self, fb_search_panel_signals[FB_SEARCH_CLOSED], 0);
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
  return self->answer ? self->answer->rows->len : 0;
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
  g_clear_pointer (&self->box, gtk_widget_unparent);
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
  static const char *const names[FB_SEARCH_N_SIGNALS] = { "closed", "picked", "missed" };
  for (guint i = 0; i < FB_SEARCH_N_SIGNALS; i++)
    fb_search_panel_signals[i]
        = g_signal_new (names[i], FB_TYPE_SEARCH_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
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
  fb_search_panel_init_list (self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Hits"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Search"), -1);
  g_signal_connect_object (self->entry, "search-changed", G_CALLBACK (fb_search_panel_text_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->entry, "stop-search", G_CALLBACK (fb_search_panel_close), self, G_CONNECT_SWAPPED);
  fb_search_panel_init_walking (self);
}
