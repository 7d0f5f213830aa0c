/* What the files that write products as C share. */
#pragma once

#include "cpu-private.h"

typedef struct
{
  FbSource *source;
  const FbProduct *product;
  const char *type;
  gint64 granule, width, row_width; /* elements: of two vectors, from row to row of the panels */
  guint64 *vars;                    /* of each instruction: what its value depends on */
  guint64 lane_vars;
  guint number;
} FbPanels;

/* Appends a line. */
void fb_cpu_line (FbPanels *p, guint indent, const char *format, ...) G_GNUC_PRINTF (3, 4);
/* Sets .vars. The product's sum has all variables of the root. */
void fb_cpu_find_panel_vars (FbPanels *p);
/* Appends the instructions of @cone, those that depend on variables of the lanes or those that do not. */
void fb_cpu_append_cone (FbPanels *p, const gboolean *cone, gboolean of_lanes, guint indent);
/* Appends @head, the value of instruction @number, @tail. */
void fb_cpu_append_assignment (FbPanels *p, guint indent, const char *head, guint number, const char *tail);
/* Appends "const i64 i2 = @from / 3136l % 56l;" for each of @axes but the last @n. */
void fb_cpu_append_axes (FbPanels *p, const FbAxes *axes, guint n, const char *from, guint indent);
/* Appends for the lanes from @first to @end the instructions of @cone for each, and to[l] = @value; G_MAXUINT: what is done
 * with the sums. */
void fb_cpu_append_lanes (FbPanels *p, const gboolean *cone, guint value, const char *first, const char *end,
                          guint indent);
