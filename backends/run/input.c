#include "input.h"

#include <math.h>
#include <string.h>

#include "backends/interp/lane.h"
#include "backends/values/values.h"

#include "array-file.h"
#include "fill.h"

static const struct
{
  const char *name;
  guint n_words; /* after it */
} kinds[FB_N_INPUT_KINDS] = {
  [FB_INPUT_FILL] = { "fill", 0 },       [FB_INPUT_CONSTANT] = { "constant", 1 }, [FB_INPUT_RANGE] = { "range", 2 },
  [FB_INPUT_UNIFORM] = { "uniform", 2 }, [FB_INPUT_NORMAL] = { "normal", 2 },     [FB_INPUT_FILE] = { "file", 1 },
};

const char *
fb_input_kind_name (FbInputKind kind)
{
  g_return_val_if_fail (kind < FB_N_INPUT_KINDS, NULL);
  return kinds[kind].name;
}

static void
edit_clear (gpointer data)
{
  g_free (((FbInputEdit *) data)->value);
}

FbInput *
fb_input_new (void)
{
  FbInput *input = g_new0 (FbInput, 1);
  input->edits = g_array_new (FALSE, FALSE, sizeof (FbInputEdit));
  g_array_set_clear_func (input->edits, edit_clear);
  return input;
}

void
fb_input_free (FbInput *input)
{
  if (input == NULL)
    return;
  g_array_unref (input->edits);
  g_free (input->value);
  g_free (input->path);
  g_free (input);
}

void
fb_input_edit (FbInput *input, gint64 element, const char *value)
{
  guint at = 0;
  while (at < input->edits->len && g_array_index (input->edits, FbInputEdit, at).element < element)
    at++;
  if (at < input->edits->len && g_array_index (input->edits, FbInputEdit, at).element == element)
    g_array_remove_index (input->edits, at);
  if (value == NULL)
    return;
  FbInputEdit edit = { element, g_strdup (value) };
  g_array_insert_val (input->edits, at, edit);
}

/* --- text --- */

static gboolean
wrong (GError **error, const char *format, const char *what)
{
  g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT, format, what);
  return FALSE;
}

static gboolean
parse_number (const char *word, double *number, GError **error)
{
  char *end;
  *number = g_ascii_strtod (word, &end);
  return (end != word && *end == '\0' && isfinite (*number)) || wrong (error, "“%s” is no number", word);
}

static gboolean
parse_kind (FbInput *input, char **words, guint n, GError **error)
{
  while (input->kind < FB_N_INPUT_KINDS && strcmp (words[0], kinds[input->kind].name) != 0)
    input->kind++;
  if (input->kind == FB_N_INPUT_KINDS)
    {
      input->kind = FB_INPUT_FILL;
      return wrong (error, "“%s” is none of fill, constant, range, uniform, normal and file", words[0]);
    }
  if (n < 1 + kinds[input->kind].n_words)
    return wrong (error, "there is something missing after “%s”", words[0]);
  switch (input->kind)
    {
    case FB_INPUT_CONSTANT:
      input->value = g_strdup (words[1]);
      return TRUE;
    case FB_INPUT_FILE:
      input->path = g_strdup (words[1]);
      return TRUE;
    case FB_INPUT_FILL:
      return TRUE;
    default:
      return parse_number (words[1], &input->a, error) && parse_number (words[2], &input->b, error);
    }
}

FbInput *
fb_input_parse (const char *text, GError **error)
{
  g_auto (GStrv) words = NULL;
  g_autoptr (FbInput) input = fb_input_new ();
  int n;
  if (!g_shell_parse_argv (text, &n, &words, NULL))
    {
      wrong (error, "“%s” does not say what fills a buffer", text);
      return NULL;
    }
  if (!parse_kind (input, words, (guint) n, error))
    return NULL;
  for (int i = 1 + (int) kinds[input->kind].n_words; i < n; i++)
    {
      char *equals = strchr (words[i], '=');
      gint64 element;
      if (equals != NULL)
        *equals = '\0';
      if (equals == NULL || equals[1] == '\0'
          || !g_ascii_string_to_signed (words[i], 10, 0, G_MAXINT64, &element, NULL))
        {
          wrong (error, "“%s” is no element and its value, as 17=nan is", words[i]);
          return NULL;
        }
      fb_input_edit (input, element, equals + 1);
    }
  return g_steal_pointer (&input);
}

char *
fb_input_print (const FbInput *input)
{
  GString *text = g_string_new (kinds[input->kind].name);
  const char *word = input->kind == FB_INPUT_FILE ? input->path : input->value;
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  if (input->kind == FB_INPUT_FILE || input->kind == FB_INPUT_CONSTANT)
    {
      g_autofree char *quoted = g_shell_quote (word);
      g_string_append_printf (text, " %s", quoted);
    }
  else if (input->kind != FB_INPUT_FILL)
    {
      g_string_append_printf (text, " %s", g_ascii_dtostr (number, sizeof number, input->a));
      g_string_append_printf (text, " %s", g_ascii_dtostr (number, sizeof number, input->b));
    }
  for (guint i = 0; i < input->edits->len; i++)
    {
      const FbInputEdit *edit = &g_array_index (input->edits, FbInputEdit, i);
      g_autofree char *pair = g_strdup_printf ("%" G_GINT64_FORMAT "=%s", edit->element, edit->value);
      g_autofree char *quoted = g_shell_quote (pair);
      g_string_append_printf (text, " %s", quoted);
    }
  return g_string_free (text, FALSE);
}

/* --- filling --- */

/* Uniform in [0, 1), 53 bits. */
static double
random_at (guint64 seed, int ordinal, gint64 i)
{
  return (double) (fb_fill_bits (seed, ordinal, i) >> 11) * 0x1p-53;
}

static double
number_at (const FbInput *input, gboolean whole, guint64 seed, int ordinal, gint64 i)
{
  double x;
  switch (input->kind)
    {
    case FB_INPUT_RANGE:
      return input->a + (double) i * input->b;
    case FB_INPUT_UNIFORM:
      x = input->a + random_at (seed, ordinal, i) * (input->b - input->a);
      return whole ? floor (x) : x;
    default:
      /* Box and Muller: of two uniform numbers, the first never 0 */
      x = sqrt (-2 * log (1 - random_at (seed, ordinal, 2 * i)))
          * cos (2 * G_PI * random_at (seed, ordinal, 2 * i + 1));
      x = input->a + input->b * x;
      return whole ? nearbyint (x) : x;
    }
}

static void
fill_numbers (const FbInput *input, guint type, gint64 n, guint64 seed, int ordinal, guint8 *data)
{
  gboolean is_float = fb_scalar_is_float (type);
  gsize item = fb_scalar_size ((FbScalarType) type);
  for (gint64 i = 0; i < n; i++)
    {
      FbLane lane;
      double x = number_at (input, !is_float, seed, ordinal, i);
      if (is_float)
        lane.f = fb_round (type, x);
      else
        lane.i = fb_wrap (type, (gint64) CLAMP (x, -0x1p62, 0x1p62));
      fb_lane_write (type, data + (gsize) i * item, lane);
    }
}

static gboolean
fill_constant (const FbInput *input, guint type, gint64 n, guint8 *data, GError **error)
{
  gsize item = fb_scalar_size ((FbScalarType) type);
  guint8 value[8];
  if (!fb_value_parse (type, input->value, value))
    {
      g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT, "“%s” is no %s", input->value,
                   fb_scalar_name ((FbScalarType) type));
      return FALSE;
    }
  for (gint64 i = 0; i < n; i++)
    memcpy (data + (gsize) i * item, value, item);
  return TRUE;
}

static gboolean
apply_edits (const FbInput *input, guint type, gint64 n, guint8 *data, GError **error)
{
  gsize item = fb_scalar_size ((FbScalarType) type);
  for (guint i = 0; i < input->edits->len; i++)
    {
      const FbInputEdit *edit = &g_array_index (input->edits, FbInputEdit, i);
      if (edit->element >= n)
        {
          g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT,
                       "there is no element %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT, edit->element, n);
          return FALSE;
        }
      if (!fb_value_parse (type, edit->value, data + (gsize) edit->element * item))
        {
          g_set_error (error, FB_BACKEND_ERROR, FB_BACKEND_ERROR_INPUT, "“%s” is no %s", edit->value,
                       fb_scalar_name ((FbScalarType) type));
          return FALSE;
        }
    }
  return TRUE;
}

/* The array of the file, or of "x.npz#name" and "x.safetensors#name" that array. */
static gboolean
read_file (const char *path, guint type, gint64 n, guint8 *data, GError **error)
{
  static const char *const many[] = { ".npz#", ".safetensors#" };
  for (guint i = 0; i < G_N_ELEMENTS (many); i++)
    {
      const char *found = g_strrstr (path, many[i]);
      if (found == NULL)
        continue;
      const char *name = found + strlen (many[i]);
      g_autofree char *file = g_strndup (path, (gsize) (name - 1 - path));
      return fb_array_read (file, name, type, n, data, error);
    }
  return fb_array_read (path, NULL, type, n, data, error);
}

gboolean
fb_input_apply (const FbInput *input, guint type, gint64 n, guint64 seed, int ordinal, guint8 *data, GError **error)
{
  gboolean done = TRUE;
  switch (input->kind)
    {
    case FB_INPUT_FILL:
      fb_fill (type, n, seed, ordinal, data);
      break;
    case FB_INPUT_CONSTANT:
      done = fill_constant (input, type, n, data, error);
      break;
    case FB_INPUT_FILE:
      done = read_file (input->path, type, n, data, error);
      break;
    default:
      fill_numbers (input, type, n, seed, ordinal, data);
    }
  return done && apply_edits (input, type, n, data, error);
}
