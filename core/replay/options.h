/* Options of the scheduler by the names a person knows them by, to replay captures under others. */
#pragma once

#include "core/ir/context.h"

typedef struct
{
  const char *name; /* "FUSE_ARANGE"; static */
  gint64 value;
} FbReplayOption;

/* Reads "NAME=VALUE" into @options (of FbReplayOption, by name); a later value of the same option replaces the earlier.
 * FALSE with @error saying which names and values there are. */
gboolean fb_replay_options_parse (GArray *options, const char *text, GError **error);
void fb_replay_options_apply (const GArray *options, FbContext *context);
/* The value that @context has of the option @name, 0 for a name that is none. */
gint64 fb_replay_option_value (FbContext *context, const char *name);
gboolean fb_replay_options_equal (const GArray *a, const GArray *b);
/* The names of all options, "FUSE_ARANGE, FUSE_CONV_BW, ..."; free with g_free. */
char *fb_replay_options_names (void);
