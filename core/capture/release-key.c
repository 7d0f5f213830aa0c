/* Keys as other releases compute them. */
#include <string.h>

#include "core/ir/text.h"
#include "release.h"

#define KEY_BYTES 32

/* Every "<Ops.NAME: N>" in the text of an arg, with the number that @release gives the op. */
static void
append_renumbered (GString *out, const char *text, int release)
{
  const char *at;

  while ((at = strstr (text, "<Ops.")))
    {
      const char *name = at + strlen ("<Ops."), *colon = strchr (name, ':'),
                 *close = colon ? strchr (colon, '>') : NULL;
      FbOp op = colon ? fb_op_from_name (name, colon - name) : FB_OP_NONE;

      if (op == FB_OP_NONE || !close)
        {
          g_string_append_len (out, text, name - text);
          text = name;
          continue;
        }
      g_string_append_len (out, text, colon - text);
      g_string_append_printf (out, ": %d>", fb_release_op_value (release, op));
      text = close + 1;
    }
  g_string_append (out, text);
}

/* In 0.10.0 a pointer had no size to print. */
static void
append_dtype (GString *text, const FbDType *dtype, int release)
{
  if (release != FB_RELEASE_0_10_0 || dtype->kind != FB_DTYPE_PTR)
    {
      g_string_append (text, dtype->repr);
      return;
    }
  g_string_append_printf (text, "%s.ptr(%s)", dtype->base->repr, dtype->local ? "local=True" : "");
  if (dtype->v != 1)
    g_string_append_printf (text, ".vec(%d)", dtype->v);
}

char *
fb_release_key_text (FbContext *context, FbUop *root, int release)
{
  g_autoptr (GPtrArray) order = NULL;
  g_autoptr (GChecksum) sha = NULL;
  g_autoptr (GString) arg = NULL, text = NULL;
  g_autofree guint8 *keys = NULL;

  if (release == FB_RELEASE_0_10_2)
    return fb_bytes_repr (fb_uop_key (context, root), KEY_BYTES);
  order = fb_uop_toposort (context, root);
  sha = g_checksum_new (G_CHECKSUM_SHA256);
  arg = g_string_new (NULL);
  text = g_string_new (NULL);
  keys = g_malloc ((gsize) fb_context_n_uops (context) * KEY_BYTES);
  for (guint i = 0; i < order->len; i++)
    {
      FbUop *uop = order->pdata[i];
      gsize len = KEY_BYTES;

      g_string_truncate (arg, 0);
      fb_arg_append_repr (context, uop->arg, arg);
      g_string_printf (text, "(<Ops.%s: %d>, ", fb_op_name (uop->op), fb_release_op_value (release, uop->op));
      append_dtype (text, uop->dtype, release);
      g_string_append (text, ", ");
      append_renumbered (text, arg->str, release);
      g_string_append_c (text, ')');
      g_checksum_reset (sha);
      g_checksum_update (sha, (const guchar *) text->str, (gssize) text->len);
      for (guint32 s = 0; s < uop->n_src; s++)
        g_checksum_update (sha, keys + (gsize) uop->src[s]->id * KEY_BYTES, KEY_BYTES);
      g_checksum_get_digest (sha, keys + (gsize) uop->id * KEY_BYTES, &len);
    }
  return fb_bytes_repr (keys + (gsize) root->id * KEY_BYTES, KEY_BYTES);
}
