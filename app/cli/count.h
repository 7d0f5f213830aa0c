/* Numbers as the window and the command line write them. */
#pragma once

#include <glib.h>

/* "4,096": with a comma from 1,000 on, whatever the locale. Good until the same thread has asked 16 times more. */
const char *fb_count (gint64 number);
