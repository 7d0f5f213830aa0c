/* Where a node came from and what it became, through all passes: from the tensor operation to the nodes of kernels.
 *
 * Versions of a node that only differ by what their sources became are one node here, through as many passes as it lives. */
#pragma once

#include "history.h"

typedef enum
{
  FB_LINEAGE_REPLACED, /* a rule replaced the one by the other */
  FB_LINEAGE_MADE,     /* the rule made this beside what replaced it */
  FB_LINEAGE_MERGED,   /* over their new sources, several nodes are one */
  FB_LINEAGE_CUT,      /* into a kernel */
  FB_LINEAGE_READ,     /* a kernel reads the buffer that it is stored to */
} FbLineageKind;

typedef struct
{
  guint32 first, last; /* lives: as it came up, and the latest version */
  guint kernel;        /* of the kernel's own passes, from 1; 0: of the whole graph */
  int level;           /* below 0: it led to the node; above: the node led to it; links go to higher levels */
} FbLineageNode;

typedef struct
{
  guint from, to;  /* nodes */
  guint32 was, is; /* lives: the version before, and the one after */
  FbLineageKind kind;
  guint32 pass, step; /* where; step 0: at the beginning of the pass */
  const FbRule *rule; /* NULL for MERGED, CUT and READ */
} FbLineageLink;

typedef struct
{
  const FbHistory *history;
  GArray *nodes;   /* of FbLineageNode; the first is the one asked for */
  GArray *links;   /* of FbLineageLink, in order of running */
  gboolean partly; /* there is more than was asked for */
} FbLineage;

/* Of the node that @life is a version of; up to @most nodes on each side. @history must outlive it. */
FbLineage *fb_lineage_new (const FbHistory *history, guint32 life, guint most);
void fb_lineage_free (FbLineage *lineage);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbLineage, fb_lineage_free)

#define fb_lineage_node(lineage, i) (&g_array_index ((lineage)->nodes, FbLineageNode, (i)))
#define fb_lineage_link(lineage, i) (&g_array_index ((lineage)->links, FbLineageLink, (i)))

/* The first life of the node that @life is a version of: the same for all its versions. */
guint32 fb_lineage_root (const FbHistory *history, guint32 life);
