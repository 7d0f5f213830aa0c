/* Every rule that the row's passes try, with its law, the line of the reference, and how often it was tried and matched. A page of the
 * drawer. Our own rules are not timed: a clock around each try would cost more than most tries. Of a VIZ
 * trace they are places of patterns, with the time their matches took. */
#pragma once

#include "app/document.h"

#include <gtk/gtk.h>

#define FB_TYPE_RULES_TABLE (fb_rules_table_get_type ())
G_DECLARE_FINAL_TYPE (FbRulesTable, fb_rules_table, FB, RULES_TABLE, GtkWidget)

/* Once. The rows are made when the table is on the screen. */
void fb_rules_table_set_document (FbRulesTable *table, FbDocument *doc);
/* Rules that matched, and of how many. */
void fb_rules_table_get_counts (FbRulesTable *table, guint *n_matched, guint *n_all);
/* Sorts by column @number, from 0; by the same again: the other way round. */
void fb_rules_table_sort_by (FbRulesTable *table, guint number);
/* Signals: `counted`, those changed; `activated` (text), a rule was opened: a question that lists where it fires. */
