#include "app/run-inputs.h"

#include <string.h>

#include "app/run.h"

struct _FbRunInputs
{
  GObject parent_instance;
  FbDocument *doc; /* borrowed: lives in a window of it */
  GPtrArray *inputs;
  guint64 seed;
  guint row_number;
};

G_DEFINE_FINAL_TYPE (FbRunInputs, fb_run_inputs, G_TYPE_OBJECT)

static guint changed_signal;

static void
input_free (gpointer data)
{
  FbRunInput *input = data;
  g_free (input->name);
  fb_input_free (input->input);
  g_free (input);
}

/* --- the session --- */

/* "input.0.3.#5": kind and number of the row, then the buffer; NULL: there is no session. */
static char *
state_name (FbRunInputs *self, const char *what)
{
  FbStorePlace place;
  if (!fb_document_get_session (self->doc, NULL) || !fb_document_get_place (self->doc, &place))
    return NULL;
  return g_strdup_printf ("input.%d.%u.%s", (int) place.kind, place.row, what);
}

static void
store (FbRunInputs *self, const char *what, const char *text)
{
  g_autofree char *name = state_name (self, what);
  if (name)
    fb_session_file_set_state (fb_document_get_session (self->doc, NULL), name, text);
}

static const char *
stored (FbRunInputs *self, const char *what)
{
  g_autofree char *name = state_name (self, what);
  return name ? fb_session_file_get_state (fb_document_get_session (self->doc, NULL), name) : NULL;
}

static void
store_input (FbRunInputs *self, const FbRunInput *input)
{
  g_autofree char *text = fb_input_print (input->input);
  store (self, input->name, strcmp (text, "fill") ? text : NULL);
  g_signal_emit (self, changed_signal, 0);
}

/* --- the list --- */

static void
add_input (FbRunInputs *self, const FbKernelBuffer *buffer)
{
  FbRunInput *input = g_new0 (FbRunInput, 1);
  input->name = fb_run_buffer_name (buffer->buffer, (int) self->inputs->len);
  input->dtype = buffer->dtype;
  input->size = buffer->size;
  const char *text = stored (self, input->name);
  /* a stranger's file may hold anything */
  input->input = text ? fb_input_parse (text, NULL) : NULL;
  if (!input->input)
    input->input = fb_input_new ();
  g_ptr_array_add (self->inputs, input);
}

/* As the plan finds them: seen first as what a kernel reads. The first argument of each is what it writes. */
static void
list_inputs (FbRunInputs *self, const FbSchedule *schedule)
{
  g_autoptr (GHashTable) seen = g_hash_table_new (NULL, NULL);
  for (guint k = 0; k < schedule->kernels->len; k++)
    {
      const FbKernelItem *item = fb_schedule_kernel (schedule, k);
      for (guint i = 0; i < item->n_buffers; i++)
        {
          const FbKernelBuffer *buffer = &item->buffers[i];
          if (g_hash_table_add (seen, buffer->buffer) && i > 0)
            add_input (self, buffer);
        }
    }
}

static void
row_loaded (FbRunInputs *self)
{
  const FbRowView *row = fb_document_get_row (self->doc);
  guint number = row ? row->number : 0;
  if (number && number == self->row_number)
    return; /* another scenario has the same inputs */
  self->row_number = number;
  self->seed = 1;
  g_ptr_array_set_size (self->inputs, 0);
  if (row && row->kind == FB_ROW_SCHEDULE && row->schedule && !row->schedule->error)
    {
      const char *seed = stored (self, "seed");
      if (seed && !g_ascii_string_to_unsigned (seed, 10, 0, G_MAXUINT64, &self->seed, NULL))
        self->seed = 1;
      list_inputs (self, row->schedule);
    }
  g_signal_emit (self, changed_signal, 0);
}

static void
opened (FbRunInputs *self)
{
  self->row_number = 0;
  g_ptr_array_set_size (self->inputs, 0);
  g_signal_emit (self, changed_signal, 0);
}

guint
fb_run_inputs_get_n (FbRunInputs *self)
{
  g_return_val_if_fail (FB_IS_RUN_INPUTS (self), 0);
  return self->inputs->len;
}

const FbRunInput *
fb_run_inputs_get (FbRunInputs *self, guint at)
{
  g_return_val_if_fail (FB_IS_RUN_INPUTS (self), NULL);
  return at < self->inputs->len ? g_ptr_array_index (self->inputs, at) : NULL;
}

guint
fb_run_inputs_find (FbRunInputs *self, const char *name)
{
  g_return_val_if_fail (FB_IS_RUN_INPUTS (self), G_MAXUINT);
  for (guint i = 0; i < self->inputs->len; i++)
    if (!strcmp (fb_run_inputs_get (self, i)->name, name))
      return i;
  return G_MAXUINT;
}

gboolean
fb_run_inputs_set (FbRunInputs *self, guint at, const char *text, GError **error)
{
  g_return_val_if_fail (FB_IS_RUN_INPUTS (self) && at < self->inputs->len, FALSE);
  FbRunInput *input = g_ptr_array_index (self->inputs, at);
  FbInput *parsed = fb_input_parse (text, error);
  if (!parsed)
    return FALSE;
  fb_input_free (input->input);
  input->input = parsed;
  store_input (self, input);
  return TRUE;
}

void
fb_run_inputs_edit (FbRunInputs *self, guint at, gint64 element, const char *value)
{
  g_return_if_fail (FB_IS_RUN_INPUTS (self) && at < self->inputs->len);
  FbRunInput *input = g_ptr_array_index (self->inputs, at);
  fb_input_edit (input->input, element, value);
  store_input (self, input);
}

guint64
fb_run_inputs_get_seed (FbRunInputs *self)
{
  g_return_val_if_fail (FB_IS_RUN_INPUTS (self), 1);
  return self->seed;
}

void
fb_run_inputs_set_seed (FbRunInputs *self, guint64 seed)
{
  g_return_if_fail (FB_IS_RUN_INPUTS (self));
  if (seed == self->seed)
    return;
  self->seed = seed;
  g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, seed);
  store (self, "seed", seed == 1 ? NULL : text);
  g_signal_emit (self, changed_signal, 0);
}

GHashTable *
fb_run_inputs_copy (FbRunInputs *self)
{
  g_return_val_if_fail (FB_IS_RUN_INPUTS (self), NULL);
  GHashTable *texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  for (guint i = 0; i < self->inputs->len; i++)
    {
      const FbRunInput *input = fb_run_inputs_get (self, i);
      if (input->input->kind != FB_INPUT_FILL || input->input->edits->len > 0)
        g_hash_table_insert (texts, g_strdup (input->name), fb_input_print (input->input));
    }
  return texts;
}

/* --- the object --- */

FbRunInputs *
fb_run_inputs_new (FbDocument *doc)
{
  FbRunInputs *self = g_object_new (FB_TYPE_RUN_INPUTS, NULL);
  self->doc = doc;
  g_signal_connect_object (doc, "row-loaded", G_CALLBACK (row_loaded), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (doc, "opened", G_CALLBACK (opened), self, G_CONNECT_SWAPPED);
  return self;
}

static void
fb_run_inputs_finalize (GObject *object)
{
  g_ptr_array_unref (FB_RUN_INPUTS (object)->inputs);
  G_OBJECT_CLASS (fb_run_inputs_parent_class)->finalize (object);
}

static void
fb_run_inputs_class_init (FbRunInputsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_run_inputs_finalize;
  changed_signal = g_signal_new ("changed", FB_TYPE_RUN_INPUTS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fb_run_inputs_init (FbRunInputs *self)
{
  self->seed = 1;
  self->inputs = g_ptr_array_new_with_free_func (input_free);
}
