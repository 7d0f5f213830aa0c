/* Every rule that the row's passes try, with its law, the line of the reference, how often it was tried and matched and, once that was
 * measured, how long it took. A page of the drawer. Of a VIZ trace they are places of patterns, with the time their matches took
 * where the trace has that. */
#pragma once

#include <gtk/gtk.h>

#include "app/rule-timing.h"

#define FB_TYPE_RULES_TABLE (fb_rules_table_get_type ())
G_DECLARE_FINAL_TYPE (FbRulesTable, fb_rules_table, FB, RULES_TABLE, GtkWidget)

/* Once. The rows are made when the table is on the screen. */
void fb_rules_table_set_document (FbRulesTable *table, FbDocument *doc);
/* Only the rules of the pass where we are; at first those of all. */
void fb_rules_table_set_of_pass (FbRulesTable *table, gboolean of_pass);
/* Rules that matched, and of how many. */
void fb_rules_table_get_counts (FbRulesTable *table, guint *n_matched, guint *n_all);
/* Sorts by column @number, from 0; by the same again: the other way round. */
void fb_rules_table_sort_by (FbRulesTable *table, guint number);
/* Signals: `counted`, those changed; `activated` (text), a rule was opened: a question that lists where it fires. */
