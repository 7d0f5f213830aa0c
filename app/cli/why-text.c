#include "why-text.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/ir/dtype.h"
#include "core/ir/text.h"

#include "count.h"

char *
fb_why_ops_text (const FbKernelCost *cost)
{
  GString *text = g_string_new (NULL);

  for (guint op = 0; op < FB_N_OPS; op++)
    {
      if (!cost->ops[op])
        continue;
      g_string_append (text, text->len ? " · " : "");
      if (cost->ops[op] > 1)
        g_string_append_printf (text, "%u ", cost->ops[op]);
      g_string_append (text, fb_op_name (op));
    }
  return g_string_free (text, FALSE);
}

static char *
shape_text (FbContext *context, FbUop *node)
{
  const FbShapeTracker *st = fb_uop_st (context, node);

  if (!st)
    return g_strdup ("");
  return st->shape->n ? fb_dims_to_display (context, st->shape, "×") : g_strdup ("()");
}

char *
fb_why_node_text (FbContext *context, FbUop *node)
{
  g_autofree char *shape = shape_text (context, node);

  return g_strdup_printf ("%s %s%s%s", fb_op_name (node->op), node->dtype->short_name, *shape ? " " : "", shape);
}

/* With its key: what another verdict can be asked for. */
static char *
named (FbContext *context, FbUop *node)
{
  char key[17];

  if (!node)
    return g_strdup (_ ("nothing"));
  g_autofree char *text = fb_why_node_text (context, node);
  return g_strdup_printf ("%s (%s)", text, fb_uop_key_hex (context, node, key));
}

static char *
expand_sentence (FbContext *context, const FbDecision *d)
{
  g_autofree char *from = shape_text (context, d->node), *to = shape_text (context, d->because);
  const char *a = fb_count (d->a), *b = fb_count (d->b);

  if (d->a < 0 || d->b < 0)
    return g_strdup_printf (_ ("A view expands it from %s to %s. Stored, it is computed once for each element."), from,
                            to);
  return g_strdup_printf (_ ("A view expands it from %s to %s. Stored once, it is computed %s times instead of %s."),
                          from, to, a, b);
}

static char *
pad_sentence (FbContext *context, const FbDecision *d)
{
  const char *op = fb_op_name (d->other->op);

  if (d->other == d->node)
    return g_strdup_printf (
        _ ("A view pads it with zeros, and %s of a zero is not zero: padded before, it would give other "
           "values."),
        op);
  g_autofree char *other = named (context, d->other);
  return g_strdup_printf (
      _ ("A view pads it with zeros, and below it %s does not keep zero: padded before, it would give "
         "other values."),
      other);
}

static char *
fits_sentence (const FbDecision *d, const FbOptions *options)
{
  const char *a = fb_count (d->a), *b = fb_count (d->b);

  if (d->a >= 0 && d->b > d->a)
    return options->dont_realize_expand
               ? g_strdup_printf (
                   _ ("A view expands it from %s to %s elements, which DONT_REALIZE_EXPAND lets be fused."), a, b)
               : g_strdup_printf (_ ("A view expands it from %s to %s elements, and it was forced to stay fused."), a,
                                  b);
  if (d->a < 0 || d->b < 0)
    return g_strdup (_ ("A view reads it, which neither expands nor pads it."));
  return g_strdup_printf (_ ("A view reads it, which neither expands it (%s elements of %s) nor pads it."), b, a);
}

static char *
reduce_cause (FbContext *context, const FbDecision *d)
{
  g_autofree char *other = named (context, d->other);
  const char *a = fb_count (d->a), *b = fb_count (d->b);

  switch ((FbReason) d->reason)
    {
    case FB_REASON_REDUCE_DOWNSTREAM:
      return g_strdup_printf (_ ("A kernel holds one reduce, and after it comes another, %s."), other);
    case FB_REASON_REDUCE_VIEWS:
      return g_strdup_printf (_ ("%s reads it in several ways at once."), other);
    case FB_REASON_REDUCE_NOT_CONTIGUOUS:
      return g_strdup_printf (_ ("Stored as %s, it would not be contiguous."), other);
    case FB_REASON_REDUCE_SIZE:
      return g_strdup_printf (_ ("Stored as %s, it would be seen with %s elements, and has %s."), other, a, b);
    case FB_REASON_REDUCE_TAKEN:
      return g_strdup_printf (_ ("%s already stores another reduce."), other);
    case FB_REASON_REDUCE_OUTPUTS:
      return g_strdup_printf (_ ("A kernel has one output, and %s nodes would store it; the second is %s."), a, other);
    case FB_REASON_REDUCE_ASSIGN:
      return g_strdup_printf (_ ("Its kernel would read what %s overwrites."), other);
    default:
      return g_strdup (_ ("Nothing after it is stored."));
    }
}

static char *
stop_text (const FbDecision *d)
{
  switch ((FbChaseStop) d->stop)
    {
    case FB_STOP_USERS:
      return d->c == 0 ? g_strdup (_ ("there it has no user"))
                       : g_strdup_printf (_ ("there it has %ld users"), (long) d->c);
    case FB_STOP_VIEWS:
      return g_strdup (_ ("the next one reads it in several ways"));
    case FB_STOP_SIZE:
      return g_strdup (_ ("the next one has another size"));
    case FB_STOP_NOT_CONTIGUOUS:
      return g_strdup (_ ("the next one is not contiguous"));
    case FB_STOP_REDUCE:
      return g_strdup (_ ("the next one is a reduce"));
    case FB_STOP_CAST:
      return g_strdup (_ ("a cast to a wider type is left to the readers"));
    default:
      return g_strdup ("");
    }
}

static char *
reduce_sentence (FbContext *context, const FbDecision *d)
{
  g_autofree char *cause = reduce_cause (context, d), *stop = stop_text (d);

  if (d->node != d->because)
    {
      g_autofree char *reduce = named (context, d->because);
      return g_strdup_printf (_ ("%s The reduce, %s, is stored down here: %s."), cause, reduce, stop);
    }
  if (*stop)
    return g_strdup_printf (_ ("%s It is stored itself: %s."), cause, stop);
  return g_strdup_printf (_ ("%s It is stored itself."), cause);
}

static char *
decision_sentence (const FbSchedule *schedule, const FbDecision *d)
{
  FbContext *context = schedule->context;
  g_autofree char *other = NULL;

  switch ((FbReason) d->reason)
    {
    case FB_REASON_OUTPUT:
      return g_strdup (_ ("It is an output: the program keeps it."));
    case FB_REASON_ASSIGN:
      return g_strdup (_ ("It writes into a buffer that is there already: an ASSIGN is always stored."));
    case FB_REASON_CONTIGUOUS:
      return g_strdup (_ ("The program asks for a contiguous copy."));
    case FB_REASON_COPY:
      return g_strdup (_ ("It moves data to another device."));
    case FB_REASON_BUFFER_VIEW:
      return g_strdup (_ ("It is a part of a buffer on disk."));
    case FB_REASON_EXPAND:
      return expand_sentence (context, d);
    case FB_REASON_UNSAFE_PAD:
    case FB_REASON_UNSAFE_MASK:
      return pad_sentence (context, d);
    case FB_REASON_BEFORE_COPY:
      return g_strdup (_ ("It is copied to another device, and only what is stored can be."));
    case FB_REASON_FUSE_ARANGE:
      return g_strdup (_ ("It is a sum of constants, and FUSE_ARANGE computes it inside of its users."));
    case FB_REASON_FUSE_CONV_BW:
      return g_strdup (_ ("Only one other reduce reads it, and FUSE_CONV_BW computes it inside of that."));
    case FB_REASON_VIEW_FITS:
      return fits_sentence (d, fb_context_options (context));
    case FB_REASON_PAD_SAFE:
      return g_strdup (_ ("A view pads it with zeros, and everything below it keeps zero."));
    case FB_REASON_GROUPED:
      other = named (context, d->other);
      return g_strdup_printf (_ ("Its kernel stores %s."), other);
    case FB_REASON_FORCED:
      return g_strdup (d->kind == FB_DECISION_REALIZE ? _ ("It was forced to be stored.")
                                                      : _ ("It was forced to stay fused."));
    default:
      return reduce_sentence (context, d);
    }
}

char *
fb_why_sentence (const FbSchedule *schedule, const FbVerdict *verdict)
{
  if (verdict->kind == FB_VERDICT_NO_WORK)
    return g_strdup_printf (_ ("%s needs no kernel: there is nothing to compute."), fb_op_name (verdict->node->op));
  if (verdict->decision)
    return decision_sentence (schedule, verdict->decision);
  return g_strdup (_ ("Nobody asks for it to be stored: no view expands or pads it, and it is no output."));
}

const char *
fb_why_reason (const FbVerdict *verdict)
{
  if (verdict->kind == FB_VERDICT_NO_WORK)
    return "";
  return verdict->decision ? fb_reason_name (verdict->decision->reason) : "not-asked";
}

const char *
fb_why_location (const FbVerdict *verdict)
{
  return verdict->decision ? fb_reason_location (verdict->decision->reason) : "";
}
