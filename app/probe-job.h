/* The value of a node, of any pass and step, on the inputs of a run of its row.
 *
 * A node of a kernel as it is run is probed: its sub-tree runs as a kernel of its own on the run's backend, and beside it stands the
 * same value of the unfused graph. Any other node is what the interpreter makes of the graph. */
#pragma once

#include "app/document.h"
#include "app/run.h"

typedef struct
{
  gatomicrefcount refs;
  guint8 type; /* FbScalarType */
  guint n_dims;
  gint64 *shape;
  gint64 size;
  GBytes *data;    /* row by row of the shape */
  GBytes *unfused; /* the same elements of the unfused graph; NULL: it has no such node, or no value for it */
  guint kernel;    /* from 1; 0: of the whole graph */
  char *name;      /* "MUL 4c23d0e1" */
  char *unfused_name;
  char *verdict; /* how the two agree, in words; NULL without .unfused */
} FbProbed;
FbProbed *fb_probed_ref (FbProbed *probed);
void fb_probed_unref (FbProbed *probed);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbProbed, fb_probed_unref)

/* Is the node that is described one that has a value, of a row that can be run? */
gboolean fb_probe_job_can (FbDocument *doc);
/* Of the node that is described; @run is of its row's scenario and has ended. Main thread. Every call is to be finished. */
void fb_probe_job_async (FbDocument *doc, FbRun *run, GCancellable *cancellable, GAsyncReadyCallback done,
                         gpointer data);
/* NULL: there is no value, and why. */
FbProbed *fb_probe_job_finish (FbDocument *doc, GAsyncResult *result, GError **error);
