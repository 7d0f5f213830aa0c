/* The drawer's page of kernels: what each stores, reads, writes and computes, and why it is one. */
#pragma once

#include "app/document.h"
#include "app/runs.h"

#include <gtk/gtk.h>

#define FB_TYPE_KERNEL_TABLE (fb_kernel_table_get_type ())
G_DECLARE_FINAL_TYPE (FbKernelTable, fb_kernel_table, FB, KERNEL_TABLE, GtkWidget)

/* Once. */
void fb_kernel_table_set_document (FbKernelTable *table, FbDocument *doc);
/* Whose times and values are shown once kernels have run. Once. */
void fb_kernel_table_set_runs (FbKernelTable *table, FbRuns *runs);
/* Selects the row of kernel @kernel, from 1, and the node that it stores. FALSE: there is none. */
gboolean fb_kernel_table_select (FbKernelTable *table, guint kernel);
/* The table as lines of tab-separated text; NULL: no kernels. Free with g_free. */
char *fb_kernel_table_to_text (FbKernelTable *table);
