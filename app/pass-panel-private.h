#pragma once

#include "app/index-model.h"
#include "app/kernel-panel.h"
#include "app/pass-panel.h"
#include "app/verdict-list.h"

/* An entry of the pass list with this bit is the head of a kernel's passes. */
#define FB_PASS_HEAD 0x80000000u

struct _FbPassPanel
{
  GtkWidget parent_instance;

  GtkPaned *split;
  GtkListView *pass_list, *step_list;
  GtkLabel *steps_count;
  GtkLabel *steps_title;
  FbVerdictList *verdicts;
  GtkStack *steps_stack;
  FbKernelPanel *kernel; /* in the place of all that, for a kernel's row */

  FbDocument *doc;
  FbIndexModel *passes, *steps;
  GtkSingleSelection *pass_selection, *step_selection;
  GArray *order;         /* of guint: what the pass list shows, a pass or FB_PASS_HEAD | kernel */
  GHashTable *open;      /* kernels whose passes are shown */
  guint open_by_itself;  /* the kernel that is open because we are in it; 0: none */
  int height;            /* of the panel, as last allocated */
  guint later;           /* source id: split and scroll once sizes are known */
  gboolean scroll_later; /* to the selected rows as well */
  guint tries;           /* left to wait for their places */
  int auto_split;        /* height given to the passes without being asked, px */
  guint steps_of;        /* the pass whose steps are listed */
  gboolean following;    /* selections are being set to where the document is */
};

/* What rows look like. */
void fb_pass_panel_set_up_pass (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *panel);
void fb_pass_panel_bind_pass (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *panel);
void fb_pass_panel_set_up_step (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *panel);
void fb_pass_panel_bind_step (GtkListItemFactory *factory, GtkListItem *item, FbPassPanel *panel);

/* First pass of a kernel, and how many it has. */
guint fb_passes_of_kernel (const FbRowView *row, guint kernel, guint *first);
gboolean fb_pass_panel_is_open (FbPassPanel *panel, guint kernel);
/* Opens or closes the kernel that @entry is the head of; nothing for other entries. */
void fb_pass_panel_toggle (FbPassPanel *panel, guint entry);
