/* What the files of the list of a run share. */
#pragma once

#include "app/run-list.h"
#include "app/table.h"

/* Times of no more runs side by side. */
#define FB_RUN_LIST_TIMES 3

struct _FbRunList
{
  GtkWidget parent_instance;
  FbBufferView *view;
  GtkBox *box;
  GtkLabel *note, *error, *buffers_title, *nan;
  GtkWidget *nan_box;
  GtkBox *kernels_place;
  FbTable *kernels, *buffers;
  GPtrArray *runs; /* of FbRun: whose times are shown, and the one under way */
  guint backends;  /* of the table's columns, four bits each; they are made again when these change */
  GArray *entries; /* of guint: arguments of the kernel that are shown */
};

/* Kernels of @run that may be asked about. */
guint fb_run_list_n_done (const FbRun *run);
/* A table of kernels with a column for each run. */
void fb_run_list_make_kernels (FbRunList *list);
/* The table of the kernel's buffers. */
void fb_run_list_make_buffers (FbRunList *list);
/* Each buffer of the kernel once, whatever it is used for. */
void fb_run_list_list_buffers (FbRunList *list);
