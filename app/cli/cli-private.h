/* What the subcommands share. */
#pragma once

#include <glib/gi18n.h>

#include "core/capture/capture.h"
#include "core/ir/text.h"
#include "core/schedule.h"

#include "cli.h"

/* A subcommand; argv[0] is its name. Returns the exit code. */
typedef int (*FbCliFunc) (int argc, char **argv);

int fb_cli_check (int argc, char **argv);
int fb_cli_diff (int argc, char **argv);
int fb_cli_explain (int argc, char **argv);
int fb_cli_help (int argc, char **argv);
int fb_cli_info (int argc, char **argv);
int fb_cli_lineage (int argc, char **argv);
int fb_cli_replay (int argc, char **argv);
int fb_cli_rules (int argc, char **argv);
int fb_cli_run (int argc, char **argv);
int fb_cli_search (int argc, char **argv);
int fb_cli_show (int argc, char **argv);
int fb_cli_trace (int argc, char **argv);
int fb_cli_verify (int argc, char **argv);
int fb_cli_version (int argc, char **argv);
int fb_cli_watch (int argc, char **argv);
int fb_cli_whatif (int argc, char **argv);
/* `fusebox [open] FILE` where there is no display: the same story as text. */
int fb_cli_story (int argc, char **argv);

/* --- arguments --- */
/* Parses options; what remains are files, given back through a G_OPTION_REMAINING entry. FALSE: the error was printed.
 * @arguments and @summary are for --help. */
gboolean fb_cli_parse (int argc, char **argv, const GOptionEntry *entries, const char *arguments, const char *summary);
/* Which rows of a file a subcommand is about. */
typedef struct
{
  char *kind_name; /* --kind; NULL: the file's main kind */
  int row;         /* --row; 0: not given */
  char *release;   /* --release */
} FbCliRows;
#define FB_CLI_ROWS_INIT \
  {                      \
    NULL, 0, NULL        \
  }
void fb_cli_rows_clear (FbCliRows *rows);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FbCliRows, fb_cli_rows_clear)
/* The kind asked for, checked against the file, and that --row is a row of it. FALSE: the error was printed. */
gboolean fb_cli_rows_resolve (const FbCliRows *rows, FbCapture *capture, FbRowKind *kind);
/* The only file of a subcommand that takes one; NULL: the error was printed. */
const char *fb_cli_one_file (char **files, const char *command);
/* "schedule", "graph", "kernel": not translated. */
const char *fb_cli_kind_name (FbRowKind kind);

/* --- output --- */
/* One line on stderr, "fusebox: ...", control characters made visible. */
void fb_cli_error (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Captured text for a terminal: control characters escaped, valid UTF-8. Free with g_free. */
char *fb_cli_clean_text (const char *text);
/* To stdout, as it is. */
void fb_cli_write (const char *text, gsize len);
void fb_cli_print (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* Flushes stdout: @status, or FB_EXIT_FAILED (and an error line) when it could not be written. */
int fb_cli_finish (int status);
/* To the file @path, or to stdout when @path is NULL or "-". FALSE: the error was printed. */
gboolean fb_cli_write_out (const char *path, const char *text, gsize len);

/* --- progress: a bar on stderr when it is a terminal and the work takes a while --- */
void fb_cli_progress_begin (const char *what, guint total);
void fb_cli_progress_set (guint done);
void fb_cli_progress_end (void);
/* Wipes the bar before a line is printed; it comes back with the next _set. */
void fb_cli_progress_hide (void);

/* --- files and rows --- */
/* fb_capture_open, with the error printed. */
FbCapture *fb_cli_open (const char *path, const char *release);

/* A loop over rows of a file on several threads, each with a context of its own. */
typedef struct
{
  FbCapture *capture;
  const char *release;
  FbRowKind kind;
  guint first, last; /* from 1, inclusive */
  guint jobs;        /* threads; 1: the calling one */
  /* In a worker: @row decoded into @context, or NULL with @error saying why. What it returns goes to @deliver. */
  gpointer (*work) (FbContext *context, FbCaptureRow *row, const GError *error, gpointer user);
  /* In the calling thread, in the order of the rows; owns @result. FALSE ends the loop. */
  gboolean (*deliver) (guint row, gpointer result, gpointer user);
  /* Frees a result that is never delivered. */
  GDestroyNotify drop;
  gpointer user;
} FbCliLoop;
void fb_cli_loop (const FbCliLoop *loop);
/* What --jobs means: 0 is one per processor, at most 16. */
guint fb_cli_jobs (int asked);

/* Nodes reachable from @root. */
guint fb_cli_count_nodes (FbContext *context, FbUop *root);
/* The schedule's error as one line naming file, row and pass; free with g_free. */
char *fb_cli_schedule_error (const char *path, guint row, const FbSchedule *schedule);
/* Pass number (from 1) of "3" or of a pass's title, of those in @schedule; 0 and @message, to be freed, when there is none. */
guint fb_cli_find_pass (const FbSchedule *schedule, const char *text, char **message);
