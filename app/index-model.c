#include "app/index-model.h"

struct _FbIndexItem
{
  GObject parent_instance;
  guint number;
};
G_DEFINE_FINAL_TYPE (FbIndexItem, fb_index_item, G_TYPE_OBJECT)

struct _FbIndexModel
{
  GObject parent_instance;
  guint n;
  guint *numbers; /* NULL: position is number */
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
  return FB_INDEX_MODEL (model)->n;
}

static gpointer
get_item (GListModel *model, guint position)
{
  FbIndexModel *self = FB_INDEX_MODEL (model);
  if (position >= self->n)
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

static void
replace (FbIndexModel *self, guint n, guint *numbers)
{
  guint before = self->n;
  g_free (self->numbers);
  self->numbers = numbers;
  self->n = n;
  if (before || n)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, before, n);
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
  g_list_model_items_changed (G_LIST_MODEL (model), position, n_removed, n_added);
}

guint
fb_index_model_find (FbIndexModel *model, guint number)
{
  g_return_val_if_fail (FB_IS_INDEX_MODEL (model), G_MAXUINT);
  if (!model->numbers)
    return number < model->n ? number : G_MAXUINT;
  guint low = 0, high = model->n;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (model->numbers[middle] < number)
        low = middle + 1;
      else
        high = middle;
    }
  return low < model->n && model->numbers[low] == number ? low : G_MAXUINT;
}
