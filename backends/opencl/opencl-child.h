/* What the child of the OpenCL backend is made of. */
#pragma once

#include "opencl-private.h"

/* All devices that can compile, in a steady order; their number, at most @max. */
guint fb_opencl_find_devices (const FbCl *cl, cl_device_id *devices, guint max);
/* A number or a flag of a device; 0: unknown. */
guint64 fb_opencl_device_number (const FbCl *cl, cl_device_id device, cl_uint what);
/* `executor devices`: a line for each device to standard output. */
int fb_opencl_print_devices (void);
