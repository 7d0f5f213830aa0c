/* A list of numbers, such as 0 to n-1, whose items exist only while somebody holds them.
 *
 * Lists of rows, steps and lines look up what they show by this number, so a list of any length opens at once. Widgets make rows
 * for what they are given, 200 of them before they look at what is seen: a gradual model gives them so many at a time, between
 * frames, that none of those turns is long. */
#pragma once

#include <gio/gio.h>

#define FB_TYPE_INDEX_MODEL (fb_index_model_get_type ())
G_DECLARE_FINAL_TYPE (FbIndexModel, fb_index_model, FB, INDEX_MODEL, GObject)
#define FB_TYPE_INDEX_ITEM (fb_index_item_get_type ())
G_DECLARE_FINAL_TYPE (FbIndexItem, fb_index_item, FB, INDEX_ITEM, GObject)

FbIndexModel *fb_index_model_new (void);
/* From now on what is added at the end comes bit by bit, @slice rows at a time: fewer where rows are of many widgets. Items that were in
 * the list may then stand for other numbers in it, so that rows are used again; who selects one says so anew after each change. */
void fb_index_model_set_gradual (FbIndexModel *model, guint slice);
/* Takes all numbers out bit by bit, the last ones first, for rows are taken apart as slowly as they are made: of a list that nobody sees.
 * Whatever is set later is set at once. */
void fb_index_model_drain (FbIndexModel *model);
/* Takes out as many at once as can go between two frames. FALSE: none is left. */
gboolean fb_index_model_drop_some (FbIndexModel *model);
/* How long the list is, or will be when all has come. */
guint fb_index_model_get_size (FbIndexModel *model);
/* The list becomes @n numbers long; all items count as changed. */
void fb_index_model_set_size (FbIndexModel *model, guint n);
/* Shows these numbers only, in this order; copied. */
void fb_index_model_set_filtered (FbIndexModel *model, guint n, const guint *numbers);
/* @n_removed numbers at @position are replaced by @n_added others; the rest stays. */
void fb_index_model_splice (FbIndexModel *model, guint position, guint n_removed, guint n_added, const guint *numbers);
/* Position of @number in the list, or GTK_INVALID_LIST_POSITION (G_MAXUINT). Of a list that ascends. */
guint fb_index_model_find (FbIndexModel *model, guint number);
guint fb_index_item_get (FbIndexItem *item);
/* Another one each time that the item stands for something else. */
guint fb_index_item_get_version (FbIndexItem *item);
