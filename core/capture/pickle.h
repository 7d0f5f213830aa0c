/* The bounded pickle machine.
 *
 * Reads protocols 0 to 5 and never calls anything: globals come from an
 * allow-list (class.c), any other becomes an opaque value that prints. Nodes,
 * dtypes, views and shape trackers are built in the context as they are met.
 * Memory and time are bounded by the size of the input (FbPickleLimits), no
 * function recurses on the depth of the data, and every error names the byte
 * offset of the opcode that caused it. */
#pragma once

#include "value.h"

typedef struct
{
  gsize max_size;    /* bytes of pickle; 1 GiB */
  guint32 max_memo;  /* memo entries; 64 million, and never more than the pickle has bytes */
  guint32 max_stack; /* values on the stack; 64 million */
  gsize max_bytes;   /* bytes allocated; 8 GiB */
  gsize base_bytes;  /* an input of N bytes may allocate base_bytes + bytes_per_byte * N; 64 MiB, 512 */
  gsize bytes_per_byte;
  guint32 max_text;  /* bytes of the text of one opaque value; longer is cut; 256 KiB */
  guint32 max_level; /* args within nodes within args; 8 */
  guint32 max_depth; /* tuples within tuples in an arg; 64 */
} FbPickleLimits;
void fb_pickle_limits_init (FbPickleLimits *limits);

/* A reader, kept from one pickle to the next for the memory it holds. One thread at a time. */
FbPickle *fb_pickle_new (void);
void fb_pickle_free (FbPickle *pickle);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbPickle, fb_pickle_free)
FbPickleLimits *fb_pickle_limits (FbPickle *pickle);

typedef struct
{
  const char *path;      /* names the file in errors */
  guint row;             /* and the row in it, 0 for none */
  int release;           /* index for fb_release_op() when ops are pickled by value */
  gboolean sink_first;   /* fail at once when the first op pickled by value, the root's, is not SINK */
  gboolean *wrong_first; /* set when it failed for that reason; may be NULL */
  gboolean plain;        /* classes of tinygrad mean nothing: their instances are objects with arguments and state */
} FbPickleOptions;

/* Reads one pickle of @len bytes. TRUE and the @root value, which lives until the next load and points into @bytes;
 * or FALSE and an FB_CAPTURE_ERROR_PICKLE that names file, row and byte offset. */
gboolean fb_pickle_load (FbPickle *pickle, const guint8 *bytes, gsize len, const FbPickleOptions *options,
                         FbContext *context, FbValue *root, GError **error);
/* Gives back the memory that only reading takes, where no other pickle is to follow: the root value stays. */
void fb_pickle_drop_tables (FbPickle *pickle);
/* Of the last load: its protocol, whether an op was pickled by value, or by name. */
int fb_pickle_protocol (FbPickle *pickle);
gboolean fb_pickle_ops_by_value (FbPickle *pickle);

/* repr(value) of the last load, cut at max_text bytes. */
char *fb_pickle_repr (FbPickle *pickle, const FbValue *value);
