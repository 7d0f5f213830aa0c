#include "app/node-info.h"

#include "core/ir/text.h"

#define LONGEST_ARG 2000

static char *
dims_tuple (FbContext *context, const FbDims *dims)
{
  g_autofree char *items = fb_dims_to_display (context, dims, ", ");
  return g_strdup_printf (dims->n == 1 ? "(%s,)" : "(%s)", items);
}

static char *
mask_text (FbContext *context, const FbDims *mask)
{
  if (!mask)
    return NULL;
  GString *text = g_string_new (NULL);
  for (guint i = 0; i + 1 < mask->n; i += 2)
    {
      const FbDims *pair = fb_dims_new (context, 2, mask->at + i);
      g_autofree char *range = fb_dims_to_display (context, pair, ", ");
      g_string_append_printf (text, "%s[%s)", i ? " " : "", range);
    }
  return g_string_free (text, FALSE);
}

static void
add_views (FbNodeInfo *info, FbContext *context, const FbShapeTracker *st)
{
  for (guint i = 0; i < st->n; i++)
    {
      const FbView *view = st->views[i];
      const FbDims *offset = fb_dims_new (context, 1, &view->offset);
      FbViewInfo item = { dims_tuple (context, view->shape), dims_tuple (context, view->strides),
                          fb_dims_to_display (context, offset, ""), mask_text (context, view->mask), view->contiguous };
      g_array_append_val (info->views, item);
    }
}

static void
add_link (FbNodeInfo *info, GArray *links, FbUop *uop)
{
  if (links->len < FB_NODE_INFO_LINKS)
    fb_node_link_add (links, info->view, NULL, uop);
}

static void
add_user (FbNodeInfo *info, FbUop *user)
{
  for (guint i = 0; i < user->n_src; i++)
    if (user->src[i] == info->uop)
      {
        info->n_users++;
        add_link (info, info->users, user);
        return;
      }
}

static void
add_users (FbNodeInfo *info, FbContext *context)
{
  const FbStepView *view = info->view;
  if (!view->record)
    {
      g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, view->row->row->sink);
      for (guint i = 0; i < nodes->len; i++)
        add_user (info, g_ptr_array_index (nodes, i));
      return;
    }
  GArray *nodes = view->record->nodes;
  for (guint i = 0; i < nodes->len; i++)
    {
      const FbStepNode *node = &g_array_index (nodes, FbStepNode, i);
      gboolean old = node->mark == FB_MARK_REPLACED || node->mark == FB_MARK_GONE;
      if (old && view->side == FB_GRAPH_AFTER)
        continue;
      add_user (info, node->node);
    }
}

static void
clear_view (gpointer data)
{
  FbViewInfo *view = data;
  g_free (view->shape);
  g_free (view->strides);
  g_free (view->offset);
  g_free (view->mask);
}

FbNodeInfo *
fb_node_info_new (FbStepView *view, FbUop *uop, FbUop *partner)
{
  FbContext *context = fb_step_view_context (view);
  FbNodeInfo *info = g_new0 (FbNodeInfo, 1);
  info->view = fb_step_view_ref (view);
  info->uop = uop;
  info->op = fb_op_name (uop->op);
  info->kind = fb_op_kind (uop->op);
  info->mark = fb_step_view_mark (view, uop);
  info->type = fb_node_type_text (context, uop);
  info->dtype = g_strdup (uop->dtype->repr);
  info->size = -1;
  info->views = g_array_new (FALSE, FALSE, sizeof (FbViewInfo));
  g_array_set_clear_func (info->views, clear_view);
  info->sources = fb_node_links_new ();
  info->users = fb_node_links_new ();

  const FbShapeTracker *st = fb_tracker_of (context, uop);
  if (st)
    {
      info->shape = st->shape->n ? fb_dims_to_display (context, st->shape, "×") : g_strdup ("()");
      info->size = st->shape->all_int ? st->shape->prod : -1;
      add_views (info, context, st);
    }
  const FbText *device = fb_uop_device_name (uop);
  info->device = device ? g_strdup (device->bytes) : NULL;
  if (uop->arg.kind != FB_ARG_NONE && uop->arg.kind != FB_ARG_ST)
    {
      g_autoptr (GString) arg = g_string_new (NULL);
      fb_uop_append_argstr (context, uop, arg);
      if (arg->len > LONGEST_ARG)
        {
          /* Not in the middle of a character. */
          gsize end = g_utf8_find_prev_char (arg->str, arg->str + LONGEST_ARG) - arg->str;
          g_string_truncate (arg, end);
          g_string_append (arg, "…");
        }
      info->arg = g_strdup (arg->str);
    }
  info->n_sources = uop->n_src;
  for (guint i = 0; i < uop->n_src && i < FB_NODE_INFO_LINKS; i++)
    add_link (info, info->sources, uop->src[i]);
  add_users (info, context);
  const guint8 *key = fb_uop_key (context, uop);
  for (guint i = 0; i < 32; i++)
    g_snprintf (info->key + 2 * i, 3, "%02x", key[i]);
  if (view->row->why)
    {
      const FbPassView *pass = view->row->n_passes ? &view->row->passes[view->pass] : NULL;
      info->why = fb_node_why_new (view->row->why, view->row->schedule, uop, pass ? pass->kernel : 0);
      if (info->why && partner)
        fb_node_why_compare (info->why, view->row->why, view->row->schedule, partner, pass ? pass->kernel : 0);
    }
  return info;
}

void
fb_node_info_free (FbNodeInfo *info)
{
  if (!info)
    return;
  g_free (info->type);
  g_free (info->dtype);
  g_free (info->shape);
  g_free (info->device);
  g_free (info->arg);
  g_array_unref (info->views);
  g_array_unref (info->sources);
  g_array_unref (info->users);
  fb_node_why_free (info->why);
  fb_step_view_unref (info->view);
  g_free (info);
}
