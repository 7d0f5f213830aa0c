#include "app/index-model.h"

/* Rows that come at a time, and after how many the rest does at once: widgets make no more than 200. */
#define SLICE 16
/* after what is drawn, before what else waits for time to spare */
#define GAP_PRIORITY (G_PRIORITY_DEFAULT_IDLE - 40)
#define MOST_MADE 200

struct _FbIndexItem
{
  GObject parent_instance;
  guint number;
};
G_DEFINE_FINAL_TYPE (FbIndexItem, fb_index_item, G_TYPE_OBJECT)

struct _FbIndexModel
{
  GObject parent_instance;
  guint n;        /* all of them */
  guint shown;    /* those that have come */
  guint *numbers; /* NULL: position is number */
  gboolean gradual;
  guint source; /* that lets more come */
};

static void
fb_index_item_class_init (FbIndexItemClass *klass)
{
}

static void
fb_index_item_init (FbIndexItem *self)
{
}

guint
fb_index_item_get (FbIndexItem *item)
{
  g_return_val_if_fail (FB_IS_INDEX_ITEM (item), 0);
  return item->number;
}

static GType
get_item_type (GListModel *model)
{
  return FB_TYPE_INDEX_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return FB_INDEX_MODEL (model)->shown;
}

static gpointer
get_item (GListModel *model, guint position)
{
  FbIndexModel *self = FB_INDEX_MODEL (model);
  if (position >= self->shown)
    return NULL;
  FbIndexItem *item = g_object_new (FB_TYPE_INDEX_ITEM, NULL);
  item->number = self->numbers ? self->numbers[position] : position;
  return item;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (FbIndexModel, fb_index_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

static void
fb_index_model_finalize (GObject *object)
{
  g_clear_handle_id (&FB_INDEX_MODEL (object)->source, g_source_remove);
  g_free (FB_INDEX_MODEL (object)->numbers);
  G_OBJECT_CLASS (fb_index_model_parent_class)->finalize (object);
}

static void
fb_index_model_class_init (FbIndexModelClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_index_model_finalize;
}

static void
fb_index_model_init (FbIndexModel *self)
{
}

FbIndexModel *
fb_index_model_new (void)
{
  return g_object_new (FB_TYPE_INDEX_MODEL, NULL);
}

void
fb_index_model_set_gradual (FbIndexModel *model)
{
  g_return_if_fail (FB_IS_INDEX_MODEL (model));
  model->gradual = TRUE;
}

guint
fb_index_model_get_size (FbIndexModel *model)
{
  g_return_val_if_fail (FB_IS_INDEX_MODEL (model), 0);
  return model->n;
}

static gboolean
let_come (gpointer data)
{
  FbIndexModel *self = data;
  guint before = self->shown, end = before < MOST_MADE ? MIN (self->n, before + SLICE) : self->n;
  gboolean more = end < self->n;
  /* who hears of the change may change the list again */
  if (!more)
    self->source = 0;
  self->shown = end;
  g_list_model_items_changed (G_LIST_MODEL (self), before, 0, end - before);
  return more ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* @n_removed at @position, of those shown, are now @n_added others of the list, which is @n long; what then follows is what followed. */
static void
tell (FbIndexModel *self, guint position, guint n_removed, guint n_added)
{
  guint rest = self->shown - position - n_removed, come = n_added;
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->gradual && !rest)
    come = MIN (n_added, SLICE);
  self->shown = position + come + rest;
  if (self->shown < self->n)
    self->source = g_idle_add_full (GAP_PRIORITY, let_come, self, NULL);
  if (n_removed || come)
    g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, come);
}

static void
replace (FbIndexModel *self, guint n, guint *numbers)
{
  g_free (self->numbers);
  self->numbers = numbers;
  self->n = n;
  tell (self, 0, self->shown, n);
}

void
fb_index_model_set_size (FbIndexModel *model, guint n)
{
  g_return_if_fail (FB_IS_INDEX_MODEL (model));
  replace (model, n, NULL);
}

void
fb_index_model_set_filtered (FbIndexModel *model, guint n, const guint *numbers)
{
  g_return_if_fail (FB_IS_INDEX_MODEL (model));
  /* One more, so that an empty selection is not taken for "all". */
  guint *copy = g_new (guint, n + 1);
  for (guint i = 0; i < n; i++)
    copy[i] = numbers[i];
  replace (model, n, copy);
}

void
fb_index_model_splice (FbIndexModel *model, guint position, guint n_removed, guint n_added, const guint *numbers)
{
  g_return_if_fail (FB_IS_INDEX_MODEL (model) && position + n_removed <= model->n);
  guint n = model->n - n_removed + n_added;
  guint *copy = g_new (guint, n + 1);
  for (guint i = 0; i < position; i++)
    copy[i] = model->numbers ? model->numbers[i] : i;
  for (guint i = 0; i < n_added; i++)
    copy[position + i] = numbers[i];
  for (guint i = position + n_removed; i < model->n; i++)
    copy[i - n_removed + n_added] = model->numbers ? model->numbers[i] : i;
  g_free (model->numbers);
  model->numbers = copy;
  model->n = n;
  if (position > model->shown)
    return;
  guint gone = MIN (n_removed, model->shown - position);
  /* what had come after the change stays, and nothing of it is new */
  tell (model, position, gone, gone < n_removed ? n - position : n_added);
}

guint
fb_index_model_find (FbIndexModel *model, guint number)
{
  g_return_val_if_fail (FB_IS_INDEX_MODEL (model), G_MAXUINT);
  if (!model->numbers)
    return number < model->shown ? number : G_MAXUINT;
  guint low = 0, high = model->shown;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (model->numbers[middle] < number)
        low = middle + 1;
      else
        high = middle;
    }
  return low < model->shown && model->numbers[low] == number ? low : G_MAXUINT;
}
