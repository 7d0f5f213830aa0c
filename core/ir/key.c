/* Keys: what a node is, hashed with the keys of its sources (ops.py:264). */
#include "context-private.h"
#include "text.h"

#include <string.h>

#define KEY_BYTES 32

/* The key of a node, NULL when it was not asked for yet. */
static inline const guint8 *
known (FbContext *context, const FbUop *uop)
{
  return fb_note_get (context, FB_NOTE_KEY, uop);
}

static void
compute_key (FbContext *context, FbUop *uop, GChecksum *sha, GString *text)
{
  FbContext *owner = fb_context_owner (context, uop);
  guint8 *key = fb_arena_alloc (&owner->arena, KEY_BYTES);
  gsize len = KEY_BYTES;

  g_string_truncate (text, 0);
  g_string_append (text, "(<Ops.");
  g_string_append (text, fb_op_name (uop->op));
  /* foreign ops are numbered as they are met, which is no part of what a node is */
  if (uop->op < FB_N_OPS)
    g_string_append_printf (text, ": %d", uop->op);
  g_string_append (text, ">, ");
  g_string_append (text, uop->dtype->repr);
  g_string_append (text, ", ");
  fb_arg_append_repr (context, uop->arg, text);
  g_string_append_c (text, ')');
  g_checksum_reset (sha);
  g_checksum_update (sha, (const guchar *) text->str, (gssize) text->len);
  for (guint i = 0; i < uop->n_src; i++)
    g_checksum_update (sha, known (context, uop->src[i]), KEY_BYTES);
  g_checksum_get_digest (sha, key, &len);
  fb_note_put (owner, FB_NOTE_KEY, uop, key);
}

const guint8 *
fb_uop_key (FbContext *context, FbUop *root)
{
  typedef struct
  {
    FbUop *uop;
    guint32 next;
  } Frame;
  g_autoptr (GArray) stack = NULL;
  g_autoptr (GChecksum) sha = NULL;
  g_autoptr (GString) text = NULL;
  Frame frame = { root, 0 };

  if (known (context, root))
    return known (context, root);
  stack = g_array_new (FALSE, FALSE, sizeof (Frame));
  sha = g_checksum_new (G_CHECKSUM_SHA256);
  text = g_string_new (NULL);
  g_array_append_val (stack, frame);
  while (stack->len)
    {
      Frame *top = &g_array_index (stack, Frame, stack->len - 1);

      if (top->next < top->uop->n_src)
        {
          FbUop *s = top->uop->src[top->next++];
          if (!known (context, s))
            {
              frame = (Frame){ s, 0 };
              g_array_append_val (stack, frame);
            }
          continue;
        }
      if (!known (context, top->uop))
        compute_key (context, top->uop, sha, text);
      g_array_set_size (stack, stack->len - 1);
    }
  return known (context, root);
}

const char *
fb_uop_key_hex (FbContext *context, FbUop *uop, char out[17])
{
  static const char digits[] = "0123456789abcdef";
  const guint8 *key = fb_uop_key (context, uop);

  for (int i = 0; i < 8; i++)
    {
      out[2 * i] = digits[key[i] >> 4];
      out[2 * i + 1] = digits[key[i] & 15];
    }
  out[16] = 0;
  return out;
}
