/* Whether a term holds for a node. Recursion is on the question. */
#include "core/ir/text.h"
#include "query-private.h"

#include <string.h>

/* Hexadecimal words at least this long are looked for in keys too. */
#define KEY_WORD 6

typedef struct
{
  const char *arg, *shape;
  const FbDims *dims;
  char *own_arg, *own_shape;
} Facts;

/* Of a graph without passes they are made on the spot. */
static Facts
facts_of (const FbSubject *subject)
{
  FbUop *uop = subject->node.uop;
  Facts facts = { 0 };
  if (subject->index)
    return (Facts){ fb_query_index_arg (subject->index, uop), fb_query_index_shape (subject->index, uop),
                    fb_query_index_dims (subject->index, uop) };
  FbContext *context = subject->place.context;
  facts.dims = fb_query_dims (context, uop);
  if (facts.dims)
    facts.shape = facts.own_shape = fb_dims_to_display (context, facts.dims, "×");
  GString *arg = g_string_new (NULL);
  if (uop->arg.kind != FB_ARG_NONE && uop->arg.kind != FB_ARG_KERNEL)
    fb_uop_append_argstr (context, uop, arg);
  facts.arg = facts.own_arg = g_string_free (arg, FALSE);
  return facts;
}

static void
facts_clear (Facts *facts)
{
  g_free (facts->own_arg);
  g_free (facts->own_shape);
}

static gboolean
has (const char *text, const char *part)
{
  return text && strcasestr (text, part) != NULL;
}

static gboolean
key_begins (const FbSubject *subject, const char *hex)
{
  const guint8 *key = fb_uop_key (subject->place.context, subject->node.uop);
  gsize n = strlen (hex);
  if (n > 64)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    {
      int digit = i % 2 ? key[i / 2] & 15 : key[i / 2] >> 4;
      if (g_ascii_xdigit_value (hex[i]) != digit)
        return FALSE;
    }
  return TRUE;
}

static gboolean
rule_has (const FbRule *rule, const FbTerm *term)
{
  if (!rule)
    return FALSE;
  if (term->exact)
    return strcmp (rule->name, term->text) == 0 || strcmp (rule->location, term->text) == 0;
  return has (rule->name, term->text) || has (rule->location, term->text);
}

static gboolean
word_holds (const FbTerm *term, const FbSubject *subject, const Facts *facts)
{
  const FbUop *uop = subject->node.uop;
  const char *word = term->text;
  if (term->ops.some ? fb_op_choice_has (&term->ops, uop->op) : has (fb_op_name (uop->op), word))
    return TRUE;
  if (has (facts->arg, word) || has (facts->shape, word) || has (uop->dtype->short_name, word)
      || rule_has (subject->rule, term))
    return TRUE;
  gsize n = strlen (word);
  return n >= KEY_WORD && strspn (word, "0123456789abcdefABCDEF") == n && key_begins (subject, word);
}

static gboolean
arg_holds (const FbTerm *term, const FbSubject *subject, const Facts *facts)
{
  if (!term->exact)
    return has (facts->arg, term->text);
  if (strcmp (facts->arg, term->text) == 0)
    return TRUE;
  /* 1 is 1.0, and quotes of a str may be left out */
  FbArg arg = subject->node.uop->arg;
  char *end;
  double number = g_ascii_strtod (term->text, &end);
  if (*term->text && !*end && fb_arg_is_number (arg))
    return fb_arg_equal (arg, fb_arg_float (number));
  return arg.kind == FB_ARG_STR && strcmp (arg.str->bytes, term->text) == 0;
}

static gboolean
shape_holds (const FbTerm *term, const FbDims *dims)
{
  if (!dims)
    return FALSE;
  if (!term->dims)
    {
      for (guint i = 0; i < dims->n; i++)
        if (fb_sint_is (dims->at[i], term->number))
          return TRUE;
      return FALSE;
    }
  if (term->dims->len != dims->n)
    return FALSE;
  for (guint i = 0; i < dims->n; i++)
    {
      gint64 size = g_array_index (term->dims, gint64, i);
      if (size != FB_ANY_SIZE && !fb_sint_is (dims->at[i], size))
        return FALSE;
    }
  return TRUE;
}

static const FbPass *
pass_of (const FbSubject *subject)
{
  return subject->index ? fb_schedule_pass (fb_query_index_history (subject->index)->schedule, subject->pass) : NULL;
}

static gboolean
pass_holds (const FbTerm *term, const FbSubject *subject)
{
  const FbPass *pass = pass_of (subject);
  guint64 number;
  if (!pass)
    return FALSE;
  if (g_ascii_string_to_unsigned (term->text, 10, 1, G_MAXUINT32, &number, NULL))
    return subject->pass + 1 == number;
  return term->exact ? g_ascii_strcasecmp (pass->title, term->text) == 0 : has (pass->title, term->text);
}

/* Its step made the graph larger. */
static gboolean
grows (const FbSubject *subject)
{
  if (!subject->index || !subject->since)
    return FALSE;
  const FbHistory *history = fb_query_index_history (subject->index);
  return fb_history_n_nodes (history, subject->pass, subject->since)
         > fb_history_n_nodes (history, subject->pass, subject->since - 1);
}

/* It came up at a step, and had been there before: in the pass, or in one before it. */
static gboolean
is_again (const FbSubject *subject)
{
  if (!subject->index || !subject->since)
    return FALSE;
  const FbHistory *history = fb_query_index_history (subject->index);
  const FbLife *life = fb_history_life (history, subject->node.life);
  for (guint i = 1; i < life->n_spans; i++)
    if (g_array_index (history->spans, FbSpan, life->spans + i).from == subject->since)
      return TRUE;
  if (life->first != subject->since)
    return FALSE;
  for (guint32 pass = subject->pass;;)
    {
      guint32 before = fb_history_pass_before (history, pass);
      if (before == G_MAXUINT32 && fb_schedule_pass (history->schedule, pass)->kernel)
        before = history->kernels_pass;
      if (before == G_MAXUINT32)
        return FALSE;
      guint32 there = fb_history_find (history, before, life->uop);
      if (there != FB_LIFE_NONE && fb_history_life (history, there)->n_spans)
        return TRUE;
      pass = before;
    }
}

static gboolean
with_facts (const FbTerm *term, const FbSubject *subject)
{
  Facts facts = facts_of (subject);
  gboolean holds = FALSE;
  switch (term->kind)
    {
    case FB_TERM_WORD:
      holds = word_holds (term, subject, &facts);
      break;
    case FB_TERM_ARG:
      holds = arg_holds (term, subject, &facts);
      break;
    default:
      holds = shape_holds (term, facts.dims);
      break;
    }
  facts_clear (&facts);
  return holds;
}

gboolean
fb_term_holds (const FbTerm *term, const FbSubject *subject)
{
  const FbUop *uop = subject->node.uop;
  switch (term->kind)
    {
    case FB_TERM_WORD:
    case FB_TERM_ARG:
    case FB_TERM_SHAPE:
      return with_facts (term, subject);
    case FB_TERM_OP:
      return fb_op_choice_has (&term->ops, uop->op);
    case FB_TERM_DTYPE:
      return fb_dtype_in (uop->dtype, term->dtypes);
    case FB_TERM_RULE:
      return rule_has (subject->rule, term);
    case FB_TERM_KEY:
      return key_begins (subject, term->text);
    case FB_TERM_PATTERN:
      return subject->hopeful ? fb_node_pattern_may_match (term->pattern, &subject->place, uop)
                              : fb_node_pattern_match (term->pattern, &subject->place, subject->node);
    case FB_TERM_PASS:
      return pass_holds (term, subject);
    case FB_TERM_KERNEL:
      return pass_of (subject) && pass_of (subject)->kernel == term->number;
    case FB_TERM_STEP:
      return subject->since == term->number;
    case FB_TERM_GROWTH:
      return grows (subject);
    case FB_TERM_AGAIN:
      return is_again (subject);
    case FB_TERM_AND:
      return fb_term_holds (term->a, subject) && fb_term_holds (term->b, subject);
    case FB_TERM_OR:
      return fb_term_holds (term->a, subject) || fb_term_holds (term->b, subject);
    case FB_TERM_NOT:
      return !fb_term_holds (term->a, subject);
    }
  return FALSE;
}
