#include "release.h"

#include <string.h>

/* Op names in value order, the first has value 1, separated by one space. */
static const struct
{
  const char *name;
  int cache_version;
  const char *ops;
} releases[FB_N_RELEASES] = {
  [FB_RELEASE_0_10_2] = { "v0.10.2", 19,
                          "NAME SINK CONTIGUOUS CONTIGUOUS_BACKWARD DETACH KERNEL UNIQUE EMPTY COPY BUFFER_VIEW BLOCK "
                          "BLOCKSTART BLOCKFORK BLOCKEND RESHAPE PERMUTE EXPAND PAD SHRINK FLIP UNROLL CONTRACT VIEW "
                          "DEFINE_GLOBAL BUFFER DEFINE_VAR DEFINE_LOCAL DEFINE_ACC VALID SPECIAL NOOP REDUCE_AXIS GEP "
                          "VECTORIZE CAT CAST BITCAST EXP2 LOG2 SIN SQRT RECIP NEG LOAD STORE INDEX WMMA ADD MUL IDIV "
                          "MAX MOD CMPLT CMPNE XOR SHL SHR OR AND THREEFRY SUB FDIV POW WHERE MULACC ASSIGN BIND "
                          "BARRIER RANGE IF ENDRANGE ENDIF VCONST CONST DEVICE MULTI CUSTOM" },
  [FB_RELEASE_0_10_3] = { "v0.10.3", 19,
                          "SINK CONTIGUOUS CONTIGUOUS_BACKWARD DETACH KERNEL UNIQUE COPY BUFFER_VIEW BLOCK BLOCKSTART "
                          "BLOCKEND BLOCKFINAL RESHAPE PERMUTE EXPAND PAD SHRINK FLIP UNROLL CONTRACT VIEW "
                          "DEFINE_GLOBAL BUFFER DEFINE_VAR DEFINE_LOCAL DEFINE_ACC VALID SPECIAL NOOP REDUCE_AXIS "
                          "REDUCE GEP VECTORIZE CAT PTRCAT CAST BITCAST EXP2 LOG2 SIN SQRT RECIP NEG LOAD STORE INDEX "
                          "WMMA ADD MUL SHL SHR IDIV MAX MOD CMPLT CMPNE XOR OR AND THREEFRY SUB FDIV POW WHERE MULACC "
                          "ASSIGN BIND BARRIER RANGE IF ENDRANGE ENDIF VCONST CONST DEVICE MULTI CUSTOM CUSTOMI IGNORE "
                          "FUSE" },
  [FB_RELEASE_0_10_1] = { "v0.10.1", 19,
                          "SINK CONTIGUOUS CONTIGUOUS_BACKWARD DETACH PRELOAD KERNEL EMPTY COPY BUFFER_VIEW BLOCK "
                          "BLOCKSTART BLOCKFORK BLOCKEND RESHAPE PERMUTE EXPAND PAD SHRINK FLIP UNROLL CONTRACT VIEW "
                          "DEFINE_GLOBAL BUFFER DEFINE_VAR DEFINE_LOCAL DEFINE_ACC VALID SPECIAL NOOP REDUCE_AXIS GEP "
                          "VECTORIZE CAST BITCAST EXP2 LOG2 SIN SQRT RECIP NEG LOAD STORE INDEX WMMA ADD MUL IDIV MAX "
                          "MOD CMPLT CMPNE XOR SHL SHR OR AND THREEFRY SUB FDIV WHERE MULACC ASSIGN BIND BARRIER RANGE "
                          "IF ENDRANGE ENDIF VCONST CONST DEVICE MULTI" },
  [FB_RELEASE_0_10_0]
  = { "v0.10.0", 16,
      "SINK CONTIGUOUS PRELOAD COPY EMPTY BUFFER_VIEW EXPAND CONTRACT VIEW DEFINE_GLOBAL BUFFER "
      "DEFINE_VAR DEFINE_LOCAL DEFINE_ACC VALID SPECIAL NOOP REDUCE_AXIS GEP VECTORIZE CAST BITCAST "
      "EXP2 LOG2 SIN SQRT RECIP NEG LOAD WMMA ADD MUL IDIV MAX MOD CMPLT CMPNE XOR SHL SHR OR AND "
      "THREEFRY SUB FDIV WHERE MULACC STORE ASSIGN BIND INDEX BARRIER IF RANGE ENDRANGE ENDIF "
      "VCONST CONST" },
};

#define MAX_OPS 128

/* Parsed once: names are copied NUL-terminated, ops are looked up by name. */
typedef struct
{
  int n;
  const char *names[MAX_OPS];
  guint8 ops[MAX_OPS];
  guint8 values[FB_N_OPS];
} Table;

static const Table *
get_table (int release)
{
  static Table tables[FB_N_RELEASES];
  static gsize ready;

  if (g_once_init_enter (&ready))
    {
      for (int r = 0; r < FB_N_RELEASES; r++)
        {
          g_auto (GStrv) names = g_strsplit (releases[r].ops, " ", MAX_OPS - 1);
          for (int i = 0; names[i]; i++)
            {
              tables[r].names[i + 1] = g_intern_string (names[i]);
              tables[r].ops[i + 1] = (guint8) fb_op_from_name (names[i], -1);
              if (tables[r].ops[i + 1] != FB_OP_NONE)
                tables[r].values[tables[r].ops[i + 1]] = (guint8) (i + 1);
              tables[r].n = i + 1;
            }
        }
      g_once_init_leave (&ready, 1);
    }
  return &tables[release];
}

const char *
fb_release_name (int release)
{
  return releases[release].name;
}

int
fb_release_from_name (const char *name)
{
  for (int r = 0; r < FB_N_RELEASES; r++)
    if (strcmp (releases[r].name, name) == 0 || strcmp (releases[r].name + 1, name) == 0)
      return r;
  return -1;
}

int
fb_release_cache_version (int release)
{
  return releases[release].cache_version;
}

const char *
fb_release_op_name (int release, gint64 value)
{
  const Table *table = get_table (release);
  return value >= 1 && value <= table->n ? table->names[value] : NULL;
}

FbOp
fb_release_op (int release, gint64 value)
{
  const Table *table = get_table (release);
  return value >= 1 && value <= table->n ? table->ops[value] : FB_OP_NONE;
}

int
fb_release_op_value (int release, FbOp op)
{
  return get_table (release)->values[op];
}
