/* Writing JSON by hand into a buffer. */
#pragma once

#include <glib.h>

/* Appends @text as a JSON string, quotes included, ASCII only (others as \uXXXX, as Python's json.dumps does). */
void fb_json_append_string (GString *json, const char *text);
