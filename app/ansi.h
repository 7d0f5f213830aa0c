/* Names as tinygrad writes them for terminals: escape sequences colour their parts. */
#pragma once

#include <pango/pango.h>

/* The colours of @name, for the text that fb_viz_plain_name() makes of it. Of the escape sequences those that colour count, in their 16
 * colours, which become those of the palette that read well on a list. Free with pango_attr_list_unref. */
PangoAttrList *fb_ansi_attributes (const char *name, gboolean dark);
