#include "app/code-page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/document-private.h"
#include "app/kernel-source.h"
#include "backends/cpu/cpu.h"

/* The code of a kernel, made by the worker. */
typedef struct
{
  FbRowView *row; /* owned; the worker's business */
  guint kernel;
  char *text, *error;
  GPtrArray *nodes; /* of FbUop of the row, by line; NULL: the line computes none */
} Code;

struct _FbCodePage
{
  GtkWidget parent_instance;
  FbDocument *doc;
  FbKernelSource *source;
  guint kernel; /* wanted */
  Code *code;
  guint asked;          /* kernel that is being made; 0: none */
  const FbRowView *row; /* it is made of */
  guint generation;
  int line;      /* where the cursor is */
  FbUop *wanted; /* to be selected when the pass that has it is on the screen */
};

G_DEFINE_FINAL_TYPE (FbCodePage, fb_code_page, GTK_TYPE_WIDGET)

static void
code_free (gpointer data)
{
  Code *code = data;
  g_clear_pointer (&code->row, fb_row_view_unref);
  g_clear_pointer (&code->nodes, g_ptr_array_unref);
  g_free (code->text);
  g_free (code->error);
  g_free (code);
}

/* --- making --- */

/* The instruction that a line ends by naming: "// 3 ADD". */
static FbUop *
node_of_line (const FbProgram *program, const char *line, const char *end)
{
  const char *mark = g_strstr_len (line, end - line, "// ");
  char *after;
  for (const char *next = mark; next; next = g_strstr_len (next + 3, end - next - 3, "// "))
    mark = next;
  if (!mark)
    return NULL;
  guint64 number = g_ascii_strtoull (mark + 3, &after, 10);
  return after > mark + 3 && *after == ' ' && number < program->insts->len
             ? fb_program_inst (program, (guint) number)->uop
             : NULL;
}

static void
list_nodes (Code *code, const FbProgram *program)
{
  code->nodes = g_ptr_array_new ();
  for (const char *line = code->text; *line;)
    {
      const char *end = strchrnul (line, '\n');
      g_ptr_array_add (code->nodes, node_of_line (program, line, end));
      line = *end ? end + 1 : end;
    }
}

static void
code_job (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Code *code = data;
  const FbSchedule *schedule = code->row->schedule;
  const FbKernelItem *item = fb_schedule_kernel (schedule, code->kernel - 1);
  g_autoptr (GError) error = NULL;
  if (item->ast->op != FB_OP_SINK)
    {
      code->error = g_strdup_printf (_ ("%s is no code: the memory is copied or looked at otherwise."),
                                     fb_op_name (item->ast->op));
      g_task_return_boolean (task, TRUE);
      return;
    }
  g_autofree gint64 *sizes = g_new (gint64, MAX (item->n_buffers, 1));
  for (guint i = 0; i < item->n_buffers; i++)
    sizes[i] = item->buffers[i].size;
  g_autoptr (FbProgram) program
      = fb_program_new (schedule->context, item->ast, schedule->var_vals, item->n_buffers, sizes, &error);
  if (program)
    {
      GString *text = g_string_new (NULL);
      fb_cpu_append_program (text, program, code->kernel, FALSE);
      code->text = g_string_free (text, FALSE);
      list_nodes (code, program);
    }
  else
    code->error = g_strdup (error->message);
  g_task_return_boolean (task, TRUE);
}

static void
discard (FbCodePage *self, Code *code)
{
  if (code)
    fb_document_discard (self->doc, code, code_free);
}

static void
show (FbCodePage *self)
{
  const Code *code = self->code;
  g_autofree char *name = code ? g_strdup_printf (_ ("kernel %u"), code->kernel) : NULL;
  self->line = -1;
  fb_kernel_source_set_text (self->source, name, code && code->text ? _ ("C that the CPU backend compiles") : NULL,
                             code ? code->error : NULL, code && code->text ? code->text : "");
}

static void request (FbCodePage *self);

static void
made (GObject *object, GAsyncResult *result, gpointer data)
{
  FbCodePage *self = FB_CODE_PAGE (object);
  guint generation = GPOINTER_TO_UINT (data);
  Code *code = g_task_get_task_data (G_TASK (result));
  self->asked = self->generation == generation ? 0 : self->asked;
  if (!self->doc || self->generation != generation || code->kernel != self->kernel)
    {
      if (self->doc)
        fb_document_discard (self->doc, g_steal_pointer (&code->row), (GDestroyNotify) fb_row_view_unref);
      if (self->doc && self->generation == generation)
        request (self);
      return;
    }
  Code *mine = g_new (Code, 1);
  *mine = *code;
  *code = (Code){ 0 };
  discard (self, self->code);
  self->code = mine;
  show (self);
}

/* Makes what is wanted, unless it is there, under way, or nobody looks. */
static void
request (FbCodePage *self)
{
  FbRowView *row = self->doc ? fb_document_get_row (self->doc) : NULL;
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || !fb_code_page_has_code (self) || self->asked
      || (self->code && self->code->kernel == self->kernel))
    return;
  if (!self->kernel || self->kernel > row->schedule->kernels->len)
    self->kernel = 1;
  Code *code = g_new0 (Code, 1);
  code->row = fb_row_view_ref (row);
  code->kernel = self->asked = self->kernel;
  g_autoptr (GTask) task = g_task_new (self, NULL, made, GUINT_TO_POINTER (self->generation));
  g_task_set_task_data (task, code, code_free);
  fb_worker_push (self->doc->worker, task, FB_DETAIL, code_job);
}

gboolean
fb_code_page_has_code (FbCodePage *self)
{
  g_return_val_if_fail (FB_IS_CODE_PAGE (self), FALSE);
  const FbRowView *row = self->doc ? fb_document_get_row (self->doc) : NULL;
  return row && row->kind == FB_ROW_SCHEDULE && row->schedule && !row->schedule->error
         && row->schedule->kernels->len > 0;
}

void
fb_code_page_set_kernel (FbCodePage *self, guint kernel)
{
  g_return_if_fail (FB_IS_CODE_PAGE (self));
  if (!kernel || kernel == self->kernel)
    return;
  self->kernel = kernel;
  request (self);
}

guint
fb_code_page_get_kernel (FbCodePage *self)
{
  g_return_val_if_fail (FB_IS_CODE_PAGE (self), 0);
  return self->kernel;
}

const char *
fb_code_page_get_text (FbCodePage *self)
{
  g_return_val_if_fail (FB_IS_CODE_PAGE (self), NULL);
  return self->code ? self->code->text : NULL;
}

gboolean
fb_code_page_is_settled (FbCodePage *self)
{
  g_return_val_if_fail (FB_IS_CODE_PAGE (self), TRUE);
  return !self->asked;
}

/* --- lines and nodes --- */

static gboolean
select_node (FbCodePage *self, FbUop *node)
{
  const FbStepView *view = fb_document_get_view (self->doc);
  if (!view || fb_graph_find (view->scene->graph, node) == FB_GRAPH_NONE)
    return FALSE;
  fb_document_select (self->doc, node);
  return TRUE;
}

gboolean
fb_code_page_go_to_line (FbCodePage *self, guint line)
{
  g_return_val_if_fail (FB_IS_CODE_PAGE (self), FALSE);
  const Code *code = self->code;
  const FbRowView *row = fb_document_get_row (self->doc);
  FbUop *node = code && code->nodes && line < code->nodes->len ? g_ptr_array_index (code->nodes, line) : NULL;
  self->wanted = NULL;
  if (!node || code->row != row)
    return FALSE;
  if (select_node (self, node))
    return TRUE;
  /* the graph that was made code of is what the last pass over the kernel left */
  for (guint i = row->n_passes; i-- > 0;)
    if (row->passes[i].kernel == code->kernel)
      {
        self->wanted = node;
        fb_document_jump (self->doc, i, row->passes[i].n_steps);
        break;
      }
  return self->wanted != NULL;
}

static void
cursor_moved (FbCodePage *self, int line)
{
  if (line == self->line || !self->doc)
    return;
  self->line = line;
  fb_code_page_go_to_line (self, (guint) line);
}

/* Every picture ends with a selection: then the one asked for is made, once. */
static void
selected (FbCodePage *self)
{
  FbUop *wanted = g_steal_pointer (&self->wanted);
  if (wanted && !select_node (self, wanted))
    self->wanted = NULL;
}

/* --- the widget --- */

static void
row_loaded (FbCodePage *self)
{
  self->generation++;
  self->asked = 0;
  self->wanted = NULL;
  self->kernel = 0;
  discard (self, g_steal_pointer (&self->code));
  show (self);
  request (self);
}

/* The kernel whose passes one looks at. */
static void
moved (FbCodePage *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  guint pass, step;
  fb_document_get_position (self->doc, &pass, &step);
  if (row && pass < row->n_passes)
    fb_code_page_set_kernel (self, row->passes[pass].kernel);
}

void
fb_code_page_set_document (FbCodePage *self, FbDocument *doc)
{
  g_return_if_fail (FB_IS_CODE_PAGE (self) && !self->doc);
  self->doc = g_object_ref (doc);
  g_signal_connect_object (doc, "opened", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "moved", G_CALLBACK (moved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "selected", G_CALLBACK (selected), self, G_CONNECT_SWAPPED);
}

static void
fb_code_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fb_code_page_parent_class)->map (widget);
  request (FB_CODE_PAGE (widget));
}

static void
fb_code_page_dispose (GObject *object)
{
  FbCodePage *self = FB_CODE_PAGE (object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))))
    gtk_widget_unparent (child);
  if (self->doc)
    discard (self, g_steal_pointer (&self->code));
  g_clear_object (&self->doc);
  G_OBJECT_CLASS (fb_code_page_parent_class)->dispose (object);
}

static void
fb_code_page_class_init (FbCodePageClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fb_code_page_dispose;
  GTK_WIDGET_CLASS (klass)->map = fb_code_page_map;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
fb_code_page_init (FbCodePage *self)
{
  self->line = -1;
  self->source = g_object_new (FB_TYPE_KERNEL_SOURCE, NULL);
  fb_kernel_source_show_cursor (self->source);
  gtk_widget_set_parent (GTK_WIDGET (self->source), GTK_WIDGET (self));
  g_signal_connect_object (self->source, "moved", G_CALLBACK (cursor_moved), self, G_CONNECT_SWAPPED);
}
