/* What the files of `fusebox run` share. */
#pragma once

#include "backends/run/fill.h"
#include "backends/run/run.h"

#include "cli-private.h"

typedef struct
{
  FbCliRows rows;
  char *backend, *seed, *dump, *memory;
  char *probe, *reads; /* instead of a run: look inside */
  gboolean find_nan;
  char **inputs;
  int threads, seconds;
  gboolean json, devices;
} FbRunArguments;

typedef struct
{
  const FbRunArguments *options;
  const char *path;
  const FbSchedule *schedule;
  FbPlan *plan;
  FbMemory memory;
  FbBackend backend;
  guint device;
  guint64 seed;
  GString *json; /* the kernels' objects; NULL for text */
  FbRunReport report;
  double run_seconds;
  gboolean failed;
} FbRunning;

/* A kernel that has run: a line of text, or an object of the JSON. */
void fb_run_append_step (FbRunning *running, guint number, const FbStats *stats, double seconds);
void fb_run_print_step (FbRunning *running, guint number, const FbStats *stats, double seconds);
/* The whole run as one JSON object to standard output: docs/run.md. */
void fb_run_print_json (const FbRunning *running, guint row);
/* `fusebox run --devices`. Returns the exit code. */
int fb_run_print_devices (gboolean json);
