#include "app/why-tests.h"

#include <glib/gi18n.h>

#include "app/cli/count.h"

static void
clear_test (gpointer data)
{
  FbWhyTest *test = data;
  g_free (test->what);
  g_free (test->value);
}

/* The test that decided is answered last; those after it were not reached. */
static void
add (GArray *tests, const char *what, char *value, gboolean reached, gboolean yes, gboolean decided)
{
  FbWhyTest test = { g_strdup (what), value ? value : g_strdup (""),
                     reached ? (yes ? FB_TEST_YES : FB_TEST_NO) : FB_TEST_NOT_REACHED, decided };
  g_array_append_val (tests, test);
}

static char *
compared (gint64 a, const char *sign, gint64 b)
{
  const char *x = fb_count (a), *y = fb_count (b);
  if (a < 0 || b < 0)
    return g_strdup (_ ("symbolic"));
  return g_strdup_printf ("%s %s %s", x, sign, y);
}

static gboolean
has_one_mask (const FbDecision *d)
{
  const FbShapeTracker *st
      = d->because && d->because->op == FB_OP_VIEW && d->because->arg.kind == FB_ARG_ST ? d->because->arg.st : NULL;
  return st && st->n == 1 && st->views[0]->mask;
}

static gboolean
has_mask (const FbDecision *d)
{
  const FbShapeTracker *st
      = d->because && d->because->op == FB_OP_VIEW && d->because->arg.kind == FB_ARG_ST ? d->because->arg.st : NULL;
  for (guint i = 0; st && i < st->n; i++)
    if (st->views[i]->mask)
      return TRUE;
  return FALSE;
}

/* schedule.py:93-101 */
static void
add_view_tests (GArray *tests, const FbSchedule *schedule, const FbDecision *d)
{
  const FbOptions *options = fb_context_options (schedule->context);
  gboolean unsafe = d->other != NULL, smaller = d->a >= 0 && d->b > d->a;
  gboolean by_pad
      = d->reason == FB_REASON_UNSAFE_PAD || (d->reason == FB_REASON_PAD_SAFE && has_one_mask (d) && !smaller);
  gboolean expands = d->reason == FB_REASON_EXPAND;
  add (tests, _ ("one view, its mask within the source"), by_pad ? compared (d->a, "≥", d->b) : NULL, TRUE, by_pad,
       FALSE);
  add (tests, _ ("source smaller than view"), by_pad ? NULL : compared (d->a, smaller ? "<" : "≥", d->b), !by_pad,
       smaller, FALSE);
  add (tests, _ ("DONT_REALIZE_EXPAND is off"), g_strdup_printf ("%d", options->dont_realize_expand),
       !by_pad && smaller, !options->dont_realize_expand, expands);
  add (tests, _ ("padded"), NULL, !expands, by_pad || has_mask (d), d->reason == FB_REASON_VIEW_FITS);
  add (tests, _ ("something below does not keep 0"), unsafe ? g_strdup (fb_op_name (d->other->op)) : NULL,
       !expands && d->reason != FB_REASON_VIEW_FITS, unsafe, !expands && d->reason != FB_REASON_VIEW_FITS);
}

/* schedule.py:117-163; the first that says yes decides. */
static void
add_reduce_tests (GArray *tests, const FbDecision *d)
{
  static const struct
  {
    FbReason reason;
    const char *what;
  } all[] = {
    { FB_REASON_REDUCE_DOWNSTREAM, N_ ("another reduce after it") },
    { FB_REASON_REDUCE_VIEWS, N_ ("read in several ways at once") },
    { FB_REASON_REDUCE_NOT_CONTIGUOUS, N_ ("not contiguous where it is stored") },
    { FB_REASON_REDUCE_SIZE, N_ ("another size where it is stored") },
    { FB_REASON_REDUCE_TAKEN, N_ ("the store holds another reduce") },
    { FB_REASON_REDUCE_OUTPUTS, N_ ("more than one store") },
    { FB_REASON_REDUCE_ASSIGN, N_ ("reads what another ASSIGN overwrites") },
    { FB_REASON_REDUCE_NO_STORE, N_ ("no store at all") },
  };
  gboolean reached = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      gboolean yes = d->reason == all[i].reason;
      char *value = NULL;
      if (yes && d->reason == FB_REASON_REDUCE_SIZE)
        value = compared (d->a, "≠", d->b);
      else if (yes && d->reason == FB_REASON_REDUCE_OUTPUTS)
        value = g_strdup (fb_count (d->a));
      else if (yes && d->other)
        value = g_strdup (fb_op_name (d->other->op));
      add (tests, _ (all[i].what), value, reached, yes, yes);
      reached &= !yes;
    }
}

GArray *
fb_why_tests (const FbSchedule *schedule, const FbDecision *d)
{
  GArray *tests = g_array_new (FALSE, FALSE, sizeof (FbWhyTest));
  g_array_set_clear_func (tests, clear_test);
  if (!d)
    return tests;
  switch ((FbReason) d->reason)
    {
    case FB_REASON_EXPAND:
    case FB_REASON_UNSAFE_PAD:
    case FB_REASON_UNSAFE_MASK:
    case FB_REASON_VIEW_FITS:
    case FB_REASON_PAD_SAFE:
      add_view_tests (tests, schedule, d);
      break;
    case FB_REASON_GROUPED:
      add_reduce_tests (tests, d);
      break;
    default:
      if (d->reason >= FB_REASON_REDUCE_DOWNSTREAM && d->reason <= FB_REASON_REDUCE_NO_STORE)
        add_reduce_tests (tests, d);
    }
  return tests;
}
