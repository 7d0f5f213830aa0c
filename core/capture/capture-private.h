/* Inside of a capture. For core/capture/capture*.c only. */
#pragma once

#include "capture.h"
#include "core/viztrace/profile.h"
#include "core/viztrace/viztrace.h"
#include "database.h"
#include "row.h"

struct _FbCapture
{
  char *path;
  char *format;
  int release; /* asked for; -1 to detect */
  FbPickle *pickle;
  FbDatabase *database; /* either this */
  GBytes *bytes;        /* or a bare pickle */
  FbRowInfo bare;
  FbVizTrace *trace;     /* or a trace */
  FbVizProfile *profile; /* beside it; NULL: none */
  FbRowInfo *contexts, *schedules;
  guint n_schedules;
};
