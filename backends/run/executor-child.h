/* The child's side of executor.h: it is asked through standard input and answers there, and ends when that is closed. */
#pragma once

#include <glib.h>

gint64 fb_child_read_number (void);
void fb_child_read (void *data, gsize size);
/* The answer: nanoseconds, or another number that is not negative. */
void fb_child_answer (gint64 answer);
/* Answers with what went wrong, and ends. */
G_NORETURN void fb_child_fail (const char *format, ...) G_GNUC_PRINTF (1, 2);
/* The plan's memory, of @size bytes as text. */
guint8 *fb_child_map_memory (const char *size, gsize *bytes);
/* What else the child was given, mapped for good; not terminated. */
const guint8 *fb_child_map_given (gsize *size);
