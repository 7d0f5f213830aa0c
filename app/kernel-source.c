#include "app/kernel-source.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/gdk-color.h"
#include "app/line-numbers.h"
#include "app/source-highlight.h"
#include "app/tip.h"

/* More would keep the main loop from drawing; the rest stays plain. */
#define MOST_TOKENS 200000
/* Longer texts are cut: what a file holds can be of any length. */
#define MOST_BYTES (8u << 20)

struct _FbKernelSource
{
  GtkWidget parent_instance;
  GtkLabel *name, *renderer, *opts, *lines;
  GtkTextView *view;
  GtkScrolledWindow *scrolled;
  FbLineNumbers *numbers;
  char *text;
  GtkTextTag *tags[FB_N_SOURCE_KINDS];
};

G_DEFINE_FINAL_TYPE (FbKernelSource, fb_kernel_source, GTK_TYPE_WIDGET)

static guint moved_signal;

/* Colour never says it alone: keywords are bold, comments italic, strings and numbers look like what they are. */
static void
set_tags (FbKernelSource *self)
{
  static const FbColor colors[FB_N_SOURCE_KINDS] = {
    [FB_SOURCE_KEYWORD] = FB_COLOR_TEXT,       [FB_SOURCE_TYPE] = FB_COLOR_KIND_ALU,
    [FB_SOURCE_NUMBER] = FB_COLOR_KIND_BUFFER, [FB_SOURCE_STRING] = FB_COLOR_KIND_COPY,
    [FB_SOURCE_COMMENT] = FB_COLOR_DIM,        [FB_SOURCE_DIRECTIVE] = FB_COLOR_KIND_COPY,
  };
  AdwStyleManager *style = adw_style_manager_get_default ();
  gboolean dark = adw_style_manager_get_dark (style), contrast = adw_style_manager_get_high_contrast (style);
  for (guint i = 0; i < FB_N_SOURCE_KINDS; i++)
    {
      GdkRGBA color = fb_gdk_color (contrast ? FB_COLOR_TEXT : colors[i], dark);
      g_object_set (self->tags[i], "foreground-rgba", &color, NULL);
    }
}

static void
highlight (FbKernelSource *self, GtkTextBuffer *buffer, gsize len)
{
  g_autoptr (GArray) tokens = fb_source_tokens_new (self->text, len);
  const char *at = self->text;
  glong offset = 0;
  for (guint i = 0; i < tokens->len && i < MOST_TOKENS; i++)
    {
      const FbSourceToken *token = &g_array_index (tokens, FbSourceToken, i);
      const char *start = self->text + token->start, *end = start + token->len;
      GtkTextIter from, to;
      /* The buffer counts characters. */
      offset += g_utf8_pointer_to_offset (at, start);
      gtk_text_buffer_get_iter_at_offset (buffer, &from, offset);
      offset += g_utf8_pointer_to_offset (start, end);
      gtk_text_buffer_get_iter_at_offset (buffer, &to, offset);
      gtk_text_buffer_apply_tag (buffer, self->tags[token->kind], &from, &to);
      at = end;
    }
}

static void
set_fact (GtkLabel *label, const char *text)
{
  gtk_label_set_label (label, text ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text && *text);
  fb_tip_set (GTK_WIDGET (label), text);
}

void
fb_kernel_source_set_row (FbKernelSource *self, const FbCaptureRow *row)
{
  g_return_if_fail (FB_IS_KERNEL_SOURCE (self));
  fb_kernel_source_set_text (self, row ? row->kernel_name : NULL, row ? row->renderer : NULL,
                             row ? row->applied_opts : NULL, row && row->source ? row->source : "");
}

void
fb_kernel_source_set_text (FbKernelSource *self, const char *name, const char *renderer, const char *opts,
                           const char *source)
{
  g_return_if_fail (FB_IS_KERNEL_SOURCE (self) && source);
  g_autofree char *valid = g_utf8_make_valid (source, MIN (strlen (source), MOST_BYTES));
  if (!g_strcmp0 (valid, self->text))
    source = NULL;
  set_fact (self->name, name);
  set_fact (self->renderer, renderer);
  set_fact (self->opts, opts);
  if (!source)
    return;
  g_free (self->text);
  self->text = g_steal_pointer (&valid);
  gsize len = strlen (self->text);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  gtk_text_buffer_set_text (buffer, self->text, len);
  highlight (self, buffer, len);
  GtkTextIter start;
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scrolled), 0);
  gtk_adjustment_set_value (gtk_scrolled_window_get_hadjustment (self->scrolled), 0);
  guint n = len ? gtk_text_buffer_get_line_count (buffer) : 0;
  g_autofree char *lines = g_strdup_printf (ngettext ("%s line", "%s lines", n), fb_count (n));
  gtk_label_set_label (self->lines, lines);
  fb_line_numbers_refresh (self->numbers);
}

void
fb_kernel_source_show_cursor (FbKernelSource *self)
{
  g_return_if_fail (FB_IS_KERNEL_SOURCE (self));
  gtk_text_view_set_cursor_visible (self->view, TRUE);
}

/* Only where a person moves it: new text puts it at the start. */
static void
cursor_moved (FbKernelSource *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  GtkTextIter at;
  if (!gtk_widget_has_focus (GTK_WIDGET (self->view)))
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  g_signal_emit (self, moved_signal, 0, gtk_text_iter_get_line (&at));
}

gboolean
fb_kernel_source_copy (FbKernelSource *self)
{
  g_return_val_if_fail (FB_IS_KERNEL_SOURCE (self), FALSE);
  if (!self->text || !*self->text)
    return FALSE;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->text);
  return TRUE;
}

static void
fb_kernel_source_dispose (GObject *object)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (fb_kernel_source_parent_class)->dispose (object);
}

static void
fb_kernel_source_finalize (GObject *object)
{
  g_free (FB_KERNEL_SOURCE (object)->text);
  G_OBJECT_CLASS (fb_kernel_source_parent_class)->finalize (object);
}

static void
fb_kernel_source_class_init (FbKernelSourceClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_kernel_source_dispose;
  G_OBJECT_CLASS (klass)->finalize = fb_kernel_source_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, FUSEBOX_RESOURCES "kernel-source.ui");
  moved_signal = g_signal_new ("moved", FB_TYPE_KERNEL_SOURCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               G_TYPE_INT);
#define BIND(name) gtk_widget_class_bind_template_child (widget_class, FbKernelSource, name)
  BIND (name);
  BIND (renderer);
  BIND (opts);
  BIND (lines);
  BIND (view);
  BIND (scrolled);
#undef BIND
}

static void
fb_kernel_source_init (FbKernelSource *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->view);
  for (guint i = 0; i < FB_N_SOURCE_KINDS; i++)
    self->tags[i] = gtk_text_buffer_create_tag (buffer, NULL, NULL);
  g_object_set (self->tags[FB_SOURCE_KEYWORD], "weight", PANGO_WEIGHT_BOLD, NULL);
  g_object_set (self->tags[FB_SOURCE_COMMENT], "style", PANGO_STYLE_ITALIC, NULL);
  set_tags (self);
  g_signal_connect_object (buffer, "notify::cursor-position", G_CALLBACK (cursor_moved), self, G_CONNECT_SWAPPED);
  self->numbers = fb_line_numbers_new (self->view);
  gtk_text_view_set_gutter (self->view, GTK_TEXT_WINDOW_LEFT, GTK_WIDGET (self->numbers));
  AdwStyleManager *style = adw_style_manager_get_default ();
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (set_tags), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (set_tags), self, G_CONNECT_SWAPPED);
}
