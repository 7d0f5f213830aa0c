#include "app/step-position.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "app/cli/count.h"

int
fb_step_position_compare (const FbStepPosition *a, const FbStepPosition *b)
{
  if (a->pass != b->pass)
    return a->pass < b->pass ? -1 : 1;
  return a->step < b->step ? -1 : a->step > b->step;
}

guint
fb_step_position_to_index (const FbRowView *row, FbStepPosition position)
{
  if (!row->n_passes)
    return 0;
  guint pass = MIN (position.pass, row->n_passes - 1);
  return fb_row_view_position (row, pass, MIN (position.step, row->passes[pass].n_steps));
}

FbStepPosition
fb_step_position_from_index (const FbRowView *row, guint index)
{
  FbStepPosition position;
  fb_row_view_locate (row, index, &position.pass, &position.step);
  return position;
}

gboolean
fb_step_position_exists (const FbRowView *row, FbStepPosition position)
{
  return position.pass < row->n_passes && position.step <= row->passes[position.pass].n_steps;
}

/* --- text --- */

/* The first pass of kernel @kernel, rather one with steps; n_passes: none. */
static guint
find_kernel (const FbRowView *row, guint64 kernel)
{
  guint found = row->n_passes;
  for (guint i = 0; i < row->n_passes; i++)
    if (row->passes[i].kernel == kernel)
      {
        if (row->passes[i].n_steps)
          return i;
        found = MIN (found, i);
      }
  return found;
}

static guint
find_pass (const FbRowView *row, const char *name)
{
  guint64 number;
  if (g_ascii_string_to_unsigned (name, 10, 1, row->n_passes, &number, NULL))
    return (guint) number - 1;
  const char *kernel = g_str_has_prefix (name, "kernel ") ? name + strlen ("kernel ") : NULL;
  if (kernel && g_ascii_string_to_unsigned (kernel, 10, 1, G_MAXUINT, &number, NULL))
    return find_kernel (row, number);
  for (guint i = 0; i < row->n_passes; i++)
    if (!g_ascii_strcasecmp (row->passes[i].pass->title, name))
      return i;
  return row->n_passes;
}

static void complain (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static void
complain (GError **error, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, message);
}

gboolean
fb_step_position_parse (const FbRowView *row, const char *text, FbStepPosition *position, GError **error)
{
  g_autofree char *copy = g_strstrip (g_strdup (text));
  char *colon = strrchr (copy, ':');
  guint64 number;
  if (!row->n_passes)
    {
      complain (error, "%s", _ ("This row has no steps"));
      return FALSE;
    }
  if (!colon && g_ascii_string_to_unsigned (copy, 10, 0, G_MAXUINT, &number, NULL))
    {
      if (number > row->n_steps)
        {
          complain (error, ngettext ("There is %s rewrite", "There are %s rewrites", row->n_steps),
                    fb_count (row->n_steps));
          return FALSE;
        }
      *position = fb_step_position_from_index (row, (guint) number);
      return TRUE;
    }
  const char *step = "0";
  if (colon)
    {
      *colon = '\0';
      step = g_strstrip (colon + 1);
    }
  FbStepPosition found = { find_pass (row, g_strstrip (copy)), 0 };
  if (found.pass == row->n_passes)
    {
      complain (error, ngettext ("There is %s pass, none is “%s”", "There are %s passes, none is “%s”", row->n_passes),
                fb_count (row->n_passes), copy);
      return FALSE;
    }
  const FbPassView *pass = &row->passes[found.pass];
  if (!g_ascii_string_to_unsigned (step, 10, 0, pass->n_steps, &number, NULL))
    {
      g_autofree char *title = fb_pass_view_title (pass);
      /* Translators: title of a pass, number of its steps */
      complain (error, ngettext ("%s has %s step", "%s has %s steps", pass->n_steps), title, fb_count (pass->n_steps));
      return FALSE;
    }
  found.step = (guint) number;
  *position = found;
  return TRUE;
}

char *
fb_step_position_to_text (FbStepPosition position)
{
  return g_strdup_printf ("%u:%u", position.pass + 1, position.step);
}
