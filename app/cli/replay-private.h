/* Parts of `fusebox replay`. */
#pragma once

#include "core/replay/report.h"

#include "cli-private.h"

/* What to replay, and what is told meanwhile. */
typedef struct
{
  const char *const *paths;
  const char *release; /* NULL to detect */
  guint jobs;
  FbReplayReport *report; /* with the options and the shard; files and rows are added */
  /* In the calling thread, rows in order; @path is the row's file. */
  void (*told) (const FbReplayRow *row, const char *path, gpointer user);
  /* A file that cannot be opened, or has nothing to schedule. */
  void (*told_file) (const FbReplayFile *file, gpointer user);
  gpointer user;
} FbCliReplay;

/* Replays all rows of the shard. Ctrl-C ends it with the report partial; a second one kills the program. */
void fb_cli_replay_run (FbCliReplay *replay);
/* Reads a result written with --json. NULL with @error naming the file when it is none. */
FbReplayReport *fb_cli_replay_read (const char *path, GError **error);
