#include "class.h"

#include <string.h>

static const char *const names[FB_REPLAY_N_CLASSES] = {
  [FB_REPLAY_IDENTICAL] = "identical",
  [FB_REPLAY_RENUMBERED] = "renumbered",
  [FB_REPLAY_REORDERED] = "reordered",
  [FB_REPLAY_VIEWS] = "views only",
  [FB_REPLAY_CONSTANTS] = "constants only",
  [FB_REPLAY_REWRITTEN] = "rewritten",
  [FB_REPLAY_SPLIT] = "split",
  [FB_REPLAY_MERGED] = "merged",
  [FB_REPLAY_NEW] = "new",
  [FB_REPLAY_GONE] = "gone",
};

const char *
fb_replay_class_name (FbReplayClass class)
{
  g_return_val_if_fail ((guint) class < FB_REPLAY_N_CLASSES, "");
  return names[class];
}

gboolean
fb_replay_class_from_name (const char *name, FbReplayClass *class)
{
  g_autofree char *plain = g_strstrip (g_strdelimit (g_ascii_strdown (name, -1), "-_", ' '));

  for (guint i = 0; i < FB_REPLAY_N_CLASSES; i++)
    {
      gsize len = strlen (names[i]);
      if (g_str_has_suffix (names[i], " only") && strlen (plain) == len - 5)
        len -= 5;
      if (strlen (plain) == len && strncmp (plain, names[i], len) == 0)
        {
          *class = (FbReplayClass) i;
          return TRUE;
        }
    }
  return FALSE;
}
