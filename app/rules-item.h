/* A row of the table of rules, and what its cells say. */
#pragma once

#include <gio/gio.h>

#include "core/explain/rule-times.h"

#define FB_TYPE_RULES_ITEM (fb_rules_item_get_type ())
G_DECLARE_FINAL_TYPE (FbRulesItem, fb_rules_item, FB, RULES_ITEM, GObject)

typedef enum
{
  FB_RULES_NAME,
  FB_RULES_MATCHES,
  FB_RULES_TRIES,
  FB_RULES_MATCHING, /* share of the tries that matched */
  FB_RULES_TIME,
  FB_RULES_SHARE, /* of the time of the passes */
  FB_RULES_EACH,  /* time of a try; where only matches were timed, of a match */
  FB_RULES_REFERENCE,
  FB_RULES_LAW,
  FB_N_RULES_COLUMNS
} FbRulesColumn;

/* @seconds: of the passes that are listed; 0: not known. */
FbRulesItem *fb_rules_item_new (const FbRuleTotal *total, double seconds);
const FbRuleTotal *fb_rules_item_get (const FbRulesItem *item);
/* Of the passes' time, from 0 to 1. */
double fb_rules_item_get_share (const FbRulesItem *item);
/* Free with g_free. */
char *fb_rules_item_get_text (const FbRulesItem *item, FbRulesColumn column);
/* GCompareDataFunc of two items; @data: the column. */
int fb_rules_item_compare (gconstpointer a, gconstpointer b, gpointer data);
