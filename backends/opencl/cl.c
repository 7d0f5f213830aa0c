#include "cl.h"

#include <dlfcn.h>

const FbCl *
fb_cl_load (const char **why)
{
  static FbCl cl;
  static char reason[512];
  const char *other = g_getenv ("FUSEBOX_OPENCL_LIBRARY"), *name = other != NULL ? other : "libOpenCL.so.1";
  void *library = dlopen (name, RTLD_NOW | RTLD_LOCAL);
  *why = reason;
  if (library == NULL)
    {
      g_snprintf (reason, sizeof reason, "%s, the loader of OpenCL drivers, is not installed", name);
      return NULL;
    }
#define X(result, function, arguments)                                             \
  cl.function = (result (*) arguments) dlsym (library, "cl" #function);            \
  if (cl.function == NULL)                                                         \
    {                                                                              \
      g_snprintf (reason, sizeof reason, "%s has no function cl" #function, name); \
      return NULL;                                                                 \
    }
  FB_CL_FUNCTIONS (X)
#undef X
  return &cl;
}

const char *
fb_cl_error_name (cl_int error)
{
  static char number[32];
  static const char *const names[] = { "CL_SUCCESS",
                                       "CL_DEVICE_NOT_FOUND",
                                       "CL_DEVICE_NOT_AVAILABLE",
                                       "CL_COMPILER_NOT_AVAILABLE",
                                       "CL_MEM_OBJECT_ALLOCATION_FAILURE",
                                       "CL_OUT_OF_RESOURCES",
                                       "CL_OUT_OF_HOST_MEMORY",
                                       "CL_PROFILING_INFO_NOT_AVAILABLE",
                                       "CL_MEM_COPY_OVERLAP",
                                       "CL_IMAGE_FORMAT_MISMATCH",
                                       "CL_IMAGE_FORMAT_NOT_SUPPORTED",
                                       "CL_BUILD_PROGRAM_FAILURE",
                                       "CL_MAP_FAILURE" };
  if (error <= 0 && error > -(cl_int) G_N_ELEMENTS (names))
    return names[-error];
  g_snprintf (number, sizeof number, "OpenCL error %d", error);
  return number;
}
