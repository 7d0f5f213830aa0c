/* What runs a block of points. */
#pragma once

#include "interp.h"
#include "lane.h"

/* Points of the root scope are taken in blocks, and every instruction is done for all points of a block before the next;
 * loops of reduces run once for the block. */
enum
{
  FB_INTERP_LANES = 256,
};

/* An access all of whose atoms are variables: the share of the root's variables in its expressions is found once a block. */
typedef struct
{
  gboolean linear, alike;          /* .alike: no root variable in it, the same for all points */
  gint64 (*base)[FB_INTERP_LANES]; /* the element, then each condition's value */
} FbInterpAccess;

typedef struct
{
  const FbProgram *program;
  guint8 *const *args;
  FbInterpAccess *accesses; /* of each instruction */
  guint n;                  /* points in this block */
  guint64 root_vars;
  gint64 max_of_nan;                       /* MAX of floats that met a NaN */
  gint64 (*lanes_of_var)[FB_INTERP_LANES]; /* value of a root variable at each point */
  gint64 current[FB_PROGRAM_MAX_VARS];     /* value of a loop's variable */
  FbLane (*values)[FB_INTERP_LANES];       /* of each instruction */
  FbLane **partial;                        /* of each reduce in groups, FB_INTERP_LANES of them; NULL of others */
  gint64 (*atoms)[FB_INTERP_LANES];        /* of the index being evaluated */
  gint64 at[FB_INTERP_LANES];
  guint8 valid[FB_INTERP_LANES];
} FbInterpState;

/* Which accesses are linear, and which instructions are alike at all points of the root's @vars. */
void fb_interp_classify (FbInterpState *state, guint64 vars);
/* The root's share of every linear access, before a block runs. */
void fb_interp_prepare (FbInterpState *state);
/* Where the access of instruction @number goes, in .at, and where it is valid; elements that are not valid are 0. */
void fb_interp_index (FbInterpState *state, guint number);
/* Of an FB_INST_COUNT. */
void fb_interp_count (FbInterpState *state, const FbInst *inst, FbLane *out);
