/* The engine with a stack of frames: bottom-up and by substitution always, top-down where nodes are deep (ops.py:931, :937). */
#include "engine-private.h"

G_GNUC_NO_INLINE static void
grow_frames (FbContext *context)
{
  context->frames_allocated = MAX (256, context->frames_allocated * 2);
  context->frames = g_renew (FbRewriteFrame, context->frames, context->frames_allocated);
}

/* The frame of @uop, which was not met yet. */
static inline FbRewriteFrame
enter (FbRun *r, FbUop *uop)
{
  set (r, uop, IN_PROGRESS);
  return (FbRewriteFrame){ .uop = uop, .current = uop };
}

/* Puts @frame aside until a source of its node is done. */
static inline void
push (FbRun *r, const FbRewriteFrame *frame)
{
  FbContext *context = r->rw.context;

  if (G_UNLIKELY (context->n_frames == context->frames_allocated))
    grow_frames (context);
  context->frames[context->n_frames++] = *frame;
}

/* The node of @frame, and all that it replaced, became @result. @frame is the latest put aside then; FALSE when none is left. */
static inline gboolean
pop (FbRun *r, FbRewriteFrame *frame, FbUop *result)
{
  FbUop *uop = frame->uop;

  r->n_waiting -= frame->n_replaced;
  for (guint i = frame->n_replaced; i > 0; i--)
    {
      FbUop *replaced = (FbUop *) (get (r, uop) & ~IN_PROGRESS);
      set (r, uop, (guintptr) result);
      uop = replaced;
    }
  set (r, uop, (guintptr) result);
  if (r->rw.context->n_frames == r->base)
    return FALSE;
  *frame = r->rw.context->frames[--r->rw.context->n_frames];
  frame->changed |= result != uop;
  return TRUE;
}

/* The node of @frame became @other, which is rewritten in turn, in the same frame, from @first_source on; or is known already,
 * and done with. FALSE when no frame is left, or on error. */
static inline gboolean
continue_with (FbRun *r, FbRewriteFrame *frame, FbUop *other, guint32 first_source)
{
  guintptr known = get (r, other);

  if (G_UNLIKELY (known & IN_PROGRESS || r->n_waiting > MAX_REPLACED_IN_A_ROW))
    {
      fb_run_diverges (r, other);
      return FALSE;
    }
  if (known)
    return pop (r, frame, (FbUop *) known);
  set (r, other, (guintptr) frame->uop | IN_PROGRESS);
  r->n_waiting++;
  frame->uop = frame->current = other;
  frame->next = first_source;
  frame->n_replaced++;
  frame->changed = FALSE;
  return TRUE;
}

/* Bottom-up only: matches @current, of @frame, until no rule applies, and @next is what it was replaced by first. FALSE on
 * error. */
FOR_MODE gboolean
match_to_fixpoint (FbRun *r, FbRewriteFrame *frame, FbUop *next, const Mode mode)
{
  /* a kernel takes in its sources one level a match, so as many matches as nodes are in order */
  guint64 n = 0, most = MAX_REPLACED_IN_A_ROW + 4 * (guint64) r->rw.context->n_uops;

  for (; next; next = match (r, frame->current, mode))
    {
      frame->current = next;
      if (G_UNLIKELY (++n > most))
        {
          fb_run_diverges (r, next);
          return FALSE;
        }
    }
  return r->rw.context->error == NULL;
}

/* Goes on to the first source of @frame's node that is not rewritten yet: @frame is that source's then, its own is put aside.
 * When all are, its `next` is their number. A source without sources is matched at once, and gets a frame only when a rule
 * applies. Bottom-up, any source is matched before it is gone into. FALSE on error. */
FOR_MODE gboolean
next_source (FbRun *r, FbRewriteFrame *frame, const Mode mode)
{
  const FbUop *current = frame->current;

  for (const guint32 n = current->n_src; frame->next < n;)
    {
      FbUop *source = current->src[frame->next++], *result = NULL;
      guintptr known = get (r, source);

      if (G_LIKELY (known))
        {
          if (G_UNLIKELY (known & IN_PROGRESS))
            {
              fb_run_diverges (r, source);
              return FALSE;
            }
          frame->changed |= known != (guintptr) source;
          continue;
        }
      if (mode == SUBSTITUTE && source->id < r->first_affected)
        {
          set (r, source, (guintptr) source);
          continue;
        }
      if (mode != TOP_DOWN || source->n_src == 0)
        {
          result = match (r, source, mode);
          if (G_UNLIKELY (r->rw.context->error))
            {
              *frame = (FbRewriteFrame){ .uop = source };
              return FALSE;
            }
          if (!result && source->n_src == 0)
            {
              set (r, source, (guintptr) source);
              continue;
            }
        }
      push (r, frame);
      *frame = enter (r, source);
      if (!result)
        return TRUE;
      return mode == TOP_DOWN ? continue_with (r, frame, result, 0) : match_to_fixpoint (r, frame, result, mode);
    }
  return TRUE;
}

/* The sources of @frame are rewritten: its node is rebuilt over them, or matched, or done. FALSE when no frame is left, or on
 * error. */
FOR_MODE gboolean
finish (FbRun *r, FbRewriteFrame *frame, const Mode mode)
{
  FbUop *uop = frame->current, *result;

  if (frame->changed)
    {
      result = fb_run_rebuild (r, uop);
      /* top-down, what sources became is final: only the node itself is left to match */
      if (mode == TOP_DOWN)
        return continue_with (r, frame, result, result->n_src);
      if (!continue_with (r, frame, result, 0))
        return FALSE;
      return frame->uop != result || match_to_fixpoint (r, frame, match (r, result, mode), mode);
    }
  if (mode == TOP_DOWN)
    {
      result = match (r, uop, mode);
      if (G_UNLIKELY (r->rw.context->error))
        return FALSE;
      if (result)
        return continue_with (r, frame, result, 0);
    }
  return pop (r, frame, uop);
}

/* Works until @frame, and all that is put aside meanwhile, is done; FALSE on error. The frame is the caller's copy: what a node
 * needs that is not put aside stays in registers. */
FOR_MODE gboolean
work (FbRun *r, FbRewriteFrame frame, const Mode mode)
{
  gboolean more = TRUE;

  while (more)
    {
      if (G_UNLIKELY (cancelled_meanwhile (r)))
        break;
      more = next_source (r, &frame, mode);
      if (more && frame.next == frame.current->n_src)
        more = finish (r, &frame, mode);
    }
  r->failed_at = frame.uop;
  return r->rw.context->error == NULL;
}

/* ops.py:931 and :937, with a stack of our own. */
FOR_MODE FbUop *
rewrite_in_mode (FbRun *r, FbUop *root, const Mode mode)
{
  guintptr known = get (r, root);
  FbRewriteFrame frame;

  if (known)
    return (FbUop *) known;
  frame = enter (r, root);
  if (mode != TOP_DOWN && !match_to_fixpoint (r, &frame, match (r, root, mode), mode))
    {
      r->failed_at = root;
      return NULL;
    }
  return work (r, frame, mode) ? (FbUop *) get (r, root) : NULL;
}

FbUop *
fb_frames_settle (FbRun *r, FbUop *uop, guint32 next, guint32 n_replaced, gboolean changed)
{
  r->n_waiting += n_replaced;
  if (!work (r, (FbRewriteFrame){ uop, uop, next, n_replaced, changed }, TOP_DOWN))
    return NULL;
  return (FbUop *) get (r, uop);
}

FbUop *
fb_frames_bottom_up (FbRun *r, FbUop *root)
{
  return rewrite_in_mode (r, root, BOTTOM_UP);
}

FbUop *
fb_frames_substitute (FbRun *r, FbUop *root)
{
  return rewrite_in_mode (r, root, SUBSTITUTE);
}
