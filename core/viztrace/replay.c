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
typedef struct _FbVizInfo
{
  FbUop *target; /* of the latest match; NULL: not matched */
  FbUop *becomes;
  guint32 done, queued, met; /* serials of the replacing in which it was */
} Info;

struct _FbVizReplay
{
  FbVizNodes *nodes;
  const FbVizRewrite *rewrite;
  FbContext *context; /* new nodes are made there */
  gboolean derive, walk;
  FbUop *sink, *graph;
  Info *info;
  guint32 n_info, serial, first_serial;
  guint n_targets;
  guint made_left;     /* nodes that this replacing may still rebuild */
  gboolean closed;     /* a call was met that is not looked into */
  gboolean settled;    /* replacing again would change nothing: `met` tells which nodes matter */
  GArray *tasks;       /* of Task */
  GHashTable *waiting; /* nodes to GArray of Task */
  GArray *src;
  GArray *matched; /* ids of nodes that have, or had, a target */
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

/* From now on @uop is replaced by @into; NULL: it is not. */
static Info *
set_target (FbVizReplay *replay, const FbUop *uop, FbUop *into)
{
  Info *info = info_of (replay, uop);

  if (!info->target && into)
    {
      replay->n_targets++;
      g_array_append_val (replay->matched, uop->id);
    }
  info->target = into;
  return info;
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

guint
fb_viz_n_closed (const FbVizTrace *trace, const FbVizRewrite *rewrite, const FbUop *uop)
{
  static const char *const opaque[] = { "SINK", "PROGRAM", "LINEAR", "COPY", "CUSTOM_FUNCTION", NULL };
  FbVizCalls calls;

  if ((uop->op != trace->call && uop->op != trace->function) || rewrite->enter_calls || uop->n_src == 0)
    return 0;
  calls = fb_viz_release_calls (trace->release);
  if (calls == FB_VIZ_CALLS_ENTERED)
    return 0;
  if (uop->op == trace->function)
    return 1;
  return calls == FB_VIZ_CALLS_CLOSED || g_strv_contains (opaque, fb_op_name (uop->src[0]->op));
}

/* The source of a call that is not looked into; NULL for none. */
static FbUop *
closed_source (const FbVizReplay *replay, const FbUop *uop)
{
  return fb_viz_n_closed (replay->nodes->trace, replay->rewrite, uop) ? uop->src[0] : NULL;
}

static FbUop *
rebuild (FbVizReplay *replay, const FbUop *uop)
{
  return fb_viz_rebuild (replay->context, uop, (FbUop *const *) (gpointer) replay->src->data, replay->derive);
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

/* FALSE when it goes on without end: a node is rebuilt once, unless a call kept its sources from others. */
static gboolean
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
          return TRUE;
        }
      changed |= source != now->src[i];
      g_array_append_val (replay->src, source);
    }
  if (!changed)
    {
      settle (replay, task->node, now);
      return TRUE;
    }
  if (replay->made_left == 0)
    return FALSE;
  replay->made_left--;
  made = rebuild (replay, now);
  add_task (replay, task->node, 2, made);
  add_task (replay, made, 0, NULL);
  return TRUE;
}

/* What @root becomes; NULL when that has no end. */
static FbUop *
replace_all (FbVizReplay *replay, FbUop *root)
{
  replay->serial++;
  replay->made_left = MIN (fb_context_n_uops (replay->context), G_MAXUINT / 8) * 4 + 1000;
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
        {
          if (!close_node (replay, &task))
            return NULL;
        }
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
  if (fb_context_memory (replay->context) > MAX_BYTES + 64 * (guint64) g_bytes_get_size (replay->nodes->trace->bytes))
    return NULL;
  return replay->walk ? walk_all (replay, root) : replace_all (replay, root);
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
  if (!replay->settled && !replay->rewrite->bottom_up && replay->serial != replay->first_serial && !replay->walk
      && !replay->closed)
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
  info = set_target (replay, match->before, into);
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
  replay->graph = graph ? graph : n ? replace (replay, replay->sink) : replay->sink;
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
  replay->tasks = g_array_new (FALSE, FALSE, sizeof (Task));
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
