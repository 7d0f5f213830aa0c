/* What fills each input, as a person sets it. */
#pragma once

#include "app/run-inputs.h"

#include <gtk/gtk.h>

#define FB_TYPE_RUN_INPUTS_PAGE (fb_run_inputs_page_get_type ())
G_DECLARE_FINAL_TYPE (FbRunInputsPage, fb_run_inputs_page, FB, RUN_INPUTS_PAGE, GtkWidget)

/* Once. */
void fb_run_inputs_page_set_inputs (FbRunInputsPage *page, FbRunInputs *inputs);
