#include "app/rules-item.h"

#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"
#include "core/viztrace/profile.h"

struct _FbRulesItem
{
  GObject parent_instance;
  FbRuleTotal total;
  double passes; /* seconds of the passes */
};

G_DEFINE_FINAL_TYPE (FbRulesItem, fb_rules_item, G_TYPE_OBJECT)

FbRulesItem *
fb_rules_item_new (const FbRuleTotal *total, double seconds)
{
  FbRulesItem *self = g_object_new (FB_TYPE_RULES_ITEM, NULL);
  self->total = *total;
  self->passes = seconds;
  return self;
}

const FbRuleTotal *
fb_rules_item_get (const FbRulesItem *self)
{
  return &self->total;
}

double
fb_rules_item_get_share (const FbRulesItem *self)
{
  return self->passes > 0 ? CLAMP (self->total.seconds / self->passes, 0, 1) : 0;
}

static double
seconds_each (const FbRulesItem *self)
{
  guint64 n = self->total.timed_tries ? self->total.timed_tries : self->total.matches;
  return n ? self->total.seconds / (double) n : 0;
}

/* Of the tries; a negative number: it was never tried. */
static double
matching (const FbRulesItem *self)
{
  return self->total.tries ? (double) self->total.matches / (double) self->total.tries : -1;
}

char *
fb_rules_item_get_text (const FbRulesItem *self, FbRulesColumn column)
{
  const FbRuleTotal *total = &self->total;
  switch (column)
    {
    case FB_RULES_NAME:
      return g_strdup (total->rule->name);
    case FB_RULES_LAW:
      return g_strdup (total->rule->law);
    case FB_RULES_REFERENCE:
      return g_strdup (total->rule->location);
    case FB_RULES_MATCHES:
      return g_strdup (fb_count ((gint64) total->matches));
    case FB_RULES_TRIES:
      return g_strdup (fb_count ((gint64) total->tries));
    case FB_RULES_TIME:
      return total->seconds > 0 ? fb_viz_time_text (total->seconds) : g_strdup ("–");
    case FB_RULES_EACH:
      return total->seconds > 0 ? fb_viz_time_text (seconds_each (self)) : g_strdup ("–");
    case FB_RULES_SHARE:
      return self->passes > 0 && total->seconds > 0
                 ? g_strdup_printf (_ ("%.1f %%"), 100 * fb_rules_item_get_share (self))
                 : g_strdup ("–");
    default:
      /* never tried: there is no share */
      return total->tries ? g_strdup_printf (_ ("%.1f %%"), 100 * matching (self)) : g_strdup ("–");
    }
}

static int
compare_counts (guint64 a, guint64 b)
{
  return a < b ? -1 : a > b;
}

static int
compare_numbers (double a, double b)
{
  return a < b ? -1 : a > b;
}

/* "ops.py:984" before "schedule.py:77" before "schedule.py:402" */
static int
compare_locations (const char *a, const char *b)
{
  const char *x = strrchr (a, ':'), *y = strrchr (b, ':');
  if (!x || !y || x - a != y - b || strncmp (a, b, (gsize) (x - a)) != 0)
    return strcmp (a, b);
  return compare_counts (g_ascii_strtoull (x + 1, NULL, 10), g_ascii_strtoull (y + 1, NULL, 10));
}

int
fb_rules_item_compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const FbRulesItem *p = a, *q = b;
  const FbRuleTotal *x = &p->total, *y = &q->total;
  switch ((FbRulesColumn) GPOINTER_TO_UINT (data))
    {
    case FB_RULES_NAME:
      return strcmp (x->rule->name, y->rule->name);
    case FB_RULES_LAW:
      return strcmp (x->rule->law, y->rule->law);
    case FB_RULES_REFERENCE:
      return compare_locations (x->rule->location, y->rule->location);
    case FB_RULES_MATCHES:
      return compare_counts (x->matches, y->matches);
    case FB_RULES_TRIES:
      return compare_counts (x->tries, y->tries);
    case FB_RULES_EACH:
      return compare_numbers (seconds_each (p), seconds_each (q));
    case FB_RULES_MATCHING:
      return compare_numbers (matching (p), matching (q));
    default:
      return compare_numbers (x->seconds, y->seconds);
    }
}

static void
fb_rules_item_class_init (FbRulesItemClass *klass)
{
}

static void
fb_rules_item_init (FbRulesItem *self)
{
}
