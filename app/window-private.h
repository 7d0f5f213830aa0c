#pragma once

#include "app/bookmark-list.h"
#include "app/breakpoint-set.h"
#include "app/buffer-view.h"
#include "app/canvas.h"
#include "app/capture-list.h"
#include "app/drawer.h"
#include "app/inspector.h"
#include "app/mark-counts.h"
#include "app/pass-panel.h"
#include "app/replay-page.h"
#include "app/scenario-compare.h"
#include "app/scrubber.h"
#include "app/search-panel.h"
#include "app/settings.h"
#include "app/trace-compare.h"
#include "app/view-history.h"
#include "app/welcome.h"
#include "app/window.h"

struct _FbWindow
{
  AdwApplicationWindow parent_instance;

  /* template */
  AdwSplitButton *open_button;
  GtkMenuButton *title_button;
  GtkLabel *title_label, *subtitle_label;
  GtkPopover *captures_popover;
  FbCaptureList *capture_list;
  GtkRevealer *busy_revealer, *banner;
  GtkProgressBar *busy_bar;
  GtkLabel *busy_label, *banner_label, *zoom_label, *note;
  GtkStack *stack;
  FbWelcome *welcome;
  FbReplayPage *replay_page;
  GtkPaned *drawer_paned, *passes_paned, *inspector_paned;
  FbPassPanel *pass_panel;
  GtkOverlay *canvas_overlay;
  GtkPaned *canvases;
  FbCanvas *left_canvas, *canvas; /* left: the graph before, when both are shown */
  FbMarkCounts *mark_counts;
  GtkWidget *compare_chip;
  GtkLabel *compare_label;
  GtkWidget *sides, *zoom_control;
  FbInspector *inspector;
  FbScrubber *scrubber;
  FbDrawerPanel *drawer;
  FbScenarios *scenarios;
  FbScenarioCompare *scenario_compare; /* NULL: not needed yet */
  FbRuns *runs;
  FbBufferView *buffer_view;
  AdwSplitButton *run_button;
  GMenu *run_devices;     /* devices of OpenCL in its menu */
  gboolean devices_asked; /* for them */
  guint run_kernel;       /* whose passes were looked at last */
  gboolean probe_wanted;  /* once the run under way has ended */
  GCancellable *probing;  /* NULL: no probe is under way */
  gboolean made_room;     /* the drawer has grown for the viewer */

  GtkMenuButton *bookmarks_button;
  FbBookmarkList *bookmark_list;
  FbSearchPanel *search_panel;

  FbDocument *doc;
  FbBreakpointSet *breakpoints;
  gboolean reveal_selected; /* once it is selected */
  char *note_later;         /* for the next step that is shown; NULL: none */
  FbViewHistory *view_history;
  FbSettings settings;
  gboolean standalone; /* nothing is stored */
  char *release;
  guint busy_source, note_source, play_source, fold_source, float_source;
  gboolean following_camera; /* one canvas is being set to what the other shows */
  gboolean canvases_split;   /* the two canvases have had their first sizes */
  gboolean folded;           /* the inspector lies over the canvas */
  gboolean allocated;        /* the panels have had their sizes */
  GtkFileChooserNative *chooser, *save_chooser, *export_chooser;

  FbTraceCompare *trace_compare; /* NULL: not needed yet */
  GtkFileChooserNative *trace_chooser;
  struct _FbWindowWatch *watch; /* the runs that are followed (watch.c); NULL: none are */

  GPtrArray *unsaved;        /* of FbUnsavedSession: what the Open menu offers to take up again; NULL: not looked yet */
  GdkFrameClock *pace_clock; /* whose next frame the document waits for; NULL: it does not */
  gulong pace_handler;       /* of that */
  guint pace_source;         /* lets it go on */
  guint state_source, trace_source; /* what goes into the session a little later */
  gboolean session_restored;        /* the file's first step has been shown, as the session left it */
  gboolean trace_wanted;            /* of the row that was loaded, once a step of it is shown */
  guint64 select_later;             /* KEY to be selected in the next step that is shown; 0: none */
};

/* Rows of tables of actions. */
#define FB_DO(name_, callback)          \
  {                                     \
    .name = name_, .activate = callback \
  }
#define FB_CHOICE(name_, state_, callback)                                          \
  {                                                                                 \
    .name = name_, .parameter_type = "s", .state = state_, .change_state = callback \
  }
#define FB_SWITCH(name_, state_, callback)                   \
  {                                                          \
    .name = name_, .state = state_, .change_state = callback \
  }

void fb_window_add_actions (FbWindow *self);
void fb_window_add_panel_actions (FbWindow *self);
void fb_window_add_keys (FbWindow *self);
/* Actions about the view of the graph, and the graph's menu (view-actions.c). */
void fb_window_add_view_actions (FbWindow *self);
void fb_window_update_view_actions (FbWindow *self);
/* Files and copied text (export-actions.c). */
void fb_window_add_export_actions (FbWindow *self);
/* What is shown, or the pass, into a file whose name says how: .svg, .png, .dot, .html, .txt. */
void fb_window_export (FbWindow *self, const char *path);
/* The whole graph in view; it can be taken back. */
void fb_window_fit (FbWindow *self);
/* A key without Ctrl or Alt, the window's action that it activates, and the action's parameter as text, or NULL. */
typedef struct
{
  guint key;
  const char *action;
  const char *parameter;
} FbWindowKey;
const FbWindowKey *fb_window_get_keys (guint *n);
/* What is said about a step comes a frame after its picture, a row a frame after the page (window-pace.c). */
void fb_window_add_pace (FbWindow *self);
void fb_window_end_pace (FbWindow *self);
void fb_window_add_pages (FbWindow *self);
void fb_window_add_step_actions (FbWindow *self);
/* What rules take (window-times.c). */
void fb_window_add_times (FbWindow *self);
/* Measures it, or says why not. */
void fb_window_time_rules (FbWindow *self);
/* Search, breakpoints, rules and lineage (search-window.c). */
void fb_window_add_query (FbWindow *self);
void fb_window_update_query (FbWindow *self);
gboolean fb_window_is_query_settled (FbWindow *self);
void fb_window_add_compare (FbWindow *self);
/* Scenarios beside each other (scenario-window.c). */
void fb_window_add_scenarios (FbWindow *self);
gboolean fb_window_is_scenario_settled (FbWindow *self);
/* Running kernels and looking at their buffers (window-run.c). */
void fb_window_add_run (FbWindow *self);
void fb_window_update_run (FbWindow *self);
gboolean fb_window_is_run_settled (FbWindow *self);
/* The buffer that the viewer shows, into a file whose name says how: .npy, .csv, .png (buffer-save.c). */
void fb_window_save_buffer (FbWindow *self, const char *path);
void fb_window_choose_buffer_file (FbWindow *self, const char *extension);
/* Actions about the session, bookmarks and notes; follows the document. */
void fb_window_add_session (FbWindow *self);
/* The Open menu offers what was not saved, as it is now. */
void fb_window_look_for_unsaved (FbWindow *self);
/* Which of them make sense, and the title. */
void fb_window_update_session (FbWindow *self);
/* Writes down what there is and ends it: the window goes. */
void fb_window_end_session (FbWindow *self);
/* Nothing is left to be written down. */
gboolean fb_window_is_session_settled (FbWindow *self);
/* Saves the session as @path; NULL: as before. Errors go into the banner. */
void fb_window_save_session (FbWindow *self, const char *path);
/* "lerp.db", "• lerp.fusebox" with something unsaved; NULL: nothing is open. Free with g_free. */
char *fb_window_get_document_title (FbWindow *self);
void fb_window_show_titles (FbWindow *self);
/* Gives panels the sizes of the settings, once there is room. */
void fb_window_apply_sizes (FbWindow *self);
/* Folds the inspector, or not, once sizes are given out. */
void fb_window_size_later (FbWindow *self);
/* For the next window. */
void fb_window_remember_sizes (FbWindow *self);
/* The Open menu, the welcome page's lists, files dropped, and the window's actions about files. Once `standalone` is known. */
void fb_window_add_files (FbWindow *self);
/* What lies over the canvas: counts of marks, choice of sides, zoom; and their places for what they show now. */
void fb_window_add_floats (FbWindow *self);
void fb_window_place_floats (FbWindow *self);
/* Which actions make sense now. */
void fb_window_update_actions (FbWindow *self);
void fb_window_stop_playing (FbWindow *self);
/* A line over the canvas that goes away by itself. */
void fb_window_show_note (FbWindow *self, const char *text);
void fb_window_show_banner (FbWindow *self, const char *text);
/* The replay page in the place of the graph, or the graph again. A file that was not replayed yet is. */
void fb_window_show_replay (FbWindow *self, gboolean shown);
void fb_window_choose_file (FbWindow *self);
/* Shows or hides a panel: "show-passes", "show-inspector", "show-drawer". */
void fb_window_set_panel (FbWindow *self, const char *action, gboolean shown);
/* Puts the inspector beside the canvas or over it, as the width asks for. */
void fb_window_fold (FbWindow *self, gboolean folded);
