/* As much of OpenCL 1.2 as is used, and its library, which is looked for only when it is run: nothing of it is needed to build
 * or to start the program. Names, numbers and types are those of the specification. */
#pragma once

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;
typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_ulong;
typedef cl_ulong cl_bitfield;

enum
{
  CL_SUCCESS = 0,
  CL_DEVICE_NOT_FOUND = -1,
  CL_BUILD_PROGRAM_FAILURE = -11,
  CL_PLATFORM_NOT_FOUND_KHR = -1001,
  CL_TRUE = 1,
  CL_DEVICE_TYPE_CPU = 1 << 1,
  CL_DEVICE_TYPE_GPU = 1 << 2,
  CL_MAP_READ = 1 << 0,
  CL_MEM_READ_WRITE = 1 << 0,
  CL_MEM_USE_HOST_PTR = 1 << 3,
  CL_PLATFORM_NAME = 0x0902,
  CL_DEVICE_TYPE = 0x1000,
  CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
  CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
  CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
  CL_DEVICE_MAX_PARAMETER_SIZE = 0x1017,
  CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
  CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
  CL_DEVICE_AVAILABLE = 0x1027,
  CL_DEVICE_COMPILER_AVAILABLE = 0x1028,
  CL_DEVICE_NAME = 0x102B,
  CL_DEVICE_VERSION = 0x102F,
  CL_DRIVER_VERSION = 0x102D,
  CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032,
  CL_PROGRAM_BUILD_LOG = 0x1183,
  CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 1 << 7,
};
#define CL_DEVICE_TYPE_ALL 0xFFFFFFFFu

/* Functions of the library: X (result, name, arguments). */
#define FB_CL_FUNCTIONS(X)                                                                                             \
  X (cl_int, GetPlatformIDs, (cl_uint, cl_platform_id *, cl_uint *) )                                                  \
  X (cl_int, GetPlatformInfo, (cl_platform_id, cl_uint, size_t, void *, size_t *) )                                    \
  X (cl_int, GetDeviceIDs, (cl_platform_id, cl_bitfield, cl_uint, cl_device_id *, cl_uint *) )                         \
  X (cl_int, GetDeviceInfo, (cl_device_id, cl_uint, size_t, void *, size_t *) )                                        \
  X (cl_context, CreateContext,                                                                                        \
     (const intptr_t *, cl_uint, const cl_device_id *, void (*) (const char *, const void *, size_t, void *), void *,  \
      cl_int *) )                                                                                                      \
  X (cl_command_queue, CreateCommandQueue, (cl_context, cl_device_id, cl_bitfield, cl_int *) )                         \
  X (cl_mem, CreateBuffer, (cl_context, cl_bitfield, size_t, void *, cl_int *) )                                       \
  X (cl_int, ReleaseMemObject, (cl_mem))                                                                               \
  X (cl_program, CreateProgramWithSource, (cl_context, cl_uint, const char **, const size_t *, cl_int *) )             \
  X (cl_int, BuildProgram,                                                                                             \
     (cl_program, cl_uint, const cl_device_id *, const char *, void (*) (cl_program, void *), void *) )                \
  X (cl_int, GetProgramBuildInfo, (cl_program, cl_device_id, cl_uint, size_t, void *, size_t *) )                      \
  X (cl_kernel, CreateKernel, (cl_program, const char *, cl_int *) )                                                   \
  X (cl_int, SetKernelArg, (cl_kernel, cl_uint, size_t, const void *) )                                                \
  X (cl_int, EnqueueNDRangeKernel,                                                                                     \
     (cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const cl_event *, \
      cl_event *) )                                                                                                    \
  X (cl_int, EnqueueCopyBuffer,                                                                                        \
     (cl_command_queue, cl_mem, cl_mem, size_t, size_t, size_t, cl_uint, const cl_event *, cl_event *) )               \
  X (void *, EnqueueMapBuffer,                                                                                         \
     (cl_command_queue, cl_mem, cl_uint, cl_bitfield, size_t, size_t, cl_uint, const cl_event *, cl_event *,           \
      cl_int *) )                                                                                                      \
  X (cl_int, EnqueueUnmapMemObject, (cl_command_queue, cl_mem, void *, cl_uint, const cl_event *, cl_event *) )        \
  X (cl_int, Finish, (cl_command_queue))

typedef struct
{
#define X(result, name, arguments) result (*name) arguments;
  FB_CL_FUNCTIONS (X)
#undef X
} FbCl;

/* The library, loaded once and kept; NULL with @why, a static text, when there is none or it lacks a function. The variable
 * FUSEBOX_OPENCL_LIBRARY names another one than libOpenCL.so.1. A driver may do anything to a process: only a child calls this. */
const FbCl *fb_cl_load (const char **why);
/* "CL_OUT_OF_RESOURCES": the name of an error, or its number as text; static until the next call. */
const char *fb_cl_error_name (cl_int error);
