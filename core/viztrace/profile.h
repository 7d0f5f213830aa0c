/* Times of a run (profile.pkl), which tinygrad leaves beside the trace of its rewrites when PROFILE or VIZ is set.
 *
 * Every release writes a list of events: ranges (device, name, start, end) and graphs (entries of that kind, whose start and end
 * are numbers of signals). Those of one name are put together. What else is in the list is counted, not read. As of traces,
 * nothing of the file is ever called. After opening, a profile is only read, by as many threads as want to. */
#pragma once

#include <gio/gio.h>

typedef struct _FbVizProfile FbVizProfile;

/* All runs of one name. */
typedef struct
{
  const char *name;   /* as it was written, without escape sequences */
  const char *device; /* of the first run: "CPU" */
  guint n_runs;
  gboolean host;                   /* not run on a device: tinygrad's own work, such as the compilation of a kernel */
  double total, shortest, longest; /* seconds */
} FbVizTimes;

/* TRUE when these bytes can only be a profile. */
gboolean fb_viz_profile_sniff (const guint8 *bytes, gsize len);
/* Of a file, which is read; FALSE when it cannot be. Blocks. */
gboolean fb_viz_profile_sniff_file (const char *path);
/* Blocks. FB_CAPTURE_ERROR with file and byte offset otherwise. */
FbVizProfile *fb_viz_profile_open (const char *path, GError **error);
/* The same of bytes in memory; @what names them in errors. */
FbVizProfile *fb_viz_profile_new (GBytes *bytes, const char *what, GError **error);
FbVizProfile *fb_viz_profile_ref (FbVizProfile *profile);
void fb_viz_profile_unref (FbVizProfile *profile);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbVizProfile, fb_viz_profile_unref)

const char *fb_viz_profile_path (const FbVizProfile *profile);
/* Ranges that were read, and events of other kinds. */
guint fb_viz_profile_n_ranges (const FbVizProfile *profile);
guint fb_viz_profile_n_others (const FbVizProfile *profile);
/* Names, in the order in which they first ran; those of devices first. */
guint fb_viz_profile_n_times (const FbVizProfile *profile);
const FbVizTimes *fb_viz_profile_times (const FbVizProfile *profile, guint index);
/* Runs on a device of the kernel called @name, as a trace calls its context, colours or not; NULL: it did not run. */
const FbVizTimes *fb_viz_profile_find (const FbVizProfile *profile, const char *name);

/* Where the profile of the run that left this trace is: "rewrites.pkl.me" has "profile.pkl.me". NULL when the trace has another name
 * or there is no such file. Free with g_free. */
char *fb_viz_profile_beside (const char *trace_path);
/* "1.25 ms": three digits and a unit from s to ns. Free with g_free. */
char *fb_viz_time_text (double seconds);
