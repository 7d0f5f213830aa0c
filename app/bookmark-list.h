/* The bookmarks and notes of a session, to go to, rename and remove. */
#pragma once

#include <gtk/gtk.h>

#include "app/document.h"

#define FB_TYPE_BOOKMARK_LIST (fb_bookmark_list_get_type ())
G_DECLARE_FINAL_TYPE (FbBookmarkList, fb_bookmark_list, FB, BOOKMARK_LIST, GtkWidget)

/* Signal: picked (FbBookmark *mark): the person wants to go there. */

/* @doc is kept. Call once. */
void fb_bookmark_list_set_document (FbBookmarkList *list, FbDocument *doc);
/* Selects the bookmark at the position, or the next after it, and gives the list the keyboard. */
void fb_bookmark_list_reveal (FbBookmarkList *list);
