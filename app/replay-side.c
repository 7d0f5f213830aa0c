#include "app/replay-side.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"
#include "app/mark-counts.h"

struct _FbReplaySide
{
  GtkWidget parent_instance;

  GtkLabel *word, *kernel, *position, *none;
  GtkWidget *several, *previous, *next;
  GtkStack *stack;
  FbCanvas *canvas;
  FbMarkCounts *counts;

  guint n, shown;
};

G_DEFINE_FINAL_TYPE (FbReplaySide, fb_replay_side, GTK_TYPE_WIDGET)

static guint kernel_picked_signal, node_picked_signal;

void
fb_replay_side_set_words (FbReplaySide *self, const char *word, const char *none)
{
  g_return_if_fail (FB_IS_REPLAY_SIDE (self));
  gtk_label_set_label (self->word, word);
  gtk_label_set_label (self->none, none);
}

void
fb_replay_side_set_kernels (FbReplaySide *self, const guint *kernels, guint n, guint shown)
{
  g_return_if_fail (FB_IS_REPLAY_SIDE (self) && (!n || shown < n));
  self->n = n;
  self->shown = shown;
  g_autofree char *kernel = n ? g_strdup_printf (_ ("kernel %s"), fb_count (kernels[shown] + 1)) : g_strdup ("");
  /* Translators: the second of three kernels */
  g_autofree char *position = g_strdup_printf (_ ("%s of %s"), fb_count (shown + 1), fb_count (n));
  gtk_label_set_label (self->kernel, kernel);
  gtk_label_set_label (self->position, position);
  gtk_widget_set_visible (self->several, n > 1);
  gtk_widget_set_sensitive (self->previous, shown > 0);
  gtk_widget_set_sensitive (self->next, shown + 1 < n);
  gtk_stack_set_visible_child_name (self->stack, n ? "graph" : "none");
}

void
fb_replay_side_set_title (FbReplaySide *self, const char *title, gboolean there)
{
  g_return_if_fail (FB_IS_REPLAY_SIDE (self) && title);
  self->n = self->shown = 0;
  gtk_label_set_label (self->kernel, title);
  gtk_widget_set_visible (self->several, FALSE);
  gtk_stack_set_visible_child_name (self->stack, there ? "graph" : "none");
}

void
fb_replay_side_set_scene (FbReplaySide *self, FbScene *scene)
{
  g_return_if_fail (FB_IS_REPLAY_SIDE (self));
  fb_mark_counts_set_graph (self->counts, scene ? scene->graph : NULL);
  fb_canvas_set_scene (self->canvas, scene);
}

FbCanvas *
fb_replay_side_get_canvas (FbReplaySide *self)
{
  g_return_val_if_fail (FB_IS_REPLAY_SIDE (self), NULL);
  return self->canvas;
}

static void
previous_clicked (FbReplaySide *self)
{
  if (self->shown > 0)
    g_signal_emit (self, kernel_picked_signal, 0, self->shown - 1);
}

static void
next_clicked (FbReplaySide *self)
{
  if (self->shown + 1 < self->n)
    g_signal_emit (self, kernel_picked_signal, 0, self->shown + 1);
}

static void
node_picked (FbReplaySide *self, FbUop *uop)
{
  g_signal_emit (self, node_picked_signal, 0, uop);
}

static void
fb_replay_side_dispose (GObject *object)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (fb_replay_side_parent_class)->dispose (object);
}

static void
fb_replay_side_class_init (FbReplaySideClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_replay_side_dispose;
  g_type_ensure (FB_TYPE_CANVAS);
  g_type_ensure (FB_TYPE_MARK_COUNTS);
  kernel_picked_signal = g_signal_new ("kernel-picked", FB_TYPE_REPLAY_SIDE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_UINT);
  node_picked_signal = g_signal_new ("node-picked", FB_TYPE_REPLAY_SIDE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, G_TYPE_POINTER);
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "replay-side.ui");
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, FbReplaySide, name)
  BIND (word);
  BIND (kernel);
  BIND (position);
  BIND (none);
  BIND (several);
  BIND (previous);
  BIND (next);
  BIND (stack);
  BIND (canvas);
  BIND (counts);
#undef BIND
}

static void
fb_replay_side_init (FbReplaySide *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fb_canvas_add_floating (self->canvas, GTK_WIDGET (self->counts));
  g_signal_connect_object (self->previous, "clicked", G_CALLBACK (previous_clicked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->next, "clicked", G_CALLBACK (next_clicked), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->canvas, "picked", G_CALLBACK (node_picked), self, G_CONNECT_SWAPPED);
  gtk_widget_set_visible (self->several, FALSE);
}
