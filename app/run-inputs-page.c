#include "app/run-inputs-page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "app/files.h"
#include "app/section.h"
#include "app/tip.h"

/* Rows of more inputs than that would take long to make. */
#define MOST_ROWS 400

struct _FbRunInputsPage
{
  GtkWidget parent_instance;
  FbRunInputs *inputs;
  GtkSpinButton *seed;
  GtkGrid *rows;
  GtkLabel *error;
  gboolean quiet; /* what changes is set by us */
};

G_DEFINE_FINAL_TYPE (FbRunInputsPage, fb_run_inputs_page, GTK_TYPE_WIDGET)

/* The widgets of a row; kept by its entry. */
typedef struct
{
  FbRunInputsPage *page; /* borrowed: it owns the row */
  guint at;
  GtkDropDown *kind;
  GtkEditable *entry;
  GtkWidget *file;
} Row;

static char *
kind_title (FbInputKind kind)
{
  static const char *const titles[FB_N_INPUT_KINDS] = {
    [FB_INPUT_FILL] = N_ ("Fill rule"),  [FB_INPUT_CONSTANT] = N_ ("Constant"), [FB_INPUT_RANGE] = N_ ("Range"),
    [FB_INPUT_UNIFORM] = N_ ("Uniform"), [FB_INPUT_NORMAL] = N_ ("Normal"),     [FB_INPUT_FILE] = N_ ("File"),
  };
  return g_strdup (_ (titles[kind]));
}

/* What is to be typed beside it; NULL: nothing. */
static const char *
kind_hint (FbInputKind kind)
{
  switch (kind)
    {
    case FB_INPUT_CONSTANT:
      return _ ("value");
    case FB_INPUT_RANGE:
      return _ ("from, step");
    case FB_INPUT_UNIFORM:
      return _ ("from, up to");
    case FB_INPUT_NORMAL:
      return _ ("mean, deviation");
    case FB_INPUT_FILE:
      return _ ("file.npy, .npz, .safetensors");
    default:
      return NULL;
    }
}

static const char *
kind_default (FbInputKind kind)
{
  return kind == FB_INPUT_CONSTANT ? "0" : kind == FB_INPUT_UNIFORM ? "0 10" : "0 1";
}

/* "0 10" of "uniform 0 10 3=nan". */
static char *
arguments_of (const FbInput *input)
{
  char a[G_ASCII_DTOSTR_BUF_SIZE], b[G_ASCII_DTOSTR_BUF_SIZE];
  if (input->kind == FB_INPUT_FILE)
    return g_strdup (input->path);
  if (input->kind == FB_INPUT_CONSTANT)
    return g_strdup (input->value);
  if (input->kind == FB_INPUT_FILL)
    return g_strdup ("");
  return g_strdup_printf ("%s %s", g_ascii_dtostr (a, sizeof a, input->a), g_ascii_dtostr (b, sizeof b, input->b));
}

static void
take (Row *row, FbInputKind kind, const char *arguments)
{
  FbRunInputsPage *self = row->page;
  const FbRunInput *input = fb_run_inputs_get (self->inputs, row->at);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (fb_input_kind_name (kind));
  if (kind == FB_INPUT_FILE || kind == FB_INPUT_CONSTANT)
    {
      g_autofree char *quoted = g_shell_quote (arguments);
      g_string_append_printf (text, " %s", quoted);
    }
  else if (kind != FB_INPUT_FILL)
    {
      g_autofree char *plain = g_strdelimit (g_strdup (arguments), ",;", ' ');
      g_string_append_printf (text, " %s", plain);
    }
  for (guint i = 0; i < input->input->edits->len; i++)
    {
      const FbInputEdit *edit = &g_array_index (input->input->edits, FbInputEdit, i);
      g_autofree char *pair = g_strdup_printf ("%" G_GINT64_FORMAT "=%s", edit->element, edit->value);
      g_autofree char *quoted = g_shell_quote (pair);
      g_string_append_printf (text, " %s", quoted);
    }
  self->quiet = TRUE;
  gboolean done = fb_run_inputs_set (self->inputs, row->at, text->str, &error);
  self->quiet = FALSE;
  gtk_label_set_label (self->error, done ? "" : error->message);
  gtk_widget_set_visible (GTK_WIDGET (self->error), !done);
  if (done)
    gtk_widget_remove_css_class (GTK_WIDGET (row->entry), "error");
  else
    gtk_widget_add_css_class (GTK_WIDGET (row->entry), "error");
}

static void
show_kind (Row *row, FbInputKind kind)
{
  const char *hint = kind_hint (kind);
  gtk_widget_set_sensitive (GTK_WIDGET (row->entry), hint != NULL);
  gtk_entry_set_placeholder_text (GTK_ENTRY (row->entry), hint);
  gtk_widget_set_sensitive (row->file, kind == FB_INPUT_FILE);
}

static void
kind_chosen (GtkDropDown *choice, GParamSpec *spec, Row *row)
{
  FbInputKind kind = (FbInputKind) gtk_drop_down_get_selected (choice);
  if (row->page->quiet || kind >= FB_N_INPUT_KINDS)
    return;
  gtk_editable_set_text (row->entry, kind == FB_INPUT_FILL || kind == FB_INPUT_FILE ? "" : kind_default (kind));
  show_kind (row, kind);
  /* a file is taken once it is named */
  if (kind == FB_INPUT_FILE)
    gtk_widget_grab_focus (GTK_WIDGET (row->entry));
  else
    take (row, kind, gtk_editable_get_text (row->entry));
}

static void
entered (GtkEditable *entry, Row *row)
{
  FbInputKind kind = (FbInputKind) gtk_drop_down_get_selected (row->kind);
  if (kind < FB_N_INPUT_KINDS)
    take (row, kind, gtk_editable_get_text (entry));
}

static void
left (GtkEventControllerFocus *focus, Row *row)
{
  FbInputKind kind = (FbInputKind) gtk_drop_down_get_selected (row->kind);
  g_autofree char *now = arguments_of (fb_run_inputs_get (row->page->inputs, row->at)->input);
  const char *text = gtk_editable_get_text (row->entry);
  if (!row->page->quiet && kind < FB_N_INPUT_KINDS && *text && strcmp (text, now))
    take (row, kind, text);
}

static void
file_chosen (GtkNativeDialog *dialog, int response, gpointer data)
{
  g_autoptr (GtkEditable) entry = data;
  g_autofree char *path = fb_files_chosen (dialog, response);
  if (path)
    {
      gtk_editable_set_text (entry, path);
      g_signal_emit_by_name (entry, "activate");
    }
  g_object_unref (dialog);
}

static void
choose_file (GtkButton *button, Row *row)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (button));
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new (_ ("Array for the buffer"), GTK_WINDOW (root),
                                                               GTK_FILE_CHOOSER_ACTION_OPEN, NULL, NULL);
  g_signal_connect (chooser, "response", G_CALLBACK (file_chosen), g_object_ref (row->entry));
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
forget_edits (GtkButton *button, Row *row)
{
  const FbRunInput *input = fb_run_inputs_get (row->page->inputs, row->at);
  while (input->input->edits->len > 0)
    fb_run_inputs_edit (row->page->inputs, row->at, g_array_index (input->input->edits, FbInputEdit, 0).element, NULL);
}

static void
add_row (FbRunInputsPage *self, guint at)
{
  const FbRunInput *input = fb_run_inputs_get (self->inputs, at);
  GtkStringList *titles = gtk_string_list_new (NULL);
  for (FbInputKind kind = 0; kind < FB_N_INPUT_KINDS; kind++)
    gtk_string_list_take (titles, kind_title (kind));
  GtkWidget *choice = gtk_drop_down_new (G_LIST_MODEL (titles), NULL), *entry = gtk_entry_new ();
  GtkWidget *file = gtk_button_new_from_icon_name ("document-open-symbolic");
  g_autofree char *what = g_strdup_printf ("%s × %s", input->dtype->short_name, fb_count (input->size));
  g_autofree char *arguments = arguments_of (input->input);
  Row *row = g_new0 (Row, 1);
  *row = (Row){ self, at, GTK_DROP_DOWN (choice), GTK_EDITABLE (entry), file };
  g_object_set_data_full (G_OBJECT (entry), "row", row, g_free);
  gtk_drop_down_set_selected (row->kind, input->input->kind);
  gtk_editable_set_text (row->entry, arguments);
  gtk_editable_set_width_chars (row->entry, 18);
  gtk_widget_set_hexpand (entry, TRUE);
  fb_tip_set (file, _ ("Choose a file"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (choice), GTK_ACCESSIBLE_PROPERTY_LABEL, input->name, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL, input->name, -1);
  show_kind (row, input->input->kind);
  g_signal_connect (choice, "notify::selected", G_CALLBACK (kind_chosen), row);
  g_signal_connect (entry, "activate", G_CALLBACK (entered), row);
  g_signal_connect (file, "clicked", G_CALLBACK (choose_file), row);
  GtkEventController *focus = gtk_event_controller_focus_new ();
  g_signal_connect (focus, "leave", G_CALLBACK (left), row);
  gtk_widget_add_controller (entry, focus);
  GtkWidget *name = fb_label_new (input->name, "fb-code", "fb-strong"),
            *type = fb_label_new (what, "fb-small-code", "fb-dim");
  gtk_widget_set_halign (name, GTK_ALIGN_START);
  gtk_widget_set_halign (type, GTK_ALIGN_START);
  gtk_grid_attach (self->rows, name, 0, (int) at, 1, 1);
  gtk_grid_attach (self->rows, type, 1, (int) at, 1, 1);
  gtk_grid_attach (self->rows, choice, 2, (int) at, 1, 1);
  gtk_grid_attach (self->rows, entry, 3, (int) at, 1, 1);
  gtk_grid_attach (self->rows, file, 4, (int) at, 1, 1);
  guint n = input->input->edits->len;
  if (n == 0)
    return;
  g_autofree char *edited = g_strdup_printf (ngettext ("%u edited", "%u edited", n), n);
  GtkWidget *forget = gtk_button_new_with_label (edited);
  fb_tip_set (forget, _ ("Take the edits back"));
  g_signal_connect (forget, "clicked", G_CALLBACK (forget_edits), row);
  gtk_grid_attach (self->rows, forget, 5, (int) at, 1, 1);
}

static void
refresh (FbRunInputsPage *self)
{
  GtkWidget *child;
  guint n = fb_run_inputs_get_n (self->inputs);
  if (self->quiet || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  self->quiet = TRUE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->rows))))
    gtk_grid_remove (self->rows, child);
  for (guint i = 0; i < MIN (n, MOST_ROWS); i++)
    add_row (self, i);
  gtk_spin_button_set_value (self->seed, (double) fb_run_inputs_get_seed (self->inputs));
  self->quiet = FALSE;
}

static void
seed_changed (FbRunInputsPage *self)
{
  if (!self->quiet)
    fb_run_inputs_set_seed (self->inputs, (guint64) gtk_spin_button_get_value (self->seed));
}

void
fb_run_inputs_page_set_inputs (FbRunInputsPage *self, FbRunInputs *inputs)
{
  g_return_if_fail (FB_IS_RUN_INPUTS_PAGE (self) && !self->inputs);
  self->inputs = g_object_ref (inputs);
  g_signal_connect_object (inputs, "changed", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
}

static void
fb_run_inputs_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_run_inputs_page_parent_class)->map (widget);
  if (FB_RUN_INPUTS_PAGE (widget)->inputs)
    refresh (FB_RUN_INPUTS_PAGE (widget));
}

static void
fb_run_inputs_page_dispose (GObject *object)
{
  FbRunInputsPage *self = FB_RUN_INPUTS_PAGE (object);
  GtkWidget *child;
  self->quiet = TRUE;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  g_clear_object (&self->inputs);
  G_OBJECT_CLASS (fb_run_inputs_page_parent_class)->dispose (object);
}

static void
fb_run_inputs_page_class_init (FbRunInputsPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fb_run_inputs_page_dispose;
  widget_class->map = fb_run_inputs_page_map;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
fb_run_inputs_page_init (FbRunInputsPage *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8), *head = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *scrolled = gtk_scrolled_window_new ();
  self->seed = GTK_SPIN_BUTTON (gtk_spin_button_new_with_range (0, 1e9, 1));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->seed), GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Seed"), -1);
  g_signal_connect_object (self->seed, "value-changed", G_CALLBACK (seed_changed), self, G_CONNECT_SWAPPED);
  GtkWidget *title = fb_label_new (_ ("Inputs"), "fb-strong", NULL), *word = fb_label_new (_ ("Seed"), "fb-dim", NULL);
  gtk_widget_set_hexpand (title, TRUE);
  gtk_widget_set_halign (title, GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (head), title);
  gtk_box_append (GTK_BOX (head), word);
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->seed));
  self->rows = GTK_GRID (gtk_grid_new ());
  gtk_grid_set_column_spacing (self->rows, 10);
  gtk_grid_set_row_spacing (self->rows, 4);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scrolled), 300);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scrolled), GTK_WIDGET (self->rows));
  self->error = GTK_LABEL (fb_label_new (NULL, "fb-caption", "fb-removed"));
  gtk_label_set_xalign (self->error, 0);
  gtk_label_set_wrap (self->error, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->error), FALSE);
  GtkWidget *run = gtk_button_new_with_label (_ ("Run with these"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (run), "win.run");
  gtk_widget_set_halign (run, GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), scrolled);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->error));
  gtk_box_append (GTK_BOX (box), run);
  gtk_widget_set_margin_top (box, 6);
  gtk_widget_set_margin_bottom (box, 6);
  gtk_widget_set_margin_start (box, 6);
  gtk_widget_set_margin_end (box, 6);
  gtk_widget_set_parent (box, GTK_WIDGET (self));
}
