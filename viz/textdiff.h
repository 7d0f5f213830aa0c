/* Line by line difference of two texts, with the changed parts of lines. */
#pragma once

#include <glib.h>

typedef enum
{
  FB_DIFF_SAME,
  FB_DIFF_REMOVED,
  FB_DIFF_ADDED,
  FB_DIFF_SKIPPED, /* a run of same lines left out: "19 lines the same" */
} FbDiffKind;

/* Changed bytes of a line. */
typedef struct
{
  guint32 start, len;
} FbDiffSpan;

typedef struct
{
  FbDiffKind kind;
  guint32 old_line, new_line; /* numbers from 1; 0 where the line is not. Of a skipped run: the first */
  const char *text; /* not NUL-terminated, without its line end; borrowed from the diff. Of a skipped run NULL */
  guint32 len;      /* bytes; of a skipped run its number of lines */
  const char *was;  /* of a line that counts as the same, how it read in the old text; NULL: just like that */
  guint32 was_len;
  guint32 pair; /* row of the line this removed or added line was changed from or to; G_MAXUINT32 for none */
  guint32 first_span, n_spans; /* of `spans`; only when paired */
} FbDiffRow;

typedef struct
{
  FbDiffRow *rows; /* unified order: in a changed block removed lines first, then added ones */
  guint32 n_rows;
  FbDiffSpan *spans;
  guint32 n_removed, n_added, n_same; /* lines */
  gboolean exact; /* FALSE: the texts differ so much that the shortest difference was not searched for to the end */
  char *before, *after; /* copies that rows point into */
} FbTextDiff;

/* In texts of nodes (core/ir/text.h) one node more shifts all that is below it, and the numbers of all names that follow: a line there
 * is the same when its node has the same op, dtype and arg, is a source of the same one, and names in it stand for the same nodes.
 * Such rows have the text of @after. Any other line is the same when it reads the same.
 *
 * Lines end in "\n" or "\r\n"; a last line end is optional. Of runs of same lines all but @context lines around changes are skipped
 * (a run of one line never is); G_MAXUINT keeps everything. Time and memory are bounded for any input (Myers' O(ND), linear
 * memory, with a limit on D). */
FbTextDiff *fb_text_diff_new (const char *before, const char *after, guint context);
void fb_text_diff_free (FbTextDiff *diff);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbTextDiff, fb_text_diff_free)
/* For terminals: "-old", "+new", " same", "@@ 19 lines the same @@". Free with g_free. */
char *fb_text_diff_to_text (const FbTextDiff *diff);
