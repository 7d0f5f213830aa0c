#pragma once

#include "textdiff.h"

typedef struct
{
  const char *text;
  guint32 len;
} FbDiffLine;

/* A table of lines, or of parts of them, for numbers to be equal when those are. */
GHashTable *fb_diff_numbers_new (void);
guint32 fb_diff_number (GHashTable *numbers, FbDiffLine *line);

/* A line of the text of nodes (textdiff-nodes.c). */
typedef struct
{
  FbDiffLine body; /* op, dtype and arg: without indentation, the name and what closes the nodes around it */
  guint32 number;  /* the same for lines that may be the same */
  guint32 parent;  /* the line of the node that this one is a source of; G_MAXUINT32 for none */
  guint32 defined; /* of a name on its own, the line of its node; else G_MAXUINT32 */
} FbDiffNodeLine;
/* For each of @n lines. @numbers is shared by both texts. Free with g_free. */
FbDiffNodeLine *fb_diff_node_lines_new (GHashTable *numbers, const FbDiffLine *lines, guint32 n);
/* Sets as changed too what looks the same but is not: a name that stands for another node, a source of another node. */
void fb_diff_check_node_lines (const FbDiffNodeLine *a, guint32 n_a, const FbDiffNodeLine *b, guint32 n_b,
                               guint8 *changed_a, guint8 *changed_b);

/* The difference of two sequences of numbers: sets changed_a[i] where a[i] is not in the common part, and changed_b alike (both
 * zeroed by the caller). Myers' O(ND) with a middle point, linear memory, no recursion. FALSE when @limit differences in one part
 * were exceeded and the result, correct as it is, may be longer than need be. */
gboolean fb_diff_sequences (const guint32 *a, guint32 n_a, const guint32 *b, guint32 n_b, guint8 *changed_a,
                            guint8 *changed_b, guint32 limit);
/* Appends the changed parts of two lines to @spans: first those of @old (their number to @n_old), then those of @new. FALSE, and
 * nothing appended, when the lines have too little in common to be versions of each other. */
gboolean fb_diff_words (const char *old_text, guint32 old_len, const char *new_text, guint32 new_len, GArray *spans,
                        guint32 *n_old);
