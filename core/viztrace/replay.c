/* Nodes replaced, as the viewer of the release does it.
 *
 * After its first k matches a rewrite shows its graph with every node matched so far replaced, bottom-up: a node becomes what it was
 * rewritten to, until nothing was matched any more, then the sources of that are done in the same way, and if one changed, the node
 * rebuilt over them. What is replaced is the input when the rewrite itself was bottom-up, else the graph of the step before. With
 * `walk` a node is replaced once and not looked into. Calls of functions are not entered since 0.13.
 *
 * Which node is done before which decides what a graph shared between a call and others becomes, so order follows that of the
 * releases (graph_rewrite). A match changes nothing when the last replacing never met its node: then nothing is done. */
#include "viztrace-private.h"

#include <string.h>

#include "core/ir/context.h"

/* Nodes made for one rewrite, beyond what the file accounts for. */
#define MAX_BYTES (G_GUINT64_CONSTANT (2) << 30)

typedef struct
{
  FbUop *node, *now;
  guint8 stage;
} Task;

/* What is known of a node, by id. */
typedef struct
{
  FbUop *target; /* of the latest match; NULL: not matched */
  FbUop *becomes;
  guint32 done, queued, met; /* serials of the replacing in which it was */
} Info;

struct _FbVizReplay
{
  FbVizNodes *nodes;
  const FbVizRewrite *rewrite;
  FbVizCalls calls;
  gboolean derive;
  FbUop *sink, *graph;
  Info *info;
  guint32 n_info, serial;
  guint n_targets;
  gboolean closed;     /* a call was met that is not looked into */
  gboolean settled;    /* replacing again would change nothing: `met` tells which nodes matter */
  GArray *tasks;       /* of Task */
  GHashTable *waiting; /* nodes to GArray of Task */
  GArray *src;
};

static Info *
info_of (FbVizReplay *replay, const FbUop *uop)
{
  if (G_UNLIKELY (uop->id >= replay->n_info))
    {
      guint32 n = MAX (uop->id + 1, MAX (256, replay->n_info * 2));

      replay->info = g_renew (Info, replay->info, n);
      memset (replay->info + replay->n_info, 0, sizeof (Info) * (n - replay->n_info));
      replay->n_info = n;
    }
  return &replay->info[uop->id];
}

static FbUop *
becomes (FbVizReplay *replay, const FbUop *uop)
{
  const Info *info = info_of (replay, uop);
  return info->done == replay->serial ? info->becomes : NULL;
}

static void
set_becomes (FbVizReplay *replay, const FbUop *uop, FbUop *into)
{
  Info *info = info_of (replay, uop);

  info->becomes = into;
  info->done = replay->serial;
}

static void
add_task (FbVizReplay *replay, FbUop *node, guint8 stage, FbUop *now)
{
  Task task = { node, now, stage };
  g_array_append_val (replay->tasks, task);
}

static void
wait_for (FbVizReplay *replay, const FbUop *uop, const Task *task)
{
  GArray *list = g_hash_table_lookup (replay->waiting, uop);

  if (!list)
    {
      list = g_array_new (FALSE, FALSE, sizeof (Task));
      g_hash_table_insert (replay->waiting, (gpointer) uop, list);
    }
  g_array_append_val (list, *task);
}

static void
settle (FbVizReplay *replay, FbUop *uop, FbUop *into)
{
  GArray *list = g_hash_table_size (replay->waiting) ? g_hash_table_lookup (replay->waiting, uop) : NULL;

  set_becomes (replay, uop, into);
  if (!list)
    return;
  g_array_append_vals (replay->tasks, list->data, list->len);
  g_hash_table_remove (replay->waiting, uop);
}

/* The source of a call that is not looked into; NULL for none. */
static FbUop *
closed_source (const FbVizReplay *replay, const FbUop *uop)
{
  static const char *const opaque[] = { "SINK", "PROGRAM", "LINEAR", "COPY", "CUSTOM_FUNCTION", NULL };
  const char *op = fb_op_name (uop->op);
  gboolean call;

  if (replay->calls == FB_VIZ_CALLS_ENTERED || replay->rewrite->enter_calls || uop->n_src == 0)
    return NULL;
  if (strcmp (op, "FUNCTION") == 0)
    return uop->src[0];
  call = strcmp (op, "CALL") == 0;
  if (call && replay->calls == FB_VIZ_OPAQUE_CALLS_CLOSED)
    call = g_strv_contains (opaque, fb_op_name (uop->src[0]->op));
  return call ? uop->src[0] : NULL;
}

static FbUop *
rebuild (FbVizReplay *replay, const FbUop *uop)
{
  return fb_viz_nodes_rebuild (replay->nodes, uop, (FbUop *const *) (gpointer) replay->src->data, replay->derive);
}

/* What a node stands for by itself; NULL when that goes in a circle. */
static FbUop *
follow (FbVizReplay *replay, FbUop *uop)
{
  for (guint n = 0; n <= replay->n_targets; n++)
    {
      Info *info = info_of (replay, uop);

      info->met = replay->serial;
      if (!info->target)
        return uop;
      uop = info->target;
    }
  return NULL;
}

static gboolean
open_node (FbVizReplay *replay, FbUop *node)
{
  FbUop *now = follow (replay, node), *closed;

  if (!now)
    return FALSE;
  add_task (replay, node, 1, now);
  closed = closed_source (replay, now);
  if (closed)
    {
      set_becomes (replay, closed, closed);
      replay->closed = TRUE;
    }
  for (guint i = now->n_src; i > 0; i--)
    {
      Info *info = info_of (replay, now->src[i - 1]);

      if (info->queued == replay->serial)
        continue;
      info->queued = replay->serial;
      add_task (replay, now->src[i - 1], 0, NULL);
    }
  return TRUE;
}

static void
close_node (FbVizReplay *replay, const Task *task)
{
  FbUop *now = task->now, *made;
  gboolean changed = FALSE;

  g_array_set_size (replay->src, 0);
  for (guint i = 0; i < now->n_src; i++)
    {
      FbUop *source = becomes (replay, now->src[i]);

      if (!source)
        {
          wait_for (replay, now->src[i], task);
          return;
        }
      changed |= source != now->src[i];
      g_array_append_val (replay->src, source);
    }
  if (!changed)
    {
      settle (replay, task->node, now);
      return;
    }
  made = rebuild (replay, now);
  add_task (replay, task->node, 2, made);
  add_task (replay, made, 0, NULL);
}

/* What @root becomes; NULL when that has no end. */
static FbUop *
replace_all (FbVizReplay *replay, FbUop *root)
{
  replay->serial++;
  g_array_set_size (replay->tasks, 0);
  g_hash_table_remove_all (replay->waiting);
  info_of (replay, root)->queued = replay->serial;
  add_task (replay, root, 0, NULL);
  while (replay->tasks->len)
    {
      Task task = g_array_index (replay->tasks, Task, replay->tasks->len - 1);
      FbUop *into;

      g_array_set_size (replay->tasks, replay->tasks->len - 1);
      if (becomes (replay, task.node))
        continue;
      if (task.stage == 0)
        {
          if (!open_node (replay, task.node))
            return NULL;
        }
      else if (task.stage == 1)
        close_node (replay, &task);
      else if ((into = becomes (replay, task.now)))
        settle (replay, task.node, into);
      else
        wait_for (replay, task.now, &task);
    }
  return becomes (replay, root);
}

/* The same with every node replaced once at most. */
static FbUop *
walk_all (FbVizReplay *replay, FbUop *root)
{
  replay->serial++;
  g_array_set_size (replay->tasks, 0);
  add_task (replay, root, 0, NULL);
  while (replay->tasks->len)
    {
      Task task = g_array_index (replay->tasks, Task, replay->tasks->len - 1);
      FbUop *node = task.node, *closed;
      gboolean changed = FALSE;
      Info *info = info_of (replay, node);

      g_array_set_size (replay->tasks, replay->tasks->len - 1);
      if (info->done == replay->serial)
        continue;
      if (task.stage == 0)
        {
          info->met = replay->serial;
          if (info->target)
            {
              set_becomes (replay, node, info->target);
              continue;
            }
          add_task (replay, node, 1, NULL);
          closed = closed_source (replay, node);
          if (closed)
            set_becomes (replay, closed, closed);
          for (guint i = node->n_src; i > 0; i--)
            if (!becomes (replay, node->src[i - 1]))
              add_task (replay, node->src[i - 1], 0, NULL);
          continue;
        }
      g_array_set_size (replay->src, 0);
      for (guint i = 0; i < node->n_src; i++)
        {
          FbUop *source = becomes (replay, node->src[i]);

          source = source ? source : node->src[i];
          changed |= source != node->src[i];
          g_array_append_val (replay->src, source);
        }
      set_becomes (replay, node, changed ? rebuild (replay, node) : node);
    }
  return becomes (replay, root);
}

static FbUop *
replace (FbVizReplay *replay, FbUop *root)
{
  if (fb_context_memory (replay->nodes->context)
      > MAX_BYTES + 64 * (guint64) g_bytes_get_size (replay->nodes->trace->bytes))
    return NULL;
  return replay->rewrite->walk ? walk_all (replay, root) : replace_all (replay, root);
}

/* Notes that every node of the graph was met, as replacing again would: it holds no node that stands for another. */
static void
meet_all (FbVizReplay *replay)
{
  replay->serial++;
  g_array_set_size (replay->tasks, 0);
  info_of (replay, replay->graph)->met = replay->serial;
  add_task (replay, replay->graph, 0, NULL);
  while (replay->tasks->len)
    {
      FbUop *node = g_array_index (replay->tasks, Task, replay->tasks->len - 1).node;

      g_array_set_size (replay->tasks, replay->tasks->len - 1);
      for (guint i = 0; i < node->n_src; i++)
        {
          Info *info = info_of (replay, node->src[i]);

          if (info->met == replay->serial)
            continue;
          info->met = replay->serial;
          add_task (replay, node->src[i], 0, NULL);
        }
    }
}

FbUop *
fb_viz_replay_apply (FbVizReplay *replay, const FbVizMatch *match)
{
  Info *info;
  FbUop *into = match->before == match->after ? NULL : match->after, *from;

  /* the graph of the last step was not replaced in again yet: `met` says nothing of it */
  if (!replay->settled && !replay->rewrite->bottom_up && replay->serial && !replay->rewrite->walk && !replay->closed)
    {
      meet_all (replay);
      replay->settled = TRUE;
    }
  else if (!replay->settled && !replay->rewrite->bottom_up)
    {
      replay->settled = replace (replay, replay->graph) == replay->graph;
    }
  else if (!replay->settled)
    replay->settled = replace (replay, replay->sink) != NULL;
  info = info_of (replay, match->before);
  replay->n_targets += !info->target && into;
  info->target = into;
  if (replay->settled && info->met != replay->serial)
    return replay->graph;
  from = replay->rewrite->bottom_up ? replay->sink : replay->graph;
  from = replace (replay, from);
  /* of a bottom-up rewrite this was a replacing in the same input as the next one is */
  replay->settled = replay->rewrite->bottom_up && from;
  if (from)
    replay->graph = from;
  return from;
}

FbVizReplay *
fb_viz_replay_new (FbVizNodes *nodes, const FbVizRewrite *rewrite, FbUop *sink)
{
  FbVizReplay *replay = g_new0 (FbVizReplay, 1);

  replay->nodes = nodes;
  replay->rewrite = rewrite;
  replay->calls = fb_viz_release_calls (nodes->trace->release);
  replay->derive = fb_viz_release_derives_dtype (nodes->trace->release);
  replay->sink = replay->graph = sink;
  replay->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
  replay->waiting = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  replay->src = g_array_new (FALSE, FALSE, sizeof (FbUop *));
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
  g_free (replay->info);
  g_free (replay);
}
