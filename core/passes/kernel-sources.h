/* The sources of a kernel as it takes them in, level by level: lists that grow out of one another. */
#pragma once

#include "core/ir/context-private.h"

/* For one kernel after the other. */
typedef struct
{
  FbContext *context;
  const FbNodeMap *realizes; /* marks */
  FbNodeMap *met;            /* what kernels do to a node, and the number of the list it was put into last */
  guint64 n_lists;
  FbNodeList *list;     /* of the kernel, each once */
  FbNodeList *earlier;  /* before the latest change */
  gboolean changing;    /* the kernel can take in a source */
  gboolean buffers_fit; /* all buffers met may be in the kernel graph */
} FbKernelSources;

/* @realizes: marks of what is realized, and so stays a source. */
void fb_kernel_sources_init (FbKernelSources *sources, FbContext *context, const FbNodeMap *realizes);
void fb_kernel_sources_clear (FbKernelSources *sources);
/* Those that KERNEL @kernel has. */
void fb_kernel_sources_begin (FbKernelSources *sources, const FbUop *kernel);
/* Puts the sources of sources in their place, but for those that stay. */
void fb_kernel_sources_take_in (FbKernelSources *sources);
