/* The result of replaying many captures: what is printed, written as JSON, and joined from shards. */
#pragma once

#include "row.h"

typedef struct
{
  char *path;
  char *digest;        /* SHA-256 over its rows' keys and sizes, in hex; "" when it could not be opened */
  char *error;         /* why it could not be opened; NULL when it was */
  guint n_rows;        /* schedules and graphs, of all shards */
  guint n_kernel_rows; /* which there is nothing to schedule in; of a trace, other contexts than schedules */
  gboolean trace;
  guint n_replayed; /* rows that are in this result */
  guint statuses[FB_REPLAY_N_ROW_STATUSES];
} FbReplayFile;

typedef struct
{
  char *version;    /* of the program that made it */
  GArray *options;  /* of FbReplayOption: what was set */
  guint n_shards;   /* into which the rows are dealt out: row r of all belongs to shard (r - 1) % n_shards + 1 */
  GArray *shards;   /* of guint: those that are in it, ascending */
  gboolean partial; /* stopped before all rows of its shards were replayed, or without some of the shards */
  GPtrArray *files; /* of FbReplayFile */
  GPtrArray *rows;  /* of FbReplayRow: all but the identical ones, by file and row */
  guint statuses[FB_REPLAY_N_ROW_STATUSES];
  guint64 counts[FB_REPLAY_N_CLASSES]; /* of all rows */
  guint64 n_captured, n_scheduled;     /* kernels of all rows that were compared */
  /* passes of schedules in traces, and their matches */
  guint64 n_passes, n_passes_alike, n_matches, n_matches_alike;
} FbReplayReport;

FbReplayReport *fb_replay_report_new (const GArray *options, guint shard, guint n_shards);
void fb_replay_report_free (FbReplayReport *report);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbReplayReport, fb_replay_report_free)
/* @capture NULL when it could not be opened, with @error saying why. */
void fb_replay_report_add_file (FbReplayReport *report, const char *path, FbCapture *capture, const GError *error);
/* Rows come in the order of files and rows. Takes @row; gives it back, still owned by the report, or NULL when it was
 * only counted. */
const FbReplayRow *fb_replay_report_add_row (FbReplayReport *report, FbReplayRow *row);
/* The kind of rows of a file that are replayed, FB_ROW_KERNEL when there are none. */
FbRowKind fb_replay_file_kind (FbCapture *capture);
/* The context that row @row of a trace is, from 1; 0 when @capture is no trace. */
guint fb_replay_file_context (FbCapture *capture, guint row);
guint fb_replay_report_n_replayed (const FbReplayReport *report);
/* Rows of its shards: what there was to replay. */
guint fb_replay_report_n_rows (const FbReplayReport *report);

/* Rows that changed in the same way. */
typedef struct
{
  guint64 signature;
  GPtrArray *rows; /* of FbReplayRow, borrowed */
} FbReplayGroup;
/* Largest first, then by first row. Free with g_ptr_array_unref. */
GPtrArray *fb_replay_report_groups (const FbReplayReport *report);

/* "replayed 3 captures: 1 identical, 1 changed, 1 failed"; free with g_free. */
char *fb_replay_report_summary (const FbReplayReport *report);
/* "passes of traces: 75 of 75 alike, 1520 of 1520 matches"; NULL when no trace is among the files. Free with g_free. */
char *fb_replay_report_passes_summary (const FbReplayReport *report);
/* The lines a person reads; free with g_free. Of an uncompared row "no kernels captured, 3 scheduled". */
char *fb_replay_row_to_text (const FbReplayRow *row, const char *path);
/* "same change in 214 captures: 1 merged (...)". */
char *fb_replay_group_to_text (const FbReplayGroup *group, const FbReplayReport *report);
/* As core/replay/README.md says; ends in a newline. The same report gives the same bytes. */
char *fb_replay_report_to_json (const FbReplayReport *report);
/* Joins the results of different shards of the same files. @names are for errors. A result of all shards equals that of
 * an undivided run. NULL with @error when they overlap or do not belong together. */
FbReplayReport *fb_replay_report_merge (guint n, FbReplayReport *const *reports, const char *const *names,
                                        GError **error);
