#include "run.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/cpu/cpu.h"
#include "backends/interp/apart.h"
#include "backends/interp/interp.h"
#include "backends/opencl/opencl.h"

static const char *const names[FB_N_BACKENDS]
    = { [FB_BACKEND_INTERP] = "interp", [FB_BACKEND_CPU] = "cpu", [FB_BACKEND_OPENCL] = "opencl" };

const char *
fb_backend_name (FbBackend backend)
{
  return names[backend];
}

FbBackend
fb_backend_from_name (const char *name)
{
  guint i;
  for (i = 0; i < FB_N_BACKENDS && strcmp (names[i], name) != 0; i++)
    ;
  return i;
}

gboolean
fb_backend_parse (const char *text, FbBackend *backend, guint *device)
{
  const char *colon = strchr (text, ':');
  g_autofree char *name = g_strndup (text, colon == NULL ? strlen (text) : (gsize) (colon - text));
  guint64 number = 0;
  *backend = fb_backend_from_name (name);
  if (*backend == FB_N_BACKENDS
      || (colon != NULL
          && (*backend != FB_BACKEND_OPENCL
              || !g_ascii_string_to_unsigned (colon + 1, 10, 0, G_MAXINT, &number, NULL))))
    return FALSE;
  *device = (guint) number;
  return TRUE;
}

gboolean
fb_memory_init (FbMemory *memory, gsize size, GError **error)
{
  *memory = (FbMemory){ .size = MAX (size, 4096), .fd = memfd_create ("fusebox-buffers", MFD_CLOEXEC) };
  memory->data = MAP_FAILED;
  if (memory->fd >= 0 && ftruncate (memory->fd, (off_t) memory->size) == 0)
    memory->data = mmap (NULL, memory->size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory->fd, 0);
  if (memory->data != MAP_FAILED)
    return TRUE;
  g_autofree char *bytes = g_format_size_full (size, G_FORMAT_SIZE_IEC_UNITS);
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_SIZE, "no memory for buffers of %s: %s", bytes,
               g_strerror (errno));
  if (memory->fd >= 0)
    close (memory->fd);
  memory->data = NULL;
  return FALSE;
}

void
fb_memory_clear (FbMemory *memory)
{
  if (memory->data == NULL)
    return;
  munmap (memory->data, memory->size);
  close (memory->fd);
  memory->data = NULL;
}

static gboolean
interpret_step (const FbPlan *plan, const FbPlanStep *step, FbMemory *memory, guint threads, gint64 *max_of_nan,
                GCancellable *cancellable, GError **error)
{
  g_autofree guint8 **args = g_new0 (guint8 *, step->n_buffers + 1);
  for (guint i = 0; i < step->n_buffers; i++)
    args[i] = fb_plan_data (plan, memory->data, step->buffers[i]);
  if (step->kind == FB_STEP_COPY)
    memmove (args[0], args[1], fb_plan_buffer (plan, step->buffers[0])->bytes);
  else if (step->kind == FB_STEP_PROGRAM)
    return fb_interp_run_counting (step->program, args, threads, max_of_nan, cancellable, error);
  return TRUE;
}

static gboolean
interpret (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, GCancellable *cancellable, GError **error)
{
  for (guint i = 0; i < plan->steps->len; i++)
    {
      gint64 start = g_get_monotonic_time ();
      gint64 ignored = 0, *max_of_nan = options->max_of_nan == NULL ? &ignored : &options->max_of_nan[i];
      if (!interpret_step (plan, fb_plan_step (plan, i), memory, options->threads, max_of_nan, cancellable, error))
        {
          g_prefix_error (error, "kernel %u: ", i + 1);
          return FALSE;
        }
      double seconds = (double) (g_get_monotonic_time () - start) / 1e6;
      if (options->after != NULL && !options->after (i, seconds, options->user))
        break;
    }
  return TRUE;
}

gboolean
fb_run (const FbPlan *plan, FbMemory *memory, const FbRunOptions *options, FbRunReport *report,
        GCancellable *cancellable, GError **error)
{
  FbRunOptions used = *options;
  FbRunReport ignored;
  if (report == NULL)
    report = &ignored;
  *report = (FbRunReport){ 0 };
  if (used.threads == 0)
    used.threads = g_get_num_processors ();
  used.threads = MIN (used.threads, 64);
  if (used.backend == FB_BACKEND_CPU)
    return fb_cpu_run (plan, memory, &used, report, cancellable, error);
  if (used.backend == FB_BACKEND_OPENCL)
    return fb_opencl_run (plan, memory, &used, report, cancellable, error);
  if (used.apart)
    return fb_interp_run_apart (plan, memory, &used, cancellable, error);
  return interpret (plan, memory, &used, cancellable, error);
}

int
fb_run_child (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "interpret") == 0)
    return fb_interp_child (argc, argv);
  return fb_opencl_child (argc, argv);
}
