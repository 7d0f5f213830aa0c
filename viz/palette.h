/* Every colour, by what it means; light and dark. The window's style sheet, the canvas and the exporters read it here. */
#pragma once

#include "core/rewrite/step.h"

/* Token, name in style sheets, light, dark. */
#define FB_FOR_EACH_COLOR(X)                                                                          \
  X (WINDOW, "window", 0xfafafa, 0x242426)             /* panels */                                   \
  X (HEADER, "header", 0xebebed, 0x303033)             /* header bar */                               \
  X (VIEW, "view", 0xffffff, 0x1e1e20)                 /* tables, code, drawer */                     \
  X (CANVAS, "canvas", 0xf4f4f6, 0x1b1b1d)             /* ground of the graph */                      \
  X (CARD, "card", 0xffffff, 0x2f2f33)                 /* fill of a card */                           \
  X (CARD_HOVER, "card_hover", 0xefeff1, 0x313135)     /* fill of the card under the pointer */       \
  X (CHIP, "chip", 0xe9e9ed, 0x434349)                 /* a folded constant */                        \
  X (TEXT, "text", 0x2f2f33, 0xf0f0f2)                 /* everything to be read */                    \
  X (DIM, "dim", 0x5c5b63, 0xb3b2ba)                   /* labels, dtype and shape */                  \
  X (BORDER, "border", 0xd8d7dc, 0x3d3d42)             /* panel lines */                              \
  X (CARD_LINE, "card_line", 0x8e8c97, 0x6d6c75)       /* outline of a card */                        \
  X (EDGE, "edge", 0x85838d, 0x8a8993)                 /* arrows */                                   \
  X (ROW_SELECTED, "row_selected", 0xdbe8f8, 0x26384f) /* selection in lists */                       \
  X (PRESSED, "pressed", 0xe2e2e6, 0x3a3a3f)           /* toggled or filled button */                 \
  X (ACCENT, "accent", 0x1a66c2, 0x84b6f4)             /* selection, position, link, deciding edge */ \
  X (NEW, "new", 0x17723f, 0x6fd097)                   /* new node or edge, added line, graph grew */ \
  X (NEW_TINT, "new_tint", 0xe3f4ea, 0x1d3a2a)                                                        \
  X (REPLACED, "replaced", 0xb81c28, 0xff9389) /* replaced node or edge, removed line, shrank */      \
  X (REPLACED_TINT, "replaced_tint", 0xfbe8e9, 0x452729)                                              \
  X (REBUILT, "rebuilt", 0x8a5200, 0xf0b95f) /* same op, new sources */                               \
  X (REBUILT_TINT, "rebuilt_tint", 0xfdf0d9, 0x3d321d)                                                \
  X (ON_MARK, "on_mark", 0xffffff, 0x1b1b1d) /* the sign inside a filled mark */                      \
  X (HEAT_0, "heat_0", 0xe4e4e9, 0x2e2e33)   /* heat strip, histogram (3), minimap (2) */             \
  X (HEAT_1, "heat_1", 0xc3c6cf, 0x474a53)                                                            \
  X (HEAT_2, "heat_2", 0x989eac, 0x6c7280)                                                            \
  X (HEAT_3, "heat_3", 0x687083, 0x9aa1b0)                                                            \
  X (HEAT_4, "heat_4", 0x3b4357, 0xd3d8e3)                                                            \
  X (KIND_BUFFER, "kind_buffer", 0x4650b8, 0x9aa5ff) /* bars on cards */                              \
  X (KIND_LOAD, "kind_load", 0x0e7490, 0x52c5de)                                                      \
  X (KIND_STORE, "kind_store", 0x65700c, 0xb7c152)                                                    \
  X (KIND_CONST, "kind_const", 0x74737a, 0xa3a2a9)                                                    \
  X (KIND_ALU, "kind_alu", 0x566a85, 0x93a8c6)                                                        \
  X (KIND_REDUCE, "kind_reduce", 0xb0267a, 0xf283c4)                                                  \
  X (KIND_VIEW, "kind_view", 0x0b7d70, 0x45c6b5)                                                      \
  X (KIND_MOVEMENT, "kind_movement", 0x0b7d70, 0x45c6b5) /* dotted */                                 \
  X (KIND_ASSIGN, "kind_assign", 0x8638a8, 0xcf96e8)                                                  \
  X (KIND_COPY, "kind_copy", 0x7f5836, 0xd1a680)                                                      \
  X (KIND_KERNEL, "kind_kernel", 0x3d3846, 0xdedde2) /* kernel and sink */                            \
  X (KERNEL_1, "kernel_1", 0x6250c4, 0xa99bf5)       /* groups: line, fill; they cycle */             \
  X (KERNEL_1_FILL, "kernel_1_fill", 0xebe8f9, 0x2a2640)                                              \
  X (KERNEL_2, "kernel_2", 0x0a726d, 0x4cc5bd)                                                        \
  X (KERNEL_2_FILL, "kernel_2_fill", 0xdff1ef, 0x193331)                                              \
  X (KERNEL_3, "kernel_3", 0xa03c8a, 0xe792d2)                                                        \
  X (KERNEL_3_FILL, "kernel_3_fill", 0xf7e7f3, 0x3a2235)                                              \
  X (VALUE_LOW, "value_low", 0x542788, 0xb2a0f0) /* values of a buffer: below 0, 0, above 0 */        \
  X (VALUE_ZERO, "value_zero", 0xf7f7f7, 0x28282c)                                                    \
  X (VALUE_HIGH, "value_high", 0xb35806, 0xfab45a)

typedef enum
{
#define X(token, name, light, dark) FB_COLOR_##token,
  FB_FOR_EACH_COLOR (X)
#undef X
      FB_N_COLORS
} FbColor;

/* 0xRRGGBB */
guint32 fb_color_rgb (FbColor color, gboolean dark);
/* "card_line"; static text */
const char *fb_color_name (FbColor color);
/* The bar of a kind (its line style: movement is dotted). */
FbColor fb_color_of_kind (FbOpKind kind);
/* Line, mark and text of a mark, and the fill of its card. FB_MARK_SAME: card line and card; FB_MARK_GONE: dim and canvas. */
FbColor fb_color_of_mark (FbMark mark);
FbColor fb_color_tint_of_mark (FbMark mark);
/* Line and fill of the group of kernel @number, from 1. */
FbColor fb_color_of_kernel (guint32 number);
FbColor fb_color_fill_of_kernel (guint32 number);
/* "replaced", "new", "rebuilt", "same", "gone"; static text, not translated. */
const char *fb_mark_name (FbMark mark);
/* Component 0 (red) to 2 (blue), from 0 to 1, as cairo takes it. */
static inline double
fb_rgb_component (guint32 rgb, int i)
{
  return ((rgb >> (16 - 8 * i)) & 0xff) / 255.0;
}
/* All tokens as "@define-color fb_card_line #8e8c97;" lines for a GTK style sheet. Free with g_free. */
char *fb_palette_to_css (gboolean dark);
