#include "app/step-marks.h"

typedef struct
{
  FbStepPosition position;
  char *label; /* may be NULL */
} Mark;

struct _FbStepMarks
{
  GObject parent_instance;
  GArray *kinds[FB_N_STEP_MARK_KINDS]; /* of Mark, sorted by position */
};

G_DEFINE_FINAL_TYPE (FbStepMarks, fb_step_marks, G_TYPE_OBJECT)

static guint changed_signal;

static void
clear_mark (gpointer data)
{
  g_free (((Mark *) data)->label);
}

static GArray *
new_list (void)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (Mark));
  g_array_set_clear_func (list, clear_mark);
  return list;
}

static int
compare_marks (gconstpointer a, gconstpointer b)
{
  return fb_step_position_compare (&((const Mark *) a)->position, &((const Mark *) b)->position);
}

static void
emit_changed (FbStepMarks *self, FbStepMarkKind kind)
{
  g_signal_emit (self, changed_signal, 0, kind);
}

guint
fb_step_marks_find (FbStepMarks *self, FbStepMarkKind kind, FbStepPosition position)
{
  g_return_val_if_fail (FB_IS_STEP_MARKS (self) && kind < FB_N_STEP_MARK_KINDS, 0);
  const GArray *list = self->kinds[kind];
  guint low = 0, high = list->len;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (fb_step_position_compare (&g_array_index (list, Mark, middle).position, &position) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

gboolean
fb_step_marks_has (FbStepMarks *self, FbStepMarkKind kind, FbStepPosition position)
{
  guint i = fb_step_marks_find (self, kind, position);
  return i < fb_step_marks_get_n (self, kind)
         && fb_step_position_equal (fb_step_marks_get (self, kind, i, NULL), position);
}

void
fb_step_marks_add (FbStepMarks *self, FbStepMarkKind kind, FbStepPosition position, const char *label)
{
  g_return_if_fail (FB_IS_STEP_MARKS (self) && kind < FB_N_STEP_MARK_KINDS);
  GArray *list = self->kinds[kind];
  guint i = fb_step_marks_find (self, kind, position);
  Mark mark = { position, g_strdup (label) };
  if (fb_step_marks_has (self, kind, position))
    g_array_remove_index (list, i);
  g_array_insert_val (list, i, mark);
  emit_changed (self, kind);
}

gboolean
fb_step_marks_remove (FbStepMarks *self, FbStepMarkKind kind, FbStepPosition position)
{
  g_return_val_if_fail (FB_IS_STEP_MARKS (self) && kind < FB_N_STEP_MARK_KINDS, FALSE);
  if (!fb_step_marks_has (self, kind, position))
    return FALSE;
  g_array_remove_index (self->kinds[kind], fb_step_marks_find (self, kind, position));
  emit_changed (self, kind);
  return TRUE;
}

/* Sorts @list and keeps one mark a place, the first with a label if there is one. */
static void
tidy (GArray *list)
{
  guint kept = 0;
  g_array_sort (list, compare_marks);
  for (guint i = 0; i < list->len; i++)
    {
      Mark *mark = &g_array_index (list, Mark, i);
      Mark *last = kept ? &g_array_index (list, Mark, kept - 1) : NULL;
      if (last && fb_step_position_equal (last->position, mark->position))
        {
          if (!last->label)
            last->label = g_steal_pointer (&mark->label);
          continue;
        }
      if (kept != i)
        {
          g_array_index (list, Mark, kept) = *mark;
          mark->label = NULL;
        }
      kept++;
    }
  g_array_set_size (list, kept);
}

void
fb_step_marks_append (FbStepMarks *self, FbStepMarkKind kind, guint n, const FbStepPosition *positions)
{
  g_return_if_fail (FB_IS_STEP_MARKS (self) && kind < FB_N_STEP_MARK_KINDS && (positions || !n));
  if (!n)
    return;
  for (guint i = 0; i < n; i++)
    {
      Mark mark = { positions[i], NULL };
      g_array_append_val (self->kinds[kind], mark);
    }
  tidy (self->kinds[kind]);
  emit_changed (self, kind);
}

void
fb_step_marks_set (FbStepMarks *self, FbStepMarkKind kind, guint n, const FbStepPosition *positions)
{
  g_return_if_fail (FB_IS_STEP_MARKS (self) && kind < FB_N_STEP_MARK_KINDS && (positions || !n));
  if (!n)
    {
      fb_step_marks_clear (self, kind);
      return;
    }
  g_array_set_size (self->kinds[kind], 0);
  fb_step_marks_append (self, kind, n, positions);
}

void
fb_step_marks_clear (FbStepMarks *self, FbStepMarkKind kind)
{
  g_return_if_fail (FB_IS_STEP_MARKS (self) && kind < FB_N_STEP_MARK_KINDS);
  if (!self->kinds[kind]->len)
    return;
  g_array_set_size (self->kinds[kind], 0);
  emit_changed (self, kind);
}

void
fb_step_marks_clear_all (FbStepMarks *self)
{
  for (guint kind = 0; kind < FB_N_STEP_MARK_KINDS; kind++)
    fb_step_marks_clear (self, kind);
}

guint
fb_step_marks_get_n (FbStepMarks *self, FbStepMarkKind kind)
{
  g_return_val_if_fail (FB_IS_STEP_MARKS (self) && kind < FB_N_STEP_MARK_KINDS, 0);
  return self->kinds[kind]->len;
}

FbStepPosition
fb_step_marks_get (FbStepMarks *self, FbStepMarkKind kind, guint i, const char **label)
{
  g_return_val_if_fail (FB_IS_STEP_MARKS (self) && i < fb_step_marks_get_n (self, kind), ((FbStepPosition){ 0, 0 }));
  const Mark *mark = &g_array_index (self->kinds[kind], Mark, i);
  if (label)
    *label = mark->label;
  return mark->position;
}

gboolean
fb_step_marks_walk (FbStepMarks *self, FbStepMarkKind kind, FbStepPosition position, int direction,
                    FbStepPosition *found)
{
  guint i = fb_step_marks_find (self, kind, position), n = fb_step_marks_get_n (self, kind);
  if (direction > 0 && fb_step_marks_has (self, kind, position))
    i++;
  if (direction > 0 ? i >= n : i == 0)
    return FALSE;
  *found = fb_step_marks_get (self, kind, direction > 0 ? i : i - 1, NULL);
  return TRUE;
}

static void
fb_step_marks_finalize (GObject *object)
{
  for (guint kind = 0; kind < FB_N_STEP_MARK_KINDS; kind++)
    g_array_unref (FB_STEP_MARKS (object)->kinds[kind]);
  G_OBJECT_CLASS (fb_step_marks_parent_class)->finalize (object);
}

static void
fb_step_marks_class_init (FbStepMarksClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_step_marks_finalize;
  changed_signal = g_signal_new ("changed", FB_TYPE_STEP_MARKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                 G_TYPE_UINT);
}

static void
fb_step_marks_init (FbStepMarks *self)
{
  for (guint kind = 0; kind < FB_N_STEP_MARK_KINDS; kind++)
    self->kinds[kind] = new_list ();
}

FbStepMarks *
fb_step_marks_new (void)
{
  return g_object_new (FB_TYPE_STEP_MARKS, NULL);
}
