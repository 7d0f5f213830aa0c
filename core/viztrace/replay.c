/* Nodes replaced, as the viewer of the release does it.
 *
 * After its first k matches a rewrite shows its graph with every node matched so far replaced, bottom-up: a node becomes what it was
 * rewritten to, until nothing was matched any more, then the sources of that are done in the same way, and if one changed, the node
 * rebuilt over them. What is replaced is the input when the rewrite itself was bottom-up, else the graph of the step before. With
 * `walk` a node is replaced once and not looked into. Calls of functions are not entered since 0.13.
 *
 * Which node is done before which decides what a graph shared between a call and others becomes, so order follows that of the
 * releases (graph_rewrite). A match changes nothing when the last replacing never met its node: then nothing is done. */
#include <string.h>

#include "replay-private.h"

/* From now on @uop is replaced by @into; NULL: it is not. */
static FbVizInfo *
set_target (FbVizReplay *replay, const FbUop *uop, FbUop *into)
{
  FbVizInfo *info = fb_viz_replay_info (replay, uop);

  if (!info->target && into)
    {
      replay->n_targets++;
      g_array_append_val (replay->matched, uop->id);
    }
  info->target = into;
  return info;
}

/* Notes that every node of the graph was met, as replacing again would: it holds no node that stands for another. */
static void
meet_all (FbVizReplay *replay)
{
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();

  replay->serial++;
  fb_viz_replay_info (replay, replay->graph)->met = replay->serial;
  g_ptr_array_add (stack, replay->graph);
  while (stack->len)
    {
      FbUop *node = g_ptr_array_steal_index_fast (stack, stack->len - 1);

      for (guint i = 0; i < node->n_src; i++)
        {
          FbVizInfo *info = fb_viz_replay_info (replay, node->src[i]);

          if (info->met == replay->serial)
            continue;
          info->met = replay->serial;
          g_ptr_array_add (stack, node->src[i]);
        }
    }
}

FbUop *
fb_viz_replay_apply (FbVizReplay *replay, const FbVizMatch *match)
{
  FbVizInfo *info;
  FbUop *into = match->before == match->after ? NULL : match->after, *from;

  /* the graph of the last step was not replaced in again yet: `met` says nothing of it */
  if (!replay->settled && !replay->rewrite->bottom_up && replay->serial != replay->first_serial && !replay->walk
      && !replay->closed)
    {
      meet_all (replay);
      replay->settled = TRUE;
    }
  else if (!replay->settled && !replay->rewrite->bottom_up)
    {
      replay->settled = fb_viz_replace (replay, replay->graph) == replay->graph;
    }
  else if (!replay->settled)
    replay->settled = fb_viz_replace (replay, replay->sink) != NULL;
  info = set_target (replay, match->before, into);
  if (replay->settled && info->met != replay->serial)
    return replay->graph;
  from = replay->rewrite->bottom_up ? replay->sink : replay->graph;
  from = fb_viz_replace (replay, from);
  /* of a bottom-up rewrite this was a replacing in the same input as the next one is */
  replay->settled = replay->rewrite->bottom_up && from;
  if (from)
    replay->graph = from;
  return from;
}

/* One replay after another uses the same memory: rewrites are many, and mostly small beside the trace. */
static void
take_info (FbVizReplay *replay)
{
  FbVizNodes *nodes = replay->nodes;

  replay->info = g_steal_pointer (&nodes->infos);
  replay->n_info = replay->info ? nodes->n_infos : 0;
  replay->serial = replay->info ? nodes->info_serial : 0;
  replay->first_serial = replay->serial;
}

static void
give_info (FbVizReplay *replay)
{
  FbVizNodes *nodes = replay->nodes;

  /* serials must not come round */
  if (nodes->infos || replay->serial > G_MAXUINT32 / 2)
    {
      g_free (replay->info);
      return;
    }
  for (guint i = 0; i < replay->matched->len; i++)
    replay->info[g_array_index (replay->matched, guint32, i)].target = NULL;
  nodes->infos = replay->info;
  nodes->n_infos = replay->n_info;
  nodes->info_serial = replay->serial;
}

FbUop *
fb_viz_replay_set (FbVizReplay *replay, guint n, const FbMatch *matches, FbUop *graph)
{
  for (guint i = 0; i < n; i++)
    set_target (replay, matches[i].before, matches[i].before == matches[i].after ? NULL : matches[i].after);
  replay->settled = FALSE;
  replay->graph = graph ? graph : n ? fb_viz_replace (replay, replay->sink) : replay->sink;
  return replay->graph;
}

FbUop *
fb_viz_result (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, guint n, const FbMatch *matches)
{
  g_autoptr (FbVizReplay) replay = fb_viz_replay_new (nodes, rewrite, sink);

  /* step by step, replacements that stand in each other's sources are met after all */
  replay->walk &= rewrite->bottom_up;
  return fb_viz_replay_set (replay, n, matches, NULL);
}

FbVizReplay *
fb_viz_replay_new (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink)
{
  return fb_viz_replay_new_in (nodes, rewrite, sink, nodes->context);
}

FbVizReplay *
fb_viz_replay_new_in (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink, FbContext *context)
{
  FbVizReplay *replay = g_new0 (FbVizReplay, 1);

  replay->nodes = nodes;
  replay->rewrite = rewrite;
  replay->context = context;
  replay->walk = rewrite->walk;
  replay->derive = fb_viz_release_derives_dtype (nodes->trace->release);
  replay->sink = replay->graph = sink;
  replay->tasks = g_array_new (FALSE, FALSE, sizeof (FbVizTask));
  replay->waiting = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  replay->src = g_array_new (FALSE, FALSE, sizeof (FbUop *));
  replay->matched = g_array_new (FALSE, FALSE, sizeof (guint32));
  take_info (replay);
  return replay;
}

void
fb_viz_replay_free (FbVizReplay *replay)
{
  if (!replay)
    return;
  g_array_unref (replay->tasks);
  g_hash_table_unref (replay->waiting);
  g_array_unref (replay->src);
  give_info (replay);
  g_array_unref (replay->matched);
  g_free (replay);
}
