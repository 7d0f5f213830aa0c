/* What a buffer that kernels read holds before a run, as a person says it.
 *
 * As text: words, quoted as a shell does where they hold blanks. First what fills it, then elements that were edited, "17=nan":
 *   fill             the fill rule (fill.h)
 *   constant X       every element
 *   range A D        A, A + D, A + 2D …
 *   uniform A B      random from A up to B, without B; integers are whole
 *   normal M S       random about M with standard deviation S
 *   file PATH        the array in that .npy, .npz or .safetensors; PATH#NAME: the one of that name */
#pragma once

#include <glib.h>

typedef enum
{
  FB_INPUT_FILL,
  FB_INPUT_CONSTANT,
  FB_INPUT_RANGE,
  FB_INPUT_UNIFORM,
  FB_INPUT_NORMAL,
  FB_INPUT_FILE,
  FB_N_INPUT_KINDS
} FbInputKind;

typedef struct
{
  gint64 element;
  char *value; /* as fb_value_parse() reads it */
} FbInputEdit;

typedef struct
{
  FbInputKind kind;
  char *value; /* of a constant, as fb_value_parse() reads it */
  double a, b; /* the two numbers of a range, uniform or normal */
  char *path;
  GArray *edits; /* of FbInputEdit, by element */
} FbInput;

/* "fill", "constant"; static. */
const char *fb_input_kind_name (FbInputKind kind);
/* The fill rule. */
FbInput *fb_input_new (void);
/* NULL: @text is none; the error says why. */
FbInput *fb_input_parse (const char *text, GError **error);
/* Its text; free with g_free. */
char *fb_input_print (const FbInput *input);
/* Edits @element; NULL: no more. */
void fb_input_edit (FbInput *input, gint64 element, const char *value);
void fb_input_free (FbInput *input);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FbInput, fb_input_free)

/* Fills @n elements of @type at @data. FALSE: a file that cannot be read, a value or an element that the buffer does not have. */
gboolean fb_input_apply (const FbInput *input, guint type, gint64 n, guint64 seed, int ordinal, guint8 *data,
                         GError **error);
