#pragma once

#include "node-pattern.h"

/* Names a pattern may bind, and sources one part may list. */
#define MAX_NAMES 16
#define MAX_SOURCES 8

typedef enum
{
  FB_PART_ANY,      /* sources are not looked at */
  FB_PART_ORDERED,  /* exactly these */
  FB_PART_PERMUTED, /* exactly these in any order */
  FB_PART_PREFIX,   /* these, and any further ones */
  FB_PART_REPEATED, /* these but the last, then any number of the last */
  FB_PART_EITHER,   /* alternatives for this very node */
} FbPartMode;

typedef enum
{
  FB_WANT_NOTHING,
  FB_WANT_NUMBER, /* the arg equals it */
  FB_WANT_TEXT,   /* the arg's text holds it */
} FbWantArg;

typedef struct _FbPart FbPart;
struct _FbPart
{
  FbOpChoice ops;    /* none: any */
  FbDTypeSet dtypes; /* 0: any */
  gint8 name;        /* -1: none */
  FbPartMode mode;
  FbWantArg want;
  FbArg number;
  char *text;
  guint n;
  FbPart *parts[MAX_SOURCES];
};

struct _FbNodePattern
{
  gatomicrefcount refs;
  FbPart *root;
  guint n_names;
};

/* Of a single word in capitals, "ADD" or "MOVEMENT"; 0: there is none. */
FbOpSet fb_op_set_of_word (const char *word);
/* The op whose name is closest to @word, NULL when none is close. */
const char *fb_closest_op (const char *word);
/* Of a single word, "float" or "ints"; 0: there is none. */
FbDTypeSet fb_dtype_set_of_word (const char *word);
