/* Marks at places of the row on the screen, by kind: what the heat strip draws above its bars and what "next" walks through.
 *
 * Whoever owns a kind fills it: bookmarks, the steps at which a breakpoint would stop, the hits of a search. A document has one
 * such object (fb_document_get_marks); it is emptied when another row is loaded, before "row-loaded" is emitted. Main thread.
 *
 * Signal: changed (guint kind), once for each call that changed something. */
#pragma once

#include "app/step-position.h"

#include <glib-object.h>

typedef enum
{
  FB_STEP_BOOKMARK,
  FB_STEP_BREAK,
  FB_STEP_HIT,
  FB_N_STEP_MARK_KINDS
} FbStepMarkKind;

#define FB_TYPE_STEP_MARKS (fb_step_marks_get_type ())
G_DECLARE_FINAL_TYPE (FbStepMarks, fb_step_marks, FB, STEP_MARKS, GObject)

FbStepMarks *fb_step_marks_new (void);

/* One mark a place and kind. @label is copied: what hovering says ("gelu becomes one kernel"), or NULL. Adding where one is
 * replaces its label. */
void fb_step_marks_add (FbStepMarks *marks, FbStepMarkKind kind, FbStepPosition position, const char *label);
/* FALSE: there was none. */
gboolean fb_step_marks_remove (FbStepMarks *marks, FbStepMarkKind kind, FbStepPosition position);
/* Replaces all of @kind by those at @positions, in any order, without labels. */
void fb_step_marks_set (FbStepMarks *marks, FbStepMarkKind kind, guint n, const FbStepPosition *positions);
/* Adds those at @positions, in any order, to those of @kind: a search that is still going on. */
void fb_step_marks_append (FbStepMarks *marks, FbStepMarkKind kind, guint n, const FbStepPosition *positions);
void fb_step_marks_clear (FbStepMarks *marks, FbStepMarkKind kind);
void fb_step_marks_clear_all (FbStepMarks *marks);

/* In order of running. */
guint fb_step_marks_get_n (FbStepMarks *marks, FbStepMarkKind kind);
/* @label may be NULL; borrowed. @i below fb_step_marks_get_n. */
FbStepPosition fb_step_marks_get (FbStepMarks *marks, FbStepMarkKind kind, guint i, const char **label);
gboolean fb_step_marks_has (FbStepMarks *marks, FbStepMarkKind kind, FbStepPosition position);
/* Number of the first mark at or after @position; as many as there are when none is. */
guint fb_step_marks_find (FbStepMarks *marks, FbStepMarkKind kind, FbStepPosition position);
/* The next (@direction 1) or the last (-1) mark from @position, which does not count itself. FALSE: none. */
gboolean fb_step_marks_walk (FbStepMarks *marks, FbStepMarkKind kind, FbStepPosition position, int direction,
                             FbStepPosition *found);
