/* What the buffers that a row's kernels read hold before a run: kept in the session, by row and buffer. Main thread. */
#pragma once

#include "app/document.h"
#include "backends/run/input.h"

#define FB_TYPE_RUN_INPUTS (fb_run_inputs_get_type ())
G_DECLARE_FINAL_TYPE (FbRunInputs, fb_run_inputs, FB, RUN_INPUTS, GObject)

/* Signal `changed`: another row, or something else fills a buffer. */
FbRunInputs *fb_run_inputs_new (FbDocument *doc);

/* A buffer of the captured graph that some kernel reads before any writes it. */
typedef struct
{
  char *name; /* "#3" */
  const FbDType *dtype;
  gint64 size;
  FbInput *input;
} FbRunInput;
guint fb_run_inputs_get_n (FbRunInputs *inputs);
const FbRunInput *fb_run_inputs_get (FbRunInputs *inputs, guint at);
/* G_MAXUINT: there is none of that name. */
guint fb_run_inputs_find (FbRunInputs *inputs, const char *name);
/* As fb_input_parse() reads it, edits included. FALSE: @text is none, and nothing changed. */
gboolean fb_run_inputs_set (FbRunInputs *inputs, guint at, const char *text, GError **error);
/* One element; NULL: no more. */
void fb_run_inputs_edit (FbRunInputs *inputs, guint at, gint64 element, const char *value);
guint64 fb_run_inputs_get_seed (FbRunInputs *inputs);
void fb_run_inputs_set_seed (FbRunInputs *inputs, guint64 seed);
/* Texts by name of those that the fill rule does not fill, for a thread. Free with g_hash_table_unref. */
GHashTable *fb_run_inputs_copy (FbRunInputs *inputs);
