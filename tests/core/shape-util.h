/* Shapes and movement chains as text, for the tests of sints, views and shape trackers. */
#pragma once

#include <stdlib.h>
#include <string.h>

#include "core/ir/context.h"
#include "core/ir/text.h"

/* The variable n, from 1 to 10, and n bound to 3. */
static inline FbUop *
variable_n (FbContext *context)
{
  return fb_variable (context, "n", fb_arg_int (1), fb_arg_int (10), FB_DTYPE (INT32));
}

static inline FbUop *
bound_n (FbContext *context)
{
  FbUop *src[2] = { variable_n (context), fb_const_int (context, FB_DTYPE (INT32), 3) };

  return fb_uop_new (context, FB_OP_BIND, FB_DTYPE (INT32), 2, src, FB_ARG_NIL);
}

static inline FbSint
sint_from_text (FbContext *context, const char *text)
{
  if (g_str_equal (text, "n"))
    return fb_sint_uop (variable_n (context));
  if (g_str_equal (text, "bound"))
    return fb_sint_uop (bound_n (context));
  return fb_sint (g_ascii_strtoll (text, NULL, 10));
}

/* "2,n,3"; "()" is the empty tuple, "-" is NULL. */
static inline const FbDims *
dims_from_text (FbContext *context, const char *text)
{
  g_auto (GStrv) parts = NULL;
  FbSint items[32];
  guint n = 0;

  if (g_str_equal (text, "-"))
    return NULL;
  parts = g_strsplit (g_str_equal (text, "()") ? "" : text, ",", -1);
  for (; parts[n]; n++)
    items[n] = sint_from_text (context, parts[n]);
  return fb_dims_new (context, n, items);
}

/* Words and their arguments: `shape DIMS`, `view SHAPE STRIDES OFFSET MASK`, then `reshape DIMS`, `permute AXES`,
 * `expand DIMS`, `pad PAIRS`, `shrink PAIRS`, `flip 0-OR-1S`; `under` adds what follows to what stands before. */
static inline const FbShapeTracker *
st_from_text (FbContext *context, const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  const FbShapeTracker *st = NULL, *inner = NULL;

  for (guint i = 0; words[i] && !fb_context_failed (context); i++)
    {
      const char *word = words[i];

      if (g_str_equal (word, "view"))
        {
          const FbView *view
              = fb_view_create (context, dims_from_text (context, words[i + 1]), dims_from_text (context, words[i + 2]),
                                sint_from_text (context, words[i + 3]), dims_from_text (context, words[i + 4]));
          st = view ? fb_st_from_view (context, view) : NULL;
          i += 4;
        }
      else if (g_str_equal (word, "under"))
        {
          inner = st;
          st = NULL;
        }
      else
        {
          const FbDims *arg = dims_from_text (context, words[++i]);

          if (g_str_equal (word, "shape"))
            st = fb_st_from_shape (context, arg);
          else if (g_str_equal (word, "reshape"))
            st = fb_st_reshape (context, st, arg);
          else if (g_str_equal (word, "permute"))
            st = fb_st_permute (context, st, arg);
          else if (g_str_equal (word, "expand"))
            st = fb_st_expand (context, st, arg);
          else if (g_str_equal (word, "pad"))
            st = fb_st_pad (context, st, arg);
          else if (g_str_equal (word, "shrink"))
            st = fb_st_shrink (context, st, arg);
          else if (g_str_equal (word, "flip"))
            st = fb_st_flip (context, st, arg);
          else
            g_error ("no such word: %s", word);
        }
    }
  return inner && st ? fb_st_add (context, inner, st) : st;
}

/* One view as "(shape) (strides) offset (mask)", "contiguous" when it is; the mask only when there is one. */
static inline char *
view_to_text (FbContext *context, const FbView *view)
{
  g_autofree char *shape = fb_dims_to_display (context, view->shape, ",");
  g_autofree char *strides = fb_dims_to_display (context, view->strides, ",");
  g_autofree char *mask = view->mask ? fb_dims_to_display (context, view->mask, ",") : NULL;
  const FbDims *offset_dims = fb_dims_new (context, 1, &view->offset);
  g_autofree char *offset = fb_dims_to_display (context, offset_dims, ",");

  return g_strdup_printf ("(%s) (%s) %s%s%s%s%s", shape, strides, offset, mask ? " (" : "", mask ? mask : "",
                          mask ? ")" : "", view->contiguous ? " contiguous" : "");
}

/* Its views, one after the other, with " | " between them. */
static inline char *
st_to_text (FbContext *context, const FbShapeTracker *st)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < st->n; i++)
    {
      g_autofree char *view = view_to_text (context, st->views[i]);
      g_string_append_printf (text, "%s%s", i ? " | " : "", view);
    }
  return g_string_free (text, FALSE);
}

/* The chain gives these views. */
#define assert_chain(context, chain, expected)                           \
  G_STMT_START                                                           \
  {                                                                      \
    const FbShapeTracker *assert_st = st_from_text ((context), (chain)); \
    g_autofree char *assert_text = NULL;                                 \
    g_autoptr (GError) assert_error = NULL;                              \
    fb_context_take_error ((context), &assert_error);                    \
    g_assert_no_error (assert_error);                                    \
    g_assert_nonnull (assert_st);                                        \
    assert_text = st_to_text ((context), assert_st);                     \
    g_assert_cmpstr (assert_text, ==, (expected));                       \
  }                                                                      \
  G_STMT_END

/* The chain is refused with this error code. */
#define assert_refused(context, chain, error_code)                    \
  G_STMT_START                                                        \
  {                                                                   \
    g_autoptr (GError) assert_error = NULL;                           \
    g_assert_null (st_from_text ((context), (chain)));                \
    g_assert_true (fb_context_take_error ((context), &assert_error)); \
    g_assert_error (assert_error, FB_ERROR, (error_code));            \
  }                                                                   \
  G_STMT_END
