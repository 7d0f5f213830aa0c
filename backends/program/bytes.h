/* A program as bytes, for a child process that is the same program as ours: without the nodes it is made of. */
#pragma once

#include "program.h"

void fb_program_write (const FbProgram *program, GByteArray *into);
/* Reads one and moves *@at behind it. NULL: the bytes end before it does, or say what no program has. Free with fb_program_free. */
FbProgram *fb_program_read (const guint8 **at, const guint8 *end);
