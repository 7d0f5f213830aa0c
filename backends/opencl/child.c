/* The child process: everything that calls a driver. */
#include <string.h>

#include "backends/run/executor-child.h"

#include "opencl-child.h"

#define LOCAL_SIZE 64
/* Partial sums of a sum: of the items of a GPU's work-group, or of the vectors of a processor. */
#define GPU_GROUP 256
#define CPU_PARTS 32
/* Points of one launch: a driver may not take more work items, and some stop what runs for seconds. */
#define LAUNCH_POINTS ((gint64) 1 << 26)
/* A kernel is made ready for small and for large launches apart by some drivers. */
#define READY_POINTS 131072

/* Of a product: items across and down, each with so many rows by so many lanes, and terms at a time. */
typedef struct
{
  gsize across, down, height, width, depth;
} Tile;

typedef struct
{
  const FbCl *cl;
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  cl_program program;
  GHashTable *kernels; /* number + 1 -> cl_kernel */
  GHashTable *buffers; /* place of a base + 1 -> cl_mem */
  guint8 *memory;
  gsize memory_size, local_size, group, parts;
  Tile tile;
} Child;

typedef struct
{
  gint64 place, bytes, offset, item, written;
  cl_mem staged; /* a copy that is aligned, of what is not */
} Arg;

static void
check (cl_int error, const char *what)
{
  if (error != CL_SUCCESS)
    fb_child_fail ("%s: %s", what, fb_cl_error_name (error));
}

/* A processor has long vectors and few work-groups at a time; a GPU has many items, and vectors are theirs together. */
static void
set_sizes (Child *child)
{
  guint64 most = MAX (fb_opencl_device_number (child->cl, child->device, CL_DEVICE_MAX_WORK_GROUP_SIZE), 1);
  /* for tests, which have no GPU */
  gboolean as_gpu = g_strcmp0 (g_getenv ("FUSEBOX_OPENCL_AS"), "gpu") == 0;
  gboolean cpu
      = !as_gpu && (fb_opencl_device_number (child->cl, child->device, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
  child->local_size = (gsize) MIN (LOCAL_SIZE, most);
  child->tile = cpu ? (Tile){ 4, 4, 8, 16, 32 } : (Tile){ 16, 16, 4, 4, 16 };
  while (child->tile.across * child->tile.down > most)
    child->tile.across = child->tile.down = child->tile.down / 2;
  child->group = cpu ? 1 : GPU_GROUP;
  child->parts = cpu ? CPU_PARTS : 1;
  while (child->group > most)
    child->group /= 2;
}

static void
open_device (Child *child, guint number)
{
  const char *why;
  cl_device_id devices[64];
  cl_int error;
  child->cl = fb_cl_load (&why);
  if (child->cl == NULL)
    fb_child_fail ("no OpenCL device: %s", why);
  guint n = fb_opencl_find_devices (child->cl, devices, G_N_ELEMENTS (devices));
  if (n == 0)
    fb_child_fail ("no OpenCL device: no driver for one is installed");
  if (number >= n)
    fb_child_fail (n == 1 ? "no OpenCL device %u: there is only number 0"
                          : "no OpenCL device %u: there are numbers 0 to %u",
                   number, n - 1);
  child->device = devices[number];
  child->context = child->cl->CreateContext (NULL, 1, &child->device, NULL, NULL, &error);
  check (error, "a context for the device");
  child->queue = child->cl->CreateCommandQueue (child->context, child->device, 0, &error);
  check (error, "a queue for the device");
  set_sizes (child);
}

/* The first line of the build log that says what is wrong. */
static char *
build_message (Child *child)
{
  static char log[65536];
  if (child->cl->GetProgramBuildInfo (child->program, child->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL)
      != CL_SUCCESS)
    log[0] = '\0';
  const char *found = strstr (log, "error:");
  const char *line = found != NULL ? found : log;
  return g_strndup (line, strcspn (line, "\n"));
}

static void
build (Child *child)
{
  cl_int error;
  gsize size;
  const char *text = (const char *) fb_child_map_given (&size);
  if (g_str_has_prefix (text, "#define WITH_DOUBLE")
      && fb_opencl_device_number (child->cl, child->device, CL_DEVICE_DOUBLE_FP_CONFIG) == 0)
    fb_child_fail ("the device has no floats of 64 bits");
  gboolean rounds = (fb_opencl_device_number (child->cl, child->device, CL_DEVICE_SINGLE_FP_CONFIG)
                     & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
                    != 0;
  child->program = child->cl->CreateProgramWithSource (child->context, 1, &text, &size, &error);
  check (error, "the source");
  const Tile *tile = &child->tile;
  g_autofree char *options = g_strdup_printf (
      "-w%s -DGROUP=%d -DPARTS=%d -DTILE_ACROSS=%d -DTILE_DOWN=%d -DTILE_HEIGHT=%d -DTILE_WIDTH=%d -DTILE_DEPTH=%d",
      rounds ? " -cl-fp32-correctly-rounded-divide-sqrt" : "", (int) child->group, (int) child->parts,
      (int) tile->across, (int) tile->down, (int) tile->height, (int) tile->width, (int) tile->depth);
  error = child->cl->BuildProgram (child->program, 1, &child->device, options, NULL, NULL);
  if (error != CL_SUCCESS)
    {
      g_autofree char *message = build_message (child);
      fb_child_fail ("the kernels cannot be compiled: %s: %s", fb_cl_error_name (error), message);
    }
}

static cl_kernel
find_kernel (Child *child, gint64 number)
{
  cl_kernel kernel = g_hash_table_lookup (child->kernels, GINT_TO_POINTER (number + 1));
  if (kernel == NULL)
    {
      g_autofree char *name = g_strdup_printf ("k%" G_GINT64_FORMAT, number);
      cl_int error;
      kernel = child->cl->CreateKernel (child->program, name, &error);
      check (error, "the kernel");
      g_hash_table_insert (child->kernels, GINT_TO_POINTER (number + 1), kernel);
    }
  return kernel;
}

/* The base buffer of @arg: memory that is shared with the device, or copied to it by the driver. */
static cl_mem
find_buffer (Child *child, const Arg *arg)
{
  cl_mem buffer = g_hash_table_lookup (child->buffers, GSIZE_TO_POINTER ((gsize) arg->place + 1));
  if (buffer == NULL)
    {
      cl_int error;
      buffer = child->cl->CreateBuffer (child->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, (gsize) arg->bytes,
                                        child->memory + arg->place, &error);
      if (error != CL_SUCCESS)
        {
          g_autofree char *bytes = g_format_size_full ((guint64) arg->bytes, G_FORMAT_SIZE_IEC_UNITS);
          fb_child_fail ("no buffer of %s on the device: %s", bytes, fb_cl_error_name (error));
        }
      g_hash_table_insert (child->buffers, GSIZE_TO_POINTER ((gsize) arg->place + 1), buffer);
    }
  return buffer;
}

static void
read_arg (Child *child, Arg *arg)
{
  gint64 numbers[FB_OPENCL_ARG_NUMBERS];
  fb_child_read (numbers, sizeof numbers);
  *arg = (Arg){ numbers[0], MAX (numbers[1], 1), numbers[2], numbers[3], numbers[4], NULL };
  if (arg->place < 0 || arg->offset < 0 || arg->offset > arg->bytes || arg->item <= 0
      || (gsize) arg->place > child->memory_size || (gsize) arg->bytes > child->memory_size - (gsize) arg->place)
    fb_child_fail ("a buffer outside the memory");
}

/* Host memory is what the buffer holds from here on. */
static void
bring_home (Child *child, const Arg *arg)
{
  cl_mem buffer = find_buffer (child, arg);
  cl_int error;
  void *data = child->cl->EnqueueMapBuffer (child->queue, buffer, CL_TRUE, CL_MAP_READ, 0, (gsize) arg->bytes, 0, NULL,
                                            NULL, &error);
  check (error, "reading a buffer");
  check (child->cl->EnqueueUnmapMemObject (child->queue, buffer, data, 0, NULL, NULL), "reading a buffer");
}

static void
copy_staged (Child *child, Arg *arg, gboolean back)
{
  cl_mem buffer = find_buffer (child, arg);
  gsize offset = (gsize) arg->offset, size = (gsize) (arg->bytes - arg->offset);
  check (child->cl->EnqueueCopyBuffer (child->queue, back ? arg->staged : buffer, back ? buffer : arg->staged,
                                       back ? 0 : offset, back ? offset : 0, size, 0, NULL, NULL),
         "copying a buffer");
}

static void
set_arg (Child *child, cl_kernel kernel, guint number, Arg *arg)
{
  cl_mem buffer = find_buffer (child, arg);
  gint64 offset = arg->offset;
  if (offset % arg->item != 0)
    {
      cl_int error;
      arg->staged
          = child->cl->CreateBuffer (child->context, CL_MEM_READ_WRITE, (gsize) (arg->bytes - offset), NULL, &error);
      check (error, "a copy of a buffer");
      copy_staged (child, arg, FALSE);
      buffer = arg->staged;
      offset = 0;
    }
  check (child->cl->SetKernelArg (kernel, number, sizeof buffer, &buffer), "an argument");
  check (child->cl->SetKernelArg (kernel, number + 1, sizeof offset, &offset), "an argument");
}

/* How many times the kernel's items or groups are to run, and how many items each is. */
static gint64
share_out (const Child *child, gint64 sharing, gint64 points, gint64 rows, gint64 lanes, gsize *local, gsize *each)
{
  const Tile *tile = &child->tile;
  const gint64 down = (gint64) (tile->down * tile->height), across = (gint64) (tile->across * tile->width);
  *local = sharing == FB_OPENCL_ITEMS    ? child->local_size
           : sharing == FB_OPENCL_GROUPS ? child->group
                                         : tile->across * tile->down;
  *each = sharing == FB_OPENCL_ITEMS ? 1 : *local;
  return sharing == FB_OPENCL_TILES ? points * ((rows + down - 1) / down) * ((lanes + across - 1) / across) : points;
}

static void
launch (Child *child)
{
  static Arg args[FB_OPENCL_MAX_ARGS];
  gboolean really = fb_child_read_number () != 0;
  gint64 number = fb_child_read_number (), sharing = fb_child_read_number (), wanted = fb_child_read_number (),
         rows = fb_child_read_number (), lanes = fb_child_read_number (), n = fb_child_read_number ();
  gsize local, each;
  const gint64 points = share_out (child, sharing, wanted, rows, lanes, &local, &each);
  const gint64 at_once = LAUNCH_POINTS / (gint64) each;
  cl_kernel kernel = find_kernel (child, number);
  if (n < 0 || n > FB_OPENCL_MAX_ARGS)
    fb_child_fail ("the kernel has %" G_GINT64_FORMAT " arguments", n);
  for (gint64 i = 0; i < n; i++)
    {
      read_arg (child, &args[i]);
      set_arg (child, kernel, 2 * (guint) i, &args[i]);
    }
  for (gint64 first = 0; first < (really ? points : 1); first += at_once)
    {
      gint64 last = really ? MIN (first + at_once, points) : 0,
             count = really ? last - first : MIN (points, READY_POINTS / (gint64) each);
      gsize global = ((gsize) count * each + local - 1) / local * local;
      check (child->cl->SetKernelArg (kernel, 2 * (guint) n, sizeof first, &first), "an argument");
      check (child->cl->SetKernelArg (kernel, 2 * (guint) n + 1, sizeof last, &last), "an argument");
      check (child->cl->EnqueueNDRangeKernel (child->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
             "starting a kernel");
    }
  for (gint64 i = 0; i < n; i++)
    {
      if (really && args[i].written && args[i].staged != NULL)
        copy_staged (child, &args[i], TRUE);
      if (really && args[i].written)
        bring_home (child, &args[i]);
    }
  check (child->cl->Finish (child->queue), "running the kernel");
  for (gint64 i = 0; i < n; i++)
    if (args[i].staged != NULL)
      child->cl->ReleaseMemObject (args[i].staged);
}

static void
copy (Child *child)
{
  Arg to, from;
  read_arg (child, &to);
  read_arg (child, &from);
  gint64 wanted = fb_child_read_number (), most = MIN (to.bytes - to.offset, from.bytes - from.offset);
  gsize size = (gsize) CLAMP (wanted, 0, most);
  cl_mem target = find_buffer (child, &to), source = find_buffer (child, &from);
  if (size > 0)
    {
      check (child->cl->EnqueueCopyBuffer (child->queue, source, target, (gsize) from.offset, (gsize) to.offset, size,
                                           0, NULL, NULL),
             "copying a buffer");
      bring_home (child, &to);
    }
  check (child->cl->Finish (child->queue), "copying a buffer");
}

static void
serve (Child *child, const char *size, guint device)
{
  for (;;)
    {
      gint64 request = fb_child_read_number (), start = g_get_monotonic_time ();
      if (request == FB_OPENCL_BUILD)
        {
          child->memory = fb_child_map_memory (size, &child->memory_size);
          open_device (child, device);
          build (child);
        }
      else if (request == FB_OPENCL_LAUNCH)
        launch (child);
      else if (request == FB_OPENCL_COPY)
        copy (child);
      else
        fb_child_fail ("an unknown request");
      gint64 taken = (g_get_monotonic_time () - start) * 1000;
      fb_child_answer (taken);
    }
}

int
fb_opencl_child (int argc, char **argv)
{
  if (argc == 2 && strcmp (argv[1], "devices") == 0)
    return fb_opencl_print_devices ();
  if (argc != 5 || strcmp (argv[1], "run") != 0)
    return 2;
  Child child = {
    .kernels = g_hash_table_new (NULL, NULL),
    .buffers = g_hash_table_new (NULL, NULL),
  };
  g_setenv ("POCL_CACHE_DIR", argv[4], FALSE);
  serve (&child, argv[2], (guint) g_ascii_strtoull (argv[3], NULL, 10));
  return 0;
}
