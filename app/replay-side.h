/* One side of a difference: which kernels of it there are, and the graph of the one shown. */
#pragma once

#include "app/canvas.h"

#define FB_TYPE_REPLAY_SIDE (fb_replay_side_get_type ())
G_DECLARE_FINAL_TYPE (FbReplaySide, fb_replay_side, FB, REPLAY_SIDE, GtkWidget)

/* Signals: `kernel-picked` (guint i): another of the kernels is asked for; `node-picked` (FbUop *uop). */

/* "captured" or "recomputed", translated; @none is said where there is no kernel. Static. */
void fb_replay_side_set_words (FbReplaySide *side, const char *word, const char *none);
/* @kernels: @n places in the row's list, from 0; @shown: the index of one of them. The graph of before stays. */
void fb_replay_side_set_kernels (FbReplaySide *side, const guint *kernels, guint n, guint shown);
/* For what is no kernel: what is shown, by name; @there FALSE: this side does not have it. */
void fb_replay_side_set_title (FbReplaySide *side, const char *title, gboolean there);
/* Kept; NULL: there is nothing to show. */
void fb_replay_side_set_scene (FbReplaySide *side, FbScene *scene);
FbCanvas *fb_replay_side_get_canvas (FbReplaySide *side);
