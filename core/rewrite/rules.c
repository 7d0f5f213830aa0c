#include "rules-private.h"

#include <string.h>

static const char *const name_texts[FB_N_NAMES] = {
#define X(n) [FB_##n] = #n,
  FB_FOR_EACH_NAME (X)
#undef X
};

const char *
fb_name_text (FbName name)
{
  if (name == FB_NAME_NONE || name >= FB_N_NAMES)
    return "";
  return name == FB_const_ ? "const" : name_texts[name];
}

static FbOpSet
early_reject (const FbPattern *pattern)
{
  FbOpSet set = 0;

  if (pattern->src_mode == FB_SRC_EITHER)
    return 0;
  for (guint i = 0; i < pattern->n_src; i++)
    { /* only sources of exactly one op count (ops.py:755) */
      FbOpSet ops = pattern->src[i]->ops;
      if (ops && (ops & (ops - 1)) == 0)
        set |= ops;
    }
  return set;
}

static gboolean
is_deterministic (const FbPattern *pattern)
{
  if (pattern->src_mode == FB_SRC_PERMUTED || pattern->src_mode == FB_SRC_EITHER)
    return FALSE;
  for (guint i = 0; i < pattern->n_src; i++)
    if (!is_deterministic (pattern->src[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_leaf (const FbPattern *pattern)
{
  return pattern->src_mode == FB_SRC_ANY && !pattern->has_arg && !pattern->dtypes;
}

/* Names met twice would demand a comparison. */
static gboolean
differ (FbName a, FbName b)
{
  return !a || a != b;
}

static gboolean
is_flat (const FbPattern *pattern)
{
  if (pattern->src_mode == FB_SRC_ANY && !pattern->has_arg)
    return TRUE;
  if (pattern->src_mode != FB_SRC_ORDERED || pattern->n_src == 0 || pattern->n_src > 2 || pattern->has_arg)
    return FALSE;
  for (guint i = 0; i < pattern->n_src; i++)
    if (!is_leaf (pattern->src[i]) || !differ (pattern->src[i]->name, pattern->name))
      return FALSE;
  return pattern->n_src < 2 || differ (pattern->src[0]->name, pattern->src[1]->name);
}

static gboolean
has_only_source (const FbPattern *pattern)
{
  return pattern->src_mode == FB_SRC_ORDERED && pattern->n_src == 1 && !pattern->has_arg;
}

static gboolean
is_chain (const FbPattern *pattern)
{
  const FbPattern *source = pattern->src[0];

  return has_only_source (pattern) && has_only_source (source) && !source->dtypes && is_leaf (source->src[0])
         && differ (pattern->name, source->name) && differ (pattern->name, source->src[0]->name)
         && differ (source->name, source->src[0]->name);
}

/* A source of any kind and a number, in any order. */
static gboolean
is_with_number (const FbPattern *pattern)
{
  const FbPattern *number = pattern->src[1];

  return pattern->src_mode == FB_SRC_PERMUTED && pattern->n_src == 2 && !pattern->has_arg && is_leaf (pattern->src[0])
         && !pattern->src[0]->ops && pattern->src[0]->name && pattern->src[0]->name != pattern->name
         && number->src_mode == FB_SRC_ANY && number->ops == FB_OP_BIT (CONST) && number->has_arg && !number->name
         && !number->dtypes;
}

static gboolean
names_sources (const FbPattern *pattern)
{
  for (guint i = 0; i < pattern->n_src; i++)
    if (pattern->src[i]->name)
      return TRUE;
  return FALSE;
}

static FbRuleShape
shape_of (const FbPattern *pattern)
{
  if (is_flat (pattern))
    return names_sources (pattern) ? FB_SHAPE_FLAT : FB_SHAPE_NODE;
  if (is_chain (pattern))
    return FB_SHAPE_CHAIN;
  if (is_with_number (pattern))
    return FB_SHAPE_WITH_NUMBER;
  return is_deterministic (pattern) ? FB_SHAPE_DETERMINISTIC : FB_SHAPE_SEARCH;
}

static FbOpSet
ops_or_all (const FbPattern *pattern)
{
  return pattern->ops ? pattern->ops : FB_OPS_ALL;
}

/* What source @i of a node may be for @pattern to match. */
static FbOpSet
source_ops (const FbPattern *pattern, guint i)
{
  FbOpSet set = 0;

  switch (pattern->src_mode)
    {
    case FB_SRC_ORDERED:
    case FB_SRC_PREFIX:
      return i < pattern->n_src ? ops_or_all (pattern->src[i]) : FB_OPS_ALL;
    case FB_SRC_REPEATED:
      return ops_or_all (pattern->src[0]);
    case FB_SRC_PERMUTED:
      for (guint k = 0; k < pattern->n_src; k++)
        set |= ops_or_all (pattern->src[k]);
      return set;
    default:
      return FB_OPS_ALL;
    }
}

static FbRuleOps
ops_of (const FbPattern *pattern)
{
  gboolean exact = pattern->src_mode == FB_SRC_ORDERED || pattern->src_mode == FB_SRC_PERMUTED;

  return (FbRuleOps){
    .ops = ops_or_all (pattern),
    .dtypes = pattern->dtypes,
    .early_reject = early_reject (pattern),
    .src_ops = { source_ops (pattern, 0), source_ops (pattern, 1) },
    .n_src = exact ? pattern->n_src : FB_ANY_NUMBER,
  };
}

static FbRuleEntry
entry_of (const FbRule *rule, guint index)
{
  const FbPattern *pattern = rule->pattern;
  FbRuleEntry entry = {
    .pattern = pattern,
    .apply = rule->apply,
    .shape = (guint8) shape_of (pattern),
    .name = pattern->name,
    .guard = (guint8) rule->guard,
    .index = (guint16) index,
  };

  for (guint i = 0; i < MIN (pattern->n_src, G_N_ELEMENTS (entry.src_name)); i++)
    entry.src_name[i] = pattern->src[i]->name;
  if (entry.shape == FB_SHAPE_CHAIN)
    entry.src_name[1] = pattern->src[0]->src[0]->name;
  return entry;
}

static guint32
key_mask (const FbRuleOps *ops)
{
  const guint32 op = 127, n_src = 7u << FB_NODE_KEY_N_SRC;
  guint32 mask = op;

  for (guint i = 0; i < G_N_ELEMENTS (ops->src_ops); i++)
    if (ops->src_ops[i] != FB_OPS_ALL || ops->early_reject)
      mask |= op << FB_NODE_KEY_SOURCE (i);
  if (ops->dtypes)
    mask |= 15u << FB_NODE_KEY_DTYPE;
  if (ops->n_src != FB_ANY_NUMBER || ops->early_reject)
    mask |= n_src;
  return mask;
}

static gboolean
is_same_source (const FbRuleSet *set, FbOp a, FbOp b)
{
  for (guint i = 0; i < set->n_rules; i++)
    {
      const FbRuleOps *ops = &set->ops[i];
      if (fb_op_in (a, ops->src_ops[0]) != fb_op_in (b, ops->src_ops[0])
          || fb_op_in (a, ops->src_ops[1]) != fb_op_in (b, ops->src_ops[1])
          || fb_op_in (a, ops->early_reject) != fb_op_in (b, ops->early_reject))
        return FALSE;
    }
  return TRUE;
}

static gboolean
is_same_dtype (const FbRuleSet *set, guint a, guint b)
{
  for (guint i = 0; i < set->n_rules; i++)
    if ((set->ops[i].dtypes >> a & 1) != (set->ops[i].dtypes >> b & 1))
      return FALSE;
  return TRUE;
}

/* A class is named by the first of it. */
static void
classify (FbRuleSet *set)
{
  for (guint op = 0; op < FB_N_OPS; op++)
    while (set->source_class[op] < op && !is_same_source (set, set->source_class[op], op))
      set->source_class[op]++;
  for (guint i = 0; i < G_N_ELEMENTS (set->dtype_class); i++)
    while (set->dtype_class[i] < i && !is_same_dtype (set, set->dtype_class[i], i))
      set->dtype_class[i]++;
}

/* Where @reject is among the different ones. */
static guint8
keep_early (FbRuleSet *set, FbOpSet reject)
{
  guint8 i = reject != 0;

  while (set->early[i] && set->early[i] != reject)
    i++;
  set->early[i] = reject;
  return i;
}

FbRuleSet *
fb_rule_set_new (const char *name, guint n_tables, const FbRuleTable *tables)
{
  static gint n_sets;
  FbRuleSet *set = g_new0 (FbRuleSet, 1);
  guint n = 0;

  set->name = name;
  set->serial = (guint) g_atomic_int_add (&n_sets, 1);
  for (guint t = 0; t < n_tables; t++)
    set->n_rules += tables[t].n;
  set->rules = g_new (const FbRule *, set->n_rules);
  set->entries = g_new (FbRuleEntry, set->n_rules);
  set->ops = g_new (FbRuleOps, set->n_rules);
  set->early = g_new0 (FbOpSet, set->n_rules + 2);
  for (guint t = 0; t < n_tables; t++)
    for (guint i = 0; i < tables[t].n; i++, n++)
      {
        set->rules[n] = &tables[t].rules[i];
        set->entries[n] = entry_of (set->rules[n], n);
        set->ops[n] = ops_of (set->rules[n]->pattern);
        set->entries[n].early = keep_early (set, set->ops[n].early_reject);
        for (guint op = 0; op < FB_N_OPS; op++)
          if (fb_op_in (op, set->ops[n].ops))
            set->key_masks[op] |= key_mask (&set->ops[n]);
      }
  classify (set);
  return set;
}

const char *
fb_rule_set_name (const FbRuleSet *set)
{
  return set->name;
}

guint
fb_rule_set_n_rules (const FbRuleSet *set)
{
  return set->n_rules;
}

const FbRule *
fb_rule_set_rule (const FbRuleSet *set, guint index)
{
  return index < set->n_rules ? set->rules[index] : NULL;
}

static const struct
{
  FbOpSet ops;
  const char *name;
} groups[] = {
  { FB_OPS_ALU, "ALU" },
  { FB_OPS_UNARY, "UNARY" },
  { FB_OPS_BINARY, "BINARY" },
  { FB_OPS_MOVEMENT, "MOVEMENT" },
  { FB_OPS_BUFFER, "BUFFER OP" },
  { FB_OPS_COMMUTATIVE, "COMMUTATIVE" },
  { FB_OPS_IDEMPOTENT, "IDEMPOTENT" },
  { FB_OPS_ALL, "ANY" },
};

static void
append_ops (FbOpSet ops, GString *text)
{
  gboolean first = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    if (groups[i].ops == ops)
      {
        g_string_append (text, groups[i].name);
        return;
      }
  if (__builtin_popcountll ((guint64) ops) + __builtin_popcountll ((guint64) (ops >> 64)) > FB_N_OPS / 2)
    {
      g_string_append (text, "ANY BUT ");
      ops = FB_OPS_ALL & ~ops;
    }
  for (int op = 1; op < FB_N_OPS; op++)
    if (fb_op_in (op, ops))
      {
        g_string_append (text, first ? "" : "|");
        g_string_append (text, fb_op_name (op));
        first = FALSE;
      }
}

static const struct
{
  FbDTypeSet dtypes;
  const char *name;
} dtype_groups[] = {
  { FB_DT_INTS, "ints" },     { FB_DT_SINTS, "sints" },  { FB_DT_UINTS, "uints" },
  { FB_DT_FLOATS, "floats" }, { FB_DT_IMAGE, "images" },
};

static void
append_dtypes (FbDTypeSet dtypes, GString *text)
{
  gboolean first = TRUE;

  for (guint i = 0; i < G_N_ELEMENTS (dtype_groups); i++)
    if (dtype_groups[i].dtypes == dtypes)
      {
        g_string_append (text, dtype_groups[i].name);
        return;
      }
  for (int t = 0; t < FB_N_SCALARS; t++)
    if ((dtypes >> t) & 1)
      {
        g_string_append (text, first ? "" : "|");
        g_string_append (text, fb_dtype_scalars[t].short_name);
        first = FALSE;
      }
}

static void
append_pattern (const FbPattern *pattern, GString *text)
{
  const char *separator = pattern->src_mode == FB_SRC_EITHER ? " or " : ", ";

  if (pattern->has_arg && pattern->ops == FB_OP_BIT (CONST))
    g_string_append_printf (text, "%" G_GINT64_FORMAT, pattern->arg);
  else if (pattern->ops)
    append_ops (pattern->ops, text);
  else if (pattern->name && pattern->src_mode == FB_SRC_ANY)
    g_string_append (text, fb_name_text (pattern->name));
  else if (pattern->src_mode != FB_SRC_EITHER)
    g_string_append_c (text, '_');
  if (pattern->src_mode != FB_SRC_ANY)
    {
      if (pattern->src_mode != FB_SRC_EITHER)
        g_string_append_c (text, pattern->src_mode == FB_SRC_PERMUTED ? '[' : '(');
      for (guint i = 0; i < pattern->n_src; i++)
        {
          g_string_append (text, i ? separator : "");
          append_pattern (pattern->src[i], text);
        }
      if (pattern->src_mode == FB_SRC_REPEATED || pattern->src_mode == FB_SRC_PREFIX)
        g_string_append (text, "...");
      if (pattern->src_mode != FB_SRC_EITHER)
        g_string_append_c (text, pattern->src_mode == FB_SRC_PERMUTED ? ']' : ')');
    }
  if (pattern->dtypes)
    {
      g_string_append (text, ": ");
      append_dtypes (pattern->dtypes, text);
    }
  if (pattern->name && (pattern->ops || pattern->src_mode != FB_SRC_ANY))
    g_string_append_printf (text, " as %s", fb_name_text (pattern->name));
}

char *
fb_pattern_to_text (const FbPattern *pattern)
{
  GString *text = g_string_new (NULL);
  append_pattern (pattern, text);
  return g_string_free (text, FALSE);
}
