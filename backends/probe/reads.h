/* Which elements of its inputs an element of a kernel's output was computed from. */
#pragma once

#include "backends/program/program.h"

typedef struct
{
  guint arg;      /* number of the argument */
  gint64 element; /* in it */
  gint64 times;   /* how often it was read, by all loads */
  guint inst;     /* the LOAD that read it first */
} FbRead;

/* What element @element of what @program stores is made from: an array of FbRead, by argument and element, of at most @most; *@more
 * says whether there are others. Reads behind a mask that is false do not count. Touches no nodes. Free with g_array_unref. NULL:
 * the program does not write that element, or finding it out would take too long. */
GArray *fb_reads_new (const FbProgram *program, gint64 element, guint most, gboolean *more, GError **error);
