/* Cards that are marked besides the selected one. */
#include "app/canvas-private.h"

void
fb_canvas_take_marked (FbCanvas *self)
{
  g_clear_pointer (&self->marked, g_free);
  if (!self->scene || !g_hash_table_size (self->marked_keys))
    return;
  const FbGraph *graph = self->scene->graph;
  self->marked = g_new0 (guint8, MAX (graph->n_nodes, 1));
  for (guint32 i = 0; i < graph->n_nodes; i++)
    {
      const FbGraphNode *node = &graph->nodes[i];
      self->marked[i] = g_hash_table_contains (self->marked_keys, &node->key);
      if (!self->marked[i] && node->was_key && g_hash_table_contains (self->marked_keys, &node->was_key))
        {
          self->marked[i] = TRUE;
          g_hash_table_add (self->marked_keys, g_memdup2 (&node->key, sizeof node->key));
        }
    }
}

void
fb_canvas_mark (FbCanvas *self, guint32 card, gboolean marked)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  if (!self->scene || card >= self->scene->graph->n_nodes)
    return;
  guint64 key = self->scene->graph->nodes[card].key;
  if (marked)
    g_hash_table_add (self->marked_keys, g_memdup2 (&key, sizeof key));
  else
    g_hash_table_remove (self->marked_keys, &key);
  fb_canvas_take_marked (self);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "marked");
}

gboolean
fb_canvas_is_marked (FbCanvas *self, guint32 card)
{
  g_return_val_if_fail (FB_IS_CANVAS (self), FALSE);
  return self->marked && self->scene && card < self->scene->graph->n_nodes && self->marked[card];
}

gboolean
fb_canvas_has_marks (FbCanvas *self)
{
  g_return_val_if_fail (FB_IS_CANVAS (self), FALSE);
  return g_hash_table_size (self->marked_keys) > 0;
}

void
fb_canvas_unmark_all (FbCanvas *self)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  if (!g_hash_table_size (self->marked_keys))
    return;
  g_hash_table_remove_all (self->marked_keys);
  g_clear_pointer (&self->marked, g_free);
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit_by_name (self, "marked");
}

void
fb_canvas_get_chosen (FbCanvas *self, GArray *cards)
{
  g_return_if_fail (FB_IS_CANVAS (self));
  for (guint32 i = 0; self->scene && i < self->scene->graph->n_nodes; i++)
    if (i == self->selected || (self->marked && self->marked[i]))
      g_array_append_val (cards, i);
}
