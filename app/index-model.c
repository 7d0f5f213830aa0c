#include "app/index-model.h"

/* after what is drawn, before what else waits for time to spare */
#define GAP_PRIORITY (G_PRIORITY_DEFAULT_IDLE - 40)
/* A slice a frame: rows are styled and given places when the frame is made, and several slices would make a long one. */
#define FRAME_MS 16
/* After so many rows the rest comes at once: widgets make no more. */
#define MOST_MADE 200

struct _FbIndexItem
{
  GObject parent_instance;
  guint number, version;
  GHashTable *items; /* of the model that has it; NULL: none has, any more */
};
G_DEFINE_FINAL_TYPE (FbIndexItem, fb_index_item, G_TYPE_OBJECT)

struct _FbIndexModel
{
  GObject parent_instance;
  guint n;           /* all of them */
  guint shown;       /* those that have come */
  guint offset;      /* so many went at the front */
  guint *numbers;    /* NULL: position is number */
  guint slice;       /* that come or go at a time; 0: all do */
  guint source;      /* that lets more come */
  GHashTable *items; /* that somebody holds, by number: a row that only moves keeps its item, and is not written anew */
};

static void
fb_index_item_finalize (GObject *object)
{
  FbIndexItem *self = FB_INDEX_ITEM (object);
  if (self->items)
    g_hash_table_remove (self->items, GUINT_TO_POINTER (self->number));
  G_OBJECT_CLASS (fb_index_item_parent_class)->finalize (object);
}

static void
fb_index_item_class_init (FbIndexItemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_index_item_finalize;
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

guint
fb_index_item_get_version (FbIndexItem *item)
{
  g_return_val_if_fail (FB_IS_INDEX_ITEM (item), 0);
  return item->version;
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

static guint
number_at (FbIndexModel *self, guint position)
{
  position += self->offset;
  return self->numbers ? self->numbers[position] : position;
}

static gpointer
get_item (GListModel *model, guint position)
{
  FbIndexModel *self = FB_INDEX_MODEL (model);
  if (position >= self->shown)
    return NULL;
  guint number = number_at (self, position);
  FbIndexItem *item = g_hash_table_lookup (self->items, GUINT_TO_POINTER (number));
  if (item)
    return g_object_ref (item);
  item = g_object_new (FB_TYPE_INDEX_ITEM, NULL);
  item->number = number;
  item->items = self->items;
  g_hash_table_insert (self->items, GUINT_TO_POINTER (number), item);
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

/* What is at that number from now on is something else. */
static FbIndexItem *
let_loose (FbIndexModel *self, guint number)
{
  FbIndexItem *item = g_hash_table_lookup (self->items, GUINT_TO_POINTER (number));
  if (item)
    item->items = NULL;
  g_hash_table_remove (self->items, GUINT_TO_POINTER (number));
  return item;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  const FbIndexItem *x = *(FbIndexItem *const *) a, *y = *(FbIndexItem *const *) b;
  return (x->number > y->number) - (x->number < y->number);
}

/* Items that somebody holds, in the order of their numbers, which are free for others now. */
static GPtrArray *
let_all_loose (FbIndexModel *self)
{
  GPtrArray *loose = g_ptr_array_new_full (g_hash_table_size (self->items), g_object_unref);
  GHashTableIter iter;
  gpointer item;
  g_hash_table_iter_init (&iter, self->items);
  while (g_hash_table_iter_next (&iter, NULL, &item))
    {
      FB_INDEX_ITEM (item)->items = NULL;
      g_ptr_array_add (loose, g_object_ref (item));
    }
  g_hash_table_remove_all (self->items);
  g_ptr_array_sort (loose, compare_numbers);
  return loose;
}

/* Gives @loose items, in their order, numbers from @position on. Lists keep the rows of items that they know, whatever these say by now,
 * and write them anew; the rows of items that they do not know are made. Returns how many were given one. */
static guint
renumber (FbIndexModel *self, GPtrArray *loose, guint position, guint n)
{
  guint given = 0;
  for (; self->slice && given < MIN (loose->len, n); given++)
    {
      FbIndexItem *item = g_ptr_array_index (loose, given);
      guint number = number_at (self, position + given);
      if (g_hash_table_contains (self->items, GUINT_TO_POINTER (number)))
        break;
      item->number = number;
      item->version++;
      item->items = self->items;
      g_hash_table_insert (self->items, GUINT_TO_POINTER (number), item);
    }
  return given;
}

static void
fb_index_model_finalize (GObject *object)
{
  FbIndexModel *self = FB_INDEX_MODEL (object);
  g_ptr_array_unref (let_all_loose (self));
  g_hash_table_unref (self->items);
  g_clear_handle_id (&self->source, g_source_remove);
  g_free (self->numbers);
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
  self->items = g_hash_table_new (NULL, NULL);
}

FbIndexModel *
fb_index_model_new (void)
{
  return g_object_new (FB_TYPE_INDEX_MODEL, NULL);
}

void
fb_index_model_set_gradual (FbIndexModel *model, guint slice)
{
  g_return_if_fail (FB_IS_INDEX_MODEL (model));
  model->slice = slice;
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
  guint before = self->shown, end = before < MOST_MADE ? MIN (self->n, before + self->slice) : self->n;
  gboolean more = end < self->n;
  /* who hears of the change may change the list again */
  if (!more)
    self->source = 0;
  self->shown = end;
  g_list_model_items_changed (G_LIST_MODEL (self), before, 0, end - before);
  return more ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

/* @n_removed at @position, of those shown, are now @n_added others of the list, which is @n long; what then follows is what followed.
 * @loose: items that may stand for the others. */
static void
tell (FbIndexModel *self, guint position, guint n_removed, guint n_added, GPtrArray *loose)
{
  guint known = renumber (self, loose, position, MIN (n_added, MOST_MADE));
  guint rest = self->shown - position - n_removed, come = n_added;
  g_clear_handle_id (&self->source, g_source_remove);
  if (self->slice && !rest)
    come = MIN (n_added, MAX (known, self->slice));
  self->shown = position + come + rest;
  if (self->shown < self->n)
    self->source = g_timeout_add_full (GAP_PRIORITY, FRAME_MS, let_come, self, NULL);
  if (n_removed || come)
    g_list_model_items_changed (G_LIST_MODEL (self), position, n_removed, come);
}

static gboolean
is_held (FbIndexModel *self, guint position)
{
  return g_hash_table_contains (self->items, GUINT_TO_POINTER (number_at (self, position)));
}

/* What nobody holds has no row: it costs nothing, and must go before those that have, or rows would be made for it in their stead. */
static void
drop_unheld (FbIndexModel *self)
{
  guint before = self->shown, end = before, first = 0;
  while (end > 0 && !is_held (self, end - 1))
    end--;
  self->shown = end;
  if (end < before)
    g_list_model_items_changed (G_LIST_MODEL (self), end, before - end, 0);
  while (first < end && !is_held (self, first))
    first++;
  self->offset += first;
  self->shown -= first;
  if (first)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, first, 0);
}

gboolean
fb_index_model_drop_some (FbIndexModel *model)
{
  g_return_val_if_fail (FB_IS_INDEX_MODEL (model), FALSE);
  model->n = 0;
  if (model->slice && model->shown > MOST_MADE)
    drop_unheld (model);
  guint before = model->shown, slice = model->slice ? model->slice : before;
  guint end = before > MOST_MADE ? MOST_MADE : before > slice ? before - slice : 0;
  model->shown = end;
  if (before)
    g_list_model_items_changed (G_LIST_MODEL (model), end, before - end, 0);
  return end > 0;
}

static gboolean
let_go (gpointer data)
{
  FbIndexModel *self = data;
  guint source = self->source;
  gboolean more = fb_index_model_drop_some (self);
  /* who heard of it may have set something else */
  if (!more && self->source == source)
    self->source = 0;
  return more ? G_SOURCE_CONTINUE : G_SOURCE_REMOVE;
}

void
fb_index_model_drain (FbIndexModel *model)
{
  g_return_if_fail (FB_IS_INDEX_MODEL (model));
  g_clear_handle_id (&model->source, g_source_remove);
  model->n = 0;
  if (model->shown)
    model->source = g_idle_add_full (GAP_PRIORITY, let_go, model, NULL);
}

static void
replace (FbIndexModel *self, guint n, guint *numbers)
{
  g_autoptr (GPtrArray) loose = let_all_loose (self);
  g_free (self->numbers);
  self->numbers = numbers;
  self->offset = 0;
  self->n = n;
  tell (self, 0, self->shown, n, loose);
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
  g_autoptr (GPtrArray) loose = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < n_removed; i++)
    {
      FbIndexItem *item = let_loose (model, number_at (model, position + i));
      if (item)
        g_ptr_array_add (loose, g_object_ref (item));
    }
  for (guint i = 0; i < position; i++)
    copy[i] = number_at (model, i);
  for (guint i = 0; i < n_added; i++)
    copy[position + i] = numbers[i];
  for (guint i = position + n_removed; i < model->n; i++)
    copy[i - n_removed + n_added] = number_at (model, i);
  g_free (model->numbers);
  model->numbers = copy;
  model->offset = 0;
  model->n = n;
  if (position > model->shown)
    return;
  guint gone = MIN (n_removed, model->shown - position);
  /* what had come after the change stays, and nothing of it is new */
  tell (model, position, gone, gone < n_removed ? n - position : n_added, loose);
}

guint
fb_index_model_find (FbIndexModel *model, guint number)
{
  g_return_val_if_fail (FB_IS_INDEX_MODEL (model), G_MAXUINT);
  guint low = 0, high = model->shown;
  while (low < high)
    {
      guint middle = low + (high - low) / 2;
      if (number_at (model, middle) < number)
        low = middle + 1;
      else
        high = middle;
    }
  return low < model->shown && number_at (model, low) == number ? low : G_MAXUINT;
}
