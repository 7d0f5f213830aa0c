/* Between the parts of the pickle machine: machine.c runs the opcodes that pickle writes today, machine-rare.c those of
 * old protocols and those that are refused. forms.c, form-value.c and form-option.c take as wholes what is always written
 * alike: nodes, their args, the options of a capture. */
#pragma once

#include <string.h>

#include "opcodes.h"
#include "pickle-private.h"

/* The state of the machine, as its parts hand it to each other. */
typedef struct
{
  const guint8 *p;     /* the opcode to run next */
  const guint8 *limit; /* the end of the frame, or of the pickle */
  const guint8 *end;   /* of the pickle */
  FbValue *sp, *fence; /* the top of the stack; values below the last mark are out of reach */
  FbValue *memo_at;    /* memo entries below are in use */
  FbValue *memo_end;   /* MEMOIZE may append below it; it is memo_at when there are gaps */
  gboolean framed;     /* within a frame */
  const guint8 *edge;  /* of forms: see fb_form_set_edge() */
} FbMachine;

static inline guint64
fb_read_le (const guint8 *p, guint n)
{
  guint64 value = 0;

  memcpy (&value, p, n);
  return GUINT64_FROM_LE (value);
}

/* machine-state.c: each returns FALSE with the error set. */
gboolean fb_machine_grow_stack (FbPickle *pickle);
gboolean fb_machine_push_mark (FbPickle *pickle, gsize height);
void fb_machine_load_memo (const FbPickle *pickle, FbMachine *machine);
/* PUT: @index may leave a gap. The memo may move. */
gboolean fb_machine_put (FbPickle *pickle, FbMachine *machine, guint64 index);
/* GET of an entry that is not there as a value: makes the tuple of sources that it stands for, or fails. */
gboolean fb_machine_get_slow (FbPickle *pickle, const FbMachine *machine, FbValue *entry, guint64 index) FB_COLD;
/* SETITEM, APPEND and the like. */
gboolean fb_machine_put_items (FbPickle *pickle, const FbValue *target, guint32 n, const FbValue *items,
                               gboolean pairs);
gboolean fb_machine_find_global (FbPickle *pickle, const char *module, gsize module_len, const char *name,
                                 gsize name_len, FbValue *value);
gboolean fb_machine_fail_truncated (FbPickle *pickle, const FbMachine *machine) FB_COLD;
gboolean fb_machine_fail_underflow (FbPickle *pickle) FB_COLD;

/* machine-rare.c: runs the opcode at pickle->at, behind which machine->p is. */
gboolean fb_machine_run_rare (FbPickle *pickle, FbMachine *machine) FB_COLD;

/* The forms below begin at machine->p and stop before the first opcode that is not as expected: the machine goes on
 * there, as if it had run the opcodes before itself. FALSE with the error set. */

/* forms.c: nodes with their sources and args, from the MARK behind a UOp class or behind a node. */
gboolean fb_form_nodes (FbPickle *pickle, FbMachine *machine);
/* How a node of the class at memo entry @index begins, see FbPickle: the entries of its op and dtype are bytes 4 and 6. */
#define FB_FORM_NODE_MASK G_GUINT64_CONSTANT (0x0000ff00ffffffff)
static inline guint64
fb_form_node_begin (guint64 index)
{
  return OP_BINGET | index << 8 | OP_MARK << 16 | (guint64) OP_BINGET << 24 | (guint64) OP_BINGET << 40;
}
/* form-option.c: the options of a capture, from behind the NEWOBJ of the first. */
gboolean fb_form_options (FbPickle *pickle, FbMachine *machine);

/* Where a form is while it is not known to be one: nothing is changed but free memory. */
typedef struct
{
  const guint8 *p;
  FbValue *memo_at;
} FbFormCursor;

/* Bytes that a step of a form looks ahead without asking for the end of the frame, values that it pushes, memo entries
 * that it makes before the next step asks. */
#define FB_FORM_AHEAD 32
#define FB_FORM_ROOM 8

/* Sets where the last step of a form may begin. What is pushed and memoized takes a byte each, so one limit tells whether
 * there are bytes, and room on the stack and in the memo. */
static inline void
fb_form_set_edge (const FbPickle *pickle, FbMachine *machine)
{
  gssize room = MIN (pickle->stack_end - machine->sp, machine->memo_end - machine->memo_at) - FB_FORM_ROOM;

  machine->edge = machine->p + MIN (room, machine->limit - machine->p - FB_FORM_AHEAD);
}

/* May a step begin here? */
static inline gboolean
fb_form_can (const FbMachine *machine, const guint8 *p)
{
  return p <= machine->edge;
}

/* What the GET at the cursor gets from @memo, and the cursor behind it; NULL when it is something else or not there as a value. 5
 * bytes must be there. */
static inline const FbValue *
fb_form_get (const FbValue *memo, FbFormCursor *at)
{
  const guint8 *p = at->p;
  const FbValue *value;
  guint size = 2;

  if (p[0] == OP_BINGET)
    value = memo + p[1];
  else if (p[0] == OP_LONG_BINGET)
    {
      value = memo + fb_read_le (p + 1, 4);
      size = 5;
    }
  else
    return NULL;
  if (value >= at->memo_at || value->kind >= FB_VALUE_UNSET)
    return NULL;
  at->p = p + size;
  return value;
}

static inline gboolean
fb_form_is_class (const FbValue *value, FbClassId id)
{
  return value && value->kind == FB_VALUE_CLASS && value->class->id == id;
}

/* An object without arguments that will have a dict as its state, with room for @n_items values in it. @none: (). */
static inline void
fb_form_init_object (FbStateCell *cell, const FbClass *class, FbTupleCell *none, guint32 n_items)
{
  cell->object = (FbObjectCell){ .class = class };
  fb_value_set_pointer (&cell->object.args, FB_VALUE_TUPLE, none);
  fb_value_set (&cell->object.state, FB_VALUE_NONE, 0);
  cell->dict = (FbListCell){ .allocated = n_items, .items = cell->items };
}

static inline FbStateCell *
fb_form_new_object (FbPickle *pickle, const FbClass *class, guint32 n_items)
{
  FbStateCell *cell = fb_pickle_alloc (pickle, sizeof *cell + sizeof (FbValue) * n_items);
  FbTupleCell *none = fb_pickle_new_tuple (pickle, 0, NULL);

  if (!cell || !none)
    return NULL;
  fb_form_init_object (cell, class, none, n_items);
  return cell;
}

/* form-value.c: an arg, or a part of one: a value got, a number, a tuple of such, a shape tracker. FALSE when it is none,
 * with the error set when it is refused. */
gboolean fb_form_value (FbPickle *pickle, const FbMachine *machine, FbFormCursor *at, FbValue *value);
