/* What is told of a replayed row that has no kernels to put side by side. */
#pragma once

#include <gtk/gtk.h>

#include "core/replay/row.h"

/* Fills @message with it. FALSE, and nothing is changed: @row has differences of kernels, which are shown themselves. */
gboolean fb_replay_message_fill (GtkBox *message, const FbReplayRow *row);
/* Empties @message and says @text under @title. */
void fb_replay_message_say (GtkBox *message, const char *title, const char *text);
