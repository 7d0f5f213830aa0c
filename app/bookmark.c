#include "app/bookmark.h"

struct _FbBookmark
{
  GObject parent_instance;
  FbStoreMarkKind kind;
  FbStoreMark *mark;
};

G_DEFINE_FINAL_TYPE (FbBookmark, fb_bookmark, G_TYPE_OBJECT)

static guint changed_signal;

FbBookmark *
fb_bookmark_new (FbStoreMarkKind kind, const FbStoreMark *mark)
{
  FbBookmark *self = g_object_new (FB_TYPE_BOOKMARK, NULL);
  self->kind = kind;
  self->mark = fb_store_mark_copy (mark);
  return self;
}

FbStoreMarkKind
fb_bookmark_get_kind (FbBookmark *self)
{
  return self->kind;
}

const FbStoreMark *
fb_bookmark_get (FbBookmark *self)
{
  return self->mark;
}

void
fb_bookmark_set_text (FbBookmark *self, const char *text)
{
  g_return_if_fail (FB_IS_BOOKMARK (self) && text);
  g_autofree char *old = self->mark->text;
  self->mark->text = g_strdup (text);
  self->mark->changed = g_get_real_time ();
  g_signal_emit (self, changed_signal, 0);
}

static void
fb_bookmark_finalize (GObject *object)
{
  fb_store_mark_free (FB_BOOKMARK (object)->mark);
  G_OBJECT_CLASS (fb_bookmark_parent_class)->finalize (object);
}

static void
fb_bookmark_class_init (FbBookmarkClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fb_bookmark_finalize;
  changed_signal = g_signal_new ("changed", FB_TYPE_BOOKMARK, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
fb_bookmark_init (FbBookmark *self)
{
}
