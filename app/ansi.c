#include "app/ansi.h"

#include <stdlib.h>
#include <string.h>

#include "viz/palette.h"

/* By what a terminal calls them: black, red, green, yellow, blue, magenta, cyan, white. Bright ones are the same in bold, but for bright
 * black, which is how terminals write grey. */
static const FbColor colors[] = { FB_COLOR_TEXT,        FB_COLOR_REPLACED,    FB_COLOR_NEW,       FB_COLOR_REBUILT,
                                  FB_COLOR_KIND_BUFFER, FB_COLOR_KIND_REDUCE, FB_COLOR_KIND_LOAD, FB_COLOR_TEXT };

typedef struct
{
  int color; /* 30 to 37, 90 to 97; 0: none */
  guint from;
} Run;

static void
add_run (PangoAttrList *list, const Run *run, guint to, gboolean dark)
{
  gboolean grey = run->color == 90, bright = run->color >= 90;
  guint32 rgb;
  PangoAttribute *attribute;

  if (!run->color || run->from == to)
    return;
  rgb = fb_color_rgb (grey ? FB_COLOR_DIM : colors[run->color % 10], dark);
  attribute = pango_attr_foreground_new ((guint16) ((rgb >> 16 & 0xff) * 257), (guint16) ((rgb >> 8 & 0xff) * 257),
                                         (guint16) ((rgb & 0xff) * 257));
  attribute->start_index = run->from;
  attribute->end_index = to;
  pango_attr_list_insert (list, attribute);
  if (!bright || grey)
    return;
  attribute = pango_attr_weight_new (PANGO_WEIGHT_BOLD);
  attribute->start_index = run->from;
  attribute->end_index = to;
  pango_attr_list_insert (list, attribute);
}

/* The colour after the numbers of a sequence, "1;31". */
static int
color_after (const char *numbers, gsize len, int color)
{
  g_autofree char *text = g_strndup (numbers, len);
  g_auto (GStrv) parts = g_strsplit (text, ";", -1);

  for (char **part = parts; *part; part++)
    {
      int number = atoi (*part);

      if ((number >= 30 && number <= 37) || (number >= 90 && number <= 97))
        color = number;
      else if (number == 0 || number == 39)
        color = 0;
    }
  return len ? color : 0;
}

PangoAttrList *
fb_ansi_attributes (const char *name, gboolean dark)
{
  PangoAttrList *list = pango_attr_list_new ();
  Run run = { 0, 0 };
  guint at = 0;

  while (*name)
    {
      gsize len;

      if (name[0] != '\x1b' || name[1] != '[')
        {
          name++;
          at++;
          continue;
        }
      len = strspn (name + 2, "0123456789;");
      add_run (list, &run, at, dark);
      run = (Run){ name[2 + len] == 'm' ? color_after (name + 2, len, run.color) : run.color, at };
      name += 2 + len;
      name += *name != '\0';
    }
  add_run (list, &run, at, dark);
  return list;
}
