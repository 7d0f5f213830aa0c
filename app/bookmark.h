/* A bookmark or a note in a list. */
#pragma once

#include <gio/gio.h>

#include "core/session/store.h"

#define FB_TYPE_BOOKMARK (fb_bookmark_get_type ())
G_DECLARE_FINAL_TYPE (FbBookmark, fb_bookmark, FB, BOOKMARK, GObject)

/* Copies @mark. */
FbBookmark *fb_bookmark_new (FbStoreMarkKind kind, const FbStoreMark *mark);
FbStoreMarkKind fb_bookmark_get_kind (FbBookmark *bookmark);
/* Borrowed; its text changes with fb_bookmark_set_text. */
const FbStoreMark *fb_bookmark_get (FbBookmark *bookmark);
/* Emits "changed". */
void fb_bookmark_set_text (FbBookmark *bookmark, const char *text);
