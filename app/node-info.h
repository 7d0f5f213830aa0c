/* Everything the inspector says about one node, as text. */
#pragma once

#include "app/step-view.h"

typedef struct
{
  char *shape, *strides, *offset, *mask;
  gboolean contiguous;
} FbViewInfo;

typedef struct
{
  FbStepView *view; /* owned reference: the links' nodes live there */
  FbUop *uop;
  const char *op;
  FbOpKind kind;
  FbMark mark;
  char *type;  /* "float 64×64" */
  char *dtype; /* "dtypes.float" */
  char *shape; /* "64×64", NULL: has none */
  gint64 size; /* elements, -1: not one number */
  char *device;
  char *arg;                /* as Python prints it, shortened beyond 2,000 bytes */
  GArray *views;            /* of FbViewInfo, the first applied to the buffer first */
  GArray *sources;          /* of FbNodeLink, by port */
  GArray *users;            /* of FbNodeLink, in graph order */
  FbNodeWhy *why;           /* NULL: nothing was decided about it */
  guint n_sources, n_users; /* all of them; the lists stop at FB_NODE_INFO_LINKS */
  char key[65];
} FbNodeInfo;
#define FB_NODE_INFO_LINKS 50

/* Worker only. Never NULL. @uop: of @view's graph; @partner too, or NULL. */
FbNodeInfo *fb_node_info_new (FbStepView *view, FbUop *uop, FbUop *partner);
void fb_node_info_free (FbNodeInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbNodeInfo, fb_node_info_free)
