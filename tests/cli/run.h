/* Runs the built program. */
#pragma once

#include <gio/gio.h>

typedef struct
{
  int status; /* exit code; -1 when a signal ended it */
  char *out, *err;
  gsize out_len;
} FbRun;

/* Runs FUSEBOX_BIN with @words (NULL-terminated) in the folder @cwd (NULL: FUSEBOX_SAMPLES), without a display. */
FbRun *fb_run (const char *cwd, const char *const *words);
void fb_run_free (FbRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbRun, fb_run_free)
#define fb_run_words(...) fb_run (NULL, (const char *const[]){ __VA_ARGS__, NULL })
