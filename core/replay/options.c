#include "options.h"

#include <gio/gio.h>
#include <string.h>

/* What of FbOptions has which name, and the values that mean something. */
static const struct
{
  const char *name;
  guint offset, size;
  gint64 least, most;
} known[] = {
#define KNOWN(name, field, least, most)                                                      \
  {                                                                                          \
    name, G_STRUCT_OFFSET (FbOptions, field), sizeof (((FbOptions *) 0)->field), least, most \
  }
  KNOWN ("DONT_REALIZE_EXPAND", dont_realize_expand, 0, 1),
  KNOWN ("FUSE_ARANGE", fuse_arange, 0, 1),
  KNOWN ("FUSE_CONV_BW", fuse_conv_bw, 0, 1),
  KNOWN ("IMAGE", image, 0, 2),
  KNOWN ("MERGE_VIEW", merge_view, 0, 1),
  KNOWN ("REDUCEOP_SPLIT_SIZE", reduceop_split_size, 0, 62),
  KNOWN ("REDUCEOP_SPLIT_THRESHOLD", reduceop_split_threshold, 0, (gint64) 1 << 61),
  KNOWN ("SPLIT_REDUCEOP", split_reduceop, 0, 1),
#undef KNOWN
};

char *
fb_replay_options_names (void)
{
  GString *names = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (known); i++)
    g_string_append_printf (names, "%s%s", i ? ", " : "", known[i].name);
  return g_string_free (names, FALSE);
}

static void
set_option (GArray *options, const char *name, gint64 value)
{
  FbReplayOption added = { name, value };
  guint i = 0;

  while (i < options->len && strcmp (g_array_index (options, FbReplayOption, i).name, name) < 0)
    i++;
  if (i < options->len && g_array_index (options, FbReplayOption, i).name == name)
    g_array_index (options, FbReplayOption, i).value = value;
  else
    g_array_insert_val (options, i, added);
}

gboolean
fb_replay_options_parse (GArray *options, const char *text, GError **error)
{
  const char *equals = strchr (text, '=');
  g_autofree char *names = NULL;
  gint64 value;

  for (guint i = 0; equals && i < G_N_ELEMENTS (known); i++)
    {
      if (strlen (known[i].name) != (gsize) (equals - text) || !g_str_has_prefix (text, known[i].name))
        continue;
      if (!g_ascii_string_to_signed (equals + 1, 10, known[i].least, known[i].most, &value, NULL))
        {
          g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                       "%s is a number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", not “%s”", known[i].name,
                       known[i].least, known[i].most, equals + 1);
          return FALSE;
        }
      set_option (options, known[i].name, value);
      return TRUE;
    }
  names = fb_replay_options_names ();
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               "“%s” is not NAME=VALUE of an option of the scheduler (%s)", text, names);
  return FALSE;
}

void
fb_replay_options_apply (const GArray *options, FbContext *context)
{
  guint8 *target = (guint8 *) fb_context_options (context);

  for (guint i = 0; i < options->len; i++)
    for (guint k = 0; k < G_N_ELEMENTS (known); k++)
      if (known[k].name == g_array_index (options, FbReplayOption, i).name)
        {
          gint64 value = g_array_index (options, FbReplayOption, i).value;
          if (known[k].size == sizeof (gint64))
            memcpy (target + known[k].offset, &value, sizeof value);
          else
            memcpy (target + known[k].offset, &(int){ (int) value }, sizeof (int));
        }
}

gint64
fb_replay_option_value (FbContext *context, const char *name)
{
  const guint8 *options = (const guint8 *) fb_context_options (context);

  for (guint k = 0; k < G_N_ELEMENTS (known); k++)
    if (strcmp (known[k].name, name) == 0)
      {
        gint64 wide;
        int narrow;

        memcpy (&narrow, options + known[k].offset, sizeof narrow);
        if (known[k].size == sizeof narrow)
          return narrow;
        memcpy (&wide, options + known[k].offset, sizeof wide);
        return wide;
      }
  return 0;
}

gboolean
fb_replay_options_equal (const GArray *a, const GArray *b)
{
  gboolean equal = a->len == b->len;

  for (guint i = 0; equal && i < a->len; i++)
    equal = g_array_index (a, FbReplayOption, i).name == g_array_index (b, FbReplayOption, i).name
            && g_array_index (a, FbReplayOption, i).value == g_array_index (b, FbReplayOption, i).value;
  return equal;
}
