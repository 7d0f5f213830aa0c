#include "app/kernel-panel.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/section.h"

struct _FbKernelPanel
{
  GtkWidget parent_instance;
  GtkBox *page;
};

G_DEFINE_FINAL_TYPE (FbKernelPanel, fb_kernel_panel, GTK_TYPE_WIDGET)

/* Caption above value: the panel is too narrow for two columns. */
static void
add_fact (GtkBox *section, const char *caption, const char *value, gboolean code)
{
  GtkWidget *label = fb_label_new (value, code ? "fb-code" : "fb-number", NULL);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_widget_set_focusable (label, FALSE);
  fb_label_never_hyphenate (GTK_LABEL (label));
  GtkWidget *fact = gtk_box_new (GTK_ORIENTATION_VERTICAL, 1);
  gtk_box_append (GTK_BOX (fact), fb_label_new (caption, "fb-caption", "fb-dim"));
  gtk_box_append (GTK_BOX (fact), label);
  gtk_box_append (section, fact);
}

/* "[Opt(op=OptOps.UPCAST, axis=0, arg=4), Opt(…)]" as lines "UPCAST, axis 0, arg 4"; what has another form stays as it is. */
static char *
opts_text (const char *opts)
{
  GString *text = g_string_new (NULL);
  const char *at = opts;
  while ((at = strstr (at, "Opt(op=OptOps.")))
    {
      at += strlen ("Opt(op=OptOps.");
      const char *end = strchr (at, ')');
      if (!end)
        break;
      g_autofree char *opt = g_strndup (at, end - at);
      g_auto (GStrv) parts = g_strsplit (opt, "=", -1);
      g_autofree char *words = g_strjoinv (" ", parts);
      g_string_append_printf (text, "%s%s", text->len ? "\n" : "", words);
      at = end;
    }
  if (!text->len)
    g_string_append (text, g_strcmp0 (opts, "[]") ? opts : _ ("none"));
  return g_string_free (text, FALSE);
}

void
fb_kernel_panel_set_row (FbKernelPanel *self, const FbRowView *row)
{
  g_return_if_fail (FB_IS_KERNEL_PANEL (self) && row);
  const FbCaptureRow *captured = row->row;
  fb_box_clear (self->page);
  GtkBox *section = fb_section_add (self->page);
  fb_section_add_title (section, _ ("Kernel"), NULL);
  if (captured->kernel_name)
    add_fact (section, _ ("Name"), captured->kernel_name, TRUE);
  if (captured->renderer)
    add_fact (section, _ ("Renderer"), captured->renderer, TRUE);
  if (captured->applied_opts)
    {
      g_autofree char *opts = opts_text (captured->applied_opts);
      add_fact (section, _ ("Applied opts"), opts, TRUE);
    }
  if (*row->summary.options)
    add_fact (section, _ ("Options"), row->summary.options, TRUE);
  add_fact (section, _ ("Nodes"), fb_count (row->summary.n_nodes), FALSE);
  section = fb_section_add (self->page);
  GtkWidget *note
      = fb_label_new (_ ("It has been scheduled already: there is nothing to step through."), "fb-caption", "fb-dim");
  gtk_label_set_wrap (GTK_LABEL (note), TRUE);
  gtk_box_append (section, note);
}

static void
fb_kernel_panel_dispose (GObject *object)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))))
    gtk_widget_unparent (child);
  G_OBJECT_CLASS (fb_kernel_panel_parent_class)->dispose (object);
}

static void
fb_kernel_panel_class_init (FbKernelPanelClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_kernel_panel_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
fb_kernel_panel_init (FbKernelPanel *self)
{
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  self->page = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->page));
  gtk_widget_set_parent (scrolled, GTK_WIDGET (self));
}
