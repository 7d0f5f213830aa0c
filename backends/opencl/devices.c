/* Which devices there are: asked in the child, printed as lines, read here. */
#include <stdio.h>
#include <string.h>

#include "backends/run/executor.h"

#include "opencl-child.h"

#define DEVICES_MAX 64
#define SECONDS 30

/* Text of the device or platform without tabs and line ends. */
static char *
clean (char *text)
{
  for (char *c = text; *c != '\0'; c++)
    if ((guchar) *c < ' ')
      *c = ' ';
  return g_strstrip (text);
}

static char *
device_text (const FbCl *cl, cl_device_id device, cl_uint what)
{
  char text[512] = "";
  if (cl->GetDeviceInfo (device, what, sizeof text - 1, text, NULL) != CL_SUCCESS)
    text[0] = '\0';
  return g_strdup (clean (text));
}

guint64
fb_opencl_device_number (const FbCl *cl, cl_device_id device, cl_uint what)
{
  guint64 number = 0;
  /* they are of 32 or 64 bits, little endian */
  return cl->GetDeviceInfo (device, what, sizeof number, &number, NULL) == CL_SUCCESS ? number : 0;
}

guint
fb_opencl_find_devices (const FbCl *cl, cl_device_id *devices, guint max)
{
  cl_platform_id platforms[16];
  cl_uint n_platforms = 0;
  guint n = 0;
  if (cl->GetPlatformIDs (G_N_ELEMENTS (platforms), platforms, &n_platforms) != CL_SUCCESS)
    return 0;
  for (guint p = 0; p < MIN (n_platforms, G_N_ELEMENTS (platforms)); p++)
    {
      cl_device_id found[DEVICES_MAX];
      cl_uint n_found = 0;
      if (cl->GetDeviceIDs (platforms[p], CL_DEVICE_TYPE_ALL, DEVICES_MAX, found, &n_found) != CL_SUCCESS)
        continue;
      for (guint d = 0; d < MIN (n_found, DEVICES_MAX) && n < max; d++)
        if ((fb_opencl_device_number (cl, found[d], CL_DEVICE_COMPILER_AVAILABLE) & CL_TRUE)
            && (fb_opencl_device_number (cl, found[d], CL_DEVICE_AVAILABLE) & CL_TRUE))
          devices[n++] = found[d];
    }
  return n;
}

int
fb_opencl_print_devices (void)
{
  const char *why;
  const FbCl *cl = fb_cl_load (&why);
  cl_device_id devices[DEVICES_MAX];
  guint n = cl == NULL ? 0 : fb_opencl_find_devices (cl, devices, DEVICES_MAX);
  if (cl == NULL)
    printf ("!%s\n", why);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = device_text (cl, devices[i], CL_DEVICE_NAME),
                      *version = device_text (cl, devices[i], CL_DEVICE_VERSION),
                      *driver = device_text (cl, devices[i], CL_DRIVER_VERSION);
      printf ("%s\t%s\t%s\t%d\t%d\t%" G_GUINT64_FORMAT "\t%" G_GUINT64_FORMAT "\n", name, version, driver,
              (fb_opencl_device_number (cl, devices[i], CL_DEVICE_TYPE) & CL_DEVICE_TYPE_GPU) != 0,
              fb_opencl_device_number (cl, devices[i], CL_DEVICE_DOUBLE_FP_CONFIG) != 0,
              fb_opencl_device_number (cl, devices[i], CL_DEVICE_MAX_COMPUTE_UNITS),
              fb_opencl_device_number (cl, devices[i], CL_DEVICE_GLOBAL_MEM_SIZE));
    }
  /* the end, for drivers that print too */
  printf (".\n");
  fflush (stdout);
  return 0;
}

static void
device_free (gpointer data)
{
  FbOpenclDevice *device = data;
  g_free (device->name);
  g_free (device->version);
  g_free (device->driver);
  g_free (device);
}

GPtrArray *
fb_opencl_devices (GCancellable *cancellable, GError **error)
{
  g_autofree char *program = fb_executor_program (), *output = NULL;
  const char *argv[] = { program, "executor", "devices", NULL };
  FbTool *tool = fb_tool_new (argv, TRUE, SECONDS, error);
  if (tool == NULL || !fb_tool_finish (tool, &output, cancellable, error))
    {
      g_prefix_error_literal (error, "asking for OpenCL devices: ");
      return NULL;
    }
  g_autoptr (GPtrArray) devices = g_ptr_array_new_with_free_func (device_free);
  g_auto (GStrv) lines = g_strsplit (output, "\n", -1);
  const char *why = NULL;
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_auto (GStrv) words = g_strsplit (lines[i], "\t", -1);
      if (lines[i][0] == '!')
        why = lines[i] + 1;
      if (g_strv_length (words) != 7)
        continue;
      FbOpenclDevice *device = g_new0 (FbOpenclDevice, 1);
      device->name = g_utf8_make_valid (words[0], -1);
      device->version = g_utf8_make_valid (words[1], -1);
      device->driver = g_utf8_make_valid (words[2], -1);
      device->is_gpu = words[3][0] == '1';
      device->has_double = words[4][0] == '1';
      device->units = (guint) g_ascii_strtoull (words[5], NULL, 10);
      device->memory = g_ascii_strtoull (words[6], NULL, 10);
      g_ptr_array_add (devices, device);
    }
  if (devices->len > 0)
    return g_steal_pointer (&devices);
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_DEVICE, "no OpenCL device: %s",
               why != NULL ? why : "no driver for one is installed");
  return NULL;
}
