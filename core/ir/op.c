#include "op.h"

#include <string.h>

static const char *const names[FB_N_OPS] = {
#define X(op) [FB_OP_##op] = #op,
  FB_FOR_EACH_OP (X)
#undef X
};

G_STATIC_ASSERT (FB_OP_SINK == 2 && FB_OP_CUSTOM == 77);

/* Foreign ops: numbers that fb_op_in() finds in no set, because the bits that it looks at for them belong to no op. */
#define FOREIGN_MAX 2000
#define FOREIGN_FIRST_BIT (FB_N_OPS & 63)
#define FOREIGN_PER_64 (64 - FOREIGN_FIRST_BIT)
#define FOREIGN_NUMBER(i) (128 + (i) / FOREIGN_PER_64 * 64 + FOREIGN_FIRST_BIT + (i) % FOREIGN_PER_64)
#define FOREIGN_INDEX(op) (((op) -128) / 64 * FOREIGN_PER_64 + ((op) -128) % 64 - FOREIGN_FIRST_BIT)

G_STATIC_ASSERT (FB_N_OPS > 64 && FB_N_OPS < 128 && FOREIGN_NUMBER (FOREIGN_MAX) < G_MAXUINT16);

typedef struct
{
  const char *name;
  FbOp like;
  FbOpKind kind;
} Foreign;

static Foreign foreign[FOREIGN_MAX]; /* never freed: a name is a number for the life of the process */
static gint n_foreign;

/* Ops that later releases brought, and those they renamed. */
static FbOpKind
foreign_kind (const char *name)
{
  static const struct
  {
    const char *name;
    FbOpKind kind;
  } kinds[] = {
    { "PARAM", FB_KIND_BUFFER },     { "DEFINE_REG", FB_KIND_BUFFER },  { "REDUCE", FB_KIND_REDUCE },
    { "ALLREDUCE", FB_KIND_REDUCE }, { "SHAPED_WMMA", FB_KIND_REDUCE }, { "LUNIQUE", FB_KIND_CONST },
    { "BUFFERIZE", FB_KIND_COPY },   { "STAGE", FB_KIND_COPY },         { "CALL", FB_KIND_KERNEL },
    { "FUNCTION", FB_KIND_KERNEL },  { "PROGRAM", FB_KIND_KERNEL },     { "LINEAR", FB_KIND_KERNEL },
    { "SOURCE", FB_KIND_KERNEL },    { "BINARY", FB_KIND_KERNEL },      { "AFTER", FB_KIND_ASSIGN },
    { "GROUP", FB_KIND_KERNEL },     { "TUPLE", FB_KIND_KERNEL },
  };
  FbOp like = fb_op_from_name (name, -1);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, name) == 0)
      return kinds[i].kind;
  return like ? fb_op_kind (like) : FB_KIND_ALU;
}

FbOp
fb_op_foreign (const char *name)
{
  static GMutex mutex;
  int i, n;

  g_mutex_lock (&mutex);
  n = n_foreign;
  for (i = 0; i < n && strcmp (foreign[i].name, name) != 0; i++)
    ;
  if (i == n && n < FOREIGN_MAX)
    {
      foreign[n] = (Foreign){ g_strdup (name), fb_op_from_name (name, -1), foreign_kind (name) };
      g_atomic_int_set (&n_foreign, n + 1);
    }
  g_mutex_unlock (&mutex);
  return i < FOREIGN_MAX ? (FbOp) FOREIGN_NUMBER (i) : FB_OP_UNNAMED;
}

FbOp
fb_op_foreign_met (const char *name)
{
  int n = g_atomic_int_get (&n_foreign);

  for (int i = 0; i < n; i++)
    if (strcmp (foreign[i].name, name) == 0)
      return (FbOp) FOREIGN_NUMBER (i);
  return FB_OP_NONE;
}

static const Foreign *
foreign_of (FbOp op)
{
  static const Foreign unnamed = { "?", FB_OP_NONE, FB_KIND_ALU };
  int i = op >= 128 ? FOREIGN_INDEX ((int) op) : -1;

  return i >= 0 && i < g_atomic_int_get (&n_foreign) ? &foreign[i] : &unnamed;
}

const char *
fb_op_name (FbOp op)
{
  if (op >= FB_N_OPS)
    return foreign_of (op)->name;
  return op > FB_OP_NONE ? names[op] : "?";
}

FbOp
fb_op_like (FbOp op)
{
  return op < FB_N_OPS ? op : foreign_of (op)->like;
}

FbOp
fb_op_from_name (const char *name, gssize len)
{
  gsize n = len < 0 ? strlen (name) : (gsize) len;

  for (int op = 1; op < FB_N_OPS; op++)
    if (strlen (names[op]) == n && memcmp (names[op], name, n) == 0)
      return op;
  return FB_OP_NONE;
}

FbOpKind
fb_op_kind (FbOp op)
{
  if (op >= FB_N_OPS)
    return foreign_of (op)->kind;
  if (fb_op_in (op, FB_OPS_MOVEMENT))
    return FB_KIND_MOVEMENT;
  if (fb_op_in (op, FB_OPS_ALU))
    return FB_KIND_ALU;
  switch (op)
    {
    case FB_OP_BUFFER:
    case FB_OP_DEFINE_GLOBAL:
    case FB_OP_DEFINE_LOCAL:
    case FB_OP_DEFINE_ACC:
    case FB_OP_EMPTY:
      return FB_KIND_BUFFER;
    case FB_OP_LOAD:
    case FB_OP_INDEX:
      return FB_KIND_LOAD;
    case FB_OP_STORE:
      return FB_KIND_STORE;
    case FB_OP_CONST:
    case FB_OP_VCONST:
    case FB_OP_DEVICE:
    case FB_OP_UNIQUE:
    case FB_OP_DEFINE_VAR:
    case FB_OP_BIND:
    case FB_OP_SPECIAL:
    case FB_OP_VALID:
      return FB_KIND_CONST;
    case FB_OP_REDUCE_AXIS:
    case FB_OP_WMMA:
      return FB_KIND_REDUCE;
    case FB_OP_VIEW:
    case FB_OP_BUFFER_VIEW:
      return FB_KIND_VIEW;
    case FB_OP_ASSIGN:
      return FB_KIND_ASSIGN;
    case FB_OP_COPY:
    case FB_OP_CONTIGUOUS:
      return FB_KIND_COPY;
    case FB_OP_KERNEL:
    case FB_OP_SINK:
    case FB_OP_NAME:
      return FB_KIND_KERNEL;
    default:
      return FB_KIND_ALU;
    }
}
