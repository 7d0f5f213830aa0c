/* Writing files and copying text: what the window does on command. */
#include <glib/gi18n.h>

#include "app/export-job.h"
#include "app/files.h"
#include "app/window-private.h"

/* --- files --- */

static void
exported (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (FbWindow) self = data;
  g_autoptr (GError) error = NULL;
  if (fb_document_export_finish (FB_DOCUMENT (source), result, &error))
    fb_window_show_note (self, _ ("Saved"));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    fb_window_show_banner (self, error->message);
}

void
fb_window_export (FbWindow *self, const char *path)
{
  FbExportFormat format;
  if (!fb_export_format_of (path, &format))
    {
      fb_window_show_banner (self,
                             _ ("The name of a picture ends in .svg, .png or .dot, of a report in .html, of text in "
                                ".txt, of a difference in .diff"));
      return;
    }
  gboolean dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  fb_document_export (self->doc, format, path, dark, exported, g_object_ref (self));
}

static void
chosen (GtkNativeDialog *dialog, int response, FbWindow *self)
{
  g_autofree char *path = fb_files_chosen (dialog, response);
  if (path)
    fb_window_export (self, path);
  g_clear_object (&self->export_chooser);
}

/* "lerp-simplify-19.svg"; of a comparison "lerp-simplify-3-to-kernels-2.svg" */
static char *
name_for (FbWindow *self, const char *extension)
{
  FbStepView *view = fb_document_get_view (self->doc);
  const FbPassView *pass = fb_step_view_pass (view);
  const char *file = fb_document_get_name (self->doc);
  g_autofree char *stem = g_strndup (
      file ? file : "graph", file && strrchr (file, '.') ? (gsize) (strrchr (file, '.') - file) : G_MAXSIZE / 2);
  g_autofree char *title = pass ? fb_pass_view_title (pass) : NULL;
  if (title)
    g_strdelimit (title, ", /", '-');
  gboolean one_step = pass && g_strcmp0 (extension, "html");
  g_autofree char *step = one_step ? g_strdup_printf ("-%u", view->step) : NULL;
  const FbRowView *row = fb_document_get_row (self->doc);
  FbStepPosition from;
  if (one_step && row && fb_document_get_compare (self->doc, &from))
    {
      g_autofree char *start = fb_pass_view_title (&row->passes[from.pass]);
      g_strdelimit (start, ", /", '-');
      return g_strdup_printf ("%s-%s-%u-to-%s-%u.%s", stem, start, from.step, title, view->step, extension);
    }
  return g_strconcat (stem, title ? "-" : "", title ? title : "", step ? step : "", ".", extension, NULL);
}

static void
export_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  const char *extension = g_variant_get_string (parameter, NULL);
  static const struct
  {
    const char *extension, *name;
  } kinds[] = { { "svg", N_ ("SVG pictures") },
                { "png", N_ ("PNG pictures") },
                { "dot", N_ ("Graphviz graphs") },
                { "html", N_ ("HTML reports of the pass") },
                { "txt", N_ ("Text as Python prints it") },
                { "diff", N_ ("Differences as text") } };
  if (self->export_chooser || !fb_document_get_view (self->doc))
    return;
  self->export_chooser
      = gtk_file_chooser_native_new (_ ("Export"), GTK_WINDOW (self), GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (self->export_chooser);
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
      g_autofree char *pattern = g_strconcat ("*.", kinds[i].extension, NULL);
      gtk_file_filter_set_name (filter, _ (kinds[i].name));
      gtk_file_filter_add_pattern (filter, pattern);
      gtk_file_chooser_add_filter (chooser, filter);
      if (!g_strcmp0 (kinds[i].extension, extension))
        gtk_file_chooser_set_filter (chooser, filter);
    }
  g_autofree char *name = name_for (self, extension);
  gtk_file_chooser_set_current_name (chooser, name);
  g_signal_connect_object (self->export_chooser, "response", G_CALLBACK (chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->export_chooser));
}

static void
export_to_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  fb_window_export (data, g_variant_get_string (parameter, NULL));
}

/* --- text --- */

static void
printed (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (FbWindow) self = data;
  g_autofree char *text = fb_document_print_finish (FB_DOCUMENT (source), result, NULL);
  if (!text)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  fb_window_show_note (self, _ ("Copied"));
}

static void
copy (FbWindow *self, gboolean deep)
{
  FbScene *scene = fb_canvas_get_scene (self->canvas);
  g_autoptr (GArray) cards = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GArray) nodes = g_array_new (FALSE, FALSE, sizeof (guint32));
  g_autoptr (GPtrArray) uops = g_ptr_array_new ();
  fb_canvas_get_chosen (self->canvas, cards);
  for (guint i = 0; i < cards->len; i++)
    {
      guint32 card = g_array_index (cards, guint32, i);
      /* of a collapsed card every node, or what all of it flows into */
      if (deep)
        g_ptr_array_add (uops, scene->graph->nodes[card].uop);
      else
        fb_graph_members (scene->graph, card, nodes);
    }
  for (guint i = 0; i < nodes->len; i++)
    g_ptr_array_add (uops, fb_graph_get_whole (scene->graph)->nodes[g_array_index (nodes, guint32, i)].uop);
  if (uops->len)
    fb_document_print (self->doc, uops, deep, printed, g_object_ref (self));
}

/* Text that is selected somewhere is what is copied. */
static gboolean
text_takes (FbWindow *self)
{
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  return (GTK_IS_EDITABLE (focus) || GTK_IS_TEXT_VIEW (focus)
          || (GTK_IS_LABEL (focus) && gtk_label_get_selection_bounds (GTK_LABEL (focus), NULL, NULL)))
         && gtk_widget_activate_action (focus, "clipboard.copy", NULL);
}

static void
copy_node_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  if (!text_takes (data))
    copy (data, FALSE);
}

/* In the drawer the difference is what is looked at. */
static void
copy_subgraph_activated (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  FbWindow *self = data;
  GtkWidget *focus = gtk_root_get_focus (GTK_ROOT (self));
  gboolean elsewhere = g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "document")
                       || (focus && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->drawer)));
  if (elsewhere || fb_canvas_get_selected (self->canvas) == FB_GRAPH_NONE)
    g_action_group_activate_action (G_ACTION_GROUP (self), "copy-diff", NULL);
  else
    copy (self, TRUE);
}

static const GActionEntry actions[] = {
  { .name = "export", .activate = export_activated, .parameter_type = "s" },
  { .name = "export-to", .activate = export_to_activated, .parameter_type = "s" },
  { .name = "copy-node", .activate = copy_node_activated },
  { .name = "copy-subgraph", .activate = copy_subgraph_activated },
};

static void
update (FbWindow *self)
{
  static const char *const names[] = { "export", "export-to" };
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self), names[i])),
                                 fb_document_get_view (self->doc) != NULL);
}

void
fb_window_add_export_actions (FbWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_signal_connect_object (self->doc, "step-shown", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->doc, "opened", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}
