/* Text and keys, identical to Python's. */
#pragma once

#include "context.h"

/* Appends str(uop) (ops.py:213, :266): shared nodes are numbered x0:= in first-visit order. */
void fb_uop_append_text (FbContext *context, FbUop *uop, GString *text);
char *fb_uop_to_text (FbContext *context, FbUop *uop);
/* Appends repr(arg). */
void fb_arg_append_repr (FbContext *context, FbArg arg, GString *text);
/* The arg as a node's own line prints it (ops.py:267). */
void fb_uop_append_argstr (FbContext *context, const FbUop *uop, GString *text);
/* repr of a str, with Python's quotes and escapes; @text is UTF-8 (surrogates escaped on reading). */
void fb_append_str_repr (const char *bytes, gsize len, GString *text);
/* Python's repr of @len bytes: b'M9\x80'. */
char *fb_bytes_repr (const guint8 *bytes, gsize len);
/* ShapeTracker(views=(View(shape=...),)); owned by the context */
const char *fb_st_repr (FbContext *context, const FbShapeTracker *st);
/* Short forms for people: "64×1", "(1, 0)"; a symbolic size prints as its expression. Free with g_free. */
char *fb_dims_to_display (FbContext *context, const FbDims *dims, const char *separator);
/* A symbolic expression as infix text, "(i+1)" (ops.py:672 render, not simplified). */
char *fb_uop_render (FbContext *context, FbUop *uop);

/* SHA-256 of (op, dtype, arg) and the sources' keys (ops.py:264): 32 bytes, memoised, owned by the context. */
const guint8 *fb_uop_key (FbContext *context, FbUop *uop);
/* Its first 16 hex digits, as traces and the command line name nodes; @out has room for 17 bytes. */
const char *fb_uop_key_hex (FbContext *context, FbUop *uop, char out[17]);
