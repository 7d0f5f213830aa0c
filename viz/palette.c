#include "palette.h"

static const struct
{
  const char *name;
  guint32 light, dark;
} colors[FB_N_COLORS] = {
#define X(token, name, light, dark) [FB_COLOR_##token] = { name, light, dark },
  FB_FOR_EACH_COLOR (X)
#undef X
};

/* kinds and their colours stand in the same order */
G_STATIC_ASSERT (FB_COLOR_KIND_KERNEL - FB_COLOR_KIND_BUFFER == (int) FB_KIND_KERNEL - (int) FB_KIND_BUFFER);
G_STATIC_ASSERT (FB_COLOR_KIND_MOVEMENT - FB_COLOR_KIND_BUFFER == (int) FB_KIND_MOVEMENT);

guint32
fb_color_rgb (FbColor color, gboolean dark)
{
  g_return_val_if_fail (color < FB_N_COLORS, 0);
  return dark ? colors[color].dark : colors[color].light;
}

const char *
fb_color_name (FbColor color)
{
  g_return_val_if_fail (color < FB_N_COLORS, NULL);
  return colors[color].name;
}

FbColor
fb_color_of_kind (FbOpKind kind)
{
  return kind < FB_N_KINDS ? (FbColor) (FB_COLOR_KIND_BUFFER + (int) kind) : FB_COLOR_KIND_ALU;
}

FbColor
fb_color_of_mark (FbMark mark)
{
  switch (mark)
    {
    case FB_MARK_REPLACED:
      return FB_COLOR_REPLACED;
    case FB_MARK_NEW:
      return FB_COLOR_NEW;
    case FB_MARK_REBUILT:
      return FB_COLOR_REBUILT;
    case FB_MARK_GONE:
      return FB_COLOR_DIM;
    case FB_MARK_SAME:
      break;
    }
  return FB_COLOR_CARD_LINE;
}

FbColor
fb_color_tint_of_mark (FbMark mark)
{
  switch (mark)
    {
    case FB_MARK_REPLACED:
      return FB_COLOR_REPLACED_TINT;
    case FB_MARK_NEW:
      return FB_COLOR_NEW_TINT;
    case FB_MARK_REBUILT:
      return FB_COLOR_REBUILT_TINT;
    case FB_MARK_GONE:
      return FB_COLOR_CANVAS;
    case FB_MARK_SAME:
      break;
    }
  return FB_COLOR_CARD;
}

FbColor
fb_color_of_kernel (guint32 number)
{
  return (FbColor) (FB_COLOR_KERNEL_1 + 2 * ((number + 2) % 3));
}

FbColor
fb_color_fill_of_kernel (guint32 number)
{
  return (FbColor) (FB_COLOR_KERNEL_1_FILL + 2 * ((number + 2) % 3));
}

const char *
fb_mark_name (FbMark mark)
{
  static const char *const names[] = { "same", "replaced", "new", "rebuilt", "gone" };
  return (guint) mark < G_N_ELEMENTS (names) ? names[mark] : "?";
}

char *
fb_palette_to_css (gboolean dark)
{
  GString *css = g_string_new (NULL);
  for (int i = 0; i < FB_N_COLORS; i++)
    g_string_append_printf (css, "@define-color fb_%s #%06x;\n", colors[i].name, fb_color_rgb ((FbColor) i, dark));
  return g_string_free (css, FALSE);
}
