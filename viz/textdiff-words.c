/* Changed parts within a line: the difference of its words, closed over brackets, so that a changed value is one part. */
#include "textdiff-private.h"

#include <string.h>

#define WORDS_MAX 4096
#define LIMIT 200

typedef struct
{
  guint32 start, len;
} Word;

static gboolean
is_word (char c)
{
  return g_ascii_isalnum (c) || c == '_' || (guint8) c >= 0x80;
}

static GArray *
split (const char *text, guint32 len)
{
  GArray *words = g_array_new (FALSE, FALSE, sizeof (Word));
  for (guint32 i = 0; i < len && words->len < WORDS_MAX;)
    {
      Word word = { i, 1 };
      i++;
      if (is_word (text[word.start]))
        while (i < len && is_word (text[i]))
          i++;
      /* the last one takes the rest of a line of too many words */
      word.len = words->len + 1 == WORDS_MAX ? len - word.start : i - word.start;
      g_array_append_val (words, word);
    }
  return words;
}

static guint
word_hash (gconstpointer key)
{
  const char *const *word = key;
  guint hash = 5381;
  for (const char *p = word[0]; p < word[1]; p++)
    hash = hash * 33 + (guint8) *p;
  return hash;
}

static gboolean
word_equal (gconstpointer a, gconstpointer b)
{
  const char *const *p = a, *const *q = b;
  return p[1] - p[0] == q[1] - q[0] && memcmp (p[0], q[0], (gsize) (p[1] - p[0])) == 0;
}

/* Words as numbers, equal for equal words. @ends keeps the keys. */
static void
number_words (GHashTable *numbers, const char *text, const GArray *words, const char **ends, guint32 *out)
{
  for (guint i = 0; i < words->len; i++)
    {
      const Word *word = &g_array_index (words, Word, i);
      const char **key = ends + 2 * i;
      gpointer known;
      key[0] = text + word->start;
      key[1] = key[0] + word->len;
      if (!g_hash_table_lookup_extended (numbers, key, NULL, &known))
        {
          known = GUINT_TO_POINTER (g_hash_table_size (numbers) + 1);
          g_hash_table_insert (numbers, key, known);
        }
      out[i] = GPOINTER_TO_UINT (known);
    }
}

static int
bracket (const char *text, const GArray *words, guint32 i)
{
  char c = text[g_array_index (words, Word, i).start];
  return c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
}

/* A stretch of both lines that differs. */
typedef struct
{
  guint32 a0, a1, b0, b1;
} Hunk;

static GArray *
find_hunks (const guint8 *changed_a, guint32 n_a, const guint8 *changed_b, guint32 n_b)
{
  GArray *hunks = g_array_new (FALSE, FALSE, sizeof (Hunk));
  for (guint32 i = 0, j = 0; i < n_a || j < n_b;)
    {
      Hunk hunk = { i, i, j, j };
      while (i < n_a && changed_a[i])
        i++;
      while (j < n_b && changed_b[j])
        j++;
      hunk.a1 = i;
      hunk.b1 = j;
      if (hunk.a0 < hunk.a1 || hunk.b0 < hunk.b1)
        g_array_append_val (hunks, hunk);
      if (i < n_a && j < n_b)
        i++, j++;
    }
  return hunks;
}

/* "arg" and a "=" put in before another "=" are better seen as put in after it: "arg=" stays whole. */
static void
slide_hunks (GArray *hunks, const char *text_a, const GArray *words_a, const char *text_b, const GArray *words_b)
{
  for (guint i = 0; i < hunks->len; i++)
    {
      Hunk *hunk = &g_array_index (hunks, Hunk, i);
      guint32 end = i + 1 < hunks->len ? g_array_index (hunks, Hunk, i + 1).a0 : words_a->len;
      gboolean put_in = hunk->a0 == hunk->a1;
      if ((!put_in && hunk->b0 != hunk->b1) || hunk->a1 >= end || hunk->b1 >= words_b->len)
        continue;
      /* the first word of the hunk and the one after it, which is the same on both sides */
      char first = put_in ? text_b[g_array_index (words_b, Word, hunk->b0).start]
                          : text_a[g_array_index (words_a, Word, hunk->a0).start];
      if (first == '=' && text_a[g_array_index (words_a, Word, hunk->a1).start] == '=')
        hunk->a0++, hunk->a1++, hunk->b0++, hunk->b1++;
    }
}

/* Brackets opened in a stretch and not closed in it. */
static int
open_brackets (const char *text, const GArray *words, guint32 begin, guint32 end)
{
  int depth = 0;
  for (guint32 i = begin; i < end; i++)
    depth = MAX (depth + bracket (text, words, i), 0);
  return depth;
}

/* A hunk ends where what it opened is closed, swallowing hunks on its way: a value that was changed is one part. Hunks with next to
 * nothing between them become one too. */
static void
close_hunks (GArray *hunks, const char *a, const GArray *words_a, const char *b, const GArray *words_b)
{
  guint n = 0;
  for (guint i = 0; i < hunks->len; i++)
    {
      Hunk hunk = g_array_index (hunks, Hunk, i);
      for (;;)
        {
          gboolean open
              = open_brackets (a, words_a, hunk.a0, hunk.a1) > 0 || open_brackets (b, words_b, hunk.b0, hunk.b1) > 0;
          const Hunk *next = i + 1 < hunks->len ? &g_array_index (hunks, Hunk, i + 1) : NULL;
          if (next
              && (next->a0 == hunk.a1
                  || (!open && next->a0 == hunk.a1 + 1 && !is_word (a[g_array_index (words_a, Word, hunk.a1).start]))))
            {
              hunk.a1 = next->a1;
              hunk.b1 = next->b1;
              i++;
            }
          else if (open && hunk.a1 < words_a->len && hunk.b1 < words_b->len)
            hunk.a1++, hunk.b1++;
          else
            break;
        }
      g_array_index (hunks, Hunk, n++) = hunk;
    }
  g_array_set_size (hunks, n);
}

static void
append_spans (GArray *spans, const GArray *hunks, const GArray *words, gboolean old_side)
{
  for (guint i = 0; i < hunks->len; i++)
    {
      const Hunk *hunk = &g_array_index (hunks, Hunk, i);
      guint32 begin = old_side ? hunk->a0 : hunk->b0, end = old_side ? hunk->a1 : hunk->b1;
      if (begin == end)
        continue;
      const Word *first = &g_array_index (words, Word, begin), *last = &g_array_index (words, Word, end - 1);
      FbDiffSpan span = { first->start, last->start + last->len - first->start };
      g_array_append_val (spans, span);
    }
}

gboolean
fb_diff_words (const char *old_text, guint32 old_len, const char *new_text, guint32 new_len, GArray *spans,
               guint32 *n_old)
{
  g_autoptr (GArray) words_a = split (old_text, old_len);
  g_autoptr (GArray) words_b = split (new_text, new_len);
  guint32 n_a = words_a->len, n_b = words_b->len, common = 0, names = 0;
  g_autoptr (GHashTable) numbers = g_hash_table_new (word_hash, word_equal);
  g_autofree const char **ends = g_new (const char *, 2 * (n_a + n_b) + 1);
  g_autofree guint32 *a = g_new (guint32, n_a + n_b + 1);
  guint32 *b = a + n_a;
  g_autofree guint8 *changed_a = g_new0 (guint8, n_a + n_b + 1);
  guint8 *changed_b = changed_a + n_a;

  number_words (numbers, old_text, words_a, ends, a);
  number_words (numbers, new_text, words_b, ends + 2 * n_a, b);
  fb_diff_sequences (a, n_a, b, n_b, changed_a, changed_b, LIMIT);
  for (guint32 i = 0; i < n_a; i++)
    if (is_word (old_text[g_array_index (words_a, Word, i).start]))
      {
        names++;
        common += !changed_a[i];
      }
  *n_old = 0;
  if (common * 5 < names || names == 0)
    return FALSE;

  g_autoptr (GArray) hunks = find_hunks (changed_a, n_a, changed_b, n_b);
  slide_hunks (hunks, old_text, words_a, new_text, words_b);
  close_hunks (hunks, old_text, words_a, new_text, words_b);
  guint before = spans->len;
  append_spans (spans, hunks, words_a, TRUE);
  *n_old = spans->len - before;
  append_spans (spans, hunks, words_b, FALSE);
  return TRUE;
}
