/* Parts of `fusebox explain` and `fusebox whatif`. */
#pragma once

#include "core/explain/counterfactual.h"

#include "cli-private.h"
#include "json.h"
#include "why-text.h"

/* What was asked. */
typedef struct
{
  const char *path;
  guint row;
  gboolean json, all, quick; /* quick: nothing is tried */
  FbUop *node, *other;       /* the node, or the pair; NULL: the whole row */
} FbCliExplain;

/* Everything an answer is made of. */
typedef struct
{
  const FbCliExplain *asked;
  FbCounterfactuals *tries;
  const FbSchedule *schedule;
  FbContext *context;
  const FbWhy *why;
  FbScheduleCost cost;
  FbKernelCost *kernels; /* of each kernel */
  GArray *lives;         /* of FbBufferLife */
} FbCliAnswer;

void fb_cli_explain_text (const FbCliAnswer *answer);
void fb_cli_explain_json (const FbCliAnswer *answer);
/* `explain --audit FILE...`: all rows; the exit code. */
int fb_cli_explain_audit (const char *const *paths, const char *release, guint jobs, gboolean json);

/* The only schedule row, or the one asked for, of a file, as bytes. FALSE: the error was printed. */
gboolean fb_cli_explain_row (FbCapture *capture, const FbCliRows *rows, guint *row, GBytes **bytes);
/* Appends a cost as the members of a JSON object, without braces. */
void fb_cli_append_cost_json (GString *json, const FbScheduleCost *cost);
/* "3 kernels → 1, 50,688 → 49,408 bytes, 12,800 → 45,056 FLOPs"; free with g_free. */
char *fb_cli_cost_change (const FbScheduleCost *before, const FbScheduleCost *after);
/* {"key":...,"op":...,"dtype":...,"shape":...} */
void fb_cli_append_node_json (GString *json, FbContext *context, FbUop *node);
/* {"verdict":...,"reason":...,...} of a node */
void fb_cli_append_verdict_json (GString *json, const FbSchedule *schedule, const FbVerdict *verdict);
