/* Running a plan on a backend. */
#pragma once

#include "plan.h"

typedef enum
{
  FB_BACKEND_INTERP,
  FB_BACKEND_CPU,
  FB_BACKEND_OPENCL,
  FB_N_BACKENDS
} FbBackend;

/* "interp"; FB_N_BACKENDS when there is none of that name. */
const char *fb_backend_name (FbBackend backend);
FbBackend fb_backend_from_name (const char *name);
/* "cpu", "opencl" or "opencl:1", the device by number. FALSE: no such backend. */
gboolean fb_backend_parse (const char *text, FbBackend *backend, guint *device);

/* Memory for a plan's buffers, zeroed, which a child process can share. */
typedef struct
{
  guint8 *data;
  gsize size;
  int fd;
} FbMemory;
gboolean fb_memory_init (FbMemory *memory, gsize size, GError **error);
void fb_memory_clear (FbMemory *memory);

typedef struct
{
  FbBackend backend;
  guint threads;         /* 0: one per processor */
  guint device;          /* of OpenCL, in the order of fb_opencl_devices() */
  guint seconds;         /* a kernel that takes longer ends the run, if it runs in a child; 0: no limit */
  guint compile_seconds; /* the same for compiling all of them */
  gsize memory;          /* bytes that a child may take beside the buffers; 0: no limit */
  const char *cache;     /* folder of compiled programs, NULL for the user's */
  const char *compiler;  /* NULL: the first of cc, gcc, clang */
  gboolean apart;        /* the interpreter runs in a child too, under the same limits */
  /* Of each step how many times a MAX of floats met a NaN (agree.h), counted by the interpreter alone; may be NULL. */
  gint64 *max_of_nan;
  /* Called after each kernel with its seconds, in the calling thread, before the next kernel runs. FALSE stops. */
  gboolean (*after) (guint step, double seconds, gpointer user);
  gpointer user;
} FbRunOptions;

typedef struct
{
  double compile_seconds;
  gboolean cached; /* nothing was compiled */
} FbRunReport;

/* Runs every kernel of @plan over @memory. @report may be NULL. FALSE: the error says which kernel and why; memory holds
 * what was written until then. */
gboolean fb_run (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, FbRunReport *report,
                 GCancellable *cancellable, GError **error);

/* What a child does that is the program itself, `fusebox executor …`. Returns the exit code. */
int fb_run_child (int argc, char **argv);
