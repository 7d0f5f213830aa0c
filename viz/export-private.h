/* What writing of pictures and reports shares. */
#pragma once

#include "export.h"

/* Appends text for XML or HTML: escaped, and without the characters that XML has no way to hold. */
void fb_xml_append (GString *out, const char *text);
/* Appends the rules that pictures made with `bare` need, for one theme. */
void fb_export_append_style (GString *out, gboolean dark);
