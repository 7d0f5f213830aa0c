/* The kinds of difference between captured and recomputed kernels. */
#pragma once

#include <glib.h>

/* In the order in which they are tried and shown. */
typedef enum
{
  FB_REPLAY_IDENTICAL,  /* the same node: the text is the same */
  FB_REPLAY_RENUMBERED, /* the same once buffers are numbered by first use */
  FB_REPLAY_REORDERED,  /* the same, run at another place among the others */
  FB_REPLAY_VIEWS,      /* the same once shape trackers, reduced axes and sizes are ignored */
  FB_REPLAY_CONSTANTS,  /* the same once the values of constants are ignored */
  FB_REPLAY_REWRITTEN,  /* writes the same by other operations, or differs in both views and constants */
  FB_REPLAY_SPLIT,      /* captured kernels became more kernels */
  FB_REPLAY_MERGED,     /* captured kernels became fewer kernels */
  FB_REPLAY_NEW,        /* nothing like it was captured */
  FB_REPLAY_GONE,       /* nothing like it was recomputed */
  FB_REPLAY_N_CLASSES
} FbReplayClass;

/* "views only"; static. */
const char *fb_replay_class_name (FbReplayClass class);
/* Takes the name with spaces, hyphens or underscores, and "views" and "constants" for short. */
gboolean fb_replay_class_from_name (const char *name, FbReplayClass *class);
