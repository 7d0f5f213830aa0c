#include "app/breakpoint-set.h"

#include <string.h>

#include "app/document-query.h"

struct _FbBreakpoint
{
  GObject parent_instance;
  char *text;
  FbQuery *query;
  gboolean enabled;
  FbAnswer *answer; /* NULL: the row was not searched yet */
  guint asked, answered;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (FbBreakpoint, fb_breakpoint, G_TYPE_OBJECT)

struct _FbBreakpointSet
{
  GObject parent_instance;
  GPtrArray *breakpoints; /* of FbBreakpoint */
  FbDocument *doc;
};

static guint changed_signal;

/* --- one --- */

static void
stop_asking (FbBreakpoint *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->answered = ++self->asked;
}

static void
fb_breakpoint_finalize (GObject *object)
{
  FbBreakpoint *self = FB_BREAKPOINT (object);
  stop_asking (self);
  g_free (self->text);
  g_clear_pointer (&self->query, fb_query_unref);
  g_clear_pointer (&self->answer, fb_answer_free);
  G_OBJECT_CLASS (fb_breakpoint_parent_class)->finalize (object);
}

static void
fb_breakpoint_class_init (FbBreakpointClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_breakpoint_finalize;
  changed_signal = g_signal_new ("changed", FB_TYPE_BREAKPOINT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fb_breakpoint_init (FbBreakpoint *self)
{
}

const char *
fb_breakpoint_get_text (FbBreakpoint *self)
{
  g_return_val_if_fail (FB_IS_BREAKPOINT (self), "");
  return self->text;
}

gboolean
fb_breakpoint_get_enabled (FbBreakpoint *self)
{
  g_return_val_if_fail (FB_IS_BREAKPOINT (self), FALSE);
  return self->enabled;
}

gboolean
fb_breakpoint_get_n_stops (FbBreakpoint *self, guint *n_stops)
{
  g_return_val_if_fail (FB_IS_BREAKPOINT (self), FALSE);
  *n_stops = self->answer ? self->answer->rows->len : 0;
  return self->answer != NULL;
}

/* --- the set --- */

static GType
get_item_type (GListModel *model)
{
  return FB_TYPE_BREAKPOINT;
}

static guint
get_n_items (GListModel *model)
{
  return FB_BREAKPOINT_SET (model)->breakpoints->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  FbBreakpointSet *self = FB_BREAKPOINT_SET (model);
  return position < self->breakpoints->len ? g_object_ref (g_ptr_array_index (self->breakpoints, position)) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FbBreakpointSet, fb_breakpoint_set, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static FbBreakpoint *
at (FbBreakpointSet *self, guint i)
{
  return g_ptr_array_index (self->breakpoints, i);
}

/* The stops of all that are enabled. */
static void
show_dots (FbBreakpointSet *self)
{
  FbStepMarks *marks = fb_document_get_marks (self->doc);
  g_autoptr (GArray) positions = g_array_new (FALSE, FALSE, sizeof (FbStepPosition));
  for (guint i = 0; i < self->breakpoints->len; i++)
    for (guint k = 0; at (self, i)->enabled && at (self, i)->answer && k < at (self, i)->answer->rows->len; k++)
      {
        const FbHit *hit = &fb_answer_row (at (self, i)->answer, k)->hit;
        FbStepPosition position = { hit->pass, hit->step };
        g_array_append_val (positions, position);
      }
  fb_step_marks_set (marks, FB_STEP_BREAK, positions->len, (const FbStepPosition *) (gpointer) positions->data);
}

typedef struct
{
  FbBreakpointSet *set;
  FbBreakpoint *breakpoint;
  guint number;
} Asking;

static void
answered (GObject *source, GAsyncResult *result, gpointer data)
{
  Asking *asking = data;
  FbBreakpoint *breakpoint = asking->breakpoint;
  FbAnswer *answer = fb_document_ask_finish (FB_DOCUMENT (source), result, NULL);
  if (asking->number == breakpoint->asked && answer)
    {
      breakpoint->answered = breakpoint->asked;
      g_clear_pointer (&breakpoint->answer, fb_answer_free);
      breakpoint->answer = g_steal_pointer (&answer);
      show_dots (asking->set);
      g_signal_emit (breakpoint, changed_signal, 0);
    }
  fb_answer_free (answer);
  g_object_unref (asking->set);
  g_object_unref (breakpoint);
  g_free (asking);
}

static void
ask (FbBreakpointSet *self, FbBreakpoint *breakpoint)
{
  FbRowView *row = fb_document_get_row (self->doc);
  stop_asking (breakpoint);
  g_clear_pointer (&breakpoint->answer, fb_answer_free);
  if (row && row->n_passes && breakpoint->enabled)
    {
      Asking *asking = g_new (Asking, 1);
      *asking = (Asking){ g_object_ref (self), g_object_ref (breakpoint), breakpoint->asked };
      breakpoint->answered--;
      breakpoint->cancellable = g_cancellable_new ();
      fb_document_ask_async (self->doc, breakpoint->query, FB_ASK_STOPS, breakpoint->cancellable, answered, asking);
    }
  g_signal_emit (breakpoint, changed_signal, 0);
}

/* The marks of the row before are gone already. */
static void
row_changed (FbBreakpointSet *self)
{
  for (guint i = 0; i < self->breakpoints->len; i++)
    ask (self, at (self, i));
}

FbBreakpoint *
fb_breakpoint_set_find (FbBreakpointSet *self, const char *text)
{
  g_return_val_if_fail (FB_IS_BREAKPOINT_SET (self) && text, NULL);
  for (guint i = 0; i < self->breakpoints->len; i++)
    if (strcmp (at (self, i)->text, text) == 0)
      return at (self, i);
  return NULL;
}

gboolean
fb_breakpoint_set_add (FbBreakpointSet *self, const char *text, GError **error)
{
  g_return_val_if_fail (FB_IS_BREAKPOINT_SET (self) && text, FALSE);
  g_autofree char *trimmed = g_strstrip (g_strdup (text));
  FbBreakpoint *known = fb_breakpoint_set_find (self, trimmed);
  if (known)
    {
      fb_breakpoint_set_enable (self, known, TRUE);
      return TRUE;
    }
  FbQuery *query = fb_query_new (trimmed, NULL, error);
  if (!query)
    return FALSE;
  FbBreakpoint *breakpoint = g_object_new (FB_TYPE_BREAKPOINT, NULL);
  breakpoint->text = g_steal_pointer (&trimmed);
  breakpoint->query = query;
  breakpoint->enabled = TRUE;
  g_ptr_array_add (self->breakpoints, breakpoint);
  g_list_model_items_changed (G_LIST_MODEL (self), self->breakpoints->len - 1, 0, 1);
  ask (self, breakpoint);
  return TRUE;
}

void
fb_breakpoint_set_remove (FbBreakpointSet *self, FbBreakpoint *breakpoint)
{
  guint position;
  g_return_if_fail (FB_IS_BREAKPOINT_SET (self));
  if (!g_ptr_array_find (self->breakpoints, breakpoint, &position))
    return;
  stop_asking (breakpoint);
  g_ptr_array_remove_index (self->breakpoints, position);
  g_list_model_items_changed (G_LIST_MODEL (self), position, 1, 0);
  show_dots (self);
}

void
fb_breakpoint_set_enable (FbBreakpointSet *self, FbBreakpoint *breakpoint, gboolean enabled)
{
  g_return_if_fail (FB_IS_BREAKPOINT_SET (self) && FB_IS_BREAKPOINT (breakpoint));
  if (breakpoint->enabled == enabled)
    return;
  breakpoint->enabled = enabled;
  if (enabled && !breakpoint->answer)
    ask (self, breakpoint);
  else
    g_signal_emit (breakpoint, changed_signal, 0);
  show_dots (self);
}

guint
fb_breakpoint_set_get_n_enabled (FbBreakpointSet *self)
{
  guint n = 0;
  g_return_val_if_fail (FB_IS_BREAKPOINT_SET (self), 0);
  for (guint i = 0; i < self->breakpoints->len; i++)
    n += at (self, i)->enabled;
  return n;
}

FbBreakpoint *
fb_breakpoint_set_walk (FbBreakpointSet *self, int direction)
{
  FbStepPosition here, there;
  g_return_val_if_fail (FB_IS_BREAKPOINT_SET (self), NULL);
  fb_document_get_position (self->doc, &here.pass, &here.step);
  if (!fb_step_marks_walk (fb_document_get_marks (self->doc), FB_STEP_BREAK, here, direction, &there))
    return NULL;
  for (guint i = 0; i < self->breakpoints->len; i++)
    for (guint k = 0; at (self, i)->enabled && at (self, i)->answer && k < at (self, i)->answer->rows->len; k++)
      {
        const FbHit *hit = &fb_answer_row (at (self, i)->answer, k)->hit;
        if (hit->pass != there.pass || hit->step != there.step)
          continue;
        fb_document_jump_to_life (self->doc, hit->pass, hit->step, hit->life);
        return at (self, i);
      }
  return NULL;
}

gboolean
fb_breakpoint_set_is_settled (FbBreakpointSet *self)
{
  g_return_val_if_fail (FB_IS_BREAKPOINT_SET (self), TRUE);
  for (guint i = 0; i < self->breakpoints->len; i++)
    if (at (self, i)->asked != at (self, i)->answered)
      return FALSE;
  return TRUE;
}

static void
fb_breakpoint_set_dispose (GObject *object)
{
  FbBreakpointSet *self = FB_BREAKPOINT_SET (object);
  g_ptr_array_set_size (self->breakpoints, 0);
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_breakpoint_set_parent_class)->dispose (object);
}

static void
fb_breakpoint_set_finalize (GObject *object)
{
  g_ptr_array_unref (FB_BREAKPOINT_SET (object)->breakpoints);
  G_OBJECT_CLASS (fb_breakpoint_set_parent_class)->finalize (object);
}

static void
fb_breakpoint_set_class_init (FbBreakpointSetClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_breakpoint_set_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_breakpoint_set_finalize;
}

static void
fb_breakpoint_set_init (FbBreakpointSet *self)
{
  self->breakpoints = g_ptr_array_new_with_free_func (g_object_unref);
}

FbBreakpointSet *
fb_breakpoint_set_new (FbDocument *doc)
{
  FbBreakpointSet *self = g_object_new (FB_TYPE_BREAKPOINT_SET, NULL);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_changed), self, G_CONNECT_SWAPPED);
  return self;
}
