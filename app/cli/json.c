#include "json.h"

void
fb_json_append_string (GString *json, const char *text)
{
  g_autofree char *repaired = g_utf8_validate (text, -1, NULL) ? NULL : g_utf8_make_valid (text, -1);
  g_string_append_c (json, '"');
  for (const char *p = repaired != NULL ? repaired : text; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      switch (c)
        {
        case '"':
        case '\\':
          g_string_append_c (json, '\\');
          g_string_append_c (json, (char) c);
          break;
        case '\n':
          g_string_append (json, "\\n");
          break;
        case '\r':
          g_string_append (json, "\\r");
          break;
        case '\t':
          g_string_append (json, "\\t");
          break;
        default:
          if (c >= 0x20 && c < 0x7f)
            g_string_append_c (json, (char) c);
          else if (c < 0x10000)
            g_string_append_printf (json, "\\u%04x", c);
          else
            g_string_append_printf (json, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
                                    0xdc00 + ((c - 0x10000) & 0x3ff));
        }
    }
  g_string_append_c (json, '"');
}
