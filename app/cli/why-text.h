/* Verdicts in words, for the terminal and the window. */
#pragma once

#include "core/explain/cost.h"
#include "core/explain/why.h"

/* "RECIP float 64×1"; free with g_free. */
char *fb_why_node_text (FbContext *context, FbUop *node);
/* One or two sentences: why the node is stored, or not. Free with g_free. */
char *fb_why_sentence (const FbSchedule *schedule, const FbVerdict *verdict);
/* The name of what decided: "expand"; "not-asked" where nobody asked, "" where there was nothing to decide. */
const char *fb_why_reason (const FbVerdict *verdict);
/* Where the reference decides so, "" for nowhere. */
const char *fb_why_location (const FbVerdict *verdict);
/* "2 MUL · ADD", "" for none; free with g_free. */
char *fb_why_ops_text (const FbKernelCost *cost);
