/* What the words of a kernel's source are: C, OpenCL, Metal, CUDA and their like. Text only, nothing is parsed or run. */
#pragma once

#include <glib.h>

typedef enum
{
  FB_SOURCE_KEYWORD,
  FB_SOURCE_TYPE,
  FB_SOURCE_NUMBER,
  FB_SOURCE_STRING,
  FB_SOURCE_COMMENT,
  FB_SOURCE_DIRECTIVE, /* a preprocessor line, without the comment at its end */
  FB_N_SOURCE_KINDS
} FbSourceKind;

typedef struct
{
  FbSourceKind kind;
  gsize start, len; /* bytes */
} FbSourceToken;

/* What of @text is to be told apart, ascending and without overlaps; everything else is plain. Array of FbSourceToken. Linear,
 * takes any bytes: what does not end (a comment, a string) ends with the text or the line. */
GArray *fb_source_tokens_new (const char *text, gsize len);
