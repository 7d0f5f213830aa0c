/* Inside of the pickle reader: machine.c runs the opcodes, forms.c takes the commonest runs of them as wholes, class.c knows
 * the globals, construct.c and construct-dtype.c make nodes and other objects, convert.c turns values into args, repr.c
 * prints, node-check.c says what a node must look like. */
#pragma once

#include "capture.h"
#include "pickle.h"
#include "release.h"

/* Code that leads to such a call is kept apart from what runs for every row, so that that is close together. */
#define FB_COLD __attribute__ ((cold))

/* What the reader remembers of a node, by id. */
typedef struct
{
  guint32 arg_weight;  /* of the text of its own arg */
  guint32 text_weight; /* of its whole text, 0 until asked */
  guint32 stamp;       /* of the last walk that met it */
  guint32 level;       /* args within nodes within args, below it */
} FbNodeInfo;

struct _FbPickle
{
  FbPickleLimits limits;
  FbArena scratch;
  FbValue *stack, *stack_end;
  guint32 *marks; /* heights of the stack */
  guint32 n_marks, marks_allocated;
  FbValue *memo;
  guint32 memo_used; /* entries below are initialized */
  guint32 memo_allocated;
  guint32 memo_unset; /* of them, holes: MEMOIZE numbers by entries set */

  guint64 node_begin;       /* "GET UOp MARK GET _ GET _" as little-endian bytes, 0 when not known */
  FbTupleCell *empty_tuple; /* () is one cell, made on demand */

  FbContext *context;
  FbArena *node_arena;
  gsize node_bytes; /* of node_arena at the start */
  gsize text_bytes; /* spent on texts of opaque values */
  gsize max_bytes;

  FbNodeInfo *info;
  guint32 info_allocated, n_info;
  guint32 deepest; /* 0 while all of them are at level 0 */
  guint32 stamp;
  guint64 weight_left, walk_left;
  FbUop **sources; /* scratch of construct.c */
  guint32 sources_allocated;
  GPtrArray *walk;

  const guint8 *start, *at; /* of the pickle, of the opcode being run */
  FbPickleOptions options;
  int protocol;
  gboolean ops_by_value, ops_by_name;
  gint64 max_unique; /* largest arg of a UNIQUE, -1 for none */
  GError *error;
};

/* Records the first error, with the offset of the current opcode. Returns FALSE. */
gboolean fb_pickle_fail (FbPickle *pickle, const char *format, ...) G_GNUC_PRINTF (2, 3) FB_COLD;

/* The pickle has allocated more than it may: fails. */
gboolean fb_pickle_fail_bytes (FbPickle *pickle) FB_COLD;

static inline gboolean
fb_pickle_may_allocate (FbPickle *pickle, gsize size)
{
  gsize used = pickle->scratch.bytes + (pickle->node_arena->bytes - pickle->node_bytes) + pickle->text_bytes;
  return G_LIKELY (used + size <= pickle->max_bytes) || fb_pickle_fail_bytes (pickle);
}

/* From the scratch arena; the limit is looked at when the arena grows, NULL when it is met. */
static inline void *
fb_pickle_alloc (FbPickle *pickle, gsize size)
{
  FbArena *arena = &pickle->scratch;

  if (G_UNLIKELY ((gsize) (arena->end - arena->next) < size + 7) && !fb_pickle_may_allocate (pickle, size))
    return NULL;
  return fb_arena_alloc (arena, size);
}

/* machine.c: runs the opcodes up to STOP. */
gboolean fb_pickle_run (FbPickle *pickle, const guint8 *bytes, gsize len, FbValue *root);

/* NULL with the error set when a limit is met. */
static inline FbTupleCell *
fb_pickle_new_tuple (FbPickle *pickle, guint32 n, const FbValue *items)
{
  FbTupleCell *cell;
  guint depth = 1;

  if (n == 0 && pickle->empty_tuple)
    return pickle->empty_tuple;
  cell = fb_pickle_alloc (pickle, sizeof (FbTupleCell) + sizeof (FbValue) * (gsize) n);
  if (!cell)
    return NULL;
  for (guint32 i = 0; i < n; i++)
    {
      fb_value_copy (&cell->items[i], &items[i]);
      if (items[i].kind == FB_VALUE_TUPLE)
        depth = MAX (depth, items[i].tuple->depth + 1u);
    }
  cell->n = n;
  cell->depth = (guint16) MIN (depth, G_MAXUINT16);
  cell->printing = cell->dims_pairs = 0;
  cell->form = FB_TUPLE_ANY;
  cell->weight = cell->level = 0;
  cell->tuple = NULL;
  cell->dims = NULL;
  if (n == 0)
    pickle->empty_tuple = cell;
  return cell;
}

/* The tuple of the sources of a node; NULL as above. */
FbTupleCell *fb_pickle_new_sources (FbPickle *pickle, guint32 n, FbUop *const *sources);

FbListCell *fb_pickle_new_list (FbPickle *pickle);
/* Room for @n more. */
gboolean fb_pickle_list_reserve (FbPickle *pickle, FbListCell *list, guint32 n);
static inline gboolean
fb_pickle_list_extend (FbPickle *pickle, FbListCell *list, guint32 n, const FbValue *items)
{
  FbValue *to;

  fb_list_settle (list);
  if (n == 0)
    return TRUE;
  if (list->allocated - list->n < n && !fb_pickle_list_reserve (pickle, list, n))
    return FALSE;
  to = list->items + list->n;
  for (guint32 i = 0; i < n; i++)
    fb_value_copy (&to[i], &items[i]);
  list->n += n;
  return TRUE;
}

/* scan.c: values from their bytes; FALSE with the error set. */
gboolean fb_scan_text (FbPickle *pickle, const guint8 *bytes, gsize len, FbValue *value);
/* Two's complement, little-endian. */
gboolean fb_scan_integer (FbPickle *pickle, const guint8 *bytes, gsize len, FbValue *value);
/* Each NaN is an object of its own. */
void fb_scan_float (FbPickle *pickle, double f, FbValue *value);
/* The text forms of protocol 0; @raw: a raw-unicode-escape, else in quotes. */
gboolean fb_scan_decimal (FbPickle *pickle, const char *text, gsize len, FbValue *value);
gboolean fb_scan_decimal_float (FbPickle *pickle, const char *text, gsize len, FbValue *value);
gboolean fb_scan_quoted (FbPickle *pickle, const char *text, gsize len, gboolean raw, FbValue *value);

/* class.c. The names need not be NUL-terminated. NULL with the error set when a limit is met. */
const FbClass *fb_class_lookup (FbPickle *pickle, const char *module, gsize module_len, const char *name,
                                gsize name_len);
/* As fb_op_from_name(), by hash: a row names each of its ops once. */
FbOp fb_op_lookup (const char *name, gsize len);
FbAttr fb_attr_lookup (const guint8 *text, gsize len);

/* construct.c: what REDUCE, NEWOBJ and BUILD make. FALSE with the error set. */
gboolean fb_pickle_reduce (FbPickle *pickle, const FbValue *callable, const FbValue *args, FbValue *result);
/* A node; @head: op and dtype, @arg: still a value. */
gboolean fb_pickle_new_node (FbPickle *pickle, const FbValue *head, guint32 n, FbUop *const *sources,
                             const FbValue *arg, FbValue *result);
/* REDUCE of a class that consumes its arguments. */
gboolean fb_pickle_call (FbPickle *pickle, FbClassId class, guint32 n, const FbValue *args, FbValue *result);
gboolean fb_pickle_new_object (FbPickle *pickle, const FbValue *class, const FbValue *args, FbValue *result);
gboolean fb_pickle_build (FbPickle *pickle, const FbValue *object, const FbValue *state);
/* BUILD of a View and of a ShapeTracker; @fields by FbAttr, all there; @views NULL when there is no such field. */
gboolean fb_pickle_build_view (FbPickle *pickle, FbObjectCell *object,
                               const FbValue *const fields[FB_ATTR_CONTIGUOUS + 1]);
gboolean fb_pickle_build_tracker (FbPickle *pickle, FbObjectCell *object, const FbValue *views);

/* construct-dtype.c: DType, PtrDType or ImageDType of these fields; FALSE with the error set. */
gboolean fb_pickle_make_dtype (FbPickle *pickle, FbClassId class, guint32 n, const FbValue *fields, FbValue *result);

/* convert.c. @weight measures the text of the arg, @level how deep nodes within args go. */
gboolean fb_pickle_to_arg (FbPickle *pickle, const FbValue *value, FbArg *arg, guint32 *weight, guint32 *level);
/* A tuple of sizes, or with @pairs of pairs of them; NULL with the error set. */
const FbDims *fb_pickle_to_dims (FbPickle *pickle, const FbValue *value, gboolean pairs, const char *what);
gboolean fb_pickle_to_sint (FbPickle *pickle, const FbValue *value, FbSint *sint, guint32 *weight, guint32 *level);
/* Notes the weight of the arg of a node just made, and what is below it. */
gboolean fb_pickle_note_node_slow (FbPickle *pickle, const FbUop *uop, guint32 weight, guint32 level) FB_COLD;
static inline gboolean
fb_pickle_note_node (FbPickle *pickle, const FbUop *uop, guint32 weight, guint32 level)
{
  if (G_UNLIKELY (weight > pickle->weight_left || uop->id > pickle->n_info || uop->id >= pickle->info_allocated))
    return fb_pickle_note_node_slow (pickle, uop, weight, level);
  pickle->weight_left -= weight;
  pickle->deepest |= level;
  if (uop->id == pickle->n_info)
    pickle->info[pickle->n_info++] = (FbNodeInfo){ .arg_weight = weight, .level = level };
  return TRUE;
}
/* Weight of the text of the graph below @uop; FALSE when it is too large. */
gboolean fb_pickle_text_weight (FbPickle *pickle, FbUop *uop, guint32 max_nodes, guint32 *weight);

static inline guint32
fb_pickle_level (const FbPickle *pickle, const FbUop *uop)
{
  return uop->id < pickle->n_info ? pickle->info[uop->id].level : 0;
}

/* repr.c */
void fb_pickle_append_repr (FbPickle *pickle, const FbValue *value, GString *text);

/* node-check.c: what a node of each op looks like. */
typedef struct
{
  guint8 min_src, max_src; /* 255: any number */
  guint8 form;             /* of the arg, 0: any */
} FbNodeForm;
extern const FbNodeForm fb_node_forms[FB_N_OPS];
/* By form: kinds of args (bits) and tuples of values (FbTupleForm, 0 for none) that need no closer look. */
typedef struct
{
  guint16 kinds;
  guint8 tuples;
} FbNodeArg;
extern const FbNodeArg fb_node_args[];
/* NULL when such a node can be, else what is wrong: "has the wrong number of sources". */
const char *fb_node_check (FbOp op, const FbDType *dtype, guint n_src, FbArg arg);
/* Is that plain to see? @kind: of the arg, @tuple: what it is known to be. */
static inline gboolean
fb_node_fits (FbOp op, guint n_src, FbArgKind kind, FbTupleForm tuple)
{
  FbNodeForm form = fb_node_forms[op];
  FbNodeArg fits = fb_node_args[form.form];

  return n_src >= form.min_src && n_src <= form.max_src
         && ((fits.kinds >> kind & 1) || (tuple && fits.tuples == tuple));
}
