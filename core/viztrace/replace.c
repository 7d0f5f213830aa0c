/* One replacing: the order in which nodes are gone through is that of the releases (graph_rewrite). */
#include <string.h>

#include "replay-private.h"

/* Nodes made for one rewrite, beyond what the file accounts for. */
#define MAX_BYTES (G_GUINT64_CONSTANT (2) << 30)

FbVizInfo *
fb_viz_replay_info (FbVizReplay *replay, const FbUop *uop)
{
  if (G_UNLIKELY (uop->id >= replay->n_info))
    {
      guint32 n = MAX (uop->id + 1, MAX (256, replay->n_info * 2));

      replay->info = g_renew (FbVizInfo, replay->info, n);
      memset (replay->info + replay->n_info, 0, sizeof (FbVizInfo) * (n - replay->n_info));
      replay->n_info = n;
    }
  return &replay->info[uop->id];
}

static FbUop *
becomes (FbVizReplay *replay, const FbUop *uop)
{
  const FbVizInfo *info = fb_viz_replay_info (replay, uop);
  return info->done == replay->serial ? info->becomes : NULL;
}

static void
set_becomes (FbVizReplay *replay, const FbUop *uop, FbUop *into)
{
  FbVizInfo *info = fb_viz_replay_info (replay, uop);

  info->becomes = into;
  info->done = replay->serial;
}

static void
add_task (FbVizReplay *replay, FbUop *node, guint8 stage, FbUop *now)
{
  FbVizTask task = { node, now, stage };
  g_array_append_val (replay->tasks, task);
}

static void
wait_for (FbVizReplay *replay, const FbUop *uop, const FbVizTask *task)
{
  GArray *list = g_hash_table_lookup (replay->waiting, uop);

  if (!list)
    {
      list = g_array_new (FALSE, FALSE, sizeof (FbVizTask));
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
      FbVizInfo *info = fb_viz_replay_info (replay, uop);

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

  replay->nodes->n_looked++;
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
      FbVizInfo *info = fb_viz_replay_info (replay, now->src[i - 1]);

      if (info->queued == replay->serial)
        continue;
      info->queued = replay->serial;
      add_task (replay, now->src[i - 1], 0, NULL);
    }
  return TRUE;
}

/* FALSE when it goes on without end: a node is rebuilt once, unless a call kept its sources from others. */
static gboolean
close_node (FbVizReplay *replay, const FbVizTask *task)
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
  fb_viz_replay_info (replay, root)->queued = replay->serial;
  add_task (replay, root, 0, NULL);
  while (replay->tasks->len)
    {
      FbVizTask task = g_array_index (replay->tasks, FbVizTask, replay->tasks->len - 1);
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
      FbVizTask task = g_array_index (replay->tasks, FbVizTask, replay->tasks->len - 1);
      FbUop *node = task.node, *closed;
      gboolean changed = FALSE;
      FbVizInfo *info = fb_viz_replay_info (replay, node);

      g_array_set_size (replay->tasks, replay->tasks->len - 1);
      if (info->done == replay->serial)
        continue;
      if (task.stage == 0)
        {
          replay->nodes->n_looked++;
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

FbUop *
fb_viz_replace (FbVizReplay *replay, FbUop *root)
{
  replay->nodes->n_looked = 0;
  if (fb_context_memory (replay->context) > MAX_BYTES + 64 * (guint64) g_bytes_get_size (replay->nodes->trace->bytes))
    return NULL;
  return replay->walk ? walk_all (replay, root) : replace_all (replay, root);
}
