/* The verdicts of the pass that decides, in the place of steps: what is stored, then what is fused. */
#pragma once

#include "app/document.h"

#include <gtk/gtk.h>

#define FB_TYPE_VERDICT_LIST (fb_verdict_list_get_type ())
G_DECLARE_FINAL_TYPE (FbVerdictList, fb_verdict_list, FB, VERDICT_LIST, GtkWidget)

/* Once. */
void fb_verdict_list_set_document (FbVerdictList *list, FbDocument *doc);
/* Another row, or none. */
void fb_verdict_list_update (FbVerdictList *list);
