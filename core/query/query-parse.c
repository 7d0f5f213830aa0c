/* Reading questions. Recursion is on brackets, whose depth is limited. */
#include "query-private.h"

#include <string.h>

#define MAX_DEPTH 32
#define MAX_TERMS 200

typedef struct
{
  const char *text, *at;
  guint depth, n_terms;
  GError *error;
  gsize position;
  FbQuery *query;
} Reader;

static FbTerm *read_or (Reader *r);

static void
term_free (FbTerm *term)
{
  if (!term)
    return;
  term_free (term->a);
  term_free (term->b);
  g_free (term->text);
  g_clear_pointer (&term->dims, g_array_unref);
  fb_node_pattern_unref (term->pattern);
  g_free (term);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbTerm, term_free)

static gpointer G_GNUC_PRINTF (3, 4) fail (Reader *r, const char *where, const char *format, ...)
{
  if (!r->error)
    {
      va_list args;
      va_start (args, format);
      r->error = g_error_new_valist (FB_QUERY_ERROR, FB_QUERY_ERROR_SYNTAX, format, args);
      va_end (args);
      r->position = (gsize) (where - r->text);
    }
  return NULL;
}

static void
skip_space (Reader *r)
{
  while (g_ascii_isspace (*r->at))
    r->at++;
}

static FbTerm *
new_term (Reader *r, FbTermKind kind)
{
  FbTerm *term = g_new0 (FbTerm, 1);
  term->kind = kind;
  r->query->kinds |= 1u << kind;
  return term;
}

/* Up to a space or a closing bracket that is not the text's own; quoted text without the quotes. NULL on error. */
static char *
read_text (Reader *r)
{
  const char *begin = r->at;
  if (*r->at == '"')
    {
      const char *end = strchr (r->at + 1, '"');
      if (!end)
        return fail (r, begin, "the closing “\"” is missing");
      r->at = end + 1;
      return g_strndup (begin + 1, (gsize) (end - begin - 1));
    }
  guint open = 0;
  gboolean quoted = FALSE;
  for (; *r->at; r->at++)
    {
      if (*r->at == '"')
        quoted = !quoted;
      if (quoted)
        continue;
      if (!open && (g_ascii_isspace (*r->at) || strchr (")]", *r->at)))
        break;
      if (strchr ("([", *r->at))
        open++;
      else if (strchr (")]", *r->at))
        open--;
    }
  if (open)
    return fail (r, begin + strcspn (begin, "(["), "the closing bracket is missing");
  return g_strndup (begin, (gsize) (r->at - begin));
}

static FbTerm *
pattern_term (Reader *r, const char *text, const char *where)
{
  g_autoptr (GError) error = NULL;
  gsize position = 0;
  FbNodePattern *pattern = fb_node_pattern_new (text, &position, &error);
  if (!pattern)
    return fail (r, where + position, "%s", error->message);
  FbTerm *term = new_term (r, FB_TERM_PATTERN);
  term->pattern = pattern;
  r->query->depth = MAX (r->query->depth, fb_node_pattern_depth (pattern));
  return term;
}

/* "(64, 64)", "64x64", "64×*", "()"; a single number without brackets or "=" is one of the dimensions. */
static gboolean
read_shape (FbTerm *term, const char *text)
{
  g_autofree char *plain = g_strdup (text);
  gboolean brackets = strchr ("([", *plain) && *plain, several = FALSE;
  term->dims = g_array_new (FALSE, FALSE, sizeof (gint64));
  for (char *p = plain; *p;)
    {
      char *end;
      gint64 size;
      if (g_str_has_prefix (p, "×"))
        {
          p += strlen ("×");
          several = TRUE;
        }
      else if (strchr ("()[],x ", *p))
        several |= *p++ != ' ';
      else if (*p == '*')
        {
          size = FB_ANY_SIZE;
          g_array_append_val (term->dims, size);
          p++;
        }
      else
        {
          size = g_ascii_strtoll (p, &end, 10);
          if (end == p || size < 0)
            return FALSE;
          g_array_append_val (term->dims, size);
          p = end;
        }
    }
  if (term->dims->len == 0 && !brackets)
    return FALSE;
  if (term->dims->len == 1 && !several && !term->exact && g_array_index (term->dims, gint64, 0) != FB_ANY_SIZE)
    {
      term->number = g_array_index (term->dims, gint64, 0);
      g_clear_pointer (&term->dims, g_array_unref);
    }
  return TRUE;
}

static const struct
{
  const char *name;
  FbTermKind kind;
} fields[] = {
  { "op", FB_TERM_OP },         { "arg", FB_TERM_ARG },   { "shape", FB_TERM_SHAPE },     { "dtype", FB_TERM_DTYPE },
  { "rule", FB_TERM_RULE },     { "key", FB_TERM_KEY },   { "pattern", FB_TERM_PATTERN }, { "pass", FB_TERM_PASS },
  { "kernel", FB_TERM_KERNEL }, { "step", FB_TERM_STEP }, { "is", FB_TERM_AGAIN },
};

static FbTerm *
field_term (Reader *r, FbTermKind kind, gboolean exact, const char *text, const char *where)
{
  if (!*text)
    return fail (r, where, "a value was expected");
  if (kind == FB_TERM_PATTERN)
    return pattern_term (r, text, where);
  if (kind == FB_TERM_AGAIN)
    {
      if (strcmp (text, "again") == 0)
        return new_term (r, FB_TERM_AGAIN);
      if (strcmp (text, "growth") == 0)
        return new_term (r, FB_TERM_GROWTH);
      return fail (r, where, "“is:” goes with growth or again");
    }
  g_autoptr (FbTerm) term = new_term (r, kind);
  term->exact = exact;
  term->text = g_strdup (text);
  switch (kind)
    {
    case FB_TERM_OP:
      if (!fb_op_choice_from_text (text, TRUE, &term->ops))
        return fail (r, where, "there is no op or set of ops %s", text);
      break;
    case FB_TERM_DTYPE:
      term->dtypes = fb_dtype_set_from_text (g_str_has_prefix (text, "dtypes.") ? text + strlen ("dtypes.") : text);
      if (!term->dtypes)
        return fail (r, where, "there is no dtype %s", text);
      break;
    case FB_TERM_SHAPE:
      if (!read_shape (term, text))
        return fail (r, where, "a shape was expected, as (64,64), 64x64 or one size");
      break;
    case FB_TERM_KERNEL:
    case FB_TERM_STEP:
      {
        guint64 number;
        if (!g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT32, &number, NULL))
          return fail (r, where, "a number was expected");
        term->number = (gint64) number;
        break;
      }
    case FB_TERM_KEY:
      for (const char *p = text; *p; p++)
        if (!g_ascii_isxdigit (*p))
          return fail (r, where + (p - text), "a key is hexadecimal");
      break;
    default:
      break;
    }
  return g_steal_pointer (&term);
}

/* "64x64" as shapes are shown. */
static char *
as_shape (const char *text)
{
  g_auto (GStrv) sizes = g_strsplit (text, "x", -1);
  for (guint i = 0; sizes[i]; i++)
    if (!*sizes[i] || strspn (sizes[i], "0123456789") != strlen (sizes[i]))
      return g_strdup (text);
  return g_strjoinv ("×", sizes);
}

static FbTerm *
read_term (Reader *r)
{
  const char *begin = r->at;
  if (++r->n_terms > MAX_TERMS)
    return fail (r, begin, "the question is too long");
  gsize word = strspn (begin, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789|");
  if (begin[word] == ':' || begin[word] == '=')
    {
      g_autofree char *name = g_ascii_strdown (begin, (gssize) word);
      for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
        if (strcmp (fields[i].name, name) == 0)
          {
            const char *where = begin + word + 1;
            r->at = where;
            g_autofree char *text = read_text (r);
            return text ? field_term (r, fields[i].kind, begin[word] == '=', text, where + (*where == '"')) : NULL;
          }
      if (begin[word] == ':' && word)
        return fail (r, begin,
                     "there is no field %s: op, arg, shape, dtype, rule, key, pattern, pass, kernel, step, is", name);
    }
  g_autofree char *text = read_text (r);
  if (!text)
    return NULL;
  /* an op with brackets is a pattern, and so is all that belongs to one */
  if (*begin != '"' && word && (begin[word] == '(' || begin[word] == '[') && g_ascii_isupper (*begin))
    return pattern_term (r, text, begin);
  if (!*text)
    return fail (r, begin, *begin ? "a word was expected" : "the question ends too soon");
  FbTerm *term = new_term (r, FB_TERM_WORD);
  term->text = as_shape (text);
  fb_op_choice_from_text (term->text, FALSE, &term->ops);
  return term;
}

static gboolean
take_keyword (Reader *r, const char *keyword)
{
  gsize len = strlen (keyword);
  skip_space (r);
  if (g_ascii_strncasecmp (r->at, keyword, len) != 0 || !g_ascii_isspace (r->at[len]))
    return FALSE;
  r->at += len;
  return TRUE;
}

static FbTerm *
read_not (Reader *r)
{
  if (++r->depth > MAX_DEPTH)
    return fail (r, r->at, "more than %d brackets inside each other", MAX_DEPTH);
  skip_space (r);
  FbTerm *term = NULL;
  if (take_keyword (r, "not") || (*r->at == '-' && !g_ascii_isdigit (r->at[1]) && r->at[1] != '.'))
    {
      if (*r->at == '-')
        r->at++;
      FbTerm *inner = read_not (r);
      if (inner)
        {
          term = new_term (r, FB_TERM_NOT);
          term->a = inner;
        }
    }
  else if (*r->at == '(')
    {
      const char *open = r->at++;
      term = read_or (r);
      skip_space (r);
      if (term && *r->at == ')')
        r->at++;
      else if (term)
        {
          g_clear_pointer (&term, term_free);
          fail (r, open, "the closing bracket is missing");
        }
    }
  else
    term = read_term (r);
  r->depth--;
  return term;
}

static FbTerm *
join (Reader *r, FbTermKind kind, FbTerm *a, FbTerm *b)
{
  if (!b)
    {
      term_free (a);
      return NULL;
    }
  FbTerm *term = new_term (r, kind);
  term->a = a;
  term->b = b;
  return term;
}

static FbTerm *
read_and (Reader *r)
{
  FbTerm *term = read_not (r);
  while (term)
    {
      const char *before = r->at;
      skip_space (r);
      if (!*r->at || *r->at == ')')
        break;
      if (take_keyword (r, "or"))
        {
          r->at = before;
          break;
        }
      take_keyword (r, "and");
      term = join (r, FB_TERM_AND, term, read_not (r));
    }
  return term;
}

static FbTerm *
read_or (Reader *r)
{
  FbTerm *term = read_and (r);
  while (term && take_keyword (r, "or"))
    term = join (r, FB_TERM_OR, term, read_and (r));
  return term;
}

FbQuery *
fb_query_new (const char *text, gsize *position, GError **error)
{
  g_autoptr (FbQuery) query = g_new0 (FbQuery, 1);
  Reader r = { .text = text, .at = text, .query = query };
  g_atomic_ref_count_init (&query->refs);
  query->root = read_or (&r);
  skip_space (&r);
  if (query->root && *r.at)
    fail (&r, r.at, "nothing was expected here");
  if (position)
    *position = r.position;
  if (r.error)
    {
      g_propagate_error (error, r.error);
      return NULL;
    }
  return g_steal_pointer (&query);
}

FbQuery *
fb_query_ref (FbQuery *query)
{
  g_atomic_ref_count_inc (&query->refs);
  return query;
}

void
fb_query_unref (FbQuery *query)
{
  if (!query || !g_atomic_ref_count_dec (&query->refs))
    return;
  term_free (query->root);
  g_free (query);
}
