/* Numbers that are equal when contexts are. */
#include <string.h>

#include "compare-private.h"
#include "core/ir/context-private.h"

typedef struct
{
  FbContext *context;
  GArray *nodes;       /* of guint64, by id */
  GHashTable *uniques; /* numbers of buffers to the order in which they came up, from 1 */
} Digests;

/* The finalizer of splitmix64, which spreads every bit. */
static guint64
mix (guint64 hash, guint64 value)
{
  guint64 x = (hash ^ value) * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;

  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

static guint64
mix_bytes (guint64 hash, const char *bytes, gsize n)
{
  hash = mix (hash, n);
  for (; n >= 8; n -= 8, bytes += 8)
    {
      guint64 word;

      memcpy (&word, bytes, sizeof word);
      hash = mix (hash, word);
    }
  for (gsize i = 0; i < n; i++)
    hash = mix (hash, (guchar) bytes[i]);
  return hash;
}

static guint64
mix_text (guint64 hash, const char *text)
{
  return mix_bytes (hash, text, strlen (text));
}

gboolean
fb_viz_buffer_number (const FbUop *uop, gint64 *number, gsize *from, gsize *to)
{
  const char *op = fb_op_name (uop->op), *text, *p;
  char *end;

  *from = *to = 0;
  if (uop->arg.kind == FB_ARG_INT)
    {
      *number = uop->arg.i;
      return strcmp (op, "UNIQUE") == 0 || strcmp (op, "LUNIQUE") == 0;
    }
  if (uop->arg.kind != FB_ARG_OPAQUE || strcmp (op, "BUFFER"))
    return FALSE;
  text = uop->arg.opaque->repr;
  if (!(p = strchr (text, '(')))
    return FALSE;
  /* a number, not a digit in a name */
  while (*p && !(g_ascii_isdigit (*p) && !g_ascii_isalnum (p[-1]) && p[-1] != '_'))
    p++;
  if (!*p)
    return FALSE;
  if (p[-1] == '-')
    p--;
  *number = g_ascii_strtoll (p, &end, 10);
  *from = (gsize) (p - text);
  *to = (gsize) (end - text);
  return TRUE;
}

static guint64
mix_arg (Digests *digests, guint64 hash, const FbUop *uop)
{
  gint64 number;
  gsize from, to;

  if (fb_viz_buffer_number (uop, &number, &from, &to))
    {
      gpointer known = g_hash_table_lookup (digests->uniques, &number);

      if (!known)
        {
          known = GUINT_TO_POINTER (g_hash_table_size (digests->uniques) + 1);
          g_hash_table_insert (digests->uniques, g_memdup2 (&number, sizeof number), known);
        }
      hash = mix (hash, GPOINTER_TO_UINT (known));
      return to ? mix_text (mix_bytes (hash, uop->arg.opaque->repr, from), uop->arg.opaque->repr + to) : hash;
    }
  switch ((FbArgKind) uop->arg.kind)
    {
    case FB_ARG_STR:
      return mix_bytes (hash, uop->arg.str->bytes, uop->arg.str->len);
    case FB_ARG_OPAQUE:
      /* the text of a kernel has the number of its graph, which is another in every file */
      return strcmp (uop->arg.opaque->class_name, "Kernel") ? mix_text (hash, uop->arg.opaque->repr) : hash;
    default:
      return mix (hash, fb_arg_hash (uop->arg));
    }
}

/* Of all nodes made since the last time. Sources are made before what uses them. */
static void
catch_up (Digests *digests)
{
  for (guint32 id = digests->nodes->len; id < fb_context_n_uops (digests->context); id++)
    {
      const FbUop *uop = fb_context_uop (digests->context, id);
      guint64 hash = mix_text (mix_text (1, fb_op_name (uop->op)), uop->dtype->short_name);

      for (guint32 i = 0; i < uop->n_src; i++)
        hash = mix (hash, g_array_index (digests->nodes, guint64, uop->src[i]->id));
      hash = mix_arg (digests, hash, uop);
      g_array_append_val (digests->nodes, hash);
    }
}

static guint64
digest_of (Digests *digests, const FbUop *uop)
{
  catch_up (digests);
  return g_array_index (digests->nodes, guint64, uop->id);
}

static gboolean
digest_rewrite (Digests *digests, FbVizNodes *nodes, const FbVizRewrite *rewrite, FbArena *arena,
                FbVizRewriteDigest *digest)
{
  g_autofree char *plain = fb_viz_plain_name (rewrite->name ? rewrite->name : fb_viz_base_name (rewrite->file));
  FbUop *sink = fb_viz_nodes_sink (nodes, rewrite, NULL);

  digest->name = fb_arena_strndup (arena, plain, strlen (plain));
  digest->n_matches = rewrite->n_matches;
  if (!sink)
    return FALSE;
  g_autoptr (GPtrArray) order = fb_uop_toposort (digests->context, sink);
  digest->n_nodes = order->len;
  digest->input = digest_of (digests, sink);
  digest->whole = mix (mix_text (digest->input, digest->name), rewrite->depth);
  for (guint i = 0; i < rewrite->n_matches; i++)
    {
      FbVizMatch match;

      if (!fb_viz_nodes_match (nodes, rewrite, i, &match, NULL))
        return FALSE;
      digest->whole = mix (digest->whole, digest_of (digests, match.before));
      digest->whole = mix (digest->whole, digest_of (digests, match.after));
    }
  return TRUE;
}

/* How often which ops are in the graph. */
static void
sketch_graph (FbContext *context, FbUop *sink, FbVizDigest *digest)
{
  g_autoptr (GPtrArray) nodes = fb_uop_toposort (context, sink);

  for (guint i = 0; i < nodes->len; i++)
    {
      const FbUop *uop = g_ptr_array_index (nodes, i);
      guint16 *count = &digest->sketch[mix_text (2, fb_op_name (uop->op)) % FB_VIZ_SKETCH];

      if (*count < G_MAXUINT16)
        {
          ++*count;
          digest->sketch_total++;
        }
    }
}

static const char *
family_of (const char *name, FbArena *arena)
{
  gsize n = 0;

  while (g_ascii_isalpha (name[n]))
    n++;
  return fb_arena_strndup (arena, name, n);
}

void
fb_viz_digest_context (FbVizTrace *trace, guint index, FbArena *arena, FbVizDigest *digest)
{
  const FbVizContext *group = fb_viz_trace_context (trace, index);
  g_autoptr (FbContext) context = fb_context_new ();
  g_autoptr (FbVizNodes) nodes = fb_viz_nodes_new (trace, context);
  g_autofree char *plain = fb_viz_plain_name (group->name);
  Digests digests = {
    .context = context,
    .nodes = g_array_new (FALSE, FALSE, sizeof (guint64)),
    .uniques = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL),
  };

  memset (digest, 0, sizeof *digest);
  digest->name = fb_arena_strndup (arena, plain, strlen (plain));
  digest->family = family_of (digest->name, arena);
  digest->n_rewrites = group->n_rewrites;
  digest->n_matches = group->n_matches;
  digest->rewrites = fb_arena_alloc (arena, sizeof *digest->rewrites * group->n_rewrites);
  memset (digest->rewrites, 0, sizeof *digest->rewrites * group->n_rewrites);
  for (guint i = 0; i < group->n_rewrites; i++)
    {
      if (!digest_rewrite (&digests, nodes, &group->rewrites[i], arena, &digest->rewrites[i]))
        digest->broken = TRUE;
      digest->whole = mix (digest->whole, digest->rewrites[i].whole);
    }
  if (group->n_rewrites)
    {
      FbUop *sink = fb_viz_nodes_sink (nodes, &group->rewrites[0], NULL);

      digest->input = digest->rewrites[0].input;
      digest->n_nodes = digest->rewrites[0].n_nodes;
      if (sink)
        sketch_graph (context, sink, digest);
    }
  g_array_unref (digests.nodes);
  g_hash_table_unref (digests.uniques);
}
