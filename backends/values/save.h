/* Buffers as files. What is at a path stays when writing fails. */
#pragma once

#include "slice.h"

/* @data, elements of @type, as an .npy of the slice's whole shape; bfloat16 as float32. Blocks. */
gboolean fb_value_save_npy (const char *path, guint type, const FbSlice *slice, const guint8 *data,
                            GCancellable *cancellable, GError **error);
/* The slice that is seen as lines of comma-separated numbers with all their digits. Blocks. */
gboolean fb_value_save_csv (const char *path, guint type, const FbSlice *slice, const guint8 *data,
                            GCancellable *cancellable, GError **error);
