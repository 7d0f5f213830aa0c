#include "textdiff-private.h"

#include <string.h>

/* Differences searched for in one stretch before any way through it will do. */
#define LIMIT 800
/* In a changed part of more lines the k-th removed one is hardly what the k-th added one was. */
#define PAIRED 200

static GArray *
split_lines (const char *text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (FbDiffLine));
  while (*text)
    {
      const char *end = strchr (text, '\n'), *next;
      if (!end)
        end = text + strlen (text);
      next = *end ? end + 1 : end;
      gsize len = (gsize) (end - text);
      if (len > 0 && *end && text[len - 1] == '\r')
        len--;
      FbDiffLine line = { text, (guint32) MIN (len, G_MAXUINT32) };
      g_array_append_val (lines, line);
      text = next;
    }
  return lines;
}

static guint
line_hash (gconstpointer key)
{
  const FbDiffLine *line = key;
  const char *text = line->text;
  guint64 hash = line->len, word;
  guint32 n = line->len;

  for (; n >= sizeof word; text += sizeof word, n -= sizeof word)
    {
      memcpy (&word, text, sizeof word);
      hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
      hash ^= hash >> 29;
    }
  word = 0;
  memcpy (&word, text, n);
  hash = (hash ^ word) * G_GUINT64_CONSTANT (0x9E3779B97F4A7C15);
  return (guint) (hash >> 32);
}

static gboolean
line_equal (gconstpointer a, gconstpointer b)
{
  const FbDiffLine *p = a, *q = b;
  return p->len == q->len && memcmp (p->text, q->text, p->len) == 0;
}

GHashTable *
fb_diff_numbers_new (void)
{
  return g_hash_table_new (line_hash, line_equal);
}

guint32
fb_diff_number (GHashTable *numbers, FbDiffLine *line)
{
  gpointer known;
  if (!g_hash_table_lookup_extended (numbers, line, NULL, &known))
    {
      known = GUINT_TO_POINTER (g_hash_table_size (numbers));
      g_hash_table_insert (numbers, line, known);
    }
  return GPOINTER_TO_UINT (known);
}

static guint32 *
take_numbers (const FbDiffNodeLine *lines, guint32 n)
{
  guint32 *numbers = g_new (guint32, MAX (n, 1));
  for (guint32 i = 0; i < n; i++)
    numbers[i] = lines[i].number;
  return numbers;
}

typedef struct
{
  FbTextDiff *diff;
  GArray *rows, *spans;
  const FbDiffLine *a, *b;
  const guint8 *changed_a, *changed_b;
  guint32 n_a, n_b;
  guint context;
} Builder;

static void
add_row (Builder *b, FbDiffKind kind, guint32 old_line, guint32 new_line, const FbDiffLine *line)
{
  FbDiffRow row = { .kind = kind, .old_line = old_line, .new_line = new_line, .pair = G_MAXUINT32 };
  row.text = line->text;
  row.len = line->len;
  g_array_append_val (b->rows, row);
}

static void
add_same_row (Builder *b, guint32 i, guint32 j)
{
  const FbDiffLine *was = &b->a[i], *is = &b->b[j];
  add_row (b, FB_DIFF_SAME, i + 1, j + 1, is);
  if (line_equal (was, is))
    return;
  FbDiffRow *row = &g_array_index (b->rows, FbDiffRow, b->rows->len - 1);
  row->was = was->text;
  row->was_len = was->len;
}

/* @n same lines from i, j. What is near a change on either side stays. */
static void
add_same (Builder *b, guint32 i, guint32 j, guint32 n)
{
  guint32 head = i == 0 && j == 0 ? 0 : MIN (b->context, n);
  guint32 tail = i + n == b->n_a && j + n == b->n_b ? 0 : MIN (b->context, n - head);
  guint32 skipped = n - head - tail;

  b->diff->n_same += n;
  if (skipped <= 1 || b->context == G_MAXUINT)
    {
      head = n;
      tail = skipped = 0;
    }
  for (guint32 k = 0; k < head; k++)
    add_same_row (b, i + k, j + k);
  if (skipped)
    {
      FbDiffLine run = { NULL, skipped };
      add_row (b, FB_DIFF_SKIPPED, i + head + 1, j + head + 1, &run);
    }
  for (guint32 k = n - tail; k < n; k++)
    add_same_row (b, i + k, j + k);
}

/* Removed and added lines of one place; the first is a version of the first, and so on, where they are alike. */
static void
add_changed (Builder *b, guint32 i, guint32 n_old, guint32 j, guint32 n_new)
{
  guint32 first = b->rows->len;

  b->diff->n_removed += n_old;
  b->diff->n_added += n_new;
  for (guint32 k = 0; k < n_old; k++)
    add_row (b, FB_DIFF_REMOVED, i + k + 1, 0, &b->a[i + k]);
  for (guint32 k = 0; k < n_new; k++)
    add_row (b, FB_DIFF_ADDED, 0, j + k + 1, &b->b[j + k]);
  for (guint32 k = 0; k < MIN (n_old, n_new) && MAX (n_old, n_new) <= PAIRED; k++)
    {
      FbDiffRow *was = &g_array_index (b->rows, FbDiffRow, first + k);
      FbDiffRow *is = &g_array_index (b->rows, FbDiffRow, first + n_old + k);
      guint32 before = b->spans->len;
      if (!fb_diff_words (was->text, was->len, is->text, is->len, b->spans, &was->n_spans))
        continue;
      was->first_span = before;
      is->first_span = before + was->n_spans;
      is->n_spans = b->spans->len - is->first_span;
      was->pair = first + n_old + k;
      is->pair = first + k;
    }
}

static void
add_rows (Builder *b)
{
  guint32 i = 0, j = 0;
  while (i < b->n_a || j < b->n_b)
    {
      guint32 i0 = i, j0 = j;
      while (i < b->n_a && j < b->n_b && !b->changed_a[i] && !b->changed_b[j])
        i++, j++;
      if (i > i0)
        add_same (b, i0, j0, i - i0);
      i0 = i;
      j0 = j;
      while (i < b->n_a && b->changed_a[i])
        i++;
      while (j < b->n_b && b->changed_b[j])
        j++;
      if (i > i0 || j > j0)
        add_changed (b, i0, i - i0, j0, j - j0);
    }
}

FbTextDiff *
fb_text_diff_new (const char *before, const char *after, guint context)
{
  FbTextDiff *diff = g_new0 (FbTextDiff, 1);

  diff->before = g_strdup (before);
  diff->after = g_strdup (after);
  g_autoptr (GArray) array_a = split_lines (diff->before);
  g_autoptr (GArray) array_b = split_lines (diff->after);
  FbDiffLine *lines_a = (FbDiffLine *) (void *) array_a->data, *lines_b = (FbDiffLine *) (void *) array_b->data;
  guint32 n_a = array_a->len, n_b = array_b->len;
  g_autoptr (GHashTable) numbers = fb_diff_numbers_new ();
  g_autofree FbDiffNodeLine *a = fb_diff_node_lines_new (numbers, lines_a, n_a);
  g_autofree FbDiffNodeLine *b = fb_diff_node_lines_new (numbers, lines_b, n_b);
  g_autofree guint32 *numbers_a = take_numbers (a, n_a), *numbers_b = take_numbers (b, n_b);
  g_autofree guint8 *changed_a = g_new0 (guint8, MAX (n_a, 1));
  g_autofree guint8 *changed_b = g_new0 (guint8, MAX (n_b, 1));
  Builder builder = { .diff = diff,
                      .rows = g_array_new (FALSE, FALSE, sizeof (FbDiffRow)),
                      .spans = g_array_new (FALSE, FALSE, sizeof (FbDiffSpan)),
                      .a = lines_a,
                      .b = lines_b,
                      .changed_a = changed_a,
                      .changed_b = changed_b,
                      .n_a = n_a,
                      .n_b = n_b,
                      .context = context };

  diff->exact = fb_diff_sequences (numbers_a, n_a, numbers_b, n_b, changed_a, changed_b, LIMIT);
  fb_diff_check_node_lines (a, n_a, b, n_b, changed_a, changed_b);
  add_rows (&builder);
  diff->n_rows = builder.rows->len;
  diff->rows = (FbDiffRow *) (void *) g_array_free (builder.rows, FALSE);
  diff->spans = (FbDiffSpan *) (void *) g_array_free (builder.spans, FALSE);
  return diff;
}

void
fb_text_diff_free (FbTextDiff *diff)
{
  if (!diff)
    return;
  g_free (diff->rows);
  g_free (diff->spans);
  g_free (diff->before);
  g_free (diff->after);
  g_free (diff);
}

char *
fb_text_diff_to_text (const FbTextDiff *diff)
{
  GString *text = g_string_new (NULL);
  static const char signs[] = { ' ', '-', '+' };

  for (guint32 i = 0; i < diff->n_rows; i++)
    {
      const FbDiffRow *row = &diff->rows[i];
      if (row->kind == FB_DIFF_SKIPPED)
        {
          g_string_append_printf (text, "@@ %u lines the same @@\n", row->len);
          continue;
        }
      g_string_append_c (text, signs[row->kind]);
      g_string_append_len (text, row->text, row->len);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}
