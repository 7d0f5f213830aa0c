/* What SVG looks like, and text for XML. */
#include "export-private.h"

void
fb_xml_append (GString *out, const char *text)
{
  for (const char *p = text; *p; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char_validated (p, -1);
      if (c == (gunichar) -1 || c == (gunichar) -2)
        {
          g_string_append (out, "\xef\xbf\xbd");
          /* bytes that are no UTF-8 are stepped over singly */
          while ((guint8) p[1] >= 0x80 && (guint8) p[1] < 0xc0)
            p++;
          continue;
        }
      switch (c)
        {
        case '&':
          g_string_append (out, "&amp;");
          break;
        case '<':
          g_string_append (out, "&lt;");
          break;
        case '>':
          g_string_append (out, "&gt;");
          break;
        case '"':
          g_string_append (out, "&quot;");
          break;
        default:
          if ((c < 0x20 && c != '\n' && c != '\t') || (c >= 0xd800 && c < 0xe000) || c == 0xfffe || c == 0xffff)
            g_string_append (out, "\xef\xbf\xbd");
          else
            g_string_append_unichar (out, c);
        }
    }
}

static void
rule (GString *out, gboolean dark, const char *selector, const char *property, FbColor color, const char *more)
{
  g_string_append_printf (out, "%s{%s:#%06x%s%s}\n", selector, property, fb_color_rgb (color, dark), more ? ";" : "",
                          more ? more : "");
}

void
fb_export_append_style (GString *out, gboolean dark)
{
  static const FbMark marks[] = { FB_MARK_SAME, FB_MARK_REPLACED, FB_MARK_NEW, FB_MARK_REBUILT, FB_MARK_GONE };
  static const char *const lines[]
      = { NULL, "stroke-dasharray:4 3", "stroke-width:1.5", NULL, "stroke-dasharray:1.5 2" };

  g_string_append (out,
                   "text{font-family:monospace;white-space:pre}\n"
                   ".op{font-size:12px;font-weight:bold}\n.arg,.type{font-size:11px}\n"
                   ".edge,.stub,.becomes,.strike,.sign{fill:none}\n.sign{stroke-width:1.6;stroke-linecap:round}\n");
  rule (out, dark, ".op,.arg", "fill", FB_COLOR_TEXT, NULL);
  rule (out, dark, ".type,.gone text", "fill", FB_COLOR_DIM, NULL);
  rule (out, dark, ".chip", "fill", FB_COLOR_CHIP, NULL);
  rule (out, dark, ".pill", "stroke", FB_COLOR_CARD_LINE, "fill:none");
  rule (out, dark, ".ring", "stroke", FB_COLOR_ACCENT, "fill:none;stroke-width:2");
  rule (out, dark, ".edge", "stroke", FB_COLOR_EDGE, "stroke-width:1.25");
  rule (out, dark, ".stub", "stroke", FB_COLOR_EDGE, "stroke-width:1.5;stroke-dasharray:1.5 2.5");
  rule (out, dark, ".head", "fill", FB_COLOR_EDGE, NULL);
  rule (out, dark, ".edge.new", "stroke", FB_COLOR_NEW, "stroke-width:1.75");
  rule (out, dark, ".head.new", "fill", FB_COLOR_NEW, NULL);
  rule (out, dark, ".edge.replaced", "stroke", FB_COLOR_REPLACED, "stroke-dasharray:4 3");
  rule (out, dark, ".head.replaced", "fill", FB_COLOR_REPLACED, NULL);
  rule (out, dark, ".becomes", "stroke", FB_COLOR_TEXT, "stroke-width:1.5");
  rule (out, dark, ".becomes-head", "fill", FB_COLOR_TEXT, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (marks); i++)
    {
      g_autofree char *card = g_strdup_printf (".%s>.card", fb_mark_name (marks[i]));
      g_autofree char *fill = g_strdup_printf (".%s>.mark", fb_mark_name (marks[i]));
      g_autofree char *strike = g_strdup_printf (".%s>.strike", fb_mark_name (marks[i]));
      rule (out, dark, card, "fill", fb_color_tint_of_mark (marks[i]), NULL);
      rule (out, dark, card, "stroke", fb_color_of_mark (marks[i]), lines[i]);
      if (marks[i] == FB_MARK_SAME)
        continue;
      gboolean filled = marks[i] == FB_MARK_REPLACED || marks[i] == FB_MARK_NEW;
      rule (out, dark, fill, filled ? "fill" : "stroke", fb_color_of_mark (marks[i]),
            filled ? NULL : "fill:none;stroke-width:1.5");
      g_autofree char *chip = g_strdup_printf (".%s>.chip", fb_mark_name (marks[i]));
      if (marks[i] != FB_MARK_GONE)
        rule (out, dark, chip, "fill", fb_color_of_mark (marks[i]), "fill-opacity:.15");
      g_autofree char *sign = g_strdup_printf (".%s>.sign", fb_mark_name (marks[i]));
      rule (out, dark, sign, "stroke", filled ? FB_COLOR_ON_MARK : fb_color_of_mark (marks[i]), NULL);
      rule (out, dark, strike, "stroke", fb_color_of_mark (marks[i]), "stroke-width:1.5");
    }
  for (int kind = 0; kind < FB_N_KINDS; kind++)
    {
      g_autofree char *selector = g_strdup_printf (".%s", fb_color_name (fb_color_of_kind ((FbOpKind) kind)));
      rule (out, dark, selector, "fill", fb_color_of_kind ((FbOpKind) kind), NULL);
    }
  for (guint32 kernel = 1; kernel <= 3; kernel++)
    {
      g_autofree char *card = g_strdup_printf (".k%u>.card,.k%u>.more", kernel, kernel);
      g_autofree char *cells = g_strdup_printf (".k%u>.cells", kernel);
      g_autofree char *line = g_strdup_printf (".frame-line.f%u,.op.f%u", kernel, kernel);
      g_autofree char *inside = g_strdup_printf (".frame.f%u", kernel);
      rule (out, dark, line, "fill", fb_color_of_kernel (kernel), NULL);
      rule (out, dark, inside, "fill", fb_color_fill_of_kernel (kernel), NULL);
      g_autofree char *stored = g_strdup_printf (".k%u.realized>.card", kernel);
      rule (out, dark, card, "stroke", fb_color_of_kernel (kernel), NULL);
      rule (out, dark, cells, "stroke", fb_color_of_kernel (kernel), "fill:none;stroke-width:1.5");
      g_string_append_printf (out, "%s{stroke-width:2}\n", stored);
    }
  rule (out, dark, ".triangle", "fill", FB_COLOR_TEXT, NULL);
  rule (out, dark, ".more", "stroke", FB_COLOR_CARD_LINE, NULL);
}
