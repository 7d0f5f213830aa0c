/* Looking inside kernels from the command line: `run --probe`, `--reads` and `--find-nan`. */
#pragma once

#include "backends/run/run.h"

#include "cli-private.h"

/* A row that is ready to run: its buffers are filled. */
typedef struct
{
  const char *path, *dump; /* dump: a folder that exists, NULL for none */
  guint row;
  guint64 seed;
  gboolean json;
  const FbRunOptions *run;
  const FbSchedule *schedule;
  const FbPlan *plan;
  FbMemory *memory;
} FbCliProbe;

/* `--probe KERNEL:NODE`, `--probe KERNEL` (what there is to probe) or `--probe KEY`. The exit status. */
int fb_cli_probe (const FbCliProbe *probe, const char *what);
/* `--reads 3[1,2]`. */
int fb_cli_probe_reads (const FbCliProbe *probe, const char *what);
/* `--find-nan`: the first NaN and the first infinity. */
int fb_cli_probe_origin (const FbCliProbe *probe);

/* A value, of kernel @kernel, from 1, or of the graph (0). */
typedef struct
{
  guint kernel;
  FbUop *node;
  guint8 type;
  guint n_dims;
  const gint64 *shape;
  gint64 size;
  const guint8 *data;
} FbCliShown;
/* Its statistics and first elements. */
void fb_cli_shown_print (const FbCliProbe *probe, const FbCliShown *shown);
/* Appends ,"kernel":…,"key":…, shape and statistics, as `run --json` has them. */
void fb_cli_shown_append (const FbCliProbe *probe, const FbCliShown *shown, GString *json);

/* Appends {"file":…,"row":…,"seed":…,"backend":… without the brace at the end. */
void fb_cli_probe_begin_json (const FbCliProbe *probe, GString *json);
/* Appends ,"key":…,"op":…,"dtype":…. */
void fb_cli_probe_append_node (const FbCliProbe *probe, FbUop *node, GString *json);
/* "MUL 4c23d0e1ba337700"; free with g_free. */
char *fb_cli_probe_node_text (const FbCliProbe *probe, FbUop *node);
/* Appends ,"name":value. */
void fb_cli_append_member (GString *json, const char *name, double value);
/* Appends a number as JSON has it: infinity as one too large, NaN as null. */
void fb_cli_append_number (GString *json, double value);
