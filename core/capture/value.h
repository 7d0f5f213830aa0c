/* What a pickle holds: plain Python values, before they become nodes and args.
 *
 * Private to core/capture. A value is 16 bytes; kinds up to FB_VALUE_OPAQUE are
 * those of FbArg with the same payload, so that most values become an arg by
 * copying two words. Text and bytes point into the pickle itself. Containers are
 * cells in the reader's scratch arena; they may be filled after others refer to
 * them, and may contain themselves. */
#pragma once

#include "core/ir/context.h"

typedef struct _FbPickle FbPickle;

typedef enum
{
  FB_VALUE_NONE = FB_ARG_NONE,
  FB_VALUE_BOOL = FB_ARG_BOOL,
  FB_VALUE_INT = FB_ARG_INT,
  FB_VALUE_BIG = FB_ARG_BIG,
  FB_VALUE_FLOAT = FB_ARG_FLOAT,
  FB_VALUE_OP = FB_ARG_OP,
  FB_VALUE_UOP = FB_ARG_UOP,
  FB_VALUE_DTYPE = FB_ARG_DTYPE,
  FB_VALUE_OPAQUE = FB_ARG_OPAQUE,
  FB_VALUE_TEXT,
  FB_VALUE_BYTES,
  FB_VALUE_BYTEARRAY,
  FB_VALUE_TUPLE,
  FB_VALUE_LIST,
  FB_VALUE_SET,
  FB_VALUE_FROZENSET,
  FB_VALUE_DICT,
  FB_VALUE_CLASS,
  FB_VALUE_OBJECT,
  FB_VALUE_UNSET,   /* a memo entry that nothing was stored in */
  FB_VALUE_SPENT,   /* a memo entry for the arguments of a call, which were not kept */
  FB_VALUE_SOURCES, /* a memo entry for the tuple of the sources of `uop`, made when it is asked for */
  FB_VALUE_OPTION,  /* a memo entry for an option in the run of `list`, or its state, made when it is asked for */
} FbValueKind;

/* Names of attributes that the reader looks for in the state of an object. */
typedef enum
{
  FB_ATTR_OTHER,
  FB_ATTR_SHAPE,
  FB_ATTR_STRIDES,
  FB_ATTR_OFFSET,
  FB_ATTR_MASK,
  FB_ATTR_CONTIGUOUS,
  FB_ATTR_VIEWS,
  FB_ATTR_VALUE,
  FB_ATTR_KEY,
  FB_ATTR_AST,
  FB_ATTR_METADATA,
  FB_ATTR_NAME,
  FB_ATTR_CALLER,
  FB_ATTR_BACKWARD,
  FB_ATTR_OP,
  FB_ATTR_AXIS,
  FB_ATTR_ARG,
} FbAttr;

/* The globals that mean something to the reader; all others are FB_CLASS_UNKNOWN. */
typedef enum
{
  FB_CLASS_UNKNOWN,
  /* calls of these consume their arguments, see fb_class_consumes() */
  FB_CLASS_GETATTR,
  FB_CLASS_UOP,
  FB_CLASS_OPS,
  FB_CLASS_DTYPE,
  FB_CLASS_PTR_DTYPE,
  FB_CLASS_IMAGE_DTYPE,
  /* the others keep them */
  FB_CLASS_VIEW,
  FB_CLASS_SHAPE_TRACKER,
  FB_CLASS_KERNEL,
  FB_CLASS_CONTEXT_VAR,
  FB_CLASS_METADATA,
  FB_CLASS_OPT,
  FB_CLASS_OPT_OPS,
  FB_CLASS_DATACLASS,     /* prints as dataclasses do: Name(field=value, ...) */
  FB_CLASS_RECONSTRUCTOR, /* copyreg._reconstructor (class, base, state) */
  FB_CLASS_NEWOBJ,        /* copyreg.__newobj__ (class, *args) */
  FB_CLASS_ENCODE,        /* _codecs.encode, how old protocols write bytes */
  FB_CLASS_LIST,
  FB_CLASS_TUPLE,
  FB_CLASS_DICT,
  FB_CLASS_SET,
  FB_CLASS_FROZENSET,
  FB_CLASS_BYTEARRAY,
  FB_CLASS_BYTES,
  FB_CLASS_OBJECT,
} FbClassId;

typedef struct _FbTupleCell FbTupleCell;
typedef struct _FbListCell FbListCell;
typedef struct _FbOptionRun FbOptionRun;
typedef struct _FbObjectCell FbObjectCell;

typedef struct
{
  FbClassId id;
  const char *module, *name; /* NUL-terminated */
} FbClass;

typedef struct
{
  union
  {
    struct
    {
      guint8 kind; /* FbValueKind */
      guint8 attr; /* of TEXT: FbAttr */
      guint32 n;   /* of TEXT, BYTES, BYTEARRAY: length */
    };
    guint64 head; /* all three, for copying */
  };
  union
  {
    gint64 i;
    double f;
    FbOp op;
    FbUop *uop;
    const FbDType *dtype;
    const guint8 *bytes;
    FbTupleCell *tuple;
    FbListCell *list; /* LIST, SET, FROZENSET, DICT (keys and values in turn) */
    const FbClass *class;
    FbObjectCell *object;
    const void *pointer;
  };
} FbValue;

/* What a tuple is known to hold. */
typedef enum
{
  FB_TUPLE_ANY,
  FB_TUPLE_INTS,  /* integers of 32 bits, at most FB_TUPLE_SHORT */
  FB_TUPLE_PAIRS, /* tuples of two of them, at most FB_TUPLE_SHORT */
} FbTupleForm;
#define FB_TUPLE_SHORT 32

struct _FbTupleCell
{
  guint32 n;
  guint16 depth;        /* of tuples within tuples, at least 1 */
  guint8 printing;      /* on the printer's stack */
  guint8 dims_pairs;    /* `dims` is flattened from pairs */
  guint8 form;          /* FbTupleForm */
  guint32 weight;       /* of its text, 0 until it became an arg */
  guint32 level;        /* nodes whose args hold nodes whose args ..., of its items */
  const FbTuple *tuple; /* as an arg, NULL until asked */
  const FbDims *dims;   /* as sizes, NULL until asked */
  FbValue items[];
};

struct _FbListCell
{
  guint32 n, allocated; /* values, so two for an entry of a dict */
  guint8 printing;
  FbValue *items;
  FbOptionRun *run; /* of a dict: options that follow, not yet among the items; else NULL */
};

/* Options of a capture that were read but not made: {"value": value, "key": name} is the state of each. Whoever looks at the
 * items of a dict but wants no options calls fb_list_settle() first. */
struct _FbOptionRun
{
  FbPickle *pickle;
  FbListCell *list; /* whose run it is */
  const FbClass *class;
  FbValue keys[2];
  guint32 memo; /* entry of the first name; object, state, and next name follow */
  guint32 n;
  struct
  {
    FbValue name, value;
  } options[];
};

struct _FbObjectCell
{
  const FbClass *class;
  guint8 printing;
  guint32 weight, level; /* as of a tuple; set when `made` is */
  FbValue args;          /* TUPLE or NONE */
  FbValue state;         /* what BUILD gave, else NONE */
  FbListCell *items;     /* appended or set on it, else NULL; pairs for a mapping */
  gboolean mapping;
  const void *made; /* FbView, FbShapeTracker or FbKernel, NULL before BUILD */
};

/* An object with the dict that is its state. */
typedef struct
{
  FbObjectCell object;
  FbListCell dict;
  FbValue items[];
} FbStateCell;

/* What a call of @class makes does not hold on to the tuple of its arguments. */
static inline gboolean
fb_class_consumes (FbClassId class)
{
  return class >= FB_CLASS_GETATTR && class <= FB_CLASS_IMAGE_DTYPE;
}

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define FB_VALUE_HEAD(kind, attr, n) ((guint64) (kind) | (guint64) (attr) << 8 | (guint64) (guint32) (n) << 32)
#else
#define FB_VALUE_HEAD(kind, attr, n) ((guint64) (kind) << 56 | (guint64) (attr) << 48 | (guint64) (guint32) (n))
#endif

/* Values are written and copied as two words. They are mostly copied right after they were written, and a load that is
 * wider than the stores before it waits for them to reach the cache: written field by field, that wait was a third of
 * the time to read a pickle. */
static inline void
fb_value_set (FbValue *value, FbValueKind kind, gint64 payload)
{
  value->head = FB_VALUE_HEAD (kind, 0, 0);
  value->i = payload;
}

static inline void
fb_value_set_pointer (FbValue *value, FbValueKind kind, const void *pointer)
{
  value->head = FB_VALUE_HEAD (kind, 0, 0);
  value->pointer = pointer;
}

/* @attr and @n as in the value; @bytes are borrowed. */
static inline void
fb_value_set_bytes (FbValue *value, FbValueKind kind, FbAttr attr, gsize n, const guint8 *bytes)
{
  value->head = FB_VALUE_HEAD (kind, attr, n);
  value->bytes = bytes;
}

static inline void
fb_value_copy (FbValue *to, const FbValue *from)
{
  guint64 head = from->head;
  gint64 payload = from->i;

  __asm__("" : "+r"(head)); /* keeps the compiler from merging the two */
  to->head = head;
  to->i = payload;
}

static inline FbValue
fb_value_none (void)
{
  return (FbValue){ .head = FB_VALUE_HEAD (FB_VALUE_NONE, 0, 0) };
}

/* Makes the options of a run: they are items then, and in the memo. */
void fb_list_settle_slow (FbListCell *list) __attribute__ ((cold));
static inline void
fb_list_settle (FbListCell *list)
{
  if (G_UNLIKELY (list->run != NULL))
    fb_list_settle_slow (list);
}

/* The last value stored under @attr in a state: a dict, or the pair (dict, dict of slots). NULL if there is none. */
const FbValue *fb_value_get_attr (const FbValue *state, FbAttr attr);
/* TEXT equal to @text. */
gboolean fb_value_is_text (const FbValue *value, const char *text);
